//! What the engine says: replies made into text of the protocol.

use crate::game::{Board, Move};
use crate::search::{Report, ScoreBound};
use std::fmt::Write as _;
use std::io::Write;
use std::sync::{Mutex, PoisonError};

/// Writes whole lines, from whichever thread, and flushes them at once.
pub(super) struct LineWriter<W>(Mutex<W>);

impl<W: Write> LineWriter<W> {
    pub(super) fn new(writer: W) -> Self {
        Self(Mutex::new(writer))
    }

    /// Writes a text of one line or more.
    pub(super) fn say(&self, text: &str) {
        let mut writer = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // A client that has closed the pipe will close the other one too, and that ends the session.
        let _ = writeln!(writer, "{}", text.trim_end_matches('\n')).and_then(|()| writer.flush());
    }

    pub(super) fn error(&self, message: &str) {
        self.say(&format!("info string error {message}"));
    }

    pub(super) fn response(&self, response: impl std::fmt::Display) {
        self.say(&format!("response {response}"));
    }

    pub(super) fn best_move(&self, board: &Board, best: Option<Move>) {
        self.say(&format!("bestmove {}", best.map_or("(none)".to_owned(), |mv| board.move_text(mv))));
    }

    pub(super) fn info(&self, board: &Board, report: &Report) {
        self.say(&info_text(board, report));
    }
}

fn info_text(board: &Board, report: &Report) -> String {
    let mut text = format!(
        "info depth {} seldepth {} time {} nodes {} nps {} hashfull {} multipv {} score {}",
        report.depth,
        report.sel_depth,
        report.time.as_millis(),
        report.nodes,
        report.nodes_per_second(),
        report.hashfull,
        report.line_number,
        report.score,
    );
    match report.bound {
        Some(ScoreBound::Lower) => text.push_str(" lowerbound"),
        Some(ScoreBound::Upper) => text.push_str(" upperbound"),
        None => {}
    }
    if !report.line.is_empty() {
        text.push_str(" pv");
        for &mv in &report.line {
            let _ = write!(text, " {}", board.move_text(mv)); // to a String: cannot fail
        }
    }
    text
}

/// What `help` says.
pub(super) const HELP: &str = "\
Commands (Universal Game Interface; player 1 is the Dogs, player 2 the Leopards):
  ugi                                  say who the engine is and list its options
  isready                              answer readyok when all before is done
  uginewgame                           forget what was learnt in the last game
  setoption name <option> value <v>    e.g. setoption name Variant value hat
  position startpos [moves <moves>]    the start of the game, and moves from there
  position fen <position> [moves ...]  another position, e.g. L/2LL2/4/6/4 d 15 0 0
  go [limits]                          search: depth N, nodes N, movetime MS, infinite,
                                       or clocks: p1time MS p2time MS p1inc MS p2inc MS
  stop                                 end the search and answer bestmove
  query p1turn|gameover|result         about the position: true, false; p1win, p2win, draw, none
  query fen|legalmoves|islegal <move>|reason|value
  show                                 draw the board
  wait                                 keep the commands that follow until the search has ended
  help                                 this text
  quit                                 leave
Moves: @b3 puts a piece on b3; b3c2 steps, a1c2 leaps (which of the two, the board tells).
Points: row letter from the apex and place in the row from the left.
";
