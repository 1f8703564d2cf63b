//! How the town's painted surfaces are lit.

use crate::kit::paint::Cushion;

/// Light and outline of what stands out a little.
pub(super) const SOLID: Cushion = Cushion {
    bevel: 0.08,
    outline: 0.02,
    contrast: 0.6,
    gloss: 0.2,
};
