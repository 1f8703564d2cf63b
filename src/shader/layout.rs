//! Places of a value's numbers: dense in registers and workgroup memory, as WGSL lays them out in buffers. All counts
//! are words of 32 bits.

use naga::proc::IndexableLength;
use naga::{ArraySize, Handle, Module, Scalar, ScalarKind, Type, TypeInner};

use super::code::ScalarType;

/// Arrangement of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Layout {
    /// Number after number.
    Dense,
    /// With WGSL's alignments.
    Buffer,
}

/// Most numbers of a value or a variable.
pub(super) const MAX_NUMBERS: u64 = 4096;

/// Elements of an array type; `None` where the length is the buffer's.
pub(super) fn array_length(module: &Module, size: ArraySize) -> Option<u32> {
    match size.resolve(module.to_ctx()) {
        Ok(IndexableLength::Known(length)) => Some(length),
        _ => None,
    }
}

/// Words of a type; an array without a length counts as one element.
pub(super) fn words(module: &Module, inner: &TypeInner, layout: Layout) -> u64 {
    let of = |ty: Handle<Type>| words(module, &module.types[ty].inner, layout);
    match *inner {
        TypeInner::Vector { size, .. } => size as u64,
        TypeInner::Matrix { columns, rows, .. } => {
            columns as u64 * u64::from(column_stride(rows as u32, layout))
        }
        TypeInner::Array { base, size, stride } => {
            let length = u64::from(array_length(module, size).unwrap_or(1));
            length.saturating_mul(match layout {
                Layout::Dense => of(base),
                Layout::Buffer => u64::from(stride / 4),
            })
        }
        TypeInner::Struct { ref members, span } => match layout {
            Layout::Dense => members.iter().map(|member| of(member.ty)).sum(),
            Layout::Buffer => u64::from(span / 4),
        },
        _ => 1,
    }
}

fn column_stride(rows: u32, layout: Layout) -> u32 {
    match (layout, rows) {
        (Layout::Buffer, 3) => 4,
        _ => rows,
    }
}

/// Member of a composite type: its type and how many words precede it.
pub(super) fn member(
    module: &Module,
    inner: &TypeInner,
    index: u32,
    layout: Layout,
) -> Option<(TypeInner, u64)> {
    let type_of = |ty: Handle<Type>| module.types[ty].inner.clone();
    if let TypeInner::Struct { ref members, .. } = *inner {
        let found = members.get(index as usize)?;
        let before = match layout {
            Layout::Buffer => u64::from(found.offset / 4),
            Layout::Dense => members[..index as usize]
                .iter()
                .map(|member| words(module, &module.types[member.ty].inner, layout))
                .sum(),
        };
        return Some((type_of(found.ty), before));
    }
    let (element, stride, _) = element(module, inner, layout)?;
    Some((element, u64::from(index) * stride))
}

/// Element of an indexable type: its type, words from one to the next, and how many there are.
pub(super) fn element(
    module: &Module,
    inner: &TypeInner,
    layout: Layout,
) -> Option<(TypeInner, u64, Option<u32>)> {
    Some(match *inner {
        TypeInner::Vector { size, scalar } => (TypeInner::Scalar(scalar), 1, Some(size as u32)),
        TypeInner::ValuePointer {
            size: Some(size),
            scalar,
            ..
        } => (TypeInner::Scalar(scalar), 1, Some(size as u32)),
        TypeInner::Matrix {
            columns,
            rows,
            scalar,
        } => {
            let column = TypeInner::Vector { size: rows, scalar };
            let stride = column_stride(rows as u32, layout);
            (column, stride.into(), Some(columns as u32))
        }
        TypeInner::Array { base, size, stride } => {
            let base = module.types[base].inner.clone();
            let stride = match layout {
                Layout::Dense => words(module, &base, layout),
                Layout::Buffer => u64::from(stride / 4),
            };
            (base, stride, array_length(module, size))
        }
        _ => return None,
    })
}

/// Offsets of all numbers of a value, in order of the value's components.
pub(super) fn offsets(
    module: &Module,
    inner: &TypeInner,
    layout: Layout,
    at: u32,
    into: &mut Vec<u32>,
) {
    match *inner {
        TypeInner::Struct { ref members, .. } => {
            for index in 0..members.len() as u32 {
                if let Some((ty, before)) = member(module, inner, index, layout) {
                    offsets(module, &ty, layout, at + before as u32, into);
                }
            }
        }
        TypeInner::Vector { .. } | TypeInner::Matrix { .. } | TypeInner::Array { .. } => {
            if let Some((ty, stride, count)) = element(module, inner, layout) {
                for index in 0..count.unwrap_or(0) {
                    offsets(module, &ty, layout, at + index * stride as u32, into);
                }
            }
        }
        _ => into.push(at),
    }
}

/// Type that a pointer points to.
pub(super) fn pointee(module: &Module, inner: &TypeInner) -> TypeInner {
    match *inner {
        TypeInner::Pointer { base, .. } => module.types[base].inner.clone(),
        TypeInner::ValuePointer { size, scalar, .. } => match size {
            Some(size) => TypeInner::Vector { size, scalar },
            None => TypeInner::Scalar(scalar),
        },
        ref other => other.clone(),
    }
}

/// Scalar of 32 bits, or nothing for other widths.
pub(super) fn scalar_type(scalar: Scalar) -> Option<ScalarType> {
    match (scalar.kind, scalar.width) {
        (ScalarKind::Float, 4) => Some(ScalarType::F32),
        (ScalarKind::Sint, 4) => Some(ScalarType::I32),
        (ScalarKind::Uint, 4) => Some(ScalarType::U32),
        (ScalarKind::Bool, _) => Some(ScalarType::Bool),
        _ => None,
    }
}

/// Scalar of a scalar, vector or matrix.
pub(super) fn scalar_of(inner: &TypeInner) -> Option<ScalarType> {
    match *inner {
        TypeInner::Scalar(scalar)
        | TypeInner::Atomic(scalar)
        | TypeInner::Vector { scalar, .. }
        | TypeInner::Matrix { scalar, .. } => scalar_type(scalar),
        _ => None,
    }
}
