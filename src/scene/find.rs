//! Look-up of a scene's parts by name or number, as people type them.

use super::{AnimationChoice, Scene};

impl Scene {
    /// Animations of a word: `all`, `none`, else the one called `word`, else the one with that index.
    #[must_use]
    pub fn find_animations(&self, word: &str) -> Option<AnimationChoice> {
        let animations = &self.animations;
        let by_name = || {
            animations
                .iter()
                .position(|animation| animation.name == word)
        };
        let by_number = || word.parse().ok().filter(|index| *index < animations.len());
        match word {
            "all" => Some(AnimationChoice::All),
            "none" => Some(AnimationChoice::None),
            _ => by_name().or_else(by_number).map(AnimationChoice::One),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Animation;

    #[test]
    fn animation_is_found_by_name_before_number() {
        let named = |name: &str| Animation {
            name: name.to_owned(),
            ..Animation::default()
        };
        let scene = Scene {
            animations: vec![named("walk"), named(""), named("0")],
            ..Scene::default()
        };
        let found = ["walk", "1", "0", "all", "none"].map(|word| scene.find_animations(word));
        let one = |index| Some(AnimationChoice::One(index));
        let (all, none) = (Some(AnimationChoice::All), Some(AnimationChoice::None));
        let expected = [one(0), one(1), one(2), all, none];
        assert_eq!(found, expected, "the third animation is called '0'");
        assert_eq!(scene.find_animations("run"), None, "unknown");
    }
}
