//! Demos by name.

use crate::app::cli::likeness::did_you_mean;
use crate::demo::{DEMOS, Demo};

/// What one word of the command line names.
#[derive(Debug, Clone)]
pub(in crate::app::cli) struct DemoChoice(pub(in crate::app::cli) Vec<&'static Demo>);

/// A demo, or all of them.
pub(in crate::app::cli) fn demos(word: &str) -> Result<DemoChoice, String> {
    if word == "all" {
        return Ok(DemoChoice(DEMOS.iter().collect()));
    }
    let demo = Demo::find(word).ok_or_else(|| {
        let known: Vec<_> = Demo::all().map(|demo| demo.name).collect();
        let meant = did_you_mean(word, known.iter().copied());
        format!("no such demo{meant}; expected all, {}", known.join(", "))
    })?;
    Ok(DemoChoice(vec![demo]))
}
