//! Studies by name: the list of all, in the order in which they run.

use super::assumptions::ASSUMPTIONS_STUDY;
use super::boustro::BOUSTRO_STUDY;
use super::definition::Study;
use super::elimination::RE_STUDY;
use super::hardware::AREA_STUDY;
use super::sampling::SAMPLING_STUDY;
use super::scheduling::{KHEPRI_STUDY, LIBRA_STUDY, SENSITIVITY_STUDY, SWEEP_STUDY};
use super::soc::EM1_STUDY;
use super::work_tiles::EM2_STUDY;

/// Every study, in the order in which lists show them.
pub const STUDIES: &[Study] = &[
    RE_STUDY,
    LIBRA_STUDY,
    SWEEP_STUDY,
    KHEPRI_STUDY,
    SENSITIVITY_STUDY,
    BOUSTRO_STUDY,
    EM1_STUDY,
    EM2_STUDY,
    SAMPLING_STUDY,
    AREA_STUDY,
    ASSUMPTIONS_STUDY,
];

impl Study {
    /// Finds the study of a name.
    #[must_use]
    pub fn find(name: &str) -> Option<&'static Self> {
        STUDIES.iter().find(|study| study.name == name)
    }

    /// Finds the study that has a figure of this name.
    #[must_use]
    pub fn of_figure(id: &str) -> Option<&'static Self> {
        let has_it = |study: &&Self| study.figures().contains(&id);
        STUDIES.iter().find(has_it)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FigureForm, Sampling, numbers};
    use azulejo_gpu::machine::built_in;

    #[test]
    fn studies_and_figures_have_names_of_their_own() {
        let mut known = std::collections::BTreeSet::new();
        for study in STUDIES {
            assert!(known.insert(study.name), "{} twice", study.name);
            for id in study.figures() {
                assert!(known.insert(id), "{id} twice");
                assert!(
                    id.starts_with(study.name),
                    "{id} is found by its study's name"
                );
                assert_eq!(Study::of_figure(id).map(|own| own.name), Some(study.name));
            }
            assert_eq!(
                Study::find(study.name).map(|own| own.name),
                Some(study.name)
            );
        }
    }

    #[test]
    fn studies_take_their_own_defaults() {
        for study in STUDIES {
            let usual = study.usual;
            assert!(built_in(usual.machine).is_some(), "{}", study.name);
            for frames in [usual.frames, usual.quick_frames] {
                let checked = study.check(usual.sampling, frames);
                assert!(checked.is_ok(), "{}: {checked:?}", study.name);
            }
            assert!(!(study.demos)().is_empty(), "{}: demos", study.name);
        }
        let em2 = Study::find("em2").expect("listed");
        let refused = em2.check(Sampling::Every(2), 20);
        assert!(refused.is_err(), "it follows frames");
    }

    #[test]
    fn forms_name_columns_that_there_are() {
        let mut n_formed = 0;
        let figures = STUDIES.iter().flat_map(|study| study.measures.figures());
        for figure in figures {
            let id = figure.id;
            n_formed += usize::from(figure.form != FigureForm::Bars);
            if let FigureForm::Stacked { parts, total } = figure.form {
                for name in parts.iter().chain(&total) {
                    assert!(figure.columns.contains(name), "{id}: {name}");
                }
                assert!(parts.len() > 1, "{id}: a stack");
            }
        }
        assert_eq!(n_formed, 24, "stacks, lines and tornados");
    }

    #[test]
    fn numbers_are_of_figures_of_the_list() {
        for number in numbers() {
            let figure = number.figure();
            let has_one = figure.is_none_or(|id| Study::of_figure(id).is_some());
            assert!(has_one, "{}", number.id);
        }
    }
}
