//! Half-open rectangles of whole pixels.

/// Pixels with `x0 <= x < x1` and `y0 <= y < y1`; y grows downwards. Empty where a bound is not below its partner.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct PixelRect {
    /// First column inside, pixels.
    pub x0: i32,
    /// First row inside, pixels.
    pub y0: i32,
    /// One past the last column.
    pub x1: i32,
    /// One past the last row.
    pub y1: i32,
}

impl PixelRect {
    /// The rectangle from the origin to `width` by `height`.
    #[must_use]
    pub fn of_size(width: u32, height: u32) -> Self {
        Self {
            x0: 0,
            y0: 0,
            x1: width.cast_signed(),
            y1: height.cast_signed(),
        }
    }

    /// The pixels in both.
    #[must_use]
    pub fn intersect(self, other: Self) -> Self {
        Self {
            x0: self.x0.max(other.x0),
            y0: self.y0.max(other.y0),
            x1: self.x1.min(other.x1),
            y1: self.y1.min(other.y1),
        }
    }

    /// Whether no pixel lies inside.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.x0 >= self.x1 || self.y0 >= self.y1
    }

    /// Columns inside; 0 where the rectangle is empty.
    #[must_use]
    pub fn width(self) -> u32 {
        (self.x1 - self.x0).max(0).cast_unsigned()
    }

    /// Rows inside; 0 where the rectangle is empty.
    #[must_use]
    pub fn height(self) -> u32 {
        (self.y1 - self.y0).max(0).cast_unsigned()
    }

    /// Pixels inside; 0 where the rectangle is empty.
    #[must_use]
    pub fn area(self) -> u64 {
        u64::from(self.width()) * u64::from(self.height())
    }

    /// Whether the pixel lies inside.
    #[must_use]
    pub const fn contains(self, x: i32, y: i32) -> bool {
        x >= self.x0 && x < self.x1 && y >= self.y0 && y < self.y1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rect_intersection_of_disjoint_is_empty() {
        let a = PixelRect::of_size(4, 4);
        let b = PixelRect {
            x0: 6,
            y0: 0,
            x1: 9,
            y1: 4,
        };
        assert!(a.intersect(b).is_empty(), "no common column");
        assert_eq!(a.intersect(b).area(), 0, "an empty rectangle has no pixels");
    }
}
