//! A texture with a sampler, for programs that are not made of lanes: rows of coordinates in, rows of colours out.

use std::cell::RefCell;

use super::footprint::{
    Levels, SampleFootprint, footprint_in, level_of_detail, level_of_texel, levels_at,
    select_levels, wrapped,
};
use super::{Channels, GroupTexture, TextureGroup, TextureShape};
use azulejo_record::{Table, TexelLog, TexelLogging};
use azulejo_scene::{Sampler, TextureImage};
use azulejo_simd::{Backend, LANES, LaneJob, Lanes, dispatch, dispatch_common};

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
        let sampling = Sampling {
            texture,
            lookup,
            colors,
        };
        dispatch(backend, sampling);
    }

    /// The texels that quads of `lanes` fetch for such a sample, each as if it were alone.
    #[must_use]
    pub fn fetched(&self, (backend, lanes): (Backend, u32), lookup: &Lookup) -> TexelNotes {
        let mut notes = TexelNotes::default();
        let noting = Noting {
            texture: self,
            lookup,
            lanes,
            notes: &mut notes,
        };
        dispatch_common(backend, noting);
        notes
    }

    /// The plain layout's texels and weights of a sample.
    #[inline(always)]
    fn footprint<L: Lanes>(&self, l: L, lookup: &Lookup) -> SampleFootprint<L> {
        let shape = &self.0.shape;
        // Parts that are called: programs of lanes have copies, an interpreter needs none.
        let (levels, at) = l.call(
            #[inline(always)]
            || levels_of(l, shape, lookup),
        );
        l.call(
            #[inline(always)]
            || footprint_in(l, shape, &levels, at),
        )
    }
}

/// Levels that a sample needs, and its wrapped coordinates.
#[inline(always)]
fn levels_of<L: Lanes>(l: L, shape: &TextureShape, lookup: &Lookup) -> (Levels<L>, [L::F; 2]) {
    let (at, level) = match lookup {
        Lookup::Texel([x, y, level]) => {
            let place = [l.load_i(x), l.load_i(y)];
            return level_of_texel(l, shape, place, l.load_i(level));
        }
        Lookup::Sample(at) => {
            let at = rows(l, at);
            return (select_levels(l, shape, at), wrapped(l, shape, at));
        }
        Lookup::Bias(at, bias) => {
            let [u, v] = rows(l, at);
            let along = [[l.ddx(u), l.ddx(v)], [l.ddy(u), l.ddy(v)]];
            let level = l.quad_first(level_of_detail(l, shape, along));
            (at, level + l.load(bias))
        }
        Lookup::Level(at, level) => (at, l.load(level)),
        Lookup::Gradients(at, [along_x, along_y]) => {
            let along = [rows(l, along_x), rows(l, along_y)];
            (at, level_of_detail(l, shape, along))
        }
    };
    (levels_at(l, shape, level), wrapped(l, shape, rows(l, at)))
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
        let group = &self.texture.0;
        let mut colors = [[l.f(0.0); 4]];
        if let Lookup::Sample(at) = self.lookup {
            group.sample(l, rows(l, at), &mut colors);
        } else {
            let footprint = self.texture.footprint(l, self.lookup);
            colors[0] = l.call(
                #[inline(always)]
                || group.textures[0].filtered(l, &footprint),
            );
        }
        for (color, to) in colors[0].into_iter().zip(self.colors) {
            l.store(color, to);
        }
    }
}

/// Reads of a sample by quads, each as if it were alone.
struct Noting<'a, 't> {
    texture: &'a BoundTexture<'t>,
    lookup: &'a Lookup,
    lanes: u32,
    notes: &'a mut TexelNotes,
}

impl LaneJob for Noting<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let log = RefCell::new(TexelLog::default());
        let l = TexelLogging { lanes, log: &log };
        let of_quad = |quad: usize| 0xf << (4 * quad);
        // All at once, or one by one where together they read what one by itself does not.
        let (mut left, mut together) = (self.lanes, self.lanes);
        while left != 0 {
            log.borrow_mut().begin(together);
            let group = &self.texture.0;
            l.textures(
                &group.slots,
                &[],
                &mut [],
                #[inline(always)]
                |_| group.read(l, &self.texture.footprint(l, self.lookup)),
            );
            let log = log.borrow();
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
