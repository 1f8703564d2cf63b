//! Demos of a study beside the games of its paper, as text and as JSON: which stands for which, and which games have none.

use serde::Serialize;

use super::measure::Run;
use azulejo_study::{Demos, Needs, PaperGame, PaperSuite};

/// Workloads of a study, and its paper's games.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Cast {
    /// Choice of the workloads.
    choice: Demos,
    /// Names of the workloads.
    workloads: Vec<String>,
    /// Title of the paper; none where no paper has games.
    #[serde(skip_serializing_if = "Option::is_none")]
    paper: Option<&'static str>,
    /// Table of the games.
    #[serde(skip_serializing_if = "Option::is_none")]
    table: Option<&'static str>,
    /// Games of the paper, each with the demo that stands for it.
    #[serde(skip_serializing_if = "<[PaperGame]>::is_empty")]
    games: &'static [PaperGame],
}

impl Cast {
    /// Cast of a run; none where no frames are drawn.
    pub(super) fn of(run: &Run<'_>) -> Option<Self> {
        if run.needs() != Needs::Frames {
            return None;
        }
        let suite = run.chosen.study.suite;
        let workloads = run.workloads.iter();
        Some(Self {
            choice: run.choice(),
            workloads: workloads.map(|own| own.name.clone()).collect(),
            paper: suite.map(|suite| suite.paper),
            table: suite.map(|suite| suite.table),
            games: suite.map_or(&[], |suite: &PaperSuite| suite.games),
        })
    }

    /// Sentence on the workloads and the games that they stand for.
    pub(super) fn words(&self) -> String {
        let n = self.workloads.len();
        let (Some(paper), Some(table)) = (self.paper, self.table) else {
            return match self.choice {
                Demos::Named => self.workloads.join(", "),
                Demos::Papers | Demos::All => format!("all {n} demos"),
            };
        };
        let n_games = self.games.len();
        let found = self.workloads.iter().map(|name| self.of_demo(name));
        let found: Vec<_> = found.collect();
        let n_played: usize = found.iter().map(|(n, _)| n).sum();
        let named: Vec<_> = found.into_iter().map(|(_, words)| words).collect();
        format!(
            "{n} in place of {n_played} of the {n_games} games of {paper}, {table}: {}{}",
            named.join(", "),
            self.without()
        )
    }

    /// Number of games that a demo stands for, and the demo in words with them.
    fn of_demo(&self, demo: &str) -> (usize, String) {
        let stands = |game: &&PaperGame| game.stand_in.is_some_and(|own| own.demo == demo);
        let names: Vec<_> = { self.games.iter() }
            .filter(stands)
            .map(|game| game.alias)
            .collect();
        match names.as_slice() {
            [] => (0, demo.to_owned()),
            names => (names.len(), format!("{demo} ({})", names.join(", "))),
        }
    }

    /// Games for which no demo stands, in words.
    fn without(&self) -> String {
        let games = self.games.iter().filter(|game| game.stand_in.is_none());
        let names: Vec<_> = games.map(|game| game.alias).collect();
        match names.as_slice() {
            [] => String::new(),
            names => format!("; no stand-in: {}", names.join(", ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cast(study: &str, workloads: &[&str], choice: Demos) -> Cast {
        let suite = PaperSuite::of(study);
        Cast {
            choice,
            workloads: workloads.iter().map(|&name| name.to_owned()).collect(),
            paper: suite.map(|suite| suite.paper),
            table: suite.map(|suite| suite.table),
            games: suite.map_or(&[], |suite| suite.games),
        }
    }

    #[test]
    fn words_name_games_stand_ins_and_those_without() {
        let two = cast("boustro", &["match3", "royal"], Demos::Named);
        assert_eq!(
            two.words(),
            "2 in place of 1 of the 12 games of Boustrophedonic Frames, Table I: match3 (CCS), royal; \
             no stand-in: CAm, DDS, SnP"
        );
        let circuit = cast("libra", &["circuit"], Demos::Named).words();
        assert!(circuit.contains("circuit (BBR, CRa)"), "{circuit}");
        let own = cast("sampling", &["match3", "rope"], Demos::Papers);
        assert_eq!(own.words(), "all 2 demos", "no paper's games");
    }

    #[test]
    fn json_has_a_stand_in_or_null_for_each_game() {
        let json = serde_json::to_value(cast("re", &["match3"], Demos::Named)).expect("JSON");
        assert_eq!(json["choice"], "named");
        let game = &json["games"][3];
        assert_eq!(
            [&game["alias"], &game["kind"], &game["stand_in"]["kind"]],
            ["coc", "3D", "2.5D"],
            "the game's and the demo's"
        );
        let json = serde_json::to_value(cast("libra", &[], Demos::All)).expect("JSON");
        assert!(json["games"][0]["stand_in"].is_null(), "Air Attack");
    }
}
