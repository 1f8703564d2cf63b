//! Pictures to files, beside the window's work.

use std::path::{Path, PathBuf};

use super::content::Content;
use crate::render::Picture;
use crate::render::output::png;

/// Most pictures of one name in a directory.
const MAX_FILES: u32 = 100_000;

/// Writes a picture to the first free `SCENE.NNNN.png` in the current directory.
///
/// # Errors
/// A sentence that names the file.
pub(super) fn save(content: &Content, picture: &Picture) -> Result<PathBuf, String> {
    let stem = Path::new(&content.scene.name).file_name();
    let stem = stem.map_or("picture".into(), |stem| stem.to_string_lossy());
    let path = (0..MAX_FILES)
        .map(|number| PathBuf::from(format!("{stem}.{number:04}.png")))
        .find(|path| !path.exists())
        .ok_or_else(|| format!("{stem}.*.png: too many files of this name"))?;
    let failed = |problem: String| format!("{}: {problem}", path.display());
    let texts: Vec<(&str, &str)> = (content.stamp.iter())
        .map(|(key, text)| (key.as_str(), text.as_str()))
        .collect();
    let bytes = png::encode(picture, &texts).map_err(|error| failed(error.to_string()))?;
    std::fs::write(&path, bytes).map_err(|error| failed(format!("cannot write it: {error}")))?;
    Ok(path)
}
