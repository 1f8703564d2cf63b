//! The pipeline against a naive painter, and against itself: any thread count, tile order, tile size and SIMD level
//! gives the same bytes.

mod near_plane;

use crate::painted::Painted;
use azulejo::grid::{Binning, SampleCount, TileOrder};
use azulejo::render::geometry::Placement;
use azulejo::render::raster::FragmentMode;
use azulejo::render::{
    Draw, DrawIdentity, DrawList, DrawName, Frame, Recording, RenderSettings, Renderer, ToneMap,
};
use azulejo::scene::{DepthState, Primitive, Topology};
use azulejo::simd::SimdLevel;
use glam::{Mat4, Vec3, Vec4};
use proptest::prelude::*;

const WIDTH: u32 = 83;
const HEIGHT: u32 = 61;

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

fn settings(samples: SampleCount) -> RenderSettings {
    RenderSettings {
        width: WIDTH,
        height: HEIGHT,
        samples,
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
            name: DrawName::default(),
            primitive,
            placement: Placement::Rigid(Mat4::IDENTITY),
            morph_weights: &[],
            clip_from_world: Mat4::IDENTITY,
            program: Painted::VertexColor {
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

/// Positions of a pixel's samples in it, in eighths of its edge: the centre, or Vulkan's standard places of four.
fn sample_places(samples: SampleCount) -> &'static [(i64, i64)] {
    match samples {
        SampleCount::One => &[(4, 4)],
        SampleCount::Four => &[(3, 1), (7, 3), (1, 5), (5, 7)],
    }
}

/// Whether the triangle covers a place in pixel (x, y): exact edge functions with the top-left rule, in eighths.
fn covers(triangle: &FlatTriangle, (x, y): (u32, u32), place: (i64, i64)) -> bool {
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
    let p = (i64::from(x) * 8 + place.0, i64::from(y) * 8 + place.1);
    [(a, b), (b, c), (c, a)].iter().all(|(from, to)| {
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let edge = dx * (p.1 - from.1) - dy * (p.0 - from.0);
        edge > 0 || (edge == 0 && (dy < 0 || (dy == 0 && dx > 0)))
    })
}

/// Every pixel painted triangle after triangle at each of its samples, premultiplied RGBA: their mean.
fn painted(triangles: &[FlatTriangle], samples: SampleCount) -> Vec<Vec4> {
    let places = sample_places(samples);
    let rows = (0..HEIGHT).flat_map(|y| (0..WIDTH).map(move |x| (x, y)));
    rows.map(|pixel| {
        let of_samples =
            (0..places.len()).map(|sample| painted_sample(triangles, pixel, sample, places));
        of_samples.sum::<Vec4>() / places.len() as f32
    })
    .collect()
}

fn painted_sample(
    triangles: &[FlatTriangle],
    pixel: (u32, u32),
    sample: usize,
    places: &[(i64, i64)],
) -> Vec4 {
    let (mut color, mut depth) = (Vec4::ZERO, 1.0);
    for triangle in triangles
        .iter()
        .filter(|triangle| covers(triangle, pixel, places[sample]))
    {
        if triangle.depth > depth {
            continue;
        }
        let source = triangle.color;
        // Alpha becomes coverage where there is more than one sample: the first ceil(alpha n) of n are kept.
        let left_out = places.len() > 1 && source.w <= sample as f32 / places.len() as f32;
        match triangle.mode {
            FragmentMode::Masked if source.w < CUTOFF || left_out => {}
            FragmentMode::Opaque | FragmentMode::Masked => {
                (color, depth) = (source.truncate().extend(1.0), triangle.depth);
            }
            FragmentMode::Blended => {
                color = color * (1.0 - source.w) + (source.truncate() * source.w).extend(source.w);
            }
        }
    }
    color
}

fn encoded(linear: f32) -> f32 {
    255.0
        * if linear <= 0.003_130_8 {
            linear * 12.92
        } else {
            1.055 * linear.powf(1.0 / 2.4) - 0.055
        }
}

/// A triangle over the whole picture, of a depth that grows by so much a pixel from a half in column `half_px` on.
fn slope(half_px: f32, a_pixel: f32, color: Vec4) -> Primitive {
    let corner = |x: f32, y: f32| {
        let depth = 0.5 + (x - half_px) * a_pixel;
        let [x, y] = [x / WIDTH as f32, y / HEIGHT as f32].map(|at| at * 2.0 - 1.0);
        Vec3::new(x, y, depth)
    };
    Primitive {
        topology: Topology::Triangles,
        indices: vec![0, 1, 2],
        positions: vec![
            corner(-100.0, -100.0),
            corner(300.0, -100.0),
            corner(-100.0, 300.0),
        ],
        colors: vec![color; 3],
        ..Primitive::default()
    }
}

#[test]
fn samples_of_surfaces_that_intersect_show_their_share() {
    let mut renderer = Renderer::new(1, SimdLevel::Auto).unwrap();
    // The second is nearer on the left of the line, which runs between columns of samples.
    for quarter in 0..=4_u8 {
        let line = 40.0 + f32::from(quarter) / 4.0;
        let [behind, before] = [
            slope(line, 0.0, Vec4::new(0.0, 0.0, 0.0, 1.0)),
            slope(line, 0.001, Vec4::ONE),
        ];
        for late in [false, true] {
            let draws = [&behind, &before].map(|primitive| Draw {
                double_sided: true,
                mode: match late {
                    true => FragmentMode::Masked,
                    false => FragmentMode::Opaque,
                },
                ..Draw::new(primitive, Painted::VertexColor { cutoff: None })
            });
            let list = DrawList::new(draws.into(), settings(SampleCount::Four));
            let picture = renderer.draw(&list, Recording::Off).picture;
            let pixel = picture.pixels[30 * WIDTH as usize + 40];
            let expected = encoded(f32::from(quarter) / 4.0);
            let near = (f32::from(pixel[0]) - expected).abs() <= 0.6;
            assert!(
                near && pixel[3] == 255,
                "{quarter} of 4, late test {late}: {pixel:?}"
            );
        }
    }
}

/// One or four samples a pixel.
fn samples() -> impl Strategy<Value = SampleCount> {
    prop_oneof![Just(SampleCount::One), Just(SampleCount::Four)]
}

/// A rectangle of whole pixels as two triangles; a mask keeps all of it.
fn rectangle() -> impl Strategy<Value = [FlatTriangle; 2]> {
    let corner = || (0..WIDTH, 0..HEIGHT);
    (corner(), corner(), flat_triangle()).prop_map(|(from, to, triangle)| {
        let [(x0, y0), (x1, y1)] = [from, to].map(|(x, y)| (x as f32, y as f32));
        let mut color = triangle.color;
        if triangle.mode == FragmentMode::Masked {
            color.w = 1.0;
        }
        let half = |corners| FlatTriangle {
            corners,
            color,
            ..triangle.clone()
        };
        [
            half([(x0, y0), (x1, y0), (x1, y1)]),
            half([(x0, y0), (x1, y1), (x0, y1)]),
        ]
    })
}

#[test]
fn samples_of_a_half_plane_show_their_share() {
    let mut renderer = Renderer::new(1, SimdLevel::Auto).unwrap();
    for eighths in 0..=8_u8 {
        // White to the left of an edge that is so many eighths of a pixel beyond column 10, and above one as far beyond
        // row 20.
        let edge = f32::from(eighths) / 8.0;
        let half = |corners| FlatTriangle {
            corners,
            depth: 0.5,
            color: Vec4::ONE,
            mode: FragmentMode::Opaque,
        };
        let column = half([
            (10.0 + edge, -1000.0),
            (10.0 + edge, 1000.0),
            (-1000.0, 0.0),
        ]);
        let row = half([
            (-1000.0, 20.0 + edge),
            (1000.0, 20.0 + edge),
            (0.0, -1000.0),
        ]);
        let found = [(column, (10, 30)), (row, (30, 20))].map(|(triangle, (x, y))| {
            let picture = draw(&mut renderer, &[triangle], &settings(SampleCount::Four)).picture;
            picture.pixels[y * WIDTH as usize + x]
        });
        // A sample lies in the middle of each quarter; one that the edge meets is on a right or bottom edge, which covers
        // nothing.
        let covered = eighths / 2;
        let alpha = (f32::from(covered) / 4.0 * 255.0 + 0.5) as u8;
        for pixel in found {
            assert_eq!(pixel[3], alpha, "{eighths} eighths: {covered} of 4");
            assert!(covered == 0 || pixel[..3] == [255; 3], "white: {pixel:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn pipeline_paints_what_a_naive_painter_paints(
        triangles in prop::collection::vec(flat_triangle(), 1..12),
        samples in samples(),
    ) {
        let mut renderer = Renderer::new(2, SimdLevel::Auto).unwrap();
        let frame = draw(&mut renderer, &triangles, &settings(samples));
        for (at, (ours, naive)) in frame.picture.pixels.iter().zip(painted(&triangles, samples)).enumerate() {
            prop_assert!((f32::from(ours[3]) - naive.w * 255.0).abs() <= 0.51, "alpha of pixel {at}: {ours:?}, {naive}");
            for (channel, value) in naive.truncate().to_array().into_iter().enumerate() {
                let straight = if naive.w > 0.0 { value / naive.w } else { 0.0 };
                let expected = encoded(straight.clamp(0.0, 1.0));
                prop_assert!((f32::from(ours[channel]) - expected).abs() <= 0.6, "pixel {at}: {ours:?}, {naive}");
            }
        }
    }

    #[test]
    fn pipeline_gives_the_same_bytes_however_it_runs(
        triangles in prop::collection::vec(flat_triangle(), 1..12),
        samples in samples(),
    ) {
        let settings = || settings(samples);
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
    fn pipeline_forgets_the_frame_before(
        triangles in prop::collection::vec(flat_triangle(), 1..12),
        before in prop_oneof![Just(f32::INFINITY), Just(f32::NAN), Just(-1e30_f32)],
        samples in samples(),
    ) {
        // One that covers the picture, of a colour that shows in whatever it is mixed into, were it by nothing of it.
        let flood = FlatTriangle {
            corners: [(-100.0, -100.0), (300.0, -100.0), (-100.0, 300.0)],
            depth: 0.0,
            color: Vec4::splat(before),
            mode: FragmentMode::Opaque,
        };
        let settings = settings(samples);
        for simd in SimdLevel::available() {
            let fresh = || Renderer::new(1, simd).unwrap();
            let mut used = fresh();
            draw(&mut used, std::slice::from_ref(&flood), &settings);
            let [found, expected] = [&mut used, &mut fresh()].map(|renderer| draw(renderer, &triangles, &settings));
            prop_assert_eq!(found, expected, "{:?}", simd);
        }
    }

    #[test]
    fn samples_of_whole_pixels_give_the_picture_without(
        rectangles in prop::collection::vec(rectangle(), 1..12),
    ) {
        let mut renderer = Renderer::new(2, SimdLevel::Auto).unwrap();
        let triangles = rectangles.concat();
        let [one, four] = SampleCount::ALL.map(|samples| draw(&mut renderer, &triangles, &settings(samples)));
        prop_assert_eq!(&one.picture, &four.picture);
        prop_assert_eq!(four.counters.unwrap().pixels_resolved(), 0, "no pixel has samples of two colours");
    }

    #[test]
    fn counters_balance(
        triangles in prop::collection::vec(flat_triangle(), 1..12),
        samples in samples(),
    ) {
        let mut renderer = Renderer::new(2, SimdLevel::Auto).unwrap();
        let counters = draw(&mut renderer, &triangles, &settings(samples)).counters.unwrap();
        let raster = counters.raster;
        prop_assert_eq!(raster.quads_rasterised, raster.quads_killed_early + raster.quads_shaded);
        prop_assert_eq!(
            raster.fragments_shaded,
            raster.fragments_killed_late + raster.fragments_written + raster.fragments_blended
        );
        let (mut pixels, mut of_samples) = (0, 0);
        for triangle in &triangles {
            for pixel in (0..HEIGHT).flat_map(|y| (0..WIDTH).map(move |x| (x, y))) {
                let places = sample_places(samples).iter();
                let covered = places.filter(|place| covers(triangle, pixel, **place)).count() as u64;
                pixels += u64::from(covered > 0);
                of_samples += covered;
            }
        }
        prop_assert_eq!(raster.fragments_rasterised, pixels, "every covered pixel is rasterised once");
        let counted = if samples == SampleCount::One { 0 } else { of_samples };
        prop_assert_eq!(raster.samples_covered, counted, "and every covered sample");
        prop_assert!(raster.samples_passed <= raster.samples_covered && raster.samples_passed <= 4 * raster.fragments_shaded);
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

#[test]
fn varyings_that_a_primitive_has_no_stream_for_are_zero() {
    let corners = [[-1.0, -1.0], [3.0, -1.0], [-1.0, 3.0]];
    let triangle = Primitive {
        positions: corners.map(|[x, y]| Vec3::new(x, y, 0.5)).into(),
        indices: vec![0, 1, 2],
        ..Primitive::default()
    };
    let draw = Draw {
        double_sided: true,
        ..Draw::new(&triangle, Painted::EveryVarying)
    };
    let list = DrawList::new(vec![draw], settings(SampleCount::One));
    let mut renderer = Renderer::new(1, SimdLevel::Auto).expect("this machine has lanes");
    let frame = renderer.draw(&list, Recording::Off);
    let black = frame
        .picture
        .pixels
        .iter()
        .all(|pixel| *pixel == [0, 0, 0, 255]);
    assert!(black, "a sum of zeros");
}
