//! A vertex on the screen, and where it lies with respect to the view volume: what vertex shading leaves for assembly.

use bytemuck::{Pod, Zeroable};

use crate::math::Subpixel;

/// A vertex as the rasteriser sees it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct ScreenVertex {
    /// Column, 1/256 pixel.
    pub x: Subpixel,
    /// Row, 1/256 pixel, downwards.
    pub y: Subpixel,
    /// Depth, 0 at the near plane.
    pub z: f32,
    /// 1 / clip w.
    pub inv_w: f32,
}

/// Where a vertex lies with respect to the view volume; see the constants.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Outcode(pub u8);

impl Outcode {
    /// The six planes of the view volume: set where the vertex is outside.
    pub const PLANES: u8 = 0x3f;
    /// The vertex has no screen position: outside the guard band or the depth range.
    pub const CLIP: u8 = 0x40;
}

#[cfg(test)]
impl ScreenVertex {
    /// Vertices whose column and row lie in this range, in 1/256 pixel; for tests of what looks at no more of them.
    pub(in crate::render) fn any_within(
        range: std::ops::Range<i32>,
    ) -> impl proptest::strategy::Strategy<Value = Self> {
        use proptest::strategy::Strategy;
        (range.clone(), range).prop_map(|(x, y)| Self {
            x: Subpixel(x),
            y: Subpixel(y),
            z: 0.5,
            inv_w: 1.0,
        })
    }
}
