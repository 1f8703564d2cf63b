//! Sets of techniques as users write them: names joined by `+`.

use crate::app::cli::likeness::did_you_mean;
use crate::technique::{TECHNIQUES, Technique};

/// Techniques that work side by side on one machine.
#[derive(Debug, Clone, Default)]
pub(in crate::app::cli) struct TechniqueSet(pub(in crate::app::cli) Vec<&'static Technique>);

impl TechniqueSet {
    /// What a machine with them is called behind its own name: `+re+te`; nothing without any.
    pub(in crate::app::cli) fn suffix(&self) -> String {
        let names = self.0.iter().map(|technique| technique.name);
        names.map(|name| format!("+{name}")).collect()
    }
}

/// Techniques as users write them: `re`, or `re+te` for both at once.
pub(in crate::app::cli) fn techniques(text: &str) -> Result<TechniqueSet, String> {
    let unknown = |name: &str| {
        let names: Vec<_> = TECHNIQUES.iter().map(|technique| technique.name).collect();
        let meant = did_you_mean(name, names.iter().copied());
        let names = names.join(", ");
        format!("no technique '{name}'{meant}; expected {names}, or some joined by +")
    };
    let find = |name| Technique::find(name).ok_or_else(|| unknown(name));
    text.split('+')
        .map(find)
        .collect::<Result<_, _>>()
        .map(TechniqueSet)
}
