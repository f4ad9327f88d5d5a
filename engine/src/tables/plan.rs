//! Leopard moves as maps between vectors.
//!
//! A leopard move leads from each position of its own vector to one of another: some index bits are fixed
//! (the point moved to is vacant, the dog leapt over is there), the others go to other index bits. Seen by
//! units (64 positions that share all but their lowest six index bits), a unit of the vector is put together
//! from one unit of the source, or two where one of its lowest six bits lies among the higher bits there.

use super::index::{Index, PlaceMove, UNIT, UNIT_BITS, places_of};
use fxhash::FxHashMap;

/// High index bits looked up at once.
const TABLE_BITS: usize = 6;
/// Tables beside the one of run starts: vectors of more than 2^30 positions are far beyond any memory.
const TABLES: usize = 3;
/// Stands for no lane.
const NO_LANE: u8 = 255;

/// How the units of a vector follow from those of another by one kind of move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct UnitMap {
    /// Unit bits (index bits above the lowest six) that may be either.
    pub(super) free: u32,
    /// Unit bits that must be set.
    pub(super) set: u32,
    /// How many of the lowest unit bits are free and keep their places: so long are the runs of units that
    /// follow each other here and there.
    pub(super) run_bits: u32,
    /// Where the unit bits above the lowest six go, six at a time.
    tables: [[u32; 1 << TABLE_BITS]; TABLES],
    /// The first units of runs by the lowest six unit bits.
    starts: Vec<RunStart>,
    /// Distance, in units, from the first to the second source unit; `None`: one is enough.
    pub(super) second: Option<u32>,
    /// The unit bit here that chooses between the two variants, where one of the lowest six index bits there
    /// is a unit bit here.
    pub(super) chooser: Option<u32>,
    /// For each variant where each position of a unit comes from: its number in the source unit, 64 more for
    /// the second; `NO_LANE` where the move cannot be made.
    pub(super) lanes: [[u8; UNIT]; 2],
    /// The positions of a unit where the move can be made, a bit a position.
    pub(super) mask: u64,
    /// Those of them that come from the second source unit.
    pub(super) from_second: u64,
    /// The same positions for a word of bits: see [`WordShuffle`].
    pub(super) shuffle: WordShuffle,
}

/// The first unit of a run, here and in the source, as far as the lowest six unit bits tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct RunStart {
    to: u32,
    from: u32,
    variant: u32,
}

/// How the positions of a unit move, for bits: a sequence of swaps of index bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct WordShuffle {
    /// Shift by the low index bit of the source that no low index bit here becomes: a second unit, if any, is
    /// shifted in there, and the second variant shifted from there.
    pub(super) gap_shift: u32,
    /// Positions of the source with that bit clear.
    pub(super) gap_clear: u64,
    /// Swaps of index bits: shift and mask of a delta swap each, `swap_count` of them.
    pub(super) swaps: [(u32, u64); UNIT_BITS],
    pub(super) swap_count: usize,
    /// Last shift: the dog leapt over stands here and no longer there.
    pub(super) raise: u32,
}

/// A leopard move of a slot: the slot it leads to and how.
#[derive(Clone, Copy, Debug)]
pub(super) struct LeopardMove {
    pub(super) source: u32,
    /// Number of the map among [`Plans::maps`].
    pub(super) map: u32,
}

/// The leopard moves of every slot.
#[derive(Debug)]
pub(super) struct Plans {
    pub(super) maps: Vec<UnitMap>,
    moves: Vec<LeopardMove>,
    starts: Vec<u32>,
}

impl Plans {
    /// `None` where mirror images tear the units of some vector into more than two: such an index can do
    /// without mirror images only (see [`Index::with_order`]).
    pub(super) fn new(index: &Index) -> Option<Self> {
        let mut plans = Self { maps: Vec::new(), moves: Vec::new(), starts: vec![0] };
        let mut known: FxHashMap<Vec<BitTarget>, u32> = FxHashMap::default();
        for slot in 0..index.slot_count() {
            for mv in index.leopard_moves(index.leopards_of(slot)) {
                let (source, targets) = bit_targets(index, index.leopards_of(slot), mv);
                let map = if let Some(&map) = known.get(&targets) {
                    map
                } else {
                    plans.maps.push(UnitMap::new(&targets)?);
                    known.insert(targets, plans.maps.len() as u32 - 1);
                    plans.maps.len() as u32 - 1
                };
                plans.moves.push(LeopardMove { source: source as u32, map });
            }
            plans.starts.push(plans.moves.len() as u32);
        }
        Some(plans)
    }

    /// The leopard moves from the positions of a slot.
    pub(super) fn moves(&self, slot: usize) -> &[LeopardMove] {
        &self.moves[self.starts[slot] as usize..self.starts[slot + 1] as usize]
    }
}

/// What becomes of an index bit by a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum BitTarget {
    /// It becomes this index bit.
    Bit(u8),
    /// It must be clear: the point moved to.
    Clear,
    /// It must be set: the dog leapt over.
    Set,
}

/// The slot a move leads to, and what becomes of each index bit.
fn bit_targets(index: &Index, leopards: u32, mv: PlaceMove) -> (usize, Vec<BitTarget>) {
    let (slot, mirrored) = index.slot(leopards & !(1 << mv.from) | 1 << mv.to);
    let there = index.leopards_of(slot);
    let mut targets = Vec::with_capacity(index.bits());
    for place in (0..index.points()).filter(|&place| leopards >> place & 1 == 0) {
        targets.push(if place == mv.to {
            BitTarget::Clear
        } else if Some(place) == mv.over {
            BitTarget::Set
        } else {
            let image = if mirrored { index.mirrored_place(place) } else { place };
            let leopards_below = (there & ((1 << image) - 1)).count_ones();
            BitTarget::Bit((image as u32 - leopards_below) as u8)
        });
    }
    // Bits that always stay clear.
    targets.extend((targets.len()..index.bits()).map(|bit| BitTarget::Bit(bit as u8)));
    (slot, targets)
}

impl UnitMap {
    /// `None` where more than two units of the source would be needed.
    fn new(targets: &[BitTarget]) -> Option<Self> {
        let (low, high) = targets.split_at(UNIT_BITS);
        assert!(high.len() <= TABLE_BITS * (TABLES + 1), "vectors of more than 2^30 positions");
        let mut map = Self {
            free: 0,
            set: 0,
            run_bits: 0,
            tables: [[0; 1 << TABLE_BITS]; TABLES],
            starts: Vec::new(),
            second: None,
            chooser: None,
            lanes: [[0; UNIT]; 2],
            mask: !0,
            from_second: 0,
            shuffle: WordShuffle::new(&[], None),
        };
        // Unit bits.
        let mut chosen_low_bit = None;
        let mut places = [0; TABLE_BITS];
        for (bit, target) in high.iter().enumerate() {
            match *target {
                BitTarget::Clear => {}
                BitTarget::Set => map.set |= 1 << bit,
                BitTarget::Bit(there) => {
                    map.free |= 1 << bit;
                    if usize::from(there) < UNIT_BITS {
                        if map.chooser.is_some() {
                            return None;
                        }
                        map.chooser = Some(bit as u32);
                        chosen_low_bit = Some(there);
                    } else {
                        let there = 1 << (usize::from(there) - UNIT_BITS);
                        match places.get_mut(bit) {
                            Some(place) => *place = there,
                            None => map.fill_tables(bit - TABLE_BITS, there),
                        }
                    }
                }
            }
        }
        map.run_bits = high
            .iter()
            .enumerate()
            .take_while(|&(bit, &target)| target == BitTarget::Bit((bit + UNIT_BITS) as u8))
            .take(TABLE_BITS)
            .count() as u32;
        map.shuffle = WordShuffle::new(low, chosen_low_bit);
        let chooser = map.chooser.map_or(0, |bit| 1u32 << bit);
        let low_units = (1u32 << TABLE_BITS.min(high.len())) - 1;
        let run = (1u32 << map.run_bits.min(TABLE_BITS as u32)) - 1;
        let starts = (0..=low_units).filter(|unit| unit & !map.free & !map.set == 0 && unit & run == 0);
        map.starts = starts
            .filter(|unit| unit & map.set == map.set & low_units)
            .map(|unit| RunStart {
                to: unit,
                from: places_of(unit).map(|bit| places[bit]).sum(),
                variant: u32::from(unit & chooser != 0),
            })
            .collect();
        // The lowest six index bits.
        for (bit, target) in low.iter().enumerate() {
            match *target {
                BitTarget::Clear => map.mask &= !bit_mask(bit),
                BitTarget::Set => map.mask &= bit_mask(bit),
                BitTarget::Bit(there) if usize::from(there) < UNIT_BITS => {}
                BitTarget::Bit(there) => {
                    if map.second.is_some() {
                        return None;
                    }
                    map.from_second = bit_mask(bit);
                    map.second = Some(1 << (usize::from(there) - UNIT_BITS));
                }
            }
        }
        for (variant, lanes) in map.lanes.iter_mut().enumerate() {
            for (lane, entry) in lanes.iter_mut().enumerate() {
                let mut from = chosen_low_bit.map_or(0, |bit| (variant as u8) << bit);
                for (bit, target) in low.iter().enumerate() {
                    if let BitTarget::Bit(there) = *target
                        && lane >> bit & 1 == 1
                    {
                        from |= if usize::from(there) < UNIT_BITS { 1 << there } else { UNIT as u8 };
                    }
                }
                *entry = if map.mask >> lane & 1 == 1 { from } else { NO_LANE };
            }
        }
        Some(map)
    }

    fn fill_tables(&mut self, bit: usize, there: u32) {
        let (table, bit) = (bit / TABLE_BITS, bit % TABLE_BITS);
        for (i, entry) in self.tables[table].iter_mut().enumerate() {
            if i >> bit & 1 == 1 {
                *entry |= there;
            }
        }
    }

    /// Calls `visit` with the first unit of each run, the first source unit of it and the variant.
    #[inline(always)]
    #[allow(clippy::inline_always)] // built anew for wide vectors
    pub(super) fn each_run(&self, mut visit: impl FnMut(usize, usize, usize)) {
        let low_units = (1u32 << TABLE_BITS) - 1;
        let (free, set) = (self.free & !low_units, self.set & !low_units);
        let chooser = self.chooser.map_or(0, |bit| 1u32 << bit) & !low_units;
        let mut bits = 0u32;
        loop {
            let to = bits | set;
            let part = |table: usize| {
                self.tables[table][(to >> (TABLE_BITS * (table + 1))) as usize % (1 << TABLE_BITS)]
            };
            let from = part(0) | part(1) | part(2);
            let variant = u32::from(to & chooser != 0);
            for start in &self.starts {
                let variant = (variant | start.variant) as usize;
                visit((to | start.to) as usize, (from | start.from) as usize, variant);
            }
            bits = (bits | !free).wrapping_add(1) & free;
            if bits == 0 {
                break;
            }
        }
    }

    /// Whether the positions of a unit keep their places.
    pub(super) fn keeps_lanes(&self) -> bool {
        self.second.is_none()
            && self.chooser.is_none()
            && self.shuffle.swap_count == 0
            && self.shuffle.raise == 0
    }
}

/// The positions of a unit whose number has this bit.
pub(super) const fn bit_mask(bit: usize) -> u64 {
    const MASKS: [u64; UNIT_BITS] = [
        0xAAAA_AAAA_AAAA_AAAA,
        0xCCCC_CCCC_CCCC_CCCC,
        0xF0F0_F0F0_F0F0_F0F0,
        0xFF00_FF00_FF00_FF00,
        0xFFFF_0000_FFFF_0000,
        0xFFFF_FFFF_0000_0000,
    ];
    MASKS[bit]
}

impl WordShuffle {
    fn new(low: &[BitTarget], chosen: Option<u8>) -> Self {
        let image = |target: &BitTarget| match *target {
            BitTarget::Bit(there) if usize::from(there) < UNIT_BITS => Some(there),
            _ => None,
        };
        let taken: Vec<u8> = low.iter().filter_map(image).collect();
        let mut left: Vec<u8> = (0..UNIT_BITS as u8).filter(|bit| !taken.contains(bit)).collect();
        let gap = chosen.or(left.first().copied());
        left.retain(|&bit| Some(bit) != gap);
        // A second unit goes to the gap; fixed bits take what is left.
        let second =
            low.iter().position(|target| matches!(target, BitTarget::Bit(t) if usize::from(*t) >= UNIT_BITS));
        let mut spare: Vec<u8> = gap.iter().filter(|_| second.is_none()).copied().chain(left).collect();
        let mut sources = [0; UNIT_BITS];
        for (bit, target) in low.iter().enumerate() {
            sources[bit] = match (image(target), gap) {
                (Some(there), _) => there,
                (None, Some(gap)) if Some(bit) == second => gap,
                _ => spare.pop().unwrap_or_default(),
            };
        }
        let gap = gap.map_or(0, usize::from);
        let mut shuffle = Self {
            gap_shift: 1 << gap,
            gap_clear: !bit_mask(gap),
            swaps: [(0, 0); UNIT_BITS],
            swap_count: 0,
            raise: 0,
        };
        for bit in 0..low.len() {
            let from = usize::from(sources[bit]);
            if from != bit {
                // Bits below are settled, so `from` is above.
                shuffle.swaps[shuffle.swap_count] =
                    ((1 << from) - (1 << bit), bit_mask(bit) & !bit_mask(from));
                shuffle.swap_count += 1;
                for other in sources.iter_mut().filter(|other| usize::from(**other) == bit) {
                    *other = from as u8;
                }
                sources[bit] = bit as u8;
            }
            if low[bit] == BitTarget::Set {
                shuffle.raise = 1 << bit;
            }
        }
        shuffle
    }
}
