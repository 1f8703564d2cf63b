//! Compressed streams to begin with: samples of Draco and Basis Universal, and meshopt's encoder.

use meshoptimizer as meshopt;

/// Draco's codings of one mesh; `fuzz/samples/README.md` says what they are.
pub(crate) const DRACO: &[(&str, &[u8])] = &[
    (
        "draco-edgebreaker",
        include_bytes!("../samples/edgebreaker.drc"),
    ),
    ("draco-valence", include_bytes!("../samples/valence.drc")),
    (
        "draco-sequential",
        include_bytes!("../samples/sequential.drc"),
    ),
];

/// Pictures in KTX 2.0.
pub(crate) const TEXTURES: &[(&str, &[u8])] = &[
    ("etc1s", include_bytes!("../samples/etc1s.ktx2")),
    ("etc1s-alpha", include_bytes!("../samples/etc1s-alpha.ktx2")),
    ("uastc", include_bytes!("../samples/uastc.ktx2")),
    ("uastc-zstd", include_bytes!("../samples/uastc-zstd.ktx2")),
];

/// Triangles of 3x3 vertices.
pub(crate) const GRID: [u32; 24] = [
    0, 1, 3, 3, 1, 4, 1, 2, 4, 4, 2, 5, 3, 4, 6, 6, 4, 7, 4, 5, 7, 7, 5, 8,
];

pub(crate) fn meshopt_vertices(data: &[u8], stride: usize, version: i32) -> Vec<u8> {
    let count = data.len() / stride;
    let bound = meshopt::encode_vertex_buffer_bound(count, stride).expect("a lawful stride");
    let mut stream = vec![0; bound];
    let len =
        meshopt::encode_vertex_buffer_level(&mut stream, bound, data, count, stride, 2, version);
    stream.truncate(len.expect("room enough"));
    stream
}

pub(crate) fn meshopt_triangles(indices: &[u32]) -> Vec<u8> {
    let bound = meshopt::encode_index_buffer_bound(indices.len(), 9).expect("whole triangles");
    let mut stream = vec![0; bound];
    let len = meshopt::encode_index_buffer(&mut stream, bound, indices, indices.len());
    stream.truncate(len.expect("room enough"));
    stream
}

pub(crate) fn meshopt_indices(indices: &[u32]) -> Vec<u8> {
    let bound = meshopt::encode_index_sequence_bound(indices.len(), 9);
    let mut stream = vec![0; bound];
    let len = meshopt::encode_index_sequence(&mut stream, bound, indices, indices.len());
    stream.truncate(len.expect("room enough"));
    stream
}
