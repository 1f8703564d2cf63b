//! Nanoseconds a pixel of the built-in fragment programs, by SIMD level, one thread: `cargo bench --bench shading`. The
//! first program costs nothing: it measures the bench itself.

mod programs;

use azulejo::render::RenderSettings;
use azulejo::render::shading::{
    DrawProgram, FragmentInputs, FragmentOutput, FragmentProgram, FrameConstants, ProgramSource,
    VaryingLayout,
};
use azulejo::scene::{Environment, Projection, View};
use azulejo::simd::{Backend, LANES, Lanes, SimdLevel, dispatch};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use glam::{Mat4, Vec3};

use programs::{Picture, Size, materials, primitive, scene, sun};

const SIZE: Size = Size {
    picture: 512,
    texture: 2048,
};

/// Reads all varyings and does nothing with them.
struct Nothing(VaryingLayout);

impl FragmentProgram for Nothing {
    fn varyings(&self) -> VaryingLayout {
        self.0
    }

    #[inline(always)]
    fn shade<L: Lanes>(&self, l: L, inputs: &FragmentInputs<L>) -> FragmentOutput<L> {
        let v = &inputs.varyings;
        let sum = |from: usize| (v[from] + v[from + 1]) + (v[from + 2] + v[from + 3]);
        FragmentOutput {
            rgba: [sum(0), sum(4), sum(8), l.f(1.0)],
            keep: l.mask(0xffff),
        }
    }
}

fn shading(criterion: &mut Criterion) {
    let scene = scene(SIZE.texture);
    let environment = Environment::builtin();
    let primitive = primitive();
    let lights = [sun()];
    let frame = FrameConstants {
        eye_world: Vec3::ZERO,
        lights: &lights,
        environment: Some(&environment),
    };
    let projection = Projection::Perspective {
        y_fov: 0.8,
        aspect: None,
        near: 0.1,
        far: None,
    };
    let edge = SIZE.picture as u32;
    let view = View::through(&projection, Mat4::IDENTITY, edge, edge);
    let settings = RenderSettings {
        width: edge,
        height: edge,
        ..RenderSettings::default()
    };

    let mut group = criterion.benchmark_group("shading");
    group.throughput(Throughput::Elements(SIZE.picture.pow(2) as u64));
    for level in SimdLevel::available() {
        let backend = level.backend().expect("it is listed");
        let mut bench = |name: &str, run: &dyn Fn(Backend) -> [f32; LANES]| {
            group.bench_function(BenchmarkId::new(name, level), |bencher| {
                bencher.iter(|| run(backend))
            });
        };
        let all = materials().map(|(name, material)| {
            (
                name,
                DrawProgram::new(&ProgramSource {
                    scene: &scene,
                    material: &material,
                    primitive: &primitive,
                    frame: &frame,
                }),
            )
        });
        let nothing = Nothing(all[0].1.varyings());
        bench("nothing", &|backend| {
            dispatch(backend, Picture(&nothing, SIZE))
        });
        for (name, program) in &all {
            bench(name, &|backend| dispatch(backend, Picture(program, SIZE)));
        }
        let sky = DrawProgram::sky(&environment, &view, &settings);
        bench("sky", &|backend| dispatch(backend, Picture(&sky, SIZE)));
    }
    group.finish();
}

criterion_group!(benches, shading);
criterion_main!(benches);
