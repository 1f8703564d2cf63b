//! Promises of every demo, tested for all of them in one loop.

use std::sync::OnceLock;

use rayon::prelude::*;

use super::*;
use azulejo_scene::ThroughView;

const SCREEN: Screen = Screen {
    width: 320,
    height: 180,
};

/// All demos with their shows of a seed. Painting takes longer than all else: a game is painted once for all its settings.
fn shows_of(seed: u32) -> Vec<(&'static Demo, Show)> {
    let games: Vec<_> = DEMOS.iter().chain(MODELS).collect();
    let painted = games.into_par_iter().map(|game| (game, game.start(seed)));
    let painted: Vec<_> = painted.collect();
    let variants = DEMOS.iter().zip(&painted).flat_map(|(game, (_, show))| {
        Setting::ALL.map(|setting| {
            let name = format!("{}-{}", game.name, setting.name());
            let variant = Demo::find(&name).expect("each game with each setting");
            (variant, show.clone().changed(setting))
        })
    });
    let variants: Vec<_> = variants.collect();
    painted.into_iter().chain(variants).collect()
}

/// [`shows_of`] the usual seed, which tests share.
pub(crate) fn shows() -> &'static [(&'static Demo, Show)] {
    static SHOWS: OnceLock<Vec<(&Demo, Show)>> = OnceLock::new();
    SHOWS.get_or_init(|| shows_of(DEFAULT_SEED))
}

#[test]
fn demo_frames_are_the_same_in_any_order() {
    let again = shows_of(DEFAULT_SEED);
    assert_eq!(again.len(), Demo::all().count(), "each demo");
    for ((demo, show), (_, again)) in shows().iter().zip(&again) {
        let late = show.frame(37, SCREEN);
        for frame in 0..37 {
            let _ = show.frame(frame, SCREEN);
        }
        assert!(show.frame(37, SCREEN) == late, "{}: asked again", demo.name);
        assert!(
            again.scene.images == show.scene.images,
            "{}: images",
            demo.name
        );
        assert!(
            again.frame(37, SCREEN) == late,
            "{}: built again",
            demo.name
        );
    }
}

#[test]
fn demo_moves_and_does_not_repeat_within_fifty_frames() {
    for (demo, show) in shows() {
        let frames: Vec<Frame> = (0..50).map(|frame| show.frame(frame * 7, SCREEN)).collect();
        for (later, frame) in frames.iter().enumerate() {
            let same = frames[..later].iter().any(|earlier| earlier == frame);
            assert!(!same, "{}: frame {} repeats", demo.name, later * 7);
        }
    }
}

#[test]
fn demo_seeds_differ() {
    let others = shows_of(DEFAULT_SEED + 1);
    for ((demo, show), (_, other)) in shows().iter().zip(&others) {
        assert!(
            show.frame(90, SCREEN) != other.frame(90, SCREEN),
            "{}: another seed",
            demo.name
        );
    }
}

#[test]
fn demo_draws_point_at_what_exists() {
    for (demo, show) in shows() {
        let scene = &show.scene;
        for material in &scene.materials {
            for slot in material.texture_slots().flatten() {
                assert!(slot.texture.index() < scene.textures.len(), "{}", demo.name);
            }
        }
        for frame in [0, 60, 777, 100_000] {
            let Frame { state, .. } = show.frame(frame, SCREEN);
            assert!(
                !state.instances.is_empty(),
                "{}: something is drawn",
                demo.name
            );
            for instance in &state.instances {
                let primitive = state.primitive(scene, instance);
                let vertices = primitive.positions.len();
                let in_range = primitive
                    .indices
                    .iter()
                    .all(|&index| (index as usize) < vertices);
                assert!(in_range, "{}: indices of frame {frame}", demo.name);
                let finite = primitive.positions.iter().all(|p| p.is_finite());
                assert!(finite, "{}: positions of frame {frame}", demo.name);
                for (name, length) in [
                    ("colours", primitive.colors.len()),
                    (
                        "coordinates",
                        primitive.tex_coords.first().map_or(0, Vec::len),
                    ),
                ] {
                    assert!(length == 0 || length == vertices, "{}: {name}", demo.name);
                }
                assert!(
                    instance.material.index() < scene.materials.len(),
                    "{}",
                    demo.name
                );
                if let ThroughView::Layer(layer) = instance.through {
                    assert!(
                        (layer as usize) < state.layers.len(),
                        "{}: layer",
                        demo.name
                    );
                }
            }
        }
    }
}

#[test]
fn demo_names_are_found() {
    for demo in Demo::all() {
        assert_eq!(
            Demo::find(demo.name).map(|found| found.name),
            Some(demo.name),
            "by name"
        );
    }
    assert!(Demo::find("no such demo").is_none(), "others are not");
}
