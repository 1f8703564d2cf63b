//! The facts of tiles in the order of the draws: for each primitive, where its quads and their texels stand in the tiles
//! that list it.
//!
//! A trace keeps quads by tile, and in each tile by primitive in program order. The fate of a quad depends on earlier
//! quads of its own place alone, and a place lies in one tile: so going over primitives by number, and for each over its
//! tiles row by row, is the order of an immediate renderer, and every fact holds in it as it stands. The walk costs one
//! pass over all list entries and quads of a frame when the frame begins (a counting sort by primitive, 24 bytes an entry)
//! and nothing after that. A trace does not say which vertices a triangle has: it is taken to have the three
//! vertices whose programs ran last before it was assembled, which is exact for strips and names lines that are as near for
//! indexed meshes.

use crate::frame::{ExecutionCounts, path_works};
use crate::shading::TexelCursor;
use azulejo_grid::{TileGrid, TileId};
use azulejo_trace::{FrameTrace, Quad};

/// A primitive's quads in one tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TileEntry {
    pub(super) tile: u32,
    /// Number of its first quad in the tile.
    pub(super) quad: u32,
    pub(super) n_quads: u32,
    /// Cursor to the texels of its first shaded quad.
    pub(super) cursor: TexelCursor,
}

/// A frame's primitives with their quads.
#[derive(Debug, Default)]
pub(crate) struct DrawOrder {
    /// Number of each primitive's first entry, and one more.
    first: Vec<u32>,
    entries: Vec<TileEntry>,
    /// Bounding box of each primitive; none of one that no tile lists.
    boxes: Vec<Option<PixelBox>>,
    /// Vertex programs of the frame that have run when the primitive is assembled.
    vertices: Vec<u64>,
    /// Address of each draw's first output from the start of all, and number of its first vertex.
    outputs: Vec<(u64, u64)>,
}

/// Pixels from `min` to `max`, x and y, both inclusive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PixelBox {
    pub(super) min: [u32; 2],
    pub(super) max: [u32; 2],
}

impl PixelBox {
    /// The smallest box around both.
    fn around(self, other: Self) -> Self {
        Self {
            min: [0, 1].map(|axis| self.min[axis].min(other.min[axis])),
            max: [0, 1].map(|axis| self.max[axis].max(other.max[axis])),
        }
    }

    /// The box of a quad, by its left upper pixel.
    const fn of_quad([x, y]: [u32; 2]) -> Self {
        Self {
            min: [x, y],
            max: [x + 1, y + 1],
        }
    }
}

/// Bytes of one attribute of a vertex: a vec4.
const OUTPUT_BYTES: u64 = 16;

impl DrawOrder {
    pub(crate) fn new(trace: &FrameTrace) -> Self {
        let mut order = Self {
            first: vec![0; trace.n_primitives() as usize + 1],
            ..Self::default()
        };
        order.sort_entries(trace);
        let (mut base, mut vertex) = (0, 0);
        for draw in &trace.draws {
            order.outputs.push((base, vertex));
            let mut run = vertex;
            for assembled in &draw.assembled {
                run += u64::from(assembled.new_vertices);
                let triangles = usize::from(assembled.binned);
                order.vertices.extend(std::iter::repeat_n(run, triangles));
            }
            let n_vertices = draw.vertices.len() as u64;
            base += n_vertices * u64::from(draw.n_attributes) * OUTPUT_BYTES;
            vertex += n_vertices;
        }
        order.outputs.push((base, vertex));
        order
    }

    fn sort_entries(&mut self, trace: &FrameTrace) {
        let lists = trace.tiles.iter().flat_map(|tile| &tile.primitives);
        for entry in lists {
            self.first[entry.primitive as usize + 1] += 1;
        }
        for at in 1..self.first.len() {
            self.first[at] += self.first[at - 1];
        }
        let nothing = TileEntry {
            tile: 0,
            quad: 0,
            n_quads: 0,
            cursor: TexelCursor::default(),
        };
        self.boxes = vec![None; self.first.len() - 1];
        let n_entries = self.first.last().copied().unwrap_or(0);
        self.entries = vec![nothing; n_entries as usize];
        let mut next = self.first.clone();
        let counts = ExecutionCounts::of_textures(trace, &path_works(trace));
        let draws = trace.draw_of_primitive();
        for (number, tile) in (0..).zip(&trace.tiles) {
            let mut at = TileEntry {
                tile: number,
                ..nothing
            };
            let corner = corner_of(trace.grid, number);
            for (entry, quads) in tile.entries() {
                let place = &mut next[entry.primitive as usize];
                at.n_quads = entry.n_quads;
                self.entries[*place as usize] = at;
                *place += 1;
                let around = &mut self.boxes[entry.primitive as usize];
                *around = with_quads(*around, corner, quads);
                at.quad += entry.n_quads;
                let counts = counts.of_draw(draws[entry.primitive as usize]);
                for _ in quads.iter().filter(|quad| quad.is_shaded()) {
                    at.cursor.pass_quad(tile, counts);
                }
            }
        }
        for primitive in 0..self.boxes.len() {
            let first = self.tiles(primitive as u32).first();
            let corner = first.map(|entry| corner_of(trace.grid, entry.tile));
            let alone = corner.map(|at| PixelBox { min: at, max: at });
            self.boxes[primitive] = self.boxes[primitive].or(alone);
        }
    }

    /// The primitive's tiles, row by row.
    pub(super) fn tiles(&self, primitive: u32) -> &[TileEntry] {
        let primitive = primitive as usize;
        &self.entries[self.first[primitive] as usize..self.first[primitive + 1] as usize]
    }

    /// Bounding box of the pixels that the primitive covers. One without pixels is taken to lie in the corner of the first
    /// tile that lists it: it concerns a cluster, and there is nothing to draw.
    pub(super) fn bounding_box(&self, primitive: u32) -> Option<PixelBox> {
        self.boxes[primitive as usize]
    }

    /// Vertices of the frame that must be through before the primitive can be assembled.
    pub(super) fn vertices_before(&self, primitive: u32) -> u64 {
        self.vertices[primitive as usize]
    }

    /// Bytes of all vertices' outputs.
    pub(crate) fn output_bytes(&self) -> u64 {
        self.outputs.last().map_or(0, |(bytes, _)| *bytes)
    }

    /// First and last byte, from the start of all outputs, of the primitive's three vertices, of which `draw` has
    /// `n_attributes`.
    pub(super) fn outputs_of(&self, primitive: u32, draw: u32, n_attributes: u8) -> (u64, u64) {
        let (base, first) = self.outputs[draw as usize];
        let bytes = u64::from(n_attributes) * OUTPUT_BYTES;
        let end = self.vertices_before(primitive) - first;
        (base + end.saturating_sub(3) * bytes, base + end * bytes)
    }

    /// Bytes of the outputs of the first `vertices` vertices of the frame.
    pub(super) fn outputs_until(&self, vertices: u64, trace: &FrameTrace) -> u64 {
        let after = self
            .outputs
            .partition_point(|(_, first)| *first <= vertices);
        let draw = after.saturating_sub(1);
        let (base, first) = self.outputs.get(draw).copied().unwrap_or_default();
        let attributes = trace.draws.get(draw).map_or(0, |draw| draw.n_attributes);
        base + (vertices - first) * u64::from(attributes) * OUTPUT_BYTES
    }
}

/// The left upper pixel of a tile.
fn corner_of(grid: TileGrid, tile: u32) -> [u32; 2] {
    let rect = grid.rect(TileId(tile));
    [rect.x0.unsigned_abs(), rect.y0.unsigned_abs()]
}

/// The box around what was found before and quads of a tile at `corner`.
fn with_quads(found: Option<PixelBox>, corner: [u32; 2], quads: &[Quad]) -> Option<PixelBox> {
    let at = |quad: &Quad| [corner[0] + 2 * quad.column(), corner[1] + 2 * quad.row()];
    let boxes = quads.iter().map(|quad| PixelBox::of_quad(at(quad)));
    found.into_iter().chain(boxes).reduce(PixelBox::around)
}
