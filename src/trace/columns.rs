//! Facts of thread groups in columns: quads of a tile or of a dispatch, vertices of a draw. Each group takes its own part, as
//! its program and its path say.

use super::invalid::{InvalidTrace, require};
use super::path_check::FramePaths;
use super::{BLOCK_BYTES, BufferAccesses, FrameTrace, PathIdx, ProgramId, TextureIdx};

/// Parts of memory that instructions touch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Blocks of textures.
    Block,
    /// Lines of buffers.
    Line,
}

impl Kind {
    const fn name(self) -> &'static str {
        match self {
            Self::Block => "block",
            Self::Line => "line",
        }
    }
}

/// Blocks or lines of all executions.
struct Touched<'t> {
    kind: Kind,
    counts: std::slice::Iter<'t, u8>,
    numbers: std::slice::Iter<'t, u32>,
}

impl<'t> Touched<'t> {
    fn new(
        kind: Kind,
        (counts, numbers): (&'t [u8], &'t [u32]),
        element: &impl Fn() -> String,
    ) -> Result<Self, InvalidTrace> {
        let counted: u64 = counts.iter().map(|&n| u64::from(n)).sum();
        require(counted == numbers.len() as u64, element, || {
            format!("{} {}s, {counted} counted", numbers.len(), kind.name())
        })?;
        Ok(Self {
            kind,
            counts: counts.iter(),
            numbers: numbers.iter(),
        })
    }

    /// Checks that there are so many executions.
    fn require(&self, needed: u64, element: &impl Fn() -> String) -> Result<(), InvalidTrace> {
        let there = needed <= self.counts.len() as u64;
        require(there, element, || {
            format!("{} counts are missing", self.kind.name())
        })
    }

    /// Takes the next execution, which touches a resource that has so many.
    fn take(
        &mut self,
        (resource, n): (u32, u64),
        element: &impl Fn() -> String,
    ) -> Result<(), InvalidTrace> {
        let count = self.counts.next().copied().unwrap_or_default();
        let mut touched = self.numbers.by_ref().take(usize::from(count));
        require(touched.all(|&one| u64::from(one) < n), element, || {
            let of = match self.kind {
                Kind::Block => "texture",
                Kind::Line => "buffer",
            };
            format!("a {} beyond the {n} of {of} {resource}", self.kind.name())
        })
    }

    fn finish(&mut self, element: &impl Fn() -> String) -> Result<(), InvalidTrace> {
        let is_done = self.counts.next().is_none() && self.numbers.next().is_none();
        require(is_done, element, || match self.kind {
            Kind::Block => "blocks of no texture instruction".to_owned(),
            Kind::Line => "lines of no instruction that accesses a buffer".to_owned(),
        })
    }
}

/// A program with what its texture instructions and its accesses to buffers are bound to.
pub(super) struct Bound<'d> {
    pub(super) program: ProgramId,
    pub(super) textures: &'d [TextureIdx],
    pub(super) buffers: &'d [u32],
}

/// Columns that thread groups take their own part of.
pub(super) struct Columns<'t> {
    blocks: Touched<'t>,
    lines: Touched<'t>,
    paths: std::slice::Iter<'t, PathIdx>,
}

impl<'t> Columns<'t> {
    /// Counts and blocks of textures, lines of buffers, paths.
    pub(super) fn new(
        blocks: (&'t [u8], &'t [u32]),
        lines: &'t BufferAccesses,
        paths: &'t [PathIdx],
        element: &impl Fn() -> String,
    ) -> Result<Self, InvalidTrace> {
        Ok(Self {
            blocks: Touched::new(Kind::Block, blocks, element)?,
            lines: Touched::new(Kind::Line, (&lines.counts, &lines.lines), element)?,
            paths: paths.iter(),
        })
    }

    /// Checks that nothing is left over.
    pub(super) fn finish(mut self, element: &impl Fn() -> String) -> Result<(), InvalidTrace> {
        self.lines.finish(element)?;
        self.blocks.finish(element)?;
        require(self.paths.next().is_none(), element, || {
            "paths of no shaded quad with a program that branches".to_owned()
        })
    }
}

impl FrameTrace {
    /// Checks the parts of so many groups that ran a program.
    pub(super) fn validate_groups(
        &self,
        (groups, bound): (usize, &Bound<'_>),
        (columns, paths): (&mut Columns<'_>, &mut FramePaths<'_>),
        element: &impl Fn() -> String,
    ) -> Result<(), InvalidTrace> {
        if self.programs[bound.program.0 as usize].branches() {
            for _ in 0..groups {
                self.validate_on_its_path(bound, (columns, paths), element)?;
            }
            return Ok(());
        }
        // Before the walk, so that a false trace cannot make it long.
        let needed = |each: usize| (groups as u64).saturating_mul(each as u64);
        columns
            .blocks
            .require(needed(bound.textures.len()), element)?;
        columns
            .lines
            .require(needed(bound.buffers.len()), element)?;
        for texture in (0..groups).flat_map(|_| bound.textures) {
            columns.blocks.take(self.blocks_of(*texture), element)?;
        }
        for buffer in (0..groups).flat_map(|_| bound.buffers) {
            columns.lines.take(self.lines_of(*buffer), element)?;
        }
        Ok(())
    }

    fn validate_on_its_path(
        &self,
        bound: &Bound<'_>,
        (columns, paths): (&mut Columns<'_>, &mut FramePaths<'_>),
        element: &impl Fn() -> String,
    ) -> Result<(), InvalidTrace> {
        let path = columns.paths.next().ok_or_else(|| InvalidTrace {
            element: element(),
            problem: "a shaded quad without a path; its program branches".to_owned(),
        })?;
        paths.check(*path, bound.program, element)?;
        columns.blocks.require(paths.samples.n(*path), element)?;
        columns.lines.require(paths.accesses.n(*path), element)?;
        for number in paths.samples.list(*path, self) {
            let texture = bound.textures[*number as usize];
            columns.blocks.take(self.blocks_of(texture), element)?;
        }
        for number in paths.accesses.list(*path, self) {
            let buffer = bound.buffers[*number as usize];
            columns.lines.take(self.lines_of(buffer), element)?;
        }
        Ok(())
    }

    fn blocks_of(&self, texture: TextureIdx) -> (u32, u64) {
        let n_blocks = self.textures[texture.0 as usize].n_blocks;
        (texture.0, n_blocks.into())
    }

    fn lines_of(&self, buffer: u32) -> (u32, u64) {
        let bytes = self.buffers[buffer as usize].bytes;
        (buffer, bytes.div_ceil(BLOCK_BYTES))
    }
}
