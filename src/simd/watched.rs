//! Lanes that compute as others do and tell which texels they fetch: what a texture cache would see.

use std::cell::RefCell;

use super::lanes::{LANES, Lanes};

/// Texels that lanes fetched, by texture instruction.
#[derive(Debug, Clone, Default)]
pub struct FetchLog {
    /// Texture instructions begun so far.
    begun: usize,
    /// Instructions of the group that is being sampled.
    group: usize,
    /// The instruction that fetches, if any does.
    current: Option<usize>,
    /// Texture instruction (its number in program order) with the table index of each lane, one entry a tap.
    pub taps: Vec<(usize, [i32; LANES])>,
}

impl FetchLog {
    /// Forgets everything: a new invocation begins.
    pub fn clear(&mut self) {
        self.begun = 0;
        self.group = 0;
        self.current = None;
        self.taps.clear();
    }

    fn begin_group(&mut self, len: usize) {
        self.begun += len;
        self.group = len;
        self.current = None;
    }
}

/// `L`, watched.
#[derive(Debug, Clone, Copy)]
pub struct Watched<'a, L> {
    /// Who computes.
    pub lanes: L,
    /// Who is told.
    pub log: &'a RefCell<FetchLog>,
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

impl<L: Lanes> Lanes for Watched<'_, L> {
    type F = L::F;
    type I = L::I;
    type M = L::M;

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
        any(mask: L::M) -> bool;
        gather(table: &[u32], index: L::I) -> L::I;
        ddx(a: L::F) -> L::F;
        ddy(a: L::F) -> L::F;
        quad_first(a: L::F) -> L::F;
        quad_columns(rows: [&[f32; 4]; 4]) -> [L::F; 4];
        lookup(table: &[i32; LANES], index: L::I) -> L::I;
    }

    #[inline(always)]
    fn gather_4(self, table: &[u32], index: L::I) -> [L::I; 4] {
        let mut log = self.log.borrow_mut();
        if let Some(instruction) = log.current {
            for end in [0, 3] {
                let mut texels = [0; LANES];
                self.lanes.store_i(index + self.lanes.i(end), &mut texels);
                log.taps.push((instruction, texels));
            }
        }
        self.lanes.gather_4(table, index)
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
        let mut log = self.log.borrow_mut();
        if let Some(instruction) = log.current {
            for tap in texels {
                let mut texels = [0; LANES];
                self.lanes.store_i(*tap, &mut texels);
                log.taps.push((instruction, texels));
            }
        }
        self.lanes.fetch(table, texels)
    }

    #[inline(always)]
    fn samples(self, member: usize) {
        let mut log = self.log.borrow_mut();
        log.current = Some(log.begun - log.group + member);
    }

    #[inline(always)]
    fn special(self, operands: &[L::F], host: impl FnOnce() -> L::F) -> L::F {
        self.lanes.special(operands, host)
    }

    #[inline(always)]
    fn textures(
        self,
        slots: &[u8],
        coordinates: &[L::F],
        colors: &mut [[L::F; 4]],
        host: impl FnOnce(&mut [[L::F; 4]]),
    ) {
        self.log.borrow_mut().begin_group(slots.len());
        self.lanes.textures(slots, coordinates, colors, host);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::Scalar;

    #[test]
    fn watched_fetches_go_to_the_instruction_that_samples() {
        let log = RefCell::default();
        let l = Watched {
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
}
