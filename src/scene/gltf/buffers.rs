//! The file's raw bytes: buffers fetched once, buffer views as checked slices of them.

use gltf::json::{Root, buffer};

use super::error::{LoadError, element};
use super::uri::{self, Resolve};
use super::warnings::Warnings;

/// Longest buffer without content that is taken as zeros.
const MAX_EMPTY_BYTES: u64 = 1 << 24;

/// Every buffer that a view refers to. A failure becomes an error when something needs the buffer.
#[derive(Debug)]
pub(super) struct Buffers {
    data: Vec<Result<Vec<u8>, String>>,
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
            if let Some(flag) = used.get_mut(view.buffer.value()) {
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
        Self { data }
    }

    /// The bytes of a buffer view and its stride; `user` is who refers to it.
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
        let name = || element("buffer view", index, view.name.as_deref());
        let buffer = view.buffer.value();
        let data = self.data.get(buffer).ok_or_else(|| {
            LoadError::invalid(
                name(),
                format!("refers to buffer {buffer} of {}", self.data.len()),
            )
        })?;
        let data = data
            .as_ref()
            .map_err(|problem| LoadError::invalid(user, format!("its {problem}")))?;
        let start = view.byte_offset.unwrap_or_default().0;
        let end = start.checked_add(view.byte_length.0);
        let range =
            end.and_then(|end| data.get(usize::try_from(start).ok()?..usize::try_from(end).ok()?));
        let bytes = range.ok_or_else(|| {
            let (len, found) = (view.byte_length.0, data.len());
            let problem =
                format!("{len} bytes from {start} on leave buffer {buffer}, which has {found}");
            LoadError::invalid(name(), problem)
        })?;
        Ok((
            bytes,
            view.byte_stride
                .map(|stride| stride.0)
                .filter(|&stride| stride != 0),
        ))
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
