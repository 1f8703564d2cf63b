//! Submission of a driver for a frame, as the hardware model sees it: everything in a
//! [`FrameTrace`](azulejo_trace::FrameTrace) that is not a tile.

use std::collections::HashMap;

use crate::geometry::Chunk;
use crate::identity::StateBytes;
use crate::raster::FragmentMode;
use crate::shading::{Behind, FragmentProgram};
use crate::{Draw, DrawList};
use azulejo_record::{Table, Tape, TapeInstruction, Unit};
use azulejo_scene::{Primitive, TextureImage};
use azulejo_trace::{
    Assembled, BufferAccesses, BufferInfo, DrawTrace, FixedFunction, IndexFetch, Instruction,
    InstructionClass, Program, ProgramId, Region, ShaderStage, TEXELS_PER_BLOCK, TexelFormat,
    TextureIdx, TextureInfo, VertexStream,
};

/// Resources, programs and draws of a frame.
#[derive(Debug, Default)]
pub(super) struct Submission {
    /// Images in their order, then the environment if there is one, then other tables that programs read.
    pub(super) textures: Vec<TextureInfo>,
    /// Two for each primitive that is drawn: vertices and indices.
    pub(super) buffers: Vec<BufferInfo>,
    /// Each distinct program once.
    pub(super) programs: Vec<Program>,
    /// Draws in submission order.
    pub(super) draws: Vec<DrawTrace>,
}

/// Collects a [`Submission`]; programs, buffers and tables that occur again keep their number.
struct Collector<'a> {
    submission: Submission,
    programs: HashMap<Program, ProgramId>,
    /// Vertex buffers by address of the primitive: one that is drawn twice lies in memory once.
    buffers: HashMap<*const Primitive, u32>,
    other_tables: HashMap<Option<Table>, TextureIdx>,
    /// Constants that each pair of programs read last.
    constants: HashMap<(ProgramId, ProgramId), &'a [u8]>,
}

impl Submission {
    /// Submission of draws after geometry; `states` are their bytes, and `chunks` are theirs, in program order.
    pub(super) fn new<'a, P: FragmentProgram>(
        list: &'a DrawList<'_, P>,
        states: &'a [StateBytes],
        chunks: &[Chunk],
    ) -> Self {
        let submission = Self {
            textures: textures(list),
            ..Self::default()
        };
        let mut collector = Collector {
            submission,
            programs: HashMap::new(),
            buffers: HashMap::new(),
            other_tables: HashMap::new(),
            constants: HashMap::new(),
        };
        let mut rest = chunks;
        for (number, (draw, state)) in list.draws.iter().zip(states).enumerate() {
            let own = rest
                .iter()
                .take_while(|chunk| chunk.draw as usize == number)
                .count();
            let (chunks, tail) = rest.split_at(own);
            rest = tail;
            collector.add(draw, &list.record(draw), state, chunks);
        }
        collector.submission
    }
}

/// The textures of a frame, by their numbers.
fn textures<P>(list: &DrawList<'_, P>) -> Vec<TextureInfo> {
    let set = &list.textures;
    let images = set.images.iter().map(|image| {
        let (format, n_blocks) = stored(image);
        TextureInfo {
            name: image.name.clone(),
            width: image.levels.first().map_or(0, |level| level.width),
            height: image.levels.first().map_or(0, |level| level.height),
            n_levels: image.levels.len() as u32,
            format,
            n_blocks,
        }
    });
    let environment = set.environment.map(|environment| TextureInfo {
        name: "environment".to_owned(),
        width: environment.size,
        height: environment.size,
        n_levels: environment.levels().len() as u32,
        format: TexelFormat::Rgb9E5,
        n_blocks: n_blocks(environment.footprints().len()),
    });
    let behind = list.behind.iter().map(|pass| texture_behind(&pass.target));
    images.chain(environment).chain(behind).collect()
}

/// The texture that the pass behind draws to.
pub(super) fn texture_behind(target: &Behind) -> TextureInfo {
    let [width, height] = target.size();
    TextureInfo {
        name: "behind".to_owned(),
        width,
        height,
        n_levels: target.levels.len() as u32,
        format: TexelFormat::Rgb9E5,
        n_blocks: n_blocks(target.n_words),
    }
}

/// Format in which a GPU stores an image, and the number of its blocks.
fn stored(image: &TextureImage) -> (TexelFormat, u32) {
    let Some(layout) = image.block_layout() else {
        return (TexelFormat::Rgba8, n_blocks(image.texels().len()));
    };
    let shape = layout.shape();
    let [width, height, bytes] = [shape.width, shape.height, shape.bytes].map(|size| size as u8);
    let format = TexelFormat::Blocks {
        width,
        height,
        bytes,
    };
    (format, layout.n_blocks())
}

/// Bytes of the words of `now` that are not in the same place of `before`.
fn changed_bytes(before: &[u8], now: &[u8]) -> usize {
    let words = now.chunks(WORD).enumerate();
    let changed =
        words.filter(|(at, word)| before.get(at * WORD..at * WORD + word.len()) != Some(word));
    changed.map(|(_, word)| word.len()).sum()
}

/// Bytes of a constant's component.
const WORD: usize = 4;

/// 64-byte blocks that 32-bit words fill.
fn n_blocks(words: usize) -> u32 {
    (words as u32).div_ceil(TEXELS_PER_BLOCK)
}

impl<'a> Collector<'a> {
    fn add<P: FragmentProgram>(
        &mut self,
        draw: &Draw<'_, P>,
        fragment_tape: &Tape,
        state: &'a StateBytes,
        chunks: &[Chunk],
    ) {
        let vertex_tape = draw.vertex_program().record();
        let vertex_id = self.program(
            format!("vertices of {}", draw.name),
            ShaderStage::Vertex,
            (&vertex_tape, &[]),
        );
        let regions = draw.program.code().map_or(&[][..], |code| code.regions());
        let fragment_id = self.program(
            format!("fragments of {}", draw.name),
            ShaderStage::Fragment,
            (fragment_tape, regions),
        );
        let buffer = self.buffers_of(draw);
        let (vertices, mut assembled) = vertex_order(draw.primitive);
        let mut counters = azulejo_trace::GeometryCounters::default();
        for chunk in chunks {
            counters += chunk.counters;
            let first = chunk.first_index / draw.primitive.topology.vertices();
            for (assembled, &binned) in assembled[first..].iter_mut().zip(&chunk.binned_of) {
                assembled.binned = binned;
            }
        }
        counters.vertices_shaded = vertices.len() as u64;
        let depth = draw.mode.depth(draw.depth);
        let constants = state.constants.as_slice();
        let before = self.constants.insert((vertex_id, fragment_id), constants);
        let textures = fragment_tape.sampled().map(|table| self.texture(table));
        let textures = textures.collect();
        self.submission.draws.push(DrawTrace {
            name: draw.name.to_string(),
            vertex_program: vertex_id,
            fragment_program: fragment_id,
            constant_bytes: constants.len() as u32,
            set_constant_bytes: changed_bytes(before.unwrap_or_default(), constants) as u32,
            constant_digest: crc32fast::hash(constants),
            state: FixedFunction {
                depth_test: depth.test,
                depth_write: depth.write,
                late_depth: draw.mode == FragmentMode::Masked,
                blend: draw.mode == FragmentMode::Blended,
            },
            textures,
            indices: Some(IndexFetch {
                buffer: buffer + 1,
                offset: 0,
                bytes_per_index: bytes_per_index(draw.primitive),
                count: draw.primitive.indices.len() as u32,
            }),
            vertex_streams: vertex_streams(draw.primitive, buffer),
            vertices,
            instances: 1,
            vertex_paths: Vec::new(),
            vertex_buffers: Vec::new(),
            fragment_buffers: Vec::new(),
            vertex_accesses: BufferAccesses::default(),
            assembled,
            n_primitives: counters.primitives_binned as u32,
            n_attributes: draw.program.varyings().attributes() as u8,
            counters,
        });
    }

    /// Number of the texture that an instruction samples. Tables beside the frame's textures are textures of one row; an
    /// instruction that samples no memory has an empty one.
    fn texture(&mut self, table: Option<Table>) -> TextureIdx {
        let len = match table {
            Some(Table::Known(at)) => return TextureIdx(at),
            Some(Table::Other { len, .. }) => len,
            None => 0,
        };
        let textures = &mut self.submission.textures;
        *self.other_tables.entry(table).or_insert_with(|| {
            textures.push(TextureInfo {
                name: format!("table of {len} words"),
                width: len,
                height: 1,
                n_levels: 1,
                format: TexelFormat::Rgba8,
                n_blocks: n_blocks(len as usize),
            });
            TextureIdx(textures.len() as u32 - 1)
        })
    }

    fn program(
        &mut self,
        name: String,
        stage: ShaderStage,
        (tape, regions): (&Tape, &[Region]),
    ) -> ProgramId {
        let instructions = tape.instructions.iter().map(instruction).collect();
        // The name is the first user's and no part of the program's identity.
        let key = Program {
            name: String::new(),
            stage,
            instructions,
            regions: regions.to_vec(),
        };
        let next = ProgramId(self.submission.programs.len() as u32);
        let id = *self.programs.entry(key.clone()).or_insert(next);
        if id == next {
            self.submission.programs.push(Program { name, ..key });
        }
        id
    }

    /// Number of the draw's vertex buffer; its index buffer is the next.
    fn buffers_of<P>(&mut self, draw: &Draw<'_, P>) -> u32 {
        let next = self.submission.buffers.len() as u32;
        let number = *self
            .buffers
            .entry(std::ptr::from_ref(draw.primitive))
            .or_insert(next);
        if number == next {
            let vertex_bytes: u32 = stream_bytes(draw.primitive).iter().sum();
            let sizes = [
                (
                    "vertices",
                    u64::from(vertex_bytes) * draw.primitive.positions.len() as u64,
                ),
                (
                    "indices",
                    u64::from(bytes_per_index(draw.primitive))
                        * draw.primitive.indices.len() as u64,
                ),
            ];
            let infos = sizes.map(|(kind, bytes)| BufferInfo {
                name: format!("{kind} of {}", draw.name),
                bytes,
                texture: None,
            });
            self.submission.buffers.extend(infos);
        }
        number
    }
}

fn instruction(recorded: &TapeInstruction) -> Instruction {
    let class = match recorded.unit {
        Unit::Alu => InstructionClass::Alu,
        Unit::Transcendental => InstructionClass::Transcendental,
        Unit::Texture => InstructionClass::Texture,
        Unit::Varying => InstructionClass::Varying,
        Unit::Attribute => InstructionClass::Attribute,
        Unit::Output => InstructionClass::Output,
    };
    Instruction::new(class, &recorded.sources)
}

/// Vertices in the order of their first use, and for each primitive how many of them it had to wait for.
///
/// A vertex is shaded once however often it is used: the reuse of a cache that forgets nothing within a draw.
fn vertex_order(primitive: &Primitive) -> (Vec<u32>, Vec<Assembled>) {
    let mut seen = vec![false; primitive.positions.len()];
    let mut vertices = Vec::new();
    let assembled = primitive
        .indices
        .chunks_exact(primitive.topology.vertices())
        .map(|indices| {
            let before = vertices.len();
            for &index in indices {
                if !std::mem::replace(&mut seen[index as usize], true) {
                    vertices.push(index);
                }
            }
            Assembled {
                new_vertices: (vertices.len() - before) as u8,
                binned: 0,
            }
        });
    let assembled = assembled.collect();
    (vertices, assembled)
}

/// Bytes a vertex of each stream that a primitive has, as an engine would store them.
fn stream_bytes(primitive: &Primitive) -> Vec<u32> {
    let mut bytes = vec![12];
    let mut add = |present: bool, size: u32| bytes.extend(present.then_some(size));
    add(!primitive.normals.is_empty(), 12);
    add(!primitive.tangents.is_empty(), 16);
    for _ in &primitive.tex_coords {
        add(true, 8);
    }
    add(!primitive.colors.is_empty(), 16);
    for _ in &primitive.joints {
        add(true, 8);
        add(true, 16);
    }
    bytes
}

/// The streams one behind the other in the primitive's vertex buffer.
fn vertex_streams(primitive: &Primitive, buffer: u32) -> Vec<VertexStream> {
    let mut offset = 0;
    let streams = stream_bytes(primitive).into_iter().map(|bytes| {
        let stream = VertexStream {
            buffer,
            offset,
            stride: bytes,
            bytes,
            per_instance: false,
        };
        offset += u64::from(bytes) * primitive.positions.len() as u64;
        stream
    });
    streams.collect()
}

fn bytes_per_index(primitive: &Primitive) -> u32 {
    if primitive.positions.len() <= 1 << 16 {
        2
    } else {
        4
    }
}
