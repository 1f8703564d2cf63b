//! The display to the cycle: a picture of 10 lines at 60 pictures a second and 6000 cycles a second is a line every 10 cycles.

use super::{Display, DisplayCounters};
use crate::access::AccessKind;
use crate::machine::DisplaySpec;
use crate::memory::{MemorySystem, Traffic};
use crate::test_support::{machine, memory};
use azulejo_units::Cycles;

fn display() -> Display {
    let spec = DisplaySpec {
        refresh: 60,
        frame_buffers: 2,
    };
    let mut display = Display::new(spec, 6000, 64);
    display.show(1 << 20, 640, Cycles(100));
    display
}

fn counters(lines: u64, late: u64) -> DisplayCounters {
    DisplayCounters { lines, late }
}

fn read(memory: &mut MemorySystem, display: &mut Display, now: Cycles) -> DisplayCounters {
    display.tick(now, memory);
    display.take_counters()
}

#[test]
fn display_asks_for_a_line_when_it_is_due() {
    let (mut memory, mut display) = (memory(&machine()), display());
    assert_eq!(display.due(), Cycles(100), "from when it is shown");
    assert_eq!(
        read(&mut memory, &mut display, Cycles(99)),
        counters(0, 0),
        "early"
    );
    assert_eq!(
        read(&mut memory, &mut display, Cycles(100)),
        counters(1, 0),
        "due"
    );
    assert_eq!(display.due(), Cycles(110), "the next line");
    assert_eq!(
        read(&mut memory, &mut display, Cycles(109)),
        counters(0, 0),
        "early"
    );
    assert_eq!(
        read(&mut memory, &mut display, Cycles(110)),
        counters(1, 0),
        "due"
    );
    let lines = memory.controller.counters.reads[Traffic::Display];
    assert_eq!(lines, 2, "around the L2");
}

#[test]
fn display_line_that_finds_no_way_is_late() {
    let (mut memory, mut display) = (memory(&machine()), display());
    while memory.controller.has_room(AccessKind::Read) {
        (memory.controller).push(Cycles(99), 0, AccessKind::Read, Traffic::ColorLoad);
    }
    assert_eq!(
        read(&mut memory, &mut display, Cycles(100)),
        counters(0, 0),
        "full"
    );
    // 33 cycles to the DRAM, which then takes lines from the front.
    memory.tick(Cycles(132));
    let all = read(&mut memory, &mut display, Cycles(132));
    assert_eq!(all, counters(4, 4), "those due at 100, 110, 120 and 130");
}
