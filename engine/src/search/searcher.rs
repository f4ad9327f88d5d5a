//! A search as a whole: iterations, threads, several lines, and what is told about it.

use super::eval::{Evaluator, Leaves, Network};
use super::level::{self, Level};
use super::limits::Limits;
use super::probe::Probe;
use super::pvs::{MAX_PLY, RootMove, Shared, Worker, is_settled};
use super::reductions::Reductions;
use super::score::{INFINITE, Score, ShownScore, from_value, is_decided};
use super::time::TimeBudget;
use super::tt::{OutOfMemory, TranspositionTable};
use crate::game::{Board, Game, Move, Position, Reason, Rules, Value};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::Builder;
use std::time::{Duration, Instant};

/// Stack of a thread that searches, in bytes: [`MAX_DEPTH`] nodes deep, with room to spare in debug builds.
pub const STACK_SIZE: usize = 16 << 20;
/// The deepest iteration.
pub const MAX_DEPTH: u32 = MAX_PLY as u32 - 1;
/// The most threads.
pub const MAX_THREADS: usize = 256;
/// The first window around the last score, and the depth from which it is used.
const ASPIRATION: Score = 30;
const ASPIRATION_DEPTH: i32 = 5;
/// The transposition table of a weakened search, in MB: room for all the nodes of the highest level.
const LEVEL_HASH: usize = 1;
/// Bounds are only told once a search has lasted so long: before, an exact score follows at once.
const BOUNDS_TOLD_AFTER: Duration = Duration::from_secs(2);

/// How to search, beside the limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchOptions {
    /// Number of threads, at least 1. With more than one, results vary from run to run.
    pub threads: usize,
    /// Number of best moves to tell lines of, at least 1.
    pub multi_pv: usize,
    /// Size of random errors of the evaluation, as a score.
    pub noise: u32,
    /// What chooses the errors.
    pub seed: u64,
    /// Time kept back from each move.
    pub overhead: Duration,
    /// How strongly to play. Below full strength one thread searches, without a probe and without what earlier
    /// searches found, so that the same game with the same options goes on the same way.
    pub level: Level,
}

impl Default for SearchOptions {
    fn default() -> Self {
        let overhead = Duration::from_millis(10);
        Self { threads: 1, multi_pv: 1, noise: 0, seed: 0, overhead, level: Level::FULL }
    }
}

/// What is known at some moment of a search.
#[derive(Clone, Debug)]
pub struct Report {
    /// Plies of the iteration.
    pub depth: u32,
    /// Plies of the longest line looked at.
    pub sel_depth: u32,
    /// Time since the search began.
    pub time: Duration,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Share of the transposition table in use, in thousandths.
    pub hashfull: u32,
    /// Which of several lines, from 1.
    pub line_number: usize,
    /// The score from the view of the side to move.
    pub score: ShownScore,
    /// Whether the true score is at least or at most that; `None`: it is that.
    pub bound: Option<ScoreBound>,
    /// The best line.
    pub line: Vec<Move>,
}

/// A one-sided score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScoreBound {
    /// The true score is no less.
    Lower,
    /// The true score is no more.
    Upper,
}

impl Report {
    /// Nodes per second.
    pub fn nodes_per_second(&self) -> u64 {
        let micros = self.time.as_micros().max(1);
        (u128::from(self.nodes) * 1_000_000 / micros) as u64
    }
}

/// What a search came to.
#[derive(Clone, Debug)]
pub struct SearchResult {
    /// The best move, or the one that the level chose; `None` where the game is over.
    pub best: Option<Move>,
    /// The last report on it.
    pub last: Report,
}

/// Searches positions; keeps the transposition table from one to the next.
pub struct Searcher {
    tt: TranspositionTable,
    network: Arc<Network>,
    leaves: Option<Arc<Leaves>>,
    /// The evaluation of the last game, with its board.
    evaluator: Option<(Arc<Board>, Evaluator)>,
    reductions: Reductions,
}

impl Searcher {
    /// A searcher with an empty transposition table of `megabytes` MB.
    ///
    /// # Errors
    /// The system does not give as much memory.
    pub fn new(megabytes: usize) -> Result<Self, OutOfMemory> {
        Self::by(Network::builtin(), None, megabytes)
    }

    /// A searcher by another network, which leaves what it evaluates in `leaves`.
    ///
    /// # Errors
    /// The system does not give as much memory.
    pub(crate) fn by(
        network: &Arc<Network>,
        leaves: Option<Arc<Leaves>>,
        megabytes: usize,
    ) -> Result<Self, OutOfMemory> {
        let tt = TranspositionTable::new(megabytes)?;
        Ok(Self { tt, network: Arc::clone(network), leaves, evaluator: None, reductions: Reductions::new() })
    }

    /// Forgets everything about earlier positions.
    pub fn clear(&mut self) {
        self.tt.clear();
    }

    /// The evaluation of a game, laid out anew only where its board is not that of the game before.
    fn evaluator(&mut self, rules: &Rules) -> &Evaluator {
        let board = rules.shared_board();
        let (_, evaluator) = match self.evaluator.take() {
            Some(known) if Arc::ptr_eq(&known.0, board) => self.evaluator.insert(known),
            _ => self
                .evaluator
                .insert((Arc::clone(board), Evaluator::by(&self.network, board, self.leaves.clone()))),
        };
        evaluator
    }

    /// Searches the position a game has come to, until a limit is reached or `stop` is set, and calls
    /// `report` whenever there is something new and once at the end.
    ///
    /// With one thread and no limit on time the result depends on nothing but the arguments and what the
    /// table holds.
    pub fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        options: &SearchOptions,
        probe: Option<&dyn Probe>,
        stop: &AtomicBool,
        report: &mut dyn FnMut(&Report),
    ) -> SearchResult {
        let begun = Instant::now();
        self.tt.new_search();
        let rules = &**game.rules();
        let moves = game.legal_moves();
        if moves.is_empty() {
            let result = ended(game, begun);
            report(&result.last);
            return result;
        }
        let mut root_moves: Vec<RootMove> = moves.iter().map(|&mv| RootMove::new(mv)).collect();
        let is_weakened = options.level < Level::FULL;
        let probe = probe.filter(|_| !is_weakened);
        let root =
            probe.map_or(RootValue::Unknown, |probe| rank_by_table(rules, game, probe, &mut root_moves));
        if let (RootValue::Decided, Some(probe)) = (root, probe) {
            return tell_table_lines(game, &root_moves, options.multi_pv, probe, begun, report);
        }
        let evaluator = self.evaluator(rules).with_noise(options.noise, options.seed);
        // Where there is no memory for a table of its own, a weakened search takes that of the others.
        let own_tt = if is_weakened { TranspositionTable::new(LEVEL_HASH).ok() } else { None };
        let shared = Shared {
            rules,
            tt: own_tt.as_ref().unwrap_or(&self.tt),
            evaluator: &evaluator,
            reductions: &self.reductions,
            probe,
            probe_draws: root != RootValue::Draw,
            limits: options.level.bound(limits),
            budget: TimeBudget::new(limits, options.overhead),
            begun,
            stop,
            limit_reached: AtomicBool::new(false),
            nodes: AtomicU64::new(0),
        };
        if is_weakened {
            return level::search(&shared, game, root_moves, options, report);
        }
        std::thread::scope(|scope| {
            for number in 1..options.threads {
                let worker = Worker::new(&shared, game, root_moves.clone());
                // A thread that cannot be had is one helper less.
                let _ =
                    Builder::new().stack_size(STACK_SIZE).spawn_scoped(scope, move || help(worker, number));
            }
            let worker = Worker::new(&shared, game, root_moves);
            let result = iterate(worker, &shared, options, report);
            shared.limit_reached.store(true, Ordering::Relaxed);
            result
        })
    }
}

/// The result where there is nothing to search.
fn ended(game: &Game, begun: Instant) -> SearchResult {
    let score = match game.outcome().and_then(Reason::winner) {
        None => 0,
        Some(winner) => from_value(Value::Win { winner, plies: 0 }, game.position().side_to_move(), 0),
    };
    let last = Report {
        depth: 0,
        sel_depth: 0,
        time: begun.elapsed(),
        nodes: 0,
        hashfull: 0,
        line_number: 1,
        score: ShownScore(score),
        bound: None,
        line: Vec::new(),
    };
    SearchResult { best: None, last }
}

/// A helper thread: the same iterations, half of them a ply deeper, for what it leaves in the table.
fn help(mut worker: Worker<'_>, number: usize) {
    for depth in 1..=MAX_DEPTH as i32 {
        if worker.aborted {
            break;
        }
        worker.search_root(-INFINITE, INFINITE, (depth + number as i32 % 2).min(MAX_DEPTH as i32));
        worker.root_moves.sort_by_key(|root_move| -root_move.score);
    }
    worker.tell_nodes();
}

/// The main thread: iterations of growing depth, each told about.
fn iterate(
    mut worker: Worker<'_>,
    shared: &Shared<'_>,
    options: &SearchOptions,
    report: &mut dyn FnMut(&Report),
) -> SearchResult {
    let lines = options.multi_pv.clamp(1, worker.root_moves.len());
    let deepest = shared.limits.depth.unwrap_or(MAX_DEPTH).min(MAX_DEPTH) as i32;
    let mut completed = 0;
    for depth in 1..=deepest {
        // What the last iteration said of lesser moves must not outlive a move that fails in this one.
        for root_move in &mut worker.root_moves[lines..] {
            root_move.score = -INFINITE;
        }
        for number in 0..lines {
            worker.first_root_move = number;
            aspire(&mut worker, shared, depth, report);
            worker.root_moves[number..].sort_by_key(|root_move| -root_move.score);
            if worker.aborted {
                break;
            }
        }
        worker.root_moves[..lines].sort_by_key(|root_move| -root_move.score);
        worker.tell_nodes();
        if worker.aborted {
            break;
        }
        completed = depth;
        for number in 0..lines {
            report(&make_report(shared, &worker.root_moves[number], depth, number, None));
        }
        if is_enough(shared, &worker, depth, lines) {
            break;
        }
    }
    worker.tell_nodes();
    let best = &mut worker.root_moves[0];
    if best.score == -INFINITE {
        // Stopped before the first move had its score.
        best.score = shared.evaluator.evaluate(shared.rules, &worker.root);
    }
    let last = make_report(shared, best, completed, 0, None);
    report(&last);
    SearchResult { best: Some(worker.root_moves[0].mv), last }
}

/// Whether a further iteration would be a waste of time, or there is none left for it.
fn is_enough(shared: &Shared<'_>, worker: &Worker<'_>, depth: i32, lines: usize) -> bool {
    let Some(budget) = shared.budget else { return false };
    let settled = lines == 1 && is_settled(worker.root_moves[0].score, depth);
    let only_move = shared.limits.clock.is_some() && worker.root_moves.len() == 1;
    shared.begun.elapsed() >= budget.soft || settled || only_move
}

/// One iteration of one line, with a window around its last score that grows until the score lies inside.
fn aspire(worker: &mut Worker<'_>, shared: &Shared<'_>, depth: i32, report: &mut dyn FnMut(&Report)) {
    let number = worker.first_root_move;
    let last = worker.root_moves[number].score;
    let mut delta = ASPIRATION;
    let (mut alpha, mut beta) = (-INFINITE, INFINITE);
    if depth >= ASPIRATION_DEPTH && !is_decided(last) {
        (alpha, beta) = (last - delta, last + delta);
    }
    loop {
        let score = worker.search_root(alpha, beta, depth);
        if worker.aborted {
            // What was found before the end stands: the first move is searched first, and only a better
            // one takes its place.
            return;
        }
        worker.root_moves[number..].sort_by_key(|root_move| -root_move.score);
        let bound = if score <= alpha {
            beta = i32::midpoint(alpha, beta);
            alpha = (score - delta).max(-INFINITE);
            ScoreBound::Upper
        } else if score >= beta {
            beta = (score + delta).min(INFINITE);
            ScoreBound::Lower
        } else {
            return;
        };
        if is_decided(score) {
            (alpha, beta) = (-INFINITE, INFINITE);
        }
        delta += delta / 2;
        if shared.begun.elapsed() >= BOUNDS_TOLD_AFTER {
            worker.tell_nodes();
            report(&make_report(shared, &worker.root_moves[number], depth, number, Some(bound)));
        }
    }
}

pub(super) fn make_report(
    shared: &Shared<'_>,
    root_move: &RootMove,
    depth: i32,
    number: usize,
    bound: Option<ScoreBound>,
) -> Report {
    Report {
        depth: depth as u32,
        sel_depth: root_move.sel_depth as u32,
        time: shared.begun.elapsed(),
        nodes: shared.nodes.load(Ordering::Relaxed),
        hashfull: shared.tt.hashfull(),
        line_number: number + 1,
        score: ShownScore(root_move.score.clamp(-INFINITE + 1, INFINITE - 1)),
        bound,
        line: root_move.line.to_vec(),
    }
}

/// What a table says of the root.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RootValue {
    Unknown,
    Draw,
    Decided,
}

/// Orders the root moves by their exact values, best first, and drops those that do not keep a draw; all
/// stay where some value is unknown.
fn rank_by_table(rules: &Rules, game: &Game, probe: &dyn Probe, root_moves: &mut Vec<RootMove>) -> RootValue {
    let position = game.position();
    let side = position.side_to_move();
    let mut scores = Vec::with_capacity(root_moves.len());
    for root_move in root_moves.iter() {
        match probe.value(&position.after(rules, root_move.mv)) {
            Some(value) => scores.push(from_value(value, side, 1)),
            None => return RootValue::Unknown,
        }
    }
    for (root_move, score) in root_moves.iter_mut().zip(scores) {
        root_move.score = score;
    }
    root_moves.sort_by_key(|root_move| -root_move.score);
    if root_moves[0].score == 0 {
        root_moves.retain(|root_move| root_move.score == 0);
        for root_move in root_moves {
            root_move.score = -INFINITE;
        }
        RootValue::Draw
    } else {
        RootValue::Decided
    }
}

/// Tells the table's lines from a root it decides: nothing is left to search.
fn tell_table_lines(
    game: &Game,
    root_moves: &[RootMove],
    lines: usize,
    probe: &dyn Probe,
    begun: Instant,
    report: &mut dyn FnMut(&Report),
) -> SearchResult {
    let rules = game.rules();
    let make = |(number, root_move): (usize, &RootMove)| {
        let next = game.position().after(rules, root_move.mv);
        let mut line = vec![root_move.mv];
        line.extend(table_line(rules, &next, probe));
        Report {
            depth: 1,
            sel_depth: line.len() as u32,
            time: begun.elapsed(),
            nodes: root_moves.len() as u64,
            hashfull: 0,
            line_number: number + 1,
            score: ShownScore(root_move.score),
            bound: None,
            line,
        }
    };
    let reports: Vec<Report> = root_moves.iter().take(lines.max(1)).enumerate().map(make).collect();
    reports.iter().for_each(&mut *report);
    if reports.len() > 1 {
        report(&reports[0]);
    }
    SearchResult { best: Some(root_moves[0].mv), last: reports[0].clone() }
}

/// The line of best moves by the table from a decided position to the end.
fn table_line(rules: &Rules, position: &Position, probe: &dyn Probe) -> Vec<Move> {
    let mut position = *position;
    let mut line = Vec::new();
    while line.len() < MAX_PLY {
        let side = position.side_to_move();
        let score_after =
            |mv: &Move| probe.value(&position.after(rules, *mv)).map(|value| from_value(value, side, 1));
        let moves = position.legal_moves(rules);
        // The first of equals, as at the root, where a stable sort puts it.
        let best = moves
            .iter()
            .filter_map(|mv| Some((score_after(mv)?, *mv)))
            .reduce(|top, x| if x.0 > top.0 { x } else { top });
        match best {
            Some((score, mv)) if score != 0 => {
                line.push(mv);
                position = position.after(rules, mv);
            }
            _ => break,
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::VariantSpec;

    #[test]
    fn what_was_found_of_a_position_serves_its_mirror_image() {
        let limits = Limits { depth: Some(9), ..Limits::default() };
        let nodes = |searcher: &mut Searcher, rules: &Arc<Rules>, position| {
            let game = Game::from_position(Arc::clone(rules), position);
            let never = AtomicBool::new(false);
            let result =
                searcher.search(&game, &limits, &SearchOptions::default(), None, &never, &mut |_| {});
            assert!(game.legal_moves().contains(&result.best.unwrap()));
            result.last.nodes
        };
        // A single search may take a longer way by what it remembers; several hardly do.
        let (mut first, mut of_images) = (0, 0);
        for text in
            ["L/2dL1d/1Ld1/d5/4 d 11 0 0", "L/d1LL2/1d2/4d1/4 d 12 0 0", "1/2LdL1/d3/1dL1d1/d3 l 10 0 0"]
        {
            let (rules, position) = VariantSpec::default().rules().unwrap().parse_position(text).unwrap();
            let rules = Arc::new(rules);
            let image = position.mirrored(&rules).unwrap();
            let mut searcher = Searcher::new(16).unwrap();
            first += nodes(&mut searcher, &rules, position);
            of_images += nodes(&mut searcher, &rules, image);
        }
        assert!(first > 30_000 && of_images < first / 2, "{first} and {of_images} nodes");
    }
}
