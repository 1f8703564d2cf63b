//! Lanes that compute as others do and log which texels they fetch: what a texture cache would see.
//!
//! Texture instructions are numbered as the recorder numbers them ([`super::Recorder`]): one for each slot of a group, one for
//! each read outside of groups.
//!
//! What logs is called, never copied: the lanes of a program are one function, and each loop in it costs time to compile.

use std::cell::RefCell;

use super::lanes::{LANES, Lanes};

/// Texels that lanes fetched, by texture instruction.
#[derive(Debug, Clone, Default)]
pub struct TexelLog {
    /// Texture instructions begun so far.
    begun: usize,
    /// Instructions of the group that is being sampled.
    group: usize,
    /// The instruction that fetches, if any does.
    current: Option<usize>,
    /// Groups and special functions around what runs.
    depth: usize,
    /// What textures say does not matter, only what is read.
    pub reads_alone: bool,
    /// Texture instruction (its number in program order) with the table index of each lane, one entry a tap.
    pub taps: Vec<(usize, [i32; LANES])>,
}

impl TexelLog {
    /// Forgets everything: a new invocation begins.
    pub fn clear(&mut self) {
        self.begun = 0;
        self.group = 0;
        self.current = None;
        self.depth = 0;
        self.taps.clear();
    }

    /// A group of samples begins, or with length 0 a special function; within another one it is a part of that.
    #[inline(never)]
    fn enter(log: &RefCell<Self>, len: usize) {
        let mut log = log.borrow_mut();
        if log.depth == 0 {
            log.begun += len;
            log.group = len;
            log.current = None;
        }
        log.depth += 1;
    }

    #[inline(never)]
    fn leave(log: &RefCell<Self>) {
        let mut log = log.borrow_mut();
        log.depth = log.depth.saturating_sub(1);
    }

    #[inline(never)]
    fn member(log: &RefCell<Self>, member: usize) {
        let mut log = log.borrow_mut();
        if log.depth == 1 && member < log.group {
            log.current = Some(log.begun - log.group + member);
        }
    }

    /// Whether nothing is sampled and no special function runs.
    #[inline(never)]
    fn is_outside(log: &RefCell<Self>) -> bool {
        log.borrow().depth == 0
    }

    /// Logs reads of a table of this length by one instruction, clamped to the table.
    #[inline(never)]
    fn read(log: &RefCell<Self>, len: usize, taps: &[[i32; LANES]]) {
        let mut log = log.borrow_mut();
        let (Some(instruction), Some(last)) = (log.reader(), len.checked_sub(1)) else {
            return;
        };
        let last = last.min(i32::MAX as usize) as u32;
        let inside = |texel: i32| texel.cast_unsigned().min(last).cast_signed();
        let taps = taps.iter().map(|texels| (instruction, texels.map(inside)));
        log.taps.extend(taps);
    }

    /// The instruction that a read belongs to: outside of groups it is one of its own.
    fn reader(&mut self) -> Option<usize> {
        if self.depth > 0 {
            return self.current;
        }
        self.begun += 1;
        Some(self.begun - 1)
    }
}

/// `L` with a log.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TexelLogging<'a, L> {
    /// The lanes that compute.
    pub lanes: L,
    /// Where texels go.
    pub log: &'a RefCell<TexelLog>,
}

macro_rules! forward {
    ($($name:ident($($argument:ident: $kind:ty),*) $(-> $result:ty)?;)*) => {
        $(
            #[inline(always)]
            fn $name(self, $($argument: $kind),*) $(-> $result)? {
                self.lanes.$name($($argument),*)
            }
        )*
    };
}

impl<L: Lanes> TexelLogging<'_, L> {
    #[inline(always)]
    fn log_reads<const N: usize>(self, table: &[u32], taps: [L::I; N]) {
        let mut texels = [[0; LANES]; N];
        let mut k = 0;
        while k < N {
            self.lanes.store_i(taps[k], &mut texels[k]);
            k += 1;
        }
        TexelLog::read(self.log, table.len(), &texels);
    }
}

impl<L: Lanes> Lanes for TexelLogging<'_, L> {
    const WATCHED: bool = true;

    type F = L::F;
    type I = L::I;
    type M = L::M;
    type Unwatched = L::Unwatched;

    #[inline(always)]
    fn unwatched(self) -> L::Unwatched {
        self.lanes.unwatched()
    }

    #[inline(always)]
    fn wants_texels(self) -> bool {
        !self.log.borrow().reads_alone
    }

    forward! {
        f(value: f32) -> L::F;
        i(value: i32) -> L::I;
        load(values: &[f32; LANES]) -> L::F;
        load_i(values: &[i32; LANES]) -> L::I;
        store(value: L::F, to: &mut [f32; LANES]);
        store_i(value: L::I, to: &mut [i32; LANES]);
        mul_add(a: L::F, b: L::F, c: L::F) -> L::F;
        sqrt(a: L::F) -> L::F;
        min(a: L::F, b: L::F) -> L::F;
        max(a: L::F, b: L::F) -> L::F;
        abs(a: L::F) -> L::F;
        floor(a: L::F) -> L::F;
        lt(a: L::F, b: L::F) -> L::M;
        le(a: L::F, b: L::F) -> L::M;
        select(mask: L::M, a: L::F, b: L::F) -> L::F;
        to_int(a: L::F) -> L::I;
        to_float(a: L::I) -> L::F;
        to_bits(a: L::F) -> L::I;
        of_bits(a: L::I) -> L::F;
        shr_by(a: L::I, by: L::I) -> L::I;
        min_i(a: L::I, b: L::I) -> L::I;
        min_u(a: L::I, b: L::I) -> L::I;
        max_i(a: L::I, b: L::I) -> L::I;
        lt_i(a: L::I, b: L::I) -> L::M;
        eq_i(a: L::I, b: L::I) -> L::M;
        select_i(mask: L::M, a: L::I, b: L::I) -> L::I;
        mask(bits: u32) -> L::M;
        mask_bits(mask: L::M) -> u32;
        not(mask: L::M) -> L::M;
        uniform(table: &[u32], index: L::I) -> L::I;
        ddx(a: L::F) -> L::F;
        ddy(a: L::F) -> L::F;
        quad_first(a: L::F) -> L::F;
        quad_columns(rows: [&[f32; 4]; 4]) -> [L::F; 4];
        lookup(table: &[i32; LANES], index: L::I) -> L::I;
    }

    #[inline(always)]
    fn any(self, mask: L::M) -> bool {
        // Between instructions nothing is skipped; inside of one, what is skipped is not fetched.
        TexelLog::is_outside(self.log) || self.lanes.any(mask)
    }

    #[inline(always)]
    fn gather(self, table: &[u32], index: L::I) -> L::I {
        self.log_reads(table, [index]);
        self.lanes.gather(table, index)
    }

    #[inline(always)]
    fn gather_4(self, table: &[u32], index: L::I) -> [L::I; 4] {
        self.log_reads(table, [index, index + self.lanes.i(3)]);
        self.lanes.gather_4(table, index)
    }

    #[inline(always)]
    fn attribute<const N: usize>(self, stream: &[u32], vertex: L::I) -> [L::F; N] {
        self.lanes.attribute(stream, vertex)
    }

    #[inline(always)]
    fn shl<const N: u32>(self, a: L::I) -> L::I {
        self.lanes.shl::<N>(a)
    }

    #[inline(always)]
    fn shr<const N: u32>(self, a: L::I) -> L::I {
        self.lanes.shr::<N>(a)
    }

    #[inline(always)]
    fn sar<const N: u32>(self, a: L::I) -> L::I {
        self.lanes.sar::<N>(a)
    }

    #[inline(always)]
    fn fetch(self, table: &[u32], texels: &[L::I; 4]) -> [L::I; 4] {
        self.log_reads(table, *texels);
        self.lanes.fetch(table, texels)
    }

    #[inline(always)]
    fn samples(self, member: usize) {
        TexelLog::member(self.log, member);
    }

    #[inline(always)]
    fn part<R>(self, part: impl FnOnce() -> R) -> R {
        self.lanes.part(part)
    }

    #[inline(always)]
    fn special(self, operands: &[L::F], host: impl FnOnce() -> L::F) -> L::F {
        TexelLog::enter(self.log, 0);
        let result = self.lanes.special(operands, host);
        TexelLog::leave(self.log);
        result
    }

    #[inline(always)]
    fn textures(
        self,
        slots: &[u8],
        coordinates: &[L::F],
        colors: &mut [[L::F; 4]],
        host: impl FnOnce(&mut [[L::F; 4]]),
    ) {
        TexelLog::enter(self.log, slots.len());
        // Writing down what is read costs more than a call.
        self.lanes.textures(
            slots,
            coordinates,
            colors,
            #[inline(always)]
            |colors| {
                self.lanes.call(
                    #[inline(always)]
                    || host(colors),
                );
            },
        );
        TexelLog::leave(self.log);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::{Scalar, Tape, Unit};

    #[test]
    fn texel_logging_fetches_go_to_the_instruction_that_samples() {
        let log = RefCell::default();
        let l = TexelLogging {
            lanes: Scalar,
            log: &log,
        };
        let table = [0; 64];
        let texels = [5, 6, 9, 10].map(|index| l.i(index));
        let mut colors = [[l.f(0.0); 4]; 3];
        l.textures(&[2], &[], &mut colors, |_| {
            l.samples(0);
            l.fetch(&table, &texels);
        });
        l.textures(&[0, 1], &[], &mut colors, |_| {
            for member in 0..2 {
                l.samples(member);
                l.fetch(&table, &texels);
                l.fetch(&table, &texels);
            }
        });
        let instructions: Vec<_> = log
            .borrow()
            .taps
            .iter()
            .step_by(4)
            .map(|tap| tap.0)
            .collect();
        assert_eq!(
            instructions,
            [0, 1, 1, 2, 2],
            "one group of one, one group of two at two levels"
        );
        assert_eq!(
            log.borrow().taps[3].1,
            [10; LANES],
            "the last tap is the fourth texel"
        );
    }

    #[test]
    fn texel_logging_counts_reads_as_the_recorder_does() {
        fn program<L: Lanes>(l: L, x: L::F) -> L::F {
            let (table, mut colors) = ([7; 8], [[x; 4]; 2]);
            let read = l.gather(&table, l.i(99));
            let function = l.special(&[x], || l.of_bits(l.gather(&table, l.to_int(x))));
            l.textures(&[1, 0], &[x], &mut colors, |_| {
                l.samples(1);
                l.gather_4(&table, l.i(0));
            });
            let joint = l.uniform(&table, l.to_int(x));
            if l.any(l.lt(x, l.f(-1.0))) {
                l.fetch(&table, &[joint, joint, joint, joint]);
            }
            l.to_float(read) + function
        }
        let log = RefCell::default();
        let l = TexelLogging {
            lanes: Scalar,
            log: &log,
        };
        program(l, l.f(0.0));
        let taps: Vec<_> = log
            .borrow()
            .taps
            .iter()
            .map(|(at, t)| (*at, t[0]))
            .collect();
        let outside = [(0, 7)];
        let group = [(2, 0), (2, 3)];
        let skipped = [(3, 7); 4];
        assert_eq!(taps, [&outside[..], &group, &skipped].concat());
        let tape = Tape::record(|l| {
            let [x] = l.varying();
            program(l, x);
        });
        assert_eq!(tape.count(Unit::Texture), 4, "as many instructions");
    }
}
