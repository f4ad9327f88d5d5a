//! Proves a table: every entry again from its successors.
//!
//! Nothing here is shared with the solver but the order of positions in the file: moves are made one by one,
//! and values compared as values. A table whose every entry follows from its successors is right: distances
//! fall by one ply at each winning move, so that wins come to an end, and a draw has a drawing move and no
//! winning one.
//!
//! All entries are gone through by `layer`, a hand at a time; a sample by the rules' own positions and moves.

mod layer;

use self::layer::{Scale, SlotMoves, spread};
use super::format::BLOCK;
use super::index::{Index, binomial};
use super::parallel::in_parallel;
use super::table::{Table, TableError};
use super::writer::dog_sets_by_count;
use crate::game::{Captures, Position, Rules, RulesConfig, RulesError, Setup, Side, Start, Value};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt as _, SeedableRng as _};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// What is wrong with a table that was verified.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // each message says it
pub enum VerifyError {
    #[error(transparent)]
    Table(#[from] TableError),
    #[error("table {}: {position}: the table says {stored}, its successors {expected}", path.display())]
    Wrong { path: PathBuf, position: String, stored: Value, expected: Value },
    #[error("table {}: {position}: its successors say {expected}, which no entry can", path.display())]
    Distance { path: PathBuf, position: String, expected: Value },
    #[error("out of memory: {0} bytes at once could not be had")]
    Memory(usize),
    #[error("not verified: {0}")]
    Rules(#[from] RulesError),
    #[error("stopped")]
    Stopped,
}

/// Verifies tables.
pub struct Verifier<'a> {
    table: &'a Table,
    /// The rules with as many dogs as the board takes, so that they play every position of the table.
    rules: Rules,
    /// Dog sets by number of dogs: the order of positions of a vector.
    order: Vec<u32>,
    /// What scores mean with the Dogs to move, and with the Leopards.
    scales: [Scale; 2],
    threads: usize,
}

/// Who is told how far it has got: the hand, and the entries compared up to now. Called by several threads.
pub type VerifyProgress<'a> = &'a (dyn Fn(usize, u64) + Sync);

/// The positions with some number of dogs on the board and none in hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MovementCount {
    /// Dogs on the board.
    pub dogs: usize,
    /// Who is to move.
    pub side: Side,
    /// How many of them are won for the Dogs, for the Leopards, and drawn.
    pub counts: [u64; 3],
}

/// The scores of all positions of a hand by slot and dog set, places without a position included.
struct Layers {
    /// Dogs' turns.
    dogs: Vec<u8>,
    /// Leopards' turns.
    leopards: Vec<u8>,
    /// Leopards' turns with one dog less in hand.
    before: Vec<u8>,
}

impl<'a> Verifier<'a> {
    /// Prepares to verify a table.
    ///
    /// # Errors
    /// The table is of rules that cannot be.
    pub fn new(table: &'a Table, threads: usize) -> Result<Self, VerifyError> {
        let header = table.header();
        let index = &header.index;
        let dogs = index.free() as u8;
        let leopards = table.leopards();
        let config = RulesConfig {
            leopards,
            start: Start::Placed(header.board.default_start(leopards.into())),
            dogs,
            first: Side::Dogs,
            captures: Captures::Number((dogs + 1).saturating_sub(table.least_dogs())),
            repetition: 0,
            quiet_limit: 0,
        };
        let rules = Rules::new(Arc::clone(&header.board), config)?;
        let order = dog_sets_by_count(index.free());
        Ok(Self { table, rules, order, scales: Side::BOTH.map(Scale::new), threads: threads.max(1) })
    }

    /// Recomputes every stored entry, and the Leopards' turns between. Gives the number of entries compared.
    ///
    /// Takes three bytes of memory for each position without dogs in hand.
    ///
    /// # Errors
    /// The first wrong entry found, or a damaged block, or too little memory, or `stop` was set.
    pub fn verify_all(&self, progress: VerifyProgress, stop: &AtomicBool) -> Result<u64, VerifyError> {
        let compared = AtomicU64::new(0);
        let mut layers = Layers { dogs: self.layer()?, leopards: self.layer()?, before: self.layer()? };
        for hand in 0..=self.index().free() {
            self.verify_hand(hand, &mut layers, &compared, progress, stop)?;
            std::mem::swap(&mut layers.before, &mut layers.leopards);
        }
        Ok(compared.into_inner())
    }

    /// Counts the positions without dogs in hand, mirror images too, after recomputing all of them: first those
    /// with no dog on the board, the Dogs to move, then the Leopards, then those with one dog.
    ///
    /// # Errors
    /// As [`verify_all`](Self::verify_all).
    pub fn movement_counts(
        &self,
        progress: VerifyProgress,
        stop: &AtomicBool,
    ) -> Result<Vec<MovementCount>, VerifyError> {
        let mut layers = Layers { dogs: self.layer()?, leopards: self.layer()?, before: Vec::new() };
        self.verify_hand(0, &mut layers, &AtomicU64::new(0), progress, stop)?;
        let index = self.index();
        let least = usize::from(self.table.least_dogs());
        let sets: u64 = (0..index.slot_count()).map(|slot| u64::from(index.sets_of(slot))).sum();
        let mut found = Vec::new();
        for dogs in 0..=index.free() {
            let all = sets * u64::from(binomial(index.free(), dogs));
            for (side, scores) in Side::BOTH.into_iter().zip([&layers.dogs, &layers.leopards]) {
                let mut counts = [0, if dogs < least { all } else { 0 }, 0];
                for (slot, scores) in scores.chunks_exact(self.vector_len()).enumerate() {
                    for &set in &self.order[self.with_dogs(dogs.max(least)..dogs + 1)] {
                        let value = layer::value(self.scales[side.index()].worth(scores[set as usize]));
                        counts[value.winner().map_or(2, Side::index)] += u64::from(index.sets_of(slot));
                    }
                }
                found.push(MovementCount { dogs, side, counts });
            }
        }
        Ok(found)
    }

    /// Recomputes `count` random stored entries and as many Leopards' turns, from their successors as the
    /// table gives them.
    ///
    /// # Errors
    /// As [`verify_all`](Self::verify_all).
    pub fn verify_sample(&self, count: u64, seed: u64, stop: &AtomicBool) -> Result<u64, VerifyError> {
        let header = self.table.header();
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        for _ in 0..count {
            if stop.load(Ordering::Relaxed) {
                return Err(VerifyError::Stopped);
            }
            let slot = rng.random_range(0..header.index.slot_count());
            let hand = rng.random_range(0..=header.index.free());
            let range = header.range(hand);
            if range.is_empty() {
                continue;
            }
            let set = self.order[rng.random_range(range)];
            for side in Side::BOTH {
                let Some(position) = self.position(slot, set, side, hand) else { continue };
                let probe = |position: &Position| {
                    let value = self.table.probe(&self.rules, position)?;
                    Ok(value.unwrap_or(Value::Draw)) // the rules are the table's own
                };
                let expected = self.expected(&position, probe)?;
                self.compare(&position, probe(&position)?, expected)?;
            }
        }
        Ok(count)
    }

    fn compare(&self, position: &Position, stored: Value, expected: Value) -> Result<(), VerifyError> {
        if stored == expected {
            return Ok(());
        }
        let position = self.rules.board().position_text(position);
        Err(VerifyError::Wrong { path: self.table.path().to_owned(), position, stored, expected })
    }

    /// What the rules make of a position whose successors have these values.
    fn expected(
        &self,
        position: &Position,
        value: impl Fn(&Position) -> Result<Value, VerifyError>,
    ) -> Result<Value, VerifyError> {
        if let Some(reason) = position.outcome(&self.rules) {
            return Ok(reason.winner().map_or(Value::Draw, |winner| Value::Win { winner, plies: 0 }));
        }
        let side = position.side_to_move();
        let mut best: Option<Value> = None;
        for mv in position.legal_moves(&self.rules) {
            let value = value(&position.after(&self.rules, mv))?;
            if best.is_none_or(|best| is_better(side, value, best)) {
                best = Some(value);
            }
        }
        Ok(match best {
            Some(Value::Win { winner, plies }) => Value::Win { winner, plies: plies + 1 },
            Some(Value::Draw) | None => Value::Draw,
        })
    }

    /// The position of a slot with this dog set; `None` where there are more dogs than the board takes.
    fn position(&self, slot: usize, set: u32, side: Side, hand: usize) -> Option<Position> {
        let index = &self.table.header().index;
        let leopards = index.leopards_of(slot);
        let dogs = index.points_of_places(Index::dogs_at(leopards, set as usize));
        let setup = Setup {
            dogs,
            leopards: index.points_of_places(leopards),
            side,
            dogs_in_hand: hand as u8,
            leopards_in_hand: 0,
            captured: self.rules.dogs().checked_sub((dogs.len() + hand as u32) as u8)?,
            quiet: 0,
        };
        self.rules.check(&setup).ok()
    }

    fn index(&self) -> &'a Index {
        &self.table.header().index
    }

    /// Dog sets of a slot.
    fn vector_len(&self) -> usize {
        1 << self.index().free()
    }

    /// Where in the order of positions those with so many dogs are.
    fn with_dogs(&self, dogs: Range<usize>) -> Range<usize> {
        let free = self.index().free();
        let below = |dogs: usize| (0..dogs).map(|k| binomial(free, k) as usize).sum();
        if dogs.is_empty() { 0..0 } else { below(dogs.start)..below(dogs.end) }
    }

    fn layer(&self) -> Result<Vec<u8>, VerifyError> {
        let len = self.vector_len() * self.index().slot_count();
        bytemuck::allocation::try_zeroed_vec(len).map_err(|()| VerifyError::Memory(len))
    }

    /// Verifies the Dogs' turns of a hand, or makes them where they are not stored, and makes the Leopards'.
    fn verify_hand(
        &self,
        hand: usize,
        layers: &mut Layers,
        compared: &AtomicU64,
        progress: VerifyProgress,
        stop: &AtomicBool,
    ) -> Result<(), VerifyError> {
        let (index, header) = (self.index(), self.table.header());
        let (len, range) = (self.vector_len(), header.range(hand));
        let least = usize::from(self.table.least_dogs()).saturating_sub(hand);
        let counts = least..index.free() + 1 - hand;
        let stored = header.blocks(hand) > 0;
        let [dogs_scale, leopards_scale] = &self.scales;
        let failure = Failure::default();
        let moves = |slot| SlotMoves::new(self.rules.board(), index, slot);
        // From the file, where the others are made of the hand before.
        let Layers { dogs, leopards, before } = layers;
        let slots = dogs.chunks_exact_mut(len).enumerate();
        in_parallel(
            self.threads,
            slots,
            || vec![0; range.len()],
            |scores, (slot, dogs)| {
                if failure.is_set(stop) {
                    return;
                }
                if stored {
                    let read = self.table.unpack(hand, slot, scores);
                    failure.note(read.map_err(VerifyError::from));
                    spread(scores, &self.order[range.clone()], dogs);
                } else {
                    spread(&[], &[], dogs);
                    let before = &before[slot * len..(slot + 1) * len];
                    moves(slot).drops(&counts, before, leopards_scale, |number, worth| {
                        let score = dogs_scale.score(worth);
                        let no_room = || self.no_room(slot, number, Side::Dogs, hand, worth);
                        dogs[number] = score.unwrap_or_else(|| failure.note_error(no_room()));
                    });
                }
            },
        );
        // Dogs step to Leopards' turns of the same slot and hand, and drop to those of one dog less.
        let dogs = &*dogs;
        let slots = leopards.chunks_exact_mut(len).enumerate();
        in_parallel(
            self.threads,
            slots,
            || (),
            |(), (slot, leopards)| {
                if failure.is_set(stop) {
                    return;
                }
                let moves = moves(slot);
                moves.leopards_turns(&counts, dogs, dogs_scale, |number, worth| {
                    let score = leopards_scale.score(worth);
                    let no_room = || self.no_room(slot, number, Side::Leopards, hand, worth);
                    leopards[number] = score.unwrap_or_else(|| failure.note_error(no_room()));
                });
                if !stored {
                    return;
                }
                let part = slot * len..(slot + 1) * len;
                let dogs = &dogs[part.clone()];
                let compare = |number: usize, worth| {
                    if dogs_scale.worth(dogs[number]) != worth {
                        failure.note(self.wrong(slot, number, hand, dogs[number], worth));
                    }
                };
                if hand == 0 {
                    moves.steps(&counts, leopards, leopards_scale, compare);
                } else {
                    moves.drops(&counts, &before[part], leopards_scale, compare);
                }
                let new = range.len() as u64;
                progress(hand, compared.fetch_add(new, Ordering::Relaxed) + new);
            },
        );
        failure.result(stop)
    }

    /// What a wrong entry of the Dogs' turns comes to.
    fn wrong(
        &self,
        slot: usize,
        set: usize,
        hand: usize,
        score: u8,
        worth: layer::Worth,
    ) -> Result<(), VerifyError> {
        let Some(position) = self.position(slot, set as u32, Side::Dogs, hand) else { return Ok(()) };
        let [scale, _] = &self.scales;
        self.compare(&position, layer::value(scale.worth(score)), layer::value(worth))
    }

    fn no_room(&self, slot: usize, set: usize, side: Side, hand: usize, worth: layer::Worth) -> VerifyError {
        let position = self.position(slot, set as u32, side, hand);
        VerifyError::Distance {
            path: self.table.path().to_owned(),
            position: position.map_or_else(String::new, |p| self.rules.board().position_text(&p)),
            expected: layer::value(worth),
        }
    }
}

/// Whether the side to move likes `a` better than `b`.
fn is_better(side: Side, a: Value, b: Value) -> bool {
    let rank = |value: Value| match value {
        Value::Win { winner, plies } if winner == side => (2, -i32::from(plies)),
        Value::Draw => (1, 0),
        Value::Win { plies, .. } => (0, i32::from(plies)),
    };
    rank(a) > rank(b)
}

/// The first failure of several threads.
#[derive(Default)]
struct Failure {
    failed: AtomicBool,
    error: Mutex<Option<VerifyError>>,
}

impl Failure {
    fn is_set(&self, stop: &AtomicBool) -> bool {
        self.failed.load(Ordering::Relaxed) || stop.load(Ordering::Relaxed)
    }

    fn note(&self, result: Result<(), VerifyError>) {
        if let Err(error) = result {
            self.failed.store(true, Ordering::Relaxed);
            self.error.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        }
    }

    /// Notes an error, and gives what may stand in place of a score.
    fn note_error(&self, error: VerifyError) -> u8 {
        self.note(Err(error));
        0
    }

    fn result(self, stop: &AtomicBool) -> Result<(), VerifyError> {
        match self.error.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(error) => Err(error),
            None if stop.load(Ordering::Relaxed) => Err(VerifyError::Stopped),
            None => Ok(()),
        }
    }
}

/// Entries that a full verification of this table compares.
pub fn entries(table: &Table) -> u64 {
    let header = table.header();
    let stored = (0..=header.index.free()).filter(|&hand| header.blocks(hand) > 0);
    stored.map(|hand| (header.range(hand).len() * header.index.slot_count()) as u64).sum()
}

const _: () = assert!(BLOCK <= u16::MAX as usize, "the length of a block fits two bytes");
