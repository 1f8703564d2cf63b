//! Sealed file that proves the inputs of its result and that it is whole: a line with the fingerprint of the inputs, the
//! length and the CRC-32 of the rest, then the rest.

use serde::{Deserialize, Serialize};

use super::fingerprint::Fingerprint;

/// Version of the layout.
const FORMAT: u32 = 1;

/// Error of bytes that are not the expected result.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ResultError {
    /// No result of this kind, or of another version.
    #[error("it is no result of this kind, or one of another version")]
    NotAResult,
    /// Result of other inputs.
    #[error("it is the result of other inputs, {found}")]
    Foreign {
        /// Fingerprint of the inputs that it belongs to.
        found: String,
    },
    /// Result with bytes missing or changed.
    #[error("it is damaged: {0}")]
    Damaged(String),
}

#[derive(Debug, Serialize, Deserialize)]
struct Header {
    /// Kind of result, such as `sweep point`.
    #[serde(rename = "azulejo")]
    kind: String,
    format: u32,
    inputs: String,
    bytes: usize,
    crc32: u32,
}

/// Seals a result of `inputs`, of a `kind` such as `sweep point`: equal bytes for equal content.
///
/// # Errors
/// If the first line cannot be written as JSON.
pub fn seal(kind: &str, inputs: Fingerprint, content: &[u8]) -> Result<Vec<u8>, serde_json::Error> {
    let header = Header {
        kind: kind.to_owned(),
        format: FORMAT,
        inputs: inputs.to_string(),
        bytes: content.len(),
        crc32: crc32fast::hash(content),
    };
    let mut bytes = serde_json::to_vec(&header)?;
    bytes.push(b'\n');
    bytes.extend_from_slice(content);
    Ok(bytes)
}

/// Returns the content that was [sealed](seal), if `bytes` are whole and of these inputs.
///
/// # Errors
/// If they are not, with the reason.
pub fn unseal<'b>(
    kind: &str,
    inputs: Fingerprint,
    bytes: &'b [u8],
) -> Result<&'b [u8], ResultError> {
    let mut lines = bytes.splitn(2, |byte| *byte == b'\n');
    let first = lines.next().unwrap_or_default();
    let header: Header = serde_json::from_slice(first).map_err(|_| ResultError::NotAResult)?;
    if header.kind != kind || header.format != FORMAT {
        return Err(ResultError::NotAResult);
    }
    if header.inputs != inputs.to_string() {
        let found = header.inputs;
        return Err(ResultError::Foreign { found });
    }
    let content = lines.next().unwrap_or_default();
    if content.len() != header.bytes {
        let problem = format!("{} of {} bytes", content.len(), header.bytes);
        return Err(ResultError::Damaged(problem));
    }
    match crc32fast::hash(content) == header.crc32 {
        true => Ok(content),
        false => Err(ResultError::Damaged(
            "its checksum does not hold".to_owned(),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INPUTS: Fingerprint = Fingerprint(5);

    #[test]
    fn content_comes_back() {
        let bytes = seal("point", INPUTS, b"1\n2").expect("JSON");
        assert_eq!(unseal("point", INPUTS, &bytes), Ok(&b"1\n2"[..]));
        let other = unseal("game", INPUTS, &bytes);
        assert_eq!(other, Err(ResultError::NotAResult), "another kind");
    }

    #[test]
    fn content_of_other_inputs_is_foreign() {
        let bytes = seal("point", INPUTS, b"1").expect("JSON");
        let found = INPUTS.to_string();
        let other = unseal("point", Fingerprint(6), &bytes);
        assert_eq!(other, Err(ResultError::Foreign { found }));
    }

    #[test]
    fn content_with_any_byte_changed_or_cut_is_refused() {
        let bytes = seal("point", INPUTS, b"{\"cycles\": 12}").expect("JSON");
        for at in 0..bytes.len() {
            assert!(
                unseal("point", INPUTS, &bytes[..at]).is_err(),
                "cut at {at}"
            );
            let mut flipped = bytes.clone();
            flipped[at] ^= 1;
            assert!(unseal("point", INPUTS, &flipped).is_err(), "byte {at}");
        }
    }
}
