//! Names of files beside each other.

use std::path::{Path, PathBuf};

/// Adds an infix: `a/f.png` with `x` is `a/f.x.png`.
pub(in crate::cli) fn with_infix(file: &Path, infix: &str) -> PathBuf {
    let mut name = file.file_stem().unwrap_or_default().to_owned();
    name.push(".");
    name.push(infix);
    if let Some(extension) = file.extension() {
        name.push(".");
        name.push(extension);
    }
    file.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn infix_goes_before_the_ending() {
        assert_eq!(
            with_infix(Path::new("a/f.png"), "0007"),
            Path::new("a/f.0007.png"),
            "number"
        );
        assert_eq!(
            with_infix(Path::new("v1.2.PNG"), "x"),
            Path::new("v1.2.x.PNG"),
            "last dot"
        );
        assert_eq!(
            with_infix(Path::new("a/f"), "x"),
            Path::new("a/f.x"),
            "none"
        );
    }
}
