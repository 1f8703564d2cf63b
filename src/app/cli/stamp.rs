//! How a result came about: program, version, command line and scene, for JSON and for the text chunks of pictures.

use serde::Serialize;

/// What every result file carries.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Stamp {
    /// Program and version.
    pub(super) generator: String,
    /// Commit, where the build was told by `AZULEJO_GIT_ID`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) git: Option<&'static str>,
    /// The command line, quoted for a shell.
    pub(super) command: String,
    /// Name of the scene.
    pub(super) scene: String,
    /// CRC-32 of the decoded scene, hexadecimal.
    pub(super) scene_hash: String,
}

impl Stamp {
    /// Of a result about the scene of this name and hash, made by this process.
    pub(super) fn new(scene: &str, hash: u32) -> Self {
        let words = std::env::args_os().skip(1);
        let words = words.map(|word| word.to_string_lossy().into_owned());
        let line: Vec<String> = std::iter::once("azulejo".to_owned()).chain(words).collect();
        Self {
            generator: concat!("azulejo ", env!("CARGO_PKG_VERSION")).to_owned(),
            git: option_env!("AZULEJO_GIT_ID"),
            command: shell_line(&line),
            scene: scene.to_owned(),
            scene_hash: format!("{hash:08x}"),
        }
    }

    /// As keywords and texts of a PNG file.
    pub(super) fn texts(&self) -> Vec<(&'static str, &str)> {
        let mut texts = vec![
            ("Software", self.generator.as_str()),
            ("Command", &self.command),
            ("Scene", &self.scene),
            ("Scene hash", &self.scene_hash),
        ];
        texts.extend(self.git.map(|git| ("Git", git)));
        texts
    }
}

/// Words as a command line that a POSIX shell splits into them again.
pub(super) fn shell_line(words: &[String]) -> String {
    let words: Vec<_> = words.iter().map(|word| quoted(word)).collect();
    words.join(" ")
}

/// A word as a POSIX shell takes it back.
pub(super) fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_=+,./:@%^".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stamp_quotes_what_a_shell_would_split() {
        let words = ["-o", "out.png", "Box With Spaces.glb", "it's", ""].map(quoted);
        assert_eq!(
            words,
            ["-o", "out.png", "'Box With Spaces.glb'", r"'it'\''s'", "''"],
            "only where needed"
        );
    }
}
