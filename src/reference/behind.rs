//! Background of surfaces that let light through: a picture of radiance with smaller levels, the passes that fill the
//! levels, and how the scene shader binds it.

use super::ReferenceError;
use super::adapter::Gpu;
use super::frame_kind::RADIANCE_FORMAT;
use super::layouts::{Layouts, bind};
use super::pass::{Target, begin_pass, extent};

/// The picture with all that it takes to fill and to look at it.
#[derive(Debug)]
pub(super) struct BehindTarget {
    /// Level 0, which the pass before draws to.
    pub(super) first: wgpu::TextureView,
    /// Smaller levels: each with the level before as its source.
    smaller: Vec<(wgpu::TextureView, wgpu::BindGroup)>,
    halve: wgpu::RenderPipeline,
    /// All levels for the scene shader.
    pub(super) group: wgpu::BindGroup,
}

impl BehindTarget {
    /// Creates targets for pictures of `width` x `height`, whose levels `halve` makes.
    pub(super) fn new(
        gpu: &Gpu,
        layouts: &Layouts,
        halve: wgpu::RenderPipeline,
        width: u32,
        height: u32,
    ) -> Result<Self, ReferenceError> {
        super::texture::check_edge(gpu, "the picture's edge in pixels", width.max(height))?;
        let levels = width.max(height).max(1).ilog2() + 1;
        let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
            label: None,
            size: extent(width, height),
            mip_level_count: levels,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: RADIANCE_FORMAT,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING,
            view_formats: &[],
        });
        let level = |base_mip_level| {
            texture.create_view(&wgpu::TextureViewDescriptor {
                base_mip_level,
                mip_level_count: Some(1),
                ..Default::default()
            })
        };
        let smaller = (1..levels).map(|at| {
            let above = level(at - 1);
            let source = vec![wgpu::BindingResource::TextureView(&above)];
            (level(at), bind(gpu, &layouts.radiance, source))
        });
        let sampler = gpu.device.create_sampler(&wgpu::SamplerDescriptor {
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            mipmap_filter: wgpu::MipmapFilterMode::Linear,
            ..Default::default()
        });
        let all = texture.create_view(&wgpu::TextureViewDescriptor::default());
        let resources = vec![
            wgpu::BindingResource::TextureView(&all),
            wgpu::BindingResource::Sampler(&sampler),
        ];
        Ok(Self {
            first: level(0),
            smaller: smaller.collect(),
            halve,
            group: bind(gpu, &layouts.behind, resources),
        })
    }

    /// Records the passes that make the smaller levels of the first.
    pub(super) fn encode_levels(&self, encoder: &mut wgpu::CommandEncoder) {
        for (level, above) in &self.smaller {
            let mut pass = begin_pass(encoder, Target::of(level), wgpu::Color::BLACK, None);
            pass.set_pipeline(&self.halve);
            pass.set_bind_group(0, above, &[]);
            pass.draw(0..3, 0..1);
        }
    }
}
