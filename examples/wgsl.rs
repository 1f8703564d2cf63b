//! A fragment program in WGSL: draws a torus, and is executed again by a model of the hardware, branches and all.
//! `cargo run --release --example wgsl -- shaders/rings.wgsl main OUT.png [MACHINE]`

use std::error::Error;
use std::io::Write as _;

use azulejo::demo::procedural::{Patch, torus};
use azulejo::gpu::Gpu;
use azulejo::gpu::machine::MachineSpec;
use azulejo::render::output::png;
use azulejo::render::{Draw, DrawList, RenderSettings, Renderer, SimdLevel, Traced, Tracing};
use azulejo::scene::Orbit;
use azulejo::shader::{Bindings, BoundFragment, FragmentShader, Module};
use glam::Vec3;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (file, entry, out, machine) = match &arguments[..] {
        [file, entry, out] => (file, entry, out, "valhall-libra"),
        [file, entry, out, machine] => (file, entry, out, machine.as_str()),
        _ => return Err("usage: wgsl FILE.wgsl ENTRY OUT.png [MACHINE]".into()),
    };
    let source = std::fs::read_to_string(file)?;
    let code = Module::parse(&source).and_then(|module| module.compile(entry, &[]));
    let shader = FragmentShader::new(&code.map_err(|error| format!("{file}:{error}"))?)?;
    // Uniforms of the program: a unit vector towards the light, and light from all around.
    let light = [0.48_f32, 0.8, 0.36, 0.15];
    let buffers = [((0, 0), bytemuck::cast_slice(&light))];
    let program = shader.bind(&Bindings {
        buffers: &buffers,
        ..Bindings::default()
    })?;

    let settings = RenderSettings {
        width: 960,
        height: 540,
        ..RenderSettings::default()
    };
    let camera = Orbit {
        theta: 0.5,
        phi: 0.9,
        radius: 3.5,
        target_world: Vec3::ZERO,
        y_fov: 0.8,
    };
    let view = camera.camera(None).view(settings.width, settings.height);
    let torus = torus(Patch::new(128, 48), 1.0, 0.4);
    let draw = Draw {
        name: "torus".into(),
        clip_from_world: view.clip_from_world(),
        ..Draw::new(&torus, program)
    };
    let mut renderer = Renderer::new(0, SimdLevel::Auto)?;
    let list = DrawList::with_kernels(vec![draw], settings, BoundFragment::kernels());
    let Traced { picture, trace } = renderer.try_draw(&list, Tracing::default())?;
    std::fs::write(out, png::encode(&picture, &[])?)?;

    let report = Gpu::new(&MachineSpec::built_in(machine, &[])?)?.run_frame(&trace)?;
    let (paths, cycles, rate) = (trace.paths.len(), report.cycles.0, report.fps());
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "{machine}: {cycles} cycles, {rate:.1} frames a second; quads took {paths} paths"
    )?;
    Ok(())
}
