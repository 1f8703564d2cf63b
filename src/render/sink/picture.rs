//! The plain sink: a picture, and counters by frame, draw and tile if asked for.

use super::{FrameJob, Sink};
use crate::elimination::Signing;
use crate::passes::of_both_passes;
use crate::shading::FragmentProgram;
use crate::{Frame, Recording};

impl Sink for Recording {
    type Output = Frame;

    fn draw<P: FragmentProgram + Sync>(self, job: FrameJob<'_, P>) -> Frame {
        let list = job.list;
        let behind = job.renderer.draw_behind(list, self);
        job.run(Signing::Off, |renderer| {
            let mut picture = renderer.picture(&list.settings.grid());
            let order = renderer.begin_order(&list.settings);
            let counters = renderer.draw_tiles(list, self, &order, &mut picture);
            let counters = counters.map(|counters| of_both_passes(behind, counters));
            Frame { picture, counters }
        })
    }
}
