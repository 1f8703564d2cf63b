//! KHEPRI: A. Tomás et al.

use super::number::Column::One;
use super::number::Over::{Below as RowsBelow, Least, Most, Row};
use super::number::{PaperNumber, said};
use super::terms::Terms;
use super::terms::Terms::{
    Change, ChangePerKiloInstruction, Faster, Kibibytes, More, PerKiloInstruction, Share,
};
use super::terms::Value::{About, Below, Games};

/// Reason for which a game's number stands alone.
const NO_AMONG_US: &str = "no demo stands for AmU (Among Us)";
const NO_AIR_ATTACK: &str = "no demo stands for AAt (Air Attack), and it is not the most of any";

pub(super) const NUMBERS: &[PaperNumber] = &[
    said("khepri.fig6", "V-A", "speedup of the Raster Pipeline")
        .is(9.2, More)
        .mean("khepri.fig6", "raster speed")
        .also(&[("khepri.fig9", "KHEPRI")]),
    said("khepri.fig6", "V-A", "speedup of the Raster Pipeline")
        .is(28.0, More)
        .beside("khepri.fig6", One("raster speed"), Most("AAt")),
    said("khepri.fig6", "V-A", "speedup of the Raster Pipeline")
        .is(19.6, More)
        .games("khepri.fig6", One("raster speed"), &["CoC"]),
    said("khepri.fig6", "V-A", "games that are slower")
        .reads(Games(2, 32), Share)
        .beside("khepri.fig6", One("raster speed"), RowsBelow(1.0)),
    said("khepri.fig6", "V-A", "frame rate added")
        .is(7.3, More)
        .mean("khepri.fig6", "frame speed"),
    said("khepri.fig6", "V-A", "energy saved")
        .is(4.8, Terms::Less)
        .mean("khepri.fig6", "energy"),
    said("khepri.fig6", "V-A", "energy saved")
        .is(16.3, Terms::Less)
        .beside("khepri.fig6", One("energy"), Most("AAt")),
    said("khepri.fig6", "V-A", "energy saved")
        .is(11.0, Terms::Less)
        .games("khepri.fig6", One("energy"), &["CoC"]),
    said("khepri.fig7", "V-A", "misses of L1 texture caches added")
        .is(-1.4, ChangePerKiloInstruction)
        .mean("khepri.fig7", "L1 texture caches"),
    said("khepri.fig7", "V-A", "misses of L1 texture caches added")
        .is(-11.0, ChangePerKiloInstruction)
        .beside("khepri.fig7", One("L1 texture caches"), Least("GDL")),
    said("khepri.fig7", "V-A", "misses of L1 texture caches added")
        .is(15.0, ChangePerKiloInstruction)
        .beside("khepri.fig7", One("L1 texture caches"), Most("Gra")),
    said("khepri.fig7", "V-A", "misses of L1 texture caches added")
        .reads(About(-4.0), ChangePerKiloInstruction)
        .games("khepri.fig7", One("L1 texture caches"), &["TiB"]),
    said("khepri.fig7", "V-A", "misses of the L2 added")
        .is(-0.1, ChangePerKiloInstruction)
        .mean("khepri.fig7", "L2"),
    said("khepri.fig8", "V-A", "DRAM accesses added")
        .is(-0.8, ChangePerKiloInstruction)
        .mean("khepri.fig8", "all"),
    said("khepri.fig8", "V-A", "lines read from the DRAM saved")
        .is(3.7, Terms::Less)
        .mean("khepri.txt.reads", "reads"),
    said("khepri.fig9", "V-B", "speedup in Z-order")
        .is(-8.6, More)
        .mean("khepri.fig9", "Z-order"),
    said("khepri.fig9", "V-B", "speedup in Z-order")
        .reads(Below(-20.0), More)
        .beside("khepri.fig9", One("Z-order"), Least("PVZ, RoM")),
    said(
        "khepri.fig9",
        "V-B",
        "speedup of KHEPRI less that in Z-order",
    )
    .is(17.8, Change)
    .mean("khepri.fig9", "KHEPRI less Z-order"),
    said(
        "khepri.fig9",
        "V-B",
        "speedup of KHEPRI less that in Z-order",
    )
    .reads(About(30.0), Change)
    .beside("khepri.fig9", One("KHEPRI less Z-order"), Most("PVZ")),
    said(
        "khepri.fig9",
        "V-B",
        "speedup of KHEPRI less that in Z-order, AAt",
    )
    .is(27.8, Change)
    .not_comparable(NO_AIR_ATTACK),
    said(
        "khepri.fig9",
        "V-B",
        "speedup of KHEPRI less that in Z-order",
    )
    .is(13.8, Change)
    .games("khepri.fig9", One("KHEPRI less Z-order"), &["CrS"]),
    said(
        "khepri.fig10",
        "V-B",
        "misses of L1 texture caches that Z-order adds",
    )
    .is(4.9, ChangePerKiloInstruction)
    .mean("khepri.fig10", "L1 texture caches"),
    said(
        "khepri.fig10",
        "V-B",
        "misses of L1 texture caches that Z-order adds, AAt",
    )
    .is(10.0, ChangePerKiloInstruction)
    .not_comparable(NO_AIR_ATTACK),
    said(
        "khepri.fig10",
        "V-B",
        "misses of L1 texture caches that Z-order adds",
    )
    .is(7.3, ChangePerKiloInstruction)
    .games("khepri.fig10", One("L1 texture caches"), &["CrS"]),
    said(
        "khepri.txt.motiv",
        "I, III-A",
        "speedup of memory-intensive games by memory cores, of compute cores",
    )
    .is(25.0, More)
    .mean("khepri.txt.motiv", "memory games on memory cores")
    .also(&[("khepri.sensitivity.cores", "memory games on memory cores")]),
    said(
        "khepri.txt.motiv",
        "I, III-A",
        "speedup of compute-intensive games by compute cores, of memory cores",
    )
    .is(43.0, More)
    .mean("khepri.txt.motiv", "compute games on compute cores")
    .also(&[("khepri.sensitivity.cores", "compute games on compute cores")]),
    said("khepri.txt.mpki", "V-A", "misses of L1 texture caches")
        .is(77.0, PerKiloInstruction)
        .games("khepri.txt.mpki", One("homogeneous"), &["TiB"]),
    said("khepri.txt.mpki", "V-A", "misses of L1 texture caches, AmU")
        .is(65.0, PerKiloInstruction)
        .not_comparable(NO_AMONG_US),
    said("khepri.txt.mpki", "V-A", "misses of L1 texture caches")
        .is(15.0, PerKiloInstruction)
        .games("khepri.txt.mpki", One("homogeneous"), &["Maz"]),
    said("khepri.txt.mpki", "V-A", "misses of L1 texture caches")
        .is(13.0, PerKiloInstruction)
        .games("khepri.txt.mpki", One("homogeneous"), &["RoM"]),
    said("khepri.txt.mpki", "V-B", "misses of L1 texture caches")
        .is(130.0, PerKiloInstruction)
        .beside("khepri.txt.mpki", One("homogeneous"), Most("AAt")),
    said(
        "khepri.txt.concurrent",
        "V-A",
        "concurrent misses saved, TiB and AmU",
    )
    .reads(About(-20.0), More)
    .games("khepri.txt.concurrent", One("lines"), &["TiB", "AmU"]),
    said(
        "khepri.txt.geom",
        "V-A",
        "speedup of vertex programs by compute cores",
    )
    .is(0.8, Faster)
    .mean("khepri.txt.geometry", "geometry"),
    said(
        "khepri.txt.hw",
        "V-C, 89,725 of 270,000 cycles",
        "time of ranking and regions, of the geometry's",
    )
    .is(33.2, Share)
    .mean("khepri.txt.hw", "ranking"),
    said("khepri.txt.hw", "V-C", "storage added by the scheduler")
        .is(16.4, Kibibytes)
        .beside("area.storage", One("added"), Row("khepri")),
    said("khepri.txt.hw", "V-C", "storage added, of the L2's area")
        .reads(About(0.8), Share)
        .beside("area.share", One("of the L2"), Row("khepri")),
    said("khepri.txt.hw", "V-C", "storage saved in all")
        .is(71.6, Kibibytes)
        .beside("area.storage", One("saved in all"), Row("khepri")),
];
