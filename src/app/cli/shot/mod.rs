//! Shots, ready to be drawn: files loaded, names looked up, defaults chosen. Everything that a frame needs but the moment.

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
use crate::demo::{Demo, FRAMES_PER_SECOND, Game, Screen, Show};
use crate::render::output::linear_from_srgb;
use crate::render::shading::DrawProgram;
use crate::render::{
    Background, DrawList, FrameInput, RenderSettings, Renderer, SimdLevel, Tracing,
};
use crate::scene::{AnimationChoice, Environment, FrameState, Scene, View};
use crate::shot::facts::{self, TooManyFacts};
use crate::trace::FrameTrace;
pub(super) use camera::Viewpoint;
pub(super) use load::is_trace;

/// Scene ready to be drawn at any moment.
#[derive(Debug)]
pub(super) struct Shot {
    /// Geometry, materials, textures and animations.
    pub(super) scene: Scene,
    /// Image-based light, if any.
    pub(super) environment: Option<Environment>,
    /// Settings of all frames; [`RenderSettings::frame`] is set for each.
    pub(super) settings: RenderSettings,
    /// Provenance that result files carry.
    pub(super) stamp: Stamp,
    /// Times of getting ready.
    pub(super) times: PrepareTimes,
    /// Course of the scene as time passes.
    pub(super) course: Course,
}

/// Course of a scene as time passes.
#[derive(Debug)]
pub(super) enum Course {
    /// A scene's animations, from a camera.
    Animated(AnimationChoice, Viewpoint),
    /// A demo's game, with its own camera.
    Played(Box<dyn Game>),
}

/// Milliseconds of the work before the first frame.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub(super) struct PrepareTimes {
    /// Reading and decoding the scene, or building it.
    pub(super) load_ms: f64,
    /// Reading and prefiltering the environment.
    pub(super) environment_ms: f64,
}

/// State and view of a shot at one time.
#[derive(Debug, Clone)]
pub(super) struct Moment {
    pub(super) state: FrameState,
    pub(super) view: View,
}

impl Shot {
    /// Loads what the options name and looks up what they choose.
    pub(super) fn prepare(args: &ShotArgs, console: Console) -> Outcome<Self> {
        let shot = match args.scene.demo() {
            Some(demo) => Self::of_demo(demo, args, console)?,
            None => Self::of_scene(args, console)?,
        };
        shot.warn_of_darkness(args.scene.start() as f32, console);
        Ok(shot)
    }

    fn of_scene(args: &ShotArgs, console: Console) -> Outcome<Self> {
        let settings = settings(&args.picture, &args.machine)?;
        let (scene, load_ms) = timed(|| load::scene(&args.scene, console))?;
        console.warn(&scene.name, &scene.warnings);
        let animation = choose_animation(&scene, &args.scene.animation)?;
        let viewpoint = Viewpoint::choose(args, &scene, animation, &settings)?;
        let choice = args.picture.look.env.as_ref();
        let (environment, environment_ms) = match (choice, &scene.environment) {
            (None, Some(own)) => (Some(own.clone()), 0.0),
            _ => timed(|| load::environment(choice.unwrap_or(&EnvironmentArg::Builtin), console))?,
        };
        let stamp = Stamp::new(&scene.name, scene.content_hash());
        Ok(Self {
            scene,
            environment,
            settings,
            stamp,
            times: PrepareTimes {
                load_ms,
                environment_ms,
            },
            course: Course::Animated(animation, viewpoint),
        })
    }

    fn of_demo(demo: &Demo, args: &ShotArgs, console: Console) -> Outcome<Self> {
        refuse_for_demos(args)?;
        let typed = settings(&args.picture, &args.machine)?;
        let (show, load_ms) = timed(|| Ok(load::show(demo, args.scene.seed, console)))?;
        let mut shot = Self::of_show(show, typed);
        shot.times.load_ms = load_ms;
        let look = &args.picture.look;
        if look.background.is_some() {
            shot.settings.background = typed.background;
        }
        if look.tonemap.is_some() {
            shot.settings.tone_map = typed.tone_map;
        }
        if let Some(choice) = &look.env {
            (shot.environment, shot.times.environment_ms) =
                timed(|| load::environment(choice, console))?;
        }
        Ok(shot)
    }

    /// Shot of a demo: before its own background, colours as they were painted.
    pub(super) fn of_show(show: Show, settings: RenderSettings) -> Self {
        let stamp = Stamp::new(&show.scene.name, show.scene.content_hash());
        Self {
            scene: show.scene,
            environment: None,
            settings: settings.of_game(show.background),
            stamp,
            times: PrepareTimes::default(),
            course: Course::Played(show.game),
        }
    }

    /// Draws frame number `frame`, which is that of so many seconds, and traces all that the pipeline does.
    ///
    /// # Errors
    /// If that is too much to be held in memory.
    pub(super) fn trace(
        &self,
        renderer: &mut Renderer,
        frame: u64,
        seconds: f64,
    ) -> Result<FrameTrace, TooManyFacts> {
        self.with_draws(frame, seconds, |list| facts::trace(renderer, list))
    }

    /// Whether [`Self::trace`] would give the frame.
    ///
    /// # Errors
    /// Those of [`Self::trace`].
    pub(super) fn check_facts(
        &self,
        renderer: &mut Renderer,
        frame: u64,
        seconds: f64,
    ) -> Result<(), TooManyFacts> {
        self.with_draws(frame, seconds, |list| facts::check(renderer, list))
    }

    /// [`Self::trace`] of a frame that is known not to do too much, into a sink that may take more.
    pub(super) fn trace_checked(
        &self,
        renderer: &mut Renderer,
        frame: u64,
        seconds: f64,
        sink: Tracing,
    ) -> FrameTrace {
        self.with_draws(frame, seconds, |list| {
            facts::trace_checked(renderer, list, sink)
        })
    }

    /// Hands over the draws of frame number `frame`, which is that of so many seconds.
    fn with_draws<R>(
        &self,
        frame: u64,
        seconds: f64,
        then: impl FnOnce(&DrawList<'_, DrawProgram<'_>>) -> R,
    ) -> R {
        let mut settings = self.settings;
        settings.frame = frame;
        let moment = self.at(seconds as f32);
        then(&self.input(&moment, &settings).draws())
    }

    /// State and view at a time; blended draws of a scene are in order for the eye.
    pub(super) fn at(&self, seconds: f32) -> Moment {
        let RenderSettings { width, height, .. } = self.settings;
        match &self.course {
            Course::Animated(animation, viewpoint) => {
                let mut pose = self.scene.pose_at(*animation, seconds);
                let aspect = width as f32 / height as f32;
                let camera = viewpoint.look(&self.scene, &mut pose, aspect);
                let view = camera.view(width, height);
                let mut state = self.scene.state_of(&pose);
                state.sort_blended(&self.scene, view.eye_world);
                Moment { state, view }
            }
            Course::Played(game) => {
                let frame = (f64::from(seconds) * f64::from(FRAMES_PER_SECOND)).round();
                let frame = game.frame(&self.scene, frame as u64, Screen { width, height });
                Moment {
                    state: frame.state,
                    view: frame.view,
                }
            }
        }
    }

    /// Input of the renderer for a moment.
    pub(super) fn input<'a>(
        &'a self,
        moment: &'a Moment,
        settings: &'a RenderSettings,
    ) -> FrameInput<'a> {
        FrameInput {
            scene: &self.scene,
            state: &moment.state,
            view: &moment.view,
            environment: self.environment.as_ref(),
            settings,
        }
    }

    fn warn_of_darkness(&self, seconds: f32, console: Console) {
        let is_scene = matches!(self.course, Course::Animated(..));
        if is_scene && self.environment.is_none() && self.at(seconds).state.lights.is_empty() {
            let dark = "no light and --env none: only emissive and unlit surfaces will be seen";
            console.warn(&self.scene.name, &[dark.to_owned()]);
        }
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
    let by_name = || {
        scene
            .animations
            .iter()
            .position(|animation| animation.name == choice)
    };
    let by_number = || {
        choice
            .parse()
            .ok()
            .filter(|index| *index < scene.animations.len())
    };
    match choice {
        "all" => Ok(AnimationChoice::All),
        "none" => Ok(AnimationChoice::None),
        _ => by_name()
            .or_else(by_number)
            .map(AnimationChoice::One)
            .ok_or_else(|| {
                let names = scene
                    .animations
                    .iter()
                    .map(|animation| animation.name.as_str());
                Failure::new(format!("{}: no animation '{choice}'", scene.name))
                    .hint(known("animations", names))
            }),
    }
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
    use crate::scene::Animation;

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
    fn animation_is_found_by_name_before_number() {
        let chosen = ["walk", "1", "0", "all", "none"]
            .map(|choice| choose_animation(&animated(), choice).unwrap());
        let one = AnimationChoice::One;
        assert_eq!(
            chosen,
            [
                one(0),
                one(1),
                one(2),
                AnimationChoice::All,
                AnimationChoice::None
            ],
            "the third animation is called '0'"
        );
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
