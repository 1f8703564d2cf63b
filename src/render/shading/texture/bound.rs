//! A texture with a sampler, for programs that are not made of lanes: rows of coordinates in, rows of colours out.

use std::cell::RefCell;

use super::footprint::{SampleFootprint, footprint_at, footprint_of_texel, level_of_detail};
use super::{Channels, GroupTexture, TextureGroup, TextureShape};
use azulejo_record::{Table, TexelLog, TexelLogging};
use azulejo_scene::{Sampler, TextureImage};
use azulejo_simd::{Backend, LANES, LaneJob, Lanes, dispatch, dispatch_common, each};

/// A number of each of sixteen fragments, four quads.
pub type LookupRow = [f32; LANES];

/// Coordinates of a sample, and what its level follows from.
#[derive(Debug, Clone, Copy)]
pub enum Lookup {
    /// Level by the quad's derivatives of the coordinates.
    Sample([LookupRow; 2]),
    /// Likewise, with this added.
    Bias([LookupRow; 2], LookupRow),
    /// This level.
    Level([LookupRow; 2], LookupRow),
    /// Level by these derivatives, along x and along y.
    Gradients([LookupRow; 2], [[LookupRow; 2]; 2]),
    /// A texel by column, row and level.
    Texel([[i32; LANES]; 3]),
}

/// Texels that each of four quads fetched, by tap: their indices in the image's storage.
pub type TexelNotes = [Vec<[u32; 4]>; LANES / 4];

/// An image with a sampler.
#[derive(Debug, Clone)]
pub struct BoundTexture<'a>(TextureGroup<'a>);

impl<'a> BoundTexture<'a> {
    /// Binds a sampler to an image.
    #[must_use]
    pub fn new(image: &'a TextureImage, sampler: Sampler) -> Self {
        let member = GroupTexture {
            slot: 0,
            image,
            channels: Channels::RGBA,
        };
        let mut group = TextureGroup {
            tex_coord: 0,
            transform: None,
            shape: TextureShape::new(image, sampler),
            textures: vec![member],
            slots: vec![0],
            copy: None,
        };
        group.pack();
        Self(group)
    }

    /// The image.
    #[must_use]
    pub fn image(&self) -> &'a TextureImage {
        self.0.textures[0].image
    }

    /// The sampler.
    #[must_use]
    pub const fn sampler(&self) -> Sampler {
        self.0.shape.sampler
    }

    /// The image as a tape names it that knows these tables.
    #[must_use]
    pub fn table(&self, tables: &[&[u32]]) -> Table {
        let texels = self.image().texels();
        let known = tables.iter().position(|table| std::ptr::eq(*table, texels));
        let other = Table::Other {
            len: texels.len() as u32,
            digest: self.image().digest(),
        };
        known.map_or(other, |at| Table::Known(at as u32))
    }

    /// The colours of sixteen fragments: those of the same sample in a program of lanes.
    pub fn sample(&self, backend: Backend, lookup: &Lookup, colors: &mut [LookupRow; 4]) {
        let texture = self;
        dispatch(
            backend,
            Sampling {
                texture,
                lookup,
                colors,
            },
        );
    }

    /// [`Self::sample`] with the texels that quads of `lanes` fetch, each as if it were alone.
    pub fn sample_noting(
        &self,
        (backend, lanes): (Backend, u32),
        lookup: &Lookup,
        colors: &mut [LookupRow; 4],
        notes: &mut TexelNotes,
    ) {
        let texture = self;
        let sampling = Sampling {
            texture,
            lookup,
            colors,
        };
        let noting = Noting {
            sampling,
            lanes,
            notes,
        };
        dispatch_common(backend, noting);
    }

    #[inline(always)]
    fn colors<L: Lanes>(&self, l: L, lookup: &Lookup) -> [L::F; 4] {
        let shape = &self.0.shape;
        let mut colors = [[l.f(0.0); 4]];
        match lookup {
            Lookup::Sample(at) => self.0.sample(l, rows(l, at), &mut colors),
            Lookup::Bias(at, bias) => {
                let uv = rows(l, at);
                let along_x = [l.ddx(uv[0]), l.ddx(uv[1])];
                let along_y = [l.ddy(uv[0]), l.ddy(uv[1])];
                let level = l.quad_first(level_of_detail(l, shape, [along_x, along_y]));
                let level = level + l.load(bias);
                self.at(
                    l,
                    &mut colors,
                    #[inline(always)]
                    || footprint_at(l, shape, uv, level),
                );
            }
            Lookup::Level(at, level) => self.at(
                l,
                &mut colors,
                #[inline(always)]
                || footprint_at(l, shape, rows(l, at), l.load(level)),
            ),
            Lookup::Gradients(at, [along_x, along_y]) => {
                let along = [rows(l, along_x), rows(l, along_y)];
                let level = level_of_detail(l, shape, along);
                self.at(
                    l,
                    &mut colors,
                    #[inline(always)]
                    || footprint_at(l, shape, rows(l, at), level),
                );
            }
            Lookup::Texel([x, y, level]) => self.at(
                l,
                &mut colors,
                #[inline(always)]
                || footprint_of_texel(l, shape, [l.load_i(x), l.load_i(y)], l.load_i(level)),
            ),
        }
        colors[0]
    }

    /// Samples the plain layout at a footprint.
    #[inline(always)]
    fn at<L: Lanes>(
        &self,
        l: L,
        colors: &mut [[L::F; 4]],
        footprint: impl FnOnce() -> SampleFootprint<L>,
    ) {
        l.textures(
            &self.0.slots,
            &[],
            colors,
            #[inline(always)]
            |colors| {
                let footprint = footprint();
                let texture = &self.0.textures[0];
                l.samples(0);
                colors[0] = if footprint.is_one_texel {
                    texture.nearest(l, &footprint)
                } else {
                    texture.filtered(l, &footprint)
                };
            },
        );
    }
}

#[inline(always)]
fn rows<L: Lanes>(l: L, rows: &[LookupRow; 2]) -> [L::F; 2] {
    [l.load(&rows[0]), l.load(&rows[1])]
}

struct Sampling<'a, 't> {
    texture: &'a BoundTexture<'t>,
    lookup: &'a Lookup,
    colors: &'a mut [LookupRow; 4],
}

impl LaneJob for Sampling<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let colors = self.texture.colors(l, self.lookup);
        let [r, g, b, a] = self.colors;
        for (color, to) in colors.into_iter().zip([r, g, b, a]) {
            l.store(color, to);
        }
    }
}

struct Noting<'a, 't> {
    sampling: Sampling<'a, 't>,
    lanes: u32,
    notes: &'a mut TexelNotes,
}

impl LaneJob for Noting<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let Sampling {
            texture,
            lookup,
            colors,
        } = self.sampling;
        let log = RefCell::new(TexelLog::default());
        let l = TexelLogging { lanes, log: &log };
        let of_quad = |quad: usize| 0xf << (4 * quad);
        // All at once, or one by one where together they read what one by itself does not.
        let (mut left, mut together) = (self.lanes, self.lanes);
        while left != 0 {
            log.borrow_mut().begin(together);
            let sampled = texture.colors(l, lookup);
            let mut log = log.borrow_mut();
            if !std::mem::replace(&mut log.reads_alone, true) {
                let stored = each!(4, k => {
                    let mut row = [0.0; LANES];
                    lanes.store(sampled[k], &mut row);
                    row
                });
                *colors = stored;
            }
            if !log.is_mixed() {
                for quad in (0..LANES / 4).filter(|quad| together & of_quad(*quad) != 0) {
                    self.notes[quad].extend(log.of_quad(quad).taps().map(|tap| tap.1));
                    left &= !of_quad(quad);
                }
            }
            together = left & (0xf << (left.trailing_zeros() & 0x1c));
        }
    }
}
