//! `KHR_draco_mesh_compression`: compressed primitives to accessors like any other.
//!
//! Each compressed primitive of the meshes that are drawn is decoded, and what comes out takes the place of what its
//! accessors lack: an accessor of the same type and count, with a view of its own. Later stages see a plain primitive and
//! check it as such. A stream of a few hundred bytes can honestly stand for millions of vertices, so the accessors' counts
//! bound what is decoded, and must be what came out.

use std::collections::BTreeMap;

use draco_core::draco_types::DataType;
use draco_core::geometry_attribute::PointAttribute;
use draco_core::geometry_indices::PointIndex;
use draco_core::{DecodeLimits, DecoderBuffer, Mesh, MeshDecoder};
use gltf::json::Index;
use gltf::json::accessor::{Accessor, ComponentType, GenericComponentType, Type};
use gltf::json::buffer::View;
use gltf::json::mesh::{Mode, Primitive, Semantic};
use gltf::json::validation::{Checked, USize64};
use rayon::prelude::*;
use serde::Deserialize;

use super::error::{LoadError, element};
use super::file::File;

const NAME: &str = "KHR_draco_mesh_compression";

/// Most bytes of one attribute of one vertex: four components of 64 bits.
const MAX_VALUE_BYTES: u64 = 32;

/// The extension as it is written.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Compressed {
    buffer_view: usize,
    /// Draco's unique id of each attribute that is compressed.
    attributes: BTreeMap<String, u32>,
}

/// One compressed primitive of the file.
struct Job<'a> {
    file: &'a File,
    /// Positions of the mesh and of the primitive in it.
    at: (usize, usize),
    json: &'a Primitive,
    name: String,
}

/// Decoded stream of a primitive.
struct Decoded {
    at: (usize, usize),
    /// 32-bit indices of triangles.
    indices: Stream,
    attributes: Vec<(Semantic, Stream)>,
}

/// An accessor to be, and its bytes.
struct Stream {
    accessor: Accessor,
    bytes: Vec<u8>,
}

/// Decodes the compressed primitives of `meshes`, which are positions in the file's list.
pub(super) fn decode_meshes(
    file: &mut File,
    meshes: impl Iterator<Item = usize>,
) -> Result<(), LoadError> {
    let jobs: Vec<Job<'_>> = meshes.flat_map(|mesh| jobs_of(file, mesh)).collect();
    let decoded: Vec<Decoded> = (jobs.par_iter().with_max_len(1))
        .map(Job::decode)
        .collect::<Result<_, _>>()?;
    for primitive in decoded {
        replace(file, primitive);
    }
    Ok(())
}

fn jobs_of(file: &File, mesh: usize) -> Vec<Job<'_>> {
    let Some(json) = file.root.meshes.get(mesh) else {
        return Vec::new();
    };
    let is_compressed = |primitive: &Primitive| {
        let extensions = primitive.extensions.as_ref();
        extensions.is_some_and(|extensions| extensions.others.contains_key(NAME))
    };
    let primitives = json.primitives.iter().enumerate();
    let compressed = primitives.filter(|(_, primitive)| is_compressed(primitive));
    let mesh_name = element("mesh", mesh, json.name.as_deref());
    let job = |(number, json)| Job {
        file,
        at: (mesh, number),
        json,
        name: format!("{NAME} of {mesh_name}, primitive {number}"),
    };
    compressed.map(job).collect()
}

/// Makes the primitive a plain one.
fn replace(file: &mut File, decoded: Decoded) {
    let (mesh, number) = decoded.at;
    let indices = add_accessor(file, decoded.indices);
    let attributes: Vec<_> = (decoded.attributes.into_iter())
        .map(|(semantic, stream)| (semantic, add_accessor(file, stream)))
        .collect();
    let primitive = &mut file.root.meshes[mesh].primitives[number];
    primitive.mode = Checked::Valid(Mode::Triangles);
    primitive.indices = Some(indices);
    for (semantic, accessor) in attributes {
        (primitive.attributes).insert(Checked::Valid(semantic), accessor);
    }
}

fn add_accessor(file: &mut File, stream: Stream) -> Index<Accessor> {
    let view = file.root.buffer_views.len();
    file.root.buffer_views.push(View {
        buffer: Index::new(0),
        byte_length: USize64(stream.bytes.len() as u64),
        byte_offset: None,
        byte_stride: None,
        name: None,
        target: None,
        extensions: None,
        extras: Default::default(),
    });
    file.buffers.decoded.insert(view, Ok(stream.bytes));
    let accessor = file.root.accessors.len();
    file.root.accessors.push(Accessor {
        buffer_view: Some(Index::new(view as u32)),
        byte_offset: None,
        sparse: None,
        ..stream.accessor
    });
    Index::new(accessor as u32)
}

impl Job<'_> {
    fn error(&self, problem: impl Into<String>) -> LoadError {
        LoadError::invalid(&*self.name, problem)
    }

    fn decode(&self) -> Result<Decoded, LoadError> {
        let extension = self.json.extensions.as_ref();
        let extension = extension.and_then(|extensions| extensions.others.get(NAME));
        let compressed = Compressed::deserialize(extension.unwrap_or_default())
            .map_err(|error| self.error(error.to_string()))?;
        let (bytes, _) =
            (self.file.buffers).view(&self.file.root, compressed.buffer_view, &self.name)?;
        let claim = self.claim(&compressed)?;
        let mesh = self.decode_mesh(bytes, &claim)?;
        let mut attributes = Vec::with_capacity(claim.attributes.len());
        for (semantic, id, accessor) in claim.attributes {
            let what = format!("{} (attribute {id})", semantic.to_string());
            let attribute = mesh.attribute_by_unique_id(id);
            let attribute =
                attribute.ok_or_else(|| self.error(format!("its stream has no {what}")))?;
            let bytes = values(attribute, mesh.num_points(), &accessor);
            let bytes = bytes.map_err(|problem| self.error(format!("{what} {problem}")))?;
            attributes.push((semantic, Stream { accessor, bytes }));
        }
        Ok(Decoded {
            at: self.at,
            indices: Stream {
                accessor: claim.indices,
                bytes: self.indices(&mesh)?,
            },
            attributes,
        })
    }

    /// Collects the accessors' statements about the stream.
    fn claim(&self, compressed: &Compressed) -> Result<Claim, LoadError> {
        let accessor = |index: Index<Accessor>| -> Result<Accessor, LoadError> {
            let found = self.file.root.get(index).cloned();
            found.ok_or_else(|| {
                let count = self.file.root.accessors.len();
                self.error(format!("refers to accessor {index} of {count}"))
            })
        };
        let mut attributes = Vec::new();
        for (semantic, &index) in &self.json.attributes {
            let Checked::Valid(semantic) = semantic else {
                continue;
            };
            if let Some(&id) = compressed.attributes.get(&semantic.to_string()) {
                attributes.push((semantic.clone(), id, accessor(index)?));
            }
        }
        let Some((_, _, first)) = attributes.first() else {
            return Err(self.error("names no attribute of the primitive"));
        };
        let points = first.count.0;
        if let Some((semantic, _, other)) =
            (attributes.iter()).find(|(_, _, accessor)| accessor.count.0 != points)
        {
            let (semantic, found) = (semantic.to_string(), other.count.0);
            return Err(self.error(format!(
                "{semantic} has {found} elements where others have {points}"
            )));
        }
        let indices = self.json.indices.map(accessor).transpose()?;
        let mut indices = indices.ok_or_else(|| self.error("its primitive has no indices"))?;
        indices.component_type = Checked::Valid(GenericComponentType(ComponentType::U32));
        indices.type_ = Checked::Valid(Type::Scalar);
        Ok(Claim {
            points,
            indices,
            attributes,
        })
    }

    /// Decodes the stream, whose sizes must be those of the accessors.
    fn decode_mesh(&self, bytes: &[u8], claim: &Claim) -> Result<Mesh, LoadError> {
        let faces = claim.indices.count.0 / 3;
        // One more than is named: streams may hold attributes that no accessor asks for.
        let attributes = claim.attributes.len() as u64 + 1;
        let attribute_bytes = (claim.points).saturating_mul(attributes * MAX_VALUE_BYTES);
        let memory = attribute_bytes.saturating_add(faces.saturating_mul(64));
        self.file.reserve(memory, &self.name)?;
        let limits = DecodeLimits::default()
            .with_max_points(claim.points)
            .with_max_faces(faces)
            .with_max_decoded_bytes(attribute_bytes);
        let mut buffer = DecoderBuffer::new(bytes).with_limits(limits);
        let mut mesh = Mesh::new();
        (MeshDecoder::new().decode(&mut buffer, &mut mesh))
            .map_err(|error| self.error(format!("cannot be decoded: {error}")))?;
        let (points, found) = (mesh.num_points() as u64, mesh.num_faces() as u64);
        if points != claim.points || found.checked_mul(3) != Some(claim.indices.count.0) {
            let (expected, indices) = (claim.points, claim.indices.count.0);
            return Err(self.error(format!(
                "its stream has {points} vertices and {found} triangles where its accessors say {expected} vertices and {indices} indices"
            )));
        }
        Ok(mesh)
    }

    fn indices(&self, mesh: &Mesh) -> Result<Vec<u8>, LoadError> {
        let corners = mesh.faces().iter().flatten().map(|corner| corner.0);
        let points = mesh.num_points();
        if let Some(outside) = corners.clone().find(|&corner| corner as usize >= points) {
            return Err(self.error(format!(
                "index {outside} of its stream lies outside the {points} vertices"
            )));
        }
        Ok(corners.flat_map(u32::to_le_bytes).collect())
    }
}

/// Statements of a compressed primitive's accessors about its stream.
struct Claim {
    /// Number of vertices, by the accessors.
    points: u64,
    indices: Accessor,
    attributes: Vec<(Semantic, u32, Accessor)>,
}

/// The attribute's value at every vertex, in the type of `accessor`; or what is wrong with it.
fn values(
    attribute: &PointAttribute,
    points: usize,
    accessor: &Accessor,
) -> Result<Vec<u8>, String> {
    let (Checked::Valid(shape), Checked::Valid(component)) =
        (accessor.type_, accessor.component_type)
    else {
        return Err("has an accessor of no type".to_owned());
    };
    let components = shape.multiplicity();
    let found = usize::from(attribute.num_components());
    if found != components {
        return Err(format!(
            "has {found} components where its accessor says {components}"
        ));
    }
    let width = attribute.data_type().byte_length();
    let stride = usize::try_from(attribute.byte_stride()).unwrap_or(0);
    let data = attribute.buffer().data();
    let convert = Conversion {
        from: attribute.data_type(),
        is_normalized: attribute.normalized() || accessor.normalized,
        to: component.0,
    };
    let mut bytes = Vec::with_capacity(points * components * component.0.size());
    for point in 0..points as u32 {
        let index = attribute.mapped_index(PointIndex(point)).0 as usize;
        let start = index.checked_mul(stride);
        let value = start.and_then(|start| {
            let end = start.checked_add(components * width)?;
            data.get(start..end)
        });
        let value = value.filter(|_| index < attribute.size() && width > 0);
        let value = value.ok_or_else(|| format!("has no value for vertex {point}"))?;
        for component in value.chunks_exact(width) {
            convert.append(component, &mut bytes);
        }
    }
    Ok(bytes)
}

/// Conversion from the type in the stream to that of the accessor.
#[derive(Clone, Copy)]
struct Conversion {
    from: DataType,
    /// Integers stand for 0..1 or -1..1.
    is_normalized: bool,
    to: ComponentType,
}

impl Conversion {
    fn append(self, value: &[u8], out: &mut Vec<u8>) {
        let is_same = matches!(
            (self.from, self.to),
            (DataType::Int8, ComponentType::I8)
                | (DataType::Uint8, ComponentType::U8)
                | (DataType::Int16, ComponentType::I16)
                | (DataType::Uint16, ComponentType::U16)
                | (DataType::Uint32, ComponentType::U32)
                | (DataType::Float32, ComponentType::F32)
        );
        if is_same {
            out.extend(value);
            return;
        }
        let scale = match (
            self.is_normalized,
            largest(self.from),
            largest_written(self.to),
        ) {
            (true, Some(from), None) => from.recip(),
            (true, None, Some(to)) => to,
            _ => 1.0,
        };
        let number = number(self.from, value) * scale;
        match self.to {
            ComponentType::I8 => out.extend((number.round() as i8).to_le_bytes()),
            ComponentType::U8 => out.extend((number.round() as u8).to_le_bytes()),
            ComponentType::I16 => out.extend((number.round() as i16).to_le_bytes()),
            ComponentType::U16 => out.extend((number.round() as u16).to_le_bytes()),
            ComponentType::U32 => out.extend((number.round() as u32).to_le_bytes()),
            ComponentType::F32 => out.extend((number as f32).to_le_bytes()),
        }
    }
}

/// Divisor of a normalised integer of an accessor, the value that means 1; `None` for floats.
fn largest_written(component: ComponentType) -> Option<f64> {
    match component {
        ComponentType::I8 => Some(f64::from(i8::MAX)),
        ComponentType::U8 => Some(f64::from(u8::MAX)),
        ComponentType::I16 => Some(f64::from(i16::MAX)),
        ComponentType::U16 => Some(f64::from(u16::MAX)),
        ComponentType::U32 => Some(f64::from(u32::MAX)),
        ComponentType::F32 => None,
    }
}

/// Divisor of a normalised integer of a stream, the value that means 1; `None` for other types.
fn largest(data_type: DataType) -> Option<f64> {
    match data_type {
        DataType::Int8 => Some(f64::from(i8::MAX)),
        DataType::Uint8 => Some(f64::from(u8::MAX)),
        DataType::Int16 => Some(f64::from(i16::MAX)),
        DataType::Uint16 => Some(f64::from(u16::MAX)),
        DataType::Int32 => Some(f64::from(i32::MAX)),
        DataType::Uint32 => Some(f64::from(u32::MAX)),
        DataType::Int64 => Some(i64::MAX as f64),
        DataType::Uint64 => Some(u64::MAX as f64),
        DataType::Invalid | DataType::Bool | DataType::Float32 | DataType::Float64 => None,
    }
}

/// The number that `bytes`, little-endian, stand for.
fn number(data_type: DataType, bytes: &[u8]) -> f64 {
    let mut wide = [0; 8];
    wide[..bytes.len()].copy_from_slice(bytes);
    let bits = u64::from_le_bytes(wide);
    match data_type {
        DataType::Invalid => 0.0,
        DataType::Int8 => f64::from(bits as i8),
        DataType::Int16 => f64::from(bits as i16),
        DataType::Int32 => f64::from(bits as i32),
        DataType::Int64 => bits as i64 as f64,
        DataType::Bool
        | DataType::Uint8
        | DataType::Uint16
        | DataType::Uint32
        | DataType::Uint64 => bits as f64,
        DataType::Float32 => f64::from(f32::from_bits(bits as u32)),
        DataType::Float64 => f64::from_bits(bits),
    }
}
