//! Kernels on vectors of bits, a word 64 positions.
//!
//! All of them add to `out` the positions that have a successor in `from`; that no successor is in a set is
//! the same question about its complement. They are inlined, so that [`super::simd`] can build them anew for
//! wide vectors.
#![allow(clippy::inline_always)]

use super::index::UNIT_BITS;
use super::plan::{UnitMap, bit_mask};

/// Words of a group: the unit of the steps between high index bits.
const LANES: usize = 8;
type Group = [u64; LANES];

/// Adds the positions with a leopard move of this kind into the source set, or with `invert` of all ones
/// into its complement.
pub(super) fn add_leopard_moves(out: &mut [u64], source: &[u64], map: &UnitMap, invert: u64) {
    let run = 1usize << map.run_bits;
    let (shuffle, mask) = (&map.shuffle, map.mask);
    let swaps = &shuffle.swaps[..shuffle.swap_count];
    let finish = |mut word: u64| {
        for &(shift, select) in swaps {
            let differ = (word >> shift ^ word) & select;
            word ^= differ ^ differ << shift;
        }
        (word & mask >> shuffle.raise) << shuffle.raise & mask
    };
    match map.second {
        None if map.keeps_lanes() => add_leopard_moves_in_place(out, source, map, invert),
        None => map.each_run(|to, from, variant| {
            let shift = if variant == 0 { 0 } else { shuffle.gap_shift };
            for (out, word) in out[to..to + run].iter_mut().zip(&source[from..from + run]) {
                *out |= finish((word ^ invert) >> shift);
            }
        }),
        Some(second) => map.each_run(|to, from, variant| {
            let shift = if variant == 0 { 0 } else { shuffle.gap_shift };
            let other = from + second as usize;
            let words = source[from..from + run].iter().zip(&source[other..other + run]);
            for (out, (first, second)) in out[to..to + run].iter_mut().zip(words) {
                let first = (first ^ invert) >> shift & shuffle.gap_clear;
                let second = (second ^ invert) >> shift & shuffle.gap_clear;
                *out |= finish(first | second << shuffle.gap_shift);
            }
        }),
    }
}

/// The same for moves that keep the positions of a unit where they are.
#[inline(always)]
pub(super) fn add_leopard_moves_in_place(out: &mut [u64], source: &[u64], map: &UnitMap, invert: u64) {
    let run = 1usize << map.run_bits;
    map.each_run(|to, from, _| {
        for (out, word) in out[to..to + run].iter_mut().zip(&source[from..from + run]) {
            *out |= (word ^ invert) & map.mask;
        }
    });
}

/// Adds the positions with a dog step into the set `from`; `steps` are pairs of index bits, the lower first.
#[inline(always)]
pub(super) fn add_dog_steps(out: &mut [u64], from: &[u64], steps: &[(usize, usize)]) {
    let (out, _) = out.as_chunks_mut::<LANES>();
    let (from, _) = from.as_chunks::<LANES>();
    for &(low, high) in steps {
        match (low.checked_sub(UNIT_BITS), high.checked_sub(UNIT_BITS + 3)) {
            (None, Some(high)) => pairs_apart(out, from, high, |below, above, (a, b)| {
                let shift = 1 << low;
                for lane in 0..LANES {
                    below[lane] |= b[lane] << shift & bit_mask(low);
                    above[lane] |= a[lane] >> shift & !bit_mask(low);
                }
            }),
            (Some(0), Some(high)) => pairs_apart(out, from, high, swap_lanes::<1>),
            (Some(1), Some(high)) => pairs_apart(out, from, high, swap_lanes::<2>),
            (Some(2), Some(high)) => pairs_apart(out, from, high, swap_lanes::<4>),
            (Some(_), Some(high)) => high_steps(out, from, low - UNIT_BITS - 3, high),
            (_, None) => within_groups(out, from, low, high),
        }
    }
}

/// Calls `step` with each two groups that differ in one bit of their numbers.
#[inline(always)]
fn pairs_apart(
    out: &mut [Group],
    from: &[Group],
    bit: usize,
    step: impl Fn(&mut Group, &mut Group, (&Group, &Group)),
) {
    let half = 1 << bit;
    for (out, from) in out.chunks_exact_mut(2 * half).zip(from.chunks_exact(2 * half)) {
        let (below, above) = out.split_at_mut(half);
        let (from_below, from_above) = from.split_at(half);
        let out = below.iter_mut().zip(above);
        for ((below, above), from) in out.zip(from_below.iter().zip(from_above)) {
            step(below, above, from);
        }
    }
}

/// A step between the index bit that chooses lanes `LANE` apart and one that chooses groups.
#[inline(always)]
fn swap_lanes<const LANE: usize>(below: &mut Group, above: &mut Group, (a, b): (&Group, &Group)) {
    for lane in 0..LANES {
        below[lane] |= if lane & LANE != 0 { b[lane ^ LANE] } else { 0 };
        above[lane] |= if lane & LANE == 0 { a[lane ^ LANE] } else { 0 };
    }
}

/// A step between two bits of the number of a group.
#[inline(always)]
fn high_steps(out: &mut [Group], from: &[Group], low: usize, high: usize) {
    let (low, high) = (1 << low, 1 << high);
    for (out, from) in out.chunks_exact_mut(2 * high).zip(from.chunks_exact(2 * high)) {
        let (below, above) = out.split_at_mut(high);
        let (from_below, from_above) = from.split_at(high);
        // The lower bit is set here and clear there, then the other way round.
        let below = below.chunks_exact_mut(2 * low).zip(from_above.chunks_exact(2 * low));
        for (out, from) in below {
            or_groups(&mut out[low..], &from[..low]);
        }
        let above = above.chunks_exact_mut(2 * low).zip(from_below.chunks_exact(2 * low));
        for (out, from) in above {
            or_groups(&mut out[..low], &from[low..]);
        }
    }
}

#[inline(always)]
fn or_groups(out: &mut [Group], from: &[Group]) {
    for (out, from) in out.iter_mut().zip(from) {
        for lane in 0..LANES {
            out[lane] |= from[lane];
        }
    }
}

/// A step between two of the lowest nine index bits: rare, as the order of points avoids it.
fn within_groups(out: &mut [Group], from: &[Group], low: usize, high: usize) {
    for (out, from) in out.iter_mut().zip(from) {
        for (lane, out) in out.iter_mut().enumerate() {
            // The lane of the positions on the other side of the step.
            let across = |bit: usize| if bit < UNIT_BITS { 0 } else { 1 << (bit - UNIT_BITS) };
            if high < UNIT_BITS {
                let shift = (1u32 << high) - (1 << low);
                *out |= (from[lane] & bit_mask(low) & !bit_mask(high)) << shift
                    | (from[lane] & bit_mask(high) & !bit_mask(low)) >> shift;
            } else if low < UNIT_BITS {
                let other = from[lane ^ across(high)];
                *out |= if lane & across(high) == 0 {
                    other << (1 << low) & bit_mask(low)
                } else {
                    other >> (1 << low) & !bit_mask(low)
                };
            } else if (lane & across(low) == 0) != (lane & across(high) == 0) {
                *out |= from[lane ^ across(low) ^ across(high)];
            }
        }
    }
}
