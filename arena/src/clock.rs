//! What each side may think, and what it has left.

use crate::client::Go;
use crate::config::{LEVEL_NODES, Limit};
use engine::game::Side;
use std::time::Duration;

/// Limits that no clock of the game says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// What an engine may overstep a move time or a clock by, for the way its answer takes.
    pub margin: Duration,
    /// How long an engine may think where its limit is not a time.
    pub stall: Duration,
}

/// The clocks of one game.
#[derive(Clone, Debug)]
pub struct Clocks {
    limits: [Limit; 2],
    /// What is left to each side; meaningless without a clock.
    left: [Duration; 2],
    patience: Patience,
}

impl Clocks {
    /// The clocks at the start of a game; limits by [`Side::index`].
    pub fn new(limits: [Limit; 2], patience: Patience) -> Self {
        let left = limits.map(|limit| match limit {
            Limit::Clock(control) => control.base,
            _ => Duration::ZERO,
        });
        Self { limits, left, patience }
    }

    /// What a side to move is told.
    pub fn go(&self, side: Side) -> Go {
        match self.limits[side.index()] {
            Limit::Nodes(n) => Go::Nodes(n),
            Limit::Depth(n) => Go::Depth(n),
            Limit::Level(_) => Go::Nodes(LEVEL_NODES),
            Limit::MoveTime(time) => Go::MoveTime(time),
            Limit::Clock(own) => {
                // A side without a clock is shown that of its opponent.
                let shown = Side::BOTH.map(|s| match self.limits[s.index()] {
                    Limit::Clock(control) => (self.left[s.index()], control.increment),
                    _ => (self.left[side.index()], own.increment),
                });
                // No engine likes to hear that it has no time at all.
                let time = shown.map(|(time, _)| time.max(Duration::from_millis(1)));
                Go::Clocks { time, increment: shown.map(|(_, increment)| increment) }
            }
        }
    }

    /// How long a side may think about this move before the game is over for it.
    pub fn allowance(&self, side: Side) -> Duration {
        match self.limits[side.index()] {
            Limit::Nodes(_) | Limit::Depth(_) | Limit::Level(_) => self.patience.stall,
            Limit::MoveTime(time) => time + self.patience.margin,
            Limit::Clock(_) => self.left[side.index()] + self.patience.margin,
        }
    }

    /// Whether a side plays against time: then an answer that does not come is a loss on time, not a stall.
    pub fn is_timed(&self, side: Side) -> bool {
        !self.limits[side.index()].is_reproducible()
    }

    /// Takes the time of a move from a side's clock, and adds the increment.
    pub fn spend(&mut self, side: Side, used: Duration) {
        if let Limit::Clock(control) = self.limits[side.index()] {
            let left = &mut self.left[side.index()];
            *left = left.saturating_sub(used) + control.increment;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATIENCE: Patience = Patience { margin: ms(50), stall: ms(9000) };

    const fn ms(n: u64) -> Duration {
        Duration::from_millis(n)
    }

    fn clocks(dogs: &str, leopards: &str) -> Clocks {
        let limit = |text: &str| {
            let (name, value) = text.split_once('=').unwrap();
            Limit::parse(name, value).unwrap().unwrap()
        };
        Clocks::new([limit(dogs), limit(leopards)], PATIENCE)
    }

    #[test]
    fn a_clock_runs_down_and_gains_increments() {
        let mut clocks = clocks("tc=1+0.1", "tc=2");
        clocks.spend(Side::Dogs, ms(300));
        clocks.spend(Side::Leopards, ms(500));
        assert_eq!(
            clocks.go(Side::Dogs),
            Go::Clocks { time: [ms(800), ms(1500)], increment: [ms(100), ms(0)] }
        );
        // The margin forgives, and leaves nothing.
        clocks.spend(Side::Dogs, ms(850));
        assert_eq!(
            clocks.go(Side::Dogs),
            Go::Clocks { time: [ms(100), ms(1500)], increment: [ms(100), ms(0)] }
        );
        assert_eq!(clocks.allowance(Side::Dogs), ms(150));
    }

    #[test]
    fn nobody_is_told_of_no_time() {
        let mut clocks = clocks("tc=1", "nodes=5");
        clocks.spend(Side::Dogs, ms(1000));
        assert_eq!(clocks.go(Side::Dogs), Go::Clocks { time: [ms(1); 2], increment: [ms(0); 2] });
        assert_eq!(clocks.go(Side::Leopards), Go::Nodes(5));
    }

    #[test]
    fn every_limit_has_an_end() {
        let clocks = clocks("movetime=100", "depth=3");
        assert_eq!((clocks.allowance(Side::Dogs), clocks.allowance(Side::Leopards)), (ms(150), ms(9000)));
        assert_eq!((clocks.is_timed(Side::Dogs), clocks.is_timed(Side::Leopards)), (true, false));
    }
}
