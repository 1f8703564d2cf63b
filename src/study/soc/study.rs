//! Study of a GPU that shares its memory: every model on eight systems.

use super::figures::{EM1_FIGURES, em1_trends};
use super::{SocGame, em1_game, em1_lineup};
use crate::definition::{Least, Study, Usual};
use crate::measurement::{Measure, Measurement};
use crate::sampling::Sampling;
use crate::suites;

/// Emerald's first case study over the demos that stand for its models.
pub const EM1_STUDY: Study = Study {
    title: "Emerald, case study I: a GPU that shares its memory",
    paper: "Gubran and Aamodt, Emerald, ISCA 2019, section 5",
    about: "frames of a phone by four ways to share its memory, under two loads",
    usual: Usual {
        machine: "emerald-soc",
        machine_in_words: None,
        // As in the paper, where the first warms up.
        frames: 5,
        quick_frames: 5,
        sampling: Sampling::Every(1),
    },
    least: Least {
        frames: 2,
        why: "the first only warms the systems up",
    },
    refuses: |sampling| match sampling {
        Sampling::Every(1) => None,
        _ => Some(
            "em1 has time between frames, and no frame stands for others: it takes --sample all alone",
        ),
    },
    suite: Some(&suites::EM1),
    kept_as: |_| "em1",
    in_all: true,
    in_numbers: true,
    ..Study::new("em1", &MEASUREMENT)
};

const MEASUREMENT: Measurement<SocGame> = Measurement {
    trends: em1_trends,
    ..Measurement::new(EM1_FIGURES, |setup| {
        let lineup = em1_lineup(&setup.machine)?;
        Ok(Measure::whole(move |frames| em1_game(&lineup, frames)))
    })
};
