//! The protocol, from the other end of the pipes.

use engine::game::{Game, VariantSpec};
use proptest::prelude::{Just, ProptestConfig, Strategy, any, prop_oneof, proptest};
use proptest::sample::select;
use std::collections::BTreeSet;
use std::sync::Arc;
use tests::{Info, Search, Session, own_boards};

const DEMALA: &str = "L/2LL2/4/6/4 d 15 0 0";
const HAT: &str = "L/3/3/3 d 7 0 0";

fn start() -> Session {
    Session::start(env!("CARGO_BIN_EXE_koti-engine"), &[])
}

fn start_with(options: &[(&str, &str)]) -> Session {
    let mut engine = start();
    for (name, value) in options {
        engine.tell(&format!("setoption name {name} value {value}"));
    }
    engine
}

/// A game by the rules of a preset, to check the engine's answers against.
fn game(variant: &str) -> Game {
    let spec = VariantSpec { variant: Some(variant.to_owned()), ..VariantSpec::default() };
    Game::new(Arc::new(spec.rules().expect("a preset")))
}

fn legal(game: &Game) -> BTreeSet<String> {
    game.legal_moves().iter().map(|&mv| game.rules().board().move_text(mv)).collect()
}

fn words(text: &str) -> BTreeSet<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

/// Whether a line may stand in the output at all, `help` and `show` apart.
fn is_protocol(line: &str) -> bool {
    ["id name ", "id author ", "option name ", "info string ", "response "]
        .iter()
        .any(|s| line.starts_with(s))
        || ["ugiok", "readyok", "response"].contains(&line)
        || line.strip_prefix("bestmove ").is_some_and(|mv| !mv.is_empty() && !mv.contains(' '))
        || Info::parse(line).is_ok()
}

mod introduction {
    use super::*;

    #[test]
    fn the_engine_names_itself_and_declares_every_option() {
        let mut engine = start();
        engine.send("ugi");
        let lines = engine.until(|line| line == "ugiok");
        assert_eq!(lines[0], format!("id name Koti {}", env!("CARGO_PKG_VERSION")));
        assert!(lines[1].starts_with("id author "), "{lines:?}");
        let options = &lines[2..lines.len() - 1];
        let expected = [
            ("Variant", "combo default demala"),
            ("Board", "combo default rect21"),
            ("Dogs", "spin default 15 min 1"),
            ("Leopards", "spin default 3 min 1 max 5"),
            ("BoardFile", "string default <empty>"),
            ("Setup", "combo default placed var placed var entered"),
            ("First", "combo"),
            ("Captures", "string default auto"),
            ("Repetition", "spin default 3"),
            ("QuietLimit", "spin default 400"),
            ("Hash", "spin default"),
            ("Threads", "spin default 1 min 1"),
            ("MultiPV", "spin default 1 min 1"),
            ("TablePath", "string default <empty>"),
            ("Level", "spin default 20 min 0 max 20"),
            ("Noise", "spin default 0 min 0"),
            ("Seed", "spin default"),
            ("MoveOverhead", "spin default"),
        ];
        for (name, declaration) in expected {
            let start = format!("option name {name} type {declaration}");
            assert_eq!(
                options.iter().filter(|line| line.starts_with(&start)).count(),
                1,
                "{start}: {options:#?}"
            );
        }
        assert!(options.iter().all(|line| line.starts_with("option name ")), "{options:#?}");
        assert_eq!(engine.quit(), [""; 0]);
    }

    /// The arena's built-in engine is this one.
    #[test]
    fn the_arena_program_is_the_engine_where_it_is_told_to_be() {
        let introduction = |mut engine: Session| {
            engine.send("ugi");
            let lines = engine.until(|line| line == "ugiok");
            engine.tell("position startpos moves @d1");
            let best = engine.go("nodes 500").best;
            engine.quit();
            (lines, best)
        };
        let built_in = Session::start(env!("CARGO_BIN_EXE_koti-arena"), &["engine"]);
        assert_eq!(introduction(built_in), introduction(start()));
    }

    /// What an option is declared to take, it takes.
    #[test]
    fn every_declared_value_is_accepted() {
        let mut engine = start();
        engine.send("ugi");
        let lines = engine.until(|line| line == "ugiok");
        for line in lines.iter().filter_map(|line| line.strip_prefix("option name ")) {
            let (name, rest) = line.split_once(" type ").unwrap();
            let words: Vec<&str> = rest.split(' ').collect();
            let after = |key: &str| {
                let after = words.windows(2).filter(move |pair| pair[0] == key);
                after.map(|pair| pair[1].to_owned()).collect::<Vec<_>>()
            };
            let mut values = [after("default"), after("var"), after("min")].concat();
            // The most that may be asked for is more than a machine may have.
            if !["Hash", "Threads"].contains(&name) {
                values.extend(after("max"));
            }
            for value in values {
                // Boards and pieces must fit each other: room for all of them first.
                for option in ["Variant value rafaya", "Leopards value 1", "Dogs value 1"] {
                    engine.tell(&format!("setoption name {option}"));
                }
                if name == "Dogs" && value == "31" {
                    let refused = engine.refused("setoption name Dogs value 31");
                    assert!(refused.contains("1 to 28"), "{refused}"); // no board of the catalogue has room
                } else {
                    engine.tell(&format!("setoption name {name} value {value}"));
                }
            }
        }
        engine.quit();
    }

    #[test]
    fn help_tells_of_every_command() {
        let mut engine = start();
        engine.send("help");
        let help = engine.sync().join("\n");
        let commands = [
            "ugi",
            "isready",
            "uginewgame",
            "setoption",
            "position",
            "go",
            "stop",
            "query",
            "show",
            "wait",
            "quit",
        ];
        for command in commands {
            assert!(help.contains(&format!("\n  {command} ")), "help lacks {command}:\n{help}");
        }
        engine.quit();
    }
}

mod queries {
    use super::*;

    #[test]
    fn the_start_is_in_force_before_anything_is_said() {
        let mut engine = start();
        assert_eq!(engine.query("fen"), DEMALA);
        assert_eq!(engine.query("p1turn"), "true");
        assert_eq!(engine.query("gameover"), "false");
        assert_eq!(engine.query("result"), "none");
        assert_eq!(engine.query("reason"), "none");
        assert_eq!(engine.query("value"), "none");
        assert_eq!(words(&engine.query("legalmoves")), legal(&game("demala")));
        engine.quit();
    }

    #[test]
    fn a_game_is_followed_move_by_move() {
        let mut engine = start();
        let mut game = game("demala");
        let mut moves = String::new();
        for mv in ["@d1", "b3c2", "@d2", "a1b3", "@d3", "c2e2"] {
            assert_eq!(engine.query(&format!("islegal {mv}")), "true", "{mv}");
            assert_eq!(engine.query("islegal @a1"), legal(&game).contains("@a1").to_string());
            game.play_text(mv).unwrap();
            moves = format!("{moves} {mv}");
            engine.tell(&format!("position startpos moves{moves}"));
            let board = game.rules().board();
            assert_eq!(engine.query("fen"), board.position_text(game.position()));
            assert_eq!(words(&engine.query("legalmoves")), legal(&game));
            assert_eq!(engine.query("p1turn"), game.moves().len().is_multiple_of(2).to_string());
        }
        assert!(engine.query("fen").ends_with(" 1 0"), "a dog was taken");
        for text in ["", "@", "a1", "a1a1", "a1z9", "A1B3", "@b3 @b3", "é1b3", "c3d3c3", "0000"] {
            assert_eq!(engine.query(&format!("islegal {text}")), "false", "{text}");
        }
        engine.quit();
    }

    #[test]
    fn ends_are_told_with_their_reason() {
        let cases = [
            ("hat", "fen L/ddd/ddd/1d1 l 0 0 3", "p1win", "trapped"),
            ("hat", "fen L/ddd/ddd/ddd d 0 0 3", "p2win", "stuck"),
            ("hat", "fen L/1dd/d2/3 d 0 4 0", "p2win", "captures"),
            ("hat", "fen L/1dd/ddd/3 l 0 2 400", "draw", "quiet"),
            ("hat", "fen L/3/3/3 d 3 0 0", "p2win", "captures"), // too few to trap: over at once
            ("demala-23", "fen 1/Ldd3/Ldd3/Ldd3/4 l 0 9 1", "p1win", "trapped"),
        ];
        for (variant, position, result, reason) in cases {
            let mut engine = start_with(&[("Variant", variant)]);
            engine.tell(&format!("position {position}"));
            assert_eq!(engine.query("gameover"), "true", "{position}");
            assert_eq!(engine.query("result"), result, "{position}");
            assert_eq!(engine.query("reason"), reason, "{position}");
            assert_eq!(engine.query("legalmoves"), "", "{position}");
            let search = engine.go("depth 3");
            assert_eq!((search.best.as_str(), search.last().nodes), ("(none)", 0), "{position}");
            let score = if result == "draw" { "cp 0" } else { "mate 0" };
            assert_eq!(search.last().score, score, "{position}");
            engine.quit();
        }
    }

    #[test]
    fn the_third_occurrence_is_a_draw_and_the_game_is_over() {
        let mut engine = start_with(&[("Variant", "hat"), ("Captures", "1"), ("Dogs", "1")]);
        let moves = "@d1 a1b3 d1d2 b3a1 d2d1 a1b3 d1d2 b3a1";
        engine.tell(&format!("position startpos moves {moves}"));
        assert_eq!(engine.query("reason"), "none");
        engine.tell(&format!("position startpos moves {moves} d2d1"));
        assert_eq!(engine.query("reason"), "repetition");
        assert_eq!(engine.query("result"), "draw");
        assert_eq!(engine.query("islegal a1b3"), "false");
        assert_eq!(engine.go("depth 2").best, "(none)");
        let fault = engine.refused(&format!("position startpos moves {moves} d2d1 a1b3"));
        assert!(fault.contains("move 10") && fault.contains("repetition"), "{fault}");
        // The position alone, without its past, goes on.
        let text = engine.query("fen");
        engine.tell(&format!("position fen {text}"));
        assert_eq!(engine.query("gameover"), "false");
        engine.quit();
    }

    #[test]
    fn show_draws_the_position_for_a_person() {
        let mut engine = start();
        engine.tell("position startpos moves @d1 b3c2");
        engine.send("show");
        insta::assert_snapshot!("show", engine.sync().join("\n"));
        engine.tell("setoption name Variant value hat");
        engine.tell("position fen L/ddd/ddd/1d1 l 0 0 3");
        engine.send("show");
        let text = engine.sync().join("\n");
        assert!(text.contains("L/ddd/ddd/1d1 l 0 0 3") && text.contains("dogs win (trapped)"), "{text}");
        engine.quit();
    }

    #[test]
    fn questions_that_are_none_are_refused() {
        let mut engine = start();
        for question in ["query", "query weather", "query fen?"] {
            assert!(engine.refused(question).contains("legalmoves"), "{question}");
        }
        engine.quit();
    }
}

mod positions {
    use super::*;

    #[test]
    fn a_position_that_is_refused_leaves_the_old_one_in_force() {
        let mut engine = start();
        engine.tell("position startpos moves @d1 b3c2");
        let old = engine.query("fen");
        let cases = [
            ("position", "startpos"),
            ("position endpos", "startpos"),
            ("position startpos @d1", "@d1"),
            ("position startpos moves @d1 b3c2 c2b3", "move 3"),
            ("position startpos moves @d1 @d2", "move 2"),
            ("position startpos moves @d1 nonsense", "nonsense"),
            ("position fen", "fields"),
            ("position fen moves @d1", "fields"),
            ("position fen L/2LL2/4/6/4 d 15 0", "4 fields"),
            ("position fen L/2LL2/4/6/4 d 15 0 0 9", "6 fields"),
            ("position fen L/3/3/3 d 7 0 0", "rows"),
            ("position fen L/6/4/6/4 d 15 0 0", "rows"),
            ("position fen L/2LL2/4/6/9 d 15 0 0", "row e"),
            ("position fen L/2LL2/4/6/4 x 15 0 0", "side"),
            ("position fen L/2LL2/4/6/4 d 0 0 0", "hand"),
            ("position fen L/2LL2/4/6/4 d 19 0 0", "hand"),
            ("position fen L/2LL2/4/6/4 d 15+1 0 0", "rows"),
            ("position fen L/2LL2/4/6/4 d 15 -1 0", "captured"),
            ("position fen L/2LL2/4/6/4 d 15 0 99999", "quiet"),
            ("position fen L/2LL2/4/6/4 d 15 0 0 moves a1b2", "move 1"),
            ("position fen 1/2LL2/4/6/4 d 14+1 1 0", "captured"),
        ];
        for (command, word) in cases {
            let fault = engine.refused(command);
            assert!(fault.contains(word), "{command}: \"{fault}\" lacks \"{word}\"");
            assert_eq!(engine.query("fen"), old, "{command}");
        }
        engine.quit();
    }

    #[test]
    fn a_position_says_how_many_dogs_there_are() {
        let mut engine = start();
        engine.tell("position fen L/2LL2/4/6/4 d 9 0 0 moves @d1");
        assert_eq!(engine.query("fen"), "L/2LL2/4/d5/4 l 8 0 0");
        // `auto` goes by the dogs of the position: with nine, four captures leave five, too few to trap.
        engine.tell("position fen L/2LL2/4/d5/4 d 4 4 0");
        assert_eq!(engine.query("reason"), "captures");
        // The start of the game is still the preset's.
        engine.tell("position startpos");
        assert_eq!(engine.query("fen"), DEMALA);
        engine.quit();
    }
}

mod options {
    use super::*;

    #[test]
    fn an_option_of_the_game_puts_its_start_in_force() {
        let cases: [(&[(&str, &str)], &str); 12] = [
            (&[("Variant", "hat")], HAT),
            (&[("variant", "hat")], HAT), // names of options in any case
            (&[("Variant", "pulijudam")], "L/2LL2/6/6/4 d 15 0 0"),
            (&[("Variant", "meurimueng")], "1/6/6/6/4 l 15+5 0 0"),
            (&[("Dogs", "9")], "L/2LL2/4/6/4 d 9 0 0"),
            (&[("Leopards", "1")], "L/6/4/6/4 d 15 0 0"),
            (&[("Dogs", "6"), ("Leopards", "1"), ("Board", "hat13")], "L/3/3/3/3 d 6 0 0"),
            (&[("Setup", "entered")], "1/6/4/6/4 l 15+3 0 0"),
            (&[("Setup", "entered"), ("First", "dogs")], "1/6/4/6/4 d 15+3 0 0"),
            (&[("First", "leopards")], "L/2LL2/4/6/4 l 15 0 0"),
            (&[("First", "leopards"), ("First", "auto")], DEMALA),
            (&[("Dogs", "9"), ("Variant", "demala")], DEMALA), // a preset is a whole game
        ];
        for (options, position) in cases {
            let mut engine = start();
            engine.tell("position startpos moves @d1");
            for (name, value) in options {
                engine.tell(&format!("setoption name {name} value {value}"));
            }
            assert_eq!(engine.query("fen"), position, "{options:?}");
            engine.quit();
        }
        for (name, value) in [("Captures", "2"), ("Repetition", "0"), ("QuietLimit", "7")] {
            let mut engine = start();
            engine.tell("position startpos moves @d1");
            engine.tell(&format!("setoption name {name} value {value}"));
            assert_eq!(engine.query("fen"), DEMALA, "{name}");
            engine.quit();
        }
    }

    #[test]
    fn an_option_of_the_search_leaves_the_position() {
        let mut engine = start();
        engine.tell("position startpos moves @d1");
        let position = engine.query("fen");
        let options = [
            ("Hash", "2"),
            ("Threads", "2"),
            ("MultiPV", "2"),
            ("Level", "3"),
            ("Noise", "5"),
            ("Seed", "9"),
        ];
        for (name, value) in [&options[..], &[("MoveOverhead", "3"), ("TablePath", "<empty>")]].concat() {
            engine.tell(&format!("setoption name {name} value {value}"));
            assert_eq!(engine.query("fen"), position, "{name}");
        }
        engine.tell("uginewgame");
        assert_eq!(engine.query("fen"), position);
        engine.quit();
    }

    #[test]
    fn ends_of_the_game_go_by_the_options() {
        let mut engine = start_with(&[("Variant", "hat"), ("Captures", "1")]);
        engine.tell("position startpos moves @b1 a1c1");
        assert_eq!(engine.query("reason"), "captures");
        engine.tell("setoption name Captures value auto");
        engine.tell("position startpos moves @b1 a1c1");
        assert_eq!(engine.query("reason"), "none");
        engine.tell("setoption name QuietLimit value 1");
        engine.tell("position startpos moves @d1 a1b3");
        assert_eq!(engine.query("reason"), "quiet");
        for (limit, reason) in [("2", "repetition"), ("0", "none")] {
            for option in ["Variant value hat", "Captures value 1", "Dogs value 1", "QuietLimit value 0"] {
                engine.tell(&format!("setoption name {option}"));
            }
            engine.tell(&format!("setoption name Repetition value {limit}"));
            engine.tell("position startpos moves @d1 a1b3 d1d2 b3a1 d2d1");
            assert_eq!(engine.query("reason"), reason);
        }
        engine.quit();
    }

    #[test]
    fn a_bad_value_keeps_the_old_one_and_says_so() {
        let mut engine = start_with(&[("Variant", "hat"), ("Dogs", "6"), ("Captures", "2")]);
        engine.tell("position startpos moves @d1");
        let position = engine.query("fen");
        let cases = [
            ("Variant", "chess"),
            ("Variant", ""),
            ("Board", "chess"),
            ("Board", "rect99"),
            ("BoardFile", "no/such/file.toml"),
            ("Dogs", "0"),
            ("Dogs", "1"), // fewer than the captures that win
            ("Dogs", "10"),
            ("Dogs", "99"),
            ("Dogs", "300"),
            ("Dogs", "six"),
            ("Leopards", "0"),
            ("Leopards", "5"), // no room beside six dogs
            ("Leopards", "6"),
            ("Setup", "thrown"),
            ("First", "cats"),
            ("Captures", "0"),
            ("Captures", "7"),
            ("Captures", "all"),
            ("Repetition", "1"),
            ("Repetition", "101"),
            ("QuietLimit", "-1"),
            ("Hash", "0"),
            ("Hash", "big"),
            ("Threads", "0"),
            ("MultiPV", "0"),
            ("TablePath", "no/such/directory"),
            ("Level", "21"),
            ("Level", "high"),
            ("Noise", "-1"),
            ("Seed", "x"),
            ("MoveOverhead", "soon"),
        ];
        for (name, value) in cases {
            let fault = engine.refused(&format!("setoption name {name} value {value}"));
            assert!(fault.contains(name), "{name} {value}: \"{fault}\" does not name it");
            assert!(value.is_empty() || fault.contains(value), "{name} {value}: \"{fault}\"");
            assert_eq!(engine.query("fen"), position, "{name} {value}");
        }
        for command in ["setoption", "setoption name", "setoption Dogs 5", "setoption name Colour value red"]
        {
            let fault = engine.refused(command);
            assert!(fault.contains("option"), "{fault}");
        }
        // The values in force are still the old ones: two captures of six dogs win.
        engine.tell("position fen L/1dd/d2/3 d 1 2 0");
        assert_eq!(engine.query("reason"), "captures");
        engine.tell("position startpos");
        assert_eq!(engine.query("fen"), "L/3/3/3 d 6 0 0");
        engine.quit();
    }

    #[test]
    fn a_position_of_another_board_is_refused() {
        let mut engine = start();
        assert!(engine.refused(&format!("position fen {HAT}")).contains("rows"));
        engine.tell("setoption name Variant value hat");
        engine.tell(&format!("position fen {HAT}"));
        assert!(engine.refused(&format!("position fen {DEMALA}")).contains("rows"));
        engine.quit();
    }

    #[test]
    fn a_board_of_ones_own_is_played() {
        let directory = tempfile::tempdir().unwrap();
        // The path keeps its blanks.
        let path = directory.path().join("my  boards.toml");
        std::fs::write(&path, own_boards()).unwrap();
        let mut engine = start_with(&[("Leopards", "1"), ("Dogs", "5")]);
        engine.tell(&format!("setoption name BoardFile value {}", path.display()));
        assert_eq!(engine.query("fen"), "L/2/3 d 5 0 0");
        engine.tell("setoption name Board value street");
        assert_eq!(engine.query("fen"), "4L4 d 5 0 0");
        assert_eq!(words(&engine.query("legalmoves")), words("@a1 @a2 @a3 @a4 @a6 @a7 @a8 @a9"));
        assert!(engine.go("depth 4").best.starts_with('@'));
        let bad = directory.path().join("bad.toml");
        std::fs::write(&bad, "[b]\nrows = [1, 2]\nlines = [\"a1 b1\", \"a1 b3\"]\n").unwrap();
        let fault = engine.refused(&format!("setoption name BoardFile value {}", bad.display()));
        assert!(fault.contains("line 2 \"a1 b3\"") && fault.contains("bad.toml"), "{fault}");
        assert_eq!(engine.query("fen"), "4L4 d 5 0 0");
        engine.tell("setoption name BoardFile value <empty>");
        assert_eq!(engine.query("fen"), "L/6/4/6/4 d 5 0 0");
        engine.quit();
    }
}

mod searches {
    use super::*;

    /// What every search owes, whatever it finds; `game` is the one searched.
    fn assert_sound(search: &Search, game: &Game) {
        assert!(legal(game).contains(&search.best), "{search:?}");
        let last = search.last();
        assert_eq!(last.multi_pv, 1, "{search:?}");
        assert_eq!(last.bound, None, "{search:?}");
        assert_eq!(last.pv.first(), Some(&search.best), "{search:?}");
        for info in &search.infos {
            assert!(info.hashfull <= 1000, "{info:?}");
            assert!(info.nodes <= last.nodes, "{info:?}");
            let mut line = game.clone();
            for mv in &info.pv {
                line.play_text(mv).unwrap_or_else(|error| panic!("{error}: {info:?}"));
            }
        }
    }

    #[test]
    fn depth_bounds_the_iterations() {
        let mut engine = start();
        for depth in [1, 2, 7] {
            let search = engine.go(&format!("depth {depth}"));
            assert_sound(&search, &game("demala"));
            let depths: Vec<u64> = search.infos.iter().map(|info| info.depth).collect();
            assert!(depths.is_sorted() && depths[0] == 1 && search.last().depth == depth, "{depths:?}");
            let known = (1..=depth).all(|depth| depths.contains(&depth));
            assert!(known, "an info for each iteration: {depths:?}");
        }
        engine.quit();
    }

    #[test]
    fn nodes_bound_the_search() {
        for (threads, nodes) in [("1", 2), ("1", 100), ("1", 5_000), ("2", 5_000)] {
            let mut engine = start_with(&[("Threads", threads)]);
            let search = engine.go(&format!("nodes {nodes}"));
            assert_sound(&search, &game("demala"));
            // Nodes are still entered on the way out; threads tell each other in portions.
            let most = if threads == "1" { nodes + 100 } else { nodes + 10_000 };
            assert!(search.last().nodes <= most, "{threads} threads: {:?}", search.last());
            engine.quit();
        }
    }

    #[test]
    fn one_thread_and_a_node_limit_give_the_same_search_each_time() {
        let search = || {
            let mut engine = start();
            let searches: Vec<Search> = ["nodes 20000", "nodes 30000"].map(|limit| engine.go(limit)).to_vec();
            engine.tell("uginewgame");
            let again = engine.go("nodes 20000");
            engine.quit();
            let timeless = |search: &Search| {
                (search.infos.iter().map(Info::timeless).collect::<Vec<_>>(), search.best.clone())
            };
            assert_eq!(timeless(&again), timeless(&searches[0]), "uginewgame forgets what was learnt");
            searches.iter().map(timeless).collect::<Vec<_>>()
        };
        assert_eq!(search(), search());
    }

    #[test]
    fn time_in_any_form_brings_a_move() {
        let limits = [
            "movetime 30",
            "movetime 1",
            "movetime 0",
            "movetime -5",
            "p1time 300 p2time 300",
            "p1time 300 p2time 300 p1inc 10 p2inc 10",
            "p1time 1 p2time 1",
            "p1time 0 p2time 0 p1inc 0 p2inc 0",
            "p1time -20 p2time 5",
            "p1time 1 p2time 1 p1inc 20 p2inc 20",
            "p1time 50",
            "movetime 40 depth 3",
            "movetime 100000 nodes 500",
            "depth 2 p1time 100000 p2time 100000",
        ];
        let mut engine = start();
        for limit in limits {
            let search = engine.go(limit);
            assert_sound(&search, &game("demala"));
        }
        engine.tell("position startpos moves @d1");
        let mut after = game("demala");
        after.play_text("@d1").unwrap();
        assert_sound(&engine.go("p1time 100000 p2time 1"), &after);
        let fault = engine.refused("go p1time 1000");
        assert!(fault.contains("p2time"), "{fault}");
        engine.quit();
    }

    #[test]
    fn limits_that_are_none_are_refused() {
        let mut engine = start();
        for limit in [
            "depth",
            "depth 0",
            "depth -1",
            "depth deep",
            "nodes 0",
            "nodes",
            "nodes 1e6",
            "movetime soon",
            "p1time",
            "quickly",
            "nodes 99999999999999999999",
            "depth 3 nodes",
        ] {
            let fault = engine.refused(&format!("go {limit}"));
            assert!(fault.starts_with("go: "), "{limit}: {fault}");
        }
        assert_eq!(engine.go("depth 1").last().depth, 1);
        engine.quit();
    }

    /// `go` and `go infinite` search until they are told to stop, even where there is nothing left to find.
    #[test]
    fn an_unbounded_search_answers_on_stop_only() {
        for go in ["go", "go infinite"] {
            let mut engine = start();
            engine.send(go);
            engine.until(|line| line.starts_with("info depth 6 "));
            engine.send("stop");
            assert_sound(&engine.search(), &game("demala"));
            engine.quit();
        }
        let mut engine = start_with(&[("Variant", "hat")]);
        engine.tell("position fen L/ddd/ddd/1d1 l 0 0 3");
        engine.send("go infinite");
        // Over at once, and yet no answer before stop.
        let said = engine.sync();
        assert!(said.iter().all(|line| line.starts_with("info ")), "{said:?}");
        engine.send("stop");
        assert_eq!(engine.search().best, "(none)");
        assert_eq!(engine.query("gameover"), "true");
        engine.quit();
    }

    #[test]
    fn stop_without_a_search_is_ignored() {
        let mut engine = start();
        engine.tell("stop");
        engine.tell("wait");
        engine.tell("");
        assert_eq!(engine.query("fen"), DEMALA);
        engine.quit();
    }

    #[test]
    fn several_lines_are_told_best_first() {
        let mut engine = start_with(&[("MultiPV", "4")]);
        let search = engine.go("depth 5");
        assert_sound(&search, &game("demala"));
        for depth in 1..=5 {
            let at_depth: Vec<&Info> = search.infos.iter().filter(|info| info.depth == depth).collect();
            let lines = &at_depth[..4];
            assert_eq!(lines.iter().map(|info| info.multi_pv).collect::<Vec<_>>(), [1, 2, 3, 4]);
            let moves: BTreeSet<&String> = lines.iter().map(|info| &info.pv[0]).collect();
            assert_eq!(moves.len(), 4, "four different moves: {lines:?}");
            let scores: Vec<i32> = lines
                .iter()
                .map(|info| info.score.strip_prefix("cp ").expect("nothing is decided yet").parse().unwrap())
                .collect();
            assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
        }
        // Fewer moves than lines asked for.
        engine.tell("setoption name MultiPV value 256");
        engine.tell("position startpos moves @d1");
        let search = engine.go("depth 2");
        let mut after = game("demala");
        after.play_text("@d1").unwrap();
        let most = search.infos.iter().map(|info| info.multi_pv).max();
        assert_eq!(most, Some(legal(&after).len() as u64));
        assert_sound(&search, &after);
        engine.quit();
    }

    #[test]
    fn noise_varies_play_and_a_seed_repeats_it() {
        let search = |noise: &str, seed: &str| {
            let mut engine = start_with(&[("Noise", noise), ("Seed", seed)]);
            let search = engine.go("depth 5");
            engine.quit();
            assert_sound(&search, &game("demala"));
            search.infos.iter().map(Info::timeless).collect::<Vec<_>>()
        };
        assert_eq!(search("150", "7"), search("150", "7"));
        assert_eq!(search("0", "1"), search("0", "2"), "without noise the seed says nothing");
        let lines: BTreeSet<String> = ["1", "2", "3", "4", "5", "6"]
            .map(|seed| format!("{:?}", search("150", seed).last().map(|info| info.score.clone())))
            .into();
        assert!(lines.len() > 1, "six seeds, one score: {lines:?}");
    }

    #[test]
    fn the_dogs_win_hat_and_len_choa_in_thirteen_plies() {
        for variant in ["hat", "len-choa"] {
            let mut engine = start_with(&[("Variant", variant)]);
            let search = engine.go("depth 15");
            assert_sound(&search, &game(variant));
            assert_eq!(search.last().score, "mate 13", "{variant}");
            let mut line = game(variant);
            for mv in &search.last().pv {
                line.play_text(mv).unwrap();
            }
            // The other side of the same: after the first move the Leopards lose in twelve.
            engine.tell(&format!("position startpos moves {}", search.best));
            assert_eq!(engine.go("depth 14").last().score, "mate -12", "{variant}");
            engine.quit();
        }
    }

    #[test]
    fn a_win_at_hand_is_taken() {
        let mut engine = start_with(&[("Variant", "hat")]);
        // One dog more on c2 closes the last leap.
        engine.tell("position fen L/ddd/d1d/3 d 2 0 0");
        let search = engine.go("depth 4");
        assert_eq!((search.best.as_str(), search.last().score.as_str()), ("@c2", "mate 1"));
        engine.tell("setoption name Captures value 1");
        engine.tell("position fen L/1d1/3/3 l 6 0 0");
        let search = engine.go("depth 4");
        assert_eq!((search.best.as_str(), search.last().score.as_str()), ("a1c2", "mate 1"));
        engine.quit();
    }
}

mod while_searching {
    use super::*;

    fn begin(engine: &mut Session) {
        engine.send("go infinite");
        engine.until(|line| line.starts_with("info depth 3 "));
    }

    /// Lines up to the next that is no `info` of the search.
    fn past_infos(engine: &mut Session) -> String {
        engine.until(|line| Info::parse(line).is_err()).pop().expect("a line or more")
    }

    #[test]
    fn isready_is_answered_at_once() {
        let mut engine = start();
        begin(&mut engine);
        for _ in 0..3 {
            engine.send("isready");
            assert_eq!(past_infos(&mut engine), "readyok");
        }
        engine.send("stop");
        engine.search();
        engine.quit();
    }

    #[test]
    fn questions_are_answered_at_once_about_the_position_searched() {
        let mut engine = start();
        engine.tell("position startpos moves @d1");
        begin(&mut engine);
        engine.send("query fen");
        assert_eq!(past_infos(&mut engine), "response L/2LL2/4/d5/4 l 14 0 0");
        engine.send("query p1turn");
        assert_eq!(past_infos(&mut engine), "response false");
        engine.send("nonsense");
        assert!(past_infos(&mut engine).starts_with("info string error unknown command"));
        engine.send("stop");
        engine.search();
        engine.quit();
    }

    #[test]
    fn what_changes_the_game_waits_for_the_end_of_the_search() {
        let mut engine = start();
        begin(&mut engine);
        engine.send("setoption name Variant value hat");
        engine.send("position startpos moves @d2");
        engine.send("query fen"); // after the others, so it waits with them
        engine.send("isready"); // this one does not
        assert_eq!(past_infos(&mut engine), "readyok");
        engine.send("stop");
        let search = engine.search();
        assert!(legal(&game("demala")).contains(&search.best), "the old game's: {search:?}");
        assert_eq!(engine.response(), "L/3/3/1d1 l 6 0 0");
        engine.quit();
    }

    #[test]
    fn a_second_go_follows_the_first() {
        let mut engine = start();
        begin(&mut engine);
        engine.send("position startpos moves @d1");
        engine.send("go depth 2");
        engine.send("query p1turn");
        engine.send("stop");
        engine.search();
        // The question came after the second search had begun, and is answered while or after it runs.
        let mut rest = engine.sync();
        while !rest.iter().any(|line| line.starts_with("bestmove")) {
            rest.push(engine.line());
        }
        assert!(rest.contains(&"response false".to_owned()), "{rest:?}");
        assert_eq!(engine.go("depth 1").last().depth, 1);
        engine.quit();
    }

    /// A search that waited is stopped, answered and left like any other.
    #[test]
    fn isready_is_answered_while_a_search_that_waited_runs() {
        let mut engine = start();
        begin(&mut engine);
        engine.send("go infinite");
        engine.send("stop");
        engine.send("isready");
        let lines = engine.until(|line| line == "readyok");
        let answers = lines.iter().filter(|line| line.starts_with("bestmove")).count();
        assert!(answers <= 1, "{lines:?}");
        engine.send("stop");
        let rest = engine.quit();
        let answers = answers + rest.iter().filter(|line| line.starts_with("bestmove")).count();
        assert_eq!(answers, 2, "a bestmove for each go");
    }

    #[test]
    fn quit_ends_a_search_and_the_program() {
        let mut engine = start();
        begin(&mut engine);
        let lines = engine.quit();
        assert!(lines.iter().all(|line| is_protocol(line)), "{lines:?}");
    }

    #[test]
    fn the_end_of_input_is_quit() {
        assert_eq!(start().end_input(), [""; 0]);
        let mut engine = start();
        begin(&mut engine);
        engine.end_input();
        let mut engine = start();
        engine.send("go depth 40");
        engine.end_input();
        let mut engine = start();
        engine.send_bytes(b"query p1turn"); // without a line feed
        assert_eq!(engine.end_input(), ["response true"]);
    }

    #[test]
    fn wait_keeps_what_follows_until_the_search_has_ended() {
        let mut engine = start();
        for command in ["go depth 6", "wait", "position startpos moves @d1", "query p1turn", "quit"] {
            engine.send(command);
        }
        let search = engine.search();
        assert_eq!(search.last().depth, 6, "quit did not cut it short");
        assert_eq!(engine.response(), "false");
        assert_eq!(engine.end_input(), [""; 0]);
        // The end of the input waits as well: what is piped in runs to its end.
        let mut engine = start();
        engine.send_bytes(b"go depth 6\nwait\ngo depth 5\nwait\n");
        let lines = engine.end_input();
        let answers = lines.iter().filter(|line| line.starts_with("bestmove ")).count();
        assert_eq!(answers, 2, "{lines:#?}");
        let depths: Vec<u64> =
            lines.iter().filter_map(|line| Info::parse(line).ok()).map(|info| info.depth).collect();
        assert!(depths.contains(&6) && depths.last() == Some(&5), "{depths:?}");
    }

    #[test]
    fn nothing_is_waited_for_that_does_not_end() {
        let mut engine = start();
        engine.send("go infinite");
        engine.send("wait");
        engine.until(|line| line.starts_with("info string error wait"));
        engine.send("stop");
        engine.search();
        // `stop` ends what is waited for.
        engine.send_bytes(b"go depth 60\nwait\nquery p1turn\nstop\n");
        engine.search();
        assert_eq!(engine.response(), "true");
        // An unbounded search after what is waited for ends with the input.
        engine.send_bytes(b"go depth 5\nwait\ngo infinite\n");
        let lines = engine.end_input();
        assert_eq!(lines.iter().filter(|line| line.starts_with("bestmove ")).count(), 2);
        // Nor does a `wait` behind an unbounded search hold up the end.
        let mut engine = start();
        engine.send_bytes(b"go infinite\nposition startpos moves @d1\nwait\n");
        let lines = engine.end_input();
        assert_eq!(lines.iter().filter(|line| line.starts_with("bestmove ")).count(), 1);
        // Unless that search is stopped already.
        let mut engine = start();
        engine.send_bytes(b"go infinite\nstop\ngo depth 4\nwait\n");
        let lines = engine.end_input();
        assert_eq!(lines.iter().filter(|line| line.starts_with("bestmove ")).count(), 2);
        assert!(lines.iter().any(|line| line.starts_with("info depth 4 ")), "{lines:#?}");
    }

    /// `stop` ends the searches that wait to begin as well: all that were asked for before it.
    #[test]
    fn stop_means_every_search_asked_for_before_it() {
        let mut engine = start();
        begin(&mut engine);
        for command in ["go infinite", "position startpos moves @d1", "go infinite", "stop"] {
            engine.send(command);
        }
        for _ in 0..3 {
            engine.search();
        }
        assert_eq!(engine.query("p1turn"), "false");
        engine.quit();
    }

    /// However much is sent during a search, `quit` is obeyed.
    #[test]
    fn a_flood_of_commands_does_no_harm() {
        let mut engine = start();
        begin(&mut engine);
        engine.send_bytes("setoption name Noise value 0\n".repeat(12_000).as_bytes());
        engine.send("stop");
        engine.until(|line| line.starts_with("bestmove "));
        assert_eq!(engine.sync(), [""; 0]);
        engine.send_bytes(b"go depth 7\nwait\n");
        engine.send_bytes("query p1turn\n".repeat(12_000).as_bytes());
        let lines = engine.end_input();
        assert!(lines.iter().all(|line| is_protocol(line)));
    }
}

mod hostile_input {
    use super::*;

    #[test]
    fn bytes_that_are_no_text_do_no_harm() {
        let mut engine = start();
        let long = "x".repeat(2 << 20);
        let long_moves = format!("position startpos moves{}", " @d1".repeat(1 << 19));
        let long_option = format!("setoption name Variant value {}", "y".repeat(100_000));
        let inputs: [&[u8]; 12] = [
            b"\0\0\0\n",
            b"\xff\xfe\xfd\n",
            b"position fen \xc3\x28/2LL2 d 1 0 0\n",
            b"setoption name \0 value \x1b[31m\n",
            b"query islegal \xf0\x9f\x90\x86\n",
            b"go depth \x07\n",
            b"\t \x0b\x0c \r\n",
            b"\x1b]0;title\x07\n",
            long.as_bytes(),
            b"\n",
            long_moves.as_bytes(),
            b"\n",
        ];
        for input in inputs {
            engine.send_bytes(input);
        }
        engine.send(&long_option);
        let said = engine.sync();
        for line in &said {
            assert!(is_protocol(line) && !line.chars().any(char::is_control), "{line:?}");
            assert!(line.len() < 2_000, "{} bytes of answer", line.len());
        }
        assert!(said.len() >= 9, "{said:#?}");
        assert_eq!(engine.query("fen"), DEMALA);
        assert_eq!(engine.go("depth 2").last().depth, 2);
        engine.quit();
    }

    #[test]
    fn blanks_and_carriage_returns_do_not_matter() {
        let mut engine = start();
        engine.send_bytes(b"  query \t fen \r\n");
        assert_eq!(engine.response(), DEMALA);
        engine.send_bytes(b"position  startpos   moves  @d1\t b3c2 \r\n");
        assert_eq!(engine.query("fen"), "L/3L2/1L2/d5/4 d 14 0 1");
        engine.send_bytes(b"go depth 1\r\n");
        engine.search();
        engine.quit();
    }

    fn number() -> impl Strategy<Value = String> {
        prop_oneof![
            (0..40_i64).prop_map(|n| n.to_string()),
            select(&["-1", "0", "1", "x", "", "9999999999", "1.5", "+3"][..]).prop_map(str::to_owned),
        ]
    }

    fn command() -> impl Strategy<Value = String> {
        let option = select(
            &[
                "Variant",
                "Board",
                "Dogs",
                "Leopards",
                "Setup",
                "First",
                "Captures",
                "Repetition",
                "QuietLimit",
                "MultiPV",
                "Level",
                "Noise",
                "Seed",
                "MoveOverhead",
                "TablePath",
                "BoardFile",
                "Wings",
            ][..],
        );
        let value = prop_oneof![
            number(),
            select(
                &[
                    "hat",
                    "len-choa",
                    "hat-13",
                    "demala",
                    "meurimueng",
                    "hat10",
                    "rect19",
                    "placed",
                    "entered",
                    "auto",
                    "dogs",
                    "leopards",
                    "<empty>",
                    "/"
                ][..],
            )
            .prop_map(str::to_owned),
        ];
        let mv = || {
            prop_oneof![
                "[@a-e][1-6a-e][1-6]?[1-6]?",
                select(&["@b1", "@b2", "@c1", "@d1", "@d3", "a1b1", "a1c1", "b3c2"][..])
                    .prop_map(str::to_owned),
            ]
        };
        let limit =
            select(&["depth", "nodes", "movetime", "p1time", "p2time", "p1inc", "infinite", "mate"][..]);
        let position = select(
            &[
                DEMALA,
                HAT,
                "L/ddd/ddd/1d1 l 0 0 3",
                "1/3/3/3 l 7+1 0 0",
                "1/Ldd3/Ldd3/Ldd3/4 l 0 9 1",
                "L/2LL2/4/6/4 l 15 0 399",
                "L/2LL2/4/6 d 1",
            ][..],
        );
        prop_oneof![
            3 => (option, value).prop_map(|(name, value)| format!("setoption name {name} value {value}")),
            3 => proptest::collection::vec(mv(), 0..6)
                .prop_map(|moves| format!("position startpos moves {}", moves.join(" "))),
            2 => (position, mv()).prop_map(|(text, mv)| format!("position fen {text} moves {mv}")),
            // Bounded, so that the next command's turn comes; and unbounded, which `stop` ends.
            3 => (1..6_u32).prop_map(|depth| format!("go depth {depth}")),
            1 => (limit, number()).prop_map(|(limit, number)| format!("go {limit} {number}")),
            2 => Just("stop".to_owned()),
            1 => Just("wait".to_owned()),
            1 => Just("isready".to_owned()),
            1 => Just("uginewgame".to_owned()),
            1 => Just("ugi".to_owned()),
            3 => select(&["fen", "p1turn", "gameover", "result", "reason", "value", "legalmoves", "islegal a1b3"][..])
                .prop_map(|question| format!("query {question}")),
            1 => ".{0,20}".prop_map(|text| text.replace("quit", "quiet")),
        ]
    }

    /// Commands in any order. After a `wait` everything waits for the end of a search, `quit` too: where there
    /// is one, no search has limits so far off that its end is never seen.
    fn soup() -> impl Strategy<Value = Vec<String>> {
        proptest::collection::vec(command(), 1..40).prop_map(|mut commands| {
            if commands.iter().any(|command| command == "wait") {
                let is_endless = |command: &String| {
                    command.starts_with("go ") && command.bytes().filter(u8::is_ascii_digit).count() > 1
                };
                commands
                    .iter_mut()
                    .filter(|command| is_endless(command))
                    .for_each(|go| *go = "go nodes 2000".into());
            }
            commands
        })
    }

    proptest! {
        // What hangs is found again and again while it is made smaller: the first find has to do.
        #![proptest_config(ProptestConfig {
            cases: 40,
            failure_persistence: None,
            max_shrink_iters: 0,
            ..ProptestConfig::default()
        })]

        /// Whatever is sent, the engine lives, speaks its protocol, answers each `isready`, and leaves when
        /// told to, in the middle of whatever it does.
        #[test]
        fn no_soup_of_commands_harms(commands in soup(), ends in any::<bool>()) {
            let mut engine = start();
            let mut asked = 1;
            for command in &commands {
                engine.send(command);
                asked += usize::from(command.trim() == "isready");
            }
            engine.send("isready");
            let mut lines = Vec::new();
            for _ in 0..asked {
                lines.extend(engine.until(|line| line == "readyok"));
            }
            lines.extend(if ends { engine.end_input() } else { engine.quit() });
            for line in &lines {
                assert!(is_protocol(line), "{line:?} is not of the protocol");
            }
        }
    }
}
