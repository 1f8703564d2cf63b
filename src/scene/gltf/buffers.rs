//! The file's raw bytes: buffers fetched once, buffer views as checked slices of them.

use std::collections::BTreeMap;

use gltf::json::{Root, buffer};

use super::error::{LoadError, element};
use super::meshopt_stream::stream_of;
use super::uri::{self, Resolve};
use super::warnings::Warnings;

/// Longest buffer without content that is taken as zeros.
const MAX_EMPTY_BYTES: u64 = 1 << 20;

/// Every buffer that a view refers to. A failure becomes an error when something needs the buffer.
#[derive(Debug)]
pub(super) struct Buffers {
    data: Vec<Result<Vec<u8>, String>>,
    /// Bytes of the views that were decompressed, or why they could not be.
    pub decoded: BTreeMap<usize, Result<Vec<u8>, String>>,
}

impl Buffers {
    /// Fetches the buffers of `root`; `binary` is the GLB's own chunk. The URIs are taken out of `root`.
    ///
    /// A buffer without URI may get its content from elsewhere (glTF 2.0, 3.6.1); as nothing gives any, it is all zeros,
    /// with a warning.
    pub(super) fn fetch(
        root: &mut Root,
        binary: Option<Vec<u8>>,
        resolve: &Resolve<'_>,
        warnings: &Warnings,
    ) -> Self {
        let mut used = vec![false; root.buffers.len()];
        for view in &root.buffer_views {
            // A compressed view's plain bytes are for readers that cannot decompress it.
            let buffer = match stream_of(view) {
                Some(Ok(stream)) => stream.buffer,
                _ => view.buffer.value(),
            };
            if let Some(flag) = used.get_mut(buffer) {
                *flag = true;
            }
        }
        let mut binary = binary;
        let fetch = |(index, buffer): (usize, &mut buffer::Buffer)| {
            let chunk = if index == 0 { binary.take() } else { None };
            if !used[index] {
                return Ok(Vec::new());
            }
            fetch_one(index, buffer, chunk, resolve, warnings).map_err(|error| error.to_string())
        };
        let data = root.buffers.iter_mut().enumerate().map(fetch).collect();
        Self {
            data,
            decoded: BTreeMap::new(),
        }
    }

    /// Bytes of all buffers, and of all views that were decompressed.
    pub(super) fn bytes(&self) -> u64 {
        let all = self.data.iter().chain(self.decoded.values()).flatten();
        all.map(|bytes| bytes.len() as u64).sum()
    }

    /// The bytes of a buffer view and its stride; `user` is the element that refers to it.
    pub(super) fn view<'a>(
        &'a self,
        root: &'a Root,
        index: usize,
        user: &str,
    ) -> Result<(&'a [u8], Option<usize>), LoadError> {
        let view = root.buffer_views.get(index).ok_or_else(|| {
            let count = root.buffer_views.len();
            LoadError::invalid(user, format!("refers to buffer view {index} of {count}"))
        })?;
        let stride = view
            .byte_stride
            .map(|stride| stride.0)
            .filter(|&stride| stride != 0);
        let name = || element("buffer view", index, view.name.as_deref());
        if let Some(decoded) = self.decoded.get(&index) {
            let bytes = decoded.as_ref();
            let bytes = bytes.map_err(|problem| LoadError::invalid(name(), problem))?;
            return Ok((bytes, stride));
        }
        let buffer = view.buffer.value();
        if let Some(Err(problem)) = self.data.get(buffer) {
            return Err(LoadError::invalid(user, format!("its {problem}")));
        }
        let start = view.byte_offset.unwrap_or_default().0;
        let bytes = self.range(buffer, start, view.byte_length.0);
        let bytes = bytes.map_err(|problem| LoadError::invalid(name(), problem))?;
        Ok((bytes, stride))
    }

    /// `len` bytes of a buffer from `start` on, or what is wrong with them.
    pub(super) fn range(&self, buffer: usize, start: u64, len: u64) -> Result<&[u8], String> {
        let count = self.data.len();
        let data = self.data.get(buffer);
        let data = data.ok_or_else(|| format!("refers to buffer {buffer} of {count}"))?;
        let data = data.as_ref().map_err(Clone::clone)?;
        let end = start.checked_add(len);
        let range =
            end.and_then(|end| data.get(usize::try_from(start).ok()?..usize::try_from(end).ok()?));
        range.ok_or_else(|| {
            let found = data.len();
            format!("{len} bytes from {start} on leave buffer {buffer}, which has {found}")
        })
    }
}

fn fetch_one(
    index: usize,
    buffer: &mut buffer::Buffer,
    chunk: Option<Vec<u8>>,
    resolve: &Resolve<'_>,
    warnings: &Warnings,
) -> Result<Vec<u8>, LoadError> {
    let expected = buffer.byte_length.0;
    let name = element("buffer", index, buffer.name.as_deref());
    let mut bytes = match (buffer.uri.take(), chunk) {
        (Some(uri), _) => uri::fetch(&uri, &name, resolve)?,
        (None, Some(chunk)) => chunk,
        (None, None) if expected <= MAX_EMPTY_BYTES => {
            warnings.add(format!("{name}: has no content: taken as zeros"));
            vec![0; expected as usize]
        }
        (None, None) => {
            let problem = "it has no URI, and the file has no binary chunk for it";
            return Err(LoadError::invalid(name, problem));
        }
    };
    if (bytes.len() as u64) < expected {
        let problem = format!("has {} bytes where byteLength says {expected}", bytes.len());
        return Err(LoadError::invalid(name, problem));
    }
    bytes.truncate(expected as usize);
    Ok(bytes)
}
