//! Words of the command line for studies: the name of one, a figure's, or all.

use crate::cli::likeness::did_you_mean;
use azulejo_study::{PaperNumber, STUDIES, Study};

/// Every study, one after the other.
pub(super) const ALL: &str = "all";
/// Every study of the five papers' numbers, for these numbers alone.
pub(super) const NUMBERS: &str = "numbers";

/// Studies that the command line names.
#[derive(Debug, Clone)]
pub(super) struct Choice {
    /// Word as it was typed.
    pub(super) word: String,
    /// Studies of the word: one, or all.
    pub(super) studies: Vec<Chosen>,
}

/// Study with the figures that are asked for.
#[derive(Debug, Clone)]
pub(super) struct Chosen {
    pub(super) study: &'static Study,
    /// Names of the figures.
    pub(super) figures: Vec<&'static str>,
}

impl Chosen {
    /// Chooses all figures of a study.
    fn whole(study: &'static Study) -> Self {
        Self {
            study,
            figures: study.figures(),
        }
    }

    /// Word that names all of the study.
    pub(super) const fn name(&self) -> &'static str {
        self.study.name
    }
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
            true => self.studies.iter().any(|chosen| chosen.name() == word),
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
    let several = |is_meant: fn(&&Study) -> bool| {
        let studies = STUDIES.iter().filter(is_meant);
        studies.map(Chosen::whole).collect()
    };
    let studies = match word {
        ALL => several(|study| study.in_all),
        NUMBERS => several(|study| study.in_numbers),
        one => vec![chosen(one)?],
    };
    Ok(Choice {
        word: word.to_owned(),
        studies,
    })
}

/// Study of this name, or the one that has the figure of this name.
fn chosen(word: &str) -> Result<Chosen, String> {
    if let Some(study) = Study::find(word) {
        return Ok(Chosen::whole(study));
    }
    if let Some(study) = Study::of_figure(word) {
        let figures = study.figures().into_iter().filter(|id| *id == word);
        let figures = figures.collect();
        return Ok(Chosen { study, figures });
    }
    let names = STUDIES.iter().filter(|study| study.in_all);
    let words = [ALL].into_iter().chain(names.map(|study| study.name));
    let figures = all_figures().map(|(id, _)| id);
    let known: Vec<_> = words.chain([NUMBERS]).chain(figures).collect();
    let meant = did_you_mean(word, known.iter().copied());
    let known = known.join(", ");
    Err(format!("no such study{meant}; expected {known}"))
}

/// Names and titles of all figures of all studies.
pub(in crate::cli::commands) fn all_figures() -> impl Iterator<Item = (&'static str, &'static str)>
{
    let figures = STUDIES.iter().flat_map(|study| study.measures.figures());
    figures.map(|figure| (figure.id, figure.title))
}

#[cfg(test)]
mod tests {
    use super::*;
    use azulejo_study::numbers;

    #[test]
    fn all_is_every_study_by_its_name() {
        let all = choice(ALL).unwrap();
        let names: Vec<_> = all.studies.iter().map(Chosen::name).collect();
        let expected = [
            "re", "libra", "khepri", "boustro", "em1", "em2", "sampling", "area",
        ];
        assert_eq!(names, expected, "in order");
        assert!(
            all.is_several() && !choice("re").unwrap().is_several(),
            "the word"
        );
        let one = choice("re.fig2").unwrap();
        assert_eq!(one.studies[0].figures, ["re.fig2"], "a figure alone");
        for (typed, meant) in [("re.fig99", "re.fig"), ("ree", "re?"), ("libr", "libra?")] {
            let wrong = choice(typed).unwrap_err();
            assert!(wrong.contains(&format!("did you mean {meant}")), "{wrong}");
        }
    }

    #[test]
    fn numbers_are_of_every_study_that_measures_one() {
        let all = choice(NUMBERS).unwrap();
        let ids: Vec<_> = (all.studies.iter())
            .flat_map(|chosen| chosen.figures.clone())
            .collect();
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
