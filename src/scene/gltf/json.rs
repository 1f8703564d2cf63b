//! JSON text to `gltf`'s typed tree, element by element, so that an error names the element that it comes from.
//!
//! The crate's own entry point would refuse every extension that it does not know itself, and some lawful files (a scene
//! without nodes, an animation channel without node, integers written as `1.0`); morph targets of texture coordinates and
//! colours are unknown to it. So the tree is built from its parts here, and nothing of it is trusted: every reference is
//! checked where it is followed.

use std::collections::BTreeMap;

use gltf::json::{Index, Root, Value};
use serde::de::DeserializeOwned;
use serde_json::Map;

use super::error::{LoadError, element, printable};

/// Accessors of the morph targets' texture coordinates and colours, by (mesh, primitive, target).
pub(super) type ExtraMorphs = BTreeMap<(usize, usize, usize), Vec<(String, u32)>>;

/// The typed tree with what its types cannot hold.
#[derive(Debug)]
pub(super) struct Tree {
    pub root: Root,
    pub extra_morphs: ExtraMorphs,
    /// Channels that name their target by a pointer, by animation.
    pub pointers: BTreeMap<usize, Vec<Pointer>>,
    /// Channels that say nothing that we understand, by animation.
    pub channels_left_out: BTreeMap<usize, usize>,
    /// About the file as a whole.
    pub warning: Option<String>,
}

/// A channel of `KHR_animation_pointer`.
#[derive(Debug, Clone)]
pub(super) struct Pointer {
    /// Position of the channel in its animation.
    pub channel: usize,
    /// Which sampler of the animation.
    pub sampler: usize,
    /// Where the animated property is in the file, as a JSON pointer.
    pub path: String,
}

/// Reads the text of a .gltf or of a JSON chunk.
pub(super) fn parse(text: &[u8]) -> Result<Tree, LoadError> {
    let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
    let value = serde_json::from_slice(text).map_err(|e| LoadError::NotGltf(e.to_string()))?;
    let Value::Object(mut object) = value else {
        return Err(LoadError::NotGltf("its JSON is not an object".to_owned()));
    };
    let warning = check_version(&object)?;
    object.values_mut().for_each(tidy);
    let extra_morphs = take_extra_morphs(&mut object);
    let pointers = take_pointers(&mut object);
    let channels_left_out = drop_channels_without_node(&mut object);
    complete_scenes(&mut object);
    Ok(Tree {
        root: root(&mut object)?,
        extra_morphs,
        pointers,
        channels_left_out,
        warning,
    })
}

/// Refuses other major versions; gives a warning for later minor ones.
fn check_version(object: &Map<String, Value>) -> Result<Option<String>, LoadError> {
    let asset = object.get("asset").and_then(Value::as_object);
    let asset = asset.ok_or_else(|| {
        LoadError::NotGltf("it has no 'asset' object, which every glTF file has".to_owned())
    })?;
    let supported = |key: &str| {
        let version = asset.get(key).and_then(Value::as_str).unwrap_or_default();
        let (major, minor) = version.split_once('.').unwrap_or_default();
        match (major, minor.parse::<u32>()) {
            ("2", Ok(minor)) => Ok(minor),
            _ => Err(LoadError::Version(printable(version))),
        }
    };
    supported("version")?;
    let is_newer = asset.contains_key("minVersion") && supported("minVersion")? > 0;
    Ok(is_newer.then(|| "asks for a glTF newer than 2.0: read as 2.0".to_owned()))
}

/// Largest integer that is no size: beyond it indices would wrap when they are narrowed.
const MAX_INDEX: u64 = u32::MAX as u64 - 1;

/// Drops `extras`, writes `1.0` as `1` and keeps references that do not fit 32 bits from wrapping to small ones.
fn tidy(value: &mut Value) {
    match value {
        Value::Array(list) => list.iter_mut().for_each(tidy),
        Value::Object(object) => {
            object.remove("extras");
            for (key, value) in object.iter_mut() {
                tidy(value);
                let is_size = matches!(key.as_str(), "byteLength" | "byteOffset" | "count");
                if !is_size && value.as_u64().is_some_and(|number| number > MAX_INDEX) {
                    *value = MAX_INDEX.into();
                }
            }
        }
        Value::Number(number) => {
            let whole = number
                .as_f64()
                .filter(|n| n.fract() == 0.0 && n.abs() < 2.0_f64.powi(53));
            if let Some(whole) = whole.filter(|_| number.is_f64()) {
                *value = (whole as i64).into();
            }
        }
        _ => {}
    }
}

fn array<'a>(object: &'a mut Map<String, Value>, key: &str) -> impl Iterator<Item = &'a mut Value> {
    let list = object.get_mut(key).and_then(Value::as_array_mut);
    list.into_iter().flatten()
}

fn entries<'a>(value: &'a mut Value, key: &str) -> impl Iterator<Item = &'a mut Value> {
    let list = value.get_mut(key).and_then(Value::as_array_mut);
    list.into_iter().flatten()
}

fn take_extra_morphs(object: &mut Map<String, Value>) -> ExtraMorphs {
    let mut extra = ExtraMorphs::new();
    for (m, mesh) in array(object, "meshes").enumerate() {
        for (p, primitive) in entries(mesh, "primitives").enumerate() {
            for (t, target) in entries(primitive, "targets").enumerate() {
                let found: Vec<_> = extra_semantics(target).collect();
                if !found.is_empty() {
                    extra.insert((m, p, t), found);
                }
            }
        }
    }
    extra
}

fn extra_semantics(target: &Value) -> impl Iterator<Item = (String, u32)> {
    let semantics = target.as_object().into_iter().flatten();
    semantics.filter_map(|(key, accessor)| {
        let wanted = key.starts_with("TEXCOORD_") || key.starts_with("COLOR_");
        let accessor = accessor.as_u64().filter(|_| wanted)?;
        Some((key.clone(), accessor as u32))
    })
}

/// Channels that say by a pointer what they animate; their typed form has no place for it.
fn take_pointers(object: &mut Map<String, Value>) -> BTreeMap<usize, Vec<Pointer>> {
    let mut found = BTreeMap::new();
    for (index, animation) in array(object, "animations").enumerate() {
        let Some(channels) = animation.get_mut("channels").and_then(Value::as_array_mut) else {
            continue;
        };
        let numbered = channels.iter().enumerate();
        let pointers: Vec<Pointer> = numbered
            .filter_map(|(at, channel)| pointer(at, channel))
            .collect();
        if !pointers.is_empty() {
            channels.retain(|channel| pointer(0, channel).is_none());
            found.insert(index, pointers);
        }
    }
    found
}

fn pointer(position: usize, channel: &Value) -> Option<Pointer> {
    let target = channel.get("target")?;
    let extension = target.get("extensions")?.get("KHR_animation_pointer")?;
    let path = extension.get("pointer")?.as_str()?;
    let is_pointer = target.get("path")?.as_str()? == "pointer" && target.get("node").is_none();
    is_pointer.then_some(Pointer {
        channel: position,
        sampler: usize::try_from(channel.get("sampler")?.as_u64()?).ok()?,
        path: path.to_owned(),
    })
}

/// A channel without node animates what an extension says; without the extension it is to be ignored (glTF 2.0, 3.11).
fn drop_channels_without_node(object: &mut Map<String, Value>) -> BTreeMap<usize, usize> {
    let mut dropped = BTreeMap::new();
    for (index, animation) in array(object, "animations").enumerate() {
        let channels = animation.get_mut("channels").and_then(Value::as_array_mut);
        if let Some(channels) = channels {
            let before = channels.len();
            channels.retain(|c| {
                c.get("target")
                    .is_none_or(|t| !t.is_object() || has_node(t))
            });
            if channels.len() < before {
                dropped.insert(index, before - channels.len());
            }
        }
    }
    dropped
}

fn has_node(target: &Value) -> bool {
    target.get("node").is_some() && target.get("path").is_none_or(|path| path != "pointer")
}

fn complete_scenes(object: &mut Map<String, Value>) {
    for scene in array(object, "scenes").filter_map(Value::as_object_mut) {
        scene
            .entry("nodes")
            .or_insert_with(|| Value::Array(Vec::new()));
    }
}

fn root(object: &mut Map<String, Value>) -> Result<Root, LoadError> {
    Ok(Root {
        asset: one(object, "asset")?.unwrap_or_default(),
        extensions: one(object, "extensions")?,
        extensions_used: one(object, "extensionsUsed")?.unwrap_or_default(),
        extensions_required: one(object, "extensionsRequired")?.unwrap_or_default(),
        scene: one::<Option<u32>>(object, "scene")?
            .flatten()
            .map(Index::new),
        accessors: list(object, "accessors", "accessor")?,
        animations: list(object, "animations", "animation")?,
        buffers: list(object, "buffers", "buffer")?,
        buffer_views: list(object, "bufferViews", "buffer view")?,
        cameras: list(object, "cameras", "camera")?,
        images: list(object, "images", "image")?,
        materials: list(object, "materials", "material")?,
        meshes: list(object, "meshes", "mesh")?,
        nodes: list(object, "nodes", "node")?,
        samplers: list(object, "samplers", "sampler")?,
        scenes: list(object, "scenes", "scene")?,
        skins: list(object, "skins", "skin")?,
        textures: list(object, "textures", "texture")?,
        ..Root::default()
    })
}

fn one<T: DeserializeOwned>(
    object: &mut Map<String, Value>,
    key: &str,
) -> Result<Option<T>, LoadError> {
    let Some(value) = object.remove(key) else {
        return Ok(None);
    };
    let parsed = serde_json::from_value(value);
    parsed
        .map(Some)
        .map_err(|e| LoadError::invalid(key, e.to_string()))
}

fn list<T: DeserializeOwned>(
    object: &mut Map<String, Value>,
    key: &str,
    kind: &str,
) -> Result<Vec<T>, LoadError> {
    let values = match object.remove(key) {
        None => return Ok(Vec::new()),
        Some(Value::Array(values)) => values,
        Some(_) => return Err(LoadError::invalid(key, "expected an array")),
    };
    let parse = |(index, value): (usize, Value)| {
        let name = value.get("name").and_then(Value::as_str).map(str::to_owned);
        serde_json::from_value(value).map_err(|error| {
            LoadError::invalid(element(kind, index, name.as_deref()), error.to_string())
        })
    };
    values.into_iter().enumerate().map(parse).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Result<Tree, LoadError> {
        parse(text.as_bytes())
    }

    #[test]
    fn json_error_names_the_element() {
        let text = r#"{"asset":{"version":"2.0"},"accessors":[{"name":"uv","count":3}]}"#;
        let message = parsed(text).expect_err("incomplete accessor").to_string();
        assert!(
            message.starts_with("accessor 0 'uv': missing field"),
            "{message}"
        );
    }

    #[test]
    fn json_integers_may_be_written_as_floats() {
        let text =
            r#"{"asset":{"version":"2.0"},"scene":0.0,"scenes":[{"nodes":[0.0]}],"nodes":[{}]}"#;
        let tree = parsed(text).expect("lawful file");
        assert_eq!(tree.root.scene.map(|s| s.value()), Some(0), "scene");
    }

    #[test]
    fn json_reference_beyond_32_bits_does_not_wrap() {
        let text = r#"{"asset":{"version":"2.0"},"nodes":[{"mesh":4294967296}]}"#;
        let tree = parsed(text).expect("readable");
        let mesh = tree.root.nodes[0].mesh.map(|mesh| mesh.value());
        assert_eq!(mesh, Some(MAX_INDEX as usize), "stays out of range");
    }

    #[test]
    fn json_of_other_versions_is_refused() {
        for version in ["1.0", "3.0", "2", "x"] {
            let text = format!(r#"{{"asset":{{"version":"{version}"}}}}"#);
            assert!(
                matches!(parsed(&text), Err(LoadError::Version(_))),
                "{version}"
            );
        }
        let newer = parsed(r#"{"asset":{"version":"2.1","minVersion":"2.1"}}"#);
        let warning = newer.expect("read as well as may be").warning;
        assert!(warning.is_some(), "a minimum above 2.0");
        let warning = parsed(r#"{"asset":{"version":"2.1"}}"#)
            .expect("readable")
            .warning;
        assert_eq!(warning, None, "2.1 is readable by 2.0");
    }

    #[test]
    fn json_too_deep_is_refused() {
        let text = "[".repeat(100_000);
        assert!(parsed(&text).is_err(), "no stack overflow");
    }
}
