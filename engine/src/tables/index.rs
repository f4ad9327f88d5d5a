//! Where a position stands in a table.
//!
//! Points are renumbered: the *place* of a point is its rank in an order chosen for speed. A position with
//! leopards on the places `L` belongs to the vector of `L`; within it, its dog set is a binary number over
//! the places without a leopard, lowest place first. On a board that is its own mirror image only one leopard
//! set of each mirror pair has a vector (a *slot*); positions of the other are looked up mirrored.

use crate::game::{Board, MAX_LEOPARDS, MAX_POINTS, Point, PointSet};

/// Index bits within a unit: a word of 64 bits, or 64 bytes.
pub(super) const UNIT_BITS: usize = 6;
/// Positions of a unit.
pub(super) const UNIT: usize = 1 << UNIT_BITS;
/// The least index bits of a vector, so that it is made of whole groups of eight units. Where a board has
/// fewer places, the bits above stay clear.
pub(super) const LEAST_BITS: usize = UNIT_BITS + 3;

/// A step or leap of a leopard between places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PlaceMove {
    pub(super) from: usize,
    pub(super) over: Option<usize>,
    pub(super) to: usize,
}

/// A board with renumbered points, its leopard sets and their slots.
#[derive(Clone, Debug)]
pub(super) struct Index {
    points: usize,
    leopards: usize,
    /// The point at each place.
    order: Vec<Point>,
    /// The place of each point.
    places: [u8; MAX_POINTS],
    /// Neighbours of each place, a bit a place.
    neighbours: Vec<u32>,
    jumps: Vec<Vec<(usize, usize)>>,
    /// The mirror image of each place.
    mirror: Option<Vec<u8>>,
    /// The leopard set of each slot, a bit a place.
    slots: Vec<u32>,
    /// By rank of a leopard set: twice its slot, one more where it is the mirrored set of the pair.
    slot_of_rank: Vec<u32>,
    /// `binomials[k][n]`: n over k + 1.
    binomials: [[u32; MAX_POINTS]; MAX_LEOPARDS],
}

/// Where a position stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Location {
    pub(super) slot: usize,
    /// The dog set as a number.
    pub(super) dogs: usize,
}

impl Index {
    /// The index in the usual order, a slot a mirror pair.
    pub(super) fn new(board: &Board, leopards: usize) -> Self {
        Self::with_order(board, leopards, &usual_order(board), true)
    }

    /// An index with an order of one's own, which must name each point once; `paired` gives mirror pairs of
    /// leopard sets one slot, where the board has mirror images.
    pub(super) fn with_order(board: &Board, leopards: usize, order: &[Point], paired: bool) -> Self {
        let mut index = Self::unnumbered(board, order, leopards, paired);
        index.number_slots(board);
        index
    }

    /// An index without slots yet.
    fn unnumbered(board: &Board, order: &[Point], leopards: usize, paired: bool) -> Self {
        let points = board.point_count();
        let mut places = [0; MAX_POINTS];
        for (place, point) in (0u8..).zip(order) {
            places[point.index()] = place;
        }
        let place = |point: Point| usize::from(places[point.index()]);
        let bits = |set: PointSet| set.into_iter().fold(0, |bits, point| bits | 1u32 << place(point));
        let neighbours = order.iter().map(|&point| bits(board.neighbours(point))).collect();
        let jumps = order
            .iter()
            .map(|&point| board.jumps(point).iter().map(|jump| (place(jump.over), place(jump.to))).collect())
            .collect();
        let image = |&point: &Point| board.mirrored(point).filter(|_| paired).map(|p| places[p.index()]);
        let mirror: Option<Vec<u8>> = order.iter().map(image).collect();
        let mut binomials = [[0; MAX_POINTS]; MAX_LEOPARDS];
        for (k, row) in binomials.iter_mut().enumerate() {
            for (n, entry) in row.iter_mut().enumerate() {
                *entry = binomial(n, k + 1);
            }
        }
        Self {
            points,
            leopards,
            order: order.to_vec(),
            places,
            neighbours,
            jumps,
            mirror,
            slots: Vec::new(),
            slot_of_rank: Vec::new(),
            binomials,
        }
    }

    /// An index whose order of points, mirror images and leopard sets of slots are given, as a file has them;
    /// `None` where they do not fit the board and each other.
    pub(super) fn from_parts(
        board: &Board,
        leopards: usize,
        order: &[Point],
        mirror: &[u8],
        slots: Vec<u32>,
    ) -> Option<Self> {
        let is_order = order.len() == board.point_count()
            && order.iter().copied().collect::<PointSet>() == board.points();
        if !is_order || !(1..=MAX_LEOPARDS.min(board.point_count() - 1)).contains(&leopards) {
            return None;
        }
        let unpaired = mirror.iter().enumerate().all(|(place, &image)| place == usize::from(image));
        let mut index = Self::unnumbered(board, order, leopards, !unpaired);
        let image_of = |place: usize| index.mirrored_place(place);
        if mirror.iter().enumerate().any(|(place, &image)| image_of(place) != usize::from(image)) {
            return None;
        }
        let all = (1u64 << index.points) - 1;
        let fits = |&set: &u32| u64::from(set) & !all == 0 && set.count_ones() as usize == leopards;
        if !slots.iter().all(fits) {
            return None;
        }
        index.give_slots(slots);
        // Every set has one slot, as itself or as a mirror image.
        let known = (0..index.slots.len()).all(|slot| index.slot(index.slots[slot]) == (slot, false));
        let sets: u64 = (0..index.slots.len()).map(|slot| u64::from(index.sets_of(slot))).sum();
        (known && sets == u64::from(binomial(index.points, leopards))).then_some(index)
    }

    /// Gives each mirror pair of leopard sets a slot. Of a pair the set that lies to the left has it, so that
    /// few moves lead from sets with a slot to sets without.
    fn number_slots(&mut self, board: &Board) {
        let leaning: Vec<i32> = self
            .order
            .iter()
            .map(|&point| {
                let place = |p| board.layout().place(p).0;
                board.mirrored(point).map_or(0, |image| place(point) - place(image))
            })
            .collect();
        let lean = |set: u32| places_of(set).map(|place| leaning[place]).sum::<i32>();
        let first_of_pair = |set: &u32| {
            let image = self.mirrored(*set);
            (lean(*set), *set) <= (lean(image), image)
        };
        let slots = subsets(self.points, self.leopards).filter(first_of_pair).collect();
        self.give_slots(slots);
    }

    fn give_slots(&mut self, slots: Vec<u32>) {
        self.slot_of_rank = vec![0; binomial(self.points, self.leopards) as usize];
        for (slot, &set) in (0..).zip(&slots) {
            let (rank, image_rank) = (self.rank(set), self.rank(self.mirrored(set)));
            self.slot_of_rank[image_rank] = 2 * slot + 1;
            self.slot_of_rank[rank] = 2 * slot;
        }
        self.slots = slots;
    }

    fn rank(&self, set: u32) -> usize {
        let mut rank = 0;
        for (k, place) in places_of(set).enumerate() {
            rank += self.binomials[k][place];
        }
        rank as usize
    }

    /// Number of points.
    pub(super) fn points(&self) -> usize {
        self.points
    }

    /// Places without a leopard: the bits of a dog set.
    pub(super) fn free(&self) -> usize {
        self.points - self.leopards
    }

    /// Index bits of a vector, those that stay clear included.
    pub(super) fn bits(&self) -> usize {
        self.free().max(LEAST_BITS)
    }

    /// Positions of a vector, those that are none included.
    pub(super) fn vector_len(&self) -> usize {
        1 << self.bits()
    }

    /// The point at each place.
    pub(super) fn order(&self) -> &[Point] {
        &self.order
    }

    /// Leopard sets with a vector.
    pub(super) fn slot_count(&self) -> usize {
        self.slots.len()
    }

    /// The leopard set of a slot, a bit a place.
    pub(super) fn leopards_of(&self, slot: usize) -> u32 {
        self.slots[slot]
    }

    /// Leopard sets a slot stands for: itself and its mirror image, where that is another.
    pub(super) fn sets_of(&self, slot: usize) -> u32 {
        let set = self.slots[slot];
        1 + u32::from(self.mirrored(set) != set)
    }

    /// The slot of a leopard set, and whether its positions must be mirrored.
    pub(super) fn slot(&self, leopards: u32) -> (usize, bool) {
        let entry = self.slot_of_rank[self.rank(leopards)];
        ((entry / 2) as usize, entry % 2 == 1)
    }

    /// The mirror image of a set of places; the set itself where the board has none.
    pub(super) fn mirrored(&self, set: u32) -> u32 {
        self.mirror
            .as_ref()
            .map_or(set, |image| places_of(set).fold(0, |bits, place| bits | 1 << image[place]))
    }

    /// The mirror image of a place.
    pub(super) fn mirrored_place(&self, place: usize) -> usize {
        self.mirror.as_ref().map_or(place, |image| image[place].into())
    }

    /// The bits, a bit a place, of a set of points.
    pub(super) fn places_of_points(&self, set: PointSet) -> u32 {
        set.into_iter().fold(0, |bits, point| bits | 1 << self.places[point.index()])
    }

    /// The points of a set of places.
    pub(super) fn points_of_places(&self, set: u32) -> PointSet {
        places_of(set).map(|place| self.order[place]).collect()
    }

    /// The position with these pieces, a bit a place.
    pub(super) fn locate(&self, leopards: u32, dogs: u32) -> Location {
        let (slot, mirrored) = self.slot(leopards);
        let (leopards, dogs) =
            if mirrored { (self.slots[slot], self.mirrored(dogs)) } else { (leopards, dogs) };
        Location { slot, dogs: squeeze(dogs, leopards) as usize }
    }

    /// The dogs of a position of a slot, a bit a place.
    pub(super) fn dogs_of(&self, at: Location) -> u32 {
        Self::dogs_at(self.slots[at.slot], at.dogs)
    }

    /// The dogs of an index number beside these leopards, a bit a place.
    pub(super) fn dogs_at(leopards: u32, number: usize) -> u32 {
        places_of(leopards).fold(number as u32, |bits, place| {
            let low = bits & ((1 << place) - 1);
            low | (bits - low) << 1
        })
    }

    /// Steps and leaps of the leopards of a set, as far as the other leopards allow.
    pub(super) fn leopard_moves(&self, leopards: u32) -> Vec<PlaceMove> {
        let free = |place: usize| leopards >> place & 1 == 0;
        let mut moves = Vec::new();
        for from in places_of(leopards) {
            let steps = places_of(self.neighbours[from]).filter(|&to| free(to));
            moves.extend(steps.map(|to| PlaceMove { from, over: None, to }));
            let leaps = self.jumps[from].iter().filter(|jump| free(jump.0) && free(jump.1));
            moves.extend(leaps.map(|&(over, to)| PlaceMove { from, over: Some(over), to }));
        }
        moves
    }

    /// Leopards and dogs after each leopard move of a position, a bit a place.
    pub(super) fn after_leopards(&self, leopards: u32, dogs: u32) -> impl Iterator<Item = (u32, u32)> {
        let vacant = !(leopards | dogs);
        places_of(leopards).flat_map(move |from| {
            let without = leopards & !(1 << from);
            let steps = places_of(self.neighbours[from] & vacant).map(move |to| (without | 1 << to, dogs));
            let leaps = self.jumps[from]
                .iter()
                .filter(move |&&(over, to)| dogs >> over & 1 == 1 && vacant >> to & 1 == 1)
                .map(move |&(over, to)| (without | 1 << to, dogs & !(1 << over)));
            steps.chain(leaps)
        })
    }

    /// Leopards and dogs of the positions from which a leopard move leads to this one, a bit a place.
    pub(super) fn before_leopards(&self, leopards: u32, dogs: u32) -> impl Iterator<Item = (u32, u32)> {
        let vacant = !(leopards | dogs);
        places_of(leopards).flat_map(move |to| {
            let without = leopards & !(1 << to);
            let steps = places_of(self.neighbours[to] & vacant).map(move |from| (without | 1 << from, dogs));
            let leaps = self.jumps[to]
                .iter()
                .filter(move |&&(over, from)| vacant >> over & 1 == 1 && vacant >> from & 1 == 1)
                .map(move |&(over, from)| (without | 1 << from, dogs | 1 << over));
            steps.chain(leaps)
        })
    }

    /// Dogs after each dog step of a position, a bit a place.
    pub(super) fn after_dogs(&self, leopards: u32, dogs: u32) -> impl Iterator<Item = u32> {
        let vacant = !(leopards | dogs);
        places_of(dogs).flat_map(move |from| {
            places_of(self.neighbours[from] & vacant).map(move |to| dogs & !(1 << from) | 1 << to)
        })
    }

    /// Pairs of index bits, the lower first, between which a dog can step beside these leopards.
    pub(super) fn dog_steps(&self, leopards: u32) -> Vec<(usize, usize)> {
        let bit = |place: usize| place - (leopards & ((1 << place) - 1)).count_ones() as usize;
        let mut pairs = Vec::new();
        for a in 0..self.points {
            let above = self.neighbours[a] & !leopards & !((2u32 << a).wrapping_sub(1));
            if leopards >> a & 1 == 0 {
                pairs.extend(places_of(above).map(|b| (bit(a), bit(b))));
            }
        }
        pairs
    }
}

/// The set bits of a word, lowest first.
pub(super) fn places_of(mut set: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let place = set.trailing_zeros();
        set &= set.wrapping_sub(1);
        (place < 32).then_some(place as usize)
    })
}

/// Takes the bits at the places of `holes` out of `bits` and closes the gaps.
pub(super) fn squeeze(bits: u32, holes: u32) -> u32 {
    let mut holes = holes;
    let mut bits = bits;
    while holes != 0 {
        let place = holes.ilog2();
        holes ^= 1 << place;
        let low = bits & ((1 << place) - 1);
        bits = low | (bits >> 1 & !((1 << place) - 1));
    }
    bits
}

/// All sets of `count` of the first `points` places, as numbers from small to large.
pub(super) fn subsets(points: usize, count: usize) -> impl Iterator<Item = u32> {
    let mut next = Some((1u64 << count) - 1);
    std::iter::from_fn(move || {
        let set = next.filter(|set| set >> points == 0)?;
        // The next number with as many bits (Gosper); the empty set has none.
        let low = set & set.wrapping_neg();
        let ripple = set + low;
        next = ((ripple ^ set) >> 2).checked_div(low).map(|rest| rest | ripple);
        Some(set as u32)
    })
}

/// `n` over `k`.
pub(super) fn binomial(n: usize, k: usize) -> u32 {
    if k > n { 0 } else { (0..k).fold(1u64, |product, i| product * (n - i) as u64 / (i + 1) as u64) as u32 }
}

/// The order that serves well: mirror images side by side, so that a mirror image moves few index bits; and
/// first of all points without lines among them, those with few lines first, so that few moves touch index
/// bits within a unit and no dog steps between two of them.
pub(super) fn usual_order(board: &Board) -> Vec<Point> {
    let mut orbits: Vec<Vec<Point>> = Vec::new();
    for point in board.points() {
        match board.mirrored(point) {
            Some(image) if image < point => {}
            Some(image) if image > point => orbits.push(vec![point, image]),
            _ => orbits.push(vec![point]),
        }
    }
    let mut order: Vec<Point> = Vec::new();
    let mut taken = PointSet::EMPTY;
    while let Some(best) = (0..orbits.len()).min_by_key(|&i| {
        let orbit = &orbits[i];
        let set = taken | orbit.iter().copied().collect();
        let lines: u32 = orbit.iter().map(|&point| (board.neighbours(point) & set).len()).sum();
        (lines, board.neighbours(orbit[0]).len())
    }) {
        let orbit = orbits.remove(best);
        taken = orbit.iter().fold(taken, |taken, &point| taken.with(point));
        order.extend(orbit);
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::boards;

    #[test]
    fn every_position_has_its_place() {
        for board in boards().iter().filter(|board| board.point_count() <= 13) {
            for leopards in 1..=3 {
                let index = Index::new(board, leopards);
                let mut seen = vec![0u32; index.slot_count() << index.free()];
                for set in subsets(index.points(), leopards) {
                    for number in 0..1 << index.free() {
                        let dogs = Index::dogs_at(set, number);
                        assert_eq!(dogs & set, 0);
                        let at = index.locate(set, dogs);
                        if index.mirrored(set) != set {
                            assert_eq!(at, index.locate(index.mirrored(set), index.mirrored(dogs)));
                        }
                        seen[at.slot << index.free() | at.dogs] += 1;
                        assert_eq!(index.places_of_points(index.points_of_places(dogs)), dogs);
                    }
                }
                for (at, &times) in seen.iter().enumerate() {
                    assert_eq!(times, index.sets_of(at >> index.free()));
                }
            }
        }
    }

    #[test]
    fn the_usual_order_names_each_point_once_and_begins_without_lines() {
        for board in boards() {
            let order = usual_order(board);
            assert_eq!(order.iter().copied().collect::<PointSet>(), board.points());
            assert_eq!(order.len(), board.point_count());
            let first: PointSet = order[..6].iter().copied().collect();
            if board.point_count() > 13 {
                assert!(order[..6].iter().all(|&p| !board.neighbours(p).meets(first)), "{}", board.name());
            }
        }
    }

    #[test]
    fn binomials_do_not_overflow() {
        assert_eq!(binomial(23, 5), 33_649);
        assert_eq!(binomial(32, 5), 201_376);
        assert_eq!(binomial(3, 4), 0);
    }
}
