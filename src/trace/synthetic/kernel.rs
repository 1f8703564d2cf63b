//! Compute passes whose cost follows from a formula.

use super::TexelPattern;
use crate::{
    BLOCK_BYTES, BufferAccesses, BufferInfo, DispatchTrace, FrameTrace, Instruction,
    InstructionClass, PathIdx, PathInterner, Program, ProgramId, Region, ShaderStage, TexelFormat,
    TextureIdx, TextureInfo,
};

/// A dispatch of workgroups that all run one program.
#[derive(Debug, Clone)]
pub struct Kernel {
    /// Shown to people.
    pub name: String,
    /// Instructions of an invocation.
    pub instructions: Vec<Instruction>,
    /// Tree over them, if the program branches.
    pub regions: Vec<Region>,
    /// Paths that quads take in turn through a program that branches, from the first workgroup on.
    pub paths: Vec<Vec<u8>>,
    /// Invocations of a workgroup.
    pub group_threads: u32,
    /// Workgroups.
    pub n_groups: u32,
    /// Blocks of a texture, and lines of a buffer, that instructions touch: [`TexelPattern::ScreenAligned`] is a word an
    /// invocation, one after the other.
    pub texels: TexelPattern,
}

impl Kernel {
    /// Two workgroups of 64 invocations that all touch one line.
    #[must_use]
    pub fn new(name: &str, instructions: Vec<Instruction>) -> Self {
        Self {
            name: name.to_owned(),
            instructions,
            regions: Vec::new(),
            paths: Vec::new(),
            group_threads: 64,
            n_groups: 2,
            texels: TexelPattern::SameBlock,
        }
    }

    /// A compute pass of the dispatch alone, to stand before a frame.
    #[must_use]
    pub fn pass(&self) -> FrameTrace {
        let program = Program {
            name: self.name.clone(),
            stage: ShaderStage::Compute,
            instructions: self.instructions.clone(),
            regions: self.regions.clone(),
        };
        let mut interner = PathInterner::default();
        let paths = self.paths.iter();
        let paths: Vec<PathIdx> = paths
            .map(|steps| interner.intern(ProgramId(0), steps))
            .collect();
        let (textures, buffers) = (
            program.count(InstructionClass::Texture),
            program.count_of_buffers(),
        );
        let mut dispatch = DispatchTrace {
            name: self.name.clone(),
            program: ProgramId(0),
            constant_bytes: 0,
            textures: vec![TextureIdx(0); textures],
            buffers: vec![0; buffers],
            group_threads: self.group_threads,
            n_groups: self.n_groups,
            paths: Vec::new(),
            block_counts: Vec::new(),
            blocks: Vec::new(),
            accesses: BufferAccesses::default(),
        };
        let mut next = [0; 2];
        for quad in 0..dispatch.n_quads() as usize {
            let taken = (!paths.is_empty()).then(|| quad % paths.len());
            dispatch.paths.extend(taken.map(|nth| paths[nth]));
            let executed = |is_counted: fn(InstructionClass) -> bool, all| match taken {
                Some(nth) => program.executed(&self.paths[nth], is_counted),
                None => all,
            };
            for _ in 0..executed(InstructionClass::is_texture, textures) {
                dispatch.block_counts.push(1);
                dispatch.blocks.push(self.touched(quad, &mut next[0]));
            }
            for _ in 0..executed(InstructionClass::accesses_buffer, buffers) {
                dispatch.accesses.push([self.touched(quad, &mut next[1])]);
            }
        }
        let n_lines = (dispatch.n_quads() as u32).div_ceil(4);
        self.frame(
            program,
            dispatch,
            [next[0].max(n_lines), next[1].max(n_lines)],
            interner,
        )
    }

    fn frame(
        &self,
        program: Program,
        dispatch: DispatchTrace,
        [n_blocks, n_lines]: [u32; 2],
        paths: PathInterner,
    ) -> FrameTrace {
        FrameTrace {
            textures: vec![TextureInfo {
                name: "texels".to_owned(),
                width: 4,
                height: 4 * n_blocks,
                n_levels: 1,
                format: TexelFormat::Rgba8,
                n_blocks,
            }],
            buffers: vec![BufferInfo {
                name: "data".to_owned(),
                bytes: BLOCK_BYTES * u64::from(n_lines),
                texture: None,
            }],
            programs: vec![program],
            paths: paths.finish(),
            ..FrameTrace::of_dispatches(self.name.clone(), 0, vec![dispatch])
        }
    }

    /// Block or line that an instruction of a quad touches; `next` is the first that none has touched.
    fn touched(&self, quad: usize, next: &mut u32) -> u32 {
        match self.texels {
            TexelPattern::SameBlock => 0,
            TexelPattern::AlwaysNew => {
                *next += 1;
                *next - 1
            }
            TexelPattern::ScreenAligned => quad as u32 / 4,
        }
    }
}
