//! From naga's tree to a flat list: functions inlined, values split into numbers, work that no lane changes moved to a
//! prologue.

mod access;
mod convert;
mod expression;
mod image;
mod interface;
mod math;
mod matrix;
mod operator;
mod optimize;
mod place;
mod registers;
mod state;
mod statement;
mod trips;

use naga::valid::ModuleInfo;

use super::code::{Code, Stage};
use super::error::ShaderError;
pub(super) use optimize::{link, read};
use state::{Lowerer, Result};

/// Most invocations of a workgroup: four times what WebGPU promises, as many as any GPU has.
const MAX_INVOCATIONS: u64 = 1024;

fn check_workgroup(entry: &naga::EntryPoint) -> Result<()> {
    let size = entry.workgroup_size;
    let invocations = size.iter().map(|&edge| u64::from(edge)).product::<u64>();
    if entry.stage == naga::ShaderStage::Compute && invocations > MAX_INVOCATIONS {
        let name = &entry.name;
        return Err(ShaderError::nowhere(format!(
            "`{name}`: a workgroup of {size:?}, {invocations} invocations; expected at most {MAX_INVOCATIONS}"
        )));
    }
    Ok(())
}

/// Lowers an entry point of a module without overrides.
pub(super) fn lower(
    source: &str,
    module: &naga::Module,
    info: &ModuleInfo,
    (name, stage): (&str, Stage),
) -> Result<Code> {
    let found = module.entry_points.iter().enumerate();
    let Some((index, entry)) = found.into_iter().find(|(_, entry)| entry.name == name) else {
        return Err(ShaderError::nowhere(format!("no entry point `{name}`")));
    };
    check_workgroup(entry)?;
    let mut lowerer = Lowerer::new(source, module, info);
    let (inputs, outputs) = lowerer.entry(entry, info.get_entry_point(index))?;
    let mut code = Code {
        entry: name.to_owned(),
        stage,
        workgroup_size: match stage {
            Stage::Compute => entry.workgroup_size,
            _ => [1; 3],
        },
        workgroup_words: lowerer.workgroup_words as u32,
        instructions: lowerer.instructions,
        prologue: lowerer.prologue,
        constants: lowerer
            .constants
            .into_iter()
            .map(|(bits, register)| (register, bits))
            .collect(),
        first_uniform: 0,
        registers: lowerer.uniform.len() as u32,
        alive: 0,
        inputs,
        outputs,
        bindings: lowerer.bindings,
        images: lowerer.images,
        cases: lowerer.cases,
    };
    optimize::optimize(&mut code, &lowerer.uniform);
    registers::allocate(&mut code, &lowerer.uniform);
    link(&mut code);
    Ok(code)
}
