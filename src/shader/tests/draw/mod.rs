//! Draws in WGSL against the same programs in Rust, and against pixels computed one by one.

mod faults;
mod traces;
mod twins;

use azulejo_grid::SampleCount;
use azulejo_render::raster::{FragmentMode, Kernels};
use azulejo_render::shading::texture::{Channels, TextureGroups};
use azulejo_render::shading::{FragmentInputs, FragmentOutput, FragmentProgram, VaryingLayout};
use azulejo_render::{
    Draw, DrawList, Recording, RenderSettings, Renderer, TextureSet, ToneMap, Traced, Tracing,
};
use azulejo_scene::{
    Encoding, Filter, ImageId, Orbit, Primitive, Sampler, Scene, Texture, TextureId, TextureImage,
    TextureRef, View,
};
use azulejo_simd::{Lanes, SimdLevel};
use glam::{Mat3, Vec2, Vec3};

use super::super::{Bindings, BoundFragment, FragmentShader, Module};

/// A shader of a source whose entry point is `main`.
fn shader(source: &str) -> FragmentShader {
    let code = Module::parse(source).and_then(|module| module.compile("main", &[]));
    let shader = code.and_then(|code| FragmentShader::new(&code));
    shader.unwrap_or_else(|error| panic!("{error}\n{source}"))
}

fn settings(tile_size: u32, samples: SampleCount) -> RenderSettings {
    RenderSettings {
        width: 150,
        height: 90,
        tile_size,
        samples,
        tone_map: ToneMap::None,
        ..RenderSettings::default()
    }
}

/// A triangle over the whole picture.
fn whole() -> Primitive {
    Primitive {
        positions: [[-1.0, -1.0], [3.0, -1.0], [-1.0, 3.0]]
            .map(|[x, y]| Vec3::new(x, y, 0.5))
            .into(),
        indices: vec![0, 1, 2],
        ..Primitive::default()
    }
}

/// Squares in waves that hide parts of each other, some of them smaller than a block of pixels.
fn waves() -> Primitive {
    let mut mesh = Primitive {
        tex_coords: vec![Vec::new()],
        ..Primitive::default()
    };
    let edge = 14_u32;
    for row in 0..=edge {
        for column in 0..=edge {
            let [u, v] = [column, row].map(|n| n as f32 / edge as f32);
            let height = 0.4 * (9.0 * u).sin() * (7.0 * v).cos();
            let x = 4.0 * u * u - 2.0;
            mesh.positions.push(Vec3::new(x, height, 4.0 * v - 2.0));
            mesh.normals.push(Vec3::new(-height, 1.0, 0.3 * v));
            mesh.tex_coords[0].push(Vec2::new(3.0 * u, 2.0 * v));
        }
    }
    for row in 0..edge {
        for column in 0..edge {
            let at = row * (edge + 1) + column;
            let [right, below] = [at + 1, at + edge + 1];
            mesh.indices
                .extend([at, below, right, right, below, below + 1]);
        }
    }
    mesh
}

fn view() -> View {
    let orbit = Orbit {
        theta: 0.3,
        phi: 0.9,
        radius: 3.0,
        target_world: Vec3::ZERO,
        y_fov: 0.9,
    };
    orbit.camera(None).view(150, 90)
}

fn noise() -> TextureImage {
    let texels: Vec<u8> = (0..64 * 64 * 4_u32)
        .map(|at| (at.wrapping_mul(2_654_435_761) >> 23) as u8)
        .collect();
    TextureImage::from_rgba8("noise", Encoding::Srgb, 64, 64, &texels).expect("a lawful size")
}

/// A texture in a light, in Rust.
#[derive(Clone)]
struct Lit<'a> {
    textures: TextureGroups<'a>,
    layout: VaryingLayout,
    light: [f32; 3],
}

impl<'a> Lit<'a> {
    fn new(scene: &'a Scene, light: [f32; 3]) -> Self {
        let mut textures = TextureGroups::default();
        let texture = TextureRef {
            texture: TextureId(0),
            tex_coord: 0,
            transform: Mat3::IDENTITY,
        };
        textures.add(scene, &texture, 0, Channels::RGBA);
        textures.pack();
        let mut layout = VaryingLayout::default();
        layout.normal_world = layout.take(3);
        layout.tex_coords[0] = layout.take(2);
        Self {
            textures,
            layout,
            light,
        }
    }
}

impl FragmentProgram for Lit<'_> {
    fn varyings(&self) -> VaryingLayout {
        self.layout
    }

    #[inline(always)]
    fn shade<L: Lanes>(&self, l: L, inputs: &FragmentInputs<L>) -> FragmentOutput<L> {
        let [nx, ny, nz, u, v, ..] = inputs.varyings;
        let [lx, ly, lz] = self.light;
        let mut colors = [[l.f(1.0); 4]];
        self.textures.0[0].sample(l, [u, v], &mut colors);
        let [r, g, b, a] = colors[0];
        let towards = l.mul_add(nz, l.f(lz), l.mul_add(ny, l.f(ly), nx * l.f(lx)));
        let light = l.max(towards, l.f(0.0)) + l.f(0.2);
        FragmentOutput {
            rgba: [r * light, g * light, b * light, a],
            keep: l.not(l.lt(a, l.f(0.3))),
        }
    }
}

/// [`Lit`] in WGSL; `discard` where its draw asks for that.
fn lit(discards: bool) -> String {
    let discard = if discards {
        "if c.a < 0.3 { discard; }"
    } else {
        ""
    };
    format!(
        "@group(0) @binding(0) var<uniform> light: vec3<f32>;
         @group(0) @binding(1) var image: texture_2d<f32>;
         @group(0) @binding(2) var filtered: sampler;
         @fragment fn main(@location(4) uv: vec2<f32>, @location(1) normal: vec3<f32>) -> @location(0) vec4<f32> {{
             let c = textureSample(image, filtered, uv);
             {discard}
             return vec4<f32>(c.rgb * (max(dot(normal, light), 0.0) + 0.2), c.a);
         }}"
    )
}

/// A light towards (0.3, 0.8, 0.5), as a uniform buffer.
const LIGHT: [f32; 4] = [0.3, 0.8, 0.5, 0.0];

/// Draws of a mesh with a program, which sample this image.
fn list<'a, P: FragmentProgram>(
    mesh: &'a Primitive,
    image: &'a TextureImage,
    (program, mode): (P, FragmentMode),
    (settings, kernels): (RenderSettings, Kernels<P>),
) -> DrawList<'a, P> {
    let draw = Draw {
        name: "waves".into(),
        clip_from_world: view().clip_from_world(),
        mode,
        double_sided: true,
        ..Draw::new(mesh, program)
    };
    DrawList {
        textures: TextureSet {
            images: std::slice::from_ref(image),
            environment: None,
        },
        ..DrawList::with_kernels(vec![draw], settings, kernels)
    }
}

/// A draw of a program in WGSL, without textures of the list.
fn drawn_by_code<'a>(
    draw: Draw<'a, BoundFragment<'a>>,
    settings: RenderSettings,
) -> DrawList<'a, BoundFragment<'a>> {
    DrawList::with_kernels(vec![draw], settings, BoundFragment::kernels())
}

fn pixels<P: FragmentProgram + Sync>(
    list: &DrawList<'_, P>,
    threads: usize,
    level: SimdLevel,
) -> Vec<[u8; 4]> {
    let mut renderer = Renderer::new(threads, level).expect("threads");
    let frame = renderer.try_draw(list, Recording::Off);
    frame.expect("it is drawn").picture.pixels
}

fn trace<P: FragmentProgram + Sync>(list: &DrawList<'_, P>, threads: usize) -> Traced {
    let mut renderer = Renderer::new(threads, SimdLevel::Auto).expect("threads");
    let sink = Tracing {
        fragment_hashes: true,
    };
    renderer.try_draw(list, sink).expect("it is drawn")
}

#[test]
fn draw_in_wgsl_gives_the_picture_of_the_same_program_in_rust() {
    let (mesh, image) = (waves(), noise());
    for sampler in [
        Sampler::default(),
        Sampler {
            mag: Filter::Nearest,
            mip: Some(Filter::Nearest),
            ..Sampler::default()
        },
    ] {
        let scene = Scene {
            images: vec![image.clone()],
            textures: vec![Texture {
                image: ImageId(0),
                sampler,
            }],
            ..Scene::default()
        };
        let in_rust = Lit::new(&scene, [LIGHT[0], LIGHT[1], LIGHT[2]]);
        for mode in [
            FragmentMode::Opaque,
            FragmentMode::Masked,
            FragmentMode::Blended,
        ] {
            let shader = shader(&lit(mode == FragmentMode::Masked));
            let in_wgsl = || {
                let bindings = Bindings {
                    buffers: &[((0, 0), bytemuck::cast_slice(&LIGHT))],
                    textures: &[((0, 1), &image)],
                    samplers: &[((0, 2), sampler)],
                };
                shader.bind(&bindings).expect("all is bound")
            };
            for samples in SampleCount::ALL {
                let settings = settings(32, samples);
                let expected = list(
                    &mesh,
                    &image,
                    (in_rust.clone(), mode),
                    (settings, Kernels::new()),
                );
                let expected = pixels(&expected, 1, SimdLevel::Auto);
                let found = list(
                    &mesh,
                    &image,
                    (in_wgsl(), mode),
                    (settings, BoundFragment::kernels()),
                );
                let found = pixels(&found, 1, SimdLevel::Auto);
                let drawn = expected.iter().filter(|pixel| pixel[3] > 0).count();
                assert!(drawn > 3000, "{drawn} pixels");
                let wrong = (0..expected.len()).find(|&at| expected[at] != found[at]);
                assert_eq!(wrong, None, "{mode:?}, {samples:?}, {sampler:?}");
            }
        }
    }
}

/// A program that branches by pixel, discards some, and samples a texture on one of its ways.
const BRANCHING: &str = "
    @group(0) @binding(0) var<uniform> seed: u32;
    @group(0) @binding(1) var image: texture_2d<f32>;
    @fragment fn main(@builtin(position) at: vec4<f32>) -> @location(0) vec4<f32> {
        let pixel = vec2<u32>(at.xy);
        var n = pixel.x * 7u + pixel.y * 13u + seed;
        var steps = 0u;
        loop {
            if n == 1u || steps == 40u { break; }
            if (n & 1u) == 0u { n = n / 2u; } else { n = 3u * n + 1u; }
            steps++;
        }
        if steps == 13u { discard; }
        var blue = 0.0;
        if steps > 20u { blue = textureLoad(image, pixel & vec2<u32>(63u), 0).b; }
        return vec4<f32>(f32(steps & 1u), f32(steps >> 1u & 1u), select(0.0, 1.0, blue > 0.2), 1.0);
    }";

/// Divisions by two, and other steps, of [`BRANCHING`] at a pixel.
fn steps([x, y]: [u32; 2], seed: u32) -> [u32; 2] {
    let (mut n, mut steps) = (x * 7 + y * 13 + seed, [0, 0]);
    while n != 1 && steps[0] + steps[1] < 40 {
        let is_odd = n % 2;
        n = if is_odd == 1 { 3 * n + 1 } else { n / 2 };
        steps[is_odd as usize] += 1;
    }
    steps
}

/// Colour of [`BRANCHING`] at a pixel, linear.
fn branching(at: [u32; 2], image: &TextureImage, seed: u32) -> [u8; 4] {
    let steps: u32 = steps(at, seed).iter().sum();
    if steps == 13 {
        return [0; 4];
    }
    let [x, y] = at.map(|place| place & 63);
    let texel = image.texels()[image.levels[0].texel_index(x, y)];
    let blue = f64::from(texel >> 16 & 0xff) / 255.0;
    // Codes near the bound do not occur.
    let is_blue = steps > 20 && ((blue + 0.055) / 1.055).powf(2.4) > 0.2;
    let full = |is_set| if is_set { 255 } else { 0 };
    [
        full(steps & 1 == 1),
        full(steps >> 1 & 1 == 1),
        full(is_blue),
        255,
    ]
}

#[test]
fn draw_that_branches_gives_each_pixel_what_it_gives_alone() {
    let (mesh, image, shader) = (whole(), noise(), shader(BRANCHING));
    let seed = 5_u32;
    let bindings = Bindings {
        buffers: &[((0, 0), &seed.to_le_bytes())],
        textures: &[((0, 1), &image)],
        ..Bindings::default()
    };
    let settings = settings(16, SampleCount::One);
    let program = shader.bind(&bindings).expect("all is bound");
    let draw = Draw {
        mode: FragmentMode::Masked,
        double_sided: true,
        ..Draw::new(&mesh, program)
    };
    let found = pixels(&drawn_by_code(draw, settings), 2, SimdLevel::Auto);
    for (at, found) in found.iter().enumerate() {
        let place = [at as u32 % settings.width, at as u32 / settings.width];
        assert_eq!(*found, branching(place, &image, seed), "pixel {place:?}");
    }
}

#[test]
fn draw_in_wgsl_is_the_same_for_threads_tiles_instruction_sets_and_traces() {
    let (mesh, image) = (waves(), noise());
    let shader = shader(&lit(true));
    let bindings = Bindings {
        buffers: &[((0, 0), bytemuck::cast_slice(&LIGHT))],
        textures: &[((0, 1), &image)],
        samplers: &[((0, 2), Sampler::default())],
    };
    let of = |tile_size| {
        let program = shader.bind(&bindings).expect("all is bound");
        let settings = settings(tile_size, SampleCount::One);
        list(
            &mesh,
            &image,
            (program, FragmentMode::Masked),
            (settings, BoundFragment::kernels()),
        )
    };
    let expected = pixels(&of(32), 1, SimdLevel::Scalar);
    for level in SimdLevel::available() {
        for (tile_size, threads) in [(16, 3), (32, 2), (128, 1)] {
            let found = pixels(&of(tile_size), threads, level);
            assert!(found == expected, "{level}, {tile_size}, {threads}");
        }
    }
    let one = trace(&of(16), 1);
    assert!(one.picture.pixels == expected, "traced");
    assert!(trace(&of(16), 3) == one, "traced by other threads");
}
