//! Every distance between two commands with its number in cycles: not one cycle before, and then.

use super::Banks;
use crate::dram::spec::DramSpec;
use crate::dram::timing::DramCommand::{self, Activate, Precharge, Read, Refresh, Write};
use azulejo_units::DramCycles;

/// A command in bank 0 (of rank 0, group 0), the next one and its bank, and their least distance.
type Pair = (DramCommand, DramCommand, usize, u64);

fn assert_earliest(name: &str, pairs: &[Pair]) {
    let spec = DramSpec::named(name).expect(name);
    let start = DramCycles(1000);
    for (first, next, bank, distance) in pairs {
        let mut banks = Banks::new(&spec);
        banks.apply(Activate, 0, 0, DramCycles::ZERO);
        if *first == Activate {
            banks = Banks::new(&spec);
        }
        banks.apply(*first, 0, 0, start);
        // An old activate allows all by now, so what is left is the pair's own rule, or none.
        let earliest = banks.earliest(*next, *bank);
        let expected = start + DramCycles(*distance);
        let case = format!("{name}: {first:?} in bank 0, then {next:?} in bank {bank}");
        if *distance == 0 {
            assert!(earliest <= start, "{case}: no rule, but {earliest}");
        } else {
            assert_eq!(earliest, expected, "{case}");
        }
    }
}

#[test]
fn lpddr3_distances_are_those_of_the_specification() {
    assert_earliest(
        "lpddr3_1ch",
        &[
            (Activate, Activate, 0, 49),
            (Activate, Read, 0, 15),
            (Activate, Write, 0, 15),
            (Activate, Precharge, 0, 34),
            (Activate, Activate, 7, 8),
            (Activate, Read, 7, 0),
            (Activate, Precharge, 7, 0),
            (Activate, Refresh, 0, 0),
            (Read, Read, 0, 4),
            (Read, Write, 0, 8),
            (Read, Precharge, 0, 6),
            (Read, Read, 7, 4),
            (Read, Write, 7, 8),
            (Read, Precharge, 7, 0),
            (Write, Read, 0, 19),
            (Write, Write, 0, 4),
            (Write, Precharge, 0, 25),
            (Write, Read, 7, 19),
            (Write, Write, 7, 4),
            (Write, Precharge, 7, 0),
            (Precharge, Activate, 0, 15),
            (Precharge, Refresh, 0, 15),
            (Precharge, Activate, 7, 0),
            (Precharge, Precharge, 7, 0),
            (Refresh, Activate, 0, 168),
            (Refresh, Activate, 7, 168),
            (Refresh, Refresh, 7, 168),
        ],
    );
}

#[test]
fn lpddr4_distances_tell_groups_and_ranks_apart() {
    // Banks 0-3 and 4-7 are the groups of rank 0, 8-15 are rank 1.
    assert_earliest(
        "lpddr4_1ch",
        &[
            (Activate, Activate, 0, 47),
            (Activate, Read, 0, 15),
            (Activate, Precharge, 0, 32),
            (Activate, Activate, 3, 8),
            (Activate, Activate, 4, 8),
            (Activate, Activate, 8, 0),
            (Read, Read, 3, 8),
            (Read, Read, 4, 8),
            (Read, Read, 8, 9),
            (Read, Write, 0, 12),
            (Read, Write, 4, 12),
            (Read, Write, 8, 12),
            (Read, Precharge, 0, 12),
            (Write, Read, 0, 38),
            (Write, Read, 3, 38),
            (Write, Read, 4, 30),
            (Write, Read, 8, 6),
            (Write, Write, 3, 8),
            (Write, Write, 8, 8),
            (Write, Precharge, 0, 52),
            (Precharge, Activate, 0, 15),
            (Precharge, Precharge, 3, 2),
            (Precharge, Precharge, 4, 2),
            (Precharge, Precharge, 8, 0),
            (Refresh, Activate, 7, 392),
            (Refresh, Refresh, 0, 392),
            (Refresh, Activate, 8, 0),
        ],
    );
}

#[test]
fn fifth_activate_waits_for_the_window_of_four() {
    let spec = DramSpec::named("lpddr3_1ch").expect("shipped");
    let mut banks = Banks::new(&spec);
    for (bank, now) in [(0, 100), (1, 108), (2, 117), (3, 125)] {
        banks.apply(Activate, bank, 0, DramCycles(now));
    }
    assert_eq!(
        banks.earliest(Activate, 4),
        DramCycles(140),
        "tFAW after the first"
    );
    banks.apply(Activate, 4, 0, DramCycles(140));
    assert_eq!(
        banks.earliest(Activate, 5),
        DramCycles(148),
        "tFAW after the second, and tRRD"
    );
    banks.apply(Activate, 5, 0, DramCycles(150));
    assert_eq!(
        banks.earliest(Activate, 6),
        DramCycles(158),
        "tRRD is longer than the third's window"
    );
}

#[test]
fn other_rank_has_its_own_window() {
    let spec = DramSpec::named("lpddr4_1ch").expect("shipped");
    let mut banks = Banks::new(&spec);
    for (bank, now) in [(0, 100), (4, 108), (1, 116), (5, 124)] {
        banks.apply(Activate, bank, 0, DramCycles(now));
    }
    assert_eq!(
        banks.earliest(Activate, 2),
        DramCycles(132),
        "full in rank 0"
    );
    assert_eq!(
        banks.earliest(Activate, 8),
        DramCycles(0),
        "empty in rank 1"
    );
}
