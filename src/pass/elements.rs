//! Elements of a draw: vertices by their indices, put together to primitives.

use azulejo_scene::Topology;
use wgpu_types::{IndexFormat, PrimitiveTopology};

use crate::error::{Result, fault};
use crate::memory::Memory;
use crate::pass::PassDraw;

/// Most indices of a draw's primitives, instances included.
pub(crate) const MOST_INDICES: u64 = 1 << 26;

pub(crate) fn topology(topology: PrimitiveTopology) -> Topology {
    match topology {
        PrimitiveTopology::PointList => Topology::Points,
        PrimitiveTopology::LineList | PrimitiveTopology::LineStrip => Topology::Lines,
        PrimitiveTopology::TriangleList | PrimitiveTopology::TriangleStrip => Topology::Triangles,
    }
}

/// Vertices of a draw, each once, and its primitives' vertices by position among these.
pub(crate) fn primitives(memory: &Memory, draw: &PassDraw<'_>) -> Result<(Vec<u32>, Vec<u32>)> {
    let count = u64::from(draw.elements.end.saturating_sub(draw.elements.start));
    if count > MOST_INDICES {
        return Err(fault!("{count} vertices; expected at most {MOST_INDICES}"));
    }
    let elements = elements(memory, draw)?;
    let topology = draw.pipeline.spec.primitive.topology;
    let mut list: Vec<u32> = Vec::new();
    for strip in elements.split(|element| element.is_none()) {
        let strip: Vec<u32> = strip.iter().flatten().copied().collect();
        match topology {
            PrimitiveTopology::LineStrip => list.extend(strip.windows(2).flatten()),
            PrimitiveTopology::TriangleStrip => {
                for (number, corners) in strip.windows(3).enumerate() {
                    // Every other triangle turns the other way round.
                    let [a, b, c] = [corners[0], corners[1], corners[2]];
                    list.extend(if number % 2 == 0 {
                        [a, b, c]
                    } else {
                        [a, c, b]
                    });
                }
            }
            _ => list.extend(strip),
        }
    }
    let corners = self::topology(topology).vertices();
    list.truncate(list.len() / corners * corners);
    let mut unique = list.clone();
    unique.sort_unstable();
    unique.dedup();
    for vertex in &mut list {
        *vertex = unique.binary_search(vertex).unwrap_or_default() as u32;
    }
    Ok((unique, list))
}

/// Vertices of a draw in order; `None` where a strip ends.
fn elements(memory: &Memory, draw: &PassDraw<'_>) -> Result<Vec<Option<u32>>> {
    let Some(indices) = draw.indices else {
        return Ok(draw.elements.clone().map(Some).collect());
    };
    let bytes = memory.read_buffer(indices.buffer)?;
    let size = u64::from(indices.format.byte_size());
    let first = indices
        .offset
        .saturating_add(u64::from(draw.elements.start) * size);
    let end = indices
        .offset
        .saturating_add(u64::from(draw.elements.end) * size);
    let found = (draw.elements.start <= draw.elements.end)
        .then(|| bytes.get(first as usize..end as usize))
        .flatten()
        .ok_or_else(|| {
            fault!(
                "indices {:?} of a buffer of {} bytes",
                draw.elements,
                bytes.len()
            )
        })?;
    let restart =
        draw.pipeline
            .spec
            .primitive
            .topology
            .is_strip()
            .then_some(match indices.format {
                IndexFormat::Uint16 => 0xffff,
                IndexFormat::Uint32 => u32::MAX,
            });
    let index = |bytes: &[u8]| match *bytes {
        [a, b] => u16::from_le_bytes([a, b]).into(),
        _ => u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]),
    };
    let vertex =
        |index: u32| (Some(index) != restart).then(|| index.wrapping_add_signed(draw.base_vertex));
    Ok(found
        .chunks_exact(size as usize)
        .map(|bytes| vertex(index(bytes)))
        .collect())
}
