//! `azulejo view`: the window.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::{Console, Outcome};
use crate::cli::args::{
    CameraArgs, EliminationArgs, LookArgs, MachineArgs, PictureArgs, SceneArgs, ShotArgs, size,
};
use crate::cli::failure::Failure;
use crate::cli::machine_input::load_machine;
use crate::cli::output::Outputs;
use crate::cli::shot::PreparedShot;
use crate::cli::standard_input;
use crate::window::{self, NamedMachine, Opened, PresentBy, Request, StartSize, WindowError};
use azulejo_gpu::machine::Overlay;
use azulejo_render::{Background, RenderSettings};
use azulejo_scene::{AnimationChoice, Scene};
use azulejo_shot::{Content, Eye, Shot};
use glam::Vec3;

/// Size of the window where none is asked for.
const WINDOW: (u32, u32) = (1280, 753);
/// Grey background before there is a scene, linear: that of panels.
const BEFORE_ALL: f32 = 0.011;

/// Open a window on a scene or demo: look around, play, see what costs where
#[derive(Debug, Clone, clap::Args)]
pub(in crate::cli) struct ViewArgs {
    #[command(flatten)]
    scene: SceneArgs,
    #[command(flatten)]
    camera: CameraArgs,
    #[command(flatten)]
    look: LookArgs,
    #[command(flatten)]
    machine: MachineArgs,
    #[command(flatten)]
    hardware: HardwareArgs,
    #[command(flatten)]
    elimination: EliminationArgs,
    #[command(flatten)]
    window: WindowArgs,
}

/// Options of the machine that frames are modelled on.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Hardware")]
struct HardwareArgs {
    /// Say what frames would cost on a machine, by name or TOML file
    ///
    /// `azulejo list` shows the names. Pictures get the machine's screen and tiles.
    #[arg(short, long = "machine", value_name = "NAME|FILE")]
    machine: Option<String>,
    /// Change a value of the machine, such as l2.size=1MiB
    #[arg(long = "set", value_name = "KEY=VALUE", requires = "machine")]
    set: Vec<Overlay>,
}

/// Options of the window.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Window")]
struct WindowArgs {
    /// Picture size, fitted into the window [default: as large as it has room]
    #[arg(long, value_name = "WxH", value_parser = size)]
    size: Option<(u32, u32)>,
    /// Size of the window in physical pixels
    #[arg(long, value_name = "WxH", value_parser = size)]
    window: Option<(u32, u32)>,
    /// Fill the whole screen
    #[arg(long)]
    fullscreen: bool,
    /// Begin with time standing still
    #[arg(long)]
    paused: bool,
    /// Presenter that puts pixels on the window
    #[arg(long, value_name = "BACKEND", default_value = "auto", value_enum)]
    present: PresentBy,
    /// Write every text that the interface shows, with its place, to this file as JSON
    #[arg(long, value_name = "FILE", hide = true)]
    dump_ui: Option<PathBuf>,
}

pub(super) fn run(args: &ViewArgs, console: Console) -> Outcome {
    check_techniques(args)?;
    // Before anything slow: loading for a window that cannot open would be lost.
    if !window::display_is_likely() {
        let why = "neither DISPLAY nor WAYLAND_DISPLAY is set";
        return Err(failure(&WindowError::NoDisplay(why.to_owned())));
    }
    let machine = machine(args)?;
    if is_missing(args) {
        // The failure says why, and no window need open for that.
        PreparedShot::new(&shot_args(args, machine.as_ref()), console)?;
    }
    let failed = Arc::new(Mutex::new(None));
    let (to_load, failed_there) = (args.clone(), Arc::clone(&failed));
    let load = move || match PreparedShot::new(&shot_args(&to_load, machine.as_ref()), console) {
        Ok(prepared) => Some(request(&to_load, prepared, machine)),
        Err(failure) => {
            *(failed_there.lock()).unwrap_or_else(PoisonError::into_inner) = Some(failure);
            None
        }
    };
    let what = format!("loading {} ...", args.scene.name());
    window::open(empty_request(args), what, load).map_err(|error| failure(&error))?;
    let failed = (failed.lock())
        .unwrap_or_else(PoisonError::into_inner)
        .take();
    failed.map_or(Ok(()), Err)
}

/// Whether the file that was typed is not there.
fn is_missing(args: &ViewArgs) -> bool {
    let file = args.scene.file.as_ref();
    let file = file.filter(|file| args.scene.demo().is_none() && !standard_input::is_meant(file));
    file.is_some_and(|file| !file.exists())
}

/// Request of a window with nothing in it.
fn empty_request(args: &ViewArgs) -> Request {
    let scene = Scene {
        name: args.scene.name(),
        ..Scene::default()
    };
    let shot = Shot {
        eye: Eye::Own,
        animation: AnimationChoice::None,
        settings: RenderSettings {
            background: Background::Color(Vec3::splat(BEFORE_ALL)),
            ..RenderSettings::default()
        },
        ..Shot::new(Content::scene(scene, None))
    };
    let WindowArgs {
        window,
        fullscreen,
        present,
        ..
    } = args.window;
    Request {
        opened: Opened {
            shot,
            texts: Arc::default(),
        },
        seconds: 0.0,
        paused: true,
        size: StartSize::Window,
        chain: None,
        machine: None,
        window: window.unwrap_or(WINDOW),
        fullscreen,
        threads: usize::from(args.machine.threads),
        simd: args.machine.simd,
        present,
        save: save_screenshot,
        dump: args.window.dump_ui.clone(),
    }
}

/// Refuses techniques of machines where there is none to use them.
fn check_techniques(args: &ViewArgs) -> Outcome {
    let mut techniques = args.elimination.techniques();
    let modelled = techniques.find(|technique| technique.host.is_none());
    match modelled.filter(|_| args.hardware.machine.is_none()) {
        None => Ok(()),
        Some(technique) => {
            let problem = format!(
                "{} is a technique of machines, and there is none",
                technique.name
            );
            let failure = Failure::new(problem);
            Err(failure.hint("add `--machine mali450-re`, or another that `azulejo list` names"))
        }
    }
}

/// Loads the machine of the command line, at the size asked for.
fn machine(args: &ViewArgs) -> Outcome<Option<NamedMachine>> {
    let Some(name) = &args.hardware.machine else {
        return Ok(None);
    };
    let edge = |key: &str, value: u32| Overlay {
        key: key.to_owned(),
        value: value.to_string(),
    };
    let size = args.window.size;
    let size =
        size.map(|(width, height)| [edge("screen.width", width), edge("screen.height", height)]);
    let changes = args.hardware.set.iter().cloned();
    let overlays: Vec<Overlay> = changes.chain(size.into_iter().flatten()).collect();
    let spec = load_machine(name, &overlays)?;
    let samples = args.look.msaa;
    spec.tile_size_for(samples)
        .map_err(|error| Failure::usage(format!("--msaa {samples}: {error}")))?;
    Ok(Some(NamedMachine {
        name: name.clone(),
        spec,
        techniques: args.elimination.techniques().collect(),
    }))
}

/// Options of `render` for this window; the machine's tiles where there is one.
fn shot_args(args: &ViewArgs, machine: Option<&NamedMachine>) -> ShotArgs {
    let screen = machine.map(|machine| machine.spec.screen);
    let of_machine = screen.map(|screen| (screen.grid.width, screen.grid.height));
    let own = MachineArgs {
        tile_size: screen.map_or(args.machine.tile_size, |screen| screen.grid.tile_size),
        binning: screen.map_or(args.machine.binning, |screen| screen.binning),
        tile_order: screen.map_or(args.machine.tile_order, |screen| screen.order),
        ..args.machine
    };
    ShotArgs {
        scene: args.scene.clone(),
        camera: args.camera.clone(),
        picture: PictureArgs {
            size: of_machine.or(args.window.size).unwrap_or(WINDOW),
            look: args.look.clone(),
        },
        machine: own,
    }
}

fn request(args: &ViewArgs, prepared: PreparedShot, machine: Option<NamedMachine>) -> Request {
    let PreparedShot { shot, stamp, .. } = prepared;
    let texts = stamp.texts().into_iter();
    let texts = texts
        .map(|(key, text)| (key.to_owned(), text.to_owned()))
        .collect();
    let WindowArgs { size, paused, .. } = args.window;
    let screen = machine.as_ref().map(|machine| {
        let grid = machine.spec.screen.grid;
        (grid.width, grid.height)
    });
    Request {
        machine,
        chain: args.elimination.chain(),
        opened: Opened { shot, texts },
        seconds: args.scene.start(),
        paused,
        size: screen
            .or(size)
            .map_or(StartSize::Window, |(width, height)| {
                StartSize::Fixed(width, height)
            }),
        ..empty_request(args)
    }
}

/// Saves a screenshot as every output is written: beside its place, then renamed.
fn save_screenshot(file: &Path, bytes: &[u8]) -> Result<(), String> {
    let written = Outputs::default().write(file, bytes);
    written.map(drop).map_err(|failure| failure.message)
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
