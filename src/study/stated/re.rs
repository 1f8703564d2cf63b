//! Rendering Elimination: M. Anglada et al., HPCA 2019.

use super::number::Column::{Less, One};
use super::number::Over::{EachGame, Most, Row};
use super::number::{PaperNumber, said};
use super::terms::Terms;
use super::terms::Terms::{Change, More, Share, TimesFaster};
use super::terms::Value::{Above, Below};

/// Games whose cameras hardly move.
const STATIC: &[&str] = &["ccs", "cde", "coc", "ctr", "hop"];

pub(super) const NUMBERS: &[PaperNumber] = &[
    said("re.fig2", "I", "tiles with the colours of the frame before")
        .reads(Above(90.0), Share)
        .beside("re.fig2", One("equal"), EachGame(STATIC)),
    said(
        "re.fig2",
        "V, 50 + 12",
        "tiles with the colours of the frame before",
    )
    .is(62.0, Share)
    .mean("re.fig2", "equal"),
    said("re.fig13a", "V", "time saved")
        .is(42.0, Terms::Less)
        .mean("re.fig13a", "total")
        .also(&[("re.fig16a", "RE")]),
    said("re.fig13a", "V", "speedup")
        .is(1.74, TimesFaster)
        .mean("re.fig13a", "total"),
    said("re.fig13a", "V", "time saved")
        .is(86.0, Terms::Less)
        .games("re.fig13a", One("total"), &["cde"]),
    said("re.fig13a", "VII", "speedup")
        .is(6.9, TimesFaster)
        .beside("re.fig13a", One("total"), Most("")),
    said("re.fig13a", "V", "speedup of the Raster Pipeline")
        .is(2.0, TimesFaster)
        .mean("re.txt.raster", "raster"),
    said("re.fig13a", "V", "speedup of the Raster Pipeline")
        .reads(Above(10.0), TimesFaster)
        .beside("re.txt.raster", One("raster"), Most("")),
    said("re.fig13a", "V", "geometry cycles added")
        .is(0.64, More)
        .mean("re.txt.geometry", "geometry"),
    said("re.fig13a", "V", "time lost without redundant tiles")
        .reads(Below(1.0), More)
        .games("re.fig13a", One("total"), &["mst"]),
    said("re.fig13b", "V", "energy saved")
        .is(43.0, Terms::Less)
        .mean("re.fig13b", "total")
        .also(&[("re.fig16b", "RE")]),
    said("re.fig13b", "V", "energy of the GPU saved")
        .is(38.0, Terms::Less)
        .mean("re.txt.energy", "GPU"),
    said("re.fig13b", "V", "energy of the memory saved")
        .is(48.0, Terms::Less)
        .mean("re.txt.energy", "memory"),
    said("re.fig13b", "V", "energy saved")
        .is(90.0, Terms::Less)
        .games("re.fig13b", One("total"), &["ccs", "cde"]),
    said("re.fig13b", "VII", "energy of RE itself, of the GPU's")
        .reads(Below(0.5), Share)
        .mean("re.txt.energy", "RE itself, of the GPU"),
    said(
        "re.txt.share",
        "V, 43 = 38 g + 48 (1 - g)",
        "the GPU's part of the baseline's energy",
    )
    .is(50.0, Share)
    .mean("re.txt.share", "GPU"),
    said("re.fig13b", "V", "area added, of the GPU's")
        .reads(Below(1.0), Share)
        .beside("area.share", One("of the GPU"), Row("re")),
    said("re.fig14a", "V", "tiles of equal inputs and colours")
        .is(50.0, Share)
        .mean("re.fig14a", "equal inputs"),
    said("re.fig14a", "V", "tiles of equal colours and other inputs")
        .is(12.0, Share)
        .mean("re.fig14a", "equal colours only"),
    said("re.fig14a", "V", "tiles of other colours")
        .is(38.0, Share)
        .mean("re.fig14a", "different"),
    said("re.fig14a", "V", "tiles found, of those with equal colours")
        .is(81.0, Share)
        .mean("re.txt.tiles", "found"),
    said("re.fig14a", "V", "tiles of equal inputs and other colours")
        .is(0.0, Share)
        .mean("re.txt.tiles", "equal inputs only"),
    said(
        "re.fig14b",
        "V",
        "DRAM traffic of the Raster Pipeline saved",
    )
    .is(48.0, Terms::Less)
    .mean("re.fig14b", "total"),
    said("re.fig16b", "V-A", "energy saved by TE")
        .is(9.0, Terms::Less)
        .mean("re.fig16b", "TE"),
    said("re.fig16b", "V-A", "energy that RE saves beyond TE")
        .is(65.0, Change)
        .games("re.fig16b", Less("TE", "RE"), &["cde"]),
];
