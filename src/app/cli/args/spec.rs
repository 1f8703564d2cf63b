//! Options of a machine of the model, and of changes to it.

use crate::cli::failure::Outcome;
use crate::cli::machine_input::load_machine;
use azulejo_gpu::machine::{MachineSpec, Overlay};

/// The machine where none is named and a command has no other.
pub(in crate::cli) const DEFAULT_MACHINE: &str = "valhall-libra-baseline";

/// Options of one machine.
#[derive(Debug, Clone, clap::Args)]
pub(in crate::cli) struct SpecArgs {
    /// A machine of `azulejo list`, or a TOML file [default: valhall-libra-baseline]
    #[arg(short, long, value_name = "NAME|FILE")]
    machine: Option<String>,
    /// Change a value of the machine, such as l2.size=1MiB
    #[arg(long = "set", value_name = "KEY=VALUE")]
    set: Vec<Overlay>,
}

impl SpecArgs {
    /// Whether a machine is named.
    pub(in crate::cli) const fn names_one(&self) -> bool {
        self.machine.is_some()
    }

    /// Name or file of the machine, `usual` where none is named.
    pub(in crate::cli) fn name_or<'a>(&'a self, usual: &'a str) -> &'a str {
        self.machine.as_deref().unwrap_or(usual)
    }

    /// Changed values, in order.
    pub(in crate::cli) fn changes(&self) -> &[Overlay] {
        &self.set
    }

    /// Loads the machine with its changes.
    ///
    /// # Errors
    /// A name, file or changed value that is wrong.
    pub(in crate::cli) fn load_or(&self, usual: &str) -> Outcome<MachineSpec> {
        load_machine(self.name_or(usual), &self.set)
    }
}
