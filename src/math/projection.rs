//! Projections into Vulkan's clip space: x right, y *down*, depth 0 at the near plane and 1 at the far plane.

use glam::{Mat4, Vec4};

/// Perspective projection `clip_from_view` of a camera that looks along -Z with +Y up.
///
/// `y_fov` in radians (vertical), `aspect` = width / height; without `far` the far plane is at infinity (glTF 2.0, 3.10.3).
#[must_use]
pub fn perspective_vulkan(y_fov: f32, aspect: f32, near: f32, far: Option<f32>) -> Mat4 {
    let focal = 1.0 / (y_fov * 0.5).tan();
    let (zz, zw) = match far {
        Some(far) => (far / (near - far), near * far / (near - far)),
        None => (-1.0, -near),
    };
    Mat4::from_cols(
        Vec4::new(focal / aspect, 0.0, 0.0, 0.0),
        Vec4::new(0.0, -focal, 0.0, 0.0),
        Vec4::new(0.0, 0.0, zz, -1.0),
        Vec4::new(0.0, 0.0, zw, 0.0),
    )
}

/// Orthographic projection `clip_from_view`: half the visible width and height in view units (glTF's xmag, ymag).
#[must_use]
pub fn orthographic_vulkan(x_mag: f32, y_mag: f32, near: f32, far: f32) -> Mat4 {
    Mat4::from_cols(
        Vec4::new(1.0 / x_mag, 0.0, 0.0, 0.0),
        Vec4::new(0.0, -1.0 / y_mag, 0.0, 0.0),
        Vec4::new(0.0, 0.0, 1.0 / (near - far), 0.0),
        Vec4::new(0.0, 0.0, near / (near - far), 1.0),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn perspective_maps_near_to_zero_and_far_to_one() {
        let clip_from_view = perspective_vulkan(1.0, 1.5, 0.25, Some(10.0));
        let near = clip_from_view * Vec4::new(0.0, 0.0, -0.25, 1.0);
        let far = clip_from_view * Vec4::new(0.0, 0.0, -10.0, 1.0);
        assert!((near.z / near.w).abs() < 1e-6, "near plane is depth 0");
        assert!((far.z / far.w - 1.0).abs() < 1e-6, "far plane is depth 1");
    }

    #[test]
    fn perspective_turns_up_into_smaller_y() {
        let up = perspective_vulkan(1.0, 1.0, 0.1, None) * Vec4::new(0.0, 1.0, -2.0, 1.0);
        assert!(up.y < 0.0, "clip space's y points down");
    }
}
