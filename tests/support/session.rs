//! A session with a program that speaks the protocol, over pipes.

use crate::info::Info;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// How long an answer may take before the test fails. No test measures time: this is only there so that a
/// program that hangs ends the test, on the slowest of machines.
const DEADLINE: Duration = Duration::from_secs(60);
/// The most of a line that a transcript shows.
const SHOWN: usize = 300;

/// A program at the other end of two pipes. Whatever it fails to say within a generous deadline fails the
/// test, with all that was said before.
pub struct Session {
    child: Child,
    /// To the thread that writes: a program that does not read must not hold up the test.
    input: Option<Sender<Vec<u8>>>,
    lines: Receiver<String>,
    errors: Receiver<String>,
    transcript: Vec<String>,
}

/// The answer to a `go`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Search {
    /// The `info` lines, in order.
    pub infos: Vec<Info>,
    /// The move of `bestmove`, or `(none)`.
    pub best: String,
}

impl Search {
    /// The `info` right before `bestmove`.
    pub fn last(&self) -> &Info {
        self.infos.last().expect("a search gives an info line before its bestmove")
    }
}

impl Session {
    /// Starts a program with these arguments.
    pub fn start(program: impl AsRef<Path>, arguments: &[&str]) -> Self {
        let program = program.as_ref();
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("cannot start {}: {error}", program.display()));
        let mut stdin = child.stdin.take().expect("stdin is piped");
        let stdout = child.stdout.take().expect("stdout is piped");
        let mut stderr = child.stderr.take().expect("stderr is piped");
        let (input, to_write) = channel::<Vec<u8>>();
        std::thread::spawn(move || {
            for bytes in to_write {
                // A program that has left does not read on; what it said tells whether it should have.
                if stdin.write_all(&bytes).and_then(|()| stdin.flush()).is_err() {
                    return;
                }
            }
        });
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            let mut stdout = BufReader::new(stdout);
            let mut line = Vec::new();
            while stdout.read_until(b'\n', &mut line).is_ok_and(|n| n > 0) {
                let text = String::from_utf8_lossy(&line);
                if sender.send(text.trim_end_matches('\n').to_owned()).is_err() {
                    return;
                }
                line.clear();
            }
        });
        let (sender, errors) = channel();
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            let _ = stderr.read_to_end(&mut bytes); // what could be read is what there was
            let _ = sender.send(String::from_utf8_lossy(&bytes).into_owned()); // a test that failed is gone
        });
        Self { child, input: Some(input), lines, errors, transcript: Vec::new() }
    }

    /// All that was said so far, for the message of a failing test.
    pub fn transcript(&self) -> String {
        self.transcript.join("\n")
    }

    fn note(&mut self, mark: &str, text: &str) {
        let mut shown: String = text.chars().take(SHOWN).collect();
        if text.chars().nth(SHOWN).is_some() {
            shown.push_str(" [...]");
        }
        self.transcript.push(format!("{mark} {shown}"));
    }

    /// Sends a line.
    pub fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    /// Sends bytes as they are.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        self.note(">", String::from_utf8_lossy(bytes).trim_end_matches('\n'));
        let input = self.input.as_ref().expect("the input is still open");
        let _ = input.send(bytes.to_vec()); // the writer is gone once the program is
    }

    /// The next line; `None` at the end of the output.
    pub fn next_line(&mut self) -> Option<String> {
        match self.lines.recv_timeout(DEADLINE) {
            Ok(line) => {
                self.note("<", &line);
                Some(line)
            }
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => {
                panic!("no answer within {DEADLINE:?}; the session was\n{}", self.transcript())
            }
        }
    }

    /// The next line; the output must not end here.
    pub fn line(&mut self) -> String {
        self.next_line().unwrap_or_else(|| panic!("the output ended; the session was\n{}", self.transcript()))
    }

    /// The lines up to and with the first for which `is_last` holds.
    pub fn until(&mut self, is_last: impl Fn(&str) -> bool) -> Vec<String> {
        let mut lines = Vec::new();
        while !lines.last().is_some_and(|line: &String| is_last(line)) {
            lines.push(self.line());
        }
        lines
    }

    /// Sends `isready` and gives the lines said before its answer: where no search runs, all that the
    /// commands before it brought.
    pub fn sync(&mut self) -> Vec<String> {
        self.send("isready");
        let mut lines = self.until(|line| line == "readyok");
        lines.pop();
        lines
    }

    /// Sends a command that is obeyed in silence.
    pub fn tell(&mut self, command: &str) {
        self.send(command);
        let said = self.sync();
        assert!(said.is_empty(), "{command} was to be obeyed in silence:\n{}", self.transcript());
    }

    /// Sends a command that is refused with one line, and gives its message.
    pub fn refused(&mut self, command: &str) -> String {
        self.send(command);
        let said = self.sync();
        let message = match &said[..] {
            [line] => line.strip_prefix("info string error "),
            _ => None,
        };
        message
            .unwrap_or_else(|| panic!("{command} was to be refused in one line:\n{}", self.transcript()))
            .to_owned()
    }

    /// Sends a question and gives its answer, without the word `response`.
    pub fn query(&mut self, question: &str) -> String {
        self.send(&format!("query {question}"));
        self.response()
    }

    /// The next line, which must be a `response`; without that word.
    pub fn response(&mut self) -> String {
        let line = self.line();
        let rest = line.strip_prefix("response");
        let rest = rest.filter(|rest| rest.is_empty() || rest.starts_with(' '));
        rest.unwrap_or_else(|| panic!("expected a response:\n{}", self.transcript())).trim_start().to_owned()
    }

    /// Sends `go` with these limits and gives what the search said.
    pub fn go(&mut self, limits: &str) -> Search {
        self.send(format!("go {limits}").trim_end());
        self.search()
    }

    /// What a search says that was begun before, up to its `bestmove`.
    pub fn search(&mut self) -> Search {
        let mut lines = self.until(|line| line.starts_with("bestmove"));
        let best = lines.pop().expect("until gives a line or more");
        let [_, best] = best.split(' ').collect::<Vec<_>>()[..] else {
            panic!("bestmove is not two tokens:\n{}", self.transcript());
        };
        let infos = lines
            .iter()
            .map(|line| {
                Info::parse(line).unwrap_or_else(|fault| panic!("{fault}: {line}\n{}", self.transcript()))
            })
            .collect();
        Search { infos, best: best.to_owned() }
    }

    /// Sends `quit`; the program must leave without a fault. Gives the lines it still said.
    pub fn quit(mut self) -> Vec<String> {
        self.send("quit");
        self.finish()
    }

    /// Ends the input; the program must leave without a fault. Gives the lines it still said.
    pub fn end_input(mut self) -> Vec<String> {
        self.transcript.push("> [end of input]".to_owned());
        self.input = None;
        self.finish()
    }

    fn finish(mut self) -> Vec<String> {
        let begun = Instant::now();
        let lines: Vec<String> = std::iter::from_fn(|| self.next_line()).collect();
        let errors = self.errors.recv_timeout(DEADLINE.saturating_sub(begun.elapsed()));
        // Both pipes have ended, and only the end of the program ends them: this does not wait.
        let status = self.child.wait().expect("a child can be waited for");
        let errors = errors.unwrap_or_else(|error| format!("standard error did not end: {error}"));
        assert!(
            status.success() && errors.is_empty(),
            "left with {status} and \"{errors}\"; the session was\n{}",
            self.transcript()
        );
        lines
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // Already gone, as a rule.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
