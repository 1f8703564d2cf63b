//! Tests and blending of samples, with the state that is set (Vulkan 1.3, 29 and 30).

use wgpu_types::{
    BlendComponent, BlendFactor, BlendOperation, BlendState, Color, DepthStencilState,
    StencilFaceState, StencilOperation,
};

use crate::sample::holds;
use crate::texel::{Texel, TexelFormat};

/// Depth and stencil test of a draw's fragments.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DepthStencil<'a> {
    pub(crate) state: &'a DepthStencilState,
    pub(crate) reference: u32,
    pub(crate) is_front: bool,
}

impl DepthStencil<'_> {
    /// Tests a sample against what is there, and updates that; whether it passes. `z` is as the buffer holds it.
    pub(crate) fn test(&self, z: f32, depth: &mut f32, stencil: &mut u8) -> bool {
        let face = if self.is_front {
            &self.state.stencil.front
        } else {
            &self.state.stencil.back
        };
        let enabled = self.state.stencil.is_enabled();
        if enabled && !self.stencil_holds(face, *stencil) {
            self.update(face.fail_op, stencil);
            return false;
        }
        let holds = self
            .state
            .depth_compare
            .is_none_or(|compare| holds(compare, z, *depth));
        if enabled {
            let operation = if holds {
                face.pass_op
            } else {
                face.depth_fail_op
            };
            self.update(operation, stencil);
        }
        if holds && self.state.depth_write_enabled == Some(true) {
            *depth = z;
        }
        holds
    }

    fn stencil_holds(&self, face: &StencilFaceState, stencil: u8) -> bool {
        let mask = self.state.stencil.read_mask;
        holds(
            face.compare,
            self.reference & mask,
            u32::from(stencil) & mask,
        )
    }

    fn update(&self, operation: StencilOperation, stencil: &mut u8) {
        let new = match operation {
            StencilOperation::Keep => return,
            StencilOperation::Zero => 0,
            StencilOperation::Replace => self.reference as u8,
            StencilOperation::Invert => !*stencil,
            StencilOperation::IncrementClamp => stencil.saturating_add(1),
            StencilOperation::DecrementClamp => stencil.saturating_sub(1),
            StencilOperation::IncrementWrap => stencil.wrapping_add(1),
            StencilOperation::DecrementWrap => stencil.wrapping_sub(1),
        };
        let mask = self.state.stencil.write_mask as u8;
        *stencil = new & mask | *stencil & !mask;
    }
}

/// A colour blended over what is there, not rounded yet.
pub(crate) fn blended(
    blend: &BlendState,
    format: TexelFormat,
    source: Texel,
    (target, constant): (Texel, Color),
) -> Texel {
    let clamp = |value: f32| match format.fixed_point() {
        Some([low, high]) if value.is_nan() => low.max(0.0).min(high),
        Some([low, high]) => value.clamp(low, high),
        None => value,
    };
    let source = source.map(|bits| clamp(f32::from_bits(bits)));
    let target = target.map(f32::from_bits);
    let Color { r, g, b, a } = constant;
    #[expect(
        clippy::cast_possible_truncation,
        reason = "rounding to what blending computes with"
    )]
    let constant = [r, g, b, a].map(|part| clamp(part as f32));
    let mixed = Mixed {
        source,
        target,
        constant,
    };
    std::array::from_fn(|channel| {
        let component = if channel == 3 {
            &blend.alpha
        } else {
            &blend.color
        };
        mixed.channel(component, channel).to_bits()
    })
}

struct Mixed {
    source: [f32; 4],
    target: [f32; 4],
    constant: [f32; 4],
}

impl Mixed {
    fn channel(&self, component: &BlendComponent, channel: usize) -> f32 {
        let (source, target) = (self.source[channel], self.target[channel]);
        let weighted = |factor, value: f32| value * self.factor(factor, channel);
        match component.operation {
            BlendOperation::Min => source.min(target),
            BlendOperation::Max => source.max(target),
            BlendOperation::Add => {
                weighted(component.src_factor, source) + weighted(component.dst_factor, target)
            }
            BlendOperation::Subtract => {
                weighted(component.src_factor, source) - weighted(component.dst_factor, target)
            }
            BlendOperation::ReverseSubtract => {
                weighted(component.dst_factor, target) - weighted(component.src_factor, source)
            }
        }
    }

    fn factor(&self, factor: BlendFactor, channel: usize) -> f32 {
        let [source, target, constant] = [self.source, self.target, self.constant];
        match factor {
            BlendFactor::Zero => 0.0,
            BlendFactor::Src => source[channel],
            BlendFactor::OneMinusSrc => 1.0 - source[channel],
            BlendFactor::SrcAlpha => source[3],
            BlendFactor::OneMinusSrcAlpha => 1.0 - source[3],
            BlendFactor::Dst => target[channel],
            BlendFactor::OneMinusDst => 1.0 - target[channel],
            BlendFactor::DstAlpha => target[3],
            BlendFactor::OneMinusDstAlpha => 1.0 - target[3],
            BlendFactor::SrcAlphaSaturated if channel < 3 => source[3].min(1.0 - target[3]),
            BlendFactor::Constant => constant[channel],
            BlendFactor::OneMinusConstant => 1.0 - constant[channel],
            // Pipelines with a second source are refused.
            _ => 1.0,
        }
    }
}
