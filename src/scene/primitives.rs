//! The primitives of a mesh, with digests of their geometry that are kept until they may have changed.

use std::ops::{Deref, DerefMut};
use std::sync::OnceLock;

use super::Primitive;

/// A list of primitives. It is used like a [`Vec`]; each mutable borrow drops its digests.
///
/// ```
/// # mod azulejo { pub use azulejo_scene as scene; }
/// use azulejo::scene::{Primitive, Primitives};
///
/// let mut parts = Primitives::from(vec![Primitive::default()]);
/// let before = parts.geometry_digest(0);
/// parts[0].indices = vec![0, 1, 2];
/// assert_ne!(parts.geometry_digest(0), before, "other indices");
/// ```
#[derive(Debug, Clone, Default)]
pub struct Primitives {
    list: Vec<Primitive>,
    /// Digest of each primitive, once one was asked for.
    digests: OnceLock<Box<[u64]>>,
}

impl Primitives {
    /// [`Primitive::geometry_digest`] of the primitive at this position; all vertex data of the mesh are read where they
    /// were not since the last change, and none otherwise.
    ///
    /// # Panics
    /// If there is no such primitive.
    #[must_use]
    pub fn geometry_digest(&self, number: usize) -> u64 {
        let digests = (self.digests)
            .get_or_init(|| self.list.iter().map(Primitive::geometry_digest).collect());
        digests[number]
    }
}

impl PartialEq for Primitives {
    fn eq(&self, other: &Self) -> bool {
        self.list == other.list
    }
}

impl From<Vec<Primitive>> for Primitives {
    fn from(list: Vec<Primitive>) -> Self {
        Self {
            list,
            digests: OnceLock::new(),
        }
    }
}

impl Deref for Primitives {
    type Target = Vec<Primitive>;

    fn deref(&self) -> &Vec<Primitive> {
        &self.list
    }
}

impl DerefMut for Primitives {
    fn deref_mut(&mut self) -> &mut Vec<Primitive> {
        self.digests.take();
        &mut self.list
    }
}

impl<'a> IntoIterator for &'a Primitives {
    type Item = &'a Primitive;
    type IntoIter = std::slice::Iter<'a, Primitive>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.iter()
    }
}

impl<'a> IntoIterator for &'a mut Primitives {
    type Item = &'a mut Primitive;
    type IntoIter = std::slice::IterMut<'a, Primitive>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}

#[cfg(test)]
mod tests {
    use glam::{Vec2, Vec3, Vec4};

    use super::*;
    use crate::{MorphTarget, Topology};

    type Change = (&'static str, fn(&mut Primitive));

    /// One for each thing that decides what is drawn.
    const CHANGES: [Change; 15] = [
        ("topology", |p| p.topology = Topology::Lines),
        ("indices", |p| p.indices.push(0)),
        ("positions", |p| p.positions.push(Vec3::ZERO)),
        ("normals", |p| p.normals.push(Vec3::ZERO)),
        ("tangents", |p| p.tangents.push(Vec4::ZERO)),
        ("tex_coords", |p| p.tex_coords.push(vec![Vec2::ZERO])),
        ("colors", |p| p.colors.push(Vec4::ZERO)),
        ("joints", |p| p.joints.push(vec![[0; 4]])),
        ("weights", |p| p.weights.push(vec![Vec4::ZERO])),
        ("targets", |p| p.morph_targets.push(MorphTarget::default())),
        ("moved positions", |p| target(p).positions.push(Vec3::ZERO)),
        ("moved normals", |p| target(p).normals.push(Vec3::ZERO)),
        ("moved tangents", |p| target(p).tangents.push(Vec3::ZERO)),
        ("moved tex_coords", |p| {
            target(p).tex_coords.push(vec![Vec2::ZERO])
        }),
        ("moved colors", |p| target(p).colors.push(Vec4::ZERO)),
    ];

    fn target(primitive: &mut Primitive) -> &mut MorphTarget {
        primitive.morph_targets.push(MorphTarget::default());
        &mut primitive.morph_targets[0]
    }

    #[test]
    fn primitives_know_of_every_change() {
        let plain = Primitives::from(vec![Primitive::default(); 2]);
        let mut seen = vec![plain.geometry_digest(1)];
        for (_, change) in CHANGES {
            let mut changed = plain.clone();
            change(&mut changed[1]);
            assert_eq!(changed.geometry_digest(0), seen[0], "the other");
            seen.push(changed.geometry_digest(1));
        }
        for (nth, digest) in seen.iter().enumerate() {
            let name = nth.checked_sub(1).map_or("none", |at| CHANGES[at].0);
            assert!(!seen[..nth].contains(digest), "{name}");
        }
    }

    #[test]
    fn primitives_that_change_through_any_borrow_have_new_digests() {
        let mut primitives = Primitives::from(vec![Primitive::default(); 2]);
        let expect_new = |primitives: &mut Primitives, change: fn(&mut Primitives)| {
            let before = primitives.geometry_digest(0);
            change(primitives);
            assert_ne!(primitives.geometry_digest(0), before);
            assert_eq!(
                primitives.geometry_digest(0),
                primitives[0].geometry_digest(),
                "remembered"
            );
        };
        expect_new(&mut primitives, |p| p[0].indices.push(0));
        expect_new(&mut primitives, |p| {
            p.iter_mut().for_each(|each| each.indices.push(1));
        });
        expect_new(&mut primitives, |p| {
            for each in p {
                each.indices.push(2);
            }
        });
        expect_new(&mut primitives, |p| p.insert(0, Primitive::default()));
    }

    #[test]
    fn primitives_are_equal_whether_they_were_asked_or_not() {
        let asked = Primitives::from(vec![Primitive::default()]);
        let other = asked.clone();
        let _ = asked.geometry_digest(0);
        assert_eq!(asked, other);
    }
}
