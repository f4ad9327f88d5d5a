//! The engine plays itself to the end of the game in every preset; the rules of the library watch.

use engine::game::{Captures, Game, Side, VariantSpec, variants};
use std::collections::BTreeSet;
use std::sync::Arc;
use tests::Session;

/// What is played: a preset, and what is changed about it.
struct Match {
    variant: &'static str,
    dogs: Option<u8>,
    captures: Captures,
    /// Errors of judgement, as a score.
    noise: u32,
    seed: u64,
}

impl Match {
    fn options(&self) -> Vec<(&'static str, String)> {
        let mut options = vec![("Variant", self.variant.to_owned())];
        options.extend(self.dogs.map(|dogs| ("Dogs", dogs.to_string())));
        options.extend([
            ("Captures", self.captures.to_string()),
            // Few plies of nothing happening are enough of it.
            ("QuietLimit", "60".to_owned()),
            ("Noise", self.noise.to_string()),
            ("Seed", self.seed.to_string()),
            ("Hash", "1".to_owned()),
        ]);
        options
    }

    fn game(&self) -> Game {
        let spec = VariantSpec {
            variant: Some(self.variant.to_owned()),
            dogs: self.dogs,
            captures: self.captures,
            quiet_limit: Some(60),
            ..VariantSpec::default()
        };
        Game::new(Arc::new(spec.rules().expect("the rules of a match")))
    }

    /// Plays the game and gives the reason of its end.
    fn play(&self) -> String {
        let mut engine = Session::start(env!("CARGO_BIN_EXE_koti-engine"), &[]);
        for (name, value) in self.options() {
            engine.tell(&format!("setoption name {name} value {value}"));
        }
        let mut game = self.game();
        let mut moves = String::new();
        while game.outcome().is_none() {
            assert_eq!(engine.query("gameover"), "false", "{}", engine.transcript());
            assert_eq!(engine.query("p1turn"), (game.position().side_to_move() == Side::Dogs).to_string());
            let search = engine.go("nodes 150");
            let board = game.rules().board();
            let legal: BTreeSet<String> = game.legal_moves().iter().map(|&mv| board.move_text(mv)).collect();
            let listed = engine.query("legalmoves");
            assert_eq!(listed.split(' ').map(str::to_owned).collect::<BTreeSet<_>>(), legal);
            game.play_text(&search.best).unwrap_or_else(|error| panic!("{error}:\n{}", engine.transcript()));
            moves = format!("{moves} {}", search.best);
            engine.tell(&format!("position startpos moves{moves}"));
            assert_eq!(engine.query("fen"), game.rules().board().position_text(game.position()));
            assert!(game.moves().len() < 5_000, "no end in sight:\n{}", engine.transcript());
        }
        let reason = game.outcome().expect("the game is over");
        let result = match reason.winner() {
            Some(Side::Dogs) => "p1win",
            Some(Side::Leopards) => "p2win",
            None => "draw",
        };
        assert_eq!(engine.query("gameover"), "true");
        assert_eq!(engine.query("result"), result);
        assert_eq!(engine.query("reason"), reason.to_string());
        assert_eq!(engine.query("legalmoves"), "");
        assert_eq!(engine.go("nodes 150").best, "(none)");
        engine.quit();
        reason.to_string()
    }
}

#[test]
fn every_preset_is_played_to_its_end() {
    for preset in variants() {
        Match { variant: &preset.name, dogs: None, captures: Captures::Auto, noise: 40, seed: 1 }.play();
    }
}

/// Games that are likely to end one way or the other, until each way was seen.
#[test]
fn games_end_in_every_way() {
    let matches = |seed| {
        [
            Match { variant: "hat", dogs: None, captures: Captures::Auto, noise: 40, seed },
            Match { variant: "demala-19", dogs: Some(16), captures: Captures::Auto, noise: 40, seed },
            Match { variant: "demala", dogs: Some(3), captures: Captures::Number(1), noise: 2_000, seed },
            Match { variant: "hat", dogs: Some(4), captures: Captures::Number(4), noise: 40, seed },
        ]
    };
    let mut missing: BTreeSet<&str> = ["trapped", "captures", "repetition"].into();
    for seed in 1..=8 {
        for game in matches(seed) {
            missing.remove(game.play().as_str());
        }
        if missing.is_empty() {
            return;
        }
    }
    panic!("no game ended by {missing:?}");
}
