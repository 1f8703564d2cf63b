//! Scenes that go through machines: how one is drawn at a machine's screen, and a fingerprint of every file that it is made
//! of, under which what was measured of it is kept.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use crate::cli::args::{
    CameraArgs, EnvironmentArg, LookArgs, MachineArgs, PictureArgs, SceneArgs, ShotArgs,
};
use crate::cli::failure::{Failure, Outcome};
use azulejo_gpu::machine::ScreenSpec;
use azulejo_grid::{SampleCount, TileOrder};
use azulejo_render::{SimdLevel, ToneMap};
use azulejo_scene::referenced_files;
use azulejo_sweep::Fingerprint;

/// Bytes of a file that are hashed at a time.
const BLOCK: usize = 1 << 20;

/// Shot of the scene as a machine with this screen draws it, from its own camera.
pub(super) const fn at_screen(
    scene: SceneArgs,
    screen: &ScreenSpec,
    env: Option<EnvironmentArg>,
    threads: u16,
) -> ShotArgs {
    ShotArgs {
        scene,
        camera: CameraArgs {
            camera: None,
            orbit: None,
            target: None,
            fov: 45.0,
        },
        picture: PictureArgs {
            size: (screen.grid.width, screen.grid.height),
            look: LookArgs {
                env,
                exposure: 1.0,
                msaa: SampleCount::One,
                tonemap: None::<ToneMap>,
                background: None,
            },
        },
        machine: MachineArgs {
            threads,
            tile_size: screen.grid.tile_size,
            binning: screen.binning,
            tile_order: TileOrder::SCAN_LINE,
            simd: SimdLevel::Auto,
        },
    }
}

/// Fingerprint of a scene's file with those that it refers to.
///
/// # Errors
/// Names the first file that cannot be read.
pub(super) fn of_scene(file: &Path) -> Outcome<Fingerprint> {
    let mut print = of_file(file)?;
    for part in referenced_files(file) {
        print = Fingerprint::of([
            ("before", &print.bytes()[..]),
            ("file", &of_file(&part)?.bytes()),
        ]);
    }
    Ok(print)
}

/// Fingerprint of a file's content.
///
/// # Errors
/// If it is not a regular file or cannot be read.
pub(super) fn of_file(path: &Path) -> Outcome<Fingerprint> {
    let unreadable =
        |error: std::io::Error| Failure::of_file(path, format!("cannot read it: {error}"));
    if !std::fs::metadata(path).map_err(unreadable)?.is_file() {
        return Err(Failure::of_file(path, "is not a regular file"));
    }
    let mut file = File::open(path).map_err(unreadable)?;
    let mut block = Vec::with_capacity(BLOCK);
    let mut print = Fingerprint::of([]);
    loop {
        block.clear();
        (&mut file)
            .take(BLOCK as u64)
            .read_to_end(&mut block)
            .map_err(unreadable)?;
        if block.is_empty() {
            return Ok(print);
        }
        print = Fingerprint::of([("before", &print.bytes()[..]), ("block", &block)]);
    }
}
