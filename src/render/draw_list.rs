//! What goes into a frame: draws in submission order, how they are drawn, and the textures that they may sample.
//!
//! [`FrameInput::draws`] makes the list of a scene; programs of your own are put into draws by hand.

use super::draws::{Draw, draws_of};
use super::shading::{self, DrawProgram, FragmentProgram};
use super::{FrameInput, RenderSettings};
use crate::scene::{Environment, TextureImage};
use crate::simd::Tape;

/// The draws of a frame. [`Renderer::draw`](super::Renderer::draw) takes it to any [`Sink`](super::Sink).
#[derive(Debug, Clone)]
pub struct DrawList<'a, P> {
    /// In submission order.
    pub draws: Vec<Draw<'a, P>>,
    /// Size of the picture, its tiles, what lies behind everything, how it leaves the chip.
    pub settings: RenderSettings,
    /// What draws may sample; a trace lists all of it.
    pub textures: TextureSet<'a>,
}

/// The textures of a frame.
#[derive(Debug, Clone, Copy, Default)]
pub struct TextureSet<'a> {
    /// The images of a scene, by [`ImageId`](crate::scene::ImageId).
    pub images: &'a [TextureImage],
    /// Image-based light, if any.
    pub environment: Option<&'a Environment>,
}

impl<'a> TextureSet<'a> {
    /// The memory that is sampled, by the numbers that textures have in a trace: images, then the environment.
    #[must_use]
    pub fn tables(&self) -> Vec<&'a [u32]> {
        let images = self.images.iter().map(|image| image.texels.as_slice());
        let environment = self
            .environment
            .map(|environment| environment.footprints.as_slice());
        images.chain(environment).collect()
    }
}

impl<'a, P: FragmentProgram> DrawList<'a, P> {
    /// The instruction list of a draw's fragment program.
    #[must_use]
    pub fn record(&self, draw: &Draw<'_, P>) -> Tape {
        shading::record(&draw.program, &self.textures.tables())
    }
}

impl<'a, P> DrawList<'a, P> {
    /// Draws that sample no textures.
    #[must_use]
    pub fn new(draws: Vec<Draw<'a, P>>, settings: RenderSettings) -> Self {
        Self {
            draws,
            settings,
            textures: TextureSet::default(),
        }
    }
}

impl<'a> FrameInput<'a> {
    /// The draws of a scene's frame, with the built-in programs.
    #[must_use]
    pub fn draws(&self) -> DrawList<'a, DrawProgram<'a>> {
        DrawList {
            draws: draws_of(self),
            settings: *self.settings,
            textures: TextureSet {
                images: &self.scene.images,
                environment: self.environment,
            },
        }
    }
}
