//! Primitive assembly: indices to screen-space triangles, culled and clipped, in program order.
//!
//! Work is cut into chunks of consecutive primitives. A chunk's triangles refer to the draw's shaded vertices; vertices
//! that clipping makes, or that turn lines and points into rectangles, lie beside them in the chunk.

use super::buffer::give_back_spare;
use super::clip::{ClipVertex, clip_line, clip_polygon, has_place};
use super::exact::ClipPositions;
use super::fan;
use super::program::VertexProgram;
use super::screen_vertex::{Outcode, ScreenVertex};
use super::vertex::ShadedVertices;
use super::viewport::Viewport;
use azulejo_grid::SampleCount;
use azulejo_math::{SUBPIXEL_BITS, SUBPIXELS, Subpixel};
use azulejo_scene::Topology;
use azulejo_trace::GeometryCounters;

/// Primitives of the index list that one chunk assembles.
pub const CHUNK_PRIMITIVES: usize = 512;

/// A triangle on the screen, its vertices in the order that makes its area positive (clockwise as seen, y down).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Triangle {
    /// Vertices, as [`Chunk::vertex`] takes them: an index into the draw's, or with the highest bit set into
    /// [`Chunk::extra`].
    pub vertices: [u32; 3],
    /// Seen from the front.
    pub front_facing: bool,
}

/// Set in [`Triangle::vertices`] for a vertex of the chunk's own.
const EXTRA_VERTEX: u32 = 1 << 31;

/// Output of assembly for [`CHUNK_PRIMITIVES`] consecutive primitives of one draw.
#[derive(Debug, Clone, Default)]
pub struct Chunk {
    /// Position of the draw in the frame.
    pub draw: u32,
    /// First index in the draw's index list.
    pub first_index: usize,
    /// Number of its first triangle in the Parameter Buffer, counted over the frame; known after all chunks are assembled.
    pub first_primitive: u32,
    /// Triangles that survived, in program order.
    pub triangles: Vec<Triangle>,
    /// Triangles that each of its primitives became: 0 = culled, above 1 = clipped, or a line or point.
    pub binned_of: Vec<u8>,
    /// Vertices of the chunk's own.
    pub extra: Vec<ScreenVertex>,
    /// Varyings of these, vertex after vertex.
    pub extra_varyings: Vec<f32>,
    /// Counts of its primitives, by outcome.
    pub counters: GeometryCounters,
    /// Primitives that were dropped, whole or in part, because a vertex has no place: a coordinate is no finite number, or
    /// lies at the eye itself, where w is 0. 0 wherever the near plane lies before the eye and numbers do not overflow.
    pub unplaced: u64,
}

/// Faces of triangles that are dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cull {
    /// Neither.
    None,
    /// Those seen from behind.
    Back,
    /// Those seen from the front.
    Front,
}

/// Input of assembly for one draw.
#[derive(Debug, Clone, Copy)]
pub struct Assembly<'a> {
    /// Positions of its vertices before the division by w.
    pub positions: &'a dyn ClipPositions,
    /// Vertices of its points, lines or triangles, one primitive after the other.
    pub indices: &'a [u32],
    /// Kind of its primitives.
    pub topology: Topology,
    /// Floats of each vertex in [`ShadedVertices::varyings`].
    pub n_varyings: usize,
    /// First float of the world position, if it is a varying.
    pub position_world: Option<u8>,
    /// The draw's vertices after the vertex program, by index.
    pub vertices: &'a ShadedVertices,
    /// Faces that are dropped.
    pub cull: Cull,
    /// The transform mirrors: counter-clockwise and clockwise change places.
    pub mirrored: bool,
    /// The screen that the triangles are cut to.
    pub viewport: Viewport,
    /// Samples of a pixel, one of which a triangle must be able to cover to be kept.
    pub samples: SampleCount,
}

impl VertexProgram<'_> {
    /// Assembly of its primitive on a screen: all faces, one sample a pixel.
    #[must_use]
    pub fn assembly<'b>(
        &'b self,
        vertices: &'b ShadedVertices,
        viewport: Viewport,
    ) -> Assembly<'b> {
        Assembly {
            positions: self,
            indices: &self.primitive.indices,
            topology: self.primitive.topology,
            n_varyings: usize::from(self.layout().len),
            position_world: self.layout().position_world,
            vertices,
            cull: Cull::None,
            mirrored: false,
            viewport,
            samples: SampleCount::One,
        }
    }
}

impl Chunk {
    /// Empties the chunk for new content; buffers are kept.
    pub fn reset(&mut self, draw: u32, first_index: usize) {
        self.draw = draw;
        self.first_index = first_index;
        self.triangles.clear();
        self.binned_of.clear();
        self.extra.clear();
        self.extra_varyings.clear();
        self.counters = GeometryCounters::default();
        self.unplaced = 0;
    }

    /// Assembles the chunk's share of the draw.
    pub fn assemble(&mut self, draw: &Assembly<'_>) {
        let n = draw.topology.vertices();
        let rest = &draw.indices[self.first_index..];
        let indices = &rest[..rest.len().min(CHUNK_PRIMITIVES * n)];
        self.counters.vertices_in = indices.len() as u64;
        self.counters.primitives_in = (indices.len() / n) as u64;
        for corners in indices.chunks_exact(n) {
            let before = self.triangles.len();
            self.assemble_one(draw, corners);
            self.binned_of.push((self.triangles.len() - before) as u8);
        }
        give_back_spare(&mut self.triangles);
    }

    /// Assembles a point, line or triangle.
    fn assemble_one(&mut self, draw: &Assembly<'_>, primitive: &[u32]) {
        let codes = primitive
            .iter()
            .map(|&vertex| draw.vertices.outcodes[vertex as usize].0);
        let (all, any) = codes.fold((0xff, 0), |(all, any), code| (all & code, any | code));
        if all & Outcode::PLANES != 0 {
            self.counters.primitives_culled_frustum += 1;
            return;
        }
        let clipped = any & Outcode::CLIP != 0;
        self.counters.primitives_clipped += u64::from(clipped);
        match *primitive {
            [a, b, c] if clipped => self.clip_triangle(draw, [a, b, c]),
            [a, b, c] => self.push_triangle(draw, [a, b, c]),
            [a, b] if clipped => self.clip_segment(draw, [a, b]),
            [a, b] => self.expand_line(draw, [a, b]),
            [a] if clipped => self.clip_point(draw, a),
            [a] => self.expand_point(draw, a),
            _ => {}
        }
    }

    /// The vertex that a triangle of this chunk refers to.
    #[must_use]
    pub fn vertex<'a>(&'a self, vertices: &'a ShadedVertices, index: u32) -> &'a ScreenVertex {
        if index & EXTRA_VERTEX == 0 {
            &vertices.screen[index as usize]
        } else {
            &self.extra[(index & !EXTRA_VERTEX) as usize]
        }
    }

    /// The varyings of the vertex that a triangle of this chunk refers to.
    #[must_use]
    pub fn varyings<'a>(
        &'a self,
        vertices: &'a ShadedVertices,
        n_varyings: usize,
        index: u32,
    ) -> &'a [f32] {
        let (all, at) = if index & EXTRA_VERTEX == 0 {
            (&vertices.varyings, index as usize)
        } else {
            (&self.extra_varyings, (index & !EXTRA_VERTEX) as usize)
        };
        &all[at * n_varyings..][..n_varyings]
    }

    /// Culls by facing and coverage, and turns the triangle so that its area is positive.
    fn push_triangle(&mut self, draw: &Assembly<'_>, vertices: [u32; 3]) {
        let corners = vertices.map(|vertex| *self.vertex(draw.vertices, vertex));
        let area = doubled_area(&corners);
        // Counter-clockwise from the front is a negative area where y points down.
        let front_facing = (area < 0) != draw.mirrored;
        let is_culled = match draw.cull {
            Cull::None => false,
            Cull::Back => !front_facing,
            Cull::Front => front_facing,
        };
        if area == 0 || is_culled {
            self.counters.primitives_culled_facing += 1;
            return;
        }
        let triangle = Triangle {
            vertices,
            front_facing,
        };
        self.keep(triangle, &corners, draw.samples);
    }

    /// Keeps a triangle that may cover a sample.
    fn keep(&mut self, triangle: Triangle, corners: &[ScreenVertex; 3], samples: SampleCount) {
        if misses_all_samples(corners, samples) {
            self.counters.primitives_culled_sample += 1;
            return;
        }
        let [a, b, c] = triangle.vertices;
        let vertices = if doubled_area(corners) < 0 {
            [a, c, b]
        } else {
            triangle.vertices
        };
        self.counters.primitives_binned += 1;
        self.triangles.push(Triangle {
            vertices,
            ..triangle
        });
    }

    fn clip_triangle(&mut self, draw: &Assembly<'_>, vertices: [u32; 3]) {
        let Some(corners) = self.clip_vertices(draw, vertices) else {
            return;
        };
        let polygon = clip_polygon(corners.to_vec(), draw.viewport.guard_ndc());
        let placed = polygon.iter().map(|vertex| self.place(draw, vertex));
        let Some(placed) = placed.collect::<Option<Vec<u32>>>() else {
            self.unplaced += 1;
            return;
        };
        let corners: Vec<ScreenVertex> = (placed.iter())
            .map(|&at| *self.vertex(draw.vertices, at))
            .collect();
        for triangle in fan::triangles(&corners, &draw.viewport) {
            self.push_triangle(draw, triangle.map(|at| placed[at]));
        }
    }

    /// The primitive's vertices as the clipper takes them; `None`, and counted, where one is no finite number.
    fn clip_vertices<const N: usize>(
        &mut self,
        draw: &Assembly<'_>,
        vertices: [u32; N],
    ) -> Option<[ClipVertex; N]> {
        let vertices = vertices.map(|vertex| clip_vertex(draw, vertex));
        let finite = vertices.iter().all(|vertex| vertex.position.is_finite());
        self.unplaced += u64::from(!finite);
        finite.then_some(vertices)
    }

    /// The vertex that comes out of the clipper: the draw's, or one that is added; `None` if it lies at the eye.
    fn place(&mut self, draw: &Assembly<'_>, vertex: &ClipVertex) -> Option<u32> {
        if let Some(placed) = vertex.placed {
            return Some(placed);
        }
        let screen = draw.viewport.place_exact(&vertex.position.clip)?;
        #[expect(
            clippy::cast_possible_truncation,
            reason = "rounding to what varyings hold"
        )]
        let single = |value: f64| value as f32;
        let mut varyings: Vec<f32> = vertex.varyings.iter().copied().map(single).collect();
        if let Some(at) = draw.position_world {
            let world = vertex.position.world.map(|part| single(part.to_f64()));
            varyings[usize::from(at)..][..3].copy_from_slice(&world);
        }
        Some(self.add(screen, &varyings))
    }

    fn add(&mut self, vertex: ScreenVertex, varyings: &[f32]) -> u32 {
        self.extra.push(vertex);
        self.extra_varyings.extend_from_slice(varyings);
        EXTRA_VERTEX | (self.extra.len() - 1) as u32
    }

    fn clip_segment(&mut self, draw: &Assembly<'_>, ends: [u32; 2]) {
        let Some(ends) = self.clip_vertices(draw, ends) else {
            return;
        };
        let Some(ends) = clip_line(ends, draw.viewport.guard_ndc()) else {
            return;
        };
        match ends.map(|end| self.place(draw, &end)) {
            [Some(first), Some(last)] => {
                let [at_first, at_last] =
                    [first, last].map(|end| self.vertex(draw.vertices, end).inv_w);
                let is_turned = at_first > at_last;
                let ends = if is_turned {
                    [last, first]
                } else {
                    [first, last]
                };
                self.expand_line(draw, ends);
            }
            _ => self.unplaced += 1,
        }
    }

    /// A line one pixel wide: the parallelogram that is one pixel high (mostly horizontal lines) or one pixel wide
    /// (mostly vertical ones), so that every column or row gets exactly one pixel.
    fn expand_line(&mut self, draw: &Assembly<'_>, [first, last]: [u32; 2]) {
        let [a, b] = [first, last].map(|end| *self.vertex(draw.vertices, end));
        let (dx, dy) = (b.x.0 - a.x.0, b.y.0 - a.y.0);
        let half = SUBPIXELS / 2;
        let side = if dx.abs() >= dy.abs() {
            [0, half]
        } else {
            [half, 0]
        };
        let corners =
            [(a, 1), (b, 1), (b, -1), (a, -1)].map(|(end, sign)| shifted(end, side, sign));
        self.push_rectangle(draw, corners, [first, last, last, first]);
    }

    /// A point outside the guard band or the depth range is outside the picture, unless its lanes rounded it out.
    fn clip_point(&mut self, draw: &Assembly<'_>, vertex: u32) {
        let Some([point]) = self.clip_vertices(draw, [vertex]) else {
            return;
        };
        if !has_place(&point.position.clip, draw.viewport.guard_ndc()) {
            return;
        }
        match self.place(draw, &point) {
            Some(placed) => self.expand_point(draw, placed),
            None => self.unplaced += 1,
        }
    }

    /// A point of size 1: the square of one pixel around it.
    fn expand_point(&mut self, draw: &Assembly<'_>, vertex: u32) {
        let centre = *self.vertex(draw.vertices, vertex);
        let half = SUBPIXELS / 2;
        let corners = [[half, half], [half, -half], [-half, -half], [-half, half]]
            .map(|offset| shifted(centre, offset, 1));
        self.push_rectangle(draw, corners, [vertex; 4]);
    }

    /// Two triangles that are always seen from the front, with the varyings of these vertices.
    fn push_rectangle(
        &mut self,
        draw: &Assembly<'_>,
        corners: [ScreenVertex; 4],
        vertices: [u32; 4],
    ) {
        let varyings = vertices.map(|vertex| {
            let varyings = self.varyings(draw.vertices, draw.n_varyings, vertex);
            varyings.to_vec()
        });
        if doubled_area(&[corners[0], corners[1], corners[2]]) == 0 {
            self.counters.primitives_culled_facing += 1;
            return;
        }
        let at: [u32; 4] = std::array::from_fn(|k| self.add(corners[k], &varyings[k]));
        for [a, b, c] in [[0, 1, 2], [0, 2, 3]] {
            let triangle = Triangle {
                vertices: [at[a], at[b], at[c]],
                front_facing: true,
            };
            let corners = [corners[a], corners[b], corners[c]];
            self.keep(triangle, &corners, draw.samples);
        }
    }
}

/// Twice the signed area in square sub-pixels; positive if clockwise as seen (y down).
#[must_use]
pub(crate) fn doubled_area(corners: &[ScreenVertex; 3]) -> i64 {
    let [a, b, c] = corners.map(|corner| (i64::from(corner.x.0), i64::from(corner.y.0)));
    (b.0 - a.0) * (c.1 - a.1) - (c.0 - a.0) * (b.1 - a.1)
}

/// Whether the triangle's bounds lie between two columns or rows of samples.
fn misses_all_samples(corners: &[ScreenVertex; 3], samples: SampleCount) -> bool {
    let misses =
        |low: i32, high: i32| column_at_or_after(low, samples) > column_at_or_before(high, samples);
    let [xs, ys] = [
        corners.map(|corner| corner.x.0),
        corners.map(|corner| corner.y.0),
    ];
    [xs, ys]
        .iter()
        .any(|[a, b, c]| misses(*a.min(b).min(c), *a.max(b).max(c)))
}

/// First column of samples that is not before `at` (sub-pixels); rows alike.
const fn column_at_or_after(at: i32, samples: SampleCount) -> i32 {
    let bits = samples.column_bits();
    (at + (SUBPIXELS >> bits) / 2 - 1) >> (SUBPIXEL_BITS - bits)
}

/// Last column of samples that is not beyond `at` (sub-pixels); rows alike.
const fn column_at_or_before(at: i32, samples: SampleCount) -> i32 {
    let bits = samples.column_bits();
    (at - (SUBPIXELS >> bits) / 2) >> (SUBPIXEL_BITS - bits)
}

/// First pixel with a sample that is not before `at` (sub-pixels).
#[must_use]
pub(crate) const fn pixel_at_or_after(at: i32, samples: SampleCount) -> i32 {
    column_at_or_after(at, samples) >> samples.column_bits()
}

/// Last pixel with a sample that is not beyond `at` (sub-pixels).
#[must_use]
pub(crate) const fn pixel_at_or_before(at: i32, samples: SampleCount) -> i32 {
    column_at_or_before(at, samples) >> samples.column_bits()
}

fn shifted(vertex: ScreenVertex, [dx, dy]: [i32; 2], sign: i32) -> ScreenVertex {
    ScreenVertex {
        x: Subpixel(vertex.x.0 + dx * sign),
        y: Subpixel(vertex.y.0 + dy * sign),
        ..vertex
    }
}

fn clip_vertex(draw: &Assembly<'_>, vertex: u32) -> ClipVertex {
    let at = vertex as usize;
    let varyings = &draw.vertices.varyings[at * draw.n_varyings..][..draw.n_varyings];
    let placed = (draw.vertices.outcodes[at].0 & Outcode::CLIP == 0).then_some(vertex);
    ClipVertex {
        position: draw.positions.exact_position(at),
        varyings: varyings.iter().copied().map(f64::from).collect(),
        placed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pixel_bounds_hold_the_samples_between_two_places() {
        for samples in SampleCount::ALL {
            let places: Vec<i32> = (-3..3)
                .flat_map(|pixel| {
                    let offsets = samples.offsets();
                    offsets
                        .iter()
                        .map(move |[x, _]| Subpixel::pixel_centre(pixel).0 + x)
                })
                .collect();
            for at in -512..512 {
                let pixel = |sample: &i32| sample.div_euclid(SUBPIXELS);
                let after = places
                    .iter()
                    .filter(|sample| **sample >= at)
                    .map(pixel)
                    .min();
                assert_eq!(
                    pixel_at_or_after(at, samples),
                    after.unwrap(),
                    "{samples:?} from {at}"
                );
                let before = places
                    .iter()
                    .filter(|sample| **sample <= at)
                    .map(pixel)
                    .max();
                assert_eq!(
                    pixel_at_or_before(at, samples),
                    before.unwrap(),
                    "{samples:?} to {at}"
                );
            }
        }
    }

    #[test]
    fn triangle_between_pixel_centres_is_kept_for_its_samples() {
        let corner = |x, y| ScreenVertex {
            x: Subpixel(x),
            y: Subpixel(y),
            z: 0.5,
            inv_w: 1.0,
        };
        // Around the sample at (96, 32), which is the only one.
        let corners = [corner(90, 26), corner(110, 26), corner(96, 40)];
        assert!(misses_all_samples(&corners, SampleCount::One), "no centre");
        assert!(!misses_all_samples(&corners, SampleCount::Four), "a sample");
        let corners = corners.map(|at| shifted(at, [20, 0], 1));
        assert!(misses_all_samples(&corners, SampleCount::Four), "beside it");
    }
}
