//! What can go wrong on the driver's side, said so that the reader knows what to do next.

use thiserror::Error;

/// Why the reference could not draw.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ReferenceError {
    /// No driver answered.
    #[error(
        "no graphics driver found: `compare` needs a Vulkan (or Metal, D3D12, GL) driver. \
         Without a GPU install Mesa's lavapipe, which draws on the CPU: `apt-get install mesa-vulkan-drivers` on Debian"
    )]
    NoDriver,
    /// The driver would not open.
    #[error("the driver {driver} could not be opened: {message}")]
    Open {
        /// What the driver calls itself.
        driver: String,
        /// What it said.
        message: String,
    },
    /// The driver refused a part of the scene or of the frame.
    #[error("the driver refused {what}: {message}")]
    Refused {
        /// What was asked of it.
        what: &'static str,
        /// What it said.
        message: String,
    },
    /// The scene, a material or the picture is beyond the driver's limits.
    #[error("{what} needs {needed}, the driver allows {limit}")]
    TooLarge {
        /// Which part, with its unit.
        what: &'static str,
        /// What it takes.
        needed: u64,
        /// What there is.
        limit: u64,
    },
}
