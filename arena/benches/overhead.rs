//! What the arena costs: the time from a request to its answer, beside that of a bare pipe, with an engine
//! that answers at once; and what a runner that looks at its pipe every millisecond needs.
//!
//! `cargo bench -p arena --bench overhead`

use arena::client::{Client, Go};
use arena::process::{Guard, Launch};
use std::io::{self, BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{TryRecvError, channel};
use std::time::{Duration, Instant};

const POSITION: &str = "position fen L/2LL2/4/6/4 d 15 0 0";
const MOVES: u32 = 20_000;
/// The argument that makes this program the engine.
const ENGINE: &str = "answer-at-once";

fn main() -> io::Result<()> {
    if std::env::args().any(|argument| argument == ENGINE) {
        return answer_at_once();
    }
    let arena = arena()?;
    let bare = bare()?;
    let polling = polling()?;
    let mut out = io::stdout().lock();
    let micros = |time: Duration| time.as_secs_f64() * 1e6;
    writeln!(out, "bare pipe          {:8.1} µs a move", micros(bare))?;
    writeln!(out, "arena              {:8.1} µs a move", micros(arena))?;
    writeln!(out, "arena's own share  {:8.1} µs a move", micros(arena.saturating_sub(bare)))?;
    writeln!(out, "polling each ms    {:8.1} µs a move", micros(polling))?;
    writeln!(out, "arena : polling    {:8.1} times the moves", polling.as_secs_f64() / arena.as_secs_f64())
}

fn answer_at_once() -> io::Result<()> {
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        match line?.split(' ').next() {
            Some("ugi") => writeln!(out, "ugiok")?,
            Some("isready") => writeln!(out, "readyok")?,
            Some("go") => writeln!(out, "bestmove @d1")?,
            Some("quit") => break,
            _ => {}
        }
        out.flush()?;
    }
    Ok(())
}

fn launch() -> io::Result<Launch> {
    Ok(Launch { program: std::env::current_exe()?, args: vec![ENGINE.to_owned()], processor: None })
}

fn arena() -> io::Result<Duration> {
    let patience = Duration::from_secs(60);
    let mut client =
        Client::start(&launch()?, &Arc::new(Guard::default()), patience).map_err(io::Error::other)?;
    let start = Instant::now();
    for _ in 0..MOVES {
        client.go(POSITION, &Go::Nodes(1), patience).map_err(io::Error::other)?;
    }
    let time = start.elapsed() / MOVES;
    client.quit();
    Ok(time)
}

fn bare() -> io::Result<Duration> {
    let mut child = Command::new(std::env::current_exe()?)
        .arg(ENGINE)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let (Some(mut input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
        return Err(io::Error::other("no pipes"));
    };
    let mut output = BufReader::new(output);
    let mut line = String::new();
    let start = Instant::now();
    for _ in 0..MOVES {
        input.write_all(format!("{POSITION}\ngo nodes 1\n").as_bytes())?;
        line.clear();
        output.read_line(&mut line)?;
    }
    let time = start.elapsed() / MOVES;
    drop(input);
    child.wait()?;
    Ok(time)
}

/// As runners do it that sleep a millisecond between two looks.
fn polling() -> io::Result<Duration> {
    const POLLED_MOVES: u32 = 500;
    let mut child = Command::new(std::env::current_exe()?)
        .arg(ENGINE)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let (Some(mut input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
        return Err(io::Error::other("no pipes"));
    };
    let (sender, lines) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    let start = Instant::now();
    for _ in 0..POLLED_MOVES {
        input.write_all(format!("{POSITION}\ngo nodes 1\n").as_bytes())?;
        while let Err(TryRecvError::Empty) = lines.try_recv() {
            std::thread::sleep(Duration::from_millis(1));
        }
    }
    let time = start.elapsed() / POLLED_MOVES;
    drop(input);
    child.wait()?;
    Ok(time)
}
