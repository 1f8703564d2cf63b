//! A mesh in WGSL, with branches and a loop, all the way to a machine's report.

use azulejo::demo::procedural::{Patch, torus};
use azulejo::gpu::machine::MachineSpec;
use azulejo::gpu::{FrameReport, Gpu};
use azulejo::render::{Draw, DrawList, RenderSettings, Renderer, Tracing};
use azulejo::scene::Orbit;
use azulejo::shader::{Bindings, BoundFragment, FragmentShader, Module};
use azulejo::simd::SimdLevel;
use azulejo::trace::{FrameTrace, TraceReader, TraceWriter};

/// Trace of a torus with the shader of `examples/wgsl.rs`.
fn rings() -> FrameTrace {
    let code = Module::parse(include_str!("../../shaders/rings.wgsl"));
    let code = code.and_then(|module| module.compile("main", &[]));
    let shader = FragmentShader::new(&code.expect("it lowers")).expect("it can be drawn");
    let bindings = Bindings {
        buffers: &[((0, 0), bytemuck::cast_slice(&[0.48_f32, 0.8, 0.36, 0.15]))],
        ..Bindings::default()
    };
    let torus = torus(Patch::new(24, 12), 1.0, 0.4);
    let settings = RenderSettings {
        width: 120,
        height: 80,
        ..RenderSettings::default()
    };
    let camera = Orbit {
        theta: 0.5,
        phi: 0.9,
        radius: 3.5,
        target_world: glam::Vec3::ZERO,
        y_fov: 0.8,
    };
    let view = camera.camera(None).view(settings.width, settings.height);
    let draw = Draw {
        name: "rings".into(),
        clip_from_world: view.clip_from_world(),
        ..Draw::new(&torus, shader.bind(&bindings).expect("all is bound"))
    };
    let mut renderer = Renderer::new(2, SimdLevel::Auto).expect("threads");
    let list = DrawList::with_kernels(vec![draw], settings, BoundFragment::kernels());
    let traced = renderer.try_draw(&list, Tracing::default());
    traced.expect("loops end").trace
}

fn report(machine: &str, trace: &FrameTrace) -> FrameReport {
    let machine = MachineSpec::built_in(machine, &[]).expect("a built-in machine");
    let mut gpu = Gpu::new(&machine).expect("a lawful machine");
    gpu.run_frame(trace).expect("a lawful trace")
}

#[test]
fn wgsl_that_branches_costs_a_machine_the_same_through_a_file() {
    let trace = rings();
    trace.validate().expect("links hold");
    assert!(trace.paths.len() > 5, "{} paths", trace.paths.len());
    let mut writer = TraceWriter::new(Vec::new()).expect("written to memory");
    writer.write(&trace).expect("written to memory");
    let file = writer.finish().expect("written to memory");
    let mut reader = TraceReader::new(file.as_slice()).expect("a trace");
    let read = reader.next_frame().expect("a frame").expect("one frame");
    for machine in ["valhall-libra", "emerald-gpu"] {
        let report_of = |trace| report(machine, trace);
        let expected = report_of(&trace);
        assert!(expected.draws[0].cost.instructions > 0, "{machine} works");
        assert_eq!(report_of(&read), expected, "{machine}");
    }
}
