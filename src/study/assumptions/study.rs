//! Study of the assumptions: every headline on its machines, side by side over the same frames.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::findings::{Measured, decisions, figure, values};
use super::headline::{Headline, Tally};
use super::plan::{Group, plan};
use crate::definition::{Demos, Findings, Least, Measures, Needs, Setup, Study, Usual};
use crate::error::RunError;
use crate::figures::{FigureTitle, mean};
use crate::record::Record;
use crate::sampling::{FrameSource, Sampling};
use crate::suite::Suite;
use crate::workload::{Keep, Problem, Workload};
use azulejo_demo::{DEMOS, Demo, MODELS};
use azulejo_gpu::machine::MachineSpec;
use azulejo_technique::machine_with;

/// Frames that fill caches and frame buffers, and that schedulers learn from.
const WARM_UP: u64 = 3;

/// Assumptions over games and models.
pub const ASSUMPTIONS_STUDY: Study = Study {
    title: "Assumptions: numbers that no paper states, and the conclusions that they decide",
    paper: "none; headlines of RE, LIBRA, KHEPRI, Boustrophedonic Frames and Emerald",
    about: "each paper's headline with one assumption changed at a time",
    usual: Usual {
        machine: "valhall-libra-baseline",
        machine_in_words: Some("each paper's own"),
        frames: 12,
        quick_frames: 5,
        sampling: Sampling::Every(1),
    },
    least: Least {
        frames: WARM_UP + 1,
        why: "the first three fill caches and frame buffers, and schedulers learn from them",
    },
    refuses: |sampling| match sampling {
        Sampling::Every(1) => None,
        _ => Some("assumptions follows frames: it takes --sample all alone"),
    },
    demos: || DEMOS.iter().chain(MODELS.iter()).collect(),
    kept_as: |_| "assumptions",
    ..Study::new("assumptions", &Assumptions)
};

/// Values of a game: headline, changed key with its value, number.
type Values = Vec<(&'static str, String, Option<f64>)>;

#[derive(Debug)]
struct Assumptions;

impl Measures for Assumptions {
    fn figures(&self) -> Vec<FigureTitle> {
        Headline::ALL.map(Headline::figure).into()
    }

    fn needs(&self, _: &[&str]) -> Needs {
        Needs::Frames
    }

    fn measure(&self, setup: &Setup<'_>) -> Result<Findings, RunError> {
        if setup.names_machine {
            let problem = "assumptions takes each paper's own machine; change them by --set";
            return Err(RunError::Lineup(problem.into()));
        }
        let is_meant = |own: &Headline| setup.figures.contains(&own.figure().id);
        let headlines: Vec<_> = Headline::ALL.into_iter().filter(is_meant).collect();
        let whole = MachineSpec::built_in(ASSUMPTIONS_STUDY.usual.machine, setup.changes)?;
        let is_halved = setup.machine.screen.grid != whole.screen.grid;
        let groups = plan(&headlines, setup.changes, is_halved)?;
        let mut games: BTreeMap<String, Values> = BTreeMap::new();
        let mut all = Vec::new();
        let drawn = groups.iter().map(|group| workloads(setup, group).len());
        let more = drawn
            .sum::<usize>()
            .saturating_sub(setup.suite.workloads.len());
        setup
            .suite
            .progress
            .expect(more as u64 * setup.suite.frames);
        for group in &groups {
            let measured = measure(setup, group)?;
            for point in &group.points {
                let by_game = measured.iter().map(|(_, sums)| Group::value(point, sums));
                let by_game: Vec<_> = by_game.collect();
                for ((name, _), value) in measured.iter().zip(&by_game) {
                    let game = games.entry(name.clone()).or_default();
                    game.push((point.headline.name(), point.label(), *value));
                }
                let values: Vec<f64> = by_game.into_iter().flatten().collect();
                all.push(Measured {
                    headline: point.headline,
                    change: point.change,
                    mean: mean(&values),
                });
            }
        }
        all.sort_by_key(|own| (own.headline, own.change));
        let record = |(name, game): (String, Values)| Ok((name, Record::of(&game)?));
        let games = games.into_iter().map(record);
        let games = games.collect::<serde_json::Result<_>>();
        Ok(Findings {
            figures: headlines.iter().map(|own| figure(&all, *own)).collect(),
            decimals: 2,
            trends: Vec::new(),
            samples: Vec::new(),
            tables: vec![decisions(&all, &headlines), values(&all)],
            games: games.map_err(|error| RunError::Workload(error.into()))?,
        })
    }
}

/// Workloads of a group: those that stand for its papers' games; by choice the models among all, or the others, and all
/// where there are none of its kind.
fn workloads<'a>(setup: &Setup<'a>, group: &Group) -> Vec<&'a dyn Workload> {
    let all = setup.suite.workloads;
    let is_listed = |demo: &Demo| MODELS.iter().any(|model| model.name == demo.name);
    let is_of_models = group.suite.stand_ins().iter().any(|demo| is_listed(demo));
    let is_meant = |own: &&&dyn Workload| match (setup.demos, own.demo()) {
        (Demos::Papers, Some(demo)) => group.suite.games_of(demo.name).next().is_some(),
        _ => own.demo().is_some_and(is_listed) == is_of_models,
    };
    let chosen: Vec<_> = all.iter().filter(is_meant).copied().collect();
    if chosen.is_empty() {
        all.to_vec()
    } else {
        chosen
    }
}

/// Sums of every machine of a group, by game.
fn measure(setup: &Setup<'_>, group: &Group) -> Result<Vec<(String, Vec<Tally>)>, RunError> {
    let chosen = workloads(setup, group);
    let keep = setup.suite.keep.map(|keep| Shelf {
        keep,
        group: group.key(),
    });
    let suite = Suite {
        screen: &group.screen,
        workloads: &chosen,
        keep: keep.as_ref().map(|keep| keep as &dyn Keep),
        ..setup.suite
    };
    suite.measure(|frames| run(group, frames))
}

/// Runs the frames of a game through all machines.
fn run(group: &Group, frames: &mut dyn FrameSource) -> Result<Vec<Tally>, Problem> {
    let machines = group.machines.iter();
    let machines = machines.map(|own| machine_with(&own.spec, &own.techniques));
    let mut machines = machines.collect::<Result<Vec<_>, _>>()?;
    let mut sums = vec![Tally::default(); machines.len()];
    for number in 0..frames.n_frames() {
        let frame = frames.draw(number);
        let reports = machines.par_iter_mut();
        let reports = reports.map(|machine| machine.run_frame(&frame));
        let reports: Vec<_> = reports.collect::<Result<_, _>>()?;
        if number >= WARM_UP {
            let both = sums.iter_mut().zip(&reports);
            both.for_each(|(sum, report)| sum.add(report));
        }
    }
    Ok(sums)
}

/// Place where measurements of one group are kept.
#[derive(Debug)]
struct Shelf<'a> {
    keep: &'a dyn Keep,
    group: String,
}

impl Shelf<'_> {
    fn key(&self, workload: &str) -> String {
        format!("{workload} on {}", self.group)
    }
}

impl Keep for Shelf<'_> {
    fn recall(&self, key: &str) -> Option<Vec<u8>> {
        self.keep.recall(&self.key(key))
    }

    fn keep(&self, key: &str, measured: &[u8]) -> Result<(), Problem> {
        self.keep.keep(&self.key(key), measured)
    }

    fn unreadable(&self, key: &str, problem: &str) {
        self.keep.unreadable(&self.key(key), problem);
    }
}
