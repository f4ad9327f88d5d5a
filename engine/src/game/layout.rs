//! Where the points of a board lie in a drawing.

use super::point::Point;

/// Lines of text from one row of points to the next.
pub const ROW_HEIGHT: i32 = 2;
/// Columns between neighbours of a row, where the board gives no layout.
const DEFAULT_SPACING: i32 = 6;
/// The widest drawing, in columns.
const MAX_WIDTH: i32 = 200;

/// The place of every point, in text cells: column from the left edge of the board and line from the top.
#[derive(Clone, Debug)]
pub struct Layout {
    places: Vec<(i32, i32)>,
}

/// What is wrong with the `columns` of a board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum LayoutError {
    #[error("columns: expected one list a row with as many numbers as the row has points")]
    Shape,
    #[error("columns: in row {0} the numbers do not grow from left to right")]
    Order(char),
    #[error("columns: the drawing would be wider than {MAX_WIDTH} columns")]
    TooWide,
}

impl Layout {
    /// Places from the `columns` of a board's data, or evenly spaced and centred rows.
    pub(super) fn new(rows: &[usize], columns: Option<&[Vec<i32>]>) -> Result<Self, LayoutError> {
        let even = |&length: &usize| -> Vec<i32> {
            (0..length as i32).map(|i| (2 * i - length as i32 + 1) * (DEFAULT_SPACING / 2)).collect()
        };
        let columns = columns.map_or_else(|| rows.iter().map(even).collect(), <[Vec<i32>]>::to_vec);
        if columns.iter().map(Vec::len).ne(rows.iter().copied()) {
            return Err(LayoutError::Shape);
        }
        for (letter, row) in ('a'..).zip(&columns) {
            if !row.is_sorted_by(|a, b| a < b) {
                return Err(LayoutError::Order(letter));
            }
        }
        let all = || columns.iter().flatten().copied();
        let (left, right) = (all().min().unwrap_or(0), all().max().unwrap_or(0));
        if right.checked_sub(left).is_none_or(|width| width > MAX_WIDTH) {
            return Err(LayoutError::TooWide);
        }
        let place = |(y, row): (i32, &Vec<i32>)| -> Vec<(i32, i32)> {
            row.iter().map(|x| (x - left, y * ROW_HEIGHT)).collect()
        };
        Ok(Self { places: (0..).zip(&columns).flat_map(place).collect() })
    }

    /// Column and line of a point of the board.
    pub fn place(&self, point: Point) -> (i32, i32) {
        self.places[point.index()]
    }

    /// Columns and lines of the whole drawing.
    pub fn size(&self) -> (i32, i32) {
        let width = self.places.iter().map(|place| place.0).max().unwrap_or(0) + 1;
        let height = self.places.iter().map(|place| place.1).max().unwrap_or(0) + 1;
        (width, height)
    }
}
