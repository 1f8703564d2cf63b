//! Boustrophedonic Frames: D. Joseph et al., PACT 2023.

use super::number::Column::One;
use super::number::Over::{Mean, Row};
use super::number::{PaperNumber, said};
use super::terms::Terms::{Change, Count, Share, TimesLeft};
use super::terms::Value::About;

pub(super) const NUMBERS: &[PaperNumber] = &[
    said(
        "boustro.tab1",
        "IV-B, mean of twelve games",
        "texture footprint of a frame, of the L2's size",
    )
    .is(227.5, Share)
    .mean("boustro.tab1", "footprint"),
    // 33.7 % in section III, 36.0 % by Table I.
    said("boustro.fig1", "I", "texels in DRAM traffic")
        .reads(About(36.0), Share)
        .mean("boustro.fig1", "texels")
        .also(&[("boustro.tab1", "texels")]),
    said(
        "boustro.fig6",
        "III-D",
        "texture accesses that reuse a line of their frame",
    )
    .is(55.0, Share)
    .mean("boustro.fig6", "all"),
    said(
        "boustro.fig6",
        "III-D",
        "texture accesses that reuse a line at once",
    )
    .is(31.0, Share)
    .mean("boustro.fig6", "0"),
    said(
        "boustro.fig7",
        "III-D",
        "texture accesses that reuse a line of an earlier frame",
    )
    .is(44.0, Share)
    .mean("boustro.fig7", "all"),
    said("boustro.fig7", "III-D", "texture accesses that are new")
        .is(1.0, Share)
        .mean("boustro.fig7", "new"),
    said(
        "boustro.fig9",
        "V-A",
        "misses of a loop of 9 lines in 8 saved, of 1",
    )
    .is(0.88, Count)
    .beside("boustro.fig9", One("s = 9"), Row("j = 8")),
    said(
        "boustro.fig10",
        "V-A",
        "L2 misses of texels saved by LRU reversed",
    )
    .is(43.6, Change)
    .mean("boustro.fig10", "LRU reversed")
    .also(&[("boustro.fig15", "LRU reversed")]),
    said(
        "boustro.fig10",
        "V-A",
        "L2 misses of texels saved by OPT forward",
    )
    .is(47.7, Change)
    .mean("boustro.fig10", "OPT forward"),
    said(
        "boustro.fig10",
        "V-A",
        "L2 misses of texels saved by OPTPT forward",
    )
    .is(50.4, Change)
    .mean("boustro.fig10", "OPTPT forward"),
    said(
        "boustro.fig10",
        "V-A",
        "L2 misses of texels saved by OPT reversed",
    )
    .is(52.9, Change)
    .mean("boustro.fig10", "OPT reversed"),
    said(
        "boustro.fig10",
        "V-A",
        "L2 misses of texels saved by OPTPT reversed",
    )
    .is(55.0, Change)
    .mean("boustro.fig10", "OPTPT reversed"),
    said("boustro.fig11", "III", "texels in L2 misses")
        .is(63.6, Share)
        .mean("boustro.fig11", "texels"),
    said("boustro.fig12", "V-B", "DRAM accesses saved")
        .is(5.6, Change)
        .mean("boustro.fig12", "saved"),
    said("boustro.fig12", "V-B", "DRAM accesses saved")
        .is(12.9, Change)
        .games("boustro.fig12", One("saved"), &["AgB"]),
    said("boustro.fig12", "V-B", "DRAM accesses saved")
        .is(16.6, Change)
        .games("boustro.fig12", One("saved"), &["CCS"]),
    said("boustro.fig13", "V-B", "speedup")
        .is(2.0, Change)
        .mean("boustro.fig13", "speedup"),
    said("boustro.fig13", "V-B", "speedup")
        .reads(About(7.0), Change)
        .games("boustro.fig13", One("speedup"), &["CCS", "CrS"]),
    said("boustro.fig14", "V-B", "energy of caches and DRAM saved")
        .is(9.9, Change)
        .mean("boustro.fig14", "caches and DRAM"),
    said("boustro.fig14", "V-B", "energy of caches and DRAM saved")
        .reads(About(24.0), Change)
        .games(
            "boustro.fig14",
            One("caches and DRAM"),
            &["CrS", "AgB", "CCS"],
        ),
    said("boustro.fig14", "V-B", "energy of the GPU saved")
        .is(2.6, Change)
        .mean("boustro.fig14", "GPU"),
    said("boustro.fig14", "V-B", "energy of the GPU saved")
        .is(9.9, Change)
        .games("boustro.fig14", One("GPU"), &["CCS"]),
    said(
        "boustro.fig15",
        "V-C",
        "L2 misses of texels saved by MRU forward",
    )
    .is(-3.6, Change)
    .beside("boustro.fig15", One("MRU forward"), Mean),
    said("boustro.fig15", "V-C", "L2 misses of texels of MRU forward")
        .is(2.6, TimesLeft)
        .games("boustro.fig15", One("MRU forward"), &["GrT"]),
];
