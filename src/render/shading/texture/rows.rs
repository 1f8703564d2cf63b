//! Textures that are filtered linearly, from texels in linear light that lie in rows with a border ([`TexelRows`]): two neighbours
//! come by one wide read, decoded, wherever they are.
//!
//! Colours come from these rows whoever asks, so pictures are the same; which texels a texture unit would read is said in the plain
//! layout.

use std::sync::Arc;

use super::footprint::{LevelFootprint, sample_footprint};
use super::member::GroupTexture;
use super::row_layout::RowLayout;
use super::shape::TextureShape;
use crate::scene::{Filter, RowLevel, TEXEL_WORDS, TexelRows, Wrap, row_levels};
use crate::simd::{Lanes, each};

/// Texels of an image that is laid out in rows at most, all levels.
const MOST_TEXELS: usize = 1 << 23;

/// A group's textures in rows.
#[derive(Debug, Clone)]
pub(super) struct Rows {
    pub(super) layout: RowLayout,
    pub(super) levels: Vec<RowLevel>,
    /// By texture of the group.
    pub(super) texels: Vec<Arc<TexelRows>>,
}

impl Rows {
    /// The rows of these textures of one shape, if they are filtered linearly.
    pub(super) fn of(shape: &TextureShape, textures: &[GroupTexture<'_>]) -> Option<Self> {
        let sampler = shape.sampler;
        let few = (textures.iter()).all(|texture| texture.image.texels().len() <= MOST_TEXELS);
        if (sampler.mag, sampler.min) != (Filter::Linear, Filter::Linear) || !few {
            return None;
        }
        let repeats = [sampler.wrap_u, sampler.wrap_v].map(|wrap| wrap == Wrap::Repeat);
        let levels = row_levels(&textures.first()?.image.levels).0;
        Some(Self {
            layout: RowLayout::new(&levels),
            levels,
            texels: textures
                .iter()
                .map(|texture| texture.image.rows(repeats))
                .collect(),
        })
    }

    /// Samples every texture of the group.
    #[inline(always)]
    pub(super) fn sample<L: Lanes>(
        &self,
        l: L,
        shape: &TextureShape,
        textures: &[GroupTexture<'_>],
        uv: [L::F; 2],
        colors: &mut [[L::F; 4]],
    ) {
        let footprint = sample_footprint(l, shape, Some(&self.layout), uv);
        for (texels, texture) in self.texels.iter().zip(textures) {
            let mut sums = [l.f(0.0); 4];
            add(l, texels, &footprint.first, &mut sums);
            if let Some(second) = &footprint.second {
                add(l, texels, second, &mut sums);
            }
            colors[usize::from(texture.slot)] = normalized(l, sums);
        }
    }
}

/// Adds the weighted texels of a footprint.
#[inline(always)]
pub(super) fn add<L: Lanes>(
    l: L,
    texels: &TexelRows,
    footprint: &LevelFootprint<L>,
    sums: &mut [L::F; 4],
) {
    let [above, _, below, _] = footprint.texels;
    let [left_above, right_above, left_below, right_below] = footprint.weights;
    add_row(l, texels, above, [left_above, right_above], sums);
    add_row(l, texels, below, [left_below, right_below], sums);
}

/// Adds two neighbours with these weights.
#[inline(always)]
fn add_row<L: Lanes>(
    l: L,
    texels: &TexelRows,
    first: L::I,
    weights: [L::F; 2],
    sums: &mut [L::F; 4],
) {
    let words = l.gather_4(&texels.words, l.shl::<1>(first));
    let low = l.i(0xffff);
    for (k, weight) in weights.into_iter().enumerate() {
        let [red_green, blue_alpha] = [words[TEXEL_WORDS * k], words[TEXEL_WORDS * k + 1]];
        let channels = [
            red_green & low,
            l.shr::<16>(red_green),
            blue_alpha & low,
            l.shr::<16>(blue_alpha),
        ];
        *sums = each!(4, c => l.mul_add(l.to_float(channels[c]), weight, sums[c]));
    }
}

/// Sums of texels whose weights are 1 together, as colours.
#[inline(always)]
pub(super) fn normalized<L: Lanes>(l: L, sums: [L::F; 4]) -> [L::F; 4] {
    each!(4, c => sums[c] * l.f(1.0 / 65535.0))
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use glam::Mat3;

    use super::super::{Channels, Copied, TextureGroups};
    use crate::scene::{
        Encoding, Filter, ImageId, Sampler, Scene, Texture, TextureId, TextureImage, TextureRef,
    };
    use crate::simd::{
        LANES, LaneJob, Lanes, SimdLevel, Tape, TexelLog, TexelLogging, dispatch, each,
    };

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

    /// The same by lanes that log, and what they logged.
    struct Logged<'a>(Sample<'a>, &'a RefCell<TexelLog>);

    impl LaneJob for Logged<'_> {
        type Output = [[u32; LANES]; 4];

        #[inline(always)]
        fn run<L: Lanes>(self, lanes: L) -> Self::Output {
            let log = self.1;
            self.0.run(TexelLogging { lanes, log })
        }
    }

    #[test]
    fn rows_give_who_watches_the_same_colors_and_the_reads_of_the_plain_layout() {
        let scene = scene((24, 9), Sampler::default());
        let plain = groups(&scene);
        let mut rows = plain.clone();
        rows.pack();
        assert!(matches!(rows.0[0].copy, Some(Copied::Rows(_))));
        let at = |lane: usize, step: f32| lane as f32 * step - 0.4;
        for step in [0.003, 0.03, 0.21] {
            let uv = [step, 0.7 * step].map(|step| std::array::from_fn(|lane| at(lane, step)));
            for level in SimdLevel::available() {
                let backend = level.backend().expect("available");
                let logs = [(); 2].map(|()| RefCell::new(TexelLog::default()));
                let logged = |groups, log| dispatch(backend, Logged(Sample(groups, uv), log));
                logged(&plain, &logs[0]);
                let watched = logged(&rows, &logs[1]);
                let unwatched = dispatch(backend, Sample(&rows, uv));
                assert_eq!(watched, unwatched, "{level}: colours");
                let [was, is] = logs.map(|log| log.into_inner().taps);
                assert!(!is.is_empty() && was == is, "{level}: {was:?}, {is:?}");
            }
        }
    }

    #[test]
    fn rows_do_not_show_in_a_recorded_program() {
        let scene = scene((24, 9), Sampler::default());
        let plain = groups(&scene);
        let mut rows = plain.clone();
        rows.pack();
        let [was, is] = [&plain, &rows].map(|groups| {
            Tape::record_knowing(&[scene.images[0].texels()], |l| {
                let mut colors = [[l.f(0.0); 4]];
                groups.0[0].sample(l, l.varying(), &mut colors);
                l.output(&colors[0]);
            })
        });
        assert_eq!(was, is);
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
            assert!(groups.0[0].copy.is_none(), "{mag:?}, {min:?}");
        }
    }
}
