//! Places of nodes in double precision, for files with nodes so far away that single precision does not tell them apart: a
//! tile of a city told from the middle of the earth, and its parent that brings it back. The crate's types hold `f32`.

use glam::{DMat4, DQuat, DVec3};
use gltf::json::Value;
use serde::Deserialize;
use serde_json::Map;

use crate::{Transform, is_nearby};

/// Transform of a node as the file has it, in double precision.
#[derive(Debug, Clone, Default, Deserialize)]
pub(super) struct Place {
    matrix: Option<[f64; 16]>,
    translation: Option<[f64; 3]>,
    rotation: Option<[f64; 4]>,
    scale: Option<[f64; 3]>,
}

/// The places of all nodes, by node; none if all of them are nearby. A value that is no place at all is left to the typed reader.
pub(super) fn read(object: &Map<String, Value>) -> Vec<Place> {
    let nodes = object.get("nodes").and_then(Value::as_array);
    let nodes = nodes.into_iter().flatten();
    let places: Vec<Place> = nodes
        .map(|node| Place::deserialize(node).unwrap_or_default())
        .collect();
    match places.iter().all(Place::is_nearby) {
        true => Vec::new(),
        false => places,
    }
}

impl Place {
    fn is_nearby(&self) -> bool {
        let of_matrix = |m: [f64; 16]| DVec3::new(m[12], m[13], m[14]);
        let shift = self.translation.map(DVec3::from_array);
        self.matrix.map(of_matrix).or(shift).is_none_or(is_nearby)
    }

    /// The node's transform, unless it is not finite, or too large for single precision anyway.
    pub(super) fn transform(&self) -> Option<Transform> {
        if let Some(matrix) = &self.matrix {
            let matrix = DMat4::from_cols_array(matrix);
            return matrix
                .as_mat4()
                .is_finite()
                .then_some(Transform::FarMatrix(matrix));
        }
        let translation = self.translation.map_or(DVec3::ZERO, DVec3::from_array);
        let scale = self.scale.map_or(DVec3::ONE, DVec3::from_array);
        let rotation = self.rotation.map_or(DQuat::IDENTITY, DQuat::from_array);
        let length = rotation.length();
        let rotation = match length > 0.0 && length.is_finite() {
            true => rotation / length,
            false => DQuat::IDENTITY,
        };
        let finite = translation.as_vec3().is_finite() && scale.as_vec3().is_finite();
        finite.then_some(Transform::FarTrs {
            translation,
            rotation,
            scale,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(nodes: &str) -> Vec<Place> {
        let object: Map<String, Value> =
            serde_json::from_str(&format!(r#"{{"nodes":[{nodes}]}}"#)).expect("JSON");
        read(&object)
    }

    #[test]
    fn places_are_kept_in_double_precision_where_one_is_far() {
        let near = r#"{"translation":[1.1,0,-9]},{"name":"no place"}"#;
        assert!(places(near).is_empty(), "single precision does");
        let far = places(&format!(r#"{near},{{"translation":[75235304.123,0,0]}}"#));
        let shifts = far.iter().map(|place| match place.transform() {
            Some(Transform::FarTrs { translation, .. }) => translation.x,
            _ => f64::NAN,
        });
        assert_eq!(
            shifts.collect::<Vec<_>>(),
            [1.1, 0.0, 75_235_304.123],
            "of all nodes"
        );
        let matrix = r#"{"matrix":[1,0,0,0,0,1,0,0,0,0,1,0,-6378137.3,0,0,1]}"#;
        let Some(Transform::FarMatrix(matrix)) = places(matrix)[0].transform() else {
            panic!("a matrix");
        };
        assert_eq!(matrix.w_axis.x, -6_378_137.3, "by a matrix");
    }

    #[test]
    fn places_that_are_none_are_left_to_the_typed_reader() {
        let nodes = r#"{"translation":"far"},{"translation":[1e300,0,0]}"#;
        let places = places(nodes);
        assert!(places[1].transform().is_none(), "too far for a picture");
        assert!(places[0].is_nearby(), "no numbers");
    }
}
