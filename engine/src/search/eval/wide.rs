//! The network's score with vectors of 32 bytes (AVX2) or 64 (AVX-512): what [`BoardNetwork`] does portably, which
//! tests hold them to. The compiler left to itself keeps the sum in memory.

use super::super::score::Score;
use super::network::{BoardNetwork, Row, SECOND, UNIT, Upper, WEIGHT_UNIT, WIDTH};
use crate::game::{Position, Rules};

/// What the processor has, from narrow to wide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Vectors {
    Avx2,
    Avx512,
}

impl Vectors {
    pub(super) const ALL: [Self; 2] = [Self::Avx2, Self::Avx512];

    /// The widest vectors of this processor.
    pub(super) fn widest() -> Option<Self> {
        Self::ALL.into_iter().rev().find(|vectors| vectors.is_there())
    }

    /// Whether the processor has them and what comes with them.
    pub(super) fn is_there(self) -> bool {
        use std::arch::is_x86_feature_detected as has;
        let has_avx2 = has!("avx2") && has!("bmi1") && has!("bmi2") && has!("popcnt") && has!("lzcnt");
        match self {
            Self::Avx2 => has_avx2,
            Self::Avx512 => has_avx2 && has!("avx512f") && has!("avx512bw"),
        }
    }

    /// The network's score of a position. The processor must have the vectors.
    #[inline]
    pub(super) fn score(self, network: &BoardNetwork, rules: &Rules, position: &Position) -> Score {
        debug_assert!(self.is_there());
        // SAFETY: these vectors are only asked for where they are there.
        #[allow(unsafe_code)] // the way to code for a processor found at run time
        unsafe {
            match self {
                Self::Avx2 => avx2::score(network, rules, position),
                Self::Avx512 => avx512::score(network, rules, position),
            }
        }
    }
}

/// A module with the score by one kind of vectors.
macro_rules! score_by {
    (
        $module:ident, $features:literal, $vector:ident, $zero:ident, $set_i16:ident, $set_i32:ident, $add_i16:ident,
        $add_i32:ident, $min:ident, $max:ident, $max_i32:ident, $multiply_add:ident, $multiply:ident, $shift:ident
    ) => {
        mod $module {
            use super::{BoardNetwork, Position, Row, Rules, SECOND, Score, UNIT, Upper, WEIGHT_UNIT, WIDTH};
            use std::arch::x86_64::{
                $add_i16, $add_i32, $max, $max_i32, $min, $multiply, $multiply_add, $set_i16, $set_i32,
                $shift, $vector, $zero,
            };

            type Sum = [$vector; WIDTH * size_of::<i16>() / size_of::<$vector>()];
            type Outputs = [$vector; SECOND * size_of::<i32>() / size_of::<$vector>()];

            #[target_feature(enable = $features)]
            pub(super) fn score(network: &BoardNetwork, rules: &Rules, position: &Position) -> Score {
                let phase = network.phase(position);
                let standings = network.patterns.standings(rules, position);
                let mut sum: Sum = [$zero(); _];
                let mut add = |row: &Row| {
                    let row: &Sum = bytemuck::must_cast_ref(row);
                    sum.iter_mut().zip(row).for_each(|(sum, &row)| *sum = $add_i16(*sum, row));
                };
                phase.counts(rules, position).into_iter().for_each(&mut add);
                network.each_row(&standings, |row| add(phase.row(row)));
                upper_score(&phase.upper[position.side_to_move().index()], sum)
            }

            /// See [`Upper::score`].
            #[inline]
            #[target_feature(enable = $features)]
            fn upper_score(upper: &Upper, sum: Sum) -> Score {
                let unit = $set_i16(UNIT as i16);
                let first = sum.map(|x| $min($max(x, $zero()), unit));
                let first: [i32; WIDTH / 2] = bytemuck::must_cast(first);
                let mut second: Outputs = bytemuck::must_cast(upper.second_bias);
                for (pair, column) in first.into_iter().zip(&upper.second) {
                    let column: &Outputs = bytemuck::must_cast_ref(column);
                    for (sum, &weights) in second.iter_mut().zip(column) {
                        *sum = $add_i32(*sum, $multiply_add($set_i32(pair), weights));
                    }
                }
                let out: &Outputs = bytemuck::must_cast_ref(&upper.out);
                for (sum, &weights) in second.iter_mut().zip(out) {
                    let scaled = $shift($max_i32(*sum, $zero()), $set_i32(WEIGHT_UNIT.ilog2() as i32));
                    *sum = $multiply(scaled, weights);
                }
                let products: [i32; SECOND] = bytemuck::must_cast(second);
                Upper::to_score(upper.out_bias + products.iter().sum::<i32>())
            }
        }
    };
}

score_by!(
    avx2,
    "avx2,bmi1,bmi2,popcnt,lzcnt",
    __m256i,
    _mm256_setzero_si256,
    _mm256_set1_epi16,
    _mm256_set1_epi32,
    _mm256_adds_epi16,
    _mm256_add_epi32,
    _mm256_min_epi16,
    _mm256_max_epi16,
    _mm256_max_epi32,
    _mm256_madd_epi16,
    _mm256_mullo_epi32,
    _mm256_srav_epi32
);
score_by!(
    avx512,
    "avx512f,avx512bw,avx2,bmi1,bmi2,popcnt,lzcnt",
    __m512i,
    _mm512_setzero_si512,
    _mm512_set1_epi16,
    _mm512_set1_epi32,
    _mm512_adds_epi16,
    _mm512_add_epi32,
    _mm512_min_epi16,
    _mm512_max_epi16,
    _mm512_max_epi32,
    _mm512_madd_epi16,
    _mm512_mullo_epi32,
    _mm512_srav_epi32
);
