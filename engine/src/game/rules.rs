//! The rules of one game: a board, the pieces, who begins, when the Leopards have won, when it is a draw.

use super::board::Board;
use super::point::{Point, PointSet};
use super::position::{Position, Setup};
use super::side::Side;
use super::zobrist::{Keys, MirroredKeys};
use std::sync::Arc;

/// The most leopards a game may have.
pub const MAX_LEOPARDS: usize = 5;
/// The most a limit on quiet plies may be.
pub const MAX_QUIET_LIMIT: u16 = 10_000;
/// The most a limit on repetitions may be.
pub const MAX_REPETITION: u8 = 100;

/// Where the leopards are at the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// On these points.
    Placed(PointSet),
    /// In hand: they enter one a turn on any vacant point, and none moves before the last is in.
    Entered,
}

/// How many captures win for the Leopards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Captures {
    /// As many as leave fewer dogs, on the board and in hand, than could trap all leopards anywhere.
    #[default]
    Auto,
    /// This many, 1 or more.
    Number(u8),
}

/// The rules of one game.
///
/// Made by [`VariantSpec::rules`](super::VariantSpec::rules), which fills in what a person left open; or
/// from parts by [`Rules::new`].
#[derive(Clone, Debug)]
pub struct Rules {
    board: Arc<Board>,
    keys: &'static Keys,
    mirrored_keys: MirroredKeys,
    config: RulesConfig,
    least_dogs_to_trap: u8,
    captures_to_win: u8,
}

/// The parts [`Rules`] are made of beside the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RulesConfig {
    /// Number of leopards.
    pub leopards: u8,
    /// Where they start.
    pub start: Start,
    /// Number of dogs, all in hand at the start.
    pub dogs: u8,
    /// Who moves first.
    pub first: Side,
    /// Captures that win.
    pub captures: Captures,
    /// The occurrence of a position that makes a draw; 0: none does.
    pub repetition: u8,
    /// Plies without drop, entry or capture that make a draw; 0: none do.
    pub quiet_limit: u16,
}

/// What rules cannot be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum RulesError {
    #[error("{given} leopards: expected 1 to {most} on board {board}")]
    Leopards { given: usize, most: usize, board: String },
    #[error("{given} dogs: expected 1 to {most} beside {leopards} on board {board} of {points} points")]
    Dogs { given: usize, most: usize, leopards: String, board: String, points: usize },
    #[error("{given} captures: expected auto or a number from 1 to the number of dogs, {dogs}")]
    Captures { given: usize, dogs: usize },
    #[error("repetition {0}: expected 0 (off) or 2 to {MAX_REPETITION}")]
    Repetition(usize),
    #[error("quiet limit {0}: expected 0 (off) to {MAX_QUIET_LIMIT}")]
    QuietLimit(usize),
}

/// Why a position cannot be played by some rules: the field at fault and what was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {fault}")]
pub struct SetupError {
    /// The field of the position text: rows, side, hand, captured or quiet.
    pub field: &'static str,
    /// What is wrong with it.
    pub fault: String,
}

/// A number of things in words: `1 dog`, `2 dogs`.
pub(super) fn counted(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

impl Rules {
    /// Checks the parts and works out the captures that win.
    ///
    /// # Errors
    /// The first part that does not fit the board or the others.
    pub fn new(board: Arc<Board>, config: RulesConfig) -> Result<Self, RulesError> {
        Self::check_config(&board, &config)?;
        let least_dogs_to_trap = least_dogs_to_trap(&board, config.leopards.into());
        Ok(Self::from_checked(board, config, least_dogs_to_trap))
    }

    fn check_config(board: &Board, config: &RulesConfig) -> Result<(), RulesError> {
        let points = board.point_count();
        let (leopards, dogs) = (usize::from(config.leopards), usize::from(config.dogs));
        let most = MAX_LEOPARDS.min(points - 1);
        if !(1..=most).contains(&leopards) {
            return Err(RulesError::Leopards { given: leopards, most, board: board.name().to_owned() });
        }
        let most = points - leopards;
        if !(1..=most).contains(&dogs) {
            let leopards = counted(leopards, "leopard");
            return Err(RulesError::Dogs {
                given: dogs,
                most,
                leopards,
                board: board.name().to_owned(),
                points,
            });
        }
        if let Captures::Number(given) = config.captures
            && !(1..=config.dogs).contains(&given)
        {
            return Err(RulesError::Captures { given: given.into(), dogs });
        }
        if config.repetition == 1 || config.repetition > MAX_REPETITION {
            return Err(RulesError::Repetition(config.repetition.into()));
        }
        if config.quiet_limit > MAX_QUIET_LIMIT {
            return Err(RulesError::QuietLimit(config.quiet_limit.into()));
        }
        Ok(())
    }

    /// Rules of checked parts.
    fn from_checked(board: Arc<Board>, config: RulesConfig, least_dogs_to_trap: u8) -> Self {
        let captures_to_win = match config.captures {
            Captures::Auto => (config.dogs + 1).saturating_sub(least_dogs_to_trap),
            Captures::Number(n) => n,
        };
        let mirrored_keys = MirroredKeys::new(&board);
        Self { board, keys: Keys::get(), mirrored_keys, config, least_dogs_to_trap, captures_to_win }
    }

    /// The board.
    #[inline]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The board, shared.
    pub fn shared_board(&self) -> &Arc<Board> {
        &self.board
    }

    #[inline]
    pub(super) fn keys(&self) -> &'static Keys {
        self.keys
    }

    #[inline]
    pub(super) fn mirrored_keys(&self) -> &MirroredKeys {
        &self.mirrored_keys
    }

    /// The parts these rules were made of.
    pub fn config(&self) -> &RulesConfig {
        &self.config
    }

    /// Number of dogs of the game.
    pub fn dogs(&self) -> u8 {
        self.config.dogs
    }

    /// Number of leopards of the game.
    pub fn leopards(&self) -> u8 {
        self.config.leopards
    }

    /// Captures that win for the Leopards. 0 where the dogs are too few from the start: the Leopards have
    /// won before the first move.
    #[inline]
    pub fn captures_to_win(&self) -> u8 {
        self.captures_to_win
    }

    /// The fewest dogs with which the game goes on: with one less, on the board and in hand, the Leopards
    /// have won. Positions of different totals of dogs have the same value if this is the same.
    pub fn least_dogs(&self) -> u8 {
        self.config.dogs + 1 - self.captures_to_win
    }

    /// The least number of dogs that can trap all leopards somewhere on the board.
    pub fn least_dogs_to_trap(&self) -> u8 {
        self.least_dogs_to_trap
    }

    /// The occurrence of a position that makes a draw; 0: none does.
    pub fn repetition(&self) -> u8 {
        self.config.repetition
    }

    /// Plies without drop, entry or capture that make a draw; 0: none do.
    #[inline]
    pub fn quiet_limit(&self) -> u16 {
        self.config.quiet_limit
    }

    /// The position before the first move.
    pub fn start(&self) -> Position {
        let (leopards, leopards_in_hand) = match self.config.start {
            Start::Placed(points) => (points, 0),
            Start::Entered => (PointSet::EMPTY, self.config.leopards),
        };
        Position::from_setup(
            self,
            &Setup {
                dogs: PointSet::EMPTY,
                leopards,
                side: self.config.first,
                dogs_in_hand: self.config.dogs,
                leopards_in_hand,
                captured: 0,
                quiet: 0,
            },
        )
    }

    /// The same rules for another total of dogs; `auto` captures are worked out anew.
    ///
    /// # Errors
    /// The number does not fit the board or the captures.
    pub fn with_dogs(&self, dogs: u8) -> Result<Self, RulesError> {
        let config = RulesConfig { dogs, ..self.config };
        Self::check_config(&self.board, &config)?;
        // The least number of dogs to trap does not depend on how many there are.
        Ok(Self::from_checked(Arc::clone(&self.board), config, self.least_dogs_to_trap))
    }

    /// A position from its parts, if these rules can play it. Its dogs must be those of the rules: see
    /// [`with_dogs`](Self::with_dogs) for a position that says how many dogs there are.
    ///
    /// # Errors
    /// The first field at fault and what was expected.
    pub fn check(&self, setup: &Setup) -> Result<Position, SetupError> {
        let fail = |field, fault| Err(SetupError { field, fault });
        let leopards = setup.total_leopards();
        if leopards != usize::from(self.leopards()) {
            let expected = counted(self.leopards().into(), "leopard");
            return fail(
                "rows",
                format!("{} with those in hand, expected {expected}", counted(leopards, "leopard")),
            );
        }
        if setup.dogs.meets(setup.leopards)
            || !(setup.dogs | setup.leopards | self.board.points()).eq(&self.board.points())
        {
            return fail("rows", "a piece off the board or on another".to_owned());
        }
        if setup.total_dogs() != usize::from(self.dogs()) {
            let expected = counted(self.dogs().into(), "dog");
            let given = counted(setup.total_dogs(), "dog");
            return fail("hand", format!("{given} on the board, in hand and captured, expected {expected}"));
        }
        if setup.leopards_in_hand > 0 && setup.captured > 0 {
            return fail(
                "captured",
                "no dog is captured before the last leopard has entered: expected 0".to_owned(),
            );
        }
        Ok(Position::from_setup(self, setup))
    }
}

/// The least number of dogs that can trap `leopards` leopards, over all their placements.
///
/// A placement is trapped when every neighbour of a leopard is occupied and so is every point behind a
/// neighbour that holds a dog; the dogs this takes are forced one by one, so that no search is needed.
fn least_dogs_to_trap(board: &Board, leopards: usize) -> u8 {
    fn extend(board: &Board, placed: PointSet, from: usize, left: usize) -> u32 {
        if left == 0 {
            return dogs_to_trap(board, placed).len();
        }
        (from..=board.point_count() - left)
            .filter_map(|i| Point::new(i).map(|p| extend(board, placed.with(p), i + 1, left - 1)))
            .min()
            .unwrap_or(u32::MAX)
    }
    extend(board, PointSet::EMPTY, 0, leopards) as u8
}

/// The points that dogs must hold, at the least, to trap leopards on `leopards`.
fn dogs_to_trap(board: &Board, leopards: PointSet) -> PointSet {
    let reach = board.beside(leopards);
    let next_to = reach - leopards;
    let behind = leopards
        .into_iter()
        .flat_map(|p| board.jumps(p))
        .filter(|jump| next_to.contains(jump.over))
        .map(|jump| jump.to)
        .collect::<PointSet>();
    next_to | (behind - leopards)
}
