//! Wavefront OBJ files with their MTL materials to scenes: lines are read by the crate `tobj`, and what they say is put as glTF, so that
//! all checks, missing normals and images are those of [`gltf`].
//!
//! Of a material its colour and opacity, emission, shininess or `Pr` and `Pm`, and the maps of colour, emission and normals (`map_Kd`,
//! `map_Ke`, `norm`) are used, those with their scale, offset and clamp; a warning names others. Faces may have any number of corners, and
//! corners that turn inwards. They are seen from both sides: nothing in the format says which is the front.

mod as_gltf;
mod lines;
mod maps;
mod materials;
mod parts;
mod polygons;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::gltf::{self, LoadError, LoadOptions, Resolve};
use super::{Scene, read_file};
use lines::{GROWTH, MOST_LIBRARIES};
use maps::MAPS;

/// Whether a file of this name is taken for an OBJ: by its ending.
#[must_use]
pub fn is_obj(path: &Path) -> bool {
    path.extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("obj"))
}

/// Loads the OBJ in `bytes`; material libraries and images beside it come through `resolve`.
///
/// ```
/// use azulejo::scene::gltf::LoadOptions;
/// use azulejo::scene::obj;
///
/// let text = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
/// let nothing_beside = |_: &str| Err(std::io::ErrorKind::NotFound.into());
/// let scene = obj::load(text, &nothing_beside, &LoadOptions::default())?;
/// assert_eq!(scene.meshes[0].primitives[0].indices, [0, 1, 2]);
/// # Ok::<(), azulejo::scene::gltf::LoadError>(())
/// ```
///
/// # Errors
/// If a line is none of the format, names a vertex that is not there, or if more memory is needed than `options` allows. A material library
/// that cannot be read is a warning, and so is a material that none gives.
pub fn load(
    bytes: &[u8],
    resolve: &Resolve<'_>,
    options: &LoadOptions,
) -> Result<Scene, LoadError> {
    let most = options.memory_limit / GROWTH;
    if bytes.len() as u64 > most {
        let problem = format!(
            "it has {} bytes; expected at most {most}, as what it describes takes many times as many",
            bytes.len()
        );
        return Err(LoadError::Invalid {
            element: "OBJ file".to_owned(),
            problem,
        });
    }
    let mut parsed = lines::read(bytes, resolve, options.memory_limit)?;
    let outside = polygons::triangulate(&mut parsed.models);
    let (file, left_out) = as_gltf::glb(&parsed, options.memory_limit)?;
    let mut scene = gltf::load(file, resolve, options)?;
    let warnings = parsed.warnings.into_iter().chain(outside).chain(left_out);
    scene.warnings.splice(0..0, warnings);
    Ok(scene)
}

/// The material libraries and maps that the OBJ at `path` names, whether they exist or not; none where it is no file.
#[must_use]
pub fn referenced_files(path: &Path) -> Vec<PathBuf> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let named = |file: &Path, statements: &[&str], names: fn(&str) -> Vec<&str>| -> Vec<PathBuf> {
        let bytes = read_file(file, LoadOptions::default().memory_limit / GROWTH);
        let text = lines::plain(&bytes.unwrap_or_default());
        let names = text.lines().filter_map(|line| {
            let (word, rest) = line.split_once(char::is_whitespace)?;
            statements.contains(&word).then(|| names(rest.trim()))
        });
        let mut known = BTreeSet::new();
        let names = names.flatten().filter(|name| known.insert(*name));
        let files = names.map(|name| folder.join(name.replace('\\', "/")));
        files.collect()
    };
    let mut libraries = named(path, &["mtllib"], lines::libraries);
    libraries.truncate(MOST_LIBRARIES);
    let maps = libraries.iter();
    let maps = maps.flat_map(|file| named(file, &MAPS, |rest| vec![maps::map(rest).file]));
    let maps: Vec<_> = maps.collect();
    libraries.into_iter().chain(maps).collect()
}

/// Loads the OBJ at `path`; material libraries and images are looked for beside it.
///
/// # Errors
/// As [`load`], and if the file cannot be read.
pub fn load_path(path: &Path, options: &LoadOptions) -> Result<Scene, LoadError> {
    let read = |path: &Path| read_file(path, options.memory_limit);
    let bytes = read(path).map_err(|source| LoadError::Unreadable {
        element: "scene".to_owned(),
        uri: path.to_string_lossy().into_owned(),
        source,
    })?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut scene = load(&bytes, &|uri| read(&folder.join(uri)), options)?;
    let stem = path.file_stem().unwrap_or_default();
    scene.name = stem.to_string_lossy().into_owned();
    Ok(scene)
}
