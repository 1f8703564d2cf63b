//! Capacity of cores for workgroups: all of one's invocations run on one core at the same time.

use super::MachineSpec;
use azulejo_trace::FrameTrace;

/// A workgroup that no core of a machine holds.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "dispatch `{dispatch}` has workgroups of {threads} invocations, and cores of {machine} hold {most}: take smaller workgroups, or set core.NAME.warps to more"
)]
pub struct WorkgroupError {
    /// Name of the dispatch.
    pub dispatch: String,
    /// Invocations of a workgroup.
    pub threads: u32,
    /// Name of the machine.
    pub machine: String,
    /// Invocations that a core holds.
    pub most: u32,
}

impl MachineSpec {
    /// Refuses a pass with workgroups that no core of a Raster Unit holds.
    ///
    /// # Errors
    /// The first dispatch with such workgroups.
    pub fn check_workgroups(&self, pass: &FrameTrace) -> Result<(), WorkgroupError> {
        let types = self.raster.units.iter();
        let cores = types.map(|core| self.raster.core_types[*core].core);
        let most = cores.map(|core| core.warps * core.warp_threads).max();
        let most = most.unwrap_or(0);
        let mut dispatches = pass.dispatches.iter();
        match dispatches.find(|dispatch| dispatch.group_threads > most) {
            None => Ok(()),
            Some(dispatch) => Err(WorkgroupError {
                dispatch: dispatch.name.clone(),
                threads: dispatch.group_threads,
                machine: self.name.clone(),
                most,
            }),
        }
    }
}
