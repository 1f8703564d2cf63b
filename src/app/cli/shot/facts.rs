//! Whether what a frame does can be held in memory: every quad of every triangle, with the texels that it reads. They may take
//! as many bytes as a scene may, which are hundreds of layers over a screen of 1920x1080.

use super::Shot;
use crate::app::cli::failure::{Failure, Outcome};
use crate::render::shading::DrawProgram;
use crate::render::{DrawList, Frame, Recording, Renderer};
use crate::report::{bytes, grouped};
use crate::scene::gltf::LoadOptions;
use crate::trace::RasterCounters;

/// About what the facts of a quad take at most while they are gathered: 8 to 15 bytes were measured.
const QUAD_BYTES: u64 = 16;

/// About what they take for each sample of a shaded quad more: up to 11 were measured.
const SAMPLE_BYTES: u64 = 12;

impl Shot {
    /// Refuses to trace a frame that does too much for that: it is drawn once and counted.
    pub(in crate::app::cli) fn check_facts(
        &self,
        renderer: &mut Renderer,
        frame: u64,
        seconds: f64,
    ) -> Outcome {
        self.with_draws(frame, seconds, |list| check_facts(renderer, list))
    }
}

/// The same of a frame that is at hand.
pub(in crate::app::cli) fn check_facts(
    renderer: &mut Renderer,
    list: &DrawList<'_, DrawProgram<'_>>,
) -> Outcome {
    let Frame { picture, counters } = renderer.draw(list, Recording::Counters);
    renderer.recycle(picture);
    counters.map_or(Ok(()), |counters| check_counted(&counters.raster))
}

/// The same of one that is counted.
pub(in crate::app::cli) fn check_counted(counters: &RasterCounters) -> Outcome {
    let most = LoadOptions::default().memory_limit;
    let quads = counters.quads_rasterised;
    let samples = counters.texture_samples / 4;
    let needed =
        (quads.saturating_mul(QUAD_BYTES)).saturating_add(samples.saturating_mul(SAMPLE_BYTES));
    if needed <= most {
        return Ok(());
    }
    let problem = format!(
        "the frame's {} quads and what they read would take about {} of memory to trace; expected at most {}",
        grouped(quads),
        bytes(needed),
        bytes(most)
    );
    Err(Failure::new(problem).hint("a smaller picture (--size), or fewer things over each other, has fewer quads; `azulejo render` counts them without a trace"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_of_more_quads_than_memory_holds_are_refused() {
        let counters = |quads_rasterised, texture_samples| RasterCounters {
            quads_rasterised,
            texture_samples,
            ..RasterCounters::default()
        };
        // Six layers of lit surfaces with five textures over 8192x8192 pixels.
        let quads = 6 << 24;
        assert!(check_counted(&counters(quads, 20 * quads)).is_ok());
        for (quads, samples) in [(600 << 20, 0), (1, u64::MAX), (u64::MAX, u64::MAX)] {
            assert!(
                check_counted(&counters(quads, samples)).is_err(),
                "{quads}, {samples}"
            );
        }
    }
}
