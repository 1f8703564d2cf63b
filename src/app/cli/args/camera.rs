//! Options that say from where a picture is seen.

use super::parse::{field_of_view, orbit, triple};

/// From where.
#[derive(Debug, Clone, clap::Args)]
#[command(
    next_help_heading = "Camera (default: the scene's first; where it has none, one that frames everything)"
)]
pub(in crate::app::cli) struct CameraArgs {
    /// A camera of the scene, by its name or number from 0
    #[arg(long, value_name = "NAME|INDEX", conflicts_with = "orbit")]
    pub(in crate::app::cli) camera: Option<String>,
    /// On a sphere around the target: degrees around +Y from +Z, degrees down from +Y, and the distance; distance 0 looks
    /// out of the target
    #[arg(long, value_name = "THETA,PHI,RADIUS", value_parser = orbit, allow_hyphen_values = true)]
    pub(in crate::app::cli) orbit: Option<[f32; 3]>,
    /// The middle of the orbit [default: the middle of everything drawn]
    #[arg(long, value_name = "X,Y,Z", value_parser = triple, allow_hyphen_values = true, requires = "orbit")]
    pub(in crate::app::cli) target: Option<[f32; 3]>,
    /// Vertical field of view of the orbit in degrees
    #[arg(long, value_name = "DEGREES", value_parser = field_of_view, requires = "orbit", default_value = "45")]
    pub(in crate::app::cli) fov: f32,
}
