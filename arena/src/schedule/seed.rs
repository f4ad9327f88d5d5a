//! Seeds for everything that is drawn by lot, from the one seed of a run.

/// What a seed is for: the same number for another purpose gives another seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// The random first plies of a round.
    Opening = 1,
    /// An engine's option `Seed` in one game.
    Engine = 2,
    /// The order of listed openings.
    Order = 3,
}

/// A seed of its own for each purpose and index.
pub const fn derive(seed: u64, purpose: Purpose, index: u64) -> u64 {
    mix(mix(mix(seed) ^ purpose as u64) ^ index)
}

/// One step of `SplitMix64` (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014): a
/// bijection that scatters neighbours.
const fn mix(x: u64) -> u64 {
    let x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mixer_is_splitmix64() {
        // The first two outputs of the reference implementation from state 0.
        assert_eq!(mix(0), 0xe220_a839_7b1d_cdaf);
        assert_eq!(mix(0x9e37_79b9_7f4a_7c15), 0x6e78_9e6a_a1b9_65f4);
    }

    #[test]
    fn seeds_differ_by_run_purpose_and_index() {
        let mut all = Vec::new();
        for seed in 0..10 {
            for index in 0..10 {
                all.extend([Purpose::Opening, Purpose::Engine].map(|purpose| derive(seed, purpose, index)));
            }
        }
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
    }
}
