//! Materials as glTF has them.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::maps::{Map, map};
use super::mtl::Material;

/// glTF's name of a sampler that does not repeat.
const CLAMP_TO_EDGE: u32 = 33071;

/// Materials that parts are made of, and the files of their maps, each once.
#[derive(Debug, Default)]
pub(super) struct Materials<'a> {
    numbers: BTreeMap<usize, usize>,
    pub(super) list: Vec<Value>,
    image_numbers: BTreeMap<&'a str, usize>,
    pub(super) images: Vec<Value>,
    texture_numbers: BTreeMap<(usize, bool), usize>,
    pub(super) textures: Vec<Value>,
    /// Statements that say what is left out, by their first word: how many of these materials have one.
    left_out: BTreeMap<&'static str, usize>,
}

impl<'a> Materials<'a> {
    /// The number of material `id` of the libraries.
    pub(super) fn number(&mut self, id: usize, libraries: &'a [Material]) -> Option<usize> {
        let from = libraries.get(id)?;
        if let Some(number) = self.numbers.get(&id) {
            return Some(*number);
        }
        for word in &from.left_out {
            *self.left_out.entry(word).or_default() += 1;
        }
        let maps = Maps {
            color: self.texture(from.color_map.as_ref()),
            emission: self.texture(from.emission_map.as_ref()),
            normal: self.texture(from.normal_map.as_ref()),
        };
        self.list.push(material(from, maps));
        self.numbers.insert(id, self.list.len() - 1);
        Some(self.list.len() - 1)
    }

    /// Reference to the texture of a map with this statement.
    fn texture(&mut self, statement: Option<&'a String>) -> Option<Value> {
        Some(self.texture_of(&map(statement?)))
    }

    fn texture_of(&mut self, map: &Map<'a>) -> Value {
        let image = *self.image_numbers.entry(map.file).or_insert_with(|| {
            self.images.push(json!({ "uri": uri(map.file) }));
            self.images.len() - 1
        });
        let texture = (self.texture_numbers)
            .entry((image, map.clamps))
            .or_insert_with(|| {
                let mut texture = json!({ "source": image });
                if map.clamps {
                    texture["sampler"] = 0.into();
                }
                self.textures.push(texture);
                self.textures.len() - 1
            });
        let mut reference = json!({ "index": *texture });
        let ([su, sv], [ou, ov]) = (map.scale, map.offset);
        // v goes downwards in glTF.
        let offset = [ou, 1.0 - sv - ov];
        if offset.iter().all(|x| x.is_finite()) && (map.scale, offset) != ([1.0; 2], [0.0; 2]) {
            let transform = json!({ "scale": [su, sv], "offset": offset });
            reference["extensions"] = json!({ "KHR_texture_transform": transform });
        }
        reference
    }

    /// The samplers that textures have numbers of.
    pub(super) fn samplers(&self) -> Vec<Value> {
        if self.texture_numbers.keys().any(|(_, clamps)| *clamps) {
            vec![json!({ "wrapS": CLAMP_TO_EDGE, "wrapT": CLAMP_TO_EDGE })]
        } else {
            Vec::new()
        }
    }

    /// Warning that counts the maps of these materials that are not drawn.
    pub(super) fn warning(&self) -> Option<String> {
        let of_word = |(word, n): (&&str, &usize)| format!("{word} (materials: {n})");
        let list: Vec<_> = self.left_out.iter().map(of_word).collect();
        (!list.is_empty()).then(|| format!("maps are left out: {}", list.join(", ")))
    }
}

/// References to a material's textures.
struct Maps {
    color: Option<Value>,
    emission: Option<Value>,
    normal: Option<Value>,
}

/// A material: Blinn's exponent becomes a roughness of a highlight as wide (Karis, SIGGRAPH 2013: exponent = 2 /
/// roughness^4 - 2), unless `Pr` says it, as programs with materials like glTF's write it.
fn material(from: &Material, maps: Maps) -> Value {
    let of_map = |color: [f32; 3], map: &Option<Value>| {
        let color = color.map(share);
        // Some programs write black beside a map, and mean the map.
        let is_of_map = map.is_some() && color == [0.0; 3];
        if is_of_map { [1.0; 3] } else { color }
    };
    let [r, g, b] = of_map(from.color.unwrap_or([0.8; 3]), &maps.color);
    let emission = of_map(from.emission.unwrap_or_default(), &maps.emission);
    let alpha = alpha(from);
    let shininess = from.shininess.unwrap_or(10.0);
    let of_highlight = (2.0 / (shininess.max(0.0) + 2.0)).powf(0.25);
    let mut surface = json!({
        "baseColorFactor": [r, g, b, alpha],
        "metallicFactor": from.metallic.map_or(0.0, share),
        "roughnessFactor": from.roughness.map_or(of_highlight, share),
    });
    if let Some(texture) = maps.color {
        surface["baseColorTexture"] = texture;
    }
    let mut material = json!({
        "name": from.name,
        "pbrMetallicRoughness": surface,
        "emissiveFactor": emission,
        "doubleSided": true,
    });
    if let Some(texture) = maps.emission {
        material["emissiveTexture"] = texture;
    }
    if let Some(texture) = maps.normal {
        material["normalTexture"] = texture;
    }
    if alpha < 1.0 {
        material["alphaMode"] = "BLEND".into();
    }
    material
}

/// Opacity: `d`, or what `Tr` leaves of 1.
fn alpha(from: &Material) -> f32 {
    let transparency = from
        .transparency
        .map(|transparency| 1.0 - share(transparency));
    from.opacity.map(share).or(transparency).unwrap_or(1.0)
}

/// Clamps the value to 0 to 1.
fn share(value: f32) -> f32 {
    value.clamp(0.0, 1.0)
}

/// A path as a URI that is read as the same path.
fn uri(path: &str) -> String {
    let mut uri = String::new();
    for byte in path.replace('\\', "/").bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'_' | b'-' => {
                uri.push(byte.into());
            }
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}
