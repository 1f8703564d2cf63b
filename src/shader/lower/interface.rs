//! Inputs and outputs of entry points.

use naga::valid::FunctionInfo;
use naga::{Binding, BuiltIn, TypeInner};

use super::super::code::{Interface, Interpolation, Register, Sampling, Slot};
use super::super::layout::{Layout, scalar_of, words};
use super::state::{Lowerer, Result, Value};

type Interfaces = (Vec<Interface>, Vec<Interface>);

impl<'a> Lowerer<'a> {
    /// Lowers an entry point: inputs as arguments, results as outputs.
    pub(super) fn entry(
        &mut self,
        entry: &'a naga::EntryPoint,
        info: &'a FunctionInfo,
    ) -> Result<Interfaces> {
        let function = &entry.function;
        self.private_variables(info)?;
        let mut inputs = Vec::new();
        let mut arguments = Vec::new();
        for argument in &function.arguments {
            let inner = &self.module.types[argument.ty].inner;
            let count = words(self.module, inner, Layout::Dense);
            let numbers: Vec<Register> = (0..count).map(|_| self.register(false)).collect();
            self.interface(inner, argument.binding.as_ref(), &numbers, &mut inputs)?;
            arguments.push(Value::Numbers(numbers));
        }
        let results = self.call(function, info, arguments)?;
        let mut outputs = Vec::new();
        if let Some(result) = &function.result {
            let inner = &self.module.types[result.ty].inner;
            self.interface(inner, result.binding.as_ref(), &results, &mut outputs)?;
        }
        Ok((inputs, outputs))
    }

    /// Sets the module's private variables that the entry point uses to their first values.
    fn private_variables(&mut self, info: &'a FunctionInfo) -> Result<()> {
        for (handle, variable) in self.module.global_variables.iter() {
            if variable.space != naga::AddressSpace::Private || info[handle].is_empty() {
                continue;
            }
            let Value::Pointer(place) = self.global(handle)? else {
                continue;
            };
            let super::place::Space::Registers { base, length } = place.space else {
                continue;
            };
            let values = match variable.init {
                Some(init) => self.global_numbers(init)?,
                None => vec![self.constant(0); length as usize],
            };
            for (to, from) in (base..base + length).zip(values) {
                self.assign(to, from, false)?;
            }
        }
        Ok(())
    }

    fn interface(
        &self,
        inner: &TypeInner,
        binding: Option<&Binding>,
        numbers: &[Register],
        into: &mut Vec<Interface>,
    ) -> Result<()> {
        let Some(binding) = binding else {
            let TypeInner::Struct { members, .. } = inner else {
                return Err(self.unsupported("an input without a binding"));
            };
            let mut rest = numbers;
            for member in members {
                let inner = &self.module.types[member.ty].inner;
                let count = words(self.module, inner, Layout::Dense) as usize;
                self.interface(inner, member.binding.as_ref(), &rest[..count], into)?;
                rest = &rest[count..];
            }
            return Ok(());
        };
        let Some(scalar) = scalar_of(inner) else {
            return Err(self.unsupported("an input of this type"));
        };
        let (slot, interpolation, sampling) = match *binding {
            Binding::Location {
                location,
                interpolation,
                sampling,
                blend_src,
                ..
            } => {
                if blend_src.is_some() {
                    return Err(self.unsupported("a second source of blending"));
                }
                let interpolation = match interpolation {
                    Some(naga::Interpolation::Flat) => Interpolation::Flat,
                    Some(naga::Interpolation::Linear) => Interpolation::Linear,
                    Some(naga::Interpolation::PerVertex) => {
                        return Err(self.unsupported("an input by vertex"));
                    }
                    _ => Interpolation::Perspective,
                };
                let sampling = match sampling {
                    Some(naga::Sampling::Centroid) => Sampling::Centroid,
                    Some(naga::Sampling::Sample) => Sampling::Sample,
                    _ => Sampling::Center,
                };
                (Slot::Location(location), interpolation, sampling)
            }
            Binding::BuiltIn(builtin) => (
                self.built_in(builtin)?,
                Interpolation::Flat,
                Sampling::Center,
            ),
        };
        into.push(Interface {
            slot,
            scalar,
            interpolation,
            sampling,
            registers: numbers.to_vec(),
        });
        Ok(())
    }

    fn built_in(&self, builtin: BuiltIn) -> Result<Slot> {
        Ok(match builtin {
            BuiltIn::Position { .. } => Slot::Position,
            BuiltIn::VertexIndex => Slot::VertexIndex,
            BuiltIn::InstanceIndex => Slot::InstanceIndex,
            BuiltIn::FrontFacing => Slot::FrontFacing,
            BuiltIn::FragDepth => Slot::FragDepth,
            BuiltIn::SampleIndex => Slot::SampleIndex,
            BuiltIn::SampleMask => Slot::SampleMask,
            BuiltIn::PrimitiveIndex => Slot::PrimitiveIndex,
            BuiltIn::GlobalInvocationId => Slot::GlobalInvocationId,
            BuiltIn::LocalInvocationId => Slot::LocalInvocationId,
            BuiltIn::LocalInvocationIndex => Slot::LocalInvocationIndex,
            BuiltIn::WorkGroupId => Slot::WorkgroupId,
            BuiltIn::NumWorkGroups => Slot::NumWorkgroups,
            other => return Err(self.unsupported(&format!("built-in {other:?}"))),
        })
    }
}
