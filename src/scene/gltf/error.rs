//! Errors while a file is read: which element, what was expected.

use std::io;

/// Why a file could not be loaded. Every message names the element at fault.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The bytes are neither a .gltf nor a .glb.
    #[error("not a glTF file: {0}")]
    NotGltf(String),
    /// Another version of the format.
    #[error("glTF version {0} is not supported; azulejo reads glTF 2.0")]
    Version(String),
    /// The file cannot be drawn without these extensions.
    #[error("the file requires {}, which azulejo does not support", .0.join(", "))]
    RequiredExtensions(Vec<String>),
    /// An element breaks a rule of the format or goes beyond a limit.
    #[error("{element}: {problem}")]
    Invalid {
        /// Element at fault, such as `accessor 3 'positions'`.
        element: String,
        /// Found value and expected one, in a sentence.
        problem: String,
    },
    /// A file that the scene needs could not be read.
    #[error("{element}: cannot read '{uri}': {source}")]
    Unreadable {
        /// User of the file: the scene itself, a buffer, an image.
        element: String,
        /// The file as it was asked for.
        uri: String,
        /// I/O error that reading it ended in.
        source: io::Error,
    },
}

impl LoadError {
    /// Creates a [`LoadError::Invalid`] of `element`.
    pub(super) fn invalid(element: impl Into<String>, problem: impl Into<String>) -> Self {
        Self::Invalid {
            element: element.into(),
            problem: problem.into(),
        }
    }
}

/// Longest part of a name that messages repeat, in characters.
const NAME_SHOWN: usize = 48;

/// `kind index 'name'`, the name shortened and made printable.
pub(super) fn element(kind: &str, index: usize, name: Option<&str>) -> String {
    match name.filter(|name| !name.is_empty()) {
        Some(name) => format!("{kind} {index} '{}'", printable(name)),
        None => format!("{kind} {index}"),
    }
}

/// Longest part of a JSON pointer that messages repeat: more than the longest of the glTF 2.0 Asset Object Model, with
/// indices of six digits.
const POINTER_SHOWN: usize = 160;

/// A text from a file, fit for one line of a message.
pub(super) fn printable(text: &str) -> String {
    shortened(text, NAME_SHOWN)
}

/// A JSON pointer, fit for one line of a message.
pub(super) fn printable_pointer(path: &str) -> String {
    shortened(path, POINTER_SHOWN)
}

fn shortened(text: &str, length: usize) -> String {
    let shown: String = text.chars().take(length).collect();
    let dots = if shown.len() < text.len() { "..." } else { "" };
    format!("{}{dots}", shown.escape_debug())
}
