//! A session: commands in, replies out, and a search beside them.

use super::command::{self, Command, GoLimits, Query, Start};
use super::options::{Options, Touches, declarations};
use super::reply::{HELP, LineWriter};
use crate::exact::ExactValues;
use crate::game::{Game, Move, Rules, Side, Value, VariantSpec};
use crate::search::{Limits, Probe, STACK_SIZE, SearchResult, Searcher};
use crate::tables::TableStore;
use std::collections::VecDeque;
use std::io::{BufRead, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

/// The longest line that is read whole; of a longer one the rest is passed over.
const MAX_LINE: usize = 1 << 20;
/// The most commands kept until a search ends.
const MAX_KEPT: usize = 10_000;
/// Lines read ahead of the session.
const READ_AHEAD: usize = 64;

/// What a session waits for.
enum Event {
    Line(String),
    TooLong,
    EndOfInput,
    SearchEnded(Box<Searcher>, SearchResult),
}

/// Speaks the protocol: reads commands from `input` until `quit` or its end and writes replies to `output`.
///
/// `input` is read by a thread of its own, which ends with it; commands are answered while a search runs.
pub fn serve<W: Write + Send + Sync + 'static>(input: impl BufRead + Send + 'static, output: W) {
    let (sender, receiver) = sync_channel(READ_AHEAD);
    let mut session = Session::new(sender.clone(), Arc::new(LineWriter::new(output)));
    std::thread::spawn(move || read_lines(input, &sender));
    session.run(&receiver);
}

/// Sends each line of the input, whatever bytes it holds.
fn read_lines(mut input: impl BufRead, sender: &SyncSender<Event>) {
    loop {
        let mut line = Vec::new();
        // Both a read error and a session that is gone end the input.
        let event = match read_line(&mut input, &mut line) {
            Ok(0) | Err(_) => Event::EndOfInput,
            Ok(n) if n > MAX_LINE => Event::TooLong,
            Ok(_) => Event::Line(String::from_utf8_lossy(&line).into_owned()),
        };
        let is_end = matches!(event, Event::EndOfInput);
        if sender.send(event).is_err() || is_end {
            return;
        }
    }
}

/// Reads up to the next line feed and gives the bytes read; no more than [`MAX_LINE`] of them are kept.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> std::io::Result<usize> {
    let mut length = 0;
    loop {
        let available = match input.fill_buf() {
            Ok(available) => available,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let end = available.iter().position(|&byte| byte == b'\n');
        let taken = end.map_or(available.len(), |end| end + 1);
        let kept = taken.min(MAX_LINE - line.len().min(MAX_LINE));
        line.extend_from_slice(&available[..kept]);
        input.consume(taken);
        length += taken;
        if end.is_some() || taken == 0 {
            return Ok(length);
        }
    }
}

/// A search that is running.
struct Running {
    stop: Arc<AtomicBool>,
    /// Nothing but a stop may bring its answer.
    is_infinite: bool,
    game: Game,
}

struct Session<W> {
    sender: SyncSender<Event>,
    out: Arc<LineWriter<W>>,
    options: Options,
    rules: Arc<Rules>,
    game: Game,
    tables: TableStore,
    /// The values of the game in force, where a table has them.
    exact: Option<Arc<ExactValues>>,
    /// With the searching thread while a search runs.
    searcher: Option<Box<Searcher>>,
    running: Option<Running>,
    /// The result of an infinite search that came to its end by itself and waits for `stop`.
    held: Option<SearchResult>,
    /// Commands that wait for the search to end.
    kept: VecDeque<Command>,
    /// After `wait`: all but `stop` and `isready` waits.
    is_waiting: bool,
    is_over: bool,
}

impl<W: Write + Send + Sync + 'static> Session<W> {
    fn new(sender: SyncSender<Event>, out: Arc<LineWriter<W>>) -> Self {
        let options = Options::default();
        let rules = Arc::new(default_rules());
        let game = Game::new(Arc::clone(&rules));
        Self {
            sender,
            out,
            options,
            rules,
            game,
            tables: TableStore::default(),
            exact: None,
            searcher: None,
            running: None,
            held: None,
            kept: VecDeque::new(),
            is_waiting: false,
            is_over: false,
        }
    }

    fn run(&mut self, receiver: &Receiver<Event>) {
        while !self.is_over || self.running.is_some() {
            let Ok(event) = receiver.recv() else { return };
            match event {
                Event::Line(_) | Event::TooLong | Event::EndOfInput if self.is_over => {}
                Event::Line(line) => self.take(command::parse(&line)),
                Event::TooLong => {
                    self.out.error(&format!("a line of more than {MAX_LINE} bytes is passed over"));
                }
                Event::EndOfInput => self.take(Command::Quit),
                Event::SearchEnded(searcher, result) => self.search_ended(searcher, result),
            }
        }
    }

    /// Obeys a command now, or keeps it until the search has ended.
    fn take(&mut self, command: Command) {
        let Some(running) = &self.running else { return self.obey(command) };
        let is_stopped = running.stop.load(Ordering::Relaxed);
        let waits_to_begin = || self.kept.iter().any(|kept| matches!(kept, Command::Go(_)));
        if command == Command::Stop && waits_to_begin() && self.kept.back() != Some(&Command::Stop) {
            // A search that waits to begin is meant too, and comes to its stop in its turn.
            self.kept.push_back(Command::Stop);
        }
        let now = match &command {
            Command::Stop | Command::Nothing => true,
            // At once while the search goes on; once it is stopped, what came before is done first.
            Command::IsReady => !is_stopped || self.kept.is_empty(),
            // At once too where nothing else would end the search.
            Command::Quit => {
                running.is_infinite && !is_stopped || !self.is_waiting && !self.kept.contains(&Command::Wait)
            }
            Command::Wait
            | Command::Ugi
            | Command::Help
            | Command::Show
            | Command::Query(_)
            | Command::Invalid(_) => self.kept.is_empty() && !self.is_waiting,
            Command::NewGame | Command::SetOption { .. } | Command::Position { .. } | Command::Go(_) => false,
        };
        if now {
            self.obey(command);
        } else if self.kept.len() < MAX_KEPT || matches!(command, Command::Quit | Command::IsReady) {
            self.kept.push_back(command);
        } else {
            self.out.error("too many commands while searching: this one is passed over");
        }
    }

    fn obey(&mut self, command: Command) {
        match command {
            Command::Nothing => {}
            Command::Invalid(fault) => self.out.error(&fault),
            Command::Ugi => self.introduce(),
            Command::IsReady => self.out.say("readyok"),
            Command::NewGame => self.forget(),
            Command::SetOption { name, value } => self.set_option(&name, &value),
            Command::Position { start, moves } => self.set_position(&start, &moves),
            Command::Go(limits) => self.go(&limits),
            Command::Query(query) => self.answer(&query),
            Command::Show => self.show(),
            Command::Help => self.out.say(HELP),
            Command::Wait => self.wait(),
            Command::Stop => self.stop(),
            Command::Quit => {
                self.is_over = true;
                self.kept.clear();
                self.stop();
            }
        }
    }

    fn introduce(&self) {
        self.out.say(&format!("id name Koti {}\nid author the Koti authors", env!("CARGO_PKG_VERSION")));
        self.out.say(&declarations().join("\n"));
        self.out.say("ugiok");
    }

    fn set_option(&mut self, name: &str, value: &str) {
        let (new, touches) = match self.options.with(name, value) {
            Ok(changed) => changed,
            Err(fault) => return self.out.error(&printable_message(&fault)),
        };
        match touches {
            Touches::Game => match new.spec.rules() {
                Ok(rules) => self.begin(rules),
                Err(error) => {
                    let message = format!("option {name} value \"{value}\": {error}");
                    return self.out.error(&printable_message(&message));
                }
            },
            Touches::Hash => match Searcher::new(new.hash) {
                Ok(searcher) => self.searcher = Some(Box::new(searcher)),
                Err(error) => return self.out.error(&format!("option {name}: {error}")),
            },
            Touches::Tables => match TableStore::open(&new.table_paths) {
                Ok(tables) => {
                    self.tables = tables;
                    self.forget();
                }
                Err(error) => return self.out.error(&printable_message(&format!("option {name}: {error}"))),
            },
            Touches::Judgement => self.forget(),
            Touches::Search => {}
        }
        self.options = new;
        self.find_exact();
    }

    /// Begins a game by other rules; what was learnt under the old ones is no longer true.
    fn begin(&mut self, rules: Rules) {
        self.rules = Arc::new(rules);
        self.game = Game::new(Arc::clone(&self.rules));
        self.forget();
    }

    /// Forgets what earlier searches found out.
    fn forget(&mut self) {
        if let Some(searcher) = &mut self.searcher {
            searcher.clear();
        }
    }

    fn set_position(&mut self, start: &Start, moves: &[String]) {
        let mut game = match start {
            Start::StartPos => Game::new(Arc::clone(&self.rules)),
            Start::Fen(text) => match self.rules.parse_position(text) {
                Ok((rules, position)) => Game::from_position(Arc::new(rules), position),
                Err(error) => return self.out.error(&printable_message(&format!("position: {error}"))),
            },
        };
        for (number, text) in (1..).zip(moves) {
            if let Err(error) = game.play_text(text) {
                let why =
                    game.outcome().map_or(String::new(), |reason| format!(": the game is over ({reason})"));
                let message = format!("position: move {number}: {error}{why}");
                return self.out.error(&printable_message(&message));
            }
        }
        // Stored scores speak of the captures that win, which depend on the total of dogs.
        if game.rules().captures_to_win() != self.game.rules().captures_to_win() {
            self.forget();
        }
        self.game = game;
        self.find_exact();
    }

    fn find_exact(&mut self) {
        self.exact = ExactValues::find(&self.tables, self.game.rules()).map(Arc::new);
    }

    fn go(&mut self, limits: &GoLimits) {
        let limits = match limits.for_side(self.game.position().side_to_move()) {
            Ok(limits) => limits,
            Err(fault) => return self.out.error(&fault),
        };
        let searcher =
            match self.searcher.take().map_or_else(|| Searcher::new(self.options.hash).map(Box::new), Ok) {
                Ok(searcher) => searcher,
                Err(error) => return self.out.error(&format!("go: {error}")),
            };
        let stop = Arc::new(AtomicBool::new(false));
        self.running = Some(Running {
            stop: Arc::clone(&stop),
            is_infinite: limits.is_infinite(),
            game: self.game.clone(),
        });
        if let Err(error) = self.spawn(searcher, limits, stop) {
            self.running = None;
            self.out.error(&format!("go: cannot start a thread: {error}"));
        }
    }

    fn spawn(
        &self,
        mut searcher: Box<Searcher>,
        limits: Limits,
        stop: Arc<AtomicBool>,
    ) -> std::io::Result<()> {
        let (game, options) = (self.game.clone(), self.options.search);
        let (out, sender, exact) = (Arc::clone(&self.out), self.sender.clone(), self.exact.clone());
        let search = move || {
            let board = game.rules().shared_board();
            let mut report = |report: &_| out.info(board, report);
            let probe = exact.as_deref().map(|exact| exact as &dyn Probe);
            let result = searcher.search(&game, &limits, &options, probe, &stop, &mut report);
            if let Some(fault) = exact.as_deref().and_then(ExactValues::fault) {
                out.error(&printable_message(&fault.to_string()));
            }
            // Only a session that is gone does not take it.
            let _ = sender.send(Event::SearchEnded(searcher, result));
        };
        std::thread::Builder::new().stack_size(STACK_SIZE).spawn(search).map(drop)
    }

    fn search_ended(&mut self, searcher: Box<Searcher>, result: SearchResult) {
        self.searcher = Some(searcher);
        let Some(running) = &self.running else { return };
        if running.is_infinite && !running.stop.load(Ordering::Relaxed) {
            self.held = Some(result);
        } else {
            self.finish(&result);
        }
    }

    /// Answers a search and does what was kept for after it.
    fn finish(&mut self, result: &SearchResult) {
        let Some(running) = self.running.take() else { return };
        self.out.best_move(running.game.rules().board(), result.best);
        self.is_waiting = false;
        // Each as if it came only now: a search among them makes those after it wait again, or does not.
        for command in std::mem::take(&mut self.kept) {
            if !self.is_over {
                self.take(command);
            }
        }
    }

    fn stop(&mut self) {
        if let Some(running) = &self.running {
            running.stop.store(true, Ordering::Relaxed);
        }
        if let Some(result) = self.held.take() {
            self.finish(&result);
        }
    }

    fn wait(&mut self) {
        match &self.running {
            Some(running) if running.is_infinite => {
                self.out.error("wait: an infinite search ends by stop only");
            }
            Some(_) => self.is_waiting = true,
            None => {}
        }
    }

    fn answer(&self, query: &Query) {
        let out = &self.out;
        let (rules, game) = (self.game.rules(), &self.game);
        let board = rules.board();
        match query {
            Query::P1Turn => out.response(game.position().side_to_move() == Side::Dogs),
            Query::GameOver => out.response(game.outcome().is_some()),
            Query::Result => out.response(match game.outcome().map(crate::game::Reason::winner) {
                None => "none",
                Some(None) => "draw",
                Some(Some(Side::Dogs)) => "p1win",
                Some(Some(Side::Leopards)) => "p2win",
            }),
            Query::Fen => out.response(board.position_text(game.position())),
            Query::LegalMoves => {
                let moves: Vec<String> = game.legal_moves().iter().map(|&mv| board.move_text(mv)).collect();
                out.say(format!("response {}", moves.join(" ")).trim_end());
            }
            Query::IsLegal(text) => {
                let is_legal = rules.parse_move(game.position(), text).is_ok() && game.outcome().is_none();
                out.response(is_legal);
            }
            Query::Reason => {
                out.response(game.outcome().map_or("none".to_owned(), |reason| reason.to_string()));
            }
            Query::Value => match self.exact.as_deref().and_then(|exact| exact.value(game.position())) {
                Some(value) => out.response(value),
                None => out.response("none"),
            },
        }
    }

    fn show(&self) {
        let (rules, game) = (self.game.rules(), &self.game);
        let drawing = rules.position_drawing(game.position());
        let text = rules.board().position_text(game.position());
        let end = game.outcome().map_or(String::new(), |reason| {
            let winner = reason.winner().map_or("a draw".to_owned(), |side| format!("{side} win"));
            format!("The game is over: {winner} ({reason}).")
        });
        self.out.say(&format!("{drawing}Position: {text}\n{end}{}", self.move_values()));
    }

    /// The legal moves with their exact values, best first, where a table has them.
    fn move_values(&self) -> String {
        let Some(moves) = self.exact.as_deref().and_then(|exact| exact.moves(&self.game)) else {
            return String::new();
        };
        let board = self.game.rules().board();
        let line = |(mv, value): &(Move, Value)| {
            let value = match value {
                Value::Win { winner, plies: 0 } => format!("{winner} win"),
                Value::Win { winner, plies: 1 } => format!("{winner} win in 1 more ply"),
                Value::Win { winner, plies } => format!("{winner} win in {plies} more plies"),
                Value::Draw => "draw".to_owned(),
            };
            format!("  {:<5} {value}\n", board.move_text(*mv))
        };
        moves.iter().map(line).collect()
    }
}

/// The rules of the default preset, which the catalogue's tests hold to be sound.
fn default_rules() -> Rules {
    VariantSpec::default().rules().unwrap_or_else(|error| panic!("the default variant: {error}"))
}

/// A message in one printable line, though it may quote what a client sent.
fn printable_message(message: &str) -> String {
    const MOST: usize = 400;
    message.chars().take(MOST).map(|c| if c.is_control() { '?' } else { c }).collect()
}
