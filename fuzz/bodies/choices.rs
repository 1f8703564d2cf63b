//! Bytes as decisions: a fuzzer's change to one byte changes one decision. Behind their end everything is zero.

/// Takes decisions from the front of the bytes.
#[derive(Debug)]
pub(crate) struct Choices<'a>(pub(crate) &'a [u8]);

impl Choices<'_> {
    /// Takes the next byte; 0 at the end.
    pub(crate) fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else {
            return 0;
        };
        self.0 = rest;
        *first
    }

    /// A number from 0 to `most`.
    pub(crate) fn up_to(&mut self, most: u32) -> u32 {
        let word = u32::from_le_bytes([self.byte(), self.byte(), 0, 0]);
        word % (most + 1)
    }

    /// Takes a yes or no, the lowest bit of a byte.
    pub(crate) fn flag(&mut self) -> bool {
        self.byte() & 1 != 0
    }

    /// One of several, of which there is at least one.
    pub(crate) fn one_of<T: Copy>(&mut self, values: &[T]) -> T {
        values[usize::from(self.byte()) % values.len()]
    }

    /// Whether anything is left to decide by.
    pub(crate) fn is_over(&self) -> bool {
        self.0.is_empty()
    }
}
