//! Pictures of what lies in every pixel: wireframe, depth, overdraw, mip levels, primitives, draws; each with a legend.

use glam::Mat4;

use super::planes::{FramePlanes, NOTHING};
use azulejo_report::Bitmap;
use azulejo_report::heatmap::{Legend, short_number, viridis};

/// Colour of pixels without a primitive.
const EMPTY: [u8; 4] = [0x18, 0x18, 0x1c, 0xff];
/// A pixel without the asked-for property: drawn, but without a texture.
const WITHOUT: [u8; 4] = [0x50, 0x50, 0x54, 0xff];
/// Brightness that the lines of the wireframe add to the dimmed picture: where triangles are small, there is nothing else.
const LINE: u8 = 0x80;
/// How much of the picture's light shows between the lines.
const DIMMED: f64 = 0.5;

/// Quantity that a picture of a frame shows instead of its colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FrameView {
    /// The outlines of the primitives that are seen, over the dimmed picture.
    Wireframe,
    /// The depth buffer as distance from the eye.
    Depth,
    /// Fragments shaded for each pixel.
    Overdraw,
    /// Quads shaded for each pixel, covered or not: what small and thin triangles cost.
    QuadOverdraw,
    /// The mip level that the first texture was read from.
    Mip,
    /// A colour for each primitive that is seen.
    Primitive,
    /// A colour for each draw that is seen.
    Draw,
}

impl FrameView {
    /// Every view with its name and meaning.
    pub const ALL: [(Self, &'static str, &'static str); 7] = [
        (
            Self::Wireframe,
            "wireframe",
            "outlines of the primitives that are seen",
        ),
        (Self::Depth, "depth", "distance from the eye"),
        (
            Self::Overdraw,
            "overdraw",
            "fragments shaded for each pixel",
        ),
        (
            Self::QuadOverdraw,
            "quad-overdraw",
            "quads shaded for each pixel, covered or not",
        ),
        (
            Self::Mip,
            "mip",
            "finest mip level read by the first texture instruction",
        ),
        (
            Self::Primitive,
            "primitive",
            "a colour for each primitive that is seen",
        ),
        (Self::Draw, "draw", "a colour for each draw that is seen"),
    ];

    /// The view of a name.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        let found = Self::ALL.iter().find(|(_, known, _)| *known == name);
        found.map(|(view, ..)| *view)
    }

    /// The name by which users choose it.
    #[must_use]
    pub fn name(self) -> &'static str {
        let found = Self::ALL.iter().find(|(view, ..)| *view == self);
        found.map_or("", |(_, name, _)| name)
    }
}

/// A view of a frame as a picture of the frame's size.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaintedView {
    /// sRGB-encoded and opaque, rows from top to bottom.
    pub pixels: Vec<[u8; 4]>,
    /// Meaning of the colours.
    pub legend: Legend,
}

impl PaintedView {
    /// Creates a view whose colours are mere names, its legend a title alone.
    fn of_names(pixels: Vec<[u8; 4]>, title: &str) -> Self {
        let legend = Legend {
            title: title.to_owned(),
            ..Legend::default()
        };
        Self { pixels, legend }
    }
}

impl FramePlanes {
    /// A view of the frame. `clip_from_view` is the camera's, for distances.
    #[must_use]
    pub fn paint(&self, view: FrameView, clip_from_view: Mat4) -> PaintedView {
        let seen = "primitives that are seen";
        match view {
            FrameView::Wireframe => PaintedView::of_names(self.wireframe(), seen),
            FrameView::Depth => self.depth_view(clip_from_view),
            FrameView::Overdraw => counts(&self.fragments, "overdraw: fragments shaded / pixel"),
            FrameView::QuadOverdraw => counts(&self.quads, "quad overdraw: quads shaded / pixel"),
            FrameView::Mip => self.mip_view(),
            FrameView::Primitive => PaintedView::of_names(names(&self.primitive), seen),
            FrameView::Draw => PaintedView::of_names(names(&self.draw), "draws that are seen"),
        }
    }

    /// The view with its legend below.
    #[must_use]
    pub fn picture(&self, view: FrameView, clip_from_view: Mat4) -> Bitmap {
        let PaintedView { mut pixels, legend } = self.paint(view, clip_from_view);
        let legend = legend.draw(self.grid.width);
        pixels.extend_from_slice(&legend.pixels);
        Bitmap {
            width: self.grid.width,
            height: self.grid.height + legend.height,
            pixels,
        }
    }

    /// The picture with all dimmed but the pixels in which this draw is seen.
    #[must_use]
    pub fn highlight(&self, draw: u32) -> Bitmap {
        let pixels = self.picture.iter().zip(&self.draw);
        let pixels = pixels.map(|(pixel, seen)| {
            let [r, g, b, a] = *pixel;
            if *seen == draw {
                [r, g, b, a]
            } else {
                dimmed(*pixel)
            }
        });
        Bitmap {
            width: self.grid.width,
            height: self.grid.height,
            pixels: pixels.collect(),
        }
    }

    /// Lines where the pixel to the right or below shows another primitive.
    fn wireframe(&self) -> Vec<[u8; 4]> {
        let (width, height) = (self.grid.width, self.grid.height);
        let pixels = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        pixels
            .map(|(x, y)| {
                let at = self.index(x, y);
                let differs = |x: u32, y: u32| {
                    x < width
                        && y < height
                        && self.primitive[self.index(x, y)] != self.primitive[at]
                };
                let on_line = differs(x + 1, y) || differs(x, y + 1);
                let [r, g, b, a] = dimmed(self.picture[at]);
                let light = if on_line { LINE } else { 0 };
                [
                    r + light.min(255 - r),
                    g + light.min(255 - g),
                    b + light.min(255 - b),
                    a,
                ]
            })
            .collect()
    }

    /// Near is bright; by the logarithm, because far things crowd together in perspective.
    fn depth_view(&self, clip_from_view: Mat4) -> PaintedView {
        let distances = distances(&self.depth, clip_from_view);
        let seen = || distances.iter().flatten().copied();
        let (near, far) = (seen().fold(f32::MAX, f32::min), seen().fold(0.0, f32::max));
        let range = f64::from(far / near).ln().max(1e-6);
        let color = |distance: &Option<f32>| {
            distance.map_or(EMPTY, |distance| {
                opaque(viridis(f64::from(far / distance).ln() / range))
            })
        };
        let pixels = distances.iter().map(color).collect();
        let scale = (far > 0.0).then(|| {
            let middle = f64::from(near) * f64::from(far / near).sqrt();
            [f64::from(far), middle, f64::from(near)].map(|d| format!("{d:.2}"))
        });
        let title = "distance from the eye in the scene's units, logarithmic".to_owned();
        let legend = Legend {
            title,
            scale,
            ..Legend::default()
        };
        PaintedView { pixels, legend }
    }

    fn mip_view(&self) -> PaintedView {
        let levels = || self.mip.iter().copied().filter(|level| *level != NOTHING);
        let last = levels().max().unwrap_or(0);
        let color = |(level, draw): (&u32, &u32)| match (*level, *draw) {
            (_, NOTHING) => EMPTY,
            (NOTHING, _) => WITHOUT,
            (level, _) => opaque(viridis(f64::from(level) / f64::from(last.max(1)))),
        };
        let pixels = self.mip.iter().zip(&self.draw).map(color).collect();
        let mean = levels().map(f64::from).sum::<f64>() / levels().count().max(1) as f64;
        let legend = Legend {
            title: "mip level of the first texture, grey: none".to_owned(),
            scale: Some([
                "level 0".to_owned(),
                format!("mean {}", short_number(mean)),
                format!("level {}", last.max(1)),
            ]),
            ..Legend::default()
        };
        PaintedView { pixels, legend }
    }
}

/// Distances from the eye along its axis, in the camera's units, of depths; `None` where nothing was drawn.
///
/// With `clip_from_view` M, depth d of the point z on the axis is (M22 z + M32) / (M23 z + M33); solved for z, which is
/// negative in front of the eye.
#[must_use]
pub fn distances(depths: &[f32], clip_from_view: Mat4) -> Vec<Option<f32>> {
    let (z, w) = (clip_from_view.z_axis, clip_from_view.w_axis);
    let distance = |depth: &f32| {
        let distance = (w.z - depth * w.w) / (z.z - depth * z.w);
        (*depth < 1.0 && distance.is_finite() && distance > 0.0).then_some(distance)
    };
    depths.iter().map(distance).collect()
}

/// Numbers by the colour scale from 0 to the largest.
fn counts(plane: &[u32], name: &str) -> PaintedView {
    let max = plane.iter().copied().max().unwrap_or(0).max(1);
    let color = |count: &u32| opaque(viridis(f64::from(*count) / f64::from(max)));
    let sum: u64 = plane.iter().map(|count| u64::from(*count)).sum();
    let mean = sum as f64 / plane.len().max(1) as f64;
    let legend = Legend {
        title: name.to_owned(),
        scale: Some([
            "0".to_owned(),
            format!("mean {}", short_number(mean)),
            max.to_string(),
        ]),
        ..Legend::default()
    };
    PaintedView {
        pixels: plane.iter().map(color).collect(),
        legend,
    }
}

/// A colour for each number, unlike those of its neighbours.
fn names(plane: &[u32]) -> Vec<[u8; 4]> {
    let color = |name: &u32| match *name {
        NOTHING => EMPTY,
        name => {
            // A multiplicative hash (Knuth, TAOCP 6.4): consecutive numbers end far apart.
            let hash = name.wrapping_add(1).wrapping_mul(0x9e37_79b1);
            let [r, g, b, _] = (hash ^ hash >> 15).to_le_bytes();
            opaque([r, g, b].map(|channel| 64 + channel / 4 * 3))
        }
    };
    plane.iter().map(color).collect()
}

/// A pixel of the picture, darker and over black.
fn dimmed(pixel: [u8; 4]) -> [u8; 4] {
    let [r, g, b, a] = pixel.map(f64::from);
    opaque([r, g, b].map(|channel| (DIMMED * channel * a / 255.0).round() as u8))
}

/// A colour with full alpha.
const fn opaque([r, g, b]: [u8; 3]) -> [u8; 4] {
    [r, g, b, 255]
}

#[cfg(test)]
mod tests {
    use super::*;
    use azulejo_math::{orthographic_vulkan, perspective_vulkan};

    #[test]
    fn distance_undoes_every_projection() {
        let projections = [
            perspective_vulkan(0.8, 1.5, 0.1, None),
            perspective_vulkan(0.8, 1.5, 0.1, Some(50.0)),
            orthographic_vulkan(2.0, 2.0, 0.1, 50.0),
        ];
        for clip_from_view in projections {
            let clip = clip_from_view * glam::Vec4::new(0.3, -0.2, -7.0, 1.0);
            let distance = distances(&[clip.z / clip.w], clip_from_view)[0];
            let error = (distance.unwrap_or_default() - 7.0).abs();
            assert!(error < 1e-3, "{clip_from_view:?}: {distance:?}");
        }
    }

    #[test]
    fn distance_of_nothing_is_none() {
        let clip_from_view = perspective_vulkan(0.8, 1.5, 0.1, None);
        assert_eq!(
            distances(&[1.0], clip_from_view),
            [None],
            "the cleared depth"
        );
    }

    #[test]
    fn views_have_names_that_find_them() {
        for (view, name, _) in FrameView::ALL {
            assert_eq!(FrameView::by_name(name), Some(view), "{name}");
            assert_eq!(view.name(), name, "{name}");
        }
        assert_eq!(FrameView::by_name("heat"), None, "no such view");
    }
}
