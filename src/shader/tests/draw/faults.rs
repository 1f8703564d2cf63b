//! Programs that cannot be drawn: the message names what is at fault.

use super::{Bindings, FragmentShader, Module, drawn_by_code, shader, whole};
use azulejo_render::raster::FragmentMode;
use azulejo_render::{Draw, Recording, RenderSettings, Renderer};
use azulejo_simd::SimdLevel;

/// Message on a fragment program with these inputs and this body.
fn refusal(globals: &str, inputs: &str, body: &str) -> String {
    let source =
        format!("{globals}\n@fragment fn main({inputs}) -> @location(0) vec4<f32> {{ {body} }}");
    let code = Module::parse(&source).and_then(|module| module.compile("main", &[]));
    let code = code.unwrap_or_else(|error| panic!("{error}\n{source}"));
    let refused = FragmentShader::new(&code);
    refused.expect_err("it is refused").to_string()
}

#[test]
fn draw_refuses_what_the_renderer_has_not_by_name() {
    let zero = "return vec4<f32>(0.0);";
    let found = refusal("", "@location(12) x: f32", zero);
    assert!(found.contains("@location(12)"), "{found}");
    let found = refusal("", "@location(4) uv: vec3<f32>", zero);
    assert!(found.contains("expected 2"), "{found}");
    let found = refusal("", "@location(0) @interpolate(flat) p: vec3<f32>", zero);
    assert!(found.contains("Flat"), "{found}");
    let found = refusal("", "@builtin(sample_index) i: u32", zero);
    assert!(found.contains("SampleIndex"), "{found}");
    let found = refusal(
        "@group(0) @binding(3) var many: texture_2d_array<f32>;",
        "@location(4) uv: vec2<f32>",
        "return textureLoad(many, vec2<i32>(uv), 0, 0);",
    );
    assert!(found.contains("`many`"), "{found}");
    let code = Module::parse("@compute @workgroup_size(1) fn main() {}")
        .and_then(|module| module.compile("main", &[]))
        .expect("it lowers");
    let found = FragmentShader::new(&code).expect_err("a stage").to_string();
    assert!(found.contains("compute"), "{found}");
}

#[test]
fn draw_refuses_resources_that_are_missing_or_short() {
    let shader = shader(
        "@group(1) @binding(2) var<uniform> tint: vec4<f32>;
         @fragment fn main() -> @location(0) vec4<f32> { return tint; }",
    );
    let found = shader.bind(&Bindings::default()).expect_err("nothing");
    let found = found.to_string();
    assert!(
        found.contains("`tint`") && found.contains("group 1"),
        "{found}"
    );
    let bindings = Bindings {
        buffers: &[((1, 2), &[0; 12])],
        ..Bindings::default()
    };
    let found = shader.bind(&bindings).expect_err("too short").to_string();
    assert!(
        found.contains("12 bytes") && found.contains("16"),
        "{found}"
    );
}

/// Message on a draw of a program with this body.
fn failure(body: &str, mode: FragmentMode) -> String {
    let source = format!(
        "@fragment fn main(@builtin(position) at: vec4<f32>) -> @location(0) vec4<f32> {{\n{body}\n}}"
    );
    let (shader, mesh) = (shader(&source), whole());
    let draw = Draw {
        name: "spinning top".into(),
        mode,
        double_sided: true,
        ..Draw::new(
            &mesh,
            shader.bind(&Bindings::default()).expect("nothing to bind"),
        )
    };
    let settings = RenderSettings {
        width: 640,
        height: 480,
        ..RenderSettings::default()
    };
    let mut renderer = Renderer::new(2, SimdLevel::Auto).expect("threads");
    let drawn = renderer.try_draw(&drawn_by_code(draw, settings), Recording::Off);
    drawn.expect_err("it fails").to_string()
}

#[test]
fn draw_whose_loop_has_no_end_is_an_error_that_names_it() {
    let body = "var x = at.x;\nloop {\nx += 1.0;\nif x < 0.0 { break; }\n}\nreturn vec4<f32>(x);";
    let found = failure(body, FragmentMode::Opaque);
    assert!(found.starts_with("draw `spinning top`: line"), "{found}");
    assert!(found.contains("loop"), "{found}");
}

#[test]
fn draw_that_discards_asks_for_its_mode() {
    let body = "if at.x < 9.0 { discard; }\nreturn vec4<f32>(1.0);";
    let found = failure(body, FragmentMode::Opaque);
    assert!(
        found.contains("opaque") && found.contains("Masked"),
        "{found}"
    );
}
