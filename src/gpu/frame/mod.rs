//! A frame prepared for one machine: programs compiled, resources placed, lists turned around.

mod accesses;
mod merge;
mod paths;
mod programs;

use std::collections::BTreeMap;

pub(crate) use accesses::LineCursor;
use accesses::{AccessStarts, texels_of_dispatches};
pub(crate) use merge::{MAX_PATHS, MergedAccess, merge};
use paths::PathWork;
pub(crate) use paths::{ExecutionCounts, QuadCounts, path_works};
pub(crate) use programs::{
    FIXED_WAITS, Op, Pipe, ProgramShape, ProgramStore, Tree, WINDOW, add_list, between,
};

use crate::memory::{MemoryMap, NOBODY};
use azulejo_trace::{
    BufferAccesses, FrameTrace, Instruction, Program, ShaderStage, TextureIdx, TileTrace,
};

/// Read-only facts of the frame under way, for all units.
#[derive(Debug)]
pub(crate) struct PreparedFrame<'f> {
    pub(crate) trace: &'f FrameTrace,
    pub(crate) programs: ProgramStore,
    /// By path.
    pub(crate) path_works: Vec<PathWork>,
    sample_counts: ExecutionCounts,
    pub(crate) accesses: AccessStarts,
    texels_of_dispatches: Vec<Vec<LineCursor>>,
    /// Program of each draw's fragments.
    pub(crate) fragment_programs: Vec<u32>,
    /// A depth test by itself, where it runs in the shader.
    pub(crate) depth_test: Option<u32>,
    /// Draw by primitive number.
    pub(crate) draw_of_primitive: Vec<u32>,
    /// Address of each draw's first primitive's attributes.
    pub(crate) attribute_base: Vec<u64>,
    /// The end of the last draw's.
    attribute_end: u64,
    /// Number of each draw's first primitive.
    pub(crate) first_primitive: Vec<u32>,
    /// Addresses of buffers.
    buffers: Vec<u64>,
    /// Texture of every (draw, texture instruction), draws one after the other.
    sampled: Vec<PlacedTexture>,
    first_texture: Vec<u32>,
}

/// A texture in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PlacedTexture {
    /// Address of its first block.
    pub(crate) base: u64,
    /// Size of a block.
    pub(crate) block_bytes: u64,
}

impl<'f> PreparedFrame<'f> {
    pub(crate) fn new(trace: &'f FrameTrace, map: &MemoryMap) -> Self {
        let path_works = path_works(trace);
        let draw_of_primitive = trace.draw_of_primitive();
        let mut facts = Self {
            trace,
            sample_counts: ExecutionCounts::of_textures(trace, &path_works),
            accesses: AccessStarts::new(trace, &path_works, &draw_of_primitive),
            texels_of_dispatches: texels_of_dispatches(trace, &path_works),
            buffers: map.buffers.clone(),
            path_works,
            programs: ProgramStore::new(&trace.programs),
            fragment_programs: (trace.draws.iter())
                .map(|draw| draw.fragment_program.0)
                .collect(),
            depth_test: None,
            draw_of_primitive,
            attribute_base: Vec::with_capacity(trace.draws.len()),
            attribute_end: 0,
            first_primitive: Vec::with_capacity(trace.draws.len()),
            sampled: Vec::new(),
            first_texture: Vec::with_capacity(trace.draws.len()),
        };
        let (mut attributes, mut primitive) = (map.attributes, 0);
        for draw in &trace.draws {
            facts.attribute_base.push(attributes);
            facts.first_primitive.push(primitive);
            attributes += u64::from(draw.n_primitives) * draw.primitive_bytes();
            primitive += draw.n_primitives;
            facts.place_textures(&draw.textures, map);
        }
        for dispatch in &trace.dispatches {
            facts.place_textures(&dispatch.textures, map);
        }
        facts.attribute_end = attributes;
        facts
    }

    /// Places the textures of the next draw's or dispatch's texture instructions.
    fn place_textures(&mut self, textures: &[TextureIdx], map: &MemoryMap) {
        self.first_texture.push(self.sampled.len() as u32);
        let placed = textures.iter().map(|texture| PlacedTexture {
            base: map.textures[texture.0 as usize],
            block_bytes: self.trace.textures[texture.0 as usize].format.block_bytes(),
        });
        self.sampled.extend(placed);
    }

    /// Depth tests and blending run in the shader, `n` instructions each: in each draw's program, and a test by itself for
    /// warps of which it leaves nothing.
    pub(crate) fn add_operations(&mut self, n: u32) {
        if n == 0 {
            return;
        }
        let mut known = BTreeMap::new();
        let programs = &mut self.programs;
        let draws = self.trace.draws.iter().zip(&mut self.fragment_programs);
        for (draw, program) in draws {
            let state = draw.state;
            let before = u32::from(state.depth_test && !state.late_depth);
            let late = u32::from(state.depth_test && state.late_depth);
            let key = [*program, n * before, n * (late + u32::from(state.blend))];
            *program = *known.entry(key).or_insert_with(|| {
                let [program, before, behind] = key;
                let original = &self.trace.programs[program as usize];
                if original.branches() {
                    let tree = Tree {
                        program,
                        before,
                        behind,
                    };
                    return programs.add_tree(tree, original);
                }
                programs.add(&straight(between(before, &original.instructions, behind)))
            });
        }
        self.depth_test = Some(self.programs.add(&straight(between(n, &[], 0))));
    }

    /// The program of a draw's fragments.
    pub(crate) fn fragment_program(&self, draw: u32) -> &ProgramShape {
        let program = self.fragment_programs[draw as usize];
        &self.programs.programs[program as usize]
    }

    pub(crate) fn tile(&self, tile: u32) -> &'f TileTrace {
        &self.trace.tiles[tile as usize]
    }

    /// The draw with its attributes at `address`; for a line shared by two, the one at its beginning.
    pub(crate) fn draw_at(&self, address: u64) -> Option<u32> {
        let first = *self.attribute_base.first()?;
        if address >= self.attribute_end || address < first {
            return None;
        }
        let after = self.attribute_base.partition_point(|base| *base <= address);
        Some(after as u32 - 1)
    }

    /// The texture that texture instruction `instruction` of the draw samples.
    pub(crate) fn texture(&self, draw: u32, instruction: usize) -> PlacedTexture {
        self.sampled[self.first_texture[draw as usize] as usize + instruction]
    }

    /// Address of the buffer that access `number` of a warp's program goes to: of a tile's quads, or, without a tile, of a draw's
    /// vertices or a dispatch's quads.
    pub(crate) fn buffer(&self, (tile, draw): (u32, u32), number: u32) -> u64 {
        let draw = draw as usize;
        let buffers = match self.trace.dispatches.get(draw) {
            Some(dispatch) => &dispatch.buffers,
            None if tile == NOBODY => &self.trace.draws[draw].vertex_buffers,
            None => &self.trace.draws[draw].fragment_buffers,
        };
        self.buffers[buffers[number as usize] as usize]
    }

    /// Lines that a warp's threads access, likewise.
    pub(crate) fn lines(&self, (tile, draw): (u32, u32)) -> &'f BufferAccesses {
        let draw = draw as usize;
        match self.trace.dispatches.get(draw) {
            Some(dispatch) => &dispatch.accesses,
            None if tile == NOBODY => &self.trace.draws[draw].vertex_accesses,
            None => &self.tile(tile).accesses,
        }
    }

    /// Counts and blocks of the texture instructions of a tile's quads, or, without a tile, of a dispatch's.
    pub(crate) fn texels(&self, (tile, draw): (u32, u32)) -> (&'f [u8], &'f [u32]) {
        if tile == NOBODY {
            let dispatch = &self.trace.dispatches[draw as usize];
            return (&dispatch.block_counts, &dispatch.blocks);
        }
        let tile = self.tile(tile);
        (&tile.block_counts, &tile.blocks)
    }

    /// Cursor to the first texture instruction of a dispatch's quad.
    pub(crate) fn texels_of_dispatch(&self, dispatch: u32, quad: u32) -> LineCursor {
        let texels = &self.texels_of_dispatches[dispatch as usize];
        texels.get(quad as usize).copied().unwrap_or_default()
    }

    /// Texture instructions of the draw's quads.
    pub(crate) fn quad_counts(&self, draw: u32) -> QuadCounts<'_> {
        self.sample_counts.of_draw(draw)
    }

    /// Address and size of a primitive's attributes in the Parameter Buffer.
    pub(crate) fn attributes(&self, primitive: u32) -> (u64, u64) {
        let draw = self.draw_of_primitive[primitive as usize] as usize;
        let bytes = self.trace.draws[draw].primitive_bytes();
        let nth = u64::from(primitive - self.first_primitive[draw]);
        (self.attribute_base[draw] + nth * bytes, bytes)
    }
}

/// A fragment program of a list.
fn straight(instructions: Vec<Instruction>) -> Program {
    Program {
        name: String::new(),
        stage: ShaderStage::Fragment,
        instructions,
        regions: Vec::new(),
    }
}
