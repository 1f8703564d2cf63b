//! Files that a glTF file refers to, found without loading it: outputs beside a scene must not overwrite them.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use gltf::json::Value;

use super::container::json_length;
use super::uri::file_names;

/// Bytes before the JSON of a .glb.
const HEADERS: u64 = 20;

/// The buffers and images that the .gltf or .glb at `path` names, whether they exist or not; none where the file is no
/// glTF.
///
/// ```
/// # mod azulejo { pub use azulejo_scene as scene; }
/// use azulejo::scene::gltf::referenced_files;
///
/// assert!(referenced_files("nowhere.gltf".as_ref()).is_empty());
/// ```
#[must_use]
pub fn referenced_files(path: &Path) -> Vec<PathBuf> {
    let json = read_json(path).unwrap_or_default();
    let folder = path.parent().unwrap_or(Path::new(""));
    let names = names_in(&json).into_iter();
    names.map(|name| folder.join(name)).collect()
}

/// Every file name that the JSON text has. Extensions name their images in the same list as others.
fn names_in(json: &[u8]) -> Vec<String> {
    let json = json.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(json);
    let root: Value = serde_json::from_slice(json).unwrap_or_default();
    let lists = ["buffers", "images"].map(|list| root.get(list).and_then(Value::as_array));
    let elements = lists.into_iter().flatten().flatten();
    let uris = elements.filter_map(|element| element.get("uri")?.as_str());
    uris.flat_map(file_names).collect()
}

/// The JSON text of a regular file: a pipe can be read but once, and a device could go on for ever.
fn read_json(path: &Path) -> io::Result<Vec<u8>> {
    let metadata = fs::metadata(path)?;
    if !metadata.is_file() {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    let mut file = File::open(path)?;
    let mut json = Vec::new();
    file.by_ref().take(HEADERS).read_to_end(&mut json)?;
    match json_length(&json) {
        Some(length) => {
            json.clear();
            file.take(length).read_to_end(&mut json)?;
        }
        None => {
            file.take(metadata.len()).read_to_end(&mut json)?;
        }
    }
    Ok(json)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_files_beside_the_scene_and_no_data() {
        let json = r#"{ "asset": { "version": "2.0" },
            "buffers": [{ "uri": "a%20b.bin" }, { "uri": "data:application/octet-stream;base64,AAAA" }, {}],
            "images": [{ "uri": "../x.png" }, { "uri": "https://example.org/y.png" }] }"#;
        let names = names_in(json.as_bytes());
        assert_eq!(
            names,
            ["a b.bin", "a%20b.bin", "../x.png"],
            "as loading tries them"
        );
    }

    #[test]
    fn references_of_what_is_no_scene_are_none() {
        for text in [
            "",
            "glTF",
            "{",
            "[1]",
            r#"{ "images": 5 }"#,
            r#"{ "images": [5] }"#,
        ] {
            assert!(names_in(text.as_bytes()).is_empty(), "{text}");
        }
    }
}
