//! What is one mesh: a file may take up an object, a group or a material as often as it likes, and all that it says of one name in one
//! material is drawn at once.

use std::collections::BTreeMap;

/// Triangles of one name in one material.
#[derive(Debug)]
pub(super) struct Part<'a> {
    pub(super) name: &'a str,
    pub(super) material: Option<usize>,
    pub(super) has: Streams,
    meshes: Vec<&'a tobj::Mesh>,
}

/// What every vertex has beside its position. A file may give some vertices a normal or a place in the texture, and others none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Streams {
    pub(super) normals: bool,
    pub(super) tex_coords: bool,
    pub(super) colors: bool,
}

impl Streams {
    fn of(mesh: &tobj::Mesh) -> Self {
        let n_vertices = n_vertices(mesh);
        Self {
            normals: mesh.normals.len() == 3 * n_vertices,
            tex_coords: mesh.texcoords.len() == 2 * n_vertices,
            colors: mesh.vertex_color.len() == 3 * n_vertices,
        }
    }
}

fn n_vertices(mesh: &tobj::Mesh) -> usize {
    mesh.positions.len() / 3
}

/// The parts of a file that have triangles, in the order in which it begins them.
pub(super) fn parts(models: &[tobj::Model]) -> Vec<Part<'_>> {
    let mut places = BTreeMap::new();
    let mut parts: Vec<Part<'_>> = Vec::new();
    for tobj::Model { name, mesh } in models {
        if mesh.indices.is_empty() {
            continue;
        }
        let (material, has) = (mesh.material_id, Streams::of(mesh));
        let place = *places.entry((name, material, has)).or_insert(parts.len());
        if place == parts.len() {
            parts.push(Part {
                name,
                material,
                has,
                meshes: Vec::new(),
            });
        }
        parts[place].meshes.push(mesh);
    }
    parts
}

impl<'a> Part<'a> {
    /// One stream of all its vertices.
    pub(super) fn floats(
        &self,
        stream: impl Fn(&'a tobj::Mesh) -> &'a Vec<f32> + Clone,
    ) -> impl Iterator<Item = f32> + Clone {
        let meshes = self.meshes.iter();
        meshes.flat_map(move |mesh| stream(mesh).iter().copied())
    }

    /// Its triangles: numbers of these vertices.
    pub(super) fn indices(&self) -> impl Iterator<Item = u32> {
        let firsts = self.meshes.iter().scan(0, |first, mesh| {
            let before = *first;
            *first += n_vertices(mesh);
            Some((before as u32, mesh))
        });
        firsts.flat_map(|(first, mesh)| mesh.indices.iter().map(move |index| first + index))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model(
        name: &str,
        material: Option<usize>,
        positions: &[f32],
        normals: &[f32],
    ) -> tobj::Model {
        tobj::Model {
            name: name.to_owned(),
            mesh: tobj::Mesh {
                positions: positions.to_vec(),
                normals: normals.to_vec(),
                indices: vec![0, 1, 1],
                material_id: material,
                ..tobj::Mesh::default()
            },
        }
    }

    #[test]
    fn obj_parts_gather_what_has_one_name_and_material() {
        let models = [
            model("a", Some(0), &[1.0; 6], &[]),
            model("a", Some(1), &[2.0; 6], &[]),
            model("b", Some(0), &[3.0; 6], &[]),
            model("a", Some(0), &[4.0; 6], &[]),
        ];
        let parts = parts(&models);
        let keys: Vec<_> = parts
            .iter()
            .map(|part| (part.name, part.material))
            .collect();
        assert_eq!(keys, [("a", Some(0)), ("a", Some(1)), ("b", Some(0))]);
        let first: Vec<f32> = parts[0].floats(|mesh| &mesh.positions).collect();
        assert_eq!(first, [[1.0; 6], [4.0; 6]].concat(), "one behind the other");
        let indices: Vec<u32> = parts[0].indices().collect();
        assert_eq!(indices, [0, 1, 1, 2, 3, 3], "of the vertices of both");
    }

    #[test]
    fn obj_parts_with_other_streams_stay_apart() {
        let models = [
            model("a", None, &[1.0; 6], &[]),
            model("a", None, &[2.0; 6], &[0.0; 6]),
        ];
        let has: Vec<bool> = parts(&models).iter().map(|part| part.has.normals).collect();
        assert_eq!(has, [false, true]);
    }

    #[test]
    fn obj_parts_without_triangles_are_left_out() {
        let mut empty = model("a", None, &[1.0; 6], &[]);
        empty.mesh.indices.clear();
        assert!(parts(&[empty]).is_empty());
    }
}
