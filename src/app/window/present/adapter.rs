//! Choice of the machine's adapter that presents.

use std::sync::Arc;

use pollster::block_on;
use winit::event_loop::ActiveEventLoop;
use winit::window::Window;

/// NVIDIA's number among the makers of PCI devices.
const NVIDIA: u32 = 0x10DE;

/// Opens the window's surface, and finds the first adapter that can present on it.
///
/// # Errors
/// The reason why there is none: what each adapter said.
pub(super) fn surface_and_adapter(
    event_loop: &ActiveEventLoop,
    window: &Arc<Window>,
) -> Result<(wgpu::Surface<'static>, wgpu::Adapter), String> {
    // OpenGL presents only if it is given the display.
    let display = Box::new(event_loop.owned_display_handle());
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor {
        flags: wgpu::InstanceFlags::empty(),
        ..wgpu::InstanceDescriptor::new_with_display_handle(display)
    });
    let surface = instance
        .create_surface(Arc::clone(window))
        .map_err(|error| format!("no graphics driver knows this display: {error}"))?;
    let takes_copies_alone = takes_copies_alone(event_loop);
    let mut refused = Vec::new();
    for adapter in block_on(instance.enumerate_adapters(wgpu::Backends::all())) {
        let info = adapter.get_info();
        let name = format!("{} ({:?})", info.name, info.backend);
        if takes_copies_alone && crashes_where_copies_alone_are_taken(&info) {
            refused.push(format!(
                "{name} was not asked, as the X server has neither NV-GLX nor DRI3"
            ));
        } else if adapter.is_surface_supported(&surface) {
            return Ok((surface, adapter));
        } else {
            refused.push(format!("{name} cannot present here"));
        }
    }
    if refused.is_empty() {
        return Err("no driver is installed".to_owned());
    }
    Err(refused.join("; "))
}

/// Whether asking this adapter what it can do with such a display may end the whole process.
///
/// Seen with NVIDIA's Vulkan (580.159 on an H100) in front of Xvfb, with and without GLX: what wgpu asks of it about a
/// surface (`vkGetPhysicalDeviceSurfaceSupportKHR`, then its capabilities) jumps to address 0. Its OpenGL says no; Mesa's
/// Vulkan for the same processors has no part in it.
fn crashes_where_copies_alone_are_taken(info: &wgpu::AdapterInfo) -> bool {
    info.backend == wgpu::Backend::Vulkan && info.vendor == NVIDIA && info.driver == "NVIDIA"
}

/// Whether the display is an X server that no driver shares images with, neither NVIDIA's own way nor by DRI3, as Xvfb and
/// many servers for remote desktops: pixels reach it by copying, whatever drew them. False where the server cannot be
/// asked.
#[cfg(target_os = "linux")]
fn takes_copies_alone(event_loop: &ActiveEventLoop) -> bool {
    use winit::platform::x11::ActiveEventLoopExtX11;
    use x11rb::connection::RequestConnection;
    use x11rb::rust_connection::RustConnection;

    if !event_loop.is_x11() {
        return false;
    }
    let Ok((server, _)) = RustConnection::connect(None) else {
        return false;
    };
    let lacks = |name| matches!(server.extension_information(name), Ok(None));
    lacks("NV-GLX") && lacks("DRI3")
}

#[cfg(not(target_os = "linux"))]
const fn takes_copies_alone(_: &ActiveEventLoop) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(vendor: u32, driver: &str, backend: wgpu::Backend, expected: bool) {
        let mut info = wgpu::AdapterInfo::new(wgpu::DeviceType::DiscreteGpu, backend);
        info.vendor = vendor;
        info.driver = driver.to_owned();
        assert_eq!(crashes_where_copies_alone_are_taken(&info), expected);
    }

    #[test]
    fn adapter_of_nvidias_own_vulkan_alone_is_left_out_where_copies_are_taken() {
        check(NVIDIA, "NVIDIA", wgpu::Backend::Vulkan, true);
        check(NVIDIA, "NVIDIA", wgpu::Backend::Gl, false);
        check(NVIDIA, "NVK", wgpu::Backend::Vulkan, false);
        check(0x10005, "llvmpipe", wgpu::Backend::Vulkan, false);
    }
}
