//! Many sprites in one texture: what engines pack when a game is built, so that a batch of sprites is one draw.

use glam::Vec2;

use super::paint::Canvas;
use azulejo_scene::{Encoding, TextureImage};

/// Transparent texels between sprites and around them, so that small mip levels do not mix neighbours.
const GUTTER: u32 = 8;

/// Texels of a sprite's edge that go on into the gutter: what solids show whole is filtered across its edge.
const EDGE: u32 = 4;

fn first_texel(bytes: &[u8]) -> [u8; 4] {
    bytes.first_chunk().copied().unwrap_or_default()
}

/// Rectangle of a sprite in its texture.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Sprite {
    /// Texture coordinates of the upper left corner.
    pub(crate) uv_min: Vec2,
    /// Texture coordinates of the lower right corner.
    pub(crate) uv_max: Vec2,
    /// Width by height in texels.
    pub(crate) texels: Vec2,
}

impl Sprite {
    /// Sprite that covers a whole texture.
    pub(crate) const WHOLE: Self = Self {
        uv_min: Vec2::ZERO,
        uv_max: Vec2::ONE,
        texels: Vec2::ONE,
    };

    /// Aspect ratio: width by height.
    #[must_use]
    pub(crate) fn shape(&self) -> f32 {
        self.texels.x / self.texels.y
    }

    /// A part of it, in shares of its width and height.
    #[must_use]
    pub(crate) fn part(&self, from: Vec2, to: Vec2) -> Self {
        let size = self.uv_max - self.uv_min;
        Self {
            uv_min: self.uv_min + size * from,
            uv_max: self.uv_min + size * to,
            texels: self.texels * (to - from),
        }
    }
}

/// A texture of sprites.
#[derive(Debug, Clone)]
pub(crate) struct Atlas {
    /// Texels in sRGB with alpha beside them, not multiplied in.
    pub(crate) image: TextureImage,
}

/// Sprites on their way into an atlas; see [`sheet`].
#[derive(Debug)]
pub(crate) struct Sheet {
    pass: Pass,
}

#[derive(Debug)]
enum Pass {
    /// First pass: the canvases painted so far.
    Paint(Vec<Canvas>),
    /// Second pass: the places that are left.
    Place(std::vec::IntoIter<Sprite>),
}

impl Sheet {
    /// The next sprite, painted by `paint`.
    pub(crate) fn sprite(&mut self, paint: impl FnOnce() -> Canvas) -> Sprite {
        match &mut self.pass {
            Pass::Paint(canvases) => {
                canvases.push(paint());
                Sprite::default()
            }
            Pass::Place(places) => places
                .next()
                .expect("a layout asks for the same sprites every time"),
        }
    }
}

/// Paints sprites and packs them into a texture `width` texels wide: `lay_out` names each beside its painter.
///
/// It runs twice and must ask for the same sprites in the same order: places are known only when all have been painted, so
/// the first run paints, and the second hands places out.
#[must_use]
pub(crate) fn sheet<T>(name: &str, width: u32, lay_out: impl Fn(&mut Sheet) -> T) -> (T, Atlas) {
    let mut painting = Sheet {
        pass: Pass::Paint(Vec::new()),
    };
    lay_out(&mut painting);
    let (places, atlas) = match painting.pass {
        Pass::Paint(canvases) => pack(name, width, &canvases),
        Pass::Place(_) => unreachable!("only the line below places"),
    };
    let mut placing = Sheet {
        pass: Pass::Place(places.into_iter()),
    };
    (lay_out(&mut placing), atlas)
}

/// Packs `canvases` into a texture `width` texels wide and as high as it must be, in shelves from the highest down; places
/// in the order of the canvases.
fn pack(name: &str, width: u32, canvases: &[Canvas]) -> (Vec<Sprite>, Atlas) {
    let mut order: Vec<usize> = (0..canvases.len()).collect();
    order.sort_by_key(|&i| std::cmp::Reverse(canvases[i].height));
    let mut corners = vec![(0, 0); canvases.len()];
    let (mut x, mut y, mut shelf) = (GUTTER, GUTTER, 0);
    for i in order {
        let canvas = &canvases[i];
        if x + canvas.width + GUTTER > width && x > GUTTER {
            (x, y, shelf) = (GUTTER, y + shelf + GUTTER, 0);
        }
        corners[i] = (x, y);
        x += canvas.width + GUTTER;
        shelf = shelf.max(canvas.height);
    }
    let height = (y + shelf + GUTTER).next_multiple_of(16);
    let mut texels = vec![0; (width * height * 4) as usize];
    for (canvas, &(left, top)) in canvases.iter().zip(&corners) {
        let rows = canvas.rgba8();
        let row_bytes = canvas.width as usize * 4;
        for row in 0..canvas.height + 2 * EDGE {
            let inside = row.saturating_sub(EDGE).min(canvas.height - 1) as usize;
            let bytes = &rows[inside * row_bytes..][..row_bytes];
            let start = ((top + row - EDGE) * width + left - EDGE) as usize * 4;
            let Some(place) = texels.get_mut(start..start + row_bytes + 8 * EDGE as usize) else {
                continue;
            };
            let (before, rest) = place.split_at_mut(4 * EDGE as usize);
            let (own, after) = rest.split_at_mut(row_bytes);
            own.copy_from_slice(bytes);
            before.as_chunks_mut::<4>().0.fill(first_texel(bytes));
            after
                .as_chunks_mut::<4>()
                .0
                .fill(first_texel(&bytes[row_bytes - 4..]));
        }
    }
    let size = Vec2::new(width as f32, height as f32);
    let sprite = |(canvas, &(left, top)): (&Canvas, &(u32, u32))| {
        let texels = Vec2::new(canvas.width as f32, canvas.height as f32);
        let corner = Vec2::new(left as f32, top as f32);
        Sprite {
            uv_min: corner / size,
            uv_max: (corner + texels) / size,
            texels,
        }
    };
    let image = image_of(name, width, height, &texels);
    (
        canvases.iter().zip(&corners).map(sprite).collect(),
        Atlas { image },
    )
}

/// A canvas as a texture of its own.
#[must_use]
pub(crate) fn image(name: &str, canvas: &Canvas) -> TextureImage {
    image_of(name, canvas.width, canvas.height, &canvas.rgba8())
}

/// An sRGB image of texels whose number is right by construction.
pub(super) fn image_of(name: &str, width: u32, height: u32, rgba: &[u8]) -> TextureImage {
    TextureImage::from_rgba8(name, Encoding::Srgb, width, height, rgba)
        .expect("painters ask for edges of 1 to 4096 texels and fill every one")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pack_gives_every_sprite_a_place_of_its_own() {
        let sizes = [(40, 60), (100, 20), (64, 64), (30, 30), (90, 50)];
        let canvases = sizes.map(|(width, height)| Canvas::new(width, height));
        let (sprites, _) = pack("test", 128, &canvases);
        for (i, a) in sprites.iter().enumerate() {
            assert_eq!(
                a.texels,
                Vec2::new(sizes[i].0 as f32, sizes[i].1 as f32),
                "size {i}"
            );
            assert!(
                a.uv_min.min_element() > 0.0 && a.uv_max.max_element() < 1.0,
                "inside {i}"
            );
            for (j, b) in sprites.iter().enumerate().filter(|(j, _)| *j != i) {
                let apart = a.uv_max.cmplt(b.uv_min).any() || b.uv_max.cmplt(a.uv_min).any();
                assert!(apart, "{i} and {j} overlap");
            }
        }
    }

    #[test]
    fn sheet_gives_each_name_the_sprite_that_was_painted_for_it() {
        let sizes = [30, 50, 40];
        let paint = |edge: u32| {
            let mut canvas = Canvas::new(edge, edge);
            canvas.wash(|_| glam::Vec4::splat(edge as f32 / 64.0));
            canvas
        };
        let (sprites, atlas) = sheet("test", 128, |s| sizes.map(|edge| s.sprite(|| paint(edge))));
        let (packed, _) = pack("test", 128, &sizes.map(paint));
        assert_eq!(sprites.to_vec(), packed, "places in the order of painting");
        for (sprite, edge) in sprites.iter().zip(sizes) {
            assert_eq!(sprite.texels, Vec2::splat(edge as f32), "size of {edge}");
        }
        assert_eq!(atlas.image.levels[0].width, 128, "as wide as asked");
    }
}
