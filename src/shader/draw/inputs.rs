//! Inputs of fragment programs, by the renderer's varyings.

use azulejo_render::shading::{CodeBatch, MAX_TEX_COORDS, VaryingLayout};

use super::super::code::{Code, Interface, Interpolation, Sampling, ScalarType, Slot};
use super::super::run::{Batch, LANES_OF_BATCH, Runner};

/// Location of the first set of texture coordinates.
const TEX_COORDS: u32 = 4;

/// Source of an input's component.
#[derive(Debug, Clone, Copy)]
enum Source {
    Varying(usize),
    Position(usize),
    FrontFacing,
}

/// Varyings that a program reads, and where its inputs come from.
#[derive(Debug)]
pub(super) struct Inputs {
    pub(super) layout: VaryingLayout,
    components: Vec<((Slot, usize), Source)>,
}

impl Inputs {
    /// Inputs of a code, or a sentence on one that the renderer has not.
    pub(super) fn new(code: &Code) -> Result<Self, String> {
        let mut inputs = Self {
            layout: VaryingLayout::default(),
            components: Vec::new(),
        };
        let mut located: Vec<(u32, &Interface)> = Vec::new();
        for input in &code.inputs {
            match input.slot {
                Slot::Location(location) => located.push((location, input)),
                Slot::Position => inputs.add(input, Source::Position),
                Slot::FrontFacing => inputs.add(input, |_| Source::FrontFacing),
                other => {
                    return Err(format!(
                        "input {other:?}; expected locations, position, front_facing"
                    ));
                }
            }
        }
        // In the layout's order, which is that of memory.
        located.sort_by_key(|(location, _)| *location);
        for (location, input) in located {
            let first = inputs.varying(location, input)?;
            inputs.add(input, |component| Source::Varying(first + component));
        }
        Ok(inputs)
    }

    fn add(&mut self, input: &Interface, source: impl Fn(usize) -> Source) {
        let components = 0..input.registers.len();
        let components = components.map(|component| ((input.slot, component), source(component)));
        self.components.extend(components);
    }

    /// First float of the varying at a location.
    fn varying(&mut self, location: u32, input: &Interface) -> Result<usize, String> {
        let layout = &mut self.layout;
        let set = location.wrapping_sub(TEX_COORDS) as usize;
        let (slot, most) = match location {
            0 => (&mut layout.position_world, 3),
            1 => (&mut layout.normal_world, 3),
            2 => (&mut layout.tangent_world, 4),
            3 => (&mut layout.color, 4),
            _ if set < MAX_TEX_COORDS => (&mut layout.tex_coords[set], 2),
            _ => {
                let last = TEX_COORDS as usize + MAX_TEX_COORDS - 1;
                return Err(format!(
                    "input @location({location}): no varying; expected 0 position_world, 1 normal_world, 2 tangent_world, \
                     3 color, 4 to {last} texture coordinates"
                ));
            }
        };
        let found = input.registers.len();
        let (scalar, interpolation) = (input.scalar, input.interpolation);
        if (scalar, interpolation) != (ScalarType::F32, Interpolation::Perspective) || found > most
        {
            return Err(format!(
                "input @location({location}): {found} of {scalar:?}, interpolation {interpolation:?}; expected {most} of F32 \
                 at most, interpolation Perspective"
            ));
        }
        if input.sampling != Sampling::Center {
            return Err(format!(
                "input @location({location}): interpolated at {:?}; expected Center, as meshes are shaded once a pixel",
                input.sampling
            ));
        }
        let first = layout.len;
        *slot = Some(first);
        layout.len += most as u8;
        Ok(usize::from(first))
    }

    /// Puts a batch's inputs into registers.
    pub(super) fn set(&self, runner: &Runner<'_>, batch: &mut Batch, fragments: &CodeBatch) {
        for &(component, source) in &self.components {
            let values: [u32; LANES_OF_BATCH] = match source {
                Source::Varying(at) => bytemuck::cast(fragments.varyings[at]),
                Source::Position(at) => bytemuck::cast(fragments.position[at]),
                Source::FrontFacing => {
                    std::array::from_fn(|lane| (fragments.front_facing >> lane & 1) as u32)
                }
            };
            runner.set(batch, component, &values);
        }
    }
}
