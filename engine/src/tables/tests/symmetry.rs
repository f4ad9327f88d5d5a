//! What must hold of a solution whatever it is: mirror images, orders of points, sets of won positions.

use super::super::index::usual_order;
use super::super::oracle::subsets;
use super::*;

/// Every leopard set has its own vector here, so that mirror images are solved apart.
#[test]
fn mirror_images_have_the_same_scores_where_each_is_solved_by_itself() {
    for (name, leopards) in [("hat10", 3), ("hat13", 2)] {
        let rules = rules(name, leopards);
        let (board, count) = (rules.board(), usize::from(leopards));
        let index = Index::with_order(board, count, &usual_order(board), false);
        let apart = Problem::from_index(index, rules.least_dogs(), 2).unwrap();
        let paired = Problem::new(board, count, rules.least_dogs(), 2);
        assert_eq!(apart.index.slot_count(), binomial(board.point_count(), count) as usize);
        assert!(paired.index.slot_count() < apart.index.slot_count());
        let (of_apart, of_paired) = (vectors(&apart), vectors(&paired));
        let mirrored = |set: PointSet| set.into_iter().map(|p| board.mirrored(p).unwrap()).collect();
        for set in subsets(board.point_count(), Some(leopards.into())) {
            for dogs in subsets(board.point_count(), None).filter(|dogs| !dogs.meets(set)) {
                for hand in 0..=(apart.index.free() as u8 - dogs.len() as u8) {
                    let of = |problem: &Problem, vectors, set, dogs| {
                        let index = &problem.index;
                        scores(
                            index,
                            vectors,
                            index.places_of_points(set),
                            index.places_of_points(dogs),
                            hand,
                        )
                    };
                    let found = of(&apart, &of_apart, set, dogs);
                    assert_eq!(found, of(&apart, &of_apart, mirrored(set), mirrored(dogs)));
                    assert_eq!(found, of(&paired, &of_paired, set, dogs));
                }
            }
        }
    }
}

#[test]
fn two_orders_of_points_give_the_same_counts() {
    let rules = rules("rect19", 2);
    let usual = counts(&Problem::new(rules.board(), 2, rules.least_dogs(), 2));
    let order: Vec<Point> = rules.board().points().into_iter().collect();
    assert_ne!(order, usual_order(rules.board()));
    assert_eq!(counts(&Problem::with_order(rules.board(), 2, rules.least_dogs(), 2, &order)), usual);
}

#[test]
fn no_position_is_won_for_both() {
    for (name, leopards) in [("hat10", 1), ("hat13", 2), ("rect19", 3)] {
        let rules = rules(name, leopards);
        let problem = Problem::new(rules.board(), leopards.into(), rules.least_dogs(), 2);
        let stop = AtomicBool::new(false);
        let watch = Watch { progress: &|_| (), stop: &stop };
        let mut scores = vec![127; problem.index.slot_count() * problem.index.vector_len()];
        let mut won_by = |side| {
            let mut won = problem.nothing_won().unwrap();
            problem.win(side, &mut won, &mut scores, &watch).unwrap();
            won
        };
        let (dogs, leopards) = (won_by(Side::Dogs), won_by(Side::Leopards));
        for (dogs, leopards) in
            [(&dogs.dogs_move, &leopards.dogs_move), (&dogs.leopards_move, &leopards.leopards_move)]
        {
            assert!(dogs.iter().any(|&word| word != 0) && leopards.iter().any(|&word| word != 0), "{name}");
            assert!(dogs.iter().zip(leopards).all(|(a, b)| a & b == 0), "{name}");
        }
        // And the scores say of each Dogs' turn what the sets say.
        for (number, &score) in scores.iter().enumerate() {
            let is_in = |set: &[u64]| set[number / 64] >> (number % 64) & 1 == 1;
            assert_eq!((score > 127, score < 127), (is_in(&dogs.dogs_move), is_in(&leopards.dogs_move)));
        }
    }
}
