//! Window before there is anything to show: it says what is being loaded, and begins when that is there.

use winit::event_loop::ActiveEventLoop;

use super::{Message, Viewer};
use crate::window::request::Request;

impl Viewer {
    /// Loads on a thread of its own; `what` is shown meanwhile.
    ///
    /// # Errors
    /// If the operating system refuses a thread.
    pub(in crate::window) fn load(
        &mut self,
        what: String,
        load: impl FnOnce() -> Option<Request> + Send + 'static,
    ) -> Result<(), String> {
        self.state.loading = Some(what);
        let proxy = self.proxy.clone();
        let body = move || {
            // Nothing waits once the window is closed.
            let _ = proxy.send_event(Message::Ready(load().map(Box::new)));
        };
        std::thread::Builder::new()
            .name("loader".to_owned())
            .spawn(body)
            .map(drop)
            .map_err(|error| error.to_string())
    }

    /// Begins with what was loaded, in the same window; closes it where there is nothing.
    pub(super) fn take_loaded(
        &mut self,
        request: Option<Box<Request>>,
        event_loop: &ActiveEventLoop,
    ) {
        let begun = request.map(|request| self.begin(*request));
        if let Some(Err(error)) = begun {
            self.failure = Some(error);
            event_loop.exit();
        } else if begun.is_none() {
            event_loop.exit();
        }
    }

    fn begin(&mut self, request: Request) -> Result<(), String> {
        let mut begun = Self::new(request, self.proxy.clone())?;
        begun.ctx = self.ctx.clone();
        begun.state.interface = self.state.interface;
        begun.state.fullscreen = self.state.fullscreen;
        // Switches of the interface that were pressed meanwhile.
        begun.state.overlay = self.state.overlay;
        begun.state.tiles.on = self.state.tiles.on;
        (begun.state.bar, begun.state.help) = (self.state.bar, self.state.help);
        begun.paintings = self.paintings;
        (begun.area, begun.whole) = (self.area, self.whole);
        if let Some(mut screen) = self.screen.take() {
            screen.host = begun.host(&screen.presenter);
            let name = &begun.state.content().scene.name;
            screen.window.set_title(&format!("{name} - azulejo"));
            begun.screen = Some(screen);
        }
        *self = begun;
        self.tick();
        Ok(())
    }
}
