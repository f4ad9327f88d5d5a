//! One thread's search: principal variation search, and quiescence on captures.

use super::eval::Evaluator;
use super::limits::Limits;
use super::order::{NodeHints, OrderedMoves, Refutations};
use super::probe::Probe;
use super::reductions::Reductions;
use super::score::{INFINITE, Score, WIN, from_value, is_decided, loss_in, win_in};
use super::time::TimeBudget;
use super::tt::{Bound, Entry, TranspositionTable};
use crate::game::{Game, Move, MoveList, Position, Rules, Side};
use arrayvec::ArrayVec;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

/// The most plies a search goes below the root.
pub(super) const MAX_PLY: usize = 128;
/// Nodes between two looks at clock and stop flag.
const CHECK_INTERVAL: u64 = 1_024;

/// Up to this depth a node whose evaluation is above the window by so much for each ply left is not searched: it
/// will hardly come down (reverse futility pruning).
const FUTILITY_DEPTH: i32 = 8;
const FUTILITY_MARGIN: Score = 30;
/// From this evaluation on the way to the end is searched for: nothing is left out or reduced.
const AS_GOOD_AS_WON: Score = 500;

/// A line of moves.
pub(super) type Line = ArrayVec<Move, MAX_PLY>;

/// What all threads of a search share.
pub(super) struct Shared<'a> {
    pub(super) rules: &'a Rules,
    pub(super) tt: &'a TranspositionTable,
    pub(super) evaluator: &'a Evaluator,
    pub(super) reductions: &'a Reductions,
    pub(super) probe: Option<&'a dyn Probe>,
    /// Whether a draw by the table cuts off; not below a drawn root, where all moves but draws are known to
    /// lose or win and search is to choose among the draws.
    pub(super) probe_draws: bool,
    pub(super) limits: Limits,
    pub(super) budget: Option<TimeBudget>,
    pub(super) begun: Instant,
    /// Set from outside to end the search.
    pub(super) stop: &'a AtomicBool,
    /// Set when a limit is reached, for the other threads.
    pub(super) limit_reached: AtomicBool,
    /// Nodes of all threads, brought up to date now and then.
    pub(super) nodes: AtomicU64,
}

/// A move at the root and what was found out about it.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub(super) mv: Move,
    pub(super) score: Score,
    pub(super) sel_depth: usize,
    /// The line it leads to, itself first.
    pub(super) line: Line,
}

impl RootMove {
    pub(super) fn new(mv: Move) -> Self {
        Self { mv, score: -INFINITE, sel_depth: 0, line: std::iter::once(mv).collect() }
    }
}

/// A kind of node: whether its window is open, and whether it is the root.
trait Node {
    const PV: bool;
    const ROOT: bool;
}

struct RootNode;
struct PvNode;
struct ZeroWindowNode;

impl Node for RootNode {
    const PV: bool = true;
    const ROOT: bool = true;
}
impl Node for PvNode {
    const PV: bool = true;
    const ROOT: bool = false;
}
impl Node for ZeroWindowNode {
    const PV: bool = false;
    const ROOT: bool = false;
}

/// One thread of a search.
pub(super) struct Worker<'a> {
    shared: &'a Shared<'a>,
    pub(super) root: Position,
    pub(super) root_moves: Vec<RootMove>,
    /// How many root moves stand before those to be searched, for the second and later lines.
    pub(super) first_root_move: usize,
    /// Keys of earlier positions: of the game, then of the path from the root, the node itself left out.
    keys: Vec<u64>,
    /// How many of `keys` are the game's.
    game_keys: usize,
    /// Moves of the path from the root.
    path: Line,
    refutations: Refutations,
    lines: Vec<Line>,
    nodes: u64,
    nodes_told: u64,
    next_check: u64,
    pub(super) sel_depth: usize,
    pub(super) aborted: bool,
}

impl<'a> Worker<'a> {
    pub(super) fn new(shared: &'a Shared<'a>, game: &Game, root_moves: Vec<RootMove>) -> Self {
        let keys = game.repeatable_keys().to_vec();
        let mut worker = Self {
            shared,
            root: *game.position(),
            root_moves,
            first_root_move: 0,
            game_keys: keys.len(),
            keys,
            path: Line::new(),
            refutations: Refutations::new(),
            lines: vec![Line::new(); MAX_PLY + 1],
            nodes: 0,
            nodes_told: 0,
            next_check: 0,
            sel_depth: 0,
            aborted: false,
        };
        worker.plan_next_check();
        worker
    }

    /// Searches the root moves from `first_root_move` on with a window; scores of moves that proved best or
    /// beyond the window are noted in `root_moves`.
    pub(super) fn search_root(&mut self, alpha: Score, beta: Score, depth: i32) -> Score {
        let root = self.root;
        self.sel_depth = 0;
        self.search::<RootNode>(&root, alpha, beta, depth, 0)
    }

    fn plan_next_check(&mut self) {
        let left = self
            .shared
            .limits
            .nodes
            .map_or(u64::MAX, |limit| limit.saturating_sub(self.shared.nodes.load(Ordering::Relaxed)));
        self.next_check = self.nodes + CHECK_INTERVAL.min(left);
    }

    /// Nodes of this thread that the shared count does not have yet are added to it.
    pub(super) fn tell_nodes(&mut self) {
        self.shared.nodes.fetch_add(self.nodes - self.nodes_told, Ordering::Relaxed);
        self.nodes_told = self.nodes;
    }

    /// Whether the search must end now; looks at clock, flags and node limit.
    fn check_limits(&mut self) -> bool {
        self.tell_nodes();
        let shared = self.shared;
        let nodes_used =
            shared.limits.nodes.is_some_and(|limit| shared.nodes.load(Ordering::Relaxed) >= limit);
        let time_used = shared.budget.is_some_and(|budget| shared.begun.elapsed() >= budget.hard);
        if nodes_used || time_used {
            shared.limit_reached.store(true, Ordering::Relaxed);
        }
        self.plan_next_check();
        shared.stop.load(Ordering::Relaxed) || shared.limit_reached.load(Ordering::Relaxed)
    }

    /// Counts a node and gives its score where there is nothing to search: the search is to be broken off,
    /// or the Leopards have captured enough.
    #[inline]
    fn begin_node<N: Node>(&mut self, position: &Position, ply: usize) -> Option<Score> {
        if N::PV {
            self.lines[ply].clear();
        }
        if self.nodes >= self.next_check && self.check_limits() {
            self.aborted = true;
        }
        if self.aborted {
            return Some(0);
        }
        self.nodes += 1;
        self.sel_depth = self.sel_depth.max(ply);
        position.is_won_by_captures(self.shared.rules).then(|| won_by_captures(position, ply))
    }

    /// Whether the position repeats one of the path, or one of the game as often as makes a draw.
    ///
    /// A single repetition within the search counts: what could be forced once can be forced again.
    fn is_repetition(&self, position: &Position) -> bool {
        let key = position.key();
        let reach = usize::from(position.quiet()).min(self.keys.len());
        let mut seen_in_game = 0;
        for back in (4..=reach).step_by(2) {
            let index = self.keys.len() - back;
            if self.keys[index] == key {
                if index >= self.game_keys {
                    return true;
                }
                seen_in_game += 1;
            }
        }
        let limit = u32::from(self.shared.rules.repetition());
        limit != 0 && seen_in_game + 1 >= limit
    }

    /// Whether quiet plies could end the game within a search from here, so that stored scores may mislead.
    fn is_near_quiet_limit(&self, position: &Position) -> bool {
        let limit = self.shared.rules.quiet_limit();
        limit != 0 && usize::from(position.quiet()) + MAX_PLY >= usize::from(limit)
    }

    fn is_quiet_draw(&self, position: &Position) -> bool {
        let limit = self.shared.rules.quiet_limit();
        limit != 0 && position.quiet() >= limit && position.has_moves(self.shared.rules)
    }

    /// The score of a node that is not searched: a draw by rule, or too deep below the root.
    fn cut_short(&self, position: &Position, ply: usize) -> Option<Score> {
        if self.is_repetition(position) || self.is_quiet_draw(position) {
            return Some(0);
        }
        (ply >= MAX_PLY - 1).then(|| self.shared.evaluator.evaluate(self.shared.rules, position))
    }

    /// The exact score of a position from the table, where there is one that may be used.
    fn probe(&self, position: &Position, ply: usize) -> Option<Score> {
        let value = self.shared.probe?.value(position)?;
        (self.shared.probe_draws || value.winner().is_some())
            .then(|| from_value(value, position.side_to_move(), ply as i32))
    }

    /// What the transposition table knows of a position or its mirror image.
    #[inline]
    fn recall(&self, position: &Position, ply: usize) -> Option<Entry> {
        let mut entry = self.shared.tt.get(position.symmetric_key(), ply as i32)?;
        if position.is_turned_round() {
            entry.best = entry.best.map(|mv| mv.mirrored(self.shared.rules.board()));
        }
        Some(entry)
    }

    /// Keeps what was found of a position in the transposition table, for it and its mirror image.
    #[inline]
    fn keep(&self, position: &Position, ply: usize, mut entry: Entry) {
        if position.is_turned_round() {
            entry.best = entry.best.map(|mv| mv.mirrored(self.shared.rules.board()));
        }
        self.shared.tt.put(position.symmetric_key(), ply as i32, &entry);
    }

    #[inline]
    fn child<N: Node>(
        &mut self,
        position: &Position,
        mv: Move,
        window: (Score, Score),
        depth: i32,
        ply: usize,
    ) -> Score {
        self.keys.push(position.key());
        self.path.push(mv);
        let next = position.after(self.shared.rules, mv);
        self.shared.tt.prefetch(next.symmetric_key());
        let score = -self.search::<N>(&next, -window.1, -window.0, depth, ply + 1);
        self.path.pop();
        self.keys.pop();
        score
    }

    fn update_line(&mut self, ply: usize, mv: Move) {
        let (line, next) = self.lines.split_at_mut(ply + 1);
        line[ply].clear();
        line[ply].push(mv);
        let room = line[ply].remaining_capacity();
        line[ply].extend(next[0].iter().take(room).copied());
    }

    /// The score of a position from the side to move's view, within the window (fail-soft).
    fn search<N: Node>(
        &mut self,
        position: &Position,
        mut alpha: Score,
        mut beta: Score,
        depth: i32,
        ply: usize,
    ) -> Score {
        if depth <= 0 {
            return self.quiesce::<N>(position, alpha, beta, ply);
        }
        let rules = self.shared.rules;
        if let Some(score) = self.begin_node::<N>(position, ply) {
            return score;
        }
        if !N::ROOT {
            if let Some(score) = self.cut_short(position, ply) {
                return score;
            }
            // No line from here can be better than winning at once or worse than having lost.
            alpha = alpha.max(loss_in(ply as i32));
            beta = beta.min(win_in(ply as i32 + 1));
            if alpha >= beta {
                return alpha;
            }
        }

        let known = self.recall(position, ply);
        if !N::PV
            && let Some(entry) = known
            && entry.depth >= depth
            && entry.cuts_off(alpha, beta)
            && !self.is_near_quiet_limit(position)
        {
            return entry.score;
        }
        if !N::ROOT
            && let Some(score) = self.probe(position, ply)
        {
            return score;
        }

        if !position.has_moves(rules) {
            return loss_in(ply as i32);
        }
        let eval = known.map_or_else(|| self.shared.evaluator.evaluate(rules, position), |entry| entry.eval);

        let is_open = eval.abs() < AS_GOOD_AS_WON;
        if !N::PV
            && is_open
            && depth <= FUTILITY_DEPTH
            && eval - FUTILITY_MARGIN * depth >= beta
            && !is_decided(beta)
        {
            return eval;
        }
        let mut moves = MoveList::new();
        if N::ROOT {
            moves.extend(self.root_moves[self.first_root_move..].iter().map(|root_move| root_move.mv));
        } else {
            position.list_moves(rules, &mut moves);
        }
        let side = position.side_to_move();
        let last = self.path.last().copied();
        let hints = NodeHints { best: known.and_then(|entry| entry.best), ply, last };
        let mut ordered = OrderedMoves::none();
        ordered.fill(rules, position, &moves, &self.refutations, &hints);
        let mut best_score = -INFINITE;
        let mut best_move = None;
        let old_alpha = alpha;
        let mut index = 0;
        let mut upcoming = ordered.next();
        while let Some(mv) = upcoming {
            upcoming = ordered.next();
            if let Some(mv) = upcoming {
                // By the time its turn comes the memory has answered.
                self.shared.tt.prefetch(position.symmetric_key_after(rules, mv));
            }
            let may_reduce = is_open && !mv.is_capture();
            let reduction =
                (index > 0).then(|| if may_reduce { self.reduction::<N>(depth, index) } else { 0 });
            let score = self.search_move::<N>(position, mv, reduction, (alpha, beta), depth, ply);
            if self.aborted {
                return 0;
            }
            if N::ROOT {
                self.note_root_score(mv, score, index == 0 || score > alpha);
            }
            if score > best_score {
                best_score = score;
                if score > alpha {
                    alpha = score;
                    best_move = Some(mv);
                    if N::PV {
                        self.update_line(ply, mv);
                    }
                    if score >= beta {
                        self.refutations.note(side, ply, mv, last);
                        break;
                    }
                }
            }
            index += 1;
        }
        let bound = Bound::of(best_score, old_alpha, beta);
        if !(N::ROOT && self.first_root_move > 0) {
            let entry = Entry { best: best_move, score: best_score, eval, depth, bound };
            self.keep(position, ply, entry);
        }
        best_score
    }

    /// The score of a move: all but the first with a depth reduced by so many plies at first, and in an open node with
    /// a zero window first; `None` is the first move.
    fn search_move<N: Node>(
        &mut self,
        position: &Position,
        mv: Move,
        reduction: Option<i32>,
        (alpha, beta): (Score, Score),
        depth: i32,
        ply: usize,
    ) -> Score {
        let zero_window = (alpha, alpha + 1);
        let mut score = -INFINITE;
        if reduction.is_some() || !N::PV {
            let reduction = reduction.unwrap_or(0);
            score = self.child::<ZeroWindowNode>(position, mv, zero_window, depth - 1 - reduction, ply);
            if score > alpha && reduction > 0 {
                score = self.child::<ZeroWindowNode>(position, mv, zero_window, depth - 1, ply);
            }
        }
        if N::PV && (reduction.is_none() || score > alpha) {
            score = self.child::<PvNode>(position, mv, (alpha, beta), depth - 1, ply);
        }
        score
    }

    /// By how many plies less a late move is searched at first.
    fn reduction<N: Node>(&self, depth: i32, index: usize) -> i32 {
        if depth < 3 {
            return 0;
        }
        (self.shared.reductions.of(depth, index) + i32::from(!N::PV)).min(depth - 2)
    }

    /// Notes what came out for a root move, so that the moves can be sorted for the next iteration.
    fn note_root_score(&mut self, mv: Move, score: Score, is_new_best: bool) {
        let line = is_new_best.then(|| self.lines[1].clone());
        let sel_depth = self.sel_depth;
        if let Some(root_move) = self.root_moves.iter_mut().find(|root_move| root_move.mv == mv) {
            if let Some(line) = line {
                root_move.score = score;
                root_move.sel_depth = sel_depth;
                root_move.line = std::iter::once(mv).chain(line.into_iter().take(MAX_PLY - 1)).collect();
            } else {
                root_move.score = -INFINITE;
            }
        }
    }

    /// The score when only captures are searched on, once the Leopards have the choice to stand.
    fn quiesce<N: Node>(&mut self, position: &Position, mut alpha: Score, beta: Score, ply: usize) -> Score {
        let rules = self.shared.rules;
        if let Some(score) = self.begin_node::<N>(position, ply) {
            return score;
        }
        if !position.has_moves(rules) {
            return loss_in(ply as i32);
        }
        if let Some(score) = self.cut_short(position, ply) {
            return score;
        }
        let known = self.recall(position, ply);
        if !N::PV
            && let Some(entry) = known
            && entry.cuts_off(alpha, beta)
            && !self.is_near_quiet_limit(position)
        {
            return entry.score;
        }
        if let Some(score) = self.probe(position, ply) {
            return score;
        }
        let eval = known.map_or_else(|| self.shared.evaluator.evaluate(rules, position), |entry| entry.eval);
        if eval >= beta {
            return eval;
        }
        let mut best = eval;
        alpha = alpha.max(best);
        for mv in position.captures(rules) {
            self.keys.push(position.key());
            let next = position.after(rules, mv);
            self.shared.tt.prefetch(next.symmetric_key());
            let score = -self.quiesce::<N>(&next, -beta, -alpha, ply + 1);
            self.keys.pop();
            if self.aborted {
                return 0;
            }
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    if N::PV {
                        self.update_line(ply, mv);
                    }
                    if score >= beta {
                        break;
                    }
                }
            }
        }
        best
    }
}

/// The score where the Leopards have captured enough, from the side to move's view.
fn won_by_captures(position: &Position, ply: usize) -> Score {
    match position.side_to_move() {
        Side::Dogs => loss_in(ply as i32),
        Side::Leopards => win_in(ply as i32),
    }
}

/// Whether an iteration has settled the game: a win or loss whose end lies within its depth.
pub(super) fn is_settled(score: Score, depth: i32) -> bool {
    is_decided(score) && depth > WIN - score.abs()
}
