//! Code as it runs: a flat list of instructions over registers of a batch's lanes, with markers where regions begin and end.

use naga::{ImageDimension, StorageFormat};

use super::operation::{Memory, Op};
pub use super::operation::{NONE, Register};

/// Stage of an entry point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stage {
    /// Runs once a vertex.
    Vertex,
    /// Runs once a fragment.
    Fragment,
    /// Runs once an invocation of a workgroup.
    Compute,
}

impl Stage {
    /// Name as WGSL's attribute has it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Vertex => "vertex",
            Self::Fragment => "fragment",
            Self::Compute => "compute",
        }
    }
}

/// Instruction of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Instruction {
    /// Operation.
    pub op: Op,
    /// Registers written, [`NONE`] where fewer.
    pub results: [Register; 4],
    /// Registers read, [`NONE`] where fewer.
    pub operands: [Register; 4],
    /// Lanes that do not run keep the results' old values.
    pub masked: bool,
    /// Line in the source, 0 where it comes from none.
    pub line: u32,
    /// Position to go to if no lane is left; the other end of a marker.
    pub target: u32,
    /// Position in the stack of regions that a jump refers to.
    pub frame: u32,
}

impl Instruction {
    /// Registers written.
    pub fn written(&self) -> impl Iterator<Item = Register> {
        self.results
            .into_iter()
            .filter(|&register| register != NONE)
    }

    /// Registers read by number; those of indexed accesses not.
    pub fn read(&self) -> impl Iterator<Item = Register> {
        self.operands
            .into_iter()
            .filter(|&register| register != NONE)
    }
}

/// Access of a texture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ImageAccess {
    /// Filtered sample.
    Sample,
    /// Filtered sample at a level of detail.
    SampleLevel,
    /// Filtered sample with a bias on the level of detail.
    SampleBias,
    /// Filtered sample with given derivatives.
    SampleGradient,
    /// One component of the four texels around.
    Gather(u8),
    /// One texel by its coordinates.
    Load,
    /// Writes one texel.
    Store,
    /// Width, height, depth.
    Size,
    /// Levels of the mip chain.
    Levels,
    /// Layers of an array.
    Layers,
    /// Samples of a texel.
    Samples,
}

/// How an image instruction addresses its texture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImageCode {
    /// Access.
    pub access: ImageAccess,
    /// Position of the texture in [`Code::bindings`].
    pub texture: u32,
    /// Position of the sampler.
    pub sampler: Option<u32>,
    /// Coordinates, floats for samples and integers for loads.
    pub coordinates: Vec<Register>,
    /// Layer.
    pub layer: Option<Register>,
    /// Level of detail, bias, sample number.
    pub level: Option<Register>,
    /// Derivatives along x, then along y.
    pub gradients: Vec<Register>,
    /// Reference of a comparison.
    pub reference: Option<Register>,
    /// Texels added to the coordinates.
    pub offset: [i32; 3],
    /// Texel to write.
    pub value: Vec<Register>,
    /// Coordinates are clamped half a texel inside.
    pub clamp_to_edge: bool,
}

impl ImageCode {
    /// Registers read.
    pub fn read(&self) -> impl Iterator<Item = Register> + '_ {
        let single = [self.layer, self.level, self.reference];
        self.coordinates
            .iter()
            .chain(&self.gradients)
            .chain(&self.value)
            .copied()
            .chain(single.into_iter().flatten())
    }

    pub(super) fn read_mut(&mut self) -> impl Iterator<Item = &mut Register> {
        let single = [&mut self.layer, &mut self.level, &mut self.reference];
        self.coordinates
            .iter_mut()
            .chain(&mut self.gradients)
            .chain(&mut self.value)
            .chain(single.into_iter().flatten())
    }
}

/// Kind of a bound resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BindingKind {
    /// Uniform buffer.
    Uniform,
    /// Storage buffer for reading.
    ReadStorage,
    /// Storage buffer for reading and writing.
    Storage,
    /// Texture.
    Texture,
    /// Sampler.
    Sampler,
}

/// Kind of a texture, as WGSL declares it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TextureKind {
    /// Axes.
    pub dimension: ImageDimension,
    /// Whether it has layers, or several cubes.
    pub arrayed: bool,
    /// Content of its texels.
    pub content: TextureContent,
}

impl TextureKind {
    /// `texture_2d<f32>`.
    pub const PLAIN: Self = Self {
        dimension: ImageDimension::D2,
        arrayed: false,
        content: TextureContent::Sampled {
            scalar: ScalarType::F32,
            multisampled: false,
        },
    };
}

/// Content of a texture's texels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TextureContent {
    /// Numbers that are sampled or loaded.
    Sampled {
        /// Type of a component.
        scalar: ScalarType,
        /// Whether a texel has several samples.
        multisampled: bool,
    },
    /// Depths.
    Depth {
        /// Whether a texel has several samples.
        multisampled: bool,
    },
    /// Numbers that are stored, in a format.
    Storage(StorageFormat),
}

/// Resource of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BindingCode {
    /// Bind group.
    pub group: u32,
    /// Binding in the group.
    pub binding: u32,
    /// Name in the source.
    pub name: String,
    /// Kind.
    pub kind: BindingKind,
    /// Words that a buffer has at least.
    pub words: u32,
    /// Shape and content of a texture.
    pub texture: Option<TextureKind>,
}

/// Value that a stage is given or hands on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Slot {
    /// Attribute, varying or colour target.
    Location(u32),
    /// Clip position of a vertex; place, depth and 1/w of a fragment.
    Position,
    /// Number of the vertex.
    VertexIndex,
    /// Number of the instance.
    InstanceIndex,
    /// Whether the triangle shows its front.
    FrontFacing,
    /// Depth.
    FragDepth,
    /// Number of the sample.
    SampleIndex,
    /// Samples covered.
    SampleMask,
    /// Number of the primitive.
    PrimitiveIndex,
    /// Number of the invocation in the dispatch.
    GlobalInvocationId,
    /// Number of the invocation in the workgroup.
    LocalInvocationId,
    /// Number of the invocation in the workgroup, x first.
    LocalInvocationIndex,
    /// Number of the workgroup.
    WorkgroupId,
    /// Workgroups of the dispatch.
    NumWorkgroups,
}

/// Type of a component.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ScalarType {
    /// Float of 32 bits.
    F32,
    /// Signed integer.
    I32,
    /// Unsigned integer.
    U32,
    /// Boolean, 0 or 1.
    Bool,
}

/// How a varying is interpolated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Interpolation {
    /// Divided by w.
    Perspective,
    /// In the plane of the screen.
    Linear,
    /// That of one vertex.
    Flat,
}

/// Place in a pixel that a varying is interpolated at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Sampling {
    /// The pixel's centre.
    Center,
    /// A place that the primitive covers.
    Centroid,
    /// Each sample; programs run once a sample.
    Sample,
}

/// Input or output of an entry point.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Interface {
    /// Meaning.
    pub slot: Slot,
    /// Type of each component.
    pub scalar: ScalarType,
    /// Interpolation of a fragment's input.
    pub interpolation: Interpolation,
    /// Place of a fragment's input.
    pub sampling: Sampling,
    /// Registers, one a component.
    pub registers: Vec<Register>,
}

/// Program ready to run.
#[derive(Debug, Clone)]
pub struct Code {
    /// Name of the entry point.
    pub entry: String,
    /// Stage.
    pub stage: Stage,
    /// Invocations of a workgroup along x, y, z; ones in other stages.
    pub workgroup_size: [u32; 3],
    /// Words of workgroup memory.
    pub workgroup_words: u32,
    /// Instructions of a batch.
    pub instructions: Vec<Instruction>,
    /// Instructions that need no lane: run once for all batches of a draw.
    pub prologue: Vec<Instruction>,
    /// Constants and the registers that hold them.
    pub constants: Vec<(Register, u32)>,
    /// Registers from here on hold constants and results of the prologue.
    pub first_uniform: Register,
    /// Registers in all.
    pub registers: u32,
    /// Most registers alive at one instruction, uniform ones not counted.
    pub alive: u32,
    /// Inputs.
    pub inputs: Vec<Interface>,
    /// Outputs.
    pub outputs: Vec<Interface>,
    /// Resources.
    pub bindings: Vec<BindingCode>,
    /// Texture accesses.
    pub images: Vec<ImageCode>,
    /// Selectors of switch cases; `None` is the default.
    pub cases: Vec<Option<Vec<u32>>>,
}

impl Code {
    /// The input of this meaning.
    #[must_use]
    pub fn input(&self, slot: Slot) -> Option<&Interface> {
        self.inputs.iter().find(|input| input.slot == slot)
    }

    /// Inputs with a location: attributes, varyings.
    pub(super) fn located_inputs(&self) -> impl Iterator<Item = &Interface> {
        let is_located = |slot| matches!(slot, Slot::Location(_));
        self.inputs
            .iter()
            .filter(move |input| is_located(input.slot))
    }

    /// The output of this meaning.
    #[must_use]
    pub fn output(&self, slot: Slot) -> Option<&Interface> {
        self.outputs.iter().find(|output| output.slot == slot)
    }

    /// Whether a memory is a uniform buffer.
    pub(super) fn is_uniform(&self, memory: Memory) -> bool {
        match memory {
            Memory::Buffer(buffer) => self.bindings[buffer as usize].kind == BindingKind::Uniform,
            Memory::Workgroup => false,
        }
    }

    /// Storage buffer that an operation loads from, stores to or changes, or texture that it stores to, by position in
    /// [`Code::bindings`].
    pub(super) fn accessed(&self, op: Op) -> Option<u32> {
        if let Op::Image(image) = op {
            let image = &self.images[image as usize];
            return (image.access == ImageAccess::Store).then_some(image.texture);
        }
        let (Op::Load { memory, .. } | Op::Store { memory, .. } | Op::Atomic { memory, .. }) = op
        else {
            return None;
        };
        match memory {
            Memory::Buffer(buffer) if !self.is_uniform(memory) => Some(buffer),
            _ => None,
        }
    }

    /// Position in [`Code::bindings`].
    #[must_use]
    pub fn binding(&self, group: u32, binding: u32) -> Option<usize> {
        self.bindings
            .iter()
            .position(|resource| (resource.group, resource.binding) == (group, binding))
    }
}
