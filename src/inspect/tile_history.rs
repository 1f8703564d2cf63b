//! How a tile came about: its primitives in program order, what each did, and what the tile looked like after each.
//!
//! The tile is drawn again by a Raster Unit that stops after every triangle; [`StepObserver`] writes down each fragment.

use serde::Serialize;

use super::encode::encode;
use super::{OutsidePicture, tile_in};
use azulejo_grid::{TileGrid, TileId};
use azulejo_record::{QuadTexels, Table};
use azulejo_render::output::Transfer;
use azulejo_render::raster::observe::{TileObserver, quads};
use azulejo_render::raster::{Block, PixelPlace, TileBuffers};
use azulejo_render::shading::FragmentProgram;
use azulejo_render::{DrawList, ListedTriangle, Observed, Observing, Renderer};
use azulejo_scene::BlockLayout;
use azulejo_simd::LANES;
use azulejo_trace::{RasterCounters, TEXELS_PER_BLOCK};

/// Outcome of a fragment in the depth test, the program and the colour buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Hidden behind earlier fragments: dropped by the depth test before shading.
    KilledEarly,
    /// Shaded, and dropped by the program.
    Discarded,
    /// Shaded and kept, but behind what was there by then: dropped by the depth test after shading.
    KilledLate,
    /// Replaced the colour in the buffer.
    Written,
    /// Was mixed with the colour.
    Blended,
}

impl Outcome {
    /// Whether the fragment changed the colour buffer.
    #[must_use]
    pub const fn survived(self) -> bool {
        matches!(self, Self::Written | Self::Blended)
    }

    /// Name of the outcome in a few words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::KilledEarly => "early depth test failed",
            Self::Discarded => "discarded by the program",
            Self::KilledLate => "late depth test failed",
            Self::Written => "written",
            Self::Blended => "blended",
        }
    }
}

/// Effect of one triangle on one pixel.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fragment {
    /// Column and row in the tile.
    pub at: [u8; 2],
    /// Depth of the triangle here.
    pub depth: f32,
    /// Outcome of the fragment.
    pub outcome: Outcome,
    /// Output of the program, linear RGBA with straight alpha; `None` if it did not run.
    pub program_color: Option<[f32; 4]>,
    /// The colour buffer afterwards, linear premultiplied RGBA.
    pub color_after: [f32; 4],
    /// The depth buffer afterwards.
    pub depth_after: f32,
}

/// Which triangle a step of a tile, or an event of a pixel, is about.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StepTriangle {
    /// Number of its draw.
    pub draw: u32,
    /// Mesh and material names of the draw.
    pub name: String,
    /// Number of the triangle among those of its draw in the Parameter Buffer.
    pub triangle: u32,
    /// Number in the Parameter Buffer.
    pub primitive: u32,
    /// `opaque`, `masked` or `blended`.
    #[serde(rename = "fate")]
    pub mode: &'static str,
    /// Seen from the front.
    pub front_facing: bool,
}

/// One entry of the tile's list.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TileStep {
    /// The triangle that the step is about.
    #[serde(flatten)]
    pub of: StepTriangle,
    /// Corners on the screen: x and y in pixels, and depth.
    pub corners: [[f32; 3]; 3],
    /// Counters of the step in this tile.
    pub raster: RasterCounters,
    /// Blocks of texels that its quads' texture instructions read; a block counts once for each quad and instruction.
    pub texture_blocks: u64,
    /// Every covered pixel of the tile, quad by quad.
    #[serde(skip)]
    pub fragments: Vec<Fragment>,
}

/// A tile's primitives in program order, with all that they did.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TileHistory {
    /// The screen, cut into tiles.
    pub grid: TileGrid,
    /// Number of the tile.
    pub tile: TileId,
    /// Column and row of the tile.
    pub column_row: [u32; 2],
    /// Column and row of the first pixel.
    pub origin: [u32; 2],
    /// Pixels across and down.
    pub size: [u32; 2],
    /// Steps, one for each entry of the tile's list.
    pub steps: Vec<TileStep>,
    /// Transfer from the colour buffer to the picture.
    #[serde(skip)]
    pub(super) transfer: Transfer,
}

/// A tile's buffers at one moment; pixels row by row.
#[derive(Debug, Clone, PartialEq)]
pub struct TileState {
    /// Width of the tile in pixels; what the screen cuts off is not there.
    pub width: u32,
    /// Colour buffer, linear premultiplied RGBA, rows from top to bottom.
    pub colors: Vec<[f32; 4]>,
    /// 1 where nothing has been drawn.
    pub depths: Vec<f32>,
}

/// Draws one tile of a frame again and says how it came about.
///
/// # Errors
/// If the picture has no such tile.
pub fn tile_history<P: FragmentProgram + Sync>(
    renderer: &mut Renderer,
    list: &DrawList<'_, P>,
    column: u32,
    row: u32,
) -> Result<TileHistory, OutsidePicture> {
    let grid = list.settings.grid();
    let tile = tile_in(grid, column, row)?;
    let layouts = sampled_layouts(list);
    let one_tile = Observing {
        tiles: &[tile],
        observer: |_| StepObserver {
            layouts: &layouts,
            ..StepObserver::default()
        },
    };
    let Observed { picture, tiles } = renderer.draw(list, one_tile);
    renderer.recycle(picture);
    let recorded = tiles.into_iter().flat_map(|tile| tile.observer.steps);
    let listed = renderer.listed(tile);
    let steps = listed.iter().zip(recorded).map(|(triangle, recorded)| {
        let draw = &list.draws[triangle.draw as usize];
        recorded.with(triangle, draw.name.to_string(), draw.mode.name())
    });
    let rect = grid.rect(tile);
    Ok(TileHistory {
        grid,
        tile,
        column_row: [column, row],
        origin: [rect.x0, rect.y0].map(i32::cast_unsigned),
        size: [rect.width(), rect.height()],
        steps: steps.collect(),
        transfer: Transfer::new(&list.settings),
    })
}

impl TileHistory {
    /// State of the tile after its first `n` steps; 0 is the cleared tile, and too many are all.
    #[must_use]
    pub fn after(&self, n: usize) -> TileState {
        let [width, height] = self.size;
        let n_pixels = width as usize * height as usize;
        let mut state = TileState {
            width,
            colors: vec![[0.0; 4]; n_pixels],
            depths: vec![1.0; n_pixels],
        };
        let steps = self.steps.iter().take(n);
        steps.for_each(|step| state.apply(step));
        state
    }

    /// The pixels of a state of this tile as the picture would show them, row by row.
    #[must_use]
    pub fn encode(&self, state: &TileState) -> Vec<[u8; 4]> {
        encode(&state.colors, &self.transfer)
    }

    /// The tile's pixels in the finished picture, row by row.
    #[must_use]
    pub fn picture(&self) -> Vec<[u8; 4]> {
        self.encode(&self.after(self.steps.len()))
    }

    /// Sum of the counters of all steps.
    #[must_use]
    pub fn total(&self) -> RasterCounters {
        let mut total = RasterCounters::default();
        self.steps.iter().for_each(|step| total += step.raster);
        total
    }
}

impl TileState {
    /// The tile after one more step.
    pub fn apply(&mut self, step: &TileStep) {
        for fragment in &step.fragments {
            let at = self.index(fragment.at);
            self.colors[at] = fragment.color_after;
            self.depths[at] = fragment.depth_after;
        }
    }

    /// Position of a pixel in the state's arrays.
    #[must_use]
    pub fn index(&self, [x, y]: [u8; 2]) -> usize {
        usize::from(y) * self.width as usize + usize::from(x)
    }
}

/// Record of one triangle.
#[derive(Debug, Clone, Default)]
struct RecordedStep {
    raster: RasterCounters,
    texture_blocks: u64,
    fragments: Vec<Fragment>,
}

impl RecordedStep {
    fn with(self, triangle: &ListedTriangle, name: String, mode: &'static str) -> TileStep {
        TileStep {
            of: StepTriangle {
                draw: triangle.draw,
                name,
                triangle: triangle.of_draw,
                primitive: triangle.primitive,
                mode,
                front_facing: triangle.front_facing,
            },
            corners: (triangle.corners).map(|v| [v.x.to_px(), v.y.to_px(), v.z]),
            raster: self.raster,
            texture_blocks: self.texture_blocks,
            fragments: self.fragments,
        }
    }
}

/// Layouts of the compressed textures that draws sample, by draw and texture instruction.
type SampledLayouts = Vec<Vec<Option<BlockLayout>>>;

fn sampled_layouts<P: FragmentProgram>(list: &DrawList<'_, P>) -> SampledLayouts {
    let images = list.textures.images;
    if images.iter().all(|image| image.blocks().is_none()) {
        return Vec::new();
    }
    let layout = |table| match table {
        Some(Table::Known(at)) => images.get(at as usize)?.block_layout(),
        _ => None,
    };
    let draws = list.draws.iter();
    draws
        .map(|draw| list.record(draw).sampled().map(layout).collect())
        .collect()
}

/// Record of a quad of the queue: its step, and its fragments by pixel of the quad.
#[derive(Debug, Clone, Copy)]
struct QueuedQuad {
    step: usize,
    draw: u32,
    fragments: [Option<u32>; 4],
}

/// Writes down every fragment of a tile.
#[derive(Debug, Default)]
struct StepObserver<'a> {
    layouts: &'a [Vec<Option<BlockLayout>>],
    draw: u32,
    steps: Vec<RecordedStep>,
    queued: Vec<QueuedQuad>,
    /// Steps that are shaded.
    done: usize,
    depths: [f32; LANES],
    texture_samples: u64,
    blends: bool,
    /// The program's colours of the quad that is being shaded.
    colors: [[f32; 4]; 4],
    /// Which of its fragments the program kept, one bit each.
    kept: u32,
}

impl TileObserver for StepObserver<'_> {
    const RECORDS: bool = true;
    const EVERY_QUAD: bool = true;
    const STEPS: bool = true;

    fn begin_draw(&mut self, draw: u32, texture_samples: u32, blends: bool) {
        self.texture_samples = u64::from(texture_samples);
        (self.draw, self.blends) = (draw, blends);
    }

    fn fetch(&mut self, _: u32, _: u64) {
        self.steps.push(RecordedStep::default());
    }

    fn depths(&mut self, depths: &[f32; LANES]) {
        self.depths = *depths;
    }

    fn rasterised(&mut self, block: &Block, blocks_wide: u32) {
        let number = block.number as u32;
        let origin = [number % blocks_wide * 4, number / blocks_wide * 4];
        let at = self.steps.len() - 1;
        let raster = &mut self.steps[at].raster;
        raster.samples_covered += u64::from(block.samples_covered.count());
        raster.samples_passed += u64::from(block.samples_passed.count());
        for quad in (0..4).filter(|quad| quads(block.covered) >> (4 * quad) & 1 == 1) {
            let fragments = self.add_quad(block, quad, origin);
            let raster = &mut self.steps[at].raster;
            raster.quads_rasterised += 1;
            if block.passed >> (4 * quad) & 0xf == 0 {
                raster.quads_killed_early += 1;
                continue;
            }
            raster.quads_shaded += 1;
            self.queued.push(QueuedQuad {
                step: at,
                draw: self.draw,
                fragments,
            });
        }
    }

    fn killed_late(&mut self, _: u32, _: u32) {}

    fn colored(&mut self, _: usize, rgba: &[[f32; 4]; 4], kept: u32) {
        (self.colors, self.kept) = (*rgba, kept);
    }

    fn shaded(&mut self, position: usize, live: u32, survivors: u32, texels: QuadTexels<'_>) {
        let QueuedQuad {
            step,
            draw,
            fragments,
        } = self.queued[position];
        let step = &mut self.steps[step];
        let survived = if self.blends {
            Outcome::Blended
        } else {
            Outcome::Written
        };
        for (pixel, at) in fragments.iter().enumerate() {
            let Some(at) = at.filter(|_| live >> pixel & 1 == 1) else {
                continue;
            };
            let fragment = &mut step.fragments[at as usize];
            fragment.program_color = Some(self.colors[pixel]);
            fragment.outcome = match (survivors >> pixel & 1, self.kept >> pixel & 1) {
                (1, _) => survived,
                (_, 0) => Outcome::Discarded,
                _ => Outcome::KilledLate,
            };
        }
        let layouts = self.layouts.get(draw as usize);
        step.texture_blocks += blocks_read(texels, live, layouts.map_or(&[], Vec::as_slice));
        step.count(live, survivors, self.texture_samples, self.blends);
    }

    fn stepped(&mut self, buffers: &TileBuffers) {
        for fragment in &mut self.steps[self.done].fragments {
            let [x, y] = fragment.at.map(u32::from);
            let PixelPlace { block, lane } = buffers.place(x, y);
            fragment.color_after = [0, 1, 2, 3].map(|channel| buffers.color[channel][block][lane]);
            fragment.depth_after = buffers.depth[block][lane];
        }
        self.done += 1;
    }
}

impl StepObserver<'_> {
    /// Records the covered pixels of a quad as dropped early, until they are shaded.
    fn add_quad(&mut self, block: &Block, quad: u32, origin: [u32; 2]) -> [Option<u32>; 4] {
        let at = self.steps.len() - 1;
        let step = &mut self.steps[at];
        let mut places = [None; 4];
        for pixel in 0..4 {
            let lane = 4 * quad + pixel;
            if block.covered >> lane & 1 == 0 {
                continue;
            }
            places[pixel as usize] = Some(step.fragments.len() as u32);
            step.raster.fragments_rasterised += 1;
            step.fragments.push(Fragment {
                at: [
                    (origin[0] + quad % 2 * 2 + pixel % 2) as u8,
                    (origin[1] + quad / 2 * 2 + pixel / 2) as u8,
                ],
                depth: self.depths[lane as usize],
                outcome: Outcome::KilledEarly,
                program_color: None,
                color_after: [0.0; 4],
                depth_after: 1.0,
            });
        }
        places
    }
}

impl RecordedStep {
    /// Counts a shaded quad as [`azulejo_render::raster::observe::CountingObserver`] does.
    fn count(&mut self, live: u32, survivors: u32, texture_samples: u64, blends: bool) {
        let n = |mask: u32| u64::from(mask.count_ones());
        let raster = &mut self.raster;
        raster.fragments_shaded += n(live);
        raster.texture_samples += n(live) * texture_samples;
        raster.fragments_killed_late += n(live & !survivors);
        raster.quads_killed_late += u64::from(live & survivors == 0);
        if blends {
            raster.fragments_blended += n(live & survivors);
        } else {
            raster.fragments_written += n(live & survivors);
        }
    }
}

/// Distinct blocks that each texture instruction of a quad read, summed over the instructions.
fn blocks_read(texels: QuadTexels<'_>, live: u32, layouts: &[Option<BlockLayout>]) -> u64 {
    let mut read: Vec<(usize, u32)> = texels
        .taps()
        .flat_map(|(instruction, texels)| {
            let layout = layouts.get(instruction).and_then(Option::as_ref);
            let live = (0..4).filter(|pixel| live >> pixel & 1 == 1);
            live.map(move |pixel| {
                let texel = texels[pixel];
                let plain = texel / TEXELS_PER_BLOCK;
                (
                    instruction,
                    layout.map_or(plain, |layout| layout.block_of(texel)),
                )
            })
        })
        .collect();
    read.sort_unstable();
    read.dedup();
    read.len() as u64
}
