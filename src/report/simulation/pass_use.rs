//! Use of the machine by passes, summed over frames.

use azulejo_gpu::PassReport;
use azulejo_units::Cycles;

/// Use of the machine by one pass, summed over frames.
#[derive(Debug, Clone, PartialEq)]
pub struct PassUse {
    /// Name of the pass.
    pub name: String,
    /// Tiles of it in a frame, and the edge of one in pixels.
    pub tiles: [u32; 2],
    /// Cycles from its first command to its last tile.
    pub cycles: Cycles,
    /// Cycles among them until its last list entry was written.
    pub geometry_cycles: Cycles,
    /// Bytes that its tiles loaded from attachments.
    pub loaded_bytes: u64,
    /// Bytes that its tiles stored.
    pub stored_bytes: u64,
    /// DRAM lines that moved while it ran.
    pub dram_lines: u64,
}

impl From<&PassReport> for PassUse {
    fn from(pass: &PassReport) -> Self {
        Self {
            name: pass.name.clone(),
            tiles: [pass.grid.n_tiles(), pass.grid.tile_size],
            cycles: pass.cycles,
            geometry_cycles: pass.geometry_cycles,
            loaded_bytes: pass.targets.iter().map(|target| target.loaded.0).sum(),
            stored_bytes: pass.targets.iter().map(|target| target.stored.0).sum(),
            dram_lines: pass.activity.dram_lines.total(),
        }
    }
}

impl PassUse {
    /// Adds the same pass of another frame.
    pub(super) fn add(&mut self, other: &Self) {
        self.cycles += other.cycles;
        self.geometry_cycles += other.geometry_cycles;
        self.loaded_bytes += other.loaded_bytes;
        self.stored_bytes += other.stored_bytes;
        self.dram_lines += other.dram_lines;
    }
}
