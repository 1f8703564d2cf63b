//! Submission of a pass, as the hardware model sees it: resources, programs and draws of a trace.

use std::collections::HashMap;
use std::hash::BuildHasher;
use std::sync::Arc;

use azulejo_shader::{ImageAccess, Op, TracedCode};
use azulejo_trace::{
    ATTRIBUTE_BYTES, BufferInfo, DrawTrace, FixedFunction, GeometryCounters, IndexFetch,
    PathInterner, Program, ProgramId, ShaderStage, TextureIdx, TextureInfo, VertexStream,
};
use foldhash::quality::FixedState;
use wgpu_types::VertexStepMode;

use crate::assembled::vertices;
use crate::bind::Bound;
use crate::blocks::TexelBlocks;
use crate::error::{Result, fault};
use crate::memory::{BufferId, Memory, TextureId};
use crate::observe::{Signature, TracedDraw, TracedPipeline};
use crate::pass::{PassDraw, RenderPass};
use crate::pipeline::{RenderPipeline, Tests};
use crate::run::{Binned, Prepared};

/// Programs that note their paths, by draw.
pub(crate) fn traced_pipelines(pass: &RenderPass<'_>) -> Result<Vec<Arc<TracedPipeline>>> {
    let mut known: HashMap<*const RenderPipeline, Arc<TracedPipeline>> = HashMap::new();
    let mut found = Vec::new();
    for (number, draw) in pass.draws.iter().enumerate() {
        let key = std::ptr::from_ref(draw.pipeline);
        if let Some(traced) = known.get(&key) {
            found.push(Arc::clone(traced));
            continue;
        }
        let spec = &draw.pipeline.spec;
        let vertex = TracedCode::new(&spec.vertex);
        let instructions = &vertex.code().instructions;
        if instructions
            .iter()
            .any(|one| matches!(one.op, Op::Image(_)))
        {
            return Err(fault!(
                "draw {number} (`{}`): a vertex program that accesses a texture; a trace has none such",
                spec.vertex.entry
            ));
        }
        let traced = Arc::new(TracedPipeline {
            vertex,
            fragment: spec.fragment.as_ref().map(TracedCode::new),
            digest: FixedState::default().hash_one(format!("{spec:?}")),
        });
        known.insert(key, Arc::clone(&traced));
        found.push(traced);
    }
    Ok(found)
}

/// Resources, programs and draws of a pass.
#[derive(Debug, Default)]
pub(crate) struct Resources {
    pub(crate) textures: Vec<TextureInfo>,
    pub(crate) buffers: Vec<BufferInfo>,
    pub(crate) programs: Vec<Program>,
    pub(crate) draws: Vec<DrawTrace>,
}

/// Collects them; what occurs again keeps its number.
#[derive(Debug)]
pub(crate) struct Submission<'m> {
    memory: &'m Memory,
    /// Number of the frame.
    frame: u64,
    resources: Resources,
    textures: HashMap<(TextureId, bool), TextureIdx>,
    buffers: HashMap<BufferId, u32>,
    /// Buffers that are textures' storage.
    storages: HashMap<TextureIdx, u32>,
    programs: HashMap<Program, ProgramId>,
    /// Constants that each pair of programs read last.
    constants: HashMap<(ProgramId, ProgramId), Vec<u32>>,
    /// Digests of textures' contents.
    contents: HashMap<TextureId, u64>,
    traced: Vec<TracedDraw>,
}

impl<'m> Submission<'m> {
    pub(crate) fn new(memory: &'m Memory, frame: u64) -> Self {
        Self {
            memory,
            frame,
            resources: Resources::default(),
            textures: HashMap::new(),
            buffers: HashMap::new(),
            storages: HashMap::new(),
            programs: HashMap::new(),
            constants: HashMap::new(),
            contents: HashMap::new(),
            traced: Vec::new(),
        }
    }

    pub(crate) fn finish(self) -> (Resources, Vec<TracedDraw>) {
        (self.resources, self.traced)
    }

    /// Number of a texture, or of a plane of it, and its blocks.
    pub(crate) fn texture(
        &mut self,
        texture: TextureId,
        is_stencil: bool,
    ) -> Result<(TextureIdx, TexelBlocks)> {
        let found = self.memory.texels(texture)?;
        let blocks = TexelBlocks::new(&found.spec, found.format.plane_bytes(is_stencil));
        let name = match (found.format.depth_stencil(), is_stencil) {
            ([true, true], true) => format!("{}, stencil", self.memory.name(texture)?),
            ([true, true], false) => format!("{}, depth", self.memory.name(texture)?),
            _ => self.memory.name(texture)?,
        };
        let next = TextureIdx(self.resources.textures.len() as u32);
        let number = *self.textures.entry((texture, is_stencil)).or_insert(next);
        if number == next {
            self.resources.textures.push(TextureInfo {
                name,
                width: found.spec.size.width,
                height: found.spec.size.height,
                n_levels: found.spec.mips,
                format: blocks.format,
                n_blocks: blocks.n_blocks,
            });
        }
        Ok((number, blocks))
    }

    pub(crate) fn buffer(&mut self, buffer: BufferId) -> Result<u32> {
        let bytes = self.memory.read_buffer(buffer)?.len() as u64;
        let next = self.resources.buffers.len() as u32;
        let number = *self.buffers.entry(buffer).or_insert(next);
        if number == next {
            self.resources.buffers.push(BufferInfo {
                name: format!("buffer {}", buffer.0),
                bytes,
                texture: None,
            });
        }
        Ok(number)
    }

    /// Buffer that is the storage of a texture, or of a plane of it, and its blocks, which are lines.
    pub(crate) fn storage(
        &mut self,
        texture: TextureId,
        is_stencil: bool,
    ) -> Result<(u32, TexelBlocks)> {
        let (number, blocks) = self.texture(texture, is_stencil)?;
        let next = self.resources.buffers.len() as u32;
        let buffer = *self.storages.entry(number).or_insert(next);
        if buffer == next {
            let info = &self.resources.textures[number.0 as usize];
            self.resources.buffers.push(BufferInfo {
                name: info.name.clone(),
                bytes: info.bytes(),
                texture: Some(number),
            });
        }
        Ok((buffer, blocks))
    }

    /// Number of a program; one of another name is the same.
    pub(crate) fn program(&mut self, program: &Program) -> ProgramId {
        let key = Program {
            name: String::new(),
            ..program.clone()
        };
        let next = ProgramId(self.resources.programs.len() as u32);
        let number = *self.programs.entry(key).or_insert(next);
        if number == next {
            self.resources.programs.push(program.clone());
        }
        number
    }

    /// Adds the next draw of a pass.
    pub(crate) fn add(
        &mut self,
        binned: &Binned<'_>,
        (number, pipeline): (usize, Arc<TracedPipeline>),
        paths: &mut PathInterner,
    ) -> Result<()> {
        let prepared = &binned.draws[number];
        let draw = prepared.draw;
        let vertex_program = self.program(pipeline.vertex.program());
        let fragment_program = match &pipeline.fragment {
            Some(code) => self.program(code.program()),
            None => self.program(&no_program()),
        };
        let fragment = pipeline.fragment.as_ref().zip(prepared.fragment.as_ref());
        let (textures, noted) = match fragment {
            Some((code, bound)) => self.sampled(code, bound)?,
            None => Default::default(),
        };
        let programs = (vertex_program, fragment_program);
        let constants = constants(self.memory, prepared, &pipeline)?;
        let set = self.set_constants(programs, &constants);
        let counters = counters(binned, number);
        let ran = vertices(binned, number, |steps| paths.intern(vertex_program, steps));
        let digest = self.digest(prepared, &pipeline)?;
        let fragment_buffers = match fragment {
            Some((code, bound)) => self.accessed(code, bound)?,
            None => Vec::new(),
        };
        self.traced.push(TracedDraw {
            program: fragment_program,
            n_textures: textures.len(),
            accesses: !fragment_buffers.is_empty(),
            noted,
            blends: blends(draw.pipeline),
            digest,
            pipeline: Arc::clone(&pipeline),
        });
        let trace = DrawTrace {
            name: name(draw),
            vertex_program,
            fragment_program,
            constant_bytes: 4 * (constants.len() + pipeline.constant_words()) as u32,
            set_constant_bytes: set,
            constant_digest: crc32fast::hash(bytemuck::cast_slice(&constants)),
            state: state(draw.pipeline),
            textures,
            vertex_buffers: self.accessed(&pipeline.vertex, &prepared.vertex)?,
            fragment_buffers,
            indices: self.indices(draw, ran.assembled.len())?,
            vertex_streams: self.vertex_streams(draw)?,
            vertices: ran.vertices,
            instances: draw.instances.len().max(1) as u32,
            vertex_paths: ran.paths,
            vertex_accesses: ran.accesses,
            assembled: ran.assembled,
            n_primitives: counters.primitives_binned as u32,
            n_attributes: n_attributes(draw.pipeline),
            counters,
        };
        self.resources.draws.push(trace);
        Ok(())
    }

    /// Textures of a program's texture instructions, and which images of the code these are.
    pub(crate) fn sampled(
        &mut self,
        code: &TracedCode,
        bound: &Bound,
    ) -> Result<(Vec<TextureIdx>, Vec<bool>)> {
        let code = code.code();
        let (mut textures, mut noted) = (Vec::new(), vec![false; code.images.len()]);
        for instruction in &code.instructions {
            let Op::Image(image) = instruction.op else {
                continue;
            };
            if code.images[image as usize].access == ImageAccess::Store {
                continue;
            }
            noted[image as usize] = true;
            let view = bound.view(code.images[image as usize].texture);
            let view = view.ok_or_else(|| fault!("image {image}: no texture"))?;
            let is_stencil = view.is_stencil && view.format.depth_stencil()[0];
            textures.push(self.texture(view.texture, is_stencil)?.0);
        }
        Ok((textures, noted))
    }

    /// Buffers that a program's loads, stores and atomics access.
    pub(crate) fn accessed(&mut self, code: &TracedCode, bound: &Bound) -> Result<Vec<u32>> {
        let buffers =
            code.accessed().map(
                |position| match (bound.buffer(position), bound.view(position)) {
                    (Some(buffer), _) => self.buffer(buffer),
                    (None, Some(view)) => Ok(self.storage(view.texture, false)?.0),
                    (None, None) => Err(fault!("binding {position}: no buffer")),
                },
            );
        buffers.collect()
    }

    /// Bytes of the constants that differ from what the same programs read last.
    fn set_constants(&mut self, programs: (ProgramId, ProgramId), constants: &[u32]) -> u32 {
        let before = self.constants.insert(programs, constants.to_vec());
        let before = before.unwrap_or_default();
        let words = constants.iter().enumerate();
        let changed = words.filter(|(at, word)| before.get(*at) != Some(word));
        4 * changed.count() as u32
    }

    /// The index array of a draw; a strip that restarts more often than it has primitives counts no more indices than these.
    fn indices(&mut self, draw: &PassDraw<'_>, n_primitives: usize) -> Result<Option<IndexFetch>> {
        let Some(indices) = draw.indices else {
            return Ok(None);
        };
        let size = indices.format.byte_size();
        Ok(Some(IndexFetch {
            buffer: self.buffer(indices.buffer)?,
            offset: indices.offset + u64::from(draw.elements.start) * u64::from(size),
            bytes_per_index: size,
            count: (draw.elements.len() as u32).min(3 * n_primitives as u32 + 2),
        }))
    }

    /// One stream for each vertex buffer that the vertex program reads: from its first attribute to the end of its last.
    fn vertex_streams(&mut self, draw: &PassDraw<'_>) -> Result<Vec<VertexStream>> {
        let spec = &draw.pipeline.spec;
        let reads = |location: u32| {
            let mut inputs = spec.vertex.inputs.iter();
            inputs.any(|input| input.slot == azulejo_shader::Slot::Location(location))
        };
        let mut streams = Vec::new();
        for (layout, bound) in spec.buffers.iter().zip(&draw.vertex_buffers) {
            let attributes = layout.attributes.iter();
            let attributes = attributes.filter(|attribute| reads(attribute.shader_location));
            let spans = attributes.map(|a| (a.offset, a.offset + a.format.size()));
            let span = spans.reduce(|all, span| (all.0.min(span.0), all.1.max(span.1)));
            let (Some((first, end)), Some((buffer, offset))) = (span, bound) else {
                continue;
            };
            let per_instance = layout.step == VertexStepMode::Instance;
            let element = if per_instance {
                draw.instances.start
            } else {
                0
            };
            streams.push(VertexStream {
                buffer: self.buffer(*buffer)?,
                offset: offset + first + u64::from(element) * layout.stride,
                stride: layout.stride as u32,
                bytes: (end - first) as u32,
                per_instance,
            });
        }
        Ok(streams)
    }

    /// Digest of all that a draw's fragments come from beside its triangles: programs, state, constants, and the contents
    /// of its textures.
    fn digest(&mut self, prepared: &Prepared<'_>, pipeline: &TracedPipeline) -> Result<u64> {
        let draw = prepared.draw;
        let mut signature = Signature::default();
        signature.add(&pipeline.digest.to_le_bytes());
        let set = (
            prepared.viewport,
            draw.scissor,
            draw.blend_constant,
            draw.stencil_reference,
        );
        signature.add(format!("{set:?}").as_bytes());
        let (Some(code), Some(bound)) = (&pipeline.fragment, &prepared.fragment) else {
            return Ok(signature.wide());
        };
        for (_, words) in bound.constants(self.memory, code.code())? {
            signature.add(bytemuck::cast_slice(words));
        }
        signature.add(bound.describe().as_bytes());
        for words in bound.read_storage(self.memory, code.code()) {
            signature.add(bytemuck::cast_slice(words?));
        }
        if bound.writes() {
            // Left out, a tile would leave memory unchanged that its programs change.
            signature.add(&self.frame.to_le_bytes());
        }
        for texture in bound.textures() {
            let digest = match self.contents.get(&texture) {
                Some(digest) => *digest,
                None => self.memory.digest(texture)?,
            };
            self.contents.insert(texture, digest);
            signature.add(&digest.to_le_bytes());
        }
        Ok(signature.wide())
    }
}

/// Words that both programs read of uniform buffers, those of a binding once.
fn constants(
    memory: &Memory,
    prepared: &Prepared<'_>,
    pipeline: &TracedPipeline,
) -> Result<Vec<u32>> {
    let mut found = prepared.vertex.constants(memory, pipeline.vertex.code())?;
    let fragment = pipeline.fragment.as_ref().zip(prepared.fragment.as_ref());
    if let Some((code, bound)) = fragment {
        let known: Vec<(u32, u32)> = found.iter().map(|(place, _)| *place).collect();
        let more = bound.constants(memory, code.code())?.into_iter();
        found.extend(more.filter(|(place, _)| !known.contains(place)));
    }
    found.sort_by_key(|(place, _)| *place);
    Ok(found
        .into_iter()
        .flat_map(|(_, words)| words)
        .copied()
        .collect())
}

/// Program of draws that write depth and stencil alone: nothing runs it.
fn no_program() -> Program {
    Program {
        name: "none".to_owned(),
        stage: ShaderStage::Fragment,
        instructions: Vec::new(),
        regions: Vec::new(),
    }
}

fn name(draw: &PassDraw<'_>) -> String {
    let spec = &draw.pipeline.spec;
    match &spec.fragment {
        Some(fragment) => format!("{}, {}", spec.vertex.entry, fragment.entry),
        None => spec.vertex.entry.clone(),
    }
}

fn blends(pipeline: &RenderPipeline) -> bool {
    let mut targets = pipeline.spec.targets.iter().flatten();
    targets.any(|target| target.blend.is_some())
}

fn state(pipeline: &RenderPipeline) -> FixedFunction {
    let state = pipeline.spec.depth_stencil.as_ref();
    FixedFunction {
        depth_test: state.is_some(),
        depth_write: state.is_some_and(|state| state.depth_write_enabled == Some(true)),
        late_depth: state.is_some() && pipeline.tests == Tests::Late,
        blend: blends(pipeline),
    }
}

/// Attributes of a triangle: its position, and each location that is handed to fragments.
fn n_attributes(pipeline: &RenderPipeline) -> u8 {
    let links = pipeline.varyings.iter().chain(&pipeline.flats);
    let mut slots: Vec<_> = Vec::new();
    for link in links {
        if !slots.contains(&link.slot) {
            slots.push(link.slot);
        }
    }
    1 + slots.len() as u8
}

fn counters(binned: &Binned<'_>, draw: usize) -> GeometryCounters {
    let mut sum = GeometryCounters::default();
    let own = binned
        .chunks
        .iter()
        .filter(|chunk| chunk.draw as usize == draw);
    for chunk in own {
        sum += chunk.counters;
    }
    let prepared = &binned.draws[draw];
    sum.vertices_shaded = prepared.geometry.n_vertices();
    let attributes = u64::from(n_attributes(prepared.draw.pipeline));
    sum.parameter_buffer_bytes = sum.primitives_binned * attributes * ATTRIBUTE_BYTES;
    sum
}
