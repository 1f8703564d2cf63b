//! Games and models of the papers, and the demos that stand for them.

/// Demos that stand for the models of Emerald's first case study (Table 6), M1 to M4: two with much to draw, and two with
/// little.
pub const EM1_MODELS: [&str; 4] = ["kingdom", "lantern", "marble", "match3"];

/// A game by its short name in the papers, and the demo that was made to be drawn as it is.
const STAND_INS: [(&str, &str); 27] = [
    // Rendering Elimination, Table II.
    ("ccs", "match3"),
    ("cde", "towers"),
    ("coc", "village"),
    ("ctr", "rope"),
    ("hop", "lantern"),
    ("abi", "catapult"),
    ("csn", "slope"),
    ("mst", "corridor"),
    ("ter", "runner"),
    ("tib", "marble"),
    // LIBRA, Table II, and KHEPRI, Table III; Boustrophedonic Frames, Table I.
    ("CCS", "match3"),
    ("CoC", "village"),
    ("AnB", "catapult"),
    ("AgB", "catapult"),
    ("CrS", "slope"),
    ("SuS", "runner"),
    ("TiB", "marble"),
    ("CRa", "circuit"),
    ("RSt", "arena"),
    ("GrT", "blocks"),
    ("RoK", "kingdom"),
    ("RoM", "royal"),
    ("HCR", "climb"),
    // Emerald, Table 8, whose names say what they are; W4 and W5 are one model.
    ("W2", "calf"),
    ("W4", "mask"),
    ("W5", "glass"),
    ("W6", "teapot"),
];

/// The demo that stands for a game or model of a paper, if one does.
#[must_use]
pub fn stand_in(game: &str) -> Option<&'static str> {
    let model = game
        .strip_prefix('M')
        .and_then(|number| number.parse::<usize>().ok());
    if let Some(model) = model {
        // Emerald, Table 6.
        return EM1_MODELS.get(model.checked_sub(1)?).copied();
    }
    let found = STAND_INS.iter().find(|(name, _)| *name == game);
    found.map(|(_, demo)| *demo)
}

#[cfg(test)]
mod tests {
    use super::*;
    use azulejo_demo::Demo;

    #[test]
    fn stand_ins_are_demos() {
        for (game, demo) in STAND_INS {
            assert!(Demo::find(demo).is_some(), "{game}: {demo}");
            assert_eq!(stand_in(game), Some(demo), "{game} is listed once");
        }
        for model in ["M1", "M2", "M3", "M4"] {
            assert!(stand_in(model).is_some(), "{model}");
        }
        assert_eq!([stand_in("AAt"), stand_in("M5")], [None; 2], "nobody's");
    }
}
