//! Geometry of the plane on top of glam: rectangles of pixels, sub-pixel fixed point, projections; sums that must not
//! cancel. Independent of all pipeline stages.
//!
//! ```
//! # mod azulejo { pub use azulejo_math as math; }
//! use azulejo::math::{PixelRect, perspective_vulkan};
//! use glam::Vec3;
//!
//! let tile = PixelRect { x0: 1904, y0: 0, x1: 1936, y1: 32 };
//! let on_screen = PixelRect::of_size(1920, 1080).intersect(tile);
//! assert_eq!((on_screen.width(), on_screen.height()), (16, 32));
//!
//! // One metre before the eye and one to the right: right of the middle, and y is half-way down.
//! let clip_from_view = perspective_vulkan(1.0, 16.0 / 9.0, 0.1, None);
//! let ndc = clip_from_view.project_point3(Vec3::new(1.0, 0.0, -1.0));
//! assert!(ndc.x > 0.9 && ndc.y == 0.0 && ndc.z < 1.0);
//! ```

mod double_double;
mod fixed;
mod projection;
mod rect;

pub use double_double::DoubleDouble;
pub use fixed::{SUBPIXEL_BITS, SUBPIXELS, Subpixel};
pub use projection::{orthographic_vulkan, perspective_vulkan};
pub use rect::PixelRect;
