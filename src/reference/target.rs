//! Targets of frames: colour and depth textures, the passes over them, and the way back to a [`Picture`].

use super::ReferenceError;
use super::adapter::Gpu;
use super::behind::BehindTarget;
use super::frame::{Draw, DrawList};
use super::frame_kind::{DEPTH_FORMAT, PICTURE_FORMAT, RADIANCE_FORMAT};
use super::layouts::{Layouts, bind};
use super::pass::{Target, begin_pass, extent};
use super::texture::check_edge;
use azulejo_grid::SampleCount;
use azulejo_render::Picture;

/// A frame whose data are uploaded and whose pipelines are built; it can be drawn any number of times.
#[derive(Debug)]
pub struct PreparedFrame<'a> {
    gpu: &'a Gpu,
    list: DrawList,
    width: u32,
    height: u32,
    picture: wgpu::Texture,
    picture_view: wgpu::TextureView,
    depth: wgpu::TextureView,
    radiance: Option<Radiance>,
    behind: Option<BehindTarget>,
    /// Multi-sampled colour target, where pixels have several samples; it is resolved to radiance, to the picture, or to
    /// what lies behind.
    samples: Option<wgpu::TextureView>,
}

/// Radiance on its way to the picture.
#[derive(Debug)]
struct Radiance {
    view: wgpu::TextureView,
    /// Bind group of the resolve pass.
    group: wgpu::BindGroup,
}

impl<'a> PreparedFrame<'a> {
    pub(super) fn new(
        gpu: &'a Gpu,
        layouts: &Layouts,
        list: DrawList,
        width: u32,
        height: u32,
    ) -> Result<Self, ReferenceError> {
        check_edge(gpu, "the picture's edge in pixels", width.max(height))?;
        let texture = |format, usage, samples: SampleCount| {
            gpu.device.create_texture(&wgpu::TextureDescriptor {
                label: None,
                size: extent(width, height),
                mip_level_count: 1,
                sample_count: samples.get(),
                dimension: wgpu::TextureDimension::D2,
                format,
                usage: wgpu::TextureUsages::RENDER_ATTACHMENT | usage,
                view_formats: &[],
            })
        };
        let (one, empty) = (SampleCount::One, wgpu::TextureUsages::empty());
        let picture = texture(PICTURE_FORMAT, wgpu::TextureUsages::COPY_SRC, one);
        let depth = texture(DEPTH_FORMAT, empty, list.samples);
        // With several samples draws never write displayable colour.
        let samples =
            (list.samples != one).then(|| view(&texture(RADIANCE_FORMAT, empty, list.samples)));
        let radiance = list.resolve.is_some().then(|| {
            let texture = texture(RADIANCE_FORMAT, wgpu::TextureUsages::TEXTURE_BINDING, one);
            let view = view(&texture);
            let resource = wgpu::BindingResource::TextureView(&view);
            let group = bind(gpu, &layouts.radiance, vec![resource]);
            Radiance { view, group }
        });
        let behind = list.behind.as_ref().map(|behind| {
            let halve = behind.halve.clone();
            BehindTarget::new(gpu, layouts, halve, width, height)
        });
        Ok(Self {
            gpu,
            list,
            width,
            height,
            picture_view: view(&picture),
            picture,
            depth: view(&depth),
            radiance,
            behind: behind.transpose()?,
            samples,
        })
    }

    /// Draws the frame and waits until it is drawn. This is what is timed.
    ///
    /// # Errors
    /// If the driver is lost.
    pub fn draw(&self) -> Result<(), ReferenceError> {
        let mut encoder = self.gpu.encoder();
        self.encode(&mut encoder);
        self.gpu.finish(encoder)
    }

    /// Draws the frame and reads it back.
    ///
    /// # Errors
    /// If the driver refuses the frame.
    pub fn picture(&self) -> Result<Picture, ReferenceError> {
        self.gpu.checked("the frame", || {
            let mut encoder = self.gpu.encoder();
            self.encode(&mut encoder);
            let (rows, stride) = self.copy_rows(&mut encoder);
            let mapped = rows.slice(..);
            self.gpu.queue.submit([encoder.finish()]);
            mapped.map_async(wgpu::MapMode::Read, |_| {});
            self.gpu.wait()?;
            let bytes = mapped.get_mapped_range().map_err(|error| lost(&error))?;
            let row_bytes = self.width as usize * 4;
            let rows = bytes.chunks_exact(stride);
            let pixels = rows.flat_map(|row| row[..row_bytes].as_chunks::<4>().0);
            Ok(Picture {
                width: self.width,
                height: self.height,
                pixels: pixels.copied().collect(),
            })
        })
    }

    fn encode(&self, encoder: &mut wgpu::CommandEncoder) {
        self.encode_behind(encoder);
        self.encode_scene(encoder);
        if let (Some(pipeline), Some(radiance)) = (&self.list.resolve, &self.radiance) {
            let mut pass = begin_pass(
                encoder,
                Target::of(&self.picture_view),
                wgpu::Color::BLACK,
                None,
            );
            pass.set_pipeline(pipeline);
            pass.set_bind_group(0, &self.list.frame, &[]);
            pass.set_bind_group(1, &radiance.group, &[]);
            pass.draw(0..3, 0..1);
        }
    }

    /// Encodes the pass behind surfaces, if any of them is looked through.
    fn encode_behind(&self, encoder: &mut wgpu::CommandEncoder) {
        let (Some(list), Some(target)) = (&self.list.behind, &self.behind) else {
            return;
        };
        {
            let mut pass = begin_pass(
                encoder,
                self.target(&target.first),
                list.clear,
                Some(&self.depth),
            );
            pass.set_bind_group(0, &self.list.frame, &[]);
            encode_draws(&mut pass, &list.draws);
            if let Some(sky) = &list.sky {
                pass.set_pipeline(sky);
                pass.draw(0..3, 0..1);
            }
        }
        target.encode_levels(encoder);
    }

    /// Draws that end in `view`: there, or in samples that are resolved to it.
    fn target<'t>(&'t self, view: &'t wgpu::TextureView) -> Target<'t> {
        match &self.samples {
            Some(samples) => Target {
                view: samples,
                resolved: Some(view),
            },
            None => Target::of(view),
        }
    }

    fn encode_scene(&self, encoder: &mut wgpu::CommandEncoder) {
        let radiance = self.radiance.as_ref();
        let color = radiance.map_or(&self.picture_view, |radiance| &radiance.view);
        let mut pass = begin_pass(
            encoder,
            self.target(color),
            self.list.clear,
            Some(&self.depth),
        );
        pass.set_bind_group(0, &self.list.frame, &[]);
        if let Some(behind) = &self.behind {
            pass.set_bind_group(3, &behind.group, &[]);
        }
        let (behind, before) = self.list.draws.split_at(self.list.before_sky);
        encode_draws(&mut pass, behind);
        if let Some(sky) = &self.list.sky {
            pass.set_pipeline(sky);
            pass.draw(0..3, 0..1);
        }
        encode_draws(&mut pass, before);
    }

    /// Copies the picture into a buffer that can be mapped; the buffer and its bytes from row to row.
    fn copy_rows(&self, encoder: &mut wgpu::CommandEncoder) -> (wgpu::Buffer, usize) {
        let stride = (self.width * 4).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
        let buffer = self.gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: u64::from(stride) * u64::from(self.height),
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        encoder.copy_texture_to_buffer(
            self.picture.as_image_copy(),
            wgpu::TexelCopyBufferInfo {
                buffer: &buffer,
                layout: wgpu::TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(stride),
                    rows_per_image: None,
                },
            },
            extent(self.width, self.height),
        );
        (buffer, stride as usize)
    }
}

impl Gpu {
    fn encoder(&self) -> wgpu::CommandEncoder {
        self.device
            .create_command_encoder(&wgpu::CommandEncoderDescriptor::default())
    }

    /// Submits the commands and waits until they are done.
    fn finish(&self, encoder: wgpu::CommandEncoder) -> Result<(), ReferenceError> {
        self.queue.submit([encoder.finish()]);
        self.wait()
    }

    fn wait(&self) -> Result<(), ReferenceError> {
        let waited = self.device.poll(wgpu::PollType::wait_indefinitely());
        waited.map(drop).map_err(|error| lost(&error))
    }
}

fn lost(error: &dyn std::error::Error) -> ReferenceError {
    ReferenceError::Refused {
        what: "the frame",
        message: error.to_string(),
    }
}

fn view(texture: &wgpu::Texture) -> wgpu::TextureView {
    texture.create_view(&wgpu::TextureViewDescriptor::default())
}

/// Records `draws`, leaving out what the draw before has set already.
fn encode_draws(pass: &mut wgpu::RenderPass<'_>, draws: &[Draw]) {
    let mut before: Option<&Draw> = None;
    for draw in draws {
        if before.is_none_or(|before| before.pipeline != draw.pipeline) {
            pass.set_pipeline(&draw.pipeline);
        }
        if before.is_none_or(|before| before.material != draw.material) {
            pass.set_bind_group(2, &draw.material, &[]);
        }
        if before.is_none_or(|before| before.vertices != draw.vertices) {
            pass.set_vertex_buffer(0, draw.vertices.slice(..));
            pass.set_index_buffer(draw.indices.slice(..), wgpu::IndexFormat::Uint32);
        }
        pass.set_bind_group(1, &draw.group, &[draw.offset]);
        pass.draw_indexed(0..draw.n_indices, 0, 0..1);
        before = Some(draw);
    }
}
