//! The memory's twin on the driver: buffers and textures with the same content, and what they hold after the passes.

use azulejo::pass::types::{self, TextureFormat};
use azulejo::pass::{BufferId, Memory, TextureId, TexturePlace, TextureView};

use super::driver::Driver;

/// The memory's twin on the driver.
pub(super) struct Twin {
    pub(super) buffers: Vec<wgpu::Buffer>,
    pub(super) textures: Vec<wgpu::Texture>,
}

/// Content after the passes; of textures the first level, where the driver can copy it.
pub(super) struct Content {
    pub(super) buffers: Vec<Vec<u8>>,
    pub(super) textures: Vec<Option<Vec<u8>>>,
}

pub(super) fn extent(size: types::Extent3d) -> wgpu::Extent3d {
    size
}

/// Whether content of a format can be copied to and from a buffer.
fn can_be_copied(format: TextureFormat) -> bool {
    !matches!(
        format,
        TextureFormat::Depth24Plus
            | TextureFormat::Depth24PlusStencil8
            | TextureFormat::Depth32FloatStencil8
    )
}

impl Driver {
    pub(super) fn twin(&self, memory: &Memory) -> Twin {
        let buffers = memory.buffers().map(|id| {
            let content = memory.read_buffer(id).expect("it exists");
            let buffer = self.device.create_buffer(&wgpu::BufferDescriptor {
                label: None,
                size: content.len() as u64,
                usage: wgpu::BufferUsages::all()
                    - wgpu::BufferUsages::MAP_READ
                    - wgpu::BufferUsages::MAP_WRITE
                    - wgpu::BufferUsages::QUERY_RESOLVE
                    - wgpu::BufferUsages::BLAS_INPUT
                    - wgpu::BufferUsages::TLAS_INPUT,
                mapped_at_creation: false,
            });
            self.queue.write_buffer(&buffer, 0, content);
            buffer
        });
        let buffers = buffers.collect();
        let textures = memory
            .textures()
            .map(|id| self.texture(memory, id))
            .collect();
        Twin { buffers, textures }
    }

    fn texture(&self, memory: &Memory, id: TextureId) -> wgpu::Texture {
        let spec = memory.spec(id).expect("it exists");
        let features = self.adapter.get_texture_format_features(spec.format);
        let mut usage = features.allowed_usages
            & !wgpu::TextureUsages::TRANSIENT_ATTACHMENT
            & !wgpu::TextureUsages::STORAGE_ATOMIC;
        if spec.samples > 1 {
            usage &= wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING;
        }
        if spec.dimension != types::TextureDimension::D2 {
            usage &= !wgpu::TextureUsages::RENDER_ATTACHMENT;
        }
        let texture = self.device.create_texture(&wgpu::TextureDescriptor {
            label: None,
            size: extent(spec.size),
            mip_level_count: spec.mips,
            sample_count: spec.samples,
            dimension: spec.dimension,
            format: spec.format,
            usage,
            view_formats: &[],
        });
        if spec.samples == 1 && !spec.format.is_depth_stencil_format() {
            for mip in 0..spec.mips {
                let size = spec.level(mip);
                let place = TexturePlace {
                    mip,
                    ..TexturePlace::start(id)
                };
                let content = memory.read_texture(place, size).expect("all of a level");
                let rows = size.height * size.depth_or_array_layers;
                self.queue.write_texture(
                    wgpu::TexelCopyTextureInfo {
                        texture: &texture,
                        mip_level: mip,
                        origin: wgpu::Origin3d::ZERO,
                        aspect: wgpu::TextureAspect::All,
                    },
                    &content,
                    wgpu::TexelCopyBufferLayout {
                        offset: 0,
                        bytes_per_row: Some(content.len() as u32 / rows),
                        rows_per_image: Some(size.height),
                    },
                    extent(size),
                );
            }
        }
        texture
    }

    pub(super) fn content(&self, memory: &Memory, twin: &Twin) -> Content {
        let buffers = twin.buffers.iter().map(|buffer| {
            self.read(buffer.size(), |encoder, to| {
                encoder.copy_buffer_to_buffer(buffer, 0, to, 0, buffer.size());
            })
        });
        let buffers = buffers.collect();
        let textures = memory.textures().zip(&twin.textures).map(|(id, texture)| {
            let spec = memory.spec(id).expect("it exists");
            (spec.samples == 1 && can_be_copied(spec.format)).then(|| self.texels(spec, texture))
        });
        Content {
            buffers,
            textures: textures.collect(),
        }
    }

    /// The first level's texels, row after row.
    fn texels(&self, spec: azulejo::pass::TextureSpec, texture: &wgpu::Texture) -> Vec<u8> {
        let bytes = spec.format.block_copy_size(None).expect("a plain format");
        let (row, pitch) = (
            spec.size.width * bytes,
            (spec.size.width * bytes).next_multiple_of(256),
        );
        let rows = spec.size.height * spec.size.depth_or_array_layers;
        let content = self.read(u64::from(pitch * rows), |encoder, to| {
            encoder.copy_texture_to_buffer(
                texture.as_image_copy(),
                wgpu::TexelCopyBufferInfo {
                    buffer: to,
                    layout: wgpu::TexelCopyBufferLayout {
                        offset: 0,
                        bytes_per_row: Some(pitch),
                        rows_per_image: Some(spec.size.height),
                    },
                },
                extent(spec.size),
            );
        });
        let rows = content.chunks_exact(pitch as usize);
        rows.flat_map(|padded| padded[..row as usize].to_vec())
            .collect()
    }

    fn read(
        &self,
        size: u64,
        record: impl FnOnce(&mut wgpu::CommandEncoder, &wgpu::Buffer),
    ) -> Vec<u8> {
        let mapped = self.device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size,
            usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let mut encoder = self.device.create_command_encoder(&Default::default());
        record(&mut encoder, &mapped);
        self.queue.submit([encoder.finish()]);
        mapped.map_async(wgpu::MapMode::Read, .., |_| {});
        let waited = self.device.poll(wgpu::PollType::wait_indefinitely());
        waited.expect("the driver answers");
        mapped.get_mapped_range(..).expect("mapped").to_vec()
    }
}

impl Twin {
    pub(super) fn buffer(&self, id: BufferId) -> &wgpu::Buffer {
        &self.buffers[id.0 as usize]
    }

    pub(super) fn texture(&self, id: TextureId) -> &wgpu::Texture {
        &self.textures[id.0 as usize]
    }

    pub(super) fn view(&self, view: &TextureView) -> wgpu::TextureView {
        self.texture(view.texture)
            .create_view(&wgpu::TextureViewDescriptor {
                format: view.format,
                dimension: view.dimension,
                aspect: view.aspect,
                base_mip_level: view.first_mip,
                mip_level_count: view.mips,
                base_array_layer: view.first_layer,
                array_layer_count: view.layers,
                ..wgpu::TextureViewDescriptor::default()
            })
    }

    pub(super) fn place(&self, place: TexturePlace) -> wgpu::TexelCopyTextureInfo<'_> {
        let [x, y, z] = place.origin;
        wgpu::TexelCopyTextureInfo {
            texture: self.texture(place.texture),
            mip_level: place.mip,
            origin: wgpu::Origin3d { x, y, z },
            aspect: wgpu::TextureAspect::All,
        }
    }
}
