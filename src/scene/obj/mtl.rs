//! Materials of an MTL file. A statement that cannot be read is left out, and what stands behind a `newmtl` without a name.

use super::faults::Problem;
use super::lines::{Statement, statements};
use super::maps::map;
use super::numbers::Numbers;

/// A material as its statements have it.
#[derive(Debug, Default)]
pub(super) struct Material {
    /// Comment included, as names may hold a `#`.
    pub(super) name: String,
    /// `Kd` and `Ke`: linear RGB.
    pub(super) color: Option<[f32; 3]>,
    pub(super) emission: Option<[f32; 3]>,
    /// Blinn's specular exponent, from `Ns`.
    pub(super) shininess: Option<f32>,
    /// Opacity and its complement, from `d` and `Tr`.
    pub(super) opacity: Option<f32>,
    pub(super) transparency: Option<f32>,
    /// Roughness and metalness, from `Pr` and `Pm`.
    pub(super) roughness: Option<f32>,
    pub(super) metallic: Option<f32>,
    /// Statements of the maps that are used.
    pub(super) color_map: Option<String>,
    pub(super) emission_map: Option<String>,
    pub(super) normal_map: Option<String>,
    /// Maps that would be seen and are left out.
    pub(super) left_out: Vec<&'static str>,
}

/// Maps that would be seen and are left out: statements, and what warnings call them.
const LEFT_OUT: [(&str, &str); 10] = [
    ("map_d", "map_d"),
    ("map_Bump", "map_Bump"),
    ("map_bump", "map_Bump"),
    ("bump", "map_Bump"),
    ("map_Ks", "map_Ks"),
    ("map_Ns", "map_Ns"),
    ("map_ns", "map_Ns"),
    ("map_NS", "map_Ns"),
    ("map_Pr", "map_Pr"),
    ("map_Pm", "map_Pm"),
];

/// Reads the materials of a library's text; `fault` is told lines that cannot be read.
pub(super) fn materials(text: &str, mut fault: impl FnMut(u32, Problem)) -> Vec<Material> {
    let mut materials = Vec::new();
    let mut current: Option<Material> = None;
    for statement in statements(text) {
        if statement.word == "newmtl" {
            materials.extend(current.take());
            if statement.rest.is_empty() {
                fault(
                    statement.line,
                    "expected `newmtl` and the name of a material".into(),
                );
            } else {
                current = Some(Material {
                    name: statement.rest.to_owned(),
                    ..Material::default()
                });
            }
        } else if let Some(material) = &mut current
            && let Err(problem) = material.statement(&statement)
        {
            fault(statement.line, problem);
        }
    }
    materials.extend(current);
    materials
}

impl Material {
    fn statement(&mut self, statement: &Statement<'_>) -> Result<(), Problem> {
        match statement.word {
            "Kd" => self.color = Some(color(statement)?),
            "Ke" => self.emission = Some(color(statement)?),
            "Ns" => self.shininess = Some(number(statement)?),
            "d" => self.opacity = Some(number(statement)?),
            "Tr" => self.transparency = Some(number(statement)?),
            "Pr" => self.roughness = Some(number(statement)?),
            "Pm" => self.metallic = Some(number(statement)?),
            "map_Kd" => self.color_map = Some(file(statement)?),
            "map_Ke" => self.emission_map = Some(file(statement)?),
            "norm" => self.normal_map = Some(file(statement)?),
            word => {
                let left_out = LEFT_OUT.iter().find(|(known, _)| *known == word);
                if let Some((_, name)) = left_out {
                    file(statement)?;
                    if !self.left_out.contains(name) {
                        self.left_out.push(name);
                    }
                }
            }
        }
        Ok(())
    }
}

/// A colour; parts that are left out are as the last one.
fn color(statement: &Statement<'_>) -> Result<[f32; 3], Problem> {
    let expected = format!("expected `{} R G B`", statement.word);
    let numbers = Numbers::<3>::of(statement.words());
    let [r, g, b] = numbers.values;
    match (numbers.n, numbers.stopped) {
        (1, None) => Ok([r; 3]),
        (2, None) => Ok([r, g, g]),
        (3, _) => Ok([r, g, b]),
        (0, Some(space @ ("spectral" | "xyz"))) => {
            Err(format!("colours in `{space}` are not read; {expected}").into())
        }
        _ => Err(numbers.problem(&expected)),
    }
}

/// A number; that of `d -halo` is taken for one without it.
fn number(statement: &Statement<'_>) -> Result<f32, Problem> {
    let words = statement.words().filter(|word| *word != "-halo");
    let [number] =
        Numbers::of(words).all(&format!("expected `{}` and a number", statement.word))?;
    Ok(number)
}

/// The statement of a map, from behind its first word.
fn file(statement: &Statement<'_>) -> Result<String, Problem> {
    let file = statement.file();
    if map(file).file.is_empty() {
        return Err(format!("expected `{}` and the name of a file", statement.word).into());
    }
    Ok(file.to_owned())
}
