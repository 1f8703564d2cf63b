//! Copies of texels row by row, with a border of what lies beyond the edges: two neighbours lie side by side wherever they are, so that
//! one wide read brings both, and no address has to be wrapped.
//!
//! The texels are those of the plain layout; which of both is read does not show in the picture. Who watches which texels are read is
//! given the plain ones.

use std::sync::Arc;

use super::shape::TextureShape;
use crate::scene::{Filter, TextureImage, Wrap};
use crate::simd::{LANES, Lanes};

/// Texels of an image that is copied at most, all levels.
const MOST_TEXELS: usize = 1 << 24;

/// A wide read has four words, of which two are wanted: this many more must follow the last texel.
const PADDING: usize = 2;

/// Where the rows of each level lie, as tables for [`Lanes::lookup`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RowLayout {
    /// Word of the border's first texel, which lies before the level's first column and row.
    pub(super) origins: [i32; LANES],
    /// Words from a row to the next.
    pub(super) strides: [i32; LANES],
}

/// A group's textures in rows.
#[derive(Debug, Clone)]
pub(super) struct Rows {
    pub(super) layout: RowLayout,
    /// RGBA8, by texture of the group.
    words: Vec<Arc<[u32]>>,
}

impl Rows {
    /// The copies of these images of one shape, if they are filtered linearly and it is not the first time that somebody asks.
    pub(super) fn of<'a>(
        shape: &TextureShape,
        images: impl Iterator<Item = &'a TextureImage> + Clone,
    ) -> Option<Self> {
        let sampler = shape.sampler;
        let mut all = images.clone();
        let few = all.all(|image| image.texels().len() <= MOST_TEXELS);
        if (sampler.mag, sampler.min) != (Filter::Linear, Filter::Linear) || !few {
            return None;
        }
        let (layout, len) = RowLayout::new(shape);
        let wraps = [sampler.wrap_u, sampler.wrap_v].map(|wrap| wrap == Wrap::Repeat);
        let key = [1 + u64::from(wraps[0]) + 2 * u64::from(wraps[1])];
        let words = images.map(|image| {
            let make = || rows_of(image, &layout, len, wraps);
            image.copies.get(&key, make)
        });
        let words = words.collect::<Option<_>>()?;
        Some(Self { layout, words })
    }

    /// Four neighbours from the first word of each of two rows on.
    #[inline(always)]
    pub(super) fn fetch<L: Lanes>(&self, l: L, member: usize, rows: [L::I; 2]) -> [L::I; 4] {
        let words = &self.words[member];
        let [left_above, right_above, ..] = l.gather_4(words, rows[0]);
        let [left_below, right_below, ..] = l.gather_4(words, rows[1]);
        [left_above, right_above, left_below, right_below]
    }
}

impl RowLayout {
    /// The layout of a shape's levels, and its words.
    fn new(shape: &TextureShape) -> (Self, usize) {
        let mut layout = Self {
            origins: [0; LANES],
            strides: [0; LANES],
        };
        let mut len = 0;
        for level in 0..=shape.last_level as usize {
            layout.origins[level] = len;
            layout.strides[level] = shape.widths[level] + 2;
            len += layout.strides[level] * (shape.heights[level] + 2);
        }
        (layout, len as usize + PADDING)
    }
}

/// An image's levels in rows; whether it repeats along u and v.
fn rows_of(image: &TextureImage, layout: &RowLayout, len: usize, repeats: [bool; 2]) -> Vec<u32> {
    let mut words = vec![0; len];
    let inside = |at: u32, size: u32, repeat: bool| match (at, repeat) {
        (0, true) => size - 1,
        (at, true) if at > size => 0,
        _ => at.saturating_sub(1).min(size - 1),
    };
    for (number, level) in image.levels.iter().enumerate().take(LANES) {
        let stride = layout.strides[number] as usize;
        let rows = words[layout.origins[number] as usize..].chunks_exact_mut(stride);
        for (row, to) in (0..level.height + 2).zip(rows) {
            let y = inside(row, level.height, repeats[1]);
            for (column, word) in (0..).zip(to) {
                let x = inside(column, level.width, repeats[0]);
                *word = image.texels()[level.texel_index(x, y)];
            }
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use glam::Mat3;
    use proptest::prelude::*;

    use super::super::{Channels, Copied, TextureGroups};
    use crate::scene::{
        Encoding, Filter, ImageId, Sampler, Scene, Texture, TextureId, TextureImage, TextureRef,
        Wrap,
    };
    use crate::simd::{LANES, LaneJob, Lanes, SimdLevel, dispatch, each};

    /// An image whose texels all differ, under this sampler.
    fn scene(size: (u32, u32), sampler: Sampler) -> Scene {
        let n_bytes = size.0 * size.1 * 4;
        let rgba: Vec<u8> = (0..n_bytes).map(|at| (at * 89 % 251) as u8).collect();
        let image = TextureImage::from_rgba8("ramp", Encoding::Srgb, size.0, size.1, &rgba);
        Scene {
            images: vec![image.expect("a valid size")],
            textures: vec![Texture {
                image: ImageId(0),
                sampler,
            }],
            ..Scene::default()
        }
    }

    fn groups(scene: &Scene) -> TextureGroups<'_> {
        let mut groups = TextureGroups::default();
        let texture = TextureRef {
            texture: TextureId(0),
            tex_coord: 0,
            transform: Mat3::IDENTITY,
        };
        groups.add(scene, &texture, 0, Channels::RGBA);
        groups
    }

    /// The colour of the only texture at these coordinates.
    struct Sample<'a>(&'a TextureGroups<'a>, [[f32; LANES]; 2]);

    impl LaneJob for Sample<'_> {
        type Output = [[u32; LANES]; 4];

        #[inline(always)]
        fn run<L: Lanes>(self, l: L) -> Self::Output {
            let mut colors = [[l.f(0.0); 4]];
            let uv = [l.load(&self.1[0]), l.load(&self.1[1])];
            self.0.0[0].sample(l, uv, &mut colors);
            each!(4, k => {
                let mut stored = [0.0; LANES];
                l.store(colors[0][k], &mut stored);
                stored.map(f32::to_bits)
            })
        }
    }

    fn wrap() -> impl Strategy<Value = Wrap> {
        prop_oneof![
            Just(Wrap::Repeat),
            Just(Wrap::MirroredRepeat),
            Just(Wrap::ClampToEdge)
        ]
    }

    /// Coordinates on texels' centres and edges, beyond the image, and between.
    fn coordinate() -> impl Strategy<Value = f32> {
        prop_oneof![
            (-40..80_i32).prop_map(|eighths| eighths as f32 / 16.0),
            -2.5_f32..2.5,
            Just(f32::NAN),
            Just(1e30),
        ]
    }

    proptest! {
        #[test]
        fn rows_have_the_bits_of_the_plain_layout(
            size in (1..40_u32, 1..40_u32),
            wraps in (wrap(), wrap()),
            mip in prop_oneof![Just(None), Just(Some(Filter::Nearest)), Just(Some(Filter::Linear))],
            u in prop::array::uniform16(coordinate()),
            v in prop::array::uniform16(coordinate()),
            scale in 0.01_f32..1.0,
        ) {
            let sampler = Sampler { mip, wrap_u: wraps.0, wrap_v: wraps.1, ..Sampler::default() };
            let scene = scene(size, sampler);
            let plain = groups(&scene);
            let mut rows = plain.clone();
            rows.pack();
            prop_assert!(rows.0[0].copy.is_none(), "not for who comes once");
            rows.pack();
            prop_assert!(matches!(rows.0[0].copy, Some(Copied::Rows(_))), "linear filters");
            let uv = [u, v].map(|along| along.map(|at| at * scale));
            for level in SimdLevel::available() {
                let backend = level.backend().expect("available");
                let [was, is] = [&plain, &rows].map(|groups| dispatch(backend, Sample(groups, uv)));
                prop_assert_eq!(was, is, "{}", level);
            }
        }
    }

    #[test]
    fn rows_are_not_for_the_nearest_texel() {
        for (mag, min) in [
            (Filter::Nearest, Filter::Linear),
            (Filter::Linear, Filter::Nearest),
        ] {
            let sampler = Sampler {
                mag,
                min,
                ..Sampler::default()
            };
            let scene = scene((8, 8), sampler);
            let mut groups = groups(&scene);
            groups.pack();
            groups.pack();
            assert!(groups.0[0].copy.is_none(), "{mag:?}, {min:?}");
        }
    }
}
