//! Sets of techniques as users write them: names joined by `+`.

use crate::cli::likeness::did_you_mean;
use azulejo_technique::{TECHNIQUES, Technique};

/// Techniques that work side by side on one machine.
#[derive(Debug, Clone, Default)]
pub(in crate::cli) struct TechniqueSet(pub(in crate::cli) Vec<&'static Technique>);

impl TechniqueSet {
    /// Suffix of a machine's name for these techniques: `+re+te`; nothing without any.
    pub(in crate::cli) fn suffix(&self) -> String {
        let names = self.0.iter().map(|technique| technique.name);
        names.map(|name| format!("+{name}")).collect()
    }
}

/// Parses the techniques of one picture, and so one set: a comma, which asks `simulate` for a run each, is refused.
pub(in crate::cli) fn one_set(text: &str) -> Result<TechniqueSet, String> {
    if text.contains(',') {
        let joined = text.replace(',', "+");
        return Err(format!(
            "a comma stands between runs of their own, which only `azulejo simulate` makes; expected one set; try {joined} for all at once"
        ));
    }
    techniques(text)
}

/// Parses techniques as users write them: `re`, or `re+te` for both at once.
pub(in crate::cli) fn techniques(text: &str) -> Result<TechniqueSet, String> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn technique_set_of_one_picture_takes_no_comma() {
        let joined = one_set("re+te").expect("both at once");
        assert_eq!(joined.suffix(), "+re+te");
        let refused = one_set("re,te").map(|set| set.suffix()).unwrap_err();
        assert!(refused.contains("try re+te"), "{refused}");
    }
}
