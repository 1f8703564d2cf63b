//! Small pictures inside panels: uploaded once and kept until another one is shown.

use egui::{ColorImage, Context, TextureHandle, TextureOptions};

/// Pictures that the panels show at the moment.
#[derive(Default)]
pub(in crate::window) struct Images {
    tile: Option<(TileKey, [TextureHandle; 2])>,
    texture: Option<(TextureKey, TextureHandle)>,
}

/// Key of a tile after a number of its steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TileKey {
    pub(super) tile: [u32; 2],
    pub(super) step: usize,
    pub(super) n_steps: usize,
}

/// Key of a level of a texture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TextureKey {
    pub(super) texture: usize,
    pub(super) mip: usize,
    pub(super) reads: bool,
}

impl Images {
    /// Forgets everything: another frame is shown.
    pub(in crate::window) fn clear(&mut self) {
        *self = Self::default();
    }

    /// Pictures of a tile's colour and depth.
    pub(super) fn tile(
        &mut self,
        ctx: &Context,
        key: TileKey,
        make: impl FnOnce() -> ([usize; 2], Vec<[u8; 4]>, Vec<[u8; 4]>),
    ) -> [&TextureHandle; 2] {
        if self.tile.as_ref().is_none_or(|(known, _)| *known != key) {
            self.tile = None;
        }
        let (_, textures) = self.tile.get_or_insert_with(|| {
            let (size, colors, depths) = make();
            let color = upload(ctx, "colour", size, &colors);
            let depth = upload(ctx, "depth", size, &depths);
            (key, [color, depth])
        });
        textures.each_ref()
    }

    /// Picture of a texture's level.
    pub(super) fn texture(
        &mut self,
        ctx: &Context,
        key: TextureKey,
        make: impl FnOnce() -> ([usize; 2], Vec<[u8; 4]>),
    ) -> &TextureHandle {
        if self.texture.as_ref().is_none_or(|(known, _)| *known != key) {
            self.texture = None;
        }
        let (_, texture) = self.texture.get_or_insert_with(|| {
            let (size, texels) = make();
            (key, upload(ctx, "texture", size, &texels))
        });
        texture
    }
}

/// Uploads pixels that are enlarged without mixing neighbours.
fn upload(ctx: &Context, name: &str, size: [usize; 2], pixels: &[[u8; 4]]) -> TextureHandle {
    let image = ColorImage::from_rgba_unmultiplied(size, pixels.as_flattened());
    ctx.load_texture(name, image, TextureOptions::NEAREST)
}
