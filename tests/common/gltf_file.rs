//! glTF files made in memory: the JSON that a test says, with the accessors that it adds.

use azulejo::render::Picture;
use azulejo::render::output::png;
use azulejo::scene::Scene;
use azulejo::scene::gltf::{LoadOptions, load};
use serde_json::{Value, json};

/// A file's accessors, each in a view of its own.
#[derive(Default)]
pub(crate) struct GltfFile {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

impl GltfFile {
    /// Adds an accessor of floats; its index.
    pub(crate) fn floats(&mut self, shape: &str, values: &[f32]) -> usize {
        let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
        let count = values.len() / width(shape);
        self.add(
            &bytes,
            &json!({"componentType": 5126, "type": shape, "count": count}),
        )
    }

    /// Adds an accessor of unsigned bytes; its index.
    pub(crate) fn bytes(&mut self, shape: &str, normalized: bool, values: &[u8]) -> usize {
        let count = values.len() / width(shape);
        self.add(
            values,
            &json!({"componentType": 5121, "type": shape, "count": count, "normalized": normalized}),
        )
    }

    fn add(&mut self, bytes: &[u8], accessor: &Value) -> usize {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        let (offset, length) = (self.bytes.len(), bytes.len());
        self.bytes.extend(bytes);
        self.views
            .push(json!({"buffer": 0, "byteOffset": offset, "byteLength": length}));
        let mut accessor = accessor.clone();
        accessor["bufferView"] = (self.views.len() - 1).into();
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    /// The scene of a file that says `rest`. The image `RRGGBB` is a pixel of that colour.
    pub(crate) fn load(&self, mut rest: Value) -> Scene {
        rest["asset"] = json!({"version": "2.0"});
        rest["accessors"] = self.accessors.clone().into();
        rest["bufferViews"] = self.views.clone().into();
        rest["buffers"] = json!([{"uri": "buffer", "byteLength": self.bytes.len()}]);
        let beside = |name: &str| match u32::from_str_radix(name, 16) {
            Ok(color) => Ok(pixel(color)),
            Err(_) => Ok(self.bytes.clone()),
        };
        load(
            rest.to_string().into_bytes(),
            &beside,
            &LoadOptions::default(),
        )
        .unwrap_or_else(|error| panic!("{rest}: {error}"))
    }
}

fn width(shape: &str) -> usize {
    let shapes = [
        ("SCALAR", 1),
        ("VEC2", 2),
        ("VEC3", 3),
        ("VEC4", 4),
        ("MAT4", 16),
    ];
    let found = shapes.iter().find(|(name, _)| *name == shape);
    found.expect("a shape").1
}

/// A PNG of one pixel.
fn pixel(color: u32) -> Vec<u8> {
    let [_, r, g, b] = color.to_be_bytes();
    let picture = Picture {
        width: 1,
        height: 1,
        pixels: vec![[r, g, b, 255]],
    };
    png::encode(&picture, &[]).expect("a pixel")
}
