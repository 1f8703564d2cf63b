//! `azulejo view`: the window.

use std::path::PathBuf;
use std::sync::Arc;

use super::{Console, Outcome};
use crate::app::cli::args::{
    CameraArgs, LookArgs, MachineArgs, PictureArgs, SceneArgs, ShotArgs, size,
};
use crate::app::cli::failure::Failure;
use crate::app::cli::shot::{Course, Shot, Viewpoint};
use crate::app::window::{self, Content, PresentBy, Request, Seat, StartSize, WindowError};
use crate::scene::AnimationChoice;

/// Size of the window where none is asked for.
const WINDOW: (u32, u32) = (1280, 753);

/// Open a window on a scene or a demo: look around, play, and see what it costs where
#[derive(Debug, Clone, clap::Args)]
pub(in crate::app::cli) struct ViewArgs {
    #[command(flatten)]
    scene: SceneArgs,
    #[command(flatten)]
    camera: CameraArgs,
    #[command(flatten)]
    look: LookArgs,
    #[command(flatten)]
    machine: MachineArgs,
    #[command(flatten)]
    window: WindowArgs,
}

/// The window.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Window")]
struct WindowArgs {
    /// Pictures of this size, fitted into the window [default: as large as the window has room]
    #[arg(long, value_name = "WxH", value_parser = size)]
    size: Option<(u32, u32)>,
    /// Size of the window in physical pixels
    #[arg(long, value_name = "WxH", value_parser = size)]
    window: Option<(u32, u32)>,
    /// Fill the screen
    #[arg(long)]
    fullscreen: bool,
    /// Begin with time standing still
    #[arg(long)]
    paused: bool,
    /// Who puts pixels on the window
    #[arg(long, value_name = "WHO", default_value = "auto", value_enum)]
    present: PresentBy,
    /// Write every text that the interface shows, with its place, to this file as JSON
    #[arg(long, value_name = "FILE", hide = true)]
    dump_ui: Option<PathBuf>,
}

pub(super) fn run(args: &ViewArgs, console: Console) -> Outcome {
    // Before anything slow: loading for a window that cannot open would be lost.
    if !window::display_is_likely() {
        let why = "neither DISPLAY nor WAYLAND_DISPLAY is set";
        return Err(failure(&WindowError::NoDisplay(why.to_owned())));
    }
    let shot = Shot::prepare(&shot_args(args), console)?;
    window::open(request(args, shot)).map_err(|error| failure(&error))
}

/// What `render` would be told.
fn shot_args(args: &ViewArgs) -> ShotArgs {
    ShotArgs {
        scene: args.scene.clone(),
        camera: args.camera.clone(),
        picture: PictureArgs {
            size: args.window.size.unwrap_or(WINDOW),
            look: args.look.clone(),
        },
        machine: args.machine,
    }
}

fn request(args: &ViewArgs, shot: Shot) -> Request {
    let texts = shot.stamp.texts().into_iter();
    let stamp = texts
        .map(|(key, text)| (key.to_owned(), text.to_owned()))
        .collect();
    let (seat, animation, game) = match shot.course {
        Course::Animated(animation, viewpoint) => (seat(viewpoint), animation, None),
        Course::Played(game) => (Seat::Own, AnimationChoice::All, Some(game)),
    };
    let WindowArgs {
        size,
        window,
        fullscreen,
        paused,
        present,
        ..
    } = args.window;
    Request {
        content: Arc::new(Content {
            scene: shot.scene,
            environment: shot.environment,
            game,
            settings: shot.settings,
            stamp,
        }),
        seat,
        animation,
        seconds: args.scene.start(),
        paused,
        size: size.map_or(StartSize::Window, |(width, height)| {
            StartSize::Fixed(width, height)
        }),
        window: window.unwrap_or(WINDOW),
        fullscreen,
        threads: usize::from(args.machine.threads),
        simd: args.machine.simd,
        present,
        dump: args.window.dump_ui.clone(),
    }
}

fn seat(viewpoint: Viewpoint) -> Seat {
    match viewpoint {
        Viewpoint::Node(node) => Seat::Node(node),
        Viewpoint::Placed(camera) => Seat::Placed(camera),
    }
}

fn failure(error: &WindowError) -> Failure {
    let failure = Failure::new(error);
    match error {
        WindowError::NoDisplay(_) => {
            failure.hint("`azulejo render` draws the same picture to a PNG file, without a display")
        }
        WindowError::Failed(_) => failure,
    }
}
