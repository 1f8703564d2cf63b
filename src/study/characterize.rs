//! Character of a game's load: the columns by which the papers describe their suites, measured over frames of a trace.
//!
//! Facts (texels touched, tiles that stay equal, overdraw) come from every frame; costs only from those that go through a
//! machine, and through the same machine with ideal memory, which shows how much of the time is spent on memory (LIBRA,
//! Fig. 6a).

mod columns;
mod cores;
mod error;
mod programs;
mod published;

use serde::{Deserialize, Serialize};

pub use columns::{CHARACTER_COLUMNS, CharacterColumn, ColumnForm, ColumnGroup};
use cores::Cores;
pub use error::SurveyError;
pub use programs::ProgramShare;
use programs::Programs;
pub use published::{
    LoadTarget, TargetBasis, TargetFinding, TargetOver, TargetValue, load_targets,
};

use crate::sampling::Observer;
use crate::scheduling::{Spread, TileChanges};
use azulejo_gpu::machine::{IdealSpec, MachineSpec};
use azulejo_gpu::memory::{Traffic, TrafficCounts};
use azulejo_gpu::statistics::TileCost;
use azulejo_gpu::{FrameReport, Gpu};
use azulejo_trace::{FrameTrace, QuadSamples, TileDigests, TileTrace};

/// Character of the load of some frames. Shares are of 1; `None` is a value that no frame could tell.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
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
    /// Distinct fragment programs that run in a frame, mean.
    pub programs: Option<f64>,
    /// Instructions of a fragment's program, mean over fragments.
    pub fragment_instructions: Option<f64>,
    /// Texture samples among them.
    pub fragment_samples: Option<f64>,
    /// Lengths of fragment programs by the share of the fragments that run them, the most seen first.
    pub program_shares: Vec<ProgramShare>,
    /// Cycles of the Geometry Pipeline of a frame, mean.
    pub geometry_cycles: Option<f64>,
    /// Cycles of the Raster Pipeline of a frame, mean.
    pub raster_cycles: Option<f64>,
    /// Cycles of a frame, mean.
    pub cycles: Option<f64>,
    /// Lines that texture caches request, per 1000 warp instructions: misses without accesses to lines under way.
    pub l1_miss_mpki: Option<f64>,
    /// Share of these lines that come while another texture cache holds them.
    pub l1_copies: Option<f64>,
    /// Texel reads that miss in the L2, per 1000 warp instructions.
    pub l2_texture_mpki: Option<f64>,
    /// Lines read from the DRAM, per 1000 warp instructions (KHEPRI, Fig. 8).
    pub dram_reads: Option<f64>,
    /// Tiles whose DRAM lines differ by less than 20 % from the frame before (LIBRA, Fig. 8).
    pub tiles_alike: Option<f64>,
    /// Standard deviation over tiles, as a share of the mean, of DRAM lines for an instruction (LIBRA, section III-D).
    pub intensity_variation: Option<f64>,
    /// Raster speed of one Raster Unit of eight cores, of that with four (LIBRA, Fig. 4); only of surveys with cores.
    pub eight_core_speed: Option<f64>,
    /// Raster speed of KHEPRI's memory cores, of its compute cores; likewise.
    pub memory_core_speed: Option<f64>,
    /// Tiles that memory cores shade in less time than compute cores, of those that differ; likewise.
    pub memory_core_tiles: Option<f64>,
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
    cores: Option<Cores>,
    facts: Facts,
    costs: Costs,
    /// Tiles of the last frame that was modelled, and its number.
    last: Option<(u64, Vec<TileCost>)>,
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
    programs: Programs,
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
    misses: u64,
    copies: u64,
    l2_texture_misses: u64,
    lines_read: u64,
    lines: TrafficCounts,
    seconds: f64,
    tile_changes: TileChanges,
    intensity: Spread,
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
            cores: None,
            facts: Facts::default(),
            costs: Costs::default(),
            last: None,
        })
    }

    /// Survey that also compares numbers and types of cores, on four more machines.
    ///
    /// # Errors
    /// If a machine cannot be built.
    pub fn with_cores(machine: &MachineSpec) -> Result<Self, SurveyError> {
        Ok(Self {
            cores: Some(Cores::new(machine)?),
            ..Self::new(machine)?
        })
    }

    /// Character of the frames so far.
    #[must_use]
    pub fn character(&self) -> Character {
        let Self { facts, costs, .. } = self;
        let per_frame = |sum: u64| ratio(sum, facts.frames);
        let fragments = facts.programs.n_fragments();
        let (instructions, samples) = facts.programs.work();
        let cores = self.cores.as_ref();
        Character {
            programs: per_frame(facts.programs.programs),
            fragment_instructions: ratio(instructions, fragments),
            fragment_samples: ratio(samples, fragments),
            program_shares: facts.programs.shares(),
            eight_core_speed: cores.and_then(Cores::eight_core_speed),
            memory_core_speed: cores.and_then(Cores::memory_core_speed),
            memory_core_tiles: cores.and_then(Cores::memory_core_tiles),
            frames: facts.frames,
            modelled_frames: costs.modelled,
            stands_for: costs.frames,
            texture_bytes: per_frame(facts.texture_bytes),
            equal_colors: ratio(facts.equal_colors, facts.tiles_compared),
            equal_inputs: ratio(facts.equal_inputs, facts.tiles_compared),
            overdraw: ratio(facts.fragments, facts.pixels),
            draws: per_frame(facts.draws),
            primitives: per_frame(facts.primitives),
            ..costs.character()
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
            if let Some((before, tiles)) = &self.last
                && before + 1 == frame.frame
            {
                let changes = &mut self.costs.tile_changes;
                changes.add(tiles, &real.tiles, stands_for);
            }
        }
        self.last = Some((frame.frame, real.tiles));
        if let Some(cores) = &mut self.cores {
            cores.model(frame, stands_for)?;
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
        self.texture_bytes += bytes_touched(frame);
        self.draws += frame.draws.len() as u64;
        self.primitives += frame.n_primitives();
        self.programs.add(frame);
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

/// Bytes of the distinct texel blocks that a frame's texture instructions touch.
fn bytes_touched(frame: &FrameTrace) -> u64 {
    let words = |n_blocks: u32| vec![0_u64; n_blocks.div_ceil(64) as usize];
    let mut touched: Vec<Vec<u64>> = (frame.textures.iter())
        .map(|texture| words(texture.n_blocks))
        .collect();
    let samples = QuadSamples::new(frame);
    for tile in &frame.tiles {
        samples.of_tile(tile, |texture, blocks| {
            for block in blocks {
                touched[texture.0 as usize][*block as usize / 64] |= 1 << (block % 64);
            }
        });
    }
    let ones = |words: &[u64]| -> u64 {
        let counts = words.iter().map(|word| u64::from(word.count_ones()));
        counts.sum()
    };
    let textures = touched.iter().zip(&frame.textures);
    textures
        .map(|(words, texture)| ones(words) * texture.format.block_bytes())
        .sum()
}

impl Costs {
    /// Columns of the frames that went through the machine; nothing of the others.
    fn character(&self) -> Character {
        let per_frame = |sum: u64| ratio(sum, self.frames);
        let per_kilo = |events: u64| ratio(events, self.instructions).map(|each| 1000.0 * each);
        let changes = &self.tile_changes;
        Character {
            raster_share: ratio(self.raster_cycles, self.cycles),
            memory_time: ratio(self.cycles.saturating_sub(self.ideal_cycles), self.cycles),
            l1_mpki: per_kilo(self.not_hit),
            fps: (self.seconds > 0.0).then(|| self.frames as f64 / self.seconds),
            dram: DramSplit::of(&self.lines),
            geometry_cycles: per_frame(self.cycles - self.raster_cycles),
            raster_cycles: per_frame(self.raster_cycles),
            cycles: per_frame(self.cycles),
            l1_miss_mpki: per_kilo(self.misses),
            l1_copies: ratio(self.copies, self.misses),
            l2_texture_mpki: per_kilo(self.l2_texture_misses),
            dram_reads: per_kilo(self.lines_read),
            tiles_alike: ratio(changes.below[1], changes.all),
            intensity_variation: self.intensity.deviation(),
            ..Character::default()
        }
    }

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
            self.misses += times * core.texture.misses;
            self.copies += times * core.texture.copies;
        }
        self.l2_texture_misses += times * real.l2.read_misses[Traffic::Texture];
        self.lines_read += times * real.dram.reads.total();
        for tile in &real.tiles {
            let lines = Traffic::OF_THE_RASTER_PIPELINE.map(|kind| tile.cost.dram_lines[kind]);
            if let Some(each) = ratio(lines.iter().sum(), tile.cost.instructions) {
                self.intensity.add(each, times);
            }
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
        assert_eq!(character.tiles_alike, None, "nor its tiles");
        assert_eq!(character.eight_core_speed, None, "without cores");
    }

    #[test]
    fn programs_are_counted_by_the_fragments_that_run_them() {
        let mut survey = survey();
        survey.look(&screen(3).frame(0));
        let alu = Instruction::new(InstructionClass::Alu, &[]);
        let texture = Instruction::new(InstructionClass::Texture, &[]);
        let mut long = screen(1).frame(1);
        let program = long.draws[0].fragment_program.0 as usize;
        long.programs[program].instructions = vec![alu, texture, alu];
        survey.look(&long);
        let character = survey.character();
        let share = |instructions, share| ProgramShare {
            instructions,
            samples: 1,
            share,
        };
        let expected = [share(1, 0.75), share(3, 0.25)];
        assert_eq!(character.program_shares, expected, "three layers, and one");
        assert_eq!(character.fragment_instructions, Some(1.5), "3 x 1 + 3 of 4");
        assert_eq!(character.fragment_samples, Some(1.0), "one each");
        assert_eq!(character.programs, Some(1.0), "one a frame");
    }

    #[test]
    fn tiles_are_compared_with_the_frame_before_alone() {
        let mut survey = survey();
        survey.model(&screen(1).frame(0), 1).expect("it runs");
        assert_eq!(survey.character().tiles_alike, None, "none before it");
        survey.model(&screen(1).frame(2), 1).expect("it runs");
        assert_eq!(survey.character().tiles_alike, None, "frame 1 lies between");
        survey.model(&screen(1).frame(3), 1).expect("it runs");
        let character = survey.character();
        assert_eq!(character.tiles_alike, Some(1.0), "the same once more");
        let variation = character.intensity_variation.expect("two tiles");
        assert!(variation >= 0.0, "{variation}");
    }

    #[test]
    fn cores_are_compared_only_by_surveys_with_cores() {
        let machine = MachineSpec::built_in("valhall-libra-baseline", &[]).expect("shipped");
        let mut survey = Survey::with_cores(&machine).expect("valid");
        survey.model(&screen(2).frame(0), 1).expect("it runs");
        let character = survey.character();
        let eight = character.eight_core_speed.expect("measured");
        assert!(eight > 0.5, "{eight}");
        assert!(character.memory_core_speed.is_some(), "of both types");
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
        let misses = character.l1_miss_mpki.expect("a modelled frame");
        assert!((misses - mpki).abs() < 1e-9, "no line is under way twice");
        assert_eq!(character.l1_copies, Some(0.0), "no block is read twice");
        let parts = [character.geometry_cycles, character.raster_cycles];
        let sum: f64 = parts
            .map(|part| part.expect("a modelled frame"))
            .iter()
            .sum();
        assert_eq!(character.cycles, Some(sum), "geometry and raster");
    }
}
