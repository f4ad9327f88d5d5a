//! Wide vectors where the processor has them: the only unsafe code of the tables.
//!
//! Each kernel here does what the portable one of the same name does (see [`super::bits`] and
//! [`super::bytes`]); tests hold them together. They need AVX-512 with byte permutations (VBMI) and bit
//! gathers (BITALG), found at run time: positions of a unit change places in one instruction each, which
//! portable code does lane by lane.
#![allow(unsafe_code)]

use super::plan::UnitMap;

/// What the processor can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wide(bool);

impl Wide {
    /// Asks the processor.
    pub(super) fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            Self(
                std::arch::is_x86_feature_detected!("avx512f")
                    && std::arch::is_x86_feature_detected!("avx512bw")
                    && std::arch::is_x86_feature_detected!("avx512vl")
                    && std::arch::is_x86_feature_detected!("avx512vbmi")
                    && std::arch::is_x86_feature_detected!("avx512bitalg")
                    && std::arch::is_x86_feature_detected!("popcnt"),
            )
        }
        #[cfg(not(target_arch = "x86_64"))]
        Self(false)
    }

    /// Portable code only.
    #[cfg(test)]
    pub(super) const PORTABLE: Self = Self(false);

    /// See [`super::bits::add_leopard_moves`].
    pub(super) fn add_leopard_moves(self, out: &mut [u64], source: &[u64], map: &UnitMap, invert: u64) {
        #[cfg(target_arch = "x86_64")]
        if self.0 {
            // SAFETY: only `detect` sets the flag, and it found every feature the function is built with.
            return unsafe { x86::add_leopard_moves(out, source, map, invert) };
        }
        super::bits::add_leopard_moves(out, source, map, invert);
    }

    /// See [`super::bits::add_dog_steps`].
    pub(super) fn add_dog_steps(self, out: &mut [u64], from: &[u64], steps: &[(usize, usize)]) {
        #[cfg(target_arch = "x86_64")]
        if self.0 {
            // SAFETY: as above.
            return unsafe { x86::add_dog_steps(out, from, steps) };
        }
        super::bits::add_dog_steps(out, from, steps);
    }

    /// See [`super::bytes::lower_by_leopard_moves`].
    pub(super) fn lower_by_leopard_moves(self, out: &mut [u8], source: &[u8], map: &UnitMap, most: u32) {
        #[cfg(target_arch = "x86_64")]
        if self.0 {
            // SAFETY: as above.
            return unsafe { x86::lower_by_leopard_moves(out, source, map, most) };
        }
        super::bytes::lower_by_leopard_moves(out, source, map, most);
    }

    /// See [`super::bytes::drop_dogs`].
    pub(super) fn drop_dogs(self, out: &mut [u8], from: &[u8], bits: usize, most: u32) -> bool {
        #[cfg(target_arch = "x86_64")]
        if self.0 {
            // SAFETY: as above.
            return unsafe { x86::drop_dogs(out, from, bits, most) };
        }
        super::bytes::drop_dogs(out, from, bits, most)
    }

    /// See [`super::bytes::mark`].
    pub(super) fn mark(self, scores: &mut [u8], bits: &[u64], score: u8) {
        #[cfg(target_arch = "x86_64")]
        if self.0 {
            // SAFETY: as above.
            return unsafe { x86::mark(scores, bits, score) };
        }
        super::bytes::mark(scores, bits, score);
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::super::index::UNIT;
    use super::super::plan::UnitMap;
    use super::super::{bits, bytes};
    use std::arch::x86_64::{
        __m512i, _mm512_bitshuffle_epi64_mask, _mm512_loadu_si512, _mm512_mask_min_epu8,
        _mm512_mask_storeu_epi8, _mm512_permutex2var_epi8, _mm512_permutexvar_epi8, _mm512_set1_epi8,
        _mm512_set1_epi64, _mm512_storeu_si512,
    };

    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512bitalg,popcnt")]
    fn load(unit: &[u8; UNIT]) -> __m512i {
        // SAFETY: reads the 64 bytes of the reference; no alignment is asked for.
        unsafe { _mm512_loadu_si512(unit.as_ptr().cast()) }
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512bitalg,popcnt")]
    fn store(unit: &mut [u8; UNIT], value: __m512i) {
        // SAFETY: writes the 64 bytes of the reference; no alignment is asked for.
        unsafe { _mm512_storeu_si512(unit.as_mut_ptr().cast(), value) }
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512bitalg,popcnt")]
    pub(super) fn add_leopard_moves(out: &mut [u64], source: &[u64], map: &UnitMap, invert: u64) {
        let run = 1usize << map.run_bits;
        let mask = map.mask;
        if map.keeps_lanes() {
            bits::add_leopard_moves_in_place(out, source, map, invert);
            return;
        }
        let lanes = [load(&map.lanes[0]), load(&map.lanes[1])];
        if let Some(second) = map.second {
            let from_second = map.from_second;
            map.each_run(|to, from, variant| {
                let other = from + second as usize;
                let words = source[from..from + run].iter().zip(&source[other..other + run]);
                for (out, (&first, &second)) in out[to..to + run].iter_mut().zip(words) {
                    let gather = |word: u64| {
                        _mm512_bitshuffle_epi64_mask(_mm512_set1_epi64(word as i64), lanes[variant])
                    };
                    let word = (gather(first) & !from_second) | (gather(second) & from_second);
                    *out |= (word ^ invert) & mask;
                }
            });
        } else {
            map.each_run(|to, from, variant| {
                for (out, &word) in out[to..to + run].iter_mut().zip(&source[from..from + run]) {
                    let word = _mm512_bitshuffle_epi64_mask(_mm512_set1_epi64(word as i64), lanes[variant]);
                    *out |= (word ^ invert) & mask;
                }
            });
        }
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512bitalg,popcnt")]
    pub(super) fn add_dog_steps(out: &mut [u64], from: &[u64], steps: &[(usize, usize)]) {
        bits::add_dog_steps(out, from, steps);
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512bitalg,popcnt")]
    pub(super) fn lower_by_leopard_moves(out: &mut [u8], source: &[u8], map: &UnitMap, most: u32) {
        let (out, _) = out.as_chunks_mut::<UNIT>();
        let (source, _) = source.as_chunks::<UNIT>();
        let run = 1usize << map.run_bits;
        let mask = map.mask;
        let lanes = [load(&map.lanes[0]), load(&map.lanes[1])];
        let second = map.second.map_or(0, |second| second as usize);
        let keeps_lanes = map.keeps_lanes();
        map.each_run(|to, from, variant| {
            if to.count_ones() > most {
                return;
            }
            let out = &mut out[to..to + run];
            let first = &source[from..from + run];
            if keeps_lanes {
                for (out, first) in out.iter_mut().zip(first) {
                    let before = load(out);
                    store(out, _mm512_mask_min_epu8(before, mask, before, load(first)));
                }
            } else if second == 0 {
                for (out, first) in out.iter_mut().zip(first) {
                    let (before, found) = (load(out), _mm512_permutexvar_epi8(lanes[variant], load(first)));
                    store(out, _mm512_mask_min_epu8(before, mask, before, found));
                }
            } else {
                let other = &source[from + second..from + second + run];
                for (out, (first, other)) in out.iter_mut().zip(first.iter().zip(other)) {
                    let before = load(out);
                    let found = _mm512_permutex2var_epi8(load(first), lanes[variant], load(other));
                    store(out, _mm512_mask_min_epu8(before, mask, before, found));
                }
            }
        });
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512bitalg,popcnt")]
    pub(super) fn drop_dogs(out: &mut [u8], from: &[u8], index_bits: usize, most: u32) -> bool {
        bytes::drop_dogs(out, from, index_bits, most)
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512bitalg,popcnt")]
    pub(super) fn mark(scores: &mut [u8], bits: &[u64], score: u8) {
        let score = _mm512_set1_epi8(score as i8);
        let (units, _) = scores.as_chunks_mut::<UNIT>();
        for (unit, &word) in units.iter_mut().zip(bits) {
            if word != 0 {
                // SAFETY: writes at most the 64 bytes of the reference, those the mask names.
                unsafe { _mm512_mask_storeu_epi8(unit.as_mut_ptr().cast(), word, score) };
            }
        }
    }
}
