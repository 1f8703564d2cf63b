//! Side of the event loop: input goes to the interface, plans go to the render thread, frames come back and are presented.

mod followers;
mod loading;
mod size;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use egui::{Context, ViewportId};
use winit::application::ApplicationHandler;
use winit::dpi::PhysicalSize;
use winit::event::{StartCause, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoopProxy};
use winit::window::{Fullscreen, Window, WindowId};

use super::dump::{self, Dump, PictureDump};
use super::history::History;
use super::inspector::{Answer, Inspection};
use super::model::{ModelledFrame, Modeller};
use super::opened::Opened;
use super::pacing::{self, FRAME};
use super::placement::{Area, Placement};
use super::plan::FramePlan;
use super::present::{Outcome, PresentBy, Presented, Presenter};
use super::render_thread::{DrawnFrame, RenderThread};
use super::request::Request;
use super::screenshot;
use super::state::{Action, PaintTimes, State};
use super::ui::{self, Facts, Images, Shown};
use size::{placement, zoom};

/// Message that another thread sends to the window.
#[derive(Debug)]
pub(super) enum Message {
    /// A frame is finished.
    Drawn(Box<DrawnFrame>),
    /// The machine has executed a frame, has given it up, or cannot.
    Modelled(Box<Result<Option<ModelledFrame>, String>>),
    /// The inspector has found something.
    Inspected(Box<Answer>),
    /// The request that the window was opened for is loaded, or cannot be.
    Ready(Option<Box<Request>>),
    /// A dropped file is read.
    Loaded(Box<Result<Opened, String>>),
    /// An image has reached the window, after this time.
    Delivered(Duration),
    /// A picture is written.
    Saved(Result<PathBuf, String>),
}

/// State, threads and screen of the window.
pub(super) struct Viewer {
    state: State,
    request: Request,
    render_thread: RenderThread,
    modeller: Option<Modeller>,
    modelled: Option<ModelledFrame>,
    inspection: Option<Inspection>,
    images: Images,
    proxy: EventLoopProxy<Message>,
    ctx: Context,
    screen: Option<Screen>,
    /// Frame on the window, and whether it is uploaded.
    frame: Option<DrawnFrame>,
    is_uploaded: bool,
    asked: Option<FramePlan>,
    asked_at: Instant,
    /// Part of the window that panels leave for the picture, and what the bar leaves for all of them.
    area: Area,
    whole: Area,
    history: History,
    ticked: Instant,
    repaint_at: Option<Instant>,
    paintings: u64,
    painted: PaintTimes,
    /// Time that it took to hand the last image over, beside everything else.
    delivery: Duration,
    /// Whether the window shows less than was painted last.
    is_behind: bool,
    failure: Option<String>,
}

/// Window that is open, with its input and presenter.
struct Screen {
    window: Arc<Window>,
    input: egui_winit::State,
    presenter: Presenter,
    host: String,
}

impl Viewer {
    /// Starts the threads; the window opens with the event loop.
    pub(super) fn new(request: Request, proxy: EventLoopProxy<Message>) -> Result<Self, String> {
        let ctx = Context::default();
        ui::set_style(&ctx);
        let deliver = proxy.clone();
        let deliver = move |frame| {
            // Nothing waits for frames once the loop is gone.
            let _ = deliver.send_event(Message::Drawn(Box::new(frame)));
        };
        let chain = request.chain.clone();
        let render_thread = RenderThread::start(request.threads, request.simd, chain, deliver)?;
        let modeller = request.machine.as_ref().map(|machine| {
            let deliver = proxy.clone();
            Modeller::start(machine, request.simd, move |modelled| {
                let _ = deliver.send_event(Message::Modelled(Box::new(modelled)));
            })
        });
        let now = Instant::now();
        Ok(Self {
            modeller: modeller.transpose()?,
            modelled: None,
            inspection: None,
            images: Images::default(),
            state: State::new(&request),
            render_thread,
            proxy,
            ctx,
            screen: None,
            frame: None,
            is_uploaded: false,
            asked: None,
            asked_at: now,
            area: Area::default(),
            whole: Area::default(),
            history: History::default(),
            ticked: now,
            repaint_at: None,
            paintings: 0,
            painted: PaintTimes::default(),
            delivery: Duration::ZERO,
            is_behind: false,
            failure: None,
            request,
        })
    }

    /// Reason why the window closed before its user closed it.
    pub(super) fn outcome(self) -> Result<(), String> {
        self.failure.map_or(Ok(()), Err)
    }

    fn open(&self, event_loop: &ActiveEventLoop) -> Result<Screen, String> {
        let (width, height) = self.request.window;
        let mut attributes = Window::default_attributes()
            .with_title(format!("{} - azulejo", self.state.content().scene.name))
            .with_inner_size(PhysicalSize::new(width, height));
        if self.state.fullscreen {
            attributes = attributes.with_fullscreen(Some(Fullscreen::Borderless(None)));
        }
        let window = event_loop.create_window(attributes);
        let window = Arc::new(window.map_err(|error| error.to_string())?);
        let by: PresentBy = self.request.present;
        let proxy = self.proxy.clone();
        let delivered = move |took| {
            // Nothing waits once the loop is gone.
            let _ = proxy.send_event(Message::Delivered(took));
        };
        let presenter = Presenter::open(by, event_loop, &window, delivered)?;
        let input = egui_winit::State::new(
            self.ctx.clone(),
            ViewportId::ROOT,
            &window,
            Some(window.scale_factor() as f32),
            None,
            Some(2048),
        );
        let host = self.host(&presenter);
        Ok(Screen {
            window,
            input,
            presenter,
            host,
        })
    }

    /// Host in words: Raster Units, their instruction set and the presenter.
    fn host(&self, presenter: &Presenter) -> String {
        format!(
            "{} Raster Units on {}\npresented by {}",
            self.render_thread.threads,
            self.render_thread.simd,
            presenter.name()
        )
    }

    /// Lets time pass and asks for the frame that is due now.
    fn tick(&mut self) {
        let now = Instant::now();
        let elapsed = (now - self.ticked).as_secs_f64();
        self.ticked = now;
        let content = Arc::clone(&self.state.opened.shot.content);
        self.state.playback.advance(elapsed, &content);
        if let Some(replay) = &mut self.state.tiles.replay {
            replay.advance(elapsed);
        }
        if self.area == Area::default() {
            return;
        }
        let size = self.state.picture_size(self.whole);
        let divisor = if pacing::is_moving(self.state.camera_moved, now) {
            pacing::divisor(&self.history, size)
        } else {
            1
        };
        self.state.planned = size;
        let plan = self.state.plan(size, divisor);
        let asked = self.asked.as_ref();
        let is_new = !asked.is_some_and(|asked| asked.covers(&plan));
        if is_new && now >= self.asked_at + FRAME {
            self.asked_at = now;
            self.asked = Some(plan.clone());
            self.render_thread.want(plan);
        }
        self.model(size);
        self.inspect(size);
    }

    /// Instant of the next look without a message.
    fn wake_up(&self) -> Option<Instant> {
        let state = &self.state;
        let moving = state.playback.playing && state.content().moves(state.playback.animation);
        let settle = state.camera_moved.map(|moved| moved + pacing::SETTLE);
        let now = Instant::now();
        // Nothing is gained by asking for more before the last one came.
        let is_waiting = self.asked.as_ref() != self.frame.as_ref().map(|frame| &frame.plan);
        let next = (moving && !is_waiting).then_some(self.asked_at + FRAME);
        let pending = (self.ticked < self.asked_at + FRAME).then_some(self.asked_at + FRAME);
        let times = [
            next,
            pending,
            settle.filter(|at| *at > now),
            self.repaint_at,
        ];
        times.into_iter().flatten().min()
    }

    fn redraw(&mut self, event_loop: &ActiveEventLoop) {
        let Some(mut screen) = self.screen.take() else {
            return;
        };
        let outcome = self.paint(&mut screen);
        self.screen = Some(screen);
        if let Err(error) = outcome {
            self.failure = Some(error);
            event_loop.exit();
        }
        self.tick();
    }

    /// Shows the interface and presents it over the picture.
    fn paint(&mut self, screen: &mut Screen) -> Result<(), String> {
        self.repaint_at = None;
        self.ctx
            .set_zoom_factor(zoom(&screen.window) * self.state.interface);
        let raw = screen.input.take_egui_input(&screen.window);
        let (state, frame, history) = (&mut self.state, self.frame.as_ref(), &self.history);
        let placement = placement(frame, [self.area, self.whole], state);
        let facts = Facts {
            frame,
            placement,
            history,
            modelled: self.modelled.as_ref(),
            machine: self.modeller.as_ref(),
            inspection: self.inspection.as_ref(),
            host: &screen.host,
            painted: self.painted,
        };
        let start = Instant::now();
        let (mut shown, images) = (Shown::default(), &mut self.images);
        let ctx = self.ctx.clone();
        let output = ctx.run_ui(raw, |ui| shown = ui::show(ui, state, &facts, images));
        (self.area, self.whole) = (shown.area, shown.whole);
        let placement = self::placement(self.frame.as_ref(), [self.area, self.whole], &self.state);
        (screen.input).handle_platform_output(&screen.window, output.platform_output);
        if let Some(viewport) = output.viewport_output.get(&ViewportId::ROOT) {
            self.repaint_at = Instant::now().checked_add(viewport.repaint_delay);
        }
        let dump = self.dump(screen, placement, &output.shapes, &shown);
        let interface = self.ctx.tessellate(output.shapes, output.pixels_per_point);
        let interface_ms = start.elapsed().as_secs_f64() * 1e3;
        let presented = Presented {
            picture: self.picture(),
            is_new: !self.is_uploaded,
            placement,
            interface: &interface,
            textures: output.textures_delta,
            pixels_per_point: output.pixels_per_point,
        };
        let outcome = screen.presenter.present(&screen.window, presented)?;
        self.is_behind = outcome == Outcome::Later;
        match outcome {
            // To be painted again once the window is ready, and not before.
            Outcome::Later => self.repaint_at = None,
            Outcome::Presented => {
                self.is_uploaded = true;
                let present = start.elapsed() + self.delivery;
                self.painted = PaintTimes {
                    interface_ms,
                    present_ms: present.as_secs_f64() * 1e3 - interface_ms,
                };
                if let (Some(path), Some(dump)) = (&self.request.dump, dump) {
                    dump::write(path, &dump)?;
                }
            }
        }
        for action in shown.actions {
            self.act(action, &screen.window);
        }
        Ok(())
    }

    /// Dump of this painting, if dumps are asked for.
    fn dump(
        &mut self,
        screen: &Screen,
        placement: Placement,
        shapes: &[egui::epaint::ClippedShape],
        shown: &Shown,
    ) -> Option<Dump> {
        self.request.dump.as_ref()?;
        self.paintings += 1;
        let points = self.ctx.pixels_per_point();
        let finished = |frame: &DrawnFrame| {
            let size = self.state.picture_size(self.whole);
            self.state.loading.is_none() && frame.plan.covers(&self.state.plan(size, 1))
        };
        Some(Dump {
            painting: self.paintings,
            presenter: screen.presenter.name().to_owned(),
            picture: self
                .frame
                .as_ref()
                .map(|frame| PictureDump::new(&placement, frame.plan.seconds, finished(frame))),
            panels: (shown.panels.iter())
                .map(|(name, area)| (*name, area.edges()))
                .collect(),
            area: shown.area.edges(),
            inspected: shown.inspected.map(Area::edges),
            pointer: (self.ctx.pointer_hover_pos()).map(|at| (at * points).into()),
            playing: self.state.playback.playing,
            texts: dump::texts(shapes, points),
        })
    }

    fn act(&mut self, action: Action, window: &Window) {
        match action {
            Action::Inspect => self.toggle_inspector(),
            Action::Fullscreen => {
                self.state.fullscreen = !self.state.fullscreen;
                let whole = Fullscreen::Borderless(None);
                window.set_fullscreen(self.state.fullscreen.then_some(whole));
            }
            Action::Screenshot => {
                let Some(frame) = &self.frame else { return };
                let (plan, picture) = (frame.plan.clone(), frame.picture.clone());
                let save = self.request.save;
                self.beside(move || Message::Saved(screenshot::save(&plan, &picture, save)));
            }
        }
    }

    /// Does something slow on a thread of its own, which ends with its message.
    fn beside(&self, work: impl FnOnce() -> Message + Send + 'static) {
        let proxy = self.proxy.clone();
        let body = move || {
            super::render_thread::step_back();
            // Nothing waits once the loop is gone.
            let _ = proxy.send_event(work());
        };
        // A machine without another thread to give has other worries than this file.
        let _ = std::thread::Builder::new().spawn(body);
    }

    fn drop_file(&mut self, path: PathBuf) {
        self.state.say(format!("loading {}", path.display()));
        let before = self.state.opened.clone();
        self.beside(move || Message::Loaded(Box::new(Opened::load(&path, &before))));
    }

    fn take_frame(&mut self, frame: DrawnFrame) {
        let full = self.state.picture_size(self.whole);
        let size = [
            frame.plan.shot.settings.width,
            frame.plan.shot.settings.height,
        ];
        self.history.push(&frame, Instant::now(), size != full);
        if let Err(error) = &frame.facts {
            self.state.say(error.to_string());
        }
        if let Some(before) = self.frame.replace(frame) {
            self.render_thread.recycle(before.picture);
        }
        self.is_uploaded = false;
    }
}

impl ApplicationHandler<Message> for Viewer {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        if self.screen.is_some() {
            return;
        }
        match self.open(event_loop) {
            Ok(screen) => {
                screen.window.request_redraw();
                self.screen = Some(screen);
            }
            Err(error) => {
                self.failure = Some(error);
                event_loop.exit();
            }
        }
    }

    fn new_events(&mut self, _: &ActiveEventLoop, cause: StartCause) {
        if matches!(cause, StartCause::ResumeTimeReached { .. }) {
            self.tick();
            let due = self.repaint_at.is_some_and(|at| at <= Instant::now());
            if let Some(screen) = self.screen.as_ref().filter(|_| due) {
                screen.window.request_redraw();
            }
        }
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let Some(screen) = &mut self.screen else {
            return;
        };
        let response = screen.input.on_window_event(&screen.window, &event);
        // Painting because of painting would never end.
        let is_painting = matches!(event, WindowEvent::RedrawRequested);
        if (response.repaint && !is_painting) || matches!(event, WindowEvent::Resized(_)) {
            screen.window.request_redraw();
        }
        match event {
            WindowEvent::CloseRequested => event_loop.exit(),
            WindowEvent::DroppedFile(path) => self.drop_file(path),
            WindowEvent::RedrawRequested => self.redraw(event_loop),
            _ => {}
        }
    }

    fn user_event(&mut self, event_loop: &ActiveEventLoop, message: Message) {
        match message {
            Message::Delivered(took) => {
                self.delivery = took;
                // Painting because of painting would never end.
                if !std::mem::take(&mut self.is_behind) {
                    return;
                }
            }
            Message::Drawn(frame) => {
                self.take_frame(*frame);
                self.tick();
            }
            Message::Ready(request) => self.take_loaded(request, event_loop),
            Message::Inspected(answer) => self.take_answer(*answer),
            Message::Modelled(modelled) => self.take_modelled(*modelled),
            Message::Loaded(loaded) => match *loaded {
                Ok(opened) => {
                    self.state.show(opened);
                    self.state.notice = None;
                    let name = &self.state.content().scene.name;
                    if let Some(screen) = &self.screen {
                        screen.window.set_title(&format!("{name} - azulejo"));
                    }
                }
                Err(error) => self.state.say(error),
            },
            Message::Saved(Ok(path)) => self.state.say(format!("wrote {}", path.display())),
            Message::Saved(Err(error)) => self.state.say(error),
        }
        if let Some(screen) = &self.screen {
            screen.window.request_redraw();
        }
    }

    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        let flow = self
            .wake_up()
            .map_or(ControlFlow::Wait, ControlFlow::WaitUntil);
        event_loop.set_control_flow(flow);
    }

    fn exiting(&mut self, _: &ActiveEventLoop) {
        // The presenter must go before the display does.
        self.screen = None;
    }
}
