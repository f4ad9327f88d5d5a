//! Parts of larger boards against the slow oracle.

use super::*;

/// A board of some points of another, joined by what is left of its lines.
fn part(board: &Board, points: PointSet) -> Arc<Board> {
    let (mut rows, mut names) = (Vec::new(), BTreeMap::new());
    for row in 0..board.rows().len() {
        let left: Vec<Point> = board.row(row).filter(|&point| points.contains(point)).collect();
        if !left.is_empty() {
            let letter = char::from(b'a' + rows.len() as u8);
            names.extend((1..).zip(&left).map(|(place, &point)| (point, format!("{letter}{place}"))));
            rows.push(left.len());
        }
    }
    let next = |a: Point, b: Point| {
        board.jumps(a).iter().find(|jump| jump.over == b && points.contains(jump.to)).map(|jump| jump.to)
    };
    let mut lines = Vec::new();
    for a in points {
        for b in board.neighbours(a) & points {
            let mut line = vec![a, b];
            while let Some(c) = next(line[line.len() - 2], line[line.len() - 1]) {
                line.push(c);
            }
            if next(b, a).is_none() && line[0] < line[line.len() - 1] {
                lines.push(line.iter().map(|point| names[point].as_str()).collect::<Vec<_>>().join(" "));
            }
        }
    }
    Arc::new(Board::new("part", &BoardData { rows, lines, columns: None }).unwrap())
}

#[test]
fn rows_of_larger_boards_agree_with_the_oracle() {
    let parts = [("rect21", 0..3), ("rect21", 3..5), ("rect19", 0..3), ("rect23", 3..5), ("fan21", 3..5)];
    for (name, rows) in parts {
        let board = crate::game::board(name).unwrap();
        let part = part(&board, rows.flat_map(|row| board.row(row)).collect());
        agrees_with_oracle(&rules_on(&part, 2, Captures::Auto));
    }
}

/// Random points of a board that hang together.
fn random_points(board: &Board, count: u32, rng: &mut Xoshiro256PlusPlus) -> PointSet {
    let mut pick = |set: PointSet| {
        let points: Vec<Point> = set.into_iter().collect();
        points[rng.random_range(0..points.len())]
    };
    let mut points = PointSet::from(pick(board.points()));
    while points.len() < count {
        let beside = points.into_iter().fold(PointSet::EMPTY, |set, point| set | board.neighbours(point));
        points = points.with(pick(beside - points));
    }
    points
}

#[test]
fn random_parts_of_larger_boards_agree_with_the_oracle() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1681);
    let (mut with_leaps, mut without_mirror) = (0, 0);
    for name in ["rect19", "rect21", "fan21", "rect23", "rect29"] {
        let board = crate::game::board(name).unwrap();
        for leopards in [1, 2, 2, 3, 3] {
            let count = rng.random_range(8..=10);
            let part = part(&board, random_points(&board, count, &mut rng));
            with_leaps += u32::from(part.jump_count() > 0);
            without_mirror += u32::from(!part.is_symmetric());
            let dogs = count as u8 - leopards;
            for captures in [Captures::Auto, Captures::Number(rng.random_range(1..=dogs))] {
                let rules = rules_on(&part, leopards, captures);
                // Where no number of dogs traps, auto leaves no game.
                if rules.captures_to_win() > 0 {
                    agrees_with_oracle(&rules);
                }
            }
        }
    }
    assert!(with_leaps >= 20 && without_mirror >= 10, "{with_leaps} with leaps, {without_mirror} lopsided");
}
