//! Accessors decoded to plain values (glTF 2.0, 3.6.2): every component type, normalised or not, interleaved, sparse.
//!
//! [`Accessor::new`] checks once that every element lies inside its bytes; reading then cannot fail.

use gltf::json::accessor::{Accessor as Json, ComponentType, Type, sparse::Sparse as JsonSparse};
use gltf::json::validation::Checked;

use super::error::{LoadError, element};
use super::file::File;

/// Elements of zeros that any file may ask for. One that has more bytes in its buffers may ask for as many as these, so a
/// sparse part fits to every array that lies in them.
const MIN_ZEROS: u64 = 1 << 16;

/// Elements at even distances in a slice of bytes.
#[derive(Debug, Clone, Copy)]
struct Strided<'a> {
    bytes: &'a [u8],
    stride: usize,
}

/// Elements that differ from the base.
#[derive(Debug)]
struct Sparse<'a> {
    indices: Vec<u32>,
    values: Strided<'a>,
}

/// An accessor whose extent has been checked.
#[derive(Debug)]
pub(super) struct Accessor<'a> {
    /// Name in messages, its use included.
    pub element: String,
    /// Number of elements of the accessor.
    pub count: usize,
    /// Shape of an element.
    pub shape: Type,
    /// Type of an element's components.
    pub component: ComponentType,
    /// Integers stand for 0..1 or -1..1.
    pub normalized: bool,
    base: Option<Strided<'a>>,
    sparse: Option<Sparse<'a>>,
}

impl<'a> Accessor<'a> {
    /// The accessor `index` of `file`, checked; `purpose` says what for, such as `NORMAL of mesh 0`.
    pub(super) fn new(file: &'a File, index: usize, purpose: &str) -> Result<Self, LoadError> {
        let json = file.root.accessors.get(index).ok_or_else(|| {
            let count = file.root.accessors.len();
            LoadError::invalid(purpose, format!("refers to accessor {index} of {count}"))
        })?;
        let element = format!(
            "{} ({purpose})",
            element("accessor", index, json.name.as_deref())
        );
        let (shape, component) = layout(json, &element)?;
        let count = usize::try_from(json.count.0).map_err(|_| {
            LoadError::invalid(&*element, "its count exceeds this machine's memory")
        })?;
        let elements = Elements {
            count,
            layout: Layout::of(shape, component),
        };
        let base = match json.buffer_view {
            Some(view) => {
                let (bytes, stride) = file.buffers.view(&file.root, view.value(), &element)?;
                let offset = json.byte_offset.unwrap_or_default().0;
                Some(strided(bytes, offset, elements, stride, &element)?)
            }
            None => {
                let bytes = file.buffers.bytes();
                let most = bytes.max(MIN_ZEROS);
                if count as u64 > most {
                    let problem = format!(
                        "{count} elements without a buffer view; expected at most {most} in a file whose buffers have {bytes} bytes"
                    );
                    return Err(LoadError::invalid(element, problem));
                }
                None
            }
        };
        let sparse = match &json.sparse {
            Some(sparse) => Some(read_sparse(file, sparse, elements, &element)?),
            None => None,
        };
        let bytes = (count as u64).saturating_mul(4 * shape.multiplicity() as u64);
        file.reserve(bytes, &element)?;
        Ok(Self {
            element,
            count,
            shape,
            component,
            normalized: json.normalized,
            base,
            sparse,
        })
    }

    /// An error about this accessor.
    pub(super) fn error(&self, problem: impl Into<String>) -> LoadError {
        LoadError::invalid(&*self.element, problem)
    }

    /// Refuses shapes other than `shapes`.
    pub(super) fn expect_shape(&self, shapes: &[Type]) -> Result<(), LoadError> {
        if shapes.contains(&self.shape) {
            return Ok(());
        }
        Err(self.error(format!("its type is {:?}, expected {shapes:?}", self.shape)))
    }

    /// Refuses component types other than `components`.
    pub(super) fn expect_component(&self, components: &[ComponentType]) -> Result<(), LoadError> {
        if components.contains(&self.component) {
            return Ok(());
        }
        let found = self.component;
        Err(self.error(format!(
            "its component type is {found:?}, expected {components:?}"
        )))
    }

    /// Every element as `N` floats, integers converted as glTF 2.0, 3.6.2.2 says; missing components are 0.
    pub(super) fn vectors<const N: usize, T>(&self, make: fn([f32; N]) -> T) -> Vec<T> {
        grouped(&self.floats(N), make)
    }

    /// Every element as `N` unsigned integers; floats and negative numbers are refused beforehand by the caller.
    pub(super) fn integers<const N: usize, T>(&self, make: fn([u32; N]) -> T) -> Vec<T> {
        let integers = match self.component {
            ComponentType::I8 | ComponentType::U8 => self.read(N, |[b]| u32::from(b)),
            ComponentType::I16 | ComponentType::U16 => {
                self.read(N, |b| u32::from(u16::from_le_bytes(b)))
            }
            ComponentType::U32 | ComponentType::F32 => self.read(N, u32::from_le_bytes),
        };
        grouped(&integers, make)
    }

    /// Every component of every element, one after the other.
    pub(super) fn scalars(&self) -> Vec<f32> {
        self.floats(self.shape.multiplicity())
    }

    /// `n` components of every element, one after the other.
    fn floats(&self, n: usize) -> Vec<f32> {
        match (self.component, self.normalized) {
            (ComponentType::I8, true) => self.read(n, |[b]| (f32::from(b as i8) / 127.0).max(-1.0)),
            (ComponentType::I8, false) => self.read(n, |[b]| f32::from(b as i8)),
            (ComponentType::U8, true) => self.read(n, |[b]| f32::from(b) / 255.0),
            (ComponentType::U8, false) => self.read(n, |[b]| f32::from(b)),
            (ComponentType::I16, true) => self.read(n, |b| {
                (f32::from(i16::from_le_bytes(b)) / 32767.0).max(-1.0)
            }),
            (ComponentType::I16, false) => self.read(n, |b| f32::from(i16::from_le_bytes(b))),
            (ComponentType::U16, true) => {
                self.read(n, |b| f32::from(u16::from_le_bytes(b)) / 65535.0)
            }
            (ComponentType::U16, false) => self.read(n, |b| f32::from(u16::from_le_bytes(b))),
            (ComponentType::U32, true) => self.read(n, |b| {
                (f64::from(u32::from_le_bytes(b)) / 4_294_967_295.0) as f32
            }),
            (ComponentType::U32, false) => self.read(n, |b| u32::from_le_bytes(b) as f32),
            (ComponentType::F32, _) => self.read(n, f32::from_le_bytes),
        }
    }

    /// `n` components of every element, one after the other; missing ones have the default.
    fn read<const B: usize, C: Copy + Default>(
        &self,
        n: usize,
        component: impl Fn([u8; B]) -> C,
    ) -> Vec<C> {
        let layout = Layout::of(self.shape, self.component);
        let offsets: Vec<Option<usize>> = (0..n).map(|i| layout.offset(i)).collect();
        let copy = |from: &Strided<'_>, index: usize, to: &mut [C]| {
            let start = index * from.stride;
            for (offset, to) in offsets.iter().zip(to) {
                let at = offset.map(|offset| start + offset);
                let bytes = at.and_then(|at| from.bytes.get(at..at + B)?.try_into().ok());
                *to = bytes.map_or_else(C::default, &component);
            }
        };
        let mut values = vec![C::default(); self.count * n];
        if let Some(base) = &self.base {
            for (index, to) in values.chunks_exact_mut(n).enumerate() {
                copy(base, index, to);
            }
        }
        if let Some(sparse) = &self.sparse {
            for (at, &index) in sparse.indices.iter().enumerate() {
                copy(&sparse.values, at, &mut values[index as usize * n..][..n]);
            }
        }
        values
    }
}

/// Components taken `N` by `N`.
fn grouped<const N: usize, C: Copy, T>(components: &[C], make: fn([C; N]) -> T) -> Vec<T> {
    let (elements, _) = components.as_chunks();
    elements.iter().map(|element| make(*element)).collect()
}

/// Elements that a view must hold.
#[derive(Clone, Copy)]
struct Elements {
    count: usize,
    layout: Layout,
}

/// Layout of the components of one element: matrices are stored by columns, each aligned to four bytes. Sizes in bytes.
#[derive(Clone, Copy)]
struct Layout {
    component: usize,
    rows: usize,
    columns: usize,
    column_stride: usize,
    size: usize,
}

impl Layout {
    fn of(shape: Type, component: ComponentType) -> Self {
        let component = component.size();
        let (columns, rows) = match shape {
            Type::Mat2 => (2, 2),
            Type::Mat3 => (3, 3),
            Type::Mat4 => (4, 4),
            vector => (1, vector.multiplicity()),
        };
        let tight = rows * component;
        let column_stride = if columns > 1 {
            tight.next_multiple_of(4)
        } else {
            tight
        };
        Self {
            component,
            rows,
            columns,
            column_stride,
            size: (columns - 1) * column_stride + tight,
        }
    }

    /// Offset of component `index`, or `None` beyond the last.
    fn offset(&self, index: usize) -> Option<usize> {
        let (column, row) = (index / self.rows, index % self.rows);
        (column < self.columns).then_some(column * self.column_stride + row * self.component)
    }

    /// Bytes from one element to the next where the view has no stride.
    fn tight_stride(&self) -> usize {
        self.columns * self.column_stride
    }
}

fn layout(json: &Json, element: &str) -> Result<(Type, ComponentType), LoadError> {
    let Checked::Valid(shape) = json.type_ else {
        return Err(LoadError::invalid(
            element,
            "its type is none of SCALAR, VEC2 .. MAT4",
        ));
    };
    let Checked::Valid(component) = json.component_type else {
        let problem = "its componentType is none of 5120, 5121, 5122, 5123, 5125, 5126";
        return Err(LoadError::invalid(element, problem));
    };
    Ok((shape, component.0))
}

/// `elements` from `offset` on, which must all lie inside `bytes`.
fn strided<'a>(
    bytes: &'a [u8],
    offset: u64,
    elements: Elements,
    stride: Option<usize>,
    element: &str,
) -> Result<Strided<'a>, LoadError> {
    let Elements { count, layout } = elements;
    let size = layout.size;
    let stride = stride.unwrap_or_else(|| layout.tight_stride());
    if stride < size {
        let problem = format!("elements of {size} bytes in steps of {stride}");
        return Err(LoadError::invalid(element, problem));
    }
    let offset = usize::try_from(offset).unwrap_or(usize::MAX);
    let len = match count {
        0 => Some(0),
        _ => (count - 1)
            .checked_mul(stride)
            .and_then(|len| len.checked_add(size)),
    };
    let end = len.and_then(|len| offset.checked_add(len));
    let bytes = end.and_then(|end| bytes.get(offset..end)).ok_or_else(|| {
        let found = bytes.len();
        let problem = format!(
            "{count} elements of {size} bytes in steps of {stride} from {offset} on leave its buffer view of {found} bytes"
        );
        LoadError::invalid(element, problem)
    })?;
    Ok(Strided { bytes, stride })
}

fn read_sparse<'a>(
    file: &'a File,
    sparse: &JsonSparse,
    base: Elements,
    element: &str,
) -> Result<Sparse<'a>, LoadError> {
    let element = format!("sparse part of {element}");
    let error = |problem: &str| LoadError::invalid(&*element, problem);
    let count = usize::try_from(sparse.count.0).unwrap_or(usize::MAX);
    if count > base.count {
        return Err(error(&format!(
            "replaces {count} of {} elements",
            base.count
        )));
    }
    let Checked::Valid(component) = sparse.indices.component_type else {
        return Err(error(
            "its indices' componentType is none of 5121, 5123, 5125",
        ));
    };
    let (bytes, _) = file
        .buffers
        .view(&file.root, sparse.indices.buffer_view.value(), &element)?;
    let index = Elements {
        count,
        layout: Layout::of(Type::Scalar, component.0),
    };
    let indices = strided(bytes, sparse.indices.byte_offset.0, index, None, &element)?;
    let indices = indices
        .bytes
        .chunks_exact(index.layout.size)
        .map(little_endian);
    let indices: Vec<u32> = indices.collect();
    if !indices.is_sorted_by(|a, b| a < b) {
        return Err(error("its indices do not increase"));
    }
    if indices
        .last()
        .is_some_and(|&last| last as usize >= base.count)
    {
        return Err(error(&format!(
            "its indices leave the accessor's {} elements",
            base.count
        )));
    }
    let (bytes, stride) =
        file.buffers
            .view(&file.root, sparse.values.buffer_view.value(), &element)?;
    let values = strided(
        bytes,
        sparse.values.byte_offset.0,
        Elements { count, ..base },
        stride,
        &element,
    )?;
    Ok(Sparse { indices, values })
}

fn little_endian(bytes: &[u8]) -> u32 {
    bytes
        .iter()
        .rev()
        .fold(0, |value, &byte| value << 8 | u32::from(byte))
}

#[cfg(test)]
mod tests;
