//! Skins: which nodes move which vertices.

use glam::Mat4;

use super::NodeId;

/// The joints of a skin; any number of them.
#[derive(Debug, Clone, Default)]
pub struct Skin {
    /// Nodes in the order of the vertices' joint indices.
    pub joints: Vec<NodeId>,
    /// `joint_from_mesh` at rest, one a joint.
    pub inverse_bind: Vec<Mat4>,
}
