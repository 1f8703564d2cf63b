//! Positions in a scene's lists, each a type of its own: a mesh cannot be taken for a material.

macro_rules! index {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            /// Position in the scene's list.
            #[must_use]
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

index!(
    /// Position of a mesh in [`super::Scene::meshes`].
    MeshId
);
index!(
    /// Position of a material in [`super::Scene::materials`].
    MaterialId
);
index!(
    /// Position of a texture in [`super::Scene::textures`].
    TextureId
);
index!(
    /// Position of an image in [`super::Scene::images`].
    ImageId
);
index!(
    /// Position of a node in [`super::Scene::nodes`].
    NodeId
);
