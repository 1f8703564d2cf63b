//! Sweeps: every scene on every machine with every set of techniques and every change of parameters. A text becomes a
//! [`Plan`], whose [`Point`]s are counted and never listed; a point is known by a [`Fingerprint`] of all that decides its
//! numbers, under which its [`PointResult`] is kept; results become a table.
//!
//! Nothing here reads files or clocks: running points and storing their results is left to the program.
//!
//! ```
//! # mod azulejo { pub use azulejo_sweep as sweep; }
//! use azulejo::sweep::Plan;
//!
//! let text = r#"
//!     scenes = ["match3", "arena"]
//!     machines = ["valhall-libra"]
//!     techniques = ["none", "libra", "re+libra"]
//!     frames = 4
//!     [set]
//!     "l2.size" = ["512KiB", "1MiB"]
//! "#;
//! let plan = Plan::read("sweep.toml", text)?;
//! assert_eq!(plan.n_points(), 2 * 1 * 3 * 2);
//! let last = plan.point(11).ok_or("there are twelve")?;
//! assert_eq!((last.scene, last.technique, last.changes[0].value), ("arena", "re+libra", "1MiB"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod fingerprint;
mod page;
mod plan;
mod result;
mod seal;
mod table;
mod total;
mod version;

pub use fingerprint::Fingerprint;
pub use page::sections;
pub use plan::{Change, Dimension, MAX_POINTS, NO_TECHNIQUE, Plan, Point, Range};
pub use result::PointResult;
pub use seal::{ResultError, seal, unseal};
pub use table::{Row, SweepTable};
pub use version::RESULTS_VERSION;
