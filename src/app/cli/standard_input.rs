//! `-` as an input: bytes from standard input, read once and kept, as a scene may be loaded for several screens.

use std::io::{self, Read};
use std::path::Path;
use std::sync::OnceLock;

use super::failure::{Failure, Outcome};

/// Names of standard input: `-`, and devices of the same meaning.
const NAMES: [&str; 3] = ["-", "/dev/stdin", "/dev/fd/0"];
/// Name of a scene from standard input, and so of its results.
pub(super) const NAME: &str = "stdin";
/// Most bytes that are kept in memory.
const MAX_BYTES: u64 = 512 << 20;
/// First bytes of scenes and traces; a .gltf is an object of JSON.
const STARTS: [&[u8]; 2] = [b"glTF", b"azulejo\0"];

/// Whether `file` means standard input.
pub(super) fn is_meant(file: &Path) -> bool {
    NAMES.iter().any(|name| file == Path::new(name))
}

/// All bytes of standard input.
///
/// # Errors
/// Input that is neither a scene nor a trace, or too long to be kept.
pub(super) fn bytes() -> Outcome<&'static [u8]> {
    static BYTES: OnceLock<Vec<u8>> = OnceLock::new();
    if let Some(bytes) = BYTES.get() {
        return Ok(bytes);
    }
    let read = read(&mut io::stdin().lock())?;
    Ok(BYTES.get_or_init(|| read))
}

fn read(from: &mut impl Read) -> Outcome<Vec<u8>> {
    let unreadable = |error| Failure::new(format!("standard input: cannot read it: {error}"));
    let mut bytes = Vec::new();
    from.by_ref()
        .take(4096)
        .read_to_end(&mut bytes)
        .map_err(unreadable)?;
    // Input without an end does not begin so.
    let is_known = STARTS.iter().any(|start| bytes.starts_with(start));
    if !is_known && bytes.trim_ascii_start().first() != Some(&b'{') {
        let failure = Failure::new("standard input: neither a glTF scene nor a trace of azulejo");
        return Err(failure.hint("for example: azulejo render - < scene.glb"));
    }
    from.take(MAX_BYTES)
        .read_to_end(&mut bytes)
        .map_err(unreadable)?;
    if bytes.len() as u64 > MAX_BYTES {
        let failure = Failure::new(format!("standard input: more than {MAX_BYTES} bytes"));
        return Err(failure.hint("write it to a file and name that"));
    }
    Ok(bytes)
}

/// Whether standard input holds a trace, not a scene.
///
/// # Errors
/// Those of [`bytes`].
pub(super) fn is_trace() -> Outcome<bool> {
    Ok(bytes()?.starts_with(STARTS[1]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn standard_input_takes_scenes_and_traces_and_nothing_endless() {
        for start in [&b"glTF and more"[..], b"azulejo\0...", b" \n{}"] {
            assert_eq!(read(&mut { start }), Ok(start.to_vec()), "{start:?}");
        }
        let refused = read(&mut io::repeat(0)).unwrap_err();
        assert!(refused.message.contains("neither"), "{}", refused.message);
        assert!(read(&mut io::empty()).is_err(), "nothing comes");
    }
}
