//! A fragment program of your own: one source that draws a striped torus and writes its instruction list down.
//! `cargo run --release --example own_program -- OUT.png`

use std::error::Error;
use std::io::Write;

use azulejo::demo::procedural::{Patch, torus};
use azulejo::render::geometry::{Placement, VaryingLayout};
use azulejo::render::output::png;
use azulejo::render::raster::Fate;
use azulejo::render::shading::{FragmentInputs, FragmentOutput, FragmentProgram, MAX_VARYINGS};
use azulejo::render::{Draw, DrawList, Recording, RenderSettings, Renderer, SimdLevel};
use azulejo::scene::{DepthState, Orbit};
use azulejo::simd::{Lanes, Tape};
use glam::{Mat4, Vec3};

/// Stripes along the second texture coordinate, as sharp as pixels allow.
struct Stripes {
    /// Pairs of stripes.
    repeats: f32,
    /// Linear RGB of either stripe.
    colors: [[f32; 3]; 2],
}

impl FragmentProgram for Stripes {
    fn varyings(&self) -> VaryingLayout {
        let mut layout = VaryingLayout::default();
        layout.normal_world = layout.take(3);
        layout.tex_coords[0] = layout.take(2);
        layout
    }

    fn discards(&self) -> bool {
        false
    }

    fn texture_samples(&self) -> u32 {
        0
    }

    #[inline(always)]
    fn shade<L: Lanes>(&self, l: L, inputs: &FragmentInputs<L>) -> FragmentOutput<L> {
        let [_, up, _, _, v, ..] = inputs.varyings;
        // Distance from the nearest edge of a stripe, in pixels: derivatives come from the 2x2 quad.
        let phase = v * l.f(self.repeats);
        let pixel = l.abs(l.ddx(phase)) + l.abs(l.ddy(phase));
        let inside = l.f(0.25) - l.abs(phase - l.floor(phase) - l.f(0.5));
        let edge = inside / l.max(pixel, l.f(1e-6));
        let share = l.min(l.max(edge + l.f(0.5), l.f(0.0)), l.f(1.0));
        // Light from above, so that the shape is seen.
        let light = l.mul_add(up, l.f(0.4), l.f(0.6));
        let [dark, bright] = &self.colors;
        // Lane operations stay out of closures, which would be compiled without the instruction set's features.
        let mut rgba = [l.f(1.0); 4];
        for k in 0..3 {
            rgba[k] = light * l.mul_add(share, l.f(bright[k] - dark[k]), l.f(dark[k]));
        }
        FragmentOutput {
            rgba,
            keep: l.mask(0xffff),
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let output = std::env::args().nth(1).ok_or("expected a file: OUT.png")?;
    let program = Stripes {
        repeats: 12.0,
        colors: [[0.01, 0.05, 0.22], [0.9, 0.85, 0.7]],
    };
    writeln!(std::io::stdout(), "{}", listing(&program))?;
    std::fs::write(output, draw(program)?)?;
    Ok(())
}

/// The program's instructions with the numbers of those they wait for.
fn listing(program: &Stripes) -> String {
    let tape = Tape::record(|l| {
        let mut varyings = [l.f(0.0); MAX_VARYINGS];
        varyings[..3].copy_from_slice(&l.varying::<3>());
        varyings[3..5].copy_from_slice(&l.varying::<2>());
        let inputs = FragmentInputs {
            varyings,
            front_facing: l.mask(0xffff),
            position_px: [l.f(0.0); 2],
        };
        l.output(&program.shade(l, &inputs).rgba);
    });
    let lines = tape.instructions.iter().enumerate();
    let lines = lines.map(|(number, instruction)| {
        format!(
            "{number:3} {:?} {:?}",
            instruction.unit, instruction.sources
        )
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The torus as the bytes of a PNG file.
fn draw(program: Stripes) -> Result<Vec<u8>, Box<dyn Error>> {
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
    let draw = Draw {
        name: "torus".to_owned(),
        primitive: &torus(Patch::new(128, 48), 1.0, 0.4),
        placement: Placement::Rigid(Mat4::IDENTITY),
        morph_weights: &[],
        clip_from_world: view.clip_from_view * view.view_from_world,
        program,
        fate: Fate::Opaque,
        depth: DepthState::default(),
        double_sided: false,
        constants: Vec::new(),
        bindings: Vec::new(),
    };
    let mut renderer = Renderer::new(0, SimdLevel::Auto)?;
    let frame = renderer.draw(&DrawList::new(vec![draw], settings), Recording::Off);
    Ok(png::encode(&frame.picture, &[])?)
}
