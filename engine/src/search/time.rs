//! How long to think.

use super::limits::Limits;
use std::time::Duration;

/// Moves a game is expected to go on for, for dividing what is left on the clock.
const MOVES_TO_GO: u32 = 30;
/// How much more than its share a hard move may take.
const HARD_FACTOR: u32 = 4;

/// The time a search may take, from its start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TimeBudget {
    /// After this no new iteration begins.
    pub(super) soft: Duration,
    /// At this the search breaks off.
    pub(super) hard: Duration,
}

impl TimeBudget {
    /// The budget under some limits; `None` where time does not bound the search. `overhead` is kept back
    /// for what lies between the engine and the clock.
    pub(super) fn new(limits: &Limits, overhead: Duration) -> Option<Self> {
        let by_move = limits.movetime.map(|time| {
            let time = time.saturating_sub(overhead);
            Self { soft: time, hard: time }
        });
        let by_clock = limits.clock.map(|clock| {
            let usable = clock.remaining.saturating_sub(overhead);
            let share = usable / MOVES_TO_GO + clock.increment * 3 / 4;
            // Half of the rest is the most a single move may cost, whatever the increment promises.
            let most = usable / 2;
            Self { soft: share.min(most), hard: (share * HARD_FACTOR).min(most) }
        });
        match (by_move, by_clock) {
            (Some(a), Some(b)) => Some(Self { soft: a.soft.min(b.soft), hard: a.hard.min(b.hard) }),
            (a, b) => a.or(b),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::limits::Clock;
    use super::*;

    fn budget(remaining: u64, increment: u64, overhead: u64) -> TimeBudget {
        let clock = Clock {
            remaining: Duration::from_millis(remaining),
            increment: Duration::from_millis(increment),
        };
        let limits = Limits { clock: Some(clock), ..Limits::default() };
        TimeBudget::new(&limits, Duration::from_millis(overhead)).unwrap()
    }

    #[test]
    fn a_move_never_costs_more_than_is_left() {
        for remaining in [0, 1, 5, 10, 11, 100, 60_000] {
            for increment in [0, 10, 5_000] {
                let budget = budget(remaining, increment, 10);
                assert!(budget.soft <= budget.hard);
                assert!(budget.hard <= Duration::from_millis(remaining.saturating_sub(10)));
            }
        }
        assert_eq!(budget(1, 0, 10).hard, Duration::ZERO);
        assert!(budget(60_000, 0, 10).soft > Duration::from_secs(1));
    }

    #[test]
    fn without_time_limits_there_is_no_budget() {
        let limits = Limits { nodes: Some(5), ..Limits::default() };
        assert_eq!(TimeBudget::new(&limits, Duration::ZERO), None);
    }
}
