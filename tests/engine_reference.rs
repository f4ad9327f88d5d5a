//! The engine's boards, counts and numbers against the reference data.

use engine::game::{
    Captures, Reason, Rules, SetupKind, Start, Variant, VariantSpec, boards, perft, perft_plain, variant,
    variants,
};
use std::collections::BTreeSet;
use tests::{Oracle, movement_counts, perfts, reference_boards, reference_counts, solved};

fn rules(spec: &VariantSpec) -> Rules {
    spec.rules().unwrap_or_else(|error| panic!("{error}"))
}

fn preset(name: &str) -> Rules {
    rules(&VariantSpec { variant: Some(name.to_owned()), ..VariantSpec::default() })
}

#[test]
fn the_catalogue_has_the_reference_boards_line_for_line() {
    let reference = reference_boards();
    let names: Vec<&str> = boards().iter().map(|board| board.name()).collect();
    assert_eq!(names, reference.iter().map(|board| board.name.as_str()).collect::<Vec<_>>());
    for (board, reference) in boards().iter().zip(&reference) {
        let name = board.name();
        assert_eq!(board.rows(), reference.rows, "{name}");
        let point = |name: &String| board.point(name).unwrap();
        let mut edges = BTreeSet::new();
        let mut leaps = BTreeSet::new();
        for line in &reference.lines {
            let line: Vec<_> = line.iter().map(point).collect();
            for pair in line.windows(2) {
                edges.extend([(pair[0], pair[1]), (pair[1], pair[0])]);
            }
            for three in line.windows(3) {
                leaps.extend([(three[0], three[1], three[2]), (three[2], three[1], three[0])]);
            }
        }
        let points = board.points().into_iter();
        let found: BTreeSet<_> =
            points.clone().flat_map(|a| board.neighbours(a).into_iter().map(move |b| (a, b))).collect();
        assert_eq!(found, edges, "{name}: steps");
        let found: BTreeSet<_> =
            points.flat_map(|a| board.jumps(a).iter().map(move |jump| (a, jump.over, jump.to))).collect();
        assert_eq!(found, leaps, "{name}: leaps");
    }
}

#[test]
fn boards_have_as_many_points_edges_and_jump_lines_as_the_reference_says() {
    for (board, counts) in boards().iter().zip(reference_counts()) {
        let found = [board.point_count(), board.edge_count(), board.jump_count()];
        assert_eq!(found, counts, "{}", board.name());
        assert!(board.is_symmetric(), "{}", board.name());
    }
}

#[test]
fn perft_equals_the_reference_from_every_start() {
    let reference = perfts();
    assert_eq!(reference.len(), 35);
    for row in &reference {
        let rules = preset(&row.variant);
        let board = rules.board();
        let Start::Placed(leopards) = rules.config().start else { panic!("{} is placed", row.variant) };
        let start = (board.name(), board.set_names(leopards), rules.dogs());
        assert_eq!(start, (row.board.as_str(), row.leopards.clone(), row.dogs), "{}", row.variant);
        assert_eq!(perft(&rules, &rules.start(), row.depth), row.leaves, "{row:?}");
    }
}

/// The last two plies are counted at once while dogs are dropped: with the last dog, with captures that win and
/// that do not, with leopards still to enter.
#[test]
fn perft_of_the_ends_of_the_drop_phase_equals_playing_them() {
    let captures = Captures::Number(3);
    for (setup, position, leaves) in [
        (SetupKind::Placed, "L/2LLd1/4/6/4 l 1 1 0", 104),
        (SetupKind::Placed, "L/2LLd1/4/6/4 l 1 2 0", 68),
        (SetupKind::Placed, "L/2LLd1/4/6/4 d 1 2 0", 100),
        (SetupKind::Entered, "1/2LLd1/4/6/4 d 2+1 0 0", 306),
        (SetupKind::Entered, "1/2LLd1/4/6/4 l 2+1 0 0", 306),
    ] {
        let spec = VariantSpec { setup: Some(setup), captures, ..VariantSpec::default() };
        let (rules, position) = rules(&spec).parse_position(position).unwrap();
        for depth in 0..=4 {
            let slow = perft_plain(&rules, &position, depth);
            assert_eq!(perft(&rules, &position, depth), slow, "{position:?} at depth {depth}");
        }
        assert_eq!(perft(&rules, &position, 2), leaves, "{position:?}");
    }
}

/// For the presets without reference counts, the slow rules of the tests are the yardstick.
#[test]
fn perft_of_the_other_presets_equals_that_of_the_slow_rules() {
    let known: BTreeSet<String> = perfts().into_iter().map(|row| row.variant).collect();
    let others: Vec<&Variant> = variants().iter().filter(|preset| !known.contains(&preset.name)).collect();
    assert_eq!(
        others.iter().map(|preset| preset.name.as_str()).collect::<Vec<_>>(),
        ["hat-13", "meurimueng"]
    );
    for other in others {
        let rules = preset(&other.name);
        let oracle = Oracle::new(&other.board, rules.captures_to_win());
        let start = rules.board().position_text(&rules.start());
        for depth in 1..=3 {
            let (fast, slow) = (perft(&rules, &rules.start(), depth), oracle.perft(&start, depth));
            assert_eq!(fast, slow, "{} at depth {depth}", other.name);
        }
    }
}

#[test]
fn presets_are_those_of_the_contract() {
    let table = [
        ("demala", "rect21", "a1 b3 b4", 15, Some(10)),
        ("demala-fan", "fan21", "a1 b2 b4", 15, Some(9)),
        ("demala-23", "rect23", "a1 b3 b4", 15, Some(10)),
        ("demala-19", "rect19", "a1 b2 b4", 15, Some(10)),
        ("rafaya", "rect29", "a1 b4 b5", 15, Some(10)),
        ("hat", "hat10", "a1", 7, Some(4)),
        ("len-choa", "hat10", "a1", 6, Some(3)),
        ("hat-13", "hat13", "b1 b3", 8, Some(4)),
        ("meurimueng", "rect23", "", 15, None),
    ];
    assert_eq!(variants().len(), table.len());
    for (name, board, leopards, dogs, captures) in table {
        let rules = preset(name);
        assert_eq!((rules.board().name(), rules.dogs()), (board, dogs), "{name}");
        match rules.config().start {
            Start::Placed(points) => assert_eq!(rules.board().set_names(points), leopards, "{name}"),
            Start::Entered => assert_eq!((leopards, rules.leopards()), ("", 5), "{name}"),
        }
        if let Some(captures) = captures {
            assert_eq!(rules.captures_to_win(), captures, "{name}");
        }
        assert_eq!(rules.least_dogs(), rules.least_dogs_to_trap(), "{name}");
    }
    for alias in ["pulijudam", "aadu-puli"] {
        assert_eq!(variant(alias).unwrap().name, "demala-23");
    }
}

#[test]
fn the_fewest_dogs_that_can_trap_are_those_of_the_reference() {
    let counted = movement_counts().into_iter().map(|row| (row.board, row.leopards, row.least_dogs_to_trap));
    let leopards = |text: &str| text.split(' ').count() as u8;
    let solved = solved().into_iter().map(|row| (row.board, leopards(&row.leopards), row.least_dogs_to_trap));
    let expected: BTreeSet<(String, u8, u8)> = counted.chain(solved).collect();
    assert!(expected.len() >= 2);
    for (board, leopards, least) in expected {
        let rules = rules(&VariantSpec {
            board: Some(board.clone()),
            leopards: Some(leopards),
            dogs: Some(1),
            ..VariantSpec::default()
        });
        assert_eq!(rules.least_dogs_to_trap(), least, "{leopards} leopards on {board}");
    }
}

/// Starts with fewer dogs than can trap are won for the Leopards before the first move, and no others are.
#[test]
fn a_start_is_lost_for_too_few_dogs_exactly_where_the_reference_says_so() {
    for row in solved() {
        let first = row.first.parse().unwrap();
        let rules = rules(&VariantSpec {
            board: Some(row.board.clone()),
            leopards: Some(row.leopards.split(' ').count() as u8),
            dogs: Some(row.dogs),
            first: Some(first),
            ..VariantSpec::default()
        });
        let Start::Placed(leopards) = rules.config().start else { panic!("placed is the default") };
        assert_eq!(rules.board().set_names(leopards), row.leopards);
        let ended = (row.plies == Some(0)).then_some(Reason::Captures);
        assert_eq!(rules.start().outcome(&rules), ended, "{row:?}");
    }
}
