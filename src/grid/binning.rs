//! Which tiles a triangle is listed in.

use std::fmt;
use std::str::FromStr;

/// How finely triangles are tested against tiles. The picture is the same: in tiles that only a coarse test lists, they cover nothing.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum Binning {
    /// Tiles that no edge of the triangle excludes.
    #[default]
    Exact,
    /// Tiles that the triangle's bounding box overlaps: a cheaper test, more entries in the Parameter Buffer.
    BoundingBox,
}

impl Binning {
    /// Every way, with the name by which users choose it.
    pub const ALL: [(Self, &'static str); 2] =
        [(Self::Exact, "exact"), (Self::BoundingBox, "bounding-box")];
}

impl fmt::Display for Binning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let found = Self::ALL.iter().find(|(binning, _)| binning == self);
        f.write_str(found.map_or("", |(_, name)| name))
    }
}

/// A name that no way of binning has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown binning '{0}': expected one of exact, bounding-box")]
pub struct ParseBinningError(String);

impl FromStr for Binning {
    type Err = ParseBinningError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let found = Self::ALL.iter().find(|(_, known)| *known == name);
        found
            .map(|(binning, _)| *binning)
            .ok_or_else(|| ParseBinningError(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn binning_is_read_by_the_name_that_it_prints() {
        for (binning, name) in Binning::ALL {
            assert_eq!(binning.to_string(), name, "{binning:?}");
            assert_eq!(name.parse(), Ok(binning), "{name}");
        }
        assert!("boxes".parse::<Binning>().is_err(), "unknown");
    }
}
