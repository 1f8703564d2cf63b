//! Options of the content: a scene or demo, and its time.

use std::path::{Path, PathBuf};

use super::parse::{number, texture_format};
use crate::cli::standard_input;
use azulejo_demo::{DEFAULT_SEED, Demo, FRAMES_PER_SECOND};
use azulejo_scene::BlockFormat;
use azulejo_shot::Moment;

/// Name of the built-in scene.
const BUILT_IN: &str = "courtyard";

/// Options of the content: a scene or demo, and its time.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Scene")]
pub(in crate::cli) struct SceneArgs {
    /// A demo, a .gltf, .glb or .obj file, or - for standard input
    ///
    /// `azulejo list` names the demos. Without any, it is the built-in scene.
    #[arg(value_name = "SCENE")]
    pub(in crate::cli) file: Option<PathBuf>,
    /// Scene of the file, by its name or number from 0 [default: the file's own choice]
    #[arg(long = "scene", value_name = "NAME|INDEX", requires = "file")]
    pub(in crate::cli) choice: Option<String>,
    /// Material variant, by its name or number from 0 [default: none]
    ///
    /// One of the file's choices of materials (`KHR_materials_variants`).
    #[arg(long, value_name = "NAME|INDEX", requires = "file")]
    pub(in crate::cli) variant: Option<String>,
    /// Animation that plays: its name or number from 0, `all` or `none`
    #[arg(long, value_name = "NAME|INDEX|all|none", default_value = "all")]
    pub(in crate::cli) animation: String,
    /// Seconds into the animation
    #[arg(long, value_name = "SECONDS", default_value = "0", value_parser = number)]
    #[arg(allow_negative_numbers = true)]
    pub(in crate::cli) time: f32,
    /// Frame instead of a time: each is a sixtieth of a second, as demos count them
    #[arg(long, value_name = "N", conflicts_with = "time")]
    pub(in crate::cli) frame: Option<u32>,
    /// Seed of a demo: another number, another course
    #[arg(long, value_name = "N", default_value_t = DEFAULT_SEED)]
    pub(in crate::cli) seed: u32,
    /// GPU format that uncompressed textures are stored in, such as bc1 or astc-6x6
    ///
    /// BC1 to BC3, BC7 and ETC2 RGB are encoded and decoded, so that the picture shows what they
    /// lose, and the signal-to-noise ratio is said. Texels of other formats stay as they are. On a
    /// machine, memory traffic is that of the format. bc1-rgb stores textures with alpha in BC3,
    /// etc2-rgb in ETC2 RGBA.
    #[arg(long, value_name = "FORMAT", value_parser = texture_format)]
    pub(in crate::cli) textures: Option<BlockFormat>,
}

impl SceneArgs {
    /// Options for all of a file, from the beginning of its animations on.
    pub(in crate::cli) fn of_file(file: &Path) -> Self {
        Self {
            file: Some(file.to_owned()),
            choice: None,
            variant: None,
            animation: "all".to_owned(),
            time: 0.0,
            frame: Some(0),
            seed: DEFAULT_SEED,
            textures: None,
        }
    }

    /// Seconds at which drawing begins.
    pub(in crate::cli) fn start(&self) -> f64 {
        self.frame.map_or(f64::from(self.time), |frame| {
            f64::from(frame) / f64::from(FRAMES_PER_SECOND)
        })
    }

    /// Number of the first frame: that of the option, else 0.
    pub(in crate::cli) fn first_frame(&self) -> u64 {
        self.frame.map_or(0, u64::from)
    }

    /// Moment of the first frame.
    pub(in crate::cli) fn first_moment(&self) -> Moment {
        Moment {
            frame: self.first_frame(),
            seconds: self.start(),
        }
    }

    /// Name of results: that of the demo, or the file's without its ending.
    pub(in crate::cli) fn name(&self) -> String {
        match (self.demo(), &self.file) {
            (Some(demo), _) => demo.name.to_owned(),
            (None, None) => BUILT_IN.to_owned(),
            (None, Some(file)) if standard_input::is_meant(file) => standard_input::NAME.to_owned(),
            (None, Some(file)) => {
                let stem = file.file_stem().unwrap_or_default();
                stem.to_string_lossy().into_owned()
            }
        }
    }

    /// The demo, where one is named.
    pub(in crate::cli) fn demo(&self) -> Option<&'static Demo> {
        self.file.as_ref()?.to_str().and_then(Demo::find)
    }
}
