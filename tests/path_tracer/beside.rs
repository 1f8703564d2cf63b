//! The renderer's picture of a shot beside the path tracer's: clamped to 0..1 and in sRGB.

use azulejo::grid::SampleCount;
use azulejo::render::{
    Background, FrameInput, Picture, Recording, RenderSettings, Renderer, ToneMap,
};
use azulejo::scene::Environment;
use glam::DVec3;

use super::{Shot, traced};

/// Mid grey of a display, as linear radiance.
pub(crate) const GREY: DVec3 = DVec3::splat(0.2140);

pub(crate) struct Beside {
    pub(crate) drawn: Picture,
    /// Two, with other chances.
    pub(crate) traced: [Picture; 2],
}

impl Beside {
    /// `environment` is the light of the shot as the renderer takes it.
    pub(crate) fn of(shot: &Shot<'_>, environment: &Environment, renderer: &mut Renderer) -> Self {
        let [width, height] = shot.size;
        let settings = RenderSettings {
            width,
            height,
            background: Background::Color(shot.background.as_vec3()),
            samples: SampleCount::Four,
            tone_map: ToneMap::None,
            ..RenderSettings::default()
        };
        let input = FrameInput {
            scene: shot.scene,
            state: shot.state,
            view: shot.view,
            environment: Some(environment),
            settings: &settings,
        };
        let drawn = renderer.draw(&input.draws(), Recording::Off).picture;
        let traced = [0, 1].map(|seed| Picture {
            width,
            height,
            pixels: traced(shot, seed).into_iter().map(shown).collect(),
        });
        Self { drawn, traced }
    }

    /// Root of the mean square over RGB, 0 to 255. Each square is the product of the distances to the two traced pictures, whose noise is not
    /// the same and so does not count.
    pub(crate) fn rmse(&self) -> f64 {
        let products = self.differences().map(|[a, b]| a * b);
        (products.sum::<f64>().max(0.0) / (3 * self.drawn.pixels.len()) as f64).sqrt()
    }

    /// How much lighter the renderer's picture is, mean over RGB.
    pub(crate) fn bias(&self) -> f64 {
        let means = self.differences().map(|[a, b]| 0.5 * (a + b));
        means.sum::<f64>() / (3 * self.drawn.pixels.len()) as f64
    }

    fn differences(&self) -> impl Iterator<Item = [f64; 2]> {
        let [first, second] = &self.traced;
        let traced = first.pixels.iter().zip(&second.pixels);
        self.drawn
            .pixels
            .iter()
            .zip(traced)
            .flat_map(|(drawn, traced)| {
                let channel = |k: usize| {
                    [traced.0, traced.1].map(|pixel| f64::from(drawn[k]) - f64::from(pixel[k]))
                };
                [0, 1, 2].map(channel)
            })
    }
}

fn shown(radiance: DVec3) -> [u8; 4] {
    let channel = |c: f64| {
        let c = c.clamp(0.0, 1.0);
        let encoded = if c <= 0.003_130_8 {
            12.92 * c
        } else {
            1.055 * c.powf(1.0 / 2.4) - 0.055
        };
        (encoded * 255.0 + 0.5) as u8
    };
    let [r, g, b] = radiance.to_array().map(channel);
    [r, g, b, 255]
}
