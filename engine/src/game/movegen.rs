//! Legal moves, by bit sets and jump tables.

use super::board::Board;
use super::moves::{Move, MoveKind};
use super::point::PointSet;
use super::position::Position;
use super::rules::Rules;
use super::side::Side;
use arrayvec::ArrayVec;

/// The most moves a position can have: dogs and vacant points share at most 32 points, and each pair names
/// at most one step.
pub const MAX_MOVES: usize = 256;

/// How many ways the leopards on the board have, whoever is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LeopardWays {
    /// To a vacant neighbour.
    pub(super) steps: u32,
    /// Over a dog to a vacant point.
    pub(super) leaps: u32,
    /// Over a vacant point to a vacant point: leaps, were there a dog between.
    pub(super) leaps_to_be: u32,
}

/// A list of moves, without allocation.
pub type MoveList = ArrayVec<Move, MAX_MOVES>;

/// Calls `visit` with each leap of the leopards.
#[inline]
fn each_leap(
    board: &Board,
    leopards: PointSet,
    dogs: PointSet,
    vacant: PointSet,
    mut visit: impl FnMut(Move),
) {
    for from in leopards {
        for jump in board.jumps(from) {
            if dogs.contains(jump.over) && vacant.contains(jump.to) {
                visit(Move::leap(from, jump.over, jump.to));
            }
        }
    }
}

/// Calls `visit` with each step of the pieces.
#[inline]
fn each_step(board: &Board, pieces: PointSet, vacant: PointSet, mut visit: impl FnMut(Move)) {
    for from in pieces {
        for to in board.neighbours(from) & vacant {
            visit(Move::step(from, to));
        }
    }
}

impl Position {
    /// Whether the side to move puts a piece from its hand (and may do nothing else).
    #[inline]
    pub fn is_dropping(&self) -> bool {
        match self.side_to_move() {
            Side::Dogs => self.dogs_in_hand() > 0,
            Side::Leopards => self.leopards_in_hand() > 0,
        }
    }

    /// Calls `visit` with each move of the side to move, captures first, ended game or not.
    #[inline]
    pub(super) fn each_move(&self, rules: &Rules, mut visit: impl FnMut(Move)) {
        let (board, vacant) = (rules.board(), self.vacant(rules));
        if self.is_dropping() {
            vacant.into_iter().for_each(|to| visit(Move::drop(to)));
        } else if self.side_to_move() == Side::Dogs {
            each_step(board, self.dogs(), vacant, visit);
        } else {
            each_leap(board, self.leopards(), self.dogs(), vacant, &mut visit);
            each_step(board, self.leopards(), vacant, visit);
        }
    }

    /// The legal moves, captures first; none once the Leopards have captured enough.
    ///
    /// A game drawn by repetition or quiet plies is no matter of a position's moves: they are listed.
    #[inline]
    pub fn legal_moves(&self, rules: &Rules) -> MoveList {
        let mut moves = MoveList::new();
        self.list_moves(rules, &mut moves);
        moves
    }

    /// The same, behind what is in a list already.
    #[inline]
    pub fn list_moves(&self, rules: &Rules, moves: &mut MoveList) {
        if !self.is_won_by_captures(rules) {
            self.each_move(rules, |mv| moves.push(mv));
        }
    }

    /// The captures among the legal moves.
    #[inline]
    pub fn captures(&self, rules: &Rules) -> MoveList {
        let mut moves = MoveList::new();
        if self.can_leap(rules) {
            self.each_threat(rules, |mv| moves.push(mv));
        }
        moves
    }

    /// Calls `visit` with each leap the leopards could make now, had they the move.
    #[inline]
    pub(crate) fn each_threat(&self, rules: &Rules, visit: impl FnMut(Move)) {
        each_leap(rules.board(), self.leopards(), self.dogs(), self.vacant(rules), visit);
    }

    /// Whether the rules let a leopard move now, wherever it stands.
    fn can_leap(&self, rules: &Rules) -> bool {
        self.side_to_move() == Side::Leopards && !self.is_dropping() && !self.is_won_by_captures(rules)
    }

    /// Number of moves of the side to move, ended game or not.
    #[inline]
    pub(super) fn move_count(&self, rules: &Rules) -> u32 {
        let (board, vacant) = (rules.board(), self.vacant(rules));
        if self.is_dropping() {
            return vacant.len();
        }
        let steps = |pieces: PointSet| -> u32 {
            pieces.into_iter().map(|from| (board.neighbours(from) & vacant).len()).sum()
        };
        match self.side_to_move() {
            Side::Dogs => steps(self.dogs()),
            Side::Leopards => steps(self.leopards()) + self.leap_count(rules),
        }
    }

    /// The ways of the leopards on the board.
    #[inline]
    pub(super) fn leopard_ways(&self, rules: &Rules) -> LeopardWays {
        let (board, vacant, dogs) = (rules.board(), self.vacant(rules), self.dogs());
        let mut ways = LeopardWays { steps: 0, leaps: 0, leaps_to_be: 0 };
        for from in self.leopards() {
            ways.steps += (board.neighbours(from) & vacant).len();
            for jump in board.jumps(from) {
                let is_open = vacant.contains(jump.to);
                ways.leaps += u32::from(is_open & dogs.contains(jump.over));
                ways.leaps_to_be += u32::from(is_open & vacant.contains(jump.over));
            }
        }
        ways
    }

    /// Number of captures the leopards on the board threaten or can make, whoever is to move.
    #[inline]
    pub fn leap_count(&self, rules: &Rules) -> u32 {
        let (board, vacant, dogs) = (rules.board(), self.vacant(rules), self.dogs());
        let mut count = 0;
        for from in self.leopards() {
            for jump in board.jumps(from) {
                count += u32::from(dogs.contains(jump.over) & vacant.contains(jump.to));
            }
        }
        count
    }

    /// Whether the side to move has a move, captured dogs aside.
    #[inline]
    pub fn has_moves(&self, rules: &Rules) -> bool {
        let (board, vacant) = (rules.board(), self.vacant(rules));
        if self.is_dropping() {
            return !vacant.is_empty();
        }
        let steps = |pieces: PointSet| pieces.into_iter().any(|from| board.neighbours(from).meets(vacant));
        match self.side_to_move() {
            Side::Dogs => steps(self.dogs()),
            Side::Leopards => steps(self.leopards()) || self.leap_count(rules) > 0,
        }
    }

    /// Whether a move, from wherever, is legal here: the same as being in
    /// [`legal_moves`](Self::legal_moves), without listing them.
    pub fn is_legal(&self, rules: &Rules, mv: Move) -> bool {
        let (board, vacant) = (rules.board(), self.vacant(rules));
        if self.is_won_by_captures(rules) || !vacant.contains(mv.to()) {
            return false;
        }
        let own = match self.side_to_move() {
            Side::Dogs => self.dogs(),
            Side::Leopards => self.leopards(),
        };
        match mv.kind() {
            MoveKind::Drop { to } => self.is_dropping() && mv == Move::drop(to),
            MoveKind::Step { from, to } => {
                !self.is_dropping()
                    && own.contains(from)
                    && board.neighbours(from).contains(to)
                    && mv == Move::step(from, to)
            }
            MoveKind::Leap { from, over, to } => {
                self.can_leap(rules)
                    && own.contains(from)
                    && self.dogs().contains(over)
                    && board.jumps(from).iter().any(|jump| jump.over == over && jump.to == to)
            }
        }
    }
}
