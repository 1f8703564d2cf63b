//! Argument groups: options that several commands share, checked for form but not against any file.

mod camera;
mod demo;
mod elimination;
mod heat_map;
mod machine;
mod parse;
mod picture;
mod scene;
mod spec;
mod technique_set;

pub(super) use camera::CameraArgs;
pub(super) use demo::{DemoChoice, demos};
pub(super) use elimination::EliminationArgs;
pub(super) use heat_map::{
    MachineMap, Mapped, ScaleArg, TileMap, frame_view, machine_map, tile_map,
};
pub(super) use machine::{MachineArgs, TILE_SIZES};
pub(super) use parse::{MAX_PIXELS, SampleArg, count, pair, png_paths, sample, size};
pub(super) use picture::{BackgroundArg, EnvironmentArg, LookArgs, PictureArgs, TONE_MAPS};
pub(super) use scene::SceneArgs;
pub(super) use spec::{DEFAULT_MACHINE, SpecArgs};
pub(super) use technique_set::{TechniqueSet, techniques};

/// Options that say what is drawn, and how.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct ShotArgs {
    #[command(flatten)]
    pub(super) scene: SceneArgs,
    #[command(flatten)]
    pub(super) camera: CameraArgs,
    #[command(flatten)]
    pub(super) picture: PictureArgs,
    #[command(flatten)]
    pub(super) machine: MachineArgs,
}
