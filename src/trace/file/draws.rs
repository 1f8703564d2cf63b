//! Payloads of resources, programs and draws.

use super::accesses;
use super::wire::{Decoder, Encoder, Layout, Malformed, Parts, Version};
use crate::{
    Assembled, BufferAccesses, BufferInfo, DrawTrace, FixedFunction, GeometryCounters, IndexFetch,
    Instruction, InstructionClass, PathIdx, Program, ProgramId, ShaderStage, TexelFormat,
    TextureIdx, TextureInfo, VertexStream,
};

const STAGES: [ShaderStage; 3] = [
    ShaderStage::Vertex,
    ShaderStage::Fragment,
    ShaderStage::Compute,
];
/// Uncompressed formats; the number behind them stands for compressed blocks, whose shape follows, and the next one for plain
/// texels, whose size follows.
const FORMATS: [TexelFormat; 3] = [
    TexelFormat::Rgba8,
    TexelFormat::Rgba16F,
    TexelFormat::Rgb9E5,
];

fn put_format(to: &mut Encoder, format: TexelFormat) {
    match format {
        TexelFormat::Blocks {
            width,
            height,
            bytes,
        } => {
            to.count(FORMATS.len());
            to.bytes.extend([width, height, bytes]);
        }
        TexelFormat::Plain { bytes } => {
            to.count(FORMATS.len() + 1);
            to.byte(bytes);
        }
        plain => put_choice(to, &FORMATS, &plain),
    }
}

fn take_format(from: &mut Decoder<'_>) -> Result<TexelFormat, Malformed> {
    const WHAT: &str = "a texture's format";
    let number: usize = from.small(WHAT)?;
    if number == FORMATS.len() {
        return Ok(TexelFormat::Blocks {
            width: from.byte(WHAT)?,
            height: from.byte(WHAT)?,
            bytes: from.byte(WHAT)?,
        });
    }
    if number == FORMATS.len() + 1 {
        let bytes = from.byte(WHAT)?;
        return Ok(TexelFormat::Plain { bytes });
    }
    let format = FORMATS.get(number).copied();
    format.ok_or(Malformed::Content(WHAT))
}

pub(super) fn put_choice<T: PartialEq>(to: &mut Encoder, choices: &[T], value: &T) {
    to.count(choices.iter().position(|c| c == value).unwrap_or(0));
}

fn take_choice<T: Copy>(
    from: &mut Decoder<'_>,
    choices: &[T],
    what: &'static str,
) -> Result<T, Malformed> {
    let position: usize = from.small(what)?;
    choices
        .get(position)
        .copied()
        .ok_or(Malformed::Content(what))
}

/// Counts are bounded by the payload and by the allowance, so collecting into a vector is safe.
pub(super) fn take_list<T>(
    from: &mut Decoder<'_>,
    what: &'static str,
    mut one: impl FnMut(&mut Decoder<'_>) -> Result<T, Malformed>,
) -> Result<Vec<T>, Malformed> {
    let count = from.count(1, what)?;
    from.reserve::<T>(count, what)?;
    (0..count).map(|_| one(from)).collect()
}

pub(super) fn put_resources(to: &mut Encoder, textures: &[TextureInfo], buffers: &[BufferInfo]) {
    to.count(textures.len());
    for texture in textures {
        to.text(&texture.name);
        to.unsigned(texture.width.into());
        to.unsigned(texture.height.into());
        to.unsigned(texture.n_levels.into());
        put_format(to, texture.format);
        to.unsigned(texture.n_blocks.into());
    }
    to.count(buffers.len());
    for buffer in buffers {
        to.text(&buffer.name);
        to.unsigned(buffer.bytes);
    }
}

pub(super) fn take_resources(
    from: &mut Decoder<'_>,
) -> Result<(Vec<TextureInfo>, Vec<BufferInfo>), Malformed> {
    let textures = take_list(from, "a texture", |from| {
        Ok(TextureInfo {
            name: from.text("a texture's name")?,
            width: from.small("a texture's width")?,
            height: from.small("a texture's height")?,
            n_levels: from.small("a texture's levels")?,
            format: take_format(from)?,
            n_blocks: from.small("a texture's blocks")?,
        })
    })?;
    let buffers = take_list(from, "a buffer", |from| {
        Ok(BufferInfo {
            name: from.text("a buffer's name")?,
            bytes: from.unsigned("a buffer's size")?,
            texture: None,
        })
    })?;
    Ok((textures, buffers))
}

pub(super) fn put_programs(to: &mut Encoder, programs: &[Program]) {
    to.count(programs.len());
    for program in programs {
        put_head(to, program);
        for (position, instruction) in (0_u64..).zip(&program.instructions) {
            put_choice(to, &InstructionClass::ALL, &instruction.class);
            // Distance back to the source; 0 = none. Sources are near, so this is one byte.
            for source in instruction.sources {
                let none = source == Instruction::NONE;
                to.unsigned(if none {
                    0
                } else {
                    position.saturating_sub(source.into())
                });
            }
        }
    }
}

pub(super) fn put_head(to: &mut Encoder, program: &Program) {
    to.text(&program.name);
    put_choice(to, &STAGES, &program.stage);
    to.count(program.instructions.len());
}

pub(super) fn take_programs(from: &mut Decoder<'_>) -> Result<Vec<Program>, Malformed> {
    take_list(from, "a program", |from| {
        take_program(from, |distance, position| {
            let found = position.checked_sub(distance);
            found.ok_or(Malformed::Content(SOURCE))
        })
    })
}

/// Subject of messages on an instruction's source.
pub(super) const SOURCE: &str = "an instruction's source";

/// A program without regions; `source` finds a source by its number in the file, which isn't 0, and the instruction's position.
pub(super) fn take_program(
    from: &mut Decoder<'_>,
    source: impl Fn(u32, u32) -> Result<u32, Malformed>,
) -> Result<Program, Malformed> {
    let name = from.text("a program's name")?;
    let stage = take_choice(from, &STAGES, "a program's stage")?;
    let mut position = 0_u32;
    let instructions = take_list(from, "an instruction", |from| {
        let class = take_choice(from, &InstructionClass::ALL, "an instruction's class")?;
        let mut sources = [Instruction::NONE; 4];
        for place in &mut sources {
            let number: u32 = from.small(SOURCE)?;
            if number > 0 {
                *place = source(number, position)?;
            }
        }
        position += 1;
        Ok(Instruction { class, sources })
    })?;
    Ok(Program {
        name,
        stage,
        instructions,
        regions: Vec::new(),
    })
}

pub(super) fn put_draw(to: &mut Encoder, draw: &DrawTrace, parts: Parts) {
    to.text(&draw.name);
    to.unsigned(draw.vertex_program.0.into());
    to.unsigned(draw.fragment_program.0.into());
    to.unsigned(draw.constant_bytes.into());
    to.unsigned(draw.constant_digest.into());
    let state = draw.state;
    for flag in [
        state.depth_test,
        state.depth_write,
        state.late_depth,
        state.blend,
    ] {
        to.flag(flag);
    }
    to.count(draw.textures.len());
    for texture in &draw.textures {
        to.unsigned(texture.0.into());
    }
    to.flag(draw.indices.is_some());
    if let Some(fetch) = draw.indices {
        to.unsigned(fetch.buffer.into());
        to.unsigned(fetch.offset);
        to.unsigned(fetch.bytes_per_index.into());
        to.unsigned(fetch.count.into());
    }
    to.count(draw.vertex_streams.len());
    for stream in &draw.vertex_streams {
        to.unsigned(stream.buffer.into());
        to.unsigned(stream.offset);
        to.unsigned(stream.stride.into());
        to.unsigned(stream.bytes.into());
    }
    to.count(draw.vertices.len());
    to.deltas(draw.vertices.iter().copied());
    to.count(draw.assembled.len());
    to.bytes
        .extend_from_slice(bytemuck::cast_slice(&draw.assembled));
    to.unsigned(draw.n_primitives.into());
    to.byte(draw.n_attributes);
    for (_, value) in draw.counters.entries() {
        to.unsigned(value);
    }
    to.unsigned(draw.set_constant_bytes.into());
    if parts.branches {
        to.count(draw.vertex_paths.len());
        to.deltas(draw.vertex_paths.iter().map(|path| path.0));
    }
    if parts.accesses {
        accesses::put_of_draw(to, draw);
    }
}

pub(super) fn take_draw(from: &mut Decoder<'_>, layout: Layout) -> Result<DrawTrace, Malformed> {
    let mut draw = DrawTrace {
        name: from.text("a draw's name")?,
        vertex_program: ProgramId(from.small("a draw's vertex program")?),
        fragment_program: ProgramId(from.small("a draw's fragment program")?),
        constant_bytes: from.small("a draw's constants")?,
        set_constant_bytes: 0,
        constant_digest: from.small("a draw's digest")?,
        state: FixedFunction {
            depth_test: from.flag("a draw's state")?,
            depth_write: from.flag("a draw's state")?,
            late_depth: from.flag("a draw's state")?,
            blend: from.flag("a draw's state")?,
        },
        textures: take_list(from, "a draw's textures", |from| {
            Ok(TextureIdx(from.small("a draw's textures")?))
        })?,
        indices: take_index_fetch(from)?,
        vertex_streams: take_list(from, "a vertex stream", take_vertex_stream)?,
        instances: 1,
        vertices: {
            let count = from.count(1, "a draw's vertices")?;
            from.deltas(count, "a draw's vertices")?
        },
        vertex_paths: Vec::new(),
        vertex_buffers: Vec::new(),
        fragment_buffers: Vec::new(),
        vertex_accesses: BufferAccesses::default(),
        assembled: {
            let count = from.count(2, "a draw's primitives")?;
            from.reserve::<Assembled>(count, "a draw's primitives")?;
            let bytes = from.take(2 * count, "a draw's primitives")?;
            let pairs = bytes.chunks_exact(2).map(|pair| Assembled {
                new_vertices: pair[0],
                binned: pair[1],
            });
            pairs.collect()
        },
        n_primitives: take_primitives(from)?,
        n_attributes: from.byte("a draw's attributes")?,
        counters: take_counters(from)?,
    };
    draw.set_constant_bytes = match layout.version {
        Version::BeforeBinning => draw.constant_bytes,
        _ => from.small("a draw's set constants")?,
    };
    if layout.parts.branches {
        let count = from.count(1, "a draw's paths")?;
        let numbers = from.deltas(count, "a draw's paths")?;
        draw.vertex_paths = numbers.into_iter().map(PathIdx).collect();
    }
    if layout.parts.accesses {
        accesses::take_of_draw(from, &mut draw)?;
    }
    Ok(draw)
}

/// Bytes that a machine takes for each triangle of the Parameter Buffer: its draw, and places in the lists.
type OfPrimitive = [u32; 4];

/// The number of a draw's triangles, which the file does not hold one by one.
fn take_primitives(from: &mut Decoder<'_>) -> Result<u32, Malformed> {
    const WHAT: &str = "a draw's triangles";
    let count: u32 = from.small(WHAT)?;
    from.reserve::<OfPrimitive>(count as usize, WHAT)?;
    Ok(count)
}

fn take_index_fetch(from: &mut Decoder<'_>) -> Result<Option<IndexFetch>, Malformed> {
    const WHAT: &str = "a draw's indices";
    if !from.flag(WHAT)? {
        return Ok(None);
    }
    Ok(Some(IndexFetch {
        buffer: from.small(WHAT)?,
        offset: from.unsigned(WHAT)?,
        bytes_per_index: from.small(WHAT)?,
        count: from.small(WHAT)?,
    }))
}

fn take_vertex_stream(from: &mut Decoder<'_>) -> Result<VertexStream, Malformed> {
    const WHAT: &str = "a vertex stream";
    Ok(VertexStream {
        buffer: from.small(WHAT)?,
        offset: from.unsigned(WHAT)?,
        stride: from.small(WHAT)?,
        bytes: from.small(WHAT)?,
        per_instance: false,
    })
}

fn take_counters(from: &mut Decoder<'_>) -> Result<GeometryCounters, Malformed> {
    let mut counters = GeometryCounters::default();
    for value in counters.values_mut() {
        *value = from.unsigned("a draw's counters")?;
    }
    Ok(counters)
}
