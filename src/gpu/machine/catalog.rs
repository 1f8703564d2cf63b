//! The machines that come with the program.

use super::file::load_machine;
use super::spec::MachineSpec;
use crate::parameters::{Overlay, ParameterError};

/// A machine file inside the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BuiltIn {
    /// As users call it.
    pub name: &'static str,
    /// Description in one line, for lists of machines.
    pub about: &'static str,
    /// The text of its file.
    pub text: &'static str,
}

/// All of them, paper by paper.
pub const BUILT_IN: &[BuiltIn] = &[
    BuiltIn {
        name: "mali450-re",
        about: "Rendering Elimination's GPU: Mali-450, 4 fragment processors, LPDDR3",
        text: include_str!("../../../assets/machines/mali450-re.toml"),
    },
    BuiltIn {
        name: "boustrophedonic",
        about: "Boustrophedonic Frames' GPU: 4 cores at 600 MHz, 1 MiB L2",
        text: include_str!("../../../assets/machines/boustrophedonic.toml"),
    },
    BuiltIn {
        name: "valhall-libra-baseline",
        about: "LIBRA's baseline: one Raster Unit of 8 Valhall cores, LPDDR4-2400",
        text: include_str!("../../../assets/machines/valhall-libra-baseline.toml"),
    },
    BuiltIn {
        name: "valhall-libra",
        about: "LIBRA's GPU: 2 Raster Units of 4 cores, tiles dealt in turn",
        text: include_str!("../../../assets/machines/valhall-libra.toml"),
    },
    BuiltIn {
        name: "valhall-khepri-baseline",
        about: "KHEPRI's baseline: 2 Raster Units of 4 cores, least occupied first, LPDDR4-3200",
        text: include_str!("../../../assets/machines/valhall-khepri-baseline.toml"),
    },
    BuiltIn {
        name: "valhall-khepri",
        about: "KHEPRI's GPU: 4 compute cores and 4 memory cores",
        text: include_str!("../../../assets/machines/valhall-khepri.toml"),
    },
    BuiltIn {
        name: "emerald-soc",
        about: "Emerald, case study I: 4 SIMT cores, 4 cores of a CPU and a display on LPDDR3-1333",
        text: include_str!("../../../assets/machines/emerald-soc.toml"),
    },
    BuiltIn {
        name: "emerald-soc-133",
        about: "The same under high load: memory of a tenth of the speed",
        text: include_str!("../../../assets/machines/emerald-soc-133.toml"),
    },
    BuiltIn {
        name: "emerald-soc-hmc",
        about: "emerald-soc with a channel for the CPUs and one for GPU and display",
        text: include_str!("../../../assets/machines/emerald-soc-hmc.toml"),
    },
    BuiltIn {
        name: "emerald-gpu",
        about: "Emerald, case study II: 6 SIMT clusters on four channels of LPDDR3-1600",
        text: include_str!("../../../assets/machines/emerald-gpu.toml"),
    },
];

/// The TOML of a built-in machine.
#[must_use]
pub fn built_in(name: &str) -> Option<&'static str> {
    let found = BUILT_IN.iter().find(|machine| machine.name == name);
    found.map(|machine| machine.text)
}

impl MachineSpec {
    /// A built-in machine with changes.
    ///
    /// # Errors
    /// If there is no such machine, or a change is refused.
    pub fn built_in(name: &str, overlays: &[Overlay]) -> Result<Self, ParameterError> {
        let text = find_built_in(name).map_err(|expected| ParameterError {
            file: "machines".to_owned(),
            key: "name".to_owned(),
            value: name.chars().take(80).collect(),
            expected,
        })?;
        load_machine(name, &text, &find_built_in, overlays)
    }
}

/// The text of a built-in machine, or the names that there are.
fn find_built_in(name: &str) -> Result<String, String> {
    let names = || BUILT_IN.iter().map(|machine| machine.name);
    let text = built_in(name).map(str::to_owned);
    text.ok_or_else(|| format!("one of {}", names().collect::<Vec<_>>().join(", ")))
}
