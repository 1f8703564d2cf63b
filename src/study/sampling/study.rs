//! Study of the choice of frames: how far those that stand for others are from all.

use super::Sampling;
use super::choice::Sample;
use super::error::{SAMPLING_FIGURES, SamplingError};
use crate::definition::Study;
use crate::elimination::{LEAST, RE_STUDY};
use crate::measurement::{Measure, Measurement};

/// Figure for which each representative also runs behind different numbers of frames.
const WARM_UP: &str = "sampling.warmup";

/// Errors of samples over games.
pub const SAMPLING_STUDY: Study = Study {
    title: "How far frames that stand for others are from all",
    paper: "Ortiz et al., MEGsim, ISPASS 2022",
    about: "every frame without and with Rendering Elimination, and the sample held against it",
    usual: RE_STUDY.usual,
    least: LEAST,
    refuses: |sampling| match sampling {
        Sampling::Groups { .. } => None,
        Sampling::Every(_) => {
            Some("the study of samples measures how far --sample auto is from --sample all")
        }
    },
    kept_as: |figures| match figures.contains(&WARM_UP) {
        true => "sampling with warm-ups",
        false => "sampling",
    },
    in_all: true,
    ..Study::new("sampling", &MEASUREMENT)
};

const MEASUREMENT: Measurement<SamplingError> = Measurement {
    sample: |error| -> Option<&Sample> { Some(&error.sample) },
    decimals: 2,
    ..Measurement::new(SAMPLING_FIGURES, |setup| {
        let machine = setup.machine.clone();
        let warm_ups = setup.figures.contains(&WARM_UP);
        let most = match setup.sampling {
            Sampling::Groups { most } => most,
            Sampling::Every(_) => 1,
        };
        Ok(Measure::whole(move |frames| {
            SamplingError::measure(&machine, frames, most, warm_ups)
        }))
    })
};
