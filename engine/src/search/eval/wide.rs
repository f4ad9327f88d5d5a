//! The network's score with vectors of 32 bytes (AVX2): what [`BoardNetwork`] does portably, which tests hold it
//! to. The compiler left to itself keeps the sum in memory.

use super::super::score::Score;
use super::network::{BoardNetwork, Row, SECOND, UNIT, Upper, WEIGHT_UNIT, WIDTH};
use super::patterns::CHUNK;
use crate::game::{Position, Rules};
use std::arch::x86_64::{
    __m256i, _mm256_add_epi16, _mm256_add_epi32, _mm256_madd_epi16, _mm256_max_epi16, _mm256_min_epi16,
    _mm256_set1_epi16, _mm256_setzero_si256,
};

/// Numbers of two bytes in a vector.
const LANES: usize = 16;
const VECTORS: usize = WIDTH / LANES;
type Sum = [__m256i; VECTORS];

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
pub(super) fn score(network: &BoardNetwork, rules: &Rules, position: &Position) -> Score {
    let phase = network.phase(position);
    let mut sum = [_mm256_setzero_si256(); VECTORS];
    for row in phase.counts(rules, position) {
        add(&mut sum, row);
    }
    for (chunk, first_rows) in network.first_rows.iter().enumerate() {
        let numbers = network.patterns.chunk(chunk, position.dogs(), position.leopards());
        for i in 0..CHUNK {
            add(&mut sum, &phase.rows[first_rows[i] as usize + usize::from(numbers[i])]);
        }
    }
    upper_score(&phase.upper[position.side_to_move().index()], &sum)
}

#[inline]
#[target_feature(enable = "avx2")]
fn add(sum: &mut Sum, row: &Row) {
    let row: &Sum = bytemuck::must_cast_ref(row);
    for i in 0..VECTORS {
        sum[i] = _mm256_add_epi16(sum[i], row[i]);
    }
}

/// See [`Upper::score`].
#[inline]
#[target_feature(enable = "avx2")]
fn upper_score(upper: &Upper, sum: &Sum) -> Score {
    let (zero, unit) = (_mm256_setzero_si256(), _mm256_set1_epi16(UNIT as i16));
    let mut first = [zero; VECTORS];
    for i in 0..VECTORS {
        first[i] = _mm256_min_epi16(_mm256_max_epi16(sum[i], zero), unit);
    }
    let mut out = i32::from(upper.out_bias) * UNIT;
    for i in 0..SECOND {
        let weights: &Sum = bytemuck::must_cast_ref(&upper.second[i]);
        let mut products = _mm256_madd_epi16(first[0], weights[0]);
        for j in 1..VECTORS {
            products = _mm256_add_epi32(products, _mm256_madd_epi16(first[j], weights[j]));
        }
        let products: [i32; 8] = bytemuck::must_cast(products);
        let second = i32::from(upper.second_bias[i]) * UNIT + products.iter().sum::<i32>();
        out += (second.max(0) / WEIGHT_UNIT) * i32::from(upper.out[i]);
    }
    Upper::to_score(out)
}
