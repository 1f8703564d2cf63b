//! Facts of a frame, gathered where they can be held in memory: every quad of every triangle, with the texels that it
//! reads. They may take as many bytes as a scene may, which are hundreds of layers over a screen of 1920x1080. A frame is
//! counted before it is traced.

use azulejo_gpu::machine::SampleStorageError;
use azulejo_render::shading::DrawProgram;
use azulejo_render::{DrawList, Frame, Recording, Renderer, Traced, Tracing};
use azulejo_report::{bytes, grouped};
use azulejo_scene::gltf::LoadOptions;
use azulejo_trace::{FrameTrace, RasterCounters};

/// Bytes of a quad's facts while they are gathered, about and at most: 8 to 15 were measured.
const QUAD_BYTES: u64 = 16;

/// Bytes that each sample of a shaded quad adds, about and at most: up to 11 were measured.
const SAMPLE_BYTES: u64 = 12;

/// Refusal of a frame that does more than can be held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "the frame's {} quads and what they read would take about {} of memory to trace; expected at most {}",
    grouped(*.quads),
    bytes(*.needed),
    bytes(*.most)
)]
pub struct TooManyFacts {
    quads: u64,
    needed: u64,
    most: u64,
}

/// Refusal to trace a frame for a machine.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(transparent)]
pub enum TraceError {
    /// The machine has no tiles for the samples.
    Samples(#[from] SampleStorageError),
    /// The frame does too much.
    TooMany(#[from] TooManyFacts),
}

/// Traces all that the pipeline does for a frame.
///
/// # Errors
/// If it does too much for that: the frame is drawn once and counted before.
pub fn trace(
    renderer: &mut Renderer,
    list: &DrawList<'_, DrawProgram<'_>>,
) -> Result<FrameTrace, TooManyFacts> {
    check(renderer, list)?;
    Ok(trace_checked(renderer, list, Tracing::default()))
}

/// Traces a frame that is known not to do too much.
pub fn trace_checked(
    renderer: &mut Renderer,
    list: &DrawList<'_, DrawProgram<'_>>,
    sink: Tracing,
) -> FrameTrace {
    let Traced { picture, trace } = renderer.draw(list, sink);
    renderer.recycle(picture);
    trace
}

/// Refuses a frame that does too much: it is drawn once and counted.
///
/// # Errors
/// If [`trace`] would refuse it.
pub fn check(
    renderer: &mut Renderer,
    list: &DrawList<'_, DrawProgram<'_>>,
) -> Result<(), TooManyFacts> {
    let Frame { picture, counters } = renderer.draw(list, Recording::Counters);
    renderer.recycle(picture);
    counters.map_or(Ok(()), |counters| check_counted(&counters.raster))
}

/// Refuses the counters of a frame that does too much.
///
/// # Errors
/// If [`trace`] would refuse the frame.
pub fn check_counted(counters: &RasterCounters) -> Result<(), TooManyFacts> {
    let most = LoadOptions::default().memory_limit;
    let quads = counters.quads_rasterised;
    let samples = counters.texture_samples / 4;
    let needed =
        (quads.saturating_mul(QUAD_BYTES)).saturating_add(samples.saturating_mul(SAMPLE_BYTES));
    if needed <= most {
        return Ok(());
    }
    Err(TooManyFacts {
        quads,
        needed,
        most,
    })
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
        assert_eq!(check_counted(&counters(quads, 20 * quads)), Ok(()));
        for (quads, samples) in [(600 << 20, 0), (1, u64::MAX), (u64::MAX, u64::MAX)] {
            assert!(
                check_counted(&counters(quads, samples)).is_err(),
                "{quads}, {samples}"
            );
        }
    }
}
