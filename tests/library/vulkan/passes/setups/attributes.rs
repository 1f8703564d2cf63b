//! Formats, strides and steps of vertex buffers.

use azulejo::pass::types::{TextureFormat, VertexAttribute, VertexFormat, VertexStepMode};
use azulejo::pass::{BufferId, Memory, PassDraw, VertexBuffer};

use super::super::{Plain, Setup};

fn attribute(shader_location: u32, offset: u64, format: VertexFormat) -> VertexAttribute {
    VertexAttribute {
        format,
        offset,
        shader_location,
    }
}

/// Places on a grid and bytes of noise, in buffers.
fn buffers() -> (Memory, BufferId, BufferId) {
    let noise: Vec<u8> = (0..4096_u32)
        .map(|at| (at.wrapping_mul(0x9e37_79b9) >> 21) as u8)
        .collect();
    let places: Vec<f32> = (0..64_u32)
        .map(|at| (at * 29 % 65) as f32 / 32.0 - 1.0)
        .collect();
    let mut memory = Memory::default();
    let places = memory.buffer_of(bytemuck::cast_slice(&places));
    let noise = memory.buffer_of(&noise);
    (memory, places.expect("room"), noise.expect("room"))
}

fn buffer(step: VertexStepMode, stride: u64, attributes: Vec<VertexAttribute>) -> VertexBuffer {
    VertexBuffer {
        stride,
        step,
        attributes,
    }
}

/// Formats, strides and steps of vertex buffers.
pub(in super::super) fn attributes() -> Vec<Setup> {
    use VertexFormat as V;
    let colors = [
        V::Unorm8x4,
        V::Snorm8x4,
        V::Unorm16x4,
        V::Snorm16x4,
        V::Unorm8x2,
        V::Unorm16x2,
        V::Snorm8,
        V::Unorm10_10_10_2,
        V::Unorm8x4Bgra,
    ];
    let integers = [
        (V::Uint8x4, V::Sint8x4),
        (V::Uint16x2, V::Sint16x4),
        (V::Uint32, V::Sint32x3),
        (V::Uint8, V::Sint8x2),
        (V::Uint16, V::Sint16),
        (V::Uint32x4, V::Sint32x2),
    ];
    let mut setups = Vec::new();
    for format in colors {
        setups.push(colored(format, VertexStepMode::Vertex));
        setups.push(colored(format, VertexStepMode::Instance));
    }
    setups.extend(integers.map(|(unsigned, signed)| counted(unsigned, signed)));
    setups
}

fn colored(format: VertexFormat, step: VertexStepMode) -> Setup {
    let (memory, places, noise) = buffers();
    let place = vec![attribute(0, 0, VertexFormat::Float32x2)];
    let shift = vec![attribute(2, 0, VertexFormat::Snorm8x2)];
    let with = Plain {
        vertex: "attributes",
        memory,
        buffers: vec![
            buffer(VertexStepMode::Vertex, 8, place),
            buffer(step, 12, vec![attribute(1, 4, format)]),
            buffer(VertexStepMode::Instance, 4, shift),
        ],
        vertex_buffers: vec![Some((places, 0)), Some((noise, 16)), Some((noise, 400))],
        draws: Box::new(|draw| {
            vec![PassDraw {
                elements: 0..12,
                instances: 1..3,
                ..draw
            }]
        }),
        ..Plain::default()
    };
    with.setup(format!("{format:?} by {step:?}"))
}

fn counted(unsigned: VertexFormat, signed: VertexFormat) -> Setup {
    let (memory, places, noise) = buffers();
    let place = vec![attribute(0, 0, VertexFormat::Float32x2)];
    let numbers = vec![attribute(1, 0, unsigned), attribute(2, 16, signed)];
    let with = Plain {
        vertex: "integers",
        targets: vec![TextureFormat::Rgba32Float.into()],
        memory,
        buffers: vec![
            buffer(VertexStepMode::Vertex, 8, place),
            buffer(VertexStepMode::Vertex, 32, numbers),
        ],
        vertex_buffers: vec![Some((places, 0)), Some((noise, 0))],
        draws: Box::new(|draw| {
            vec![PassDraw {
                elements: 0..12,
                ..draw
            }]
        }),
        ..Plain::default()
    };
    with.setup(format!("{unsigned:?} and {signed:?}"))
}
