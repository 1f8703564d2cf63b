//! Contents of an OBJ: lists of vertices, and elements made of them, in the order of the file.

use std::ops::Range;

use glam::{Vec2, Vec3};

use super::faults::Problem;

/// Number that a corner lacks.
pub(super) const NONE: u32 = u32::MAX;

/// A corner of an element: numbers of a position, a place in the texture and a normal, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Corner {
    pub(super) position: u32,
    pub(super) tex_coord: u32,
    pub(super) normal: u32,
}

/// Kind of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Face,
    Line,
    Points,
}

/// Statement `f`, `l` or `p`.
#[derive(Debug, Clone)]
pub(super) struct Element {
    pub(super) kind: Kind,
    /// Line of the statement.
    pub(super) line: u32,
    /// Smoothing group; 0 for none.
    pub(super) smoothing: u32,
    first: u32,
    end: u32,
}

impl Element {
    /// Places of its corners; empty for one that is left out.
    pub(super) fn corners(&self) -> Range<usize> {
        self.first as usize..self.end as usize
    }
}

/// Elements of one name in one material, one after the other.
#[derive(Debug, Clone, Default)]
pub(super) struct Run<'a> {
    /// Name of the object or group, comment included.
    pub(super) name: &'a str,
    pub(super) material: Option<usize>,
    /// Name of a material that no library has given yet.
    pub(super) wanted: Option<&'a str>,
    /// Whether an object or group begins here, not only a material.
    pub(super) begins: bool,
    /// First element of the run; it ends where the next run begins.
    pub(super) first: usize,
}

/// Vertex data, by their numbers. NaN stands where a statement could not be read.
#[derive(Debug, Default)]
pub(super) struct Vertices {
    pub(super) positions: Vec<Vec3>,
    /// Linear RGB by position, NaN for none; may be shorter.
    colors: Vec<Vec3>,
    pub(super) tex_coords: Vec<Vec2>,
    pub(super) normals: Vec<Vec3>,
}

impl Vertices {
    /// Colour of a position, if it has one.
    pub(super) fn color(&self, position: u32) -> Option<Vec3> {
        let color = self.colors.get(position as usize);
        color.copied().filter(|color| !color.is_nan())
    }

    /// Gives the last position a colour.
    pub(super) fn set_color(&mut self, color: Vec3) {
        let last = self.positions.len().saturating_sub(1);
        self.colors.resize(last, Vec3::NAN);
        self.colors.push(color);
    }

    /// A corner without what could not be read, or what the file has none of at all.
    fn checked(&self, corner: Corner) -> Result<Corner, Problem> {
        let Some(position) = self.positions.get(corner.position as usize) else {
            return Err(beyond("vertex", corner.position));
        };
        if position.is_nan() {
            let number = u64::from(corner.position) + 1;
            return Err(format!("its vertex {number} could not be read").into());
        }
        let (tex_coords, normals) = (&self.tex_coords, &self.normals);
        Ok(Corner {
            position: corner.position,
            tex_coord: optional(tex_coords, corner.tex_coord, Vec2::is_nan)
                .ok_or_else(|| beyond("texture vertex", corner.tex_coord))?,
            normal: optional(normals, corner.normal, Vec3::is_nan)
                .ok_or_else(|| beyond("normal", corner.normal))?,
        })
    }
}

/// The number, [`NONE`] for what could not be read or where there are none, and nothing for one beyond the list.
fn optional<T: Copy>(list: &[T], number: u32, is_nan: fn(T) -> bool) -> Option<u32> {
    if number == NONE || list.is_empty() {
        return Some(NONE);
    }
    let value = list.get(number as usize)?;
    Some(if is_nan(*value) { NONE } else { number })
}

fn beyond(what: &str, number: u32) -> Problem {
    let number = u64::from(number) + 1;
    format!("{what} {number} is not there: no line before or behind gives it").into()
}

/// Collected content of all statements.
#[derive(Debug, Default)]
pub(super) struct Contents<'a> {
    pub(super) vertices: Vertices,
    pub(super) corners: Vec<Corner>,
    pub(super) elements: Vec<Element>,
    pub(super) runs: Vec<Run<'a>>,
}

impl Contents<'_> {
    /// Adds an element of the corners from place `first` on.
    pub(super) fn add(&mut self, kind: Kind, line: u32, smoothing: u32, first: usize) {
        self.elements.push(Element {
            kind,
            line,
            smoothing,
            first: first as u32,
            end: self.corners.len() as u32,
        });
    }

    /// Leaves out elements of vertices that are not there, and says which.
    pub(super) fn check(&mut self, mut fault: impl FnMut(u32, Problem)) {
        for element in &mut self.elements {
            let corners = &mut self.corners[element.corners()];
            let checked = corners.iter_mut().try_for_each(|corner| {
                *corner = self.vertices.checked(*corner)?;
                Ok(())
            });
            if let Err(problem) = checked {
                fault(element.line, problem);
                element.end = element.first;
            }
        }
    }
}
