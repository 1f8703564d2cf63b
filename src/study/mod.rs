//! Questions that need more than one frame, machine or scene, answered beside the papers' numbers.
//!
//! ```
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

mod boustro;
mod characterize;
mod elimination;
mod figures;
mod forms;
mod hardware;
mod notes;
mod rates;
mod sampling;
mod scheduling;
mod soc;
mod stated;
mod work_tiles;

pub use boustro::{
    BOUSTRO_FIGURES, BoustroError, BoustroGame, BoustroStudy, Direction, LEAST_BOUSTRO_FRAMES,
    LOOP_FIGURES, Misses, boustro_trends, loop_figure,
};
pub use characterize::{Character, DramSplit, Survey, SurveyError};
pub use elimination::{
    FIGURES, Fragments, Game, GameStudy, LEAST_FRAMES, Spent, StudyError, Tiles, trends,
};
pub use figures::{Figure, FigureRow, FigureSpec, Trend, Unit};
pub use forms::{FigureForm, figure_form};
pub use hardware::{ADDED, AREA_FIGURES, AddedMemory, Hardware};
pub use notes::figure_note;
pub use rates::{Published, Rate, rates};
pub use sampling::{
    ELIMINATION_WARM_UP, FRAME_BUFFERS, FrameSource, Observer, Representative, SAMPLING_FIGURES,
    Sample, Sampling, SamplingError, walk,
};
pub use scheduling::{
    Contestant, Cost, KHEPRI_FIGURES, LIBRA_FIGURES, SWEEP_FIGURES, ScheduledGame, SchedulingStudy,
    Spread, TileChanges, khepri_lineup, khepri_trends, libra_lineup, libra_trends, sweep_lineup,
    sweep_trends,
};
pub use soc::{EM1_FIGURES, SharedCost, SharedMachine, SocGame, em1_game, em1_lineup, em1_trends};
pub use stated::{
    Column, Compared, EM1_MODELS, Ours, Over, PaperNumber, Stated, Terms, Value, Verdict, compare,
    numbers, stand_in,
};
pub use work_tiles::{
    EM2_FIGURES, Phases, WORK_TILES, WorkTileCost, WorkTileGame, WorkTileStudy, choose_for_all,
    em2_trends, work_tile_lineup,
};
