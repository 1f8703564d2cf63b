//! Index lists: strips, fans and loops become plain points, lines and triangles (glTF 2.0, 3.7.2.1).

use gltf::json::mesh::Mode;

use crate::Topology;

/// The list of `mode` over `indices`; the vertices that no whole primitive takes are left out.
pub(super) fn to_list(mode: Mode, indices: Vec<u32>) -> (Topology, Vec<u32>) {
    match mode {
        Mode::Points => (Topology::Points, indices),
        Mode::Lines => (Topology::Lines, whole(indices, 2)),
        Mode::LineLoop => (Topology::Lines, line_loop(&indices)),
        Mode::LineStrip => (Topology::Lines, line_strip(&indices)),
        Mode::Triangles => (Topology::Triangles, whole(indices, 3)),
        Mode::TriangleStrip => (Topology::Triangles, triangle_strip(&indices)),
        Mode::TriangleFan => (Topology::Triangles, triangle_fan(&indices)),
    }
}

/// How many indices the list of `mode` has for `count` indices.
pub(super) fn list_len(mode: Mode, count: usize) -> usize {
    match mode {
        Mode::Points | Mode::Lines | Mode::Triangles => count,
        Mode::LineLoop | Mode::LineStrip => count.saturating_mul(2),
        Mode::TriangleStrip | Mode::TriangleFan => count.saturating_mul(3),
    }
}

fn whole(mut indices: Vec<u32>, vertices: usize) -> Vec<u32> {
    indices.truncate(indices.len() / vertices * vertices);
    indices
}

fn line_strip(indices: &[u32]) -> Vec<u32> {
    indices.windows(2).flatten().copied().collect()
}

fn line_loop(indices: &[u32]) -> Vec<u32> {
    let mut list = line_strip(indices);
    if let [first, .., last] = *indices {
        list.extend([last, first]);
    }
    list
}

/// Every second triangle swaps two corners, so that all face the same way.
fn triangle_strip(indices: &[u32]) -> Vec<u32> {
    let triangles = indices.array_windows().enumerate();
    let turned = triangles.map(|(i, &[a, b, c])| if i % 2 == 0 { [a, b, c] } else { [a, c, b] });
    turned.flatten().collect()
}

fn triangle_fan(indices: &[u32]) -> Vec<u32> {
    let Some((&hub, rim)) = indices.split_first() else {
        return Vec::new();
    };
    rim.array_windows()
        .flat_map(|&[b, c]| [b, c, hub])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strip_keeps_the_winding_of_its_first_triangle() {
        let (topology, list) = to_list(Mode::TriangleStrip, vec![0, 1, 2, 3, 4]);
        assert_eq!(topology, Topology::Triangles, "topology");
        assert_eq!(
            list,
            [0, 1, 2, 1, 3, 2, 2, 3, 4],
            "every second triangle turned"
        );
    }

    #[test]
    fn fan_turns_around_its_first_vertex() {
        let (_, list) = to_list(Mode::TriangleFan, vec![9, 1, 2, 3]);
        assert_eq!(list, [1, 2, 9, 2, 3, 9], "order of the specification");
    }

    #[test]
    fn loop_closes_and_strip_does_not() {
        assert_eq!(
            to_list(Mode::LineLoop, vec![4, 5, 6]).1,
            [4, 5, 5, 6, 6, 4],
            "loop"
        );
        assert_eq!(
            to_list(Mode::LineStrip, vec![4, 5, 6]).1,
            [4, 5, 5, 6],
            "strip"
        );
    }

    #[test]
    fn list_leaves_out_what_is_no_whole_primitive() {
        assert_eq!(
            to_list(Mode::Triangles, vec![0, 1, 2, 3]).1,
            [0, 1, 2],
            "triangles"
        );
        assert_eq!(to_list(Mode::Lines, vec![0, 1, 2]).1, [0, 1], "lines");
        for mode in [Mode::TriangleStrip, Mode::TriangleFan, Mode::LineStrip] {
            assert_eq!(to_list(mode, vec![0]).1, [0; 0], "{mode:?} of one vertex");
        }
        assert_eq!(
            to_list(Mode::LineLoop, vec![0]).1,
            [0; 0],
            "loop of one vertex"
        );
    }
}
