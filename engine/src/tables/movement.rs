//! The movement phase: every dog on the board.
//!
//! The won positions of a side are a least fixpoint. A round takes the Dogs' turns known to be won and gives,
//! first, the Leopards' turns won by them (some move leads there, or every move does), then the Dogs' turns
//! won by these: two plies. The number of the round is half the distance.

use super::bytes::lanes_with_fewer;
use super::index::{Index, Location, UNIT, UNIT_BITS};
use super::parallel::in_parallel;
use super::plan::Plans;
use super::score::{DOGS_NEXT, DRAW, LEOPARDS_NOW, MAX_ROUNDS};
use super::simd::Wide;
use super::solve::{SolveError, Stage, Watch};
use super::tail::{FEW, Turns, positions};
use crate::game::Side;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// What the solver works on.
pub(super) struct Problem {
    pub(super) index: Index,
    pub(super) plans: Plans,
    /// For each slot the pairs of index bits between which a dog steps.
    pub(super) dog_steps: Vec<Vec<(usize, usize)>>,
    /// The fewest dogs with which the game goes on.
    pub(super) least_dogs: u8,
    pub(super) threads: usize,
    pub(super) wide: Wide,
}

/// The positions of one vector that are any, a bit a position; all vectors are alike in this.
struct Masks {
    /// Enough dogs are left.
    playing: Vec<u64>,
    /// Too few dogs are left: the Leopards have won.
    over: Vec<u64>,
}

impl Masks {
    fn new(problem: &Problem) -> Self {
        let (bits, free) = (problem.index.bits(), problem.index.free());
        let fewer: [u64; 8] = std::array::from_fn(|n| lanes_with_fewer(n as u32));
        let any = |word: usize| {
            if word << UNIT_BITS >> free != 0 {
                0
            } else if free < UNIT_BITS {
                (1 << (1 << free)) - 1
            } else {
                !0
            }
        };
        let few = |word: usize| {
            let left = u32::from(problem.least_dogs).saturating_sub(word.count_ones());
            fewer[left.min(7) as usize]
        };
        let words = 0..1usize << (bits - UNIT_BITS);
        Self {
            playing: words.clone().map(|word| any(word) & !few(word)).collect(),
            over: words.map(|word| any(word) & few(word)).collect(),
        }
    }
}

/// The state of one side's fixpoint: a bit a position, slot after slot.
pub(super) struct Won {
    /// Dogs' turns won so far.
    pub(super) dogs_move: Vec<u64>,
    /// Leopards' turns won so far.
    pub(super) leopards_move: Vec<u64>,
    /// Dogs' turns found won in this round.
    new: Vec<u64>,
    /// Slots with new positions.
    has_new: Vec<AtomicBool>,
}

/// Memory of a thread: two vectors.
struct Scratch {
    leopards: Vec<u64>,
    dogs: Vec<u64>,
}

impl Problem {
    fn words(&self) -> usize {
        self.index.vector_len() / UNIT
    }

    /// Scores of all positions with the Dogs to move and no dog in hand, slot after slot.
    pub(super) fn solve_movement(&self, scores: &mut [u8], watch: &Watch) -> Result<(), SolveError> {
        scores.fill(DRAW);
        let mut won = self.nothing_won()?;
        self.win(Side::Dogs, &mut won, scores, watch)?;
        self.win(Side::Leopards, &mut won, scores, watch)
    }

    pub(super) fn nothing_won(&self) -> Result<Won, SolveError> {
        let words = self.words() * self.index.slot_count();
        let zeros = || -> Result<Vec<u64>, SolveError> { super::solve::zeroed(words) };
        Ok(Won {
            dogs_move: zeros()?,
            leopards_move: zeros()?,
            new: zeros()?,
            has_new: (0..self.index.slot_count()).map(|_| AtomicBool::new(false)).collect(),
        })
    }

    /// Finds all a side wins, whatever `won` was of before, and marks the Dogs' turns among it in `scores`.
    pub(super) fn win(
        &self,
        winner: Side,
        won: &mut Won,
        scores: &mut [u8],
        watch: &Watch,
    ) -> Result<(), SolveError> {
        let masks = Masks::new(self);
        won.dogs_move.fill(0);
        won.leopards_move.fill(0);
        if winner == Side::Leopards {
            self.start_of_leopards(&masks, won, scores);
        }
        self.fixpoint(winner, &masks, won, scores, watch)
    }

    /// The Dogs' turns lost at once: too few dogs, or none of them can step.
    fn start_of_leopards(&self, masks: &Masks, won: &mut Won, scores: &mut [u8]) {
        let words = self.words();
        let items = (0..)
            .zip(won.dogs_move.chunks_exact_mut(words))
            .zip(scores.chunks_exact_mut(self.index.vector_len()));
        in_parallel(
            self.threads,
            items,
            || vec![!0; words],
            |all, ((slot, lost), scores)| {
                self.wide.add_dog_steps(lost, all, &self.dog_steps[slot as usize]);
                for ((lost, playing), over) in lost.iter_mut().zip(&masks.playing).zip(&masks.over) {
                    *lost = (playing & !*lost) | over;
                }
                self.wide.mark(scores, lost, LEOPARDS_NOW);
            },
        );
    }

    fn fixpoint(
        &self,
        winner: Side,
        masks: &Masks,
        won: &mut Won,
        scores: &mut [u8],
        watch: &Watch,
    ) -> Result<(), SolveError> {
        won.has_new.iter_mut().for_each(|flag| *flag.get_mut() = true);
        let enough_words = won.new.len() / FEW;
        // The positions of the last round one by one, once they are few.
        let mut few: Option<Vec<Location>> = None;
        for round in 0.. {
            let score = match winner {
                Side::Dogs => DOGS_NEXT.checked_sub(round).filter(|&score| score > DRAW),
                Side::Leopards => Some(round + 1).filter(|&score| score <= MAX_ROUNDS),
            };
            let found = match &few {
                Some(fresh) => {
                    let index = &self.index;
                    let dogs_turns = Turns { bits: &mut won.dogs_move, index };
                    let mut leopards_turns = Turns { bits: &mut won.leopards_move, index };
                    let found = self.sparse_round(winner, &dogs_turns, &mut leopards_turns, fresh);
                    few.insert(found).len()
                }
                None => self.dense_round(winner, masks, won, scores, score.unwrap_or(DRAW)),
            };
            let stage = Stage::Movement { winner, round: round.into(), dense: few.is_none() };
            watch.step(stage, found as u64)?;
            if found == 0 {
                break;
            }
            let score = score.ok_or(SolveError::Distance)?;
            if let Some(fresh) = &few {
                let mut dogs_turns = Turns { bits: &mut won.dogs_move, index: &self.index };
                for &at in fresh {
                    dogs_turns.insert(at);
                    scores[at.slot << self.index.bits() | at.dogs] = score;
                }
                if found > 2 * enough_words {
                    Self::back_to_words(won, &few.take().unwrap_or_default());
                }
            } else {
                self.merge(won);
                if found <= enough_words {
                    few = Some(self.fresh_positions(won));
                }
            }
        }
        Ok(())
    }

    /// The positions the last round by words has found.
    fn fresh_positions(&self, won: &Won) -> Vec<Location> {
        let mut fresh = Vec::new();
        let slots = won.new.chunks_exact(self.words()).zip(&won.has_new).enumerate();
        for (slot, (new, _)) in slots.filter(|(_, (_, has_new))| has_new.load(Ordering::Relaxed)) {
            positions(new, slot, &mut fresh);
        }
        fresh
    }

    /// Prepares for a round by words after one that went from position to position.
    fn back_to_words(won: &mut Won, fresh: &[Location]) {
        won.has_new.iter_mut().for_each(|flag| *flag.get_mut() = false);
        for at in fresh {
            won.has_new[at.slot].store(true, Ordering::Relaxed);
        }
    }

    /// Finds the Dogs' turns won in one round more, by all words of the slots that may have any. Gives their
    /// number.
    fn dense_round(&self, winner: Side, masks: &Masks, won: &mut Won, scores: &mut [u8], score: u8) -> usize {
        let words = self.words();
        let Won { dogs_move, leopards_move, new, has_new } = won;
        let stirred: Vec<bool> = (0..self.index.slot_count())
            .map(|slot| {
                let source_is_new =
                    |mv: &super::plan::LeopardMove| has_new[mv.source as usize].load(Ordering::Relaxed);
                self.plans.moves(slot).iter().any(source_is_new) || score == DOGS_NEXT || score == 1
            })
            .collect();
        let (found, dogs_move, stirred) = (AtomicUsize::new(0), &*dogs_move, &stirred);
        let items = leopards_move
            .chunks_exact_mut(words)
            .zip(new.chunks_exact_mut(words))
            .zip(scores.chunks_exact_mut(self.index.vector_len()))
            .enumerate()
            .filter(|(slot, _)| stirred[*slot]);
        let scratch = || Scratch { leopards: vec![0; words], dogs: vec![0; words] };
        let fresh: Vec<AtomicBool> = stirred.iter().map(|_| AtomicBool::new(false)).collect();
        in_parallel(self.threads, items, scratch, |scratch, (slot, ((leopards_move, new), scores))| {
            let invert = if winner == Side::Dogs { !0 } else { 0 };
            let reached = &mut scratch.leopards;
            reached.fill(0);
            for mv in self.plans.moves(slot) {
                let source = mv.source as usize * words;
                let map = &self.plans.maps[mv.map as usize];
                self.wide.add_leopard_moves(reached, &dogs_move[source..source + words], map, invert);
            }
            let won = match winner {
                Side::Dogs => |reached: u64, playing: u64, _: u64| !reached & playing,
                Side::Leopards => |reached: u64, playing: u64, over: u64| reached & playing | over,
            };
            let sets = reached.iter_mut().zip(&masks.playing).zip(&masks.over);
            for (to, ((reached, &playing), &over)) in leopards_move.iter_mut().zip(sets) {
                *to = won(*reached, playing, over);
                *reached = *to ^ !invert;
            }
            // Now `reached` are the Leopards' turns the Dogs want, or want to find any of.
            let steps = &mut scratch.dogs;
            steps.fill(0);
            self.wide.add_dog_steps(steps, reached, &self.dog_steps[slot]);
            let before = &dogs_move[slot * words..(slot + 1) * words];
            let mut count = 0;
            for (((new, &step), &playing), &before) in
                new.iter_mut().zip(&*steps).zip(&masks.playing).zip(before)
            {
                *new = (step ^ !invert) & playing & !before;
                count += new.count_ones() as usize;
            }
            if count > 0 {
                self.wide.mark(scores, new, score);
                fresh[slot].store(true, Ordering::Relaxed);
                found.fetch_add(count, Ordering::Relaxed);
            }
        });
        *has_new = fresh;
        found.into_inner()
    }

    /// Adds what the round found to the won positions.
    fn merge(&self, won: &mut Won) {
        let words = self.words();
        let new = won.new.chunks_exact(words).zip(&won.has_new);
        let items = won.dogs_move.chunks_exact_mut(words).zip(new);
        let items = items.filter(|(_, (_, has_new))| has_new.load(Ordering::Relaxed));
        in_parallel(
            self.threads,
            items,
            || (),
            |(), (won, (new, _))| {
                for (won, new) in won.iter_mut().zip(new) {
                    *won |= new;
                }
            },
        );
    }
}
