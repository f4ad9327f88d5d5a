//! One game, from its opening to its end.

use super::seat::{Fault, Seat};
use crate::client::Failure;
use crate::clock::{Clocks, Patience};
use crate::game::{FaultKind, GameRecord, Termination};
use crate::referee::Referee;
use crate::schedule::{GameTask, Plan};
use engine::game::Side;
use std::time::Duration;

/// Characters that are kept of what is said about an engine's failure.
const MAX_DETAIL: usize = 2000;

/// Plays a game. Whatever the engines do, it ends, and with a record.
pub(super) fn play_game<'a>(
    plan: &'a Plan,
    task: GameTask,
    seats: &mut [Seat<'a>],
    patience: Patience,
) -> GameRecord {
    let mut game = Play::new(plan, task, patience);
    let (termination, detail) = game.play(seats);
    GameRecord {
        termination,
        detail,
        moves: game.referee.moves().to_vec(),
        opening: game.opening,
        captured: game.referee.position().captured(),
        time: game.time,
        nodes: game.nodes,
        task: game.task,
    }
}

struct Play<'a> {
    plan: &'a Plan,
    task: GameTask,
    referee: Referee,
    clocks: Clocks,
    opening: usize,
    time: [Duration; 2],
    nodes: [u64; 2],
}

impl<'a> Play<'a> {
    fn new(plan: &'a Plan, task: GameTask, patience: Patience) -> Self {
        let mut referee = Referee::new(&plan.settings[task.setting].rules, plan.max_plies);
        let opening = plan.opening(&task);
        for &mv in &opening {
            referee.play(mv);
        }
        let clocks = Clocks::new(Side::BOTH.map(|side| plan.player(&task, side).limit), patience);
        let opening = opening.len();
        Self { plan, task, referee, clocks, opening, time: [Duration::ZERO; 2], nodes: [0; 2] }
    }

    fn play(&mut self, seats: &mut [Seat<'a>]) -> (Termination, String) {
        if let Some(termination) = self.referee.termination() {
            return (termination, String::new());
        }
        for side in Side::BOTH {
            if let Err(fault) = self.prepare(side, seats) {
                return lost(side, fault);
            }
        }
        loop {
            if let Some(termination) = self.referee.termination() {
                return (termination, String::new());
            }
            let side = self.referee.side_to_move();
            if let Err(fault) = self.one_move(side, seats) {
                return lost(side, fault);
            }
        }
    }

    fn seat<'s>(&self, side: Side, seats: &'s mut [Seat<'a>]) -> &'s mut Seat<'a> {
        &mut seats[self.plan.player(&self.task, side).engine]
    }

    fn prepare(&self, side: Side, seats: &mut [Seat<'a>]) -> Result<(), Fault> {
        let seed = self.plan.engine_seed(&self.task, side);
        self.seat(side, seats).prepare(&self.plan.settings[self.task.setting], seed)
    }

    fn one_move(&mut self, side: Side, seats: &mut [Seat<'a>]) -> Result<(), Fault> {
        let (go, allowance) = (self.clocks.go(side), self.clocks.allowance(side));
        let answer = self.seat(side, seats).go(self.referee.position_command(), &go, allowance);
        let answer = answer.map_err(|failure| {
            let kind = match &failure {
                Failure::Gone { .. } => FaultKind::Crash,
                Failure::Silent { .. } if self.clocks.is_timed(side) => FaultKind::Timeout,
                Failure::Silent { .. } => FaultKind::Stall,
            };
            (kind, failure.to_string())
        })?;
        self.time[side.index()] += answer.elapsed;
        self.nodes[side.index()] += answer.nodes.unwrap_or(0);
        self.clocks.spend(side, answer.elapsed);
        self.referee.play_text(&answer.bestmove).map_err(|error| {
            let told = answer.error.map_or(String::new(), |error| format!("; it had said: {error}"));
            (FaultKind::IllegalMove, format!("{error}{told}"))
        })
    }
}

/// The end of a game that an engine's failure brought about; what it sent may be in the detail, and may be
/// anything.
fn lost(by: Side, (kind, detail): Fault) -> (Termination, String) {
    let printable = detail.chars().map(|c| if c.is_control() { ' ' } else { c });
    (Termination::Fault { by, kind }, printable.take(MAX_DETAIL).collect())
}
