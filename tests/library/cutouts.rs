//! Surfaces in perspective whose texture is transparent in places: leaving out blocks that show nothing changes neither a
//! byte nor a count.

use crate::unlit::with_input;
use azulejo::render::{Recording, RenderSettings, Renderer, SimdLevel, Traced, Tracing};
use azulejo::scene::{
    AlphaMode, Encoding, Filter, Primitive, Projection, Sampler, Scene, TextureImage, Topology,
    Wrap,
};
use azulejo::trace::RasterCounters;
use glam::{Mat3, Vec2, Vec3, Vec4};
use proptest::prelude::*;

const WIDTH: u32 = 131;
const HEIGHT: u32 = 87;

/// A parallelogram of two triangles; nearer than the near plane and outside the picture too.
#[derive(Debug, Clone)]
struct Card {
    corner: Vec3,
    edges: [Vec3; 2],
    /// Texture coordinates of the corner, and their change along the edges.
    uv: [Vec2; 3],
    tints: [Vec4; 4],
}

/// Settings that all cards share.
#[derive(Debug, Clone)]
struct Look {
    alpha_mode: AlphaMode,
    sampler: Sampler,
    transform: Mat3,
    image: TextureImage,
}

fn card() -> impl Strategy<Value = Card> {
    let edge = || [-9.0_f32..9.0, -9.0_f32..9.0, -9.0_f32..9.0].prop_map(Vec3::from);
    let corner = [-4.0_f32..4.0, -3.0_f32..3.0, -12.0_f32..-0.2].prop_map(Vec3::from);
    let along = || prop_oneof![3 => -1.0_f32..1.0, 1 => -6.0_f32..6.0];
    let uv = [[along(), along()], [along(), along()], [along(), along()]];
    let tint = || {
        [0..=2_u8, 0..=2, 0..=2, 0..=2]
            .prop_map(|c| Vec4::from_array(c.map(|c| f32::from(c) / 2.0)))
    };
    let tints = prop_oneof![
        4 => Just([Vec4::ONE; 4]),
        1 => tint().prop_map(|tint| [tint; 4]),
        1 => [tint(), tint(), tint(), tint()],
    ];
    (corner, [edge(), edge()], uv, tints).prop_map(|(corner, edges, uv, tints)| Card {
        corner,
        edges,
        uv: uv.map(Vec2::from),
        tints,
    })
}

/// Patches of alpha 0 and 255, some of any other.
fn image() -> impl Strategy<Value = TextureImage> {
    let size = || prop_oneof![Just(8_u32), Just(32), Just(128), 5_u32..150];
    (size(), size(), 3_u32..40, any::<u32>()).prop_map(|(width, height, patch, seed)| {
        let texel = |at: u32| {
            let (column, row) = (at % width, at / width);
            let number = column / patch * 31 + row / patch * 17 + 1;
            let noise = number.wrapping_mul(2_654_435_761) ^ seed;
            let alpha = match noise >> 13 & 7 {
                0..=3 => 0,
                4..=6 => 255,
                _ => (noise >> 16) as u8,
            };
            [(column * 7) as u8, (row * 5) as u8, 90, alpha]
        };
        let rgba: Vec<u8> = (0..width * height).flat_map(texel).collect();
        TextureImage::from_rgba8("patches", Encoding::Srgb, width, height, &rgba)
            .expect("a valid size")
    })
}

fn look() -> impl Strategy<Value = Look> {
    let wrap = || {
        prop_oneof![
            Just(Wrap::ClampToEdge),
            Just(Wrap::Repeat),
            Just(Wrap::MirroredRepeat)
        ]
    };
    let mip = prop_oneof![
        Just(None),
        Just(Some(Filter::Nearest)),
        Just(Some(Filter::Linear))
    ];
    let alpha_mode = prop_oneof![
        Just(AlphaMode::Blend),
        (0.0_f32..=1.1).prop_map(|cutoff| AlphaMode::Mask { cutoff }),
        Just(AlphaMode::Mask { cutoff: 1.0 }),
    ];
    let transform = prop_oneof![
        3 => Just(Mat3::IDENTITY),
        1 => (-3.0_f32..3.0, 0.3_f32..3.0, [-1.0_f32..1.0, -1.0_f32..1.0]).prop_map(|(turn, scale, by)| {
            Mat3::from_scale_angle_translation(Vec2::splat(scale), turn, by.into())
        }),
    ];
    (alpha_mode, wrap(), wrap(), mip, transform, image()).prop_map(
        |(alpha_mode, wrap_u, wrap_v, mip, transform, image)| Look {
            alpha_mode,
            sampler: Sampler {
                wrap_u,
                wrap_v,
                mip,
                ..Sampler::default()
            },
            transform,
            image,
        },
    )
}

fn scene(cards: &[Card], look: &Look) -> Scene {
    let mut primitive = Primitive {
        topology: Topology::Triangles,
        tex_coords: vec![Vec::new()],
        ..Primitive::default()
    };
    for card in cards {
        let first = primitive.positions.len() as u32;
        (primitive.indices).extend([0, 1, 2, 0, 2, 3].map(|corner| first + corner));
        let (at, [a, b]) = (card.corner, card.edges);
        primitive.positions.extend([at, at + a, at + a + b, at + b]);
        let [uv, along_a, along_b] = card.uv;
        let uvs = [uv, uv + along_a, uv + along_a + along_b, uv + along_b];
        primitive.tex_coords[0].extend(uvs);
        primitive.colors.extend(card.tints);
    }
    let texture = (look.image.clone(), look.sampler);
    crate::unlit::unlit(primitive, look.alpha_mode, texture, look.transform)
}

fn settings() -> RenderSettings {
    crate::unlit::settings_over(Vec3::new(0.1, 0.3, 0.2), [WIDTH, HEIGHT])
}

const PERSPECTIVE: Projection = Projection::Perspective {
    y_fov: 1.2,
    aspect: None,
    near: 0.1,
    far: Some(60.0),
};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    // Tracing shades every quad; the other ways are compared with it.
    #[test]
    fn cutouts_have_the_bytes_and_counts_of_who_shades_every_quad(
        cards in prop::collection::vec(card(), 1..8),
        look in look(),
    ) {
        let scene = scene(&cards, &look);
        let mut scalar = Renderer::new(1, SimdLevel::Scalar).unwrap();
        let Traced { picture: reference, trace } = with_input(&scene, &PERSPECTIVE, &settings(), |input| {
            scalar.draw(&input.draws(), Tracing::default())
        });
        let mut traced = RasterCounters::default();
        for tile in &trace.tiles {
            traced += tile.counters();
        }
        for simd in SimdLevel::available() {
            let mut renderer = Renderer::new(2, simd).unwrap();
            for tile_size in [8, 16, 64] {
                let settings = RenderSettings { tile_size, ..settings() };
                let plain = with_input(&scene, &PERSPECTIVE, &settings, |input| {
                    renderer.draw(&input.draws(), Recording::Off).picture
                });
                prop_assert!(plain.pixels == reference.pixels, "{simd:?}, tiles of {tile_size}");
            }
            let counted = with_input(&scene, &PERSPECTIVE, &settings(), |input| {
                renderer.draw(&input.draws(), Recording::Counters)
            });
            prop_assert!(counted.picture.pixels == reference.pixels, "{simd:?}, counted");
            // Those that follow from the others.
            let counted = RasterCounters {
                texture_samples: 0,
                samples_covered: 0,
                samples_passed: 0,
                ..counted.counters.expect("asked for").raster
            };
            prop_assert_eq!(counted, traced, "{}", simd);
        }
    }
}
