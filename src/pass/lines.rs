//! Lines of buffers in which a trace counts what programs load, store and change: 64 bytes each.

use std::cell::RefCell;

use azulejo_shader::{BufferAccess, BufferLog, LANES_OF_BATCH};
use azulejo_trace::{BLOCK_BYTES, BufferAccesses};

/// Words of a line.
const LINE_WORDS: u32 = BLOCK_BYTES as u32 / 4;

/// Accesses of a batch by groups of lanes that have facts of their own: quads, or vertices.
#[derive(Debug, Default)]
pub(crate) struct LineNotes {
    /// First word of each binding in its buffer.
    first_words: Vec<u32>,
    lanes_of_group: usize,
    groups: RefCell<Vec<BufferAccesses>>,
}

impl LineNotes {
    /// Notes of a code whose bindings begin at these words of their buffers, for so many batches at a time.
    pub(crate) fn new(first_words: Vec<u32>, lanes_of_group: usize, batches: usize) -> Self {
        let groups = batches * LANES_OF_BATCH / lanes_of_group;
        Self {
            first_words,
            lanes_of_group,
            groups: RefCell::new(vec![BufferAccesses::default(); groups]),
        }
    }

    /// Another batch begins.
    pub(crate) fn clear(&self) {
        for group in self.groups.borrow_mut().iter_mut() {
            *group = BufferAccesses::default();
        }
    }

    /// Accesses of a group so far; it has none then.
    pub(crate) fn take(&self, group: usize) -> BufferAccesses {
        std::mem::take(&mut self.groups.borrow_mut()[group])
    }
}

impl LineNotes {
    /// Takes in that lanes of a batch make an access, to the lines that each of them names.
    pub(crate) fn execute<I: IntoIterator<Item = u32>>(
        &self,
        batch: u32,
        (lanes, alive): (u64, u64),
        lines: impl Fn(usize) -> I,
    ) {
        let has = |lanes: u64, lane: usize| lanes >> lane & 1 == 1;
        let of_batch = LANES_OF_BATCH / self.lanes_of_group;
        let mut groups = self.groups.borrow_mut();
        let own = &mut groups[batch as usize * of_batch..][..of_batch];
        for (number, group) in own.iter_mut().enumerate() {
            let of_group = number * self.lanes_of_group..(number + 1) * self.lanes_of_group;
            if !of_group.clone().any(|lane| has(lanes, lane)) {
                continue;
            }
            // Helpers execute, and touch nothing.
            let live = of_group.filter(|&lane| has(lanes & alive, lane));
            group.push(live.flat_map(&lines));
        }
    }
}

impl BufferLog for LineNotes {
    fn access(&self, access: &BufferAccess<'_>) {
        let first = self.first_words[access.buffer as usize];
        self.execute(access.batch, (access.lanes, access.alive), |lane| {
            let word = first.saturating_add(access.words[lane]);
            let last = word.saturating_add(access.n_words.saturating_sub(1));
            word / LINE_WORDS..=last / LINE_WORDS
        });
    }
}
