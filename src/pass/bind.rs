//! Bind groups: the resources of a draw or a dispatch, as its programs name them.

use std::sync::Mutex;

use azulejo_shader::{BindingCode, BindingKind, Buffer, Code, Resources, Textures};

use crate::error::{Result, fault};
use crate::images::{BoundTextures, WrittenTextures};
use crate::memory::{BufferId, Memory, TextureId};
use crate::sample::Sampler;
use crate::view::{TextureView, View};

/// A resource.
#[derive(Debug, Clone, PartialEq)]
pub enum Binding {
    /// Part of a buffer.
    Buffer {
        /// The buffer.
        buffer: BufferId,
        /// First byte, a multiple of four.
        offset: u64,
        /// Bytes; `None` up to the end.
        size: Option<u64>,
    },
    /// View of a texture, to be read or written.
    Texture(TextureView),
    /// Sampler.
    Sampler(Sampler),
}

impl Binding {
    /// A whole buffer.
    #[must_use]
    pub const fn buffer(buffer: BufferId) -> Self {
        Self::Buffer {
            buffer,
            offset: 0,
            size: None,
        }
    }
}

/// Resources by binding.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct BindGroup(pub Vec<(u32, Binding)>);

/// Part of a buffer, in words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Part {
    buffer: BufferId,
    start: usize,
    end: usize,
}

/// A resource as a code names it.
#[derive(Debug, Clone)]
enum Slot {
    Buffer { part: Part, written: bool },
    Texture(View),
    Sampler(Sampler),
}

/// Words of a uniform buffer, by group and binding.
pub(crate) type Constants<'m> = ((u32, u32), &'m [u32]);

/// Resources of one code, by position of its bindings.
#[derive(Debug, Clone)]
pub(crate) struct Bound {
    slots: Vec<Slot>,
    /// Textures that the code writes.
    written: Vec<TextureId>,
}

/// Resources that a code writes, taken out of the memory while it runs.
#[derive(Debug, Default)]
pub(crate) struct Written {
    buffers: Vec<(BufferId, Vec<u32>)>,
    textures: WrittenTextures,
}

impl Bound {
    /// Finds a code's resources in bind groups.
    pub(crate) fn new(memory: &Memory, code: &Code, groups: &[BindGroup]) -> Result<Self> {
        let written = code
            .images
            .iter()
            .filter(|image| image.access == azulejo_shader::ImageAccess::Store);
        let written: Vec<u32> = written.map(|image| image.texture).collect();
        let mut bound = Self {
            slots: Vec::new(),
            written: Vec::new(),
        };
        for (position, binding) in (0..).zip(&code.bindings) {
            let place = |error: crate::PassError| {
                error.within(format!(
                    "`{}` (group {}, binding {})",
                    binding.name, binding.group, binding.binding
                ))
            };
            let slot = slot(memory, binding, groups).map_err(place)?;
            if let (Slot::Texture(view), true) = (&slot, written.contains(&position)) {
                bound.written.push(view.texture);
            }
            bound.slots.push(slot);
        }
        bound.check_writes()?;
        Ok(bound)
    }

    /// A resource that is written is bound once.
    fn check_writes(&self) -> Result<()> {
        let parts: Vec<(Part, bool)> = (self.slots.iter())
            .filter_map(|slot| match slot {
                Slot::Buffer { part, written } => Some((*part, *written)),
                _ => None,
            })
            .collect();
        for (at, (part, written)) in parts.iter().enumerate() {
            let is_other = |(other, _): &&(Part, bool)| other.buffer == part.buffer;
            if *written
                && parts
                    .iter()
                    .enumerate()
                    .any(|(k, other)| k != at && is_other(&other))
            {
                return Err(fault!(
                    "buffer {}: written, and bound twice; expected once",
                    part.buffer.0
                ));
            }
        }
        let views = self.slots.iter().filter_map(|slot| match slot {
            Slot::Texture(view) => Some(view.texture),
            _ => None,
        });
        let views: Vec<TextureId> = views.collect();
        for texture in &self.written {
            if views.iter().filter(|other| *other == texture).count() > 1 {
                return Err(fault!(
                    "texture {}: written, and bound twice; expected once",
                    texture.0
                ));
            }
        }
        Ok(())
    }

    /// Words of the uniform buffers that the code declares, by group and binding.
    pub(crate) fn constants<'m>(
        &self,
        memory: &'m Memory,
        code: &Code,
    ) -> Result<Vec<Constants<'m>>> {
        let mut found = Vec::new();
        for (binding, slot) in code.bindings.iter().zip(&self.slots) {
            if let (Slot::Buffer { part, .. }, BindingKind::Uniform) = (slot, binding.kind) {
                let words = &memory.words(part.buffer)?[part.start..part.end];
                let declared = words.len().min(binding.words as usize);
                found.push(((binding.group, binding.binding), &words[..declared]));
            }
        }
        Ok(found)
    }

    /// Views and samplers, in words that differ where they do.
    pub(crate) fn describe(&self) -> String {
        let is_image = |slot: &&Slot| !matches!(slot, Slot::Buffer { .. });
        let images: Vec<&Slot> = self.slots.iter().filter(is_image).collect();
        format!("{images:?}")
    }

    /// Whether the code writes to memory.
    pub(crate) fn writes(&self) -> bool {
        let is_written = |slot: &Slot| matches!(slot, Slot::Buffer { written: true, .. });
        !self.written.is_empty() || self.slots.iter().any(is_written)
    }

    /// Textures that the code reads or writes.
    pub(crate) fn textures(&self) -> impl Iterator<Item = TextureId> {
        self.slots.iter().filter_map(|slot| match slot {
            Slot::Texture(view) => Some(view.texture),
            _ => None,
        })
    }

    /// Buffer that is bound at a position.
    pub(crate) fn buffer(&self, position: u32) -> Option<BufferId> {
        match self.slots.get(position as usize) {
            Some(Slot::Buffer { part, .. }) => Some(part.buffer),
            _ => None,
        }
    }

    /// First word of each binding in its buffer; 0 of other resources.
    pub(crate) fn first_words(&self) -> Vec<u32> {
        let first = |slot: &Slot| match slot {
            Slot::Buffer { part, .. } => part.start as u32,
            _ => 0,
        };
        self.slots.iter().map(first).collect()
    }

    /// Contents of the storage buffers that the code only reads.
    pub(crate) fn read_storage<'m>(
        &'m self,
        memory: &'m Memory,
        code: &'m Code,
    ) -> impl Iterator<Item = Result<&'m [u32]>> {
        let bindings = code.bindings.iter().zip(&self.slots);
        bindings.filter_map(|(binding, slot)| match slot {
            Slot::Buffer { part, .. } if binding.kind == BindingKind::ReadStorage => {
                let words = memory.words(part.buffer);
                Some(words.map(|words| &words[part.start..part.end]))
            }
            _ => None,
        })
    }

    /// Takes what the code writes out of the memory.
    pub(crate) fn take(&self, memory: &mut Memory) -> Result<Written> {
        let mut taken = Written::default();
        for slot in &self.slots {
            if let Slot::Buffer {
                part,
                written: true,
            } = slot
            {
                let words = std::mem::take(memory.words_mut(part.buffer)?);
                taken.buffers.push((part.buffer, words));
            }
        }
        let mut textures = Vec::new();
        for &texture in &self.written {
            textures.push((texture, memory.texels_mut(texture)?.take()));
        }
        taken.textures = Mutex::new(textures);
        Ok(taken)
    }

    /// Accesses of the code's textures.
    pub(crate) fn images<'a>(
        &'a self,
        memory: &'a Memory,
        code: &'a Code,
        written: &'a WrittenTextures,
    ) -> Result<BoundTextures<'a>> {
        let images = code.images.iter().map(|image| {
            let view = self.view(image.texture);
            let view = view.ok_or_else(|| fault!("image {}: no texture", image.texture))?;
            Ok((view, image.sampler.and_then(|at| self.sampler(at))))
        });
        BoundTextures::new(memory, written, images)
    }

    /// View at a position.
    pub(crate) fn view(&self, position: u32) -> Option<&View> {
        match self.slots.get(position as usize) {
            Some(Slot::Texture(view)) => Some(view),
            _ => None,
        }
    }

    /// Sampler at a position.
    fn sampler(&self, position: u32) -> Option<&Sampler> {
        match self.slots.get(position as usize) {
            Some(Slot::Sampler(sampler)) => Some(sampler),
            _ => None,
        }
    }

    /// Resources of a run that writes nothing.
    pub(crate) fn reading<'a>(
        &self,
        memory: &'a Memory,
        code: &Code,
        textures: &'a dyn Textures,
    ) -> Result<Resources<'a>> {
        self.resources(memory, code, (&mut [], textures))
    }

    /// Resources of a run.
    pub(crate) fn resources<'a>(
        &self,
        memory: &'a Memory,
        code: &Code,
        (written, textures): (&'a mut [(BufferId, Vec<u32>)], &'a dyn Textures),
    ) -> Result<Resources<'a>> {
        let mut written: Vec<_> = written.iter_mut().map(Some).collect();
        let mut resources = Resources::new(code, textures);
        for (binding, slot) in code.bindings.iter().zip(&self.slots) {
            let Slot::Buffer {
                part,
                written: is_written,
            } = slot
            else {
                continue;
            };
            let buffer = if *is_written {
                let taken = written
                    .iter_mut()
                    .find(|taken| taken.as_ref().is_some_and(|(id, _)| *id == part.buffer));
                let words = taken.and_then(Option::take);
                let words = words.ok_or_else(|| fault!("buffer {}: in use", part.buffer.0))?;
                Buffer::Write(&mut words.1[part.start..part.end])
            } else {
                Buffer::Read(&memory.words(part.buffer)?[part.start..part.end])
            };
            resources = resources.with(code, (binding.group, binding.binding), buffer);
        }
        Ok(resources)
    }
}

impl Written {
    /// The buffers, and the textures.
    pub(crate) fn parts(&mut self) -> (&mut [(BufferId, Vec<u32>)], &WrittenTextures) {
        (&mut self.buffers, &self.textures)
    }

    /// Puts everything back.
    pub(crate) fn give_back(self, memory: &mut Memory) -> Result<()> {
        for (buffer, words) in self.buffers {
            *memory.words_mut(buffer)? = words;
        }
        let textures = self
            .textures
            .into_inner()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        for (id, texture) in textures {
            *memory.texels_mut(id)? = texture;
        }
        Ok(())
    }
}

fn slot(memory: &Memory, code: &BindingCode, groups: &[BindGroup]) -> Result<Slot> {
    let found = groups
        .get(code.group as usize)
        .and_then(|group| group.0.iter().find(|(binding, _)| *binding == code.binding));
    let Some((_, found)) = found else {
        return Err(fault!("nothing is bound"));
    };
    Ok(match (code.kind, found) {
        (BindingKind::Texture, Binding::Texture(view)) => {
            let view = View::new(memory, view)?;
            code.texture.map_or(Ok(()), |kind| view.check(&kind))?;
            Slot::Texture(view)
        }
        (BindingKind::Sampler, Binding::Sampler(sampler)) => {
            let [least, most] = [sampler.lod_min_clamp, sampler.lod_max_clamp];
            if !(0.0 <= least && least <= most) {
                return Err(fault!(
                    "levels {least} to {most}; expected from 0 on, the least first"
                ));
            }
            Slot::Sampler(sampler.clone())
        }
        (
            BindingKind::Uniform | BindingKind::Storage | BindingKind::ReadStorage,
            Binding::Buffer {
                buffer,
                offset,
                size,
            },
        ) => {
            let whole = 4 * memory.words(*buffer)?.len() as u64;
            let size = size.unwrap_or(whole.saturating_sub(*offset));
            let end = offset.checked_add(size).filter(|&end| end <= whole);
            let (Some(end), 0) = (end, offset % 4 + size % 4) else {
                return Err(fault!(
                    "{size} bytes of buffer {} from {offset} on; expected words within {whole}",
                    buffer.0
                ));
            };
            if size < 4 * u64::from(code.words) {
                return Err(fault!("{size} bytes; expected at least {}", 4 * code.words));
            }
            Slot::Buffer {
                part: Part {
                    buffer: *buffer,
                    start: *offset as usize / 4,
                    end: end as usize / 4,
                },
                written: code.kind == BindingKind::Storage,
            }
        }
        (kind, _) => return Err(fault!("a resource of another kind; expected {kind:?}")),
    })
}
