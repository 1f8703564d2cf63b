//! Lights (`KHR_lights_punctual`) and cameras (glTF 2.0, 3.10). A light without sense is left out with a warning: a scene
//! can be drawn without.

use std::f32::consts::FRAC_PI_2;

use glam::Vec3;
use gltf::json::camera::{Camera as JsonCamera, Type};
use gltf::json::extensions::scene::khr_lights_punctual::{Light as JsonLight, Type as JsonKind};
use gltf::json::validation::Checked;

use super::error::element;
use super::file::File;
use crate::{Camera, Light, LightKind, Projection};

/// Every light of the file; `None` where it cannot shine.
pub(super) fn lights(file: &File) -> Vec<Option<Light>> {
    let extensions = file.root.extensions.as_ref();
    let lights = extensions.and_then(|extensions| extensions.khr_lights_punctual.as_ref());
    let lights = lights.map_or(&[][..], |extension| &extension.lights);
    let read = |(index, json): (usize, &JsonLight)| {
        let light = light(json);
        if light.is_none() {
            let name = element("light", index, json.name.as_deref());
            file.warn(format!(
                "{name}: unknown type or values that are not finite: left out"
            ));
        }
        light
    };
    lights.iter().enumerate().map(read).collect()
}

fn light(json: &JsonLight) -> Option<Light> {
    let kind = match json.type_ {
        Checked::Valid(JsonKind::Directional) => LightKind::Directional,
        Checked::Valid(JsonKind::Point) => LightKind::Point,
        Checked::Valid(JsonKind::Spot) => {
            let spot = json.spot.clone();
            let (inner, outer) = spot.map_or((0.0, std::f32::consts::FRAC_PI_4), |spot| {
                (spot.inner_cone_angle, spot.outer_cone_angle)
            });
            let outer_angle = outer.clamp(0.0, FRAC_PI_2);
            LightKind::Spot {
                inner_angle: inner.clamp(0.0, outer_angle),
                outer_angle,
            }
        }
        Checked::Invalid => return None,
    };
    let color = Vec3::from_array(json.color).max(Vec3::ZERO);
    let intensity = json.intensity.max(0.0);
    (color.is_finite() && intensity.is_finite()).then(|| Light {
        name: json.name.clone().unwrap_or_default(),
        color,
        intensity,
        range: json.range.filter(|&range| range > 0.0 && range.is_finite()),
        kind,
    })
}

/// Every camera of the file; `None` where its lens is impossible.
pub(super) fn cameras(file: &File) -> Vec<Option<Camera>> {
    let read = |(index, json): (usize, &JsonCamera)| {
        let Some(projection) = projection(json) else {
            let name = element("camera", index, json.name.as_deref());
            file.warn(format!("{name}: its projection is impossible: left out"));
            return None;
        };
        Some(Camera {
            name: json.name.clone().unwrap_or_default(),
            projection,
        })
    };
    file.root.cameras.iter().enumerate().map(read).collect()
}

fn projection(json: &JsonCamera) -> Option<Projection> {
    let positive = |value: f32| value > 0.0 && value.is_finite();
    match json.type_ {
        Checked::Valid(Type::Perspective) => {
            let lens = json.perspective.as_ref()?;
            let angle = positive(lens.yfov) && lens.yfov < std::f32::consts::PI;
            let far = lens.zfar.filter(|far| far.is_finite());
            let depth = positive(lens.znear) && far.is_none_or(|far| far > lens.znear);
            (angle && depth).then_some(Projection::Perspective {
                y_fov: lens.yfov,
                aspect: lens.aspect_ratio.filter(|&aspect| positive(aspect)),
                near: lens.znear,
                far,
            })
        }
        Checked::Valid(Type::Orthographic) => {
            let lens = json.orthographic.as_ref()?;
            let (x_mag, y_mag) = (lens.xmag.abs(), lens.ymag.abs());
            let depth = lens.znear.is_finite() && lens.zfar.is_finite() && lens.zfar > lens.znear;
            (positive(x_mag) && positive(y_mag) && depth).then_some(Projection::Orthographic {
                x_mag,
                y_mag,
                near: lens.znear,
                far: lens.zfar,
            })
        }
        Checked::Invalid => None,
    }
}
