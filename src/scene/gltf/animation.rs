//! Animations: channels with checked keyframes (glTF 2.0, 3.11). A channel that makes no sense is left out with a warning.

use gltf::json::accessor::Type;
use gltf::json::animation::{
    Animation as Json, Channel as JsonChannel, Interpolation as JsonInterpolation,
    Property as JsonProperty,
};
use gltf::json::validation::Checked;

use super::accessor::Accessor;
use super::error::{LoadError, element, printable_pointer};
use super::file::File;
use super::hierarchy::Hierarchy;
use super::json::Pointer;
use super::pointer::{Aim, Map, Outcome, Places};
use crate::{
    Animation, Channel, Interpolation, Keyframes, Mesh, NodeId, Property, PropertyChannel, Target,
    Transform,
};

/// Parts of the file and of the scene that channels may refer to.
#[derive(Debug)]
pub(super) struct Stage<'a> {
    pub file: &'a File,
    pub hierarchy: &'a Hierarchy,
    /// The scene's meshes, to which the nodes refer.
    pub meshes: &'a [Mesh],
    /// Positions of the file's other parts in the scene, for pointers into it.
    pub places: Places,
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
        let mut properties = Vec::new();
        for pointer in self.file.pointers.get(&index).into_iter().flatten() {
            let name = format!("{name}, channel {}", pointer.channel);
            match self.follow(json, pointer, &name)? {
                Outcome::Read(Either::Node(channel)) => channels.push(channel),
                Outcome::Read(Either::Property(channel)) => properties.push(channel),
                Outcome::ElsewhereInFile => {}
                Outcome::LeftOut(why) => {
                    let path = printable_pointer(&pointer.path);
                    self.file.warn(format!("{name} ({path}): {why}: left out"));
                }
            }
        }
        // One weight moves whatever a channel of all of them says, wherever the file has it.
        channels.sort_by_key(|channel| matches!(channel.target, Target::MorphWeight(_)));
        properties.sort_by_key(|channel| matches!(channel.property, Property::MeshWeight(..)));
        let of_nodes = channels.iter().map(|channel| &channel.keyframes);
        let of_others = properties.iter().map(|channel| &channel.keyframes);
        let last = |keyframes: &Keyframes| keyframes.times.last().copied().unwrap_or(0.0);
        Ok(Animation {
            name: json.name.clone().unwrap_or_default(),
            duration: of_nodes.chain(of_others).map(last).fold(0.0, f32::max),
            channels,
            properties,
        })
    }

    /// The channel of a pointer.
    fn follow(
        &self,
        json: &Json,
        pointer: &Pointer,
        name: &str,
    ) -> Result<Outcome<Either>, LoadError> {
        let map = Map {
            file: self.file,
            nodes: &self.hierarchy.ids,
            meshes: self.meshes,
            places: &self.places,
        };
        let aim = match map.resolve(&pointer.path) {
            Outcome::Read(aim) => aim,
            Outcome::ElsewhereInFile => return Ok(Outcome::ElsewhereInFile),
            Outcome::LeftOut(why) => return Ok(Outcome::LeftOut(why)),
        };
        let components = match aim {
            Aim::Node(node, target) => self.components(node, target),
            Aim::Property(_, components) => Ok(components),
        };
        let components = match components {
            Ok(components) => components,
            Err(why) => return Ok(Outcome::LeftOut(why)),
        };
        let keyframes = match self.keyframes(json, pointer.sampler, components, name)? {
            Ok(keyframes) => keyframes,
            Err(why) => return Ok(Outcome::LeftOut(why)),
        };
        Ok(Outcome::Read(match aim {
            Aim::Node(node, target) => Either::Node(Channel {
                node,
                target,
                keyframes,
            }),
            Aim::Property(property, _) => Either::Property(PropertyChannel {
                property,
                keyframes,
            }),
        }))
    }

    fn channel(
        &self,
        json: &Json,
        channel: &JsonChannel,
        name: &str,
    ) -> Result<Outcome<Channel>, LoadError> {
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
            Checked::Valid(JsonProperty::Translation) => Target::Translation,
            Checked::Valid(JsonProperty::Rotation) => Target::Rotation,
            Checked::Valid(JsonProperty::Scale) => Target::Scale,
            Checked::Valid(JsonProperty::MorphTargetWeights) => Target::MorphWeights,
            Checked::Invalid => return Ok(Outcome::LeftOut("its path is unknown")),
        };
        let components = match self.components(id, target) {
            Ok(components) => components,
            Err(why) => return Ok(Outcome::LeftOut(why)),
        };
        let keyframes = self.keyframes(json, channel.sampler.value(), components, name)?;
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
        let n_targets = node
            .mesh
            .map_or(0, |id| self.meshes[id.index()].n_morph_targets());
        match target {
            Target::MorphWeights | Target::MorphWeight(_) if n_targets == 0 => {
                return Err("its node has no morph targets");
            }
            Target::MorphWeights => return Ok(n_targets),
            Target::MorphWeight(one) if one as usize >= n_targets => {
                return Err("its node has no such morph target");
            }
            Target::MorphWeight(_) => return Ok(1),
            Target::Translation | Target::Rotation | Target::Scale => {}
        }
        match node.transform {
            Transform::Matrix(_) | Transform::FarMatrix(_) => Err("its node has a matrix"),
            Transform::Trs { .. } | Transform::FarTrs { .. } if target == Target::Rotation => Ok(4),
            Transform::Trs { .. } | Transform::FarTrs { .. } => Ok(3),
        }
    }

    fn keyframes(
        &self,
        json: &Json,
        index: usize,
        components: usize,
        name: &str,
    ) -> Result<Result<Keyframes, &'static str>, LoadError> {
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

/// A channel of one kind or the other.
enum Either {
    Node(Channel),
    Property(PropertyChannel),
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
