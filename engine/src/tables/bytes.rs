//! Kernels on vectors of scores, a byte a position, a unit 64 bytes.

use super::index::{UNIT, UNIT_BITS};
use super::plan::{UnitMap, bit_mask};
use super::score::{DRAW, MAX_ROUNDS};

type Unit = [u8; UNIT];

/// Lowers `out` to the scores that leopard moves of this kind lead to. Units whose number has more than
/// `most` bits set may be left alone.
pub(super) fn lower_by_leopard_moves(out: &mut [u8], source: &[u8], map: &UnitMap, most: u32) {
    let (out, _) = out.as_chunks_mut::<UNIT>();
    let (source, _) = source.as_chunks::<UNIT>();
    let run = 1usize << map.run_bits;
    let keeps_lanes = map.keeps_lanes() && map.mask == !0;
    map.each_run(|to, from, variant| {
        if to.count_ones() > most {
            return;
        }
        if keeps_lanes {
            for (out, from) in out[to..to + run].iter_mut().zip(&source[from..from + run]) {
                for lane in 0..UNIT {
                    out[lane] = out[lane].min(from[lane]);
                }
            }
            return;
        }
        let lanes = &map.lanes[variant];
        let second = map.second.map_or(0, |second| second as usize);
        for i in 0..run {
            let (first, second) = (&source[from + i], &source[from + i + second]);
            for (out, &lane) in out[to + i].iter_mut().zip(lanes) {
                let score = match lane {
                    0..64 => first[usize::from(lane)],
                    64..128 => second[usize::from(lane) - UNIT],
                    _ => u8::MAX,
                };
                *out = (*out).min(score);
            }
        }
    });
}

/// What the scores of Leopards' turns make of the Dogs' turns with one dog more in hand: the greatest score
/// over the vacant points, one step nearer to a draw. `from` has a unit more than `out` at its end, of any
/// content. Index bits from `bits` on are no points. Units whose number has more than `most` bits set may be
/// left alone.
///
/// Gives whether a distance no longer fits.
#[inline(always)]
#[allow(clippy::inline_always)] // built anew for wide vectors
pub(super) fn drop_dogs(out: &mut [u8], from: &[u8], bits: usize, most: u32) -> bool {
    let (out, _) = out.as_chunks_mut::<UNIT>();
    let (low, high) = (bits.min(UNIT_BITS), bits.saturating_sub(UNIT_BITS));
    let mut overflow = 0;
    for (number, out) in out.iter_mut().enumerate() {
        if number.count_ones() > most {
            continue;
        }
        let mut best: Unit = [0; UNIT];
        let at = number * UNIT;
        for bit in 0..low {
            // The same positions with the bit set are `1 << bit` further on; others must not count.
            let next = &from[at + (1 << bit)..at + (1 << bit) + UNIT];
            for (lane, (best, &next)) in best.iter_mut().zip(next).enumerate() {
                let counts = if lane >> bit & 1 == 0 { u8::MAX } else { 0 };
                *best = (*best).max(next & counts);
            }
        }
        for bit in (0..high).filter(|bit| number >> bit & 1 == 0) {
            let at = (number | 1 << bit) * UNIT;
            for (best, &next) in best.iter_mut().zip(&from[at..at + UNIT]) {
                *best = (*best).max(next);
            }
        }
        for (out, &best) in out.iter_mut().zip(&best) {
            overflow |= u8::from(best == MAX_ROUNDS) | u8::from(best == DRAW + 1);
            *out = best + u8::from(best < DRAW) - u8::from(best > DRAW);
        }
    }
    overflow != 0
}

/// Sets the scores of the positions with fewer than `least` dogs on the board.
pub(super) fn fill_fewer(scores: &mut [u8], least: u32, score: u8) {
    let (units, _) = scores.as_chunks_mut::<UNIT>();
    let fewer: [u64; 8] = std::array::from_fn(|n| lanes_with_fewer(n as u32));
    for (number, unit) in units.iter_mut().enumerate() {
        let above = number.count_ones();
        if above < least {
            let fewer = fewer[(least - above).min(7) as usize];
            for (lane, entry) in unit.iter_mut().enumerate() {
                if fewer >> lane & 1 == 1 {
                    *entry = score;
                }
            }
        }
    }
}

/// The positions of a unit with fewer than `count` of their lowest six index bits set.
pub(super) fn lanes_with_fewer(count: u32) -> u64 {
    let mut counts = [0u64; 3];
    for bit in 0..UNIT_BITS {
        // A counter of three bits for each position.
        let mut carry = bit_mask(bit);
        for digit in &mut counts {
            let next = *digit & carry;
            *digit ^= carry;
            carry = next;
        }
    }
    (0..count.min(8)).fold(0, |lanes, n| {
        let equal = (0..3).fold(!0u64, |equal, digit| {
            equal & if n >> digit & 1 == 1 { counts[digit] } else { !counts[digit] }
        });
        lanes | equal
    })
}

/// Sets the scores at the set bits.
pub(super) fn mark(scores: &mut [u8], bits: &[u64], score: u8) {
    let (units, _) = scores.as_chunks_mut::<UNIT>();
    for (unit, &word) in units.iter_mut().zip(bits) {
        if word != 0 {
            for (lane, entry) in unit.iter_mut().enumerate() {
                *entry = if word >> lane & 1 == 1 { score } else { *entry };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_distance_that_no_longer_fits_is_told() {
        for (score, fits) in [(125, true), (126, false), (127, true), (128, false), (129, true)] {
            let mut out = vec![0; 512];
            let mut from = vec![score; 512 + UNIT];
            assert_eq!(drop_dogs(&mut out, &from, 9, 9), !fits, "{score}");
            // Where nothing is vacant there is no score, whatever stands elsewhere.
            assert_eq!(out[511], 1);
            if fits {
                assert_eq!(out[0], crate::tables::score::before_dogs_move(score).unwrap());
            }
            // One position is enough.
            from.fill(10);
            from[1] = score;
            assert_eq!(drop_dogs(&mut out, &from, 9, 9), !fits, "{score}");
        }
    }

    #[test]
    fn positions_are_counted_by_dogs() {
        for count in 0..9 {
            let lanes =
                (0..64u32).filter(|lane| lane.count_ones() < count).fold(0, |set, lane| set | 1 << lane);
            assert_eq!(lanes_with_fewer(count), lanes);
        }
        let mut scores = vec![9; 1024];
        fill_fewer(&mut scores, 4, 0);
        assert!((0..1024).all(|n: usize| (scores[n] == 0) == (n.count_ones() < 4)));
    }
}
