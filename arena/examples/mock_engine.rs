//! A small engine that plays legal random moves, and on demand does everything an engine should not.
//!
//! `mock_engine [--do FAULT [--at N] [--once FILE]] [--wait MS] [--mark WORD]
//! [--score CP]`: at the N-th `go` (from 1) it
//! does FAULT; with `--once` only if FILE does not exist yet, which it then makes, so that an engine started
//! anew behaves. `--wait` is the time of faults that need one; `--mark` does nothing and can be found in a
//! list of processes; `--score` is what it thinks of every position.

use engine::game::{Game, Reason, Rules, Side, VariantSpec};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use std::fs::File;
use std::io::{self, BufRead, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::thread::sleep;
use std::time::Duration;

const FOREVER: Duration = Duration::from_secs(100_000);

/// What is wrong with the engine, and when.
#[derive(Clone, Default)]
struct Script {
    fault: String,
    at: u64,
    once: Option<PathBuf>,
    wait: Duration,
    mark: String,
    score: Option<i64>,
}

impl Script {
    fn read() -> Self {
        let mut script = Self { at: 1, wait: Duration::from_millis(200), ..Self::default() };
        let mut arguments = std::env::args().skip(1);
        while let (Some(key), Some(value)) = (arguments.next(), arguments.next()) {
            match key.as_str() {
                "--do" => script.fault = value,
                "--at" => script.at = value.parse().expect("--at: a number"),
                "--once" => script.once = Some(value.into()),
                "--wait" => script.wait = Duration::from_millis(value.parse().expect("--wait: milliseconds")),
                "--mark" => script.mark = value,
                "--score" => script.score = value.parse().ok(),
                _ => panic!("unknown argument {key}"),
            }
        }
        script
    }

    /// Whether this fault is to happen now.
    fn is(&self, fault: &str) -> bool {
        let is_time = || match &self.once {
            Some(file) => File::create_new(file).is_ok(),
            None => true,
        };
        self.fault == fault && is_time()
    }
}

struct Engine {
    script: Script,
    spec: VariantSpec,
    seed: u64,
    rng: Xoshiro256PlusPlus,
    game: Game,
    goes: u64,
    out: io::StdoutLock<'static>,
}

fn main() -> io::Result<()> {
    let script = Script::read();
    if script.is("sleep") {
        sleep(FOREVER);
    }
    let spec = VariantSpec::default();
    let game = Game::new(Arc::new(spec.rules().expect("the default game")));
    let rng = Xoshiro256PlusPlus::seed_from_u64(0);
    let out = io::stdout().lock();
    let mut engine = Engine { script, spec, seed: 0, rng, game, goes: 0, out };
    if engine.script.is("exit-at-start") {
        std::process::exit(4);
    }
    for line in io::stdin().lock().lines() {
        if !engine.obey(&line?)? {
            break;
        }
    }
    if engine.script.is("ignore-quit") {
        sleep(FOREVER);
    }
    Ok(())
}

impl Engine {
    /// Obeys a command; false for `quit`.
    fn obey(&mut self, line: &str) -> io::Result<bool> {
        let (command, rest) = line.split_once(' ').unwrap_or((line, ""));
        match command {
            "ugi" if self.script.is("silent-at-start") => sleep(FOREVER),
            "ugi" => {
                writeln!(self.out, "id name Mock\noption name Seed type spin default 0 min 0 max 1000000")?;
                for name in
                    ["Variant", "Board", "BoardFile", "Dogs", "Leopards", "Setup", "First", "Captures"]
                {
                    writeln!(self.out, "option name {name} type string default x")?;
                }
                writeln!(self.out, "option name Repetition type string\noption name QuietLimit type string")?;
                writeln!(self.out, "ugiok")?;
            }
            "isready" if self.goes + 1 >= self.script.at && self.script.is("never-ready") => sleep(FOREVER),
            "isready" => writeln!(self.out, "readyok")?,
            "setoption" => self.set_option(rest)?,
            "uginewgame" => {
                if self.goes >= self.script.at && self.script.is("exit-between-games") {
                    std::process::exit(5);
                }
                self.rng = Xoshiro256PlusPlus::seed_from_u64(self.seed);
            }
            "position" => self.set_position(rest),
            "go" => self.go()?,
            "query" if self.script.is("no-queries") => {}
            "query" => self.query(rest)?,
            "quit" => return Ok(false),
            _ => {}
        }
        self.out.flush()?;
        Ok(true)
    }

    fn set_option(&mut self, text: &str) -> io::Result<()> {
        let text = text.strip_prefix("name ").unwrap_or(text);
        let (name, value) = text.split_once(" value ").unwrap_or((text, ""));
        let number = || value.parse().ok();
        match name {
            "Variant" => {
                self.spec = VariantSpec { variant: Some(value.to_owned()), ..VariantSpec::default() }
            }
            "Board" => self.spec.board = Some(value.to_owned()),
            "Dogs" if self.script.is("refuse-dogs") && value != "1" => {
                writeln!(self.out, "info string error too many dogs for me")?;
            }
            "Dogs" => self.spec.dogs = number(),
            "Leopards" => self.spec.leopards = number(),
            "Setup" => self.spec.setup = value.parse().ok(),
            "First" => self.spec.first = value.parse().ok(),
            "Captures" => self.spec.captures = value.parse().unwrap_or_default(),
            "Seed" => self.seed = value.parse().unwrap_or(0),
            _ => {}
        }
        Ok(())
    }

    fn set_position(&mut self, text: &str) {
        let rules: Rules = self.spec.rules().expect("a game");
        let (position, moves) = text.split_once(" moves ").unwrap_or((text, ""));
        let parsed = match position.strip_prefix("fen ") {
            Some(fen) => rules.parse_position(fen).ok(),
            None => Some((rules.clone(), rules.start())),
        };
        // What makes no sense leaves the old position.
        let Some((rules, start)) = parsed else { return };
        let mut game = Game::from_position(Arc::new(rules), start);
        if moves.split_whitespace().all(|mv| game.play_text(mv).is_ok()) {
            self.game = game;
        }
    }

    fn query(&mut self, what: &str) -> io::Result<()> {
        let outcome = self.game.outcome();
        let answer = match (what, outcome.map(Reason::winner)) {
            ("result", _) if self.script.is("wrong-result") => "draw",
            ("gameover", None) => "false",
            ("gameover", Some(_)) => "true",
            (_, None) => "none",
            (_, Some(None)) => "draw",
            (_, Some(Some(Side::Dogs))) => "p1win",
            (_, Some(Some(Side::Leopards))) => "p2win",
        };
        writeln!(self.out, "response {answer}")
    }

    fn best_move(&mut self) -> io::Result<()> {
        let moves = self.game.legal_moves();
        let mv = moves[self.rng.random_range(0..moves.len())];
        let text = self.game.rules().board().move_text(mv);
        let score = self.script.score.map_or(String::new(), |score| format!(" score cp {score}"));
        writeln!(self.out, "info depth 1{score} time 0 nodes {} pv {text}\nbestmove {text}", moves.len())
    }

    fn go(&mut self) -> io::Result<()> {
        self.goes += 1;
        if self.goes == self.script.at && !self.misbehave()? {
            return self.out.flush();
        }
        self.best_move()
    }

    /// Does what the script says; true if the engine then answers as it should.
    fn misbehave(&mut self) -> io::Result<bool> {
        let script = self.script.clone();
        if script.is("hang") {
            sleep(FOREVER);
        } else if script.is("flood") {
            loop {
                writeln!(self.out, "info depth 1 nodes 1 pv a1b3")?;
            }
        } else if script.is("endless-line") {
            loop {
                self.out.write_all(&[b'x'; 4096])?;
            }
        } else if script.is("partial-line") {
            write!(self.out, "bestmove a1")?;
            self.out.flush()?;
            sleep(FOREVER);
        } else if script.is("huge-line") {
            self.out.write_all(&vec![b'x'; 5_000_000])?;
            writeln!(self.out)?;
        } else if script.is("garbage") {
            self.out
                .write_all(b"\n \nbestmoves\xff\xfe\0\ninfo nodes\nreadyok\noption\nid\n\xc3\x28\n\r\n")?;
        } else if script.is("garbage-move") {
            self.out.write_all(b"bestmove \xff\xfe\n")?;
            return Ok(false);
        } else if script.is("illegal") {
            writeln!(self.out, "bestmove a1a1")?;
            return Ok(false);
        } else if script.is("no-move") {
            writeln!(self.out, "bestmove (none)")?;
            return Ok(false);
        } else if script.is("double") {
            self.best_move()?;
        } else if script.is("exit") {
            writeln!(io::stderr(), "first words\nlast words")?;
            std::process::exit(3);
        } else if script.is("vanish") {
            std::fs::remove_file(std::env::current_exe()?)?;
            std::process::exit(7);
        } else if script.is("crash") {
            std::process::abort();
        } else if script.is("close-output") {
            self.out.flush()?;
            rustix::stdio::dup2_stdout(File::create("/dev/null")?)?;
            sleep(FOREVER);
        } else if script.is("close-pipes") {
            rustix::stdio::dup2_stdout(File::create("/dev/null")?)?;
            rustix::stdio::dup2_stdin(File::open("/dev/null")?)?;
            sleep(FOREVER);
        } else if script.is("late") {
            sleep(script.wait);
        } else if script.is("noise-on-stderr") {
            io::stderr().write_all(&vec![b'x'; 1_000_000])?;
        } else if script.is("leave-child") {
            // It holds the pipes open after the engine is gone.
            let mut child = Command::new(std::env::current_exe()?);
            child.args(["--do", "sleep", "--mark", &script.mark]).stdin(Stdio::null()).spawn()?;
            std::process::exit(6);
        }
        Ok(true)
    }
}
