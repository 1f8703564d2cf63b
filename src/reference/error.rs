//! Errors on the driver's side, worded so that the reader can tell what to do next.

use thiserror::Error;

/// Why the reference could not draw.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ReferenceError {
    /// No driver was found.
    #[error(
        "no graphics driver found: `compare` needs a Vulkan (or Metal, D3D12, GL) driver. \
         Without a GPU install Mesa's lavapipe, which draws on the CPU: `apt-get install mesa-vulkan-drivers` on Debian"
    )]
    NoDriver,
    /// The driver would not open.
    #[error("the driver {driver} could not be opened: {message}")]
    Open {
        /// Name that the driver gives itself.
        driver: String,
        /// Error message of the driver.
        message: String,
    },
    /// The driver refused a part of the scene or of the frame.
    #[error("the driver refused {what}: {message}")]
    Refused {
        /// Requested operation or resource.
        what: &'static str,
        /// Error message of the driver.
        message: String,
    },
    /// The scene, a material or the picture is beyond the driver's limits.
    #[error("{what} needs {needed}, the driver allows {limit}")]
    TooLarge {
        /// Which part, with its unit.
        what: &'static str,
        /// Required amount, in that unit.
        needed: u64,
        /// Limit of the driver, in that unit.
        limit: u64,
    },
}
