//! Draws in WGSL: a fragment program becomes one of the renderer's, with its inputs, uniforms and textures.

mod inputs;
mod textures;

use std::hash::BuildHasher;
use std::sync::{Mutex, OnceLock, PoisonError};

use azulejo_record::{Table, Tape, TapeInstruction, Unit as TapeUnit};
use azulejo_render::raster::Kernels;
use azulejo_render::shading::texture::BoundTexture;
use azulejo_render::shading::{
    CodeBatch, CodeQuads, FragmentCode, FragmentInputs, FragmentOutput, FragmentProgram,
    VaryingLayout, shade_by_code,
};
use azulejo_scene::{Filter, Sampler, TextureImage};
use azulejo_simd::{Backend, Lanes, SimdLevel};
use azulejo_trace::{InstructionClass, Program, Region};
use foldhash::quality::FixedState;

use super::code::{BindingCode, BindingKind, Code, ScalarType, Slot, Stage};
use super::error::{RunError, ShaderError};
use super::operation::Op;
use super::run::{Batch, Buffer, Resources, Runner};
use super::traced::TracedCode;
use inputs::Inputs;
use textures::DrawTextures;

/// Instructions that a batch of fragments may execute in loops: no path is longer than a machine takes.
const FRAGMENT_BUDGET: u64 = 1 << 17;

/// A fragment program of a module, for draws of the renderer.
///
/// # Inputs
///
/// Varyings come by location, as in azulejo's own shaders: 0 `position_world` (three floats), 1 `normal_world` (three, not
/// normalised), 2 `tangent_world` (four), 3 `color` (four), from 4 on the sets of texture coordinates (two each). One that
/// the mesh has no stream for is 0. `@builtin(position)` and `@builtin(front_facing)` are as in WGSL. The one output,
/// `@location(0) vec4<f32>`, is scene-linear radiance with straight alpha.
///
/// ```
/// # mod azulejo { pub use azulejo_render as render; pub use azulejo_scene as scene; pub use azulejo_shader as shader; }
/// use azulejo::render::{Draw, DrawList, Recording, RenderSettings, Renderer, SimdLevel, ToneMap};
/// use azulejo::scene::Primitive;
/// use azulejo::shader::{Bindings, FragmentShader, Module};
///
/// let source = "
///     @group(0) @binding(0) var<uniform> width: f32;
///     @fragment fn main(@builtin(position) at: vec4f) -> @location(0) vec4f {
///         if at.y < 16 { return vec4f(at.x / width, 0, 0, 1); }
///         return vec4f(0, 1, 0, 1);
///     }";
/// let shader = FragmentShader::new(&Module::parse(source)?.compile("main", &[])?)?;
/// let width = 64.0_f32.to_le_bytes();
/// let program = shader.bind(&Bindings { buffers: &[((0, 0), &width)], ..Bindings::default() })?;
/// let triangle = Primitive {
///     positions: vec![[-1.0, -1.0, 0.5].into(), [3.0, -1.0, 0.5].into(), [-1.0, 3.0, 0.5].into()],
///     indices: vec![0, 1, 2],
///     ..Primitive::default()
/// };
/// let draw = Draw { double_sided: true, ..Draw::new(&triangle, program) };
/// let settings = RenderSettings { width: 64, height: 32, tone_map: ToneMap::None, ..RenderSettings::default() };
/// let mut renderer = Renderer::new(1, SimdLevel::Auto)?;
/// let frame = renderer.try_draw(&DrawList::new(vec![draw], settings), Recording::Off)?;
/// assert_eq!(frame.picture.pixels[63], [254, 0, 0, 255]);
/// assert_eq!(frame.picture.pixels[16 * 64], [0, 255, 0, 255]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct FragmentShader {
    code: Code,
    traced: TracedCode,
    inputs: Inputs,
    /// Number of each image among the program's texture instructions, if it is one of them.
    samples: Vec<Option<usize>>,
    discards: bool,
    digest: u64,
}

/// Resources of a draw, by group and binding; one that the program does not name is ignored.
#[derive(Debug, Clone, Copy, Default)]
pub struct Bindings<'b, 'a> {
    /// Contents of buffers, as WGSL lays them out.
    pub buffers: &'b [((u32, u32), &'b [u8])],
    /// Textures; the draw list's [`TextureSet`](azulejo_render::TextureSet) should have them, so that a trace knows their
    /// names.
    pub textures: &'b [((u32, u32), &'a TextureImage)],
    /// Samplers.
    pub samplers: &'b [((u32, u32), Sampler)],
}

/// A fragment program with its resources.
#[derive(Debug)]
pub struct BoundFragment<'a> {
    shader: &'a FragmentShader,
    runner: Runner<'a>,
    /// Runner of the code that notes its paths.
    tracer: Runner<'a>,
    backend: Backend,
    /// Contents of buffers, by binding of the code.
    words: Vec<Vec<u32>>,
    /// Texture and sampler of each image of the code.
    textures: Vec<BoundTexture<'a>>,
    /// Batches that no thread uses.
    spare: Mutex<Vec<Batch>>,
    failure: OnceLock<RunError>,
}

impl FragmentShader {
    /// The program that a code is.
    ///
    /// # Errors
    /// If it is of another stage, or has inputs, outputs or resources that the renderer has not: named, with the line where
    /// it has one.
    pub fn new(code: &Code) -> Result<Self, ShaderError> {
        let refused = |message: String| ShaderError::nowhere(format!("{}: {message}", code.entry));
        if code.stage != Stage::Fragment {
            let stage = code.stage.name();
            return Err(refused(format!(
                "a {stage} program; expected a fragment one"
            )));
        }
        let inputs = Inputs::new(code).map_err(refused)?;
        let outputs: Vec<_> = code
            .outputs
            .iter()
            .map(|o| (o.slot, o.scalar, o.registers.len()))
            .collect();
        if outputs != [(Slot::Location(0), ScalarType::F32, 4)] {
            let message = "these outputs; expected @location(0) vec4<f32> alone";
            return Err(refused(message.to_owned()));
        }
        textures::check(code).map_err(refused)?;
        let traced =
            TracedCode::without_buffers(code).map_err(|error| refused(error.to_string()))?;
        let mut samples = vec![None; code.images.len()];
        let images = code
            .instructions
            .iter()
            .filter_map(|instruction| match instruction.op {
                Op::Image(image) => Some(image as usize),
                _ => None,
            });
        for (number, image) in images.enumerate() {
            samples[image] = Some(number);
        }
        Ok(Self {
            inputs,
            samples,
            discards: code
                .instructions
                .iter()
                .any(|instruction| instruction.op == Op::Kill),
            digest: FixedState::default().hash_one(format!("{code:?}")),
            traced,
            code: code.clone(),
        })
    }

    /// The program as a trace has it.
    #[must_use]
    pub const fn program(&self) -> &Program {
        self.traced.program()
    }

    /// The program of a draw with these resources.
    ///
    /// # Errors
    /// If one that the program names is missing, or a buffer is too short.
    pub fn bind<'a>(
        &'a self,
        bindings: &Bindings<'_, 'a>,
    ) -> Result<BoundFragment<'a>, ShaderError> {
        let of_code = self.code.bindings.iter();
        let words = of_code.map(|binding| words(binding, bindings.buffers));
        let words: Vec<Vec<u32>> = words.collect::<Result<_, _>>()?;
        let images = self.code.images.iter().map(|image| {
            let texture = &self.code.bindings[image.texture as usize];
            let texture = *bound(texture, bindings.textures)?;
            let sampler = match image.sampler {
                Some(sampler) => *bound(&self.code.bindings[sampler as usize], bindings.samplers)?,
                None => SINGLE_TEXELS,
            };
            Ok(BoundTexture::new(texture, sampler))
        });
        let textures: Vec<_> = images.collect::<Result<_, ShaderError>>()?;
        let backend = SimdLevel::Auto.backend();
        let backend = backend.map_err(|error| ShaderError::nowhere(error.to_string()))?;
        let runner = |code: &'a Code| {
            let access = DrawTextures::new(backend, &textures);
            let runner = Runner::new(code, backend, &mut resources(code, &words, &access));
            let runner = runner.map_err(|error| ShaderError::nowhere(error.to_string()))?;
            Ok::<_, ShaderError>(runner.with_budget(FRAGMENT_BUDGET))
        };
        Ok(BoundFragment {
            runner: runner(&self.code)?,
            tracer: runner(self.traced.code())?,
            shader: self,
            backend,
            words,
            textures,
            spare: Mutex::default(),
            failure: OnceLock::new(),
        })
    }
}

/// Sampler of textures that are read texel by texel.
const SINGLE_TEXELS: Sampler = Sampler {
    mag: Filter::Nearest,
    min: Filter::Nearest,
    mip: None,
    wrap_u: azulejo_scene::Wrap::ClampToEdge,
    wrap_v: azulejo_scene::Wrap::ClampToEdge,
};

/// Resource of a binding.
fn bound<'b, T>(binding: &BindingCode, given: &'b [((u32, u32), T)]) -> Result<&'b T, ShaderError> {
    let place = (binding.group, binding.binding);
    let found = given.iter().find(|(given, _)| *given == place);
    found.map(|(_, resource)| resource).ok_or_else(|| {
        let (group, number) = place;
        ShaderError::nowhere(format!(
            "`{}`: nothing is bound at group {group}, binding {number}",
            binding.name
        ))
    })
}

/// Contents of a buffer; none of what is no buffer.
fn words(binding: &BindingCode, given: &[((u32, u32), &[u8])]) -> Result<Vec<u32>, ShaderError> {
    if matches!(binding.kind, BindingKind::Texture | BindingKind::Sampler) {
        return Ok(Vec::new());
    }
    let bytes = *bound(binding, given)?;
    let (words, rest) = bytes.as_chunks::<4>();
    let expected = 4 * binding.words as usize;
    if bytes.len() < expected || !rest.is_empty() {
        let (name, found) = (&binding.name, bytes.len());
        let message =
            format!("`{name}`: {found} bytes; expected at least {expected}, in words of four");
        return Err(ShaderError::nowhere(message));
    }
    Ok(words.iter().map(|word| u32::from_le_bytes(*word)).collect())
}

/// Resources of a run.
fn resources<'r>(
    code: &Code,
    words: &'r [Vec<u32>],
    textures: &'r DrawTextures<'_>,
) -> Resources<'r> {
    let mut resources = Resources::new(code, textures);
    for (binding, words) in code.bindings.iter().zip(words) {
        if !matches!(binding.kind, BindingKind::Texture | BindingKind::Sampler) {
            let place = (binding.group, binding.binding);
            resources = resources.with(code, place, Buffer::Read(words));
        }
    }
    resources
}

impl BoundFragment<'_> {
    /// Compiled code that runs these programs, for [`DrawList::with_kernels`](azulejo_render::DrawList::with_kernels).
    #[must_use]
    #[inline(never)]
    pub fn kernels() -> Kernels<Self> {
        Kernels::new()
    }

    /// Runs a batch's quads, and takes its outputs.
    fn shade(
        &self,
        backend: Backend,
        fragments: &mut CodeBatch,
        quads: Option<&mut CodeQuads>,
    ) -> Result<(), RunError> {
        let Self { shader, spare, .. } = self;
        let pairs = fragments.covered | fragments.covered >> 1;
        let lanes = ((pairs | pairs >> 2) & (u64::MAX / 15)) * 15;
        let taken = spare.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut batch = taken.unwrap_or_else(|| self.runner.batch());
        let runner = if quads.is_some() {
            &self.tracer
        } else {
            &self.runner
        };
        shader.inputs.set(runner, &mut batch, fragments);
        let mut textures = DrawTextures::new(backend, &self.textures);
        if let Some(quads) = quads {
            textures.note(&shader.samples, quads);
        }
        let mut resources = resources(&shader.code, &self.words, &textures);
        let ran = (lanes, fragments.covered);
        runner.run_quads(backend, &mut batch, ran, &mut resources)?;
        for (channel, row) in fragments.rgba.iter_mut().enumerate() {
            let output = runner.output(&batch, (Slot::Location(0), channel));
            *row = bytemuck::cast(output.unwrap_or([0; 64]));
        }
        fragments.kept = batch.alive();
        drop(resources);
        if let Some(quads) = textures.noted() {
            let branches = shader.program().branches();
            let paths = shader.traced.paths(&batch, lanes);
            for (quad, path) in quads.iter_mut().zip(paths).filter(|_| branches) {
                quad.steps.extend_from_slice(path.steps());
            }
        }
        spare
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(batch);
        Ok(())
    }
}

impl FragmentCode for BoundFragment<'_> {
    fn tape(&self, tables: &[&[u32]]) -> Tape {
        let Self { shader, .. } = self;
        let mut tape = Tape::default();
        let mut images = vec![None; shader.program().count(InstructionClass::Texture)];
        let mut identity = Vec::new();
        for (image, texture) in self.textures.iter().enumerate() {
            let table = texture.table(tables);
            if let Table::Known(at) = table
                && !tape.tables.contains(&at)
            {
                tape.tables.push(at);
            }
            identity.push((table, texture.sampler()));
            if let Some(number) = shader.samples[image] {
                images[number] = Some(table);
            }
        }
        let mut images = images.into_iter();
        let instructions = shader.program().instructions.iter().map(|instruction| {
            let unit = unit(instruction.class);
            TapeInstruction {
                unit,
                sources: instruction.reads().map(|source| source as u32).collect(),
                table: if unit == TapeUnit::Texture {
                    images.next().flatten()
                } else {
                    None
                },
            }
        });
        tape.instructions = instructions.collect();
        tape.uniforms = self.words.concat();
        tape.structure = FixedState::default().hash_one((shader.digest, identity));
        tape
    }

    fn regions(&self) -> &[Region] {
        &self.shader.program().regions
    }

    fn discards(&self) -> bool {
        self.shader.discards
    }

    fn run(&self, backend: Backend, batch: &mut CodeBatch, mut quads: Option<&mut CodeQuads>) {
        for quad in quads.iter_mut().flat_map(|quads| quads.iter_mut()) {
            *quad = Default::default();
        }
        let failed = self.failure.get().is_some();
        let ran = !failed
            && match self.shade(backend, batch, quads) {
                Ok(()) => true,
                Err(error) => {
                    // The first of several threads' is as good as another.
                    let _ = self.failure.set(error);
                    false
                }
            };
        if !ran {
            (batch.rgba, batch.kept) = Default::default();
        }
    }

    fn failure(&self) -> Option<String> {
        self.failure.get().map(ToString::to_string)
    }
}

/// Functional unit of a class; no program of the renderer accesses buffers.
const fn unit(class: InstructionClass) -> TapeUnit {
    match class {
        InstructionClass::Transcendental => TapeUnit::Transcendental,
        InstructionClass::Varying => TapeUnit::Varying,
        InstructionClass::Texture => TapeUnit::Texture,
        InstructionClass::Attribute => TapeUnit::Attribute,
        InstructionClass::Output => TapeUnit::Output,
        _ => TapeUnit::Alu,
    }
}

impl FragmentProgram for BoundFragment<'_> {
    const HAS_CODE: bool = true;

    fn varyings(&self) -> VaryingLayout {
        self.shader.inputs.layout
    }

    #[inline(always)]
    fn code(&self) -> Option<&dyn FragmentCode> {
        Some(self)
    }

    #[inline(always)]
    fn shade<L: Lanes>(&self, lanes: L, inputs: &FragmentInputs<L>) -> FragmentOutput<L> {
        shade_by_code((lanes, self.backend), self, inputs)
    }
}
