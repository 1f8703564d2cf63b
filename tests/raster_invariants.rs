//! The pipeline against a naive painter, and against itself: any thread count, tile order, tile size and SIMD level
//! gives the same bytes.

use azulejo::grid::{Binning, TileOrder};
use azulejo::render::geometry::{Placement, VaryingLayout};
use azulejo::render::raster::FragmentMode;
use azulejo::render::shading::{FragmentInputs, FragmentOutput, FragmentProgram};
use azulejo::render::{
    Draw, DrawIdentity, DrawList, Frame, Recording, RenderSettings, Renderer, ToneMap,
};
use azulejo::scene::{DepthState, Primitive, Topology};
use azulejo::simd::{Lanes, SimdLevel};
use glam::{Mat4, Vec3, Vec4};
use proptest::prelude::*;

const WIDTH: u32 = 83;
const HEIGHT: u32 = 61;

/// The vertex colour; below the cutoff of alpha it discards.
struct VertexColor {
    cutoff: Option<f32>,
}

impl FragmentProgram for VertexColor {
    fn varyings(&self) -> VaryingLayout {
        let mut layout = VaryingLayout::default();
        layout.color = layout.take(4);
        layout
    }

    #[inline(always)]
    fn shade<L: Lanes>(&self, l: L, inputs: &FragmentInputs<L>) -> FragmentOutput<L> {
        let rgba = std::array::from_fn(|k| inputs.varyings[k]);
        let keep = match self.cutoff {
            Some(cutoff) => l.le(l.f(cutoff), rgba[3]),
            None => l.mask(0xffff),
        };
        FragmentOutput { rgba, keep }
    }
}

/// A triangle of one colour at one depth, corners in pixels.
#[derive(Debug, Clone)]
struct FlatTriangle {
    corners: [(f32, f32); 3],
    depth: f32,
    color: Vec4,
    mode: FragmentMode,
}

fn mode() -> impl Strategy<Value = FragmentMode> {
    prop_oneof![
        Just(FragmentMode::Opaque),
        Just(FragmentMode::Masked),
        Just(FragmentMode::Blended)
    ]
}

fn flat_triangle() -> impl Strategy<Value = FlatTriangle> {
    // Steps of 1/8 pixel survive the viewport transform, so that both sides see the same corners.
    let coordinate = || (-160..900_i32).prop_map(|eighths| eighths as f32 / 8.0);
    let corners = [
        (coordinate(), coordinate()),
        (coordinate(), coordinate()),
        (coordinate(), coordinate()),
    ];
    let color = [0..=4_u8, 0..=4, 0..=4, 0..=4]
        .prop_map(|c| Vec4::from_array(c.map(|c| f32::from(c) / 4.0)));
    (corners, 0..8_u8, color, mode()).prop_map(|(corners, depth, color, mode)| FlatTriangle {
        corners,
        depth: f32::from(depth) / 8.0,
        color,
        mode,
    })
}

fn primitive(triangle: &FlatTriangle) -> Primitive {
    let position = |(x, y): (f32, f32)| {
        Vec3::new(
            x * 2.0 / WIDTH as f32 - 1.0,
            y * 2.0 / HEIGHT as f32 - 1.0,
            triangle.depth,
        )
    };
    Primitive {
        topology: Topology::Triangles,
        indices: vec![0, 1, 2],
        positions: triangle.corners.map(position).to_vec(),
        colors: vec![triangle.color; 3],
        ..Primitive::default()
    }
}

fn settings() -> RenderSettings {
    RenderSettings {
        width: WIDTH,
        height: HEIGHT,
        tone_map: ToneMap::None,
        ..RenderSettings::default()
    }
}

const CUTOFF: f32 = 0.5;

/// Every curve, over tiles and supertiles, in one direction and in both.
const ORDERS: [&str; 7] = [
    "scanline",
    "s-order:alternate",
    "z-order",
    "hilbert",
    "boustrophedonic",
    "hilbert:2x3:scanline",
    "z-order:3x3:s-order:alternate",
];

fn draw(renderer: &mut Renderer, triangles: &[FlatTriangle], settings: &RenderSettings) -> Frame {
    let primitives: Vec<_> = triangles.iter().map(primitive).collect();
    let draws: Vec<_> = triangles
        .iter()
        .zip(&primitives)
        .map(|(triangle, primitive)| Draw {
            name: String::new(),
            primitive,
            placement: Placement::Rigid(Mat4::IDENTITY),
            morph_weights: &[],
            clip_from_world: Mat4::IDENTITY,
            program: VertexColor {
                cutoff: (triangle.mode == FragmentMode::Masked).then_some(CUTOFF),
            },
            mode: triangle.mode,
            depth: DepthState::default(),
            double_sided: true,
            identity: DrawIdentity::default(),
        })
        .collect();
    renderer.draw(&DrawList::new(draws, *settings), Recording::Counters)
}

/// Whether the triangle covers the centre of pixel (x, y): exact edge functions with the top-left rule, in eighths.
fn covers(triangle: &FlatTriangle, x: u32, y: u32) -> bool {
    let [a, mut b, mut c] = triangle
        .corners
        .map(|(x, y)| ((x * 8.0) as i64, (y * 8.0) as i64));
    let area = (b.0 - a.0) * (c.1 - a.1) - (c.0 - a.0) * (b.1 - a.1);
    if area == 0 {
        return false;
    }
    if area < 0 {
        std::mem::swap(&mut b, &mut c);
    }
    let p = (i64::from(x) * 8 + 4, i64::from(y) * 8 + 4);
    [(a, b), (b, c), (c, a)].iter().all(|(from, to)| {
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let edge = dx * (p.1 - from.1) - dy * (p.0 - from.0);
        edge > 0 || (edge == 0 && (dy < 0 || (dy == 0 && dx > 0)))
    })
}

/// Every pixel painted triangle after triangle, premultiplied RGBA.
fn painted(triangles: &[FlatTriangle]) -> Vec<Vec4> {
    let mut pixels = Vec::new();
    for y in 0..HEIGHT {
        for x in 0..WIDTH {
            let (mut color, mut depth) = (Vec4::ZERO, 1.0);
            for triangle in triangles.iter().filter(|triangle| covers(triangle, x, y)) {
                if triangle.depth > depth {
                    continue;
                }
                let source = triangle.color;
                match triangle.mode {
                    FragmentMode::Masked if source.w < CUTOFF => {}
                    FragmentMode::Opaque | FragmentMode::Masked => {
                        (color, depth) = (source.truncate().extend(1.0), triangle.depth)
                    }
                    FragmentMode::Blended => {
                        color = color * (1.0 - source.w)
                            + (source.truncate() * source.w).extend(source.w);
                    }
                }
            }
            pixels.push(color);
        }
    }
    pixels
}

fn encoded(linear: f32) -> f32 {
    255.0
        * if linear <= 0.003_130_8 {
            linear * 12.92
        } else {
            1.055 * linear.powf(1.0 / 2.4) - 0.055
        }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn pipeline_paints_what_a_naive_painter_paints(triangles in prop::collection::vec(flat_triangle(), 1..12)) {
        let mut renderer = Renderer::new(2, SimdLevel::Auto).unwrap();
        let frame = draw(&mut renderer, &triangles, &settings());
        for (at, (ours, naive)) in frame.picture.pixels.iter().zip(painted(&triangles)).enumerate() {
            prop_assert!((f32::from(ours[3]) - naive.w * 255.0).abs() <= 0.51, "alpha of pixel {at}: {ours:?}, {naive}");
            for (channel, value) in naive.truncate().to_array().into_iter().enumerate() {
                let straight = if naive.w > 0.0 { value / naive.w } else { 0.0 };
                let expected = encoded(straight.clamp(0.0, 1.0));
                prop_assert!((f32::from(ours[channel]) - expected).abs() <= 0.6, "pixel {at}: {ours:?}, {naive}");
            }
        }
    }

    #[test]
    fn pipeline_gives_the_same_bytes_however_it_runs(triangles in prop::collection::vec(flat_triangle(), 1..12)) {
        let reference = draw(&mut Renderer::new(1, SimdLevel::Scalar).unwrap(), &triangles, &settings());
        for simd in SimdLevel::available() {
            for threads in [1, 2, 5] {
                let mut renderer = Renderer::new(threads, simd).unwrap();
                for order in ORDERS {
                    let tile_order = order.parse::<TileOrder>().unwrap();
                    let settings = RenderSettings { tile_order, ..settings() };
                    let frame = draw(&mut renderer, &triangles, &settings);
                    prop_assert_eq!(&frame, &reference, "{:?}, {} threads, {}", simd, threads, order);
                }
            }
            for tile_size in [8, 16, 64, 128] {
                let settings = RenderSettings { tile_size, ..settings() };
                let frame = draw(&mut Renderer::new(2, simd).unwrap(), &triangles, &settings);
                prop_assert_eq!(&frame.picture, &reference.picture, "{:?}, tiles of {}", simd, tile_size);
                let settings = RenderSettings { binning: Binning::BoundingBox, ..settings };
                let coarse = draw(&mut Renderer::new(2, simd).unwrap(), &triangles, &settings);
                prop_assert_eq!(&coarse.picture, &frame.picture, "{:?}, by bounding box", simd);
                let entries = |frame: &Frame| frame.counters.as_ref().map(|counters| counters.geometry.tile_entries);
                prop_assert!(entries(&coarse) >= entries(&frame), "no fewer entries");
            }
        }
    }

    #[test]
    fn counters_balance(triangles in prop::collection::vec(flat_triangle(), 1..12)) {
        let mut renderer = Renderer::new(2, SimdLevel::Auto).unwrap();
        let counters = draw(&mut renderer, &triangles, &settings()).counters.unwrap();
        let raster = counters.raster;
        prop_assert_eq!(raster.quads_rasterised, raster.quads_killed_early + raster.quads_shaded);
        prop_assert_eq!(
            raster.fragments_shaded,
            raster.fragments_killed_late + raster.fragments_written + raster.fragments_blended
        );
        let covered: u64 = triangles
            .iter()
            .map(|triangle| {
                (0..HEIGHT).map(|y| (0..WIDTH).filter(|&x| covers(triangle, x, y)).count() as u64).sum::<u64>()
            })
            .sum();
        prop_assert_eq!(raster.fragments_rasterised, covered, "every covered pixel is rasterised once");
        let geometry = counters.geometry;
        prop_assert_eq!(
            geometry.primitives_in,
            geometry.primitives_culled_frustum
                + geometry.primitives_culled_facing
                + geometry.primitives_culled_sample
                + geometry.primitives_binned
        );
    }
}
