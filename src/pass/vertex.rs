//! Vertex stage: indices and attributes through the vertex program to places on the screen.

use azulejo_math::DoubleDouble;
use azulejo_render::geometry::{
    Assembly, CHUNK_PRIMITIVES, Chunk, ClipPositions, Cull, ExactPosition, ShadedVertices, Viewport,
};
use azulejo_scene::Topology;
use azulejo_shader::{Batch, BufferLog, LANES_OF_BATCH, Resources, Runner, Slot, TracedCode};
use azulejo_simd::Backend;
use azulejo_trace::{BufferAccesses, PathRecorder};
use rayon::prelude::*;
use wgpu_types::{Face, FrontFace, VertexStepMode};

use azulejo_grid::SampleCount;

use crate::bind::{Bound, Written};
use crate::elements::{MOST_INDICES, primitives, topology};
use crate::error::{Result, fault};
use crate::lines::LineNotes;
use crate::memory::Memory;
use crate::pass::{PassDraw, ViewportRect};
use crate::pipeline::Link;
use crate::texel::TexelFormat;

/// Instructions that a traced batch may execute: no path is longer than a machine takes.
pub(crate) const TRACED_BUDGET: u64 = 1 << 17;

/// Most vertices of a draw, instances included.
const MOST_VERTICES: u64 = 1 << 24;

/// A draw's vertices after its program, and its primitives.
#[derive(Debug, Default)]
pub(crate) struct Geometry {
    pub(crate) vertices: ShadedVertices,
    clip: Vec<[f32; 4]>,
    /// Words of each vertex that are not interpolated.
    flats: Vec<u32>,
    n_flats: usize,
    /// Vertices of primitives, one primitive after the other, of all instances.
    indices: Vec<u32>,
    topology: Topology,
    /// Primitives of one instance.
    primitives: usize,
    /// Vertices by number in the draw, of each instance.
    unique: Vec<u32>,
    /// Path of each vertex that ran, if a trace wants them and the program branches.
    pub(crate) paths: Vec<PathRecorder>,
    /// Lines of buffers that each of them accessed, if a trace wants them and the program accesses any.
    pub(crate) accesses: Vec<BufferAccesses>,
}

impl ClipPositions for Geometry {
    fn exact_position(&self, vertex: usize) -> ExactPosition {
        ExactPosition {
            world: [DoubleDouble::ZERO; 3],
            clip: self.clip[vertex].map(DoubleDouble::from),
        }
    }
}

impl Geometry {
    /// Runs a draw's vertices.
    pub(crate) fn new(
        memory: &mut Memory,
        draw: &PassDraw<'_>,
        (viewport, backend): (&ViewportRect, Backend),
        traced: Option<&TracedCode>,
    ) -> Result<Self> {
        let instances = draw.instances.len() as u64;
        let (unique, list) = primitives(memory, draw)?;
        let topology = topology(draw.pipeline.spec.primitive.topology);
        let vertices = unique.len() as u64 * instances;
        let indices = list.len() as u64 * instances;
        if vertices > MOST_VERTICES || indices > MOST_INDICES {
            return Err(fault!(
                "{vertices} vertices and {indices} indices over {instances} instances; expected at most {MOST_VERTICES} \
                 and {MOST_INDICES}"
            ));
        }
        let mut geometry = Self {
            topology,
            primitives: list.len() / topology.vertices(),
            n_flats: draw.pipeline.flats.len(),
            ..Self::default()
        };
        for instance in 0..instances as u32 {
            let first = instance * unique.len() as u32;
            geometry
                .indices
                .extend(list.iter().map(|slot| first + slot));
        }
        geometry.unique = unique;
        geometry.shade(memory, draw, (backend, traced))?;
        geometry
            .vertices
            .place(&geometry.clip, &on_screen(viewport), backend);
        Ok(geometry)
    }

    fn shade(
        &mut self,
        memory: &mut Memory,
        draw: &PassDraw<'_>,
        how: (Backend, Option<&TracedCode>),
    ) -> Result<()> {
        let code = &draw.pipeline.spec.vertex;
        let bound = Bound::new(memory, code, &draw.groups)?;
        let mut written = bound.take(memory)?;
        let done = self.shade_with(memory, draw, (&bound, &mut written), how);
        written.give_back(memory)?;
        done
    }

    fn shade_with(
        &mut self,
        memory: &Memory,
        draw: &PassDraw<'_>,
        (bound, written): (&Bound, &mut Written),
        (backend, traced): (Backend, Option<&TracedCode>),
    ) -> Result<()> {
        let stage = VertexStage::new(memory, draw, &self.unique, traced)?;
        let code = traced.map_or(&draw.pipeline.spec.vertex, TracedCode::code);
        let (buffers, textures) = written.parts();
        let images = bound.images(memory, code, textures)?;
        let notes = traced.map(|_| LineNotes::new(bound.first_words(), 1, 1));
        let resources = bound.resources(memory, code, (buffers, &images))?;
        let mut resources = resources.with_log(log(&notes));
        let runner = Runner::new(code, backend, &mut resources)?;
        let runner = match traced {
            Some(_) => runner.with_budget(TRACED_BUDGET),
            None => runner,
        };
        let batches = stage.unique.len().div_ceil(LANES_OF_BATCH);
        let all = 0..draw.instances.len() * batches;
        let run = |number: usize, resources: &mut Resources<'_>, notes: &Option<LineNotes>| {
            let instance = draw.instances.start + (number / batches) as u32;
            let first = number % batches * LANES_OF_BATCH;
            let mut batch = runner.batch();
            stage.run(
                (&runner, &mut batch),
                (instance, first),
                (resources, notes.as_ref()),
            )
        };
        let shaded: Vec<ShadedBatch> = if bound.writes() {
            all.map(|number| run(number, &mut resources, &notes))
                .collect::<Result<_>>()?
        } else {
            let each = all.into_par_iter().map(|number| {
                let images = bound.images(memory, code, textures)?;
                let notes = traced.map(|_| LineNotes::new(bound.first_words(), 1, 1));
                let resources = bound.reading(memory, code, &images)?;
                run(number, &mut resources.with_log(log(&notes)), &notes)
            });
            each.collect::<Result<_>>()?
        };
        for batch in shaded {
            self.clip.extend(batch.clip);
            self.vertices.varyings.extend(batch.varyings);
            self.flats.extend(batch.flats);
            self.paths.extend(batch.paths);
            self.accesses.extend(batch.accesses);
        }
        Ok(())
    }

    /// Triangles on the screen, in chunks of this draw.
    pub(crate) fn assemble(
        &self,
        draw: &PassDraw<'_>,
        number: u32,
        viewport: &ViewportRect,
    ) -> Vec<Chunk> {
        let primitive = draw.pipeline.spec.primitive;
        let samples = sample_count(draw.pipeline.samples());
        let assembly = Assembly {
            positions: self,
            indices: &self.indices,
            topology: self.topology,
            n_varyings: draw.pipeline.varyings.len(),
            position_world: None,
            vertices: &self.vertices,
            cull: match primitive.cull_mode {
                None => Cull::None,
                Some(Face::Back) => Cull::Back,
                Some(Face::Front) => Cull::Front,
            },
            mirrored: primitive.front_face == FrontFace::Cw,
            viewport: on_screen(viewport),
            samples,
        };
        let step = CHUNK_PRIMITIVES * self.topology.vertices();
        let firsts: Vec<usize> = (0..self.indices.len()).step_by(step).collect();
        let chunks = firsts.into_par_iter().map(|first| {
            let mut chunk = Chunk::default();
            chunk.reset(number, first);
            chunk.assemble(&assembly);
            chunk
        });
        chunks.collect()
    }

    /// Vertices in the order in which primitives need them first, by number in the draw and by position among those that
    /// ran, and how many of them each primitive waits for; of one instance.
    pub(crate) fn order(&self) -> (Vec<(u32, usize)>, Vec<u8>) {
        let corners = self.topology.vertices();
        let mut seen = vec![false; self.unique.len()];
        let mut order = Vec::new();
        let of_instance = &self.indices[..self.primitives * corners];
        let waits = of_instance.chunks_exact(corners).map(|primitive| {
            let before = order.len();
            for &slot in primitive {
                if !std::mem::replace(&mut seen[slot as usize], true) {
                    order.push((self.unique[slot as usize], slot as usize));
                }
            }
            (order.len() - before) as u8
        });
        let waits = waits.collect();
        (order, waits)
    }

    /// Vertices that the program ran for in each instance.
    pub(crate) const fn of_instance(&self) -> usize {
        self.unique.len()
    }

    /// Primitive's words that are not interpolated, those of its first vertex.
    pub(crate) fn flats(&self, primitive: usize) -> &[u32] {
        let vertex = self.indices[primitive * self.topology.vertices()] as usize;
        &self.flats[vertex * self.n_flats..][..self.n_flats]
    }

    /// Number of a primitive in its instance.
    pub(crate) fn number(&self, primitive: usize) -> u32 {
        (primitive % self.primitives.max(1)) as u32
    }

    /// Vertices of one primitive.
    pub(crate) const fn corners(&self) -> usize {
        self.topology.vertices()
    }

    /// Vertices that the program ran for.
    pub(crate) fn n_vertices(&self) -> u64 {
        self.clip.len() as u64
    }
}

pub(crate) fn sample_count(samples: u32) -> SampleCount {
    match samples {
        4 => SampleCount::Four,
        _ => SampleCount::One,
    }
}

/// Notes as a program's resources take them.
fn log(notes: &Option<LineNotes>) -> Option<&dyn BufferLog> {
    notes.as_ref().map(|notes| notes as &dyn BufferLog)
}

fn on_screen(viewport: &ViewportRect) -> Viewport {
    Viewport {
        origin: viewport.origin,
        width: viewport.size[0],
        height: viewport.size[1],
        depth: viewport.depth,
    }
}

/// Results of a batch of vertices.
struct ShadedBatch {
    clip: Vec<[f32; 4]>,
    varyings: Vec<f32>,
    flats: Vec<u32>,
    paths: Vec<PathRecorder>,
    accesses: Vec<BufferAccesses>,
}

/// An attribute's bytes.
struct Attribute<'a> {
    location: u32,
    components: usize,
    bytes: &'a [u8],
    first: usize,
    stride: usize,
    step: VertexStepMode,
    format: TexelFormat,
}

/// Vertex program of a draw with its attributes.
struct VertexStage<'a> {
    draw: &'a PassDraw<'a>,
    unique: &'a [u32],
    attributes: Vec<Attribute<'a>>,
    traced: Option<&'a TracedCode>,
}

impl<'a> VertexStage<'a> {
    fn new(
        memory: &'a Memory,
        draw: &'a PassDraw<'a>,
        unique: &'a [u32],
        traced: Option<&'a TracedCode>,
    ) -> Result<Self> {
        let spec = &draw.pipeline.spec;
        let mut attributes = Vec::new();
        for input in &spec.vertex.inputs {
            let Slot::Location(location) = input.slot else {
                continue;
            };
            let buffers = spec.buffers.iter().enumerate();
            let mut found = buffers.flat_map(|(number, buffer)| {
                buffer
                    .attributes
                    .iter()
                    .map(move |attribute| (number, buffer, attribute))
            });
            let found = found.find(|(.., attribute)| attribute.shader_location == location);
            let Some((number, buffer, attribute)) = found else {
                continue;
            };
            let given = draw.vertex_buffers.get(number).copied().flatten();
            let (id, offset) =
                given.ok_or_else(|| fault!("vertex buffer {number}: nothing is set"))?;
            attributes.push(Attribute {
                location,
                components: input.registers.len(),
                bytes: memory.read_buffer(id)?,
                first: offset.saturating_add(attribute.offset) as usize,
                stride: buffer.stride as usize,
                step: buffer.step,
                format: TexelFormat::of_attribute(attribute.format)?.0,
            });
        }
        Ok(Self {
            draw,
            unique,
            attributes,
            traced,
        })
    }

    /// Runs the vertices from `first` on of one instance, as many as fit.
    fn run(
        &self,
        (runner, batch): (&Runner<'_>, &mut Batch),
        (instance, first): (u32, usize),
        (resources, notes): (&mut Resources<'_>, Option<&LineNotes>),
    ) -> Result<ShadedBatch> {
        let count = (self.unique.len() - first).min(LANES_OF_BATCH);
        let vertices = &self.unique[first..first + count];
        let mut row = [0; LANES_OF_BATCH];
        row[..count].copy_from_slice(vertices);
        runner.set(batch, (Slot::VertexIndex, 0), &row);
        runner.set(batch, (Slot::InstanceIndex, 0), &[instance; LANES_OF_BATCH]);
        for attribute in &self.attributes {
            let mut rows = [[0; LANES_OF_BATCH]; 4];
            for (lane, &vertex) in vertices.iter().enumerate() {
                let element = match attribute.step {
                    VertexStepMode::Vertex => vertex,
                    VertexStepMode::Instance => instance,
                };
                let numbers = attribute.fetch(element);
                for (row, number) in rows.iter_mut().zip(numbers) {
                    row[lane] = number;
                }
            }
            let slot = Slot::Location(attribute.location);
            for (component, row) in rows.iter().enumerate().take(attribute.components) {
                runner.set(batch, (slot, component), row);
            }
        }
        notes.into_iter().for_each(LineNotes::clear);
        runner.run(batch, u64::MAX >> (LANES_OF_BATCH - count), resources)?;
        let traced = self.traced.zip(notes);
        let noted = traced.filter(|(code, _)| code.program().count_of_buffers() > 0);
        let accesses = noted.map(|(_, notes)| (0..count).map(|vertex| notes.take(vertex)));
        Ok(ShadedBatch {
            accesses: accesses.into_iter().flatten().collect(),
            ..self.outputs(runner, batch, count)
        })
    }

    /// Paths of the vertices of a batch that has run, if they are wanted.
    fn paths(&self, batch: &Batch, count: usize) -> Vec<PathRecorder> {
        let Some(traced) = self.traced.filter(|traced| traced.program().branches()) else {
            return Vec::new();
        };
        let mut paths = traced.paths(batch, u64::MAX >> (LANES_OF_BATCH - count));
        paths.truncate(count);
        paths
    }

    fn outputs(&self, runner: &Runner<'_>, batch: &Batch, count: usize) -> ShadedBatch {
        let row = |slot: Slot, component: usize| {
            runner
                .output(batch, (slot, component))
                .unwrap_or([0; LANES_OF_BATCH])
        };
        let position = [0, 1, 2, 3].map(|k| row(Slot::Position, k));
        let clip = (0..count).map(|lane| {
            let [x, y, z, w] = [0, 1, 2, 3].map(|k: usize| f32::from_bits(position[k][lane]));
            // WebGPU's clip space points up.
            [x, -y, z, w]
        });
        let clip: Vec<[f32; 4]> = clip.collect();
        let rows = |links: &[Link]| -> Vec<[u32; LANES_OF_BATCH]> {
            links
                .iter()
                .map(|link| row(link.slot, link.component))
                .collect()
        };
        let pipeline = self.draw.pipeline;
        let (varyings, flats) = (rows(&pipeline.varyings), rows(&pipeline.flats));
        let mut batch = ShadedBatch {
            varyings: Vec::with_capacity(count * varyings.len()),
            flats: Vec::with_capacity(count * flats.len()),
            clip,
            paths: self.paths(batch, count),
            accesses: Vec::new(),
        };
        for lane in 0..count {
            for (link, row) in pipeline.varyings.iter().zip(&varyings) {
                let value = f32::from_bits(row[lane]);
                let value = if link.linear {
                    value * batch.clip[lane][3]
                } else {
                    value
                };
                batch.varyings.push(value);
            }
            batch.flats.extend(flats.iter().map(|row| row[lane]));
        }
        batch
    }
}

impl Attribute<'_> {
    /// Numbers of an element; zeros beyond the buffer.
    fn fetch(&self, element: u32) -> [u32; 4] {
        let at = (element as usize)
            .saturating_mul(self.stride)
            .saturating_add(self.first);
        let end = at.saturating_add(self.format.bytes());
        self.bytes
            .get(at..end)
            .map_or([0; 4], |bytes| self.format.decode(bytes))
    }
}
