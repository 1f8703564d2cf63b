//! The L2 as a part of the machine: its policy is the file's, and observers see the accesses that it counts.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use super::{grid, machine};
use crate::cache::{CacheTags, StreamEvent, TilePlace, Victim};
use crate::machine::MachineSpec;
use crate::memory::{L2Access, L2Observer, L2Recording, Traffic};
use crate::{FrameReport, Gpu, Seams, TechniqueSeams};
use azulejo_grid::{TileGrid, TileId};
use azulejo_trace::InstructionClass;
use azulejo_trace::synthetic::{CoveredScreen, TexelPattern, independent};

/// A screen of 8 x 8 tiles with 1 MiB of texels, each read once a frame.
fn textured() -> CoveredScreen {
    let program = independent(InstructionClass::Texture, 1);
    let mut screen = CoveredScreen::new(grid(256, 256, 32), program);
    screen.texels = TexelPattern::AlwaysNew;
    screen
}

fn play(gpu: &mut Gpu, n_frames: u64) -> Vec<FrameReport> {
    let screen = textured();
    let frames = (0..n_frames).map(|number| gpu.run_frame(&screen.frame(number)));
    frames.collect::<Result<_, _>>().expect("no deadlock")
}

/// Three frames of a machine: their reports and the recorded stream.
fn recorded(spec: &MachineSpec) -> (Vec<FrameReport>, Vec<StreamEvent>) {
    let mut gpu = Gpu::new(spec).expect("valid");
    let recording = Arc::new(Mutex::new(L2Recording::new(gpu.l2_stream_header())));
    gpu.observe_l2(Arc::clone(&recording));
    let reports = play(&mut gpu, 3);
    let recording = recording.lock().expect("nobody panicked");
    let events = recording.events().expect("room").collect::<Result<_, _>>();
    (reports, events.expect("a stream"))
}

#[test]
fn l2_replaces_as_the_machine_says() {
    let lines = 64 * 64 * 4;
    let reads = |replacement: &str| {
        let replacement = format!("l2.replacement={replacement}");
        let spec = machine("valhall-libra-baseline", &["l2.size=512KiB", &replacement]);
        let reports = play(&mut Gpu::new(&spec).expect("valid"), 3);
        reports[2].dram.reads[Traffic::Texture]
    };
    // A stream of twice the L2's size, again and again.
    assert_eq!(reads("lru"), lines, "LRU finds nothing of the frame before");
    let mru = reads("mru");
    assert!(
        mru < lines * 6 / 10,
        "MRU keeps about half: {mru} of {lines}"
    );
}

#[test]
fn recorded_stream_has_the_accesses_that_the_l2_counts_by_frame_and_tile() {
    for name in ["valhall-libra-baseline", "valhall-libra"] {
        let (reports, events) = recorded(&machine(name, &[]));
        let mut frames = Vec::new();
        for event in events {
            match event {
                StreamEvent::Frame { number, grid } => {
                    assert_eq!(grid, textured().grid, "the frame's tiles");
                    frames.push((number, BTreeMap::new()));
                }
                StreamEvent::Access(access) => {
                    let TilePlace { tile, raster_unit } = access.place.expect("a tile's");
                    let (_, tiles) = frames.last_mut().expect("after a mark");
                    *tiles.entry((tile.0, raster_unit)).or_insert(0_u64) += 1;
                }
            }
        }
        for (report, (number, tiles)) in reports.iter().zip(&frames) {
            assert_eq!(*number, report.frame, "{name}: marked");
            let n_accesses: u64 = tiles.values().sum();
            assert_eq!(n_accesses, report.l2.reads[Traffic::Texture], "{name}: all");
            // Every texel is new to the first level, so that each miss is an access here.
            let costs = (0..).zip(&report.tiles);
            let expected = costs.map(|(tile, tile_cost)| {
                let place = (tile, tile_cost.raster_unit);
                (place, tile_cost.cost.texture_misses)
            });
            assert_eq!(*tiles, expected.collect(), "{name}: by tile and unit");
        }
        assert_eq!(frames.len(), reports.len(), "{name}: every frame");
    }
}

#[test]
fn recorded_stream_of_one_unit_goes_from_tile_to_tile_in_order() {
    let spec = machine("valhall-libra-baseline", &["screen.tile_order=s-order"]);
    let (_, events) = recorded(&spec);
    let mut tiles: Vec<TileId> = Vec::new();
    for event in events.into_iter().skip(1) {
        let StreamEvent::Access(access) = event else {
            break;
        };
        let tile = access.place.expect("a tile's").tile;
        if tiles.last() != Some(&tile) {
            tiles.push(tile);
        }
    }
    let mut in_order: Vec<TileId> = (0..64).map(TileId).collect();
    for row in in_order.chunks_mut(8).skip(1).step_by(2) {
        row.reverse();
    }
    assert_eq!(tiles, in_order, "every second row backwards");
}

#[test]
fn recorded_stream_replayed_misses_as_often_as_the_machine_read_dram() {
    let spec = machine("valhall-libra-baseline", &["l2.size=512KiB"]);
    let (reports, events) = recorded(&spec);
    let mut tags = CacheTags::new(spec.l2.tags, Victim::Lru).expect("valid");
    for event in events {
        if let StreamEvent::Access(access) = event {
            tags.access(access.address, access.kind);
        }
    }
    let reads: u64 = reports
        .iter()
        .map(|report| report.dram.reads[Traffic::Texture])
        .sum();
    assert_eq!(tags.counters.misses(), reads, "each line was new to the L2");
}

/// Counts the accesses that it sees, by kind.
#[derive(Debug, Default)]
struct Count {
    frames: u64,
    writes: u64,
    of_texture: u64,
    all: u64,
}

impl L2Observer for Count {
    fn begin_frame(&mut self, _: u64, _: TileGrid) {
        self.frames += 1;
    }

    fn access(&mut self, access: &L2Access) {
        self.all += 1;
        self.writes += u64::from(access.access.kind.is_write());
        self.of_texture += u64::from(access.traffic == Traffic::Texture);
    }
}

#[test]
fn observers_of_techniques_see_every_access_and_change_nothing() {
    let spec = machine("valhall-libra", &["tiling.tile_cache.size=1KiB"]);
    let plain = play(&mut Gpu::new(&spec).expect("valid"), 2);
    let counts = [(); 2].map(|()| Arc::new(Mutex::new(Count::default())));
    let techniques = ["a", "b"].into_iter().zip(&counts);
    let techniques: Vec<_> = techniques
        .map(|(technique, count)| TechniqueSeams {
            technique,
            seams: Seams {
                l2_observer: Some(Box::new(Arc::clone(count))),
                ..Seams::default()
            },
        })
        .collect();
    let watched = play(&mut Gpu::with_seams(&spec, techniques).expect("valid"), 2);
    for (watched, plain) in watched.iter().zip(&plain) {
        assert_eq!(watched.cycles, plain.cycles, "no cycle more");
        assert_eq!(watched.l2, plain.l2, "nor another access");
    }
    let sum = |count: fn(&FrameReport) -> u64| plain.iter().map(count).sum::<u64>();
    for count in counts {
        let Count {
            frames,
            writes,
            of_texture,
            all,
        } = *count.lock().expect("nobody panicked");
        assert_eq!(frames, 2, "each");
        assert_eq!(
            all,
            sum(|report| report.l2.reads.total() + report.l2.writes.total())
        );
        assert_eq!(writes, sum(|report| report.l2.writes.total()), "written");
        assert_eq!(of_texture, sum(|report| report.l2.reads[Traffic::Texture]));
        assert!(writes > 0 && of_texture > 0, "of each kind");
    }
}
