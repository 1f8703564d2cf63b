//! WGSL sources: parsed, validated, their entry points and constants; [`Module::compile`] lowers one of them.

use naga::back::PipelineConstants;
use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};

use super::code::{Code, Stage};
use super::error::ShaderError;
use super::lower;

/// Longest source, in bytes.
const MAX_SOURCE: usize = 4 << 20;

/// Deepest nesting of brackets: parsing one takes stack.
const MAX_NESTING: usize = 200;

/// A valid module of WGSL.
#[derive(Debug)]
pub struct Module {
    pub(super) source: String,
    pub(super) module: naga::Module,
    pub(super) info: ModuleInfo,
}

/// Entry point of a module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryPoint {
    /// Name.
    pub name: String,
    /// Stage.
    pub stage: Stage,
}

impl Module {
    /// Parses and validates a source.
    ///
    /// # Errors
    /// naga's message with line and column.
    pub fn parse(source: &str) -> Result<Self, ShaderError> {
        if source.len() > MAX_SOURCE {
            let message = format!(
                "source of {} bytes; expected at most {MAX_SOURCE}",
                source.len()
            );
            return Err(ShaderError::nowhere(message));
        }
        check_nesting(source)?;
        let module = naga::front::wgsl::parse_str(source).map_err(|error| {
            let span = error.labels().next().map(|(span, _)| span);
            let labels: Vec<&str> = error.labels().map(|(_, label)| label).collect();
            let mut message = error.message().to_owned();
            for part in labels.into_iter().chain(error.notes()) {
                if !part.is_empty() && !message.contains(part) {
                    message.push_str(&format!("; {part}"));
                }
            }
            ShaderError::at(source, span.unwrap_or_default(), message)
        })?;
        let capabilities = Capabilities::CUBE_ARRAY_TEXTURES
            | Capabilities::MULTISAMPLED_SHADING
            | Capabilities::PRIMITIVE_INDEX
            | Capabilities::STORAGE_TEXTURE_16BIT_NORM_FORMATS
            | Capabilities::SHADER_FLOAT16_IN_FLOAT32
            | Capabilities::IMMEDIATES;
        let info = Validator::new(ValidationFlags::all(), capabilities)
            .validate(&module)
            .map_err(|error| {
                let span = error.spans().next().map(|(span, _)| *span);
                ShaderError::at(source, span.unwrap_or_default(), chain(error.as_inner()))
            })?;
        Ok(Self {
            source: source.to_owned(),
            module,
            info,
        })
    }

    /// Entry points of the three stages, in order of the source.
    #[must_use]
    pub fn entry_points(&self) -> Vec<EntryPoint> {
        self.module
            .entry_points
            .iter()
            .filter_map(|entry| {
                Some(EntryPoint {
                    name: entry.name.clone(),
                    stage: stage(entry.stage)?,
                })
            })
            .collect()
    }

    /// Names of constants that [`Module::compile`] can be given.
    #[must_use]
    pub fn overrides(&self) -> Vec<String> {
        self.module
            .overrides
            .iter()
            .filter_map(|(_, constant)| match constant.id {
                Some(id) => Some(id.to_string()),
                None => constant.name.clone(),
            })
            .collect()
    }

    /// Lowers an entry point, with values for pipeline constants by name.
    ///
    /// # Errors
    /// If there is no such entry point, a constant is missing, or a construct is not supported: named, with its line.
    pub fn compile(&self, entry: &str, constants: &[(&str, f64)]) -> Result<Code, ShaderError> {
        let found = self.entry_points().into_iter().find(|e| e.name == entry);
        let known = |e: EntryPoint| e.name;
        let Some(found) = found else {
            let names: Vec<_> = self.entry_points().into_iter().map(known).collect();
            let message = format!(
                "no entry point `{entry}`; the source has {}",
                names.join(", ")
            );
            return Err(ShaderError::nowhere(message));
        };
        let naga_stage = match found.stage {
            Stage::Vertex => naga::ShaderStage::Vertex,
            Stage::Fragment => naga::ShaderStage::Fragment,
            Stage::Compute => naga::ShaderStage::Compute,
        };
        let mut values = PipelineConstants::default();
        for &(name, value) in constants {
            values.insert(name.to_owned(), value);
        }
        let (module, info) = naga::back::pipeline_constants::process_overrides(
            &self.module,
            &self.info,
            Some((naga_stage, entry)),
            &values,
        )
        .map_err(|error| ShaderError::nowhere(chain(&error)))?;
        lower::lower(&self.source, &module, &info, (entry, found.stage))
    }
}

fn stage(stage: naga::ShaderStage) -> Option<Stage> {
    match stage {
        naga::ShaderStage::Vertex => Some(Stage::Vertex),
        naga::ShaderStage::Fragment => Some(Stage::Fragment),
        naga::ShaderStage::Compute => Some(Stage::Compute),
        _ => None,
    }
}

/// An error and what caused it, in one line.
fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(&format!(": {error}"));
        cause = error.source();
    }
    text
}

/// Refuses brackets nested so deeply that a recursive parser would run out of stack.
fn check_nesting(source: &str) -> Result<(), ShaderError> {
    let mut depth = 0_usize;
    for (at, character) in source.char_indices() {
        match character {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > MAX_NESTING {
            let span = naga::Span::new(at as u32, at as u32);
            let message = format!("brackets nested more than {MAX_NESTING} deep");
            return Err(ShaderError::at(source, span, message));
        }
    }
    Ok(())
}
