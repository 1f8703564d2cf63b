//! Copies as traces: a kernel whose quads load 64 bytes each and store them, as drivers have it that use no engine for copies.

use azulejo_trace::{
    BufferAccesses, DispatchTrace, FrameTrace, Instruction, InstructionClass, MAX_DISPATCH_QUADS,
    PathTable, Program, ProgramId, ShaderStage,
};
use wgpu_types::{Extent3d, TexelCopyBufferLayout};

use crate::blocks::TexelBlocks;
use crate::compute::compute_pass;
use crate::copy::copy;
use crate::error::{Result, fault};
use crate::memory::{BufferId, Memory, Pitch, TexturePlace};
use crate::pass::Copy;
use crate::submit::Submission;

/// Invocations of a workgroup.
const GROUP_THREADS: u32 = 64;

/// Bytes of a line.
const LINE: u64 = azulejo_trace::BLOCK_BYTES;

/// One end of a copy, by rows of texels.
enum End {
    /// Rows in a buffer, with so many bytes a texel.
    Rows(Pitch, usize),
    /// Texels of a level, from here on.
    Texels(TexelBlocks, u32, [u32; 3]),
}

impl End {
    /// Lines of the texels `x0..x1` of a row of a layer.
    fn lines(&self, [x0, x1]: [u32; 2], [row, layer]: [u32; 2]) -> std::ops::RangeInclusive<u32> {
        match self {
            Self::Rows(pitch, bytes) => {
                let first = pitch.of([row, layer]);
                let [from, to] = [x0, x1].map(|x| (first + x as usize * bytes) as u64);
                (from / LINE) as u32..=((to - 1) / LINE) as u32
            }
            Self::Texels(blocks, mip, [x, y, z]) => {
                let at = |column: u32| blocks.of(*mip, [x + column, y + row, z + layer]);
                at(x0)..=at(x1 - 1)
            }
        }
    }
}

/// A copy by its ends: the buffers that these are, texels of each row, and those that are 64 bytes.
struct Move {
    from: (u32, End),
    to: (u32, End),
    size: Extent3d,
    unit: [u32; 2],
}

/// Runs a copy and returns its facts.
pub(crate) fn trace_copy(memory: &mut Memory, content: &Copy, frame: u64) -> Result<FrameTrace> {
    copy(memory, content)?;
    let mut submission = Submission::new(memory, frame);
    let moves = moves(memory, &mut submission, content)?;
    let program = submission.program(&program());
    let dispatches = moves.iter().map(|one| one.dispatch(program));
    let dispatches = dispatches.collect::<Result<_>>()?;
    let (resources, _) = submission.finish();
    Ok(compute_pass(
        "copy",
        (frame, resources),
        PathTable::default(),
        dispatches,
    ))
}

/// A load, and a store of what it has brought.
fn program() -> Program {
    Program {
        name: "copy".to_owned(),
        stage: ShaderStage::Compute,
        instructions: vec![
            Instruction::new(InstructionClass::Load, &[]),
            Instruction::new(InstructionClass::Store, &[0]),
        ],
        regions: Vec::new(),
    }
}

/// Moves of a copy: one, or one for each plane of textures with depth and stencil.
fn moves(memory: &Memory, submission: &mut Submission<'_>, content: &Copy) -> Result<Vec<Move>> {
    match *content {
        Copy::Buffer { from, to, bytes } => Ok(vec![of_bytes(submission, (from, to), bytes)?]),
        Copy::ToTexture { from, to, size } => {
            let from = rows(memory, submission, from, (to, size))?;
            let (to, unit) = texels(submission, to, false)?;
            Ok(vec![Move {
                from,
                to,
                size,
                unit,
            }])
        }
        Copy::ToBuffer { from, to, size } => {
            let to = rows(memory, submission, to, (from, size))?;
            let (from, unit) = texels(submission, from, false)?;
            Ok(vec![Move {
                from,
                to,
                size,
                unit,
            }])
        }
        Copy::Texture { from, to, size } => {
            let format = memory.texels(from.texture)?.format;
            let has_both = format.depth_stencil() == [true, true];
            let planes = [false, true].into_iter().take(1 + usize::from(has_both));
            let plane = |is_stencil| {
                let (from, _) = texels(submission, from, is_stencil)?;
                let (to, unit) = texels(submission, to, is_stencil)?;
                Ok(Move {
                    from,
                    to,
                    size,
                    unit,
                })
            };
            planes.map(plane).collect()
        }
    }
}

/// Move of bytes from buffer to buffer, of which each is one row.
fn of_bytes(
    submission: &mut Submission<'_>,
    (from, to): ((BufferId, u64), (BufferId, u64)),
    bytes: u64,
) -> Result<Move> {
    let size = Extent3d {
        width: u32::try_from(bytes).unwrap_or(u32::MAX),
        height: 1,
        depth_or_array_layers: 1,
    };
    let mut end = |(buffer, offset): (BufferId, u64)| {
        let layout = TexelCopyBufferLayout {
            offset,
            ..TexelCopyBufferLayout::default()
        };
        let pitch = Pitch::new(layout, bytes as usize, size);
        Ok::<_, crate::PassError>((submission.buffer(buffer)?, End::Rows(pitch, 1)))
    };
    Ok(Move {
        from: end(from)?,
        to: end(to)?,
        size,
        unit: [LINE as u32, 1],
    })
}

impl Move {
    fn dispatch(&self, program: ProgramId) -> Result<DispatchTrace> {
        let accesses = self.accesses()?;
        Ok(DispatchTrace {
            name: "copy".to_owned(),
            program,
            constant_bytes: 0,
            textures: Vec::new(),
            buffers: vec![self.from.0, self.to.0],
            group_threads: GROUP_THREADS,
            n_groups: (accesses.counts.len() / 2) as u32 / (GROUP_THREADS / 4),
            paths: Vec::new(),
            block_counts: Vec::new(),
            blocks: Vec::new(),
            accesses,
        })
    }

    /// Lines that each quad loads, and those that it stores, in whole workgroups.
    fn accesses(&self) -> Result<BufferAccesses> {
        let Extent3d {
            width,
            height,
            depth_or_array_layers: layers,
        } = self.size;
        let [wide, high] = self.unit;
        let (columns, rows) = (width.div_ceil(wide), height.div_ceil(high));
        let quads = u64::from(columns) * u64::from(rows) * u64::from(layers);
        if quads > MAX_DISPATCH_QUADS {
            let most = MAX_DISPATCH_QUADS * LINE;
            return Err(fault!(
                "{} bytes; expected at most {most} in a trace",
                quads * LINE
            ));
        }
        let mut accesses = BufferAccesses::default();
        for layer in 0..layers {
            for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |x| (row, x))) {
                let across = [column * wide, ((column + 1) * wide).min(width)];
                let down = row * high..((row + 1) * high).min(height);
                for (_, end) in [&self.from, &self.to] {
                    let lines = down.clone().flat_map(|y| end.lines(across, [y, layer]));
                    accesses.push(lines);
                }
            }
        }
        let of_group = 2 * GROUP_THREADS as usize / 4;
        while !accesses.counts.len().is_multiple_of(of_group) {
            accesses.push([]);
        }
        Ok(accesses)
    }
}

/// Texels of a texture, or of a plane of it, as one end, and how many across and down are 64 bytes.
fn texels(
    submission: &mut Submission<'_>,
    place: TexturePlace,
    is_stencil: bool,
) -> Result<((u32, End), [u32; 2])> {
    let (buffer, blocks) = submission.storage(place.texture, is_stencil)?;
    let unit = blocks.format.block_size();
    Ok(((buffer, End::Texels(blocks, place.mip, place.origin)), unit))
}

/// Rows in a buffer as the other end of a copy of texels.
fn rows(
    memory: &Memory,
    submission: &mut Submission<'_>,
    (buffer, layout): (BufferId, TexelCopyBufferLayout),
    (texels, size): (TexturePlace, Extent3d),
) -> Result<(u32, End)> {
    let bytes = memory.texels(texels.texture)?.format.bytes();
    let pitch = Pitch::new(layout, size.width as usize * bytes, size);
    Ok((submission.buffer(buffer)?, End::Rows(pitch, bytes)))
}
