//! The games: boards, rules, positions, moves, notation. Knows nothing of search, clocks or files.

mod board;
mod catalog;
mod draw;
mod layout;
mod movegen;
mod moves;
mod notation;
mod outcome;
mod perft;
mod point;
mod position;
mod record;
mod rules;
mod side;
mod svg;
mod value;
mod zobrist;

pub use board::{Board, BoardData, BoardError, Jump, JumpLine, LineFault, MAX_ROW_LENGTH, MAX_ROWS};
pub use catalog::{
    CatalogError, DEFAULT_QUIET_LIMIT, DEFAULT_REPETITION, DEFAULT_VARIANT, SetupKind, Variant, VariantSpec,
    board, boards, parse_boards, variant, variant_names, variants,
};
pub use layout::{Layout, LayoutError, ROW_HEIGHT};
pub use movegen::{MAX_MOVES, MoveList};
pub use moves::{Move, MoveKind};
pub use notation::{MoveError, all_move_texts};
pub use outcome::Reason;
pub use perft::{perft, perft_plain};
pub use point::{MAX_POINTS, Point, PointSet, Points};
pub use position::{Position, Setup};
pub use record::Game;
pub use rules::{
    Captures, MAX_LEOPARDS, MAX_QUIET_LIMIT, MAX_REPETITION, Rules, RulesConfig, RulesError, SetupError,
    Start,
};
pub use side::Side;
pub use value::Value;
