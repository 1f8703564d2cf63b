//! `azulejo shader` as users meet it: numbers that can be counted by hand, and errors with file, line and column.

use std::fs;

use crate::command_line::{fails, json, stdout, succeeds, workshop};

const TWO: &str = "@fragment fn main(@location(0) v: vec4<f32>) -> @location(0) f32 {
    return v.x * v.y + v.z;
}
@vertex fn corner(@location(0) p: vec4<f32>) -> @builtin(position) vec4<f32> { return p * 2.0; }
";

#[test]
fn shader_prices_entry_points() {
    let directory = workshop("cli-shader-prices");
    fs::write(directory.join("two.wgsl"), TWO).expect("writable");
    let report = json(
        &directory,
        "shader two.wgsl --machine emerald-gpu --json --listing",
    );
    let programs = report["programs"].as_array().expect("a list");
    assert_eq!(programs.len(), 2, "both entry points");
    let count = &programs[0]["cores"][0]["longest"]["instructions"][0];
    assert_eq!(count["unit"], "alu", "arithmetic alone");
    assert_eq!(count["count"], 2, "a product and a sum");
    assert_eq!(programs[0]["listing"][0]["line"], 2, "with its line");
    let text = stdout(&succeeds(
        &directory,
        "shader two.wgsl --entry corner --listing",
    ));
    assert!(text.contains("vertex `corner` on valhall-libra"), "{text}");
    let doubles = |line: &str| line.starts_with("   4  ") && line.ends_with(" = mulf r0, 2.0");
    assert!(text.lines().any(doubles), "{text}");
}

#[test]
fn shader_names_file_line_and_column() {
    let directory = workshop("cli-shader-errors");
    let source = "@fragment fn main() {\n    let x: f32 = 1i;\n}\n";
    fs::write(directory.join("bad.wgsl"), source).expect("writable");
    fs::write(directory.join("two.wgsl"), TWO).expect("writable");
    fails(&directory, "shader bad.wgsl", 1, &["bad.wgsl:2:"]);
    fails(&directory, "shader none.wgsl", 1, &["none.wgsl"]);
    let unknown = "shader two.wgsl --entry mian";
    fails(&directory, unknown, 1, &["no entry point `mian`", "main"]);
    let constant = "shader two.wgsl --constant scale";
    fails(&directory, constant, 2, &["NAME=VALUE"]);
}
