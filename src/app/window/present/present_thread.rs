//! The present thread: calls the driver's present for finished images. Drivers that draw on the CPU block the caller until
//! the image is drawn, and the window has to answer meanwhile.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Window's end of the thread. Dropping it waits for the image under way.
pub(super) struct PresentThread {
    images: Option<Sender<wgpu::SurfaceTexture>>,
    is_under_way: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl PresentThread {
    /// Starts the thread; `delivered` is called on it after each image, with the time that it took.
    ///
    /// # Errors
    /// If the operating system refuses a thread.
    pub(super) fn start(
        queue: wgpu::Queue,
        delivered: impl Fn(Duration) + Send + 'static,
    ) -> Result<Self, String> {
        let (images, orders) = channel();
        let is_under_way = Arc::new(AtomicBool::new(false));
        let is_busy = Arc::clone(&is_under_way);
        let body = move || {
            for image in orders {
                let start = Instant::now();
                queue.present(image);
                is_busy.store(false, Ordering::Release);
                delivered(start.elapsed());
            }
        };
        let thread = thread::Builder::new()
            .name("present".to_owned())
            .spawn(body)
            .map_err(|error| format!("cannot start the thread that presents: {error}"))?;
        Ok(Self {
            images: Some(images),
            is_under_way,
            thread: Some(thread),
        })
    }

    /// Whether an image is on its way; until it is there, nothing else may be done with device and surface without waiting.
    pub(super) fn is_under_way(&self) -> bool {
        // An ended thread delivers nothing any more: sending the next image says so.
        let can_arrive = (self.thread.as_ref()).is_some_and(|thread| !thread.is_finished());
        can_arrive && self.is_under_way.load(Ordering::Acquire)
    }

    /// Sends an image on its way.
    ///
    /// # Errors
    /// If the thread has ended, which a driver's panic does.
    pub(super) fn send(&self, image: wgpu::SurfaceTexture) -> Result<(), String> {
        self.is_under_way.store(true, Ordering::Release);
        let sent = self.images.as_ref().map(|images| images.send(image));
        match sent {
            Some(Ok(())) => Ok(()),
            _ => Err("the thread that presents has ended".to_owned()),
        }
    }
}

impl Drop for PresentThread {
    fn drop(&mut self) {
        self.images = None;
        if let Some(thread) = self.thread.take() {
            // A panicking thread has printed its message.
            let _ = thread.join();
        }
    }
}
