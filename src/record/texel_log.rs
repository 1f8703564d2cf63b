//! Lanes that compute as others do and log which texels they fetch: what a texture cache would see.
//!
//! Texture instructions are numbered as the recorder numbers them ([`super::Recorder`]): one for each slot of a group, one
//! for each read outside of groups.
//!
//! Several quads may share the lanes, and yet what is logged of each is what it reads by itself: where an instruction asks
//! whether any lane needs something, quads that disagree are noticed ([`TexelLog::is_mixed`]), and the caller lets them
//! read one by one.
//!
//! Logging is called, never copied: the lanes of a program are one function, and each loop in it costs time to compile.

use std::cell::RefCell;

use azulejo_simd::{LANES, Lanes, quads};

/// Texels that lanes fetched, by texture instruction.
#[derive(Debug, Clone)]
#[doc(hidden)]
pub struct TexelLog {
    /// Quads whose reads are logged, all lanes of each; the needs of others do not count.
    quads: u32,
    /// Within an instruction some of these quads needed what others did not.
    is_mixed: bool,
    /// Texture instructions begun so far.
    begun: usize,
    /// Instructions of the group that is being sampled.
    group: usize,
    /// The instruction that fetches, if any does.
    current: Option<usize>,
    /// Groups and special functions around what runs.
    depth: usize,
    /// Only addresses matter, not the values of texels.
    pub reads_alone: bool,
    /// Texture instruction (its number in program order) with the table index of each lane, one entry a tap.
    taps: Vec<(usize, [i32; LANES])>,
}

/// Texels that one quad fetched.
#[derive(Debug, Clone, Copy)]
pub struct QuadTexels<'a> {
    taps: &'a [(usize, [i32; LANES])],
    /// Number among the quads of the lanes.
    quad: usize,
    /// Taps of a program that says itself which of its texture instructions ran.
    executed: &'a [(Tap, [u32; 4])],
}

/// Place of a tap in an execution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tap {
    /// Number among the texture instructions that the quad executed, in their order; that of the instruction where each is
    /// executed once.
    pub execution: usize,
    /// Texture instruction, by its number in program order.
    pub instruction: usize,
}

impl<'a> QuadTexels<'a> {
    /// Texture instruction (its number in program order) with the index of each fragment's texel in the texture's storage,
    /// one entry a tap.
    pub fn taps(self) -> impl Iterator<Item = (usize, [u32; 4])> + 'a {
        let executed = self.executions();
        executed.map(|(tap, texels)| (tap.instruction, texels))
    }

    /// [`Self::taps`] with the number of the execution, which a loop makes many of.
    pub fn executions(self) -> impl Iterator<Item = (Tap, [u32; 4])> + 'a {
        // A quad has one kind or the other; one loop over both is shorter than a chain of two.
        let n_logged = self.taps.len();
        (0..n_logged + self.executed.len()).map(move |at| {
            let Some(&(instruction, ref lanes)) = self.taps.get(at) else {
                return self.executed[at - n_logged];
            };
            let quads: &[[i32; 4]; LANES / 4] = bytemuck::cast_ref(lanes);
            let tap = Tap {
                execution: instruction,
                instruction,
            };
            (tap, quads[self.quad].map(i32::cast_unsigned))
        })
    }
}

/// Texels that a quad fetched on its path through a program that says itself which texture instructions it executes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ExecutedTexels {
    executions: usize,
    taps: Vec<(Tap, [u32; 4])>,
}

impl ExecutedTexels {
    /// The next execution, of the texture instruction with this number: the index of each fragment's texel in the texture's
    /// storage, one entry a tap.
    pub fn push(&mut self, instruction: usize, taps: impl IntoIterator<Item = [u32; 4]>) {
        let tap = Tap {
            execution: self.executions,
            instruction,
        };
        self.executions += 1;
        self.taps
            .extend(taps.into_iter().map(|texels| (tap, texels)));
    }

    /// Number of executions.
    #[must_use]
    pub const fn executions(&self) -> usize {
        self.executions
    }

    /// The texels.
    #[must_use]
    pub fn texels(&self) -> QuadTexels<'_> {
        QuadTexels {
            taps: &[],
            quad: 0,
            executed: &self.taps,
        }
    }
}

impl Default for TexelLog {
    /// Empty, for reads of all lanes.
    fn default() -> Self {
        Self {
            quads: 0x1111,
            is_mixed: false,
            begun: 0,
            group: 0,
            current: None,
            depth: 0,
            reads_alone: false,
            taps: Vec::new(),
        }
    }
}

impl TexelLog {
    /// Forgets everything: a new invocation begins, of which the quads of these lanes are wanted.
    pub fn begin(&mut self, lanes: u32) {
        self.quads = quads(lanes);
        self.is_mixed = false;
        self.begun = 0;
        self.group = 0;
        self.current = None;
        self.depth = 0;
        self.taps.clear();
    }

    /// Whether a quad by itself might have read less than was logged. With one quad it never does.
    pub const fn is_mixed(&self) -> bool {
        self.is_mixed
    }

    /// Texels that a quad fetched, by its number among the quads of the lanes.
    pub fn of_quad(&self, quad: usize) -> QuadTexels<'_> {
        QuadTexels {
            taps: &self.taps,
            quad,
            executed: &[],
        }
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

    /// Whether work that these lanes need is done. Between instructions nothing is skipped; inside of one, what is skipped
    /// is not fetched.
    #[inline(never)]
    fn wants(log: &RefCell<Self>, lanes: u32) -> bool {
        let mut log = log.borrow_mut();
        if log.depth == 0 {
            return true;
        }
        let wanting = quads(lanes) & log.quads;
        log.is_mixed |= log.group > 0 && wanting != 0 && wanting != log.quads;
        wanting != 0
    }

    /// Logs reads by one instruction.
    #[inline(never)]
    fn read(log: &RefCell<Self>, taps: &[[i32; LANES]]) {
        let mut log = log.borrow_mut();
        if let Some(instruction) = log.reader() {
            let taps = taps.iter().map(|texels| (instruction, *texels));
            log.taps.extend(taps);
        }
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
#[doc(hidden)]
pub struct TexelLogging<'a, L> {
    /// The lanes that compute.
    pub lanes: L,
    /// Log of the texels fetched.
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
        let l = self.lanes;
        // From an empty table nothing can be read; the instruction is counted all the same.
        let last = l.i(table.len().saturating_sub(1).min(i32::MAX as usize) as i32);
        let mut texels = [[0; LANES]; N];
        let mut k = 0;
        while k < N {
            l.store_i(l.min_u(taps[k], last), &mut texels[k]);
            k += 1;
        }
        TexelLog::read(self.log, if table.is_empty() { &[] } else { &texels });
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
        TexelLog::wants(self.log, self.lanes.mask_bits(mask))
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
    use crate::{Tape, Unit};
    use azulejo_simd::Scalar;

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
        let log = log.borrow();
        let instructions = log.of_quad(0).taps().step_by(4).map(|tap| tap.0);
        assert_eq!(
            instructions.collect::<Vec<_>>(),
            [0, 1, 1, 2, 2],
            "one group of one, one group of two at two levels"
        );
        assert_eq!(
            log.of_quad(3).taps().nth(3),
            Some((0, [10; 4])),
            "the last tap is the fourth texel"
        );
    }

    /// Reads texel 1 of every lane, and texel 2 if a lane's number is at least `from`; returns whether that was mixed, and
    /// what each quad read.
    fn reads_from(from: i32, wanted: u32) -> (bool, [Vec<u32>; 4]) {
        let log = RefCell::new(TexelLog::default());
        log.borrow_mut().begin(wanted);
        let l = TexelLogging {
            lanes: Scalar,
            log: &log,
        };
        let lane = l.load_i(&std::array::from_fn(|lane| lane as i32));
        let mut colors = [[l.f(0.0); 4]];
        l.textures(&[0], &[], &mut colors, |_| {
            l.samples(0);
            l.gather(&[0; 4], l.i(1));
            if l.any(l.not(l.lt_i(lane, l.i(from)))) {
                l.gather(&[0; 4], l.i(2));
            }
        });
        let log = log.into_inner();
        let of_quad = |quad| log.of_quad(quad).taps().map(|tap| tap.1[0]).collect();
        (log.is_mixed(), [0, 1, 2, 3].map(of_quad))
    }

    #[test]
    fn texel_logging_is_mixed_where_wanted_quads_disagree() {
        assert!(
            reads_from(7, 0xffff).0,
            "quads 1 to 3 want the second texel"
        );
        assert!(!reads_from(3, 0xffff).0, "each has a lane that wants it");
        assert!(!reads_from(16, 0xffff).0, "nobody wants it");
        assert!(!reads_from(7, 0xfff0).0, "quad 0 is not asked");
        for quad in 0..4 {
            assert!(!reads_from(7, 0xf << (4 * quad)).0, "one by itself");
        }
    }

    #[test]
    fn texel_logging_of_one_quad_logs_what_it_reads_by_itself() {
        let alone = |quad: usize| reads_from(7, 0xf << (4 * quad)).1[quad].clone();
        assert_eq!(alone(0), [1], "its lanes want no more");
        assert_eq!(alone(1), [1, 2], "its last lane does");
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
        let log = log.borrow();
        let taps = log.of_quad(0).taps().map(|(at, texels)| (at, texels[0]));
        let taps: Vec<_> = taps.collect();
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
