//! `EXT_lights_image_based`: the surroundings that light the chosen scene, as an environment.
//!
//! The largest level of the file's cube map is radiance; rougher levels and irradiance follow from it as they do for any
//! environment, so the file's own prefiltered levels and coefficients, which say the same in another filter, are not read.
//! Light that cannot be read costs a warning, not the scene.

use glam::{Quat, Vec3};
use gltf::json::Scene as JsonScene;
use serde::Deserialize;

use super::error::LoadError;
use super::file::File;
use super::image::{self, Picture, Wanted};
use super::uri::Resolve;
use crate::sampling::unit;
use crate::{Environment, MAX_CUBE_EDGE};

const NAME: &str = "EXT_lights_image_based";

/// Most that a light may be multiplied by.
const MAX_INTENSITY: f32 = 1e6;

/// The scene's extension as it is written.
#[derive(Debug, Deserialize)]
struct Reference {
    light: usize,
}

/// The file's extension as it is written.
#[derive(Debug, Deserialize)]
struct List {
    lights: Vec<Light>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Light {
    #[serde(default = "no_rotation")]
    rotation: [f32; 4],
    #[serde(default = "one")]
    intensity: f32,
    specular_images: Vec<[usize; 6]>,
}

const fn no_rotation() -> [f32; 4] {
    [0.0, 0.0, 0.0, 1.0]
}

const fn one() -> f32 {
    1.0
}

/// The light of `scene`; `None` where it has none or it cannot be read.
pub(super) fn read(
    file: &File,
    scene: Option<&JsonScene>,
    resolve: &Resolve<'_>,
) -> Option<Environment> {
    let extensions = scene?.extensions.as_ref()?;
    let reference = extensions.others.get(NAME)?;
    let light = light(file, reference).and_then(|light| environment(file, &light, resolve));
    match light {
        Ok(environment) => Some(environment),
        Err(error) => {
            file.warn(format!("{error}; --env lights the scene instead"));
            None
        }
    }
}

fn light(file: &File, reference: &serde_json::Value) -> Result<Light, LoadError> {
    let problem = |error: serde_json::Error| LoadError::invalid(NAME, error.to_string());
    let Reference { light } = Reference::deserialize(reference).map_err(problem)?;
    let extensions = file.root.extensions.as_ref();
    let list = extensions.and_then(|extensions| extensions.others.get(NAME));
    let list = list.ok_or_else(|| LoadError::invalid(NAME, "the file has no such lights"))?;
    let List { mut lights } = List::deserialize(list).map_err(problem)?;
    if light >= lights.len() {
        let count = lights.len();
        return Err(LoadError::invalid(
            NAME,
            format!("the scene refers to light {light} of {count}"),
        ));
    }
    Ok(lights.swap_remove(light))
}

fn environment(
    file: &File,
    light: &Light,
    resolve: &Resolve<'_>,
) -> Result<Environment, LoadError> {
    let faces = light.specular_images.first();
    let faces = faces.ok_or_else(|| LoadError::invalid(NAME, "its light has no images"))?;
    let intensity = light.intensity.clamp(0.0, MAX_INTENSITY);
    let mut edge = None;
    let mut radiance: [Vec<Vec3>; 6] = Default::default();
    for (face, &image) in radiance.iter_mut().zip(faces) {
        let count = file.root.images.len();
        if image >= count {
            let problem = format!("its light refers to image {image} of {count}");
            return Err(LoadError::invalid(NAME, problem));
        }
        let wanted = Wanted {
            image,
            readings: Vec::new(),
        };
        let picture = image::decode(&wanted, file, resolve)?;
        let expected = *edge.get_or_insert(picture.width);
        let size = [picture.width, picture.height];
        if size != [expected; 2] || expected > MAX_CUBE_EDGE {
            let [width, height] = size;
            return Err(LoadError::invalid(
                NAME,
                format!(
                    "image {image} is {width}x{height} texels large; all faces are squares of one size, {MAX_CUBE_EDGE} at most"
                ),
            ));
        }
        // As floats, and once more in the environment with its levels.
        file.reserve(u64::from(expected) * u64::from(expected) * 24, NAME)?;
        *face = radiance_of(&picture, intensity);
    }
    let rotation = unit(Quat::from_array(light.rotation));
    let environment = Environment::from_cube(edge.unwrap_or(0), &radiance, rotation);
    environment.map_err(|error| LoadError::invalid(NAME, error.to_string()))
}

/// RGBD: colours in sRGB, divided by alpha once they are linear. A picture without alpha is divided by 1.
fn radiance_of(picture: &Picture, intensity: f32) -> Vec<Vec3> {
    let texels = picture.mips.first().map_or(&[][..], Vec::as_slice);
    let texels = texels.as_chunks::<4>().0.iter();
    texels
        .map(|&[r, g, b, divisor]| {
            let color = Vec3::from_array([r, g, b].map(linear));
            color * intensity * (255.0 / f32::from(divisor.max(1)))
        })
        .collect()
}

/// The linear value of an sRGB byte (IEC 61966-2-1).
fn linear(byte: u8) -> f32 {
    let encoded = f32::from(byte) / 255.0;
    match encoded <= 0.04045 {
        true => encoded / 12.92,
        false => ((encoded + 0.055) / 1.055).powf(2.4),
    }
}
