//! Vertex shading: streams of one primitive through its vertex program to screen positions and varyings.
//!
//! Sixteen vertices run at once. A vertex outside the guard band or the depth range has no screen position; the clipper
//! computes where it is (the `exact` module).

use rayon::prelude::*;

use super::program::VertexProgram;
use super::screen_vertex::{Outcode, ScreenVertex};
use super::viewport::{Placed, Viewport};
use azulejo_math::Subpixel;
use azulejo_simd::{Backend, LANES, LaneJob, Lanes, dispatch, each};

/// Vertices that one piece of work shades.
const BLOCK: usize = 1024;

/// All vertices of one draw after vertex shading.
#[derive(Debug, Clone, Default)]
pub struct ShadedVertices {
    /// Screen positions; meaningless where the outcode says [`Outcode::CLIP`].
    pub screen: Vec<ScreenVertex>,
    /// Outcodes, one for each of `screen`.
    pub outcodes: Vec<Outcode>,
    /// [`super::VaryingLayout::len`] floats a vertex.
    pub varyings: Vec<f32>,
}

impl ShadedVertices {
    /// Runs `program` for all of its vertices; buffers are reused.
    pub fn shade(&mut self, program: &VertexProgram<'_>, viewport: &Viewport, backend: Backend) {
        let n_vertices = program.n_vertices();
        let n_varyings = usize::from(program.layout().len);
        self.screen.resize(n_vertices, ScreenVertex::default());
        self.outcodes.resize(n_vertices, Outcode::default());
        self.varyings.resize(n_vertices * n_varyings, 0.0);
        // A draw without varyings still needs as many (empty) pieces as it has blocks.
        let mut varyings: Vec<&mut [f32]> = if n_varyings == 0 {
            (0..n_vertices.div_ceil(BLOCK))
                .map(|_| Default::default())
                .collect()
        } else {
            self.varyings.chunks_mut(BLOCK * n_varyings).collect()
        };
        self.screen
            .par_chunks_mut(BLOCK)
            .zip(self.outcodes.par_chunks_mut(BLOCK))
            .zip(varyings.par_iter_mut())
            .enumerate()
            .for_each(|(block, ((screen, outcodes), varyings))| {
                let out = BlockOutput {
                    screen,
                    outcodes,
                    varyings,
                };
                dispatch(
                    backend,
                    ShadeBlock {
                        program,
                        viewport,
                        first: block * BLOCK,
                        out,
                    },
                );
            });
    }
}

impl ShadedVertices {
    /// Places vertices that were shaded elsewhere, at these positions in clip space.
    #[doc(hidden)]
    pub fn place(&mut self, clip: &[[f32; 4]], viewport: &Viewport, backend: Backend) {
        self.screen.resize(clip.len(), ScreenVertex::default());
        self.outcodes.resize(clip.len(), Outcode::default());
        let job = PlaceVertices {
            clip,
            viewport,
            screen: &mut self.screen,
            outcodes: &mut self.outcodes,
        };
        dispatch(backend, job);
    }
}

struct PlaceVertices<'a> {
    clip: &'a [[f32; 4]],
    viewport: &'a Viewport,
    screen: &'a mut [ScreenVertex],
    outcodes: &'a mut [Outcode],
}

impl LaneJob for PlaceVertices<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let places = self.screen.chunks_mut(LANES);
        let places = places.zip(self.outcodes.chunks_mut(LANES));
        for (clip, (screen, outcodes)) in self.clip.chunks(LANES).zip(places) {
            // Lanes beyond the last vertex repeat the first.
            let row = |k: usize| -> [f32; LANES] {
                std::array::from_fn(|lane| clip.get(lane).unwrap_or(&clip[0])[k])
            };
            let rows = [row(0), row(1), row(2), row(3)];
            let placed = (self.viewport).place(l, each!(4, k => l.load(&rows[k])));
            store_placed(l, placed, screen, outcodes);
        }
    }
}

/// Writes as many places as there is room for.
#[inline(always)]
fn store_placed<L: Lanes>(
    l: L,
    placed: Placed<L>,
    screen: &mut [ScreenVertex],
    outcodes: &mut [Outcode],
) {
    let (mut x, mut y, mut code) = ([0; LANES], [0; LANES], [0; LANES]);
    l.store_i(placed.x, &mut x);
    l.store_i(placed.y, &mut y);
    l.store_i(placed.outcode, &mut code);
    let (mut z, mut inv_w) = ([0.0; LANES], [0.0; LANES]);
    l.store(placed.z, &mut z);
    l.store(placed.inv_w, &mut inv_w);
    for (lane, (vertex, outcode)) in screen.iter_mut().zip(outcodes).enumerate().take(LANES) {
        *vertex = ScreenVertex {
            x: Subpixel(x[lane]),
            y: Subpixel(y[lane]),
            z: z[lane],
            inv_w: inv_w[lane],
        };
        *outcode = Outcode(code[lane] as u8);
    }
}

/// Destination of the results of one block.
struct BlockOutput<'a> {
    screen: &'a mut [ScreenVertex],
    outcodes: &'a mut [Outcode],
    varyings: &'a mut [f32],
}

struct ShadeBlock<'a> {
    program: &'a VertexProgram<'a>,
    viewport: &'a Viewport,
    first: usize,
    out: BlockOutput<'a>,
}

impl LaneJob for ShadeBlock<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let Self {
            program,
            viewport,
            first,
            out,
        } = self;
        let n_varyings = usize::from(program.layout().len);
        let last = l.i((first + out.screen.len() - 1) as i32);
        let lane_number = l.load_i(&std::array::from_fn(|lane| lane as i32));
        for start in (0..out.screen.len()).step_by(LANES) {
            // Lanes beyond the last vertex repeat it.
            let index = l.min_i(l.i((first + start) as i32) + lane_number, last);
            let shaded = program.shade(l, index);
            let count = LANES.min(out.screen.len() - start);

            let placed = viewport.place(l, shaded.clip);
            let (screen, outcodes) = (&mut out.screen[start..], &mut out.outcodes[start..]);
            store_placed(l, placed, screen, outcodes);
            let mut value = [0.0; LANES];
            for varying in 0..n_varyings {
                l.store(shaded.varyings[varying], &mut value);
                let rows = out.varyings[start * n_varyings..].chunks_exact_mut(n_varyings);
                for (row, value) in rows.zip(value).take(count) {
                    row[varying] = value;
                }
            }
        }
    }
}
