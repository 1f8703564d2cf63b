//! Common state of all draws of a frame: the constants that their shaders are specialised by, and the targets that they
//! write to.

use super::specialize::Values;
use azulejo_grid::SampleCount;
use azulejo_render::ToneMap;

pub(super) const DEPTH_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;
/// Format of the finished picture.
pub(super) const PICTURE_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8UnormSrgb;
/// Format of radiance that a resolve pass turns into the picture.
pub(super) const RADIANCE_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba16Float;

/// Common state of all draws of a frame.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub(super) struct FrameKind {
    /// Directional, point and spot lights.
    pub(super) lights: [usize; 3],
    /// The frame has image-based light.
    pub(super) environment: bool,
    /// The exposure is not 1.
    pub(super) exposed: bool,
    pub(super) tone_map: ToneMap,
    /// Draws write displayable colour into the picture; else they write radiance, for a resolve pass to make it so.
    pub(super) displayed: bool,
    /// Draws write what lies behind surfaces, without exposure.
    pub(super) behind: bool,
    /// The shaders compute the level of detail themselves.
    pub(super) exact: bool,
    /// Samples a pixel of the targets that draws write to.
    pub(super) samples: SampleCount,
}

impl FrameKind {
    /// Kind of the pass that shows what lies behind the surfaces of a frame of this kind.
    pub(super) fn lies_behind(self) -> Self {
        Self {
            exposed: false,
            tone_map: ToneMap::None,
            displayed: false,
            behind: true,
            ..self
        }
    }

    /// Sets the template's values for the shaders.
    pub(super) fn describe(&self, values: &mut Values) {
        let [directional, point, spot] = self.lights;
        values.count("directional_lights", directional);
        values.count("point_lights", point);
        values.count("spot_lights", spot);
        values.count("light_slots", self.light_slots());
        values.flag("environment", self.environment);
        values.flag("exposed", self.exposed);
        values.flag("displayed", self.displayed);
        values.flag("exact", self.exact);
        let shared_exponent = self.behind && self.exact;
        values.flag("shared_exponent", shared_exponent);
        let kept = if shared_exponent {
            "in_shared_exponent"
        } else {
            ""
        };
        values.text("kept", kept.to_owned());
        values.flag("tone_mapped", self.tone_map != ToneMap::None);
        values.flag("neutral", self.tone_map == ToneMap::Neutral);
        let boosted = self.tone_map == ToneMap::AcesBoosted;
        values.flag("aces", boosted || self.tone_map == ToneMap::Aces);
        values.flag("aces_boosted", boosted);
    }

    /// Elements of the shaders' light array, which must not be empty.
    pub(super) fn light_slots(&self) -> usize {
        self.lights.iter().sum::<usize>().max(1)
    }

    pub(super) fn target_format(&self) -> wgpu::TextureFormat {
        if self.displayed {
            PICTURE_FORMAT
        } else {
            RADIANCE_FORMAT
        }
    }
}
