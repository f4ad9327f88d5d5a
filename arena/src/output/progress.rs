//! The progress bar: on a terminal only, and gone when the run is over.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::Write as _;
use std::time::Duration;

/// Games done, rate and time left, on standard error.
pub struct Progress(ProgressBar);

impl Progress {
    /// A bar for this many games; a quiet one shows nothing, and so does any where standard error is no
    /// terminal.
    pub fn new(games: u64, quiet: bool) -> Self {
        let target = if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let bar = ProgressBar::with_draw_target(Some(games), target);
        let template = "{wide_bar} {pos}/{len} games  {per_sec:.dim}  {eta} left";
        bar.set_style(
            ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()),
        );
        bar.enable_steady_tick(Duration::from_millis(500));
        Self(bar)
    }

    /// Counts a game.
    pub fn game(&self) {
        self.0.inc(1);
    }

    /// Writes a line to standard error, above the bar.
    pub fn note(&self, text: &str) {
        self.0.suspend(|| {
            let _ = writeln!(std::io::stderr(), "{text}"); // nowhere left to report to
        });
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.0.finish_and_clear();
    }
}
