//! Which of the machine's own request schedulers a specification asks for.

use serde::{Deserialize, Serialize};

/// Who goes first among requests of different banks, where no technique says so.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RequestOrder {
    /// Banks take turns, as in DRAMsim3: [`FrFcfs`](super::FrFcfs).
    #[default]
    BanksInTurn,
    /// The oldest of those whose row is open, else the oldest, as in gem5: [`FirstReady`](super::FirstReady).
    FirstReady,
}
