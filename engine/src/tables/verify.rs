//! Proves a table: every entry again from its successors.
//!
//! Nothing here is shared with the solver but the order of positions in the file: positions are made and moved
//! by the rules of the game, one by one, and values compared as values. A table whose every entry follows from
//! its successors is right: distances fall by one ply at each winning move, so that wins come to an end, and a
//! draw has a drawing move and no winning one.

use super::format::BLOCK;
use super::parallel::in_parallel;
use super::score;
use super::table::{Table, TableError};
use super::writer::dog_sets_by_count;
use crate::game::{Captures, PointSet, Position, Rules, RulesConfig, RulesError, Setup, Side, Start, Value};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt as _, SeedableRng as _};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// What is wrong with a table that was verified.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // each message says it
pub enum VerifyError {
    #[error(transparent)]
    Table(#[from] TableError),
    #[error("{position}: the table says {stored}, its successors {expected}")]
    Wrong { position: String, stored: Value, expected: Value },
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
    /// The rank in that order of each dog set.
    ranks: Vec<u32>,
    /// For each byte of a set of points its places.
    places: Vec<[u32; 256]>,
    threads: usize,
}

/// The scores of one side's turns with some hand, slot after slot.
struct Layer {
    hand: usize,
    first: usize,
    per_slot: usize,
    scores: Vec<u8>,
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
        let order = dog_sets_by_count(index.free());
        let mut ranks = vec![0; order.len()];
        for (rank, &set) in (0..).zip(&order) {
            ranks[set as usize] = rank;
        }
        let places = (0..4u32)
            .map(|byte| {
                let places = |bits: usize| {
                    let points = PointSet::from_bits((bits as u32) << (8 * byte)) & header.board.points();
                    index.places_of_points(points)
                };
                std::array::from_fn(places)
            })
            .collect();
        let rules = Rules::new(Arc::clone(&header.board), config)?;
        Ok(Self { table, rules, order, ranks, places, threads: threads.max(1) })
    }

    /// Recomputes every stored entry, and the Leopards' turns between. `progress` is told each hand and how
    /// many entries were compared up to and with it. Gives their number.
    ///
    /// # Errors
    /// The first wrong entry found, or a damaged block, or `stop` was set.
    pub fn verify_all(&self, progress: &dyn Fn(usize, u64), stop: &AtomicBool) -> Result<u64, VerifyError> {
        let mut compared = 0;
        let mut before: Option<Layer> = None;
        for hand in 0..=self.table.header().index.free() {
            let stored = self.table.header().blocks(hand) > 0;
            let dogs = if stored {
                self.stored(hand, stop)?
            } else {
                let before = before.as_ref().map(|layer| (Side::Leopards, layer));
                self.compute(Side::Dogs, hand, before, None, stop)?
            };
            let leopards = self.compute(Side::Leopards, hand, Some((Side::Dogs, &dogs)), None, stop)?;
            if stored {
                // Dogs step to Leopards' turns of the same hand, and drop to those of one dog less.
                let successors = if hand == 0 { Some(&leopards) } else { before.as_ref() };
                let successors = successors.map(|layer| (Side::Leopards, layer));
                self.compute(Side::Dogs, hand, successors, Some(&dogs), stop)?;
                compared += dogs.scores.len() as u64;
            }
            progress(hand, compared);
            before = Some(leopards);
        }
        Ok(compared)
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
        Err(VerifyError::Wrong { position, stored, expected })
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
        let dogs = index.points_of_places(super::index::Index::dogs_at(leopards, set as usize));
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

    fn layer(&self, hand: usize) -> Layer {
        let range = self.table.header().range(hand);
        let slots = self.table.header().index.slot_count();
        Layer { hand, first: range.start, per_slot: range.len(), scores: vec![0; slots * range.len()] }
    }

    /// The Dogs' turns of a stored hand.
    fn stored(&self, hand: usize, stop: &AtomicBool) -> Result<Layer, VerifyError> {
        let mut layer = self.layer(hand);
        let failure = Failure::default();
        let slots = layer.scores.chunks_exact_mut(layer.per_slot.max(1)).enumerate();
        in_parallel(
            self.threads,
            slots,
            || (),
            |(), (slot, scores)| {
                if !failure.is_set(stop) {
                    failure.note(self.table.unpack(hand, slot, scores).map_err(VerifyError::from));
                }
            },
        );
        failure.result(stop).map(|()| layer)
    }

    /// The scores of a layer from those of the layer its moves lead to; with `known` they are compared with
    /// these instead of kept.
    fn compute(
        &self,
        side: Side,
        hand: usize,
        successors: Option<(Side, &Layer)>,
        known: Option<&Layer>,
        stop: &AtomicBool,
    ) -> Result<Layer, VerifyError> {
        let mut layer = self.layer(hand);
        let failure = Failure::default();
        let (first, per_slot) = (layer.first, layer.per_slot);
        let slots = layer.scores.chunks_exact_mut(per_slot.max(1)).enumerate();
        in_parallel(
            self.threads,
            slots,
            || (),
            |(), (slot, scores)| {
                if failure.is_set(stop) {
                    return;
                }
                let one = |i: usize| {
                    let set = self.order[first + i];
                    let Some(position) = self.position(slot, set, side, hand) else { return Ok(0) };
                    let expected = self.expected(&position, |next| Ok(self.look_up(successors, next)))?;
                    if let Some(known) = known {
                        let stored = score::value(known.scores[slot * per_slot + i], side);
                        self.compare(&position, stored, expected)?;
                    }
                    Ok(score::from_value(expected, side))
                };
                for (i, score) in scores.iter_mut().enumerate() {
                    match one(i) {
                        Ok(found) => *score = found,
                        Err(error) => return failure.note(Err(error)),
                    }
                }
            },
        );
        failure.result(stop).map(|()| layer)
    }

    /// The value of a successor.
    fn look_up(&self, layer: Option<(Side, &Layer)>, position: &Position) -> Value {
        if let Some(reason) = position.is_won_by_captures(&self.rules).then_some(Side::Leopards) {
            return Value::Win { winner: reason, plies: 0 };
        }
        let Some((side, layer)) = layer else { return Value::Draw };
        debug_assert_eq!(side, position.side_to_move());
        debug_assert_eq!(layer.hand, usize::from(position.dogs_in_hand()));
        let places = |set: PointSet| {
            let bytes = set.bits().to_le_bytes();
            (0..4).fold(0, |places, i| places | self.places[i][usize::from(bytes[i])])
        };
        let at = self.table.header().index.locate(places(position.leopards()), places(position.dogs()));
        let rank = self.ranks[at.dogs] as usize - layer.first;
        score::value(layer.scores[at.slot * layer.per_slot + rank], side)
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
