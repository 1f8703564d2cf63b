//! Memory that is about to be written: asked for while something else is done. No lanes here, but `unsafe`, which this room alone may hold.

/// Bytes of a line of the caches, or a part of one.
#[cfg(target_arch = "x86_64")]
const LINE: usize = 64;

/// Brings all lines in which `elements` lie nearer to the processor, if it has an instruction for that; nothing else happens. They come as far
/// as the second cache: the first is full of what is being drawn.
#[inline]
#[doc(hidden)]
pub fn prefetch<T>(elements: &[T]) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T1, _mm_prefetch};

        let bytes = elements.as_ptr_range();
        let (start, end) = (bytes.start.cast::<i8>(), bytes.end.cast::<i8>());
        let mut line = start.wrapping_sub(start.addr() % LINE);
        while line < end {
            // SAFETY: a hint, which reads nothing whatever the address.
            unsafe { _mm_prefetch::<_MM_HINT_T1>(line) };
            line = line.wrapping_add(LINE);
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = elements;
}
