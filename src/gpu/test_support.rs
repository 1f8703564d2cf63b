//! Surroundings of a unit for tests of it alone: a machine with round numbers, a frame with its place in memory, and the
//! memory itself.

use crate::frame::PreparedFrame;
use crate::machine::MachineSpec;
use crate::memory::{FrameNeeds, L2Cache, MemoryController, MemoryMap, MemorySystem};
use crate::tiling::TileLists;
use azulejo_grid::TileGrid;
use azulejo_trace::FrameTrace;

/// The machine that tests change: `valhall-libra-baseline`.
pub(crate) fn machine() -> MachineSpec {
    MachineSpec::built_in("valhall-libra-baseline", &[]).expect("a shipped machine")
}

/// One tile of so many pixels.
pub(crate) fn one_tile(width: u32, height: u32) -> TileGrid {
    TileGrid {
        width,
        height,
        tile_size: 32,
    }
}

/// L2, memory controller and DRAM of a machine.
pub(crate) fn memory(spec: &MachineSpec) -> MemorySystem {
    let l2 = L2Cache::new(&spec.l2, 4).expect("a valid L2");
    let controller = MemoryController::new(&spec.dram, spec.clock, &spec.l2).expect("a valid DRAM");
    MemorySystem::new(l2, controller)
}

/// A frame and where it lies.
pub(crate) struct Placed {
    pub(crate) trace: FrameTrace,
    pub(crate) map: MemoryMap,
}

impl Placed {
    pub(crate) fn new(spec: &MachineSpec, trace: FrameTrace) -> Self {
        assert_eq!(trace.validate(), Ok(()), "the frame's facts");
        let mut map = MemoryMap::default();
        let (buffers, line) = (spec.display.frame_buffers, spec.l2.tags.line.0);
        let list_bytes = TileLists::bytes(&trace, &spec.tiling);
        let needs = FrameNeeds::with_tiles(&trace, buffers, line, list_bytes);
        map.place(&trace, &needs);
        Self { trace, map }
    }

    pub(crate) fn facts(&self) -> PreparedFrame<'_> {
        PreparedFrame::new(&self.trace, &self.map)
    }
}
