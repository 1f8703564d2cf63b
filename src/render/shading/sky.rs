//! The background program: the environment's radiance as the eye sees it, at any distance.

use glam::{Vec3, Vec4};

use super::image_light::ImageLight;
use super::vector::{scale_add, splat};
use super::{FragmentInputs, FragmentOutput, FragmentProgram, VaryingLayout};
use azulejo_scene::{Environment, View};
use azulejo_simd::Lanes;

/// Radiance from behind everything. Reads no varyings, only the pixel's position.
#[derive(Debug, Clone)]
pub struct Sky<'a> {
    environment: ImageLight<'a>,
    /// World-space direction through the picture's upper left corner, not normalised.
    corner: Vec3,
    /// Change of the direction from one pixel to the next, to the right and down.
    steps: [Vec3; 2],
}

impl<'a> Sky<'a> {
    /// The background of a picture of `width` x `height` pixels. Through a parallel projection all of it is one direction.
    #[must_use]
    pub fn new(environment: &'a Environment, view: &View, [width, height]: [u32; 2]) -> Self {
        // A ray is the same however far the eye stands, so the eye is put at the origin; a point on the ray is found at the
        // near plane, where every projection has one.
        let mut world_from_view = view.view_from_world.inverse();
        world_from_view.w_axis = Vec4::W;
        let view_from_clip = view.clip_from_view.inverse();
        let perspective = view.clip_from_view.w_axis.w == 0.0;
        let towards = |x: f32, y: f32| {
            let ahead = view_from_clip.project_point3(Vec3::new(x, y, 0.0));
            let ray = if perspective {
                ahead / -ahead.z
            } else {
                Vec3::NEG_Z
            };
            world_from_view.transform_vector3(ray)
        };
        let corner = towards(-1.0, -1.0);
        let right = (towards(1.0, -1.0) - corner) / width.max(1) as f32;
        let down = (towards(-1.0, 1.0) - corner) / height.max(1) as f32;
        Self {
            environment: environment.into(),
            corner,
            steps: [right, down],
        }
    }
}

impl FragmentProgram for Sky<'_> {
    fn varyings(&self) -> VaryingLayout {
        VaryingLayout::default()
    }

    #[inline(always)]
    fn shade<L: Lanes>(&self, l: L, inputs: &FragmentInputs<L>) -> FragmentOutput<L> {
        let [x, y] = inputs.position_px;
        let row = scale_add(l, splat(l, self.steps[1]), y, splat(l, self.corner));
        let direction = scale_add(l, splat(l, self.steps[0]), x, row);
        let [r, g, b] = self.environment.sample(l, l.f(0.0), direction);
        FragmentOutput {
            rgba: [r, g, b, l.f(1.0)],
            keep: l.mask(0xffff),
        }
    }
}
