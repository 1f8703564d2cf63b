//! Choice of the machine's own request scheduler in a specification.

use serde::{Deserialize, Serialize};

/// Order among requests of different banks, where no technique sets one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RequestOrder {
    /// Banks take turns, as in DRAMsim3: [`FrFcfs`](super::FrFcfs).
    #[default]
    BanksInTurn,
    /// The oldest request to an open row, else the oldest, as in gem5: [`FirstReady`](super::FirstReady).
    FirstReady,
}
