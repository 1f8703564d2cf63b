//! Vertices picked anew: every stream of a primitive, morph targets included, in a new order.

use crate::Primitive;

/// Rearranges the vertices: new vertex `i` is old vertex `order[i]`. Indices are left as they are.
pub(super) fn gather(primitive: &mut Primitive, order: &[u32]) {
    pick(&mut primitive.positions, order);
    pick(&mut primitive.normals, order);
    pick(&mut primitive.tangents, order);
    primitive.tex_coords.iter_mut().for_each(|s| pick(s, order));
    pick(&mut primitive.colors, order);
    primitive.joints.iter_mut().for_each(|s| pick(s, order));
    primitive.weights.iter_mut().for_each(|s| pick(s, order));
    for target in &mut primitive.morph_targets {
        pick(&mut target.positions, order);
        pick(&mut target.normals, order);
        pick(&mut target.tangents, order);
        target.tex_coords.iter_mut().for_each(|s| pick(s, order));
        pick(&mut target.colors, order);
    }
}

/// One stream in a new order; an empty one stays empty.
pub(super) fn pick<T: Copy>(stream: &mut Vec<T>, order: &[u32]) {
    if !stream.is_empty() {
        *stream = order.iter().map(|&index| stream[index as usize]).collect();
    }
}

/// Drops vertices that no index names: primitives of one file often share long streams.
pub(super) fn drop_unused(primitive: &mut Primitive) {
    let mut new_index = vec![u32::MAX; primitive.positions.len()];
    primitive
        .indices
        .iter()
        .for_each(|&old| new_index[old as usize] = 0);
    let used = |&old: &u32| new_index[old as usize] != u32::MAX;
    let order: Vec<u32> = (0..new_index.len() as u32).filter(used).collect();
    if order.len() == new_index.len() {
        return;
    }
    for (new, &old) in (0..).zip(&order) {
        new_index[old as usize] = new;
    }
    primitive
        .indices
        .iter_mut()
        .for_each(|index| *index = new_index[*index as usize]);
    gather(primitive, &order);
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    #[test]
    fn vertices_that_no_index_names_are_dropped() {
        let mut primitive = Primitive {
            indices: vec![4, 2, 4],
            positions: (0..6).map(|x| Vec3::splat(x as f32)).collect(),
            ..Primitive::default()
        };
        drop_unused(&mut primitive);
        assert_eq!(primitive.indices, [1, 0, 1], "indices follow");
        let expected = [Vec3::splat(2.0), Vec3::splat(4.0)];
        assert_eq!(primitive.positions, expected, "order is kept");
    }
}
