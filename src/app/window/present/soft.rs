//! Presenting without a graphics driver: the CPU puts the picture into the window's memory and paints the interface over
//! it.

use std::num::NonZeroU32;
use std::sync::Arc;

use winit::event_loop::{ActiveEventLoop, OwnedDisplayHandle};
use winit::window::Window;

use super::filter::{blit_mixed, over_ground, packed};
use super::paint::{Canvas, Painter};
use super::presented::{BACKDROP, Presented};
use crate::window::placement::Placement;
use azulejo_render::Picture;

/// Presenter that writes a window's memory, with the interface's textures.
pub(in crate::window) struct SoftPresenter {
    surface: softbuffer::Surface<OwnedDisplayHandle, Arc<Window>>,
    painter: Painter,
}

impl SoftPresenter {
    /// Opens the presenter of a window.
    pub(super) fn open(event_loop: &ActiveEventLoop, window: &Arc<Window>) -> Result<Self, String> {
        let context = softbuffer::Context::new(event_loop.owned_display_handle());
        let surface = context
            .and_then(|context| softbuffer::Surface::new(&context, Arc::clone(window)))
            .map_err(|error| error.to_string())?;
        Ok(Self {
            surface,
            painter: Painter::default(),
        })
    }

    /// Copies the picture, paints the interface and hands both over.
    pub(super) fn present(
        &mut self,
        window: &Window,
        mut presented: Presented<'_>,
    ) -> Result<(), String> {
        let presented_now = self.put_on(window, &presented);
        // egui asserts that the changes were taken; one that failed is not tried again.
        presented.textures.clear();
        presented_now
    }

    fn put_on(&mut self, window: &Window, presented: &Presented<'_>) -> Result<(), String> {
        let refused = |error: softbuffer::SoftBufferError| error.to_string();
        let size = window.inner_size();
        let (width, height) = (size.width.max(1), size.height.max(1));
        let edge = |edge| NonZeroU32::new(edge).unwrap_or(NonZeroU32::MIN);
        (self.surface.resize(edge(width), edge(height))).map_err(refused)?;
        self.painter.update(&presented.textures);
        let mut buffer = self.surface.buffer_mut().map_err(refused)?;
        let mut canvas = Canvas {
            width: width as usize,
            height: height as usize,
            pixels: &mut buffer,
        };
        match presented.picture {
            Some(picture) if presented.placement.is_smooth() => {
                blit_mixed(&mut canvas, picture, &presented.placement);
            }
            picture => blit(&mut canvas, picture, &presented.placement),
        }
        let points = presented.pixels_per_point;
        self.painter.paint(&mut canvas, presented.interface, points);
        window.pre_present_notify();
        buffer.present().map_err(refused)?;
        self.painter.forget(&presented.textures);
        Ok(())
    }
}

/// Copies the nearest pixel of the picture to each of the window's.
fn blit(canvas: &mut Canvas<'_>, picture: Option<&Picture>, placement: &Placement) {
    let backdrop = packed(BACKDROP);
    let width = canvas.width;
    let columns: Vec<Option<usize>> = (0..width).map(|x| column(placement, picture, x)).collect();
    for (y, row) in canvas.pixels.chunks_mut(width).enumerate() {
        let line = picture.and_then(|picture| {
            let [_, at] = placement.point([0.0, y as f32 + 0.5]);
            let inside = at >= 0.0 && at < picture.height as f32;
            inside.then(|| &picture.pixels[at as usize * picture.width as usize..])
        });
        match line {
            None => row.fill(backdrop),
            Some(line) => {
                for (x, (pixel, column)) in row.iter_mut().zip(&columns).enumerate() {
                    *pixel = column.map_or(backdrop, |column| over_ground(line[column], x, y));
                }
            }
        }
    }
}

fn column(placement: &Placement, picture: Option<&Picture>, x: usize) -> Option<usize> {
    let [at, _] = placement.point([x as f32 + 0.5, 0.0]);
    let inside = at >= 0.0 && at < picture?.width as f32;
    inside.then_some(at as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture() -> Picture {
        Picture {
            width: 2,
            height: 1,
            pixels: vec![[255, 0, 0, 255], [0, 255, 0, 255]],
        }
    }

    fn shown(scale: f32, origin: [f32; 2]) -> Vec<u32> {
        let mut pixels = vec![0; 24];
        let mut canvas = Canvas {
            width: 6,
            height: 4,
            pixels: &mut pixels,
        };
        let placement = Placement {
            origin,
            scale,
            size: [2, 1],
            is_coarse: false,
        };
        blit(&mut canvas, Some(&picture()), &placement);
        pixels
    }

    #[test]
    fn soft_blit_copies_pixels_as_they_are() {
        let pixels = shown(1.0, [3.0, 2.0]);
        assert_eq!(pixels[2 * 6 + 3], 0x00ff_0000, "red");
        assert_eq!(pixels[2 * 6 + 4], 0x0000_ff00, "green");
        let backdrop = packed(BACKDROP);
        let rest = pixels.iter().filter(|&&pixel| pixel == backdrop).count();
        assert_eq!(rest, 22, "nothing else");
    }

    #[test]
    fn soft_blit_enlarges() {
        let pixels = shown(3.0, [0.0, 0.0]);
        let row = &pixels[6..12];
        assert_eq!(
            row,
            [[0x00ff_0000; 3], [0x0000_ff00; 3]].concat(),
            "three each"
        );
    }
}
