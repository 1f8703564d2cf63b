//! A .glb taken apart: its JSON text and its binary chunk (glTF 2.0, chapter 4). A .gltf is all text.

use super::error::LoadError;

const MAGIC: &[u8; 4] = b"glTF";
const HEADER_LEN: usize = 12;
const CHUNK_HEADER_LEN: usize = 8;
const JSON_CHUNK: &[u8; 4] = b"JSON";
const BINARY_CHUNK: &[u8; 4] = b"BIN\0";

/// The two parts of a glTF file.
#[derive(Debug)]
pub(super) struct Container {
    /// UTF-8 text of the JSON part.
    pub json: Vec<u8>,
    /// The binary chunk of a .glb.
    pub binary: Option<Vec<u8>>,
}

/// Bytes of the JSON chunk that follows the first bytes of a .glb; `None` where they are not those of one.
pub(super) fn json_length(start: &[u8]) -> Option<u64> {
    let is_json = start.starts_with(MAGIC) && start.get(16..20) == Some(JSON_CHUNK);
    let length = u32_at(start, HEADER_LEN).ok();
    length.filter(|_| is_json).map(u64::from)
}

/// Takes a file apart by its first bytes.
pub(super) fn split(bytes: Vec<u8>) -> Result<Container, LoadError> {
    if bytes.starts_with(MAGIC) {
        return split_glb(bytes);
    }
    if bytes.is_empty() {
        return Err(LoadError::NotGltf("it is empty".to_owned()));
    }
    Ok(Container {
        json: bytes,
        binary: None,
    })
}

fn split_glb(mut bytes: Vec<u8>) -> Result<Container, LoadError> {
    let version = u32_at(&bytes, 4)?;
    if version != 2 {
        return Err(LoadError::Version(version.to_string()));
    }
    let length = u32_at(&bytes, 8)? as usize;
    if length > bytes.len() {
        let found = bytes.len();
        let problem = format!("header says {length} bytes, the file has {found}: is it cut off?");
        return Err(LoadError::invalid("GLB", problem));
    }
    bytes.truncate(length);
    let json_len = chunk_len(&bytes, HEADER_LEN, JSON_CHUNK)?
        .ok_or_else(|| LoadError::invalid("GLB", "the first chunk must be JSON"))?;
    let json_start = HEADER_LEN + CHUNK_HEADER_LEN;
    let next = json_start + json_len;
    let binary_len = if bytes.len() >= next + CHUNK_HEADER_LEN {
        chunk_len(&bytes, next, BINARY_CHUNK)?
    } else {
        None
    };
    let json = bytes[json_start..next].to_vec();
    let binary = binary_len.map(|len| {
        bytes.drain(..next + CHUNK_HEADER_LEN);
        bytes.truncate(len);
        bytes
    });
    Ok(Container { json, binary })
}

/// Length of the chunk whose header is at `start`, if it is of `kind`; the chunk lies inside `bytes`.
fn chunk_len(bytes: &[u8], start: usize, kind: &[u8; 4]) -> Result<Option<usize>, LoadError> {
    let len = u32_at(bytes, start)? as usize;
    let body = start + CHUNK_HEADER_LEN;
    if bytes.get(start + 4..body) != Some(kind) {
        return Ok(None);
    }
    if len > bytes.len() - body {
        let left = bytes.len() - body;
        let problem = format!("a chunk of {len} bytes at {start} where {left} are left");
        return Err(LoadError::invalid("GLB", problem));
    }
    Ok(Some(len))
}

fn u32_at(bytes: &[u8], offset: usize) -> Result<u32, LoadError> {
    let word = bytes
        .get(offset..offset + 4)
        .and_then(|b| b.try_into().ok());
    let word = word.ok_or_else(|| LoadError::invalid("GLB", "the file ends within a header"))?;
    Ok(u32::from_le_bytes(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn glb(json: &[u8], binary: &[u8]) -> Vec<u8> {
        let mut bytes = b"glTF\x02\0\0\0".to_vec();
        let length = 12 + 8 + json.len() + 8 + binary.len();
        bytes.extend((length as u32).to_le_bytes());
        for (kind, body) in [(JSON_CHUNK, json), (BINARY_CHUNK, binary)] {
            bytes.extend((body.len() as u32).to_le_bytes());
            bytes.extend(kind);
            bytes.extend(body);
        }
        bytes
    }

    #[test]
    fn glb_parts_come_out_as_they_went_in() {
        let parts = split(glb(b"{}  ", b"abcd")).expect("a sound GLB");
        assert_eq!(parts.json, b"{}  ", "JSON chunk");
        assert_eq!(parts.binary.as_deref(), Some(&b"abcd"[..]), "binary chunk");
    }

    #[test]
    fn glb_cut_off_anywhere_is_refused() {
        let whole = glb(b"{}  ", b"abcd");
        for len in 4..whole.len() {
            let cut = Vec::from(&whole[..len]);
            assert!(split(cut).is_err(), "cut at {len}");
        }
    }

    #[test]
    fn glb_of_version_1_is_refused() {
        let mut bytes = glb(b"{}", b"");
        bytes[4] = 1;
        let error = split(bytes).expect_err("version 1");
        assert!(matches!(error, LoadError::Version(_)), "{error}");
    }
}
