//! A frame in the making: draws in the order in which a demo submits them, geometry of this frame, views of its layers.

use glam::{Mat4, Vec2, Vec3, Vec4};

use super::atlas::Sprite;
use super::decal::{self, Decal};
use super::sprites::Batch;
use crate::{Frame, Screen};
use azulejo_scene::{
    FrameState, Instance, LightInstance, LightKind, MaterialId, Mesh, MeshId, Primitive,
    Projection, Scene, ThroughView, View,
};

/// Collects the draws of a frame.
#[derive(Debug)]
pub(crate) struct FrameBuilder<'a> {
    scene: &'a Scene,
    screen: Screen,
    state: FrameState,
}

impl<'a> FrameBuilder<'a> {
    /// Starts a frame without draws.
    #[must_use]
    pub(crate) fn new(scene: &'a Scene, screen: Screen) -> Self {
        Self {
            scene,
            screen,
            state: FrameState::default(),
        }
    }

    /// The picture that the frame is laid out for.
    #[must_use]
    pub(crate) const fn screen(&self) -> Screen {
        self.screen
    }

    /// A flat layer whose upper left corner shows `origin`, in units ([`Screen::UNITS_HIGH`] from top to bottom) times
    /// `zoom`.
    pub(crate) fn layer(&mut self, origin: Vec2, zoom: f32) -> ThroughView {
        self.state.layers.push(flat_view(self.screen, origin, zoom));
        ThroughView::Layer(self.state.layers.len() as u32 - 1)
    }

    /// Draws a mesh of the scene, all of its primitives, with the materials that they name.
    pub(crate) fn mesh(&mut self, mesh: MeshId, world_from_local: Mat4, through: ThroughView) {
        for (primitive, part) in (0..).zip(&self.scene.meshes[mesh.index()].primitives) {
            if let Some(material) = part.material {
                self.state.instances.push(Instance {
                    mesh,
                    primitive,
                    material,
                    world_from_local,
                    joints: 0..0,
                    morph_weights: 0..0,
                    through,
                });
            }
        }
    }

    /// Draws a skinned mesh of the scene; `joints` are `world_from_mesh` of its bones.
    pub(crate) fn skinned(&mut self, mesh: MeshId, joints: &[Mat4]) {
        let first = self.state.joints.len() as u32;
        self.state.joints.extend_from_slice(joints);
        let from = self.state.instances.len();
        self.mesh(mesh, Mat4::IDENTITY, ThroughView::Camera);
        for instance in &mut self.state.instances[from..] {
            instance.joints = first..first + joints.len() as u32;
        }
    }

    /// Adds light from far away: `towards` it, of any length, and the linear RGB that a white matt surface that faces it
    /// reflects.
    pub(crate) fn sun(&mut self, towards: Vec3, color: Vec3) {
        self.state.lights.push(LightInstance {
            kind: LightKind::Directional,
            radiance: color * std::f32::consts::PI,
            position_world: Vec3::ZERO,
            direction_world: -towards.normalize_or(Vec3::Y),
            range: f32::INFINITY,
        });
    }

    /// Adds a light, which falls on all materials that are not unlit.
    pub(crate) fn light(&mut self, light: LightInstance) {
        self.state.lights.push(light);
    }

    /// Draws geometry that this frame alone has.
    pub(crate) fn stream(
        &mut self,
        name: &str,
        primitive: Primitive,
        material: MaterialId,
        through: ThroughView,
    ) {
        if primitive.indices.is_empty() {
            return;
        }
        let mesh = MeshId((self.scene.meshes.len() + self.state.meshes.len()) as u32);
        self.state.meshes.push(Mesh {
            name: name.to_owned(),
            primitives: vec![primitive].into(),
            morph_weights: Vec::new(),
        });
        self.state.instances.push(Instance {
            mesh,
            primitive: 0,
            material,
            world_from_local: Mat4::IDENTITY,
            joints: 0..0,
            morph_weights: 0..0,
            through,
        });
    }

    /// Draws decals in the camera's view.
    pub(crate) fn decals(&mut self, name: &str, decals: &[Decal], material: MaterialId) {
        let primitive = decal::primitive(decals);
        self.stream(name, primitive, material, ThroughView::Camera);
    }

    /// Draws a picture over the screen's whole width, from `top` to `bottom` in units, and gives the flat layer in which it
    /// lies.
    pub(crate) fn backdrop(
        &mut self,
        name: &str,
        sprite: Sprite,
        (top, bottom): (f32, f32),
        material: MaterialId,
    ) -> ThroughView {
        let layer = self.layer(Vec2::ZERO, 1.0);
        let wide = self.screen.units_wide();
        let corners = [(0.0, top), (wide, top), (wide, bottom), (0.0, bottom)].map(Vec2::from);
        let mut batch = Batch::default();
        batch.quad(corners, sprite, [Vec4::ONE; 4]);
        self.sprites(name, batch, material, layer);
        layer
    }

    /// Draws a batch of sprites.
    pub(crate) fn sprites(
        &mut self,
        name: &str,
        batch: Batch,
        material: MaterialId,
        through: ThroughView,
    ) {
        self.stream(name, batch.into_primitive(), material, through);
    }

    /// The frame, seen by `camera`.
    #[must_use]
    pub(crate) fn finish(self, camera: View) -> Frame {
        Frame {
            state: self.state,
            view: camera,
        }
    }
}

/// A layer's view: units to clip space, y down, z unused.
#[must_use]
pub(crate) fn flat_view(screen: Screen, origin: Vec2, zoom: f32) -> View {
    let size = Vec2::new(screen.units_wide(), Screen::UNITS_HIGH) / zoom;
    let scale = 2.0 / size;
    let shift = -origin * scale - 1.0;
    View {
        view_from_world: Mat4::IDENTITY,
        clip_from_view: Mat4::from_translation(shift.extend(0.5))
            * Mat4::from_scale(scale.extend(0.0)),
        eye_world: Vec3::Z,
    }
}

/// The view of an eye that looks at a point, +Y up, `y_fov` radians from top to bottom.
#[must_use]
pub(crate) fn look_at(screen: Screen, eye: Vec3, target: Vec3, y_fov: f32) -> View {
    let back = (eye - target).normalize_or(Vec3::Z);
    let right = Vec3::Y.cross(back).normalize_or(Vec3::X);
    let axes = [right, back.cross(right), back].map(|axis| axis.extend(0.0));
    let world_from_camera = Mat4::from_cols(axes[0], axes[1], axes[2], eye.extend(1.0));
    let lens = Projection::Perspective {
        y_fov,
        aspect: None,
        near: 0.05,
        far: Some(400.0),
    };
    View::through(&lens, world_from_camera, screen.width, screen.height)
}

/// Projection of a point of the world into the units of flat layers; `None` behind the eye.
#[must_use]
pub(crate) fn project(screen: Screen, view: &View, at: Vec3) -> Option<Vec2> {
    let clip = view.clip_from_view * view.view_from_world * at.extend(1.0);
    let ndc = clip.truncate().truncate() / clip.w;
    let size = Vec2::new(screen.units_wide(), Screen::UNITS_HIGH);
    (clip.w > 1e-3).then(|| (ndc * 0.5 + 0.5) * size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn project_gives_units_of_flat_layers() {
        let screen = Screen {
            width: 1280,
            height: 720,
        };
        let view = look_at(screen, Vec3::Z * 4.0, Vec3::ZERO, 1.0);
        let middle = project(screen, &view, Vec3::ZERO);
        assert!(
            middle.is_some_and(|at| at.distance(Vec2::new(640.0, 360.0)) < 1e-2),
            "the middle: {middle:?}"
        );
        let above = project(screen, &view, Vec3::Y);
        assert!(above.is_some_and(|at| at.y < 300.0), "up is up: {above:?}");
        assert_eq!(project(screen, &view, Vec3::Z * 5.0), None, "behind");
    }
}
