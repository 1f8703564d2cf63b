//! Models with one texture, drawn in a draw or two and seen from near, as graphics research shows them: after the workloads
//! of Emerald's second case study (Gubran and Aamodt, ISCA 2019, Table 8: a church, a cow, a cube, a head, the same head as
//! glass, a teapot).
//!
//! A fragment is one sample of the texture times the light of its vertex, so that what a frame costs is memory more than
//! arithmetic. Each model turns slowly, and the church is walked through: neighbouring frames are nearly alike.

mod look;
mod nave;
mod shapes;

use std::f32::consts::TAU;

use glam::{Mat4, Vec3};

use super::kit::frame::{FrameBuilder, look_at};
use super::kit::stage::{Stage, baked};
use super::procedural::random;
use super::{Demo, Frame, Game, Kind, Screen, Setting, Show};
use azulejo_scene::{
    AlphaMode, Material, MeshId, Primitive, Scene, TextureImage, ThroughView, Wrap,
};

/// Every model, in the order of the paper's table.
pub const MODELS: &[Demo] = &[
    nave::DEMO,
    model("calf", "a spotted calf, one closed model (as Spot)", calf),
    model(
        "crate",
        "a crate that fills the screen (as a cube)",
        crate_box,
    ),
    model("mask", "a carved head with large ears (as Suzanne)", mask),
    model(
        "glass",
        "the same head of glass, blended (as Suzanne, transparent)",
        glass,
    ),
    model("teapot", "a glazed teapot (as the Utah teapot)", teapot),
];

/// Radians that a model turns in a frame: a whole turn in some ten seconds.
const TURN: f32 = 0.0107;

const fn model(name: &'static str, about: &'static str, start: fn(u32) -> Show) -> Demo {
    Demo {
        name,
        about,
        kind: Kind::Solid,
        camera: "static, the model turns",
        setting: Setting::AsIs,
        start,
    }
}

/// A model before a camera that stands still.
#[derive(Debug)]
struct Turntable {
    mesh: MeshId,
    /// Eye position, and the point that it looks at.
    eye: Vec3,
    target: Vec3,
    /// Radians at frame 0.
    first: f32,
}

/// Mesh, texture and viewpoint of a model.
struct Subject {
    name: &'static str,
    mesh: Primitive,
    texture: TextureImage,
    /// 1 is opaque; less is blended, both sides of the surface.
    alpha: f32,
    eye: Vec3,
    target: Vec3,
}

impl Subject {
    fn show(self, seed: u32) -> Show {
        let mut stage = Stage::new(self.name);
        let texture = stage.texture(self.texture, Wrap::Repeat);
        let mut material = baked(self.name, texture);
        if self.alpha < 1.0 {
            material = Material {
                alpha_mode: AlphaMode::Blend,
                double_sided: true,
                ..material
            };
            material.base_color.w = self.alpha;
        }
        let material = stage.material(material);
        let game = Turntable {
            mesh: stage.mesh(self.name, self.mesh, material),
            eye: self.eye,
            target: self.target,
            first: TAU * random(seed as i32, 0, 41),
        };
        stage.show(Vec3::new(0.05, 0.06, 0.08), game)
    }
}

impl Game for Turntable {
    fn frame(&self, scene: &Scene, frame: u64, screen: Screen) -> Frame {
        // In f64 up to a whole turn: frames far from the first move as evenly.
        let turned = (frame as f64 * f64::from(TURN)) % f64::from(TAU);
        let mut builder = FrameBuilder::new(scene, screen);
        let place = Mat4::from_rotation_y(self.first + turned as f32);
        builder.mesh(self.mesh, place, ThroughView::Camera);
        builder.finish(look_at(screen, self.eye, self.target, 0.7))
    }
}

fn calf(seed: u32) -> Show {
    let subject = Subject {
        name: "calf",
        mesh: shapes::calf(),
        texture: look::hide(seed),
        alpha: 1.0,
        eye: Vec3::new(0.0, 0.75, 3.1),
        target: Vec3::new(0.0, 0.1, 0.0),
    };
    subject.show(seed)
}

fn crate_box(seed: u32) -> Show {
    let subject = Subject {
        name: "crate",
        mesh: shapes::crate_box(),
        texture: look::planks(seed),
        alpha: 1.0,
        eye: Vec3::new(0.0, 1.0, 2.6),
        target: Vec3::ZERO,
    };
    subject.show(seed)
}

fn head(name: &'static str, alpha: f32, seed: u32) -> Show {
    let subject = Subject {
        name,
        mesh: shapes::mask(),
        texture: look::carved(seed),
        alpha,
        eye: Vec3::new(0.0, 0.25, 3.0),
        target: Vec3::ZERO,
    };
    subject.show(seed)
}

fn mask(seed: u32) -> Show {
    head("mask", 1.0, seed)
}

fn glass(seed: u32) -> Show {
    head("glass", 0.45, seed)
}

fn teapot(seed: u32) -> Show {
    let subject = Subject {
        name: "teapot",
        mesh: shapes::teapot(),
        texture: look::glaze(seed),
        alpha: 1.0,
        eye: Vec3::new(0.0, 1.2, 3.4),
        target: Vec3::new(0.0, 0.05, 0.0),
    };
    subject.show(seed)
}
