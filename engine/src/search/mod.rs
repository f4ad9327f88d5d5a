//! The search. Knows the game and nothing of protocols, files or tables: it asks a [`Probe`] for exact
//! values and reports through a callback.

mod eval;
mod level;
mod limits;
mod order;
mod probe;
mod pvs;
mod reductions;
mod score;
mod searcher;
mod time;
mod tt;

pub use eval::Evaluator;
#[cfg(test)]
pub(crate) use eval::{BoardNetwork, SCORE_UNIT, Weights};
pub(crate) use eval::{
    Counts, Layout as EvalLayout, Leaves, Network, Patterns, SECOND as SECOND_WIDTH, Shape, UNIT as ROW_UNIT,
    UPPER_SIZE, WEIGHT_UNIT as UPPER_UNIT, WIDTH as ROW_WIDTH,
};
pub use level::Level;
pub use limits::{Clock, Limits};
pub use probe::Probe;
pub use score::{MAX_WIN_PLIES, Score, ShownScore, WIN, WIN_BOUND, is_decided, loss_in, win_in};
pub use searcher::{
    MAX_DEPTH, MAX_THREADS, Report, STACK_SIZE, ScoreBound, SearchOptions, SearchResult, Searcher,
};
pub use tt::{Bound, Entry, OutOfMemory, TranspositionTable};
