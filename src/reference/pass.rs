//! A picture's views in, a pass over them out.

/// Colour target of a pass.
#[derive(Clone, Copy)]
pub(super) struct Target<'a> {
    pub(super) view: &'a wgpu::TextureView,
    /// Target of the mean of its samples, which are not kept themselves.
    pub(super) resolved: Option<&'a wgpu::TextureView>,
}

impl<'a> Target<'a> {
    /// Target with one sample a pixel.
    pub(super) const fn of(view: &'a wgpu::TextureView) -> Self {
        Self {
            view,
            resolved: None,
        }
    }
}

/// A pass that clears `target`, and `depth` to the far plane; depth is not kept.
pub(super) fn begin_pass<'e>(
    encoder: &'e mut wgpu::CommandEncoder,
    target: Target<'_>,
    clear: wgpu::Color,
    depth: Option<&wgpu::TextureView>,
) -> wgpu::RenderPass<'e> {
    encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        color_attachments: &[Some(wgpu::RenderPassColorAttachment {
            view: target.view,
            depth_slice: None,
            resolve_target: target.resolved,
            ops: wgpu::Operations {
                load: wgpu::LoadOp::Clear(clear),
                store: match target.resolved {
                    Some(_) => wgpu::StoreOp::Discard,
                    None => wgpu::StoreOp::Store,
                },
            },
        })],
        depth_stencil_attachment: depth.map(|view| wgpu::RenderPassDepthStencilAttachment {
            view,
            depth_ops: Some(wgpu::Operations {
                load: wgpu::LoadOp::Clear(1.0),
                store: wgpu::StoreOp::Discard,
            }),
            stencil_ops: None,
        }),
        ..Default::default()
    })
}

/// The size of a picture, as textures and copies take it.
pub(super) fn extent(width: u32, height: u32) -> wgpu::Extent3d {
    wgpu::Extent3d {
        width,
        height,
        depth_or_array_layers: 1,
    }
}
