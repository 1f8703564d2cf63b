//! Textures that are filtered linearly, from texels in linear light that lie in rows with a border ([`TexelRows`]): two
//! neighbours come by one wide read, decoded, wherever they are.
//!
//! Weights along a row come in 32,767 parts (Vulkan 1.3 asks for 16, `subTexelPrecisionBits`), so that two products are one
//! operation.
//!
//! Colours come from these rows with every kind of lanes, so pictures are the same; the texels that a texture unit would
//! read are logged in the plain layout.

use std::sync::Arc;

use super::footprint::{select_levels, wrapped};
use super::member::GroupTexture;
use super::row_layout::RowLayout;
use super::shape::TextureShape;
use azulejo_scene::{Filter, RowLevel, STRIP_STRIDE, TexelRows, Wrap, row_levels};
use azulejo_simd::{BILINEAR_SCALE, Lanes, each};

/// Texels of an image that is laid out in rows at most, all levels.
const MOST_TEXELS: usize = 1 << 23;

/// A group's textures in rows.
#[derive(Debug, Clone)]
pub(super) struct Rows {
    pub(super) layout: RowLayout,
    pub(super) levels: Vec<RowLevel>,
    /// Rows of texels, by texture of the group.
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
        let levels = select_levels(l, shape, uv);
        let wrapped = wrapped(l, shape, uv);
        let first = self.layout.place(l, shape, levels.first, wrapped);
        let second = if l.any(l.lt(l.f(0.0), levels.fraction)) {
            Some(self.layout.place(l, shape, levels.second, wrapped))
        } else {
            None
        };
        for (texels, texture) in self.texels.iter().zip(textures) {
            let words = &texels.words;
            let mut color = l.bilinear(words, first.first, BELOW, first.weights);
            if let Some(second) = &second {
                let far = l.bilinear(words, second.first, BELOW, second.weights);
                color = between(l, color, far, levels.fraction);
            }
            colors[usize::from(texture.slot)] = normalized(l, color);
        }
    }
}

/// Step from a texel to the one below it.
pub(super) const BELOW: i32 = STRIP_STRIDE as i32;

/// A share of `b`, and the rest of `a`.
#[inline(always)]
pub(super) fn between<L: Lanes>(l: L, a: [L::F; 4], b: [L::F; 4], share: L::F) -> [L::F; 4] {
    each!(4, c => l.mul_add(b[c] - a[c], share, a[c]))
}

/// Scales sums of weighted texels to colours.
#[inline(always)]
pub(super) fn normalized<L: Lanes>(l: L, color: [L::F; 4]) -> [L::F; 4] {
    each!(4, c => color[c] * l.f(1.0 / (65_535.0 * BILINEAR_SCALE as f32)))
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use glam::Mat3;

    use super::super::{Channels, Copied, TextureGroups};
    use azulejo_record::{Tape, TexelLog, TexelLogging};
    use azulejo_scene::{
        Encoding, Filter, ImageId, Sampler, Scene, Texture, TextureId, TextureImage, TextureRef,
    };
    use azulejo_simd::{LANES, LaneJob, Lanes, SimdLevel, dispatch, each};

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

    /// The sample by lanes that log, and the log.
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
                let [was, is] = logs.map(RefCell::into_inner);
                for quad in 0..LANES / 4 {
                    let [was, is]: [Vec<_>; 2] =
                        [&was, &is].map(|log| log.of_quad(quad).taps().collect());
                    assert!(!is.is_empty() && was == is, "{level}: {was:?}, {is:?}");
                }
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
