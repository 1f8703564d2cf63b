//! The built-in fragment programs on a plane whose textures are turned by 30 degrees and minified by 1.3, the common case
//! of two mip levels; shared by benches of shading. Pixels go in tiles of 4x4.

use azulejo::render::shading::{FragmentInputs, FragmentProgram, MAX_VARYINGS, VaryingLayout};
use azulejo::scene::{
    Encoding, ImageId, LightInstance, LightKind, Material, Primitive, Sampler, Scene, Shading,
    Texture, TextureId, TextureImage, TextureRef,
};
use azulejo::simd::{LANES, LaneJob, Lanes};
use glam::{Mat3, Vec2, Vec3, Vec4};

/// Minification of the textures, in texels a pixel.
const MINIFICATION: f32 = 1.3;

/// How much is shaded.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Size {
    /// Edge of the picture in pixels.
    pub(crate) picture: usize,
    /// Edge of the textures in texels.
    pub(crate) texture: u32,
}

/// Shades the whole picture and sums the colours.
pub(crate) struct Picture<'a, P>(pub(crate) &'a P, pub(crate) Size);

impl<P: FragmentProgram> LaneJob for Picture<'_, P> {
    type Output = [f32; LANES];

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> [f32; LANES] {
        let Self(program, size) = self;
        let layout = program.varyings();
        let step = MINIFICATION / size.texture as f32;
        let mut sum = l.f(0.0);
        for tile_y in 0..size.picture / 4 {
            for tile_x in 0..size.picture / 4 {
                let at = [(tile_x * 4) as f32, (tile_y * 4) as f32];
                let inputs = inputs(l, &layout, at, step);
                let [r, g, b, a] = program.shade(l, &inputs).rgba;
                sum = sum + (r + g) + (b + a);
            }
        }
        let mut sums = [0.0; LANES];
        l.store(sum, &mut sums);
        sums
    }
}

/// Varyings of the 4x4 pixels from (x, y): linear functions of the position; texture coordinates change by so much a pixel.
#[inline(always)]
fn inputs<L: Lanes>(
    l: L,
    layout: &VaryingLayout,
    [x, y]: [f32; 2],
    step: f32,
) -> FragmentInputs<L> {
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

/// Five different textures of one shape.
pub(crate) fn scene(edge: u32) -> Scene {
    let encodings = [
        Encoding::Srgb,
        Encoding::Linear,
        Encoding::Linear,
        Encoding::Linear,
        Encoding::Srgb,
    ];
    let image = |(seed, encoding): (u32, Encoding)| {
        let bytes: Vec<u8> = (0..edge * edge)
            .flat_map(|i| {
                let noise = (i ^ (seed * 77)).wrapping_mul(2_654_435_761) >> 8;
                let [r, g, ..] = noise.to_le_bytes();
                [r / 4 + 120, g / 4 + 100, 200, 255]
            })
            .collect();
        TextureImage::from_rgba8("noise", encoding, edge, edge, &bytes).expect("a valid size")
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

/// Materials on them, from much to little to do.
pub(crate) fn materials() -> [(&'static str, Material); 4] {
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

/// One directional light over the plane.
pub(crate) fn sun() -> LightInstance {
    LightInstance {
        kind: LightKind::Directional,
        radiance: Vec3::splat(3.0),
        position_world: Vec3::ZERO,
        direction_world: Vec3::new(-0.4, -0.6, -0.7).normalize(),
        range: f32::INFINITY,
    }
}

/// A point with all that the materials read.
pub(crate) fn primitive() -> Primitive {
    Primitive {
        positions: vec![Vec3::ZERO],
        normals: vec![Vec3::Z],
        tangents: vec![Vec4::X],
        tex_coords: vec![vec![Vec2::ZERO]],
        ..Primitive::default()
    }
}
