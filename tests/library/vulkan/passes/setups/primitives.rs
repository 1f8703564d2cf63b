//! Topologies, indices, faces, viewports, and programs.

use azulejo::pass::types::{
    ColorTargetState, CompareFunction, Face, FrontFace, IndexFormat, MultisampleState,
    PrimitiveState, PrimitiveTopology, TextureFormat,
};
use azulejo::pass::{IndexBuffer, Memory, PassDraw, ViewportRect};

use super::super::{Plain, Setup};
use super::{depth, multisample};

/// Topologies, faces, instances, rectangles, indices.
pub(in super::super) fn primitives(samples: u32) -> Vec<Setup> {
    [topologies, faces, rectangles, indices]
        .into_iter()
        .flat_map(|setups| setups(samples))
        .collect()
}

fn topologies(samples: u32) -> Vec<Setup> {
    let plain = || Plain {
        multisample: multisample(samples),
        ..Plain::default()
    };
    let mut setups = Vec::new();
    let topologies = [
        PrimitiveTopology::PointList,
        PrimitiveTopology::TriangleList,
        PrimitiveTopology::TriangleStrip,
    ];
    for topology in topologies {
        let with = Plain {
            primitive: PrimitiveState {
                topology,
                ..PrimitiveState::default()
            },
            ..plain()
        };
        setups.push(with.setup(format!("{topology:?}")));
    }
    // Along rows and columns: the driver draws others as rectangles, with four samples all.
    for topology in [PrimitiveTopology::LineList, PrimitiveTopology::LineStrip] {
        let with = Plain {
            vertex: "ruled",
            draws: Box::new(|draw| {
                vec![PassDraw {
                    elements: 0..12,
                    instances: 0..8,
                    ..draw
                }]
            }),
            primitive: PrimitiveState {
                topology,
                ..PrimitiveState::default()
            },
            ..plain()
        };
        if samples == 1 {
            setups.push(with.setup(format!("{topology:?}")));
        }
    }
    setups
}

fn faces(samples: u32) -> Vec<Setup> {
    let plain = || Plain {
        multisample: multisample(samples),
        ..Plain::default()
    };
    let mut setups = Vec::new();
    for (front_face, cull_mode) in [
        (FrontFace::Ccw, Some(Face::Back)),
        (FrontFace::Ccw, Some(Face::Front)),
        (FrontFace::Cw, Some(Face::Back)),
        (FrontFace::Cw, None),
    ] {
        let with = Plain {
            fragment: Some("by_face"),
            primitive: PrimitiveState {
                front_face,
                cull_mode,
                ..PrimitiveState::default()
            },
            ..plain()
        };
        setups.push(with.setup(format!("{front_face:?} in front, culls {cull_mode:?}")));
    }
    setups
}

fn rectangles(samples: u32) -> Vec<Setup> {
    let plain = || Plain {
        multisample: multisample(samples),
        ..Plain::default()
    };
    let mut setups = Vec::new();
    let instanced = Plain {
        draws: Box::new(|draw| {
            vec![PassDraw {
                elements: 3..9,
                instances: 2..7,
                ..draw
            }]
        }),
        ..plain()
    };
    setups.push(instanced.setup("instances"));
    let scissored = Plain {
        draws: Box::new(|draw| {
            vec![PassDraw {
                scissor: Some([13, 7, 50, 33]),
                ..draw
            }]
        }),
        ..plain()
    };
    setups.push(scissored.setup("scissor"));
    for (origin, size, range) in [
        ([10.0, 20.0], [64.0, 32.0], [0.0, 1.0]),
        ([-20.0, -4.0], [130.0, 60.0], [0.25, 0.75]),
        ([8.0, 8.0], [40.0, 40.0], [0.125, 0.75]),
    ] {
        let with = Plain {
            depth: Some(depth(TextureFormat::Depth32Float, CompareFunction::Less)),
            draws: Box::new(move |draw| {
                let viewport = ViewportRect {
                    origin,
                    size,
                    depth: range,
                };
                vec![PassDraw {
                    viewport: Some(viewport),
                    ..draw
                }]
            }),
            ..plain()
        };
        setups.push(with.setup(format!("viewport of {size:?} at {origin:?}, {range:?}")));
    }
    setups
}

fn indices(samples: u32) -> Vec<Setup> {
    let numbers: [u32; 14] = [0, 1, 2, 3, u32::MAX, 4, 5, 7, 6, u32::MAX, 9, 8, 11, 10];
    let small: Vec<u16> = numbers.iter().map(|number| *number as u16).collect();
    let mut setups = Vec::new();
    for (format, strip) in [
        (IndexFormat::Uint16, false),
        (IndexFormat::Uint32, false),
        (IndexFormat::Uint16, true),
        (IndexFormat::Uint32, true),
    ] {
        let mut memory = Memory::default();
        let content: &[u8] = match format {
            IndexFormat::Uint16 => bytemuck::cast_slice(&small),
            IndexFormat::Uint32 => bytemuck::cast_slice(&numbers),
        };
        let buffer = memory.buffer_of(content).expect("room");
        let with = Plain {
            memory,
            multisample: multisample(samples),
            primitive: PrimitiveState {
                topology: match strip {
                    true => PrimitiveTopology::TriangleStrip,
                    false => PrimitiveTopology::TriangleList,
                },
                strip_index_format: strip.then_some(format),
                ..PrimitiveState::default()
            },
            draws: Box::new(move |draw| {
                let indices = Some(IndexBuffer {
                    buffer,
                    offset: 0,
                    format,
                });
                let elements = if strip { 0..14 } else { 5..9 };
                vec![PassDraw {
                    indices,
                    elements,
                    base_vertex: 4,
                    ..draw
                }]
            }),
            ..Plain::default()
        };
        setups.push(with.setup(format!("indices of {format:?}, strips {strip}")));
    }
    setups
}

/// Programs that decide what is left of a fragment, and several targets.
pub(in super::super) fn programs(samples: u32) -> Vec<Setup> {
    let tested = || Plain {
        multisample: multisample(samples),
        depth: Some(depth(TextureFormat::Depth32Float, CompareFunction::Less)),
        ..Plain::default()
    };
    let mut setups = Vec::new();
    for fragment in ["discarding", "own_depth", "by_kind"] {
        let with = Plain {
            fragment: Some(fragment),
            vertex: if fragment == "by_kind" {
                "kinds"
            } else {
                "scattered"
            },
            ..tested()
        };
        setups.push(with.setup(fragment));
    }
    let unseen = Plain {
        fragment: None,
        targets: Vec::new(),
        ..tested()
    };
    setups.push(unseen.setup("depth alone"));
    if samples == 4 {
        for (vertex, fragment) in [
            ("scattered", "own_mask"),
            ("scattered", "by_sample"),
            ("sampled", "at_samples"),
        ] {
            let with = Plain {
                vertex,
                fragment: Some(fragment),
                ..tested()
            };
            setups.push(with.setup(fragment));
        }
        let masked = Plain {
            multisample: MultisampleState {
                mask: 0b0110,
                ..multisample(4)
            },
            ..tested()
        };
        setups.push(masked.setup("mask of samples"));
    } else {
        let targets = [
            TextureFormat::Rgba8Unorm,
            TextureFormat::Rgba16Float,
            TextureFormat::Rgba8Uint,
        ];
        let several = Plain {
            fragment: Some("several"),
            targets: targets.map(ColorTargetState::from).into(),
            ..tested()
        };
        setups.push(several.setup("several targets"));
    }
    setups
}
