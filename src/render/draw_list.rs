//! Input of a frame: draws in submission order, how they are drawn, and the textures that they may sample.
//!
//! [`FrameInput::draws`](super::FrameInput::draws) makes the list of a scene; programs of your own are put into draws by
//! hand.

use std::sync::Arc;

use super::RenderSettings;
use super::draws::Draw;
use super::raster::Kernels;
use super::shading::{Behind, FragmentProgram};
use azulejo_record::Tape;
use azulejo_scene::{Environment, TextureImage};

/// The draws of a frame. [`Renderer::draw`](super::Renderer::draw) takes it to any [`Sink`](super::Sink).
#[derive(Debug, Clone)]
pub struct DrawList<'a, P> {
    /// Draws in submission order; a draw's number is its position here.
    pub draws: Vec<Draw<'a, P>>,
    /// Size of the picture, its tiles, the frame background, and the transfer to displayable colours.
    pub settings: RenderSettings,
    /// Textures that draws may sample; a trace lists all of them.
    pub textures: TextureSet<'a>,
    /// Pass that is drawn first, where draws of this one sample the picture behind their surface.
    pub behind: Option<Box<BehindPass<'a, P>>>,
    /// The code of the draws' programs.
    pub kernels: Kernels<P>,
}

/// A pass whose picture the draws of the next one sample. Its draws look at no pass before it.
#[derive(Debug, Clone)]
pub struct BehindPass<'a, P> {
    /// Draws of the pass, with its own settings and textures.
    pub list: DrawList<'a, P>,
    /// Texture that the pass is drawn into; as large as the picture.
    pub target: Arc<Behind>,
}

/// The textures of a frame.
#[derive(Debug, Clone, Copy, Default)]
pub struct TextureSet<'a> {
    /// The images of a scene, by [`ImageId`](azulejo_scene::ImageId).
    pub images: &'a [TextureImage],
    /// Image-based light, if any.
    pub environment: Option<&'a Environment>,
}

impl<P> DrawList<'_, P> {
    /// The memory that is sampled, by the numbers that textures have in a trace: images, then the environment, then the
    /// pass behind.
    #[must_use]
    pub fn tables(&self) -> Vec<&[u32]> {
        let TextureSet {
            images,
            environment,
        } = self.textures;
        let images = images.iter().map(|image| image.texels());
        let environment = environment.map(|environment| environment.footprints());
        let behind = self.behind.iter().map(|pass| pass.target.words());
        images.chain(environment).chain(behind).collect()
    }

    /// Digest of the contents of the table at this position of [`Self::tables`].
    pub(super) fn table_digest(&self, table: u32) -> u64 {
        let TextureSet {
            images,
            environment,
        } = self.textures;
        let table = table as usize;
        match (images.get(table), environment) {
            (Some(image), _) => image.digest(),
            (None, Some(environment)) if table == images.len() => environment.digest(),
            _ => self.behind.as_ref().map_or(0, |pass| pass.target.digest()),
        }
    }
}

impl<P: FragmentProgram> DrawList<'_, P> {
    /// The instruction list of a draw's fragment program.
    #[must_use]
    pub fn record(&self, draw: &Draw<'_, P>) -> Tape {
        (self.kernels.record)(&draw.program, &self.tables())
    }
}

impl<'a, P: FragmentProgram> DrawList<'a, P> {
    /// Draws that sample no textures.
    #[must_use]
    pub fn new(draws: Vec<Draw<'a, P>>, settings: RenderSettings) -> Self {
        Self::with_kernels(draws, settings, Kernels::new())
    }
}

impl<'a, P> DrawList<'a, P> {
    /// Draws that sample no textures, of programs that were compiled before.
    #[must_use]
    pub fn with_kernels(
        draws: Vec<Draw<'a, P>>,
        settings: RenderSettings,
        kernels: Kernels<P>,
    ) -> Self {
        Self {
            draws,
            settings,
            textures: TextureSet::default(),
            behind: None,
            kernels,
        }
    }
}
