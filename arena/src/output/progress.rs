//! The progress bar: on a terminal only, and gone when the run is over.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::io::Write as _;
use std::time::{Duration, Instant};

/// How often the table above the bar is made anew, at most.
const PAUSE: Duration = Duration::from_millis(500);

/// The most lines of that table: what is taller than the terminal cannot be drawn over.
const MAX_LINES: usize = 20;

/// Games done, rate and time left, on standard error; above them a table of the games so far.
pub struct Progress {
    bar: ProgressBar,
    shown: Instant,
}

impl Progress {
    /// A bar for this many games, of which some are done; a quiet one shows nothing, and so does any where standard error is no
    /// terminal.
    pub fn new(games: u64, done: u64, quiet: bool) -> Self {
        let target = if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let bar = ProgressBar::with_draw_target(Some(games), target);
        let template = "{msg}{wide_bar} {pos}/{len} games  {rate}  {eta} left";
        let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
        bar.set_style(style.with_key("rate", |state: &ProgressState, out: &mut dyn std::fmt::Write| {
            let rate = Some(state.per_sec()).filter(|rate| rate.is_finite()).unwrap_or(0.0);
            let _ = write!(out, "{rate:.1}/s"); // a bar that cannot be drawn is not
        }));
        // The rate and the time left are those of the games that are played now.
        bar.set_position(done);
        bar.reset_eta();
        bar.enable_steady_tick(Duration::from_millis(500));
        Self { bar, shown: Instant::now() }
    }

    /// Counts a game.
    pub fn game(&self) {
        self.bar.inc(1);
    }

    /// Shows a table, if there is a terminal and the last one has stood for a while.
    pub fn show(&mut self, table: impl FnOnce() -> String) {
        if !self.bar.is_hidden() && self.shown.elapsed() >= PAUSE {
            self.shown = Instant::now();
            let table = table();
            let mut lines: Vec<&str> = table.trim_end().lines().collect();
            if lines.len() > MAX_LINES {
                lines.truncate(MAX_LINES - 1);
                lines.push("  …");
            }
            self.bar.set_message(format!("{}\n", lines.join("\n")));
        }
    }

    /// Writes a line to standard error, above the bar.
    pub fn note(&self, text: &str) {
        self.bar.suspend(|| {
            let _ = writeln!(std::io::stderr(), "{text}"); // nowhere left to report to
        });
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
