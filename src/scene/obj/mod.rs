//! Wavefront OBJ files with their MTL materials to scenes: what their statements say is put as glTF, so that all checks,
//! flat normals and images are those of [`gltf`].
//!
//! Faces may have any number of corners, and corners that turn inwards. They are seen from both sides: nothing in the
//! format says which is the front. Faces without normals are flat, and smooth within a smoothing group (`s`), where corners
//! weigh by their angle. Lines and points (`l`, `p`) are drawn as such, never filled. Free-form curves and surfaces are
//! left out.
//!
//! Behind a vertex may stand a weight, which divides it, or a linear colour from 0 to 1, beyond which it is clamped, with
//! an opacity that is not used: `v X Y Z W`, `v X Y Z R G B`, `v X Y Z R G B A`. Vertices without are white.
//!
//! Used of a material are its colour and opacity, emission, shininess or `Pr` and `Pm`, and the maps of colour, emission
//! and normals (`map_Kd`, `map_Ke`, `norm`), those with their scale, offset and clamp; a warning names others. Libraries
//! may be named anywhere in the file.
//!
//! A statement that cannot be read is left out with a warning that names its line, and everything else holds. A `#` that
//! begins a word begins a comment, unless a material's name goes on with it or a file's has had no ending before.

mod as_gltf;
mod contents;
mod faults;
mod library;
mod lines;
mod maps;
mod materials;
mod mtl;
mod normals;
mod numbers;
mod parts;
mod polygons;
mod read;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::gltf::{self, LoadError, LoadOptions, Resolve};
use super::{Scene, read_file};
use faults::Faults;
use library::{GROWTH, Libraries, MOST_LIBRARIES};
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
/// # mod azulejo { pub use azulejo_scene as scene; }
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
/// If statements cannot be read and nothing is left to draw, or if more memory is needed than `options` allows. A statement
/// that cannot be read is a warning else, and so is a material library that cannot be read or a material that none gives.
pub fn load(
    bytes: &[u8],
    resolve: &Resolve<'_>,
    options: &LoadOptions,
) -> Result<Scene, LoadError> {
    // Numbers of vertices and lines have 32 bits.
    let most = (options.memory_limit / GROWTH).min(u64::from(u32::MAX) - 1);
    if bytes.len() as u64 > most {
        let problem = format!(
            "it has {} bytes; expected at most {most}, as what it describes takes many times as many",
            bytes.len()
        );
        return Err(LoadError::Invalid {
            element: read::FILE.to_owned(),
            problem,
        });
    }
    let (file, warnings) = as_glb(bytes, resolve, options.memory_limit)?;
    let mut scene = gltf::load(file, resolve, options)?;
    scene.warnings.splice(0..0, warnings);
    Ok(scene)
}

/// The file as a binary glTF, and warnings.
fn as_glb(
    bytes: &[u8],
    resolve: &Resolve<'_>,
    memory_limit: u64,
) -> Result<(Vec<u8>, Vec<String>), LoadError> {
    let text = lines::text(bytes);
    let mut libraries = Libraries::new(resolve, memory_limit);
    let mut faults = Faults::default();
    let read = read::read(&text, &mut libraries, &mut faults);
    let mut contents = read.contents;
    normals::complete(&mut contents);
    let (parts, outside) = parts::parts(&contents);
    if let Some((line, problem)) = read.first_fault.filter(|_| parts.is_empty()) {
        return Err(LoadError::Invalid {
            element: format!("{}, line {line}", read::FILE),
            problem: problem.into_owned(),
        });
    }
    let vertices = &contents.vertices;
    let (file, left_out) = as_gltf::glb(&parts, vertices, &libraries.materials, memory_limit)?;
    let mut warnings = libraries.problems;
    if warnings.is_empty() {
        warnings.extend(library::unknown(&read.unknown));
    }
    warnings.extend(faults.into_warnings().chain(outside).chain(left_out));
    Ok((file, warnings))
}

/// The material libraries and maps that the OBJ at `path` names, whether they exist or not; none where it is no file.
#[must_use]
pub fn referenced_files(path: &Path) -> Vec<PathBuf> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let named = |file: &Path, words: &[&str], names: fn(&str) -> Vec<&str>| -> Vec<PathBuf> {
        let bytes = read_file(file, LoadOptions::default().memory_limit / GROWTH);
        let bytes = bytes.unwrap_or_default();
        let text = lines::text(&bytes);
        let statements = lines::statements(&text).filter(|named| words.contains(&named.word));
        let mut known = BTreeSet::new();
        let names = statements.flat_map(|statement| names(statement.file()));
        let names = names.filter(|name| known.insert(*name));
        let files = names.map(|name| folder.join(name.replace('\\', "/")));
        files.collect()
    };
    let mut libraries = named(path, &["mtllib"], library::files);
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
