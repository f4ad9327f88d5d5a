//! The Dogs' score by the number of dogs.

use super::super::study::{Family, StudyCell};
use super::axes::Axes;
use super::frame::{Key, Picture, PlotError, draw_marker, picture};
use super::palette;
use plotters::prelude::*;

/// A line for each strength with a band for its interval; the exact values are the colours behind.
pub(in super::super) fn scores(family: &Family, with_png: bool) -> Result<Picture, PlotError> {
    let dogs = family.dogs();
    let mut legend = vec![Key::Heading("strength of both sides".to_owned())];
    let lines = family.strengths.iter().enumerate();
    legend.extend(lines.map(|(index, name)| Key::Line(palette::series(index), index, name.clone())));
    if !family.exact.is_empty() {
        legend.push(Key::Heading("exact value".to_owned()));
        for (value, text) in [("dogs", "dogs win"), ("draw", "draw"), ("leopards", "leopards win")] {
            if family.exact.values().any(|exact| exact.value == value) {
                legend.push(Key::Field(palette::of_value(value), text.to_owned()));
            }
        }
    }
    let title = format!("Dogs' score by number of dogs: {}", family.name);
    let subtitle = format!("{} games; bands are 95 % intervals (Wilson)", family.games());
    picture(&title, &subtitle, &legend, with_png, |area| {
        let axes = Axes::by_dogs(&dogs, 0.0..100.0, "dogs' score in % (win 1, draw ½)");
        let mut chart = axes.chart(area)?;
        for (&dogs, exact) in &family.exact {
            let x = f64::from(dogs);
            let column = [(x - 0.5, 0.0), (x + 0.5, 100.0)];
            chart.draw_series([Rectangle::new(column, palette::of_value(&exact.value).filled())])?;
        }
        axes.draw(&mut chart)?;
        // Exactly even.
        chart.draw_series([PathElement::new(
            [(axes.x.start, 50.0), (axes.x.end, 50.0)],
            RGBColor(120, 120, 120).stroke_width(1),
        )])?;
        let lines: Vec<Vec<Point>> = (0..family.strengths.len()).map(|index| line(family, index)).collect();
        // All bands below all lines.
        for (index, points) in lines.iter().enumerate() {
            let upper = points.iter().map(|point| (point.dogs, point.high));
            let lower = points.iter().rev().map(|point| (point.dogs, point.low));
            let band: Vec<(f64, f64)> = upper.chain(lower).collect();
            chart.draw_series([Polygon::new(band, palette::series(index).mix(0.13).filled())])?;
        }
        for (index, points) in lines.iter().enumerate() {
            let line = points.iter().map(|point| (point.dogs, point.score));
            chart.draw_series(LineSeries::new(line, palette::series(index).stroke_width(2)))?;
        }
        for ((dogs, index), cell) in &family.cells {
            if let Some(score) = cell.dogs.score() {
                let (x, y) = chart.backend_coord(&(f64::from(*dogs), 100.0 * score));
                let (left, top) = area.get_base_pixel();
                draw_marker(area, (x - left, y - top), *index, palette::series(*index))?;
            }
        }
        Ok(())
    })
}

/// A score with its interval, in percent.
struct Point {
    dogs: f64,
    score: f64,
    low: f64,
    high: f64,
}

fn line(family: &Family, strength: usize) -> Vec<Point> {
    let of_strength = family.cells.iter().filter(|((_, own), _)| *own == strength);
    let point = |(&(dogs, _), cell): (&(u8, usize), &StudyCell)| {
        let interval = cell.dogs.interval();
        let score = 100.0 * cell.dogs.score()?;
        Some(Point { dogs: dogs.into(), score, low: 100.0 * interval.low, high: 100.0 * interval.high })
    };
    of_strength.filter_map(point).collect()
}
