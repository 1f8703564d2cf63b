//! Tile buffers: attachments of one tile, loaded or cleared, written, resolved and stored.

use azulejo_math::PixelRect;
use wgpu_types::{Color, LoadOp};

use crate::attach::{ColorTarget, Targets};
use crate::error::Result;
use crate::memory::Memory;
use crate::observe::Signature;
use crate::texel::{Texel, TexelFormat};

/// Content that one tile leaves in memory.
#[derive(Debug)]
pub(crate) struct Stored {
    pub(crate) rect: PixelRect,
    /// Bytes by attachment, in the order of [`Targets::stores`].
    pub(crate) contents: Vec<Vec<u8>>,
}

impl Stored {
    /// CRC32 of it.
    pub(crate) fn crc(&self) -> u32 {
        let mut hasher = crc32fast::Hasher::new();
        self.contents
            .iter()
            .for_each(|content| hasher.update(content));
        hasher.finalize()
    }
}

/// Attachments of a tile. A colour's numbers are those that its format holds; depths of fixed point are in steps.
#[derive(Debug)]
pub(crate) struct Tile {
    pub(crate) rect: PixelRect,
    pub(crate) samples: usize,
    width: usize,
    pub(crate) colors: Vec<Vec<Texel>>,
    pub(crate) depth: Vec<f32>,
    pub(crate) stencil: Vec<u8>,
}

impl Tile {
    /// First content of a tile.
    pub(crate) fn load(memory: &Memory, targets: &Targets, rect: PixelRect) -> Result<Self> {
        let samples = targets.samples as usize;
        let mut tile = Self {
            rect,
            samples,
            width: rect.width() as usize,
            colors: Vec::new(),
            depth: Vec::new(),
            stencil: Vec::new(),
        };
        let all = rect.area() as usize * samples;
        for target in &targets.colors {
            let content = match target {
                None => Vec::new(),
                Some(target) => tile.color(memory, target, all)?,
            };
            tile.colors.push(content);
        }
        if let Some(target) = &targets.depth_stencil {
            let [has_depth, has_stencil] = target.view.format.depth_stencil();
            if has_depth {
                tile.depth = match target.depth.map(|ops| ops.load) {
                    Some(LoadOp::Clear(depth)) => vec![steps(target.view.format, depth); all],
                    _ => tile.texels(memory, &target.view, |texel| {
                        steps(target.view.format, f32::from_bits(texel[0]))
                    })?,
                };
            }
            if has_stencil {
                let component = usize::from(has_depth);
                tile.stencil = match target.stencil.map(|ops| ops.load) {
                    Some(LoadOp::Clear(stencil)) => vec![stencil as u8; all],
                    _ => tile.texels(memory, &target.view, |texel| texel[component] as u8)?,
                };
            }
        }
        Ok(tile)
    }

    fn color(&self, memory: &Memory, target: &ColorTarget, all: usize) -> Result<Vec<Texel>> {
        match target.ops.load {
            LoadOp::Clear(color) => {
                let texel = clear_texel(target.view.format, color);
                Ok(vec![target.view.format.rounded(texel); all])
            }
            _ => self.texels(memory, &target.view, |texel| texel),
        }
    }

    fn texels<T>(
        &self,
        memory: &Memory,
        view: &crate::view::View,
        number: impl Fn(Texel) -> T,
    ) -> Result<Vec<T>> {
        let texture = memory.texels(view.texture)?;
        let mut found = Vec::with_capacity(self.rect.area() as usize * self.samples);
        for y in self.rect.y0..self.rect.y1 {
            for x in self.rect.x0..self.rect.x1 {
                let place = view.place([x.cast_unsigned(), y.cast_unsigned(), 0]);
                for sample in 0..self.samples as u32 {
                    found.push(number(texture.texel(
                        view.format,
                        view.first_mip,
                        place,
                        sample,
                    )));
                }
            }
        }
        Ok(found)
    }

    /// Adds the content to a signature.
    pub(crate) fn sign(&self, signature: &mut Signature) {
        for texels in &self.colors {
            signature.add(bytemuck::cast_slice(texels));
        }
        signature.add(bytemuck::cast_slice(&self.depth));
        signature.add(&self.stencil);
    }

    /// Position of a sample in the buffers.
    pub(crate) fn at(&self, x: i32, y: i32, sample: usize) -> usize {
        let (column, row) = ((x - self.rect.x0) as usize, (y - self.rect.y0) as usize);
        (row * self.width + column) * self.samples + sample
    }

    /// Content for memory: of each attachment what it keeps.
    pub(crate) fn store(&self, targets: &Targets) -> Stored {
        let mut contents = Vec::new();
        for (target, texels) in targets.colors.iter().zip(&self.colors) {
            let Some(target) = target else { continue };
            let format = target.view.format;
            contents.push(match target.stores() {
                true => encoded(format, texels.iter().copied()),
                false => vec![0; texels.len() * format.bytes()],
            });
            if target.resolve.is_some() {
                let means = texels.chunks_exact(self.samples).map(mean);
                contents.push(encoded(format, means));
            }
        }
        if let Some(target) = &targets.depth_stencil {
            let format = target.view.format;
            let [depth, stencil] = target.stores();
            let n = self.depth.len().max(self.stencil.len());
            contents.push(encoded(
                format,
                (0..n).map(|at| {
                    let z = match (depth, self.depth.get(at)) {
                        (true, Some(&z)) => unit(format, z).to_bits(),
                        _ => 0,
                    };
                    let stencil = match (stencil, self.stencil.get(at)) {
                        (true, Some(&stencil)) => u32::from(stencil),
                        _ => 0,
                    };
                    if self.depth.is_empty() {
                        [stencil, 0, 0, 0]
                    } else {
                        [z, stencil, 0, 0]
                    }
                }),
            ));
        }
        Stored {
            rect: self.rect,
            contents,
        }
    }
}

/// Depth as the buffer holds it: in steps, if it is fixed point.
pub(crate) fn steps(format: TexelFormat, depth: f32) -> f32 {
    if format.has_fixed_depth() {
        (depth.clamp(0.0, 1.0) * 65535.0).round_ties_even()
    } else {
        depth
    }
}

fn unit(format: TexelFormat, depth: f32) -> f32 {
    if format.has_fixed_depth() {
        depth / 65535.0
    } else {
        depth
    }
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "rounding to what a texel's number holds"
)]
fn clear_texel(format: TexelFormat, Color { r, g, b, a }: Color) -> Texel {
    [r, g, b, a].map(
        |part| match (format.is_integer(), format.is_signed_integer()) {
            (true, true) => (part as i32).cast_unsigned(),
            (true, false) => part as u32,
            _ => (part as f32).to_bits(),
        },
    )
}

fn encoded(format: TexelFormat, texels: impl Iterator<Item = Texel>) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut texel_bytes = [0; 16];
    let texel_bytes = &mut texel_bytes[..format.bytes()];
    for texel in texels {
        format.encode(texel, texel_bytes);
        bytes.extend_from_slice(texel_bytes);
    }
    bytes
}

/// Mean of a pixel's samples.
fn mean(samples: &[Texel]) -> Texel {
    std::array::from_fn(|channel| {
        let sum: f32 = samples
            .iter()
            .map(|sample| f32::from_bits(sample[channel]))
            .sum();
        (sum / samples.len() as f32).to_bits()
    })
}
