//! By how many plies less late moves are searched at first.

/// Depths and numbers of moves that are told apart; beyond, they make no difference.
const STEPS: usize = 64;

/// Plies by depth and number of the move.
#[derive(Debug)]
pub(super) struct Reductions(Box<[[u8; STEPS]; STEPS]>);

impl Reductions {
    pub(super) fn new() -> Self {
        let ln = |n: usize| (n.max(1) as f64).ln();
        let plies = |depth, index| (ln(depth) * ln(index) / 2.0) as u8;
        Self(Box::new(std::array::from_fn(|depth| std::array::from_fn(|index| plies(depth, index)))))
    }

    /// The plies for the move with this number, the first being 0, at a depth.
    #[inline]
    pub(super) fn of(&self, depth: i32, index: usize) -> i32 {
        i32::from(self.0[(depth as usize).min(STEPS - 1)][index.min(STEPS - 1)])
    }
}
