//! The Signature Unit to the cycle, and the paper's own figures.

use super::unit::{constant_cycles, primitive_cycles};
use super::*;
use azulejo_grid::TileGrid;
use azulejo_trace::synthetic::{CoveredScreen, fragment_program};
use azulejo_trace::{Instruction, InstructionClass};

/// A draw of three attributes and 36 constants, of which 16 are set: the paper's averages.
fn average_draw() -> DrawTrace {
    let grid = TileGrid {
        width: 64,
        height: 32,
        tile_size: 32,
    };
    let alu = Instruction::new(InstructionClass::Alu, &[]);
    let mut screen = CoveredScreen::new(grid, fragment_program("average", vec![alu]));
    screen.n_attributes = 3;
    let mut draw = screen.frame(0).draws.remove(0);
    draw.constant_bytes = 36 * 4;
    draw.set_constant_bytes = 16 * 4;
    draw
}

/// One Shift subunit and queues of 16, as Algorithm 3 and Table I's other queues have it.
const SPEC: ReSpec = ReSpec {
    ot_queue: 16,
    primitive_queue: 16,
    shift_subunits: 1,
    signature_sets: 2,
    refresh: 0,
    trust_signatures: false,
};

fn unit(n_tiles: usize) -> SignatureUnit {
    let mut unit = SignatureUnit::new(SPEC);
    unit.begin_frame(n_tiles);
    unit
}

#[test]
fn signature_unit_signs_average_constants_in_8_cycles_and_primitives_in_18() {
    let draw = average_draw();
    assert_eq!(
        constant_cycles(&draw),
        Cycles(8),
        "section III-G: 16 values"
    );
    assert_eq!(
        primitive_cycles(&draw),
        Cycles(18),
        "section III-G: 3 attributes"
    );
}

#[test]
fn signature_unit_has_twelve_tables_to_compute_and_four_to_accumulate() {
    let [compute, accumulate, ..] = UnitCounters::default().memories(SPEC, 3600);
    let bytes = |memory: TechniqueMemory| memory.size.0 * u64::from(memory.count);
    assert_eq!(bytes(compute), 12 << 10, "8 KiB to sign, 4 KiB to shift");
    assert_eq!(bytes(accumulate), 4 << 10, "4 KiB to shift");
}

#[test]
fn signature_unit_begins_tiles_when_their_primitive_is_signed() {
    let (mut unit, draw) = (unit(4), average_draw());
    unit.constants(&draw, Cycles(92));
    unit.primitive(0, &draw, Cycles(98));
    assert_eq!(
        unit.done_at(),
        Cycles(118),
        "18 cycles of attributes after 100"
    );
    unit.tile(TileId(0), Cycles(103));
    assert_eq!(
        unit.done_at(),
        Cycles(144),
        "constants and primitive, shifted"
    );
    unit.tile(TileId(1), Cycles(104));
    assert_eq!(unit.done_at(), Cycles(170), "one tile after the other");
    let counters = unit.take_counters();
    assert_eq!((counters.signed, counters.shifted), (26, 52), "sub-blocks");
    assert_eq!(
        (counters.tiles, counters.updates),
        (2, 4),
        "two updates each"
    );
}

#[test]
fn signature_unit_signs_constants_while_it_waits_for_the_first_primitive() {
    let (mut unit, draw) = (unit(4), average_draw());
    unit.constants(&draw, Cycles(0));
    unit.primitive(0, &draw, Cycles(100));
    assert_eq!(unit.done_at(), Cycles(118), "attributes alone");
}

#[test]
fn signature_unit_folds_constants_once_a_draw_and_tile() {
    let (mut unit, draw) = (unit(4), average_draw());
    unit.constants(&draw, Cycles(0));
    unit.primitive(0, &draw, Cycles(8));
    unit.tile(TileId(2), Cycles(9));
    assert_eq!(unit.done_at(), Cycles(26 + 26), "the bit is not set");
    unit.primitive(0, &draw, Cycles(100));
    unit.tile(TileId(2), Cycles(101));
    assert_eq!(
        unit.done_at(),
        Cycles(118 + 18),
        "the bit is set: primitive alone"
    );
    unit.constants(&draw, Cycles(150));
    unit.primitive(1, &draw, Cycles(200));
    unit.tile(TileId(2), Cycles(201));
    assert_eq!(
        unit.done_at(),
        Cycles(218 + 26),
        "new constants clear the bitmap"
    );
}

#[test]
fn signature_unit_keeps_the_bitmap_where_no_constant_is_set() {
    let (mut unit, draw) = (unit(4), average_draw());
    unit.constants(&draw, Cycles(0));
    unit.primitive(0, &draw, Cycles(8));
    unit.tile(TileId(2), Cycles(9));
    let same = DrawTrace {
        set_constant_bytes: 0,
        ..draw
    };
    unit.constants(&same, Cycles(90));
    unit.primitive(1, &same, Cycles(100));
    unit.tile(TileId(2), Cycles(101));
    assert_eq!(unit.done_at(), Cycles(118 + 18), "tile 2 has them");
    unit.tile(TileId(3), Cycles(102));
    assert_eq!(
        unit.done_at(),
        Cycles(136 + 26),
        "tile 3 takes the ones before"
    );
}

#[test]
fn signature_unit_signs_the_next_primitive_beside_the_tiles_of_the_last() {
    let (mut unit, draw) = (unit(4), average_draw());
    unit.constants(&draw, Cycles(0));
    unit.primitive(0, &draw, Cycles(8));
    unit.tile(TileId(0), Cycles(9));
    unit.primitive(0, &draw, Cycles(10));
    // Signed in 44; the tile is done in 52, and only then the register is free.
    unit.tile(TileId(1), Cycles(30));
    assert_eq!(unit.done_at(), Cycles(52 + 26), "the first in tile 1");
}

#[test]
fn signature_unit_takes_primitives_while_their_queue_has_room() {
    let spec = ReSpec {
        primitive_queue: 1,
        ..SPEC
    };
    let (mut unit, draw) = (SignatureUnit::new(spec), average_draw());
    unit.begin_frame(4);
    unit.constants(&draw, Cycles(0));
    unit.primitive(0, &draw, Cycles(2));
    assert_eq!(
        unit.takes_primitive_at(Cycles(3)),
        Cycles(8),
        "when Compute CRC takes it"
    );
    assert_eq!(
        unit.takes_primitive_at(Cycles(8)),
        Cycles(8),
        "then it does"
    );
    unit.primitive(0, &draw, Cycles(8));
    assert_eq!(
        unit.takes_primitive_at(Cycles(9)),
        Cycles(26),
        "and the next one"
    );
}

#[test]
fn signature_unit_stalls_when_the_ot_queue_is_full() {
    let (mut unit, draw) = (unit(32), average_draw());
    unit.constants(&draw, Cycles(0));
    unit.primitive(0, &draw, Cycles(0));
    for nth in 0..SPEC.ot_queue {
        let now = 1 + u64::from(nth);
        assert_eq!(
            unit.takes_tile_at(Cycles(now)),
            Cycles(now),
            "entry {nth} has room"
        );
        unit.tile(TileId(nth), Cycles(now));
    }
    assert_eq!(
        unit.takes_tile_at(Cycles(17)),
        Cycles(26),
        "until the first leaves"
    );
    assert_eq!(
        unit.takes_tile_at(Cycles(25)),
        Cycles(26),
        "not a cycle before"
    );
    assert_eq!(unit.takes_tile_at(Cycles(26)), Cycles(26), "then it does");
    unit.tile(TileId(16), Cycles(26));
    assert_eq!(
        unit.takes_tile_at(Cycles(27)),
        Cycles(52),
        "the second after 26 cycles"
    );
}

#[test]
fn signature_unit_shifts_a_tile_in_each_subunit() {
    let two = ReSpec {
        shift_subunits: 2,
        ..SPEC
    };
    let (mut unit, draw) = (SignatureUnit::new(two), average_draw());
    unit.begin_frame(4);
    unit.constants(&draw, Cycles(0));
    unit.primitive(0, &draw, Cycles(0));
    for (tile, done) in [(0, 52), (1, 52), (2, 78), (3, 78)] {
        unit.tile(TileId(tile), Cycles(1));
        assert_eq!(unit.done_at(), Cycles(done), "tile {tile}");
    }
    unit.primitive(0, &draw, Cycles(26));
    unit.tile(TileId(0), Cycles(30));
    assert_eq!(unit.done_at(), Cycles(78 + 18), "when both are done");
    let [_, accumulate, ..] = unit.take_counters().memories(two, 4);
    assert_eq!(accumulate.count, 8, "4 KiB of tables for each");
}

/// Fig. 6: draw F has primitive C over tiles 0 and 2; draw S has A over tiles 1, 2, 3 and B over 1 and 3.
#[test]
fn signature_unit_signs_the_example_of_figure_6() {
    let (mut unit, draw) = (unit(4), average_draw());
    let (mut now, mut last) = (Cycles::ZERO, 0);
    let mut updates = Vec::new();
    let primitives: [(u32, &[u32]); 3] = [(0, &[0, 2]), (1, &[1, 2, 3]), (1, &[1, 3])];
    for (number, tiles) in primitives {
        if updates.is_empty() || number != last {
            unit.constants(&draw, now);
            last = number;
        }
        now = unit.takes_primitive_at(now);
        unit.primitive(number, &draw, now);
        for &tile in tiles {
            now = unit.takes_tile_at(now.next());
            unit.tile(TileId(tile), now);
            updates.push((tile, unit.take_counters().updates));
        }
    }
    let of_tile = |tile: u32| -> u64 {
        let own = updates.iter().filter(|(of, _)| *of == tile);
        own.map(|(_, updates)| updates).sum()
    };
    assert_eq!(of_tile(0), 2, "constants of F, C");
    assert_eq!(of_tile(1), 3, "constants of S, A, B");
    assert_eq!(of_tile(2), 4, "constants of F, C, constants of S, A");
    assert_eq!(of_tile(3), 3, "constants of S, A, B");
}

#[test]
fn signature_buffer_spans_two_frames_and_as_many_as_are_asked_for() {
    // 1196 x 768 pixels: 75 x 48 = 3600 tiles of 4 bytes.
    let grid = TileGrid {
        width: 1196,
        height: 768,
        tile_size: 16,
    };
    let alu = Instruction::new(InstructionClass::Alu, &[]);
    let frame = CoveredScreen::new(grid, fragment_program("any", vec![alu])).frame(0);
    for (sets, bytes) in [(2, 28_800), (3, 43_200)] {
        let spec = ReSpec {
            signature_sets: sets,
            ..SPEC
        };
        let mut elider = RenderingElimination::new(spec);
        elider.begin_frame(&frame, 2);
        let report = elider.take_report().expect("on");
        let buffer = report
            .memories
            .iter()
            .find(|memory| memory.name == "Signature Buffer");
        let buffer = buffer.expect("it has one");
        assert_eq!(
            (buffer.size, buffer.kind),
            (Bytes(bytes), MemoryKind::Ram),
            "{sets} sets"
        );
    }
}

#[test]
fn signature_unit_tables_are_constants() {
    let memories = UnitCounters::default().memories(SPEC, 3600);
    for memory in memories {
        let is_rom = memory.kind == MemoryKind::Rom;
        assert_eq!(is_rom, memory.name.ends_with("tables"), "{memory:?}");
    }
}

/// Two primitives of 18 sub-blocks after constants of 8: the first over two tiles, which take constants too, the second over one of them.
#[test]
fn signature_unit_charges_its_queues_and_registers_by_access() {
    let (mut unit, draw) = (unit(4), average_draw());
    unit.constants(&draw, Cycles(0));
    for (tiles, now) in [(&[0, 1][..], 0), (&[1], 200)] {
        unit.primitive(0, &draw, Cycles(now));
        tiles
            .iter()
            .for_each(|tile| unit.tile(TileId(*tile), Cycles(now + 1)));
    }
    let memories = unit.take_counters().memories(SPEC, 4);
    let of = |name| {
        let memory = memories.iter().find(|memory| memory.name == name);
        let memory = memory.expect("it has one");
        let bytes = memory.size.0 * u64::from(memory.count);
        (bytes, memory.word.0, memory.reads, memory.writes)
    };
    assert_eq!(of("OT Queue"), (32, 2, 3, 3), "three tiles");
    assert_eq!(
        of("primitive queue"),
        (16 * 388, 8, 36, 36),
        "sub-blocks of primitives"
    );
    // Signed: 8 + 2 x 18. Shifted: 2 x (8 + 18) + 18. Three blocks, five updates of signatures.
    let (signed, shifted, blocks, updates) = (44, 70, 3, 5);
    let steps = signed + shifted;
    assert_eq!(
        of("CRC registers"),
        (4 * 4, 4, steps + updates, steps + blocks)
    );
    assert_eq!(
        of("Shift Amount registers"),
        (3 * 2, 2, steps + updates, steps + updates)
    );
}
