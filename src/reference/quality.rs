//! Purpose of the driver's frames: pictures to compare, or times.

/// How close the driver's pictures must come to azulejo's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quality {
    /// Radiance is accumulated in half floats, unclamped, wherever that could show; textures are filtered in single
    /// precision at the level of detail that Vulkan states, which llvmpipe approximates.
    Exact,
    /// Sampling is the driver's own. Without tone mapping, blended surfaces too are accumulated in the eight bits of the
    /// picture, premultiplied, as programs that draw for speed have it: what lies beneath them is clamped and rounded
    /// first. For timing.
    Fastest,
}
