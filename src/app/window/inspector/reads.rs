//! Which 4x4-texel blocks of each texture a frame read, and how often.

use crate::trace::FrameTrace;

/// Reads by texture and block.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::app::window) struct TextureReads {
    /// In the order of the trace: the scene's images, then the environment.
    pub(in crate::app::window) textures: Vec<BlockReads>,
}

/// Reads of one texture.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::app::window) struct BlockReads {
    /// For people.
    pub(in crate::app::window) name: String,
    /// Times that a quad's texture instruction read each block.
    pub(in crate::app::window) blocks: Vec<u32>,
}

impl BlockReads {
    /// Blocks read at all.
    pub(in crate::app::window) fn touched(&self) -> u64 {
        self.blocks.iter().filter(|reads| **reads > 0).count() as u64
    }

    /// Reads of all blocks.
    pub(in crate::app::window) fn total(&self) -> u64 {
        self.blocks.iter().map(|reads| u64::from(*reads)).sum()
    }
}

impl TextureReads {
    /// All reads of a frame.
    pub(super) fn of(trace: &FrameTrace) -> Self {
        let mut textures: Vec<BlockReads> = (trace.textures.iter())
            .map(|texture| BlockReads {
                name: texture.name.clone(),
                blocks: vec![0; texture.n_blocks as usize],
            })
            .collect();
        let draw_of_primitive = trace.draw_of_primitive();
        for tile in &trace.tiles {
            let (mut counts, mut blocks) = (tile.block_counts.iter(), tile.blocks.iter());
            for (entry, quads) in tile.entries() {
                let draw = draw_of_primitive[entry.primitive as usize];
                let sampled = &trace.draws[draw as usize].textures;
                for _ in quads.iter().filter(|quad| quad.is_shaded()) {
                    for (texture, count) in sampled.iter().zip(counts.by_ref()) {
                        let own = &mut textures[texture.0 as usize].blocks;
                        for block in blocks.by_ref().take(usize::from(*count)) {
                            own[*block as usize] += 1;
                        }
                    }
                }
            }
        }
        Self { textures }
    }
}
