//! Emerald: A. A. Gubran, T. M. Aamodt, ISCA 2019. In the first case study, frame rates are over times, as ours are
//! measured.

use super::number::Column::{Both, By, One};
use super::number::Over::Mean;
use super::number::{PaperNumber, said};
use super::terms::Terms::{Change, Count, Faster, More, Share, Times};
use super::terms::Value::{About, Between};

/// Reason for which the model's own errors stand alone.
const NO_HARDWARE: &str = "no Tegra K1 is here to be measured";

pub(super) const MODEL: &[PaperNumber] = &[
    said(
        "em.txt.valid",
        "3.4",
        "correlation of draw times with a Tegra K1's",
    )
    .is(98.0, Share)
    .not_comparable(NO_HARDWARE),
    said("em.txt.valid", "3.4", "mean error of draw times")
        .is(32.2, Share)
        .not_comparable(NO_HARDWARE),
    said(
        "em.txt.valid",
        "3.4",
        "correlation of fill rates with a Tegra K1's",
    )
    .is(76.5, Share)
    .not_comparable(NO_HARDWARE),
    said("em.txt.valid", "3.4", "mean error of fill rates")
        .is(33.0, Share)
        .not_comparable(NO_HARDWARE),
];

pub(super) const SHARED: &[PaperNumber] = &[
    said("em1.fig9", "5.2.1", "GPU time of a frame that DASH adds")
        .reads(Between(19.0, 20.0), More)
        .beside("em1.fig9", Both("DCB", "DTB"), Mean),
    said(
        "em1.fig9",
        "5.2.1",
        "GPU time of a frame with HMC, of the baseline's",
    )
    .reads(About(2.0), Times)
    .mean("em1.fig9", "HMC"),
    said("em1.fig11", "5.2.1", "row hits that HMC adds")
        .is(-15.0, More)
        .mean("em1.fig11", "row hits"),
    said(
        "em1.fig11",
        "5.2.1",
        "bytes for each opened row that HMC adds",
    )
    .reads(About(-60.0), More)
    .mean("em1.fig11", "bytes for each opened row"),
    said("em1.fig12", "5.2.2", "time of a frame that HMC adds")
        .is(45.0, More)
        .mean("em1.fig12", "HMC"),
    said("em1.fig12", "5.2.2", "frame rate that DCB adds")
        .is(-8.9, Faster)
        .mean("em1.fig12", "DCB"),
    said("em1.fig12", "5.2.2", "frame rate that DTB adds")
        .is(-9.7, Faster)
        .mean("em1.fig12", "DTB"),
    said("em1.fig12", "5.2.2", "frame rate that DASH adds")
        .reads(About(-12.0), Faster)
        .games("em1.fig12", Both("DCB", "DTB"), &["M1", "M3"]),
    said("em1.fig12", "5.2.2", "GPU time of a frame that DCB adds")
        .is(15.1, More)
        .games("em1.fig12", One("GPU DCB"), &["M1"]),
    said("em1.fig12", "5.2.2", "GPU time of a frame that DTB adds")
        .is(15.5, More)
        .games("em1.fig12", One("GPU DTB"), &["M1"]),
    said("em1.fig13", "5.2.2", "lines of the display that DTB adds")
        .is(-85.0, More)
        .games("em1.fig13", One("DTB"), &["M1"]),
    said(
        "em1.fig14",
        "5.2.2",
        "read latency of the GPU that DTB adds",
    )
    .is(16.2, More)
    .games("em1.fig14", One("latency DTB"), &["M1"]),
];

pub(super) const WORK_TILES: &[PaperNumber] = &[
    said(
        "em2.fig17",
        "6.2",
        "time that the slowest size adds to the fastest's",
    )
    .is(25.0, Change)
    .games("em2.txt.range", One("slowest"), &["W6"]),
    said(
        "em2.fig17",
        "6.2",
        "time that the slowest size adds to the fastest's",
    )
    .is(88.0, Change)
    .games("em2.txt.range", One("slowest"), &["W5"]),
    said("em2.fig17", "6.2", "fastest edge of work tiles")
        .is(1.0, Count)
        .games("em2.txt.best", One("fastest"), &["W5"]),
    said("em2.fig17", "6.2", "fastest edge of work tiles")
        .is(5.0, Count)
        .games("em2.txt.best", One("fastest"), &["W2", "W4"]),
    said("em2.fig18", "6.2", "correlation of time with L1 misses")
        .is(78.0, Share)
        .mean("em2.txt.correlation", "L1"),
    said("em2.fig18", "6.2", "correlation of time with depth misses")
        .is(79.0, Share)
        .mean("em2.txt.correlation", "L1Z"),
    said(
        "em2.fig18",
        "6.2",
        "correlation of time with texture misses",
    )
    .is(82.0, Share)
    .mean("em2.txt.correlation", "L1T"),
    said(
        "em2.fig19",
        "6.3",
        "speedup of DFSL, of the smallest work tiles'",
    )
    .is(19.0, More)
    .mean("em2.fig19", "DFSL"),
    said("em2.fig19", "6.3", "speedup of DFSL, of the best for all")
        .is(7.3, More)
        .beside("em2.fig19", By("DFSL", "SOPT"), Mean),
];
