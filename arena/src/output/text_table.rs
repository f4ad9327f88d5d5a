//! Tables of text with aligned columns.

use std::fmt;

/// How a column is aligned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Align {
    Left,
    Right,
}

/// A table: a heading for each column, and rows of as many cells.
#[derive(Clone, Debug)]
pub(super) struct TextTable {
    columns: Vec<(String, Align)>,
    rows: Vec<Vec<String>>,
}

impl TextTable {
    pub(super) fn new<const N: usize>(columns: [(&str, Align); N]) -> Self {
        let columns = columns.into_iter().map(|(heading, align)| (heading.to_owned(), align)).collect();
        Self { columns, rows: Vec::new() }
    }

    /// Adds a column on the right.
    pub(super) fn column(&mut self, heading: &str, align: Align) {
        self.columns.push((heading.to_owned(), align));
    }

    /// Adds a row. Cells that are missing are empty, cells beyond the last column are not shown.
    pub(super) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    fn width(&self, column: usize) -> usize {
        let cells = self.rows.iter().filter_map(|row| row.get(column));
        let heading = &self.columns[column].0;
        cells.chain([heading]).map(|cell| cell.chars().count()).max().unwrap_or(0)
    }

    fn line(&self, cells: &[String]) -> String {
        let mut line = String::new();
        for (column, (_, align)) in self.columns.iter().enumerate() {
            let cell = cells.get(column).map_or("", String::as_str);
            let width = self.width(column);
            let pad = " ".repeat(width.saturating_sub(cell.chars().count()));
            let (before, after) = match align {
                Align::Left => ("", pad.as_str()),
                Align::Right => (pad.as_str(), ""),
            };
            line.extend(["  ", before, cell, after]);
        }
        line.trim_end().to_owned()
    }
}

impl fmt::Display for TextTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let headings: Vec<String> = self.columns.iter().map(|(heading, _)| heading.clone()).collect();
        writeln!(f, "{}", self.line(&headings))?;
        for row in &self.rows {
            writeln!(f, "{}", self.line(row))?;
        }
        Ok(())
    }
}

/// A share between 0 and 1 as a bar of `width` cells, in eighths of a cell.
pub(super) fn bar(share: f64, width: usize) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = (share.clamp(0.0, 1.0) * width as f64 * 8.0).round() as usize;
    let filled = format!("{}{}", "█".repeat(eighths / 8), EIGHTHS[eighths % 8]);
    let empty = width - filled.chars().count();
    filled + &"·".repeat(empty)
}

/// A share as percent with one decimal, without the sign.
pub(super) fn percent(share: f64) -> String {
    format!("{:.1}", 100.0 * share)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let mut table = TextTable::new([("name", Align::Left), ("n", Align::Right)]);
        table.row(["Ä".to_owned(), "1000".to_owned()]);
        table.row(["longer".to_owned()]);
        assert_eq!(table.to_string(), "  name       n\n  Ä       1000\n  longer\n");
    }

    #[test]
    fn bars_are_always_as_wide_as_asked() {
        for (share, expected) in [(0.0, "····"), (1.0, "████"), (0.5, "██··"), (0.15, "▋···"), (2.0, "████")]
        {
            assert_eq!(bar(share, 4), expected);
        }
        assert_eq!(bar(f64::NAN, 4), "····");
    }
}
