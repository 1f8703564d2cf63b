//! How a tile's worker tells what it does: a trait, so that a worker that tells nothing pays nothing.

use super::{Quad, TileDigests};

/// Receives the facts of one tile while it is drawn. See the room's page for the order of calls.
pub trait TileRecorder {
    /// Names a quad that [`TileRecorder::quad`] was told of.
    type QuadId: Copy;

    /// False where all methods are empty, so that a caller can skip the preparation of arguments.
    const RECORDS: bool;

    /// The next entry of the tile's list begins: its primitive number, and the texture instructions of its program.
    fn primitive(&mut self, primitive: u32, texture_instructions: usize);

    /// The current primitive has a quad with at least one covered fragment; told in raster order.
    fn quad(&mut self, quad: Quad) -> Self::QuadId;

    /// Texture instruction number `instruction` of the quad's program reads texels of these blocks: live lanes only, repeats
    /// allowed, one call a tap or one for all.
    fn texels(&mut self, quad: Self::QuadId, instruction: usize, blocks: &[u32]);

    /// The quad was shaded; `written` are the fragments that changed the colour buffer.
    fn shaded(&mut self, quad: Self::QuadId, written: u32, blended: bool);

    /// On demand: hashes of the shader inputs of the quad's live fragments, lowest bit first.
    fn fragment_hashes(&mut self, quad: Self::QuadId, hashes: &[u32]);

    /// Digests of the tile's inputs and of its final pixels.
    fn digests(&mut self, digests: TileDigests);
}

/// Records nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct NullRecorder;

impl TileRecorder for NullRecorder {
    type QuadId = ();
    const RECORDS: bool = false;

    fn primitive(&mut self, _: u32, _: usize) {}
    fn quad(&mut self, _: Quad) {}
    fn texels(&mut self, (): (), _: usize, _: &[u32]) {}
    fn shaded(&mut self, (): (), _: u32, _: bool) {}
    fn fragment_hashes(&mut self, (): (), _: &[u32]) {}
    fn digests(&mut self, _: TileDigests) {}
}
