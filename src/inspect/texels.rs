//! Which parts of a texture a frame read: reads of each block of texels, by mip level, and the chain of levels as a picture.
//! A block has 4x4 texels where the texture is not compressed.

use serde::Serialize;

use azulejo_report::Bitmap;
use azulejo_report::canvas::{BACKGROUND, Canvas};
use azulejo_report::heatmap::viridis;
use azulejo_scene::{BlockLayout, TextureImage};
use azulejo_trace::{FrameTrace, QuadSamples};

/// Edge of a block of uncompressed texels.
const BLOCK_EDGE: u32 = 4;
/// Texels in it.
const BLOCK_TEXELS: usize = 16;
/// How much of a read block's colour is heat.
const HEAT_SHARE: f64 = 0.5;
/// Share of the light that is left to blocks without a read.
const UNREAD: f64 = 0.25;

/// How often each block of a texture was read: once for each quad and texture instruction that touched it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextureReads {
    /// Position in [`FrameTrace::textures`]: the scene's images in their order, then the environment.
    pub texture: u32,
    /// Name for people; may be empty.
    pub name: String,
    /// Number of reads by block number, all mip levels.
    pub reads: Vec<u32>,
}

/// Reads of one mip level.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LevelReads {
    /// 0 is the largest.
    pub level: u32,
    /// Width of the level, texels.
    pub width: u32,
    /// Height of the level, texels.
    pub height: u32,
    /// Blocks in a row.
    pub blocks_wide: u32,
    /// Reads of each block, row by row.
    #[serde(skip)]
    pub reads: Vec<u32>,
    /// Blocks that were read at all.
    pub blocks_read: u64,
    /// Blocks of the level.
    pub blocks: u64,
    /// Reads of all its blocks.
    pub total: u64,
}

/// The reads of every texture of a traced frame.
#[must_use]
pub fn texture_reads(trace: &FrameTrace) -> Vec<TextureReads> {
    let textures = (0..).zip(&trace.textures);
    let mut all: Vec<TextureReads> = textures
        .map(|(texture, info)| TextureReads {
            texture,
            name: info.name.clone(),
            reads: vec![0; info.n_blocks as usize],
        })
        .collect();
    let samples = QuadSamples::new(trace);
    for tile in &trace.tiles {
        samples.of_tile(tile, |texture, blocks| {
            let Some(reads) = all.get_mut(texture.0 as usize) else {
                return;
            };
            for block in blocks {
                let count = reads.reads.get_mut(*block as usize);
                count.into_iter().for_each(|count| *count += 1);
            }
        });
    }
    all
}

impl TextureReads {
    /// The reads of each mip level of `image`, which must be this texture's.
    #[must_use]
    pub fn levels(&self, image: &TextureImage) -> Vec<LevelReads> {
        let layout = image.block_layout();
        let levels = (0..).zip(&image.levels);
        levels
            .map(|(number, _)| self.level(number, image, layout.as_ref()))
            .collect()
    }

    fn level(&self, number: u32, image: &TextureImage, layout: Option<&BlockLayout>) -> LevelReads {
        let level = &image.levels[number as usize];
        let [width, height] = block_size(image);
        let (wide, high) = (level.width.div_ceil(width), level.height.div_ceil(height));
        let places = (0..high).flat_map(|y| (0..wide).map(move |x| (x * width, y * height)));
        let block = |(x, y)| match layout {
            Some(layout) => layout.block_at(number as usize, x, y) as usize,
            None => level.texel_index(x, y) / BLOCK_TEXELS,
        };
        let reads: Vec<u32> = places
            .map(|place| self.reads.get(block(place)).copied().unwrap_or(0))
            .collect();
        LevelReads {
            level: number,
            width: level.width,
            height: level.height,
            blocks_wide: wide,
            blocks_read: reads.iter().filter(|reads| **reads > 0).count() as u64,
            blocks: reads.len() as u64,
            total: reads.iter().map(|reads| u64::from(*reads)).sum(),
            reads,
        }
    }
}

/// Width and height of an image's blocks in texels.
fn block_size(image: &TextureImage) -> [u32; 2] {
    let shape = image.blocks().map(|format| format.shape());
    shape.map_or([BLOCK_EDGE; 2], |shape| [shape.width, shape.height])
}

/// The mip chain of an image: the largest level at the left, the others below each other beside it. Blocks that were read
/// shine in the colour of their count (logarithmic, up to the most read block of all), the others are dark.
#[must_use]
pub fn texture_picture(image: &TextureImage, reads: &TextureReads) -> Bitmap {
    let levels = reads.levels(image);
    let first = levels
        .first()
        .map_or([0, 0], |level| [level.width, level.height]);
    let second = levels.get(1).map_or(0, |level| level.width);
    let mut canvas = Canvas::new((first[0] + second).max(1), first[1].max(1), BACKGROUND, 1);
    let most = reads.reads.iter().copied().max().unwrap_or(0);
    let mut top = 0;
    for level in &levels {
        let left = if level.level == 0 { 0 } else { first[0] };
        let pixels = level_pixels(image, level, most);
        for ((x, y), color) in texels(level).zip(pixels) {
            canvas.plot(left + x, top + y, color);
        }
        top += if level.level == 0 { 0 } else { level.height };
    }
    canvas.bitmap
}

/// One level of [`texture_picture`], row by row; a block with `most` reads has the brightest colour.
#[must_use]
pub fn level_pixels(image: &TextureImage, level: &LevelReads, most: u32) -> Vec<[u8; 4]> {
    let Some(mip) = image.levels.get(level.level as usize) else {
        return Vec::new();
    };
    let most = f64::from(most).ln_1p();
    let [width, height] = block_size(image);
    let color = |(x, y)| {
        let texel = image.texels().get(mip.texel_index(x, y)).copied();
        let block = y / height * level.blocks_wide + x / width;
        let read = f64::from(level.reads[block as usize]);
        let heat = (read > 0.0).then(|| read.ln_1p() / most);
        texel_color(texel.unwrap_or(0), heat)
    };
    texels(level).map(color).collect()
}

/// Places of a level's texels, row by row.
fn texels(level: &LevelReads) -> impl Iterator<Item = (u32, u32)> {
    let (width, height) = (level.width, level.height);
    (0..height).flat_map(move |y| (0..width).map(move |x| (x, y)))
}

/// A texel as it is stored, without its alpha, tinted by how often it was read.
fn texel_color(texel: u32, heat: Option<f64>) -> [u8; 4] {
    let [r, g, b, _] = texel.to_le_bytes().map(f64::from);
    let mixed = match heat.map(viridis) {
        None => [r, g, b].map(|channel| UNREAD * channel),
        Some(heat) => std::array::from_fn(|k| {
            HEAT_SHARE * f64::from(heat[k]) + (1.0 - HEAT_SHARE) * [r, g, b][k]
        }),
    };
    let [r, g, b] = mixed.map(|channel| channel.round() as u8);
    [r, g, b, 255]
}
