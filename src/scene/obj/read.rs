//! Statements of an OBJ to its contents. One that cannot be read is left out, and a vertex still counts, so that others keep their numbers.

use std::collections::BTreeSet;

use glam::{Vec2, Vec3};

use super::contents::{Contents, Corner, Kind, NONE, Run};
use super::faults::{Faults, Problem};
use super::library::Libraries;
use super::lines::{Statement, short, statements, without_comment};
use super::numbers::Numbers;

const POSITION: &str = "expected `v X Y Z`, behind it W, R G B or R G B A";
const TEX_COORD: &str = "expected `vt U V`";
const NORMAL: &str = "expected `vn X Y Z`";
const CORNERS: &str = "such as 1, 1/2 or 1/2/3, numbered from 1";

/// Statements that change nothing that is drawn: of free-form geometry, display and programs.
const PASSED_OVER: [&str; 30] = [
    "vp",
    "cstype",
    "deg",
    "bmat",
    "step",
    "parm",
    "trim",
    "hole",
    "scrv",
    "sp",
    "end",
    "con",
    "mg",
    "bevel",
    "c_interp",
    "d_interp",
    "lod",
    "maplib",
    "usemap",
    "shadow_obj",
    "trace_obj",
    "ctech",
    "stech",
    "call",
    "csh",
    "bsp",
    "bzp",
    "cdc",
    "cdp",
    "res",
];

/// Name of the file in messages.
pub(super) const FILE: &str = "OBJ file";

/// Contents of a file, and what is wrong with it.
#[derive(Debug)]
pub(super) struct Read<'a> {
    pub(super) contents: Contents<'a>,
    /// Names of materials that no library gives.
    pub(super) unknown: BTreeSet<&'a str>,
    /// The line of the first fault, and what it is.
    pub(super) first_fault: Option<(u32, Problem)>,
}

/// Reads the statements of `text`; libraries are read where they are named, faults gathered.
pub(super) fn read<'a>(
    text: &'a str,
    libraries: &mut Libraries<'_>,
    faults: &mut Faults,
) -> Read<'a> {
    let mut first_fault = None;
    let mut fault = |faults: &mut Faults, line, problem: Problem| {
        faults.add(FILE, line, &problem);
        first_fault.get_or_insert((line, problem));
    };
    let mut reader = Reader::default();
    reader.contents.runs.push(Run::default());
    for statement in statements(text) {
        let read = match statement.word {
            "mtllib" => libraries.read(&statement, faults),
            "usemtl" => reader.material(&statement, libraries),
            _ => reader.statement(&statement),
        };
        if let Err(problem) = read {
            fault(faults, statement.line, problem);
        }
    }
    let mut contents = reader.contents;
    contents.check(|line, problem| fault(faults, line, problem));
    let mut unknown = BTreeSet::new();
    for run in &mut contents.runs {
        if let Some(name) = run.wanted {
            run.material = libraries.number(name);
            if run.material.is_none() {
                unknown.insert(without_comment(name));
            }
        }
    }
    Read {
        contents,
        unknown,
        first_fault,
    }
}

/// Contents so far, and the smoothing group of what follows.
#[derive(Debug, Default)]
struct Reader<'a> {
    contents: Contents<'a>,
    smoothing: u32,
}

impl<'a> Reader<'a> {
    fn statement(&mut self, statement: &Statement<'a>) -> Result<(), Problem> {
        let vertices = &mut self.contents.vertices;
        match statement.word {
            "v" => self.position(statement),
            "vt" => {
                let tex_coord = tex_coord(statement);
                let value = *tex_coord.as_ref().unwrap_or(&Vec2::NAN);
                vertices.tex_coords.push(value);
                tex_coord.map(|_| ())
            }
            "vn" => {
                let normal = Numbers::<3>::of(statement.words()).all(NORMAL);
                let value = *normal.as_ref().unwrap_or(&[f32::NAN; 3]);
                vertices.normals.push(value.into());
                normal.map(|_| ())
            }
            // `fo` is what `f` was called before version 3.
            "f" | "fo" => self.element(Kind::Face, 3, statement),
            "l" => self.element(Kind::Line, 2, statement),
            "p" => self.element(Kind::Points, 1, statement),
            "s" => {
                self.smoothing = smoothing(statement)?;
                Ok(())
            }
            "o" | "g" => {
                self.begin(statement.rest);
                Ok(())
            }
            "curv" | "curv2" | "surf" => Err("free-form curves and surfaces are not drawn".into()),
            word if PASSED_OVER.contains(&word) => Ok(()),
            word => Err(format!("'{}' is no statement of the format", short(word)).into()),
        }
    }

    fn position(&mut self, statement: &Statement<'_>) -> Result<(), Problem> {
        let vertices = &mut self.contents.vertices;
        let numbers = Numbers::<7>::of(statement.words());
        let ([x, y, z, w, ..], n) = (numbers.values, numbers.n);
        let mut position = if n < 3 { Vec3::NAN } else { Vec3::new(x, y, z) };
        let is_weighted = n == 4 && numbers.stopped.is_none();
        if is_weighted {
            position /= w;
        }
        if !position.is_finite() {
            vertices.positions.push(Vec3::NAN);
            return Err(match is_weighted {
                true => format!("its place over its weight {w} is not finite; {POSITION}").into(),
                false => numbers.problem(POSITION),
            });
        }
        vertices.positions.push(position);
        match (n, numbers.stopped) {
            (3 | 4, None) => Ok(()),
            (6 | 7, None) => {
                let [_, _, _, r, g, b, _] = numbers.values;
                vertices.set_color(Vec3::new(r, g, b).clamp(Vec3::ZERO, Vec3::ONE));
                Ok(())
            }
            _ => Err(format!("colour, {}", numbers.problem(POSITION)).into()),
        }
    }

    fn element(
        &mut self,
        kind: Kind,
        least: usize,
        statement: &Statement<'_>,
    ) -> Result<(), Problem> {
        let contents = &mut self.contents;
        let vertices = &contents.vertices;
        let counts = [
            vertices.positions.len(),
            vertices.tex_coords.len(),
            vertices.normals.len(),
        ];
        let first = contents.corners.len();
        let mut corners = statement.words().map(|word| corner(word, counts));
        let read = corners.try_for_each(|corner| {
            contents.corners.push(corner?);
            Ok(())
        });
        let n = contents.corners.len() - first;
        let read = read.and_then(|()| match n < least {
            true => Err(format!("vertices found: {n}; expected {least} or more, {CORNERS}").into()),
            false => Ok(()),
        });
        match read.is_ok() {
            true => contents.add(kind, statement.line, self.smoothing, first),
            false => contents.corners.truncate(first),
        }
        read
    }

    /// Begins an object or group in the same material.
    fn begin(&mut self, name: &'a str) {
        let first = self.contents.elements.len();
        let run = self.contents.runs.pop_if(|run| run.first == first);
        let last = self.contents.runs.last().cloned();
        let run = run.or(last).unwrap_or_default();
        self.contents.runs.push(Run {
            name,
            begins: true,
            first,
            ..run
        });
    }

    fn material(
        &mut self,
        statement: &Statement<'a>,
        libraries: &Libraries<'_>,
    ) -> Result<(), Problem> {
        let name = statement.rest;
        let material = libraries.number(name);
        if material.is_none() && without_comment(name).is_empty() {
            return Err("expected `usemtl` and the name of a material".into());
        }
        let wanted = material.is_none().then_some(name);
        let last = self.contents.runs.last().cloned().unwrap_or_default();
        if (last.material, last.wanted) != (material, wanted) {
            self.contents.runs.push(Run {
                material,
                wanted,
                begins: false,
                first: self.contents.elements.len(),
                ..last
            });
        }
        Ok(())
    }
}

/// A place in the texture; without a second number on its lower edge.
fn tex_coord(statement: &Statement<'_>) -> Result<Vec2, Problem> {
    let numbers = Numbers::<2>::of(statement.words());
    match (numbers.n, numbers.stopped) {
        (1, None) | (2, _) => Ok(numbers.values.into()),
        _ => Err(numbers.problem(TEX_COORD)),
    }
}

fn smoothing(statement: &Statement<'_>) -> Result<u32, Problem> {
    let word = statement.words().next().unwrap_or_default();
    match word {
        "off" => Ok(0),
        "on" => Ok(1),
        _ => word.parse().map_err(|_| {
            let word = short(word);
            format!("'{word}' is no smoothing group; expected a number, `on` or `off`").into()
        }),
    }
}

/// A corner such as `1/2/3`, when so many positions, texture vertices and normals have been read.
fn corner(word: &str, counts: [usize; 3]) -> Result<Corner, Problem> {
    let form = || {
        Problem::from(format!(
            "'{}' is no vertex; expected one {CORNERS}",
            short(word)
        ))
    };
    let mut numbers = [NONE; 3];
    for (at, part) in word.split('/').enumerate() {
        // Nothing stands between the strokes of 1//3.
        if part.is_empty() {
            continue;
        }
        let count = counts.get(at).ok_or_else(form)?;
        let number: i64 = part.parse().map_err(|_| form())?;
        numbers[at] = match number {
            0 => NONE,
            _ => {
                let before = if number < 0 { *count as i64 } else { -1 };
                let number = u32::try_from(before.saturating_add(number));
                number
                    .ok()
                    .filter(|number| *number != NONE)
                    .ok_or_else(|| {
                        format!(
                            "vertex '{}' is not there: no line before gives it",
                            short(word)
                        )
                    })?
            }
        };
    }
    let [position, tex_coord, normal] = numbers;
    match position {
        NONE => Err(form()),
        _ => Ok(Corner {
            position,
            tex_coord,
            normal,
        }),
    }
}
