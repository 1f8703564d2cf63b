//! Which cores do something in a cycle: all wake-ups are compared first, without a branch for each core, because a host's
//! branch prediction is worst at which cores are due.

use super::core::Core;
use super::texture::TexturePorts;
use crate::memory::MemorySystem;
use azulejo_units::Cycles;

/// One cycle of those cores that are due, in order.
pub(crate) fn tick_cores(cores: &mut [Core], now: Cycles, ports: &mut TexturePorts<'_, '_>) {
    let programs = &ports.facts.programs;
    for cores in cores.chunks_mut(u64::BITS as usize) {
        let mut due = cores_due(cores, now, ports.memory);
        while due != 0 {
            let core = &mut cores[due.trailing_zeros() as usize];
            due &= due - 1;
            if core.is_due(now, ports.memory) {
                core.tick(now, programs, ports);
            }
        }
    }
}

/// Cores, of up to 64, that are due or have room in the memory again, as bits. A core's cycle makes no other due.
fn cores_due(cores: &[Core], now: Cycles, memory: &MemorySystem) -> u64 {
    let bits = cores.iter().zip(0..).map(|(core, nth)| {
        let is_due = (core.wake <= now) | core.texture.has_room_again(memory);
        u64::from(is_due) << nth
    });
    bits.fold(0, |due, bit| due | bit)
}
