//! Copies of a group's texels, one texture beside the other, so that one wide read brings all that a sample needs of a
//! texel.
//!
//! A copy keeps the order of texels, [`WORDS`] words each. Reading it instead does not show in the picture. Lanes that
//! watch the texels read are given the plain ones.

use std::sync::Arc;

use super::filter::{Channels, accumulate};
use super::footprint::{LevelFootprint, SampleFootprint};
use super::member::GroupTexture;
use azulejo_scene::Encoding;
use azulejo_simd::{Lanes, each};

/// Words of a texel in a copy.
const WORDS: usize = 4;

/// Columns that pay: with fewer the copy would hold more of nothing than of texels.
const FEWEST_COLUMNS: usize = 3;

/// Up to four textures side by side.
#[derive(Debug, Clone)]
pub(super) struct Columns {
    /// RGBA8, a word a column.
    words: Arc<[u32]>,
    columns: Vec<Column>,
    /// Column of each texture of the group.
    column_of: Vec<usize>,
}

/// One word of each texel: channels of one texture, or of several that have no channel in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Column {
    encoding: Encoding,
    channels: Channels,
}

/// Which columns textures are put into.
#[derive(Debug)]
pub(super) struct ColumnPlan {
    columns: Vec<Column>,
    /// Column of each texture of the group.
    column_of: Vec<usize>,
}

impl ColumnPlan {
    /// Plan with as few columns as these textures fit in, if columns pay.
    pub(super) fn new(textures: &[GroupTexture<'_>]) -> Option<Self> {
        let len = textures.first()?.image.texels().len();
        if textures.iter().any(|t| t.image.texels().len() != len) {
            return None;
        }
        let mut columns: Vec<Column> = Vec::new();
        let mut column_of = Vec::with_capacity(textures.len());
        for (at, texture) in textures.iter().enumerate() {
            let fits = |column: usize| {
                let members = column_of
                    .iter()
                    .zip(textures)
                    .filter(|(c, _)| **c == column);
                columns[column].encoding == texture.image.encoding
                    && members.into_iter().all(|(_, other)| {
                        std::ptr::eq(other.image, texture.image)
                            || other.channels.0 & texture.channels.0 == 0
                    })
            };
            let column = (0..columns.len()).find(|column| fits(*column));
            let column = column.unwrap_or(columns.len());
            if column == columns.len() {
                columns.push(Column {
                    encoding: texture.image.encoding,
                    channels: Channels(0),
                });
            }
            columns[column].channels.0 |= textures[at].channels.0;
            column_of.push(column);
        }
        let pays = (FEWEST_COLUMNS..=WORDS).contains(&columns.len());
        pays.then_some(Self { columns, column_of })
    }

    /// The copy of these textures; none at the first request.
    pub(super) fn copy(self, textures: &[GroupTexture<'_>]) -> Option<Columns> {
        let Self { columns, column_of } = self;
        // By texture.
        let parts = || textures.iter().zip(&column_of);
        let key: Vec<u64> = parts()
            .flat_map(|(texture, column)| {
                let place = *column as u64 | u64::from(texture.channels.0) << 8;
                [texture.image.digest(), place]
            })
            .collect();
        let image = textures.first()?.image;
        let words = image.copy(&key, || {
            let mut words = vec![0; image.texels().len() * WORDS];
            for (texture, column) in parts() {
                let mask = texture.channels.word_mask();
                let to = words.chunks_exact_mut(WORDS);
                for (to, texel) in to.zip(texture.image.texels()) {
                    to[*column] |= texel & mask;
                }
            }
            words
        })?;
        Some(Columns {
            words,
            columns,
            column_of,
        })
    }
}

impl Columns {
    /// Samples every texture of the group.
    #[inline(always)]
    pub(super) fn sample<L: Lanes>(
        &self,
        l: L,
        textures: &[GroupTexture<'_>],
        footprint: &SampleFootprint<L>,
        colors: &mut [[L::F; 4]],
    ) {
        let mut sums = [[l.f(0.0); 4]; WORDS];
        let (mut level, mut next) = (footprint.first, footprint.second);
        loop {
            if footprint.is_one_texel {
                self.add::<L, 1>(l, &level, &mut sums);
            } else {
                self.add::<L, 4>(l, &level, &mut sums);
            }
            match next.take() {
                Some(second) => level = second,
                None => break,
            }
        }
        for (texture, column) in textures.iter().zip(&self.column_of) {
            colors[usize::from(texture.slot)] = texture.normalized(l, sums[*column]);
        }
    }

    /// Adds the weighted texels of all columns; see [`accumulate`].
    #[inline(always)]
    fn add<L: Lanes, const TAPS: usize>(
        &self,
        l: L,
        level: &LevelFootprint<L>,
        sums: &mut [[L::F; 4]; WORDS],
    ) {
        // By tap, then column.
        let tap = level.texels;
        let first = l.gather_4(&self.words, l.shl::<2>(tap[0]));
        let taps = if TAPS == 1 {
            [first; 4]
        } else {
            let of = each!(3, k => l.gather_4(&self.words, l.shl::<2>(tap[k + 1])));
            [first, of[0], of[1], of[2]]
        };
        for (at, (column, sums)) in self.columns.iter().zip(sums).enumerate() {
            let texels = each!(4, tap => taps[tap][at]);
            let Column { encoding, channels } = *column;
            accumulate::<L, TAPS>(l, encoding, channels, texels, &level.weights, sums);
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::Mat3;
    use proptest::prelude::*;

    use super::super::{Channels, Copied, TextureGroups};
    use azulejo_scene::Encoding;
    use azulejo_scene::{ImageId, Sampler, Scene, Texture, TextureId, TextureImage, TextureRef};
    use azulejo_simd::each;
    use azulejo_simd::{LANES, LaneJob, Lanes, SimdLevel, dispatch};

    const EDGE: u32 = 24;

    /// Colours of a surface, what it is made of, directions, shadows, glow, with the channels that are read: the second and
    /// the fourth share a column.
    const USES: [(Encoding, Channels); 5] = [
        (Encoding::Srgb, Channels::RGBA),
        (Encoding::Linear, Channels::GB),
        (Encoding::Linear, Channels::RGB),
        (Encoding::Linear, Channels::R),
        (Encoding::Srgb, Channels::RGB),
    ];

    /// An image of noise for each of [`USES`].
    fn scene(seed: u32) -> Scene {
        let mut state = seed;
        let mut image = |encoding| {
            let byte = |_| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (state >> 24) as u8
            };
            let rgba: Vec<u8> = (0..EDGE * EDGE * 4).map(byte).collect();
            TextureImage::from_rgba8("noise", encoding, EDGE, EDGE, &rgba).expect("a valid size")
        };
        let texture = |image| Texture {
            image: ImageId(image),
            sampler: Sampler::default(),
        };
        Scene {
            images: USES.map(|(encoding, _)| image(encoding)).into(),
            textures: (0..).zip(USES).map(|(at, _)| texture(at)).collect(),
            ..Scene::default()
        }
    }

    /// The first textures, each in the slot of its number.
    fn groups<'a>(
        scene: &'a Scene,
        channels: impl IntoIterator<Item = Channels>,
    ) -> TextureGroups<'a> {
        let mut groups = TextureGroups::default();
        for (slot, channels) in (0..).zip(channels) {
            let texture = TextureRef {
                texture: TextureId(u32::from(slot)),
                tex_coord: 0,
                transform: Mat3::IDENTITY,
            };
            groups.add(scene, &texture, slot, channels);
        }
        groups
    }

    /// All colours of the first group at these coordinates.
    struct Sample<'a>(&'a TextureGroups<'a>, [[f32; LANES]; 2]);

    impl LaneJob for Sample<'_> {
        type Output = [[[u32; LANES]; 4]; 5];

        #[inline(always)]
        fn run<L: Lanes>(self, l: L) -> Self::Output {
            let mut colors = [[l.f(0.0); 4]; 5];
            let uv = [l.load(&self.1[0]), l.load(&self.1[1])];
            self.0.0[0].sample(l, uv, &mut colors);
            let bits = |value| {
                let mut stored = [0.0; LANES];
                l.store(value, &mut stored);
                stored.map(f32::to_bits)
            };
            colors.map(|color| each!(4, k => bits(color[k])))
        }
    }

    fn coordinates(origin: [f32; 2], step: [f32; 2]) -> [[f32; LANES]; 2] {
        let along = |axis: usize| {
            std::array::from_fn(|lane| {
                let (x, y) = (lane & 1, lane >> 1 & 1);
                let inside = if axis == 0 { x } else { y };
                origin[axis] + (lane / 4) as f32 * 0.17 + inside as f32 * step[axis]
            })
        };
        [along(0), along(1)]
    }

    proptest! {
        #[test]
        fn packed_textures_have_the_bits_of_plain_ones(
            seed: u32,
            origin in prop::array::uniform2(-2.0_f32..2.0),
            step in prop::array::uniform2(-0.3_f32..0.3),
        ) {
            let scene = scene(seed);
            let plain = groups(&scene, USES.map(|(_, channels)| channels));
            let mut packed = plain.clone();
            packed.pack();
            prop_assert!(packed.0[0].copy.is_none(), "not for who comes once");
            packed.pack();
            prop_assert!(matches!(packed.0[0].copy, Some(Copied::Columns(_))), "five textures in four columns");
            let uv = coordinates(origin, step);
            for level in SimdLevel::available() {
                let backend = level.backend().expect("available");
                let [was, is] = [&plain, &packed].map(|groups| dispatch(backend, Sample(groups, uv)));
                for (slot, (_, channels)) in USES.into_iter().enumerate() {
                    for k in (0..4).filter(|k| channels.0 >> k & 1 == 1) {
                        prop_assert_eq!(was[slot][k], is[slot][k], "{} slot {} channel {}", level, slot, k);
                    }
                }
            }
        }
    }

    #[test]
    fn packed_textures_need_three_columns() {
        let scene = scene(1);
        for (n, expected) in [(2, false), (3, true)] {
            let uses = USES.into_iter().take(n);
            let mut groups = groups(&scene, uses.map(|(_, channels)| channels));
            groups.pack();
            groups.pack();
            let packed = matches!(groups.0[0].copy, Some(Copied::Columns(_)));
            assert_eq!(packed, expected, "{n} textures");
        }
    }
}
