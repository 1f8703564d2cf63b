//! `array::map` for lane code. The standard one may be compiled as a function of its own, and a function of its own is not
//! compiled for the dispatched instruction set (see [`super::dispatch`]); this one never is. If the index matters, see
//! [`super::each`].

/// The array of `change(values[0])`, `change(values[1])`, ... Give it a closure marked `#[inline(always)]`.
#[inline(always)]
pub fn map<T: Copy, U: Copy, const N: usize>(values: [T; N], change: impl Fn(T) -> U) -> [U; N] {
    let mut changed = [change(values[0]); N];
    let mut k = 1;
    while k < N {
        changed[k] = change(values[k]);
        k += 1;
    }
    changed
}
