//! Geometry of the plane on top of glam: rectangles of pixels, sub-pixel fixed point, projections. Knows no pipeline stage.

mod fixed;
mod projection;
mod rect;

pub use fixed::{SUBPIXEL_BITS, SUBPIXELS, Subpixel};
pub use projection::{orthographic_vulkan, perspective_vulkan};
pub use rect::PixelRect;
