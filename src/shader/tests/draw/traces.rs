//! Traces of draws in WGSL: paths and texels against pixels computed one by one.

use std::collections::BTreeSet;

use super::{
    BRANCHING, Bindings, BoundFragment, LIGHT, drawn_by_code, list, lit, noise, settings, shader,
    steps, trace, waves, whole,
};
use azulejo_grid::{SampleCount, TileId};
use azulejo_render::raster::FragmentMode;
use azulejo_render::{Draw, Traced};
use azulejo_scene::Sampler;
use azulejo_trace::{
    FrameTrace, Program, QuadSamples, Region, TEXELS_PER_BLOCK, TextureIdx, TraceReader,
    TraceWriter,
};

const SEED: u32 = 5;

/// Trace of [`BRANCHING`] over the whole picture.
fn branching(threads: usize) -> Traced {
    let (mesh, image, shader) = (whole(), noise(), shader(BRANCHING));
    let bindings = Bindings {
        buffers: &[((0, 0), &SEED.to_le_bytes())],
        textures: &[((0, 1), &image)],
        ..Bindings::default()
    };
    let program = shader.bind(&bindings).expect("all is bound");
    let draw = Draw {
        mode: FragmentMode::Masked,
        double_sided: true,
        ..Draw::new(&mesh, program)
    };
    trace(
        &drawn_by_code(draw, settings(32, SampleCount::One)),
        threads,
    )
}

/// First instructions of the arms of the last `if` in a program's loop.
fn arms(program: &Program) -> [u32; 2] {
    let of_loop = program.regions.iter().find_map(|region| match region {
        Region::Loop(body) => Some(body),
        _ => None,
    });
    let mut ifs = of_loop
        .into_iter()
        .flatten()
        .filter_map(|region| match region {
            Region::If(arms) => Some(arms),
            _ => None,
        });
    let last = ifs.next_back().expect("an if in a loop");
    last.each_ref().map(|arm| match arm.first() {
        Some(Region::Block(block)) => block.start,
        _ => panic!("an arm without a block: {arm:?}"),
    })
}

/// Quads with their paths and the place of their first pixel.
fn quads(trace: &FrameTrace) -> Vec<([u32; 2], Vec<u8>)> {
    let mut found = Vec::new();
    for (number, tile) in (0..).zip(&trace.tiles) {
        let rect = trace.grid.rect(TileId(number));
        let mut paths = tile.paths.iter();
        for quad in tile.quads.iter().filter(|quad| quad.is_shaded()) {
            let at = [
                rect.x0 as u32 + 2 * quad.column(),
                rect.y0 as u32 + 2 * quad.row(),
            ];
            let path = paths.next().expect("each shaded quad has a path");
            let (_, steps) = trace.paths.get(*path).expect("a known path");
            found.push((at, steps.to_vec()));
        }
        assert_eq!(paths.next(), None, "no more paths than quads");
    }
    found
}

#[test]
fn trace_of_a_draw_that_branches_has_the_steps_of_each_quad() {
    let Traced { trace, .. } = branching(2);
    trace.validate().expect("links hold");
    let program = &trace.programs[trace.draws[0].fragment_program.0 as usize];
    let arms = arms(program);
    let quads = quads(&trace);
    assert_eq!(quads.len(), 75 * 45, "the picture");
    assert!(trace.paths.len() > 50, "{} paths", trace.paths.len());
    for ([x, y], path) in quads {
        let mut found = [0, 0];
        let followed = program.follow(&path, |executed| {
            for (arm, count) in arms.iter().zip(&mut found) {
                if *arm == executed.instructions.start {
                    *count += executed.times * u64::from(executed.lanes.count_ones());
                }
            }
        });
        followed.expect("a path of the program");
        let pixels = [[x, y], [x + 1, y], [x, y + 1], [x + 1, y + 1]];
        let mut expected = [0, 0];
        for steps in pixels.map(|pixel| steps(pixel, SEED)) {
            expected = [0, 1].map(|kind| expected[kind] + u64::from(steps[kind]));
        }
        assert_eq!(found, expected, "quad at {x}, {y}");
    }
}

#[test]
fn trace_of_a_draw_that_branches_has_the_texels_of_the_lanes_that_read() {
    let (image, Traced { trace, .. }) = (noise(), branching(1));
    let samples = QuadSamples::new(&trace);
    let mut found = Vec::new();
    for tile in &trace.tiles {
        samples.of_tile(tile, |texture, blocks| {
            assert_eq!(texture, TextureIdx(0), "its one texture");
            found.push(blocks.iter().copied().collect::<BTreeSet<_>>());
        });
    }
    let mut expected = Vec::new();
    for ([x, y], _) in quads(&trace) {
        let pixels = [[x, y], [x + 1, y], [x, y + 1], [x + 1, y + 1]];
        let reads = |pixel: &[u32; 2]| steps(*pixel, SEED).iter().sum::<u32>() > 20;
        let blocks: BTreeSet<u32> = pixels
            .into_iter()
            .filter(reads)
            .map(|pixel| {
                let [x, y] = pixel.map(|place| place & 63);
                image.levels[0].texel_index(x, y) as u32 / TEXELS_PER_BLOCK
            })
            .collect();
        expected.extend((!blocks.is_empty()).then_some(blocks));
    }
    assert!(expected.len() > 500, "{} quads read", expected.len());
    assert!(found == expected, "blocks by quad");
}

#[test]
fn trace_of_a_draw_that_branches_is_the_same_for_threads_and_through_a_file() {
    let one = branching(1);
    assert!(branching(3) == one, "threads");
    let mut writer = TraceWriter::new(Vec::new()).expect("written to memory");
    writer.write(&one.trace).expect("written to memory");
    let file = writer.finish().expect("written to memory");
    let mut reader = TraceReader::new(file.as_slice()).expect("a trace");
    let read = reader.next_frame().expect("a lawful frame");
    assert!(read.as_ref() == Some(&one.trace), "as it was written");
}

#[test]
fn trace_of_a_straight_draw_has_the_texture_by_its_number_and_no_paths() {
    let (mesh, image, shader) = (waves(), noise(), shader(&lit(false)));
    let bindings = Bindings {
        buffers: &[((0, 0), bytemuck::cast_slice(&LIGHT))],
        textures: &[((0, 1), &image)],
        samplers: &[((0, 2), Sampler::default())],
    };
    let program = shader.bind(&bindings).expect("all is bound");
    let settings = settings(32, SampleCount::One);
    let list = list(
        &mesh,
        &image,
        (program, FragmentMode::Opaque),
        (settings, BoundFragment::kernels()),
    );
    let Traced { trace, .. } = trace(&list, 2);
    trace.validate().expect("links hold");
    assert!(trace.paths.is_empty() && !trace.branches(), "straight");
    assert_eq!(trace.draws[0].textures, [TextureIdx(0)], "the list's");
    let shaded: usize = trace.tiles.iter().map(|tile| tile.n_shaded()).sum();
    let counted = trace.tiles.iter().map(|tile| tile.block_counts.len());
    assert_eq!(counted.sum::<usize>(), shaded, "one sample a quad");
}

/// Input digests of the tiles of a lit draw.
fn inputs(light: [f32; 4], source: &str) -> Vec<u64> {
    let (mesh, image, shader) = (waves(), noise(), shader(source));
    let bindings = Bindings {
        buffers: &[((0, 0), bytemuck::cast_slice(&light))],
        textures: &[((0, 1), &image)],
        samplers: &[((0, 2), Sampler::default())],
    };
    let program = shader.bind(&bindings).expect("all is bound");
    let settings = settings(32, SampleCount::One);
    let list = list(
        &mesh,
        &image,
        (program, FragmentMode::Masked),
        (settings, BoundFragment::kernels()),
    );
    let tiles = trace(&list, 1).trace.tiles.into_iter();
    let drawn = tiles.filter(|tile| !tile.primitives.is_empty());
    drawn.map(|tile| tile.digests.inputs).collect()
}

#[test]
fn trace_signs_the_program_in_wgsl_and_its_uniforms() {
    let first = inputs(LIGHT, &lit(false));
    assert!(first.len() > 5, "{} tiles", first.len());
    assert_eq!(inputs(LIGHT, &lit(false)), first, "nothing changed");
    let other = inputs([0.3, 0.8, 0.6, 0.0], &lit(false));
    assert!(first.iter().zip(&other).all(|(a, b)| a != b), "a uniform");
    let other = inputs(LIGHT, &lit(true));
    assert!(first.iter().zip(&other).all(|(a, b)| a != b), "the program");
}
