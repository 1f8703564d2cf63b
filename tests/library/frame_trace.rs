//! A traced frame is the frame that is drawn: equal pictures, equal counts, and links that hold.

use azulejo::grid::{SampleCount, TileId};
use azulejo::render::raster::Block;
use azulejo::render::raster::observe::TileObserver;
use azulejo::render::{
    Draw, DrawList, FrameInput, Observing, Recording, RenderSettings, Renderer, Traced, Tracing,
};
use azulejo::simd::SimdLevel;
use azulejo::trace::{FrameTrace, InstructionClass, RasterCounters};

use azulejo::scene::{
    FrameState, Instance, Material, MaterialId, Mesh, MeshId, Primitive, Shading, View,
};
use glam::{Mat4, Vec3, Vec4};
use std::collections::BTreeMap;

use crate::painted::Painted;
use crate::spheres::{with_input, with_scene};

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
    // The trace leaves texture samples to its readers, which multiply instructions by fragments, and has pixels, not their
    // samples.
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

/// Before all of the view, but for one quad of each block of 4x4 pixels.
fn mask(view: &View, settings: &RenderSettings, open: u32) -> Primitive {
    let size = Vec4::new(settings.width as f32, settings.height as f32, 1.0, 1.0);
    let world_from_clip = view.clip_from_world().inverse();
    let corner = |x: u32, y: u32| {
        let clip = Vec4::new(2.0 * x as f32, 2.0 * y as f32, 0.5, 1.0) / size;
        (world_from_clip * (clip - Vec4::new(1.0, 1.0, 0.0, 0.0))).project()
    };
    let mut mask = Primitive::default();
    for (x, y) in (0..settings.height.div_ceil(2))
        .flat_map(|y| (0..settings.width.div_ceil(2)).map(move |x| (x, y)))
        .filter(|(x, y)| x % 2 + y % 2 * 2 != open)
    {
        let first = mask.positions.len() as u32;
        let corners = [(0, 0), (2, 0), (0, 2), (2, 2)];
        mask.positions
            .extend(corners.map(|(dx, dy)| corner(2 * x + dx, 2 * y + dy)));
        mask.indices.extend([0, 1, 2, 2, 1, 3].map(|at| first + at));
    }
    mask
}

/// A shaded quad: tile, number of its primitive, column and row.
type QuadName = (usize, u32, u32, u32);

/// Live fragments of every shaded quad, and the blocks that it read by instruction; without those of the first primitives.
fn reads(trace: &FrameTrace, first_primitive: u32) -> BTreeMap<QuadName, (u32, Vec<Vec<u32>>)> {
    let (draws, instructions) = (trace.draw_of_primitive(), trace.texture_instructions());
    let mut reads = BTreeMap::new();
    for (number, tile) in trace.tiles.iter().enumerate() {
        let (mut counts, mut blocks) = (tile.block_counts.iter(), tile.blocks.iter().copied());
        for (entry, quads) in tile.entries() {
            let n = instructions[draws[entry.primitive as usize] as usize];
            for quad in quads.iter().filter(|quad| quad.is_shaded()) {
                let counts = counts.by_ref().take(n);
                let read = counts.map(|count| blocks.by_ref().take((*count).into()).collect());
                let read = (quad.live(), read.collect());
                if let Some(primitive) = entry.primitive.checked_sub(first_primitive) {
                    reads.insert((number, primitive, quad.column(), quad.row()), read);
                }
            }
        }
    }
    reads
}

#[test]
fn trace_of_a_quad_is_that_without_the_others_of_its_block() {
    let (mut scene, state) = (crate::spheres::scene(), crate::spheres::state());
    let whole = with_scene(&scene, &state, |input| {
        trace_by(1, input, Tracing::default())
    });
    let whole = reads(&whole, 0);
    let (mesh, material) = (
        MeshId(scene.meshes.len() as u32),
        MaterialId(scene.materials.len() as u32),
    );
    scene.meshes.push(Mesh::default());
    scene.materials.push(Material {
        shading: Shading::Unlit,
        double_sided: true,
        ..Material::default()
    });
    let before = Instance {
        mesh,
        material,
        world_from_local: Mat4::IDENTITY,
        ..state.instances[0].clone()
    };
    let instances = std::iter::once(before).chain(state.instances.iter().cloned());
    let state = FrameState {
        instances: instances.collect(),
        ..state.clone()
    };
    let mut apart = BTreeMap::new();
    for open in 0..4 {
        let mask = with_scene(&scene, &state, |input| {
            mask(input.view, input.settings, open)
        });
        scene.meshes[mesh.0 as usize].primitives = vec![mask].into();
        let trace = with_scene(&scene, &state, |input| {
            trace_by(1, input, Tracing::default())
        });
        let alone = reads(&trace, trace.draws[0].n_primitives);
        let is_open = |column: u32, row: u32| column % 2 + row % 2 * 2 == open;
        assert!(
            alone
                .keys()
                .all(|(_, _, column, row)| is_open(*column, *row)),
            "the mask holds"
        );
        apart.extend(alone);
    }
    assert!(whole.len() > 1000, "{} quads", whole.len());
    assert_eq!(whole, apart);
}

/// A depth buffer by itself: blocks of which nothing passed, and those of them that one stored depth tells.
#[derive(Default)]
struct NaiveDepths {
    stored: BTreeMap<usize, [f32; 16]>,
    of_triangle: [f32; 16],
    hidden: u32,
    behind: u32,
}

impl TileObserver for NaiveDepths {
    const RECORDS: bool = true;
    const EVERY_QUAD: bool = true;
    const STEPS: bool = true;

    fn begin_draw(&mut self, _: u32, _: u32, _: bool) {}

    fn fetch(&mut self, _: u32, _: u64) {}

    fn depths(&mut self, depths: &[f32; 16]) {
        self.of_triangle = *depths;
    }

    fn rasterised(&mut self, block: &Block, _: u32) {
        let stored = self.stored.entry(block.number).or_insert([1.0; 16]);
        let covered = (0..16).filter(|lane| block.covered >> lane & 1 != 0);
        let all_behind = covered.clone().all(|lane| {
            let depth = self.of_triangle[lane];
            stored.iter().all(|stored| depth > *stored)
        });
        assert_eq!(block.behind, all_behind, "block {}", block.number);
        self.hidden += u32::from(block.passed == 0);
        self.behind += u32::from(all_behind);
        for lane in covered {
            stored[lane] = stored[lane].min(self.of_triangle[lane]);
        }
    }

    fn killed_late(&mut self, _: u32, _: u32) {}
}

#[test]
fn block_is_behind_where_one_stored_depth_tells() {
    let mut state = 7_u32;
    let mut random = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / (1 << 24) as f32
    };
    let mut triangle = || Primitive {
        positions: [0; 3]
            .map(|_| Vec3::new(4.0 * random() - 2.0, 4.0 * random() - 2.0, random()))
            .into(),
        indices: vec![0, 1, 2],
        ..Primitive::default()
    };
    let triangles: Vec<Primitive> = (0..60).map(|_| triangle()).collect();
    let draws = triangles.iter().map(|triangle| Draw {
        double_sided: true,
        ..Draw::new(triangle, Painted::Color([1.0; 3]))
    });
    let settings = RenderSettings {
        width: 64,
        height: 64,
        ..RenderSettings::default()
    };
    let list = DrawList::new(draws.collect(), settings);
    let mut renderer = Renderer::new(1, SimdLevel::Auto).expect("threads");
    let tiles: Vec<TileId> = (0..4).map(TileId).collect();
    let observing = Observing {
        tiles: &tiles,
        observer: |_| NaiveDepths::default(),
    };
    let observed = renderer.draw(&list, observing);
    let sum = |of: fn(&NaiveDepths) -> u32| {
        observed
            .tiles
            .iter()
            .map(|tile| of(&tile.observer))
            .sum::<u32>()
    };
    let (hidden, behind) = (sum(|tile| tile.hidden), sum(|tile| tile.behind));
    assert!(
        0 < behind && behind < hidden,
        "{behind} of {hidden} hidden blocks"
    );
    let trace = renderer.draw(&list, Tracing::default()).trace;
    let quads = trace.tiles.iter().flat_map(|tile| &tile.quads);
    let told = quads.filter(|quad| quad.is_behind()).count() as u32;
    assert!(
        (behind..=4 * behind).contains(&told),
        "{told} quads of {behind} blocks"
    );
}
