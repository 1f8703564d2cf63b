//! Small arrays of lanes, element by element.

/// `each!(3, k => expr)` is the array of `expr` for k = 0, 1, 2; the count is 2, 3 or 4.
///
/// Equal to `std::array::from_fn(|k| expr)`, but without a closure: a closure is a function of its own, compiled without
/// the instruction set that the dispatched code has, and every lane operation in it would be a call.
#[doc(hidden)]
#[macro_export]
macro_rules! each {
    (2, $k:ident => $value:expr) => {
        [$crate::each!(@ 0, $k => $value), $crate::each!(@ 1, $k => $value)]
    };
    (3, $k:ident => $value:expr) => {
        [
            $crate::each!(@ 0, $k => $value),
            $crate::each!(@ 1, $k => $value),
            $crate::each!(@ 2, $k => $value),
        ]
    };
    (4, $k:ident => $value:expr) => {
        [
            $crate::each!(@ 0, $k => $value),
            $crate::each!(@ 1, $k => $value),
            $crate::each!(@ 2, $k => $value),
            $crate::each!(@ 3, $k => $value),
        ]
    };
    (@ $number:literal, $k:ident => $value:expr) => {{
        let $k: usize = $number;
        $value
    }};
}
