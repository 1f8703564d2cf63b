//! A traced frame is the frame that is drawn: the same picture, the same counts, and links that hold.

mod spheres;

use azulejo::grid::SampleCount;
use azulejo::render::{FrameInput, Recording, RenderSettings, Renderer, Traced, Tracing};
use azulejo::simd::SimdLevel;
use azulejo::trace::{FrameTrace, InstructionClass, RasterCounters};

use glam::Vec4;
use spheres::with_input;

fn trace_by(threads: usize, input: &FrameInput<'_>, sink: Tracing) -> FrameTrace {
    let mut renderer = Renderer::new(threads, SimdLevel::Auto).expect("threads");
    renderer.draw(&input.draws(), sink).trace
}

#[test]
fn trace_is_valid_and_counts_what_the_counters_count() {
    for samples in SampleCount::ALL {
        with_input(|input| {
            let settings = RenderSettings {
                samples,
                ..*input.settings
            };
            let settings = &settings;
            counts_what_the_counters_count(&FrameInput { settings, ..*input });
        });
    }
}

fn counts_what_the_counters_count(input: &FrameInput<'_>) {
    let mut renderer = Renderer::new(2, SimdLevel::Auto).expect("threads");
    let frame = renderer.draw(&input.draws(), Recording::Counters);
    let Traced { picture, trace } = renderer.draw(&input.draws(), Tracing::default());
    assert_eq!(picture, frame.picture, "tracing changes no pixel");
    trace.validate().expect("links hold");
    assert_eq!(trace.samples, input.settings.samples, "as it was drawn");
    let counters = frame.counters.expect("asked for");
    let mut traced = RasterCounters::default();
    trace
        .tiles
        .iter()
        .for_each(|tile| traced += tile.counters());
    // The trace leaves texture samples to who multiplies instructions by fragments, and knows pixels, not their samples.
    traced.texture_samples = counters.raster.texture_samples;
    traced.samples_covered = counters.raster.samples_covered;
    traced.samples_passed = counters.raster.samples_passed;
    assert_eq!(traced, counters.raster, "the same events");
    assert_eq!(
        trace.n_primitives(),
        counters.geometry.primitives_binned,
        "the same triangles"
    );
}

#[test]
fn trace_names_a_texture_for_every_texture_instruction() {
    with_input(|input| {
        let trace = trace_by(1, input, Tracing::default());
        for draw in &trace.draws {
            let program = &trace.programs[draw.fragment_program.0 as usize];
            assert_eq!(
                program.count(InstructionClass::Texture),
                draw.textures.len(),
                "{}",
                draw.name
            );
        }
        assert!(
            trace.tiles.iter().any(|tile| !tile.blocks.is_empty()),
            "some texels were read"
        );
    });
}

#[test]
fn trace_says_which_constants_a_driver_sets() {
    with_input(|input| {
        let mut state = input.state.clone();
        let same = state.instances[0].clone();
        let mut moved = same.clone();
        moved.world_from_local.w_axis += Vec4::new(0.5, 0.0, 0.25, 0.0);
        state.instances.splice(1..1, [same, moved]);
        let state = &state;
        let trace = trace_by(1, &FrameInput { state, ..*input }, Tracing::default());
        let first = &trace.draws[0];
        assert!(first.constant_bytes >= 2 * 64, "two matrices at least");
        let set: Vec<_> = (trace.draws.iter().take(3))
            .map(|draw| draw.set_constant_bytes)
            .collect();
        assert_eq!(
            set,
            [first.constant_bytes, 0, 2 * 4],
            "all at first; nothing where all is the same; two components of a place"
        );
    });
}

#[test]
fn trace_is_the_same_for_any_number_of_threads() {
    with_input(|input| {
        let one = trace_by(1, input, Tracing::default());
        let three = trace_by(3, input, Tracing::default());
        assert_eq!(one, three, "facts do not depend on who draws");
    });
}

#[test]
fn trace_of_fragments_hashes_every_fragment_that_ran() {
    with_input(|input| {
        let plain = trace_by(1, input, Tracing::default());
        let sink = Tracing {
            fragment_hashes: true,
        };
        let mut hashed = trace_by(1, input, sink);
        hashed.validate().unwrap();
        let mut distinct = std::collections::HashSet::new();
        for tile in &mut hashed.tiles {
            let ran = tile.counters().fragments_shaded;
            assert_eq!(tile.fragment_hashes.len() as u64, ran, "one a fragment");
            distinct.extend(tile.fragment_hashes.drain(..));
        }
        assert_eq!(plain, hashed, "nothing else changes");
        assert!(distinct.len() > 100, "inputs differ: {}", distinct.len());
    });
}
