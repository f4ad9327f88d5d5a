//! What holds for every position of every game, tried on games played at random.

use engine::game::{Game, Position, Reason, Rules, Setup, Side, all_move_texts, perft, perft_plain};
use proptest::prelude::{ProptestConfig, any, prop_assert, prop_assert_eq, proptest};
use proptest::sample::{Index, select};
use std::collections::{BTreeMap, BTreeSet};
use tests::{Oracle, Walk, walks};

/// The most plies of a random game: enough to drop all dogs and move about.
const PLIES: usize = 90;

fn config(cases: u32) -> ProptestConfig {
    // A failing game is printed whole: no file of seeds is needed to come back to it.
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

fn parts(walk: &Walk) -> (&Rules, &Position) {
    (walk.game.rules(), walk.game.position())
}

fn text(rules: &Rules, position: &Position) -> String {
    rules.board().position_text(position)
}

fn move_texts(rules: &Rules, position: &Position) -> BTreeSet<String> {
    position.legal_moves(rules).iter().map(|&mv| rules.board().move_text(mv)).collect()
}

/// A depth at which counting takes a moment on any board.
fn depth(rules: &Rules) -> u32 {
    if rules.board().point_count() > 14 { 2 } else { 3 }
}

proptest! {
    #![proptest_config(config(200))]

    #[test]
    fn the_text_of_a_position_gives_it_back(walk in walks(PLIES)) {
        let (rules, position) = parts(&walk);
        let (same_rules, same) = rules.parse_position(&text(rules, position)).unwrap();
        prop_assert_eq!(&same, position);
        prop_assert_eq!(same_rules.config(), rules.config());
        prop_assert_eq!(same_rules.captures_to_win(), rules.captures_to_win());
    }

    #[test]
    fn the_key_of_a_move_is_the_key_from_scratch(walk in walks(PLIES)) {
        let (rules, position) = parts(&walk);
        prop_assert_eq!(position.key(), position.key_from_scratch());
        for mv in position.legal_moves(rules) {
            let next = position.after(rules, mv);
            prop_assert_eq!(next.key(), next.key_from_scratch(), "{}", rules.board().move_text(mv));
            let text = rules.board().move_text(mv);
            prop_assert_eq!(next.symmetric_key(), position.symmetric_key_after(rules, mv), "{}", text);
            let image = next.mirrored(rules);
            prop_assert_eq!(next.mirrored_key(), image.map_or(next.key(), |image| image.key()), "{}", text);
        }
    }

    #[test]
    fn the_key_knows_points_side_hands_and_captures_but_not_quiet_plies(walk in walks(PLIES)) {
        let (rules, position) = parts(&walk);
        let setup = position.setup();
        let key = |setup: &Setup| rules.with_dogs(setup.total_dogs() as u8).ok()?.check(setup).ok().map(|p| p.key());
        prop_assert_eq!(key(&Setup { quiet: setup.quiet + 1, ..setup }), Some(position.key()));
        let others = [
            Setup { side: !setup.side, ..setup },
            Setup { dogs_in_hand: setup.dogs_in_hand + 1, ..setup },
            Setup { captured: setup.captured + 1, ..setup },
            Setup { captured: setup.captured + 1, dogs_in_hand: setup.dogs_in_hand.saturating_sub(1), ..setup },
        ];
        for other in others {
            prop_assert!(key(&other) != Some(position.key()), "{:?}", other);
        }
    }

    #[test]
    fn a_mirrored_position_has_mirrored_moves_and_equal_counts(walk in walks(PLIES)) {
        let (rules, position) = parts(&walk);
        let board = rules.board();
        let Some(mirrored) = position.mirrored(rules) else {
            prop_assert!(!board.is_symmetric());
            return Ok(());
        };
        let image = |mv: &String| {
            let name = |name: &str| board.point_name(board.mirrored(board.point(name).unwrap()).unwrap());
            match mv.strip_prefix('@') {
                Some(to) => format!("@{}", name(to)),
                None => name(&mv[..2]) + &name(&mv[2..]),
            }
        };
        let images: BTreeSet<String> = move_texts(rules, position).iter().map(image).collect();
        prop_assert_eq!(&move_texts(rules, &mirrored), &images);
        let depth = depth(rules);
        prop_assert_eq!(perft(rules, &mirrored, depth), perft(rules, position, depth));
        prop_assert_eq!(mirrored.outcome(rules), position.outcome(rules));
        prop_assert_eq!(&mirrored.mirrored(rules).unwrap(), position);
        prop_assert_eq!(mirrored.symmetric_key(), position.symmetric_key());
        let is_own_image = mirrored == *position;
        prop_assert_eq!(position.is_turned_round() ^ mirrored.is_turned_round(), !is_own_image);
        let of_moves: BTreeSet<String> =
            position.legal_moves(rules).iter().map(|mv| board.move_text(mv.mirrored(board))).collect();
        prop_assert_eq!(of_moves, images);
    }

    #[test]
    fn a_move_text_is_accepted_exactly_when_it_is_in_the_list(walk in walks(PLIES)) {
        let (rules, position) = parts(&walk);
        let legal = move_texts(rules, position);
        prop_assert_eq!(legal.len(), position.legal_moves(rules).len());
        let mut seen = 0;
        for text in all_move_texts(rules.board()) {
            let accepted = rules.parse_move(position, &text);
            prop_assert_eq!(accepted.is_ok(), legal.contains(&text), "{}", text);
            if let Ok(mv) = accepted {
                seen += 1;
                prop_assert_eq!(rules.board().move_text(mv), text);
            }
        }
        prop_assert_eq!(seen, legal.len());
    }

    #[test]
    fn counting_at_the_leaves_equals_playing_them(walk in walks(PLIES)) {
        let (rules, position) = parts(&walk);
        for depth in 0..=depth(rules) {
            prop_assert_eq!(perft(rules, position, depth), perft_plain(rules, position, depth));
        }
    }

    /// All along a game: entries, drops to the last, the captures that win.
    #[test]
    fn two_plies_at_once_are_counted_as_if_played(walk in walks(PLIES)) {
        let rules = walk.game.rules();
        let mut position = *walk.game.start();
        for &mv in walk.game.moves() {
            prop_assert_eq!(perft(rules, &position, 2), perft_plain(rules, &position, 2), "{}", text(rules, &position));
            position = position.after(rules, mv);
        }
    }

    /// The slow rules of the tests, written from the text of the rules, agree on every move and on all it
    /// brings about.
    #[test]
    fn moves_and_what_comes_of_them_equal_the_slow_rules(walk in walks(PLIES)) {
        let (rules, position) = parts(&walk);
        let oracle = Oracle::new(rules.board().name(), rules.captures_to_win());
        let found: BTreeMap<String, String> = position
            .legal_moves(rules)
            .iter()
            .map(|&mv| (rules.board().move_text(mv), text(rules, &position.after(rules, mv))))
            .collect();
        prop_assert_eq!(found, oracle.moves(&text(rules, position)));
    }

    #[test]
    fn the_outcome_agrees_with_the_moves(walk in walks(PLIES)) {
        let (rules, position) = parts(&walk);
        let moves = position.legal_moves(rules);
        let side = position.side_to_move();
        let by_captures = position.captured() >= rules.captures_to_win();
        prop_assert_eq!(position.has_moves(rules) && !by_captures, !moves.is_empty());
        let expected = if by_captures {
            Some(Reason::Captures)
        } else if moves.is_empty() {
            Some(if side == Side::Dogs { Reason::Stuck } else { Reason::Trapped })
        } else if rules.quiet_limit() > 0 && position.quiet() >= rules.quiet_limit() {
            Some(Reason::Quiet)
        } else {
            None
        };
        prop_assert_eq!(position.outcome(rules), expected);
        prop_assert_eq!(walk.game.legal_moves().is_empty(), walk.game.outcome().is_some());
        let captures: Vec<_> = moves.iter().copied().filter(|mv| mv.is_capture()).collect();
        prop_assert_eq!(captures, position.captures(rules).to_vec());
    }

    #[test]
    fn a_game_is_drawn_by_repetition_exactly_at_its_limit(walk in walks(PLIES)) {
        let (rules, game) = (walk.game.rules(), &walk.game);
        let mut again = Game::from_position(rules.clone(), *game.start());
        let mut before: Vec<Position> = Vec::new();
        for (number, &mv) in game.moves().iter().enumerate() {
            before.push(*again.position());
            again.play(mv);
            let now = again.position();
            // Equal in everything but the quiet plies.
            let same = |other: &&Position| Setup { quiet: 0, ..other.setup() } == Setup { quiet: 0, ..now.setup() };
            let occurrences = 1 + before.iter().filter(same).count() as u32;
            prop_assert_eq!(again.occurrences(), occurrences, "after move {}", number + 1);
            let is_drawn = rules.repetition() > 0 && occurrences >= u32::from(rules.repetition());
            let is_won = now.outcome(rules).is_some_and(|reason| reason.winner().is_some());
            prop_assert_eq!(again.outcome() == Some(Reason::Repetition), is_drawn && !is_won);
        }
        prop_assert_eq!(again.position(), game.position());
    }

    #[test]
    fn a_move_changes_sides_and_never_the_number_of_pieces(walk in walks(PLIES)) {
        let (rules, position) = parts(&walk);
        let setup = position.setup();
        prop_assert_eq!(setup.total_dogs(), usize::from(rules.dogs()));
        prop_assert_eq!(setup.total_leopards(), usize::from(rules.leopards()));
        for mv in position.legal_moves(rules) {
            let next = position.after(rules, mv).setup();
            prop_assert_eq!(next.total_dogs(), setup.total_dogs());
            prop_assert_eq!(next.total_leopards(), setup.total_leopards());
            prop_assert_eq!(next.side, !setup.side);
            prop_assert!(rules.check(&next).is_ok(), "{:?}", next);
        }
    }

    /// Whatever is done to a position's text, it is refused with a message in one line that names a field,
    /// or it is the text of a position that can be played on.
    #[test]
    fn a_spoilt_position_text_is_refused_or_read_for_what_it_says(
        walk in walks(PLIES),
        spoilings in proptest::collection::vec((any::<Index>(), 0..4_u8, select(SYMBOLS)), 1..5),
    ) {
        let (rules, position) = parts(&walk);
        let mut symbols: Vec<char> = text(rules, position).chars().collect();
        for (place, what, symbol) in spoilings {
            let place = place.index(symbols.len());
            match what {
                0 => symbols[place] = symbol,
                1 => symbols.insert(place, symbol),
                2 if symbols.len() > 1 => drop(symbols.remove(place)),
                _ => symbols.truncate(place + 1),
            }
        }
        let spoilt: String = symbols.into_iter().collect();
        match rules.parse_position(&spoilt) {
            Ok((rules, position)) => {
                let plain = text(&rules, &position);
                let (_, again) = rules.parse_position(&plain).unwrap();
                prop_assert_eq!(again, position, "{}", spoilt);
                prop_assert_eq!(perft(&rules, &position, 2), perft_plain(&rules, &position, 2), "{}", spoilt);
            }
            Err(error) => {
                let fields = ["position", "rows", "side", "hand", "captured", "quiet"];
                prop_assert!(fields.contains(&error.field), "{}", error);
                prop_assert!(error.to_string().starts_with(error.field), "{}", error);
            }
        }
    }

    #[test]
    fn no_text_is_a_move_by_accident(walk in walks(20), noise in ".{0,6}") {
        let (rules, position) = parts(&walk);
        let is_legal = move_texts(rules, position).contains(&noise);
        prop_assert_eq!(rules.parse_move(position, &noise).is_ok(), is_legal);
    }
}

const SYMBOLS: &[char] = &[
    'L', 'd', 'l', 'D', '/', ' ', '+', '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'x', 'é', '\0',
];

/// Random games are worth no more than the phases they reach.
#[test]
fn random_games_reach_every_phase_and_every_end() {
    use proptest::strategy::{Strategy as _, ValueTree as _};
    use proptest::test_runner::TestRunner;
    let mut runner = TestRunner::deterministic();
    let mut seen: BTreeMap<String, u32> = BTreeMap::new();
    for _ in 0..2_000 {
        let walk = walks(PLIES).new_tree(&mut runner).unwrap().current();
        let (_, position) = parts(&walk);
        let end = walk.game.outcome().map_or("going on".to_owned(), |reason| reason.to_string());
        *seen.entry(end).or_default() += 1;
        for (name, is_so) in [
            ("dogs in hand", position.dogs_in_hand() > 0),
            ("leopards in hand", position.leopards_in_hand() > 0),
            ("all on the board", position.dogs_in_hand() == 0 && position.leopards_in_hand() == 0),
            ("captured", position.captured() > 0),
            ("quiet plies", position.quiet() > 0),
        ] {
            *seen.entry(name.to_owned()).or_default() += u32::from(is_so);
        }
    }
    let wanted = [
        "trapped",
        "captures",
        "stuck",
        "repetition",
        "quiet",
        "going on",
        "dogs in hand",
        "leopards in hand",
        "all on the board",
        "captured",
        "quiet plies",
    ];
    for name in wanted {
        assert!(seen.get(name).is_some_and(|&n| n >= 3), "hardly any {name}: {seen:?}");
    }
}
