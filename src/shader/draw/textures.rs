//! Textures of a draw, sampled as the renderer's own programs do.

use std::cell::RefCell;

use azulejo_render::shading::CodeQuads;
use azulejo_render::shading::texture::{BoundTexture, Lookup, LookupRow, TexelNotes};
use azulejo_simd::{Backend, LANES};

use super::super::code::{BindingKind, Code, ImageAccess, TextureKind};
use super::super::operation::Op;
use super::super::run::{LANES_OF_BATCH, SampleRequest, Texels, Textures};

/// Quads of a block of sixteen lanes.
const QUADS: usize = LANES / 4;

/// A sentence on the first resource or access of a code that draws have not.
pub(super) fn check(code: &Code) -> Result<(), String> {
    for binding in &code.bindings {
        let name = &binding.name;
        match binding.kind {
            BindingKind::Texture if binding.texture != Some(TextureKind::PLAIN) => {
                return Err(format!(
                    "`{name}`: a texture of another kind; expected texture_2d<f32>"
                ));
            }
            BindingKind::Storage => {
                return Err(format!(
                    "`{name}`: a buffer to be written; expected one to be read"
                ));
            }
            _ => {}
        }
    }
    for instruction in code.instructions.iter().chain(&code.prologue) {
        let Op::Image(image) = instruction.op else {
            continue;
        };
        let image = &code.images[image as usize];
        let line = instruction.line;
        let is_known = !matches!(
            image.access,
            ImageAccess::Gather(_)
                | ImageAccess::Store
                | ImageAccess::Layers
                | ImageAccess::Samples
        );
        if !is_known || image.offset != [0; 3] || image.clamp_to_edge {
            return Err(format!(
                "line {line}: this access of a texture; expected textureSample, its forms with bias, level or derivatives, \
                 textureLoad, textureDimensions, textureNumLevels, without offsets"
            ));
        }
    }
    Ok(())
}

/// Textures with the instruction set that samples them.
#[derive(Debug)]
pub(super) struct DrawTextures<'a> {
    backend: Backend,
    /// By image of the code.
    images: &'a [BoundTexture<'a>],
    notes: Option<(&'a [Option<usize>], RefCell<&'a mut CodeQuads>)>,
}

impl<'a> DrawTextures<'a> {
    pub(super) const fn new(backend: Backend, images: &'a [BoundTexture<'a>]) -> Self {
        Self {
            backend,
            images,
            notes: None,
        }
    }

    /// Lets quads note what they fetch, under these numbers of images.
    pub(super) const fn note(&mut self, numbers: &'a [Option<usize>], quads: &'a mut CodeQuads) {
        self.notes = Some((numbers, RefCell::new(quads)));
    }

    /// The quads that noted.
    pub(super) fn noted(self) -> Option<&'a mut CodeQuads> {
        self.notes.map(|(_, quads)| quads.into_inner())
    }

    /// Notes an execution by each quad of a block that asks, with its texels if it has fetched some.
    fn note_block(&self, request: &SampleRequest<'_>, block: usize, texels: &TexelNotes) {
        let Some((numbers, quads)) = &self.notes else {
            return;
        };
        let Some(number) = numbers[request.image as usize] else {
            return;
        };
        let mut quads = quads.borrow_mut();
        for (quad, taps) in (QUADS * block..).zip(texels) {
            let lanes = |bits: u64| (bits >> (4 * quad)) as u32 & 0xf;
            if lanes(request.lanes) == 0 {
                continue;
            }
            // Lanes that are helpers or take another way read nothing: they have a neighbour's texel.
            let reads = lanes(request.lanes & request.alive);
            let first = reads.trailing_zeros() as usize;
            let own = |texels: &[u32; 4]| {
                std::array::from_fn(|lane| {
                    texels[if reads >> lane & 1 == 1 { lane } else { first }]
                })
            };
            let taps = taps.iter().filter(|_| reads != 0).map(own);
            quads[quad].texels.push(number, taps);
        }
    }

    /// Samples sixteen lanes.
    fn sample(&self, request: &SampleRequest<'_>, block: usize, texels: &mut Texels) {
        let lanes = (request.lanes >> (block * LANES)) as u32 & 0xffff;
        if lanes == 0 {
            return;
        }
        let texture = &self.images[request.image as usize];
        let lookup = lookup(request, block);
        let mut colors = [[0.0; LANES]; 4];
        texture.sample(self.backend, &lookup, &mut colors);
        for (row, color) in texels.iter_mut().zip(colors) {
            row[block * LANES..][..LANES].copy_from_slice(&color.map(f32::to_bits));
        }
        if self.notes.is_some() {
            let fetched = texture.fetched((self.backend, lanes), &lookup);
            self.note_block(request, block, &fetched);
        }
    }
}

impl Textures for DrawTextures<'_> {
    fn access(&self, request: &SampleRequest<'_>, texels: &mut Texels) {
        let levels = self.images[request.image as usize]
            .image()
            .levels
            .as_slice();
        match request.access {
            ImageAccess::Size => {
                for lane in 0..LANES_OF_BATCH {
                    let level = request.level.map_or(0, |levels| levels[lane]) as usize;
                    if let Some(level) = levels.get(level).or(levels.last()) {
                        (texels[0][lane], texels[1][lane]) = (level.width, level.height);
                    }
                }
            }
            ImageAccess::Levels => texels[0] = [levels.len() as u32; LANES_OF_BATCH],
            _ => {
                for block in 0..LANES_OF_BATCH / LANES {
                    self.sample(request, block, texels);
                }
                return;
            }
        }
        for block in 0..LANES_OF_BATCH / LANES {
            self.note_block(request, block, &TexelNotes::default());
        }
    }
}

/// Coordinates and level of a block.
fn lookup(request: &SampleRequest<'_>, block: usize) -> Lookup {
    let whole = |row: &[u32; LANES_OF_BATCH]| -> [i32; LANES] {
        std::array::from_fn(|lane| row[block * LANES + lane].cast_signed())
    };
    let row = |row: &[u32; LANES_OF_BATCH]| -> LookupRow {
        whole(row).map(|bits| f32::from_bits(bits.cast_unsigned()))
    };
    let zero = [0; LANES_OF_BATCH];
    let level = request.level.unwrap_or(&zero);
    let [x, y] = [request.coordinates[0], request.coordinates[1]];
    if request.access == ImageAccess::Load {
        return Lookup::Texel([whole(x), whole(y), whole(level)]);
    }
    let at = [row(x), row(y)];
    match request.access {
        ImageAccess::SampleBias => Lookup::Bias(at, row(level)),
        ImageAccess::SampleLevel => Lookup::Level(at, row(level)),
        ImageAccess::SampleGradient => {
            let along = |k: usize| [row(request.gradients[k]), row(request.gradients[k + 1])];
            Lookup::Gradients(at, [along(0), along(2)])
        }
        _ => Lookup::Sample(at),
    }
}
