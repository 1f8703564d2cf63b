//! A study's workloads on its machines, and the figures that follow.

use std::fmt::Display;

use indicatif::ProgressBar;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::super::kept::Keeper;
use super::super::suite::{Measured, Suite, Usual};
use super::super::workload::Workload;
use super::choice::{Study, needs_warm_ups};
use crate::app::cli::failure::{Failure, Outcome};
use crate::app::cli::machine_input::load_machine;
use crate::study::{
    ADDED, BOUSTRO_FIGURES, BoustroError, BoustroGame, BoustroStudy, Contestant, Figure,
    FigureSpec, FrameSource, Game, GameStudy, Hardware, LOOP_FIGURES, Sample, Sampling,
    SamplingError, ScheduledGame, SchedulingStudy, SocGame, StudyError, Trend, WorkTileGame,
    WorkTileStudy, boustro_trends, choose_for_all, em1_game, em1_lineup, em1_trends, em2_trends,
    khepri_lineup, khepri_trends, libra_lineup, libra_trends, loop_figure, sweep_lineup,
    sweep_trends, trends, walk, work_tile_lineup,
};
use crate::sweep::Fingerprint;
use crate::technique::machine_with;

/// Findings of a study over its workloads.
#[derive(Debug)]
pub(super) struct Findings {
    pub(super) figures: Vec<Figure>,
    /// Decimal places of numbers in a text.
    pub(super) decimals: usize,
    pub(super) trends: Vec<Trend>,
    /// Samples by demo: which frames stood for which; nothing where each stood for itself.
    pub(super) samples: Vec<(String, Sample)>,
    pub(super) games: Games,
}

/// Measurements of each demo, by study.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(super) enum Games {
    Elimination(Vec<(String, Game)>),
    Scheduled(Vec<(String, ScheduledGame)>),
    Boustro(Vec<(String, BoustroGame)>),
    Em1(Vec<(String, SocGame)>),
    WorkTiles(Vec<(String, WorkTileGame)>),
    Sampling(Vec<(String, SamplingError)>),
    Area(Vec<(String, Hardware)>),
}

/// A study under way.
#[derive(Debug)]
pub(super) struct Run<'a> {
    pub(super) study: &'a Study,
    /// Defaults of the study, as the paper has them.
    pub(super) usual: &'a Usual,
    pub(super) workloads: Vec<Workload>,
    /// Whether these are all workloads of which trends were declared.
    pub(super) is_suite: bool,
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
        Fingerprint::of(std::iter::once(("inputs", &inputs[..])).chain(workloads))
    }

    /// Workloads that the figures need.
    fn measured(&self) -> &[Workload] {
        match self.study {
            Study::Boustro(ids) if ids.iter().all(|id| LOOP_FIGURES.contains(id)) => &[],
            Study::Area(_) => &[],
            _ => &self.workloads,
        }
    }

    /// Refuses, before anything slow, figures that the machine or the frames cannot give.
    pub(super) fn check(&self) -> Outcome {
        match (self.study, self.suite.sampling) {
            (Study::Elimination(specs), _) => self.check_energy(specs),
            (Study::Libra(specs) | Study::Sweep(specs) | Study::Khepri(specs), _) => {
                self.check_energy(specs)
            }
            (Study::Em2(specs), Sampling::Every(1)) => self.check_energy(specs),
            (Study::Area(specs), _) if self.suite.names_machine() => self.check_energy(specs),
            (Study::Area(_), _) => Ok(()),
            (Study::Em2(_), _) => Err(Failure::usage(
                "em2 follows frames as DFSL learns from them: it takes --sample all alone",
            )),
            (Study::Boustro(_) | Study::Em1(_), Sampling::Every(1))
            | (Study::Sampling(_), Sampling::Groups { .. }) => Ok(()),
            (Study::Boustro(_), _) => Err(Failure::usage(
                "boustro reuses from frame to frame what the caches still hold: it takes --sample all alone",
            )),
            (Study::Em1(_), _) => Err(Failure::usage(
                "em1 has time between frames, and no frame stands for others: it takes --sample all alone",
            )),
            (Study::Sampling(_), _) => Err(Failure::usage(
                "the study of samples measures how far --sample auto is from --sample all",
            )),
        }
    }

    /// Measures all demos; `bar` moves with their frames.
    pub(super) fn findings(&self, bar: &ProgressBar) -> Outcome<Findings> {
        let machine = &self.suite.machine;
        match self.study {
            Study::Elimination(specs) => {
                let (figures, games) = (specs, Games::Elimination);
                self.games(
                    Plan {
                        specs: figures,
                        trends,
                        games,
                    },
                    bar,
                    measure_game,
                )
            }
            Study::Libra(specs) => self.scheduled(specs, libra_trends, libra_lineup(machine), bar),
            Study::Sweep(specs) => self.scheduled(specs, sweep_trends, sweep_lineup(machine), bar),
            Study::Khepri(specs) => {
                self.scheduled(specs, khepri_trends, khepri_lineup(machine), bar)
            }
            Study::Boustro(ids) => self.boustro(ids, bar),
            Study::Em1(specs) => self.em1(specs, bar),
            Study::Em2(specs) => self.work_tiles(specs, bar),
            Study::Sampling(specs) => self.sampling(specs, bar),
            Study::Area(specs) => self.area(specs),
        }
    }

    /// Figures of schedulers, of games on a line-up of machines.
    fn scheduled(
        &self,
        specs: &[&FigureSpec<ScheduledGame>],
        trends: fn(&[(String, ScheduledGame)]) -> Vec<Trend>,
        lineup: Result<Vec<Contestant>, impl Display>,
        bar: &ProgressBar,
    ) -> Outcome<Findings> {
        let lineup = lineup.map_err(Failure::new)?;
        let measure = |sampling, mut demo: Measured<'_>| {
            let mut study = SchedulingStudy::new(&lineup)?;
            let sample = walk(&mut demo.frames, sampling, &mut study)?;
            Ok((study.into_game(), sample))
        };
        let plan = Plan {
            specs,
            trends,
            games: Games::Scheduled,
        };
        self.games(plan, bar, measure)
    }

    /// Figures of a paper, of games that `measure` measures.
    fn games<G: Serialize + DeserializeOwned + Send>(
        &self,
        plan: Plan<'_, G>,
        bar: &ProgressBar,
        measure: impl Fn(Sampling, Measured<'_>) -> Result<(G, Sample), StudyError> + Sync,
    ) -> Outcome<Findings> {
        let suite = self.suite;
        let measure = |demo: Measured<'_>| measure(suite.sampling, demo);
        let measured = suite.measure(&self.workloads, self.keeper.as_ref(), bar, measure)?;
        let (mut games, mut samples) = (Vec::new(), Vec::new());
        for (demo, (game, sample)) in measured {
            samples.push((demo.clone(), sample));
            games.push((demo, game));
        }
        Ok(Findings {
            figures: plan.specs.iter().map(|spec| spec.draw(&games)).collect(),
            decimals: 1,
            trends: self.trends(&games, plan.trends),
            samples,
            games: (plan.games)(games),
        })
    }

    /// Figures of Boustrophedonic Frames, whose frames follow each other; loops are computed, games are measured where they
    /// are asked for.
    fn boustro(&self, ids: &[&'static str], bar: &ProgressBar) -> Outcome<Findings> {
        let games =
            (self.suite).measure(self.measured(), self.keeper.as_ref(), bar, boustro_game)?;
        let figures = ids.iter().filter_map(|id| {
            let spec = BOUSTRO_FIGURES.iter().find(|spec| spec.id == *id);
            loop_figure(id).or_else(|| spec.map(|spec| spec.draw(&games)))
        });
        Ok(Findings {
            figures: figures.collect(),
            decimals: 1,
            trends: self.trends(&games, boustro_trends),
            samples: Vec::new(),
            games: Games::Boustro(games),
        })
    }

    /// Figures of a GPU that shares its memory.
    fn em1(&self, specs: &[&FigureSpec<SocGame>], bar: &ProgressBar) -> Outcome<Findings> {
        let lineup = em1_lineup(&self.suite.machine).map_err(Failure::new)?;
        let measure = |mut demo: Measured<'_>| em1_game(&lineup, &mut demo.frames);
        let games = (self.suite).measure(&self.workloads, self.keeper.as_ref(), bar, measure)?;
        Ok(Findings {
            figures: specs.iter().map(|spec| spec.draw(&games)).collect(),
            decimals: 1,
            trends: self.trends(&games, em1_trends),
            samples: Vec::new(),
            games: Games::Em1(games),
        })
    }

    /// Figures of work tiles; which size is best for all is known when all are measured.
    fn work_tiles(
        &self,
        specs: &[&FigureSpec<WorkTileGame>],
        bar: &ProgressBar,
    ) -> Outcome<Findings> {
        let lineup = work_tile_lineup(&self.suite.machine).map_err(Failure::new)?;
        let measure = |mut demo: Measured<'_>| {
            let mut study = WorkTileStudy::new(&lineup)?;
            for frame in 0..demo.frames.n_frames() {
                study.model(&demo.frames.draw(frame))?;
            }
            Ok::<_, StudyError>(study.into_game())
        };
        let mut games =
            (self.suite).measure(&self.workloads, self.keeper.as_ref(), bar, measure)?;
        choose_for_all(&mut games);
        Ok(Findings {
            figures: specs.iter().map(|spec| spec.draw(&games)).collect(),
            decimals: 1,
            trends: self.trends(&games, em2_trends),
            samples: Vec::new(),
            games: Games::WorkTiles(games),
        })
    }

    /// Figures of the choice of frames.
    fn sampling(
        &self,
        specs: &[&FigureSpec<SamplingError>],
        bar: &ProgressBar,
    ) -> Outcome<Findings> {
        let most = match self.suite.sampling {
            Sampling::Groups { most } => most,
            Sampling::Every(_) => 1,
        };
        let warm_ups = needs_warm_ups(specs);
        let measure = |mut demo: Measured<'_>| {
            SamplingError::measure(demo.machine, &mut demo.frames, most, warm_ups)
        };
        let games = (self.suite).measure(&self.workloads, self.keeper.as_ref(), bar, measure)?;
        let samples = games.iter();
        Ok(Findings {
            figures: specs.iter().map(|spec| spec.draw(&games)).collect(),
            decimals: 2,
            trends: Vec::new(),
            samples: samples
                .map(|(demo, error)| (demo.clone(), error.sample.clone()))
                .collect(),
            games: Games::Sampling(games),
        })
    }

    /// Storage and area of each technique on the machine of its paper, or of those that the named machine carries.
    fn area(&self, specs: &[&FigureSpec<Hardware>]) -> Outcome<Findings> {
        let suite = self.suite;
        let mut games = Vec::new();
        for (technique, machine) in ADDED {
            let spec = match suite.names_machine() {
                true => suite.machine.clone(),
                false => load_machine(machine, suite.changes())?,
            };
            if suite.names_machine() && machine_with(&spec, &[technique]).is_err() {
                continue;
            }
            let hardware = Hardware::of(technique, &spec).map_err(Failure::new)?;
            games.push((technique.name.to_owned(), hardware));
        }
        if games.is_empty() {
            let problem = format!(
                "{}: it carries no technique that adds memories",
                suite.machine_name
            );
            return Err(Failure::usage(problem).hint("leave --machine out, or take mali450-re"));
        }
        Ok(Findings {
            figures: specs.iter().map(|spec| spec.draw(&games)).collect(),
            decimals: 2,
            trends: Vec::new(),
            samples: Vec::new(),
            games: Games::Area(games),
        })
    }

    /// Trends of the suite; other workloads have none.
    fn trends<G>(
        &self,
        games: &[(String, G)],
        trends: fn(&[(String, G)]) -> Vec<Trend>,
    ) -> Vec<Trend> {
        if self.is_suite {
            trends(games)
        } else {
            Vec::new()
        }
    }

    /// Refuses a figure of energies of a machine that states none; among others its cells say so.
    fn check_energy<G>(&self, specs: &[&FigureSpec<G>]) -> Outcome {
        match specs {
            [spec] if spec.energy && self.suite.machine.energy.is_none() => {
                let machine = self.suite.machine_name;
                let problem = format!("{}: {machine} does not say what its events cost", spec.id);
                let remedy = "set energy.technology of the machine, or take one that has it, such as mali450-re";
                Err(Failure::usage(problem).hint(remedy))
            }
            _ => Ok(()),
        }
    }
}

/// Plan of a paper: its figures, and what follows from its games.
struct Plan<'a, G> {
    specs: &'a [&'a FigureSpec<G>],
    trends: fn(&[(String, G)]) -> Vec<Trend>,
    games: fn(Vec<(String, G)>) -> Games,
}

fn measure_game(sampling: Sampling, mut demo: Measured<'_>) -> Result<(Game, Sample), StudyError> {
    let mut study = GameStudy::new(demo.machine)?;
    demo.frames.fragment_hashes = true;
    let sample = walk(&mut demo.frames, sampling, &mut study)?;
    Ok((study.game(), sample))
}

fn boustro_game(mut demo: Measured<'_>) -> Result<BoustroGame, BoustroError> {
    let mut study = BoustroStudy::new(demo.machine)?;
    for frame in 0..demo.frames.n_frames() {
        study.model(&demo.frames.draw(frame))?;
    }
    study.game()
}
