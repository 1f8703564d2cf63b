//! Nanoseconds a pixel of the built-in fragment programs, by SIMD level, one thread: `cargo bench --bench shading`. The
//! first program costs nothing: it measures the bench itself. Whole frames of a plane follow, in programs that are compiled
//! and in the copies of them in `shaders/`, which are executed.

mod programs;

use azulejo::render::raster::Kernels;
use azulejo::render::shading::{
    DrawProgram, FragmentInputs, FragmentOutput, FragmentProgram, FrameConstants, ProgramSource,
    VaryingLayout,
};
use azulejo::render::{Draw, DrawList, Recording, RenderSettings, Renderer};
use azulejo::scene::{Environment, Material, Primitive, Projection, Sampler, Scene, View};
use azulejo::shader::{Bindings, BoundFragment, FragmentShader, Module};
use azulejo::simd::{Backend, LANES, Lanes, SimdLevel, dispatch};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use glam::{Mat4, Vec2, Vec3, Vec4};

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

/// A camera at the origin, for a picture of [`SIZE`].
fn view() -> View {
    let projection = Projection::Perspective {
        y_fov: 0.8,
        aspect: None,
        near: 0.1,
        far: None,
    };
    let edge = SIZE.picture as u32;
    View::through(&projection, Mat4::IDENTITY, edge, edge)
}

fn settings() -> RenderSettings {
    let edge = SIZE.picture as u32;
    RenderSettings {
        width: edge,
        height: edge,
        ..RenderSettings::default()
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
    let (view, settings) = (view(), settings());

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

/// A plane over the whole picture, not square to the view; its texture is minified as those of [`Picture`].
fn plane() -> Primitive {
    let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]].map(Vec2::from_array);
    Primitive {
        positions: corners
            .map(|at| Vec3::new(2.0 * at.x, 2.0 * at.y, 0.3 * at.x - 3.0))
            .into(),
        normals: vec![Vec3::Z; 4],
        tangents: vec![Vec4::new(1.0, 0.0, 0.0, 1.0); 4],
        tex_coords: vec![corners.map(|at| at * 0.26).into()],
        indices: vec![0, 1, 2, 0, 2, 3],
        ..Primitive::default()
    }
}

/// A program of `shaders/` that reads these uniforms, and images by binding; where there is none may be the sampler.
fn bind<'a>(
    shader: &'a FragmentShader,
    scene: &'a Scene,
    uniforms: &[f32],
    images: [Option<usize>; 5],
) -> BoundFragment<'a> {
    let textures: Vec<_> = (0..)
        .zip(images)
        .filter_map(|(binding, image)| Some(((0, binding), &scene.images[image?])))
        .collect();
    let bindings = Bindings {
        buffers: &[((0, 0), bytemuck::cast_slice(uniforms))],
        textures: &textures,
        samplers: &[1, 2].map(|binding| ((0, binding), Sampler::default())),
    };
    shader.bind(&bindings).expect("all is bound")
}

fn shader(source: &str) -> FragmentShader {
    let code = Module::parse(source).and_then(|module| module.compile("main", &[]));
    let shader = code.and_then(|code| FragmentShader::new(&code));
    shader.expect("it is a fragment program")
}

/// Benches frames of a plane in a program.
fn frames<P: FragmentProgram + Sync>(
    criterion: &mut Criterion,
    name: &str,
    (program, kernels): (P, Kernels<P>),
) {
    let plane = plane();
    let draw = Draw {
        clip_from_world: view().clip_from_world(),
        double_sided: true,
        ..Draw::new(&plane, program)
    };
    let list = DrawList::with_kernels(vec![draw], settings(), kernels);
    let mut group = criterion.benchmark_group("drawn");
    group.throughput(Throughput::Elements(SIZE.picture.pow(2) as u64));
    for level in SimdLevel::available() {
        let mut renderer = Renderer::new(1, level).expect("it is listed");
        group.bench_function(BenchmarkId::new(name, level), |bencher| {
            bencher.iter(|| renderer.draw(&list, Recording::Off));
        });
    }
    group.finish();
}

fn drawn(criterion: &mut Criterion) {
    let scene = scene(SIZE.texture);
    let (plane, sun) = (plane(), sun());
    let lights = [sun];
    let compiled = |material: &Material| {
        DrawProgram::new(&ProgramSource {
            scene: &scene,
            material,
            primitive: &plane,
            frame: &FrameConstants {
                eye_world: Vec3::ZERO,
                lights: &lights,
                environment: None,
            },
        })
    };
    let [(_, five), .., (_, flat)] = materials();
    let lit = Material {
        emissive: Vec3::ZERO,
        ..five
    };
    let rows = [
        Vec3::ZERO.extend(lit.normal_scale),
        (-sun.direction_world).extend(lit.metallic),
        sun.radiance.extend(lit.roughness),
        lit.base_color,
    ];
    let uniforms = rows.map(|row| row.to_array());

    let (own, of_code) = (DrawProgram::kernels(), BoundFragment::kernels());
    frames(criterion, "flat", (compiled(&flat), own));
    let shader_of_flat = shader(include_str!("../shaders/flat.wgsl"));
    let images = [None, Some(0), None, None, None];
    let copy = bind(&shader_of_flat, &scene, &flat.base_color.to_array(), images);
    frames(criterion, "flat in WGSL", (copy, of_code));

    frames(criterion, "metallic-roughness", (compiled(&lit), own));
    let shader_of_lit = shader(include_str!("../shaders/metallic_roughness.wgsl"));
    let images = [None, None, Some(0), Some(1), Some(2)];
    let copy = bind(&shader_of_lit, &scene, uniforms.as_flattened(), images);
    frames(criterion, "metallic-roughness in WGSL", (copy, of_code));
}

criterion_group!(benches, shading, drawn);
criterion_main!(benches);
