//! Transaction Elimination: Arm's, as modelled by Anglada et al., HPCA 2019, section IV-C and Fig. 12.
//!
//! When a tile is drawn, its colours are signed; if the frame that last wrote this frame buffer had the same signature
//! there, the flush is left out. As in the paper, signing costs energy and no time.
//!
//! Differences: nothing that the paper says. A CRC of colours that collides would be believed; the trace holds no more of
//! the pixels than their CRC32.
//!
//! Seam: [`azulejo_gpu::elide`].

use super::crc_tables::{SHIFT_TABLES, SIGN_TABLES, SUBBLOCK, TABLE};
use super::history::TileHistory;
use azulejo_gpu::elide::{Elider, Verdict};
use azulejo_gpu::{MemoryKind, TechniqueMemory, TechniqueReport};
use azulejo_grid::TileId;
use azulejo_trace::{FrameTrace, TileTrace};
use azulejo_units::Bytes;

/// Name on the command line, in machine files and in reports.
pub(super) const NAME: &str = "te";

/// Seam of Transaction Elimination: the signatures of the colours of earlier frames.
#[derive(Debug, Clone, Default)]
pub struct TransactionElimination {
    history: TileHistory,
    /// Bytes of colours in a tile.
    tile_bytes: u64,
    signed: u64,
}

impl Elider for TransactionElimination {
    fn begin_frame(&mut self, frame: &FrameTrace, frame_buffers: u32) {
        self.history.begin_frame(frame, frame_buffers);
        let pixel = frame
            .targets
            .first()
            .map_or(4, |target| target.bytes_per_pixel);
        self.tile_bytes = u64::from(frame.grid.tile_size).pow(2) * u64::from(pixel);
        self.signed = 0;
    }

    fn flush(&mut self, tile: TileId, facts: &TileTrace) -> Verdict {
        self.signed += 1;
        let before = self.history.before(tile);
        if before.is_some_and(|before| before.color_crc == facts.digests.color_crc) {
            Verdict::Skip
        } else {
            Verdict::Keep
        }
    }

    fn take_report(&mut self) -> Option<TechniqueReport> {
        let subblocks = self.signed * self.tile_bytes.div_ceil(SUBBLOCK);
        let tables = SIGN_TABLES + SHIFT_TABLES;
        let memories = vec![
            TechniqueMemory {
                name: "Compute CRC tables",
                kind: MemoryKind::Rom,
                size: TABLE,
                count: tables,
                word: Bytes(4),
                reads: u64::from(tables) * subblocks,
                writes: 0,
            },
            TechniqueMemory {
                name: "Signature Buffer",
                kind: MemoryKind::Ram,
                // A tile's signature takes the place of the one that it has been compared with.
                size: self.history.signature_buffer(self.history.buffers()),
                count: 1,
                word: Bytes(4),
                reads: self.signed,
                writes: self.signed,
            },
        ];
        Some(TechniqueReport {
            technique: NAME,
            counters: Vec::new(),
            memories,
            maps: Vec::new(),
        })
    }
}
