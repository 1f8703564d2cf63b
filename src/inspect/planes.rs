//! Facts of every pixel of a frame: the primitive that is seen, its depth and mip level, and the work that it took.
//!
//! All tiles are drawn again in program order, every quad reported; one [`PlaneObserver`] a tile keeps the last survivor.

use azulejo_grid::{TileGrid, TileId};
use azulejo_math::PixelRect;
use azulejo_record::{QuadTexels, Table, Tape};
use azulejo_render::raster::observe::{ObservedTile, TileObserver, quads};
use azulejo_render::raster::{Block, PixelPlace, TileBuffers};
use azulejo_render::shading::FragmentProgram;
use azulejo_render::{DrawList, Observed, Observing, Renderer};
use azulejo_scene::TextureImage;

/// Mark in a plane of numbers: nothing was drawn here, or no texture read.
pub const NOTHING: u32 = u32::MAX;

/// Facts by pixel, rows from top to bottom.
#[derive(Debug, Clone, PartialEq)]
pub struct FramePlanes {
    /// The picture and its tiles.
    pub grid: TileGrid,
    /// The picture itself, sRGB-encoded RGBA8.
    pub picture: Vec<[u8; 4]>,
    /// The depth buffer, 1 where nothing is.
    pub depth: Vec<f32>,
    /// Number in the Parameter Buffer of the last primitive that changed the colour, or [`NOTHING`].
    pub primitive: Vec<u32>,
    /// Number of its draw, or [`NOTHING`].
    pub draw: Vec<u32>,
    /// The finest mip level that its first texture instruction on an image read, or [`NOTHING`].
    pub mip: Vec<u32>,
    /// Fragments shaded in this pixel.
    pub fragments: Vec<u32>,
    /// Quads shaded of which this pixel was a part, covered or not.
    pub quads: Vec<u32>,
}

/// Draws a frame again and says what lies in each pixel.
#[must_use]
pub fn frame_planes<P: FragmentProgram + Sync>(
    renderer: &mut Renderer,
    list: &DrawList<'_, P>,
) -> FramePlanes {
    let grid = list.settings.grid();
    let first_textures: Vec<_> = list
        .draws
        .iter()
        .map(|draw| FirstTexture::of(&list.record(draw), list.textures.images))
        .collect();
    let tiles: Vec<_> = (0..grid.n_tiles()).map(TileId).collect();
    let all_tiles = Observing {
        tiles: &tiles,
        observer: |_| PlaneObserver::new(&first_textures, grid.tile_size),
    };
    let Observed { picture, tiles } = renderer.draw(list, all_tiles);
    let n_pixels = picture.pixels.len();
    let plane = |value: u32| vec![value; n_pixels];
    let mut planes = FramePlanes {
        grid,
        picture: picture.pixels,
        depth: vec![1.0; n_pixels],
        primitive: plane(NOTHING),
        draw: plane(NOTHING),
        mip: plane(NOTHING),
        fragments: plane(0),
        quads: plane(0),
    };
    for ObservedTile { tile, observer } in tiles {
        planes.put(grid.rect(tile), &observer);
    }
    planes
}

impl FramePlanes {
    /// Position of a pixel in the planes.
    #[must_use]
    pub const fn index(&self, x: u32, y: u32) -> usize {
        y as usize * self.grid.width as usize + x as usize
    }

    fn put(&mut self, rect: PixelRect, tile: &PlaneObserver<'_>) {
        for y in 0..rect.height() {
            for x in 0..rect.width() {
                let from = (y * tile.size + x) as usize;
                let to = self.index(rect.x0.cast_unsigned() + x, rect.y0.cast_unsigned() + y);
                let seen = tile.seen[from];
                self.depth[to] = tile.depth[from];
                (self.primitive[to], self.draw[to], self.mip[to]) =
                    (seen.primitive, seen.draw, seen.mip);
                (self.fragments[to], self.quads[to]) = (tile.fragments[from], tile.quads[from]);
            }
        }
    }
}

/// The texture instruction whose mip level is shown, and where its levels begin.
#[derive(Debug, Clone)]
struct FirstTexture {
    instruction: usize,
    offsets: Vec<u32>,
}

impl FirstTexture {
    /// The first instruction of a program that samples an image.
    fn of(program: &Tape, images: &[TextureImage]) -> Option<Self> {
        let mut sampled = program.sampled().enumerate();
        let (instruction, image) = sampled.find_map(|(instruction, table)| match table {
            Some(Table::Known(at)) => Some((instruction, images.get(at as usize)?)),
            _ => None,
        })?;
        let levels = &image.levels;
        Some(Self {
            instruction,
            offsets: levels.iter().map(|level| level.offset).collect(),
        })
    }

    /// The finest level that was read for one of the quad's pixels.
    fn level(&self, texels: QuadTexels<'_>, pixel: usize) -> u32 {
        let own = texels.taps().filter(|tap| tap.0 == self.instruction);
        let levels = own.map(|(_, texels)| {
            let after = self
                .offsets
                .partition_point(|offset| *offset <= texels[pixel]);
            after.saturating_sub(1) as u32
        });
        levels.min().unwrap_or(NOTHING)
    }
}

/// Last survivor of a pixel.
#[derive(Debug, Clone, Copy)]
struct Seen {
    primitive: u32,
    draw: u32,
    mip: u32,
}

/// A quad of the queue.
#[derive(Debug, Clone, Copy)]
struct QueuedQuad {
    primitive: u32,
    draw: u32,
    /// First pixel, as position in the tile's arrays.
    first: u32,
}

/// Keeps what lies in each pixel of a tile.
#[derive(Debug)]
struct PlaneObserver<'a> {
    first_textures: &'a [Option<FirstTexture>],
    size: u32,
    depth: Vec<f32>,
    seen: Vec<Seen>,
    fragments: Vec<u32>,
    quads: Vec<u32>,
    queued: Vec<QueuedQuad>,
    draw: u32,
    primitive: u32,
}

impl<'a> PlaneObserver<'a> {
    fn new(first_textures: &'a [Option<FirstTexture>], size: u32) -> Self {
        let n_pixels = (size * size) as usize;
        let nothing = Seen {
            primitive: NOTHING,
            draw: NOTHING,
            mip: NOTHING,
        };
        Self {
            first_textures,
            size,
            depth: vec![1.0; n_pixels],
            seen: vec![nothing; n_pixels],
            fragments: vec![0; n_pixels],
            quads: vec![0; n_pixels],
            queued: Vec::new(),
            draw: NOTHING,
            primitive: NOTHING,
        }
    }

    /// The four pixels of a quad from its first, as bits of masks go.
    fn pixels(&self, first: u32) -> [usize; 4] {
        [0, 1, self.size, self.size + 1].map(|step| (first + step) as usize)
    }
}

impl TileObserver for PlaneObserver<'_> {
    const RECORDS: bool = true;
    const EVERY_QUAD: bool = true;
    const STEPS: bool = true;

    fn begin_draw(&mut self, draw: u32, _: u32, _: bool) {
        self.draw = draw;
    }

    fn fetch(&mut self, primitive: u32, _: u64) {
        self.primitive = primitive;
    }

    fn rasterised(&mut self, block: &Block, blocks_wide: u32) {
        let number = block.number as u32;
        let (column, row) = (number % blocks_wide * 4, number / blocks_wide * 4);
        for quad in (0..4).filter(|quad| quads(block.passed) >> (4 * quad) & 1 == 1) {
            let first = (row + quad / 2 * 2) * self.size + column + quad % 2 * 2;
            let live = block.passed >> (4 * quad);
            for (pixel, at) in self.pixels(first).into_iter().enumerate() {
                self.quads[at] += 1;
                self.fragments[at] += live >> pixel & 1;
            }
            self.queued.push(QueuedQuad {
                primitive: self.primitive,
                draw: self.draw,
                first,
            });
        }
    }

    fn killed_late(&mut self, _: u32, _: u32) {}

    fn shaded(&mut self, position: usize, _: u32, survivors: u32, texels: QuadTexels<'_>) {
        let quad = self.queued[position];
        let texture = self
            .first_textures
            .get(quad.draw as usize)
            .and_then(Option::as_ref);
        for (pixel, at) in self.pixels(quad.first).into_iter().enumerate() {
            if survivors >> pixel & 1 == 1 {
                self.seen[at] = Seen {
                    primitive: quad.primitive,
                    draw: quad.draw,
                    mip: texture.map_or(NOTHING, |texture| texture.level(texels, pixel)),
                };
            }
        }
    }

    fn finished(&mut self, buffers: &TileBuffers) {
        for y in 0..self.size {
            for x in 0..self.size {
                let PixelPlace { block, lane } = buffers.place(x, y);
                self.depth[(y * self.size + x) as usize] = buffers.depth[block][lane];
            }
        }
    }
}
