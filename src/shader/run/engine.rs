//! The loop that executes instructions: one copy for each instruction set.

use azulejo_simd::{LANES, LaneJob, Lanes};

use super::super::code::{Code, Instruction, NONE, Register, Stage};
use super::super::error::RunError;
use super::super::operation::{AtomicOp, Memory, Op};
use super::batch::{BLOCKS, Batch, LANES_OF_BATCH, Note, Region, Row};
use super::resources::{Buffer, BufferAccess, Resources};
use super::textures::{MOST_ROWS, NO_ROW, SampleRequest, Texels};
use super::{
    arithmetic::{alu, derivative, special},
    scalar,
};

/// A batch's way to the next barrier, or to the end: whether it was the end.
pub(super) struct Job<'a, 'r> {
    pub(super) code: &'a Code,
    pub(super) instructions: &'a [Instruction],
    pub(super) batch: &'a mut Batch,
    pub(super) shared: &'a mut [u32],
    pub(super) resources: &'a mut Resources<'r>,
    pub(super) budget: u64,
}

impl LaneJob for Job<'_, '_> {
    type Output = Result<bool, RunError>;

    #[inline(always)]
    fn run<L: Lanes>(mut self, l: L) -> Self::Output {
        while let Some(instruction) = self.instructions.get(self.batch.at) {
            #[cfg(test)]
            self.batch.count(self.batch.at);
            self.batch.at += 1;
            match instruction.op {
                Op::Alu(op) => {
                    let to = self.target(instruction);
                    alu(l, op, &mut self.batch.registers, &instruction.operands, to);
                    self.merge(l, instruction, to);
                }
                Op::Special(op) => {
                    let to = self.target(instruction);
                    special(l, op, &mut self.batch.registers, &instruction.operands, to);
                    self.merge(l, instruction, to);
                }
                Op::Derivative(op) => {
                    let to = self.target(instruction);
                    derivative(
                        l,
                        op,
                        &mut self.batch.registers,
                        instruction.operands[0],
                        to,
                    );
                    self.merge(l, instruction, to);
                }
                Op::Barrier => return Ok(false),
                _ if is_marker(instruction.op) => self.marker(instruction)?,
                _ => self.memory(instruction),
            }
        }
        Ok(true)
    }
}

fn is_marker(op: Op) -> bool {
    !matches!(
        op,
        Op::ReadIndexed { .. }
            | Op::WriteIndexed { .. }
            | Op::Load { .. }
            | Op::Store { .. }
            | Op::Atomic { .. }
            | Op::ArrayLength { .. }
            | Op::Image(_)
    )
}

impl Job<'_, '_> {
    /// Register that the result goes to: the one of masked results where some lane does not run.
    #[inline(always)]
    fn target(&self, instruction: &Instruction) -> usize {
        match instruction.masked && self.batch.active != u64::MAX {
            true => self.batch.registers.len() - 1,
            false => instruction.results[0] as usize,
        }
    }

    /// Takes the lanes that run from a masked result.
    #[inline(always)]
    fn merge<L: Lanes>(&mut self, l: L, instruction: &Instruction, from: usize) {
        let to = instruction.results[0] as usize;
        if from == to {
            return;
        }
        for block in 0..BLOCKS {
            let mask = l.mask((self.batch.active >> (block * LANES)) as u32 & 0xffff);
            let new = l.load_i(&self.batch.registers[from][block]);
            let old = l.load_i(&self.batch.registers[to][block]);
            l.store_i(
                l.select_i(mask, new, old),
                &mut self.batch.registers[to][block],
            );
        }
    }

    /// Lanes with a boolean that is true.
    fn lanes(&self, register: Register) -> u64 {
        let row: &[i32; LANES_OF_BATCH] =
            bytemuck::cast_ref(&self.batch.registers[register as usize]);
        let set = row.iter().enumerate().filter(|&(_, &value)| value != 0);
        set.fold(0, |lanes, (lane, _)| lanes | 1 << lane)
    }

    /// Goes to a marker where no lane is left.
    fn skip(&mut self, target: u32) {
        if self.batch.active == 0 {
            self.batch.at = target as usize;
        }
    }

    fn top(&mut self) -> &mut Region {
        let last = self.batch.regions.len().saturating_sub(1);
        &mut self.batch.regions[last]
    }

    fn open(&mut self, waiting: u64) {
        let region = Region {
            waiting,
            through: 0,
        };
        self.batch.regions.push(region);
    }

    #[inline(never)]
    fn marker(&mut self, instruction: &Instruction) -> Result<(), RunError> {
        let active = self.batch.active;
        let target = instruction.target;
        match instruction.op {
            Op::If => {
                let chosen = active & self.lanes(instruction.operands[0]);
                self.open(active & !chosen);
                self.batch.active = chosen;
                self.skip(target);
            }
            Op::Else => {
                let region = self.top();
                region.through |= active;
                self.batch.active = std::mem::take(&mut self.top().waiting);
                self.skip(target);
            }
            Op::Loop { .. } | Op::Scope => self.open(0),
            Op::Continuing => {
                self.batch.active |= std::mem::take(&mut self.top().through);
                self.skip(target);
            }
            Op::BreakIf => {
                let leaving = active & self.lanes(instruction.operands[0]);
                self.top().waiting |= leaving;
                self.batch.active &= !leaving;
            }
            Op::EndLoop => return self.end_loop(instruction),
            Op::Switch => {
                self.open(active);
                self.batch.active = 0;
            }
            Op::Case(position) => self.case(instruction, position),
            Op::EndIf | Op::EndSwitch | Op::EndScope => {
                let region = self.batch.regions.pop().unwrap_or_default();
                self.batch.active |= region.waiting | region.through;
                self.skip(instruction.frame);
            }
            Op::Break | Op::Continue | Op::Return => self.leave(instruction),
            Op::Kill => {
                self.kill();
                self.skip(target);
            }
            Op::Mark(mark) => {
                let chosen = match instruction.operands[0] {
                    NONE => 0,
                    condition => active & self.lanes(condition),
                };
                self.batch.notes.push(Note {
                    mark,
                    lanes: active,
                    chosen,
                });
            }
            _ => {}
        }
        Ok(())
    }

    /// The lanes become helpers; a quad of which no other is left ends.
    fn kill(&mut self) {
        let batch = &mut *self.batch;
        batch.alive &= !batch.active;
        if self.code.stage != Stage::Fragment {
            return;
        }
        let pairs = batch.alive | batch.alive >> 1;
        let first_lanes = (pairs | pairs >> 2) & (u64::MAX / 15);
        let left = first_lanes * 15;
        batch.active &= left;
        for region in &mut batch.regions {
            region.waiting &= left;
            region.through &= left;
        }
    }

    /// Goes on behind a loop that all lanes have left, and back to its begin with the others.
    fn end_loop(&mut self, instruction: &Instruction) -> Result<(), RunError> {
        let region = *self.top();
        if self.batch.active == 0 {
            self.batch.regions.pop();
            self.batch.active = region.waiting;
            self.skip(instruction.frame);
            return Ok(());
        }
        self.batch.executed += self.batch.at as u64 - u64::from(instruction.target);
        self.batch.at = instruction.target as usize + 1;
        if self.batch.executed > self.budget {
            return Err(RunError::Budget {
                line: instruction.line,
                budget: self.budget,
            });
        }
        Ok(())
    }

    /// Lanes of a case go on; those of the case before it are through.
    fn case(&mut self, instruction: &Instruction, position: u32) {
        let chosen = match self.code.cases[position as usize].as_deref() {
            None => u64::MAX,
            Some(selectors) => self.chosen(instruction.operands[0], selectors),
        };
        let active = self.batch.active;
        let region = self.top();
        region.through |= active;
        let chosen = region.waiting & chosen;
        region.waiting &= !chosen;
        self.batch.active = chosen;
        self.skip(instruction.target);
    }

    /// Lanes leave for a later marker of an open region.
    fn leave(&mut self, instruction: &Instruction) {
        let active = std::mem::take(&mut self.batch.active);
        let frame = instruction.frame as usize;
        match instruction.op {
            Op::Break if frame.is_multiple_of(2) => self.batch.regions[frame / 2].waiting |= active,
            Op::Break => self.batch.regions[frame / 2].through |= active,
            Op::Continue => self.batch.regions[frame].through |= active,
            _ => self.batch.regions[frame].waiting |= active,
        }
        self.skip(instruction.target);
    }

    /// Lanes with one of these selectors.
    fn chosen(&self, register: Register, selectors: &[u32]) -> u64 {
        let row = self.batch.read(register);
        let found = row
            .iter()
            .enumerate()
            .filter(|&(_, value)| selectors.contains(value));
        found.fold(0, |lanes, (lane, _)| lanes | 1 << lane)
    }

    fn row(&self, register: Register) -> [u32; LANES_OF_BATCH] {
        match register {
            NONE => [0; LANES_OF_BATCH],
            register => *self.batch.read(register),
        }
    }

    /// Writes a result, with regard to the mask.
    fn give(
        &mut self,
        instruction: &Instruction,
        result: usize,
        mut values: [u32; LANES_OF_BATCH],
    ) {
        let register = instruction.results[result];
        if register == NONE {
            return;
        }
        if instruction.masked {
            let old = self.batch.read(register);
            for lane in (0..LANES_OF_BATCH).filter(|lane| self.batch.active >> lane & 1 == 0) {
                values[lane] = old[lane];
            }
        }
        self.batch.write(register, &values);
    }

    /// Tells of an access to a storage buffer, if anybody wants to know.
    fn note(&self, instruction: &Instruction, index: &[u32; LANES_OF_BATCH]) {
        let (Some(log), Some(buffer)) = (self.resources.log, self.code.accessed(instruction.op))
        else {
            return;
        };
        let (offset, n_words) = match instruction.op {
            Op::Load { offset, .. } => {
                let last = instruction.results.iter().rposition(|&one| one != NONE);
                (offset, last.map_or(0, |last| last as u32 + 1))
            }
            Op::Store { offset, .. } | Op::Atomic { offset, .. } => (offset, 1),
            _ => return,
        };
        let words = self.resources.buffers[buffer as usize].words().len();
        let word = |index| clamped(words, index, offset).map_or(0, |word| word as u32);
        log.access(&BufferAccess {
            buffer,
            batch: self.batch.number,
            lanes: self.batch.active,
            alive: self.batch.alive,
            words: &index.map(word),
            n_words,
        });
    }

    #[inline(never)]
    fn memory(&mut self, instruction: &Instruction) {
        let index = self.row(instruction.operands[0]);
        self.note(instruction, &index);
        let active = self.batch.active;
        let is_active = |lane: usize| active >> lane & 1 == 1;
        match instruction.op {
            Op::ReadIndexed {
                base,
                length,
                offset,
            } => {
                let values = std::array::from_fn(|lane| {
                    let at = base + index[lane].saturating_add(offset).min(length - 1);
                    lane_of(&self.batch.registers[at as usize], lane)
                });
                self.give(instruction, 0, values);
            }
            Op::WriteIndexed {
                base,
                length,
                offset,
            } => {
                let values = self.row(instruction.operands[1]);
                for lane in (0..LANES_OF_BATCH).filter(|&lane| is_active(lane)) {
                    let at = base + index[lane].saturating_add(offset).min(length - 1);
                    let row = &mut self.batch.registers[at as usize];
                    row[lane / LANES][lane % LANES] = values[lane].cast_signed();
                }
            }
            Op::Load { memory, offset } => self.load(instruction, (memory, offset), &index),
            Op::Store { memory, offset } => self.store(instruction, (memory, offset), &index),
            Op::Atomic { memory, offset, op } => {
                self.atomic(instruction, (memory, offset, op), &index)
            }
            Op::ArrayLength {
                buffer,
                offset,
                stride,
            } => {
                let words = self.resources.buffers[buffer as usize].words().len();
                let length = (words as u32).saturating_sub(offset) / stride.max(1);
                self.give(instruction, 0, [length; LANES_OF_BATCH]);
            }
            Op::Image(image) => self.image(instruction, image),
            _ => {}
        }
    }

    fn load(
        &mut self,
        instruction: &Instruction,
        (memory, offset): (Memory, u32),
        index: &[u32; LANES_OF_BATCH],
    ) {
        let words: &[u32] = match memory {
            Memory::Buffer(buffer) => self.resources.buffers[buffer as usize].words(),
            Memory::Workgroup => self.shared,
        };
        let results: Texels = std::array::from_fn(|k| {
            if instruction.results[k] == NONE {
                return [0; LANES_OF_BATCH];
            }
            std::array::from_fn(|lane| read_word(words, index[lane], offset + k as u32))
        });
        for (k, values) in results.into_iter().enumerate() {
            self.give(instruction, k, values);
        }
    }

    fn store(
        &mut self,
        instruction: &Instruction,
        (memory, offset): (Memory, u32),
        index: &[u32; LANES_OF_BATCH],
    ) {
        let values = self.row(instruction.operands[1]);
        let lanes = self.batch.active & self.batch.alive;
        let words = words_mut(self.resources, self.shared, memory);
        for lane in (0..LANES_OF_BATCH).filter(|lane| lanes >> lane & 1 == 1) {
            if let Some(word) = clamped(words.len(), index[lane], offset) {
                words[word] = values[lane];
            }
        }
    }

    fn atomic(
        &mut self,
        instruction: &Instruction,
        (memory, offset, op): (Memory, u32, AtomicOp),
        index: &[u32; LANES_OF_BATCH],
    ) {
        let values = self.row(instruction.operands[1]);
        let compares = self.row(instruction.operands[2]);
        let lanes = self.batch.active & self.batch.alive;
        let (mut old, mut exchanged) = ([0; LANES_OF_BATCH], [0; LANES_OF_BATCH]);
        let words = words_mut(self.resources, self.shared, memory);
        for lane in (0..LANES_OF_BATCH).filter(|lane| lanes >> lane & 1 == 1) {
            if let Some(word) = clamped(words.len(), index[lane], offset) {
                old[lane] = words[word];
                let (new, done) = scalar::atomic(op, old[lane], values[lane], compares[lane]);
                words[word] = new;
                exchanged[lane] = done.into();
            }
        }
        self.give(instruction, 0, old);
        self.give(instruction, 1, exchanged);
    }

    fn image(&mut self, instruction: &Instruction, number: u32) {
        let image = &self.code.images[number as usize];
        let place = |position: u32| {
            let binding = &self.code.bindings[position as usize];
            (binding.group, binding.binding)
        };
        let batch = &*self.batch;
        let rows = |registers: &[Register]| -> [&_; MOST_ROWS] {
            std::array::from_fn(|k| registers.get(k).map_or(&NO_ROW, |&row| batch.read(row)))
        };
        let [coordinates, gradients, value] =
            [&image.coordinates, &image.gradients, &image.value].map(|all| rows(all));
        let request = SampleRequest {
            image: number,
            access: image.access,
            texture: place(image.texture),
            sampler: image.sampler.map(place),
            batch: batch.number,
            lanes: batch.active,
            alive: batch.alive,
            coordinates: &coordinates[..image.coordinates.len()],
            layer: image.layer.map(|row| batch.read(row)),
            level: image.level.map(|row| batch.read(row)),
            gradients: &gradients[..image.gradients.len()],
            reference: image.reference.map(|row| batch.read(row)),
            offset: image.offset,
            value: &value[..image.value.len()],
            clamp_to_edge: image.clamp_to_edge,
        };
        let mut texels: Texels = [[0; LANES_OF_BATCH]; 4];
        self.resources.textures.access(&request, &mut texels);
        for (k, values) in texels.into_iter().enumerate() {
            self.give(instruction, k, values);
        }
    }
}

fn lane_of(row: &Row, lane: usize) -> u32 {
    row[lane / LANES][lane % LANES].cast_unsigned()
}

/// Word at an index, the last one beyond the end; nothing in an empty buffer.
fn clamped(words: usize, index: u32, offset: u32) -> Option<usize> {
    let last = words.checked_sub(1)?;
    Some((index.saturating_add(offset) as usize).min(last))
}

fn read_word(words: &[u32], index: u32, offset: u32) -> u32 {
    clamped(words.len(), index, offset).map_or(0, |word| words[word])
}

fn words_mut<'w>(
    resources: &'w mut Resources<'_>,
    shared: &'w mut [u32],
    memory: Memory,
) -> &'w mut [u32] {
    match memory {
        Memory::Workgroup => shared,
        Memory::Buffer(buffer) => match &mut resources.buffers[buffer as usize] {
            Buffer::Write(words) => words,
            _ => &mut [],
        },
    }
}
