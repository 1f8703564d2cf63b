//! Inspector: a frozen frame taken apart on a thread of its own. Jobs go in, answers come back as messages;
//! [`azulejo_inspect`] answers them as for `azulejo inspect`.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use super::model::NamedMachine;
use super::plan::FramePlan;
use super::render_thread::step_back;
use azulejo_gpu::{FrameReport, Gpu};
use azulejo_inspect::{
    FramePlanes, FrameView, Hint, LevelReads, PaintedView, TileHistory, draw_costs, draws_table,
    frame_planes, hints, texture_reads, tile_history, tile_table,
};
use azulejo_render::{Picture, Recording, Renderer, SimdLevel, Tracing};
use azulejo_report::heatmap::Legend;
use azulejo_shot::{Still, facts};
use azulejo_trace::{FrameCounters, FrameTrace};

/// Part of a pixel's light that is left where another draw is meant.
const DIMMED: f32 = 0.18;

/// Question about the frame that was frozen last.
#[derive(Debug, Clone)]
enum Job {
    /// Another frame: its draws and textures.
    Freeze(u64, Box<FramePlan>),
    /// The tile in this column and row.
    Tile(u64, [u32; 2]),
    /// Another picture of the frame.
    Look(u64, Look),
}

/// Picture that replaces the colours of the frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Look {
    /// A property of every pixel.
    View(FrameView),
    /// One draw, the others in the dark.
    Draw(u32),
}

/// Answer, with the number of the freeze that it is about.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) freeze: u64,
    pub(super) found: Found,
}

/// Content of the answer to a [`Job`].
#[derive(Debug)]
pub(super) enum Found {
    /// Draws and hints; comes again when the machine has run.
    Draws(DrawList),
    /// Texels read of each mip level of the scene's images.
    Textures(Vec<Vec<LevelReads>>),
    /// The history of one tile.
    Tile(Box<TileTable>),
    /// The frame painted as a [`Look`] asks.
    Look(Look, Picture, Legend),
    /// A sentence that says why the job could not be done.
    Nothing(String),
}

/// Draws of the frame with their costs.
#[derive(Debug)]
pub(super) struct DrawList {
    /// Measures beyond their thresholds, for people.
    pub(super) hints: Vec<Hint>,
    /// The table of `azulejo inspect`, line by line, the header first.
    pub(super) lines: Vec<String>,
    /// Whether a machine's costs are still to come.
    pub(super) modelling: bool,
}

/// A tile's history with its table as text.
#[derive(Debug)]
pub(super) struct TileTable {
    pub(super) history: TileHistory,
    /// The title, the header, a line for each step.
    pub(super) lines: Vec<String>,
}

/// Window's end of the inspector thread, with all answers about the frozen frame.
#[derive(Debug)]
pub(super) struct Inspection {
    jobs: Sender<Job>,
    freeze: u64,
    /// Plan of the frame that is taken apart.
    pub(super) plan: Option<FramePlan>,
    pub(super) draws: Option<DrawList>,
    pub(super) textures: Option<Vec<Vec<LevelReads>>>,
    pub(super) tile_table: Option<Box<TileTable>>,
    pub(super) look: Option<(Look, Picture, Legend)>,
    asked_tile: Option<[u32; 2]>,
    asked_look: Option<Look>,
}

impl Inspection {
    /// Starts the thread; `deliver` is called with each answer, from any thread.
    ///
    /// # Errors
    /// If the operating system refuses.
    pub(super) fn start(
        machine: Option<NamedMachine>,
        simd: SimdLevel,
        deliver: impl Fn(Answer) + Send + Sync + 'static,
    ) -> Result<Self, String> {
        let (jobs, inbox) = channel();
        let deliver: Deliver = Arc::new(deliver);
        let body = move || {
            step_back();
            match Renderer::new(0, simd) {
                Ok(renderer) => InspectWorker::new(renderer, machine, deliver).work(&inbox),
                Err(error) => deliver(Answer {
                    freeze: 0,
                    found: Found::Nothing(error.to_string()),
                }),
            }
        };
        thread::Builder::new()
            .name("inspector".to_owned())
            .spawn(body)
            .map_err(|error| error.to_string())?;
        Ok(Self {
            jobs,
            freeze: 0,
            plan: None,
            draws: None,
            textures: None,
            tile_table: None,
            look: None,
            asked_tile: None,
            asked_look: None,
        })
    }

    /// Takes another frame, unless it is this one; all answers about the last are forgotten.
    pub(super) fn freeze(&mut self, plan: &FramePlan) {
        let known = self.plan.as_ref();
        if known.is_some_and(|known| known.is_same_frame(plan)) {
            return;
        }
        self.freeze += 1;
        self.plan = Some(plan.clone());
        (self.draws, self.textures, self.tile_table, self.look) = (None, None, None, None);
        (self.asked_tile, self.asked_look) = (None, None);
        self.send(Job::Freeze(self.freeze, Box::new(plan.clone())));
    }

    /// Asks for a tile, once.
    pub(super) fn want_tile(&mut self, tile: [u32; 2]) {
        if self.asked_tile.replace(tile) != Some(tile) {
            self.send(Job::Tile(self.freeze, tile));
        }
    }

    /// Asks for a picture, once; or for the frame's own colours.
    pub(super) fn want_look(&mut self, look: Option<Look>) {
        if self.asked_look == look {
            return;
        }
        self.asked_look = look;
        match look {
            Some(look) => self.send(Job::Look(self.freeze, look)),
            None => self.look = None,
        }
    }

    fn send(&self, job: Job) {
        // A thread that ended has answered with its reason.
        let _ = self.jobs.send(job);
    }

    /// Takes in an answer; returns the sentence of one that says why there is none.
    pub(super) fn take(&mut self, answer: Answer) -> Option<String> {
        if answer.freeze != self.freeze {
            return None;
        }
        match answer.found {
            Found::Draws(draws) => self.draws = Some(draws),
            Found::Textures(textures) => self.textures = Some(textures),
            Found::Tile(tile_table) => self.tile_table = Some(tile_table),
            Found::Look(look, picture, legend) => {
                // Another look may be asked for by now.
                if self.asked_look == Some(look) {
                    self.look = Some((look, picture, legend));
                }
            }
            Found::Nothing(why) => return Some(why),
        }
        None
    }
}

type Deliver = Arc<dyn Fn(Answer) + Send + Sync>;

/// Worker of the inspector thread: the renderer and the frozen frame.
struct InspectWorker {
    renderer: Renderer,
    machine: Option<NamedMachine>,
    deliver: Deliver,
    frozen: Option<Frozen>,
}

struct Frozen {
    freeze: u64,
    still: Still,
    counters: Option<FrameCounters>,
    planes: Option<FramePlanes>,
}

impl InspectWorker {
    fn new(renderer: Renderer, machine: Option<NamedMachine>, deliver: Deliver) -> Self {
        Self {
            renderer,
            machine,
            deliver,
            frozen: None,
        }
    }

    fn work(&mut self, inbox: &Receiver<Job>) {
        let mut traced = 0;
        while let Ok(job) = inbox.recv() {
            self.answer(job);
            // The longest work comes when nothing else is asked.
            while let Ok(job) = inbox.try_recv() {
                self.answer(job);
            }
            let now = self.frozen.as_ref().map_or(0, |frozen| frozen.freeze);
            if traced != now {
                traced = now;
                self.trace();
            }
        }
    }

    fn answer(&mut self, job: Job) {
        let (freeze, found) = match job {
            Job::Freeze(freeze, plan) => {
                let still = plan.still();
                self.frozen = Some(Frozen {
                    freeze,
                    still,
                    counters: None,
                    planes: None,
                });
                (freeze, self.draws())
            }
            Job::Tile(freeze, tile) => (freeze, self.history(tile)),
            Job::Look(freeze, look) => (freeze, self.look(look)),
        };
        if let Some(found) = found {
            (self.deliver)(Answer { freeze, found });
        }
    }

    fn draws(&mut self) -> Option<Found> {
        let frozen = self.frozen.as_mut()?;
        let still = &frozen.still;
        let list = still.draws();
        let frame = self.renderer.draw(&list, Recording::Counters);
        self.renderer.recycle(frame.picture);
        let modelling = self.machine.is_some();
        let counters = frozen.counters.insert(frame.counters?);
        let list = draw_list(still, counters, None);
        Some(Found::Draws(DrawList { modelling, ..list }))
    }

    fn history(&mut self, [column, row]: [u32; 2]) -> Option<Found> {
        let list = self.frozen.as_ref()?.still.draws();
        Some(match tile_history(&mut self.renderer, &list, column, row) {
            Ok(history) => Found::Tile(Box::new(TileTable {
                lines: lines(&tile_table(&history)),
                history,
            })),
            Err(error) => Found::Nothing(error.to_string()),
        })
    }

    fn look(&mut self, look: Look) -> Option<Found> {
        let Frozen { still, planes, .. } = self.frozen.as_mut()?;
        let renderer = &mut self.renderer;
        let planes = planes.get_or_insert_with(|| frame_planes(renderer, &still.draws()));
        let PaintedView { pixels, legend } = match look {
            Look::View(view) => planes.paint(view, still.view.clip_from_view),
            Look::Draw(draw) => PaintedView {
                pixels: one_draw(planes, draw),
                legend: Legend::default(),
            },
        };
        let picture = Picture {
            width: planes.grid.width,
            height: planes.grid.height,
            pixels,
        };
        Some(Found::Look(look, picture, legend))
    }

    /// Does everything that a machine needs: texels read, and then, on another thread, the costs.
    fn trace(&mut self) {
        let Some(Frozen {
            freeze,
            still,
            counters: Some(counters),
            ..
        }) = &self.frozen
        else {
            return;
        };
        if let Err(error) = facts::check_counted(&counters.raster) {
            (self.deliver)(Answer {
                freeze: *freeze,
                found: Found::Nothing(error.to_string()),
            });
            return;
        }
        let trace = facts::trace_checked(&mut self.renderer, &still.draws(), Tracing::default());
        let reads = texture_reads(&trace);
        let textures = reads.iter().zip(&still.content.scene.images);
        let levels = textures.map(|(reads, image)| reads.levels(image));
        (self.deliver)(Answer {
            freeze: *freeze,
            found: Found::Textures(levels.collect()),
        });
        let Some(machine) = self.machine.clone() else {
            return;
        };
        let (freeze, still) = (*freeze, still.clone());
        let (counters, deliver) = (counters.clone(), Arc::clone(&self.deliver));
        let body = move || {
            let found = match execute(&machine, &trace) {
                Ok(report) => Found::Draws(draw_list(&still, &counters, Some(&report))),
                Err(error) => Found::Nothing(format!("{}: {error}", machine.name)),
            };
            deliver(Answer { freeze, found });
        };
        // Without a thread to spare there are draws without the machine's costs.
        let _ = thread::Builder::new().name("costs".to_owned()).spawn(body);
    }
}

/// Executes the frame alone, on a machine that has seen no other.
fn execute(machine: &NamedMachine, trace: &FrameTrace) -> Result<FrameReport, String> {
    let mut gpu = Gpu::new(&machine.spec).map_err(|error| error.to_string())?;
    gpu.run_frame(trace).map_err(|error| error.to_string())
}

fn draw_list(still: &Still, counters: &FrameCounters, report: Option<&FrameReport>) -> DrawList {
    let costs = draw_costs(&still.draws(), counters, report);
    let hints = hints(&costs, still.settings.grid(), report);
    DrawList {
        lines: lines(&draws_table(&costs)),
        hints,
        modelling: false,
    }
}

fn lines(text: &str) -> Vec<String> {
    text.lines().map(str::to_owned).collect()
}

/// Picture with everything but one draw in the dark.
fn one_draw(planes: &FramePlanes, draw: u32) -> Vec<[u8; 4]> {
    let dark = |code: u8| (f32::from(code) * DIMMED) as u8;
    let pixels = planes.picture.iter().zip(&planes.draw);
    pixels
        .map(|(&[r, g, b, a], &seen)| {
            if seen == draw {
                [r, g, b, a]
            } else {
                [dark(r), dark(g), dark(b), 255]
            }
        })
        .collect()
}
