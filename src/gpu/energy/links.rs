//! Between the memories: misses, requests and lines in, energy of miss registers, queues, wires and of the way to the DRAM
//! out.

use super::account::{ACCESS_BYTES, Account};
use super::report::EnergyPart;
use crate::machine::CacheUnitSpec;
use crate::memory::Traffic;
use azulejo_units::{Bytes, Milliwatts, Picojoules};

/// Bits of a byte.
const BITS: f64 = 8.0;

/// The miss registers of caches of one kind.
struct Registers {
    /// Registers of one cache, or of one bank.
    entries: u32,
    /// Number of caches or banks.
    count: f64,
    /// Accesses that did not find their line.
    misses: u64,
}

/// Queues of requests of one kind, each entry with room for so many bytes.
struct RequestQueues {
    entries: u32,
    entry_bytes: u64,
    count: f64,
    /// Bytes written, and read again.
    passed: u64,
}

impl Account<'_> {
    /// Miss registers, queues of requests, wires to the L2, and the way to the DRAM.
    pub(super) fn miss_registers(&self) -> EnergyPart {
        let bytes = u64::from(self.energies.requests().register);
        let compare = self.energies.operations().int_add;
        let (mut dynamic, mut leakage) = (Picojoules::ZERO, Milliwatts::default());
        for registers in self.all_registers() {
            let array = self
                .energies
                .ram(Bytes(u64::from(registers.entries) * bytes));
            // The line's address is compared with that of every register, at most as much as adding 32 bits; then one is
            // written and read.
            let entry = (array.read + array.write) * (bytes as f64 / ACCESS_BYTES);
            let mut miss = compare * f64::from(registers.entries);
            miss += entry;
            dynamic += miss * registers.misses as f64;
            leakage += array.leakage * registers.count;
        }
        self.part("miss registers", dynamic, leakage)
    }

    fn all_registers(&self) -> Vec<Registers> {
        let of = |cache: &CacheUnitSpec, count: f64, misses: u64| Registers {
            entries: cache.mshrs,
            count,
            misses,
        };
        let (machine, report) = (self.machine, self.report);
        let vertex = &machine.geometry.vertex_cache;
        let l2 = Registers {
            entries: machine.l2.mshrs_per_bank,
            count: f64::from(machine.l2.banks),
            misses: report.l2.read_misses.total(),
        };
        let mut all = vec![of(vertex, 1.0, report.geometry.vertex_cache.misses()), l2];
        all.extend(
            self.texture_caches()
                .map(|(cache, counters)| of(cache, 1.0, counters.misses + counters.pending_hits)),
        );
        all.extend(
            self.used_data_caches()
                .map(|(cache, counters)| of(cache, 1.0, counters.misses + counters.pending_hits)),
        );
        let (caches, _) = self.behind_geometry();
        all.extend(
            caches
                .iter()
                .map(|c| of(c.unit, c.count, c.counters.misses())),
        );
        all
    }

    /// In front of the L2's banks and in the memory controllers, of which each channel has one.
    pub(super) fn request_queues(&self) -> EnergyPart {
        let (machine, report) = (self.machine, self.report);
        let request = u64::from(self.energies.requests().bytes);
        let with_line = request + machine.l2.tags.line.0;
        let controller = &machine.dram.controller;
        let channels = f64::from(machine.dram.structure.channels);
        let (l2, dram) = (&report.l2, &report.dram);
        let kinds = [
            RequestQueues {
                entries: machine.l2.bank_queue,
                entry_bytes: with_line,
                count: f64::from(machine.l2.banks),
                passed: l2.reads.total() * request + l2.writes.total() * with_line,
            },
            RequestQueues {
                entries: controller.read_queue,
                entry_bytes: request,
                count: channels,
                passed: dram.reads.total() * request,
            },
            RequestQueues {
                entries: controller.write_buffer,
                entry_bytes: with_line,
                count: channels,
                passed: dram.writes.total() * with_line,
            },
        ];
        let (mut dynamic, mut leakage) = (Picojoules::ZERO, Milliwatts::default());
        for queues in kinds {
            let size = u64::from(queues.entries) * queues.entry_bytes;
            let array = self.energies.ram(Bytes(size));
            dynamic += (array.read + array.write) * (queues.passed as f64 / ACCESS_BYTES);
            leakage += array.leakage * queues.count;
        }
        self.part("request queues", dynamic, leakage)
    }

    /// Lines with their requests between cores, L2 and memory controllers. The L2 lies in the middle of a square, all else
    /// around it: a place of the square is half an edge away, along the edges.
    pub(super) fn wires(&self) -> EnergyPart {
        let (l2, dram) = (&self.report.l2, &self.report.dram);
        let past_l2 = |kinds: [Traffic; 2]| -> u64 {
            let lines = kinds.map(|kind| dram.reads[kind] + dram.writes[kind]);
            lines.iter().sum()
        };
        let lines = l2.reads.total()
            + l2.writes.total()
            + past_l2([Traffic::ColorLoad, Traffic::ColorFlush]);
        let bytes = u64::from(self.energies.requests().bytes) + self.machine.l2.tags.line.0;
        let array = self.energies.sequential_cache(self.machine.l2.tags.size);
        let distance = (array.area + self.area_of_cores()).sqrt() / 2.0;
        let bits = (lines * bytes) as f64 * BITS;
        let dynamic = self.energies.wire_bit() * (bits * distance);
        self.part("wires", dynamic, Milliwatts::default())
    }

    /// Every bit that is moved over a pin, both ways; the physical layers stand ready all the time.
    pub(super) fn memory_interface(&self) -> EnergyPart {
        let (dram, interface) = (&self.report.dram, self.energies.interface());
        let lines = dram.bytes().0 as f64 / self.machine.l2.tags.line.0 as f64;
        let channels = f64::from(self.machine.dram.structure.channels);
        self.part(
            "memory interface",
            self.line_over_pins() * lines,
            interface.standing * channels,
        )
    }

    /// A line over the pins, either way: two beats in a cycle of the DRAM's clock.
    pub(super) fn line_over_pins(&self) -> Picojoules {
        let beat = self.machine.dram.timing.t_ck.0 as f64 / 2.0;
        let bits = self.machine.l2.tags.line.0 as f64 * BITS;
        self.energies.interface().bit(beat) * bits
    }
}
