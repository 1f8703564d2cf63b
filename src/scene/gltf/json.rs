//! JSON text to `gltf`'s typed tree, element by element, so that an error names the element that it comes from.
//!
//! The crate's own entry point would refuse every extension beyond its own, and some lawful files (a scene without nodes,
//! an animation channel without node, integers written as `1.0`); it has no morph targets of texture coordinates and
//! colours. So the tree is built from its parts here, and nothing of it is trusted: every reference is checked where it is
//! followed.

use std::collections::BTreeMap;

use gltf::json::{Index, Root, Value};
use serde::de::DeserializeOwned;
use serde_json::Map;

use super::error::{LoadError, element, printable};
use super::places::{self, Place};

/// Accessors of the morph targets' texture coordinates and colours, by (mesh, primitive, target).
pub(super) type ExtraMorphs = BTreeMap<(usize, usize, usize), Vec<(String, u32)>>;

/// The typed tree with what its types cannot hold.
#[derive(Debug)]
pub(super) struct Tree {
    pub root: Root,
    pub extra_morphs: ExtraMorphs,
    /// Places of the nodes in double precision, by node, if one is far away.
    pub places: Vec<Place>,
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
    /// Address of the animated property in the file, as a JSON pointer.
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
    object.iter_mut().for_each(|(key, value)| tidy(key, value));
    let extra_morphs = take_extra_morphs(&mut object)?;
    let places = places::read(&object);
    let pointers = take_pointers(&mut object);
    let channels_left_out = drop_channels_without_node(&mut object);
    complete_scenes(&mut object);
    Ok(Tree {
        root: root(&mut object)?,
        extra_morphs,
        places,
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

/// Largest reference that the tree can hold: it keeps the lower 32 bits of larger ones without a word, and takes the
/// largest number of 32 bits as none.
const MAX_REFERENCE: f64 = (u32::MAX - 1) as f64;

/// Largest size in bytes and count that is sure to be whole if it is written as a float.
const MAX_SIZE: f64 = 9_007_199_254_740_991.0;

/// Drops `extras`, and writes numbers as the tree reads them, each with its value: whole ones of 32 bits as integers, even
/// where the file says `1.0`, larger ones as floats. So a factor of 1e10 is kept, and a reference of that size is refused
/// by its type. Only sizes and counts are integers beyond 32 bits.
fn tidy(key: &str, value: &mut Value) {
    match value {
        Value::Array(list) => list.iter_mut().for_each(|value| tidy(key, value)),
        Value::Object(object) => {
            object.remove("extras");
            object.iter_mut().for_each(|(key, value)| tidy(key, value));
        }
        Value::Number(number) => {
            let is_size = matches!(key, "byteLength" | "byteOffset" | "count");
            let most = if is_size { MAX_SIZE } else { MAX_REFERENCE };
            let Some(float) = number.as_f64() else { return };
            if number.is_f64() && float.fract() == 0.0 && float.abs() <= most {
                *value = (float as i64).into();
            } else if number.is_u64() && float > most && !is_size {
                *value = float.into();
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

fn take_extra_morphs(object: &mut Map<String, Value>) -> Result<ExtraMorphs, LoadError> {
    let mut extra = ExtraMorphs::new();
    for (m, mesh) in array(object, "meshes").enumerate() {
        for (p, primitive) in entries(mesh, "primitives").enumerate() {
            for (t, target) in entries(primitive, "targets").enumerate() {
                let found = extra_semantics(target).map_err(|problem| {
                    LoadError::invalid(
                        format!("mesh {m}, primitive {p}, morph target {t}"),
                        problem,
                    )
                })?;
                if !found.is_empty() {
                    extra.insert((m, p, t), found);
                }
            }
        }
    }
    Ok(extra)
}

/// Accessors of texture coordinates and colours, or why one of them is none.
fn extra_semantics(target: &Value) -> Result<Vec<(String, u32)>, String> {
    let semantics = target.as_object().into_iter().flatten();
    let wanted = |key: &str| key.starts_with("TEXCOORD_") || key.starts_with("COLOR_");
    let accessors = semantics
        .filter(|(key, _)| wanted(key))
        .map(|(key, value)| {
            let accessor = value.as_u64().and_then(|index| u32::try_from(index).ok());
            accessor.map_or_else(
                || {
                    let [key, value] = [key, &value.to_string()].map(|text| printable(text));
                    Err(format!(
                        "{key} is {value}; expected the index of an accessor"
                    ))
                },
                |accessor| Ok((key.clone(), accessor)),
            )
        });
    accessors.collect()
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
    fn json_reference_beyond_32_bits_is_refused_as_it_is_written() {
        let message = |nodes: &str| {
            let text = format!(r#"{{"asset":{{"version":"2.0"}},"nodes":[{nodes}]}}"#);
            parsed(&text).expect_err("no such reference").to_string()
        };
        let found = message(r#"{"mesh":4294967296}"#);
        assert!(
            found.starts_with("node 0: ") && found.contains("4294967296"),
            "alone: {found}"
        );
        let found = message(r#"{},{"children":[0,4294967296]}"#);
        assert!(
            found.starts_with("node 1: ") && found.contains("4294967296"),
            "in a list: {found}"
        );
    }

    /// Whole numbers of either sign next to every power of two.
    fn whole_numbers() -> impl Iterator<Item = i128> {
        let powers = (0..=66).map(|bits| 1_i128 << bits);
        let near = powers.flat_map(|power| [power - 1, power, power + 1]);
        near.flat_map(|number| [number, -number])
    }

    #[test]
    fn json_whole_numbers_of_any_size_keep_their_value() {
        for number in whole_numbers() {
            for text in [
                format!("{number}"),
                format!("{number}.0"),
                format!("{number}e0"),
            ] {
                let text = format!(
                    r#"{{"asset":{{"version":"2.0"}},"extensions":{{"X":{{"count":{text},"index":[{text}]}}}},
"cameras":[{{"type":"orthographic","orthographic":{{"xmag":{text},"ymag":1,"znear":0,"zfar":{text}}}}}],
"nodes":[{{"translation":[{text},0,0],"weights":[{text}],"extras":{{"mesh":{text}}}}}]}}"#
                );
                let root = parsed(&text).unwrap_or_else(|e| panic!("{text}: {e}")).root;
                let expected = number as f64 as f32;
                let lens = root.cameras[0].orthographic.as_ref().expect("a lens");
                assert_eq!(lens.zfar, expected, "{text}: a field");
                let node = &root.nodes[0];
                assert_eq!(
                    node.translation.map(|t| t[0]),
                    Some(expected),
                    "{text}: a list"
                );
                let weight = node.weights.as_ref().map(|weights| weights[0]);
                assert_eq!(weight, Some(expected), "{text}: a list of any length");
                let others = root.extensions.expect("extensions").others;
                let of_extension = |pointer: &str| others["X"].pointer(pointer)?.as_f64();
                for pointer in ["/count", "/index/0"] {
                    let found = of_extension(pointer).map(|found| found as f32);
                    assert_eq!(found, Some(expected), "{text}: {pointer} of an extension");
                }
            }
        }
    }

    #[test]
    fn json_references_are_those_of_the_file_or_refused() {
        for number in whole_numbers() {
            for text in [format!("{number}"), format!("{number}.0")] {
                let text = format!(
                    r#"{{"asset":{{"version":"2.0"}},"nodes":[{{"skin":{text},"mesh":{text},"children":[{text}]}}]}}"#
                );
                let fits = (0..=i128::from(u32::MAX) - 1).contains(&number);
                match parsed(&text) {
                    Ok(tree) => {
                        let node = &tree.root.nodes[0];
                        let children = node.children.as_ref().expect("a list");
                        let found = [
                            node.skin.map(|at| at.value()),
                            node.mesh.map(|at| at.value()),
                        ];
                        assert_eq!(found, [Some(number as usize); 2], "{text}");
                        assert_eq!(children[0].value(), number as usize, "{text}");
                        assert!(fits, "{text}");
                    }
                    Err(error) => assert!(!fits, "{text}: {error}"),
                }
            }
        }
    }

    #[test]
    fn json_sizes_beyond_32_bits_are_kept() {
        for bits in 0..=53 {
            let number = (1_u64 << bits) - 1;
            let text = format!(
                r#"{{"asset":{{"version":"2.0"}},"buffers":[{{"byteLength":{number}}}],
"bufferViews":[{{"buffer":0,"byteOffset":{number}.0,"byteLength":{number}}}]}}"#
            );
            let root = parsed(&text).expect("sizes").root;
            assert_eq!(root.buffers[0].byte_length.0, number, "a buffer");
            let view = &root.buffer_views[0];
            let found = [view.byte_offset.map(|it| it.0), Some(view.byte_length.0)];
            assert_eq!(found, [Some(number); 2], "a view");
        }
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
