//! Vertices of a draw as a trace has them: in the order of their use, with the primitives that wait for them.

use azulejo_trace::{Assembled, BufferAccesses, PathIdx};

use crate::run::Binned;

/// Vertices of a draw in the order of their use, and its primitives.
#[derive(Debug, Default)]
pub(crate) struct RanVertices {
    pub(crate) vertices: Vec<u32>,
    pub(crate) paths: Vec<PathIdx>,
    pub(crate) accesses: BufferAccesses,
    pub(crate) assembled: Vec<Assembled>,
}

/// Takes them from a draw that has run.
pub(crate) fn vertices(
    binned: &Binned<'_>,
    draw: usize,
    mut intern: impl FnMut(&[u8]) -> PathIdx,
) -> RanVertices {
    let prepared = &binned.draws[draw];
    let geometry = &prepared.geometry;
    let (order, waits) = geometry.order();
    let mut ran = RanVertices::default();
    for instance in 0..prepared.draw.instances.len() {
        let first = instance * geometry.of_instance();
        for (vertex, slot) in &order {
            ran.vertices.push(*vertex);
            let path = geometry.paths.get(first + slot);
            ran.paths.extend(path.map(|path| intern(path.steps())));
            if let Some(accesses) = geometry.accesses.get(first + slot) {
                ran.accesses.append(accesses);
            }
        }
        ran.assembled
            .extend(waits.iter().map(|&new_vertices| Assembled {
                new_vertices,
                binned: 0,
            }));
    }
    let own = binned
        .chunks
        .iter()
        .filter(|chunk| chunk.draw as usize == draw);
    for chunk in own {
        let first = chunk.first_index / geometry.corners();
        for (primitive, &binned) in ran.assembled[first..].iter_mut().zip(&chunk.binned_of) {
            primitive.binned = binned;
        }
    }
    ran
}
