//! A vertex on the screen, and its outcode: output of vertex shading, input of assembly.

use bytemuck::{Pod, Zeroable};

use azulejo_math::Subpixel;

/// A vertex as the rasteriser sees it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct ScreenVertex {
    /// Column in 1/256 pixel, to the right.
    pub x: Subpixel,
    /// Row, 1/256 pixel, downwards.
    pub y: Subpixel,
    /// Depth, 0 at the near plane.
    pub z: f32,
    /// 1 / clip w.
    pub inv_w: f32,
}

/// Position of a vertex with respect to the view volume, as bits; see the constants.
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
    pub(crate) fn any_within(
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
