//! Questions that need more than one frame, machine or scene, answered beside the papers' numbers.
//!
//! A [`Study`] is a value: figures of a paper, and all that is measured for them. [`STUDIES`] lists those of the program,
//! [`guide`] shows how to write one.
//!
//! ```
//! # mod azulejo { pub use azulejo_study as study; }
//! use azulejo::study::{Study, StudyOptions};
//!
//! let study = Study::find("boustro").ok_or("no such study")?;
//! let options = StudyOptions { figures: &["boustro.fig9"], ..StudyOptions::quick() };
//! let findings = study.run(&options, &())?;
//! let figure = &findings.figures[0];
//! assert_eq!(figure.stated.len(), figure.columns.len(), "a number of the paper for every bar");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Parts of studies stand alone as well:
//!
//! ```
//! # mod azulejo { pub use azulejo_gpu as gpu; pub use azulejo_grid as grid; pub use azulejo_study as study; pub use azulejo_trace as trace; }
//! use azulejo::gpu::machine::MachineSpec;
//! use azulejo::grid::TileGrid;
//! use azulejo::study::{Observer, Survey};
//! use azulejo::trace::InstructionClass;
//! use azulejo::trace::synthetic::{CoveredScreen, independent};
//!
//! let grid = TileGrid { width: 128, height: 64, tile_size: 32 };
//! let screen = CoveredScreen::new(grid, independent(InstructionClass::Alu, 10));
//! let mut survey = Survey::new(&MachineSpec::built_in("mali450-re", &[])?)?;
//! for number in 0..3 {
//!     let frame = screen.frame(number);
//!     survey.look(&frame); // its facts
//!     survey.model(&frame, 1)?; // and what it costs; it stands for itself alone
//! }
//! let character = survey.character();
//! assert_eq!(character.modelled_frames, 3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[doc = include_str!("guide.md")]
pub mod guide {}

mod assumptions;
mod boustro;
mod characterize;
mod definition;
mod elimination;
mod error;
mod figures;
mod hardware;
mod list;
mod measurement;
mod rates;
mod record;
mod sampling;
mod scheduling;
mod soc;
mod stated;
mod suite;
mod suites;
mod table;
mod work_tiles;
mod workload;

pub use assumptions::{ASSUMPTIONS, ASSUMPTIONS_STUDY, Assumption, Headline};
pub use boustro::{
    BOUSTRO_FIGURES, BOUSTRO_STUDY, BoustroError, BoustroGame, BoustroStudy, Direction,
    LEAST_BOUSTRO_FRAMES, LOOP_FIGURES, Misses, boustro_trends, loop_figure,
};
pub use characterize::{
    CHARACTER_COLUMNS, Character, CharacterColumn, ColumnForm, ColumnGroup, DramSplit, LoadTarget,
    ProgramShare, Survey, SurveyError, TargetBasis, TargetFinding, TargetOver, TargetValue,
    load_targets,
};
pub use definition::{
    Demos, Findings, Least, MOST_GROUPS, Measures, Needs, Setup, Study, StudyOptions, StudyTable,
    Usual,
};
pub use elimination::{
    FIGURES, Fragments, Game, GameStudy, LEAST_FRAMES, RE_STUDY, Spent, StudyError, Tiles, trends,
};
pub use error::RunError;
pub use figures::{Figure, FigureForm, FigureRow, FigureSpec, FigureTitle, Trend, Unit};
pub use hardware::{ADDED, AREA_FIGURES, AREA_STUDY, AddedMemory, Hardware};
pub use list::STUDIES;
pub use measurement::{Measure, MeasureOf, Measurement};
pub use rates::{Published, Rate, rates};
pub use record::Record;
pub use sampling::{
    ELIMINATION_WARM_UP, FRAME_BUFFERS, FrameSource, Observer, Representative, SAMPLING_FIGURES,
    SAMPLING_STUDY, Sample, Sampling, SamplingError, walk,
};
pub use scheduling::{
    Bounds, Contestant, Cost, KHEPRI_FIGURES, KHEPRI_STUDY, LIBRA_FIGURES, LIBRA_STUDY,
    SENSITIVITY_FIGURES, SENSITIVITY_STUDY, SWEEP_FIGURES, SWEEP_STUDY, ScheduledGame,
    SchedulingStudy, Spread, TileChanges, khepri_lineup, khepri_trends, libra_lineup, libra_trends,
    sensitivity_lineup, sensitivity_trends, sweep_lineup, sweep_trends,
};
pub use soc::{
    EM1_FIGURES, EM1_STUDY, SharedCost, SharedMachine, SocGame, em1_game, em1_lineup, em1_trends,
};
pub use stated::{
    Column, Compared, Ours, Over, PaperNumber, Stated, Terms, Value, Verdict, compare, numbers,
};
pub use suite::Suite;
pub use suites::{PAPER_SUITES, PaperGame, PaperSuite, StandIn};
pub use work_tiles::{
    EM2_FIGURES, EM2_STUDY, Phases, WORK_TILES, WorkTileCost, WorkTileGame, WorkTileStudy,
    choose_for_all, em2_trends, work_tile_lineup,
};
pub use workload::{DemoWorkload, Drawer, Keep, Problem, Progress, Workload, drawer};
