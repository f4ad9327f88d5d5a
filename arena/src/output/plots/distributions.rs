//! How long the games were, and how many dogs were captured.

use super::super::study::{Family, StudyCell};
use super::axes::Axes;
use super::frame::{Key, Picture, PlotError, draw_marker, picture};
use super::palette;
use plotters::prelude::*;
use std::collections::BTreeMap;

/// The most points a line of lengths has.
const MAX_BINS: u32 = 24;

/// Shares of the games by their length, a line for each strength.
pub(in super::super) fn lengths(family: &Family, with_png: bool) -> Result<Picture, PlotError> {
    let longest =
        family.cells.values().filter_map(|cell| cell.plies.keys().last()).max().copied().unwrap_or(0);
    let width = bin_width(longest);
    let shares =
        shares(family, |cell| cell.plies.iter().map(|(&plies, &count)| (plies / width, count)).collect());
    let middle = |bin: u32| f64::from(bin * width) + f64::from(width - 1) / 2.0;
    let shares = placed(shares, middle);
    let subtitle = format!("{} games, in steps of {width} plies", family.games());
    let title = format!("Length of the games: {}", family.name);
    draw(
        family,
        &title,
        &subtitle,
        "length in plies",
        f64::from((longest / width + 1) * width),
        &shares,
        with_png,
    )
}

/// Shares of the games by the number of dogs captured, a line for each strength.
pub(in super::super) fn captured(family: &Family, with_png: bool) -> Result<Picture, PlotError> {
    let most =
        family.cells.values().filter_map(|cell| cell.captured.keys().last()).max().copied().unwrap_or(0);
    let shares = shares(family, |cell| {
        cell.captured.iter().map(|(&captured, &count)| (u32::from(captured), count)).collect()
    });
    let shares = placed(shares, f64::from);
    let subtitle = format!("{} games, all numbers of dogs together", family.games());
    let title = format!("Dogs captured in a game: {}", family.name);
    draw(family, &title, &subtitle, "dogs captured", f64::from(most.max(1)) + 0.5, &shares, with_png)
}

/// A width of 1, 2 or 5 times a power of ten that gives no more than [`MAX_BINS`].
fn bin_width(longest: u32) -> u32 {
    let powers = (0..9).map(|power| 10u32.pow(power));
    let widths = powers.flat_map(|power| [1, 2, 5].map(|factor| factor * power));
    widths.into_iter().find(|width| longest / width < MAX_BINS).unwrap_or(longest.max(1))
}

/// Shares in percent by bin, for each strength: those of all bins from the first to the last that has any.
fn shares(family: &Family, bins: impl Fn(&StudyCell) -> Vec<(u32, u64)>) -> Vec<Vec<(u32, f64)>> {
    let of_strength = |index: usize| {
        let mut counts: BTreeMap<u32, u64> = BTreeMap::new();
        for (_, cell) in family.cells.iter().filter(|((_, strength), _)| *strength == index) {
            for (bin, count) in bins(cell) {
                *counts.entry(bin).or_default() += count;
            }
        }
        let total = counts.values().sum::<u64>().max(1) as f64;
        let [first, last] = [counts.keys().next(), counts.keys().last()].map(|bin| bin.copied().unwrap_or(0));
        let share = |bin| 100.0 * counts.get(&bin).copied().unwrap_or(0) as f64 / total;
        (first..=last).map(|bin| (bin, share(bin))).collect()
    };
    (0..family.strengths.len()).map(of_strength).collect()
}

/// Bins put where they lie on the axis.
fn placed(shares: Vec<Vec<(u32, f64)>>, place: impl Fn(u32) -> f64) -> Vec<Vec<(f64, f64)>> {
    let line = |line: Vec<(u32, f64)>| line.into_iter().map(|(bin, share)| (place(bin), share)).collect();
    shares.into_iter().map(line).collect()
}

fn draw(
    family: &Family,
    title: &str,
    subtitle: &str,
    x_name: &str,
    x_end: f64,
    shares: &[Vec<(f64, f64)>],
    with_png: bool,
) -> Result<Picture, PlotError> {
    let mut legend = vec![Key::Heading("strength of both sides".to_owned())];
    let lines = family.strengths.iter().enumerate();
    legend.extend(lines.map(|(index, name)| Key::Line(palette::series(index), index, name.clone())));
    let top = shares.iter().flatten().map(|&(_, share)| share).fold(1.0, f64::max) * 1.08;
    picture(title, subtitle, &legend, with_png, |area| {
        let axes = Axes {
            x: -0.01 * x_end..x_end,
            x_name,
            x_labels: 12,
            y: 0.0..top,
            y_name: "share of the games in %",
        };
        let mut chart = axes.chart(area)?;
        axes.draw(&mut chart)?;
        for (index, points) in shares.iter().enumerate() {
            let colour = palette::series(index);
            chart.draw_series(LineSeries::new(points.iter().copied(), colour.stroke_width(2)))?;
            for point in points {
                let (x, y) = chart.backend_coord(point);
                let (left, top) = area.get_base_pixel();
                draw_marker(area, (x - left, y - top), index, colour)?;
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::bin_width;

    #[test]
    fn bins_are_round_and_few() {
        assert_eq!([0, 23, 24, 100, 239, 1000].map(bin_width), [1, 1, 2, 5, 10, 50]);
    }
}
