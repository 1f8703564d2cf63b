//! Studies: their names, figures, and what is usual for each.

use super::super::suite::Usual;
use crate::app::cli::args::SampleArg;
use crate::app::cli::likeness::did_you_mean;
use crate::demo::{DEMOS, Demo, MODELS};
use crate::study::{
    AREA_FIGURES, BOUSTRO_FIGURES, EM1_FIGURES, EM1_MODELS, EM2_FIGURES, FIGURES, FigureSpec, Game,
    Hardware, KHEPRI_FIGURES, LIBRA_FIGURES, LOOP_FIGURES, PaperNumber, SAMPLING_FIGURES,
    SWEEP_FIGURES, SamplingError, ScheduledGame, SocGame, WorkTileGame, loop_figure,
};

/// Every study, one after the other.
pub(super) const ALL: &str = "all";
/// Names of the studies, in their order.
const NAMES: [&str; 8] = [
    "re", "libra", "khepri", "boustro", "em1", "em2", "sampling", "area",
];
/// Every study of the five papers' numbers, for these numbers alone.
pub(super) const NUMBERS: &str = "numbers";
/// Names of these studies, and of a figure by itself.
const NUMBERED: [&str; 8] = [
    "re", "libra", THRESHOLDS, "khepri", "boustro", "em1", "em2", "area",
];
/// LIBRA, Fig. 19, on machines of its own.
const THRESHOLDS: &str = "libra.fig19";

/// Studies that the command line names.
#[derive(Debug, Clone)]
pub(super) struct Choice {
    /// Word as it was typed.
    pub(super) word: String,
    /// Studies of the word: one, or all.
    pub(super) studies: Vec<Study>,
}

impl Choice {
    /// Whether several studies are meant.
    pub(super) fn is_several(&self) -> bool {
        self.word == ALL || self.is_numbers()
    }

    /// Whether the papers' numbers alone are asked for.
    pub(super) fn is_numbers(&self) -> bool {
        self.word == NUMBERS
    }

    /// Whether a stated number belongs to the choice, of whose figures these were `measured`.
    pub(super) fn holds(&self, number: &PaperNumber, measured: &[&str]) -> bool {
        let is_measured = number.figure().is_some_and(|id| measured.contains(&id));
        let names = |word: &str| match self.is_several() {
            true => self.studies.iter().any(|study| study.name() == word),
            false => self.word == word,
        };
        // The model's own errors are of both case studies.
        let is_whole = match number.study() {
            "em" => names("em1") || names("em2"),
            study => names(study),
        };
        is_measured || is_whole
    }
}

/// Parses a word into the studies that it names.
///
/// # Errors
/// A name that no study has, with those that there are.
pub(super) fn choice(word: &str) -> Result<Choice, String> {
    let names = match word {
        ALL => &NAMES[..],
        NUMBERS => &NUMBERED,
        one => &[one],
    };
    let studies = names.iter().map(|name| study(name));
    Ok(Choice {
        word: word.to_owned(),
        studies: studies.collect::<Result<_, _>>()?,
    })
}

/// Study with the figures that are asked for.
#[derive(Debug, Clone)]
pub(super) enum Study {
    /// Figures of Rendering Elimination.
    Elimination(Vec<&'static FigureSpec<Game>>),
    /// Figures of the study of LIBRA.
    Libra(Vec<&'static FigureSpec<ScheduledGame>>),
    /// Figure 19 of LIBRA, on machines of its own.
    Sweep(Vec<&'static FigureSpec<ScheduledGame>>),
    /// Figures of the study of KHEPRI.
    Khepri(Vec<&'static FigureSpec<ScheduledGame>>),
    /// Figures of Boustrophedonic Frames, by name.
    Boustro(Vec<&'static str>),
    /// Figures of Emerald's first case study.
    Em1(Vec<&'static FigureSpec<SocGame>>),
    /// Figures of Emerald's second case study.
    Em2(Vec<&'static FigureSpec<WorkTileGame>>),
    /// Figures of the choice of frames.
    Sampling(Vec<&'static FigureSpec<SamplingError>>),
    /// Storage and area of techniques.
    Area(Vec<&'static FigureSpec<Hardware>>),
}

/// Frames of a demo in a first look.
const QUICK_FRAMES: u64 = 5;
/// Frames of a demo in a first look at DFSL, which tries ten sizes first.
const QUICK_EM2_FRAMES: u64 = 12;

impl Study {
    /// Word that names all of the study.
    pub(super) const fn name(&self) -> &'static str {
        match self {
            Self::Elimination(_) => "re",
            Self::Libra(_) => "libra",
            Self::Sweep(_) => THRESHOLDS,
            Self::Khepri(_) => "khepri",
            Self::Boustro(_) => "boustro",
            Self::Em1(_) => "em1",
            Self::Em2(_) => "em2",
            Self::Sampling(_) => "sampling",
            Self::Area(_) => "area",
        }
    }

    /// Title of the study: its subject and paper.
    pub(super) const fn title(&self) -> &'static str {
        match self {
            Self::Elimination(_) => "Rendering Elimination (Anglada et al., HPCA 2019)",
            Self::Libra(_) => "LIBRA: parallel tile rendering and its scheduler",
            Self::Sweep(_) => "LIBRA by the thresholds of its scheduler",
            Self::Khepri(_) => "KHEPRI: two types of shader cores",
            Self::Boustro(_) => "Boustrophedonic Frames: frames there and back",
            Self::Em1(_) => "Emerald, case study I: a GPU that shares its memory",
            Self::Em2(_) => "Emerald (Gubran and Aamodt, ISCA 2019), work tiles and DFSL",
            Self::Sampling(_) => "How far frames that stand for others are from all",
            Self::Area(_) => "Storage and area of what techniques add",
        }
    }

    /// Names of the chosen figures.
    pub(super) fn ids(&self) -> Vec<&'static str> {
        match self {
            Self::Elimination(specs) => specs.iter().map(|spec| spec.id).collect(),
            Self::Libra(specs) | Self::Sweep(specs) | Self::Khepri(specs) => {
                specs.iter().map(|spec| spec.id).collect()
            }
            Self::Boustro(ids) => ids.clone(),
            Self::Em1(specs) => specs.iter().map(|spec| spec.id).collect(),
            Self::Em2(specs) => specs.iter().map(|spec| spec.id).collect(),
            Self::Sampling(specs) => specs.iter().map(|spec| spec.id).collect(),
            Self::Area(specs) => specs.iter().map(|spec| spec.id).collect(),
        }
    }

    /// Kind of measurement of a demo: all that any figure of the study needs.
    pub(super) fn measured(&self) -> &'static str {
        match self {
            Self::Elimination(_) => "elimination",
            Self::Libra(_) => "libra",
            Self::Khepri(_) => "khepri",
            Self::Sweep(_) => "libra by thresholds",
            Self::Boustro(_) => "boustro",
            Self::Em1(_) => "em1",
            Self::Em2(_) => "em2",
            Self::Sampling(specs) => match needs_warm_ups(specs) {
                true => "sampling with warm-ups",
                false => "sampling",
            },
            Self::Area(_) => "area",
        }
    }

    /// Defaults where the command line says nothing.
    pub(super) const fn usual(&self, quick: bool) -> Usual {
        let (machine, frames, sample) = match self {
            Self::Elimination(_) | Self::Sampling(_) | Self::Area(_) => {
                ("mali450-re", 50, SampleArg::Auto)
            }
            Self::Libra(_) | Self::Sweep(_) => ("valhall-libra-baseline", 25, SampleArg::All),
            Self::Khepri(_) => ("valhall-khepri", 25, SampleArg::All),
            // The first frame fills the caches.
            Self::Boustro(_) => ("boustrophedonic", 31, SampleArg::All),
            // As in the paper, where the first warms up.
            Self::Em1(_) => ("emerald-soc", 5, SampleArg::All),
            // Ten to try every size, as many again to draw by what was found.
            Self::Em2(_) => ("emerald-gpu", 20, SampleArg::All),
        };
        let quick_frames = match self {
            Self::Em2(_) => QUICK_EM2_FRAMES,
            _ => QUICK_FRAMES,
        };
        Usual {
            machine,
            frames: if quick { quick_frames } else { frames },
            sample,
        }
    }
}

impl Study {
    /// Demos that `--demos all` means: for some studies, fewer than all.
    pub(super) fn demos(&self) -> Vec<&'static Demo> {
        let is_meant = |demo: &&Demo| match self {
            Self::Em1(_) => EM1_MODELS.contains(&demo.name),
            Self::Em2(_) => MODELS.iter().any(|model| model.name == demo.name),
            _ => DEMOS.iter().any(|game| game.name == demo.name),
        };
        Demo::all().filter(is_meant).collect()
    }
}

fn study(word: &str) -> Result<Study, String> {
    let (re, libra) = (named_by(FIGURES, word), named_by(LIBRA_FIGURES, word));
    let is_swept = |spec: &&FigureSpec<_>| word == THRESHOLDS || spec.id == word;
    let sweep: Vec<_> = SWEEP_FIGURES.iter().filter(is_swept).collect();
    if !sweep.is_empty() {
        return Ok(Study::Sweep(sweep));
    }
    let khepri = named_by(KHEPRI_FIGURES, word);
    let sampling = named_by(SAMPLING_FIGURES, word);
    let area = named_by(AREA_FIGURES, word);
    if !area.is_empty() {
        return Ok(Study::Area(area));
    }
    let em1 = named_by(EM1_FIGURES, word);
    if !em1.is_empty() {
        return Ok(Study::Em1(em1));
    }
    if !re.is_empty() {
        return Ok(Study::Elimination(re));
    }
    if !libra.is_empty() {
        return Ok(Study::Libra(libra));
    }
    if !khepri.is_empty() {
        return Ok(Study::Khepri(khepri));
    }
    let em2 = named_by(EM2_FIGURES, word);
    if !em2.is_empty() {
        return Ok(Study::Em2(em2));
    }
    if !sampling.is_empty() {
        return Ok(Study::Sampling(sampling));
    }
    let is_meant = |id: &&str| *id == word || id.split('.').next() == Some(word);
    let boustro: Vec<_> = boustro_ids().filter(is_meant).collect();
    if !boustro.is_empty() {
        return Ok(Study::Boustro(boustro));
    }
    let figures = all_figures().map(|(id, _)| id);
    let words = [ALL].into_iter().chain(NAMES).chain([NUMBERS]);
    let known: Vec<_> = words.chain(figures).collect();
    let meant = did_you_mean(word, known.iter().copied());
    let known = known.join(", ");
    Err(format!("no such study{meant}; expected {known}"))
}

/// Whether one of the figures is of the frames before those that count.
pub(super) fn needs_warm_ups(specs: &[&FigureSpec<SamplingError>]) -> bool {
    specs.iter().any(|spec| spec.id == "sampling.warmup")
}

/// Finds the figure of this name, or all of a study.
fn named_by<M>(figures: &'static [FigureSpec<M>], word: &str) -> Vec<&'static FigureSpec<M>> {
    let is_meant =
        |spec: &&FigureSpec<M>| spec.id == word || spec.id.split('.').next() == Some(word);
    figures.iter().filter(is_meant).collect()
}

/// Figures of Boustrophedonic Frames by name: those of games, then those of loops.
fn boustro_ids() -> impl Iterator<Item = &'static str> {
    BOUSTRO_FIGURES
        .iter()
        .map(|spec| spec.id)
        .chain(LOOP_FIGURES)
}

/// Names and titles of all figures of all studies.
pub(in crate::app::cli::commands) fn all_figures()
-> impl Iterator<Item = (&'static str, &'static str)> {
    let of_schedulers = LIBRA_FIGURES.iter().chain(SWEEP_FIGURES);
    let of_schedulers = of_schedulers.chain(KHEPRI_FIGURES);
    let figures = FIGURES.iter().map(|spec| (spec.id, spec.title));
    let figures = figures.chain(of_schedulers.map(|spec| (spec.id, spec.title)));
    let figures = figures.chain(BOUSTRO_FIGURES.iter().map(|spec| (spec.id, spec.title)));
    let of_loops = LOOP_FIGURES.into_iter().filter_map(loop_figure);
    let figures = figures.chain(of_loops.map(|figure| (figure.id, figure.title)));
    let figures = figures.chain(EM1_FIGURES.iter().map(|spec| (spec.id, spec.title)));
    let figures = figures.chain(EM2_FIGURES.iter().map(|spec| (spec.id, spec.title)));
    let figures = figures.chain(SAMPLING_FIGURES.iter().map(|spec| (spec.id, spec.title)));
    figures.chain(AREA_FIGURES.iter().map(|spec| (spec.id, spec.title)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::numbers;

    #[test]
    fn all_is_every_study_by_its_name() {
        let all = choice(ALL).unwrap();
        let names: Vec<_> = all.studies.iter().map(Study::name).collect();
        assert_eq!(names, NAMES, "in order");
        assert!(
            all.is_several() && !choice("re").unwrap().is_several(),
            "the word"
        );
        let one = choice("re.fig2").unwrap();
        assert_eq!(one.studies[0].ids(), ["re.fig2"], "a figure alone");
        for (typed, meant) in [("re.fig99", "re.fig"), ("ree", "re?"), ("libr", "libra?")] {
            let wrong = choice(typed).unwrap_err();
            assert!(wrong.contains(&format!("did you mean {meant}")), "{wrong}");
        }
    }
    #[test]
    fn numbers_are_of_every_study_that_measures_one() {
        let all = choice(NUMBERS).unwrap();
        let ids: Vec<_> = all.studies.iter().flat_map(Study::ids).collect();
        let of_papers = || numbers().filter(|number| number.study() != "sampling");
        for number in of_papers() {
            assert!(all.holds(number, &[]), "{}", number.id);
            let figure = number.figure();
            assert!(figure.is_none_or(|id| ids.contains(&id)), "{}", number.id);
        }
        let held = |word: &str, measured: &[&str]| {
            let choice = choice(word).unwrap();
            numbers()
                .filter(|number| choice.holds(number, measured))
                .count()
        };
        let of_em1 = of_papers().filter(|number| ["em", "em1"].contains(&number.study()));
        assert_eq!(held("em1", &[]), of_em1.count(), "a study has its paper's");
        assert_eq!(
            held("boustro.fig9", &["boustro.fig9"]),
            1,
            "a figure its own"
        );
        assert_eq!(
            held("boustro.fig4", &["boustro.fig4"]),
            0,
            "which may be none"
        );
    }
}
