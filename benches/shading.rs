//! Nanoseconds a pixel of the built-in fragment programs, by SIMD level, one thread: `cargo bench --bench shading`.
//!
//! The pixels of a 512 x 512 picture, in tiles of 4x4, see a plane whose textures are turned by 30 degrees and minified by
//! 1.3: the common case of two mip levels. The first program costs nothing: what the bench itself does.

use azulejo::render::RenderSettings;
use azulejo::render::shading::{
    DrawProgram, FragmentInputs, FragmentOutput, FragmentProgram, FrameConstants, MAX_VARYINGS,
    ProgramSource, VaryingLayout,
};
use azulejo::scene::{
    Encoding, Environment, ImageId, LightInstance, LightKind, Material, Primitive, Projection,
    Sampler, Scene, Shading, Texture, TextureId, TextureImage, TextureRef, View,
};
use azulejo::simd::{Backend, LANES, LaneJob, Lanes, SimdLevel, dispatch};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use glam::{Mat3, Mat4, Vec2, Vec3, Vec4};

/// Edge of the picture in pixels.
const PICTURE: usize = 512;

/// Edge of the textures in texels.
const TEXTURE: u32 = 2048;

/// Texels a pixel.
const MINIFICATION: f32 = 1.3;

/// Shades the whole picture and sums the colours.
struct Picture<'a, P>(&'a P);

impl<P: FragmentProgram> LaneJob for Picture<'_, P> {
    type Output = [f32; LANES];

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> [f32; LANES] {
        let layout = self.0.varyings();
        let mut sum = l.f(0.0);
        for tile_y in 0..PICTURE / 4 {
            for tile_x in 0..PICTURE / 4 {
                let inputs = inputs(l, &layout, (tile_x * 4) as f32, (tile_y * 4) as f32);
                let [r, g, b, a] = self.0.shade(l, &inputs).rgba;
                sum = sum + (r + g) + (b + a);
            }
        }
        let mut sums = [0.0; LANES];
        l.store(sum, &mut sums);
        sums
    }
}

/// Varyings of the 4x4 pixels from (x, y): linear functions of the position.
#[inline(always)]
fn inputs<L: Lanes>(l: L, layout: &VaryingLayout, x: f32, y: f32) -> FragmentInputs<L> {
    const X: [f32; LANES] = [
        0., 1., 0., 1., 2., 3., 2., 3., 0., 1., 0., 1., 2., 3., 2., 3.,
    ];
    const Y: [f32; LANES] = [
        0., 0., 1., 1., 0., 0., 1., 1., 2., 2., 3., 3., 2., 2., 3., 3.,
    ];
    let x = l.load(&X) + l.f(x + 0.5);
    let y = l.load(&Y) + l.f(y + 0.5);
    let plane = |a: f32, b: f32, c: f32| l.mul_add(x, l.f(a), l.mul_add(y, l.f(b), l.f(c)));
    let mut varyings = [l.f(0.0); MAX_VARYINGS];
    let mut put = |at: Option<u8>, values: &[L::F]| {
        for (k, &value) in values.iter().enumerate() {
            if let Some(at) = at {
                varyings[usize::from(at) + k] = value;
            }
        }
    };
    put(
        layout.position_world,
        &[
            plane(0.004, 0.0, -1.0),
            plane(0.0, 0.004, -1.0),
            plane(0.001, 0.001, -3.0),
        ],
    );
    put(
        layout.normal_world,
        &[plane(0.002, 0.0, -0.5), plane(0.0, 0.002, -0.5), l.f(1.0)],
    );
    put(
        layout.tangent_world,
        &[
            l.f(1.0),
            plane(0.0005, 0.0, 0.0),
            plane(0.0, 0.0005, 0.0),
            l.f(1.0),
        ],
    );
    let step = MINIFICATION / TEXTURE as f32;
    let (sine, cosine) = (0.5 * step, 0.866 * step);
    put(
        layout.tex_coords[0],
        &[plane(cosine, -sine, 0.3), plane(sine, cosine, 0.1)],
    );
    FragmentInputs {
        varyings,
        front_facing: l.mask(0xffff),
        position_px: [x, y],
    }
}

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

/// Five different textures of one shape.
fn scene() -> Scene {
    let encodings = [
        Encoding::Srgb,
        Encoding::Linear,
        Encoding::Linear,
        Encoding::Linear,
        Encoding::Srgb,
    ];
    let image = |(seed, encoding): (u32, Encoding)| {
        let bytes: Vec<u8> = (0..TEXTURE * TEXTURE)
            .flat_map(|i| {
                let noise = (i ^ (seed * 77)).wrapping_mul(2_654_435_761) >> 8;
                let [r, g, ..] = noise.to_le_bytes();
                [r / 4 + 120, g / 4 + 100, 200, 255]
            })
            .collect();
        TextureImage::from_rgba8("noise", encoding, TEXTURE, TEXTURE, &bytes).expect("a valid size")
    };
    let images: Vec<_> = (0..).zip(encodings).map(image).collect();
    let texture = |i| Texture {
        image: ImageId(i),
        sampler: Sampler::default(),
    };
    Scene {
        images,
        textures: (0..5).map(texture).collect(),
        ..Scene::default()
    }
}

fn texture(id: u32) -> Option<TextureRef> {
    Some(TextureRef {
        texture: TextureId(id),
        tex_coord: 0,
        transform: Mat3::IDENTITY,
    })
}

fn materials() -> [(&'static str, Material); 4] {
    let five = Material {
        base_color_texture: texture(0),
        metallic_roughness_texture: texture(1),
        normal_texture: texture(2),
        occlusion_texture: texture(3),
        emissive: Vec3::ONE,
        emissive_texture: texture(4),
        ..Material::default()
    };
    let one = Material {
        base_color_texture: texture(0),
        roughness: 0.43,
        ..Material::default()
    };
    let none = Material {
        roughness: 0.43,
        ..Material::default()
    };
    let unlit = Material {
        shading: Shading::Unlit,
        ..one.clone()
    };
    [
        ("pbr 5 textures", five),
        ("pbr 1 texture", one),
        ("pbr 0 textures", none),
        ("unlit 1 texture", unlit),
    ]
}

fn sun() -> LightInstance {
    LightInstance {
        kind: LightKind::Directional,
        radiance: Vec3::splat(3.0),
        position_world: Vec3::ZERO,
        direction_world: Vec3::new(-0.4, -0.6, -0.7).normalize(),
        range: f32::INFINITY,
    }
}

fn shading(criterion: &mut Criterion) {
    let scene = scene();
    let environment = Environment::builtin();
    let primitive = Primitive {
        positions: vec![Vec3::ZERO],
        normals: vec![Vec3::Z],
        tangents: vec![Vec4::X],
        tex_coords: vec![vec![Vec2::ZERO]],
        ..Primitive::default()
    };
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
    let edge = PICTURE as u32;
    let view = View::through(&projection, Mat4::IDENTITY, edge, edge);
    let settings = RenderSettings {
        width: edge,
        height: edge,
        ..RenderSettings::default()
    };

    let mut group = criterion.benchmark_group("shading");
    group.throughput(Throughput::Elements((PICTURE * PICTURE) as u64));
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
        bench("nothing", &|backend| dispatch(backend, Picture(&nothing)));
        for (name, program) in &all {
            bench(name, &|backend| dispatch(backend, Picture(program)));
        }
        let sky = DrawProgram::sky(&environment, &view, &settings);
        bench("sky", &|backend| dispatch(backend, Picture(&sky)));
    }
    group.finish();
}

criterion_group!(benches, shading);
criterion_main!(benches);
