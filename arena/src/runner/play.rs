//! One game, from its opening to its end.

use super::adjudicate::Opinions;
use super::seat::{Fault, Seat};
use crate::client::Failure;
use crate::clock::{Clocks, Patience};
use crate::config::Adjudication;
use crate::game::{Costs, FaultKind, GameRecord, Termination};
use crate::referee::Referee;
use crate::schedule::{GameTask, Opening, Plan};
use engine::game::{Position, Side};
use std::time::{Duration, Instant};

/// Characters that are kept of what is said about an engine's failure.
const MAX_DETAIL: usize = 2000;

/// Plays a game. Whatever the engines do, it ends, and with a record.
pub(super) fn play_game<'a>(
    plan: &'a Plan,
    task: GameTask,
    seats: &mut [Seat<'a>],
    tables: Option<&mut Seat<'a>>,
    patience: Patience,
) -> GameRecord {
    let mut game = Play::new(plan, task, patience);
    let (termination, detail) = game.play(seats, tables);
    if let Termination::Rules(reason) = termination
        && game.referee.moves().len() > game.opening
    {
        let position = game.referee.position_command();
        for side in Side::BOTH {
            game.seat(side, seats).compare_result(game.task.number, position, reason);
        }
    }
    GameRecord {
        termination,
        detail,
        start: game.start,
        moves: game.referee.moves().to_vec(),
        opening: game.opening,
        captured: game.referee.position().captured(),
        time: game.time,
        nodes: game.nodes,
        costs: game.costs,
        task: game.task,
    }
}

struct Play<'a> {
    plan: &'a Plan,
    task: GameTask,
    referee: Referee,
    clocks: Clocks,
    start: Option<Position>,
    opening: usize,
    opinions: Opinions,
    time: [Duration; 2],
    nodes: [u64; 2],
    costs: Costs,
    /// When the last answer came.
    answered: Option<Instant>,
}

impl<'a> Play<'a> {
    fn new(plan: &'a Plan, task: GameTask, patience: Patience) -> Self {
        let rules = &plan.settings[task.setting].rules;
        let Opening { start, moves } = plan.opening(&task);
        let mut referee =
            Referee::from_position(rules, start.unwrap_or_else(|| rules.start()), plan.max_plies);
        for &mv in &moves {
            referee.play(mv);
        }
        let clocks = Clocks::new(Side::BOTH.map(|side| plan.player(&task, side).limit), patience);
        let (opening, opinions) = (moves.len(), Opinions::default());
        Self {
            plan,
            task,
            referee,
            clocks,
            start,
            opening,
            opinions,
            time: [Duration::ZERO; 2],
            nodes: [0; 2],
            costs: Costs::default(),
            answered: None,
        }
    }

    fn play(&mut self, seats: &mut [Seat<'a>], mut tables: Option<&mut Seat<'a>>) -> (Termination, String) {
        if let Some(termination) = self.referee.termination() {
            return (termination, String::new());
        }
        for side in Side::BOTH {
            if let Err(fault) = self.prepare(side, seats) {
                return lost(side, fault);
            }
        }
        if let Some(tables) = &mut tables
            && let Err((_, detail)) = tables.prepare(&self.plan.settings[self.task.setting], 0, None)
        {
            // The game is played out instead.
            tables.note(format!("no exact values for game {}: {detail}", self.task.number));
        }
        loop {
            if let Some(termination) = self.referee.termination() {
                return (termination, String::new());
            }
            if let Some(end) = self.adjudicated(tables.as_deref_mut()) {
                return end;
            }
            let side = self.referee.side_to_move();
            if let Err(fault) = self.one_move(side, seats) {
                return lost(side, fault);
            }
        }
    }

    /// Whether the game is ended by a rule of adjudication, and by which.
    fn adjudicated(&self, tables: Option<&mut Seat<'a>>) -> Option<(Termination, String)> {
        let Adjudication { draw, resign, .. } = &self.plan.adjudication;
        let end = |winner, detail| Some((Termination::Adjudicated { winner }, detail));
        let moves = self.referee.moves().len();
        if let Some(rule) = resign
            && let Some(winner) = self.opinions.winner(*rule)
        {
            return end(Some(winner), format!("resign rule {rule}"));
        }
        if let Some(rule) = draw
            && self.opinions.is_draw(*rule, moves)
        {
            return end(None, format!("draw rule {rule}"));
        }
        // While pieces enter the game is still to be made; afterwards its value is a fact.
        let value = tables.filter(|_| !self.referee.is_entering() && moves > self.opening)?;
        let value = value.exact_value(self.referee.position_command())?;
        end(value.winner(), format!("exact value {value}"))
    }

    fn seat<'s>(&self, side: Side, seats: &'s mut [Seat<'a>]) -> &'s mut Seat<'a> {
        &mut seats[self.plan.player(&self.task, side).engine]
    }

    fn prepare(&self, side: Side, seats: &mut [Seat<'a>]) -> Result<(), Fault> {
        let seed = self.plan.engine_seed(&self.task, side);
        let level = self.plan.player(&self.task, side).limit.level();
        self.seat(side, seats).prepare(&self.plan.settings[self.task.setting], seed, level)
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
        if let Some(before) = self.answered.replace(answer.asked + answer.elapsed) {
            self.costs.between.add(answer.asked.saturating_duration_since(before));
        }
        if let Some(reported) = answer.reported {
            self.costs.answers[side.index()].add(answer.elapsed.saturating_sub(reported));
        }
        self.time[side.index()] += answer.elapsed;
        self.nodes[side.index()] += answer.nodes.unwrap_or(0);
        self.clocks.spend(side, answer.elapsed);
        let rules = &self.plan.adjudication;
        self.opinions.add(side, answer.score, rules.draw, rules.resign);
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
