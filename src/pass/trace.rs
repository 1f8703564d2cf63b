//! Passes as traces: what the hardware model executes of them.

use azulejo_grid::Binning;
use azulejo_simd::Backend;
use azulejo_trace::{FrameTrace, PathInterner, TargetInfo, TargetTexture};

use crate::attach::{Attachment, Targets};
use crate::compute::trace_compute;
use crate::error::{Result, fault};
use crate::memory::{Memory, TextureId};
use crate::moves::trace_copy;
use crate::pass::{Pass, RenderPass};
use crate::prepare::bin;
use crate::submit::{Submission, traced_pipelines};
use crate::tiles::TilePass;
use crate::vertex::sample_count;

/// Passes of a frame that is traced.
#[derive(Debug)]
pub(crate) struct Frame<'p> {
    passes: &'p [Pass<'p>],
    number: u64,
    /// Picture that the last pass alone draws and none samples: the frame buffer.
    shown: Option<TextureId>,
}

impl<'p> Frame<'p> {
    pub(crate) fn new(passes: &'p [Pass<'p>], number: u64) -> Result<Self> {
        let Some((Pass::Render(last), before)) = passes.split_last() else {
            let found = passes.len();
            return Err(fault!(
                "{found} passes, of which the last does not draw; expected one that shows a picture"
            ));
        };
        let is_used = |texture| {
            let draws = |pass: &RenderPass<'_>| pass.draws.iter().any(|draw| draw.binds(texture));
            let uses = |pass: &Pass<'_>| match pass {
                Pass::Render(pass) => {
                    let mut colors = pass.colors.iter().flatten();
                    draws(pass) || colors.any(|color| color.is_in(texture))
                }
                Pass::Compute(dispatches) => dispatches.iter().any(|one| one.binds(texture)),
                Pass::Copy(copy) => copy.textures().contains(&Some(texture)),
            };
            draws(last) || before.iter().any(uses)
        };
        Ok(Self {
            shown: kept_color(last).filter(|texture| !is_used(*texture)),
            passes,
            number,
        })
    }
}

/// Texture that holds the first colours that a pass keeps.
fn kept_color(pass: &RenderPass<'_>) -> Option<TextureId> {
    let mut colors = pass.colors.iter().flatten();
    colors.find_map(|color| match color.resolve {
        Some(view) => Some(view.texture),
        None => (color.ops.store == wgpu_types::StoreOp::Store).then_some(color.view.texture),
    })
}

/// Runs a pass and returns its facts.
pub(crate) fn trace_pass(
    memory: &mut Memory,
    (frame, number): (&Frame<'_>, usize),
    (backend, tile_bytes): (Backend, u32),
) -> Result<FrameTrace> {
    let pass = match &frame.passes[number] {
        Pass::Render(pass) => pass,
        Pass::Compute(dispatches) => {
            return trace_compute(memory, (dispatches, frame.number), backend);
        }
        Pass::Copy(copy) => return trace_copy(memory, copy, frame.number),
    };
    let targets = Targets::new(memory, pass, tile_bytes)?;
    let pipelines = traced_pipelines(pass)?;
    let binned = bin(memory, pass, (&targets, backend), &Some(pipelines.clone()))?;
    let mut paths = PathInterner::default();
    let mut submission = Submission::new(memory, frame.number);
    for (draw, pipeline) in pipelines.into_iter().enumerate() {
        submission.add(&binned, (draw, pipeline), &mut paths)?;
    }
    let infos = targets.attachments();
    let infos = infos.iter().map(|attachment| {
        let is_shown = frame.shown == Some(attachment.view.texture);
        target(
            &mut submission,
            attachment,
            is_shown && number + 1 == frame.passes.len(),
        )
    });
    let infos = infos.collect::<Result<_>>()?;
    let (resources, traced) = submission.finish();
    let tiles = TilePass {
        backend,
        binned: &binned,
        targets: &targets,
        traced: Some(&traced),
    };
    let mut of_tiles = Vec::new();
    tiles.draw_all(memory, |facts, color_crc| {
        of_tiles.extend(facts.map(|facts| facts.finish(color_crc, &mut paths)));
    })?;
    Ok(FrameTrace {
        name: pass.label.clone(),
        frame: frame.number,
        grid: targets.grid,
        binning: Binning::Exact,
        samples: sample_count(targets.samples),
        pixel_bytes: targets.pixel_bytes(),
        targets: infos,
        textures: resources.textures,
        buffers: resources.buffers,
        programs: resources.programs,
        paths: paths.finish(),
        draws: resources.draws,
        tiles: of_tiles,
        dispatches: Vec::new(),
        before: Vec::new(),
    })
}

/// An attachment as a trace has it; one that is shown lies in no texture.
fn target(
    submission: &mut Submission<'_>,
    attachment: &Attachment,
    is_shown: bool,
) -> Result<TargetInfo> {
    let Attachment {
        view, is_stencil, ..
    } = *attachment;
    let texture = match is_shown {
        true => None,
        false => {
            let (texture, blocks) = submission.texture(view.texture, is_stencil)?;
            Some(TargetTexture {
                texture,
                first_block: blocks.of(view.first_mip, view.place([0; 3])),
            })
        }
    };
    Ok(TargetInfo {
        bytes_per_pixel: attachment.bytes as u32,
        load: attachment.loads,
        store: attachment.stores,
        texture,
    })
}
