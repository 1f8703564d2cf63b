//! Sampling against a naive double-precision implementation written from the Vulkan specification, mode by mode.

use std::cell::RefCell;

use proptest::prelude::*;

use super::filter::linear_from_srgb;
use super::*;
use azulejo_record::{TexelLog, TexelLogging};
use azulejo_scene::{Encoding, Filter, ImageId, Sampler, Texture, TextureId, TextureImage, Wrap};
use azulejo_simd::{LANES, LaneJob, Scalar, SimdLevel, dispatch};

/// Largest difference to the reference: coordinates are rounded to single precision before they are scaled to texels, and
/// neighbouring texels may differ by 1.
pub(super) const TOLERANCE: f64 = 4e-4;

/// sRGB decoding by IEC 61966-2-1.
fn exact_linear_from_srgb(byte: u8) -> f64 {
    let encoded = f64::from(byte) / 255.0;
    if encoded <= 0.04045 {
        encoded / 12.92
    } else {
        ((encoded + 0.055) / 1.055).powf(2.4)
    }
}

/// Texels of a level as the specification sees them: encoded colour decoded, 0..1.
fn texel(image: &TextureImage, level: usize, x: i64, y: i64) -> [f64; 4] {
    let bytes = image.texel(level, x as u32, y as u32);
    std::array::from_fn(|k| {
        if k < 3 && image.encoding == Encoding::Srgb {
            exact_linear_from_srgb(bytes[k])
        } else {
            f64::from(bytes[k]) / 255.0
        }
    })
}

/// Wrapping operation on integer texel coordinates.
fn wrapped(wrap: Wrap, i: i64, size: i64) -> i64 {
    match wrap {
        Wrap::Repeat => i.rem_euclid(size),
        Wrap::MirroredRepeat => {
            let n = i.rem_euclid(2 * size) - size;
            size - 1 - if n >= 0 { n } else { -(1 + n) }
        }
        Wrap::ClampToEdge => i.clamp(0, size - 1),
    }
}

/// Reference for the filter within one level.
fn level_color(
    image: &TextureImage,
    sampler: &Sampler,
    filter: Filter,
    level: usize,
    uv: [f64; 2],
) -> [f64; 4] {
    let size = [
        i64::from(image.levels[level].width),
        i64::from(image.levels[level].height),
    ];
    let at = |i: i64, j: i64| {
        let (x, y) = (
            wrapped(sampler.wrap_u, i, size[0]),
            wrapped(sampler.wrap_v, j, size[1]),
        );
        texel(image, level, x, y)
    };
    let [u, v] = [uv[0] * size[0] as f64, uv[1] * size[1] as f64];
    if filter == Filter::Nearest {
        return at(u.floor() as i64, v.floor() as i64);
    }
    let (i, j) = ((u - 0.5).floor(), (v - 0.5).floor());
    let (a, b) = (u - 0.5 - i, v - 0.5 - j);
    let (i, j) = (i as i64, j as i64);
    let [t00, t10, t01, t11] = [at(i, j), at(i + 1, j), at(i, j + 1), at(i + 1, j + 1)];
    std::array::from_fn(|k| {
        (1.0 - a) * (1.0 - b) * t00[k]
            + a * (1.0 - b) * t10[k]
            + (1.0 - a) * b * t01[k]
            + a * b * t11[k]
    })
}

/// The specification's sample with the derivatives (du/dx, dv/dx), (du/dy, dv/dy).
pub(super) fn reference(
    image: &TextureImage,
    sampler: &Sampler,
    uv: [f64; 2],
    derivatives: [[f64; 2]; 2],
) -> [f64; 4] {
    let size = [
        f64::from(image.levels[0].width),
        f64::from(image.levels[0].height),
    ];
    let length = |[du, dv]: [f64; 2]| (du * size[0]).hypot(dv * size[1]);
    let lod = length(derivatives[0]).max(length(derivatives[1])).log2();
    let filter = if lod <= 0.0 { sampler.mag } else { sampler.min };
    let last = (image.levels.len() - 1) as f64;
    let lod = lod.clamp(0.0, last);
    match sampler.mip {
        None => level_color(image, sampler, filter, 0, uv),
        Some(Filter::Nearest) => level_color(
            image,
            sampler,
            filter,
            ((lod + 0.5).ceil() - 1.0).max(0.0) as usize,
            uv,
        ),
        Some(Filter::Linear) => {
            let (upper, lower) = (lod.floor(), (lod.floor() + 1.0).min(last));
            let [a, b] =
                [upper, lower].map(|level| level_color(image, sampler, filter, level as usize, uv));
            std::array::from_fn(|k| a[k] + (lod - upper) * (b[k] - a[k]))
        }
    }
}

/// Samples of four quads: origins, and one pair of derivatives for all.
#[derive(Debug, Clone)]
struct Case {
    image: TextureImage,
    sampler: Sampler,
    origins: [[f32; 2]; 4],
    derivatives: [[f32; 2]; 2],
}

impl Case {
    fn coordinate(&self, axis: usize) -> [f32; LANES] {
        std::array::from_fn(|lane| {
            let (x, y) = ((lane & 1) as f32, (lane >> 1 & 1) as f32);
            self.origins[lane / 4][axis]
                + x * self.derivatives[0][axis]
                + y * self.derivatives[1][axis]
        })
    }

    /// Derivatives as the quad has them after rounding.
    fn rounded_derivatives(&self, quad: usize) -> [[f64; 2]; 2] {
        let [u, v] = [self.coordinate(0), self.coordinate(1)];
        let step =
            |to: usize, values: &[f32; LANES]| f64::from(values[4 * quad + to] - values[4 * quad]);
        [[step(1, &u), step(1, &v)], [step(2, &u), step(2, &v)]]
    }
}

/// Samples a case; the result is one colour a lane.
struct Sample<'a>(&'a TextureGroup<'a>, [[f32; LANES]; 2]);

impl LaneJob for Sample<'_> {
    type Output = [[f32; LANES]; 4];

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> [[f32; LANES]; 4] {
        let mut colors = [[l.f(0.0); 4]];
        self.0
            .sample(l, [l.load(&self.1[0]), l.load(&self.1[1])], &mut colors);
        let mut channels = [[0.0; LANES]; 4];
        for (to, channel) in channels.iter_mut().zip(colors[0]) {
            l.store(channel, to);
        }
        channels
    }
}

/// The sample by lanes that log their reads.
struct Watched<'a>(Sample<'a>);

impl LaneJob for Watched<'_> {
    type Output = [[f32; LANES]; 4];

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> [[f32; LANES]; 4] {
        let log = RefCell::new(TexelLog::default());
        self.0.run(TexelLogging { lanes, log: &log })
    }
}

/// Reads of each of the quads that own these lanes, and whether they are known of each by itself.
struct Reads<'a>(Sample<'a>, u32);

impl LaneJob for Reads<'_> {
    type Output = ([Vec<[u32; 4]>; 4], bool);

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Self::Output {
        let log = RefCell::new(TexelLog::default());
        log.borrow_mut().begin(self.1);
        self.0.run(TexelLogging { lanes, log: &log });
        let log = log.into_inner();
        let of_quad = |quad| log.of_quad(quad).taps().map(|tap| tap.1).collect();
        ([0, 1, 2, 3].map(of_quad), log.is_mixed())
    }
}

fn scene_of(case: &Case) -> Scene {
    scene_with(&case.image, case.sampler)
}

/// A scene of one texture.
pub(super) fn scene_with(image: &TextureImage, sampler: Sampler) -> Scene {
    let texture = Texture {
        image: ImageId(0),
        sampler,
    };
    Scene {
        images: vec![image.clone()],
        textures: vec![texture],
        ..Scene::default()
    }
}

pub(super) fn group_of(scene: &Scene) -> TextureGroups<'_> {
    let mut groups = TextureGroups::default();
    let texture = TextureRef {
        texture: TextureId(0),
        tex_coord: 0,
        transform: glam::Mat3::IDENTITY,
    };
    groups.add(scene, &texture, 0, Channels::RGBA);
    groups
}

/// White, transparent on its left half.
pub(super) fn half_clear(edge: u32) -> TextureImage {
    let alpha = |at: u32| if at % edge < edge / 2 { 0 } else { 255 };
    let rgba: Vec<u8> = (0..edge * edge)
        .flat_map(|at| [255, 255, 255, alpha(at)])
        .collect();
    TextureImage::from_rgba8("half", Encoding::Srgb, edge, edge, &rgba).expect("a valid size")
}

pub(super) fn image() -> impl Strategy<Value = TextureImage> {
    let size = prop_oneof![Just(1u32), Just(16), Just(64), 2u32..40];
    let encoding = prop_oneof![Just(Encoding::Srgb), Just(Encoding::Linear)];
    (size.clone(), size, encoding, any::<u32>()).prop_map(|(width, height, encoding, seed)| {
        let noise = |i: u32| ((i ^ seed).wrapping_mul(2_654_435_761) >> 13) as u8;
        let bytes: Vec<u8> = (0..width * height * 4).map(noise).collect();
        TextureImage::from_rgba8("noise", encoding, width, height, &bytes).expect("a valid size")
    })
}

fn sampler() -> impl Strategy<Value = Sampler> {
    let filter = || prop_oneof![Just(Filter::Nearest), Just(Filter::Linear)];
    let wrap = || {
        prop_oneof![
            Just(Wrap::Repeat),
            Just(Wrap::MirroredRepeat),
            Just(Wrap::ClampToEdge)
        ]
    };
    (
        filter(),
        filter(),
        proptest::option::of(filter()),
        wrap(),
        wrap(),
    )
        .prop_map(|(mag, min, mip, wrap_u, wrap_v)| Sampler {
            mag,
            min,
            mip,
            wrap_u,
            wrap_v,
        })
}

fn case() -> impl Strategy<Value = Case> {
    let origin = || prop_oneof![-0.1f32..1.1, -3.0f32..4.0];
    let origins = proptest::array::uniform4(proptest::array::uniform2(origin()));
    let derivative = || prop_oneof![-0.01f32..0.01, -0.2f32..0.2];
    let derivatives = proptest::array::uniform2(proptest::array::uniform2(derivative()));
    (image(), sampler(), origins, derivatives).prop_map(|(image, sampler, origins, derivatives)| {
        Case {
            image,
            sampler,
            origins,
            derivatives,
        }
    })
}

/// Whether rounding may select another texel, filter or level than exact arithmetic: then any of them is right.
fn is_undecided(case: &Case, quad: usize, uv: [f64; 2]) -> bool {
    let near_whole = |x: f64| (x - x.round()).abs() < 1e-3;
    let derivatives = case.rounded_derivatives(quad);
    let size = [case.image.levels[0].width, case.image.levels[0].height].map(f64::from);
    let length = |[du, dv]: [f64; 2]| (du * size[0]).hypot(dv * size[1]);
    let lod = length(derivatives[0]).max(length(derivatives[1])).log2();
    let nearest = [case.sampler.mag, case.sampler.min].contains(&Filter::Nearest);
    let at_texel_edge = case.image.levels.iter().any(|level| {
        near_whole(uv[0] * f64::from(level.width)) || near_whole(uv[1] * f64::from(level.height))
    });
    let at_level_edge = case.sampler.mip == Some(Filter::Nearest) && near_whole(lod + 0.5);
    nearest && (at_texel_edge || lod.abs() < 1e-3) || at_level_edge
}

proptest! {
    #[test]
    fn reads_of_a_quad_in_company_are_those_by_itself(
        case in case(),
        scales in proptest::array::uniform4(prop_oneof![Just(0.0f32), 0.01f32..30.0]),
        packed in any::<bool>(),
    ) {
        let scene = scene_of(&case);
        let mut groups = group_of(&scene);
        if packed {
            groups.pack();
        }
        let uv: [[f32; LANES]; 2] = [0, 1].map(|axis| {
            let along = case.coordinate(axis);
            std::array::from_fn(|lane| {
                let origin = case.origins[lane / 4][axis];
                origin + (along[lane] - origin) * scales[lane / 4]
            })
        });
        for level in SimdLevel::available() {
            let reads = |uv, lanes| -> Result<_, TestCaseError> {
                Ok(dispatch(level.backend()?, Reads(Sample(&groups.0[0], uv), lanes)))
            };
            let (together, is_mixed) = reads(uv, 0xffff)?;
            for quad in 0..4 {
                // All lanes repeat it.
                let own = uv.map(|axis| std::array::from_fn(|lane| axis[4 * quad + lane % 4]));
                let (alone, undecided) = reads(own, 0xffff)?;
                prop_assert!(!undecided, "{level}, quad {quad}: alike quads disagree");
                let (one, undecided) = reads(uv, 0xf << (4 * quad))?;
                prop_assert!(!undecided, "{level}, quad {quad}: one disagrees with itself");
                prop_assert_eq!(&one[quad], &alone[0], "{}, quad {}", level, quad);
                prop_assert!(is_mixed || together[quad] == alone[0], "{level}, quad {quad}: {together:?}, {alone:?}");
            }
        }
    }

    #[test]
    fn sample_equals_the_specification_in_double_precision(case in case(), packed in any::<bool>()) {
        let scene = scene_of(&case);
        let mut groups = group_of(&scene);
        if packed {
            groups.pack();
        }
        let uv = [case.coordinate(0), case.coordinate(1)];
        let expected_bits = dispatch(SimdLevel::Scalar.backend()?, Sample(&groups.0[0], uv));
        for level in SimdLevel::available() {
            let found = dispatch(level.backend()?, Sample(&groups.0[0], uv));
            prop_assert_eq!(found.map(|c| c.map(f32::to_bits)), expected_bits.map(|c| c.map(f32::to_bits)), "{}", level);
            let watched = dispatch(level.backend()?, Watched(Sample(&groups.0[0], uv)));
            prop_assert_eq!(watched.map(|c| c.map(f32::to_bits)), expected_bits.map(|c| c.map(f32::to_bits)), "{}, watched", level);
        }
        for lane in 0..LANES {
            let at = [f64::from(uv[0][lane]), f64::from(uv[1][lane])];
            if is_undecided(&case, lane / 4, at) {
                continue;
            }
            let exact = reference(&case.image, &case.sampler, at, case.rounded_derivatives(lane / 4));
            for channel in 0..4 {
                let error = (f64::from(expected_bits[channel][lane]) - exact[channel]).abs();
                prop_assert!(error < TOLERANCE, "lane {lane} channel {channel}: {} is {error} from {}", expected_bits[channel][lane], exact[channel]);
            }
        }
    }
}

#[test]
fn sample_at_coordinates_that_are_no_numbers_reads_inside_the_image() {
    let image =
        TextureImage::from_rgba8("one", Encoding::Linear, 2, 2, &[255; 16]).expect("a valid size");
    for wrap in [Wrap::Repeat, Wrap::MirroredRepeat, Wrap::ClampToEdge] {
        let sampler = Sampler {
            wrap_u: wrap,
            wrap_v: wrap,
            ..Sampler::default()
        };
        let case = Case {
            image: image.clone(),
            sampler,
            origins: [[0.0; 2]; 4],
            derivatives: [[0.0; 2]; 2],
        };
        let scene = scene_of(&case);
        let mut groups = group_of(&scene);
        let odd = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e30];
        let coordinates = std::array::from_fn(|lane| odd[lane / 4]);
        for packed in [false, true] {
            if packed {
                groups.pack();
            }
            for level in SimdLevel::available() {
                let backend = level.backend().expect("it is listed");
                let [red, ..] = dispatch(backend, Sample(&groups.0[0], [coordinates; 2]));
                assert!(
                    red.iter().all(|red| (red - 1.0).abs() < 1e-6),
                    "{level} {wrap:?}, in rows {packed}: {red:?}"
                );
            }
        }
    }
}

#[test]
fn srgb_of_every_byte_is_decoded_within_a_hundred_thousandth() {
    for byte in 0..=255_u32 {
        let texel = Scalar.i((byte | byte << 8 | byte << 16).cast_signed());
        let exact = exact_linear_from_srgb(byte as u8);
        for channel in linear_from_srgb(Scalar, [texel; 4]) {
            let error = (f64::from(channel[0].0[0]) - exact).abs();
            assert!(
                error < 1e-5,
                "byte {byte} decoded to {}, not {exact}",
                channel[0].0[0]
            );
        }
    }
}

#[test]
fn srgb_white_is_exactly_one_and_black_zero() {
    let decode = |texel: i32| linear_from_srgb(Scalar, [Scalar.i(texel); 4])[0][0].0[0];
    assert_eq!(decode(0xff), 1.0, "white");
    assert_eq!(decode(0), 0.0, "black");
}
