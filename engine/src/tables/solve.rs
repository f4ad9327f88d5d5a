//! The strong solution of a game, layer by layer.

use super::bytes::fill_fewer;
use super::index::{Index, UNIT, UNIT_BITS};
use super::movement::Problem;
use super::parallel::in_parallel;
use super::plan::Plans;
use super::simd::Wide;
use super::score::{LEOPARDS_NOW, TRAPPED};
use super::table::{Table, least_dogs};
use crate::game::{Board, Point, Rules, Side};
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// Why a game was not solved.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum SolveError {
    #[error("a win takes more than 250 plies, which does not fit a table")]
    Distance,
    #[error("out of memory: {0} bytes at once could not be had")]
    Memory(usize),
    #[error("stopped")]
    Stopped,
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// What the solver is at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Looking for positions of the movement phase won for this side in two plies more.
    Movement {
        /// Whose wins.
        winner: Side,
        /// Rounds of two plies before.
        round: u16,
    },
    /// Every position with this many dogs in hand.
    Drops {
        /// Dogs in hand.
        hand: u8,
    },
}

/// What the solver tells on its way.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// What it is at.
    pub stage: Stage,
    /// Positions with the Dogs to move that the last step decided.
    pub decided: u64,
}

/// How to solve.
#[derive(Clone, Copy, Debug)]
pub struct SolveOptions {
    /// Threads to use.
    pub threads: usize,
    /// Bytes of memory that may be used; none is no limit.
    pub memory: Option<u64>,
}

/// Solves the game of these rules, and all that share its table, in memory.
///
/// # Errors
/// It does not fit the memory or the distances, or `stop` was set.
pub fn solve(
    rules: &Rules,
    options: &SolveOptions,
    progress: &(dyn Fn(&Progress) + Sync),
    stop: &AtomicBool,
) -> Result<Table, SolveError> {
    struct Keep(Mutex<Vec<Vec<u8>>>, usize);
    impl Observer for Keep {
        fn vectors(&self, hand: u8, slot: usize, dogs: &[u8], _: &[u8]) -> io::Result<()> {
            let mut layers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            layers.resize(usize::from(hand) + 1, vec![0; self.1]);
            layers[usize::from(hand)][slot * dogs.len()..(slot + 1) * dogs.len()].copy_from_slice(dogs);
            Ok(())
        }
        fn layer_done(&self, _: u8) -> io::Result<()> {
            Ok(())
        }
    }
    let least_dogs = least_dogs(rules);
    let problem = Problem::new(rules.board(), rules.leopards().into(), least_dogs, options.threads.max(1));
    let keep = Keep(Mutex::default(), problem.index.slot_count() * problem.index.vector_len());
    problem.solve(&keep, &Watch { progress, stop })?;
    Ok(Table {
        board: rules.board().clone(),
        leopards: rules.leopards(),
        least_dogs,
        index: problem.index,
        scores: keep.0.into_inner().unwrap_or_else(PoisonError::into_inner),
    })
}

/// How the solver is watched and stopped.
pub(super) struct Watch<'a> {
    pub(super) progress: &'a (dyn Fn(&Progress) + Sync),
    pub(super) stop: &'a AtomicBool,
}

impl Watch<'_> {
    pub(super) fn step(&self, stage: Stage, decided: u64) -> Result<(), SolveError> {
        (self.progress)(&Progress { stage, decided });
        if self.stop.load(Ordering::Relaxed) { Err(SolveError::Stopped) } else { Ok(()) }
    }
}

/// Takes the scores of solved positions, vector by vector, in the order of hands but any order of slots, from
/// several threads.
pub(super) trait Observer: Sync {
    /// Scores of the Dogs' turns and of the Leopards' turns of one slot.
    fn vectors(&self, hand: u8, slot: usize, dogs: &[u8], leopards: &[u8]) -> io::Result<()>;
    /// All slots of this hand have been given.
    fn layer_done(&self, hand: u8) -> io::Result<()>;
}

/// A zeroed vector, or an error that says how much memory was wanting.
pub(super) fn zeroed<T: Clone + Default>(len: usize) -> Result<Vec<T>, SolveError> {
    let mut vector = Vec::new();
    vector.try_reserve_exact(len).map_err(|_| SolveError::Memory(len.saturating_mul(size_of::<T>())))?;
    vector.resize(len, T::default());
    Ok(vector)
}

impl Problem {
    /// The problem in the usual order of points.
    pub(super) fn new(board: &Board, leopards: usize, least_dogs: u8, threads: usize) -> Self {
        Self::with_order(board, leopards, least_dogs, threads, &super::index::usual_order(board))
    }

    /// The problem with an order of points of one's own.
    pub(super) fn with_order(
        board: &Board,
        leopards: usize,
        least_dogs: u8,
        threads: usize,
        order: &[Point],
    ) -> Self {
        let with_plans = |paired: bool| {
            let index = Index::with_order(board, leopards, order, paired);
            Plans::new(&index).map(|plans| (index, plans))
        };
        let Some((index, plans)) = with_plans(true).or_else(|| with_plans(false)) else {
            unreachable!("without mirror images a move exchanges at most one of the lowest six index bits")
        };
        let steps = |slot| index.dog_steps(index.leopards_of(slot));
        let dog_steps = (0..index.slot_count()).map(steps).collect();
        Self { index, plans, dog_steps, least_dogs, threads, wide: Wide::detect() }
    }

    /// Solves every hand from none to all dogs, and shows each to `observer`.
    pub(super) fn solve(&self, observer: &impl Observer, watch: &Watch) -> Result<(), SolveError> {
        let len = self.index.vector_len();
        let mut scores: Vec<u8> = zeroed(self.index.slot_count() * len)?;
        let mut next: Vec<u8> = zeroed(scores.len())?;
        self.solve_movement(&mut scores, watch)?;
        for hand in 0..=self.index.free() as u8 {
            self.solve_drop(hand, &scores, &mut next, observer)?;
            observer.layer_done(hand)?;
            watch.step(Stage::Drops { hand }, 0)?;
            std::mem::swap(&mut scores, &mut next);
        }
        Ok(())
    }

    /// From the Dogs' turns with `hand` dogs in hand those with one more, by way of the Leopards' turns.
    fn solve_drop(
        &self,
        hand: u8,
        scores: &[u8],
        next: &mut [u8],
        observer: &impl Observer,
    ) -> Result<(), SolveError> {
        let len = self.index.vector_len();
        let most = self.index.free() as u32 - u32::from(hand);
        let too_far = AtomicBool::new(false);
        let failure = Mutex::new(None);
        let items = next.chunks_exact_mut(len).enumerate();
        let scratch = || vec![0u8; len + UNIT];
        in_parallel(self.threads, items, scratch, |leopards, (slot, next)| {
            leopards[..len].fill(TRAPPED);
            for mv in self.plans.moves(slot) {
                let source = mv.source as usize * len;
                let map = &self.plans.maps[mv.map as usize];
                self.wide.lower_by_leopard_moves(&mut leopards[..len], &scores[source..source + len], map, most);
            }
            let least = u32::from(self.least_dogs);
            fill_fewer(&mut leopards[..len], least.saturating_sub(hand.into()), LEOPARDS_NOW);
            let dogs = &scores[slot * len..(slot + 1) * len];
            if let Err(error) = observer.vectors(hand, slot, dogs, &leopards[..len])
                && let Ok(mut failure) = failure.lock()
            {
                *failure = Some(error);
            }
            if most > 0 {
                if self.wide.drop_dogs(next, leopards, self.index.free(), most - 1) {
                    too_far.store(true, Ordering::Relaxed);
                }
                fill_fewer(next, least.saturating_sub(u32::from(hand) + 1), LEOPARDS_NOW);
            }
        });
        match failure.into_inner() {
            Ok(Some(error)) => Err(error.into()),
            _ if too_far.into_inner() => Err(SolveError::Distance),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::oracle::Oracle;
    use super::super::score;
    use super::*;
    use crate::game::{Value, VariantSpec};
    use std::collections::BTreeMap;

    fn watch(stop: &AtomicBool) -> Watch<'_> {
        Watch { progress: &|_| (), stop }
    }

    fn rules(board: &str, leopards: u8) -> Rules {
        let spec = VariantSpec {
            board: Some(board.into()),
            leopards: Some(leopards),
            dogs: Some(crate::game::board(board).unwrap().point_count() as u8 - leopards),
            ..VariantSpec::default()
        };
        spec.rules().unwrap()
    }

    /// Keeps everything.
    type Vectors = BTreeMap<(u8, usize), (Vec<u8>, Vec<u8>)>;
    #[derive(Default)]
    struct Keep(Mutex<Vectors>);

    impl Observer for Keep {
        fn vectors(&self, hand: u8, slot: usize, dogs: &[u8], leopards: &[u8]) -> io::Result<()> {
            self.0.lock().unwrap().insert((hand, slot), (dogs.to_vec(), leopards.to_vec()));
            Ok(())
        }
        fn layer_done(&self, _: u8) -> io::Result<()> {
            Ok(())
        }
    }

    fn agrees_with_oracle(rules: &Rules) {
        let stop = AtomicBool::new(false);
        let problem = Problem::new(rules.board(), rules.leopards().into(), rules.least_dogs(), 2);
        let keep = Keep::default();
        problem.solve(&keep, &watch(&stop)).unwrap();
        let keep = keep.0.into_inner().unwrap();
        let oracle = Oracle::new(rules);
        let mut seen = 0;
        for (position, value) in oracle.positions() {
            let index = &problem.index;
            let leopards = index.places_of_points(position.leopards());
            let at = index.locate(leopards, index.places_of_points(position.dogs()));
            let vectors = &keep[&(position.dogs_in_hand(), at.slot)];
            let side = position.side_to_move();
            let score = if side == Side::Dogs { vectors.0[at.dogs] } else { vectors.1[at.dogs] };
            let few = position.dogs().len() as u8 + position.dogs_in_hand() < rules.least_dogs();
            let found = if few && score == 0 {
                Value::Win { winner: Side::Leopards, plies: 0 }
            } else {
                score::value(score, side)
            };
            assert_eq!(found, value, "{position:?}");
            seen += 1;
        }
        assert!(seen > 1000);
    }

    #[test]
    fn hat10_agrees_with_the_oracle() {
        for leopards in 1..=3 {
            agrees_with_oracle(&rules("hat10", leopards));
        }
    }

    #[test]
    fn hat13_agrees_with_the_oracle() {
        agrees_with_oracle(&rules("hat13", 2));
    }

    struct Counts(Mutex<BTreeMap<(usize, Side), [u64; 3]>>, Index);

    impl Observer for Counts {
        fn vectors(&self, hand: u8, slot: usize, dogs: &[u8], leopards: &[u8]) -> io::Result<()> {
            if hand > 0 {
                return Ok(());
            }
            let mut counts: BTreeMap<(usize, Side), [u64; 3]> = BTreeMap::new();
            for (side, scores) in [(Side::Dogs, dogs), (Side::Leopards, leopards)] {
                for (number, &score) in scores.iter().enumerate().take(1 << self.1.free()) {
                    let class = match score {
                        0..=126 => 1,
                        127 => 2,
                        _ => 0,
                    };
                    counts.entry((number.count_ones() as usize, side)).or_default()[class] +=
                        u64::from(self.1.sets_of(slot));
                }
            }
            let mut all = self.0.lock().unwrap();
            for (key, n) in counts {
                let entry = all.entry(key).or_default();
                for i in 0..3 {
                    entry[i] += n[i];
                }
            }
            Ok(())
        }
        fn layer_done(&self, _: u8) -> io::Result<()> {
            Ok(())
        }
    }

    fn counts_agree(board: &str, leopards: u8) {
        let stop = AtomicBool::new(false);
        let rules = rules(board, leopards);
        let problem = Problem::new(rules.board(), rules.leopards().into(), rules.least_dogs(), 2);
        let keep = Counts(Mutex::default(), problem.index.clone());
        let begin = std::time::Instant::now();
        let step = Mutex::new(std::time::Instant::now());
        problem
            .solve(
                &keep,
                &Watch {
                    progress: &|p| {
                        let mut t = step.lock().unwrap();
                        println!("{p:?} {:?}", t.elapsed());
                        *t = std::time::Instant::now();
                    },
                    stop: &stop,
                },
            )
            .unwrap();
        println!("{board} {:?}", begin.elapsed());
        let counts = keep.0.into_inner().unwrap();
        let text = include_str!("../../../tests/data/movement_counts.csv");
        for line in text.lines().filter(|line| line.starts_with(board)) {
            let fields: Vec<&str> = line.split(',').collect();
            let n = |i: usize| fields[i].parse::<u64>().unwrap();
            let found = counts[&(n(3) as usize, fields[4].parse().unwrap())];
            assert_eq!(found, [n(5), n(6), n(7)], "{line}");
        }
    }

    #[test]
    fn counts_of_hat10_and_rect19() {
        counts_agree("hat10", 1);
        counts_agree("rect19", 3);
    }
    #[test]
    #[ignore]
    fn counts_of_rect21() {
        counts_agree("rect21", 3);
    }

    struct Nothing;
    impl Observer for Nothing {
        fn vectors(&self, _: u8, _: usize, _: &[u8], _: &[u8]) -> io::Result<()> { Ok(()) }
        fn layer_done(&self, _: u8) -> io::Result<()> { Ok(()) }
    }
    fn cpu() -> f64 {
        let t = std::fs::read_to_string("/proc/self/stat").unwrap();
        let f: Vec<&str> = t.split_whitespace().collect();
        (f[13].parse::<f64>().unwrap() + f[14].parse::<f64>().unwrap()) / 100.0
    }
    #[test]
    #[ignore]
    fn timing() {
        let stop = AtomicBool::new(false);
        let rules = rules(&std::env::var("BOARD").unwrap(), 3);
        let threads = std::env::var("THREADS").map_or(2, |s| s.parse().unwrap());
        let c0 = cpu();
        let problem = Problem::new(rules.board(), rules.leopards().into(), rules.least_dogs(), threads);
        println!("problem cpu {:.2}", cpu() - c0);
        let begin = std::time::Instant::now();
        let last = Mutex::new(("", cpu()));
        problem.solve(&Nothing, &Watch { progress: &|p| {
            let stage = match p.stage { Stage::Movement { winner: Side::Dogs, .. } => "dogs", Stage::Movement { .. } => "leopards", _ => "drops" };
            let mut last = last.lock().unwrap();
            if last.0 != stage { let now = cpu(); println!("until {stage}: cpu {:.2}", now - last.1); *last = (stage, now); }
        }, stop: &stop}).unwrap();
        println!("rest cpu {:.2}", cpu() - last.lock().unwrap().1);
        println!("wall {:?} cpu {:.2}", begin.elapsed(), cpu() - c0);
    }
}
