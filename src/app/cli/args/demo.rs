//! Choice of demos by name.

use crate::cli::likeness::did_you_mean;
use azulejo_demo::{DEMOS, Demo, Setting, VARIANTS};

/// Demos that one word of the command line names.
#[derive(Debug, Clone)]
pub(in crate::cli) struct DemoChoice(pub(in crate::cli) Vec<&'static Demo>);

/// Parses the name of a demo, `all`, or a setting, which stands for all games in it.
pub(in crate::cli) fn demos(word: &str) -> Result<DemoChoice, String> {
    if word == "all" {
        return Ok(DemoChoice(DEMOS.iter().collect()));
    }
    if let Some(setting) = { Setting::ALL.into_iter() }.find(|setting| setting.name() == word) {
        let has_it = |demo: &&Demo| demo.setting == setting;
        return Ok(DemoChoice(VARIANTS.iter().filter(has_it).collect()));
    }
    let demo = Demo::find(word).ok_or_else(|| {
        let meant = did_you_mean(word, Demo::all().map(|demo| demo.name));
        let settings = Setting::ALL.map(Setting::name).join(", ");
        let plain = Demo::all().filter(|demo| demo.setting == Setting::AsIs);
        let plain: Vec<_> = plain.map(|demo| demo.name).collect();
        format!(
            "no such demo{meant}; expected all, {settings}, {}",
            plain.join(", ")
        )
    })?;
    Ok(DemoChoice(vec![demo]))
}
