//! Viridis: numbers to colours whose perceived difference follows the numbers' difference, also for readers who do not tell
//! red from green (van der Walt and Smith, matplotlib, 2015; released under CC0).

/// The map at ninths of its range; between them, straight lines.
const VIRIDIS: [[u8; 3]; 10] = [
    [0x44, 0x01, 0x54],
    [0x48, 0x28, 0x78],
    [0x3e, 0x49, 0x89],
    [0x31, 0x68, 0x8e],
    [0x26, 0x82, 0x8e],
    [0x1f, 0x9e, 0x89],
    [0x35, 0xb7, 0x79],
    [0x6e, 0xce, 0x58],
    [0xb5, 0xde, 0x2b],
    [0xfd, 0xe7, 0x25],
];

/// The sRGB-encoded colour at `position`, 0..=1 from low to high; outside it is clamped.
#[must_use]
pub fn viridis(position: f64) -> [u8; 3] {
    let last = VIRIDIS.len() - 1;
    let at = position.clamp(0.0, 1.0) * last as f64;
    let lower = (at as usize).min(last - 1);
    let share = at - lower as f64;
    std::array::from_fn(|channel| {
        let [from, to] = [lower, lower + 1].map(|k| f64::from(VIRIDIS[k][channel]));
        (from + share * (to - from)).round() as u8
    })
}

/// Colours that readers tell apart who do not see all of them alike (M. Okabe and K. Ito, "Color Universal Design", 2008),
/// without black, and grey.
const DISTINCT: [[u8; 3]; 8] = [
    [0xe6, 0x9f, 0x00],
    [0x56, 0xb4, 0xe9],
    [0x00, 0x9e, 0x73],
    [0xf0, 0xe4, 0x42],
    [0xcc, 0x79, 0xa7],
    [0x00, 0x72, 0xb2],
    [0xd5, 0x5e, 0x00],
    [0x99, 0x99, 0x99],
];

/// The sRGB-encoded colour of a kind by its number; after eight they come again.
#[must_use]
pub const fn distinct(number: usize) -> [u8; 3] {
    DISTINCT[number % DISTINCT.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distinct_colours_differ_up_to_the_eighth() {
        for a in 0..8 {
            assert!((0..a).all(|b| distinct(a) != distinct(b)), "{a}");
        }
        assert_eq!(distinct(11), distinct(3), "again");
    }

    #[test]
    fn viridis_meets_its_ends_and_clamps() {
        assert_eq!(viridis(-1.0), [0x44, 0x01, 0x54], "low end");
        assert_eq!(viridis(1.5), [0xfd, 0xe7, 0x25], "high end");
    }

    #[test]
    fn viridis_interpolates_between_its_points() {
        assert_eq!(viridis(5.0 / 9.0), [0x1f, 0x9e, 0x89], "on a point");
        assert_eq!(viridis(0.5), [0x23, 0x90, 0x8c], "half-way between two");
    }
}
