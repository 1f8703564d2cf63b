//! Meshes from parametric surfaces: a function of (u, v) gives points; normals, tangents and triangles follow from it.
//!
//! Orientation: seen from the front, u runs to the right and v downwards, as in an image laid on the surface. So the
//! normal is dP/dv x dP/du, the tangent is dP/du and the bitangent's sign is always +1.

use std::f32::consts::{FRAC_PI_2, FRAC_PI_4, PI, TAU};

use glam::{Vec2, Vec3};

use super::curve::Curve;
use azulejo_scene::Primitive;

/// Step of the numerical derivatives in u and v.
const STEP: f32 = 1e-3;

/// Cells of a parametric surface, and how often its texture repeats over it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Patch {
    /// Number of grid cells along u.
    pub columns: u32,
    /// Number of grid cells along v.
    pub rows: u32,
    /// Texture coordinates are (u, v) times this.
    pub repeat: Vec2,
}

impl Patch {
    /// `columns` x `rows` cells under one copy of the texture.
    #[must_use]
    pub const fn new(columns: u32, rows: u32) -> Self {
        Self {
            columns,
            rows,
            repeat: Vec2::ONE,
        }
    }

    /// Repeats the texture `u` x `v` times over the patch, on the same grid of cells.
    #[must_use]
    pub const fn repeated(self, u: f32, v: f32) -> Self {
        Self {
            repeat: Vec2::new(u, v),
            ..self
        }
    }

    /// The mesh of `point` over the unit square. Edges may coincide (a seam) or shrink to a point (a pole), where
    /// triangles without area are left out.
    ///
    /// `point` must be defined a little beyond the square and smooth on the scale of a cell.
    pub fn mesh(self, point: impl Fn(f32, f32) -> Vec3) -> Primitive {
        let mut mesh = Primitive {
            tex_coords: vec![Vec::new()],
            ..Primitive::default()
        };
        for row in 0..=self.rows {
            for column in 0..=self.columns {
                let at = Vec2::new(
                    column as f32 / self.columns as f32,
                    row as f32 / self.rows as f32,
                );
                let (normal, tangent) = frame(&point, at);
                mesh.positions.push(point(at.x, at.y));
                mesh.normals.push(normal);
                mesh.tangents.push(tangent.extend(1.0));
                mesh.tex_coords[0].push(at * self.repeat);
            }
        }
        self.push_triangles(&mut mesh);
        mesh
    }

    fn push_triangles(self, mesh: &mut Primitive) {
        let stride = self.columns + 1;
        for row in 0..self.rows {
            for column in 0..self.columns {
                let a = row * stride + column;
                let (b, c, d) = (a + 1, a + stride, a + stride + 1);
                for triangle in [[a, c, b], [b, c, d]] {
                    let [p, q, r] = triangle.map(|i| mesh.positions[i as usize]);
                    let longest = (q - p).length_squared().max((r - p).length_squared());
                    if (q - p).cross(r - p).length() > 1e-5 * longest {
                        mesh.indices.extend(triangle);
                    }
                }
            }
        }
    }
}

/// Unit normal and tangent; at poles and edges measured a step inside.
fn frame(point: &impl Fn(f32, f32) -> Vec3, at: Vec2) -> (Vec3, Vec3) {
    let v = at.y.clamp(2.0 * STEP, 1.0 - 2.0 * STEP);
    let along_u = point(at.x + STEP, v) - point(at.x - STEP, v);
    let along_v = point(at.x, v + STEP) - point(at.x, v - STEP);
    let normal = along_v.cross(along_u).normalize_or(Vec3::Y);
    let tangent = along_u.reject_from_normalized(normal);
    let tangent = tangent
        .try_normalize()
        .unwrap_or_else(|| normal.any_orthonormal_vector());
    (normal, tangent)
}

/// An ellipsoid around the origin, poles on the y axis.
#[must_use]
pub fn ellipsoid(patch: Patch, radii: Vec3) -> Primitive {
    patch.mesh(|u, v| {
        let (sin_u, cos_u) = (u * TAU).sin_cos();
        let (sin_v, cos_v) = (v * PI).sin_cos();
        Vec3::new(sin_v * sin_u, cos_v, sin_v * cos_u) * radii
    })
}

/// A torus around the y axis: `ring` metres to the tube's centre, `tube` the tube's radius. v runs around the tube.
#[must_use]
pub fn torus(patch: Patch, ring: f32, tube: f32) -> Primitive {
    patch.mesh(|u, v| {
        let (sin_u, cos_u) = (u * TAU).sin_cos();
        let (sin_v, cos_v) = (FRAC_PI_2 - v * TAU).sin_cos();
        let out = ring + tube * cos_v;
        Vec3::new(out * sin_u, tube * sin_v, out * cos_u)
    })
}

/// A capsule along y: `length` between the centres of its half spheres.
#[must_use]
pub fn capsule(patch: Patch, radius: f32, length: f32) -> Primitive {
    let arc = PI * radius;
    patch.mesh(move |u, v| {
        // Arc length from the upper pole along cap, side, cap.
        let s = v * (arc + length);
        let side = (s - arc / 2.0).clamp(0.0, length);
        let (sin_v, cos_v) = ((s - side) / radius).sin_cos();
        let (sin_u, cos_u) = (u * TAU).sin_cos();
        let out = radius * sin_v;
        Vec3::new(
            out * sin_u,
            radius * cos_v + length / 2.0 - side,
            out * cos_u,
        )
    })
}

/// A surface of revolution around y. `profile` holds (radius, height) and runs downwards on the outside; v follows its
/// length.
#[must_use]
pub fn lathe(patch: Patch, profile: &Curve) -> Primitive {
    patch.mesh(|u, v| {
        let at = profile.at(v);
        let (sin, cos) = (u * TAU).sin_cos();
        Vec3::new(at.x * sin, at.y, at.x * cos)
    })
}

/// A tube along `path` with a radius by position 0..1; u runs around, v along. Open at the ends unless the radius
/// vanishes there.
#[must_use]
pub fn tube(patch: Patch, path: &Curve, radius: impl Fn(f32) -> f32) -> Primitive {
    let frames = path.frames(patch.rows);
    patch.mesh(|u, v| {
        let (sin, cos) = (u * TAU).sin_cos();
        let [across, over] = frames.at(v);
        path.at(v) + (across * sin + over * cos) * radius(v.clamp(0.0, 1.0))
    })
}

/// A flat rectangle in the xy plane, facing +z, its centre the origin.
#[must_use]
pub fn plane(patch: Patch, size: Vec2) -> Primitive {
    patch.mesh(|u, v| Vec3::new((u - 0.5) * size.x, (0.5 - v) * size.y, 0.0))
}

/// A box around the origin whose edges and corners are rounded with `radius`, `rounding` cells (at least 1) an eighth
/// turn. Texture coordinates are metres on each face times `repeat` (copies a metre).
#[must_use]
pub fn rounded_box(half: Vec3, radius: f32, rounding: u32, repeat: f32) -> Primitive {
    let mut mesh = Primitive {
        tex_coords: vec![Vec::new()],
        ..Primitive::default()
    };
    // Right and down of the six faces, as seen from outside.
    for (right, down) in [
        (Vec3::X, Vec3::NEG_Y),
        (Vec3::NEG_X, Vec3::NEG_Y),
        (Vec3::NEG_Z, Vec3::NEG_Y),
        (Vec3::Z, Vec3::NEG_Y),
        (Vec3::X, Vec3::Z),
        (Vec3::X, Vec3::NEG_Z),
    ] {
        let core = half - radius;
        let mut face = box_face([right, down], core, radius, rounding);
        for (at, position) in face.tex_coords[0].iter_mut().zip(&face.positions) {
            *at = Vec2::new(position.dot(right), position.dot(down)) * repeat;
        }
        append(&mut mesh, &face);
    }
    mesh
}

/// One face of the rounded box with its half of the adjoining roundings, each an eighth turn.
fn box_face([right, down]: [Vec3; 2], core: Vec3, radius: f32, rounding: u32) -> Primitive {
    let out = down.cross(right);
    let n_cells = 2 * rounding + 1;
    // Grid line `i`: the side of the core that it lies on, and its lean.
    let line = |i: u32| {
        if i <= rounding {
            let lean = (rounding - i) as f32 / rounding as f32;
            (-1.0, -(lean * FRAC_PI_4).tan())
        } else {
            let lean = (i - rounding - 1) as f32 / rounding as f32;
            (1.0, (lean * FRAC_PI_4).tan())
        }
    };
    let patch = Patch::new(n_cells, n_cells);
    let mut mesh = Primitive {
        tex_coords: vec![Vec::new()],
        ..Primitive::default()
    };
    for row in 0..=n_cells {
        for column in 0..=n_cells {
            let ((side_u, lean_u), (side_v, lean_v)) = (line(column), line(row));
            let normal = (right * lean_u + down * lean_v + out).normalize();
            let corner = (right * side_u + down * side_v + out) * core;
            let tangent = right.reject_from_normalized(normal).normalize();
            mesh.positions.push(corner + normal * radius);
            mesh.normals.push(normal);
            mesh.tangents.push(tangent.extend(1.0));
            mesh.tex_coords[0].push(Vec2::ZERO);
        }
    }
    patch.push_triangles(&mut mesh);
    mesh
}

/// Adds the vertices and triangles of `part` to `mesh`; both must have the same streams.
pub(crate) fn append(mesh: &mut Primitive, part: &Primitive) {
    let base = mesh.positions.len() as u32;
    mesh.indices.extend(part.indices.iter().map(|i| base + i));
    mesh.positions.extend(&part.positions);
    mesh.normals.extend(&part.normals);
    mesh.tangents.extend(&part.tangents);
    mesh.colors.extend(&part.colors);
    for (set, more) in mesh.tex_coords.iter_mut().zip(&part.tex_coords) {
        set.extend(more);
    }
}

#[cfg(test)]
mod tests;
