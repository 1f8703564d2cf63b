//! Lawful frames and machines by decisions: small frames of every shape that a trace allows, and the shipped machines with
//! keys changed.

use azulejo::gpu::machine::{BUILT_IN, MachineSpec, Overlay};
use azulejo::grid::TileGrid;
use azulejo::trace::synthetic::{CoveredScreen, Kernel, TexelPattern, fragment_program};
use azulejo::trace::{
    Assembled, BLOCK_BYTES, BufferInfo, FixedFunction, FrameTrace, IndexFetch, Instruction,
    InstructionClass, Quad, Region, TargetInfo, TargetTexture, TexelFormat, TextureIdx,
    TextureInfo,
};

use super::choices::Choices;

/// A frame of at most 48x48 pixels.
pub(crate) fn frame(choices: &mut Choices<'_>, grid: TileGrid, number: u64) -> FrameTrace {
    let list = instructions(choices, &OF_FRAGMENTS);
    let mut screen = CoveredScreen::new(grid, fragment_program("any", list));
    screen.layers = choices.up_to(4);
    screen.n_attributes = 1 + choices.byte() % 16;
    screen.texels = choices.one_of(&PATTERNS);
    screen.state = FixedFunction {
        depth_test: choices.flag(),
        depth_write: choices.flag(),
        late_depth: choices.flag(),
        blend: choices.flag(),
    };
    screen.targets = (0..choices.up_to(3))
        .map(|_| TargetInfo {
            bytes_per_pixel: 1 + choices.up_to(15),
            load: choices.flag(),
            store: choices.flag(),
            texture: None,
        })
        .collect();
    let mut frame = screen.frame(number);
    change(choices, &mut frame);
    // A pass before it, of the same tiles or others.
    for _ in 0..choices.byte() % 4 / 2 {
        let mut before = screen.frame(number);
        change(choices, &mut before);
        before.name = "before".to_owned();
        frame.before.push(before);
    }
    for _ in 0..choices.byte() % 4 / 2 {
        frame.before.push(kernel(choices).pass());
    }
    frame
}

/// Parts of memory that instructions touch.
const PATTERNS: [TexelPattern; 3] = [
    TexelPattern::SameBlock,
    TexelPattern::AlwaysNew,
    TexelPattern::ScreenAligned,
];

/// Classes of fragment programs.
const OF_FRAGMENTS: [InstructionClass; 9] = [
    InstructionClass::Alu,
    InstructionClass::Transcendental,
    InstructionClass::Varying,
    InstructionClass::Texture,
    InstructionClass::Attribute,
    InstructionClass::Output,
    InstructionClass::Load,
    InstructionClass::Store,
    InstructionClass::Atomic,
];

/// Up to eight workgroups of at most 128 invocations.
fn kernel(choices: &mut Choices<'_>) -> Kernel {
    let mut kernel = Kernel::new("kernel", instructions(choices, &InstructionClass::ALL));
    kernel.texels = choices.one_of(&PATTERNS);
    kernel.group_threads = 1 + choices.up_to(127);
    kernel.n_groups = choices.up_to(8);
    if choices.flag() && !kernel.instructions.is_empty() {
        let all = Region::Block(0..kernel.instructions.len() as u32);
        kernel.regions = vec![Region::Loop(vec![all])];
        let trips = 1 + choices.byte() % 3;
        kernel.paths = vec![vec![trips, 15, 0]];
    }
    kernel
}

fn instructions(choices: &mut Choices<'_>, classes: &[InstructionClass]) -> Vec<Instruction> {
    let n = choices.up_to(80);
    let one = |at: u32| {
        let class = choices.one_of(classes);
        let sources = [choices.byte(), choices.byte(), choices.byte()];
        let back = |back: u8| at.checked_sub(u32::from(back)).filter(|_| back > 0);
        let sources: Vec<u32> = sources.into_iter().filter_map(back).collect();
        Instruction::new(class, &sources)
    };
    (0..n).map(one).collect()
}

/// Formats of a texture that take as many blocks.
const FORMATS: [TexelFormat; 2] = [TexelFormat::Rgba8, TexelFormat::Rgba16F];

/// Changes that keep a frame lawful.
fn change(choices: &mut Choices<'_>, frame: &mut FrameTrace) {
    let n_tiles = frame.tiles.len() as u32;
    for _ in 0..choices.up_to(12) {
        let tile = &mut frame.tiles[choices.up_to(n_tiles - 1) as usize];
        let draw = &mut frame.draws[0];
        match choices.byte() % 13 {
            0 => {
                draw.constant_bytes = choices.up_to(65_535);
                draw.set_constant_bytes = choices.up_to(draw.constant_bytes);
            }
            1 if !draw.assembled.is_empty() => {
                draw.indices = Some(IndexFetch {
                    buffer: 0,
                    offset: 0,
                    bytes_per_index: choices.one_of(&[1, 2, 4]),
                    count: choices.up_to(draw.n_primitives * 3),
                });
            }
            // Culled primitives behind the others.
            2 if !draw.vertices.is_empty() => {
                let culled = Assembled::default();
                let n = draw.assembled.len() + choices.up_to(40) as usize;
                draw.assembled.resize(n, culled);
            }
            // More triangles from the last primitive, as from clipping.
            3 => {
                if let Some(last) = draw.assembled.last_mut() {
                    let more = choices.byte() % (15 - last.binned.min(14));
                    last.binned += more;
                    draw.n_primitives += u32::from(more);
                }
            }
            // An empty tile.
            4 => *tile = Default::default(),
            // An entry of the list without quads.
            5 => {
                let primitive = tile.primitives.first().copied();
                tile.primitives.extend(primitive.map(|mut entry| {
                    entry.n_quads = 0;
                    entry
                }));
            }
            // Quads that are killed late: they ran, and nothing was written.
            6 => {
                for quad in &mut tile.quads {
                    *quad = quad.with_written(choices.up_to(15), choices.flag());
                }
            }
            // Quads that are killed early, where no instruction has blocks or lines of them.
            7 if draw.textures.is_empty() && draw.fragment_buffers.is_empty() => {
                for quad in &mut tile.quads {
                    let live = choices.up_to(15);
                    *quad = Quad::new(quad.column(), quad.row(), quad.covered(), live);
                }
            }
            8 => tile.digests.input_crc = choices.up_to(3),
            9 => frame.textures[0].format = choices.one_of(&FORMATS),
            10 if draw.vertices.len().is_multiple_of(2) => {
                draw.instances = 1 + u32::from(choices.flag());
                draw.vertex_streams[0].per_instance = choices.flag();
            }
            11 => into_texture(choices, frame),
            12 => into_storage(frame),
            _ => {}
        }
    }
}

/// Draws to a texture in place of a frame buffer.
fn into_texture(choices: &mut Choices<'_>, frame: &mut FrameTrace) {
    let bytes = choices.one_of(&[1, 2, 4, 8, 16]);
    let format = TexelFormat::Plain { bytes };
    let [width, height] = format.block_size();
    let TileGrid {
        width: wide,
        height: high,
        ..
    } = frame.grid;
    let texture = TextureIdx(frame.textures.len() as u32);
    frame.textures.push(TextureInfo {
        name: "target".to_owned(),
        width: wide,
        height: high,
        n_levels: 1,
        format,
        n_blocks: wide.div_ceil(width) * high.div_ceil(height),
    });
    if let Some(target) = frame.targets.first_mut() {
        target.bytes_per_pixel = bytes.into();
        target.texture = Some(TargetTexture {
            texture,
            first_block: 0,
        });
    }
}

/// Makes the last buffer a texture's storage.
fn into_storage(frame: &mut FrameTrace) {
    let lines = |buffer: &&mut BufferInfo| {
        buffer.texture.is_none() && buffer.bytes.is_multiple_of(BLOCK_BYTES)
    };
    if let Some(buffer) = frame.buffers.last_mut().filter(lines) {
        let n_blocks = (buffer.bytes / BLOCK_BYTES) as u32;
        buffer.texture = Some(TextureIdx(frame.textures.len() as u32));
        frame.textures.push(TextureInfo {
            name: "storage".to_owned(),
            width: 4 * n_blocks,
            height: 4,
            n_levels: 1,
            format: TexelFormat::Plain { bytes: 4 },
            n_blocks,
        });
    }
}

/// A screen of at most 48x48 pixels.
pub(crate) fn grid(choices: &mut Choices<'_>) -> TileGrid {
    TileGrid {
        width: 1 + choices.up_to(47),
        height: 1 + choices.up_to(47),
        tile_size: choices.one_of(&[8, 16, 32]),
    }
}

/// Keys of machine files and values for them: ordinary ones and the ends of what is allowed.
const KEYS: &[(&str, &[&str])] = &[
    ("ideal_memory", &["true", "false"]),
    ("screen.tile_order", &["scanline", "zorder", "hilbert"]),
    ("command.cycles_per_draw", &["0", "1", "100", "10000"]),
    ("geometry.vertex_queue", &["1", "2", "16", "64"]),
    ("geometry.primitives_per_cycle", &["1", "4"]),
    ("geometry.assembly_latency", &["0", "1", "100"]),
    ("geometry.triangle_queue", &["1", "2", "64"]),
    ("geometry.vertex_cache.size", &["256B", "4KiB"]),
    ("geometry.vertex_cache.ways", &["1", "2", "4"]),
    ("geometry.vertex_cache.mshrs", &["1", "2", "8"]),
    ("tiling.tile_cache_ports", &["1", "2", "4"]),
    ("tiling.list_entry_bytes", &["1", "4", "8"]),
    ("tiling.fetch_ahead", &["1", "2", "16", "64"]),
    ("tiling.tile_cache.size", &["512B", "4KiB", "128KiB"]),
    ("tiling.tile_cache.ways", &["1", "8"]),
    ("tiling.tile_cache.mshrs", &["1", "2", "16"]),
    ("raster.units", &["1", "2", "4"]),
    ("raster.cores_per_unit", &["1", "2", "4", "8"]),
    ("raster.dispatch", &["alternating", "least_occupied"]),
    ("raster.fifo", &["1", "2", "16"]),
    ("raster.attributes_per_cycle", &["1", "16", "64"]),
    ("raster.quads_per_cycle", &["1", "4"]),
    ("raster.early_z_in_flight", &["1", "2", "32"]),
    ("raster.early_z_latency", &["0", "1", "40"]),
    ("raster.fragment_queue", &["1", "16", "64"]),
    ("raster.blend_quads_per_cycle", &["1", "4"]),
    ("raster.blend_latency", &["0", "1", "40"]),
    ("raster.color_buffers", &["1", "2", "4"]),
    ("raster.flush_lines_per_cycle", &["1", "4"]),
    ("core.fragment.warps", &["1", "2", "32", "128"]),
    ("core.fragment.warp_threads", &["4", "8", "16", "32"]),
    ("core.fragment.collector_units", &["1", "3"]),
    ("core.fragment.memory_pipelines", &["1", "2"]),
    ("core.fragment.texture_cache.size", &["128B", "8KiB"]),
    ("core.fragment.texture_cache.ways", &["1", "2"]),
    ("core.fragment.texture_cache.mshrs", &["1", "2", "16"]),
    ("core.vertex.warps", &["1", "4"]),
    ("core.vertex.warp_threads", &["4", "16"]),
    ("l2.size", &["4KiB", "64KiB", "2MiB"]),
    ("l2.ways", &["1", "2", "16"]),
    ("l2.latency", &["0", "1", "100"]),
    ("l2.banks", &["1", "2", "8"]),
    ("l2.bank_queue", &["1", "4"]),
    ("l2.mshrs_per_bank", &["1", "8"]),
    ("l2.memory_latency", &["0", "1", "100"]),
    ("l2.memory_bytes_per_cycle", &["1", "4", "64"]),
    ("display.refresh", &["0", "60", "120"]),
    ("display.frame_buffers", &["1", "2", "3"]),
];

/// A shipped machine with up to eight keys changed, at a frame's grid; `None` where the machine refuses the values, as it
/// may.
pub(crate) fn machine(choices: &mut Choices<'_>, grid: TileGrid) -> Option<MachineSpec> {
    let name = BUILT_IN[usize::from(choices.byte()) % BUILT_IN.len()].name;
    let overlay = |key: &str, value: String| Overlay {
        key: key.to_owned(),
        value,
    };
    let mut overlays = vec![
        overlay("screen.width", grid.width.to_string()),
        overlay("screen.height", grid.height.to_string()),
        overlay("screen.tile_size", grid.tile_size.to_string()),
    ];
    for _ in 0..choices.up_to(8) {
        let (key, values) = choices.one_of(KEYS);
        let with_one = overlay(key, choices.one_of(values).to_owned());
        let mut tried = overlays.clone();
        tried.push(with_one);
        // A key that this machine does not have, or a value that does not go with the others, is left out.
        if MachineSpec::built_in(name, &tried).is_ok() {
            overlays = tried;
        }
    }
    MachineSpec::built_in(name, &overlays).ok()
}
