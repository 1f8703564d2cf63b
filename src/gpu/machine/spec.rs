//! The parameters of every unit, each with its range in machine files. All latencies in cycles of the GPU's clock.

use serde::{Deserialize, Deserializer};

use super::cache_unit::{CacheUnitSpec, MAX_LATENCY};
use super::immediate::{ImmediateSpec, Pipeline};
use crate::cache::{CacheSpec, Victim};
use crate::dram::DramSpec;
use crate::energy::EnergySpec;
use crate::parameters::{Document, in_range, in_range_or_default, power_of_two, texts};
use azulejo_grid::{Binning, TileGrid, TileOrder};
use azulejo_units::{Cycles, Hertz};

/// Threads of a core that instructions' results are kept for.
const MAX_WARPS: u64 = 128;

/// A whole GPU with its memory.
#[derive(Debug, Clone, PartialEq)]
pub struct MachineSpec {
    /// As the file calls it, or a change of it; else the file's own name.
    pub name: String,
    /// Frequency of the GPU's clock.
    pub clock: Hertz,
    /// With tiles or without.
    pub pipeline: Pipeline,
    /// Pipeline without tiles, where the file describes one: also while its pipeline is the tiled one.
    pub immediate: Option<ImmediateSpec>,
    /// The screen and tiles that the paper uses; a trace brings its own grid.
    pub screen: ScreenSpec,
    /// Parses draws; reads their constants.
    pub command: CommandSpec,
    /// Vertex fetch to assembly: vertices to triangles.
    pub geometry: GeometrySpec,
    /// Triangles to tile lists and back.
    pub tiling: TilingSpec,
    /// Raster Units with their shader cores.
    pub raster: RasterSpec,
    /// The second-level cache that all share.
    pub l2: L2Spec,
    /// The DRAM with its controllers.
    pub dram: DramSpec,
    /// Display controller: refresh rate and frame buffers.
    pub display: DisplaySpec,
    /// Parameters of techniques, a table each, as files and overlays give them: each technique reads its own.
    pub technique: Document,
    /// Agents that share the memory with the GPU, as files and overlays give them; an empty table where there are none.
    pub soc: Document,
    /// Energy of events and leakage; `None` where the paper gives no technology.
    pub energy: Option<EnergySpec>,
    /// Units that never use the memory.
    pub ideal: IdealSpec,
}

/// Units with accesses that never leave them: each finds its reads at once, and no write waits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
pub struct IdealSpec {
    /// Indices, vertices and constants.
    pub vertex_cache: bool,
    /// Attributes and lists of the Parameter Buffer.
    pub tile_cache: bool,
    /// Texels of all cores.
    pub texture_caches: bool,
    /// Tiles that are loaded and flushed.
    pub colors: bool,
    /// Buffers that programs access, by all cores.
    #[serde(deserialize_with = "or_false")]
    pub data_caches: bool,
}

impl IdealSpec {
    /// No unit sees the memory (LIBRA, Fig. 6).
    pub const ALL: Self = Self {
        vertex_cache: true,
        tile_cache: true,
        texture_caches: true,
        colors: true,
        data_caches: true,
    };
    /// All but texels: an L2 that receives only texture accesses (Boustrophedonic Frames, section VI).
    pub const ALL_BUT_TEXTURES: Self = Self {
        texture_caches: false,
        ..Self::ALL
    };
}

/// Screen, tiles, and how triangles and tiles are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScreenSpec {
    /// The screen cut into tiles.
    pub grid: TileGrid,
    /// Which tiles triangles are listed in.
    pub binning: Binning,
    /// The walk over the tiles.
    pub order: TileOrder,
}

/// The front of the pipeline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub struct CommandSpec {
    /// To parse a draw and set its state, apart from reading its constants.
    #[serde(deserialize_with = "in_range::<1, MAX_LATENCY, _, _>")]
    pub cycles_per_draw: Cycles,
}

/// Which cores run vertex programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VertexCores {
    /// The cores of these Raster Units, as a bit mask (unified shaders).
    Unified(u32),
    /// So many processors of their own.
    Dedicated(u32, CoreSpec),
}

/// Vertex fetch, vertex programs, assembly.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GeometrySpec {
    /// Vertices fetched ahead of the cores.
    pub vertex_queue: u32,
    /// Holds vertex and index lines.
    pub vertex_cache: CacheUnitSpec,
    /// Cores that run vertex programs.
    pub cores: VertexCores,
    /// Primitives assembled, culled and clipped per cycle.
    pub primitives_per_cycle: u32,
    /// Depth of the assembly, cull and clip pipeline in cycles.
    pub assembly_latency: Cycles,
    /// Triangles between assembly and the Polygon List Builder.
    pub triangle_queue: u32,
}

/// Polygon List Builder and Tile Fetcher.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub struct TilingSpec {
    /// Between both and the Parameter Buffer.
    pub tile_cache: CacheUnitSpec,
    /// Accesses of the tile cache per cycle, at most.
    #[serde(deserialize_with = "in_range::<1, 64, _, _>")]
    pub tile_cache_ports: u32,
    /// Banks of the tile cache, which take one access a cycle each; consecutive lines lie in consecutive banks.
    #[serde(deserialize_with = "power_of_two::<1, 64, _, _>")]
    pub tile_cache_banks: u32,
    /// Bytes of one entry of a tile's list.
    #[serde(deserialize_with = "power_of_two::<2, 16, _, _>")]
    pub list_entry_bytes: u32,
    /// Primitives that the Tile Fetcher reads ahead for each Raster Unit.
    #[serde(deserialize_with = "in_range::<1, 256, _, _>")]
    pub fetch_ahead: u32,
    /// Tiles that the Tile Fetcher reads at the same time, each for another Raster Unit; 0 = one for every unit.
    #[serde(deserialize_with = "in_range_or_default::<0, 32, _, _>")]
    pub fetch_contexts: u32,
}

/// How tiles go to Raster Units where no technique decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Dispatch {
    /// The tiles in order, dealt to the units in turn (LIBRA, section III-A).
    Alternating,
    /// As alternating, and handed out in order as well: a unit waits while it is another one's turn.
    StrictAlternating,
    /// The next tile to the unit that has the least work (KHEPRI's baseline).
    LeastOccupied,
}

/// In which order the quads of a primitive leave the rasteriser.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Traversal {
    /// Row by row, left to right.
    Rows,
    /// Morton order: four quads in a row are 4x4 pixels.
    Morton,
}

/// Which core of its Raster Unit shades a quad.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum QuadMapping {
    /// Quads fill warps in the order of the rasteriser, warps go to the cores in turn, whichever has room.
    RoundRobin,
    /// The screen is cut into squares of 4x4 pixels, dealt to the cores once and for all: what overlaps is shaded where it
    /// was before.
    #[serde(rename = "interleave-4")]
    Interleave4,
    /// Squares of 8x8 pixels, dealt to the cores as with 4x4.
    #[serde(rename = "interleave-8")]
    Interleave8,
    /// Squares of 16x16 pixels, dealt to the cores as with 4x4.
    #[serde(rename = "interleave-16")]
    Interleave16,
    /// Squares of 32x32 pixels, dealt to the cores as with 4x4.
    #[serde(rename = "interleave-32")]
    Interleave32,
}

impl QuadMapping {
    /// Edge in pixels of the squares that go to one core each; nothing where quads go to any core.
    #[must_use]
    pub const fn square(self) -> Option<u32> {
        match self {
            Self::RoundRobin => None,
            Self::Interleave4 => Some(4),
            Self::Interleave8 => Some(8),
            Self::Interleave16 => Some(16),
            Self::Interleave32 => Some(32),
        }
    }
}

/// A type of shader core, such as KHEPRI's compute cores.
#[derive(Debug, Clone, PartialEq)]
pub struct CoreType {
    /// As under `[core]` in the machine file.
    pub name: String,
    /// Parameters that cores of the type share.
    pub core: CoreSpec,
}

/// Raster Units; all alike but for the type of their cores.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct RasterSpec {
    /// Cores of each unit, one entry a unit: type by position in `core_types`.
    #[serde(deserialize_with = "units")]
    pub units: Vec<usize>,
    /// Cores of a unit.
    #[serde(deserialize_with = "in_range::<1, 64, _, _>")]
    pub cores_per_unit: u32,
    /// Names of the units' core types, dealt to the units in turn.
    #[serde(deserialize_with = "texts")]
    pub cores: Vec<String>,
    /// Shader cores that occur.
    #[serde(skip)]
    pub core_types: Vec<CoreType>,
    /// How tiles are dealt.
    pub dispatch: Dispatch,
    /// Primitives between Tile Fetcher and rasteriser.
    #[serde(deserialize_with = "in_range::<1, 4096, _, _>")]
    pub fifo: u32,
    /// Tiles of a unit from their fetch to the end of their flush, at most.
    #[serde(deserialize_with = "in_range::<1, 4096, _, _>")]
    pub tiles_in_flight: u32,
    /// Order of a primitive's quads.
    pub traversal: Traversal,
    /// Which core shades a quad.
    pub quad_mapping: QuadMapping,
    /// Attributes (vec4) interpolated per cycle, over the fragments of a quad.
    #[serde(deserialize_with = "in_range::<1, 1024, _, _>")]
    pub attributes_per_cycle: u32,
    /// Quads rasterised, depth-tested and dispatched per cycle, at most.
    #[serde(deserialize_with = "in_range::<1, 64, _, _>")]
    pub quads_per_cycle: u32,
    /// Quads in the early depth test.
    #[serde(deserialize_with = "in_range::<1, 4096, _, _>")]
    pub early_z_in_flight: u32,
    /// Depth of the early depth test in cycles.
    #[serde(deserialize_with = "in_range::<1, MAX_LATENCY, _, _>")]
    pub early_z_latency: Cycles,
    /// Quads between the early depth test and the cores.
    #[serde(deserialize_with = "in_range::<8, 4096, _, _>")]
    pub fragment_queue: u32,
    /// Quads blended per cycle.
    #[serde(deserialize_with = "in_range::<1, 64, _, _>")]
    pub blend_quads_per_cycle: u32,
    /// From a quad's acceptance to its colour in the tile buffer.
    #[serde(deserialize_with = "in_range::<1, MAX_LATENCY, _, _>")]
    pub blend_latency: Cycles,
    /// Tile-sized colour buffers: with one, the next tile blends only after the flush.
    #[serde(deserialize_with = "in_range::<1, 2, _, _>")]
    pub color_buffers: u32,
    /// Lines of the colour buffer that leave per cycle.
    #[serde(deserialize_with = "in_range::<1, 64, _, _>")]
    pub flush_lines_per_cycle: u32,
}

fn or_false<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or(false))
}

fn data_cache<'de, D: Deserializer<'de>>(deserializer: D) -> Result<CacheUnitSpec, D::Error> {
    let given = Option::deserialize(deserializer)?;
    Ok(given.unwrap_or_else(CacheUnitSpec::data_cache))
}

/// As many units as the file says; their types are found out when all core types are known.
fn units<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<usize>, D::Error> {
    in_range::<1, 32, usize, D>(deserializer).map(|n| vec![0; n])
}

/// A shader core (KHEPRI, Table II).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub struct CoreSpec {
    /// Warps resident at the same time.
    #[serde(deserialize_with = "in_range::<1, MAX_WARPS, _, _>")]
    pub warps: u32,
    /// Threads of a warp, a multiple of four.
    #[serde(deserialize_with = "power_of_two::<4, 32, _, _>")]
    pub warp_threads: u32,
    /// Registers of 32 bits for the threads of all resident warps; 0 = as many as they need.
    #[serde(deserialize_with = "in_range_or_default::<0, 1_048_576, _, _>")]
    pub registers: u32,
    /// Instructions issued per cycle.
    #[serde(deserialize_with = "in_range::<1, 32, _, _>")]
    pub issue_width: u32,
    /// Instructions that collect operands at the same time.
    #[serde(deserialize_with = "in_range::<1, 128, _, _>")]
    pub collector_units: u32,
    /// From issue to operands collected.
    #[serde(deserialize_with = "in_range::<1, 16, _, _>")]
    pub collect_latency: Cycles,
    /// Arithmetic units; each starts one warp instruction per `alu_interval`.
    #[serde(deserialize_with = "in_range::<1, 32, _, _>")]
    pub alus: u32,
    /// Cycles between two instructions of one arithmetic unit.
    #[serde(deserialize_with = "in_range::<1, 16, _, _>")]
    pub alu_interval: Cycles,
    /// From operands to result.
    #[serde(deserialize_with = "in_range::<1, 40, _, _>")]
    pub alu_latency: Cycles,
    /// Cycles between two instructions of one special-function unit (there is one with each arithmetic unit).
    #[serde(deserialize_with = "in_range::<1, 64, _, _>")]
    pub transcendental_interval: Cycles,
    /// From operands to result.
    #[serde(deserialize_with = "in_range::<1, 60, _, _>")]
    pub transcendental_latency: Cycles,
    /// Texture instructions in address generation at the same time; each makes one cache access per cycle.
    #[serde(deserialize_with = "in_range::<1, 16, _, _>")]
    pub memory_pipelines: u32,
    /// Least cycles that a quad keeps a memory pipeline.
    #[serde(deserialize_with = "in_range::<1, 64, _, _>")]
    pub texture_cycles_per_quad: Cycles,
    /// From the last texel to the result.
    #[serde(deserialize_with = "in_range::<0, 1000, _, _>")]
    pub filter_latency: Cycles,
    /// Texture cache of the core alone.
    pub texture_cache: CacheUnitSpec,
    /// Data cache of the core alone: lines of buffers that programs load from. Stores go through it to the L2.
    #[serde(deserialize_with = "data_cache")]
    pub data_cache: CacheUnitSpec,
    /// Accesses that wait for one line of the texture cache, on its miss register, at most; 0 = as many as come.
    #[serde(deserialize_with = "in_range_or_default::<0, 65_536, _, _>")]
    pub mshr_waiters: u32,
}

impl CoreSpec {
    /// Quads of a warp.
    #[must_use]
    pub const fn quads_per_warp(&self) -> usize {
        (self.warp_threads / 4) as usize
    }
}

/// Second-level cache: shape, banks, queues and latencies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct L2Spec {
    /// Size, ways and line of all banks together.
    pub tags: CacheSpec,
    /// End of the recency order that leaves a full set.
    pub replacement: Victim,
    /// From acceptance by a bank to data at the first level.
    pub latency: Cycles,
    /// Banks; each accepts one request per cycle. Consecutive lines lie in consecutive banks.
    pub banks: u32,
    /// Requests waiting in front of a bank.
    pub bank_queue: u32,
    /// From a first-level cache to the bank's queue; the way holds a request of each bank a cycle of its length.
    pub request_latency: Cycles,
    /// Requests accepted a cycle by all banks together; 0 = one by each.
    pub ports: u32,
    /// Misses under way in each bank.
    pub mshrs_per_bank: u32,
    /// From the last bit at the DRAM's pins to the L2, and from the L2 to the DRAM's controller, together.
    pub memory_latency: Cycles,
    /// Bytes between L2 and DRAM per cycle, both directions together; 0 = no limit but the DRAM's.
    pub memory_bytes_per_cycle: u32,
}

/// Display controller of the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub struct DisplaySpec {
    /// Pictures shown a second; 0 = not modelled.
    #[serde(deserialize_with = "in_range::<0, 1000, _, _>")]
    pub refresh: u32,
    /// Frame buffers that the frames take in turn.
    #[serde(deserialize_with = "in_range::<1, 3, _, _>")]
    pub frame_buffers: u32,
}
