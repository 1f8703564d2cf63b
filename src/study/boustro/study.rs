//! Study of Boustrophedonic Frames: every game there and back; figures of loops need none.

use super::figures::{BOUSTRO_FIGURES, boustro_trends};
use super::game::{BoustroGame, BoustroStudy, LEAST_BOUSTRO_FRAMES};
use super::loops::{LOOP_FIGURES, loop_figure};
use crate::definition::{Least, Study, Usual};
use crate::measurement::{Measure, Measurement};
use crate::sampling::Sampling;
use crate::suites;

/// Boustrophedonic Frames over games and loops.
pub const BOUSTRO_STUDY: Study = Study {
    title: "Boustrophedonic Frames: frames there and back",
    paper: "Joseph et al., PACT 2023",
    about: "frames forward and there and back, and the streams of the L2 under other policies",
    usual: Usual {
        machine: "boustrophedonic",
        machine_in_words: None,
        // The first fills the caches.
        frames: 31,
        quick_frames: 5,
        sampling: Sampling::Every(1),
    },
    least: Least {
        frames: LEAST_BOUSTRO_FRAMES,
        why: "the first only fills the caches, and there and back are two",
    },
    refuses: |sampling| match sampling {
        Sampling::Every(1) => None,
        _ => Some(
            "boustro reuses from frame to frame what the caches still hold: it takes --sample all alone",
        ),
    },
    suite: Some(&suites::BOUSTRO),
    kept_as: |_| "boustro",
    in_all: true,
    in_numbers: true,
    ..Study::new("boustro", &MEASUREMENT)
};

const MEASUREMENT: Measurement<BoustroGame> = Measurement {
    computed: || LOOP_FIGURES.into_iter().filter_map(loop_figure).collect(),
    trends: boustro_trends,
    ..Measurement::new(BOUSTRO_FIGURES, |setup| {
        let machine = setup.machine.clone();
        Ok(Measure::whole(move |frames| {
            let mut study = BoustroStudy::new(&machine)?;
            for frame in 0..frames.n_frames() {
                study.model(&frames.draw(frame))?;
            }
            study.game()
        }))
    })
};
