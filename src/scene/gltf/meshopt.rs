//! `EXT_meshopt_compression` and `KHR_meshopt_compression`: compressed buffer views to the bytes that their accessors read.
//!
//! Both extensions say the same things about a view; they differ in the versions of the streams, which the streams name
//! themselves. The sizes that the file claims are held against each other and against the compressed bytes before anything
//! is allocated; what comes out is checked by the accessors, as the bytes of any other view.

use std::collections::BTreeMap;

use gltf::json::buffer::View;
use meshoptimizer as meshopt;
use rayon::prelude::*;

use super::error::{LoadError, element};
use super::file::File;
use super::meshopt_stream::{Filter, Mode, Stream, stream_of};

/// Most bytes that a compressed one can stand for: a control byte for four channels of 256 vertices says "as before" twice.
const MAX_RATIO: usize = 1024;

/// Longest vertex of the format, in bytes.
const MAX_STRIDE: usize = 256;

/// The bytes of every compressed view. A failure becomes an error when something needs the view.
pub(super) fn decode_views(file: &File) -> BTreeMap<usize, Result<Vec<u8>, String>> {
    let views: Vec<_> = file.root.buffer_views.iter().enumerate().collect();
    let decode = |&(index, view): &(usize, &View)| {
        let stream = stream_of(view)?;
        let name = element("buffer view", index, view.name.as_deref());
        let bytes = stream.and_then(|stream| decode(file, view, &stream, &name));
        Some((index, bytes))
    };
    views.par_iter().filter_map(decode).collect()
}

fn decode(file: &File, view: &View, stream: &Stream, name: &str) -> Result<Vec<u8>, String> {
    let text = |error: LoadError| error.to_string();
    let source = (file.buffers)
        .range(stream.buffer, stream.byte_offset, stream.byte_length)
        .map_err(|problem| format!("its compressed data: {problem}"))?;
    let shape = Shape::of(view, stream, source.len())?;
    // Indices are decoded in 32 bits before they get their width.
    file.reserve(shape.bytes as u64 * 3, name).map_err(text)?;
    let mut bytes = vec![0; shape.bytes];
    let decoded = match stream.mode {
        Mode::Attributes => attributes(&mut bytes, shape, stream.filter, source),
        Mode::Triangles | Mode::Indices if stream.filter != Filter::None => {
            return Err("indices with a filter, which only attributes have".to_owned());
        }
        Mode::Triangles => indices(&mut bytes, shape, |wide| {
            meshopt::decode_index_buffer(wide, shape.count, source, source.len())
        }),
        Mode::Indices => indices(&mut bytes, shape, |wide| {
            meshopt::decode_index_sequence(wide, shape.count, source, source.len())
        }),
    };
    decoded.map_err(|error| format!("its compressed data cannot be decoded: {error}"))?;
    Ok(bytes)
}

/// How many elements of how many bytes a stream becomes.
#[derive(Debug, Clone, Copy)]
struct Shape {
    count: usize,
    stride: usize,
    bytes: usize,
}

impl Shape {
    /// Shape on which view and stream agree, where `compressed` bytes can stand for it.
    fn of(view: &View, stream: &Stream, compressed: usize) -> Result<Self, String> {
        let Stream {
            count, byte_stride, ..
        } = *stream;
        let bytes = (count.checked_mul(byte_stride)).filter(|&bytes| bytes == view.byte_length.0);
        let bytes = bytes.and_then(|bytes| usize::try_from(bytes).ok());
        let Some(bytes) = bytes.filter(|&bytes| bytes > 0) else {
            let expected = view.byte_length.0;
            return Err(format!(
                "{count} compressed elements of {byte_stride} bytes where its byteLength says {expected}"
            ));
        };
        if bytes / MAX_RATIO > compressed {
            return Err(format!("{compressed} bytes cannot stand for {bytes}"));
        }
        let (count, stride) = (bytes / byte_stride as usize, byte_stride as usize);
        let sound = match stream.mode {
            Mode::Attributes => stride <= MAX_STRIDE && stride.is_multiple_of(4),
            Mode::Triangles => matches!(stride, 2 | 4) && count.is_multiple_of(3),
            Mode::Indices => matches!(stride, 2 | 4),
        };
        if !sound {
            let mode = stream.mode;
            return Err(format!(
                "{count} elements of {stride} bytes, which mode {mode:?} has not"
            ));
        }
        Ok(Self {
            count,
            stride,
            bytes,
        })
    }
}

fn attributes(
    bytes: &mut [u8],
    shape: Shape,
    filter: Filter,
    source: &[u8],
) -> meshopt::Result<()> {
    let Shape { count, stride, .. } = shape;
    meshopt::decode_vertex_buffer(bytes, count, stride, source, source.len())?;
    match filter {
        Filter::None => Ok(()),
        Filter::Octahedral => meshopt::decode_filter_oct(bytes, count, stride),
        Filter::Quaternion => meshopt::decode_filter_quat(bytes, count, stride),
        Filter::Exponential => meshopt::decode_filter_exp(bytes, count, stride),
        Filter::Color => meshopt::decode_filter_color(bytes, count, stride),
    }
}

/// Indices are decoded to 32 bits and written in the view's width, which they must fit.
fn indices(
    bytes: &mut [u8],
    shape: Shape,
    decode: impl FnOnce(&mut [u32]) -> meshopt::Result<()>,
) -> meshopt::Result<()> {
    let mut wide = vec![0_u32; shape.count];
    decode(&mut wide)?;
    for (out, index) in bytes.chunks_exact_mut(shape.stride).zip(wide) {
        if shape.stride == 2 && index > u32::from(u16::MAX) {
            return Err(meshopt::Error::IndexOutOfRange);
        }
        out.copy_from_slice(&index.to_le_bytes()[..shape.stride]);
    }
    Ok(())
}
