//! Attachments of a pass, checked: formats, sizes, samples, the size of a tile.

use azulejo_grid::TileGrid;
use wgpu_types::{Color, LoadOp, Operations, StoreOp};

use crate::error::{Result, fault};
use crate::memory::{Memory, TextureId};
use crate::pass::{ColorAttachment, DepthStencilAttachment, PassDraw, RenderPass};
use crate::texel::TexelFormat;
use crate::view::{TextureView, View};

/// Bytes of a tile's buffers, unless a device has others: 32 x 32 pixels of 32 bytes.
pub const TILE_BYTES: u32 = 32 << 10;

/// One plane of an attachment as memory sees it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Attachment {
    pub(crate) view: View,
    /// Plane of a format with both.
    pub(crate) is_stencil: bool,
    /// Bytes of a pixel, its samples included.
    pub(crate) bytes: u64,
    pub(crate) loads: bool,
    pub(crate) stores: bool,
}

/// A colour attachment.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ColorTarget {
    pub(crate) view: View,
    pub(crate) ops: Operations<Color>,
    pub(crate) resolve: Option<View>,
}

impl ColorTarget {
    pub(crate) fn stores(&self) -> bool {
        self.ops.store == StoreOp::Store
    }
}

/// The attachment of depth and stencil.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DepthTarget {
    pub(crate) view: View,
    pub(crate) depth: Option<Operations<f32>>,
    pub(crate) stencil: Option<Operations<u32>>,
}

impl DepthTarget {
    /// Whether depth and stencil are kept; what is only read is.
    pub(crate) fn stores(&self) -> [bool; 2] {
        [
            self.depth.is_none_or(|ops| ops.store == StoreOp::Store),
            self.stencil.is_none_or(|ops| ops.store == StoreOp::Store),
        ]
    }
}

impl ColorTarget {
    fn new(memory: &Memory, attachment: &ColorAttachment) -> Result<Self> {
        let view = single(memory, &attachment.view)?;
        if view.format.depth_stencil() != [false; 2] {
            return Err(fault!("{:?}; expected a colour format", view.format.name));
        }
        let resolve = attachment.resolve.as_ref();
        let resolve = resolve.map(|resolve| single(memory, resolve)).transpose()?;
        if let Some(resolve) = &resolve {
            check_resolve(&view, resolve)?;
        }
        Ok(Self {
            view,
            ops: attachment.ops,
            resolve,
        })
    }
}

impl DepthTarget {
    fn new(memory: &Memory, attachment: &DepthStencilAttachment) -> Result<Self> {
        let view = single(memory, &attachment.view)?;
        if view.format.depth_stencil() == [false; 2] {
            return Err(fault!(
                "{:?}; expected a format of depth or stencil",
                view.format.name
            ));
        }
        Ok(Self {
            view,
            depth: attachment.depth,
            stencil: attachment.stencil,
        })
    }
}

/// Attachments of a pass.
#[derive(Debug, Clone)]
pub(crate) struct Targets {
    pub(crate) colors: Vec<Option<ColorTarget>>,
    pub(crate) depth_stencil: Option<DepthTarget>,
    pub(crate) samples: u32,
    pub(crate) grid: TileGrid,
}

impl Targets {
    pub(crate) fn new(memory: &Memory, pass: &RenderPass<'_>, tile_bytes: u32) -> Result<Self> {
        let mut colors = Vec::new();
        for (location, attachment) in pass.colors.iter().enumerate() {
            let target = attachment.as_ref();
            let target = target.map(|attachment| ColorTarget::new(memory, attachment));
            let place =
                |error: crate::PassError| error.within(format!("colour attachment {location}"));
            colors.push(target.transpose().map_err(place)?);
        }
        let depth_stencil = pass.depth_stencil.as_ref();
        let depth_stencil = depth_stencil.map(|attachment| DepthTarget::new(memory, attachment));
        let place = |error: crate::PassError| error.within("depth attachment");
        let depth_stencil = depth_stencil.transpose().map_err(place)?;
        let views = colors.iter().flatten().map(|target| target.view);
        let views: Vec<View> = views
            .chain(depth_stencil.map(|target| target.view))
            .collect();
        let Some(first) = views.first() else {
            return Err(fault!("no attachment; expected one"));
        };
        for view in &views {
            if (view.size, view.samples) != (first.size, first.samples) {
                return Err(fault!(
                    "attachments of {:?} and {:?} texels, {} and {} samples; expected the same",
                    first.size,
                    view.size,
                    first.samples,
                    view.samples
                ));
            }
        }
        let written = (colors.iter().flatten())
            .flat_map(|target| [Some(target.view), target.resolve])
            .chain([depth_stencil.map(|target| target.view)]);
        check_once(written.flatten())?;
        let [width, height, _] = first.size;
        let pixel = pixel_bytes(views.iter().copied());
        Ok(Self {
            samples: first.samples,
            grid: TileGrid {
                width,
                height,
                tile_size: tile_size(pixel, tile_bytes)?,
            },
            colors,
            depth_stencil,
        })
    }

    /// Attachments as memory sees them: of each colour first what it is resolved into; depth and stencil each by itself.
    pub(crate) fn attachments(&self) -> Vec<Attachment> {
        let samples = u64::from(self.samples);
        let mut found = Vec::new();
        for target in self.colors.iter().flatten() {
            let bytes = target.view.format.bytes() as u64;
            found.extend(target.resolve.map(|view| Attachment {
                view,
                is_stencil: false,
                bytes,
                loads: false,
                stores: true,
            }));
            found.push(Attachment {
                view: target.view,
                is_stencil: false,
                bytes: samples * bytes,
                loads: !matches!(target.ops.load, LoadOp::Clear(_)),
                stores: target.stores(),
            });
        }
        let Some(target) = &self.depth_stencil else {
            return found;
        };
        let [has_depth, has_stencil] = target.view.format.depth_stencil();
        let attachment = |is_stencil, [loads, stores]: [bool; 2]| Attachment {
            view: target.view,
            is_stencil,
            bytes: samples * target.view.format.plane_bytes(is_stencil) as u64,
            loads,
            stores,
        };
        // A plane that is only read stays in memory as it is.
        if has_depth {
            let [loads, stores] = [loads(target.depth.as_ref()), target.depth.is_some()];
            found.push(attachment(false, [loads, stores && target.stores()[0]]));
        }
        if has_stencil {
            let [loads, stores] = [loads(target.stencil.as_ref()), target.stencil.is_some()];
            found.push(attachment(true, [loads, stores && target.stores()[1]]));
        }
        found
    }

    /// Bytes of a pixel in a tile's buffers.
    pub(crate) fn pixel_bytes(&self) -> u32 {
        let colors = self.colors.iter().flatten().map(|target| target.view);
        let views = colors.chain(self.depth_stencil.map(|target| target.view));
        pixel_bytes(views)
    }

    /// Views that are written when a tile is done, with whether its samples are.
    pub(crate) fn stores(&self) -> Vec<View> {
        let mut views = Vec::new();
        for target in self.colors.iter().flatten() {
            views.push(target.view);
            views.extend(target.resolve);
        }
        views.extend(self.depth_stencil.map(|target| target.view));
        views
    }

    /// Checks that a draw's pipeline is for these attachments, and reads none of them.
    pub(crate) fn check(&self, draw: &PassDraw<'_>, textures: &[TextureId]) -> Result<()> {
        let pipeline = draw.pipeline;
        let names = |formats: Vec<Option<TexelFormat>>| -> Vec<_> {
            formats
                .iter()
                .map(|format| format.map(|format| format.name))
                .collect()
        };
        let ours = self
            .colors
            .iter()
            .map(|target| target.map(|target| target.view.format));
        let (ours, expected) = (names(ours.collect()), names(pipeline.formats.clone()));
        if ours != expected {
            return Err(fault!(
                "a pipeline for targets {expected:?}; expected {ours:?}"
            ));
        }
        if pipeline.samples() != self.samples {
            return Err(fault!(
                "a pipeline of {} samples; expected {}",
                pipeline.samples(),
                self.samples
            ));
        }
        self.check_depth(draw)?;
        let written = self.stores();
        if let Some(texture) = textures
            .iter()
            .find(|texture| written.iter().any(|view| view.texture == **texture))
        {
            return Err(fault!(
                "texture {}: bound, and an attachment; expected one of both",
                texture.0
            ));
        }
        if let Some([x, y, width, height]) = draw.scissor {
            let TileGrid {
                width: columns,
                height: rows,
                ..
            } = self.grid;
            if width > columns || x > columns - width || height > rows || y > rows - height {
                return Err(fault!(
                    "scissor {x}, {y}, {width} x {height}; expected within {columns} x {rows}"
                ));
            }
        }
        Ok(())
    }

    fn check_depth(&self, draw: &PassDraw<'_>) -> Result<()> {
        let state = draw.pipeline.spec.depth_stencil.as_ref();
        let ours = self.depth_stencil.map(|target| target.view.format.name);
        let expected = state.map(|state| state.format);
        if ours != expected {
            return Err(fault!(
                "a pipeline for depth {expected:?}; expected {ours:?}"
            ));
        }
        let (Some(state), Some(target)) = (state, &self.depth_stencil) else {
            return Ok(());
        };
        let cull = draw.pipeline.spec.primitive.cull_mode;
        if (target.depth.is_none() && !state.is_depth_read_only())
            || (target.stencil.is_none() && !state.is_stencil_read_only(cull))
        {
            return Err(fault!(
                "a pipeline that writes depth or stencil which the pass only reads"
            ));
        }
        Ok(())
    }
}

/// Checks that no two attachments are one level and layer of a texture.
fn check_once(views: impl Iterator<Item = View>) -> Result<()> {
    let mut known = Vec::new();
    for view in views {
        let place = (view.texture, view.first_mip, view.first_layer);
        if known.contains(&place) {
            return Err(fault!(
                "texture {}, level {}, layer {}: two attachments; expected one",
                view.texture.0,
                view.first_mip,
                view.first_layer
            ));
        }
        known.push(place);
    }
    Ok(())
}

/// View of one level and layer.
fn single(memory: &Memory, view: &TextureView) -> Result<View> {
    let view = View::new(memory, view)?;
    if view.mips != 1 || view.layers != 1 || view.size[2] != 1 {
        return Err(fault!(
            "{} levels, {} layers, {} slices; expected one of each",
            view.mips,
            view.layers,
            view.size[2]
        ));
    }
    Ok(view)
}

fn check_resolve(view: &View, resolve: &View) -> Result<()> {
    if view.samples == 1
        || resolve.samples != 1
        || view.size != resolve.size
        || view.format.name != resolve.format.name
    {
        return Err(fault!(
            "resolved from {} samples of {:?} into {} of {:?}; expected from 4 into 1 of one size and format",
            view.samples,
            view.format.name,
            resolve.samples,
            resolve.format.name
        ));
    }
    match view.format.is_integer() {
        true => Err(fault!("a mean of integers; expected floats or fixed point")),
        false => Ok(()),
    }
}

fn pixel_bytes(views: impl Iterator<Item = View>) -> u32 {
    let bytes = |view: View| view.format.bytes() as u32 * view.samples;
    views.map(bytes).sum()
}

/// Whether tiles begin with what memory holds.
fn loads<V>(ops: Option<&Operations<V>>) -> bool {
    ops.is_none_or(|ops| !matches!(ops.load, LoadOp::Clear(_)))
}

/// Edge of the largest tile whose pixels fit.
fn tile_size(pixel_bytes: u32, tile_bytes: u32) -> Result<u32> {
    let fits = |edge: &u32| edge * edge * pixel_bytes <= tile_bytes;
    [32, 16, 8].into_iter().find(fits).ok_or_else(|| {
        fault!(
            "{pixel_bytes} bytes a pixel, samples included; expected at most {}",
            tile_bytes / 64
        )
    })
}
