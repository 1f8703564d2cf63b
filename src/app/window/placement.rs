//! Placement of the picture on the window: fitted into the part that panels leave free, or enlarged to look at pixels.

/// Most window pixels for one pixel of the picture.
const MAX_SCALE: f32 = 64.0;

/// Part of the window in physical pixels.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Area {
    pub(super) x: f32,
    pub(super) y: f32,
    pub(super) width: f32,
    pub(super) height: f32,
}

impl Area {
    /// Left, top, width and height.
    pub(super) fn edges(self) -> [f32; 4] {
        [self.x, self.y, self.width, self.height]
    }
}

/// Magnification of a picture that stands still.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Magnifier {
    /// Enlargement beyond fitting; 1 fits.
    pub(super) zoom: f32,
    /// The picture's point in the middle of the area, in parts of its size.
    pub(super) middle: [f32; 2],
}

impl Default for Magnifier {
    fn default() -> Self {
        Self {
            zoom: 1.0,
            middle: [0.5; 2],
        }
    }
}

/// Placement of a picture on the window.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Placement {
    /// Upper left corner of the picture, in window pixels.
    pub(super) origin: [f32; 2],
    /// Window pixels for each pixel of the picture.
    pub(super) scale: f32,
    /// Width and height of the picture in its own pixels.
    pub(super) size: [u32; 2],
    /// Whether it was drawn with fewer pixels than it stands for, so that single ones mean nothing.
    pub(super) is_coarse: bool,
}

impl Placement {
    /// Fits a picture of `size` into `area`: pixel on pixel where it has the area's size, else as large as fits, and then
    /// enlarged by the magnifier.
    pub(super) fn fit(size: [u32; 2], area: Area, magnifier: Magnifier) -> Self {
        let [width, height] = size.map(|edge| edge.max(1) as f32);
        let fitting = (area.width / width).min(area.height / height);
        let scale = (fitting * magnifier.zoom).clamp(1e-3, MAX_SCALE);
        let middle = |zoom_middle: f32, edge: f32, start: f32, room: f32| {
            let shown = edge * scale;
            let origin = start + 0.5 * room - zoom_middle * shown;
            if shown <= room {
                (start + 0.5 * (room - shown)).floor()
            } else {
                origin.clamp(start + room - shown, start).round()
            }
        };
        Self {
            origin: [
                middle(magnifier.middle[0], width, area.x, area.width),
                middle(magnifier.middle[1], height, area.y, area.height),
            ],
            scale,
            size,
            is_coarse: false,
        }
    }

    /// Whether neighbours are mixed: not where pixels lie on pixels, nor where they are enlarged so that each can be seen,
    /// unless the picture is a coarse one for the time being.
    pub(super) fn is_smooth(&self) -> bool {
        self.scale != 1.0 && (self.scale < 3.0 || self.is_coarse)
    }

    /// The picture's point under a point of the window, in its own pixels; perhaps outside.
    pub(super) fn point(&self, window: [f32; 2]) -> [f32; 2] {
        [0, 1].map(|axis| (window[axis] - self.origin[axis]) / self.scale)
    }

    /// The picture's pixel under a point of the window.
    pub(super) fn pixel(&self, window: [f32; 2]) -> Option<[u32; 2]> {
        let [x, y] = self.point(window);
        let inside = x >= 0.0 && y >= 0.0 && x < self.size[0] as f32 && y < self.size[1] as f32;
        inside.then_some([x as u32, y as u32])
    }
}

impl Magnifier {
    /// Enlarges by a factor so that the picture's point under `window` stays there.
    pub(super) fn zoom_at(
        &mut self,
        factor: f32,
        window: [f32; 2],
        placement: &Placement,
        area: Area,
    ) {
        let before = placement.point(window);
        self.zoom = (self.zoom * factor).clamp(1.0, 256.0);
        self.middle = [0, 1].map(|axis| placement.point_part(axis, area));
        let after = Placement::fit(placement.size, area, *self).point(window);
        self.middle = [0, 1].map(|axis| {
            let edge = placement.size[axis].max(1) as f32;
            self.middle[axis] + (before[axis] - after[axis]) / edge
        });
        self.keep_inside();
    }

    /// Moves the picture by `by` window pixels.
    pub(super) fn drag(&mut self, by: [f32; 2], placement: &Placement) {
        self.middle = [0, 1].map(|axis| {
            let edge = placement.size[axis].max(1) as f32;
            self.middle[axis] - by[axis] / (placement.scale * edge)
        });
        self.keep_inside();
    }

    fn keep_inside(&mut self) {
        self.middle = self.middle.map(|part| part.clamp(0.0, 1.0));
    }
}

impl Placement {
    /// Part of the picture that lies in the middle of the area, along one axis.
    fn point_part(&self, axis: usize, area: Area) -> f32 {
        let middle = match axis {
            0 => area.x + 0.5 * area.width,
            _ => area.y + 0.5 * area.height,
        };
        (middle - self.origin[axis]) / (self.scale * self.size[axis].max(1) as f32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AREA: Area = Area {
        x: 100.0,
        y: 50.0,
        width: 640.0,
        height: 480.0,
    };

    #[test]
    fn picture_of_the_areas_size_lies_pixel_on_pixel() {
        let placement = Placement::fit([640, 480], AREA, Magnifier::default());
        assert_eq!(placement.scale, 1.0, "no scaling");
        assert_eq!(placement.origin, [100.0, 50.0], "in its corner");
    }

    #[test]
    fn placement_mixes_neighbours_where_single_pixels_mean_nothing() {
        let of = |size| Placement::fit(size, AREA, Magnifier::default());
        assert!(!of([640, 480]).is_smooth(), "pixel on pixel");
        assert!(of([600, 450]).is_smooth(), "somewhat larger");
        assert!(!of([80, 60]).is_smooth(), "to look at pixels");
        let coarse = Placement {
            is_coarse: true,
            ..of([80, 60])
        };
        assert!(coarse.is_smooth(), "while the camera moves");
    }

    #[test]
    fn picture_of_another_shape_is_centred() {
        let placement = Placement::fit([320, 120], AREA, Magnifier::default());
        assert_eq!(placement.scale, 2.0, "as wide as the area");
        assert_eq!(
            placement.origin,
            [100.0, 50.0 + 120.0],
            "bars above and below"
        );
        assert_eq!(placement.pixel([100.0, 169.0]), None, "on a bar");
        assert_eq!(placement.pixel([103.0, 171.0]), Some([1, 0]), "inside");
    }

    #[test]
    fn magnifier_keeps_what_is_under_the_pointer() {
        let mut magnifier = Magnifier::default();
        let pointer = [400.0, 200.0];
        for _ in 0..6 {
            let placement = Placement::fit([640, 480], AREA, magnifier);
            let before = placement.point(pointer);
            magnifier.zoom_at(1.5, pointer, &placement, AREA);
            let after = Placement::fit([640, 480], AREA, magnifier).point(pointer);
            // Pictures lie on whole window pixels.
            let off = [0, 1].map(|axis| (after[axis] - before[axis]).abs());
            assert!(
                off[0] <= 1.0 && off[1] <= 1.0,
                "{off:?} at {}",
                magnifier.zoom
            );
        }
    }
}
