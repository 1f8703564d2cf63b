//! What was measured, for people and for programs: tables, JSON, heat maps. Takes counters and reports, gives text and
//! pixels; writes nowhere.

mod counters;
pub mod heatmap;
mod table;
mod text;

pub use counters::{FrameRecord, counters_table, frames_table};
pub use heatmap::{Bitmap, HeatMap};
pub use table::{Align, aligned};
pub use text::{bytes, grouped, percent};
