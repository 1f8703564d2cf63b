//! Finding and opening a driver: an [`AdapterChoice`] in, a [`Gpu`] out. No window, no validation layers.

use pollster::block_on;

use super::ReferenceError;

/// Feature for exact pictures: textures of sixteen bits a channel, which are filtered in single precision.
pub(super) const WIDE_TEXELS: wgpu::Features = wgpu::Features::TEXTURE_FORMAT_16BIT_NORM;

/// Which of the machine's drivers draws.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum AdapterChoice {
    /// A Vulkan driver before any other, a GPU before a CPU.
    #[default]
    Best,
    /// A Vulkan driver that draws on the CPU: Mesa's lavapipe, the oracle of the tests.
    Software,
}

/// An opened device of a driver.
#[derive(Debug)]
pub(super) struct Gpu {
    pub(super) device: wgpu::Device,
    pub(super) queue: wgpu::Queue,
    /// Device, driver and version for people.
    pub(super) driver: String,
}

impl Gpu {
    pub(super) fn open(choice: AdapterChoice) -> Result<Self, ReferenceError> {
        let adapter = choose(choice).ok_or(ReferenceError::NoDriver)?;
        let driver = describe(&adapter.get_info());
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("azulejo reference"),
            required_features: adapter.features() & WIDE_TEXELS,
            required_limits: adapter.limits(),
            memory_hints: wgpu::MemoryHints::Performance,
            ..Default::default()
        };
        let opened = block_on(adapter.request_device(&descriptor));
        let (device, queue) = opened.map_err(|error| ReferenceError::Open {
            driver: driver.clone(),
            message: error.to_string(),
        })?;
        Ok(Self {
            device,
            queue,
            driver,
        })
    }

    /// Runs `make`; what the driver had to complain about meanwhile becomes an error that names `what`.
    pub(super) fn checked<T>(
        &self,
        what: &'static str,
        make: impl FnOnce() -> Result<T, ReferenceError>,
    ) -> Result<T, ReferenceError> {
        let scopes = [
            wgpu::ErrorFilter::Validation,
            wgpu::ErrorFilter::OutOfMemory,
            wgpu::ErrorFilter::Internal,
        ]
        .map(|filter| self.device.push_error_scope(filter));
        let made = make();
        let mut complaint = None;
        for scope in scopes.into_iter().rev() {
            complaint = block_on(scope.pop()).or(complaint);
        }
        match complaint {
            Some(error) => Err(ReferenceError::Refused {
                what,
                message: error.to_string(),
            }),
            None => made,
        }
    }
}

fn choose(choice: AdapterChoice) -> Option<wgpu::Adapter> {
    let others = wgpu::Backends::METAL | wgpu::Backends::DX12 | wgpu::Backends::GL;
    match choice {
        AdapterChoice::Best => {
            best_of(wgpu::Backends::VULKAN, |_| true).or_else(|| best_of(others, |_| true))
        }
        AdapterChoice::Software => {
            best_of(wgpu::Backends::VULKAN, |kind| kind == wgpu::DeviceType::Cpu)
        }
    }
}

fn best_of(
    backends: wgpu::Backends,
    accept: impl Fn(wgpu::DeviceType) -> bool,
) -> Option<wgpu::Adapter> {
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor {
        backends,
        // Neither validation layers nor debug labels: they would cost the driver time.
        flags: wgpu::InstanceFlags::empty(),
        ..wgpu::InstanceDescriptor::new_without_display_handle()
    });
    let adapters = block_on(instance.enumerate_adapters(backends));
    let candidates = adapters
        .into_iter()
        .filter(|adapter| accept(adapter.get_info().device_type));
    candidates.min_by_key(|adapter| preference(adapter.get_info().device_type))
}

/// Rank of a device type; lower is better.
fn preference(kind: wgpu::DeviceType) -> u8 {
    match kind {
        wgpu::DeviceType::DiscreteGpu => 0,
        wgpu::DeviceType::IntegratedGpu => 1,
        wgpu::DeviceType::VirtualGpu => 2,
        wgpu::DeviceType::Cpu => 3,
        wgpu::DeviceType::Other => 4,
    }
}

fn describe(info: &wgpu::AdapterInfo) -> String {
    format!(
        "{} ({} {}, {:?})",
        info.name, info.driver, info.driver_info, info.backend
    )
}
