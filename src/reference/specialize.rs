//! WGSL templates: a shader's text and what one draw needs in, the text that the driver compiles out.
//!
//! A line that begins with `#` directs: `#if NAME` .. `#else` .. `#endif` keeps a part where NAME's value is not 0;
//! `#each NAME` .. `#endeach` repeats a part NAME times and sets `$i`. Elsewhere `$NAME` becomes NAME's value.

use std::collections::BTreeMap;

/// Values of a template's names; a name that is not set is 0.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Values(BTreeMap<&'static str, String>);

impl Values {
    pub(super) fn flag(&mut self, name: &'static str, set: bool) {
        self.count(name, usize::from(set));
    }

    pub(super) fn count(&mut self, name: &'static str, value: usize) {
        self.text(name, value.to_string());
    }

    pub(super) fn text(&mut self, name: &'static str, value: String) {
        self.0.insert(name, value);
    }

    fn get(&self, name: &str) -> &str {
        self.0.get(name).map_or("0", String::as_str)
    }

    fn is_set(&self, name: &str) -> bool {
        self.get(name) != "0"
    }
}

/// The text of `template` for one draw.
pub(super) fn specialize(template: &str, values: &Values) -> String {
    let lines: Vec<&str> = template.lines().collect();
    let mut out = String::with_capacity(template.len());
    expand(&lines, values, None, &mut out);
    out
}

/// Expands `lines`, in which directives nest.
fn expand(lines: &[&str], values: &Values, repetition: Option<usize>, out: &mut String) {
    let mut at = 0;
    while at < lines.len() {
        let line = lines[at];
        at += 1;
        if let Some(name) = line.strip_prefix("#if ") {
            let end = at + end_of_block(&lines[at..], "#if ", "#endif");
            let middle = at + else_of_block(&lines[at..end]);
            let kept = if values.is_set(name) {
                at..middle
            } else {
                (middle + 1).min(end)..end
            };
            expand(&lines[kept], values, repetition, out);
            at = end + 1;
        } else if let Some(name) = line.strip_prefix("#each ") {
            let end = at + end_of_block(&lines[at..], "#each ", "#endeach");
            for i in 0..values.get(name).parse().unwrap_or(0) {
                expand(&lines[at..end], values, Some(i), out);
            }
            at = end + 1;
        } else {
            substitute(line, values, repetition, out);
            out.push('\n');
        }
    }
}

/// Lines before the `close` that matches an opening line before the first.
fn end_of_block(lines: &[&str], open: &str, close: &str) -> usize {
    let mut depth = 1;
    let end = lines.iter().position(|line| {
        if line.starts_with(open) {
            depth += 1;
        } else if *line == close {
            depth -= 1;
        }
        depth == 0
    });
    end.unwrap_or(lines.len())
}

/// Lines before the `#else` of this block, all lines if it has none.
fn else_of_block(lines: &[&str]) -> usize {
    let mut depth = 0;
    let middle = lines.iter().position(|line| {
        if line.starts_with("#if ") {
            depth += 1;
        } else if *line == "#endif" {
            depth -= 1;
        }
        depth == 0 && *line == "#else"
    });
    middle.unwrap_or(lines.len())
}

/// Appends `line` with its `$names` replaced.
fn substitute(line: &str, values: &Values, repetition: Option<usize>, out: &mut String) {
    let mut parts = line.split('$');
    out.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let (name, rest) = part.split_at(part.find(|c| !is_name(c)).unwrap_or(part.len()));
        match (name, repetition) {
            ("i", Some(i)) => out.push_str(&i.to_string()),
            _ => out.push_str(values.get(name)),
        }
        out.push_str(rest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(pairs: &[(&'static str, usize)]) -> Values {
        let mut values = Values::default();
        for &(name, value) in pairs {
            values.count(name, value);
        }
        values
    }

    #[test]
    fn if_keeps_one_side_also_when_nested() {
        let template = "#if a\n#if b\nboth\n#else\nonly a\n#endif\n#else\nno a\n#endif\nend";
        let text = |pairs: &[_]| specialize(template, &values(pairs));
        assert_eq!(text(&[("a", 1), ("b", 1)]), "both\nend\n", "inner then");
        assert_eq!(text(&[("a", 1)]), "only a\nend\n", "inner else");
        assert_eq!(text(&[("b", 1)]), "no a\nend\n", "outer else");
    }

    #[test]
    fn each_repeats_with_its_index() {
        let text = specialize("#each n\nx$i = $n;\n#endeach\n", &values(&[("n", 2)]));
        assert_eq!(text, "x0 = 2;\nx1 = 2;\n", "two lines");
    }
}
