//! A choice of frames that stand for others: J. Ortiz et al., ISPASS 2022.

use super::number::{PaperNumber, said};
use super::terms::Terms::Share;

pub(super) const NUMBERS: &[PaperNumber] = &[
    said("sampling.error", "abstract", "error of cycles")
        .is(0.84, Share)
        .mean("sampling.error", "cycles"),
    said("sampling.error", "abstract", "error of DRAM accesses")
        .is(0.99, Share)
        .mean("sampling.error", "DRAM accesses"),
    said("sampling.error", "abstract", "error of L2 accesses")
        .is(1.2, Share)
        .mean("sampling.error", "L2 accesses"),
    said("sampling.error", "abstract", "error of tile cache accesses")
        .is(0.86, Share)
        .mean("sampling.error", "tile cache accesses"),
];
