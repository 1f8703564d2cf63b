//! Measurements of games: frames in, a game measured as a `G`, figures and trends over all of them out.

use std::fmt::Debug;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::definition::{Demos, Findings, Measures, Needs, Setup};
use super::error::RunError;
use super::figures::{Figure, FigureSpec, FigureTitle, Trend};
use super::record::Record;
use super::sampling::{FrameSource, Sample};
use super::workload::Problem;

/// Measurement of games, each as a `G`.
#[derive(Debug)]
pub struct Measurement<G: 'static> {
    /// Figures over measured games.
    pub figures: &'static [FigureSpec<G>],
    /// Figures that need no game, behind the others.
    pub computed: fn() -> Vec<Figure>,
    /// Trends of the suite's games, declared before they were measured.
    pub trends: fn(&[(String, G)]) -> Vec<Trend>,
    /// Makes the machines of a setup, and the measure of a game on them.
    pub start: fn(&Setup<'_>) -> Result<Measure<G>, Problem>,
    /// Adds to each game what is known only when all are measured.
    pub finish: fn(&mut [(String, G)]),
    /// Sample that a game has chosen by itself.
    pub sample: fn(&G) -> Option<&Sample>,
    /// Decimal places of numbers in a text.
    pub decimals: usize,
}

/// Measure of one game: its frames in, counts out.
pub enum Measure<G> {
    /// Some frames stand for all.
    Sampled(MeasureOf<(G, Sample)>),
    /// Each frame stands for itself.
    Whole(MeasureOf<G>),
}

/// Function over the frames of a game, which threads share.
pub type MeasureOf<T> = Box<dyn Fn(&mut dyn FrameSource) -> Result<T, Problem> + Send + Sync>;

impl<G> Measure<G> {
    /// Measure by frames that stand for all, with the sample that was taken.
    pub fn sampled<E: Into<Problem>>(
        measure: impl Fn(&mut dyn FrameSource) -> Result<(G, Sample), E> + Send + Sync + 'static,
    ) -> Self {
        Self::Sampled(Box::new(move |frames| measure(frames).map_err(Into::into)))
    }

    /// Measure by frames that follow each other.
    pub fn whole<E: Into<Problem>>(
        measure: impl Fn(&mut dyn FrameSource) -> Result<G, E> + Send + Sync + 'static,
    ) -> Self {
        Self::Whole(Box::new(move |frames| measure(frames).map_err(Into::into)))
    }
}

impl<G> Debug for Measure<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Sampled(_) => "Sampled",
            Self::Whole(_) => "Whole",
        })
    }
}

impl<G: 'static> Measurement<G> {
    /// Returns a measurement by its figures and the measure of a game, without trends.
    #[must_use]
    pub const fn new(
        figures: &'static [FigureSpec<G>],
        start: fn(&Setup<'_>) -> Result<Measure<G>, Problem>,
    ) -> Self {
        Self {
            figures,
            computed: Vec::new,
            trends: |_| Vec::new(),
            start,
            finish: |_| (),
            sample: |_| None,
            decimals: 1,
        }
    }
}

impl<G: Debug + Send + Serialize + DeserializeOwned + 'static> Measurement<G> {
    /// Games of a setup with the samples that were taken.
    fn games(&self, setup: &Setup<'_>) -> Result<(Named<G>, Named<Sample>), RunError> {
        let measure = (self.start)(setup).map_err(RunError::Lineup)?;
        let measure = match measure {
            Measure::Whole(measure) => {
                let games = setup.suite.measure(measure)?;
                let of = |(name, game): &(String, G)| {
                    let sample = (self.sample)(game)?;
                    Some((name.clone(), sample.clone()))
                };
                let samples = games.iter().filter_map(of).collect();
                return Ok((games, samples));
            }
            Measure::Sampled(measure) => measure,
        };
        let measured = setup.suite.measure(measure)?.into_iter();
        Ok(measured
            .map(|(name, (game, sample))| ((name.clone(), game), (name, sample)))
            .unzip())
    }
}

/// Values by the name of their content.
type Named<T> = Vec<(String, T)>;

impl<G: Debug + Send + Serialize + DeserializeOwned + 'static> Measures for Measurement<G> {
    fn figures(&self) -> Vec<FigureTitle> {
        let figures = self.figures.iter().map(FigureSpec::heading);
        let computed = (self.computed)().into_iter().map(|figure| FigureTitle {
            id: figure.id,
            title: figure.title,
            energy: false,
            form: figure.form,
            columns: figure.columns,
        });
        figures.chain(computed).collect()
    }

    fn needs(&self, figures: &[&str]) -> Needs {
        let mut specs = self.figures.iter();
        match specs.any(|spec| figures.contains(&spec.id)) {
            true => Needs::Frames,
            false => Needs::Nothing,
        }
    }

    fn measure(&self, setup: &Setup<'_>) -> Result<Findings, RunError> {
        let (mut games, samples) = match self.needs(&setup.figures) {
            Needs::Frames => self.games(setup)?,
            Needs::Nothing | Needs::Machines => (Vec::new(), Vec::new()),
        };
        (self.finish)(&mut games);
        let computed = (self.computed)();
        let draw = |id: &&'static str| {
            let spec = self.figures.iter().find(|spec| spec.id == *id);
            let ready = || computed.iter().find(|figure| figure.id == *id).cloned();
            spec.map(|spec| spec.draw(&games)).or_else(ready)
        };
        let record = |(name, game): &(String, G)| Ok((name.clone(), Record::of(game)?));
        let records = games.iter().map(record).collect::<serde_json::Result<_>>();
        Ok(Findings {
            figures: setup.figures.iter().filter_map(draw).collect(),
            decimals: self.decimals,
            trends: match setup.demos {
                Demos::Papers | Demos::All => (self.trends)(&games),
                Demos::Named => Vec::new(),
            },
            samples,
            tables: Vec::new(),
            games: records.map_err(|error| RunError::Workload(error.into()))?,
        })
    }
}
