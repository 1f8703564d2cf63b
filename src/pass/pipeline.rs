//! Pipelines: programs with the state of the stages that no program runs.

use azulejo_shader::{
    Code, Instruction, Interface, Interpolation, Op, Sampling, ScalarType, Slot, Stage,
};
use wgpu_types::{
    BlendFactor, ColorTargetState, DepthStencilState, MultisampleState, PolygonMode,
    PrimitiveState, VertexAttribute, VertexStepMode,
};

use crate::error::{Result, fault};
use crate::texel::TexelFormat;

/// Arrangement of a vertex buffer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VertexBuffer {
    /// Bytes from an element to the next.
    pub stride: u64,
    /// Whether an element is a vertex's or an instance's.
    pub step: VertexStepMode,
    /// Attributes of an element.
    pub attributes: Vec<VertexAttribute>,
}

/// Parts of a [`RenderPipeline`].
#[derive(Debug, Clone)]
pub struct RenderPipelineSpec {
    /// Vertex program.
    pub vertex: Code,
    /// Fragment program; without one depth and stencil alone are written.
    pub fragment: Option<Code>,
    /// Vertex buffers.
    pub buffers: Vec<VertexBuffer>,
    /// Topology, facing, culling.
    pub primitive: PrimitiveState,
    /// Depth and stencil test.
    pub depth_stencil: Option<DepthStencilState>,
    /// Samples.
    pub multisample: MultisampleState,
    /// Colour targets by location.
    pub targets: Vec<Option<ColorTargetState>>,
}

impl RenderPipelineSpec {
    /// Programs with one colour target, no depth, lists of triangles.
    #[must_use]
    pub fn new(vertex: Code, fragment: Code, target: ColorTargetState) -> Self {
        Self {
            vertex,
            fragment: Some(fragment),
            buffers: Vec::new(),
            primitive: PrimitiveState::default(),
            depth_stencil: None,
            multisample: MultisampleState::default(),
            targets: vec![Some(target)],
        }
    }
}

/// Source of a component of a fragment's input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Source {
    /// Interpolated float of a vertex; whether in the plane of the screen, and at which place.
    Varying(usize, bool, Sampling),
    /// Word of the primitive's first vertex.
    Flat(usize),
    Position(usize),
    FrontFacing,
    SampleIndex,
    SampleMask,
    PrimitiveIndex,
}

/// Output of the vertex program that fragments read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Link {
    pub(crate) slot: Slot,
    pub(crate) component: usize,
    /// Times w, so that what is interpolated with perspective lies in the plane of the screen.
    pub(crate) linear: bool,
}

/// Order of a fragment's tests and its program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tests {
    /// Depth and stencil before the program.
    Early,
    /// After it, as it may discard, set its depth or its samples.
    Late,
}

/// A checked pipeline.
#[derive(Debug, Clone)]
pub struct RenderPipeline {
    pub(crate) spec: RenderPipelineSpec,
    /// Floats that are interpolated, of each vertex.
    pub(crate) varyings: Vec<Link>,
    /// Words that are taken from a primitive's first vertex.
    pub(crate) flats: Vec<Link>,
    /// Inputs of the fragment program.
    pub(crate) inputs: Vec<((Slot, usize), Source)>,
    pub(crate) tests: Tests,
    /// Programs run once a sample.
    pub(crate) by_sample: bool,
    pub(crate) formats: Vec<Option<TexelFormat>>,
}

/// A compute program.
#[derive(Debug, Clone)]
pub struct ComputePipeline {
    pub(crate) code: Code,
}

impl ComputePipeline {
    /// A pipeline of a compute program.
    ///
    /// # Errors
    /// If it is of another stage.
    pub fn new(code: Code) -> Result<Self> {
        expect_stage(&code, Stage::Compute)?;
        Ok(Self { code })
    }

    /// Its program.
    #[must_use]
    pub const fn code(&self) -> &Code {
        &self.code
    }
}

fn expect_stage(code: &Code, expected: Stage) -> Result<()> {
    if code.stage == expected {
        return Ok(());
    }
    let (found, expected) = (code.stage.name(), expected.name());
    Err(fault!(
        "`{}`: a {found} program; expected a {expected} one",
        code.entry
    ))
}

impl RenderPipeline {
    /// Checks that programs and state fit each other.
    ///
    /// # Errors
    /// If they do not: the location or state is named.
    pub fn new(spec: RenderPipelineSpec) -> Result<Self> {
        expect_stage(&spec.vertex, Stage::Vertex)?;
        if spec.vertex.output(Slot::Position).is_none() {
            return Err(fault!(
                "`{}`: no @builtin(position); expected one",
                spec.vertex.entry
            ));
        }
        check_attributes(&spec)?;
        check_state(&spec)?;
        let formats = target_formats(&spec)?;
        let mut pipeline = Self {
            varyings: Vec::new(),
            flats: Vec::new(),
            inputs: Vec::new(),
            tests: tests(&spec),
            by_sample: false,
            formats,
            spec,
        };
        if let Some(fragment) = pipeline.spec.fragment.clone() {
            expect_stage(&fragment, Stage::Fragment)?;
            pipeline.link(&fragment)?;
        }
        Ok(pipeline)
    }

    /// Finds where each input of the fragment program comes from.
    fn link(&mut self, fragment: &Code) -> Result<()> {
        for input in &fragment.inputs {
            for component in 0..input.registers.len() {
                let source = match input.slot {
                    Slot::Location(location) => self.varying(input, location, component)?,
                    Slot::Position => Source::Position(component),
                    Slot::FrontFacing => Source::FrontFacing,
                    Slot::SampleIndex => Source::SampleIndex,
                    Slot::SampleMask => Source::SampleMask,
                    Slot::PrimitiveIndex => Source::PrimitiveIndex,
                    other => {
                        return Err(fault!(
                            "`{}`: input {other:?}; fragments have none such",
                            fragment.entry
                        ));
                    }
                };
                self.by_sample |= matches!(
                    source,
                    Source::SampleIndex | Source::Varying(.., Sampling::Sample)
                );
                self.inputs.push(((input.slot, component), source));
            }
        }
        Ok(())
    }

    fn varying(&mut self, input: &Interface, location: u32, component: usize) -> Result<Source> {
        let output = self.spec.vertex.output(input.slot);
        let has = |output: &&Interface| {
            output.scalar == input.scalar && component < output.registers.len()
        };
        if output.filter(has).is_none() {
            return Err(fault!(
                "fragment input @location({location}), component {component} of {:?}; expected the vertex program to have it",
                input.scalar
            ));
        }
        let linear = input.interpolation == Interpolation::Linear;
        let is_flat = input.interpolation == Interpolation::Flat || input.scalar != ScalarType::F32;
        let link = Link {
            slot: input.slot,
            component,
            linear,
        };
        Ok(if is_flat {
            self.flats.push(link);
            Source::Flat(self.flats.len() - 1)
        } else {
            self.varyings.push(link);
            Source::Varying(self.varyings.len() - 1, linear, input.sampling)
        })
    }

    /// Its parts.
    #[must_use]
    pub const fn spec(&self) -> &RenderPipelineSpec {
        &self.spec
    }

    /// Samples of a pixel.
    pub(crate) const fn samples(&self) -> u32 {
        self.spec.multisample.count
    }
}

fn check_attributes(spec: &RenderPipelineSpec) -> Result<()> {
    for input in &spec.vertex.inputs {
        let Slot::Location(location) = input.slot else {
            continue;
        };
        let attributes = spec.buffers.iter().flat_map(|buffer| &buffer.attributes);
        let mut found = attributes.filter(|attribute| attribute.shader_location == location);
        let attribute = found.next().ok_or_else(|| {
            fault!(
                "`{}`: input @location({location}) has no attribute in any vertex buffer",
                spec.vertex.entry
            )
        })?;
        let (_, scalar) = TexelFormat::of_attribute(attribute.format)?;
        if scalar != input.scalar {
            return Err(fault!(
                "`{}`: input @location({location}) is {:?}; expected {scalar:?}, as {:?} gives it",
                spec.vertex.entry,
                input.scalar,
                attribute.format
            ));
        }
    }
    for (number, buffer) in spec.buffers.iter().enumerate() {
        for attribute in &buffer.attributes {
            let end = attribute.offset.saturating_add(attribute.format.size());
            if buffer.stride != 0 && end > buffer.stride {
                return Err(fault!(
                    "vertex buffer {number}: attribute {} ends at byte {end}; expected within the stride of {}",
                    attribute.shader_location,
                    buffer.stride
                ));
            }
        }
    }
    Ok(())
}

fn check_state(spec: &RenderPipelineSpec) -> Result<()> {
    let PrimitiveState {
        unclipped_depth,
        polygon_mode,
        conservative,
        ..
    } = spec.primitive;
    if unclipped_depth || conservative || polygon_mode != PolygonMode::Fill {
        return Err(fault!(
            "unclipped depth, conservative rasterisation or polygons as lines; expected none of these"
        ));
    }
    if !matches!(spec.multisample.count, 1 | 4) {
        return Err(fault!(
            "{} samples a pixel; expected 1 or 4",
            spec.multisample.count
        ));
    }
    let Some(depth_stencil) = &spec.depth_stencil else {
        return Ok(());
    };
    let format = TexelFormat::new(depth_stencil.format)?;
    let [has_depth, has_stencil] = format.depth_stencil();
    let uses_depth = depth_stencil.depth_write_enabled == Some(true)
        || !matches!(
            depth_stencil.depth_compare,
            None | Some(wgpu_types::CompareFunction::Always)
        );
    let lacks_depth = uses_depth && !has_depth;
    let lacks_stencil = depth_stencil.stencil.is_enabled() && !has_stencil;
    let has_neither = !has_depth && !has_stencil;
    if has_neither || lacks_depth || lacks_stencil {
        return Err(fault!(
            "depth and stencil in {:?}; expected a format that has them",
            depth_stencil.format
        ));
    }
    Ok(())
}

fn target_formats(spec: &RenderPipelineSpec) -> Result<Vec<Option<TexelFormat>>> {
    let mut formats = Vec::new();
    for (location, target) in spec.targets.iter().enumerate() {
        let place = |error: crate::PassError| error.within(format!("target {location}"));
        let Some(target) = target else {
            formats.push(None);
            continue;
        };
        let format = TexelFormat::new(target.format).map_err(place)?;
        if format.depth_stencil() != [false, false] {
            return Err(place(fault!(
                "{:?}; expected a colour format",
                target.format
            )));
        }
        if let Some(blend) = target.blend {
            let factors = [
                blend.color.src_factor,
                blend.color.dst_factor,
                blend.alpha.src_factor,
                blend.alpha.dst_factor,
            ];
            let second = [
                BlendFactor::Src1,
                BlendFactor::OneMinusSrc1,
                BlendFactor::Src1Alpha,
                BlendFactor::OneMinusSrc1Alpha,
            ];
            if format.is_integer() || factors.iter().any(|factor| second.contains(factor)) {
                return Err(place(fault!(
                    "blending of integers, or by a second source; expected neither"
                )));
            }
        }
        check_output(spec, location as u32, format).map_err(place)?;
        formats.push(Some(format));
    }
    Ok(formats)
}

fn check_output(spec: &RenderPipelineSpec, location: u32, format: TexelFormat) -> Result<()> {
    let Some(fragment) = &spec.fragment else {
        return Err(fault!("no fragment program; expected one that writes it"));
    };
    let Some(output) = fragment.output(Slot::Location(location)) else {
        let is_masked = spec.targets[location as usize]
            .as_ref()
            .is_some_and(|target| target.write_mask.is_empty());
        return match is_masked {
            true => Ok(()),
            false => Err(fault!(
                "no output @location({location}) of `{}`",
                fragment.entry
            )),
        };
    };
    let expected = match (format.is_integer(), format.is_signed_integer()) {
        (false, _) => ScalarType::F32,
        (true, false) => ScalarType::U32,
        (true, true) => ScalarType::I32,
    };
    if output.scalar != expected {
        return Err(fault!(
            "output @location({location}) of {:?}; expected {expected:?} for {:?}",
            output.scalar,
            format.name
        ));
    }
    Ok(())
}

fn tests(spec: &RenderPipelineSpec) -> Tests {
    let is_kill = |instruction: &Instruction| instruction.op == Op::Kill;
    let decides = spec.fragment.as_ref().is_some_and(|fragment| {
        fragment.instructions.iter().any(is_kill)
            || [Slot::FragDepth, Slot::SampleMask]
                .iter()
                .any(|&slot| fragment.output(slot).is_some())
    });
    match decides || spec.multisample.alpha_to_coverage_enabled {
        true => Tests::Late,
        false => Tests::Early,
    }
}
