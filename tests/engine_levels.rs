//! Levels: an engine weakened on purpose, over the protocol and in matches of the library's own.

use engine::game::{Game, Side, VariantSpec};
use engine::search::{Level, Limits, SearchOptions, Searcher};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use tests::{Info, Search, Session};

fn start(options: &[(&str, &str)]) -> Session {
    let mut engine = Session::start(env!("CARGO_BIN_EXE_koti-engine"), &[]);
    for (name, value) in options {
        engine.tell(&format!("setoption name {name} value {value}"));
    }
    engine
}

/// The first plies of a game of the engine with itself.
fn opening(engine: &mut Session, plies: usize) -> Vec<String> {
    let mut moves = Vec::new();
    for _ in 0..plies {
        moves.push(engine.go("nodes 400").best);
        engine.tell(&format!("position startpos moves {}", moves.join(" ")));
    }
    moves
}

fn timeless(search: &Search) -> (Vec<Info>, String) {
    (search.infos.iter().map(Info::timeless).collect(), search.best.clone())
}

#[test]
fn level_20_changes_nothing() {
    let searches = |options: &[(&str, &str)]| {
        let mut engine = start(options);
        let (mut searches, mut position) = (Vec::new(), "position startpos moves".to_owned());
        for limit in ["nodes 3000", "depth 6", "nodes 20000"] {
            let search = engine.go(limit);
            position = format!("{position} {}", search.best);
            engine.tell(&position);
            searches.push(timeless(&search));
        }
        engine.quit();
        searches
    };
    let plain = searches(&[("MultiPV", "2")]);
    assert_eq!(searches(&[("MultiPV", "2"), ("Level", "20"), ("Seed", "5")]), plain);
    assert_eq!(searches(&[("MultiPV", "2"), ("Level", "3"), ("Level", "20")]), plain);
}

#[test]
fn a_seed_repeats_the_game_whatever_was_played_before() {
    for level in ["0", "4", "9"] {
        let game = |seed: &str, threads: &str, earlier: usize| {
            let mut engine = start(&[("Level", level), ("Seed", seed), ("Threads", threads)]);
            opening(&mut engine, earlier);
            engine.tell("position startpos");
            let moves = opening(&mut engine, 16);
            engine.quit();
            moves
        };
        let first = game("7", "1", 0);
        assert_eq!(game("7", "1", 0), first, "level {level}");
        assert_eq!(game("7", "2", 5), first, "level {level}: threads and earlier searches change nothing");
        assert_ne!(game("8", "1", 0), first, "level {level}");
    }
}

#[test]
fn the_lowest_level_begins_with_any_move() {
    let mut engine = start(&[("Level", "0")]);
    let moves: BTreeSet<String> = (0..40)
        .map(|seed| {
            engine.tell(&format!("setoption name Seed value {seed}"));
            engine.go("nodes 100").best
        })
        .collect();
    // Forty throws of eighteen moves: hardly ever fewer than twelve of them.
    assert!(moves.len() > 9, "{moves:?}");
    engine.quit();
}

/// The move of a position at many seeds.
fn choices(level: u8, options: &[(&str, &str)], position: &str) -> BTreeSet<String> {
    let mut engine = start(options);
    engine.tell(&format!("setoption name Level value {level}"));
    engine.tell(position);
    let choices = (0..30)
        .map(|seed| {
            engine.tell(&format!("setoption name Seed value {seed}"));
            engine.go("nodes 1").best
        })
        .collect();
    engine.quit();
    choices
}

#[test]
fn from_level_5_on_a_win_on_the_spot_is_taken() {
    let hat = [("Variant", "hat")];
    let capture = [("Variant", "hat"), ("Captures", "1")];
    for level in [5, 8, 19] {
        let trapping = choices(level, &hat, "position fen L/ddd/d1d/3 d 2 0 0");
        assert_eq!(trapping, ["@c2".to_owned()].into(), "level {level}");
        let capturing = choices(level, &capture, "position fen L/1d1/3/3 l 6 0 0");
        assert_eq!(capturing, ["a1c2".to_owned()].into(), "level {level}");
    }
    assert!(choices(0, &hat, "position fen L/ddd/d1d/3 d 2 0 0").len() > 1, "level 0 sees nothing");
}

#[test]
fn from_level_5_on_no_win_is_left_to_the_opponent_where_that_can_be_helped() {
    // One capture wins: a dog must not stand next to the leopard with a vacant point behind it.
    let capture = [("Variant", "hat"), ("Captures", "1")];
    let position = "position fen 1/1L1/3/3 d 7 0 0";
    let spec = VariantSpec {
        variant: Some("hat".to_owned()),
        captures: "1".parse().expect("a number of captures"),
        ..VariantSpec::default()
    };
    let (rules, start) = spec.rules().unwrap().parse_position("1/1L1/3/3 d 7 0 0").unwrap();
    let game = Game::from_position(Arc::new(rules), start);
    let is_safe = |mv: &String| {
        let mut game = game.clone();
        game.play_text(mv).unwrap();
        !game.legal_moves().iter().any(|mv| mv.is_capture())
    };
    let all: Vec<String> = game.legal_moves().iter().map(|&mv| game.rules().board().move_text(mv)).collect();
    assert!(all.iter().any(is_safe) && !all.iter().all(is_safe), "{all:?}");
    for level in [5, 10] {
        let choices = choices(level, &capture, position);
        assert!(choices.iter().all(is_safe), "level {level}: {choices:?}");
    }
    assert!(!choices(0, &capture, position).iter().all(is_safe));
}

#[test]
fn all_limits_and_stop_are_obeyed() {
    let mut engine = start(&[("Level", "19")]);
    let all = engine.go("movetime 60000");
    let most = all.last().nodes;
    assert!((10_000..100_000).contains(&most), "a limit of its own: {most}");
    assert_eq!(engine.go("depth 3").last().depth, 3);
    let few = engine.go("nodes 2000").last().nodes;
    assert!(few <= 2_000, "{few}");
    assert!(engine.go("p1time 0 p2time 0").last().depth <= 1, "no time for a second iteration");
    engine.go("p1time 60000 p2time 60000 p1inc 1000 p2inc 1000");
    // A search without a limit is answered on stop only, also when the level has seen enough.
    engine.send("go infinite");
    engine.until(|line| line.contains(&format!("nodes {most} ")));
    assert_eq!(engine.sync(), [""; 0]);
    engine.send("stop");
    assert_eq!(timeless(&engine.search()).1.len(), 3);
    engine.quit();
}

#[test]
fn lines_are_told_best_first_and_the_move_may_be_another() {
    let mut engine = start(&[("Level", "6"), ("MultiPV", "4")]);
    let mut differs = false;
    for seed in 0..20 {
        engine.tell(&format!("setoption name Seed value {seed}"));
        let search = engine.go("depth 2");
        let lines: Vec<&Info> = search.infos.iter().filter(|info| info.depth == 1).take(4).collect();
        assert_eq!(lines.iter().map(|info| info.multi_pv).collect::<Vec<_>>(), [1, 2, 3, 4]);
        let scores: Vec<i32> =
            lines.iter().map(|info| info.score.strip_prefix("cp ").unwrap().parse().unwrap()).collect();
        assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
        assert_eq!(search.last().multi_pv, 1);
        differs |= search.last().pv[0] != search.best;
    }
    assert!(differs, "twenty seeds, and always the best move");
    engine.quit();
}

#[test]
fn a_weakened_engine_plays_without_the_table() {
    let directory = tempfile::tempdir().unwrap();
    solve_hat(directory.path());
    let tables = directory.path().display().to_string();
    let mut engine = start(&[("Variant", "hat"), ("TablePath", &tables)]);
    assert_eq!(engine.go("depth 1").last().score, "mate 13");
    engine.tell("setoption name Level value 12");
    assert_eq!(engine.query("value"), "dogs 13", "asked for it, the table still answers");
    let with_table = engine.go("depth 3");
    assert!(with_table.last().score.starts_with("cp "), "{with_table:?}");
    engine.tell("setoption name TablePath value <empty>");
    assert_eq!(timeless(&engine.go("depth 3")), timeless(&with_table));
    engine.quit();
}

fn solve_hat(directory: &Path) {
    let mut solve = assert_cmd::cargo::cargo_bin_cmd!("koti-engine");
    solve.args(["solve", "--variant", "hat", "--out"]).arg(directory).assert().success();
}

/// Plays a game of fourteen dogs; gives the Dogs' score in half points.
fn play(dogs: u8, leopards: u8, seed: u64) -> u32 {
    let spec = VariantSpec { dogs: Some(14), quiet_limit: Some(60), ..VariantSpec::default() };
    let mut game = Game::new(Arc::new(spec.rules().expect("rules of a match")));
    let mut searchers = [dogs, leopards].map(|level| {
        let options =
            SearchOptions { level: Level::new(level).expect("a level"), seed, ..SearchOptions::default() };
        (Searcher::new(1).expect("a megabyte"), options)
    });
    let limits = Limits { nodes: Some(2_000), ..Limits::default() };
    let never = AtomicBool::new(false);
    loop {
        let (searcher, options) = &mut searchers[game.position().side_to_move().index()];
        let Some(mv) = searcher.search(&game, &limits, options, None, &never, &mut |_| {}).best else {
            break;
        };
        game.play(mv);
    }
    match game.outcome().expect("the game is over").winner() {
        Some(Side::Dogs) => 2,
        Some(Side::Leopards) => 0,
        None => 1,
    }
}

/// Levels far apart, so that hardly any change of the engine can turn the result.
#[test]
fn a_higher_level_wins_a_match() {
    for (lower, higher) in [(0, 6), (6, 13)] {
        let score: u32 = (0..8).map(|seed| play(higher, lower, seed) + 2 - play(lower, higher, seed)).sum();
        assert!(score >= 19, "level {higher} made {score} half points of 32 against level {lower}");
    }
}
