//! Buffers and textures of an application, by number.

use std::hash::{BuildHasher, Hasher};
use std::ops::Range;

use foldhash::quality::FixedState;
use wgpu_types::{Extent3d, TexelCopyBufferLayout, TextureAspect, TextureDimension, TextureFormat};

use crate::error::{Result, fault};
use crate::texel::{Texel, TexelFormat};

/// Most bytes of one resource, and of all together.
const MOST_BYTES: u64 = 4 << 30;

/// Longest edge of a texture, in texels; most layers.
const LONGEST_EDGE: u32 = 16384;

/// Number of a buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BufferId(pub u32);

/// Number of a texture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TextureId(pub u32);

/// Shape and format of a texture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextureSpec {
    /// Width, height, and depth or layers, in texels.
    pub size: Extent3d,
    /// One, two or three axes.
    pub dimension: TextureDimension,
    /// Format of its texels.
    pub format: TextureFormat,
    /// Levels of the mip chain, the first included.
    pub mips: u32,
    /// Samples of a texel: 1 or 4.
    pub samples: u32,
}

impl TextureSpec {
    /// One level of two axes, one sample a texel.
    #[must_use]
    pub const fn of_2d(format: TextureFormat, width: u32, height: u32) -> Self {
        Self {
            size: Extent3d {
                width,
                height,
                depth_or_array_layers: 1,
            },
            dimension: TextureDimension::D2,
            format,
            mips: 1,
            samples: 1,
        }
    }

    /// Size of a level; layers stay as many.
    #[must_use]
    pub fn level(&self, mip: u32) -> Extent3d {
        self.size.mip_level_size(mip, self.dimension)
    }

    fn check(&self) -> Result<TexelFormat> {
        let Extent3d {
            width,
            height,
            depth_or_array_layers: depth,
        } = self.size;
        let format = TexelFormat::new(self.format)?;
        if [width, height, depth]
            .iter()
            .any(|&edge| edge == 0 || edge > LONGEST_EDGE)
        {
            return Err(fault!(
                "{width} x {height} x {depth} texels; expected 1 to {LONGEST_EDGE} along each axis"
            ));
        }
        if self.dimension == TextureDimension::D1 && height != 1 {
            return Err(fault!("one axis and a height of {height}; expected 1"));
        }
        let most = self.size.max_mips(self.dimension);
        if self.mips == 0 || self.mips > most {
            return Err(fault!("{} levels; expected 1 to {most}", self.mips));
        }
        let is_plain = self.dimension == TextureDimension::D2 && self.mips == 1 && depth == 1;
        if !matches!(self.samples, 1 | 4) || (self.samples == 4 && !is_plain) {
            return Err(fault!(
                "{} samples; expected 1, or 4 with two axes, one level, one layer",
                self.samples
            ));
        }
        Ok(format)
    }
}

/// A texture's texels.
#[derive(Debug, Clone)]
pub(crate) struct Texture {
    pub(crate) spec: TextureSpec,
    pub(crate) format: TexelFormat,
    /// By level: layer or slice, row, column, sample.
    levels: Vec<Vec<u8>>,
    label: String,
}

impl Texture {
    /// The texture with its texels, which are gone here.
    pub(crate) fn take(&mut self) -> Self {
        let (spec, format) = (self.spec, self.format);
        Self {
            spec,
            format,
            levels: std::mem::take(&mut self.levels),
            label: std::mem::take(&mut self.label),
        }
    }

    /// First byte of a sample.
    fn at(&self, mip: u32, [x, y, z]: [u32; 3], sample: u32) -> usize {
        let size = self.spec.level(mip);
        let row = z as usize * size.height as usize + y as usize;
        let texel = row * size.width as usize + x as usize;
        (texel * self.spec.samples as usize + sample as usize) * self.format.bytes()
    }

    /// Numbers of a sample, read as another format of as many bytes; the place must lie in the level.
    pub(crate) fn texel(
        &self,
        format: TexelFormat,
        mip: u32,
        place: [u32; 3],
        sample: u32,
    ) -> Texel {
        let at = self.at(mip, place, sample);
        format.decode(&self.levels[mip as usize][at..][..format.bytes()])
    }

    /// Replaces a sample.
    pub(crate) fn put(
        &mut self,
        format: TexelFormat,
        (mip, place, sample): (u32, [u32; 3], u32),
        texel: Texel,
    ) {
        let at = self.at(mip, place, sample);
        format.encode(
            texel,
            &mut self.levels[mip as usize][at..][..format.bytes()],
        );
    }

    /// Bytes of the rows of a box of texels in a level, with the row's and the layer's number in the box.
    fn rows(
        &self,
        mip: u32,
        origin: [u32; 3],
        size: Extent3d,
    ) -> Result<Vec<([u32; 2], Range<usize>)>> {
        if mip >= self.spec.mips {
            return Err(fault!("level {mip}; expected below {}", self.spec.mips));
        }
        let level = self.spec.level(mip);
        let boxed = [size.width, size.height, size.depth_or_array_layers];
        let whole = [level.width, level.height, level.depth_or_array_layers];
        let mut ends = origin.iter().zip(boxed).zip(whole);
        if ends.any(|((&start, length), whole)| length > whole || start > whole - length) {
            return Err(fault!(
                "{boxed:?} texels from {origin:?} on; expected them within {whole:?}"
            ));
        }
        let [x, y, z] = origin;
        let bytes = (size.width * self.spec.samples) as usize * self.format.bytes();
        let layers = 0..size.depth_or_array_layers;
        let row = |row: u32, layer: u32| {
            let at = self.at(mip, [x, y + row, z + layer], 0);
            ([row, layer], at..at + bytes)
        };
        Ok(layers
            .flat_map(|layer| (0..size.height).map(move |y| row(y, layer)))
            .collect())
    }
}

/// Place in a texture, where a copy begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TexturePlace {
    /// The texture.
    pub texture: TextureId,
    /// Level of the mip chain.
    pub mip: u32,
    /// First column, row, and layer or slice.
    pub origin: [u32; 3],
}

impl TexturePlace {
    /// The first texel of the first level.
    #[must_use]
    pub const fn start(texture: TextureId) -> Self {
        Self {
            texture,
            mip: 0,
            origin: [0; 3],
        }
    }

    fn name(&self, error: crate::PassError) -> crate::PassError {
        error.within(format!("texture {}, level {}", self.texture.0, self.mip))
    }
}

/// The memory that passes read and write.
#[derive(Debug, Clone, Default)]
pub struct Memory {
    buffers: Vec<Vec<u32>>,
    textures: Vec<Texture>,
    bytes: u64,
}

impl Memory {
    /// Adds a buffer of so many bytes, a multiple of four, all zero.
    ///
    /// # Errors
    /// If there is no room.
    pub fn buffer(&mut self, bytes: u64) -> Result<BufferId> {
        if !bytes.is_multiple_of(4) {
            return Err(fault!("buffer of {bytes} bytes; expected a multiple of 4"));
        }
        self.take(bytes)?;
        self.buffers.push(vec![0; bytes as usize / 4]);
        Ok(BufferId(self.buffers.len() as u32 - 1))
    }

    /// Adds a buffer with this content, and zeros up to a multiple of four bytes.
    ///
    /// # Errors
    /// If there is no room.
    pub fn buffer_of(&mut self, content: &[u8]) -> Result<BufferId> {
        let buffer = self.buffer(content.len().next_multiple_of(4) as u64)?;
        self.write_buffer(buffer, 0, content)?;
        Ok(buffer)
    }

    /// Adds a texture, all zero.
    ///
    /// # Errors
    /// If it is no texture, or there is no room.
    pub fn texture(&mut self, spec: TextureSpec) -> Result<TextureId> {
        let format = spec.check().map_err(|error| error.within("texture"))?;
        let texels = |mip: u32| {
            let size = spec.level(mip);
            u64::from(size.width) * u64::from(size.height) * u64::from(size.depth_or_array_layers)
        };
        let bytes = |mip: u32| texels(mip) * u64::from(spec.samples) * format.bytes() as u64;
        self.take((0..spec.mips).map(bytes).sum())?;
        let levels = (0..spec.mips).map(|mip| vec![0; bytes(mip) as usize]);
        self.textures.push(Texture {
            spec,
            format,
            levels: levels.collect(),
            label: String::new(),
        });
        Ok(TextureId(self.textures.len() as u32 - 1))
    }

    fn take(&mut self, bytes: u64) -> Result<()> {
        let all = self.bytes.saturating_add(bytes);
        if all > MOST_BYTES {
            return Err(fault!(
                "{bytes} bytes more than {}; expected at most {MOST_BYTES} in all",
                self.bytes
            ));
        }
        self.bytes = all;
        Ok(())
    }

    pub(crate) fn words(&self, buffer: BufferId) -> Result<&Vec<u32>> {
        let found = self.buffers.get(buffer.0 as usize);
        found.ok_or_else(|| fault!("buffer {}: there is none such", buffer.0))
    }

    pub(crate) fn words_mut(&mut self, buffer: BufferId) -> Result<&mut Vec<u32>> {
        let found = self.buffers.get_mut(buffer.0 as usize);
        found.ok_or_else(|| fault!("buffer {}: there is none such", buffer.0))
    }

    pub(crate) fn texels(&self, texture: TextureId) -> Result<&Texture> {
        let found = self.textures.get(texture.0 as usize);
        found.ok_or_else(|| fault!("texture {}: there is none such", texture.0))
    }

    pub(crate) fn texels_mut(&mut self, texture: TextureId) -> Result<&mut Texture> {
        let found = self.textures.get_mut(texture.0 as usize);
        found.ok_or_else(|| fault!("texture {}: there is none such", texture.0))
    }

    /// Gives a texture a label, by which reports name it.
    ///
    /// # Errors
    /// If there is none such.
    pub fn set_label(&mut self, texture: TextureId, label: &str) -> Result<()> {
        label.clone_into(&mut self.texels_mut(texture)?.label);
        Ok(())
    }

    /// Name of a texture that no other has.
    pub(crate) fn name(&self, texture: TextureId) -> Result<String> {
        Ok(match self.texels(texture)?.label.as_str() {
            "" => format!("texture {}", texture.0),
            label => format!("{label} (texture {})", texture.0),
        })
    }

    /// Digest of a texture's content.
    pub(crate) fn digest(&self, texture: TextureId) -> Result<u64> {
        let mut hasher = FixedState::default().build_hasher();
        for level in &self.texels(texture)?.levels {
            hasher.write(level);
        }
        Ok(hasher.finish())
    }

    /// Shape and format of a texture.
    ///
    /// # Errors
    /// If there is none such.
    pub fn spec(&self, texture: TextureId) -> Result<TextureSpec> {
        Ok(self.texels(texture)?.spec)
    }

    /// Content of a buffer.
    ///
    /// # Errors
    /// If there is none such.
    pub fn read_buffer(&self, buffer: BufferId) -> Result<&[u8]> {
        Ok(bytemuck::cast_slice(self.words(buffer)?))
    }

    /// Replaces a part of a buffer, from a byte on.
    ///
    /// # Errors
    /// If it does not lie in the buffer.
    pub fn write_buffer(&mut self, buffer: BufferId, offset: u64, content: &[u8]) -> Result<()> {
        let bytes: &mut [u8] = bytemuck::cast_slice_mut(self.words_mut(buffer)?);
        let (from, length) = (offset as usize, content.len());
        let end = from.checked_add(length).filter(|&end| end <= bytes.len());
        let Some(end) = end else {
            return Err(fault!(
                "buffer {}: {length} bytes from {offset} on; expected them within {}",
                buffer.0,
                bytes.len()
            ));
        };
        bytes[from..end].copy_from_slice(content);
        Ok(())
    }

    /// Texels of a box, row after row.
    ///
    /// # Errors
    /// If it does not lie in the level.
    pub fn read_texture(&self, place: TexturePlace, size: Extent3d) -> Result<Vec<u8>> {
        let mut content = Vec::new();
        for (_, row) in self.rows(place, size)? {
            content.extend_from_slice(row);
        }
        Ok(content)
    }

    /// Replaces a box of texels by rows that lie as `layout` says; without a pitch they lie close.
    ///
    /// # Errors
    /// If the box does not lie in the level, or the content is too short.
    pub fn write_texture(
        &mut self,
        place: TexturePlace,
        content: &[u8],
        layout: TexelCopyBufferLayout,
        size: Extent3d,
    ) -> Result<()> {
        let row_bytes = size.width as usize * self.texels(place.texture)?.format.bytes();
        let pitch = Pitch::new(layout, row_bytes, size);
        for (at, row) in self.rows_mut(place, size)? {
            let from = pitch.of(at);
            let content = from
                .checked_add(row.len())
                .and_then(|end| content.get(from..end));
            let content = content.ok_or_else(|| fault!("content: too short for row {at:?}"))?;
            row.copy_from_slice(content);
        }
        Ok(())
    }

    /// Rows of a box of texels, each with its number and its layer's in the box.
    pub(crate) fn rows(
        &self,
        place: TexturePlace,
        size: Extent3d,
    ) -> Result<Vec<([u32; 2], &[u8])>> {
        let texture = self.texels(place.texture)?;
        let rows = texture
            .rows(place.mip, place.origin, size)
            .map_err(|error| place.name(error))?;
        let bytes = &texture.levels[place.mip as usize];
        Ok(rows
            .into_iter()
            .map(|(at, row)| (at, &bytes[row]))
            .collect())
    }

    /// Likewise, to be written.
    pub(crate) fn rows_mut(
        &mut self,
        place: TexturePlace,
        size: Extent3d,
    ) -> Result<Vec<([u32; 2], &mut [u8])>> {
        let texture = self.texels_mut(place.texture)?;
        let rows = texture
            .rows(place.mip, place.origin, size)
            .map_err(|error| place.name(error))?;
        let mut rest = texture.levels[place.mip as usize].as_mut_slice();
        let mut before = 0;
        let mut found = Vec::with_capacity(rows.len());
        // They lie one after the other.
        for (at, Range { start, end }) in rows {
            let (_, from) = rest.split_at_mut(start - before);
            let (row, after) = from.split_at_mut(end - start);
            found.push((at, row));
            (rest, before) = (after, end);
        }
        Ok(found)
    }

    /// Numbers of all buffers.
    pub fn buffers(&self) -> impl Iterator<Item = BufferId> {
        (0..self.buffers.len() as u32).map(BufferId)
    }

    /// Numbers of all textures.
    pub fn textures(&self) -> impl Iterator<Item = TextureId> {
        (0..self.textures.len() as u32).map(TextureId)
    }

    /// Parts of the texture's aspect that copies with buffers know.
    pub(crate) fn check_aspect(&self, texture: TextureId, aspect: TextureAspect) -> Result<()> {
        let both = self.texels(texture)?.format.depth_stencil() == [true, true];
        if both || aspect != TextureAspect::All {
            return Err(fault!(
                "texture {}: a copy of one aspect; expected a format of one, and aspect All",
                texture.0
            ));
        }
        Ok(())
    }
}

/// Places of rows in linear memory.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pitch {
    offset: usize,
    row: usize,
    layer: usize,
}

impl Pitch {
    /// Pitch of a layout for rows of so many bytes.
    pub(crate) fn new(layout: TexelCopyBufferLayout, row_bytes: usize, size: Extent3d) -> Self {
        let row = layout
            .bytes_per_row
            .map_or(row_bytes, |bytes| bytes as usize);
        let rows = layout.rows_per_image.unwrap_or(size.height) as usize;
        Self {
            offset: layout.offset as usize,
            row,
            layer: row.saturating_mul(rows),
        }
    }

    /// First byte of a row of a layer.
    pub(crate) fn of(self, [row, layer]: [u32; 2]) -> usize {
        let rows = self.row.saturating_mul(row as usize);
        let layers = self.layer.saturating_mul(layer as usize);
        self.offset.saturating_add(rows).saturating_add(layers)
    }
}
