//! Textures: samples, loads, stores, sizes.

use naga::{Expression, Handle, ImageClass, ImageDimension, ImageQuery, SampleLevel, TypeInner};

use super::super::code::{ImageAccess, ImageCode, NONE, Register};
use super::super::operation::{ConvertOp, Op};
use super::state::{Frame, Lowerer, Result, Value};

impl<'a> Lowerer<'a> {
    fn resource(&mut self, frame: &mut Frame<'a>, handle: Handle<Expression>) -> Result<u32> {
        match self.value(frame, handle)? {
            Value::Resource(position) => Ok(position),
            _ => Err(self.unsupported("a texture of this kind")),
        }
    }

    fn access(
        &mut self,
        frame: &mut Frame<'a>,
        image: Handle<Expression>,
        access: ImageAccess,
    ) -> Result<ImageCode> {
        if let TypeInner::Image {
            class: ImageClass::External,
            ..
        } = self.type_of(frame, image)
        {
            return Err(self.unsupported("an external texture"));
        }
        Ok(ImageCode {
            access,
            texture: self.resource(frame, image)?,
            sampler: None,
            coordinates: Vec::new(),
            layer: None,
            level: None,
            gradients: Vec::new(),
            reference: None,
            offset: [0; 3],
            value: Vec::new(),
            clamp_to_edge: false,
        })
    }

    fn emit_image(&mut self, image: ImageCode, count: usize) -> Result<Vec<Register>> {
        let position = self.images.len() as u32;
        self.images.push(image);
        let results = self.emit(Op::Image(position), &[], count)?;
        Ok(results[..count].to_vec())
    }

    fn optional(
        &mut self,
        frame: &mut Frame<'a>,
        handle: Option<Handle<Expression>>,
    ) -> Result<Option<Register>> {
        handle.map(|handle| self.number(frame, handle)).transpose()
    }

    pub(super) fn image(
        &mut self,
        frame: &mut Frame<'a>,
        handle: Handle<Expression>,
    ) -> Result<Vec<Register>> {
        let function = frame.function;
        match function.expressions[handle] {
            Expression::ImageSample {
                image,
                sampler,
                gather,
                coordinate,
                array_index,
                offset,
                level,
                depth_ref,
                clamp_to_edge,
            } => {
                let mut code = self.access(frame, image, ImageAccess::Sample)?;
                code.sampler = Some(self.resource(frame, sampler)?);
                code.coordinates = self.numbers(frame, coordinate)?;
                code.layer = self.optional(frame, array_index)?;
                code.reference = self.optional(frame, depth_ref)?;
                code.clamp_to_edge = clamp_to_edge;
                self.sample_level(frame, &mut code, level)?;
                if let Some(component) = gather {
                    code.access = ImageAccess::Gather(component as u8);
                }
                if let Some(offset) = offset {
                    code.offset = self.constant_offset(frame, offset)?;
                }
                let depth = self.is_depth(frame, image) && gather.is_none();
                self.emit_image(code, if depth { 1 } else { 4 })
            }
            Expression::ImageLoad {
                image,
                coordinate,
                array_index,
                sample,
                level,
            } => {
                let mut code = self.access(frame, image, ImageAccess::Load)?;
                code.coordinates = self.numbers(frame, coordinate)?;
                code.layer = self.optional(frame, array_index)?;
                code.level = self.optional(frame, sample.or(level))?;
                let depth = self.is_depth(frame, image);
                self.emit_image(code, if depth { 1 } else { 4 })
            }
            Expression::ImageQuery { image, query } => self.image_query(frame, image, query),
            _ => Err(self.unsupported("this access of a texture")),
        }
    }

    /// Level of a sample, and what it is told by.
    fn sample_level(
        &mut self,
        frame: &mut Frame<'a>,
        code: &mut ImageCode,
        level: SampleLevel,
    ) -> Result<()> {
        match level {
            SampleLevel::Auto => {}
            SampleLevel::Zero => {
                code.access = ImageAccess::SampleLevel;
                code.level = Some(self.float(0.0));
            }
            SampleLevel::Exact(level) => {
                code.access = ImageAccess::SampleLevel;
                code.level = Some(self.exact_level(frame, level)?);
            }
            SampleLevel::Bias(bias) => {
                code.access = ImageAccess::SampleBias;
                code.level = Some(self.number(frame, bias)?);
            }
            SampleLevel::Gradient { x, y } => {
                code.access = ImageAccess::SampleGradient;
                code.gradients = self.numbers(frame, x)?;
                code.gradients.extend(self.numbers(frame, y)?);
            }
        }
        Ok(())
    }

    fn image_query(
        &mut self,
        frame: &mut Frame<'a>,
        image: Handle<Expression>,
        query: ImageQuery,
    ) -> Result<Vec<Register>> {
        let (access, level) = match query {
            ImageQuery::Size { level } => (ImageAccess::Size, level),
            ImageQuery::NumLevels => (ImageAccess::Levels, None),
            ImageQuery::NumLayers => (ImageAccess::Layers, None),
            ImageQuery::NumSamples => (ImageAccess::Samples, None),
        };
        let count = match *self.type_of(frame, image) {
            TypeInner::Image { dim, .. } if access == ImageAccess::Size => match dim {
                ImageDimension::D1 => 1,
                ImageDimension::D2 | ImageDimension::Cube => 2,
                ImageDimension::D3 => 3,
            },
            _ => 1,
        };
        let mut code = self.access(frame, image, access)?;
        code.level = self.optional(frame, level)?;
        self.emit_image(code, count)
    }

    /// Levels of depth textures are integers in WGSL.
    fn exact_level(
        &mut self,
        frame: &mut Frame<'a>,
        level: Handle<Expression>,
    ) -> Result<Register> {
        use super::super::code::ScalarType;
        let number = self.number(frame, level)?;
        match super::super::layout::scalar_of(self.type_of(frame, level)) {
            Some(ScalarType::I32) => self.alu(ConvertOp::IToFloat, &[number]),
            Some(ScalarType::U32) => self.alu(ConvertOp::UToFloat, &[number]),
            _ => Ok(number),
        }
    }

    fn is_depth(&self, frame: &Frame<'a>, image: Handle<Expression>) -> bool {
        matches!(
            self.type_of(frame, image),
            TypeInner::Image {
                class: ImageClass::Depth { .. },
                ..
            }
        )
    }

    /// Offsets are constants in WGSL: their registers are, too.
    fn constant_offset(
        &mut self,
        frame: &mut Frame<'a>,
        offset: Handle<Expression>,
    ) -> Result<[i32; 3]> {
        let numbers = self.numbers(frame, offset)?;
        let mut found = [0; 3];
        for (slot, register) in found.iter_mut().zip(numbers) {
            let known = self
                .constants
                .iter()
                .find(|&(_, &constant)| constant == register);
            match known {
                Some((&bits, _)) => *slot = bits.cast_signed(),
                None => return Err(self.unsupported("a texel offset that is no constant")),
            }
        }
        Ok(found)
    }

    pub(super) fn image_store(
        &mut self,
        frame: &mut Frame<'a>,
        image: Handle<Expression>,
        (coordinate, layer): (Handle<Expression>, Option<Handle<Expression>>),
        value: Handle<Expression>,
    ) -> Result<()> {
        let mut code = self.access(frame, image, ImageAccess::Store)?;
        code.coordinates = self.numbers(frame, coordinate)?;
        code.layer = self.optional(frame, layer)?;
        code.value = self.numbers(frame, value)?;
        let results = self.emit_image(code, 0)?;
        debug_assert!(!results.contains(&NONE), "a store has no result");
        Ok(())
    }
}
