//! Frames whose cost follows from a formula: a screen covered by flat triangles that run a chosen program, or workgroups that
//! do. For tests and benches of the model, and for measuring a machine's peaks.
//!
//! ```
//! # mod azulejo { pub use azulejo_grid as grid; pub use azulejo_trace as trace; }
//! use azulejo::grid::TileGrid;
//! use azulejo::trace::InstructionClass;
//! use azulejo::trace::synthetic::{CoveredScreen, chain};
//!
//! let grid = TileGrid { width: 64, height: 64, tile_size: 32 };
//! let program = chain(InstructionClass::Alu, 8); // each instruction waits for the one before
//! let frame = CoveredScreen { layers: 2, ..CoveredScreen::new(grid, program) }.frame(0);
//! frame.validate()?;
//! assert_eq!(frame.tiles[0].n_shaded(), 2 * 16 * 16, "quads of a tile");
//! # Ok::<(), azulejo::trace::InvalidTrace>(())
//! ```

mod kernel;

pub use kernel::Kernel;

use super::{
    Assembled, BLOCK_BYTES, BufferAccesses, BufferInfo, DrawTrace, FixedFunction, FrameTrace,
    GeometryCounters, Instruction, InstructionClass, PathIdx, PathInterner, Program, ProgramId,
    Quad, ShaderStage, TargetInfo, TexelFormat, TextureIdx, TextureInfo, TileDigests, TileTrace,
    TileTraceBuilder, VertexStream,
};
use azulejo_grid::{Binning, SampleCount, TileGrid, TileId};

/// Which texel blocks the texture instructions touch, and which lines of a buffer loads, stores and atomics do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TexelPattern {
    /// All the same one: misses once.
    SameBlock,
    /// Every quad and instruction its own: always misses.
    AlwaysNew,
    /// One texel a pixel, a texture as large as the screen for each instruction: four quads share a block of 4x4 texels.
    ScreenAligned,
}

/// A screen covered `layers` times by one triangle each, all in one draw.
#[derive(Debug, Clone)]
pub struct CoveredScreen {
    /// The screen and its tiles.
    pub grid: TileGrid,
    /// Targets that tiles are flushed to.
    pub targets: Vec<TargetInfo>,
    /// How often the screen is covered.
    pub layers: u32,
    /// Runs for each fragment.
    pub program: Program,
    /// Paths that quads take in turn through a program that branches, in each tile from the first on.
    pub paths: Vec<Vec<u8>>,
    /// Texel blocks that texture instructions touch, and lines of the buffer that the program accesses.
    pub texels: TexelPattern,
    /// How textures are stored. Blocks lie row by row.
    pub format: TexelFormat,
    /// Attributes of each triangle.
    pub n_attributes: u8,
    /// Depth test and blending.
    pub state: FixedFunction,
}

impl CoveredScreen {
    /// One opaque layer with one attribute, RGBA8.
    #[must_use]
    pub fn new(grid: TileGrid, program: Program) -> Self {
        Self {
            grid,
            targets: vec![TargetInfo::default()],
            layers: 1,
            program,
            paths: Vec::new(),
            texels: TexelPattern::SameBlock,
            format: TexelFormat::Rgba8,
            n_attributes: 1,
            state: FixedFunction::default(),
        }
    }

    /// The facts of frame number `number`.
    #[must_use]
    pub fn frame(&self, number: u64) -> FrameTrace {
        let samples = self.program.count(InstructionClass::Texture);
        let mut interner = PathInterner::default();
        let paths: Vec<_> = (self.paths.iter())
            .map(|steps| QuadPath {
                path: interner.intern(ProgramId(1), steps),
                samples: self.program.executed(steps, InstructionClass::is_texture),
                accesses: self
                    .program
                    .executed(steps, InstructionClass::accesses_buffer),
            })
            .collect();
        let (mut next_block, mut next_line) = (0, 0);
        let tiles: Vec<_> = (0..self.grid.n_tiles())
            .map(|tile| self.tile(TileId(tile), &paths, [&mut next_block, &mut next_line]))
            .collect();
        let n_vertices = 3 * self.layers;
        let [block_width, block_height] = self.format.block_size();
        let screen_blocks =
            self.grid.width.div_ceil(block_width) * self.grid.height.div_ceil(block_height);
        let n_blocks = next_block.max(screen_blocks);
        FrameTrace {
            name: String::new(),
            frame: number,
            grid: self.grid,
            binning: Binning::Exact,
            samples: SampleCount::One,
            pixel_bytes: 8,
            targets: self.targets.clone(),
            textures: (0..samples.max(1))
                .map(|nth| self.synthetic_texture(nth, n_blocks))
                .collect(),
            buffers: self.buffers(n_vertices, next_line.max(screen_blocks)),
            programs: vec![position_program(), self.program.clone()],
            paths: interner.finish(),
            draws: vec![self.draw(samples, n_vertices)],
            tiles,
            dispatches: Vec::new(),
            before: Vec::new(),
        }
    }

    fn draw(&self, samples: usize, n_vertices: u32) -> DrawTrace {
        let layers = u64::from(self.layers);
        DrawTrace {
            name: "layers".to_owned(),
            vertex_program: ProgramId(0),
            fragment_program: ProgramId(1),
            constant_bytes: 64,
            set_constant_bytes: 64,
            constant_digest: 0,
            state: self.state,
            textures: (0..samples).map(|nth| self.texture(nth)).collect(),
            indices: None,
            vertex_streams: vec![VertexStream {
                buffer: 0,
                offset: 0,
                stride: 16,
                bytes: 16,
                per_instance: false,
            }],
            vertices: (0..n_vertices).collect(),
            instances: 1,
            vertex_paths: Vec::new(),
            vertex_buffers: Vec::new(),
            fragment_buffers: vec![1; self.program.count_of_buffers()],
            vertex_accesses: BufferAccesses::default(),
            assembled: vec![
                Assembled {
                    new_vertices: 3,
                    binned: 1,
                };
                self.layers as usize
            ],
            n_primitives: self.layers,
            n_attributes: self.n_attributes,
            counters: GeometryCounters {
                vertices_in: 3 * layers,
                vertices_shaded: 3 * layers,
                primitives_in: layers,
                primitives_binned: layers,
                tile_entries: layers * u64::from(self.grid.n_tiles()),
                ..GeometryCounters::default()
            },
        }
    }

    /// The texture of the nth texture instruction: blocks of one are never used twice, so one does for patterns without
    /// place.
    fn texture(&self, nth: usize) -> TextureIdx {
        match self.texels {
            TexelPattern::ScreenAligned => TextureIdx(nth as u32),
            TexelPattern::SameBlock | TexelPattern::AlwaysNew => TextureIdx(0),
        }
    }

    /// Positions of the vertices, and so many lines for the program, if it accesses any.
    fn buffers(&self, n_vertices: u32, n_lines: u32) -> Vec<BufferInfo> {
        let positions = BufferInfo {
            name: "positions".to_owned(),
            bytes: 16 * u64::from(n_vertices),
            texture: None,
        };
        let accessed = (self.program.count_of_buffers() > 0).then(|| BufferInfo {
            name: "data".to_owned(),
            bytes: BLOCK_BYTES * u64::from(n_lines),
            texture: None,
        });
        [positions].into_iter().chain(accessed).collect()
    }

    fn tile(&self, tile: TileId, paths: &[QuadPath], next: [&mut u32; 2]) -> TileTrace {
        let rect = self.grid.rect(tile);
        let (wide, high) = (rect.x0.abs_diff(rect.x1), rect.y0.abs_diff(rect.y1));
        let branches = self.program.branches();
        let straight = QuadPath {
            path: PathIdx(0),
            samples: self.program.count(InstructionClass::Texture),
            accesses: self.program.count_of_buffers(),
        };
        let mut paths = paths.iter().filter(|_| branches).cycle();
        let [next_block, next_line] = next;
        let mut builder = TileTraceBuilder::default();
        for layer in 0..self.layers {
            builder.primitive(layer, if branches { 0 } else { straight.samples });
            for (row, column) in (0..high.div_ceil(2))
                .flat_map(|row| (0..wide.div_ceil(2)).map(move |column| (row, column)))
            {
                let covered = coverage(wide - 2 * column, high - 2 * row);
                let quad = builder.quad(Quad::new(column, row, covered, covered));
                let taken = paths.next();
                if let Some(taken) = taken {
                    builder.path(quad, taken.path, taken.samples);
                }
                let executed = taken.unwrap_or(&straight);
                let at = [
                    rect.x0.unsigned_abs() + 2 * column,
                    rect.y0.unsigned_abs() + 2 * row,
                ];
                for instruction in 0..executed.samples {
                    builder.texels(quad, instruction, &self.touched(at, next_block));
                }
                if executed.accesses > 0 {
                    let mut accesses = BufferAccesses::default();
                    for _ in 0..executed.accesses {
                        accesses.push(self.touched(at, next_line));
                    }
                    builder.accesses(quad, accesses);
                }
                builder.shaded(quad, covered, self.state.blend);
            }
        }
        builder.finish(TileDigests {
            input_crc: tile.0,
            inputs: tile.0.into(),
            color_crc: tile.0,
        })
    }

    /// Blocks or lines that an instruction of the quad at (x, y) touches; `next` is the first that none has touched.
    fn touched(&self, [x, y]: [u32; 2], next: &mut u32) -> Vec<u32> {
        match self.texels {
            TexelPattern::SameBlock => vec![0],
            TexelPattern::AlwaysNew => {
                *next += 1;
                vec![*next - 1]
            }
            TexelPattern::ScreenAligned => self.blocks_at(x, y).to_vec(),
        }
    }
}

impl CoveredScreen {
    /// Blocks under the four pixels of the quad at (x, y), of which the screen may cut off some.
    fn blocks_at(&self, x: u32, y: u32) -> [u32; 4] {
        let TileGrid { width, height, .. } = self.grid;
        let [block_width, block_height] = self.format.block_size();
        [0, 1, 2, 3].map(|pixel| {
            let (x, y) = (
                (x + pixel % 2).min(width - 1),
                (y + pixel / 2).min(height - 1),
            );
            y / block_height * width.div_ceil(block_width) + x / block_width
        })
    }

    fn synthetic_texture(&self, nth: usize, n_blocks: u32) -> TextureInfo {
        let [width, height] = self.format.block_size();
        TextureInfo {
            name: format!("synthetic {nth}"),
            width,
            height: height * n_blocks,
            n_levels: 1,
            format: self.format,
            n_blocks,
        }
    }
}

impl Program {
    /// Instructions of some classes that a quad executes on a path.
    fn executed(&self, steps: &[u8], is_counted: fn(InstructionClass) -> bool) -> usize {
        let mut sum = 0;
        let counts = |at: &u32| is_counted(self.instructions[*at as usize].class);
        // A path that does not fit is told when the frame is validated.
        let _ = self.follow(steps, |executed| {
            sum += executed.times * executed.instructions.filter(counts).count() as u64;
        });
        sum as usize
    }
}

/// Path of a quad, and texture instructions and accesses to buffers that it executes on it.
struct QuadPath {
    path: PathIdx,
    samples: usize,
    accesses: usize,
}

/// Fragments of a quad that has `wide` x `high` pixels of the screen left to its right and below.
fn coverage(wide: u32, high: u32) -> u32 {
    let row = if wide > 1 { 0b11 } else { 0b01 };
    if high > 1 { row | row << 2 } else { row }
}

fn position_program() -> Program {
    Program {
        name: "position".to_owned(),
        stage: ShaderStage::Vertex,
        instructions: vec![
            Instruction::new(InstructionClass::Attribute, &[]),
            Instruction::new(InstructionClass::Output, &[0]),
        ],
        regions: Vec::new(),
    }
}

/// A fragment program of the given instructions.
#[must_use]
pub fn fragment_program(name: &str, instructions: Vec<Instruction>) -> Program {
    Program {
        name: name.to_owned(),
        stage: ShaderStage::Fragment,
        instructions,
        regions: Vec::new(),
    }
}

/// `n` instructions of one class that read nothing.
#[must_use]
pub fn independent(class: InstructionClass, n: usize) -> Program {
    fragment_program("independent", vec![Instruction::new(class, &[]); n])
}

/// `n` instructions of one class, each of which reads the one before.
#[must_use]
pub fn chain(class: InstructionClass, n: usize) -> Program {
    let mut instructions = vec![Instruction::new(class, &[]); n];
    for (source, instruction) in (0..).zip(instructions.iter_mut().skip(1)) {
        instruction.sources[0] = source;
    }
    fragment_program("chain", instructions)
}

/// A program of the shape of a physically based one: varyings, a few texture samples, then `n` arithmetic instructions of
/// which each reads two of the last four results and every sixteenth is a special function; the samples are read on the
/// way.
#[must_use]
pub fn surface(textures: u32, n: u32) -> Program {
    let varyings = (0..6).map(|_| Instruction::new(InstructionClass::Varying, &[]));
    let samples = (0..textures).map(|_| Instruction::new(InstructionClass::Texture, &[0, 1]));
    let mut instructions: Vec<_> = varyings.chain(samples).collect();
    let first = instructions.len() as u32;
    for nth in 0..n {
        let at = first + nth;
        let class = if nth % 16 == 15 {
            InstructionClass::Transcendental
        } else {
            InstructionClass::Alu
        };
        let texture = (nth % 8 == 4).then(|| 6 + (nth / 8) % textures.max(1));
        let texture = texture.filter(|_| textures > 0).unwrap_or(at - 4);
        instructions.push(Instruction::new(class, &[at - 2, at - 3, texture]));
    }
    instructions.push(Instruction::new(InstructionClass::Output, &[first + n - 1]));
    fragment_program("surface", instructions)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GRID: TileGrid = TileGrid {
        width: 70,
        height: 33,
        tile_size: 16,
    };

    #[test]
    fn covered_screen_is_a_valid_trace() {
        let mut screen = CoveredScreen::new(GRID, independent(InstructionClass::Texture, 2));
        screen.layers = 3;
        screen.texels = TexelPattern::AlwaysNew;
        assert_eq!(screen.frame(0).validate(), Ok(()), "all parts fit");
    }

    #[test]
    fn covered_screen_covers_every_pixel() {
        let mut screen = CoveredScreen::new(GRID, chain(InstructionClass::Alu, 4));
        screen.layers = 2;
        let fragments: u64 = (screen.frame(0).tiles.iter())
            .map(|tile| tile.counters().fragments_written)
            .sum();
        assert_eq!(fragments, 2 * 70 * 33, "each pixel once a layer");
    }
}
