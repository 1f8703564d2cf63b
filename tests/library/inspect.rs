//! The inspector's account equals the renderer's work: histories of tiles end in the frame's pixels, their sums are the
//! frame's counters.

use crate::content::{built_in, shows};
use crate::spheres::with_input;
use azulejo::grid::TileId;
use azulejo::inspect::{
    FramePlanes, NOTHING, Outcome, OutsidePicture, StripSettings, TileHistory, draw_costs,
    frame_planes, texture_picture, texture_reads, tile_history, tile_of_pixel, tile_strip,
};
use azulejo::render::{
    Background, FrameInput, Picture, Recording, RenderSettings, Renderer, Tracing,
};
use azulejo::scene::{AnimationChoice, Environment};
use azulejo::shot::Shot;
use azulejo::simd::SimdLevel;
use azulejo::trace::RasterCounters;

fn renderer() -> Renderer {
    Renderer::new(2, SimdLevel::Auto).expect("threads")
}

/// The histories of every `step`-th tile.
fn tile_histories(
    renderer: &mut Renderer,
    input: &FrameInput<'_>,
    step: usize,
) -> Vec<TileHistory> {
    let grid = input.settings.grid();
    let tiles = (0..grid.n_tiles()).step_by(step);
    tiles
        .map(|tile| {
            let (column, row) = grid.column_row(TileId(tile));
            tile_history(renderer, &input.draws(), column, row).expect("a tile of the grid")
        })
        .collect()
}

/// The pixels of a history's tile in a picture.
fn tile_pixels(story: &TileHistory, picture: &Picture) -> Vec<[u8; 4]> {
    let ([x, y], [width, height]) = (story.origin, story.size);
    let rows = (y..y + height).map(|y| {
        let first = (y * picture.width + x) as usize;
        &picture.pixels[first..first + width as usize]
    });
    rows.flatten().copied().collect()
}

/// Every history ends in the frame's pixels; so do the planes.
fn check_pixels(name: &str, input: &FrameInput<'_>, step: usize) {
    let mut renderer = renderer();
    let picture = renderer.draw(&input.draws(), Recording::Off).picture;
    for story in tile_histories(&mut renderer, input, step) {
        let same = story.picture() == tile_pixels(&story, &picture);
        assert!(same, "{name}: tile {:?}", story.column_row);
    }
    let planes = frame_planes(&mut renderer, &input.draws());
    assert!(planes.picture == picture.pixels, "{name}: planes");
}

#[test]
fn tile_history_ends_in_the_frame_for_every_fragment_mode() {
    with_input(|input| check_pixels("spheres", input, 1));
}

#[test]
fn tile_history_ends_in_the_frame_for_the_builtin_scene() {
    let (scene, environment) = (built_in(), Environment::builtin());
    let mut state = scene.state_at(AnimationChoice::All, 0.5);
    let settings = RenderSettings {
        width: 320,
        height: 180,
        background: Background::Environment,
        ..RenderSettings::default()
    };
    let view = scene
        .framing_camera(&state, 16.0 / 9.0)
        .view(settings.width, settings.height);
    state.sort_blended(scene, view.eye_world);
    let input = FrameInput {
        scene,
        state: &state,
        view: &view,
        environment: Some(&environment),
        settings: &settings,
    };
    check_pixels("courtyard", &input, 11);
}

#[test]
fn tile_history_ends_in_the_frame_for_every_demo() {
    for (name, show) in shows() {
        let still = Shot::show(show).sized(320, 180).at(77);
        check_pixels(name, &still.input(), 7);
    }
}

#[test]
fn stories_sum_to_the_frame_and_its_draws() {
    with_input(|input| {
        let mut renderer = renderer();
        let counters = renderer.draw(&input.draws(), Recording::Counters).counters;
        let counters = counters.expect("counters were asked for");
        let costs = draw_costs(&input.draws(), &counters, None);
        let mut draws = vec![RasterCounters::default(); costs.len()];
        for story in tile_histories(&mut renderer, input, 1) {
            let tile = &counters.tiles[story.tile.0 as usize];
            assert_eq!(story.total(), tile.raster, "tile {:?}", story.column_row);
            assert_eq!(story.steps.len() as u64, tile.primitives, "list");
            for step in &story.steps {
                draws[step.of.draw as usize] += step.raster;
            }
        }
        for (cost, sum) in costs.iter().zip(draws) {
            assert_eq!(cost.raster, sum, "draw {}", cost.name);
        }
        let total: u64 = costs.iter().map(|cost| cost.raster.fragments_shaded).sum();
        assert_eq!(total, counters.raster.fragments_shaded, "all draws");
    });
}

#[test]
fn tile_history_reads_the_texel_blocks_of_the_trace() {
    with_input(|input| {
        let mut renderer = renderer();
        let trace = renderer.draw(&input.draws(), Tracing::default()).trace;
        for story in tile_histories(&mut renderer, input, 3) {
            let traced = &trace.tiles[story.tile.0 as usize];
            let blocks: u64 = story.steps.iter().map(|step| step.texture_blocks).sum();
            assert_eq!(blocks, traced.blocks.len() as u64, "tile {}", story.tile.0);
            let n_entries = traced.entries().count();
            assert_eq!(story.steps.len(), n_entries, "tile {}", story.tile.0);
            for (step, (entry, quads)) in story.steps.iter().zip(traced.entries()) {
                let n_quads = step.raster.quads_rasterised;
                assert_eq!(step.of.primitive, entry.primitive, "program order");
                assert_eq!(
                    n_quads,
                    quads.len() as u64,
                    "primitive {}",
                    step.of.primitive
                );
            }
        }
    });
}

#[test]
fn history_of_every_pixel_ends_in_the_picture() {
    with_input(|input| {
        let mut renderer = renderer();
        let picture = renderer.draw(&input.draws(), Recording::Off).picture;
        for story in tile_histories(&mut renderer, input, 4) {
            let ([x0, y0], [width, height]) = (story.origin, story.size);
            for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x0 + x, y0 + y))) {
                let history = story.pixel(x, y).expect("a pixel of the tile");
                let shown = picture.pixels[(y * picture.width + x) as usize];
                assert_eq!(history.last.encoded, shown, "pixel {x},{y}");
            }
        }
    });
}

#[test]
fn history_is_a_chain_that_says_why_fragments_die() {
    with_input(|input| {
        let mut renderer = renderer();
        let mut seen = Vec::new();
        for story in tile_histories(&mut renderer, input, 1) {
            let [x, y] = [0, 1].map(|axis| story.origin[axis] + story.size[axis] / 2);
            let history = story.pixel(x, y).expect("a pixel of the tile");
            let mut now = history.cleared;
            for (number, event) in history.events.iter().enumerate() {
                assert_eq!(event.before, now, "pixel {x},{y}, event {number}");
                let died = !event.outcome.survived();
                assert!(
                    !died || event.after.color == now.color,
                    "{number} leaves nothing"
                );
                if event.outcome == Outcome::KilledEarly {
                    assert!(event.depth > now.depth, "event {number} is behind");
                    assert!(event.program_color.is_none(), "event {number} did not run");
                }
                let replacer = event.replaced_by.map(|by| history.events[by].outcome);
                assert!(matches!(replacer, None | Some(Outcome::Written)), "covered");
                seen.push(event.outcome);
                now = event.after;
            }
            assert_eq!(history.last, now, "the end");
        }
        for outcome in [
            Outcome::KilledEarly,
            Outcome::Discarded,
            Outcome::Written,
            Outcome::Blended,
        ] {
            assert!(seen.contains(&outcome), "{outcome:?} happens somewhere");
        }
    });
}

#[test]
fn texture_reads_are_those_of_the_tiles() {
    with_input(|input| {
        let trace = renderer().draw(&input.draws(), Tracing::default()).trace;
        let all = texture_reads(&trace);
        let counted = |reads: &[u32]| reads.iter().map(|reads| u64::from(*reads)).sum::<u64>();
        let total: u64 = all.iter().map(|texture| counted(&texture.reads)).sum();
        let traced: usize = trace.tiles.iter().map(|tile| tile.blocks.len()).sum();
        assert_eq!(total, traced as u64, "every block of every tile");
        let image = &input.scene.images[0];
        let levels = all[0].levels(image);
        let by_level: u64 = levels.iter().map(|level| level.total).sum();
        assert_eq!(by_level, counted(&all[0].reads), "every block has a level");
        assert!(levels[0].blocks_read < levels[0].blocks, "not all of 64x64");
        let picture = texture_picture(image, &all[0]);
        assert_eq!((picture.width, picture.height), (96, 64), "levels 0 and 1");
    });
}

fn planes_of(input: &FrameInput<'_>) -> (FramePlanes, RasterCounters) {
    let mut renderer = renderer();
    let counters = renderer.draw(&input.draws(), Recording::Counters).counters;
    let counters = counters.expect("counters were asked for");
    (frame_planes(&mut renderer, &input.draws()), counters.raster)
}

#[test]
fn planes_sum_to_the_frame() {
    with_input(|input| {
        let (planes, raster) = planes_of(input);
        let sum = |plane: &[u32]| plane.iter().map(|count| u64::from(*count)).sum::<u64>();
        assert_eq!(sum(&planes.fragments), raster.fragments_shaded, "fragments");
        // The screen has even edges, so that no quad reaches beyond it.
        assert_eq!(sum(&planes.quads), 4 * raster.quads_shaded, "quads");
    });
}

#[test]
fn planes_show_the_last_survivor() {
    with_input(|input| {
        let (planes, _) = planes_of(input);
        let mut renderer = renderer();
        for story in tile_histories(&mut renderer, input, 5) {
            let [x, y] = [0, 1].map(|axis| story.origin[axis] + story.size[axis] / 3);
            let history = story.pixel(x, y).expect("a pixel of the tile");
            let at = planes.index(x, y);
            let last = history
                .events
                .iter()
                .rfind(|event| event.outcome.survived());
            let primitive = last.map_or(NOTHING, |event| event.of.primitive);
            assert_eq!(planes.primitive[at], primitive, "pixel {x},{y}");
            assert_eq!(planes.depth[at], history.last.depth, "pixel {x},{y}");
        }
        let textured = planes.mip.iter().any(|level| *level != NOTHING);
        assert!(textured, "some pixel shows a texture");
    });
}

#[test]
fn tiles_and_pixels_outside_are_refused() {
    with_input(|input| {
        let mut renderer = renderer();
        let refused = tile_history(&mut renderer, &input.draws(), 7, 0);
        let message = refused.expect_err("seven columns").to_string();
        assert!(message.contains("0,0 to 6,4"), "{message}");
        let grid = input.settings.grid();
        let message = tile_of_pixel(grid, 0, 150)
            .expect_err("150 rows")
            .to_string();
        assert!(message.contains("0,0 to 199,149"), "{message}");
        let story = tile_history(&mut renderer, &input.draws(), 0, 0).expect("a tile");
        let elsewhere = story.pixel(32, 0);
        assert!(
            matches!(elsewhere, Err(OutsidePicture::Pixel { .. })),
            "next tile"
        );
    });
}

#[test]
fn strip_shows_as_many_steps_as_asked_for() {
    with_input(|input| {
        let mut renderer = renderer();
        let story = tile_history(&mut renderer, &input.draws(), 3, 2).expect("a tile");
        let settings = StripSettings {
            enlarge: 1,
            max_steps: 4,
            columns: 2,
            only: None,
        };
        let (four, one) = (
            tile_strip(&story, &settings),
            tile_strip(
                &story,
                &StripSettings {
                    max_steps: 1,
                    ..settings
                },
            ),
        );
        assert!(four.height > one.height, "two rows and one");
        let pixels = four.width as usize * four.height as usize;
        assert_eq!(four.pixels.len(), pixels, "every pixel once");
    });
}
