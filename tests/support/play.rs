//! Random games in every preset, with their options changed at random.

use engine::game::{
    Captures, Game, MAX_LEOPARDS, SetupKind, Side, Variant, VariantSpec, boards, parse_boards, variants,
};
use proptest::collection::vec;
use proptest::option::weighted;
use proptest::prelude::{Just, Strategy, any, prop_oneof};
use proptest::sample::{Index, select};
use std::fmt;
use std::sync::Arc;

/// Boards that no catalogue has: one without mirror symmetry, one of a single line, one with as many points
/// as there may be and the longest rows.
pub fn own_boards() -> &'static str {
    r#"
[lopsided]
rows = [1, 2, 3]
lines = ["a1 b1 c1", "a1 b2 c3", "b1 b2", "c1 c2 c3", "b1 c2"]

[street]
rows = [9]
lines = ["a1 a2 a3 a4 a5 a6 a7 a8 a9"]

[widest]
rows = [9, 9, 9, 5]
lines = [
  "a1 a2 a3 a4 a5 a6 a7 a8 a9",
  "b1 b2 b3 b4 b5 b6 b7 b8 b9",
  "c1 c2 c3 c4 c5 c6 c7 c8 c9",
  "d1 d2 d3 d4 d5",
  "a1 b1 c1",
  "a3 b3 c3 d1",
  "a5 b5 c5 d3",
  "a7 b7 c7 d5",
  "a9 b9 c9",
]
"#
}

/// A game after random moves.
#[derive(Clone)]
pub struct Walk {
    /// What was wished for.
    pub spec: VariantSpec,
    /// What came of it.
    pub game: Game,
}

impl fmt::Debug for Walk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let board = self.game.rules().board();
        let moves: Vec<String> = self.game.moves().iter().map(|&mv| board.move_text(mv)).collect();
        let position = board.position_text(self.game.position());
        let start = board.position_text(self.game.start());
        let config = self.game.rules().config();
        write!(f, "{} \"{start}\" {config:?}: {} -> \"{position}\"", board.name(), moves.join(" "))
    }
}

/// What is changed about a preset.
#[derive(Clone, Debug)]
struct Wish {
    preset: &'static Variant,
    catalogue_board: Option<Index>,
    own_board: Option<Index>,
    leopards: Option<u8>,
    dogs: Option<Index>,
    setup: Option<SetupKind>,
    first: Option<Side>,
    captures: Option<Index>,
    repetition: u8,
    quiet_limit: u16,
}

fn wishes() -> impl Strategy<Value = Wish> {
    let presets: Vec<&'static Variant> = variants().iter().collect();
    let boards = (weighted(0.2, any::<Index>()), weighted(0.2, any::<Index>()));
    let pieces = (weighted(0.3, 1..=MAX_LEOPARDS as u8), weighted(0.5, any::<Index>()));
    let start = (
        weighted(0.4, prop_oneof![Just(SetupKind::Placed), Just(SetupKind::Entered)]),
        weighted(0.3, prop_oneof![Just(Side::Dogs), Just(Side::Leopards)]),
    );
    let ends = (
        weighted(0.4, any::<Index>()),
        prop_oneof![Just(0), Just(2), Just(3)],
        prop_oneof![Just(0), Just(5), Just(400)],
    );
    (select(presets), boards, pieces, start, ends).prop_map(|(preset, boards, pieces, start, ends)| Wish {
        preset,
        catalogue_board: boards.0,
        own_board: boards.1,
        leopards: pieces.0,
        dogs: pieces.1,
        setup: start.0,
        first: start.1,
        captures: ends.0,
        repetition: ends.1,
        quiet_limit: ends.2,
    })
}

impl Wish {
    /// The wish made to fit its board.
    fn spec(&self) -> VariantSpec {
        let own = parse_boards(own_boards()).expect("the tests' own boards are sound");
        let own_boards = self.own_board.map_or(Vec::new(), |index| vec![Arc::clone(index.get(&own))]);
        let board = match (own_boards.first(), self.catalogue_board) {
            (Some(own), _) => Arc::clone(own),
            (None, Some(index)) => Arc::clone(index.get(boards())),
            (None, None) => engine::game::board(&self.preset.board).expect("a preset's board exists"),
        };
        let points = board.point_count() as u8;
        let leopards = self.leopards.unwrap_or(self.preset.leopards).min(points - 1);
        let most = points - leopards;
        let dogs = self.dogs.map_or(self.preset.dogs.min(most), |index| 1 + index.index(most.into()) as u8);
        let captures = |index: Index| Captures::Number(1 + index.index(dogs.into()) as u8);
        VariantSpec {
            variant: Some(self.preset.name.clone()),
            board: Some(board.name().to_owned()),
            own_boards,
            dogs: Some(dogs),
            leopards: Some(leopards),
            setup: self.setup,
            first: self.first,
            captures: self.captures.map_or(Captures::Auto, captures),
            repetition: Some(self.repetition),
            quiet_limit: Some(self.quiet_limit),
        }
    }
}

/// Games of all presets and more, after up to `plies` random moves; some are over.
pub fn walks(plies: usize) -> impl Strategy<Value = Walk> {
    (wishes(), vec((any::<Index>(), 0..4_u8), 0..=plies)).prop_map(|(wish, choices)| {
        let spec = wish.spec();
        let rules = spec.rules().expect("the wish fits its board");
        let mut game = Game::new(Arc::new(rules));
        for (choice, greed) in choices {
            let mut moves = game.legal_moves();
            // Captures come often enough for games to reach every phase.
            if greed == 0 && moves.iter().any(|mv| mv.is_capture()) {
                moves.retain(|mv| mv.is_capture());
            }
            if moves.is_empty() {
                break;
            }
            game.play(*choice.get(&moves));
        }
        Walk { spec, game }
    })
}
