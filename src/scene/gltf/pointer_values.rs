//! The floats of an animation's key as what a pointer sets.

use glam::Vec3;

/// Sets a property to the floats of a key.
pub(super) type Set<T> = fn(&mut T, &[f32]);

/// Properties below an element: path, number of floats, what sets it.
pub(super) type Table<T> = [(&'static str, usize, Set<T>)];

/// A factor from 0 to 1.
pub(super) fn unit(values: &[f32]) -> f32 {
    first(values).clamp(0.0, 1.0)
}

/// The only float of a property that has one.
pub(super) fn first(values: &[f32]) -> f32 {
    values.first().copied().unwrap_or_default()
}

/// Linear RGB, each from 0 to `most`; black where there are not three floats.
pub(super) fn color(values: &[f32], most: f32) -> Vec3 {
    let color = <[f32; 3]>::try_from(values).map_or(Vec3::ZERO, Vec3::from_array);
    color.clamp(Vec3::ZERO, Vec3::splat(most))
}
