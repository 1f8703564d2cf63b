//! Result of a study, and its JSON.

use serde::Serialize;

use super::super::suite::Suite;
use super::cast::Cast;
use super::choice::Chosen;
use crate::cli::stamp::Provenance;
use azulejo_study::{Figure, Findings, Record, Sample, Trend};
use azulejo_sweep::Fingerprint;

/// Study that was run.
pub(super) struct Done<'a> {
    pub(super) chosen: &'a Chosen,
    pub(super) suite: &'a Suite<'a>,
    /// Fingerprint of all that decided what was measured.
    pub(super) inputs: Fingerprint,
    pub(super) findings: Findings,
    /// Demos and the paper's games, where frames are drawn.
    pub(super) cast: Option<Cast>,
    /// Differences between the measurements and the paper's.
    pub(super) unlike: Vec<String>,
}

impl Done<'_> {
    /// Name of the machine, or of what takes its place.
    pub(super) fn machine(&self) -> &str {
        let words = self.chosen.study.usual.machine_in_words;
        let words = words.filter(|_| !self.suite.names_machine());
        words.unwrap_or(self.suite.machine_name)
    }
}

/// Result of the command as JSON.
#[derive(Debug, Serialize)]
pub(super) struct StudyJson<'a> {
    #[serde(flatten)]
    made: Provenance,
    machine: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    suite: Option<&'a Cast>,
    #[serde(skip_serializing_if = "no_differences")]
    unlike_paper: &'a [String],
    figures: &'a [Figure],
    trends: &'a [Trend],
    samples: Vec<SampleJson<'a>>,
    games: &'a [(String, Record)],
}

/// Sample of a demo: the frames that stand for it.
#[derive(Debug, Serialize)]
struct SampleJson<'a> {
    demo: &'a str,
    #[serde(flatten)]
    sample: &'a Sample,
}

impl<'a> StudyJson<'a> {
    pub(super) fn of(done: &'a Done<'_>) -> Self {
        let findings = &done.findings;
        let samples = findings.samples.iter();
        Self {
            made: Provenance::of(done.inputs),
            machine: done.machine(),
            suite: done.cast.as_ref(),
            unlike_paper: &done.unlike,
            figures: &findings.figures,
            trends: &findings.trends,
            samples: samples
                .map(|(demo, sample)| SampleJson { demo, sample })
                .collect(),
            games: &findings.games,
        }
    }
}

/// Whether all is as in the paper.
const fn no_differences(unlike: &&[String]) -> bool {
    unlike.is_empty()
}
