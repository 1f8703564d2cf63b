//! Render thread: takes the newest plan, gives back a frame. The window asks and goes on; a slow frame never delays its
//! answers.
//!
//! Drawing threads run at a lower priority than the window, so that input is answered although all cores draw. A large
//! frame that is under way is given up as soon as a smaller one is wanted, which is what happens when the camera begins to
//! move.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::plan::FramePlan;
use azulejo_render::elimination::{Onto, SwapChain, TileOutcomes};
use azulejo_render::{FrameInput, Picture, Recording, Renderer, SimdLevel, Stage};
use azulejo_report::HeatMap;
use azulejo_report::heatmap::TILE_FACTS;
use azulejo_shot::facts::{self, TooManyFacts};
use azulejo_trace::FrameCounters;

/// Frame that is drawn, with its measurements.
#[derive(Debug)]
pub(super) struct DrawnFrame {
    /// The plan that it was drawn by.
    pub(super) plan: FramePlan,
    /// Its pixels, with the size that the plan asked for.
    pub(super) picture: Picture,
    /// Counters, if the plan asked for them.
    pub(super) counters: Option<FrameCounters>,
    /// Milliseconds that each stage took.
    pub(super) times: StageTimes,
    /// Tiles that a technique left out, and why, where one may.
    pub(super) kept: Option<TileOutcomes>,
    /// A map for each of [`TILE_FACTS`], or why there can be none; none unless the plan asked for them.
    pub(super) facts: Result<Vec<HeatMap>, TooManyFacts>,
    /// Frames that the renderer had drawn before, by which orders alternate.
    pub(super) drawn_before: u64,
}

/// Milliseconds of the stages on the host.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct StageTimes {
    /// Animation, scene graph and draw list.
    pub(super) scene: f64,
    /// Shading programs and their constants.
    pub(super) preparation: f64,
    /// From vertices to triangles.
    pub(super) geometry: f64,
    /// From triangles to tile lists.
    pub(super) tiling: f64,
    /// From tiles to pixels.
    pub(super) raster: f64,
}

impl StageTimes {
    /// Milliseconds of all stages together.
    pub(super) fn total(&self) -> f64 {
        self.scene + self.preparation + self.geometry + self.tiling + self.raster
    }

    fn set(&mut self, stage: Stage, ms: f64) {
        match stage {
            Stage::Preparation => self.preparation = ms,
            Stage::Geometry => self.geometry = ms,
            Stage::Tiling => self.tiling = ms,
            Stage::Raster => self.raster = ms,
        }
    }
}

/// Window's end of the render thread. Dropping it ends the thread.
#[derive(Debug)]
pub(super) struct RenderThread {
    mailbox: Arc<Mailbox>,
    thread: Option<JoinHandle<()>>,
    /// Raster Units that draw.
    pub(super) threads: usize,
    /// Instruction set that they use.
    pub(super) simd: SimdLevel,
}

/// State that window and render thread share: the newest plan, and the order to give up.
#[derive(Debug)]
struct Mailbox {
    inbox: Mutex<Inbox>,
    filled: Condvar,
    interrupt: Arc<AtomicBool>,
}

#[derive(Debug, Default)]
struct Inbox {
    wanted: Option<FramePlan>,
    /// Picture whose memory may be drawn into.
    spare: Option<Picture>,
    /// Pixels of the frame that is being drawn.
    under_way: Option<u64>,
    /// Set when the window is gone.
    closed: bool,
}

/// Nice value of threads that draw (POSIX: 0 is normal, 19 yields to all others).
#[cfg(target_os = "linux")]
const NICE: i32 = 5;

/// Lowers the priority of this thread and of those that it will start.
pub(super) fn step_back() {
    // Linux gives every thread a nice value of its own, which new ones inherit. Refused or unknown: only latency suffers.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::nice(NICE);
}

impl RenderThread {
    /// Starts the thread with `threads` Raster Units (0: one for each core), which draw into the buffers of `chain` in turn
    /// where there is one; `deliver` is called on it with each frame.
    ///
    /// # Errors
    /// If the operating system refuses threads, or the machine lacks the SIMD level.
    pub(super) fn start(
        threads: usize,
        simd: SimdLevel,
        chain: Option<SwapChain>,
        deliver: impl Fn(DrawnFrame) + Send + 'static,
    ) -> Result<Self, String> {
        let (ready, started) = std::sync::mpsc::sync_channel(1);
        let mailbox = Arc::new(Mailbox {
            inbox: Mutex::default(),
            filled: Condvar::new(),
            interrupt: Arc::default(),
        });
        let own = Arc::clone(&mailbox);
        let body = move || {
            step_back();
            let renderer = Renderer::new(threads, simd);
            // The receiver waits for exactly this.
            let _ = ready.send(match &renderer {
                Ok(renderer) => Ok((renderer.threads(), renderer.simd())),
                Err(error) => Err(error.to_string()),
            });
            if let Ok(mut renderer) = renderer {
                renderer.interrupt = Arc::clone(&own.interrupt);
                own.work(&mut RenderWorker { renderer, chain }, deliver);
            }
        };
        let refused = |error: String| format!("cannot start the Raster Units: {error}");
        let thread = thread::Builder::new()
            .name("render".to_owned())
            .spawn(body)
            .map_err(|error| refused(error.to_string()))?;
        let gone = |_| Err("their thread ended".to_owned());
        let (threads, simd) = started.recv().unwrap_or_else(gone).map_err(refused)?;
        Ok(Self {
            mailbox,
            thread: Some(thread),
            threads,
            simd,
        })
    }

    /// Replaces the next frame to draw; one that is not begun is forgotten, and a larger one under way is given up.
    pub(super) fn want(&self, plan: FramePlan) {
        self.mailbox.put(&mut self.mailbox.inbox(), plan);
    }

    /// Gives back a picture that is no longer shown; the next frame is drawn into its memory.
    pub(super) fn recycle(&self, picture: Picture) {
        self.mailbox.inbox().spare = Some(picture);
    }
}

impl Drop for RenderThread {
    fn drop(&mut self) {
        self.mailbox.inbox().closed = true;
        self.mailbox.interrupt.store(true, Ordering::Relaxed);
        self.mailbox.filled.notify_one();
        if let Some(thread) = self.thread.take() {
            // A panicking thread has printed its message.
            let _ = thread.join();
        }
    }
}

impl Mailbox {
    fn inbox(&self) -> MutexGuard<'_, Inbox> {
        // Every holder leaves it in order.
        self.inbox.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn put(&self, inbox: &mut Inbox, plan: FramePlan) {
        if inbox.under_way.is_some_and(|pixels| plan.pixels() < pixels) {
            self.interrupt.store(true, Ordering::Relaxed);
        }
        inbox.wanted = Some(plan);
        self.filled.notify_one();
    }

    fn work(&self, worker: &mut RenderWorker, deliver: impl Fn(DrawnFrame)) {
        while let Some((plan, spare)) = self.next() {
            let frame = worker.draw(plan, spare);
            let given_up = {
                let mut inbox = self.inbox();
                inbox.under_way = None;
                self.interrupt.swap(false, Ordering::Relaxed)
            };
            if given_up {
                self.inbox().spare = Some(frame.picture);
            } else {
                deliver(frame);
            }
        }
    }

    /// Waits for a plan, which comes with a picture to reuse, if there is one; nothing once the window is gone.
    fn next(&self) -> Option<(FramePlan, Option<Picture>)> {
        let mut inbox = self.inbox();
        loop {
            if inbox.closed {
                return None;
            }
            if let Some(plan) = inbox.wanted.take() {
                inbox.under_way = Some(plan.pixels());
                self.interrupt.store(false, Ordering::Relaxed);
                return Some((plan, inbox.spare.take()));
            }
            let waited = self.filled.wait(inbox);
            inbox = waited.unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Worker of the render thread: the renderer and the buffers that it draws into.
struct RenderWorker {
    renderer: Renderer,
    /// Frame buffers that keep what they hold, where a technique needs them.
    chain: Option<SwapChain>,
}

impl RenderWorker {
    /// Draws a frame, perhaps into the memory of `spare`.
    fn draw(&mut self, plan: FramePlan, spare: Option<Picture>) -> DrawnFrame {
        let start = Instant::now();
        let still = plan.still();
        let mut before = start.elapsed();
        let mut times = StageTimes {
            scene: milliseconds(before),
            ..StageTimes::default()
        };
        let recording = if plan.extras.counters {
            Recording::Counters
        } else {
            Recording::Off
        };
        let mut done = |stage| {
            let now = start.elapsed();
            times.set(stage, milliseconds(now - before));
            before = now;
        };
        let input = still.input();
        let (picture, counters, kept) = self.render(&input, spare, recording, &mut done);
        let drawn_before = self.renderer.frames_drawn().saturating_sub(1);
        let facts = if plan.extras.facts {
            self.facts(&input)
        } else {
            Ok(Vec::new())
        };
        DrawnFrame {
            plan,
            picture,
            counters,
            times,
            kept,
            facts,
            drawn_before,
        }
    }

    fn render(
        &mut self,
        input: &FrameInput<'_>,
        spare: Option<Picture>,
        recording: Recording,
        done: &mut dyn FnMut(Stage),
    ) -> (Picture, Option<FrameCounters>, Option<TileOutcomes>) {
        let Some(chain) = &mut self.chain else {
            if let Some(picture) = spare {
                self.renderer.recycle(picture);
            }
            let list = input.draws();
            done(Stage::Preparation);
            let frame = self.renderer.draw_by_stages(&list, recording, done);
            return (frame.picture, frame.counters, None);
        };
        let buffer = chain.next_buffer();
        let list = input.draws();
        done(Stage::Preparation);
        let onto = Onto {
            recording,
            ..Onto::new(buffer)
        };
        let redrawn = self.renderer.draw_by_stages(&list, onto, done);
        // The buffer keeps its own picture for the frame after the next.
        let mut picture = spare.unwrap_or_default();
        picture.clone_from(buffer.picture());
        (picture, redrawn.counters, Some(redrawn.tiles))
    }

    /// Heat map of each of [`TILE_FACTS`], from a trace of the frame.
    fn facts(&mut self, input: &FrameInput<'_>) -> Result<Vec<HeatMap>, TooManyFacts> {
        let trace = facts::trace(&mut self.renderer, &input.draws())?;
        let grid = input.settings.grid();
        let measures = TILE_FACTS.iter();
        let maps = measures.map(|measure| HeatMap::of_tiles(grid, &trace.tiles, measure));
        Ok(maps.collect())
    }
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, channel};

    use super::*;
    use crate::window::opened::Opened;
    use crate::window::opened::tests::demo;
    use crate::window::plan::Extras;

    fn plan(width: u32, height: u32) -> FramePlan {
        let Opened { shot, texts } = demo();
        FramePlan {
            shot: shot.sized(width, height),
            texts,
            seconds: 1.5,
            extras: Extras {
                counters: true,
                facts: false,
            },
        }
    }

    fn started(chain: Option<SwapChain>) -> (RenderThread, Receiver<DrawnFrame>) {
        let (sender, frames) = channel();
        let deliver = move |frame| {
            // A test that ended early receives no more.
            let _ = sender.send(frame);
        };
        let thread = RenderThread::start(2, SimdLevel::Auto, chain, deliver).expect("two threads");
        (thread, frames)
    }

    #[test]
    fn render_thread_draws_what_the_renderer_draws() {
        let (thread, frames) = started(None);
        let plan = plan(200, 120);
        thread.want(plan.clone());
        let frame = frames.recv().expect("a frame");
        let mut renderer = Renderer::new(1, SimdLevel::Auto).expect("one thread");
        let own = renderer.draw(&plan.still().draws(), Recording::Counters);
        assert_eq!(frame.picture, own.picture, "the same bytes");
        assert_eq!(frame.counters, own.counters, "the same counters");
        assert!(frame.times.total() > 0.0, "it took its time");
    }

    #[test]
    fn render_thread_leaves_out_tiles_that_its_buffer_holds() {
        let (thread, frames) = started(Some(SwapChain::new(1, None)));
        let plan = plan(200, 120);
        thread.want(plan.clone());
        let first = frames.recv().expect("a frame");
        thread.want(FramePlan {
            extras: Extras::default(),
            ..plan
        });
        let second = frames.recv().expect("a frame");
        let kept = |frame: &DrawnFrame| frame.kept.as_ref().map(TileOutcomes::n_kept);
        assert_eq!(kept(&first), Some(0), "nothing is known of a new buffer");
        assert_eq!(kept(&second), Some(28), "7 by 4 tiles stand");
        assert_eq!(first.picture, second.picture, "the same bytes");
    }

    #[test]
    fn render_thread_measures_facts_if_asked_to() {
        let (thread, frames) = started(None);
        let mut plan = plan(200, 120);
        plan.extras.facts = true;
        thread.want(plan);
        let frame = frames.recv().expect("a frame");
        let facts = frame.facts.expect("few quads");
        assert_eq!(facts.len(), TILE_FACTS.len(), "a map each");
        assert!(facts[0].max() > 0.0, "sprites read texels");
    }

    #[test]
    fn render_thread_gives_up_a_large_frame_for_a_small_one() {
        let (thread, frames) = started(None);
        // While the inbox is locked, a frame under way cannot be handed over.
        let mut inbox = loop {
            let mut inbox = thread.mailbox.inbox();
            if inbox.under_way.is_some() {
                break inbox;
            }
            if inbox.wanted.is_none() {
                thread.mailbox.put(&mut inbox, plan(2048, 2048));
            }
            drop(inbox);
            thread::yield_now();
        };
        // Drops frames that came and went unseen.
        frames.try_iter().for_each(drop);
        thread.mailbox.put(&mut inbox, plan(64, 64));
        drop(inbox);
        let frame = frames.recv().expect("a frame");
        assert_eq!(frame.picture.width, 64, "the large one never comes");
        thread.want(plan(128, 64));
        let frame = frames.recv().expect("a frame");
        assert_eq!(frame.picture.width, 128, "the next one does");
    }
}
