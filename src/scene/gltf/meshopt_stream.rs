//! Properties of `EXT_meshopt_compression` and `KHR_meshopt_compression` at a buffer view, as they are written.

use gltf::json::buffer::View;
use serde::Deserialize;

/// The extensions' names; the ratified one goes first where a view has both.
const NAMES: [&str; 2] = ["KHR_meshopt_compression", "EXT_meshopt_compression"];

/// A view's compressed bytes, and what they become.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Stream {
    /// The buffer that holds the compressed bytes.
    pub buffer: usize,
    #[serde(default)]
    pub byte_offset: u64,
    pub byte_length: u64,
    /// Bytes of an element.
    pub byte_stride: u64,
    /// Number of elements in the stream.
    pub count: u64,
    pub mode: Mode,
    #[serde(default)]
    pub filter: Filter,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub(super) enum Mode {
    Attributes,
    Triangles,
    Indices,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub(super) enum Filter {
    #[default]
    None,
    Octahedral,
    Quaternion,
    Exponential,
    Color,
}

/// The compressed stream of a view; `None` where its bytes are plain.
pub(super) fn stream_of(view: &View) -> Option<Result<Stream, String>> {
    let others = &view.extensions.as_ref()?.others;
    let (name, value) = NAMES
        .iter()
        .find_map(|name| Some((name, others.get(*name)?)))?;
    Some(Stream::deserialize(value).map_err(|error| format!("{name}: {error}")))
}
