//! A solved game that answers with exact values.

use super::blocks::BlockReader;
use super::format::{BLOCK, Header};
use super::index::{binomial, places_of};
use super::score::{self, LEOPARDS_NOW, TRAPPED};
use crate::game::{Board, Position, Rules, Side, Value};
use std::path::{Path, PathBuf};

/// Bytes of unpacked blocks a table keeps, where nothing else is said.
pub const DEFAULT_CACHE: usize = 256 << 20;

/// What is wrong with a table, in one line that names it.
#[derive(Debug, thiserror::Error)]
#[error("table {}: {fault}", path.display())]
pub struct TableError {
    /// The file or directory.
    pub path: PathBuf,
    /// What is wrong with it.
    pub fault: String,
}

impl TableError {
    pub(super) fn new(path: &Path, fault: impl std::fmt::Display) -> Self {
        Self { path: path.to_owned(), fault: fault.to_string() }
    }
}

/// The strong solution of a game: the exact value of every position with its board, its number of leopards
/// and its least number of dogs, every leopard on the board, any number of dogs on the board and in hand.
///
/// Stored are the Dogs' turns, most of them; the others follow by a ply or two.
#[derive(Debug)]
pub struct Table {
    header: Header,
    blocks: BlockReader,
    hands: Vec<Hand>,
    /// `binomials[k][n]`: n over k.
    binomials: Vec<[u32; 32]>,
}

/// The Dogs' turns with some number of dogs in hand.
#[derive(Clone, Debug)]
struct Hand {
    first_block: u64,
    /// Blocks of each slot; 0 where this hand is left out.
    blocks: usize,
    /// Positions of each slot.
    positions: usize,
    /// For each number of dogs on the board how far down the order of positions it begins.
    begins: Vec<usize>,
}

impl Table {
    /// Opens a table file. Its header is checked; its blocks are when they are read.
    ///
    /// # Errors
    /// The file cannot be read, is no table, is damaged, or of another format.
    pub fn open(path: &Path) -> Result<Self, TableError> {
        let (blocks, header) = BlockReader::open(path, DEFAULT_CACHE)?;
        Ok(Self::new(header, blocks))
    }

    /// The same from the bytes of a file.
    pub(super) fn from_bytes(bytes: Vec<u8>) -> Result<Self, TableError> {
        let (blocks, header) = BlockReader::from_bytes(bytes, DEFAULT_CACHE)?;
        Ok(Self::new(header, blocks))
    }

    /// The bytes of a table in memory.
    #[cfg(test)]
    pub(super) fn into_bytes(self) -> Option<Vec<u8>> {
        self.blocks.into_bytes()
    }

    fn new(header: Header, blocks: BlockReader) -> Self {
        let free = header.index.free();
        let mut first_block = 0;
        let hands = (0..=free)
            .map(|hand| {
                let range = header.range(hand);
                let (blocks, positions) = (header.blocks(hand), range.len());
                let mut begins: Vec<usize> = Vec::with_capacity(free + 1);
                let mut below = 0usize;
                for dogs in 0..=free {
                    begins.push(below.wrapping_sub(range.start));
                    below += binomial(free, dogs) as usize;
                }
                let this = Hand { first_block, blocks, positions, begins };
                first_block += (blocks * header.index.slot_count()) as u64;
                this
            })
            .collect();
        let binomials = (0..=free).map(|k| std::array::from_fn(|n| binomial(n, k))).collect();
        Self { header, blocks, hands, binomials }
    }

    /// The board.
    pub fn board(&self) -> &Board {
        &self.header.board
    }

    /// Number of leopards.
    pub fn leopards(&self) -> u8 {
        self.header.leopards
    }

    /// The fewest dogs, on the board and in hand, with which the game goes on.
    pub fn least_dogs(&self) -> u8 {
        self.header.least_dogs
    }

    /// The file, or `in memory`.
    pub(super) fn path(&self) -> &Path {
        self.blocks.path()
    }

    pub(super) fn header(&self) -> &Header {
        &self.header
    }

    /// Whether the table has the values of these rules: the same lines between points, whatever the name of
    /// the board, as many leopards, and the same least number of dogs.
    pub fn serves(&self, rules: &Rules) -> bool {
        self.fits(rules) && same_lines(&self.header.board, rules.board())
    }

    /// As [`serves`](Self::serves), lines of the board aside.
    fn fits(&self, rules: &Rules) -> bool {
        self.header.leopards == rules.leopards()
            && self.header.least_dogs == least_dogs(rules)
            && self.header.board.point_count() == rules.board().point_count()
    }

    /// The exact value of a position of rules that the table [`serves`](Self::serves); `None` while leopards
    /// are in hand, and for other rules as far as their numbers differ. Repetition and quiet plies are left
    /// aside.
    ///
    /// # Errors
    /// The file cannot be read, or the part of it in question is damaged.
    pub fn probe(&self, rules: &Rules, position: &Position) -> Result<Option<Value>, TableError> {
        if position.leopards_in_hand() > 0 || !self.fits(rules) {
            return Ok(None);
        }
        // Captures come first: a position where too few dogs are left is over whatever can move.
        if position.is_won_by_captures(rules) {
            return Ok(Some(Value::Win { winner: Side::Leopards, plies: 0 }));
        }
        let leopards = self.header.index.places_of_points(position.leopards());
        let dogs = self.header.index.places_of_points(position.dogs());
        let hand = usize::from(position.dogs_in_hand());
        let side = position.side_to_move();
        let score = match side {
            Side::Dogs => self.dogs_turn(hand, leopards, dogs)?,
            Side::Leopards => self.leopards_turn(hand, leopards, dogs, LEOPARDS_NOW)?,
        };
        Ok(Some(score::value(score, side)))
    }

    /// The Dogs' turns of a slot with a stored hand, in the order of the file.
    pub(super) fn unpack(&self, hand: usize, slot: usize, scores: &mut [u8]) -> Result<(), TableError> {
        let layer = &self.hands[hand];
        let first = layer.first_block + (slot * layer.blocks) as u64;
        for (number, scores) in (first..).zip(scores.chunks_mut(BLOCK)) {
            self.blocks.unpack(number, scores)?;
        }
        Ok(())
    }

    /// The score of a Leopards' turn: the least of its successors. Sets have a bit a place. Once it is known to
    /// be `floor` or less, any such score will do.
    fn leopards_turn(&self, hand: usize, leopards: u32, dogs: u32, floor: u8) -> Result<u8, TableError> {
        let mut least = TRAPPED;
        for (leopards, dogs) in self.header.index.after_leopards(leopards, dogs) {
            least = least.min(self.dogs_turn_below(hand, leopards, dogs, least)?);
            if least <= floor {
                break;
            }
        }
        Ok(least)
    }

    /// The score of a Dogs' turn.
    pub(super) fn dogs_turn(&self, hand: usize, leopards: u32, dogs: u32) -> Result<u8, TableError> {
        self.dogs_turn_below(hand, leopards, dogs, TRAPPED)
    }

    /// The score of a Dogs' turn; once it is known to be `ceiling` or more, any such score will do.
    fn dogs_turn_below(&self, hand: usize, leopards: u32, dogs: u32, ceiling: u8) -> Result<u8, TableError> {
        let count = dogs.count_ones() as usize;
        if count + hand < usize::from(self.header.least_dogs) {
            return Ok(LEOPARDS_NOW);
        }
        let layer = &self.hands[hand];
        if layer.blocks == 0 {
            return self.dogs_turn_by_drops(hand, leopards, dogs, ceiling);
        }
        let at = self.header.index.locate(leopards, dogs);
        let mut rank = layer.begins[count];
        for (k, place) in places_of(at.dogs as u32).enumerate() {
            rank = rank.wrapping_add(self.binomials[k + 1][place] as usize);
        }
        let block = rank / BLOCK;
        let len = BLOCK.min(layer.positions - block * BLOCK);
        let number = layer.first_block + (at.slot * layer.blocks + block) as u64;
        self.blocks.score(number, len, rank % BLOCK)
    }

    /// The score of a Dogs' turn of a hand that is left out: of the drops the best.
    fn dogs_turn_by_drops(
        &self,
        hand: usize,
        leopards: u32,
        dogs: u32,
        ceiling: u8,
    ) -> Result<u8, TableError> {
        let (mut best, mut score) = (LEOPARDS_NOW, LEOPARDS_NOW);
        let vacant = !(leopards | dogs) & ((1u64 << self.header.index.points()) - 1) as u32;
        for place in places_of(vacant) {
            best = best.max(self.leopards_turn(hand - 1, leopards, dogs | 1 << place, best)?);
            // A table that was written has room for every distance.
            score = score::before_dogs_move(best).unwrap_or(best);
            if score >= ceiling {
                break;
            }
        }
        Ok(score)
    }
}

/// The least number of dogs that tells tables apart. Rules whose dogs are too few from the start are won
/// before the first move, whatever the number: they go with the table of the least that can trap.
pub(super) fn least_dogs(rules: &Rules) -> u8 {
    if rules.captures_to_win() == 0 { rules.least_dogs_to_trap() } else { rules.least_dogs() }
}

/// Whether two boards have the same steps and leaps between points of the same numbers.
pub(super) fn same_lines(a: &Board, b: &Board) -> bool {
    a.point_count() == b.point_count()
        && a.points().into_iter().all(|p| a.neighbours(p) == b.neighbours(p) && a.jumps(p) == b.jumps(p))
}
