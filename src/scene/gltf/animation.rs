//! Animations: channels with checked keyframes (glTF 2.0, 3.11). A channel that makes no sense is left out with a warning.

use gltf::json::accessor::Type;
use gltf::json::animation::{
    Animation as Json, Channel as JsonChannel, Interpolation as JsonInterpolation, Property,
};
use gltf::json::validation::Checked;

use super::accessor::Accessor;
use super::error::{LoadError, element};
use super::file::File;
use super::hierarchy::Hierarchy;
use crate::scene::{Animation, Channel, Interpolation, Keyframes, Mesh, NodeId, Target, Transform};

/// What channels may refer to.
#[derive(Debug)]
pub(super) struct Stage<'a> {
    pub file: &'a File,
    pub hierarchy: &'a Hierarchy,
    /// The scene's meshes, to which the nodes refer.
    pub meshes: &'a [Mesh],
}

impl Stage<'_> {
    /// Reads animation `index` of the file.
    pub(super) fn read(&self, index: usize) -> Result<Animation, LoadError> {
        let json = &self.file.root.animations[index];
        let name = element("animation", index, json.name.as_deref());
        let mut channels = Vec::with_capacity(json.channels.len());
        for (number, channel) in json.channels.iter().enumerate() {
            let name = format!("{name}, channel {number}");
            match self.channel(json, channel, &name)? {
                Outcome::Read(channel) => channels.push(channel),
                Outcome::ElsewhereInFile => {}
                Outcome::LeftOut(why) => self.file.warn(format!("{name}: {why}: left out")),
            }
        }
        let last = |channel: &Channel| channel.keyframes.times.last().copied().unwrap_or(0.0);
        Ok(Animation {
            name: json.name.clone().unwrap_or_default(),
            duration: channels.iter().map(last).fold(0.0, f32::max),
            channels,
        })
    }

    fn channel(
        &self,
        json: &Json,
        channel: &JsonChannel,
        name: &str,
    ) -> Result<Outcome, LoadError> {
        let node = channel.target.node.value();
        let Some(&id) = self.hierarchy.ids.get(node) else {
            let count = self.hierarchy.ids.len();
            return Err(LoadError::invalid(
                name,
                format!("refers to node {node} of {count}"),
            ));
        };
        let Some(id) = id else {
            return Ok(Outcome::ElsewhereInFile);
        };
        let target = match channel.target.path {
            Checked::Valid(Property::Translation) => Target::Translation,
            Checked::Valid(Property::Rotation) => Target::Rotation,
            Checked::Valid(Property::Scale) => Target::Scale,
            Checked::Valid(Property::MorphTargetWeights) => Target::MorphWeights,
            Checked::Invalid => return Ok(Outcome::LeftOut("its path is unknown")),
        };
        let components = match self.components(id, target) {
            Ok(components) => components,
            Err(why) => return Ok(Outcome::LeftOut(why)),
        };
        let keyframes = self.keyframes(json, channel, components, name)?;
        Ok(match keyframes {
            Ok(keyframes) => Outcome::Read(Channel {
                node: id,
                target,
                keyframes,
            }),
            Err(why) => Outcome::LeftOut(why),
        })
    }

    /// Floats of one value of `target`, or why the node has no such property.
    fn components(&self, id: NodeId, target: Target) -> Result<usize, &'static str> {
        let node = &self.hierarchy.nodes[id.index()].node;
        if target == Target::MorphWeights {
            let mesh = node.mesh.map(|mesh| &self.meshes[mesh.index()]);
            let primitives = mesh.into_iter().flat_map(|mesh| &mesh.primitives);
            let targets = primitives.map(|primitive| primitive.morph_targets.len());
            return targets
                .max()
                .filter(|&n| n > 0)
                .ok_or("its node has no morph targets");
        }
        match node.transform {
            Transform::Matrix(_) => Err("its node has a matrix"),
            Transform::Trs { .. } if target == Target::Rotation => Ok(4),
            Transform::Trs { .. } => Ok(3),
        }
    }

    fn keyframes(
        &self,
        json: &Json,
        channel: &JsonChannel,
        components: usize,
        name: &str,
    ) -> Result<Result<Keyframes, &'static str>, LoadError> {
        let index = channel.sampler.value();
        let Some(sampler) = json.samplers.get(index) else {
            let count = json.samplers.len();
            return Err(LoadError::invalid(
                name,
                format!("refers to sampler {index} of {count}"),
            ));
        };
        let interpolation = match sampler.interpolation {
            Checked::Valid(JsonInterpolation::Linear) => Interpolation::Linear,
            Checked::Valid(JsonInterpolation::Step) => Interpolation::Step,
            Checked::Valid(JsonInterpolation::CubicSpline) => Interpolation::CubicSpline,
            Checked::Invalid => return Ok(Err("its interpolation is unknown")),
        };
        let times = format!("times of {name}");
        let input = Accessor::new(self.file, sampler.input.value(), &times)?;
        input.expect_shape(&[Type::Scalar])?;
        let values = format!("values of {name}");
        let output = Accessor::new(self.file, sampler.output.value(), &values)?;
        let keyframes = Keyframes {
            times: input.scalars(),
            values: output.scalars(),
            components,
            interpolation,
        };
        let problem = problem(&keyframes);
        Ok(problem.map_or(Ok(keyframes), Err))
    }
}

/// What became of a channel.
enum Outcome {
    Read(Channel),
    /// It moves a node of another scene.
    ElsewhereInFile,
    LeftOut(&'static str),
}

/// Why keyframes cannot be sampled, if so.
fn problem(keyframes: &Keyframes) -> Option<&'static str> {
    let Keyframes {
        times,
        values,
        components,
        interpolation,
    } = keyframes;
    let per_key = match interpolation {
        Interpolation::CubicSpline => 3 * components,
        Interpolation::Step | Interpolation::Linear => *components,
    };
    if times.is_empty() {
        Some("it has no keyframes")
    } else if !times.iter().all(|time| time.is_finite() && *time >= 0.0) {
        Some("its times are not finite or below 0")
    } else if !times.is_sorted() {
        Some("its times do not ascend")
    } else if !values.iter().all(|value| value.is_finite()) {
        Some("its values are not finite")
    } else if times.len().checked_mul(per_key) != Some(values.len()) {
        Some("it has not the values that its times need")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keyframes(times: &[f32], values: usize) -> Keyframes {
        Keyframes {
            times: times.to_vec(),
            values: vec![0.0; values],
            components: 3,
            interpolation: Interpolation::Linear,
        }
    }

    #[test]
    fn keyframes_that_cannot_be_sampled_are_found() {
        assert_eq!(problem(&keyframes(&[0.0, 1.0], 6)), None, "sound");
        assert!(problem(&keyframes(&[], 0)).is_some(), "none");
        assert!(problem(&keyframes(&[1.0, 0.5], 6)).is_some(), "descending");
        assert!(
            problem(&keyframes(&[0.0, f32::NAN], 6)).is_some(),
            "no number"
        );
        assert!(
            problem(&keyframes(&[0.0, 1.0], 5)).is_some(),
            "a value is missing"
        );
        let mut cubic = keyframes(&[0.0], 9);
        cubic.interpolation = Interpolation::CubicSpline;
        assert_eq!(problem(&cubic), None, "three values a key");
    }
}
