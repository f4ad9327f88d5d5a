//! Colours that the colour-blind can tell apart.

use plotters::style::RGBColor;

/// Okabe and Ito's colours ("Color universal design", 2008), the darker ones first as lines are thin.
const SERIES: [RGBColor; 7] = [
    RGBColor(0x00, 0x72, 0xb2),
    RGBColor(0xd5, 0x5e, 0x00),
    RGBColor(0x00, 0x9e, 0x73),
    RGBColor(0xcc, 0x79, 0xa7),
    RGBColor(0xe6, 0x9f, 0x00),
    RGBColor(0x56, 0xb4, 0xe9),
    RGBColor(0x00, 0x00, 0x00),
];

/// The Dogs' colour and the Leopards'.
pub(super) const DOGS: RGBColor = SERIES[0];
pub(super) const LEOPARDS: RGBColor = SERIES[1];
/// What neither wins.
pub(super) const DRAW: RGBColor = RGBColor(0x99, 0x99, 0x99);

/// The colour of a line; from the eighth on they come again, and markers tell them apart.
pub(super) const fn series(index: usize) -> RGBColor {
    SERIES[index % SERIES.len()]
}

/// A colour between two, `share` of the way.
pub(super) fn mix(from: RGBColor, to: RGBColor, share: f64) -> RGBColor {
    let part =
        |a: u8, b: u8| (f64::from(a) + share.clamp(0.0, 1.0) * (f64::from(b) - f64::from(a))).round() as u8;
    RGBColor(part(from.0, to.0), part(from.1, to.1), part(from.2, to.2))
}

/// The colour of a dogs' score: the Leopards' at 0, white at ½, the Dogs' at 1.
pub(super) fn of_score(score: f64) -> RGBColor {
    let white = RGBColor(255, 255, 255);
    if score < 0.5 { mix(LEOPARDS, white, 2.0 * score) } else { mix(white, DOGS, 2.0 * score - 1.0) }
}

/// The light background that stands for an exact value.
pub(super) fn of_value(value: &str) -> RGBColor {
    let colour = match value {
        "dogs" => DOGS,
        "leopards" => LEOPARDS,
        _ => DRAW,
    };
    mix(RGBColor(255, 255, 255), colour, 0.22)
}

/// The colour of a reason of ending: the Dogs' wins, the Leopards', draws, failures, each in their shades.
pub(super) fn of_reason(reason: &str) -> RGBColor {
    let white = RGBColor(255, 255, 255);
    let black = RGBColor(0, 0, 0);
    match reason {
        "trapped" => DOGS,
        "captures" => LEOPARDS,
        "stuck" => mix(LEOPARDS, white, 0.5),
        "repetition" => RGBColor(0xb0, 0xb0, 0xb0),
        "quiet" => RGBColor(0x80, 0x80, 0x80),
        "max-plies" => RGBColor(0x55, 0x55, 0x55),
        "adjudicated" => SERIES[2],
        "illegal-move" => SERIES[3],
        "timeout" => mix(SERIES[3], black, 0.35),
        "stall" => mix(SERIES[3], black, 0.6),
        _ => black,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_go_from_one_side_to_the_other() {
        assert_eq!(of_score(0.0), LEOPARDS);
        assert_eq!(of_score(1.0), DOGS);
        assert_eq!(of_score(0.5), RGBColor(255, 255, 255));
    }
}
