//! Hints that list what a scene has of a kind.

/// Hint that lists what a scene has of a kind, with numbers.
pub(super) fn known<'a>(kind: &str, names: impl Iterator<Item = &'a str>) -> String {
    let listed: Vec<String> = names
        .enumerate()
        .map(|(number, name)| match name {
            "" => number.to_string(),
            name => format!("{number} '{name}'"),
        })
        .collect();
    if listed.is_empty() {
        format!("it has no {kind}; leave the option out")
    } else {
        format!("its {kind}: {}", listed.join(", "))
    }
}
