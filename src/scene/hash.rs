//! Hash that tells scenes apart: CRC-32 over all that is decoded, whatever file it came from.

use std::fmt::{self, Write};

use super::{Mesh, MorphTarget, Primitive, Scene};

impl Scene {
    /// CRC-32 of the content, name and warnings left out.
    #[must_use]
    pub fn content_hash(&self) -> u32 {
        let mut hash = Hash(crc32fast::Hasher::new());
        for image in &self.images {
            hash.debug(&(image.encoding, &image.levels));
            hash.bytes(&image.texels);
            if let Some(format) = image.blocks() {
                hash.debug(&format);
            }
        }
        self.meshes.iter().for_each(|mesh| hash.mesh(mesh));
        hash.debug(&(&self.materials, &self.textures, &self.nodes));
        hash.debug(&(&self.lights, &self.cameras, &self.skins));
        hash.debug(&self.animations);
        hash.0.finalize()
    }
}

/// Hasher that takes in small values by their `Debug` text, which names every field, and arrays by their bytes.
struct Hash(crc32fast::Hasher);

impl Hash {
    fn mesh(&mut self, mesh: &Mesh) {
        self.debug(&(&mesh.name, &mesh.morph_weights));
        for primitive in &mesh.primitives {
            self.primitive(primitive);
        }
    }

    fn primitive(&mut self, primitive: &Primitive) {
        self.debug(&(primitive.topology, primitive.material));
        self.bytes(&primitive.indices);
        self.bytes(&primitive.positions);
        self.bytes(&primitive.normals);
        self.bytes(&primitive.tangents);
        self.bytes(&primitive.colors);
        primitive.tex_coords.iter().for_each(|set| self.bytes(set));
        primitive.joints.iter().for_each(|set| self.bytes(set));
        primitive.weights.iter().for_each(|set| self.bytes(set));
        let targets = primitive.morph_targets.iter();
        targets.for_each(|target| self.morph_target(target));
    }

    fn morph_target(&mut self, target: &MorphTarget) {
        self.bytes(&target.positions);
        self.bytes(&target.normals);
        self.bytes(&target.tangents);
        self.bytes(&target.colors);
        target.tex_coords.iter().for_each(|set| self.bytes(set));
    }

    /// Hashes length and content, so that neighbours cannot trade elements unseen.
    fn bytes<T: bytemuck::NoUninit>(&mut self, values: &[T]) {
        self.0.update(&(values.len() as u64).to_le_bytes());
        self.0.update(bytemuck::cast_slice(values));
    }

    fn debug(&mut self, value: &dyn fmt::Debug) {
        // Writing to a hash cannot fail.
        let _ = write!(self, "{value:?}");
    }
}

impl Write for Hash {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.update(text.as_bytes());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    fn with_positions(positions: Vec<Vec3>) -> Scene {
        let primitive = Primitive {
            positions,
            ..Primitive::default()
        };
        let mesh = Mesh {
            primitives: vec![primitive].into(),
            ..Mesh::default()
        };
        Scene {
            meshes: vec![mesh],
            ..Scene::default()
        }
    }

    #[test]
    fn scene_hash_depends_on_content_only() {
        let original = with_positions(vec![Vec3::ONE, Vec3::X]);
        let renamed = Scene {
            name: "another".to_owned(),
            warnings: vec!["odd".to_owned()],
            ..original.clone()
        };
        assert_eq!(
            original.content_hash(),
            renamed.content_hash(),
            "the same content"
        );
        let moved = with_positions(vec![Vec3::ONE, Vec3::Y]);
        assert_ne!(
            original.content_hash(),
            moved.content_hash(),
            "another vertex"
        );
    }
}
