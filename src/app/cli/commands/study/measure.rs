//! Run of a study: options of the command line become the study's, and its errors become the command line's.

use indicatif::ProgressBar;

use super::super::kept::Keeper;
use super::super::suite::{Drawn, FramesOn, Suite, Usual, failure_of};
use super::super::workload::SuiteWorkload;
use super::choice::Chosen;
use crate::cli::failure::{Failure, Outcome};
use azulejo_study::{Demos, Findings, Keep, Needs, RunError, StudyOptions, Workload};
use azulejo_sweep::Fingerprint;

/// A study under way.
#[derive(Debug)]
pub(super) struct Run<'a> {
    pub(super) chosen: &'a Chosen,
    /// Defaults of the study, as the paper has them.
    pub(super) usual: &'a Usual,
    /// First look, on a smaller screen.
    pub(super) quick: bool,
    /// All demos, in place of those that stand for the paper's games.
    pub(super) all_demos: bool,
    /// Means weighted by the kinds of the paper's games, beside the plain ones.
    pub(super) weigh_kinds: bool,
    pub(super) workloads: Vec<SuiteWorkload>,
    pub(super) suite: &'a Suite<'a>,
    /// Fingerprint of all that decides what is measured, but the workloads.
    pub(super) inputs: Fingerprint,
    /// Keeper of measurements, if they are kept.
    pub(super) keeper: Option<Keeper>,
}

impl Run<'_> {
    /// Least number of frames that are drawn.
    pub(super) fn n_frames(&self) -> u64 {
        self.measured().len() as u64 * self.suite.frames
    }

    /// Fingerprint of all that decides what is measured.
    pub(super) fn print(&self) -> Fingerprint {
        let inputs = self.inputs.bytes();
        let workloads = self.measured().iter();
        let workloads = workloads.map(|workload| ("workload", workload.key.as_bytes()));
        // Demos may be the same for a study of several papers, of which each takes its own games or all.
        let all: Option<(&str, &[u8])> = self.all_demos.then_some(("demos", b"all"));
        let inputs = std::iter::once(("inputs", &inputs[..])).chain(all);
        Fingerprint::of(inputs.chain(workloads))
    }

    /// Inputs that the figures need.
    pub(super) fn needs(&self) -> Needs {
        let Chosen { study, figures } = self.chosen;
        study.measures.needs(figures)
    }

    /// Choice of the workloads.
    pub(super) fn choice(&self) -> Demos {
        let drawn = self.drawn();
        let study = self.chosen.study;
        study.choice(&workloads(&drawn), self.all_demos)
    }

    /// Workloads that the figures need.
    fn measured(&self) -> &[SuiteWorkload] {
        match self.needs() {
            Needs::Frames => &self.workloads,
            Needs::Nothing | Needs::Machines => &[],
        }
    }

    fn drawn(&self) -> Vec<Drawn<'_>> {
        let workloads = self.workloads.iter();
        workloads.map(|own| self.suite.drawn(own)).collect()
    }

    /// Refuses, before anything slow, figures that the machine or the frames cannot give.
    pub(super) fn check(&self) -> Outcome {
        let Chosen { study, figures } = self.chosen;
        let Suite {
            machine, sampling, ..
        } = self.suite;
        let is_named = self.suite.names_machine();
        study
            .check(*sampling, self.suite.frames)
            .and_then(|()| study.check_energy(figures, machine, is_named))
            .map_err(|error| self.failure_of(error))
    }

    /// Measures all workloads; `bar` moves with their frames.
    pub(super) fn findings(&self, bar: &ProgressBar) -> Outcome<Findings> {
        let suite = self.suite;
        let drawn = self.drawn();
        let workloads = workloads(&drawn);
        let options = StudyOptions {
            quick: self.quick,
            figures: &self.chosen.figures,
            machine: suite.names_machine().then_some(&suite.machine),
            changes: suite.changes(),
            frames: Some(suite.frames),
            sampling: Some(suite.sampling),
            all_demos: self.all_demos,
            workloads: Some(&workloads),
            weigh_kinds: self.weigh_kinds,
            threads: suite.threads(),
            keep: self.keeper.as_ref().map(|keeper| keeper as &dyn Keep),
        };
        let findings = self.chosen.study.run(&options, &FramesOn(bar));
        findings.map_err(|error| self.failure_of(error))
    }

    /// Failure by an error of the study, with the machine's name and a way to go on.
    fn failure_of(&self, error: RunError) -> Failure {
        let machine = self.suite.machine_name;
        match error {
            RunError::Energy(figure) => {
                let problem = format!("{figure}: {machine} does not say what its events cost");
                let remedy = "set energy.technology of the machine, or take one that has it, such as mali450-re";
                Failure::usage(problem).hint(remedy)
            }
            RunError::NoMemories => {
                let problem = format!("{machine}: it carries no technique that adds memories");
                Failure::usage(problem).hint("leave --machine out, or take mali450-re")
            }
            other => failure_of(other),
        }
    }
}

fn workloads<'a>(drawn: &'a [Drawn<'_>]) -> Vec<&'a dyn Workload> {
    drawn.iter().map(|own| own as &dyn Workload).collect()
}
