//! Screenshots to files, beside the window's work.

use std::path::{Path, PathBuf};

use super::plan::FramePlan;
use super::request::SaveFile;
use azulejo_render::Picture;
use azulejo_render::output::png;

/// Most pictures of one name in a directory.
const MAX_FILES: u32 = 100_000;

/// Gives a picture to `write` as the first free `SCENE.NNNN.png` in the current directory.
///
/// # Errors
/// A sentence that names the file.
pub(super) fn save(
    plan: &FramePlan,
    picture: &Picture,
    write: SaveFile,
) -> Result<PathBuf, String> {
    let stem = Path::new(&plan.shot.content.scene.name).file_name();
    let stem = stem.map_or("picture".into(), |stem| stem.to_string_lossy());
    let path = (0..MAX_FILES)
        .map(|number| PathBuf::from(format!("{stem}.{number:04}.png")))
        .find(|path| std::fs::symlink_metadata(path).is_err())
        .ok_or_else(|| format!("{stem}.*.png: too many files of this name"))?;
    let failed = |problem: String| format!("{}: {problem}", path.display());
    let texts: Vec<(&str, &str)> = (plan.texts.iter())
        .map(|(key, text)| (key.as_str(), text.as_str()))
        .collect();
    let bytes = png::encode(picture, &texts).map_err(|error| failed(error.to_string()))?;
    write(&path, &bytes)?;
    Ok(path)
}
