//! How a contradiction in a trace is said: the part at fault, what was found and what was expected.

/// The first contradiction found in a trace.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{element}: {problem}")]
pub struct InvalidTrace {
    /// Which part, for example `draw 3 'floor'` or `tile 12`.
    pub element: String,
    /// Found value and expected one, in words.
    pub problem: String,
}

/// Characters of a name that messages repeat.
const NAME_SHOWN: usize = 48;

/// `kind number 'name'`, the name made printable and short.
pub(super) fn named(kind: &str, number: usize, name: &str) -> String {
    let shown: String = name.chars().take(NAME_SHOWN).collect();
    let dots = if shown.len() < name.len() { "..." } else { "" };
    format!("{kind} {number} '{}{dots}'", shown.escape_debug())
}

/// `element` contradicts something unless the condition `holds`.
pub(super) fn require(
    holds: bool,
    element: impl Fn() -> String,
    problem: impl Fn() -> String,
) -> Result<(), InvalidTrace> {
    if holds {
        return Ok(());
    }
    Err(InvalidTrace {
        element: element(),
        problem: problem(),
    })
}
