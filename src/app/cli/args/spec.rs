//! Which machine of the model, and what is changed in it.

use crate::app::cli::failure::Outcome;
use crate::app::cli::machine_input::load_machine;
use crate::gpu::machine::{MachineSpec, Overlay};

/// One machine.
#[derive(Debug, Clone, clap::Args)]
pub(in crate::app::cli) struct SpecArgs {
    /// A machine by name (`azulejo list` shows them) or a TOML file
    #[arg(
        short,
        long = "machine",
        value_name = "NAME|FILE",
        default_value = "valhall-libra-baseline"
    )]
    pub(in crate::app::cli) machine: String,
    /// Change a value of the machine, such as l2.size=1MiB
    #[arg(long = "set", value_name = "KEY=VALUE")]
    set: Vec<Overlay>,
}

impl SpecArgs {
    /// The machine with its changes.
    ///
    /// # Errors
    /// What is wrong in its name, file or a changed value.
    pub(in crate::app::cli) fn load(&self) -> Outcome<MachineSpec> {
        load_machine(&self.machine, &self.set)
    }
}
