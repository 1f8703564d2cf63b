//! `array::from_fn` and `array::map` for lane code. The standard ones may be compiled as functions of their own, and a
//! function of its own is not compiled for the dispatched instruction set (see [`super::dispatch`]); these never are.
//! Give them closures marked `#[inline(always)]`.

/// The array of `make(0)`, `make(1)`, ...
#[inline(always)]
pub fn each<T: Copy, const N: usize>(make: impl Fn(usize) -> T) -> [T; N] {
    let mut values = [make(0); N];
    let mut k = 1;
    while k < N {
        values[k] = make(k);
        k += 1;
    }
    values
}

/// The array of `change(values[0])`, `change(values[1])`, ...
#[inline(always)]
pub fn map<T: Copy, U: Copy, const N: usize>(values: [T; N], change: impl Fn(T) -> U) -> [U; N] {
    each(
        #[inline(always)]
        |k| change(values[k]),
    )
}
