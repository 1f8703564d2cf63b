//! The most that a frame may ask for: numbers of a trace that stand for work or memory of a machine but take no room in the
//! file. A frame in, the first number beyond its limit out; all limits lie far beyond what content needs.

use super::invalid::{InvalidTrace, named, require};
use super::{
    BLOCK_BYTES, DispatchTrace, DrawTrace, FrameTrace, IndexFetch, InstructionClass,
    MAX_DISPATCH_QUADS, MAX_GROUP_THREADS, Program, ShaderStage, TexelFormat, TextureIdx,
    TextureInfo,
};

/// Largest frame number: whole numbers up to here are exact in JSON, and a few more frames do not overflow.
const MAX_FRAME: u64 = 1 << 53;

/// Most targets of a pass: eight colours, as Vulkan's drivers offer, eight that they are resolved into, depth and stencil.
const MAX_TARGETS: usize = 17;

/// Bytes of a pixel in tile buffers: eight colours of 16 bytes, depth and stencil, four samples each.
const MAX_PIXEL_BYTES: u32 = 4 * (8 * 16 + 8);

/// Passes of a frame before its last.
const MAX_PASSES: usize = 1 << 12;

/// Bytes of all buffers and textures of a frame: far beyond any GPU's memory, and few of a 48-bit address space.
const MAX_RESOURCE_BYTES: u64 = 1 << 40;

/// Edge of a compressed block in texels.
const MAX_BLOCK_EDGE: u8 = 16;

/// Bytes of a draw's constants. As many joints as indices of 16 bits can name take 4 MiB.
const MAX_CONSTANT_BYTES: u32 = 1 << 24;

/// Arrays of vertex attributes of a draw.
const MAX_STREAMS: usize = 256;

/// Bytes that a vertex program reads of one vertex. Sixteen sets of joints, weights and coordinates take 512.
const MAX_VERTEX_BYTES: u64 = 4096;

/// Corners of a primitive.
const MAX_CORNERS: u64 = 3;

/// Triangles of one primitive in the Parameter Buffer. Clipping at six planes leaves seven at most; twice that is room for
/// clippers that round.
const MAX_BINNED: u8 = 14;

/// Instructions of a program.
const MAX_INSTRUCTIONS: usize = 1 << 16;

/// Checks the frame, its resources and its programs.
pub(super) fn check_frame(frame: &FrameTrace) -> Result<(), InvalidTrace> {
    let element = || "frame".to_owned();
    require(frame.frame <= MAX_FRAME, element, || {
        format!("number {}; expected at most {MAX_FRAME}", frame.frame)
    })?;
    require(frame.targets.len() <= MAX_TARGETS, element, || {
        let found = frame.targets.len();
        format!("{found} targets; expected at most {MAX_TARGETS}")
    })?;
    require(frame.before.len() <= MAX_PASSES, element, || {
        let found = frame.before.len();
        format!("{found} passes before the last; expected at most {MAX_PASSES}")
    })?;
    let pixel = frame.pixel_bytes;
    let has_pixels = !frame.is_compute();
    let least = u32::from(has_pixels);
    require((least..=MAX_PIXEL_BYTES).contains(&pixel), element, || {
        format!("{pixel} bytes a pixel in tile buffers; expected {least} to {MAX_PIXEL_BYTES}")
    })?;
    check_resources(frame)?;
    let mut programs = (0..).zip(&frame.programs);
    programs.try_for_each(|(number, program)| check_program(number, program))
}

/// A buffer that is a texture's storage must be all of it.
fn check_storage(frame: &FrameTrace) -> Result<(), InvalidTrace> {
    for (number, buffer) in frame.buffers.iter().enumerate() {
        let Some(TextureIdx(at)) = buffer.texture else {
            continue;
        };
        let element = || named("buffer", number, &buffer.name);
        let texture = frame.textures.get(at as usize);
        let is_its_storage = texture.is_some_and(|texture| {
            !texture.format.is_compressed() && texture.bytes() == buffer.bytes
        });
        require(is_its_storage, element, || {
            let n = frame.textures.len();
            format!(
                "{} bytes in texture {at}; expected one of the {n}, of as many bytes, not compressed",
                buffer.bytes
            )
        })?;
    }
    Ok(())
}

/// The sum cannot overflow: it is compared after each part.
fn check_resources(frame: &FrameTrace) -> Result<(), InvalidTrace> {
    let buffers = (0..).zip(&frame.buffers).map(|(number, buffer)| {
        let element: (_, usize, &str) = ("buffer", number, &buffer.name);
        (element, buffer.bytes)
    });
    let textures = (0..)
        .zip(&frame.textures)
        .map(|(number, texture)| (("texture", number, texture.name.as_str()), texture.bytes()));
    let mut textures_of_blocks = (0..).zip(&frame.textures);
    textures_of_blocks.try_for_each(|(number, texture)| check_blocks(number, texture))?;
    let mut left = MAX_RESOURCE_BYTES;
    for ((kind, number, name), bytes) in buffers.chain(textures) {
        let rest = left.checked_sub(bytes);
        require(
            rest.is_some(),
            || named(kind, number, name),
            || {
                format!(
                    "{bytes} bytes; expected at most {left}: buffers and textures together have up to {MAX_RESOURCE_BYTES}"
                )
            },
        )?;
        left = rest.unwrap_or_default();
    }
    check_storage(frame)
}

/// Blocks must lie in lines of memory, none in two.
fn check_blocks(number: usize, texture: &TextureInfo) -> Result<(), InvalidTrace> {
    let element = || named("texture", number, &texture.name);
    if let TexelFormat::Plain { bytes } = texture.format {
        let fits = bytes.is_power_of_two() && u64::from(bytes) <= BLOCK_BYTES;
        return require(fits, element, || {
            format!("texels of {bytes} bytes; expected a power of two up to {BLOCK_BYTES}")
        });
    }
    let TexelFormat::Blocks {
        width,
        height,
        bytes,
    } = texture.format
    else {
        return Ok(());
    };
    let edges = 1..=MAX_BLOCK_EDGE;
    let lawful = edges.contains(&width)
        && edges.contains(&height)
        && bytes.is_power_of_two()
        && u64::from(bytes) <= BLOCK_BYTES;
    require(lawful, element, || {
        format!(
            "blocks of {width}x{height} texels in {bytes} bytes; expected edges of 1 to {MAX_BLOCK_EDGE} and a power of two up to {BLOCK_BYTES}"
        )
    })
}

fn check_program(number: usize, program: &Program) -> Result<(), InvalidTrace> {
    let element = || named("program", number, &program.name);
    let found = program.instructions.len();
    require(found <= MAX_INSTRUCTIONS, element, || {
        format!("{found} instructions; expected at most {MAX_INSTRUCTIONS}")
    })?;
    let samples = program.count(InstructionClass::Texture);
    require(
        program.stage != ShaderStage::Vertex || samples == 0,
        element,
        || {
            format!(
                "{samples} texture instructions; a vertex program has none, since no texture is bound to it"
            )
        },
    )?;
    let of_groups = [InstructionClass::Shared, InstructionClass::Barrier].map(|c| program.count(c));
    let found = of_groups.iter().sum::<usize>();
    let may_share = program.stage == ShaderStage::Compute || found == 0;
    require(may_share, element, || {
        format!("{found} instructions of workgroups; expected them in compute programs alone")
    })
}

/// Checks how many invocations a dispatch has.
pub(super) fn check_dispatch(
    dispatch: &DispatchTrace,
    element: &impl Fn() -> String,
) -> Result<(), InvalidTrace> {
    let found = dispatch.group_threads;
    require((1..=MAX_GROUP_THREADS).contains(&found), element, || {
        format!("{found} invocations of a workgroup; expected 1 to {MAX_GROUP_THREADS}")
    })?;
    let quads = dispatch.n_quads();
    require(quads <= MAX_DISPATCH_QUADS, element, || {
        format!("{quads} quads of invocations; expected at most {MAX_DISPATCH_QUADS}")
    })?;
    let found = dispatch.constant_bytes;
    require(found <= MAX_CONSTANT_BYTES, element, || {
        format!("{found} bytes of constants; expected at most {MAX_CONSTANT_BYTES}")
    })
}

/// Checks what a draw fetches and makes.
pub(super) fn check_draw(
    draw: &DrawTrace,
    element: &impl Fn() -> String,
) -> Result<(), InvalidTrace> {
    require(
        draw.set_constant_bytes <= draw.constant_bytes,
        element,
        || {
            let (set, of) = (draw.set_constant_bytes, draw.constant_bytes);
            format!("{set} bytes of constants set; expected at most the {of} that it reads")
        },
    )?;
    require(draw.constant_bytes <= MAX_CONSTANT_BYTES, element, || {
        let found = draw.constant_bytes;
        format!("{found} bytes of constants; expected at most {MAX_CONSTANT_BYTES}")
    })?;
    let streams = &draw.vertex_streams;
    require(streams.len() <= MAX_STREAMS, element, || {
        let found = streams.len();
        format!("{found} vertex streams; expected at most {MAX_STREAMS}")
    })?;
    let bytes: u64 = streams.iter().map(|stream| u64::from(stream.bytes)).sum();
    require(bytes <= MAX_VERTEX_BYTES, element, || {
        format!("{bytes} bytes are read of each vertex; expected at most {MAX_VERTEX_BYTES}")
    })?;
    if let Some(fetch) = draw.indices {
        check_indices(fetch, draw.assembled.len(), element)?;
    }
    check_primitives(draw, element)
}

fn check_indices(
    fetch: IndexFetch,
    n_primitives: usize,
    element: &impl Fn() -> String,
) -> Result<(), InvalidTrace> {
    let bytes = fetch.bytes_per_index;
    require(matches!(bytes, 1 | 2 | 4), element, || {
        format!("{bytes} bytes an index; expected 1, 2 or 4")
    })?;
    // Up to two indices may be left over at the end of a list.
    let most = MAX_CORNERS * n_primitives as u64 + MAX_CORNERS - 1;
    require(u64::from(fetch.count) <= most, element, || {
        let found = fetch.count;
        format!("{found} indices; expected at most {most} for {n_primitives} primitives")
    })
}

fn check_primitives(draw: &DrawTrace, element: &impl Fn() -> String) -> Result<(), InvalidTrace> {
    require(
        draw.assembled.is_empty() || !draw.vertices.is_empty(),
        element,
        || format!("{} primitives and no vertex", draw.assembled.len()),
    )?;
    require(
        draw.n_primitives == 0 || draw.n_attributes > 0,
        element,
        || "triangles without attributes; expected at least the position".to_owned(),
    )?;
    for (number, primitive) in (0_usize..).zip(&draw.assembled) {
        let new = u64::from(primitive.new_vertices);
        require(new <= MAX_CORNERS, element, || {
            format!("primitive {number} waits for {new} vertices; expected at most {MAX_CORNERS}")
        })?;
        let binned = primitive.binned;
        require(binned <= MAX_BINNED, element, || {
            format!("{binned} triangles of primitive {number}; expected at most {MAX_BINNED}")
        })?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::synthetic::{CoveredScreen, independent};
    use crate::{BufferInfo, Instruction, TargetInfo};
    use azulejo_grid::TileGrid;

    /// A lawful frame of two triangles with indices and a texture.
    fn frame() -> FrameTrace {
        let grid = TileGrid {
            width: 64,
            height: 64,
            tile_size: 32,
        };
        let mut screen = CoveredScreen::new(grid, independent(InstructionClass::Texture, 1));
        screen.layers = 2;
        let mut frame = screen.frame(0);
        frame.draws[0].indices = Some(IndexFetch {
            buffer: 0,
            offset: 0,
            bytes_per_index: 2,
            count: 6,
        });
        frame
    }

    /// Error message for the lawful frame after a change.
    fn complaint(change: impl FnOnce(&mut FrameTrace)) -> String {
        let mut frame = frame();
        assert_eq!(frame.validate(), Ok(()), "lawful before the change");
        change(&mut frame);
        let error = frame.validate().expect_err("beyond a limit");
        error.to_string()
    }

    fn indices(frame: &mut FrameTrace) -> &mut IndexFetch {
        frame.draws[0].indices.as_mut().expect("indices")
    }

    #[test]
    fn limit_on_frame_numbers_is_what_json_holds() {
        let mut last = frame();
        last.frame = 1 << 53;
        assert_eq!(last.validate(), Ok(()), "the last exact number");
        let said = complaint(|frame| frame.frame = u64::MAX);
        let expected = "frame: number 18446744073709551615; expected at most 9007199254740992";
        assert_eq!(said, expected, "the number and the limit");
    }

    #[test]
    fn limit_on_targets_is_seventeen() {
        let said = complaint(|frame| frame.targets = vec![TargetInfo::default(); 100_000]);
        assert_eq!(said, "frame: 100000 targets; expected at most 17", "both");
    }

    #[test]
    fn limit_on_buffers_and_textures_is_their_sum() {
        let half = MAX_RESOURCE_BYTES / 2;
        let large = |name: &str, bytes| BufferInfo {
            name: name.to_owned(),
            bytes,
            texture: None,
        };
        for bytes in [half, 1 << 56, 1 << 60, 1 << 63, u64::MAX] {
            let said = complaint(|frame| {
                frame
                    .buffers
                    .extend([large("first", half), large("second", bytes)]);
            });
            assert!(said.starts_with("buffer 2 'second': "), "{said}");
            assert!(said.contains(&bytes.to_string()), "{said}");
        }
        let said = complaint(|frame| {
            frame.buffers.push(large("first", MAX_RESOURCE_BYTES - 100));
        });
        assert!(said.starts_with("texture 0 'synthetic 0': "), "{said}");
    }

    #[test]
    fn limit_on_storage_of_a_texture_is_all_of_it() {
        let storage = |frame: &FrameTrace, more: u64, at: u32| BufferInfo {
            name: "storage".to_owned(),
            bytes: frame.textures[0].bytes() + more,
            texture: Some(TextureIdx(at)),
        };
        let mut whole = frame();
        whole.buffers.push(storage(&whole, 0, 0));
        assert_eq!(whole.validate(), Ok(()), "all of it");
        for (more, at) in [(1, 0), (0, 1)] {
            let said = complaint(|frame| frame.buffers.push(storage(frame, more, at)));
            assert!(said.starts_with("buffer 1 'storage': "), "{said}");
            assert!(
                said.contains(&format!("texture {at}; expected one of the 1")),
                "{said}"
            );
        }
        let said = complaint(|frame| {
            frame.textures[0].format = TexelFormat::Blocks {
                width: 4,
                height: 4,
                bytes: 16,
            };
            frame.buffers.push(storage(frame, 0, 0));
        });
        assert!(said.contains("not compressed"), "{said}");
    }

    #[test]
    fn limit_on_compressed_blocks_is_that_they_fill_lines() {
        for (width, height, bytes) in [(0, 4, 8), (4, 17, 8), (4, 4, 0), (4, 4, 24), (4, 4, 128)] {
            let said = complaint(|frame| {
                frame.textures[0].format = TexelFormat::Blocks {
                    width,
                    height,
                    bytes,
                };
            });
            let expected = format!("blocks of {width}x{height} texels in {bytes} bytes");
            assert!(said.contains(&expected), "{said}");
        }
        let mut largest = frame();
        largest.textures[0].format = TexelFormat::Blocks {
            width: 12,
            height: 12,
            bytes: 16,
        };
        assert_eq!(largest.validate(), Ok(()), "ASTC 12x12");
    }

    #[test]
    fn limit_on_names_in_messages_holds() {
        let name = "x".repeat(1000);
        let said = complaint(|frame| {
            frame.buffers.push(BufferInfo {
                name,
                bytes: u64::MAX,
                texture: None,
            })
        });
        assert!(said.len() < 200 && said.contains("xxx...'"), "{said}");
    }

    #[test]
    fn limit_on_vertex_programs_is_no_texture() {
        let said = complaint(|frame| {
            let texture = Instruction::new(InstructionClass::Texture, &[]);
            frame.programs[0].instructions.push(texture);
        });
        assert!(
            said.starts_with("program 0 'position': 1 texture instructions"),
            "{said}"
        );
    }

    #[test]
    fn limit_on_constants_holds() {
        let said = complaint(|frame| frame.draws[0].constant_bytes = u32::MAX);
        assert!(
            said.starts_with("draw 0 'layers': 4294967295 bytes of constants"),
            "{said}"
        );
    }

    #[test]
    fn limit_on_bytes_of_a_vertex_holds_for_the_sum_of_streams() {
        let said = complaint(|frame| {
            frame.buffers[0].bytes = 1 << 33;
            frame.draws[0].vertex_streams[0].bytes = u32::MAX;
        });
        assert!(
            said.contains("4294967295 bytes are read of each vertex"),
            "{said}"
        );
        let said = complaint(|frame| {
            let stream = frame.draws[0].vertex_streams[0];
            frame.draws[0].vertex_streams = vec![stream; 257];
        });
        assert!(
            said.contains("257 vertex streams; expected at most 256"),
            "{said}"
        );
    }

    #[test]
    fn limit_on_indices_is_what_the_primitives_need() {
        let said = complaint(|frame| {
            frame.buffers[0].bytes = 1 << 36;
            indices(frame).count = u32::MAX;
        });
        assert!(
            said.contains("4294967295 indices; expected at most 8 for 2 primitives"),
            "{said}"
        );
        for bytes in [0, 3, 8, u32::MAX] {
            let said = complaint(|frame| {
                frame.buffers[0].bytes = 1 << 36;
                indices(frame).bytes_per_index = bytes;
            });
            assert!(
                said.contains(&format!("{bytes} bytes an index; expected 1, 2 or 4")),
                "{said}"
            );
        }
    }

    #[test]
    fn limit_on_primitives_is_what_vertices_and_clipping_can_make() {
        let said = complaint(|frame| {
            frame.draws[0].assembled[1].binned = 255;
            frame.draws[0].n_primitives = 256;
        });
        assert!(
            said.contains("255 triangles of primitive 1; expected at most 14"),
            "{said}"
        );
        let said = complaint(|frame| frame.draws[0].assembled[1].new_vertices = 4);
        assert!(
            said.contains("primitive 1 waits for 4 vertices; expected at most 3"),
            "{said}"
        );
        let said = complaint(|frame| {
            frame.draws[0].vertices.clear();
            frame.draws[0]
                .assembled
                .iter_mut()
                .for_each(|a| a.new_vertices = 0);
        });
        assert!(said.contains("2 primitives and no vertex"), "{said}");
        let said = complaint(|frame| frame.draws[0].n_attributes = 0);
        assert!(said.contains("triangles without attributes"), "{said}");
    }
}
