//! LIBRA: A. Tomás et al.

use super::number::Column::{Less, One};
use super::number::Over::{Below as RowsBelow, Mean, Most, Peak, Row};
use super::number::{Column, PaperNumber, said};
use super::terms::Terms;
use super::terms::Terms::{Change, Count, More, Share, Times};
use super::terms::Value::{About, Above, Below, Games};

/// Gain of LIBRA's scheduler over parallel tile rendering alone.
const SCHEDULER: Column = Less("LIBRA, raster", "PTR, raster");

pub(super) const NUMBERS: &[PaperNumber] = &[
    said("libra.fig1", "I", "time in the Raster Pipeline")
        .is(88.0, Share)
        .mean("libra.fig1", "raster"),
    said(
        "libra.fig4",
        "III-A",
        "games that eight cores speed up by less than 1.5",
    )
    .reads(Games(16, 32), Share)
    .beside("libra.fig4", One("speedup"), RowsBelow(1.5)),
    said("libra.fig4", "III-A", "speedup by eight cores, of four")
        .reads(Below(1.1), Times)
        .games("libra.fig4", One("speedup"), &["BlB", "CCS"]),
    said(
        "libra.fig8",
        "III-B",
        "tiles whose DRAM accesses change by less than 20 %",
    )
    .reads(Above(80.0), Share)
    .mean("libra.fig8", "20 %"),
    said("libra.fig11", "V-A", "speedup of memory-intensive games")
        .is(20.9, More)
        .mean("libra.fig11", "LIBRA, raster"),
    said("libra.fig11", "V-A", "of it by parallel tile rendering")
        .is(13.2, More)
        .mean("libra.fig11", "PTR, raster"),
    said("libra.fig11", "V-A", "of it by the scheduler")
        .is(7.7, Change)
        .beside("libra.fig11", SCHEDULER, Mean),
    said("libra.fig11", "V-A", "speedup by parallel tile rendering")
        .is(35.9, More)
        .beside("libra.fig11", One("PTR, raster"), Most("AAt")),
    said("libra.fig11", "V-A", "speedup added by the scheduler")
        .is(31.0, Change)
        .games("libra.fig11", SCHEDULER, &["CCS"]),
    said("libra.fig11", "V-A", "speedup").is(44.5, More).games(
        "libra.fig11",
        One("LIBRA, raster"),
        &["CCS"],
    ),
    said("libra.fig11", "V-A", "speedup added by the scheduler")
        .is(20.2, Change)
        .games("libra.fig11", SCHEDULER, &["GrT"]),
    said("libra.fig11", "V-A", "speedup").is(39.9, More).games(
        "libra.fig11",
        One("LIBRA, raster"),
        &["GrT"],
    ),
    said("libra.fig11", "V-A", "frame rate added")
        .is(11.4, More)
        .mean("libra.fig11", "LIBRA, frames"),
    said("libra.fig12", "V-A", "latency of textures saved")
        .is(13.5, Change)
        .mean("libra.fig12", "LIBRA"),
    said("libra.fig12", "V-A", "latency of textures saved")
        .is(40.0, Change)
        .beside("libra.fig12", One("LIBRA"), Most("")),
    said("libra.fig13", "V-A", "hit ratio of texture caches added")
        .is(10.6, Change)
        .mean("libra.fig13", "LIBRA"),
    said("libra.fig13", "V-A", "hit ratio of texture caches added")
        .is(40.0, Change)
        .beside("libra.fig13", One("LIBRA"), Most("")),
    // The paper does not say how a block's replication is counted.
    said(
        "libra.fig13",
        "V-A",
        "replication of blocks saved, of PTR's",
    )
    .is(32.5, Change)
    .mean("libra.txt.replication", "decrease"),
    said("libra.fig14", "V-A", "DRAM accesses saved, of PTR's")
        .is(20.0, Terms::Less)
        .games("libra.fig14", One("LIBRA"), &["CCS"]),
    said("libra.fig15", "V-A", "energy saved")
        .is(9.2, Change)
        .mean("libra.fig15", "LIBRA"),
    said("libra.fig15", "V-A", "of it by parallel tile rendering")
        .is(5.5, Change)
        .mean("libra.fig15", "PTR"),
    said("libra.fig15", "V-A", "of it by the scheduler")
        .is(3.7, Change)
        .beside("libra.fig15", Less("LIBRA", "PTR"), Mean),
    said("libra.fig15", "V-A", "energy saved in AAt")
        .is(19.5, Change)
        .not_comparable("no demo stands for AAt (Air Attack), and CCS saves more"),
    said("libra.fig15", "V-A", "energy saved")
        .is(20.5, Change)
        .games("libra.fig15", One("LIBRA"), &["CCS"]),
    said(
        "libra.fig16",
        "V-B",
        "speedup by supertiles of 2x2, of PTR's",
    )
    .is(0.6, More)
    .mean("libra.fig16", "2x2"),
    said(
        "libra.fig16",
        "V-B",
        "speedup by supertiles of 4x4, of PTR's",
    )
    .is(2.1, More)
    .mean("libra.fig16", "4x4"),
    said(
        "libra.fig16",
        "V-B",
        "speedup by supertiles of 8x8, of PTR's",
    )
    .is(2.8, More)
    .mean("libra.fig16", "8x8"),
    said(
        "libra.fig16",
        "V-B",
        "speedup by supertiles of 16x16, of PTR's",
    )
    .is(3.2, More)
    .mean("libra.fig16", "16x16"),
    said("libra.fig16", "V-B", "speedup by LIBRA, of PTR's")
        .reads(About(7.0), More)
        .mean("libra.fig16", "LIBRA"),
    said("libra.fig17", "V-C", "speedup of compute-intensive games")
        .is(11.6, More)
        .mean("libra.fig17", "LIBRA, raster"),
    said("libra.fig17", "V-C", "of it by parallel tile rendering")
        .is(9.9, More)
        .mean("libra.fig17", "PTR, raster"),
    said("libra.fig17", "V-C", "of it by the scheduler")
        .is(1.7, Change)
        .beside("libra.fig17", SCHEDULER, Mean),
    said("libra.fig17", "V-C", "speedup added by the scheduler")
        .reads(Above(5.0), Change)
        .beside("libra.fig17", SCHEDULER, Most("GDL")),
    said(
        "libra.fig18",
        "V-D",
        "speedup of two Raster Units, of one as large",
    )
    .is(20.9, More)
    .mean("libra.fig18", "2 x 4"),
    said(
        "libra.fig18",
        "V-D",
        "speedup of three Raster Units, of one as large",
    )
    .is(31.3, More)
    .mean("libra.fig18", "3 x 4"),
    said(
        "libra.fig18",
        "V-D",
        "speedup of four Raster Units, of one as large",
    )
    .is(28.8, More)
    .mean("libra.fig18", "4 x 4"),
    said(
        "libra.fig19a",
        "V-E",
        "best threshold for another size of supertiles, in %",
    )
    .is(0.25, Count)
    .beside("libra.fig19a", One("0.25 %"), Peak),
    said(
        "libra.fig19b",
        "V-E",
        "best threshold for another order, in %",
    )
    .is(3.0, Count)
    .beside("libra.fig19b", One("3 %"), Peak),
    said(
        "libra.txt.hw",
        "III-E, 13,761 of 270,000 cycles",
        "time of ranking, of the geometry's",
    )
    .is(5.1, Share)
    .mean("libra.txt.hw", "ranking"),
    said("libra.txt.hw", "III-E", "storage added")
        .reads(About(4.0), Terms::Kibibytes)
        .beside("area.storage", One("added"), Row("libra")),
    said("libra.txt.hw", "III-E", "area added, of the L2's")
        .reads(Below(0.2), Share)
        .beside("area.share", One("of the L2"), Row("libra")),
];
