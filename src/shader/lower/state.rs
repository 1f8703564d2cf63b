//! State while a program is lowered, and what all parts of it need: registers, instructions, inlining, module variables.

use std::collections::BTreeMap;

use naga::valid::{FunctionInfo, ModuleInfo};
use naga::{
    AddressSpace, Block, Expression, Function, GlobalVariable, Handle, Span, Statement, Type,
};

use super::super::code::{
    BindingCode, BindingKind, ImageCode, Instruction, NONE, Register, ScalarType, TextureContent,
    TextureKind,
};
use super::super::error::{ShaderError, place};
use super::super::layout::{Layout, MAX_NUMBERS, words};
use super::super::operation::{Alu, Memory, Op, Special};
use super::place::{Place, Space};

/// Most instructions after inlining.
const MAX_INSTRUCTIONS: usize = 1 << 18;

/// Most words of workgroup memory.
const MAX_WORKGROUP_WORDS: u64 = 1 << 14;

/// Deepest nesting of calls and regions.
const MAX_DEPTH: u32 = 200;

pub(super) type Result<T> = std::result::Result<T, ShaderError>;

/// Value of an expression.
#[derive(Debug, Clone)]
pub(super) enum Value {
    /// Its numbers, in order of the components.
    Numbers(Vec<Register>),
    /// Place that it points to.
    Pointer(Place),
    /// Texture or sampler, by position in the bindings.
    Resource(u32),
}

/// A function while its body is inlined.
pub(super) struct Frame<'a> {
    pub(super) function: &'a Function,
    pub(super) info: &'a FunctionInfo,
    pub(super) values: BTreeMap<Handle<Expression>, Value>,
    pub(super) arguments: Vec<Value>,
    pub(super) locals: Vec<Place>,
    pub(super) result: Vec<Register>,
    /// Returns write results without regard to lanes that have returned: there are none yet.
    pub(super) returned: bool,
    pub(super) loops: u32,
}

pub(super) struct Lowerer<'a> {
    pub(super) source: &'a str,
    /// Bytes of the source before each line.
    pub(super) line_starts: Vec<usize>,
    pub(super) module: &'a naga::Module,
    pub(super) info: &'a ModuleInfo,
    pub(super) instructions: Vec<Instruction>,
    pub(super) prologue: Vec<Instruction>,
    pub(super) prologue_known: BTreeMap<(String, [Register; 4]), [Register; 4]>,
    pub(super) constants: BTreeMap<u32, Register>,
    /// Whether a register holds the same in all lanes, by register.
    pub(super) uniform: Vec<bool>,
    pub(super) images: Vec<ImageCode>,
    pub(super) cases: Vec<Option<Vec<u32>>>,
    pub(super) bindings: Vec<BindingCode>,
    pub(super) globals: BTreeMap<Handle<GlobalVariable>, Value>,
    pub(super) workgroup_words: u64,
    pub(super) line: u32,
    pub(super) depth: u32,
    pub(super) loops: u32,
}

impl<'a> Lowerer<'a> {
    pub(super) fn new(source: &'a str, module: &'a naga::Module, info: &'a ModuleInfo) -> Self {
        Self {
            source,
            line_starts: std::iter::once(0)
                .chain(source.match_indices('\n').map(|(at, _)| at + 1))
                .collect(),
            module,
            info,
            instructions: Vec::new(),
            prologue: Vec::new(),
            prologue_known: BTreeMap::new(),
            constants: BTreeMap::new(),
            uniform: Vec::new(),
            images: Vec::new(),
            cases: Vec::new(),
            bindings: Vec::new(),
            globals: BTreeMap::new(),
            workgroup_words: 0,
            line: 0,
            depth: 0,
            loops: 0,
        }
    }

    pub(super) fn error(&self, span: Span, message: impl Into<String>) -> ShaderError {
        let (line, _) = place(self.source, span);
        if line > 0 {
            return ShaderError::at(self.source, span, message);
        }
        ShaderError {
            line: self.line,
            column: 1,
            message: message.into(),
        }
    }

    pub(super) fn unsupported(&self, construct: &str) -> ShaderError {
        self.error(Span::UNDEFINED, format!("{construct}: not supported"))
    }

    /// A register of its own.
    pub(super) fn register(&mut self, uniform: bool) -> Register {
        self.uniform.push(uniform);
        self.uniform.len() as Register - 1
    }

    pub(super) fn constant(&mut self, bits: u32) -> Register {
        if let Some(&known) = self.constants.get(&bits) {
            return known;
        }
        let register = self.register(true);
        self.constants.insert(bits, register);
        register
    }

    pub(super) fn float(&mut self, value: f32) -> Register {
        self.constant(value.to_bits())
    }

    pub(super) fn push(&mut self, instruction: Instruction) -> Result<()> {
        if self.instructions.len() + self.prologue.len() >= MAX_INSTRUCTIONS {
            let message = format!("more than {MAX_INSTRUCTIONS} instructions after inlining");
            return Err(self.error(Span::UNDEFINED, message));
        }
        self.instructions.push(instruction);
        Ok(())
    }

    pub(super) fn instruction(
        &self,
        op: Op,
        results: [Register; 4],
        operands: &[Register],
    ) -> Instruction {
        let mut padded = [NONE; 4];
        for (slot, &operand) in padded.iter_mut().zip(operands) {
            *slot = operand;
        }
        Instruction {
            op,
            results,
            operands: padded,
            masked: false,
            line: self.line,
            target: 0,
            frame: 0,
        }
    }

    /// Emits an instruction with so many results: once for all lanes if its operands are the same in all lanes.
    pub(super) fn emit(
        &mut self,
        op: Op,
        operands: &[Register],
        count: usize,
    ) -> Result<[Register; 4]> {
        let same = operands.iter().all(|&r| self.uniform[r as usize]) && self.is_hoistable(op);
        let key = (
            format!("{op:?}"),
            self.instruction(op, [NONE; 4], operands).operands,
        );
        if same && let Some(&known) = self.prologue_known.get(&key) {
            return Ok(known);
        }
        let mut results = [NONE; 4];
        for result in results.iter_mut().take(count) {
            *result = self.register(same);
        }
        let instruction = self.instruction(op, results, operands);
        self.push(instruction)?;
        if same {
            self.instructions.pop();
            self.prologue.push(instruction);
            self.prologue_known.insert(key, results);
        }
        Ok(results)
    }

    fn is_hoistable(&self, op: Op) -> bool {
        match op {
            Op::Alu(_) | Op::Special(_) | Op::ArrayLength { .. } => true,
            Op::Load {
                memory: Memory::Buffer(buffer),
                ..
            } => self.bindings[buffer as usize].kind != BindingKind::Storage,
            _ => false,
        }
    }

    pub(super) fn alu(&mut self, op: impl Into<Alu>, operands: &[Register]) -> Result<Register> {
        Ok(self.emit(Op::Alu(op.into()), operands, 1)?[0])
    }

    pub(super) fn special(&mut self, op: Special, operands: &[Register]) -> Result<Register> {
        Ok(self.emit(Op::Special(op), operands, 1)?[0])
    }

    /// Emits a marker or another instruction without a result.
    pub(super) fn control(&mut self, op: Op, operands: &[Register]) -> Result<()> {
        let instruction = self.instruction(op, [NONE; 4], operands);
        self.push(instruction)
    }

    /// Writes a register that other instructions write too.
    pub(super) fn assign(&mut self, to: Register, from: Register, masked: bool) -> Result<()> {
        let mut instruction = self.instruction(Op::Alu(Alu::Move), [to, NONE, NONE, NONE], &[from]);
        instruction.masked = masked;
        self.push(instruction)
    }

    /// Registers in a row for a variable; the size is checked.
    pub(super) fn variable(&mut self, what: &str, numbers: u64, span: Span) -> Result<Place> {
        if numbers > MAX_NUMBERS {
            let message = format!("{what}: {numbers} numbers; expected at most {MAX_NUMBERS}");
            return Err(self.error(span, message));
        }
        let base = self.uniform.len() as Register;
        for _ in 0..numbers {
            self.register(false);
        }
        Ok(Place {
            space: Space::Registers {
                base,
                length: numbers as u32,
            },
            offset: 0,
            dynamic: None,
        })
    }

    /// Inlines a call; the result's numbers.
    pub(super) fn call(
        &mut self,
        function: &'a Function,
        info: &'a FunctionInfo,
        arguments: Vec<Value>,
    ) -> Result<Vec<Register>> {
        self.deeper()?;
        let mut frame = Frame {
            function,
            info,
            values: BTreeMap::new(),
            arguments,
            locals: Vec::new(),
            result: Vec::new(),
            returned: false,
            loops: self.loops,
        };
        self.declare_locals(&mut frame)?;
        self.set_locals(&mut frame)?;
        let scope = returns_early(&function.body, true);
        if let Some(result) = &function.result {
            let numbers = self.dense_words(result.ty);
            let place = self.variable("result", numbers, Span::UNDEFINED)?;
            if let Space::Registers { base, length } = place.space {
                frame.result = (base..base + length).collect();
            }
        }
        if scope {
            self.control(Op::Scope, &[])?;
        }
        self.block(&mut frame, &function.body, true)?;
        if scope {
            self.control(Op::EndScope, &[])?;
        }
        self.depth -= 1;
        Ok(frame.result)
    }

    /// Numbers of a value of a type.
    fn dense_words(&self, ty: Handle<Type>) -> u64 {
        words(self.module, &self.module.types[ty].inner, Layout::Dense)
    }

    /// Registers for the variables of a function.
    fn declare_locals(&mut self, frame: &mut Frame<'a>) -> Result<()> {
        for (handle, local) in frame.function.local_variables.iter() {
            let numbers = self.dense_words(local.ty);
            let span = frame.function.local_variables.get_span(handle);
            let name = local.name.as_deref().unwrap_or("variable");
            let place = self.variable(&format!("variable `{name}`"), numbers, span)?;
            frame.locals.push(place);
        }
        Ok(())
    }

    /// First values of the variables of a function.
    fn set_locals(&mut self, frame: &mut Frame<'a>) -> Result<()> {
        let line = self.line;
        let function = frame.function;
        for (at, (handle, local)) in function.local_variables.iter().enumerate() {
            self.at(function.local_variables.get_span(handle));
            let place = frame.locals[at].clone();
            let zero = self.constant(0);
            let values = match local.init {
                Some(init) => self.numbers(frame, init)?,
                None => vec![zero; self.dense_words(local.ty) as usize],
            };
            if let Space::Registers { base, .. } = place.space {
                for (to, &from) in (base..).zip(&values) {
                    self.assign(to, from, false)?;
                }
            }
        }
        self.line = line;
        Ok(())
    }

    pub(super) fn deeper(&mut self) -> Result<()> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            let message = format!("calls and blocks nested more than {MAX_DEPTH} deep");
            return Err(self.error(Span::UNDEFINED, message));
        }
        Ok(())
    }

    /// Value of a module's variable, made at first sight.
    pub(super) fn global(&mut self, handle: Handle<GlobalVariable>) -> Result<Value> {
        if let Some(known) = self.globals.get(&handle) {
            return Ok(known.clone());
        }
        let variable = &self.module.global_variables[handle];
        let span = self.module.global_variables.get_span(handle);
        let inner = &self.module.types[variable.ty].inner;
        let name = variable.name.clone().unwrap_or_default();
        let value = match variable.space {
            AddressSpace::Private => {
                let numbers = words(self.module, inner, Layout::Dense);
                Value::Pointer(self.variable(&format!("variable `{name}`"), numbers, span)?)
            }
            AddressSpace::WorkGroup => {
                let offset = self.workgroup_words;
                self.workgroup_words += words(self.module, inner, Layout::Dense);
                if self.workgroup_words > MAX_WORKGROUP_WORDS {
                    let message = format!(
                        "workgroup variable `{name}`: {} words in all; expected at most {MAX_WORKGROUP_WORDS}",
                        self.workgroup_words
                    );
                    return Err(self.error(span, message));
                }
                Value::Pointer(Place {
                    space: Space::Workgroup,
                    offset: offset as u32,
                    dynamic: None,
                })
            }
            AddressSpace::Uniform => self.buffer(variable, BindingKind::Uniform, span)?,
            AddressSpace::Storage { access } => {
                let kind = match access.contains(naga::StorageAccess::STORE) {
                    true => BindingKind::Storage,
                    false => BindingKind::ReadStorage,
                };
                self.buffer(variable, kind, span)?
            }
            AddressSpace::Handle => {
                let kind = match inner {
                    naga::TypeInner::Image { .. } => BindingKind::Texture,
                    naga::TypeInner::Sampler { .. } => BindingKind::Sampler,
                    _ => {
                        let message =
                            format!("`{name}`, a resource of another kind: not supported");
                        return Err(self.error(span, message));
                    }
                };
                Value::Resource(self.bind(variable, kind, span)?)
            }
            other => {
                let message = format!("`{name}`, a variable in {other:?}: not supported");
                return Err(self.error(span, message));
            }
        };
        self.globals.insert(handle, value.clone());
        Ok(value)
    }

    fn buffer(
        &mut self,
        variable: &GlobalVariable,
        kind: BindingKind,
        span: Span,
    ) -> Result<Value> {
        let position = self.bind(variable, kind, span)?;
        Ok(Value::Pointer(Place {
            space: Space::Buffer(position),
            offset: 0,
            dynamic: None,
        }))
    }

    fn bind(&mut self, variable: &GlobalVariable, kind: BindingKind, span: Span) -> Result<u32> {
        let name = variable.name.clone().unwrap_or_default();
        let Some(binding) = variable.binding else {
            return Err(self.error(span, format!("`{name}`: no group and binding")));
        };
        let inner = &self.module.types[variable.ty].inner;
        let is_buffer = !matches!(kind, BindingKind::Texture | BindingKind::Sampler);
        self.bindings.push(BindingCode {
            group: binding.group,
            binding: binding.binding,
            name,
            kind,
            words: match is_buffer {
                true => words(self.module, inner, Layout::Buffer) as u32,
                false => 0,
            },
            texture: texture_kind(inner),
        });
        Ok(self.bindings.len() as u32 - 1)
    }
}

fn texture_kind(inner: &naga::TypeInner) -> Option<TextureKind> {
    let naga::TypeInner::Image {
        dim: dimension,
        arrayed,
        class,
    } = *inner
    else {
        return None;
    };
    let content = match class {
        naga::ImageClass::Sampled { kind, multi } => TextureContent::Sampled {
            scalar: match kind {
                naga::ScalarKind::Uint => ScalarType::U32,
                naga::ScalarKind::Sint => ScalarType::I32,
                _ => ScalarType::F32,
            },
            multisampled: multi,
        },
        naga::ImageClass::Depth { multi } => TextureContent::Depth {
            multisampled: multi,
        },
        naga::ImageClass::Storage { format, .. } => TextureContent::Storage(format),
        naga::ImageClass::External => return None,
    };
    Some(TextureKind {
        dimension,
        arrayed,
        content,
    })
}

/// Whether a block returns anywhere but at its end.
fn returns_early(block: &Block, at_end: bool) -> bool {
    let last = block.len().saturating_sub(1);
    block.iter().enumerate().any(|(position, statement)| {
        let at_end = at_end && position == last;
        match statement {
            Statement::Return { .. } => !at_end,
            Statement::Block(block) => returns_early(block, at_end),
            Statement::If { accept, reject, .. } => {
                returns_early(accept, at_end) || returns_early(reject, at_end)
            }
            Statement::Switch { cases, .. } => {
                cases.iter().any(|case| returns_early(&case.body, at_end))
            }
            Statement::Loop {
                body, continuing, ..
            } => returns_early(body, false) || returns_early(continuing, false),
            _ => false,
        }
    })
}
