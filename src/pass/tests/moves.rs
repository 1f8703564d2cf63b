//! Traces of copies: lines by hand.

use azulejo_trace::{BufferAccesses, DispatchTrace, FrameTrace, InstructionClass, ShaderStage};
use wgpu_types::{Color, Extent3d, StoreOp, TexelCopyBufferLayout, TextureFormat};

use super::{HEIGHT, WIDTH, cleared, colors, device, pipeline, read, spec, texture};
use crate::{Copy, Memory, Pass, PassDraw, RenderPass, TextureId, TexturePlace};

const FORMAT: TextureFormat = TextureFormat::Rgba8Unorm;

const fn size(width: u32, height: u32) -> Extent3d {
    Extent3d {
        width,
        height,
        depth_or_array_layers: 1,
    }
}

/// Trace of copies before a frame that is cleared.
fn traced(memory: &mut Memory, copies: &[Copy]) -> FrameTrace {
    let target = texture(memory, FORMAT, 1);
    let white = pipeline(spec("everywhere", "white", FORMAT));
    let frame = Pass::Render(RenderPass {
        colors: colors(target, cleared(Color::BLACK, StoreOp::Store)),
        draws: vec![PassDraw::new(&white, 3)],
        ..RenderPass::default()
    });
    let copies = copies.iter().copied().map(Pass::Copy);
    let passes: Vec<_> = copies.chain([frame]).collect();
    device().trace(memory, &passes, 3).expect("traced")
}

/// Lines that each quad loads, and those that it stores; quads that move nothing are left out.
fn moved(dispatch: &DispatchTrace) -> Vec<[Vec<u32>; 2]> {
    let BufferAccesses { counts, lines } = &dispatch.accesses;
    assert_eq!(counts.len() as u64, 2 * dispatch.n_quads(), "both of each");
    let mut lines = lines.iter().copied();
    let mut take = |n: u8| lines.by_ref().take(n.into()).collect::<Vec<_>>();
    let pairs = counts.as_chunks::<2>().0.iter();
    let pairs = pairs.map(|&[loads, stores]| [take(loads), take(stores)]);
    pairs.filter(|pair| !pair[0].is_empty()).collect()
}

fn place(texture: TextureId, [x, y]: [u32; 2]) -> TexturePlace {
    TexturePlace {
        origin: [x, y, 0],
        ..TexturePlace::start(texture)
    }
}

#[test]
fn trace_of_a_copy_is_a_kernel_that_loads_and_stores() {
    let mut memory = Memory::default();
    let [from, to] = [[1; 200], [0; 200]].map(|words: [u32; 200]| {
        let bytes = bytemuck::cast_slice(&words);
        memory.buffer_of(bytes).expect("room")
    });
    let copy = Copy::Buffer {
        from: (from, 60),
        to: (to, 128),
        bytes: 132,
    };
    let trace = traced(&mut memory, &[copy]);
    let after = memory.read_buffer(to).expect("it exists");
    assert_eq!(
        after[128..260],
        memory.read_buffer(from).expect("it exists")[60..192],
        "moved"
    );
    let pass = &trace.before[0];
    assert_eq!(
        (&*pass.name, pass.frame, pass.dispatches.len()),
        ("copy", 3, 1)
    );
    let program = &pass.programs[0];
    let classes: Vec<_> = program.instructions.iter().map(|one| one.class).collect();
    assert_eq!(classes, [InstructionClass::Load, InstructionClass::Store]);
    assert_eq!(program.stage, ShaderStage::Compute);
    let buffers = pass.dispatches[0].buffers.iter();
    let names: Vec<_> = buffers
        .map(|&at| &*pass.buffers[at as usize].name)
        .collect();
    assert_eq!(names, ["buffer 0", "buffer 1"]);
    // Bytes 60..124, 124..188 and 188..192 go to 128..192, 192..256 and 256..260.
    let expected = [
        [vec![0, 1], vec![2]],
        [vec![1, 2], vec![3]],
        [vec![2], vec![4]],
    ];
    assert_eq!(moved(&pass.dispatches[0]), expected);
}

#[test]
fn trace_of_a_copy_to_a_texture_stores_its_blocks() {
    let mut memory = Memory::default();
    let target = texture(&mut memory, FORMAT, 1);
    let rows = memory.buffer_of(&[9; 2048]).expect("room");
    let layout = TexelCopyBufferLayout {
        offset: 0,
        bytes_per_row: Some(256),
        rows_per_image: None,
    };
    let copy = Copy::ToTexture {
        from: (rows, layout),
        to: place(target, [4, 4]),
        size: size(6, 5),
    };
    let trace = traced(&mut memory, &[copy]);
    assert_eq!(
        read(&memory, target)[4 * (4 * WIDTH as usize + 4)],
        9,
        "moved"
    );
    let pass = &trace.before[0];
    let storage = &pass.buffers[pass.dispatches[0].buffers[1] as usize];
    let texture = storage.texture.expect("a texture's storage");
    assert_eq!(storage.bytes, pass.textures[texture.0 as usize].bytes());
    // Ten blocks of 4x4 texels a row; rows of the buffer are four lines apart.
    let expected = [
        [vec![0, 4, 8, 12], vec![11]],
        [vec![0, 4, 8, 12], vec![12]],
        [vec![16], vec![21]],
        [vec![16], vec![22]],
    ];
    assert_eq!(moved(&pass.dispatches[0]), expected);
}

#[test]
fn trace_of_a_copy_of_texels_moves_blocks_between_textures_and_to_buffers() {
    let mut memory = Memory::default();
    let [from, to] = [(); 2].map(|()| texture(&mut memory, FORMAT, 1));
    let rows = memory.buffer(2048).expect("room");
    let between = Copy::Texture {
        from: place(from, [2, 0]),
        to: place(to, [8, 4]),
        size: size(8, 4),
    };
    let layout = TexelCopyBufferLayout {
        offset: 64,
        bytes_per_row: Some(256),
        rows_per_image: None,
    };
    let out = Copy::ToBuffer {
        from: place(to, [8, 4]),
        to: (rows, layout),
        size: size(4, 1),
    };
    let trace = traced(&mut memory, &[between, out]);
    let of = |pass: usize| moved(&trace.before[pass].dispatches[0]);
    assert_eq!(of(0), [[vec![0, 1], vec![12]], [vec![1, 2], vec![13]]]);
    assert_eq!(of(1), [[vec![12], vec![1]]]);
}

#[test]
fn trace_of_a_copy_of_depth_and_stencil_moves_both() {
    let mut memory = Memory::default();
    let format = TextureFormat::Depth24PlusStencil8;
    let [from, to] = [(); 2].map(|()| texture(&mut memory, format, 1));
    let copy = Copy::Texture {
        from: TexturePlace::start(from),
        to: TexturePlace::start(to),
        size: size(WIDTH, HEIGHT),
    };
    let trace = traced(&mut memory, &[copy]);
    let n_moves = |dispatch| moved(dispatch).len() as u32;
    let [depth, stencil] = trace.before[0].dispatches.as_slice() else {
        panic!("two planes")
    };
    assert_eq!(n_moves(depth), WIDTH / 4 * HEIGHT / 4, "of 4x4 depths");
    assert_eq!(n_moves(stencil), WIDTH / 8 * HEIGHT / 8, "of 8x8 stencils");
    let [depth, stencil] = [depth, stencil].map(|dispatch| dispatch.buffers[0]);
    assert_ne!(depth, stencil, "elsewhere in memory");
}

#[test]
fn trace_of_a_copy_of_nothing_moves_nothing() {
    let mut memory = Memory::default();
    let buffer = memory.buffer(64).expect("room");
    let copy = Copy::Buffer {
        from: (buffer, 0),
        to: (buffer, 32),
        bytes: 0,
    };
    let trace = traced(&mut memory, &[copy]);
    assert_eq!(trace.before[0].dispatches[0].n_groups, 0);
}

#[test]
fn trace_has_a_target_that_a_copy_uses_in_its_texture() {
    let mut memory = Memory::default();
    let [target, other] = [(); 2].map(|()| texture(&mut memory, FORMAT, 1));
    let white = pipeline(spec("everywhere", "white", FORMAT));
    let frame = || {
        Pass::Render(RenderPass {
            colors: colors(target, cleared(Color::BLACK, StoreOp::Store)),
            draws: vec![PassDraw::new(&white, 3)],
            ..RenderPass::default()
        })
    };
    let copy = |from, to| {
        Pass::Copy(Copy::Texture {
            from: TexturePlace::start(from),
            to: TexturePlace::start(to),
            size: size(4, 4),
        })
    };
    for copy in [copy(target, other), copy(other, target)] {
        let trace = device().trace(&mut memory, &[copy, frame()], 0);
        let trace = trace.expect("traced");
        assert!(trace.targets[0].texture.is_some(), "it lies in memory");
    }
}
