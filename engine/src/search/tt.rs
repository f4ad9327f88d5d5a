//! The transposition table: what was found out about positions met before.
//!
//! Shared by all threads without locks: an entry is two words, data and key xor data, so that a torn entry
//! fails its key check (R. Hyatt and T. Mann, "A lockless transposition table implementation", 2002).

mod slot;

use self::slot::Word;
use super::score::{Score, WIN_BOUND};
use crate::game::Move;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

/// What a stored score says of the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The true score is no more.
    Upper,
    /// The true score is no less.
    Lower,
    /// It is the true score.
    Exact,
}

impl Bound {
    /// What a score from a search within a window says of the true one.
    pub fn of(score: Score, alpha: Score, beta: Score) -> Self {
        if score >= beta {
            Self::Lower
        } else if score > alpha {
            Self::Exact
        } else {
            Self::Upper
        }
    }
}

/// What is stored of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The best move found, or the one that was too good.
    pub best: Option<Move>,
    /// The score, wins counted from the position searched from.
    pub score: Score,
    /// What the evaluation said.
    pub eval: Score,
    /// Depth of the search below the position.
    pub depth: i32,
    /// What the score says of the true one.
    pub bound: Bound,
}

impl Entry {
    /// Whether the entry decides a node with this window.
    pub fn cuts_off(&self, alpha: Score, beta: Score) -> bool {
        match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.score >= beta,
            Bound::Upper => self.score <= alpha,
        }
    }
}

impl Word for AtomicU64 {
    #[inline]
    fn load(&self) -> u64 {
        Self::load(self, Ordering::Relaxed)
    }

    #[inline]
    fn store(&self, value: u64) {
        Self::store(self, value, Ordering::Relaxed);
    }
}

/// Key and data; these have, from the low end: move 16, score 16, eval 16, depth 8, bound 2, generation 6.
type Slot = slot::Slot<AtomicU64>;

const SLOTS: usize = 4;

/// Slots that share an index: one cache line.
#[derive(Default, bytemuck::Zeroable)]
#[repr(C, align(64))]
struct Bucket([Slot; SLOTS]);

const GENERATIONS: u8 = 1 << 6;

/// A table of fixed size.
pub struct TranspositionTable {
    buckets: Vec<Bucket>,
    generation: AtomicU8,
    /// Whether a search may have stored anything since the table was empty.
    is_used: bool,
}

/// There is not enough memory for a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not enough memory for a hash table of {0} MB")]
pub struct OutOfMemory(pub usize);

/// Wins are stored from the position itself, so that they hold wherever it is met again.
fn to_stored(score: Score, ply: i32) -> i16 {
    let stored = match score {
        WIN_BOUND.. => score + ply,
        ..=-31_000 => score - ply,
        _ => score,
    };
    stored as i16
}

fn from_stored(stored: i16, ply: i32) -> Score {
    let score = Score::from(stored);
    match score {
        WIN_BOUND.. => score - ply,
        ..=-31_000 => score + ply,
        _ => score,
    }
}

const _: () = assert!(WIN_BOUND == 31_000);

impl TranspositionTable {
    /// An empty table of `megabytes` MB (2^20 bytes), at least one bucket.
    ///
    /// # Errors
    /// The system does not give as much memory.
    pub fn new(megabytes: usize) -> Result<Self, OutOfMemory> {
        let count = (megabytes << 20) / size_of::<Bucket>();
        let buckets =
            bytemuck::allocation::try_zeroed_vec(count.max(1)).map_err(|()| OutOfMemory(megabytes))?;
        Ok(Self { buckets, generation: AtomicU8::new(0), is_used: false })
    }

    /// Forgets everything; costs nothing where there is nothing to forget.
    pub fn clear(&mut self) {
        if !std::mem::take(&mut self.is_used) {
            return;
        }
        for slot in self.buckets.iter_mut().flat_map(|bucket| &mut bucket.0) {
            *slot.check.get_mut() = 0;
            *slot.data.get_mut() = 0;
        }
        *self.generation.get_mut() = 0;
    }

    /// Begins a new search: what earlier ones stored becomes the first to give way.
    pub fn new_search(&mut self) {
        let generation = self.generation.get_mut();
        *generation = (*generation + 1) % GENERATIONS;
        self.is_used = true;
    }

    fn bucket(&self, key: u64) -> &Bucket {
        let index = (u128::from(key) * self.buckets.len() as u128) >> 64;
        &self.buckets[index as usize]
    }

    /// Has the processor fetch what is stored under a key, for a look soon after.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let bucket: *const Bucket = self.bucket(key);
            // SAFETY: a hint; it reads nothing and cannot fault.
            #[allow(unsafe_code)] // there is no other way to say it
            unsafe {
                _mm_prefetch::<_MM_HINT_T0>(bucket.cast());
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }

    /// What is known of the position with this key, met `ply` plies below the root.
    #[inline]
    pub fn get(&self, key: u64, ply: i32) -> Option<Entry> {
        self.bucket(key).0.iter().find_map(|slot| slot.find(key)).map(|data| decode(data, ply))
    }

    /// Stores what was found of a position, in place of the least useful of its neighbours.
    #[inline]
    pub fn put(&self, key: u64, ply: i32, entry: &Entry) {
        let generation = self.generation.load(Ordering::Relaxed);
        let mut target = None;
        for slot in &self.bucket(key).0 {
            if let Some(data) = slot.find(key) {
                // A much deeper result of the same search is worth more than a fresh shallow bound.
                if entry.bound != Bound::Exact
                    && generation_of(data) == generation
                    && depth_of(data) > entry.depth + 3
                {
                    return;
                }
                target = Some((slot, i32::MIN));
                break;
            }
            let data = Word::load(&slot.data);
            let age = i32::from(generation.wrapping_sub(generation_of(data)) % GENERATIONS);
            let worth = if data == 0 { i32::MIN } else { depth_of(data) - 8 * age };
            if target.is_none_or(|(_, least)| worth < least) {
                target = Some((slot, worth));
            }
        }
        let Some((slot, _)) = target else { return };
        // Without a move of its own the entry keeps the one that is known.
        let best = entry.best.map_or_else(|| slot.find(key).map_or(0, |old| old as u16), Move::to_bits);
        let data = encode(best, entry, ply, generation);
        slot.put(key, data);
    }

    /// Share of the table that the present search has filled, in thousandths, from a sample.
    pub fn hashfull(&self) -> u32 {
        let generation = self.generation.load(Ordering::Relaxed);
        let sample = &self.buckets[..self.buckets.len().min(1_000)];
        let slots = sample.iter().flat_map(|bucket| &bucket.0);
        let used = slots
            .map(|slot| Word::load(&slot.data))
            .filter(|&data| data != 0 && generation_of(data) == generation)
            .count();
        (used * 1_000 / (sample.len() * SLOTS)) as u32
    }
}

fn encode(best: u16, entry: &Entry, ply: i32, generation: u8) -> u64 {
    let bound = match entry.bound {
        Bound::Upper => 1,
        Bound::Lower => 2,
        Bound::Exact => 3,
    };
    u64::from(best)
        | u64::from(to_stored(entry.score, ply) as u16) << 16
        | u64::from(entry.eval as i16 as u16) << 32
        | (entry.depth.clamp(0, 255) as u64) << 48
        | bound << 56
        | u64::from(generation) << 58
}

fn decode(data: u64, ply: i32) -> Entry {
    Entry {
        best: Move::from_bits(data as u16),
        score: from_stored((data >> 16) as i16, ply),
        eval: Score::from((data >> 32) as i16),
        depth: depth_of(data),
        bound: match data >> 56 & 3 {
            1 => Bound::Upper,
            2 => Bound::Lower,
            _ => Bound::Exact,
        },
    }
}

fn depth_of(data: u64) -> i32 {
    i32::from((data >> 48) as u8)
}

fn generation_of(data: u64) -> u8 {
    (data >> 58) as u8
}

#[cfg(test)]
mod tests {
    use super::super::score::{loss_in, win_in};
    use super::*;
    use crate::game::Point;

    fn entry(score: Score, depth: i32) -> Entry {
        let best = Some(Move::drop(Point::new(3).unwrap()));
        Entry { best, score, eval: -77, depth, bound: Bound::Lower }
    }

    #[test]
    fn an_entry_comes_back_as_it_was_and_wins_count_from_the_position() {
        let table = TranspositionTable::new(1).unwrap();
        for score in [0, 250, -250, win_in(20), loss_in(20)] {
            table.put(42, 5, &entry(score, 7));
            assert_eq!(table.get(42, 5), Some(entry(score, 7)));
        }
        table.put(42, 5, &entry(win_in(20), 7));
        assert_eq!(table.get(42, 3).unwrap().score, win_in(18));
        assert_eq!(table.get(43, 5), None);
    }

    #[test]
    fn a_torn_entry_is_not_found() {
        let table = TranspositionTable::new(1).unwrap();
        table.put(42, 0, &entry(1, 1));
        let slot = &table.bucket(42).0[0];
        Word::store(&slot.data, Word::load(&slot.data) ^ 1 << 20);
        assert_eq!(table.get(42, 0), None);
    }

    #[test]
    fn a_full_bucket_loses_its_oldest_and_shallowest() {
        let mut table = TranspositionTable::new(1).unwrap();
        table.buckets.truncate(1);
        for (key, depth) in [(1, 9), (2, 3), (3, 9), (4, 9)] {
            table.put(key, 0, &entry(0, depth));
        }
        table.put(5, 0, &entry(0, 1));
        assert_eq!((table.get(2, 0), table.get(1, 0).is_some()), (None, true));
        table.new_search();
        table.put(6, 0, &entry(0, 2)); // the shallowest of the old search goes
        assert_eq!(table.get(5, 0), None);
        assert_eq!(table.hashfull(), 250);
        table.clear();
        assert_eq!(table.get(6, 0), None);
    }

    /// An entry that tells the key it belongs to, as far as it has room.
    fn entry_of(key: u64) -> Entry {
        Entry {
            best: Some(Move::drop(Point::new(key as usize % 29).unwrap())),
            score: (key >> 8) as i32 % 20_000 - 10_000,
            eval: (key >> 24) as i32 % 20_000,
            depth: (key >> 40) as i32 % 40,
            bound: if key & 1 == 0 { Bound::Lower } else { Bound::Exact },
        }
    }

    #[test]
    fn threads_that_share_a_bucket_never_find_the_entry_of_another_key() {
        let mut table = TranspositionTable::new(1).unwrap();
        table.buckets.truncate(1);
        let keys: Vec<u64> = (1..=12u64).map(|i| i.wrapping_mul(0x9E37_79B9_7F4A_7C15)).collect();
        let found = AtomicU64::new(0);
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let (table, keys, found) = (&table, &keys, &found);
                scope.spawn(move || {
                    for i in 0..400_000usize {
                        // Another step through the keys in each thread: they meet in ever new ways.
                        let key = keys[i * (2 * thread + 5) % keys.len()];
                        match table.get(key, 0) {
                            Some(entry) => {
                                assert_eq!(entry, entry_of(key));
                                found.fetch_add(1, Ordering::Relaxed);
                            }
                            None => table.put(key, 0, &entry_of(key)),
                        }
                        if i % 5 == 0 {
                            table.put(key, 0, &entry_of(key));
                        }
                    }
                });
            }
        });
        assert!(found.into_inner() > 1_000);
    }

    #[test]
    fn too_large_a_table_is_an_error() {
        // Hidden from the compiler, which otherwise leaves out the allocation.
        let table = std::hint::black_box(TranspositionTable::new(usize::MAX >> 21));
        assert_eq!(table.err(), Some(OutOfMemory(usize::MAX >> 21)));
    }
}
