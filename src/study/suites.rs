//! Suites of the papers: their games as the papers' tables name them, and the demo that stands for each. No other file says
//! which demo is which game.
//!
//! A demo stands for a game if it was made after it, as the header of its folder says; that was so before anything was
//! measured, and no result assigns or withdraws one. A game without a demo is listed all the same: nothing stands for it.
//!
//! Papers count their games by how their space is drawn (2D, 2.5D, 3D). Means are plain means over the demos; beside them
//! may stand means weighted by [`PaperSuite::weights`], in which each kind has the share that it has of the paper's games.

use serde::{Serialize, Serializer};

use azulejo_demo::{Demo, Kind};

/// Games of a paper.
#[derive(Debug, PartialEq, Serialize)]
pub struct PaperSuite {
    /// Name of the study, and first word of the paper's numbers.
    pub study: &'static str,
    /// Title of the paper.
    pub paper: &'static str,
    /// Table that lists the games.
    pub table: &'static str,
    /// Games in the order of that table.
    pub games: &'static [PaperGame],
}

/// Game or model that a paper measures.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PaperGame {
    /// Short name in the paper's figures.
    pub alias: &'static str,
    /// Title in the paper's table.
    pub name: &'static str,
    /// Genre in the paper's words; none where it names none.
    pub genre: Option<&'static str>,
    /// Drawing of its space by the paper's table, if it says so.
    #[serde(serialize_with = "kind_by_name")]
    pub kind: Option<Kind>,
    /// Texture footprint of a frame in the paper's table, in its megabytes.
    pub footprint: Option<f64>,
    /// Demo that stands for it, if one does.
    pub stand_in: Option<StandIn>,
}

/// Demo in place of a game.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StandIn {
    /// Name of the demo.
    pub demo: &'static str,
    /// Likeness to the game.
    pub alike: &'static str,
}

const fn stands(demo: &'static str, alike: &'static str) -> Option<StandIn> {
    Some(StandIn { demo, alike })
}

const NONE: Option<StandIn> = None;
const MATCH3: Option<StandIn> = stands(
    "match3",
    "rows of sweets: sprites in layers, translucent effects, a still camera",
);
const TOWERS: Option<StandIn> = stands(
    "towers",
    "castle defence: a painted land, small things that move, a still camera",
);
const VILLAGE: Option<StandIn> = stands(
    "village",
    "many small buildings seen from above a corner, short pans",
);
const ROPE: Option<StandIn> = stands(
    "rope",
    "ropes in a quiet room before a still camera, of which little moves",
);
const LANTERN: Option<StandIn> = stands(
    "lantern",
    "one light in a cave: most of the picture is black and stays so",
);
const CATAPULT: Option<StandIn> = stands(
    "catapult",
    "stones against castles that collapse: the camera rests, then flies along",
);
const SLOPE: Option<StandIn> = stands(
    "slope",
    "a snowboarder from behind: few texels, a panorama that stands still",
);
const RUNNER: Option<StandIn> = stands(
    "runner",
    "a runner from behind on a long way: coins, barriers, a display",
);
const MARBLE: Option<StandIn> = stands(
    "marble",
    "a ball thrown into a bowl: physics in a lit room, simple models",
);
const CORRIDOR: Option<StandIn> = stands(
    "corridor",
    "first-person view through lit corridors, whose every tile changes",
);
const CIRCUIT: Option<StandIn> = stands(
    "circuit",
    "a race: forward camera that turns with the road, a long view",
);
const ARENA: Option<StandIn> = stands(
    "arena",
    "robots that box before a crowd, under spot lights, a camera that circles",
);
const BLOCKS: Option<StandIn> = stands(
    "blocks",
    "blocks that fall into a well: a 3D stage before a still camera",
);
const KINGDOM: Option<StandIn> = stands(
    "kingdom",
    "a large map with armies and labels: hundreds of small sprites",
);
const ROYAL: Option<StandIn> = stands(
    "royal",
    "a painted hall before a still camera, of very large textures",
);
const CLIMB: Option<StandIn> = stands(
    "climb",
    "a side scroller of many layers, each at a pace of its own",
);
const MUCH: &str = "much to draw; the paper names the model alone";
const LITTLE: &str = "little to draw; the paper names the model alone";
const NAVE: Option<StandIn> = stands("nave", "a church, walked through");
const CALF: Option<StandIn> = stands("calf", "a spotted cow");
const CRATE: Option<StandIn> = stands("crate", "a cube that fills the screen");
const MASK: Option<StandIn> = stands("mask", "a head with large ears");
const GLASS: Option<StandIn> = stands("glass", "the same head, blended");
const TEAPOT: Option<StandIn> = stands("teapot", "a teapot");

/// Games by alias, name, genre, kind and footprint (`-` without one), each with its stand-in.
macro_rules! games {
    ($($alias:literal $name:literal $genre:literal $kind:ident $footprint:tt $stand_in:expr;)*) => {
        &[$(PaperGame {
            alias: $alias,
            name: $name,
            genre: Some($genre),
            kind: Some(Kind::$kind),
            footprint: games!(@ $footprint),
            stand_in: $stand_in,
        }),*]
    };
    (@ -) => { None };
    (@ $footprint:literal) => { Some($footprint) };
}

/// Models by alias and name, each with its stand-in.
macro_rules! models {
    ($($alias:literal $name:literal $stand_in:expr;)*) => {
        &[$(PaperGame {
            alias: $alias,
            name: $name,
            genre: None,
            kind: None,
            footprint: None,
            stand_in: $stand_in,
        }),*]
    };
}

/// Rendering Elimination, Table II.
const OF_RE: &[PaperGame] = games! {
    "abi" "Angry Birds"      "Arcade"               Flat  - CATAPULT;
    "ccs" "Candy Crush Saga" "Puzzle"               Flat  - MATCH3;
    "cde" "Castle Defense"   "Tower Defense"        Flat  - TOWERS;
    "coc" "Clash of Clans"   "MMO Strategy"         Solid - VILLAGE;
    "csn" "Crazy Snowboard"  "Arcade"               Solid - SLOPE;
    "ctr" "Cut the Rope"     "Puzzle"               Flat  - ROPE;
    "hop" "Hopeless"         "Survival Horror"      Flat  - LANTERN;
    "mst" "Modern Strike"    "First Person Shooter" Solid - CORRIDOR;
    "ter" "Temple Run"       "Platform"             Solid - RUNNER;
    "tib" "Tigerball"        "Physics Puzzle"       Solid - MARBLE;
};

/// LIBRA, Table II, which is KHEPRI's Table III.
const OF_LIBRA: &[PaperGame] = games! {
    "AAt" "Air Attack"                           "Action"    Isometric 2.1  NONE;
    "AmU" "Among Us"                             "Action"    Isometric 3.4  NONE;
    "AnB" "Angry Birds"                          "Puzzle"    Flat      1.1  CATAPULT;
    "Arc" "Archery Master 3D"                    "Sports"    Solid     2.3  NONE;
    "BBR" "Beach Buggy Racing"                   "Racing"    Solid     7.5  CIRCUIT;
    "BlB" "Block Blast!"                         "Puzzle"    Flat      3.6  NONE;
    "CCS" "Candy Crush Saga"                     "Casual"    Flat      2.6  MATCH3;
    "CAm" "Captain America: Sentinel of Liberty" "Action"    Isometric 1.5  NONE;
    "CRa" "City Racing 3D"                       "Racing"    Solid     3.5  CIRCUIT;
    "CoC" "Clash of Clans"                       "Strategy"  Isometric 2.4  VILLAGE;
    "CoS" "Counter Strike"                       "Action"    Solid     0.7  CORRIDOR;
    "CrS" "Crazy Snowboard"                      "Sports"    Solid     0.9  SLOPE;
    "DDS" "Derby Destruction Simulator"          "Racing"    Solid     3.2  NONE;
    "Fo2" "Forest 2"                             "Adventure" Solid     4.7  NONE;
    "GDL" "Geometry Dash Lite"                   "Rhythm"    Flat      1.2  NONE;
    "GoB" "Golf Battle"                          "Sports"    Solid     4.9  NONE;
    "GrT" "Gravity Tetris"                       "Puzzle"    Solid     0.8  BLOCKS;
    "Gra" "Gravity: Don't Let Go"                "Arcade"    Solid     5.2  NONE;
    "HCR" "Hill Climb Racing"                    "Racing"    Flat      2.8  CLIMB;
    "HoW" "Hot Wheels: Race Off"                 "Racing"    Isometric 8.3  NONE;
    "Jet" "Jetpack Joyride"                      "Arcade"    Flat      0.7  CLIMB;
    "Maz" "3D Maze / Labyrinth"                  "Adventure" Solid     3.6  CORRIDOR;
    "PVZ" "Plants vs. Zombies"                   "Strategy"  Flat      2.7  NONE;
    "RSt" "Real Steel World Robot Boxing"        "Action"    Solid     4.9  ARENA;
    "RoK" "Rise of Kingdoms: Lost Crusade"       "Strategy"  Isometric 7.1  KINGDOM;
    "RoM" "Royal Match"                          "Puzzle"    Isometric 27.5 ROYAL;
    "S3D" "Sniper 3D: Gun Shooting Games"        "Action"    Solid     6.0  NONE;
    "SoD" "Sonic Dash"                           "Arcade"    Solid     4.8  NONE;
    "SuS" "Subway Surfers"                       "Arcade"    Solid     2.9  RUNNER;
    "Tet" "Tetris"                               "Puzzle"    Flat      9.4  NONE;
    "TiB" "Tigerball"                            "Casual"    Solid     6.5  MARBLE;
    "VCS" "Vegas Crime Simulator"                "Action"    Solid     4.3  NONE;
};

/// Boustrophedonic Frames, Table I.
const OF_BOUSTRO: &[PaperGame] = games! {
    "CrS" "Crazy Snowboard"                "Sports"   Solid 0.7 SLOPE;
    "GrT" "Gravitytetrtris"                "Puzzle"   Solid 0.7 BLOCKS;
    "AgB" "Angry Birds 2"                  "Puzzle"   Solid 0.9 CATAPULT;
    "CAm" "Captain America"                "Action"   Solid 1.3 NONE;
    "DDS" "Derby Destruction Simulator"    "Racing"   Solid 1.4 NONE;
    "SnP" "Sniper 3D"                      "Shooter"  Solid 1.8 NONE;
    "CoC" "Clash of Clans"                 "Strategy" Solid 2.0 VILLAGE;
    "CCS" "Candy Crush Saga"               "Puzzle"   Flat  2.4 MATCH3;
    "Mze" "3D Maze 2: Diamonds & Ghosts"   "Arcade"   Solid 2.4 CORRIDOR;
    "CRa" "City Racing 3D"                 "Racing"   Solid 2.6 CIRCUIT;
    "RSt" "Real Steel World Robot Boxing"  "Strategy" Solid 4.2 ARENA;
    "RoK" "Rise of Kingdoms: Lost Crusade" "Strategy" Flat  6.9 KINGDOM;
};

/// Emerald, Table 6: two models with much to draw, and two with little.
const OF_EM1: &[PaperGame] = models! {
    "M1" "Chair"     stands("kingdom", MUCH);
    "M2" "Cube"      stands("lantern", LITTLE);
    "M3" "Mask"      stands("marble", MUCH);
    "M4" "Triangles" stands("match3", LITTLE);
};

/// Emerald, Table 8; W4 and W5 are one model.
const OF_EM2: &[PaperGame] = models! {
    "W1" "Sibenik"               NAVE;
    "W2" "Spot"                  CALF;
    "W3" "Cube"                  CRATE;
    "W4" "Suzanne"               MASK;
    "W5" "Suzanne (transparent)" GLASS;
    "W6" "Teapot"                TEAPOT;
};

/// Games of Rendering Elimination.
pub(super) const RE: PaperSuite = suite("re", "Rendering Elimination", "Table II", OF_RE);
/// Games of LIBRA.
pub(super) const LIBRA: PaperSuite = suite("libra", "LIBRA", "Table II", OF_LIBRA);
/// Games of KHEPRI.
pub(super) const KHEPRI: PaperSuite = suite("khepri", "KHEPRI", "Table III", OF_LIBRA);
/// Games of Boustrophedonic Frames.
pub(super) const BOUSTRO: PaperSuite =
    suite("boustro", "Boustrophedonic Frames", "Table I", OF_BOUSTRO);
/// Models of Emerald's first case study.
pub(super) const EM1: PaperSuite = suite("em1", "Emerald, case study I", "Table 6", OF_EM1);
/// Models of Emerald's second case study.
pub(super) const EM2: PaperSuite = suite("em2", "Emerald, case study II", "Table 8", OF_EM2);

/// Suites of all papers, in the order of their studies.
pub const PAPER_SUITES: &[PaperSuite] = &[RE, LIBRA, KHEPRI, BOUSTRO, EM1, EM2];

const fn suite(
    study: &'static str,
    paper: &'static str,
    table: &'static str,
    games: &'static [PaperGame],
) -> PaperSuite {
    PaperSuite {
        study,
        paper,
        table,
        games,
    }
}

impl PaperSuite {
    /// Finds the suite of a study's paper, if the paper has games.
    #[must_use]
    pub fn of(study: &str) -> Option<&'static Self> {
        PAPER_SUITES.iter().find(|suite| suite.study == study)
    }

    /// Finds the demo that stands for a game by its short name.
    #[must_use]
    pub fn stand_in(&self, alias: &str) -> Option<&'static str> {
        let game = self.games.iter().find(|game| game.alias == alias)?;
        Some(game.stand_in?.demo)
    }

    /// Demos that stand for games, each once, in the order in which lists show demos.
    #[must_use]
    pub fn stand_ins(&self) -> Vec<&'static Demo> {
        let stands = |demo: &&Demo| self.games_of(demo.name).next().is_some();
        Demo::all().filter(stands).collect()
    }

    /// Games that a demo stands for.
    pub fn games_of(&self, demo: &str) -> impl Iterator<Item = &'static PaperGame> {
        let stands = move |game: &&PaperGame| game.stand_in.is_some_and(|own| own.demo == demo);
        self.games.iter().filter(stands)
    }

    /// Number of the paper's games of a kind.
    #[must_use]
    pub fn n_of_kind(&self, kind: Kind) -> usize {
        let of_kind = |game: &&PaperGame| game.kind == Some(kind);
        self.games.iter().filter(of_kind).count()
    }

    /// Kind of a demo among the paper's games: that of the game that it stands for, else its own.
    fn kind_of(&self, demo: &Demo) -> Kind {
        let of_game = self.games_of(demo.name).find_map(|game| game.kind);
        of_game.unwrap_or(demo.kind)
    }

    /// Weights by which each kind of the demos has the share that it has of the paper's games: as many as the paper's of
    /// the kind, shared by the demos of the kind. Nothing where the paper does not tell kinds; 0 for a kind that it has not.
    #[must_use]
    pub fn weights(&self, demos: &[&Demo]) -> Option<Vec<f64>> {
        if self.games.iter().any(|game| game.kind.is_none()) {
            return None;
        }
        let kinds: Vec<_> = demos.iter().map(|demo| self.kind_of(demo)).collect();
        let weight = |kind: &Kind| {
            let ours = kinds.iter().filter(|own| *own == kind).count();
            self.n_of_kind(*kind) as f64 / ours as f64
        };
        Some(kinds.iter().map(weight).collect())
    }
}

impl Serialize for StandIn {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        /// Entry of a list for programs: the demo's own kind stands beside the game's.
        #[derive(Serialize)]
        struct Entry {
            demo: &'static str,
            kind: Option<&'static str>,
            alike: &'static str,
        }
        let kind = Demo::find(self.demo).map(|demo| demo.kind.name());
        let (demo, alike) = (self.demo, self.alike);
        Entry { demo, kind, alike }.serialize(to)
    }
}

fn kind_by_name<S: Serializer>(kind: &Option<Kind>, to: S) -> Result<S::Ok, S::Error> {
    kind.map(Kind::name).serialize(to)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(study: &str) -> &'static PaperSuite {
        PaperSuite::of(study).expect("a paper with games")
    }

    #[test]
    fn stand_ins_are_demos_and_aliases_are_games_once() {
        for suite in PAPER_SUITES {
            let mut aliases = std::collections::BTreeSet::new();
            for game in suite.games {
                assert!(aliases.insert(game.alias), "{}: twice", game.alias);
                let Some(own) = game.stand_in else { continue };
                assert!(Demo::find(own.demo).is_some(), "{}", own.demo);
                assert!(!own.alike.is_empty(), "{}: why", game.alias);
            }
        }
        let libra = of("libra");
        assert_eq!(libra.stand_in("CCS"), Some("match3"));
        assert_eq!(
            [libra.stand_in("AAt"), libra.stand_in("M5")],
            [None; 2],
            "nobody's"
        );
        assert_eq!(of("em1").stand_in("M1"), Some("kingdom"), "by paper");
        assert!(PaperSuite::of("sampling").is_none(), "without games");
    }

    #[test]
    fn games_of_one_demo_are_of_one_kind() {
        for suite in PAPER_SUITES {
            for demo in suite.stand_ins() {
                let kinds: Vec<_> = suite.games_of(demo.name).map(|game| game.kind).collect();
                assert!(
                    kinds.windows(2).all(|two| two[0] == two[1]),
                    "{}",
                    demo.name
                );
            }
        }
    }

    /// Table II as the paper's text counts it, and the mean and median footprint that its column gives by hand.
    #[test]
    fn table_of_libra_is_whole() {
        let libra = of("libra");
        let mix = [Kind::Flat, Kind::Isometric, Kind::Solid].map(|kind| libra.n_of_kind(kind));
        assert_eq!(mix, [8, 7, 17], "2D, 2.5D, 3D");
        let mut footprints: Vec<f64> = libra.games.iter().filter_map(|own| own.footprint).collect();
        footprints.sort_by(f64::total_cmp);
        let sum: f64 = footprints.iter().sum();
        assert!((sum - 143.1).abs() < 1e-9, "{sum} MB, a mean of 4.47");
        assert_eq!(footprints[15..17], [3.4, 3.5], "a median of 3.45");
        assert_eq!(libra.games, of("khepri").games, "KHEPRI has the same");
    }

    #[test]
    fn suites_have_so_many_games_and_demos() {
        let counts = PAPER_SUITES.iter();
        let counts = counts.map(|suite| (suite.study, suite.games.len(), suite.stand_ins().len()));
        let expected = [
            ("re", 10, 10),
            ("libra", 32, 13),
            ("khepri", 32, 13),
            ("boustro", 12, 9),
            ("em1", 4, 4),
            ("em2", 6, 6),
        ];
        assert_eq!(counts.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn weights_give_each_kind_its_share() {
        let libra = of("libra");
        let demos = ["match3", "climb", "village", "runner", "arena", "slope"];
        let demos = demos.map(|name| Demo::find(name).expect("a demo"));
        let weights = libra.weights(&demos).expect("kinds are told");
        let expected = [4.0, 4.0, 7.0, 17.0 / 3.0, 17.0 / 3.0, 17.0 / 3.0];
        assert_eq!(weights, expected, "8 : 7 : 17");
        let whole = of("re").stand_ins();
        let weights = of("re").weights(&whole).expect("kinds are told");
        assert_eq!(weights, [1.0; 10], "each stands for its game");
        let royal = [Demo::find("royal").expect("a demo")];
        assert_eq!(of("re").weights(&royal), Some(vec![0.0]), "no 2.5D there");
        assert_eq!(of("em1").weights(&royal), None, "Emerald tells no kinds");
    }
}
