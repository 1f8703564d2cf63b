//! One stage after the other on one thread, for `benches/instructions`: callgrind counts what each executes. Most run more
//! than once, as what is made once (copies of texels, buffers) is no part of a frame; the last run counts. Nothing is
//! measured here.

mod common;
mod programs;

use std::hint::black_box;

use azulejo::gpu::Gpu;
use azulejo::gpu::machine::MachineSpec;
use azulejo::grid::{SampleCount, TileGrid, TileId};
use azulejo::render::raster::observe::NullObserver;
use azulejo::render::raster::{Kernels, RasterUnit, TileScene};
use azulejo::render::shading::{DrawProgram, FrameConstants, ProgramSource};
use azulejo::render::tiling::TileLists;
use azulejo::render::{
    Draw, DrawList, Recording, RenderSettings, Renderer, SimdLevel, Traced, Tracing,
};
use azulejo::scene::{Environment, Primitive};
use azulejo::shot::Shot;
use azulejo::simd::dispatch;
use azulejo::trace::FrameTrace;
use glam::Vec3;

use common::{Geometry, NormalColor};
use programs::{Picture, Size};

/// Frames of demos and the traces that the model is given.
const SCREEN: TileGrid = TileGrid {
    width: 256,
    height: 160,
    tile_size: 32,
};

const SIZE: Size = Size {
    picture: 128,
    texture: 128,
};

/// Segments of the spheres: most of their triangles are a few pixels large.
const SEGMENTS: u32 = 48;

/// The frame of each demo.
const FRAME: u64 = 300;

/// Function at which callgrind starts and stops counting.
#[inline(never)]
fn counted(run: &mut dyn FnMut()) {
    run();
    // So that this is no jump to `run`, after which callgrind would not see the end.
    black_box(());
}

/// Runs a stage. The names on standard output are in the order of the counts.
#[expect(clippy::print_stdout, reason = "read by benches/instructions")]
fn stage(name: &str, mut run: impl FnMut()) {
    println!("{name}");
    counted(&mut run);
}

/// Geometry, tiling and raster of spheres.
fn spheres() {
    let sphere = common::sphere(SEGMENTS);
    let draws = common::draws(&sphere, 2);
    let (mut geometry, mut lists) = (Geometry::default(), TileLists::default());
    let (mut unit, kernels) = (RasterUnit::default(), Kernels::new().on(common::backend()));
    let mut binned = Vec::new();
    for _ in 0..2 {
        stage("geometry", || {
            geometry.shade(&draws);
            geometry.assemble(&draws);
        });
        stage("tiling", || geometry.bin(&mut binned, &mut lists));
        let raster_draws = common::raster_draws(&draws, &geometry);
        let scene = TileScene {
            grid: common::GRID,
            draws: &raster_draws,
            chunks: &geometry.chunks,
            lists: &lists,
            samples: SampleCount::One,
        };
        stage("raster", || {
            for tile in (0..scene.grid.n_tiles()).map(TileId) {
                unit.draw_tile(kernels, &scene, tile, &mut NullObserver);
            }
        });
    }
}

/// The built-in programs, each made twice, so that it reads the copies of texels.
fn shading() {
    let scene = programs::scene(SIZE.texture);
    let environment = Environment::builtin();
    let primitive = programs::primitive();
    let lights = [programs::sun()];
    let frame = FrameConstants {
        eye_world: Vec3::ZERO,
        lights: &lights,
        environment: Some(&environment),
    };
    for _ in 0..2 {
        for (name, material) in programs::materials() {
            let program = DrawProgram::new(&ProgramSource {
                scene: &scene,
                material: &material,
                primitive: &primitive,
                frame: &frame,
            });
            stage(&format!("shading: {name}"), || {
                black_box(dispatch(common::backend(), Picture(&program, SIZE)));
            });
        }
    }
}

/// One triangle over the whole picture, with next to no program: the time left is that of clearing, coverage and resolve.
fn resolve(renderer: &mut Renderer) {
    let corners = [[-1.0, -1.0], [3.0, -1.0], [-1.0, 3.0]];
    let triangle = Primitive {
        positions: corners.map(|[x, y]| Vec3::new(x, y, 0.5)).into(),
        indices: vec![0, 1, 2],
        ..Primitive::default()
    };
    let draw = Draw {
        double_sided: true,
        ..Draw::new(&triangle, NormalColor)
    };
    let list = DrawList::new(vec![draw], RenderSettings::of_screen(SCREEN));
    for _ in 0..2 {
        stage("resolve", || {
            let picture = renderer.draw(&list, Recording::Off).picture;
            renderer.recycle(picture);
        });
    }
}

/// A frame of a demo, three times: copies of texels are made when they are asked for the second time. Then its trace.
fn demo(name: &str, renderer: &mut Renderer) -> FrameTrace {
    let shot = Shot::demo(name).expect("a demo");
    let still = shot.on_screen(SCREEN).at(FRAME);
    for _ in 0..3 {
        stage(&format!("frame: {name}"), || {
            let picture = renderer.draw(&still.draws(), Recording::Off).picture;
            renderer.recycle(picture);
        });
    }
    let mut traced = None;
    stage(&format!("trace: {name}"), || {
        let Traced { trace, .. } = renderer.draw(&still.draws(), Tracing::default());
        traced = Some(trace);
    });
    traced.expect("it was just drawn")
}

fn main() {
    let mut renderer = Renderer::new(1, SimdLevel::Auto).expect("this machine has lanes");
    spheres();
    shading();
    resolve(&mut renderer);
    demo("corridor", &mut renderer);
    let trace = demo("catapult", &mut renderer);
    let spec = MachineSpec::built_in("valhall-libra-baseline", &[]).expect("shipped");
    stage("model: catapult", || {
        let report = Gpu::new(&spec).expect("valid").run_frame(&trace);
        black_box(report.expect("it never stands still"));
    });
}
