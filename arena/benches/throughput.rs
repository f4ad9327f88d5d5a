//! Whole games a second between engines that answer at once: this arena beside a plain runner, with a thread for
//! each game at a time that looks at its engine's pipe every millisecond. Both check every move with the same
//! referee and keep their engines from game to game.
//!
//! `cargo bench -p arena --bench throughput`

use arena::clock::Patience;
use arena::config::{Adjudication, EngineConfig, Limit, Program};
use arena::game::GameRecord;
use arena::process::Guard;
use arena::referee::Referee;
use arena::runner::{Conditions, Event, RunError, run};
use arena::schedule::{Openings, Order, Plan, Player, Setting, random_opening};
use engine::game::{Side, VariantSpec};
use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// The argument that makes this program the engine; the moves it plays follow.
const ENGINE: &str = "play-by-heart";
/// Plies of a game.
const PLIES: usize = 60;
/// Games at a time.
const AT_A_TIME: usize = 2;
/// Games of the arena, and fewer of the runner that is expected to be slow.
const GAMES: u64 = 2000;
const POLLED_GAMES: u64 = 60;
/// Each is measured so often, in turns, and the best time of each counts.
const TIMES: usize = 3;
/// How long the plain runner sleeps between two looks.
const NAP: Duration = Duration::from_millis(1);

fn main() -> io::Result<()> {
    let mut arguments = std::env::args().skip_while(|argument| argument != ENGINE).skip(1).peekable();
    if arguments.peek().is_some() {
        return play_by_heart(&arguments.collect::<Vec<_>>());
    }
    let setting = Setting::new(&VariantSpec::default(), None).map_err(io::Error::other)?;
    // A game that all games repeat: what is measured is the runner.
    let moves = random_opening(&setting.rules, PLIES, 1);
    let moves: Vec<String> = moves.iter().map(|&mv| setting.rules.board().move_text(mv)).collect();
    let (mut ours, mut plain) = (Duration::MAX, Duration::MAX);
    for _ in 0..TIMES {
        ours = ours.min(arena(&setting, &moves)?);
        plain = plain.min(polling(&setting, &moves)?);
    }
    let mut out = io::stdout().lock();
    let a_second = |time: Duration| 1.0 / time.as_secs_f64();
    writeln!(out, "{AT_A_TIME} games at a time, {} plies each", moves.len())?;
    writeln!(out, "arena            {:8.1} games a second", a_second(ours))?;
    writeln!(out, "polling each ms  {:8.1} games a second", a_second(plain))?;
    writeln!(out, "arena : polling  {:8.1}", plain.as_secs_f64() / ours.as_secs_f64())
}

/// An engine that knows its game by heart: its answer is the move after those it is given.
fn play_by_heart(moves: &[String]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let mut played = 0;
    for line in io::stdin().lock().lines() {
        let line = line?;
        match line.split(' ').next() {
            Some("ugi") => writeln!(out, "ugiok")?,
            Some("isready") => writeln!(out, "readyok")?,
            Some("position") => played = line.split_once(" moves ").map_or(0, |(_, m)| m.split(' ').count()),
            Some("go") => writeln!(out, "bestmove {}", moves[played % moves.len()])?,
            Some("quit") => break,
            _ => {}
        }
        out.flush()?;
    }
    Ok(())
}

fn engine(moves: &[String]) -> io::Result<EngineConfig> {
    let args = std::iter::once(ENGINE.to_owned()).chain(moves.iter().cloned()).collect();
    let program = Program::Command(std::env::current_exe()?);
    Ok(EngineConfig { program, args, ..EngineConfig::default() })
}

/// The time of a game, by the arena.
fn arena(setting: &Setting, moves: &[String]) -> io::Result<Duration> {
    let player = |index: usize| Player { name: index.to_string(), engine: index, limit: Limit::Nodes(1) };
    let plan = Plan {
        engines: vec![engine(moves)?, engine(moves)?],
        players: vec![player(0), player(1)],
        settings: vec![setting.clone()],
        order: Order::Pairings { pairings: vec![[0, 1]], games: GAMES },
        seed: 1,
        openings: Openings::Random(0),
        max_plies: moves.len(),
        adjudication: Adjudication::default(),
        stopping: String::new(),
    };
    let patience = Patience { margin: Duration::ZERO, stall: Duration::from_secs(60) };
    let conditions = Conditions {
        workers: AT_A_TIME,
        patience,
        own_program: std::env::current_exe()?,
        tables: None,
        processors: Vec::new(),
    };
    let games: Vec<u64> = (0..GAMES).collect();
    let whole = |game: &GameRecord| game.moves.len() == moves.len();
    let start = Instant::now();
    let take = |event| match event {
        Event::Finished(game) if !whole(&game) => {
            Err(Failed(io::Error::other(format!("{}: {}", game.termination, game.detail))))
        }
        _ => Ok(()),
    };
    run(&plan, &games, &conditions, &Arc::new(Guard::default()), take).map_err(|Failed(error)| error)?;
    Ok(start.elapsed() / GAMES as u32)
}

/// Either side's error.
struct Failed(io::Error);

impl From<RunError> for Failed {
    fn from(error: RunError) -> Self {
        Self(io::Error::other(error))
    }
}

/// The time of a game, by a plain runner.
fn polling(setting: &Setting, moves: &[String]) -> io::Result<Duration> {
    let next = AtomicU64::new(0);
    let start = Instant::now();
    thread::scope(|scope| {
        let work = || -> io::Result<()> {
            let mut engines = [Polled::start(moves)?, Polled::start(moves)?];
            while next.fetch_add(1, Ordering::Relaxed) < POLLED_GAMES {
                play_polling(setting, moves.len(), &mut engines)?;
            }
            engines.into_iter().try_for_each(Polled::quit)
        };
        let workers: Vec<_> = (0..AT_A_TIME).map(|_| scope.spawn(work)).collect();
        workers
            .into_iter()
            .try_for_each(|worker| worker.join().unwrap_or_else(|_| Err(io::Error::other("a panic"))))
    })?;
    Ok(start.elapsed() / POLLED_GAMES as u32)
}

fn play_polling(setting: &Setting, plies: usize, engines: &mut [Polled; 2]) -> io::Result<()> {
    let mut referee = Referee::new(&setting.rules, plies);
    for engine in &mut *engines {
        engine.ask("uginewgame\nisready\n", "readyok")?;
    }
    while referee.termination().is_none() {
        let side = usize::from(referee.side_to_move() == Side::Leopards);
        let request = format!("{}\ngo nodes 1\n", referee.position_command());
        let answer = engines[side].ask(&request, "bestmove")?;
        let mv = answer.split(' ').nth(1).unwrap_or_default();
        referee.play_text(mv).map_err(io::Error::other)?;
    }
    Ok(())
}

/// An engine that is looked at every millisecond.
struct Polled {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

impl Polled {
    fn start(moves: &[String]) -> io::Result<Self> {
        let mut child = Command::new(std::env::current_exe()?)
            .arg(ENGINE)
            .args(moves)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::Error::other("no pipes"));
        };
        let (sender, lines) = channel();
        thread::spawn(move || {
            BufReader::new(output).lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
        });
        Ok(Self { child, input, lines })
    }

    fn ask(&mut self, request: &str, expected: &str) -> io::Result<String> {
        self.input.write_all(request.as_bytes())?;
        loop {
            match self.lines.try_recv() {
                Ok(line) if line.starts_with(expected) => return Ok(line),
                Ok(_) => {}
                Err(TryRecvError::Empty) => thread::sleep(NAP),
                Err(error) => return Err(io::Error::other(error)),
            }
        }
    }

    fn quit(mut self) -> io::Result<()> {
        self.input.write_all(b"quit\n")?;
        self.child.wait().map(drop)
    }
}
