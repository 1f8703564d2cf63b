//! Content that takes seconds to paint, once for all tests.

use std::sync::OnceLock;

use azulejo::demo::{DEFAULT_SEED, DEMOS, Show, courtyard};
use azulejo::scene::Scene;
use rayon::prelude::*;

/// The games with their shows of the usual seed.
pub(crate) fn shows() -> impl Iterator<Item = (&'static str, Show)> {
    static SHOWS: OnceLock<Vec<(&str, Show)>> = OnceLock::new();
    let shows = SHOWS.get_or_init(|| {
        let games = DEMOS.par_iter();
        games
            .map(|game| (game.name, game.start(DEFAULT_SEED)))
            .collect()
    });
    shows.iter().cloned()
}

/// The built-in scene.
pub(crate) fn built_in() -> &'static Scene {
    static SCENE: OnceLock<Scene> = OnceLock::new();
    SCENE.get_or_init(courtyard)
}
