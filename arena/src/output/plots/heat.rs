//! Dogs by strength, the score as colour.

use super::super::study::Family;
use super::axes::{Axes, is_whole};
use super::frame::{FONT, Key, Picture, PlotError, TEXT_SIZE, fitted, picture};
use super::palette;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// A field for each number of dogs and strength, the score in it in percent.
pub(in super::super) fn heat_map(family: &Family, with_png: bool) -> Result<Picture, PlotError> {
    let dogs = family.dogs();
    let mut legend = vec![Key::Heading("dogs' score".to_owned())];
    for score in [1.0, 0.75, 0.5, 0.25, 0.0] {
        let side = match score {
            1.0 => ", dogs win all",
            0.0 => ", leopards win all",
            _ => "",
        };
        legend.push(Key::Field(palette::of_score(score), format!("{:.0} %{side}", 100.0 * score)));
    }
    let title = format!("Dogs' score by dogs and strength: {}", family.name);
    let subtitle = format!("{} games; numbers are scores in %", family.games());
    let count = family.strengths.len();
    picture(&title, &subtitle, &legend, with_png, |area| {
        let longest = family.strengths.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        let label_area = 40 + 8 * longest.min(26) as u32;
        let axes = Axes::by_dogs(&dogs, -0.5..count as f64 - 0.5, "strength of both sides");
        let mut chart = axes.chart_with_labels(area, label_area)?;
        let name = |index: &f64| {
            let whole = is_whole(*index) && *index > -0.1;
            let name = if whole { family.strengths.get(index.round() as usize) } else { None };
            // The description of the axis stands left of the labels.
            name.map_or(String::new(), |name| fitted(name, label_area as f32 - 38.0))
        };
        axes.mesh(&mut chart).disable_mesh().y_labels(count + 1).y_label_formatter(&name).draw()?;
        for ((dogs, strength), cell) in &family.cells {
            let Some(score) = cell.dogs.score() else { continue };
            let (x, y) = (f64::from(*dogs), *strength as f64);
            let field = [(x - 0.5, y - 0.5), (x + 0.5, y + 0.5)];
            chart.draw_series([
                Rectangle::new(field, palette::of_score(score).filled()),
                Rectangle::new(field, WHITE.stroke_width(1)),
            ])?;
            let ink = if (score - 0.5).abs() > 0.35 { WHITE } else { BLACK };
            let style = (FONT, TEXT_SIZE).into_font().color(&ink).pos(Pos::new(HPos::Center, VPos::Center));
            chart.draw_series([Text::new(format!("{:.0}", 100.0 * score), (x, y), style)])?;
        }
        Ok(())
    })
}
