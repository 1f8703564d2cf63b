//! Textures as programs access them: samples, loads, stores, sizes.

use std::cell::RefCell;
use std::sync::{Mutex, MutexGuard, PoisonError};

use azulejo_shader::{ImageAccess, LANES_OF_BATCH, SampleRequest, Texels as LaneTexels, Textures};

use crate::blocks::{ImageNotes, TexelNotes};
use crate::error::Result;
use crate::lines::LineNotes;
use crate::memory::{Memory, Texture, TextureId};
use crate::sample::{Image, Sampler, Sampling, faces};
use crate::view::View;

/// Textures that a code writes, while it runs.
pub(crate) type WrittenTextures = Mutex<Vec<(TextureId, Texture)>>;

/// A code's textures with their samplers, by image of the code.
#[derive(Debug)]
pub(crate) struct BoundTextures<'a> {
    images: Vec<Image<'a>>,
    written: &'a WrittenTextures,
    lines: Option<&'a LineNotes>,
}

impl<'a> BoundTextures<'a> {
    /// Textures of `images`, each a view with its sampler.
    pub(crate) fn new(
        memory: &'a Memory,
        written: &'a WrittenTextures,
        images: impl Iterator<Item = Result<(&'a View, Option<&'a Sampler>)>>,
    ) -> Result<Self> {
        let taken = lock(written);
        let images = images.map(|image| {
            let (view, sampler) = image?;
            let is_taken = taken.iter().any(|(id, _)| *id == view.texture);
            let texture = (!is_taken).then(|| memory.texels(view.texture));
            Ok(Image {
                view,
                texture: texture.transpose()?,
                sampler,
                notes: None,
            })
        });
        let images = images.collect::<Result<_>>()?;
        drop(taken);
        Ok(Self {
            images,
            written,
            lines: None,
        })
    }

    /// Notes the texels that are read of them, and lines of those that are written.
    pub(crate) fn noted(
        mut self,
        notes: &'a RefCell<TexelNotes>,
        lines: Option<&'a LineNotes>,
    ) -> Self {
        self.lines = lines;
        let taken = lock(self.written);
        for image in &mut self.images {
            let found = taken.iter().find(|(id, _)| *id == image.view.texture);
            let texture = image.texture.or(found.map(|(_, texture)| texture));
            image.notes = texture.map(|texture| ImageNotes {
                notes,
                blocks: image.view.blocks(&texture.spec),
            });
        }
        drop(taken);
        self
    }
}

fn lock(written: &WrittenTextures) -> MutexGuard<'_, Vec<(TextureId, Texture)>> {
    written.lock().unwrap_or_else(PoisonError::into_inner)
}

impl BoundTextures<'_> {
    /// Notes the lines that a store touches.
    fn note_store(&self, image: &Image<'_>, request: &SampleRequest<'_>) {
        let (Some(lines), Some(notes)) = (self.lines, &image.notes) else {
            return;
        };
        let view = image.view;
        lines.execute(request.batch, (request.lanes, request.alive), |lane| {
            let place = place(view, request, lane, 0);
            place.map(|place| notes.blocks.of(view.first_mip, view.place(place)))
        });
    }
}

impl Textures for BoundTextures<'_> {
    fn access(&self, request: &SampleRequest<'_>, texels: &mut LaneTexels) {
        let image = &self.images[request.image as usize];
        let Some(texture) = image.texture else {
            let mut taken = lock(self.written);
            let found = taken.iter_mut().find(|(id, _)| *id == image.view.texture);
            if let Some((_, texture)) = found {
                if request.access == ImageAccess::Store {
                    self.note_store(image, request);
                    store(image.view, texture, request);
                } else {
                    read(image, texture, request, texels);
                }
            }
            return;
        };
        read(image, texture, request, texels);
    }
}

/// Lanes that ask.
fn lanes(bits: u64) -> impl Iterator<Item = usize> {
    (0..LANES_OF_BATCH).filter(move |lane| bits >> lane & 1 == 1)
}

fn store(view: &View, texture: &mut Texture, request: &SampleRequest<'_>) {
    // Helpers leave nothing behind.
    for lane in lanes(request.lanes & request.alive) {
        if let Some(place) = place(view, request, lane, 0) {
            let number = |k: usize| request.value.get(k).map_or(0, |row| row[lane]);
            view.put(texture, 0, place, [0, 1, 2, 3].map(number));
        }
    }
}

/// Texel that a load or store names; `None` outside of the view.
fn place(view: &View, request: &SampleRequest<'_>, lane: usize, mip: u32) -> Option<[u32; 3]> {
    let mut place = [0; 3];
    for (place, row) in place.iter_mut().zip(request.coordinates) {
        *place = row[lane];
    }
    if let Some(layer) = request.layer {
        place[2] = layer[lane];
    }
    let [width, height, depth] = view.level(mip);
    let inside = place[0] < width && place[1] < height && place[2] < depth.max(view.layers);
    inside.then_some(place)
}

fn read(
    image: &Image<'_>,
    texture: &Texture,
    request: &SampleRequest<'_>,
    texels: &mut LaneTexels,
) {
    let view = image.view;
    if let Some(notes) = &image.notes {
        notes.execute(request);
    }
    for lane in lanes(request.lanes) {
        if let Some(notes) = &image.notes {
            notes.lane(request, lane);
        }
        let level = request.level.map_or(0, |row| row[lane]);
        let texel = match request.access {
            ImageAccess::Size => {
                let [width, height, depth] = view.level(level.min(view.mips - 1));
                [width, height, depth, 0]
            }
            ImageAccess::Levels => [view.mips, 0, 0, 0],
            ImageAccess::Layers => [view.layers / faces(view), 0, 0, 0],
            ImageAccess::Samples => [view.samples, 0, 0, 0],
            ImageAccess::Load if view.samples > 1 => place(view, request, lane, 0)
                .filter(|_| level < view.samples)
                .map_or([0; 4], |place| image.texel(texture, 0, place, level)),
            ImageAccess::Load => Some(level)
                .filter(|&level| level < view.mips)
                .and_then(|level| place(view, request, lane, level))
                .map_or([0; 4], |place| image.texel(texture, level, place, 0)),
            _ => match image.sampler {
                Some(sampler) => Sampling {
                    image,
                    view,
                    texture,
                    sampler,
                    request,
                }
                .lane(lane),
                None => [0; 4],
            },
        };
        for (row, number) in texels.iter_mut().zip(texel) {
            row[lane] = number;
        }
    }
}
