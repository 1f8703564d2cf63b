//! The setups: one state after the other away from the plain one.

pub(super) mod attributes;
pub(super) mod colors;
pub(super) mod depth;
pub(super) mod primitives;
pub(super) mod sequences;
pub(super) mod textures;

use azulejo::pass::types::{
    CompareFunction, DepthBiasState, DepthStencilState, MultisampleState, StencilState,
    TextureFormat,
};

const fn multisample(count: u32) -> MultisampleState {
    MultisampleState {
        count,
        mask: !0,
        alpha_to_coverage_enabled: false,
    }
}

fn depth(format: TextureFormat, compare: CompareFunction) -> DepthStencilState {
    DepthStencilState {
        format,
        depth_write_enabled: Some(true),
        depth_compare: Some(compare),
        stencil: StencilState::default(),
        bias: DepthBiasState::default(),
    }
}
