//! Cost of ranking tiles on a chip.

/// Comparisons to rank `n` entries: n log2 n (LIBRA, section III-E; KHEPRI, section V-C).
pub(super) fn comparisons(n: u64) -> f64 {
    let n = n.max(1) as f64;
    n * n.log2()
}
