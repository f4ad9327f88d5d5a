//! What tells one run from another.

use super::{Openings, Order, Plan, Setting};
use crate::config::{Adjudication, Program};
use engine::game::{Board, Point, Start};
use std::fmt::Write as _;

impl Plan {
    /// A number that two runs share exactly if the same games are played the same way: rules, engines, limits,
    /// openings, seed. How many games there are and how many play at a time does not enter.
    ///
    /// It stands in every row of the games file, so that rows of another run are recognised; it is FNV-1a, 64
    /// bits (Fowler, Noll and Vo; the same on every machine), of a text.
    pub fn fingerprint(&self) -> u64 {
        fnv1a(self.description().as_bytes())
    }

    fn description(&self) -> String {
        let mut text = String::new();
        // To a String, which cannot fail, here and below.
        let _ = writeln!(text, "seed {}", self.seed);
        self.describe_openings(&mut text);
        let Adjudication { draw, resign, tables } = &self.adjudication;
        let _ = writeln!(text, "draw {draw:?} resign {resign:?} tables {tables:?}");
        let _ = writeln!(text, "max plies {}\nstopping {}", self.max_plies, self.stopping);
        for engine in &self.engines {
            let program = match &engine.program {
                // The engine that comes along plays as the version does.
                Program::BuiltIn => format!("built-in {}", env!("CARGO_PKG_VERSION")),
                Program::Command(path) => format!("{}", path.display()),
            };
            let _ = writeln!(text, "engine {program} {:?} {:?}", engine.args, engine.options);
        }
        for player in &self.players {
            let _ = writeln!(text, "player {:?} {} {}", player.name, player.engine, player.limit);
        }
        for setting in &self.settings {
            describe_setting(&mut text, setting);
        }
        let _ = match &self.order {
            Order::Pairings { pairings, .. } => writeln!(text, "pairings {pairings:?}"),
            Order::Sweep { cells, .. } => writeln!(text, "sweep {cells:?}"),
        };
        text
    }

    fn describe_openings(&self, text: &mut String) {
        let lists = match &self.openings {
            Openings::Random(plies) => {
                let _ = writeln!(text, "openings {plies}");
                return;
            }
            Openings::Listed { lists, .. } => lists,
        };
        for (setting, list) in self.settings.iter().zip(lists) {
            let board = setting.rules.board();
            for opening in list {
                let start = opening.start.map(|start| board.position_text(&start));
                let _ = write!(text, "opening {}", start.unwrap_or_default());
                for &mv in &opening.moves {
                    let _ = write!(text, " {}", board.move_text(mv));
                }
                text.push('\n');
            }
        }
    }
}

fn describe_setting(text: &mut String, setting: &Setting) {
    let rules = &setting.rules;
    let config = rules.config();
    let start = match config.start {
        Start::Placed(points) => rules.board().set_names(points),
        Start::Entered => "entered".to_owned(),
    };
    let _ = writeln!(
        text,
        "{} leopards {} {start} dogs {} first {} captures {} repetition {} quiet {}",
        setting.variant,
        config.leopards,
        config.dogs,
        config.first,
        rules.captures_to_win(),
        config.repetition,
        config.quiet_limit
    );
    describe_board(text, rules.board());
}

/// A board by what it is, not by its name alone: a person's own may change.
fn describe_board(text: &mut String, board: &Board) {
    let _ = write!(text, "board {:?} {:?}", board.name(), board.rows());
    for point in board.points() {
        let _ = write!(text, " {}", board.neighbours(point).bits());
        for jump in board.jumps(point) {
            let [over, to] = [jump.over, jump.to].map(Point::index);
            let _ = write!(text, ",{over}>{to}");
        }
    }
    text.push('\n');
}

fn fnv1a(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{EngineConfig, Limit};
    use crate::schedule::{Opening, Player};
    use engine::game::VariantSpec;

    fn plan() -> Plan {
        let player = |engine, limit| Player { name: "a".into(), engine, limit };
        Plan {
            engines: vec![EngineConfig::default()],
            players: vec![player(0, Limit::Nodes(5)), player(0, Limit::Depth(2))],
            settings: vec![Setting::new(&VariantSpec::default(), None).unwrap()],
            order: Order::Pairings { pairings: vec![[0, 1]], games: 4 },
            seed: 1,
            openings: Openings::Random(4),
            adjudication: Adjudication::default(),
            max_plies: 100,
            stopping: String::new(),
        }
    }

    /// Reference values of the authors' page.
    #[test]
    fn the_hash_is_fnv1a() {
        assert_eq!(fnv1a(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv1a(b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(fnv1a(b"foobar"), 0x8594_4171_f739_67e8);
    }

    #[test]
    fn what_changes_the_games_changes_the_fingerprint() {
        let changes: [fn(&mut Plan); 10] = [
            |plan| {
                plan.openings =
                    Openings::Listed { name: String::new(), lists: vec![vec![Opening::default()]] };
            },
            |plan| plan.adjudication.resign = "moves=1,score=5".parse().ok(),
            |plan| plan.seed = 2,
            |plan| plan.openings = Openings::Random(3),
            |plan| plan.max_plies = 99,
            |plan| plan.engines[0].args.push("-v".into()),
            |plan| plan.engines[0].options.push(("Hash".into(), "2".into())),
            |plan| plan.engines[0].program = Program::Command("koti".into()),
            |plan| plan.players[1].limit = Limit::Nodes(6),
            |plan| {
                let spec = VariantSpec { dogs: Some(14), ..VariantSpec::default() };
                plan.settings = vec![Setting::new(&spec, None).unwrap()];
            },
        ];
        let mut all: Vec<u64> = changes
            .iter()
            .map(|change| {
                let mut plan = plan();
                change(&mut plan);
                plan.fingerprint()
            })
            .collect();
        all.push(plan().fingerprint());
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), changes.len() + 1);
        let more = Plan { order: Order::Pairings { pairings: vec![[0, 1]], games: 9 }, ..plan() };
        assert_eq!(more.fingerprint(), plan().fingerprint());
    }
}
