//! The file format, as `engine/docs/table-format.md` describes it byte by byte.

use super::index::Index;
use crate::game::{Board, Point, parse_boards};
use std::fmt::Write as _;
use std::sync::Arc;

/// What a table file is called: the name of the board, leopards, least dogs.
pub(super) const EXTENSION: &str = "koti";
/// The first bytes of every table. The last four are damaged by programs that take it for text.
pub(super) const MAGIC: [u8; 8] = *b"KOTI\r\n\x1a\n";
/// The format written and read.
pub(super) const VERSION: u16 = 1;
/// Scores of a block, before compression. Twice as many make a table 6 % smaller, and a probe that finds its
/// block packed almost twice as slow.
pub(super) const BLOCK: usize = 2048;
/// Bytes of a block's checksum.
pub(super) const CHECKSUM: usize = 4;
/// Bytes of the first part of the header, whose length is always the same.
pub(super) const PREFIX: usize = 48;

/// What a table is about, and where its parts are.
#[derive(Clone, Debug)]
pub(super) struct Header {
    pub(super) board: Arc<Board>,
    pub(super) leopards: u8,
    pub(super) least_dogs: u8,
    pub(super) index: Index,
    /// The hands whose Dogs' turns are stored, a bit a hand.
    pub(super) stored_hands: u32,
    /// Blocks of all stored hands.
    pub(super) block_count: u64,
    /// Where the list of block lengths begins: behind the last block.
    pub(super) lengths_at: u64,
    /// Checksum of that list.
    pub(super) lengths_checksum: u32,
}

/// The hands a table stores where the board takes `free` dogs. Every other hand in the middle is left out:
/// these are the largest, and two plies lead to the hand below. So a third of the file is saved.
pub(super) fn usual_hands(free: usize) -> u32 {
    let left_out = |hand: usize| hand >= 4 && hand <= free / 2 && hand.is_multiple_of(2);
    (0..=free).filter(|&hand| !left_out(hand)).fold(0, |hands, hand| hands | 1 << hand)
}

impl Header {
    /// The header in bytes. Its length depends on the board and the number of leopards only.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut rest = Vec::new();
        rest.extend(self.index.order().iter().map(|point| point.index() as u8));
        rest.extend((0..self.index.points()).map(|place| self.index.mirrored_place(place) as u8));
        for slot in 0..self.index.slot_count() {
            rest.extend(self.index.leopards_of(slot).to_le_bytes());
        }
        rest.extend(board_text(&self.board).as_bytes());
        let mut bytes = Vec::with_capacity(PREFIX + rest.len() + CHECKSUM);
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.push(self.index.points() as u8);
        bytes.push(self.leopards);
        bytes.push(self.least_dogs);
        bytes.extend([0; 3]);
        bytes.extend(((PREFIX + rest.len() + CHECKSUM) as u32).to_le_bytes());
        bytes.extend((self.index.slot_count() as u32).to_le_bytes());
        bytes.extend(self.stored_hands.to_le_bytes());
        bytes.extend(self.lengths_checksum.to_le_bytes());
        bytes.extend(self.block_count.to_le_bytes());
        bytes.extend(self.lengths_at.to_le_bytes());
        debug_assert_eq!(bytes.len(), PREFIX);
        bytes.extend(rest);
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// Reads the length of the header from its first [`PREFIX`] bytes.
    pub(super) fn len_from_prefix(prefix: &[u8]) -> Result<usize, String> {
        if prefix.len() < MAGIC.len() || prefix[..MAGIC.len()] != MAGIC {
            return Err("not a table of Koti".to_owned());
        }
        if prefix.len() < PREFIX {
            return Err("cut short within the header".to_owned());
        }
        let version = u16::from_le_bytes([prefix[8], prefix[9]]);
        if version != VERSION {
            let which = if version > VERSION { "newer" } else { "older" };
            return Err(format!("format {version} is {which} than this program reads ({VERSION})"));
        }
        let len = number(prefix, 16) as usize;
        // 33,649 slots at the most on 23 points; leave room and still never ask for gigabytes.
        if (PREFIX + CHECKSUM..=1 << 26).contains(&len) { Ok(len) } else { Err(damaged("length")) }
    }

    /// Reads a whole header.
    pub(super) fn from_bytes(bytes: &[u8]) -> Result<Self, String> {
        let (content, checksum) = bytes.split_last_chunk::<CHECKSUM>().ok_or_else(|| damaged("length"))?;
        if crc32fast::hash(content) != u32::from_le_bytes(*checksum) {
            return Err("the header is damaged (checksum)".to_owned());
        }
        let (points, leopards, least_dogs) = (usize::from(content[10]), content[11], content[12]);
        let slots = number(content, 20) as usize;
        let long = |at: usize| u64::from(number(content, at)) | u64::from(number(content, at + 4)) << 32;
        let mut rest = &content[PREFIX..];
        let mut take = |len: usize| {
            let (part, after) = rest.split_at_checked(len).ok_or_else(|| damaged("length"))?;
            rest = after;
            Ok::<&[u8], String>(part)
        };
        let (order, mirror) = (take(points)?, take(points)?);
        let sets: Vec<u32> =
            take(4 * slots)?.as_chunks::<4>().0.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect();
        let text = std::str::from_utf8(rest).map_err(|_| damaged("board"))?;
        let board = match parse_boards(text).map_err(|error| damaged(&error.to_string()))?.as_slice() {
            [board] if board.point_count() == points => Arc::clone(board),
            _ => return Err(damaged("board")),
        };
        let order: Vec<Point> = order.iter().filter_map(|&i| Point::new(i.into())).collect();
        let index = Index::from_parts(&board, leopards.into(), &order, mirror, sets)
            .ok_or_else(|| damaged("order of positions"))?;
        Ok(Self {
            board,
            leopards,
            least_dogs,
            index,
            stored_hands: number(content, 24),
            block_count: long(32),
            lengths_at: long(40),
            lengths_checksum: number(content, 28),
        })
    }

    /// Dogs' turns of a hand in one vector that the table has: enough dogs to go on, and no more than there is
    /// room for. In the order of positions they follow each other.
    pub(super) fn range(&self, hand: usize) -> std::ops::Range<usize> {
        let free = self.index.free();
        let least = usize::from(self.least_dogs).saturating_sub(hand);
        let below =
            |dogs: usize| (0..dogs.min(free + 1)).map(|k| super::index::binomial(free, k) as usize).sum();
        below(least)..below(free + 1 - hand)
    }

    /// Blocks of a vector of a hand; none where the hand is not stored.
    pub(super) fn blocks(&self, hand: usize) -> usize {
        if self.stored_hands >> hand & 1 == 1 { self.range(hand).len().div_ceil(BLOCK) } else { 0 }
    }
}

fn number(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

fn damaged(what: &str) -> String {
    format!("the header makes no sense: {what}")
}

/// The board as a board file has it, its lines put together from steps and leaps.
pub(super) fn board_text(board: &Board) -> String {
    let name = |point| board.point_name(point);
    let mut lines: Vec<String> = Vec::new();
    // The point after a step from `a` to `b` along the line.
    let next = |a: Point, b: Point| board.jumps(a).iter().find(|jump| jump.over == b).map(|jump| jump.to);
    let mut done: Vec<(Point, Point)> = Vec::new();
    for start in board.points() {
        for second in board.neighbours(start) {
            // Begin where a line begins: nothing lies before its first point.
            if next(second, start).is_some() || done.contains(&(start, second)) {
                continue;
            }
            let mut line = vec![start, second];
            while let [.., a, b] = line[..]
                && let Some(after) = next(a, b)
            {
                line.push(after);
            }
            if let [.., a, b] = line[..] {
                done.push((b, a)); // the same line from its other end
            }
            lines.push(line.into_iter().map(name).collect::<Vec<_>>().join(" "));
        }
    }
    let mut text = String::new();
    // The name may be anything a TOML key can be; a quoted key takes all.
    let _ = writeln!(text, "[{}]", toml::Value::from(board.name()));
    let _ = writeln!(text, "rows = {:?}", board.rows());
    let _ = writeln!(text, "lines = {lines:?}");
    text
}

#[cfg(test)]
mod tests {
    use super::super::table::same_lines;
    use super::*;
    use crate::game::boards;

    fn header(board: &Arc<Board>) -> Header {
        Header {
            board: Arc::clone(board),
            leopards: 2,
            least_dogs: 5,
            index: Index::new(board, 2),
            stored_hands: 7,
            block_count: 1 << 40,
            lengths_at: 1 << 33,
            lengths_checksum: 9,
        }
    }

    #[test]
    fn headers_come_back() {
        for board in boards() {
            let bytes = header(board).to_bytes();
            assert_eq!(Header::len_from_prefix(&bytes[..PREFIX]), Ok(bytes.len()));
            let back = Header::from_bytes(&bytes).unwrap();
            assert!(same_lines(&back.board, board), "{}", board.name());
            assert_eq!(back.board.name(), board.name());
            assert_eq!(back.to_bytes(), bytes);
            let at = |index: &Index| index.locate(0b1010, 0b0101);
            assert_eq!(at(&back.index), at(&header(board).index));
        }
    }

    #[test]
    fn every_flipped_bit_of_a_header_is_found() {
        let bytes = header(&boards()[0]).to_bytes();
        for bit in 0..8 * bytes.len() {
            let mut bytes = bytes.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            let outcome = Header::len_from_prefix(&bytes[..PREFIX])
                .and_then(|len| bytes.get(..len).ok_or_else(|| "cut short".to_owned()))
                .and_then(Header::from_bytes);
            assert!(outcome.is_err(), "bit {bit}");
        }
    }

    #[test]
    fn a_third_of_the_hands_in_the_middle_is_left_out() {
        assert_eq!(usual_hands(9), 0b11_1110_1111);
        assert_eq!(!usual_hands(18) & 0x7_FFFF, 1 << 4 | 1 << 6 | 1 << 8);
    }
}
