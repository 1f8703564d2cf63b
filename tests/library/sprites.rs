//! Surfaces without light or perspective (sprites, panels): against a painter in double precision, and against themselves
//! however they are drawn.

use crate::unlit::with_input;
use azulejo::grid::TileOrder;
use azulejo::render::{Recording, RenderSettings, Renderer, SimdLevel, Traced, Tracing};
use azulejo::scene::{
    AlphaMode, Encoding, Primitive, Projection, Sampler, Scene, TextureImage, Topology, Wrap,
};
use glam::{DVec4, Mat3, Vec2, Vec3, Vec4};
use proptest::prelude::*;

const WIDTH: u32 = 83;
const HEIGHT: u32 = 61;

/// Edge of the texture.
const EDGE: u32 = 24;

/// Frame background, before which everything is drawn.
const BEHIND: Vec3 = Vec3::new(0.1, 0.3, 0.2);

/// A quadrangle of two triangles.
#[derive(Debug, Clone)]
struct Sprite {
    /// Upper left, upper right, lower right, lower left; eighths of pixels.
    corners: [(i32, i32); 4],
    /// Texture coordinates of the upper left and the lower right corner.
    uv: [Vec2; 2],
    tints: [Vec4; 4],
}

/// The corners of its triangles.
const TRIANGLES: [[usize; 3]; 2] = [[0, 1, 2], [0, 2, 3]];

impl Sprite {
    fn uvs(&self) -> [Vec2; 4] {
        let [from, to] = self.uv;
        [from, Vec2::new(to.x, from.y), to, Vec2::new(from.x, to.y)]
    }
}

/// Settings that all sprites of a picture share.
#[derive(Debug, Clone, Copy)]
struct Look {
    alpha_mode: AlphaMode,
    wrap: Wrap,
    textured: bool,
}

fn sprite() -> impl Strategy<Value = Sprite> {
    let tint = || {
        [0..=4_u8, 0..=4, 0..=4, 0..=4]
            .prop_map(|c| Vec4::from_array(c.map(|c| f32::from(c) / 4.0)))
    };
    let tints = prop_oneof![
        2 => Just([Vec4::ONE; 4]),
        2 => tint().prop_map(|tint| [tint; 4]),
        1 => [tint(), tint(), tint(), tint()],
    ];
    let at = (-80..600_i32, -80..440_i32);
    let size = (1..500_i32, 1..400_i32);
    let uv = || prop_oneof![4 => 0.0_f32..=1.0, 1 => -1.5_f32..2.5];
    let uv = [[uv(), uv()], [uv(), uv()]].prop_map(|uv| uv.map(Vec2::from));
    (at, size, -60..60_i32, any::<bool>(), uv, tints).prop_map(
        |((x, y), (width, height), lean, mirrored, uv, tints)| {
            let mut corners = [
                (x + lean, y),
                (x + width + lean, y + lean),
                (x + width, y + height + lean),
                (x, y + height),
            ];
            if mirrored {
                corners.reverse();
            }
            Sprite { corners, uv, tints }
        },
    )
}

fn look() -> impl Strategy<Value = Look> {
    let alpha_mode = prop_oneof![1 => Just(AlphaMode::Opaque), 4 => Just(AlphaMode::Blend)];
    let wrap = prop_oneof![
        Just(Wrap::ClampToEdge),
        Just(Wrap::Repeat),
        Just(Wrap::MirroredRepeat)
    ];
    (alpha_mode, wrap, prop::bool::weighted(0.8)).prop_map(|(alpha_mode, wrap, textured)| Look {
        alpha_mode,
        wrap,
        textured,
    })
}

/// Transparent and opaque patches, and a few between.
fn image() -> TextureImage {
    let rgba: Vec<u8> = (0..EDGE * EDGE)
        .flat_map(|at| {
            let (x, y) = (at % EDGE, at / EDGE);
            let alpha = match (x / 8 + y / 12 * 2) % 4 {
                0 => 0,
                1 | 2 => 255,
                _ => (x * 9) as u8,
            };
            [(x * 10) as u8, (y * 10) as u8, ((x * y) % 256) as u8, alpha]
        })
        .collect();
    TextureImage::from_rgba8("patches", Encoding::Srgb, EDGE, EDGE, &rgba).expect("a valid size")
}

fn scene(sprites: &[Sprite], look: Look) -> Scene {
    let mut primitive = Primitive {
        topology: Topology::Triangles,
        tex_coords: vec![Vec::new()],
        ..Primitive::default()
    };
    for sprite in sprites {
        let first = primitive.positions.len() as u32;
        let indices = TRIANGLES.concat();
        (primitive.indices).extend(indices.iter().map(|corner| first + *corner as u32));
        primitive.positions.extend(sprite.corners.map(|(x, y)| {
            let [x, y] = [x, y].map(|eighths| eighths as f32 / 8.0);
            Vec3::new(x - WIDTH as f32 / 2.0, HEIGHT as f32 / 2.0 - y, -1.0)
        }));
        primitive.tex_coords[0].extend(sprite.uvs());
        primitive.colors.extend(sprite.tints);
    }
    let sampler = Sampler {
        wrap_u: look.wrap,
        wrap_v: look.wrap,
        mip: None,
        ..Sampler::default()
    };
    let mut scene = crate::unlit::unlit(
        primitive,
        look.alpha_mode,
        (image(), sampler),
        Mat3::IDENTITY,
    );
    if !look.textured {
        scene.materials[0].base_color_texture = None;
    }
    scene
}

fn settings() -> RenderSettings {
    crate::unlit::settings_over(BEHIND, [WIDTH, HEIGHT])
}

const PARALLEL: Projection = Projection::Orthographic {
    x_mag: WIDTH as f32 / 2.0,
    y_mag: HEIGHT as f32 / 2.0,
    near: 0.0,
    far: 2.0,
};

/// Drawn by this renderer, without an observer that counts.
fn draw(renderer: &mut Renderer, scene: &Scene, settings: &RenderSettings) -> Vec<[u8; 4]> {
    with_input(scene, &PARALLEL, settings, |input| {
        renderer.draw(&input.draws(), Recording::Off).picture.pixels
    })
}

/// Twice the area of three points in order, in eighths of pixels.
fn area(a: (i64, i64), b: (i64, i64), c: (i64, i64)) -> i64 {
    (b.0 - a.0) * (c.1 - a.1) - (c.0 - a.0) * (b.1 - a.1)
}

/// Shares of the corners at a pixel's centre, if the triangle covers it: exact edge functions with the top-left rule.
fn shares(corners: [(i32, i32); 3], (x, y): (u32, u32)) -> Option<[f64; 3]> {
    let wide = corners.map(|(x, y)| (i64::from(x), i64::from(y)));
    let whole = area(wide[0], wide[1], wide[2]);
    if whole == 0 {
        return None;
    }
    let p = (i64::from(x) * 8 + 4, i64::from(y) * 8 + 4);
    let mut shares = [0.0; 3];
    for (k, share) in shares.iter_mut().enumerate() {
        let (mut from, mut to) = (wide[(k + 1) % 3], wide[(k + 2) % 3]);
        if whole < 0 {
            std::mem::swap(&mut from, &mut to);
        }
        let edge = area(from, to, p);
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        if edge < 0 || edge == 0 && !(dy < 0 || (dy == 0 && dx > 0)) {
            return None;
        }
        *share = edge as f64 / whole.abs() as f64;
    }
    Some(shares)
}

fn linear(encoded: f64) -> f64 {
    if encoded <= 0.04045 {
        encoded / 12.92
    } else {
        ((encoded + 0.055) / 1.055).powf(2.4)
    }
}

fn wrapped(wrap: Wrap, at: i64) -> u32 {
    let size = i64::from(EDGE);
    (match wrap {
        Wrap::Repeat => at.rem_euclid(size),
        Wrap::ClampToEdge => at.clamp(0, size - 1),
        Wrap::MirroredRepeat => {
            let n = at.rem_euclid(2 * size);
            if n < size { n } else { 2 * size - 1 - n }
        }
    }) as u32
}

/// The texture's straight linear colour, bilinear.
fn sample(image: &TextureImage, wrap: Wrap, [u, v]: [f64; 2]) -> DVec4 {
    let [x, y] = [u, v].map(|at| at * f64::from(EDGE) - 0.5);
    let (column, row) = (x.floor(), y.floor());
    let mut sum = DVec4::ZERO;
    for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
        let weight = |d: i64, part: f64| if d == 1 { part } else { 1.0 - part };
        let [i, j] = [column as i64 + dx, row as i64 + dy].map(|at| wrapped(wrap, at));
        let [r, g, b, a] = image.texel(0, i, j).map(|byte| f64::from(byte) / 255.0);
        let texel = DVec4::new(linear(r), linear(g), linear(b), a);
        sum += texel * weight(dx, x - column) * weight(dy, y - row);
    }
    sum
}

/// The pixel as a painter paints it, sprite over sprite, in 255 levels.
fn painted(sprites: &[Sprite], look: Look, image: &TextureImage, pixel: (u32, u32)) -> [f64; 3] {
    let mut color = BEHIND.as_dvec3();
    for sprite in sprites {
        for corners in TRIANGLES {
            let Some(shares) = shares(corners.map(|k| sprite.corners[k]), pixel) else {
                continue;
            };
            let mix = |of: &dyn Fn(usize) -> DVec4| -> DVec4 {
                corners
                    .iter()
                    .zip(shares)
                    .map(|(k, share)| of(*k) * share)
                    .sum()
            };
            let mut source = mix(&|k| sprite.tints[k].as_dvec4());
            if look.textured {
                let uvs = sprite.uvs();
                let uv = mix(&|k| uvs[k].extend(0.0).extend(0.0).as_dvec4());
                source *= sample(image, look.wrap, [uv.x, uv.y]);
            }
            let alpha = match look.alpha_mode {
                AlphaMode::Blend => source.w,
                _ => 1.0,
            };
            color = color * (1.0 - alpha) + source.truncate() * alpha;
        }
    }
    color.to_array().map(|linear| {
        255.0
            * if linear <= 0.003_130_8 {
                linear * 12.92
            } else {
                1.055 * linear.powf(1.0 / 2.4) - 0.055
            }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn sprites_are_what_a_painter_paints(
        sprites in prop::collection::vec(sprite(), 1..10),
        look in look(),
    ) {
        let image = image();
        let mut renderer = Renderer::new(2, SimdLevel::Auto).unwrap();
        let pixels = draw(&mut renderer, &scene(&sprites, look), &settings());
        for (at, ours) in (0..).zip(pixels) {
            let pixel = (at % WIDTH, at / WIDTH);
            let theirs = painted(&sprites, look, &image, pixel);
            for (ours, theirs) in ours.into_iter().zip(theirs) {
                prop_assert!((f64::from(ours) - theirs).abs() <= 0.6, "{pixel:?}: {ours} for {theirs}");
            }
        }
    }

    #[test]
    fn sprites_have_the_same_bytes_however_they_are_drawn(
        sprites in prop::collection::vec(sprite(), 1..10),
        look in look(),
    ) {
        let scene = scene(&sprites, look);
        let reference = draw(&mut Renderer::new(1, SimdLevel::Scalar).unwrap(), &scene, &settings());
        for simd in SimdLevel::available() {
            let mut renderer = Renderer::new(3, simd).unwrap();
            for tile_size in [8, 32, 128] {
                let tile_order: TileOrder = "hilbert".parse().unwrap();
                let settings = RenderSettings { tile_size, tile_order, ..settings() };
                let again = draw(&mut renderer, &scene, &settings);
                prop_assert!(again == reference, "{simd:?}, tiles of {tile_size}");
            }
            with_input(&scene, &PARALLEL, &settings(), |input| {
                let counted = renderer.draw(&input.draws(), Recording::Counters).picture;
                prop_assert!(counted.pixels == reference, "{simd:?}, counted");
                let Traced { picture, .. } = renderer.draw(&input.draws(), Tracing::default());
                prop_assert!(picture.pixels == reference, "{simd:?}, traced");
                Ok(())
            })?;
        }
    }

    #[test]
    fn sprites_show_nothing_of_the_frame_before(
        sprites in prop::collection::vec(sprite(), 1..10),
        look in look(),
    ) {
        // One over the whole picture, of a colour that shows in whatever it is mixed into, were it by nothing of it.
        let [right, bottom] = [WIDTH, HEIGHT].map(|px| 8 * px.cast_signed());
        let flood = Sprite {
            corners: [(0, 0), (right, 0), (right, bottom), (0, bottom)],
            uv: [Vec2::ZERO, Vec2::ONE],
            tints: [Vec4::ONE; 4],
        };
        let opaque = Look { alpha_mode: AlphaMode::Opaque, textured: false, ..look };
        let mut before = scene(&[flood], opaque);
        before.materials[0].base_color = Vec4::splat(f32::INFINITY);
        let scene = scene(&sprites, look);
        for simd in SimdLevel::available() {
            let fresh = || Renderer::new(1, simd).unwrap();
            let mut used = fresh();
            draw(&mut used, &before, &settings());
            let [found, expected] = [&mut used, &mut fresh()].map(|renderer| draw(renderer, &scene, &settings()));
            prop_assert!(found == expected, "{simd:?}");
        }
    }
}

#[test]
fn sprites_that_cannot_be_seen_are_counted_as_shaded() {
    // The picture's upper left patch is transparent.
    let sprite = Sprite {
        corners: [(0, 0), (400, 0), (400, 400), (0, 400)],
        uv: [Vec2::splat(0.05), Vec2::splat(0.2)],
        tints: [Vec4::ONE; 4],
    };
    let look = Look {
        alpha_mode: AlphaMode::Blend,
        wrap: Wrap::ClampToEdge,
        textured: true,
    };
    let mut renderer = Renderer::new(1, SimdLevel::Auto).expect("this machine has lanes");
    let frame = with_input(&scene(&[sprite], look), &PARALLEL, &settings(), |input| {
        renderer.draw(&input.draws(), Recording::Counters)
    });
    let raster = frame.counters.expect("asked for").raster;
    assert_eq!(raster.fragments_blended, 50 * 50, "a GPU blends them");
    let first = frame.picture.pixels[0];
    assert!(
        frame.picture.pixels.iter().all(|pixel| *pixel == first),
        "nothing shows"
    );
}
