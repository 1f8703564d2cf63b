//! Size and shape of a cache, checked once: what the tags and the offline policies may rely on.

use azulejo_units::Bytes;

/// A set-associative cache: `size = sets x ways x line`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CacheSpec {
    /// Capacity for data, tags not included.
    pub size: Bytes,
    /// Lines in a set.
    pub ways: u32,
    /// Bytes in a line, a power of two.
    pub line: Bytes,
}

/// A cache that cannot be built.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CacheSpecError {
    /// The line is not a power of two, or out of range.
    #[error("line of {0}: expected a power of two from 4 B to 64 KiB")]
    Line(Bytes),
    /// No ways, or more than lines.
    #[error("{ways} ways: expected from 1 to the {lines} lines of the cache")]
    Ways {
        /// Requested associativity, in lines of a set.
        ways: u32,
        /// Lines that the size holds.
        lines: u64,
    },
    /// The size is no whole number of sets.
    #[error(
        "size of {size}: expected a multiple of ways x line = {set_bytes} bytes, at most 4 GiB and 2^24 lines"
    )]
    Size {
        /// Requested capacity in bytes.
        size: Bytes,
        /// Bytes in a set.
        set_bytes: u64,
    },
}

/// Bound on the tag array, so that a mistyped size is an error and not an exhausted machine.
const MAX_LINES: u64 = 1 << 24;

impl CacheSpec {
    /// Checks the shape.
    ///
    /// # Errors
    /// The first of line, size and ways that does not fit the others.
    pub fn validate(&self) -> Result<(), CacheSpecError> {
        if !self.line.0.is_power_of_two() || !(4..=65536).contains(&self.line.0) {
            return Err(CacheSpecError::Line(self.line));
        }
        let lines = self.size.0 / self.line.0;
        let set_bytes = u64::from(self.ways).saturating_mul(self.line.0);
        let too_big = self.size.0 > 1 << 32 || lines > MAX_LINES;
        if lines == 0 || too_big {
            let size = self.size;
            return Err(CacheSpecError::Size { size, set_bytes });
        }
        if self.ways == 0 || u64::from(self.ways) > lines {
            let ways = self.ways;
            return Err(CacheSpecError::Ways { ways, lines });
        }
        if !self.size.0.is_multiple_of(set_bytes) {
            let size = self.size;
            return Err(CacheSpecError::Size { size, set_bytes });
        }
        Ok(())
    }

    /// Number of sets; any number, not only powers of two.
    #[must_use]
    pub const fn n_sets(&self) -> u64 {
        self.size.0 / (self.ways as u64 * self.line.0)
    }

    /// Number of lines in all sets.
    #[must_use]
    pub const fn n_lines(&self) -> u64 {
        self.size.0 / self.line.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(size: u64, ways: u32, line: u64) -> CacheSpec {
        CacheSpec {
            size: Bytes(size),
            ways,
            line: Bytes(line),
        }
    }

    #[test]
    fn spec_counts_sets() {
        assert_eq!(spec(32 << 10, 4, 64).validate(), Ok(()), "a usual cache");
        assert_eq!(spec(32 << 10, 4, 64).n_sets(), 128, "32 KiB 4-way");
        assert_eq!(
            spec(48 << 10, 24, 128).validate(),
            Ok(()),
            "ways need not be a power of two"
        );
    }

    #[test]
    fn spec_that_does_not_fit_is_refused() {
        for (size, ways, line) in [
            (0, 1, 64),
            (1024, 0, 64),
            (1024, 32, 64),
            (1024, 4, 48),
            (1024, 4, 2),
            (1000, 4, 64),
            (1 << 40, 4, 64),
            (u64::MAX, u32::MAX, 64),
            (1 << 32, 4, 4),
        ] {
            assert!(
                spec(size, ways, line).validate().is_err(),
                "size {size} ways {ways} line {line} must be refused"
            );
        }
    }
}
