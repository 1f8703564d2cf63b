//! Random numbers of one pixel.

/// PCG32 (O'Neill 2014, "PCG: A Family of Simple Fast Space-Efficient Statistically Good Algorithms"), one sequence a
/// pixel.
#[derive(Debug, Clone)]
pub(crate) struct Random {
    state: u64,
    increment: u64,
}

impl Random {
    pub(crate) fn of(sequence: u64) -> Self {
        let mut random = Self {
            state: 0,
            increment: 2 * sequence + 1,
        };
        random.word();
        random.state = random.state.wrapping_add(0x853c_49e6_748f_ea9b);
        random.word();
        random
    }

    fn word(&mut self) -> u32 {
        let old = self.state;
        self.state = old
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(self.increment);
        let shifted = (((old >> 18) ^ old) >> 27) as u32;
        shifted.rotate_right((old >> 59) as u32)
    }

    /// Uniform number from 0 up to, but without, 1.
    pub(crate) fn unit(&mut self) -> f64 {
        f64::from(self.word()) / 4_294_967_296.0
    }

    pub(crate) fn pair(&mut self) -> [f64; 2] {
        [self.unit(), self.unit()]
    }
}
