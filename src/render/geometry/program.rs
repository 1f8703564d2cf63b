//! The vertex program: morph, skin, place in the world, project; one source for every lane type.

use bytemuck::cast_slice;
use glam::{DMat4, Mat4, Vec3};

use super::varyings::{MAX_VARYINGS, VaryingLayout};
use azulejo_record::Tape;
use azulejo_scene::Primitive;
use azulejo_simd::{Lanes, each};

/// Vertex program of one draw, with its streams and matrices.
#[derive(Debug, Clone, Copy)]
pub struct VertexProgram<'a> {
    pub(super) primitive: &'a Primitive,
    layout: VaryingLayout,
    clip_from_world: Mat4,
    /// `clip_from_world` without the rounding of products, for the clipper.
    pub(super) clip_from_world_exact: DMat4,
    pub(super) placement: Placement<'a>,
    /// Makes a rigid placement's volume 1 before normals see it, so that tiny scales don't underflow.
    normal_scale: f32,
    pub(super) morph_weights: &'a [f32],
}

/// How local space becomes world space.
#[derive(Debug, Clone, Copy)]
pub enum Placement<'a> {
    /// One transform for all vertices.
    Rigid(Mat4),
    /// Weighted sum of matrices.
    Skinned {
        /// `world_from_mesh` matrices, by joint of the skin.
        joints: &'a [Mat4],
        /// Counter-clockwise triangles are clockwise ones in the world: the mesh's node says so, not its joints (glTF 2.0,
        /// 3.7.4).
        mirrored: bool,
    },
}

/// Results of the vertex program for sixteen vertices, one a lane.
#[derive(Debug, Clone, Copy)]
pub(super) struct ShadedLanes<L: Lanes> {
    /// Position in clip space, before the division by w.
    pub(super) clip: [L::F; 4],
    /// Floats in the order of the [`VaryingLayout`].
    pub(super) varyings: [L::F; MAX_VARYINGS],
}

/// Columns of an affine `world_from_local`, sixteen of them.
type Affine<L> = [[<L as Lanes>::F; 3]; 4];

impl<'a> VertexProgram<'a> {
    /// A program that writes `layout` for `primitive`, with the matrix that lanes multiply with and the one of the clipper;
    /// varyings whose stream the primitive lacks must not be in it.
    #[must_use]
    pub(crate) fn new(
        primitive: &'a Primitive,
        layout: VaryingLayout,
        (clip_from_world, clip_from_world_exact): (Mat4, DMat4),
        placement: Placement<'a>,
        morph_weights: &'a [f32],
    ) -> Self {
        let volume = match placement {
            Placement::Rigid(matrix) => matrix.determinant().abs(),
            Placement::Skinned { .. } => 1.0,
        };
        let normal_scale = if volume > 0.0 && volume.is_finite() {
            volume.cbrt().recip()
        } else {
            1.0
        };
        Self {
            primitive,
            layout,
            clip_from_world,
            clip_from_world_exact,
            placement,
            normal_scale,
            morph_weights,
        }
    }

    /// Vertices of the primitive, each shaded once.
    pub(super) fn n_vertices(&self) -> usize {
        self.primitive.positions.len()
    }

    /// Layout of the varyings that it writes.
    #[must_use]
    pub fn layout(&self) -> &VaryingLayout {
        &self.layout
    }

    /// The instruction list; position and each varying attribute are an output.
    #[must_use]
    pub fn record(&self) -> Tape {
        Tape::record(|recorder| {
            let shaded = self.shade(recorder, recorder.i(0));
            recorder.output(&shaded.clip);
            let varyings = &shaded.varyings[..usize::from(self.layout.len)];
            for attribute in varyings.chunks(4) {
                recorder.output(attribute);
            }
        })
    }

    /// Shades the vertices with the given indices.
    #[inline(always)]
    pub(super) fn shade<L: Lanes>(&self, l: L, index: L::I) -> ShadedLanes<L> {
        let Self {
            primitive, layout, ..
        } = self;
        let mut varyings = [l.f(0.0); MAX_VARYINGS];
        let world_from_local = self.placement_of(l, index);

        let morph = self.morph(|target| &target.positions);
        let position = self.fetch3(l, &primitive.positions, morph, index);
        let position_world = transform_point(l, &world_from_local, position);
        put(&mut varyings, layout.position_world, &position_world);

        if layout.normal_world.is_some() {
            let normal = self.fetch3(
                l,
                &primitive.normals,
                self.morph(|target| &target.normals),
                index,
            );
            put(
                &mut varyings,
                layout.normal_world,
                &self.transform_normal(l, &world_from_local, normal),
            );
        }
        if layout.tangent_world.is_some() {
            let [x, y, z, sign] = l.attribute::<4>(cast_slice(&primitive.tangents), index);
            let tangent =
                self.add_morphs3(l, [x, y, z], self.morph(|target| &target.tangents), index);
            let [x, y, z] = transform_direction(l, &world_from_local, tangent);
            put(&mut varyings, layout.tangent_world, &[x, y, z, sign]);
        }
        if layout.color.is_some() {
            let mut color = l.attribute::<4>(cast_slice(&primitive.colors), index);
            for (target, &weight) in primitive.morph_targets.iter().zip(self.morph_weights) {
                if !target.colors.is_empty() {
                    let delta = l.attribute::<4>(cast_slice(&target.colors), index);
                    color = each!(4, k => l.mul_add(delta[k], l.f(weight), color[k]));
                }
            }
            if primitive.morphs_colors() {
                let (zero, one) = (l.f(0.0), l.f(1.0));
                color = each!(4, k => l.min(l.max(color[k], zero), one));
            }
            put(&mut varyings, layout.color, &color);
        }
        for (set, &slot) in layout.tex_coords.iter().enumerate() {
            if slot.is_some() {
                put(&mut varyings, slot, &self.tex_coord(l, set, index));
            }
        }
        ShadedLanes {
            clip: project(l, &self.clip_from_world, position_world),
            varyings,
        }
    }

    /// `world_from_local` of each lane.
    #[inline(always)]
    fn placement_of<L: Lanes>(&self, l: L, index: L::I) -> Affine<L> {
        match self.placement {
            Placement::Rigid(matrix) => {
                let columns = matrix.to_cols_array_2d();
                each!(4, column => each!(3, row => l.f(columns[column][row])))
            }
            Placement::Skinned { joints, .. } => self.skin(l, joints, index),
        }
    }

    /// The weighted sum of joint matrices (glTF 2.0, 3.7.3.2).
    #[inline(always)]
    fn skin<L: Lanes>(&self, l: L, joints: &[Mat4], index: L::I) -> Affine<L> {
        let table: &[u32] = cast_slice(joints);
        let mut sum = [[l.f(0.0); 3]; 4];
        for (indices, weights) in self.primitive.joints.iter().zip(&self.primitive.weights) {
            // Two 16-bit joint numbers lie in each word.
            let words: &[u32] = cast_slice(indices);
            let weights = l.attribute::<4>(cast_slice(weights), index);
            for (influence, &weight) in weights.iter().enumerate() {
                let word = l.uniform(words, l.shl::<1>(index) + l.i(influence as i32 / 2));
                let joint = if influence % 2 == 0 {
                    word & l.i(0xffff)
                } else {
                    l.shr::<16>(word)
                };
                let first = l.shl::<4>(joint);
                for (column, sums) in sum.iter_mut().enumerate() {
                    for (row, sum) in sums.iter_mut().enumerate() {
                        let element =
                            l.of_bits(l.uniform(table, first + l.i((column * 4 + row) as i32)));
                        *sum = l.mul_add(element, weight, *sum);
                    }
                }
            }
        }
        sum
    }

    /// The morph targets' streams of one attribute, with their weights.
    fn morph(
        &self,
        stream: impl Fn(&'a azulejo_scene::MorphTarget) -> &'a Vec<Vec3>,
    ) -> impl Iterator<Item = (&'a [Vec3], f32)> {
        self.primitive
            .morph_targets
            .iter()
            .map(move |target| stream(target).as_slice())
            .zip(self.morph_weights.iter().copied())
            .filter(|(stream, _)| !stream.is_empty())
    }

    #[inline(always)]
    fn fetch3<L: Lanes>(
        &self,
        l: L,
        stream: &[Vec3],
        morphs: impl Iterator<Item = (&'a [Vec3], f32)>,
        index: L::I,
    ) -> [L::F; 3] {
        self.add_morphs3(
            l,
            l.attribute::<3>(cast_slice(stream), index),
            morphs,
            index,
        )
    }

    #[inline(always)]
    fn add_morphs3<L: Lanes>(
        &self,
        l: L,
        mut value: [L::F; 3],
        morphs: impl Iterator<Item = (&'a [Vec3], f32)>,
        index: L::I,
    ) -> [L::F; 3] {
        for (deltas, weight) in morphs {
            let delta = l.attribute::<3>(cast_slice(deltas), index);
            value = each!(3, k => l.mul_add(delta[k], l.f(weight), value[k]));
        }
        value
    }

    #[inline(always)]
    fn tex_coord<L: Lanes>(&self, l: L, set: usize, index: L::I) -> [L::F; 2] {
        let stream = self.primitive.tex_coords.get(set);
        let stream = stream.map_or(&[][..], Vec::as_slice);
        let mut uv = l.attribute::<2>(cast_slice(stream), index);
        for (target, &weight) in self.primitive.morph_targets.iter().zip(self.morph_weights) {
            if let Some(deltas) = target
                .tex_coords
                .get(set)
                .filter(|deltas| !deltas.is_empty())
            {
                let delta = l.attribute::<2>(cast_slice(deltas), index);
                uv = each!(2, k => l.mul_add(delta[k], l.f(weight), uv[k]));
            }
        }
        uv
    }

    /// Normals transform by the inverse transpose; up to a positive factor that is the cofactor matrix, its sign that of
    /// the determinant. Its columns are cross products of the matrix's columns.
    #[inline(always)]
    fn transform_normal<L: Lanes>(&self, l: L, m: &Affine<L>, n: [L::F; 3]) -> [L::F; 3] {
        let m: [[L::F; 3]; 3] =
            each!(3, column => each!(3, row => m[column][row] * l.f(self.normal_scale)));
        let cofactors = [
            cross(l, m[1], m[2]),
            cross(l, m[2], m[0]),
            cross(l, m[0], m[1]),
        ];
        let determinant = l.mul_add(
            m[0][2],
            cofactors[0][2],
            l.mul_add(m[0][1], cofactors[0][1], m[0][0] * cofactors[0][0]),
        );
        let mirrored = l.lt(determinant, l.f(0.0));
        each!(3, row => {
            let sum = l.mul_add(
                cofactors[2][row],
                n[2],
                l.mul_add(cofactors[1][row], n[1], cofactors[0][row] * n[0]),
            );
            l.select(mirrored, -sum, sum)
        })
    }
}

#[inline(always)]
fn put<F: Copy>(varyings: &mut [F; MAX_VARYINGS], slot: Option<u8>, values: &[F]) {
    if let Some(slot) = slot {
        let slot = usize::from(slot);
        varyings[slot..slot + values.len()].copy_from_slice(values);
    }
}

#[inline(always)]
fn transform_direction<L: Lanes>(l: L, m: &Affine<L>, v: [L::F; 3]) -> [L::F; 3] {
    each!(3, row => {
        l.mul_add(
            m[2][row],
            v[2],
            l.mul_add(m[1][row], v[1], m[0][row] * v[0]),
        )
    })
}

#[inline(always)]
fn transform_point<L: Lanes>(l: L, m: &Affine<L>, p: [L::F; 3]) -> [L::F; 3] {
    each!(3, row => {
        l.mul_add(
            m[0][row],
            p[0],
            l.mul_add(m[1][row], p[1], l.mul_add(m[2][row], p[2], m[3][row])),
        )
    })
}

#[inline(always)]
fn cross<L: Lanes>(l: L, a: [L::F; 3], b: [L::F; 3]) -> [L::F; 3] {
    each!(3, k => {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        l.mul_add(a[i], b[j], -(a[j] * b[i]))
    })
}

#[inline(always)]
fn project<L: Lanes>(l: L, clip_from_world: &Mat4, p: [L::F; 3]) -> [L::F; 4] {
    let m = clip_from_world.to_cols_array_2d();
    each!(4, row => {
        let xy = l.mul_add(
            l.f(m[1][row]),
            p[1],
            l.mul_add(l.f(m[2][row]), p[2], l.f(m[3][row])),
        );
        l.mul_add(l.f(m[0][row]), p[0], xy)
    })
}
