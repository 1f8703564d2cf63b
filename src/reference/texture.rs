//! Images, samplers and the environment in, textures that the driver can sample out: the same texels in the same mip
//! levels as azulejo samples, unfolded from its block layout to rows.

use super::adapter::{Gpu, WIDE_TEXELS};
use super::{Quality, ReferenceError};
use azulejo_scene::{Encoding, Environment, Filter, Sampler, TextureImage, Wrap};

/// A texture with levels of the sizes `edges`, each filled from `texels`: 32-bit words, one or two a texel as `format` has
/// it.
fn upload_levels(
    gpu: &Gpu,
    format: wgpu::TextureFormat,
    edges: &[(u32, u32)],
    mut texels: impl FnMut(usize) -> Vec<u32>,
) -> Result<wgpu::TextureView, ReferenceError> {
    let (width, height) = edges.first().copied().unwrap_or((1, 1));
    check_edge(gpu, "a texture's edge in texels", width.max(height))?;
    let extent = |(width, height)| wgpu::Extent3d {
        width,
        height,
        depth_or_array_layers: 1,
    };
    let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: None,
        size: extent((width, height)),
        mip_level_count: edges.len().max(1) as u32,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    });
    for (level, &edge) in edges.iter().enumerate() {
        let texels = texels(level);
        gpu.queue.write_texture(
            wgpu::TexelCopyTextureInfo {
                mip_level: level as u32,
                ..texture.as_image_copy()
            },
            bytemuck::cast_slice(&texels),
            wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: format.block_copy_size(None).map(|texel| edge.0 * texel),
                rows_per_image: None,
            },
            extent(edge),
        );
    }
    Ok(texture.create_view(&wgpu::TextureViewDescriptor::default()))
}

/// Refuses what the driver cannot hold in a two-dimensional texture.
pub(super) fn check_edge(gpu: &Gpu, what: &'static str, edge: u32) -> Result<(), ReferenceError> {
    let limit = gpu.device.limits().max_texture_dimension_2d;
    if edge > limit {
        return Err(ReferenceError::TooLarge {
            what,
            needed: edge.into(),
            limit: limit.into(),
        });
    }
    Ok(())
}

/// The image's texels; for exact pictures linear ones are widened where the driver can: llvmpipe filters eight-bit linear
/// textures with eight-bit weights, which is too coarse for normal maps.
pub(super) fn upload_image(
    gpu: &Gpu,
    image: &TextureImage,
    quality: Quality,
) -> Result<wgpu::TextureView, ReferenceError> {
    let edges: Vec<(u32, u32)> = image.levels.iter().map(|l| (l.width, l.height)).collect();
    let widens = quality == Quality::Exact && gpu.device.features().contains(WIDE_TEXELS);
    match image.encoding {
        Encoding::Linear if widens => {
            let format = wgpu::TextureFormat::Rgba16Unorm;
            upload_levels(gpu, format, &edges, |level| widened(&rows(image, level)))
        }
        Encoding::Linear => {
            let format = wgpu::TextureFormat::Rgba8Unorm;
            upload_levels(gpu, format, &edges, |level| rows(image, level))
        }
        Encoding::Srgb => {
            let format = wgpu::TextureFormat::Rgba8UnormSrgb;
            upload_levels(gpu, format, &edges, |level| rows(image, level))
        }
    }
}

/// Widens colours to sixteen bits a channel, their values kept: v / 255 = 257 v / 65535.
fn widened(texels: &[u32]) -> Vec<u32> {
    let doubled = |channel: u32| (channel & 0xff) * 0x101;
    let words = |&texel: &u32| {
        let [r, g, b, a] = [0, 8, 16, 24].map(|shift| doubled(texel >> shift));
        [r | g << 16, b | a << 16]
    };
    texels.iter().flat_map(words).collect()
}

/// Texels of one level row by row.
fn rows(image: &TextureImage, level: usize) -> Vec<u32> {
    let layout = &image.levels[level];
    let texel = |x, y| image.texels()[layout.texel_index(x, y)];
    (0..layout.height)
        .flat_map(|y| (0..layout.width).map(move |x| texel(x, y)))
        .collect()
}

/// The environment's radiance; a black texel where there is none.
pub(super) fn upload_environment(
    gpu: &Gpu,
    environment: Option<&Environment>,
) -> Result<wgpu::TextureView, ReferenceError> {
    let format = wgpu::TextureFormat::Rgb9e5Ufloat;
    let Some(environment) = environment else {
        return upload_levels(gpu, format, &[(1, 1)], |_| vec![0]);
    };
    let edges: Vec<(u32, u32)> = (0..environment.levels().len())
        .map(|level| (environment.size >> level, environment.size >> level))
        .collect();
    upload_levels(gpu, format, &edges, |level| {
        environment.levels()[level].clone()
    })
}

/// White, for slots without a texture.
pub(super) fn upload_white(gpu: &Gpu) -> Result<wgpu::TextureView, ReferenceError> {
    upload_levels(gpu, wgpu::TextureFormat::Rgba8Unorm, &[(1, 1)], |_| {
        vec![!0]
    })
}

pub(super) fn create_sampler(gpu: &Gpu, sampler: &Sampler) -> wgpu::Sampler {
    gpu.device.create_sampler(&wgpu::SamplerDescriptor {
        address_mode_u: address_mode(sampler.wrap_u),
        address_mode_v: address_mode(sampler.wrap_v),
        mag_filter: filter_mode(sampler.mag),
        min_filter: filter_mode(sampler.min),
        mipmap_filter: match sampler.mip {
            Some(Filter::Linear) => wgpu::MipmapFilterMode::Linear,
            Some(Filter::Nearest) | None => wgpu::MipmapFilterMode::Nearest,
        },
        // Without mip levels: Vulkan's own advice for OpenGL's filters without mipmaps (VkSamplerCreateInfo) is a
        // clamp to 0.25, which leaves the choice between the two filters to the level of detail.
        lod_max_clamp: if sampler.mip.is_some() { 32.0 } else { 0.25 },
        ..Default::default()
    })
}

/// How the environment's levels are sampled, one at a time.
pub(super) fn create_environment_sampler(gpu: &Gpu) -> wgpu::Sampler {
    gpu.device.create_sampler(&wgpu::SamplerDescriptor {
        mag_filter: wgpu::FilterMode::Linear,
        min_filter: wgpu::FilterMode::Linear,
        ..Default::default()
    })
}

fn filter_mode(filter: Filter) -> wgpu::FilterMode {
    match filter {
        Filter::Nearest => wgpu::FilterMode::Nearest,
        Filter::Linear => wgpu::FilterMode::Linear,
    }
}

fn address_mode(wrap: Wrap) -> wgpu::AddressMode {
    match wrap {
        Wrap::Repeat => wgpu::AddressMode::Repeat,
        Wrap::MirroredRepeat => wgpu::AddressMode::MirrorRepeat,
        Wrap::ClampToEdge => wgpu::AddressMode::ClampToEdge,
    }
}
