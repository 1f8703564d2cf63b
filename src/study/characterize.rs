//! Character of a game's load: the columns by which the papers describe their suites, measured over frames of a trace.
//!
//! Facts (texels touched, tiles that stay equal, overdraw) come from every frame; costs only from those that go through a
//! machine, and through the same machine with ideal memory, which shows how much of the time is spent on memory (LIBRA,
//! Fig. 6a).

use serde::{Deserialize, Serialize};

use crate::sampling::Observer;
use azulejo_gpu::machine::{IdealSpec, MachineSpec};
use azulejo_gpu::memory::{Traffic, TrafficCounts};
use azulejo_gpu::{BuildError, FrameError, FrameReport, Gpu};
use azulejo_trace::{BLOCK_BYTES, FrameTrace, TileDigests, TileTrace};

/// Error that ends a survey.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SurveyError {
    /// The machine cannot be built.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// A machine cannot go on.
    #[error(transparent)]
    Frame(#[from] FrameError),
}

/// Character of the load of some frames. Shares are of 1; `None` is a value that no frame could tell.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Character {
    /// Frames whose facts were counted.
    pub frames: u64,
    /// Frames among them that went through the machine and count.
    pub modelled_frames: u64,
    /// Frames that the modelled ones stand for.
    pub stands_for: u64,
    /// Bytes of distinct texel blocks that a frame touches, mean.
    pub texture_bytes: Option<f64>,
    /// Tiles with the colours of the frame before, mean.
    pub equal_colors: Option<f64>,
    /// Tiles with the inputs of the frame before (Rendering Elimination, section II), mean.
    pub equal_inputs: Option<f64>,
    /// Fragments shaded for each pixel of the screen.
    pub overdraw: Option<f64>,
    /// Draws of a frame, mean.
    pub draws: Option<f64>,
    /// Triangles in the Parameter Buffer of a frame, mean.
    pub primitives: Option<f64>,
    /// Cycles of the Raster Pipeline (LIBRA, Fig. 1).
    pub raster_share: Option<f64>,
    /// Time that ideal memory would save (LIBRA, Fig. 6a: memory-intensive from a quarter on).
    pub memory_time: Option<f64>,
    /// Accesses of texture caches that do not hit, per 1000 warp instructions (KHEPRI, section VI).
    pub l1_mpki: Option<f64>,
    /// Frames a second at the machine's clock.
    pub fps: Option<f64>,
    /// Shares of DRAM lines by kind.
    pub dram: DramSplit,
}

/// Shares of DRAM lines by kind (Boustrophedonic Frames, Fig. 1).
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct DramSplit {
    /// Texels read by the texture caches.
    pub textures: Option<f64>,
    /// Parameter Buffer, written and read.
    pub parameter_buffer: Option<f64>,
    /// Tiles loaded and flushed; where there are none on the chip, colours and depths in memory.
    pub colors: Option<f64>,
    /// Commands, vertices and indices; where there is no Parameter Buffer, outputs of vertex programs as well.
    pub geometry: Option<f64>,
}

/// Sums over the frames of a game.
#[derive(Debug)]
pub struct Survey {
    real: Gpu,
    ideal: Gpu,
    facts: Facts,
    costs: Costs,
}

#[derive(Debug, Default)]
struct Facts {
    frames: u64,
    texture_bytes: u64,
    /// Digests of the last frame's tiles.
    last: Vec<TileDigests>,
    tiles_compared: u64,
    equal_colors: u64,
    equal_inputs: u64,
    fragments: u64,
    pixels: u64,
    draws: u64,
    primitives: u64,
}

#[derive(Debug, Default)]
struct Costs {
    modelled: u64,
    frames: u64,
    cycles: u64,
    raster_cycles: u64,
    ideal_cycles: u64,
    instructions: u64,
    not_hit: u64,
    lines: TrafficCounts,
    seconds: f64,
}

impl Survey {
    /// Returns the survey before its first frame.
    ///
    /// # Errors
    /// If the machine cannot be built.
    pub fn new(machine: &MachineSpec) -> Result<Self, SurveyError> {
        let mut ideal = machine.clone();
        ideal.ideal = IdealSpec::ALL;
        Ok(Self {
            real: Gpu::new(machine)?,
            ideal: Gpu::new(&ideal)?,
            facts: Facts::default(),
            costs: Costs::default(),
        })
    }

    /// Character of the frames so far.
    #[must_use]
    pub fn character(&self) -> Character {
        let Self { facts, costs, .. } = self;
        let per_frame = |sum: u64| ratio(sum, facts.frames);
        Character {
            frames: facts.frames,
            modelled_frames: costs.modelled,
            stands_for: costs.frames,
            texture_bytes: per_frame(facts.texture_bytes),
            equal_colors: ratio(facts.equal_colors, facts.tiles_compared),
            equal_inputs: ratio(facts.equal_inputs, facts.tiles_compared),
            overdraw: ratio(facts.fragments, facts.pixels),
            draws: per_frame(facts.draws),
            primitives: per_frame(facts.primitives),
            raster_share: ratio(costs.raster_cycles, costs.cycles),
            memory_time: ratio(
                costs.cycles.saturating_sub(costs.ideal_cycles),
                costs.cycles,
            ),
            l1_mpki: ratio(costs.not_hit, costs.instructions).map(|misses| 1000.0 * misses),
            fps: (costs.seconds > 0.0).then(|| costs.frames as f64 / costs.seconds),
            dram: DramSplit::of(&costs.lines),
        }
    }
}

impl Observer for Survey {
    type Error = SurveyError;
    /// One frame: the machine has caches and no techniques.
    const WARM_UP: u64 = 1;

    fn look(&mut self, frame: &FrameTrace) {
        self.facts.add(frame);
    }

    /// Runs a frame through the machine with its memory and with ideal memory.
    fn model(&mut self, frame: &FrameTrace, stands_for: u64) -> Result<(), SurveyError> {
        let (real, ideal) = rayon::join(
            || self.real.run_frame(frame),
            || self.ideal.run_frame(frame),
        );
        let (real, ideal) = (real?, ideal?);
        if stands_for > 0 {
            self.costs.add(&real, &ideal, stands_for);
        }
        Ok(())
    }
}

/// `part / whole`; `None` where `whole` is 0.
fn ratio(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

impl DramSplit {
    fn of(lines: &TrafficCounts) -> Self {
        let share = |kinds: &[Traffic]| {
            let sum = kinds.iter().map(|kind| lines[*kind]).sum();
            ratio(sum, lines.total() - lines[Traffic::Display])
        };
        Self {
            textures: share(&[Traffic::Texture]),
            parameter_buffer: share(&[Traffic::ParameterWrite, Traffic::ParameterRead]),
            colors: share(&[
                Traffic::ColorLoad,
                Traffic::ColorFlush,
                Traffic::Color,
                Traffic::Depth,
            ]),
            geometry: share(&[Traffic::Command, Traffic::Vertex, Traffic::VertexOutput]),
        }
    }
}

impl Facts {
    fn add(&mut self, frame: &FrameTrace) {
        self.frames += 1;
        self.texture_bytes += BLOCK_BYTES * n_blocks_touched(frame);
        self.draws += frame.draws.len() as u64;
        self.primitives += frame.n_primitives();
        self.pixels += u64::from(frame.grid.width) * u64::from(frame.grid.height);
        let live = |tile: &TileTrace| -> u64 {
            let quads = tile.quads.iter();
            quads.map(|quad| u64::from(quad.live().count_ones())).sum()
        };
        self.fragments += frame.tiles.iter().map(live).sum::<u64>();
        let now: Vec<_> = frame.tiles.iter().map(|tile| tile.digests).collect();
        // Tiles of another screen are not comparable.
        if self.last.len() == now.len() {
            self.tiles_compared += now.len() as u64;
            for (before, after) in self.last.iter().zip(&now) {
                self.equal_colors += u64::from(before.color_crc == after.color_crc);
                self.equal_inputs += u64::from(before.inputs == after.inputs);
            }
        }
        self.last = now;
    }
}

/// Distinct texel blocks that a frame's texture instructions touch.
fn n_blocks_touched(frame: &FrameTrace) -> u64 {
    let words = |n_blocks: u32| vec![0_u64; n_blocks.div_ceil(64) as usize];
    let mut touched: Vec<Vec<u64>> = (frame.textures.iter())
        .map(|texture| words(texture.n_blocks))
        .collect();
    let draw_of_primitive = frame.draw_of_primitive();
    for tile in &frame.tiles {
        let mut counts = tile.block_counts.iter();
        let mut blocks = tile.blocks.iter();
        for (entry, quads) in tile.entries() {
            let draw = &frame.draws[draw_of_primitive[entry.primitive as usize] as usize];
            let n_shaded = quads.iter().filter(|quad| quad.is_shaded()).count();
            for texture in draw
                .textures
                .iter()
                .cycle()
                .take(n_shaded * draw.textures.len())
            {
                let n = counts.next().copied().unwrap_or(0);
                for block in blocks.by_ref().take(usize::from(n)) {
                    touched[texture.0 as usize][*block as usize / 64] |= 1 << (block % 64);
                }
            }
        }
    }
    let ones = |words: &Vec<u64>| {
        words
            .iter()
            .map(|word| u64::from(word.count_ones()))
            .sum::<u64>()
    };
    touched.iter().map(ones).sum()
}

impl Costs {
    /// Adds a frame that stands for `times`.
    fn add(&mut self, real: &FrameReport, ideal: &FrameReport, times: u64) {
        self.modelled += 1;
        self.frames += times;
        self.cycles += times * real.cycles.0;
        self.raster_cycles += times * real.raster_cycles.0;
        self.ideal_cycles += times * ideal.cycles.0;
        for core in &real.cores {
            self.instructions += times * core.instructions;
            self.not_hit += times * (core.texture.accesses - core.texture.hits);
        }
        for counts in [real.dram.reads, real.dram.writes] {
            for (sum, lines) in self.lines.0.iter_mut().zip(counts.0) {
                *sum += times * lines;
            }
        }
        self.seconds += times as f64 * real.cycles.0 as f64 / real.clock.0 as f64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use azulejo_grid::TileGrid;
    use azulejo_trace::synthetic::{CoveredScreen, TexelPattern, fragment_program};
    use azulejo_trace::{Instruction, InstructionClass};

    fn survey() -> Survey {
        let machine = MachineSpec::built_in("valhall-libra-baseline", &[]).expect("shipped");
        Survey::new(&machine).expect("valid")
    }

    /// A screen of 64x32 pixels in two tiles, covered by layers of a texture each texel of which is a pixel.
    fn screen(layers: u32) -> CoveredScreen {
        let grid = TileGrid {
            width: 64,
            height: 32,
            tile_size: 32,
        };
        let texture = Instruction::new(InstructionClass::Texture, &[]);
        let mut screen = CoveredScreen::new(grid, fragment_program("texture", vec![texture]));
        screen.texels = TexelPattern::ScreenAligned;
        screen.layers = layers;
        screen
    }

    #[test]
    fn texture_bytes_count_a_block_once_however_often_it_is_touched() {
        let mut survey = survey();
        survey.look(&screen(3).frame(0));
        let character = survey.character();
        assert_eq!(
            character.texture_bytes,
            Some(64.0 * 32.0 * 4.0),
            "four bytes a pixel"
        );
        assert_eq!(character.overdraw, Some(3.0), "three layers");
    }

    #[test]
    fn equal_tiles_are_those_of_the_frame_before() {
        let mut survey = survey();
        let mut frame = screen(1).frame(0);
        survey.look(&frame);
        survey.look(&frame);
        frame.tiles[1].digests.color_crc ^= 1;
        survey.look(&frame);
        let character = survey.character();
        assert_eq!(character.equal_colors, Some(0.75), "3 of 4");
        assert_eq!(character.equal_inputs, Some(1.0), "4 of 4");
    }

    #[test]
    fn shares_of_nothing_are_not_known() {
        let mut survey = survey();
        survey.look(&screen(1).frame(0));
        let character = survey.character();
        assert_eq!(character.equal_colors, None, "one frame has none before it");
        assert_eq!(character.raster_share, None, "no frame was modelled");
        assert_eq!(character.dram, DramSplit::default(), "nor its memory");
    }

    #[test]
    fn costs_are_those_of_the_machine() {
        let mut survey = survey();
        survey.model(&screen(1).frame(0), 1).expect("it runs");
        let character = survey.character();
        assert!(
            character.memory_time > Some(0.0),
            "what is read for the first time takes time: {character:?}"
        );
        let dram = character.dram;
        let kinds = [
            dram.textures,
            dram.parameter_buffer,
            dram.colors,
            dram.geometry,
        ];
        let all: f64 = kinds.map(|share| share.expect("measured")).iter().sum();
        assert!((all - 1.0).abs() < 1e-9, "every line is of some kind");
        // 128 warps of one instruction, each with a block of its own; a warp of vertices runs two.
        let mpki = 1000.0 * 128.0 / 130.0;
        let measured = character.l1_mpki.expect("a modelled frame");
        assert!((measured - mpki).abs() < 1e-9, "nothing hits");
    }
}
