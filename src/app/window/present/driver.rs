//! Presenting by the graphics driver: the picture as a texture on a triangle over the window, the interface on top of it.

use std::sync::Arc;
use std::time::Duration;

use pollster::block_on;
use winit::event_loop::ActiveEventLoop;
use winit::window::Window;

use super::adapter::surface_and_adapter;
use super::paint::sorted;
use super::present_thread::PresentThread;
use super::presented::{BACKDROP, Outcome, Presented};
use azulejo_render::Picture;

/// Uniform block of `shaders/present.wgsl`.
#[derive(Debug, Clone, Copy, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
struct PlacementUniform {
    origin: [f32; 2],
    scale: [f32; 2],
    size: [f32; 2],
    // WGSL puts the next vector at a multiple of its size.
    padding: [f32; 2],
    backdrop: [f32; 4],
}

/// Presenter with a window's surface and all that is drawn on it.
pub(in crate::window) struct DriverPresenter {
    /// Name of the device and its driver.
    pub(in crate::window) name: String,
    /// Whether no graphics processor is behind it.
    pub(super) draws_on_cpu: bool,
    /// Dropped first: the surface must outlive its images.
    present_thread: PresentThread,
    surface: wgpu::Surface<'static>,
    config: wgpu::SurfaceConfiguration,
    device: wgpu::Device,
    queue: wgpu::Queue,
    layout: wgpu::BindGroupLayout,
    copy: wgpu::RenderPipeline,
    filtered: wgpu::RenderPipeline,
    uniform: wgpu::Buffer,
    texture: wgpu::Texture,
    bindings: wgpu::BindGroup,
    interface: egui_wgpu::Renderer,
    /// Changes of the interface's textures that are not yet made.
    textures: egui::TexturesDelta,
    is_stale: bool,
}

impl DriverPresenter {
    /// Opens the best adapter that can present on the window; one that draws on the CPU will do.
    ///
    /// # Errors
    /// The reason why there is none.
    pub(super) fn open(
        event_loop: &ActiveEventLoop,
        window: &Arc<Window>,
        delivered: impl Fn(Duration) + Send + 'static,
    ) -> Result<Self, String> {
        let (surface, adapter) = surface_and_adapter(event_loop, window)?;
        let info = adapter.get_info();
        let limits = match info.backend {
            wgpu::Backend::Gl => wgpu::Limits::downlevel_webgl2_defaults(),
            _ => wgpu::Limits::downlevel_defaults(),
        };
        let opened = block_on(adapter.request_device(&wgpu::DeviceDescriptor {
            label: Some("azulejo window"),
            required_limits: limits.using_resolution(adapter.limits()),
            ..Default::default()
        }));
        let (device, queue) = opened.map_err(|error| error.to_string())?;
        let config = configuration(&surface, &adapter, window)?;
        surface.configure(&device, &config);
        let layout = layout(&device);
        let [copy, filtered] =
            ["copy", "filtered"].map(|entry| pipeline(&device, &layout, config.format, entry));
        let uniform = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("placement"),
            size: size_of::<PlacementUniform>() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let texture = texture(&device, 1, 1);
        Ok(Self {
            name: format!("{} ({:?})", info.name, info.backend),
            draws_on_cpu: info.device_type == wgpu::DeviceType::Cpu,
            present_thread: PresentThread::start(queue.clone(), delivered)?,
            bindings: bindings(&device, &layout, &texture, &uniform),
            textures: egui::TexturesDelta::default(),
            interface: egui_wgpu::Renderer::new(
                &device,
                config.format,
                egui_wgpu::RendererOptions {
                    dithering: false,
                    ..Default::default()
                },
            ),
            surface,
            config,
            device,
            queue,
            layout,
            copy,
            filtered,
            uniform,
            texture,
            is_stale: false,
        })
    }

    /// Uploads what is new and draws everything; or leaves all of it for later, while the image before is on its way.
    pub(super) fn present(
        &mut self,
        window: &Window,
        mut presented: Presented<'_>,
    ) -> Result<Outcome, String> {
        (self.textures).append(std::mem::take(&mut presented.textures));
        if self.present_thread.is_under_way() {
            return Ok(Outcome::Later);
        }
        self.resize(window);
        self.update_textures();
        if let Some(picture) = presented.picture.filter(|_| presented.is_new) {
            self.upload(picture);
        }
        if let Some(frame) = self.acquire()? {
            self.draw(&frame, &presented);
            window.pre_present_notify();
            self.present_thread.send(frame)?;
        }
        for id in sorted(self.textures.free.iter()) {
            self.interface.free_texture(&id);
        }
        self.textures.clear();
        Ok(Outcome::Presented)
    }

    fn update_textures(&mut self) {
        for id in sorted(self.textures.set.keys()) {
            for delta in self.textures.set.get(&id).into_iter().flatten() {
                let (device, queue) = (&self.device, &self.queue);
                self.interface.update_texture(device, queue, id, delta);
            }
        }
    }

    fn resize(&mut self, window: &Window) {
        let size = window.inner_size();
        let (width, height) = (size.width.max(1), size.height.max(1));
        if self.is_stale || (self.config.width, self.config.height) != (width, height) {
            (self.config.width, self.config.height) = (width, height);
            self.surface.configure(&self.device, &self.config);
            self.is_stale = false;
        }
    }

    /// Acquires the next image of the window; none if this turn has to be left out.
    fn acquire(&mut self) -> Result<Option<wgpu::SurfaceTexture>, String> {
        use wgpu::CurrentSurfaceTexture as Current;
        match self.surface.get_current_texture() {
            Current::Success(frame) => Ok(Some(frame)),
            Current::Suboptimal(frame) => {
                self.is_stale = true;
                Ok(Some(frame))
            }
            Current::Timeout | Current::Occluded => Ok(None),
            Current::Outdated | Current::Lost => {
                self.is_stale = true;
                Ok(None)
            }
            Current::Validation => Err("the driver refuses to present".to_owned()),
        }
    }

    fn upload(&mut self, picture: &Picture) {
        let (width, height) = (picture.width, picture.height);
        if (self.texture.width(), self.texture.height()) != (width, height) {
            self.texture = texture(&self.device, width, height);
            self.bindings = bindings(&self.device, &self.layout, &self.texture, &self.uniform);
        }
        self.queue.write_texture(
            self.texture.as_image_copy(),
            picture.pixels.as_flattened(),
            wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(4 * width),
                rows_per_image: None,
            },
            self.texture.size(),
        );
    }

    fn draw(&mut self, frame: &wgpu::SurfaceTexture, presented: &Presented<'_>) {
        let uniform = self.placement(presented);
        self.queue
            .write_buffer(&self.uniform, 0, bytemuck::bytes_of(&uniform));
        let screen = egui_wgpu::ScreenDescriptor {
            size_in_pixels: [self.config.width, self.config.height],
            pixels_per_point: presented.pixels_per_point,
        };
        let mut encoder = self.device.create_command_encoder(&Default::default());
        let (device, queue, interface) = (&self.device, &self.queue, presented.interface);
        let mut commands =
            (self.interface).update_buffers(device, queue, &mut encoder, interface, &screen);
        let view = frame.texture.create_view(&Default::default());
        let pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("present"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &view,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(wgpu::Color::BLACK),
                    store: wgpu::StoreOp::Store,
                },
            })],
            ..Default::default()
        });
        let mut pass = pass.forget_lifetime();
        let is_smooth = presented.placement.is_smooth();
        pass.set_pipeline(if is_smooth {
            &self.filtered
        } else {
            &self.copy
        });
        pass.set_bind_group(0, &self.bindings, &[]);
        pass.draw(0..3, 0..1);
        self.interface.render(&mut pass, interface, &screen);
        drop(pass);
        commands.push(encoder.finish());
        self.queue.submit(commands);
    }

    fn placement(&self, presented: &Presented<'_>) -> PlacementUniform {
        let placement = presented.placement;
        let size = presented.picture.map_or([0; 2], |_| placement.size);
        let [r, g, b] = BACKDROP.map(|code| f32::from(code) / 255.0);
        PlacementUniform {
            origin: placement.origin,
            scale: [placement.scale; 2],
            size: size.map(|edge| edge as f32),
            padding: [0.0; 2],
            backdrop: [r, g, b, 1.0],
        }
    }
}

impl Drop for DriverPresenter {
    fn drop(&mut self) {
        // egui asserts that the changes were taken.
        self.textures.clear();
    }
}

/// Configuration of a surface that takes codes as they are, if there is one, and waits for the screen.
fn configuration(
    surface: &wgpu::Surface<'_>,
    adapter: &wgpu::Adapter,
    window: &Window,
) -> Result<wgpu::SurfaceConfiguration, String> {
    use wgpu::TextureFormat::{Bgra8Unorm, Rgba8Unorm};
    let formats = surface.get_capabilities(adapter).formats;
    let size = window.inner_size();
    let mut config = surface
        .get_default_config(adapter, size.width.max(1), size.height.max(1))
        .ok_or("the adapter cannot present on this window")?;
    let plain = formats
        .iter()
        .find(|format| matches!(format, Bgra8Unorm | Rgba8Unorm));
    config.format = plain.copied().unwrap_or(config.format);
    config.present_mode = wgpu::PresentMode::AutoVsync;
    config.desired_maximum_frame_latency = 1;
    Ok(config)
}

/// Bind group layout of the picture and its placement.
fn layout(device: &wgpu::Device) -> wgpu::BindGroupLayout {
    let entry = |binding, ty| wgpu::BindGroupLayoutEntry {
        binding,
        visibility: wgpu::ShaderStages::FRAGMENT,
        ty,
        count: None,
    };
    let picture = wgpu::BindingType::Texture {
        sample_type: wgpu::TextureSampleType::Float { filterable: false },
        view_dimension: wgpu::TextureViewDimension::D2,
        multisampled: false,
    };
    let placement = wgpu::BindingType::Buffer {
        ty: wgpu::BufferBindingType::Uniform,
        has_dynamic_offset: false,
        min_binding_size: None,
    };
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("present"),
        entries: &[entry(0, picture), entry(1, placement)],
    })
}

fn pipeline(
    device: &wgpu::Device,
    bindings: &wgpu::BindGroupLayout,
    format: wgpu::TextureFormat,
    entry: &str,
) -> wgpu::RenderPipeline {
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some("present"),
        source: wgpu::ShaderSource::Wgsl(include_str!("../../../../shaders/present.wgsl").into()),
    });
    let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some("present"),
        bind_group_layouts: &[Some(bindings)],
        immediate_size: 0,
    });
    let encodes = if format.is_srgb() { 1.0 } else { 0.0 };
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some("present"),
        layout: Some(&layout),
        vertex: wgpu::VertexState {
            module: &module,
            entry_point: Some("cover"),
            buffers: &[],
            compilation_options: Default::default(),
        },
        primitive: Default::default(),
        depth_stencil: None,
        multisample: Default::default(),
        fragment: Some(wgpu::FragmentState {
            module: &module,
            entry_point: Some(entry),
            targets: &[Some(format.into())],
            compilation_options: wgpu::PipelineCompilationOptions {
                constants: &[("surface_encodes", encodes)],
                ..Default::default()
            },
        }),
        multiview_mask: None,
        cache: None,
    })
}

fn texture(device: &wgpu::Device, width: u32, height: u32) -> wgpu::Texture {
    device.create_texture(&wgpu::TextureDescriptor {
        label: Some("picture"),
        size: wgpu::Extent3d {
            width,
            height,
            depth_or_array_layers: 1,
        },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::Rgba8Unorm,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    })
}

fn bindings(
    device: &wgpu::Device,
    layout: &wgpu::BindGroupLayout,
    texture: &wgpu::Texture,
    uniform: &wgpu::Buffer,
) -> wgpu::BindGroup {
    let view = texture.create_view(&Default::default());
    device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("present"),
        layout,
        entries: &[
            wgpu::BindGroupEntry {
                binding: 0,
                resource: wgpu::BindingResource::TextureView(&view),
            },
            wgpu::BindGroupEntry {
                binding: 1,
                resource: uniform.as_entire_binding(),
            },
        ],
    })
}
