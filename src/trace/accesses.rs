//! Lines of buffers that threads access: one after the other, by thread group and execution.

/// Lines that loads, stores and atomics of some thread groups accessed: quads of a tile, vertices of a draw.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BufferAccesses {
    /// Distinct lines accessed, for each group and each such instruction that it executed, in that order.
    pub counts: Vec<u8>,
    /// The lines themselves, in the same order: numbers of 64 bytes from the beginning of the buffer that the draw binds to the
    /// instruction.
    pub lines: Vec<u32>,
}

impl BufferAccesses {
    /// Whether nothing was executed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// Adds an execution by the next group, or by the last one again: the line of each lane, or none where all lanes are
    /// helpers. Lines beyond 255 are left out, more than a group has lanes.
    pub fn push(&mut self, lines: impl IntoIterator<Item = u32>) {
        let first = self.lines.len();
        for line in lines {
            let own = &self.lines[first..];
            if own.len() < usize::from(u8::MAX) && !own.contains(&line) {
                self.lines.push(line);
            }
        }
        self.counts.push((self.lines.len() - first) as u8);
    }

    /// Adds the executions of later groups.
    pub fn append(&mut self, later: &Self) {
        self.counts.extend_from_slice(&later.counts);
        self.lines.extend_from_slice(&later.lines);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffer_accesses_keep_distinct_lines_of_each_execution() {
        let mut accesses = BufferAccesses::default();
        accesses.push([7, 7, 6, 7]);
        accesses.push([]);
        let mut later = BufferAccesses::default();
        later.push([6, 6]);
        accesses.append(&later);
        assert_eq!(accesses.counts, [2, 0, 1], "by execution");
        assert_eq!(accesses.lines, [7, 6, 6], "first touch first");
    }
}
