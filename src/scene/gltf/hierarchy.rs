//! The node hierarchy of the chosen scene, flattened: parents before children, children in document order.
//!
//! Joints of skins may lie outside the scene; the trees that hold them follow at the end and draw nothing.

use glam::{Mat4, Quat, Vec3};
use gltf::json::{Node as Json, Scene as JsonScene};

use super::error::{LoadError, element};
use super::file::File;
use super::morph::finite_weights;
use super::places::Place;
use crate::sampling::unit;
use crate::{Node, NodeId, Transform};

/// Flattened nodes; their meshes, skins, cameras and lights are still indices of the file.
#[derive(Debug, Default)]
pub(super) struct Hierarchy {
    /// Nodes, parents before children.
    pub nodes: Vec<FlatNode>,
    /// Nodes from here on are only there for their transforms.
    pub drawn: usize,
    /// Scene node by node of the file; `None` where the scene does not have it.
    pub ids: Vec<Option<NodeId>>,
}

/// A node of the scene.
#[derive(Debug)]
pub(super) struct FlatNode {
    pub node: Node,
    /// Position of the node that it is in the file.
    pub index: usize,
}

/// Flattens the scene `choice`, else the file's default scene, else its first, else all of its trees.
pub(super) fn read(file: &File, choice: Option<&str>) -> Result<Hierarchy, LoadError> {
    let parents = parents(file)?;
    let mut hierarchy = Hierarchy {
        ids: vec![None; file.root.nodes.len()],
        ..Hierarchy::default()
    };
    for root in scene_roots(file, choice, &parents)? {
        hierarchy.add_tree(file, root)?;
    }
    hierarchy.drawn = hierarchy.nodes.len();
    for joint in joints_of_scene(file, &hierarchy) {
        if hierarchy.ids.get(joint).is_some_and(Option::is_none) {
            hierarchy.add_tree(file, tree_root(&parents, joint)?)?;
        }
    }
    Ok(hierarchy)
}

fn name(file: &File, index: usize) -> String {
    let node = file.root.nodes.get(index);
    element("node", index, node.and_then(|node| node.name.as_deref()))
}

/// The parent of every node of the file; a node has one at most.
fn parents(file: &File) -> Result<Vec<Option<usize>>, LoadError> {
    let count = file.root.nodes.len();
    let mut parents = vec![None; count];
    for (index, node) in file.root.nodes.iter().enumerate() {
        for child in node.children.iter().flatten() {
            let slot = parents.get_mut(child.value()).ok_or_else(|| {
                let problem = format!("refers to child node {child} of {count}");
                LoadError::invalid(name(file, index), problem)
            })?;
            if let Some(other) = slot.replace(index) {
                let problem = format!("is a child of node {other} and of node {index}");
                return Err(LoadError::invalid(name(file, child.value()), problem));
            }
        }
    }
    Ok(parents)
}

fn scene_roots(
    file: &File,
    choice: Option<&str>,
    parents: &[Option<usize>],
) -> Result<Vec<usize>, LoadError> {
    let Some(scene) = scene(file, choice)? else {
        let roots = (0..parents.len()).filter(|&index| parents[index].is_none());
        return Ok(roots.collect());
    };
    check_roots(file, scene, parents)
}

/// The scene that is chosen, else the file's default, else its first; `None` where it has none.
pub(super) fn scene<'a>(
    file: &'a File,
    choice: Option<&str>,
) -> Result<Option<&'a JsonScene>, LoadError> {
    let scenes = &file.root.scenes;
    let default = file.root.scene.map(|scene| scene.value());
    Ok(match (choice, default) {
        (Some(choice), _) => Some(chosen_scene(scenes, choice)?),
        (None, Some(index)) => Some(scenes.get(index).ok_or_else(|| {
            let problem = format!(
                "scene {index} is the default; the file has {}",
                scenes.len()
            );
            LoadError::invalid("scenes", problem)
        })?),
        (None, None) => scenes.first(),
    })
}

/// The scene of a name, or else at a position.
fn chosen_scene<'a>(scenes: &'a [JsonScene], choice: &str) -> Result<&'a JsonScene, LoadError> {
    let mut all = scenes.iter();
    let by_name = all.find(|scene| scene.name.as_deref() == Some(choice));
    let by_position = || scenes.get(choice.parse::<usize>().ok()?);
    by_name.or_else(by_position).ok_or_else(|| {
        let names = scenes.iter().enumerate().take(16);
        let names = names.map(|(index, scene)| element("scene", index, scene.name.as_deref()));
        let names = names.collect::<Vec<_>>().join(", ");
        let problem = format!(
            "'{choice}' is asked for; the file has {}: {names}",
            scenes.len()
        );
        LoadError::invalid("scenes", problem)
    })
}

fn check_roots(
    file: &File,
    scene: &JsonScene,
    parents: &[Option<usize>],
) -> Result<Vec<usize>, LoadError> {
    let mut roots = Vec::with_capacity(scene.nodes.len());
    for node in &scene.nodes {
        let index = node.value();
        let parent = parents.get(index).ok_or_else(|| {
            let problem = format!("refers to node {index} of {}", parents.len());
            LoadError::invalid("scene", problem)
        })?;
        if let Some(parent) = parent {
            let name = name(file, index);
            file.warn(format!(
                "{name} is a root of the scene though it is a child of node {parent}"
            ));
        }
        roots.push(index);
    }
    Ok(roots)
}

/// Joints of the skins that nodes of the scene wear.
fn joints_of_scene(file: &File, hierarchy: &Hierarchy) -> Vec<usize> {
    let nodes = hierarchy.nodes.iter();
    let skins = nodes.filter_map(|node| file.root.nodes[node.index].skin);
    let skins = skins.filter_map(|skin| file.root.skins.get(skin.value()));
    let mut joints: Vec<usize> = skins
        .flat_map(|skin| &skin.joints)
        .map(|j| j.value())
        .collect();
    joints.sort_unstable();
    joints.dedup();
    joints
}

fn tree_root(parents: &[Option<usize>], node: usize) -> Result<usize, LoadError> {
    let mut root = node;
    for _ in 0..parents.len() {
        match parents[root] {
            Some(parent) => root = parent,
            None => return Ok(root),
        }
    }
    Err(LoadError::invalid(
        format!("node {node}"),
        "is its own ancestor",
    ))
}

impl Hierarchy {
    fn add_tree(&mut self, file: &File, root: usize) -> Result<(), LoadError> {
        let mut waiting: Vec<(usize, Option<NodeId>)> = vec![(root, None)];
        while let Some((index, parent)) = waiting.pop() {
            if self.ids[index].is_some() {
                let problem =
                    "is reached twice: it is its own ancestor or listed twice in the scene";
                return Err(LoadError::invalid(name(file, index), problem));
            }
            let id = NodeId(self.nodes.len() as u32);
            let json = &file.root.nodes[index];
            self.ids[index] = Some(id);
            let node = node(file, json, index, parent);
            self.nodes.push(FlatNode { node, index });
            let children = json.children.iter().flatten().rev();
            waiting.extend(children.map(|child| (child.value(), Some(id))));
        }
        Ok(())
    }
}

fn node(file: &File, json: &Json, index: usize, parent: Option<NodeId>) -> Node {
    let far = file.places.get(index).and_then(Place::transform);
    let transform = far.or_else(|| transform(json)).unwrap_or_else(|| {
        file.warn(format!(
            "{}: its transform is not finite and ignored",
            name(file, index)
        ));
        Transform::default()
    });
    Node {
        name: json.name.clone().unwrap_or_default(),
        parent,
        transform,
        hidden: is_hidden(json),
        morph_weights: finite_weights(json.weights.as_deref().unwrap_or_default()),
        ..Node::default()
    }
}

/// Evaluates `KHR_node_visibility`; nodes without it are visible.
fn is_hidden(json: &Json) -> bool {
    let extensions = json.extensions.as_ref();
    let visibility = extensions.and_then(|e| e.others.get("KHR_node_visibility"));
    let visible = visibility.and_then(|visibility| visibility.get("visible")?.as_bool());
    visible == Some(false)
}

/// The node's transform, unless it is not finite.
fn transform(json: &Json) -> Option<Transform> {
    if let Some(matrix) = &json.matrix {
        let matrix = Mat4::from_cols_array(matrix);
        return matrix.is_finite().then_some(Transform::Matrix(matrix));
    }
    let translation = json.translation.map_or(Vec3::ZERO, Vec3::from_array);
    let scale = json.scale.map_or(Vec3::ONE, Vec3::from_array);
    let rotation = json
        .rotation
        .map_or(Quat::IDENTITY, |r| Quat::from_array(r.0));
    let finite = translation.is_finite() && scale.is_finite() && rotation.is_finite();
    finite.then(|| Transform::Trs {
        translation,
        rotation: unit(rotation),
        scale,
    })
}
