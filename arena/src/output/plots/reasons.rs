//! Why the games ended.

use super::super::study::Family;
use super::axes::Axes;
use super::frame::{Key, Picture, PlotError, picture};
use super::palette;
use plotters::prelude::*;

/// The reasons in the order in which they are stacked, the Dogs' wins at the bottom.
const ORDER: [&str; 11] = [
    "trapped",
    "adjudicated",
    "repetition",
    "quiet",
    "max-plies",
    "stuck",
    "captures",
    "illegal-move",
    "timeout",
    "stall",
    "crash",
];

/// A bar for each number of dogs, divided by the reasons.
pub(in super::super) fn reasons(family: &Family, with_png: bool) -> Result<Picture, PlotError> {
    let dogs = family.dogs();
    let count = |dogs: Option<u8>, reason: &str| -> u64 {
        let cells = family.cells.iter().filter(|((own, _), _)| dogs.is_none_or(|dogs| dogs == *own));
        cells.filter_map(|(_, cell)| cell.reasons.get(reason)).sum()
    };
    let mut legend = vec![Key::Heading("reason".to_owned())];
    for reason in ORDER.iter().rev().filter(|reason| count(None, reason) > 0) {
        legend.push(Key::Field(palette::of_reason(reason), (*reason).to_owned()));
    }
    let title = format!("Why the games ended: {}", family.name);
    let subtitle = format!("{} games, all strengths together", family.games());
    picture(&title, &subtitle, &legend, with_png, |area| {
        let axes = Axes::by_dogs(&dogs, 0.0..100.0, "share of the games in %");
        let mut chart = axes.chart(area)?;
        axes.draw(&mut chart)?;
        for &number in &dogs {
            let total: u64 = ORDER.iter().map(|reason| count(Some(number), reason)).sum();
            let mut bottom = 0.0;
            for reason in ORDER {
                let share = 100.0 * count(Some(number), reason) as f64 / total.max(1) as f64;
                let x = f64::from(number);
                let bar = [(x - 0.4, bottom), (x + 0.4, bottom + share)];
                chart.draw_series([Rectangle::new(bar, palette::of_reason(reason).filled())])?;
                bottom += share;
            }
        }
        Ok(())
    })
}
