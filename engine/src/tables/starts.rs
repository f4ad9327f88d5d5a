//! Values of positions at the start of a game: no dog on the board, or leopards still to enter.
//!
//! They need few of the positions of a solution, so that a solution in memory keeps those alone.

use super::index::{Index, binomial, places_of, squeeze, subsets};
use super::make::SolveOptions;
use super::movement::Problem;
use super::parallel::in_parallel;
use super::score::{self, LEOPARDS_NOW, TRAPPED};
use super::solve::{Observer, Progress, SolveError, Watch};
use super::table::{Table, TableError, least_dogs};
use crate::game::{MAX_POINTS, Rules, Side, Start, Value};
use std::io;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

/// Exact values of starts, from a table or from a solution that keeps nothing else.
#[derive(Debug)]
pub struct Starts {
    turns: DogsTurns,
    ranks: Ranks,
    threads: usize,
}

#[derive(Debug)]
enum DogsTurns {
    Table(Arc<Table>),
    Kept { index: Box<Index>, least_dogs: u8, kept: Vec<Kept> },
}

/// The Dogs' turns with some dogs on the board and in hand.
#[derive(Debug)]
struct Kept {
    hand: usize,
    on_board: usize,
    /// The dog sets, as index numbers from small to large.
    sets: Vec<u32>,
    /// Slot after slot, in the order of the sets.
    scores: Vec<u8>,
}

impl Starts {
    /// Starts of the rules that a table serves.
    pub fn from_table(table: Arc<Table>) -> Self {
        let threads = std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get);
        Self { turns: DogsTurns::Table(table), ranks: Ranks::new(), threads }
    }

    /// Solves in memory, and keeps what the starts of these games need: they must share a table and differ
    /// in the number of dogs, the first side and the places of the leopards only.
    ///
    /// # Errors
    /// As [`solve`](super::solve()).
    pub fn solve(
        games: &[Rules],
        options: &SolveOptions,
        progress: &(dyn Fn(&Progress) + Sync),
        stop: &AtomicBool,
    ) -> Result<Self, SolveError> {
        let Some(rules) = games.first() else {
            return Err(SolveError::Io(io::ErrorKind::InvalidInput.into()));
        };
        let mut wanted: Vec<(usize, usize)> = Vec::new();
        for game in games {
            let dogs = usize::from(game.dogs());
            let entered = match game.config().start {
                Start::Placed(_) => 0,
                Start::Entered => last_entry(game).on_board,
            };
            wanted.extend([0, entered].map(|on_board| (dogs - on_board, on_board)));
        }
        wanted.sort_unstable();
        wanted.dedup();
        let scores = |index: &Index, on_board| binomial(index.free(), on_board) as usize * index.slot_count();
        let index = Index::new(rules.board(), rules.leopards().into());
        let beside: usize = wanted.iter().map(|&(_, on_board)| scores(&index, on_board)).sum();
        super::make::check_memory(rules, options, beside as u64)?;
        let problem =
            Problem::new(rules.board(), rules.leopards().into(), least_dogs(rules), options.threads.max(1));
        let index = Box::new(problem.index.clone());
        let mut kept: Vec<Kept> = Vec::new();
        for (hand, on_board) in wanted {
            let sets = subsets(index.free(), on_board).collect();
            kept.push(Kept { hand, on_board, sets, scores: super::solve::zeroed(scores(&index, on_board))? });
        }
        let keeper = Keeper { kept: Mutex::new(kept) };
        problem.solve(&keeper, &Watch { progress, stop })?;
        let kept = keeper.kept.into_inner().unwrap_or_else(PoisonError::into_inner);
        let turns = DogsTurns::Kept { index, least_dogs: problem.least_dogs, kept };
        Ok(Self { turns, ranks: Ranks::new(), threads: problem.threads })
    }

    fn index(&self) -> &Index {
        match &self.turns {
            DogsTurns::Table(table) => &table.header().index,
            DogsTurns::Kept { index, .. } => index,
        }
    }

    /// The score of a Dogs' turn that was kept; sets have a bit a place.
    fn dogs_turn(&self, hand: usize, leopards: u32, dogs: u32) -> Result<u8, TableError> {
        let (index, least_dogs, kept) = match &self.turns {
            DogsTurns::Table(table) => return table.dogs_turn(hand, leopards, dogs),
            DogsTurns::Kept { index, least_dogs, kept } => (index, *least_dogs, kept),
        };
        let on_board = dogs.count_ones() as usize;
        if on_board + hand < usize::from(least_dogs) {
            return Ok(LEOPARDS_NOW);
        }
        let at = index.locate(leopards, dogs);
        let found =
            kept.iter().find(|kept| (kept.hand, kept.on_board) == (hand, on_board)).and_then(|kept| {
                let number = kept.sets.binary_search(&(at.dogs as u32)).ok()?;
                kept.scores.get(at.slot * kept.sets.len() + number).copied()
            });
        found
            .ok_or_else(|| TableError { path: "in memory".into(), fault: "a start that was not kept".into() })
    }

    /// The exact value of the start of a game.
    ///
    /// # Errors
    /// The table cannot be read, or the game is none of those solved.
    pub fn value(&self, rules: &Rules) -> Result<Value, TableError> {
        if rules.captures_to_win() == 0 {
            return Ok(Value::Win { winner: Side::Leopards, plies: 0 });
        }
        match rules.config().start {
            Start::Placed(points) => self.placed(rules, self.index().places_of_points(points)),
            Start::Entered => self.entered(rules),
        }
    }

    /// How many placements of all leopards are won for the Dogs, for the Leopards, and drawn, with every dog
    /// in hand and the side to move that moves first.
    ///
    /// # Errors
    /// As [`value`](Self::value).
    pub fn placements(&self, rules: &Rules) -> Result<[u64; 3], TableError> {
        let mut counts = [0; 3];
        for leopards in subsets(rules.board().point_count(), rules.leopards().into()) {
            let value = if rules.captures_to_win() == 0 {
                Value::Win { winner: Side::Leopards, plies: 0 }
            } else {
                self.placed(rules, leopards)?
            };
            counts[value.winner().map_or(2, Side::index)] += 1;
        }
        Ok(counts)
    }

    /// The value with these leopards on the board and all dogs in hand.
    fn placed(&self, rules: &Rules, leopards: u32) -> Result<Value, TableError> {
        let hand = rules.dogs().into();
        let first = rules.config().first;
        let score = match first {
            Side::Dogs => self.dogs_turn(hand, leopards, 0)?,
            Side::Leopards => {
                let mut least = TRAPPED;
                for (leopards, dogs) in self.index().after_leopards(leopards, 0) {
                    least = least.min(self.dogs_turn(hand, leopards, dogs)?);
                }
                least
            }
        };
        Ok(score::value(score, first))
    }

    /// The value with every leopard in hand: backwards from the Dogs' turns after the last entry, ply by ply.
    fn entered(&self, rules: &Rules) -> Result<Value, TableError> {
        let index = self.index();
        let points = index.points();
        let mut ply = last_entry(rules);
        let mut layer = EntryLayer::new(&self.ranks, points, ply);
        let fault = Mutex::new(None);
        layer.fill(self.threads, |leopards, dogs| {
            self.dogs_turn(ply.hand, leopards, dogs).unwrap_or_else(|error| {
                fault.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                0
            })
        });
        if let Some(error) = fault.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(error);
        }
        let all = ((1u64 << points) - 1) as u32;
        while let Some(before) = ply.before(rules) {
            let mut earlier = EntryLayer::new(&self.ranks, points, before);
            earlier.fill(self.threads, |leopards, dogs| {
                let vacant = all & !(leopards | dogs);
                if before.side == Side::Leopards {
                    let entries = places_of(vacant).map(|to| layer.score(leopards | 1 << to, dogs));
                    entries.min().unwrap_or(TRAPPED)
                } else {
                    let best = if before.hand > 0 {
                        places_of(vacant).map(|to| layer.score(leopards, dogs | 1 << to)).max()
                    } else {
                        index.after_dogs(leopards, dogs).map(|dogs| layer.score(leopards, dogs)).max()
                    };
                    // Entries add a few plies: far from what a byte holds, as the solution itself would have
                    // failed before.
                    best.map_or(LEOPARDS_NOW, |best| score::before_dogs_move(best).unwrap_or(best))
                }
            });
            (layer, ply) = (earlier, before);
        }
        Ok(score::value(layer.score(0, 0), rules.config().first))
    }
}

/// What is where at a ply of the entry phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct EntryPly {
    /// Plies before.
    number: usize,
    leopards: usize,
    on_board: usize,
    hand: usize,
    side: Side,
}

impl EntryPly {
    fn new(rules: &Rules, number: usize) -> Self {
        let first = rules.config().first;
        let (of_first, of_second) = (number.div_ceil(2), number / 2);
        let (leopards, drops) =
            if first == Side::Leopards { (of_first, of_second) } else { (of_second, of_first) };
        let on_board = drops.min(rules.dogs().into());
        let hand = usize::from(rules.dogs()) - on_board;
        let side = if number.is_multiple_of(2) { first } else { !first };
        Self { number, leopards, on_board, hand, side }
    }

    fn before(self, rules: &Rules) -> Option<Self> {
        self.number.checked_sub(1).map(|number| Self::new(rules, number))
    }
}

/// The Dogs' turn after the last leopard has entered.
fn last_entry(rules: &Rules) -> EntryPly {
    let leopards = usize::from(rules.leopards());
    let plies = if rules.config().first == Side::Leopards { 2 * leopards - 1 } else { 2 * leopards };
    EntryPly::new(rules, plies)
}

/// Ranks of sets among those with as many members.
#[derive(Debug)]
struct Ranks {
    /// By number of members below, and member.
    binomials: Vec<[u32; MAX_POINTS]>,
}

impl Ranks {
    fn new() -> Self {
        let row = |k| std::array::from_fn(|n| binomial(n, k + 1));
        Self { binomials: (0..MAX_POINTS).map(row).collect() }
    }

    fn rank(&self, set: u32) -> usize {
        places_of(set).zip(&self.binomials).map(|(place, row)| row[place] as usize).sum()
    }
}

/// The scores of a ply of the entry phase, by leopards and dogs.
struct EntryLayer<'a> {
    ranks: &'a Ranks,
    leopards: Vec<u32>,
    dog_sets: Vec<u32>,
    scores: Vec<u8>,
}

impl<'a> EntryLayer<'a> {
    fn new(ranks: &'a Ranks, points: usize, ply: EntryPly) -> Self {
        let leopards: Vec<u32> = subsets(points, ply.leopards).collect();
        let dog_sets: Vec<u32> = subsets(points - ply.leopards, ply.on_board).collect();
        let scores = vec![0; leopards.len() * dog_sets.len()];
        Self { ranks, leopards, dog_sets, scores }
    }

    fn fill(&mut self, threads: usize, score: impl Fn(u32, u32) -> u8 + Sync) {
        let dog_sets = &self.dog_sets;
        let items = self.leopards.iter().zip(self.scores.chunks_mut(dog_sets.len()));
        in_parallel(
            threads,
            items,
            || (),
            |(), (&leopards, scores)| {
                for (&number, entry) in dog_sets.iter().zip(scores) {
                    *entry = score(leopards, Index::dogs_at(leopards, number as usize));
                }
            },
        );
    }

    fn score(&self, leopards: u32, dogs: u32) -> u8 {
        let dogs = self.ranks.rank(squeeze(dogs, leopards));
        self.scores[self.ranks.rank(leopards) * self.dog_sets.len() + dogs]
    }
}

/// Keeps the scores that were asked for.
struct Keeper {
    kept: Mutex<Vec<Kept>>,
}

impl Observer for Keeper {
    fn vectors(&self, hand: u8, slot: usize, dogs: &[u8], _: &[u8]) -> io::Result<()> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        for kept in kept.iter_mut().filter(|kept| kept.hand == usize::from(hand)) {
            let scores = &mut kept.scores[slot * kept.sets.len()..(slot + 1) * kept.sets.len()];
            for (entry, &set) in scores.iter_mut().zip(&kept.sets) {
                *entry = dogs[set as usize];
            }
        }
        Ok(())
    }

    fn layer_done(&self, _: u8) -> io::Result<()> {
        Ok(())
    }
}
