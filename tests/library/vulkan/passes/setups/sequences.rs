//! Passes that read what others wrote; compute and copy passes.

use azulejo::pass::types::{
    AddressMode, Color, CompareFunction, Extent3d, FilterMode, LoadOp, Operations, StoreOp,
    TexelCopyBufferLayout, TextureFormat,
};
use azulejo::pass::{
    BindGroup, Binding, ColorAttachment, ComputePipeline, Copy, DepthStencilAttachment, Dispatch,
    Memory, Pass, PassDraw, RenderPass, RenderPipelineSpec, Sampler, TexturePlace, TextureSpec,
    TextureView,
};

use super::super::{HEIGHT, Plain, Setup, WIDTH, cleared, code, pipeline, target};
use super::textures::{noisy, sampler};
use super::{depth, multisample};

/// A depth pass, then a pass that samples what it left.
fn after_depth(name: &str, fragment: &'static str, sampler: Option<Sampler>) -> Setup {
    let mut memory = Memory::default();
    let (depths, _) = target(&mut memory, TextureFormat::Depth32Float, 1);
    let (color, _) = target(&mut memory, TextureFormat::Rgba8Unorm, 1);
    let shadow = pipeline(RenderPipelineSpec {
        fragment: None,
        targets: Vec::new(),
        depth_stencil: Some(depth(TextureFormat::Depth32Float, CompareFunction::Less)),
        ..RenderPipelineSpec::new(
            code("sloping"),
            code("colored"),
            TextureFormat::Rgba8Unorm.into(),
        )
    });
    let lit = RenderPipelineSpec::new(
        code("everywhere"),
        code(fragment),
        TextureFormat::Rgba8Unorm.into(),
    );
    let mut group = vec![(0, Binding::Texture(TextureView::of(depths)))];
    group.extend(sampler.map(|sampler| (1, Binding::Sampler(sampler))));
    let first = RenderPass {
        depth_stencil: Some(DepthStencilAttachment {
            view: TextureView::of(depths),
            depth: Some(cleared(1.0)),
            stencil: None,
        }),
        draws: vec![PassDraw::new(shadow, 24)],
        ..RenderPass::default()
    };
    let second = RenderPass {
        colors: vec![Some(ColorAttachment {
            view: TextureView::of(color),
            ops: cleared(Color::BLACK),
            resolve: None,
        })],
        draws: vec![PassDraw {
            groups: vec![BindGroup(group)],
            ..PassDraw::new(pipeline(lit), 3)
        }],
        ..RenderPass::default()
    };
    Setup {
        name: name.into(),
        memory,
        passes: vec![Pass::Render(first), Pass::Render(second)],
    }
}

/// Two passes over one target.
fn loaded(name: &str, samples: u32, store: StoreOp) -> Setup {
    let mut memory = Memory::default();
    let (color, resolve) = target(&mut memory, TextureFormat::Rgba8Unorm, samples);
    let (depths, _) = target(&mut memory, TextureFormat::Depth24Plus, samples);
    let spec = RenderPipelineSpec {
        depth_stencil: Some(depth(TextureFormat::Depth24Plus, CompareFunction::Less)),
        multisample: multisample(samples),
        ..RenderPipelineSpec::new(
            code("scattered"),
            code("colored"),
            TextureFormat::Rgba8Unorm.into(),
        )
    };
    let pipeline = pipeline(spec);
    let pass = |elements, load: [bool; 2]| {
        let ops = |load: bool, store| Operations {
            load: if load {
                LoadOp::Load
            } else {
                LoadOp::Clear(Color::GREEN)
            },
            store,
        };
        Pass::Render(RenderPass {
            label: String::new(),
            colors: vec![Some(ColorAttachment {
                view: TextureView::of(color),
                ops: ops(load[0], StoreOp::Store),
                resolve: resolve.map(TextureView::of),
            })],
            depth_stencil: Some(DepthStencilAttachment {
                view: TextureView::of(depths),
                depth: Some(Operations {
                    load: if load[1] {
                        LoadOp::Load
                    } else {
                        LoadOp::Clear(0.8)
                    },
                    store,
                }),
                stencil: None,
            }),
            draws: vec![PassDraw {
                elements,
                ..PassDraw::new(pipeline, 0)
            }],
        })
    };
    let again = store == StoreOp::Store;
    Setup {
        name: name.into(),
        memory,
        passes: vec![pass(0..18, [false, false]), pass(18..48, [true, again])],
    }
}

/// Content that a pass leaves and another finds: loads, stores, compute, copies, targets that are sampled.
pub(in super::super) fn sequences() -> Vec<Setup> {
    let comparing = |filter, compare| Sampler {
        compare: Some(compare),
        ..sampler(filter, AddressMode::ClampToEdge)
    };
    let mut setups = vec![
        loaded("loads colour and depth", 1, StoreOp::Store),
        loaded(
            "loads colour, clears depth that was discarded",
            1,
            StoreOp::Discard,
        ),
        loaded("loads four samples", 4, StoreOp::Store),
        after_depth("reads depths", "of_depth", None),
        painted(),
        reduced(),
        copied(),
        counted(),
        of_samples(),
    ];
    for compare in [CompareFunction::Less, CompareFunction::GreaterEqual] {
        for filter in [FilterMode::Nearest, FilterMode::Linear] {
            let name = format!("compares with depths, {compare:?}, {filter:?}");
            setups.push(after_depth(
                &name,
                "of_comparison",
                Some(comparing(filter, compare)),
            ));
        }
    }
    setups
}

fn compute(entry: &str) -> &'static ComputePipeline {
    Box::leak(Box::new(
        ComputePipeline::new(code(entry)).expect("a compute program"),
    ))
}

fn painted() -> Setup {
    let mut memory = Memory::default();
    let (texture, _) = target(&mut memory, TextureFormat::Rgba8Unorm, 1);
    let dispatch = Dispatch {
        pipeline: compute("paint"),
        groups: vec![BindGroup(vec![(
            0,
            Binding::Texture(TextureView::of(texture)),
        )])],
        workgroups: [WIDTH / 8, HEIGHT / 4, 1],
    };
    Setup {
        name: "paints a storage texture".into(),
        memory,
        passes: vec![Pass::Compute(vec![dispatch])],
    }
}

fn reduced() -> Setup {
    let mut memory = Memory::default();
    let numbers: Vec<u32> = (0..512_u32)
        .map(|at| at.wrapping_mul(0x9e37_79b9) >> 8)
        .collect();
    let source = memory
        .buffer_of(bytemuck::cast_slice(&numbers))
        .expect("room");
    let sums = memory.buffer(32).expect("room");
    let dispatch = Dispatch {
        pipeline: compute("reduce"),
        groups: vec![BindGroup(vec![
            (0, Binding::buffer(source)),
            (1, Binding::buffer(sums)),
        ])],
        workgroups: [8, 1, 1],
    };
    Setup {
        name: "sums in workgroups".into(),
        memory,
        passes: vec![Pass::Compute(vec![dispatch])],
    }
}

fn copied() -> Setup {
    let mut memory = Memory::default();
    let spec = TextureSpec::of_2d(TextureFormat::Rgba8Unorm, 64, 16);
    let (from, to) = (
        noisy(&mut memory, spec),
        memory.texture(spec).expect("room"),
    );
    let (first, second) = (
        memory.buffer(8192).expect("room"),
        memory.buffer(8192).expect("room"),
    );
    let size = Extent3d {
        width: 20,
        height: 9,
        depth_or_array_layers: 1,
    };
    let layout = TexelCopyBufferLayout {
        offset: 256,
        bytes_per_row: Some(256),
        rows_per_image: Some(12),
    };
    let at = |texture, x, y| TexturePlace {
        origin: [x, y, 0],
        ..TexturePlace::start(texture)
    };
    let copies = [
        Copy::ToBuffer {
            from: at(from, 5, 3),
            to: (first, layout),
            size,
        },
        Copy::Buffer {
            from: (first, 256),
            to: (second, 512),
            bytes: 4096,
        },
        Copy::ToTexture {
            from: (
                second,
                TexelCopyBufferLayout {
                    offset: 512,
                    ..layout
                },
            ),
            to: at(to, 40, 7),
            size,
        },
        Copy::Texture {
            from: at(from, 0, 0),
            to: at(to, 1, 1),
            size,
        },
    ];
    Setup {
        name: "copies".into(),
        memory,
        passes: copies.map(Pass::Copy).into(),
    }
}

fn counted() -> Setup {
    let mut memory = Memory::default();
    let counts = memory.buffer(32).expect("room");
    let with = Plain {
        fragment: Some("counting"),
        groups: vec![BindGroup(vec![(0, Binding::buffer(counts))])],
        vertex: "sloping",
        memory,
        ..Plain::default()
    };
    with.setup("counts fragments by atomics")
}

/// Four samples that are stored, and read one by one.
fn of_samples() -> Setup {
    let mut memory = Memory::default();
    let format = TextureFormat::Rgba8Unorm;
    let spec = TextureSpec::of_2d(format, WIDTH, HEIGHT);
    let many = memory
        .texture(TextureSpec { samples: 4, ..spec })
        .expect("room");
    let color = memory.texture(spec).expect("room");
    let drawn = RenderPipelineSpec {
        multisample: multisample(4),
        ..RenderPipelineSpec::new(code("scattered"), code("colored"), format.into())
    };
    let read = RenderPipelineSpec::new(code("everywhere"), code("of_samples"), format.into());
    let pass = |texture, draw| {
        Pass::Render(RenderPass {
            colors: vec![Some(ColorAttachment {
                view: TextureView::of(texture),
                ops: cleared(Color::WHITE),
                resolve: None,
            })],
            draws: vec![draw],
            ..RenderPass::default()
        })
    };
    let group = BindGroup(vec![(0, Binding::Texture(TextureView::of(many)))]);
    Setup {
        name: "reads the third of four samples".into(),
        memory,
        passes: vec![
            pass(many, PassDraw::new(pipeline(drawn), 36)),
            pass(
                color,
                PassDraw {
                    groups: vec![group],
                    ..PassDraw::new(pipeline(read), 3)
                },
            ),
        ],
    }
}
