//! Shots of the command line: files loaded, names looked up, defaults chosen.

mod camera;
mod known;
mod load;

use std::sync::Once;
use std::thread;
use std::time::Instant;

use glam::Vec3;
use serde::Serialize;

use known::known;

use super::args::{BackgroundArg, EnvironmentArg, MachineArgs, PictureArgs, ShotArgs};
use super::console::Console;
use super::failure::{Failure, Outcome};
use super::stamp::Stamp;
use azulejo_demo::Demo;
use azulejo_render::output::linear_from_srgb;
use azulejo_render::{Background, RenderSettings, Renderer, SimdLevel};
use azulejo_scene::{AnimationChoice, Scene};
use azulejo_shot::{Content, Moment, Rest, Shot};
pub(super) use load::is_trace;

/// Shot of the command line, with its provenance.
#[derive(Debug)]
pub(super) struct PreparedShot {
    /// Content, eye and settings.
    pub(super) shot: Shot,
    /// Provenance that result files carry.
    pub(super) stamp: Stamp,
    /// Times of getting ready.
    pub(super) times: PrepareTimes,
}

/// Milliseconds of the work before the first frame.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub(super) struct PrepareTimes {
    /// Reading and decoding the scene, or building it.
    pub(super) load_ms: f64,
    /// Reading and prefiltering the environment.
    pub(super) environment_ms: f64,
}

impl PreparedShot {
    /// Loads what the options name and looks up what they choose.
    pub(super) fn new(args: &ShotArgs, console: Console) -> Outcome<Self> {
        let prepared = match args.scene.demo() {
            Some(demo) => Self::of_demo(demo, args, console)?,
            None => Self::of_scene(args, console)?,
        };
        warn_of_darkness(&prepared.shot, args.scene.start(), console);
        Ok(prepared)
    }

    fn of_scene(args: &ShotArgs, console: Console) -> Outcome<Self> {
        let settings = settings(&args.picture, &args.machine)?;
        let (scene, load_ms) = timed(|| load::scene(&args.scene, console))?;
        console.warn(&scene.name, &scene.warnings);
        let animation = choose_animation(&scene, &args.scene.animation)?;
        let rest = Rest {
            animation,
            seconds: args.scene.start() as f32,
        };
        let mut content = Content::scene(scene, None).framed_at(rest);
        let eye = camera::choose(&args.camera, &content)?;
        let choice = args.picture.look.env.as_ref();
        let environment_ms;
        (content.environment, environment_ms) = match (choice, &content.scene.environment) {
            (None, Some(own)) => (Some(own.clone()), 0.0),
            _ => timed(|| load::environment(choice.unwrap_or(&EnvironmentArg::Builtin), console))?,
        };
        let times = PrepareTimes {
            load_ms,
            environment_ms,
        };
        let shot = Shot {
            eye,
            animation,
            settings,
            ..Shot::new(content)
        };
        Ok(Self::stamped(shot, times))
    }

    fn of_demo(demo: &Demo, args: &ShotArgs, console: Console) -> Outcome<Self> {
        refuse_for_demos(args)?;
        let typed = settings(&args.picture, &args.machine)?;
        let (show, load_ms) = timed(|| Ok(load::show(demo, &args.scene, console)))?;
        let mut content = Content::show(show);
        let mut settings = content.before_own_background(typed);
        let look = &args.picture.look;
        if look.background.is_some() {
            settings.background = typed.background;
        }
        if look.tonemap.is_some() {
            settings.tone_map = typed.tone_map;
        }
        let mut times = PrepareTimes {
            load_ms,
            ..PrepareTimes::default()
        };
        if let Some(choice) = &look.env {
            (content.environment, times.environment_ms) =
                timed(|| load::environment(choice, console))?;
        }
        let shot = Shot {
            settings,
            ..Shot::new(content)
        };
        Ok(Self::stamped(shot, times))
    }

    fn stamped(shot: Shot, times: PrepareTimes) -> Self {
        let scene = &shot.content.scene;
        Self {
            stamp: Stamp::new(&scene.name, scene.content_hash()),
            shot,
            times,
        }
    }
}

fn warn_of_darkness(shot: &Shot, seconds: f64, console: Console) {
    let content = &shot.content;
    let is_dark = || shot.at(Moment::at(seconds)).state.lights.is_empty();
    if !content.is_demo() && content.environment.is_none() && is_dark() {
        let dark = "no light and --env none: only emissive and unlit surfaces will be seen";
        console.warn(&content.scene.name, &[dark.to_owned()]);
    }
}

/// Refuses options of scenes for demos, which bring their own camera and play themselves.
fn refuse_for_demos(args: &ShotArgs) -> Outcome {
    let given = [
        ("--scene", args.scene.choice.is_some()),
        ("--variant", args.scene.variant.is_some()),
        ("--animation", args.scene.animation != "all"),
        ("--camera", args.camera.camera.is_some()),
        ("--orbit", args.camera.orbit.is_some()),
    ];
    match given.into_iter().find(|(_, given)| *given) {
        Some((option, _)) => Err(Failure::usage(format!(
            "{option} is for scenes: a demo brings its own camera and plays itself"
        ))),
        None => Ok(()),
    }
}

/// Starts a renderer as the options ask for it.
pub(super) fn renderer(machine: &MachineArgs) -> Outcome<Renderer> {
    start_renderer(usize::from(machine.threads), machine.simd)
}

/// Most threads for each core: more only wait for each other.
const THREADS_A_CORE: usize = 4;
/// Number of threads that is always allowed, so that few cores can show what many do.
const MIN_THREAD_LIMIT: usize = 16;

/// Limits threads to as many as make sense on this machine; 0 stays, which is one for each core.
pub(super) fn sensible_threads(threads: usize) -> usize {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let limit = (THREADS_A_CORE * cores).max(MIN_THREAD_LIMIT);
    if threads > limit {
        static WARN: Once = Once::new();
        WARN.call_once(|| {
            log::warn!("--threads {threads}: {limit} are used, as there are {cores} cores; results are the same");
        });
    }
    threads.min(limit)
}

/// Starts a renderer of so many threads; 0 takes one for each core.
pub(super) fn start_renderer(threads: usize, simd: SimdLevel) -> Outcome<Renderer> {
    let threads = sensible_threads(threads);
    let refused = |error| Failure::new(format!("cannot start the Raster Units: {error}"));
    Renderer::new(threads, simd).map_err(refused)
}

fn settings(picture: &PictureArgs, machine: &MachineArgs) -> Outcome<RenderSettings> {
    let (width, height) = picture.size;
    let look = &picture.look;
    let dark = look.env == Some(EnvironmentArg::None);
    let default_background = if dark {
        BackgroundArg::Transparent
    } else {
        BackgroundArg::Environment
    };
    let background = match look.background.unwrap_or(default_background) {
        BackgroundArg::Environment if dark => {
            return Err(Failure::usage(
                "--background env needs an environment, and --env is none",
            ));
        }
        BackgroundArg::Environment => Background::Environment,
        BackgroundArg::Transparent => Background::Transparent,
        BackgroundArg::Color(srgb) => {
            let [r, g, b] = srgb.map(|code| linear_from_srgb(f32::from(code) / 255.0));
            Background::Color(Vec3::new(r, g, b))
        }
    };
    Ok(RenderSettings {
        width,
        height,
        tile_size: machine.tile_size,
        binning: machine.binning,
        tile_order: machine.tile_order,
        frame: 0,
        background,
        samples: picture.look.msaa,
        tone_map: look.tonemap.unwrap_or_default(),
        exposure: look.exposure,
    })
}

/// Looks up the animation of a name or number.
fn choose_animation(scene: &Scene, choice: &str) -> Outcome<AnimationChoice> {
    scene.find_animations(choice).ok_or_else(|| {
        let animations = scene.animations.iter();
        let names = animations.map(|animation| animation.name.as_str());
        Failure::new(format!("{}: no animation '{choice}'", scene.name))
            .hint(known("animations", names))
    })
}

/// Runs `work`; returns its result and the milliseconds that it took.
pub(super) fn timed<T>(work: impl FnOnce() -> Outcome<T>) -> Outcome<(T, f64)> {
    let start = Instant::now();
    let result = work()?;
    Ok((result, start.elapsed().as_secs_f64() * 1e3))
}

#[cfg(test)]
mod tests {
    use super::*;
    use azulejo_scene::Animation;

    fn animated() -> Scene {
        let named = |name: &str| Animation {
            name: name.to_owned(),
            ..Animation::default()
        };
        Scene {
            name: "dance".to_owned(),
            animations: vec![named("walk"), named(""), named("0")],
            ..Scene::default()
        }
    }

    #[test]
    fn animation_unknown_names_the_known_ones() {
        let failure = choose_animation(&animated(), "run").unwrap_err();
        assert_eq!(failure.message, "dance: no animation 'run'", "what");
        assert_eq!(
            failure.hint.as_deref(),
            Some("its animations: 0 'walk', 1, 2 '0'"),
            "how to go on"
        );
        let failure = choose_animation(&Scene::default(), "3").unwrap_err();
        let hint = failure.hint.unwrap_or_default();
        assert!(hint.contains("has no animations"), "{hint}");
    }
}
