//! Study of Rendering Elimination: every game on three machines side by side.

use super::figures::{FIGURES, trends};
use super::{Game, GameStudy, LEAST_FRAMES, StudyError};
use crate::definition::{Least, MOST_GROUPS, Study, Usual};
use crate::measurement::{Measure, Measurement};
use crate::sampling::{Sampling, walk};
use crate::suites;

/// Rendering Elimination over games.
pub const RE_STUDY: Study = Study {
    title: "Rendering Elimination (Anglada et al., HPCA 2019)",
    paper: "Anglada et al., HPCA 2019",
    about: "equal tiles of all frames; cycles and energy of some frames without and with the technique",
    usual: Usual {
        machine: "mali450-re",
        machine_in_words: None,
        frames: 50,
        quick_frames: 5,
        sampling: Sampling::Groups { most: MOST_GROUPS },
    },
    least: LEAST,
    suite: Some(&suites::RE),
    kept_as: |_| "elimination",
    in_all: true,
    in_numbers: true,
    ..Study::new("re", &MEASUREMENT)
};

/// Bound by the frame buffers.
pub(crate) const LEAST: Least = Least {
    frames: LEAST_FRAMES,
    why: "the first two only fill both frame buffers; what is left out is what frames before have done",
};

const MEASUREMENT: Measurement<Game> = Measurement {
    trends,
    ..Measurement::new(FIGURES, |setup| {
        let (machine, sampling) = (setup.machine.clone(), setup.sampling);
        Ok(Measure::sampled(move |frames| {
            let mut study = GameStudy::new(&machine)?;
            frames.hash_fragments();
            let sample = walk(frames, sampling, &mut study)?;
            Ok::<_, StudyError>((study.game(), sample))
        }))
    })
};
