//! Tables as files: damage, interruption, verification.

use super::super::oracle::{position, widest};
use super::*;

/// Some positions of a game and their values.
fn sample(table: &Table, rules: &Rules, count: usize) -> Vec<(Position, Value)> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1909);
    let points = rules.board().point_count();
    let mut found = Vec::new();
    while found.len() < count {
        let mut pieces: Vec<u32> = (0..points as u32).collect();
        for i in (1..points).rev() {
            pieces.swap(i, rng.random_range(0..=i));
        }
        let bits = |pieces: &[u32]| PointSet::from_bits(pieces.iter().fold(0, |set, p| set | 1 << p));
        let (leopards, rest) = pieces.split_at(rules.leopards().into());
        let dogs = &rest[..rng.random_range(0..=rest.len())];
        let hand = rng.random_range(0..=rest.len() - dogs.len()) as u8;
        let side = Side::BOTH[rng.random_range(0..2)];
        let position = position(rules, bits(dogs), bits(leopards), side, hand).unwrap();
        found.push((position, table.probe(rules, &position).unwrap().unwrap()));
    }
    found
}

#[test]
fn damage_is_told_and_never_gives_a_wrong_value() {
    let narrow = rules("hat13", 2);
    let rules = widest(&narrow);
    let whole = solved(&narrow).into_bytes().unwrap();
    let values = sample(&Table::from_bytes(whole.clone()).unwrap(), &rules, 300);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1836);
    let (mut refused, mut told, mut unharmed) = (0, 0, 0);
    let number = |at: usize| u32::from_le_bytes(whole[at..at + 4].try_into().unwrap()) as usize;
    // Header, blocks, list of block lengths, and the file as a whole.
    let (header, list) = (number(16), number(40));
    let parts = [0..header, header..list, list..whole.len(), 0..whole.len()];
    for (attempt, part) in parts.iter().cycle().take(800).enumerate() {
        let mut bytes = whole.clone();
        for _ in 0..rng.random_range(1..=3) {
            // A bit or a whole byte.
            let flip =
                if attempt % 8 < 4 { 1 << rng.random_range(0..8) } else { rng.random_range(1..=255u8) };
            bytes[rng.random_range(part.clone())] ^= flip;
        }
        // Bytes changed twice may be the old ones again.
        if bytes == whole {
            continue;
        }
        match Table::from_bytes(bytes) {
            Err(error) => {
                assert!(
                    !error.to_string().contains('\n') && error.to_string().starts_with("table in memory: ")
                );
                refused += 1;
            }
            Ok(table) => {
                let mut is_told = false;
                for (position, value) in &values {
                    match table.probe(&rules, position) {
                        Ok(found) => assert_eq!(found, Some(*value)),
                        Err(error) => {
                            assert!(error.to_string().contains("is damaged"), "{error}");
                            is_told = true;
                        }
                    }
                }
                if is_told { told += 1 } else { unharmed += 1 }
            }
        }
    }
    assert!(refused > 350 && told > 100, "{refused} refused, {told} told, {unharmed} unharmed");
    for len in (0..whole.len()).step_by(97).chain([whole.len() - 1]) {
        let error = Table::from_bytes(whole[..len].to_vec()).unwrap_err().to_string();
        assert!(
            ["not a table", "cut short", "bytes long"].iter().any(|part| error.contains(part)),
            "{error}"
        );
    }
    let mut longer = whole.clone();
    longer.push(0);
    assert!(Table::from_bytes(longer).unwrap_err().to_string().contains("bytes long, expected"));
    let mut newer = whole;
    newer[8] = 2;
    let error = Table::from_bytes(newer).unwrap_err().to_string();
    assert_eq!(error, "table in memory: format 2 is newer than this program reads (1)");
    let foreign = Table::from_bytes(b"PNG or whatever".repeat(100)).unwrap_err().to_string();
    assert_eq!(foreign, "table in memory: not a table of Koti");
}

#[test]
fn a_solution_can_be_stopped_and_does_not_begin_without_memory() {
    let rules = rules("hat10", 1);
    let stopped = solve(&rules, &OPTIONS, &|_| (), &AtomicBool::new(true)).unwrap_err();
    assert_eq!(stopped.to_string(), "stopped");
    let options = SolveOptions { memory: Some(1 << 20), ..OPTIONS };
    let large = VariantSpec { variant: Some("rafaya".into()), ..VariantSpec::default() }.rules().unwrap();
    let refused = solve(&large, &options, &|_| (), &AtomicBool::new(false)).unwrap_err().to_string();
    assert!(refused.ends_with("more than the 1 MB it may use"), "{refused}");
}

#[test]
fn files_are_found_and_named_when_bad() {
    let dir = tempfile::tempdir().unwrap();
    let rules = rules("hat10", 1);
    let stop = AtomicBool::new(false);
    let path = crate::tables::solve_to_file(dir.path(), &rules, &OPTIONS, &|_| (), &stop).unwrap();
    assert_eq!(path.file_name().unwrap(), "hat10-1-4.koti");
    stop.store(true, std::sync::atomic::Ordering::Relaxed);
    let other = rules_on(&boards()[0], 1, Captures::Number(9));
    crate::tables::solve_to_file(dir.path(), &other, &OPTIONS, &|_| (), &stop).unwrap_err();
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1, "a stopped solution leaves nothing");
    let dirs = [dir.path().to_owned()];
    let store = crate::tables::TableStore::open(&dirs).unwrap();
    let table = store.find(&rules).unwrap();
    let widest = widest(&rules);
    for (position, value) in sample(&solved(&rules), &widest, 500) {
        assert_eq!(table.probe(&widest, &position).unwrap(), Some(value));
    }
    assert!(store.find(&self::rules("hat13", 2)).is_none());
    std::fs::write(dir.path().join("bad.koti"), "no table").unwrap();
    let error = crate::tables::TableStore::open(&dirs).unwrap_err().to_string();
    assert!(error.ends_with("bad.koti: not a table of Koti"), "{error}");
    let missing = crate::tables::TableStore::open(&[dir.path().join("nowhere")]).unwrap_err().to_string();
    assert!(missing.contains("nowhere: "), "{missing}");
}

/// Writes a table with one wrong score.
struct Planting<'a, W> {
    writer: crate::tables::writer::Writer<W>,
    at: (u8, usize, usize),
    index: &'a Index,
}

impl<W: io::Write + io::Seek + Send> Observer for Planting<'_, W> {
    fn vectors(&self, hand: u8, slot: usize, dogs: &[u8], leopards: &[u8]) -> io::Result<()> {
        let mut dogs = dogs.to_vec();
        assert_eq!(dogs.len(), self.index.vector_len());
        if (hand, slot) == (self.at.0, self.at.1) {
            dogs[self.at.2] = if dogs[self.at.2] == 127 { 200 } else { 127 };
        }
        self.writer.vectors(hand, slot, &dogs, leopards)
    }
    fn layer_done(&self, hand: u8) -> io::Result<()> {
        self.writer.layer_done(hand)
    }
}

#[test]
fn verification_finds_one_wrong_score_and_nothing_in_a_right_table() {
    let narrow = rules("hat13", 2);
    let stop = AtomicBool::new(false);
    let right = solved(&narrow);
    let verifier = crate::tables::Verifier::new(&right, 2).unwrap();
    assert_eq!(verifier.verify_all(&|_, _| (), &stop).unwrap(), crate::tables::entries(&right));
    assert_eq!(verifier.verify_sample(2000, 1, &stop).unwrap(), 2000);
    let problem = Problem::new(narrow.board(), 2, narrow.least_dogs(), 2);
    // Movement, a hand that is stored, the one a left-out hand is made of, and the last.
    for at in [(0, 7, 0b11_0101_1011), (2, 30, 0b1_1100_1101), (3, 5, 0b1011_1101), (11, 45, 0)] {
        let header = crate::tables::make::header(&narrow, &problem);
        let writer = crate::tables::writer::Writer::new(io::Cursor::new(Vec::new()), header, 1).unwrap();
        let planting = Planting { writer, at, index: &problem.index };
        problem.solve(&planting, &Watch { progress: &|_| (), stop: &stop }).unwrap();
        let bytes = planting.writer.finish().unwrap().0.into_inner();
        let table = Table::from_bytes(bytes).unwrap();
        let error =
            crate::tables::Verifier::new(&table, 2).unwrap().verify_all(&|_, _| (), &stop).unwrap_err();
        assert!(error.to_string().contains("the table says"), "{error}");
    }
}
