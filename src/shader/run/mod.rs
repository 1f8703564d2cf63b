//! Runs code on batches of 64 lanes: sixteen quads of a fragment program, or so many vertices or invocations.

mod arithmetic;
mod batch;
mod engine;
mod resources;
mod scalar;
mod textures;

use azulejo_simd::{Backend, dispatch};

use super::code::{BindingKind, Code, NONE, Slot, Stage};
use super::error::RunError;
pub(super) use batch::Note;
pub use batch::{Batch, LANES_OF_BATCH};
use engine::Job;
pub use resources::{Buffer, BufferAccess, BufferLog, Resources};
pub use textures::{NoTextures, SampleRequest, Texels, Textures};

/// Instructions that a batch may execute, loops included.
pub const BUDGET: u64 = 1 << 26;

/// Code with the work done that all batches share.
#[derive(Debug)]
pub struct Runner<'c> {
    code: &'c Code,
    backend: Backend,
    uniform: Vec<u32>,
    budget: u64,
}

impl<'c> Runner<'c> {
    /// Runs the prologue.
    ///
    /// # Errors
    /// If a buffer is not bound, or bound for reading where the program writes.
    pub fn new(
        code: &'c Code,
        backend: Backend,
        resources: &mut Resources<'_>,
    ) -> Result<Self, RunError> {
        for (binding, buffer) in code.bindings.iter().zip(&resources.buffers) {
            let (group, number) = (binding.group, binding.binding);
            let is_buffer = !matches!(binding.kind, BindingKind::Texture | BindingKind::Sampler);
            match buffer {
                Buffer::None if is_buffer => {
                    return Err(RunError::Unbound {
                        group,
                        binding: number,
                    });
                }
                Buffer::Read(_) if binding.kind == BindingKind::Storage => {
                    return Err(RunError::ReadOnly {
                        group,
                        binding: number,
                    });
                }
                _ => {}
            }
        }
        let mut runner = Self {
            code,
            backend,
            uniform: Vec::new(),
            budget: BUDGET,
        };
        let mut batch = runner.batch();
        for &(register, bits) in &code.constants {
            batch.fill(register, bits);
        }
        let job = Job {
            code,
            instructions: &code.prologue,
            batch: &mut batch,
            shared: &mut [],
            resources,
            budget: BUDGET,
        };
        dispatch(backend, job)?;
        runner.uniform = (code.first_uniform..code.registers)
            .map(|register| batch.first(register))
            .collect();
        Ok(runner)
    }

    /// Sets another bound on a batch's instructions.
    #[must_use]
    pub fn with_budget(mut self, budget: u64) -> Self {
        self.budget = budget;
        self
    }

    /// A batch without inputs, all lanes alive.
    #[must_use]
    pub fn batch(&self) -> Batch {
        let mut batch = Batch::new(self.code.registers);
        for (register, &bits) in (self.code.first_uniform..).zip(&self.uniform) {
            batch.fill(register, bits);
        }
        batch
    }

    /// Puts a number for each lane into a component of an input; does nothing where the program has none such.
    pub fn set(
        &self,
        batch: &mut Batch,
        (slot, component): (Slot, usize),
        values: &[u32; LANES_OF_BATCH],
    ) {
        let input = self.code.input(slot);
        let register = input.and_then(|input| input.registers.get(component));
        if let Some(&register) = register.filter(|&&register| register != NONE) {
            batch.write(register, values);
        }
    }

    /// A component of an output.
    #[must_use]
    pub fn output(
        &self,
        batch: &Batch,
        (slot, component): (Slot, usize),
    ) -> Option<[u32; LANES_OF_BATCH]> {
        let output = self.code.output(slot)?;
        let register = *output.registers.get(component)?;
        (register != NONE).then(|| *batch.read(register))
    }

    /// Runs the lanes of `lanes`, a bit each. Afterwards outputs can be read, and [`Batch::alive`] has the lanes that were
    /// not discarded.
    ///
    /// # Errors
    /// If a loop has no end.
    pub fn run(
        &self,
        batch: &mut Batch,
        lanes: u64,
        resources: &mut Resources<'_>,
    ) -> Result<(), RunError> {
        batch.start(lanes, lanes);
        let mut shared = vec![0; self.code.workgroup_words as usize];
        while !self.go_on(batch, &mut shared, resources)? {}
        Ok(())
    }

    /// Runs quads of a fragment program on another instruction set: of their lanes those beyond `alive` are helpers.
    ///
    /// # Errors
    /// If a loop has no end.
    pub fn run_quads(
        &self,
        backend: Backend,
        batch: &mut Batch,
        (lanes, alive): (u64, u64),
        resources: &mut Resources<'_>,
    ) -> Result<(), RunError> {
        batch.start(lanes, alive);
        let job = Job {
            code: self.code,
            instructions: &self.code.instructions,
            batch,
            shared: &mut [],
            resources,
            budget: self.budget,
        };
        dispatch(backend, job).map(|_| ())
    }

    /// Runs to the next barrier or the end; whether it was the end.
    fn go_on(
        &self,
        batch: &mut Batch,
        shared: &mut [u32],
        resources: &mut Resources<'_>,
    ) -> Result<bool, RunError> {
        let job = Job {
            code: self.code,
            instructions: &self.code.instructions,
            batch,
            shared,
            resources,
            budget: self.budget,
        };
        dispatch(self.backend, job)
    }

    /// Runs a compute program over so many workgroups along x, y and z.
    ///
    /// # Errors
    /// If the program is of another stage, or a loop has no end.
    pub fn dispatch(
        &self,
        workgroups: [u32; 3],
        resources: &mut Resources<'_>,
    ) -> Result<(), RunError> {
        self.dispatch_each(workgroups, resources, |_| {})
    }

    /// Runs a compute program as [`Self::dispatch`]; `done` gets the batches of each workgroup, x first, when it has ended.
    ///
    /// # Errors
    /// As [`Self::dispatch`].
    pub fn dispatch_each(
        &self,
        workgroups: [u32; 3],
        resources: &mut Resources<'_>,
        mut done: impl FnMut(&[Batch]),
    ) -> Result<(), RunError> {
        if self.code.stage != Stage::Compute {
            return Err(RunError::Stage {
                entry: self.code.entry.clone(),
                expected: "compute",
            });
        }
        let size = self.code.workgroup_size;
        let invocations = size.iter().product::<u32>();
        let mut batches: Vec<Batch> = (0..invocations.div_ceil(LANES_OF_BATCH as u32))
            .map(|_| self.batch())
            .collect();
        for (number, batch) in (0..).zip(&mut batches) {
            batch.number = number;
        }
        for z in 0..workgroups[2] {
            for y in 0..workgroups[1] {
                for x in 0..workgroups[0] {
                    let mut shared = vec![0; self.code.workgroup_words as usize];
                    for (number, batch) in (0..).zip(&mut batches) {
                        let first = number * LANES_OF_BATCH as u32;
                        self.invocations(batch, first, ([x, y, z], workgroups));
                        let count = (invocations - first).min(LANES_OF_BATCH as u32);
                        let lanes = u64::MAX >> (LANES_OF_BATCH as u32 - count);
                        batch.start(lanes, lanes);
                    }
                    let mut open = vec![true; batches.len()];
                    while open.contains(&true) {
                        for (batch, open) in batches.iter_mut().zip(&mut open) {
                            if *open {
                                *open = !self.go_on(batch, &mut shared, resources)?;
                            }
                        }
                    }
                    done(&batches);
                }
            }
        }
        Ok(())
    }

    /// Sets the built-in inputs of a batch's invocations.
    fn invocations(&self, batch: &mut Batch, first: u32, (group, groups): ([u32; 3], [u32; 3])) {
        let size = self.code.workgroup_size;
        let index = |lane: usize| first + lane as u32;
        let local = |lane: usize| {
            let index = index(lane);
            [
                index % size[0],
                index / size[0] % size[1],
                index / size[0] / size[1],
            ]
        };
        let lanes = |of: &dyn Fn(usize) -> u32| std::array::from_fn(of);
        self.set(batch, (Slot::LocalInvocationIndex, 0), &lanes(&index));
        for k in 0..3 {
            let global = |lane: usize| {
                let start = group[k].wrapping_mul(size[k]);
                start.wrapping_add(local(lane)[k])
            };
            self.set(
                batch,
                (Slot::LocalInvocationId, k),
                &lanes(&|lane| local(lane)[k]),
            );
            self.set(batch, (Slot::GlobalInvocationId, k), &lanes(&global));
            self.set(batch, (Slot::WorkgroupId, k), &[group[k]; LANES_OF_BATCH]);
            self.set(
                batch,
                (Slot::NumWorkgroups, k),
                &[groups[k]; LANES_OF_BATCH],
            );
        }
    }
}
