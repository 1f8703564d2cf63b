//! Options of the camera that a picture is seen from.

use super::parse::{field_of_view, orbit, triple};

/// Options of the camera.
#[derive(Debug, Clone, clap::Args)]
#[command(
    next_help_heading = "Camera (default: the scene's first; where it has none, one that frames everything)"
)]
pub(in crate::cli) struct CameraArgs {
    /// A camera of the scene, by its name or number from 0
    #[arg(long, value_name = "NAME|INDEX", conflicts_with = "orbit")]
    pub(in crate::cli) camera: Option<String>,
    /// Camera on a sphere around the target: two angles and the distance
    ///
    /// THETA counts degrees around +Y from +Z, PHI degrees down from +Y. Distance 0 looks out of the target.
    #[arg(long, value_name = "THETA,PHI,RADIUS", value_parser = orbit, allow_hyphen_values = true)]
    pub(in crate::cli) orbit: Option<[f32; 3]>,
    /// The middle of the orbit [default: the middle of everything drawn]
    #[arg(long, value_name = "X,Y,Z", value_parser = triple, allow_hyphen_values = true, requires = "orbit")]
    pub(in crate::cli) target: Option<[f32; 3]>,
    /// Vertical field of view of the orbit in degrees
    #[arg(long, value_name = "DEGREES", value_parser = field_of_view, requires = "orbit", default_value = "45")]
    pub(in crate::cli) fov: f32,
}
