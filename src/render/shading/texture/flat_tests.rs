//! Flat samples against the specification in double precision, and what is said of alphas against every pixel.

use proptest::prelude::*;

use super::flat::{FlatMemo, FlatPlace, FlatSample, FlatTexture, Plane};
use super::tests::{TOLERANCE, group_of, half_clear, image, reference, scene_with};
use azulejo_scene::{Alphas, Encoding, Filter, Sampler, TextureImage, Wrap};
use azulejo_simd::{LANES, LaneJob, Lanes, Scalar, SimdLevel, dispatch, each};

/// A triangle with right angles: corners at (0, 0), (width, 0), (0, height), turned by its coordinates alone.
#[derive(Debug, Clone)]
struct Case {
    image: TextureImage,
    sampler: Sampler,
    size_px: [f32; 2],
    /// Texture coordinates, by corner.
    uv: [[f32; 2]; 3],
}

impl Case {
    /// The plane of three values at the corners.
    fn plane(&self, [value, right, below]: [f32; 3]) -> Plane {
        let [width, height] = self.size_px;
        Plane {
            value,
            dx: (right - value) / width,
            dy: (below - value) / height,
        }
    }

    /// Coordinates at a distance from the first corner, and their derivatives along x and y, exactly.
    fn exact(&self, [x, y]: [f64; 2]) -> ([f64; 2], [[f64; 2]; 2]) {
        let [width, height] = self.size_px.map(f64::from);
        let [a, b, c] = self.uv.map(|uv| uv.map(f64::from));
        let along = |to: [f64; 2], size: f64| [0, 1].map(|k: usize| (to[k] - a[k]) / size);
        let (dx, dy) = (along(b, width), along(c, height));
        (
            [0, 1].map(|k: usize| a[k] + dx[k] * x + dy[k] * y),
            [dx, dy],
        )
    }

    /// Result of `say` for the triangle's sample and its texture, if it has one.
    fn sampled<L: Lanes, T>(
        &self,
        l: L,
        say: impl FnOnce(&FlatSample, &FlatTexture<'_>) -> T,
    ) -> Option<T> {
        let scene = scene_with(&self.image, self.sampler);
        let mut groups = group_of(&scene);
        groups.pack();
        let texture = groups.0[0].flat(0).expect("one texture, filtered linearly");
        let sample = FlatSample::new(l, &texture, self.uv, |v| self.plane(v), self.size_px)?;
        Some(say(&sample, &texture))
    }

    /// Whether a distance lies in the triangle.
    fn covers(&self, [x, y]: [f32; 2]) -> bool {
        let [width, height] = self.size_px;
        x >= 0.0 && y >= 0.0 && x / width + y / height <= 1.0
    }
}

/// Colours of the block whose first pixel's centre is at this distance from the corner.
struct Block<'a>(&'a Case, [f32; 2]);

fn distances([x, y]: [f32; 2]) -> [[f32; LANES]; 2] {
    [
        std::array::from_fn(|lane| x + (lane / 4 % 2 * 2 + lane % 2) as f32),
        std::array::from_fn(|lane| y + (lane / 8 * 2 + lane / 2 % 2) as f32),
    ]
}

impl LaneJob for Block<'_> {
    type Output = Option<[[f32; LANES]; 4]>;

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> Self::Output {
        let Self(case, at) = self;
        case.sampled(l, |sample, texture| {
            color(l, sample, texture, ([0, 0], at), &mut FlatMemo::default())
        })
    }
}

/// The colour of the block in this column and row, whose first pixel's centre is at this distance from the corner.
fn color<L: Lanes>(
    l: L,
    sample: &FlatSample,
    texture: &FlatTexture<'_>,
    (block, at): ([u32; 2], [f32; 2]),
    memo: &mut FlatMemo,
) -> [[f32; LANES]; 4] {
    let [x, y] = distances(at);
    let place = FlatPlace {
        triangle: 7,
        block,
        distance: [l.load(&x), l.load(&y)],
    };
    let color = sample.color(l, texture, &place, memo);
    each!(4, k => {
        let mut stored = [0.0; LANES];
        l.store(color[k], &mut stored);
        stored
    })
}

fn wrap() -> impl Strategy<Value = Wrap> {
    prop_oneof![
        Just(Wrap::Repeat),
        Just(Wrap::MirroredRepeat),
        Just(Wrap::ClampToEdge)
    ]
}

fn case(image: impl Strategy<Value = TextureImage>) -> impl Strategy<Value = Case> {
    let uv = || prop_oneof![3 => 0.0_f32..=1.0, 1 => -2.5_f32..3.0];
    let mip = prop_oneof![Just(None), Just(Some(Filter::Linear))];
    let size = [4.0_f32..60.0, 4.0_f32..60.0];
    let uvs = [[uv(), uv()], [uv(), uv()], [uv(), uv()]];
    (image, wrap(), wrap(), mip, size, uvs).prop_map(|(image, wrap_u, wrap_v, mip, size_px, uv)| {
        let sampler = Sampler {
            wrap_u,
            wrap_v,
            mip,
            ..Sampler::default()
        };
        Case {
            image,
            sampler,
            size_px,
            uv,
        }
    })
}

/// Patches of alpha 0 and 255, and some of any other.
fn patches() -> impl Strategy<Value = TextureImage> {
    (4_u32..70, 4_u32..70, any::<u32>()).prop_map(|(width, height, seed)| {
        let alpha = |at: u32| {
            let (column, row) = (at % width / 7, at / width / 9);
            let noise = (column * 31 + row * 17 + 1).wrapping_mul(2_654_435_761) ^ seed;
            match noise >> 13 & 3 {
                0 | 1 => 0,
                2 => 255,
                _ => (noise >> 16) as u8,
            }
        };
        let rgba: Vec<u8> = (0..width * height)
            .flat_map(|at| [200, 100, 50, alpha(at)])
            .collect();
        TextureImage::from_rgba8("patches", Encoding::Srgb, width, height, &rgba)
            .expect("a valid size")
    })
}

proptest! {
    #[test]
    fn flat_sample_equals_the_specification_in_double_precision(
        case in case(image()),
        at in [0.0_f32..56.0, 0.0_f32..56.0],
    ) {
        let found = dispatch(SimdLevel::Scalar.backend()?, Block(&case, at));
        for level in SimdLevel::available() {
            let same = dispatch(level.backend()?, Block(&case, at));
            prop_assert_eq!(same, found, "{}", level);
        }
        let Some(found) = found else {
            return Ok(());
        };
        let [x, y] = distances(at);
        for lane in (0..LANES).filter(|lane| case.covers([x[*lane], y[*lane]])) {
            let (uv, derivatives) = case.exact([x[lane], y[lane]].map(f64::from));
            let exact = reference(&case.image, &case.sampler, uv, derivatives);
            for channel in 0..4 {
                let error = (f64::from(found[channel][lane]) - exact[channel]).abs();
                prop_assert!(error < TOLERANCE, "lane {lane} channel {channel}: {} is {error} off", found[channel][lane]);
            }
        }
    }

    #[test]
    fn flat_alphas_hold_for_every_pixel_of_the_block(
        case in case(patches()),
        at in [0.0_f32..56.0, 0.0_f32..56.0],
    ) {
        let alphas = case.sampled(Scalar, |sample, texture| {
            sample.alphas(texture, at, sample.reach([3.0, 3.0]))
        });
        let Some(alphas) = alphas else {
            return Ok(());
        };
        let [x, y] = distances(at);
        let alpha = dispatch(SimdLevel::Scalar.backend()?, Block(&case, at)).expect("as above")[3];
        for lane in (0..LANES).filter(|lane| case.covers([x[*lane], y[*lane]])) {
            prop_assert!(!alphas.all_zero() || alpha[lane] == 0.0, "lane {lane} shows {}", alpha[lane]);
            prop_assert!(!alphas.all_one() || alpha[lane] == 1.0, "lane {lane} is seen through: {}", alpha[lane]);
        }
    }
}

/// Colours of these blocks of a triangle whose coordinates go along the axes, with one memory of columns and rows, and each
/// with one of its own.
struct Blocks<'a>(&'a Case, Vec<[u32; 2]>);

impl LaneJob for Blocks<'_> {
    type Output = Option<Vec<[[[u32; LANES]; 4]; 2]>>;

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> Self::Output {
        let Self(case, blocks) = self;
        case.sampled(l, |sample, texture| {
            let mut kept = FlatMemo::default();
            let of_block = |block: [u32; 2]| {
                let place = (block, block.map(|at| (4 * at) as f32 + 0.5));
                let alone = color(l, sample, texture, place, &mut FlatMemo::default());
                [color(l, sample, texture, place, &mut kept), alone]
                    .map(|color| color.map(|channel| channel.map(f32::to_bits)))
            };
            blocks.into_iter().map(of_block).collect()
        })
    }
}

/// The case with u along x and v along y.
fn along_axes(case: Case) -> Case {
    let [a, b, c] = case.uv;
    Case {
        uv: [a, [b[0], a[1]], [a[0], c[1]]],
        ..case
    }
}

proptest! {
    #[test]
    fn flat_colors_do_not_depend_on_what_was_kept_of_other_blocks(
        case in case(image()),
        blocks in prop::collection::vec(prop::array::uniform2(0_u32..20), 1..30),
    ) {
        let case = along_axes(case);
        let scalar = dispatch(SimdLevel::Scalar.backend()?, Blocks(&case, blocks.clone()));
        for [kept, alone] in scalar.iter().flatten() {
            prop_assert_eq!(kept, alone);
        }
        for level in SimdLevel::available() {
            let same = dispatch(level.backend()?, Blocks(&case, blocks.clone()));
            prop_assert_eq!(&same, &scalar, "{}", level);
        }
    }

    #[test]
    fn flat_alphas_by_column_and_row_are_those_of_each_block(
        case in case(patches()),
        first in [-30.0_f32..20.0, -30.0_f32..20.0],
    ) {
        let case = along_axes(case);
        let both = case.sampled(Scalar, |sample, texture| {
            let cells = sample.block_cells(texture, first, [[1, 0], [7, 8]])?;
            let blocks = (1..7_u8).flat_map(|column| (0..8_u8).map(move |row| [column, row]));
            let of_block = |[column, row]: [u8; 2]| {
                let at = [first[0] + f32::from(4 * column), first[1] + f32::from(4 * row)];
                let found = sample.alphas_of_block(texture, &cells, [column.into(), row.into()]);
                (found, sample.alphas(texture, at, sample.reach([3.0, 3.0])))
            };
            Some(blocks.map(of_block).collect::<Vec<_>>())
        });
        for (found, alone) in both.flatten().into_iter().flatten() {
            prop_assert_eq!(found, alone);
        }
    }
}

#[test]
fn flat_alphas_know_a_picture_that_is_transparent_on_its_left() {
    let case = Case {
        image: half_clear(64),
        sampler: Sampler {
            wrap_u: Wrap::ClampToEdge,
            wrap_v: Wrap::ClampToEdge,
            ..Sampler::default()
        },
        size_px: [64.0, 64.0],
        uv: [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]],
    };
    let of = |x: f32| {
        let alphas = case.sampled(Scalar, |sample, texture| {
            sample.alphas(texture, [x + 0.5, 8.5], sample.reach([3.0, 3.0]))
        });
        alphas.expect("coordinates with all their digits")
    };
    assert!(of(8.0).all_zero() && of(20.0).all_zero(), "left");
    assert!(of(40.0).all_one() && of(56.0).all_one(), "right");
    assert_eq!(of(30.0), Alphas::MIXED, "between");
}
