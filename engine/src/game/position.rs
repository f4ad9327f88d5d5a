//! A position and what a move makes of it.

use super::moves::{Move, MoveKind};
use super::outcome::Reason;
use super::point::{MAX_POINTS, Point, PointSet};
use super::rules::Rules;
use super::side::Side;
use super::zobrist::Keys;

/// A position of a game: the pieces on the board and in hand, the side to move, and the two counters.
///
/// Small (40 bytes) and copied for each move: [`after`](Self::after) gives the next position and there is
/// no unmake, which took 1.2 to 1.5 times as long when both were tried. What a position means depends on the [`Rules`] it is played by; a position is only ever made
/// by the same rules it is later asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    key: u64,
    mirrored_key: u64,
    dogs: PointSet,
    leopards: PointSet,
    quiet: u16,
    dogs_in_hand: u8,
    leopards_in_hand: u8,
    captured: u8,
    side: Side,
}

/// The parts of a position, not yet checked against any rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setup {
    /// Points with a dog.
    pub dogs: PointSet,
    /// Points with a leopard.
    pub leopards: PointSet,
    /// Who moves.
    pub side: Side,
    /// Dogs yet to be dropped.
    pub dogs_in_hand: u8,
    /// Leopards yet to enter.
    pub leopards_in_hand: u8,
    /// Dogs captured so far.
    pub captured: u8,
    /// Plies since the last drop, entry or capture.
    pub quiet: u16,
}

impl Setup {
    /// Dogs of the game: on the board, in hand and captured.
    pub fn total_dogs(&self) -> usize {
        self.dogs.len() as usize + usize::from(self.dogs_in_hand) + usize::from(self.captured)
    }

    /// Leopards of the game: on the board and in hand.
    pub fn total_leopards(&self) -> usize {
        self.leopards.len() as usize + usize::from(self.leopards_in_hand)
    }
}

impl Position {
    /// The position with these parts, which the caller has checked: see
    /// [`Rules::check`](super::rules::Rules::check).
    pub(super) fn from_setup(rules: &Rules, setup: &Setup) -> Self {
        let mut position = Self {
            key: 0,
            mirrored_key: 0,
            dogs: setup.dogs,
            leopards: setup.leopards,
            quiet: setup.quiet,
            dogs_in_hand: setup.dogs_in_hand,
            leopards_in_hand: setup.leopards_in_hand,
            captured: setup.captured,
            side: setup.side,
        };
        position.key = position.key_from_scratch();
        let mirrored = rules.mirrored_keys();
        position.mirrored_key = position.key_of(&mirrored.dog, &mirrored.leopard);
        position
    }

    /// The parts of the position.
    pub fn setup(&self) -> Setup {
        Setup {
            dogs: self.dogs,
            leopards: self.leopards,
            side: self.side,
            dogs_in_hand: self.dogs_in_hand,
            leopards_in_hand: self.leopards_in_hand,
            captured: self.captured,
            quiet: self.quiet,
        }
    }

    /// Points with a dog.
    #[inline]
    pub fn dogs(&self) -> PointSet {
        self.dogs
    }

    /// Points with a leopard.
    #[inline]
    pub fn leopards(&self) -> PointSet {
        self.leopards
    }

    /// Points with a piece.
    #[inline]
    pub fn occupied(&self) -> PointSet {
        self.dogs | self.leopards
    }

    /// Points without a piece.
    #[inline]
    pub fn vacant(&self, rules: &Rules) -> PointSet {
        rules.board().points() - self.occupied()
    }

    /// Who moves.
    #[inline]
    pub fn side_to_move(&self) -> Side {
        self.side
    }

    /// Dogs yet to be dropped.
    #[inline]
    pub fn dogs_in_hand(&self) -> u8 {
        self.dogs_in_hand
    }

    /// Leopards yet to enter.
    #[inline]
    pub fn leopards_in_hand(&self) -> u8 {
        self.leopards_in_hand
    }

    /// Dogs captured so far.
    #[inline]
    pub fn captured(&self) -> u8 {
        self.captured
    }

    /// Plies since the last drop, entry or capture.
    #[inline]
    pub fn quiet(&self) -> u16 {
        self.quiet
    }

    /// A 64-bit key of points, side, hands and captures: the same however the position came about, and
    /// whatever the count of quiet plies. Positions with equal keys count as repetitions of each other.
    #[inline]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// The key of the mirror image, left to right; that of the position itself where the board is not symmetric.
    #[inline]
    pub fn mirrored_key(&self) -> u64 {
        self.mirrored_key
    }

    /// A key that a position shares with its mirror image, whose game is the same.
    #[inline]
    pub fn symmetric_key(&self) -> u64 {
        self.key.min(self.mirrored_key)
    }

    /// Of a position and its mirror image just one is turned round: what is kept for both is kept as the other has it.
    #[inline]
    pub fn is_turned_round(&self) -> bool {
        self.mirrored_key < self.key
    }

    /// The key worked out anew: what [`key`](Self::key) must equal.
    pub fn key_from_scratch(&self) -> u64 {
        let keys = Keys::get();
        self.key_of(&keys.dog, &keys.leopard)
    }

    /// The key by the numbers of the pieces.
    fn key_of(&self, dog_keys: &[u64; MAX_POINTS], leopard_keys: &[u64; MAX_POINTS]) -> u64 {
        let keys = Keys::get();
        let pieces =
            |set: PointSet, keys: &[u64]| set.into_iter().fold(0, |key, p: Point| key ^ keys[p.index()]);
        pieces(self.dogs, dog_keys)
            ^ pieces(self.leopards, leopard_keys)
            ^ keys.dogs_in_hand[usize::from(self.dogs_in_hand)]
            ^ keys.leopards_in_hand[usize::from(self.leopards_in_hand)]
            ^ keys.captured[usize::from(self.captured)]
            ^ if self.side == Side::Leopards { keys.leopards_to_move } else { 0 }
    }

    /// The position after a legal move.
    ///
    /// Debug builds check that the move can be made at all; legality is up to the caller (see
    /// [`legal_moves`](Self::legal_moves) and [`is_legal`](Self::is_legal)).
    #[inline]
    #[must_use]
    pub fn after(&self, rules: &Rules, mv: Move) -> Self {
        let mut next = *self;
        next.side = !self.side;
        let own = match self.side {
            Side::Dogs => &mut next.dogs,
            Side::Leopards => &mut next.leopards,
        };
        let to = mv.to();
        debug_assert!(!self.occupied().contains(to), "{mv:?} onto a piece");
        *own = own.with(to);
        match mv.kind() {
            MoveKind::Drop { .. } => {
                let hand = match self.side {
                    Side::Dogs => &mut next.dogs_in_hand,
                    Side::Leopards => &mut next.leopards_in_hand,
                };
                debug_assert!(*hand > 0, "{mv:?} from an empty hand");
                *hand -= 1;
                next.quiet = 0;
            }
            MoveKind::Step { from, .. } => {
                debug_assert!(own.contains(from), "{mv:?} of no piece");
                *own = own.without(from);
                next.quiet = self.quiet.saturating_add(1);
            }
            MoveKind::Leap { from, over, .. } => {
                debug_assert!(own.contains(from) && self.dogs.contains(over), "{mv:?} takes nothing");
                *own = own.without(from);
                next.dogs = next.dogs.without(over);
                next.captured += 1;
                next.quiet = 0;
            }
        }
        (next.key, next.mirrored_key) = self.keys_after(rules, mv);
        next
    }

    /// The [`symmetric_key`](Self::symmetric_key) of the position after a legal move, without making it.
    #[inline]
    pub fn symmetric_key_after(&self, rules: &Rules, mv: Move) -> u64 {
        let (key, mirrored) = self.keys_after(rules, mv);
        key.min(mirrored)
    }

    /// The keys of the position after a legal move and of its mirror image.
    #[inline]
    fn keys_after(&self, rules: &Rules, mv: Move) -> (u64, u64) {
        let (keys, mirrored) = (rules.keys(), rules.mirrored_keys());
        let (own, mirrored_own, hand_keys, hand) = match self.side {
            Side::Dogs => (&keys.dog, &mirrored.dog, &keys.dogs_in_hand[..], self.dogs_in_hand),
            Side::Leopards => {
                (&keys.leopard, &mirrored.leopard, &keys.leopards_in_hand[..], self.leopards_in_hand)
            }
        };
        let to = mv.to().index();
        // What changes alike, what changes in the key, and what in that of the image.
        let (both, one, other) = match mv.kind() {
            MoveKind::Drop { .. } => {
                let hand = usize::from(hand);
                (hand_keys[hand] ^ hand_keys[hand.saturating_sub(1)], 0, 0)
            }
            MoveKind::Step { from, .. } => (0, own[from.index()], mirrored_own[from.index()]),
            MoveKind::Leap { from, over, .. } => {
                let captured = usize::from(self.captured);
                let (from, over) = (from.index(), over.index());
                (
                    keys.captured[captured] ^ keys.captured[captured + 1],
                    own[from] ^ keys.dog[over],
                    mirrored_own[from] ^ mirrored.dog[over],
                )
            }
        };
        let both = both ^ keys.leopards_to_move;
        (self.key ^ both ^ one ^ own[to], self.mirrored_key ^ both ^ other ^ mirrored_own[to])
    }

    /// Whether the Leopards have captured enough dogs.
    #[inline]
    pub fn is_won_by_captures(&self, rules: &Rules) -> bool {
        self.captured >= rules.captures_to_win()
    }

    /// How the game stands ended by this position alone; `None` while it goes on.
    ///
    /// Repetition depends on the game before: see [`Game`](super::Game). A win comes before a draw by
    /// quiet plies on the same move.
    pub fn outcome(&self, rules: &Rules) -> Option<Reason> {
        if self.is_won_by_captures(rules) {
            Some(Reason::Captures)
        } else if !self.has_moves(rules) {
            Some(match self.side {
                Side::Dogs => Reason::Stuck,
                Side::Leopards => Reason::Trapped,
            })
        } else if rules.quiet_limit() != 0 && self.quiet >= rules.quiet_limit() {
            Some(Reason::Quiet)
        } else {
            None
        }
    }

    /// The position mirrored left to right; `None` where the board is not symmetric.
    pub fn mirrored(&self, rules: &Rules) -> Option<Self> {
        let board = rules.board();
        let (dogs, leopards) = (board.mirrored_set(self.dogs)?, board.mirrored_set(self.leopards)?);
        Some(Self::from_setup(rules, &Setup { dogs, leopards, ..self.setup() }))
    }
}
