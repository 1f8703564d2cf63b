//! A fragment program of your own: one source that draws a striped torus, writes its instruction list down, and is executed
//! again by a model of the hardware. `cargo run --release --example own_program -- OUT.png [MACHINE]`

use std::error::Error;
use std::fmt::Write as _;
use std::io::Write as _;

use azulejo::demo::procedural::{Patch, torus};
use azulejo::gpu::Gpu;
use azulejo::gpu::machine::MachineSpec;
use azulejo::inspect::{pixel_table, tile_history, tile_of_pixel};
use azulejo::record::Tape;
use azulejo::render::geometry::VaryingLayout;
use azulejo::render::output::png;
use azulejo::render::shading::{FragmentInputs, FragmentOutput, FragmentProgram};
use azulejo::render::{
    Draw, DrawList, RenderSettings, Renderer, SimdLevel, TextureSet, Traced, Tracing,
};
use azulejo::scene::{Encoding, Orbit, TextureImage};
use azulejo::simd::Lanes;
use glam::Vec3;

/// Stripes along the second texture coordinate, as sharp as pixels allow; their colours come from a texture.
struct Stripes<'a> {
    /// Pairs of stripes in one unit of the coordinate.
    repeats: f32,
    /// Two texels: RGBA8 of either stripe.
    palette: &'a TextureImage,
}

impl FragmentProgram for Stripes<'_> {
    fn varyings(&self) -> VaryingLayout {
        let mut layout = VaryingLayout::default();
        layout.normal_world = layout.take(3);
        layout.tex_coords[0] = layout.take(2);
        layout
    }

    // Lane operations stay out of closures, which would be compiled without the instruction set's features.
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
        // One texture instruction each: a read of memory by lane.
        let texels = self.palette.texels();
        let dark = l.gather(texels, l.i(0));
        let bright = l.gather(texels, l.i(1));
        let mut rgba = [l.f(1.0); 4];
        for (k, channel) in rgba.iter_mut().take(3).enumerate() {
            let shift = l.i(8 * k as i32);
            let from = l.to_float(l.shr_by(dark, shift) & l.i(0xff));
            let to = l.to_float(l.shr_by(bright, shift) & l.i(0xff));
            let mixed = l.mul_add(share, to - from, from);
            *channel = light * mixed * l.f(1.0 / 255.0);
        }
        FragmentOutput {
            rgba,
            keep: l.mask(0xffff),
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let output = arguments.next().ok_or("expected a file: OUT.png")?;
    let machine = arguments.next().unwrap_or("valhall-libra".to_owned());

    let colors = [[3, 13, 56, 255], [230, 217, 179, 255]];
    let palette =
        TextureImage::from_rgba8("palette", Encoding::Linear, 2, 1, colors.as_flattened())?;
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
    let program = Stripes {
        repeats: 12.0,
        palette: &palette,
    };
    let draw = Draw {
        name: "torus".into(),
        clip_from_world: view.clip_from_world(),
        ..Draw::new(&torus, program)
    };
    let list = DrawList {
        textures: TextureSet {
            images: std::slice::from_ref(&palette),
            environment: None,
        },
        ..DrawList::new(vec![draw], settings)
    };

    let mut renderer = Renderer::new(0, SimdLevel::Auto)?;
    let Traced { picture, trace } = renderer.draw(&list, Tracing::default());
    std::fs::write(output, png::encode(&picture, &[])?)?;

    let mut out = std::io::stdout().lock();
    writeln!(out, "{}", listing(&list.record(&list.draws[0])))?;
    let report = Gpu::new(&MachineSpec::built_in(&machine, &[])?)?.run_frame(&trace)?;
    writeln!(
        out,
        "{machine}: {} cycles, {:.1} frames a second",
        report.cycles.0,
        report.fps()
    )?;

    // The middle of the torus' near side: which of its triangles touched the pixel, and what became of them?
    let (x, y) = (480, 400);
    let grid = settings.grid();
    let (column, row) = grid.column_row(tile_of_pixel(grid, x, y)?);
    let history = tile_history(&mut renderer, &list, column, row)?.pixel(x, y)?;
    writeln!(out, "{}", pixel_table(&history))?;
    Ok(())
}

/// The program's instructions with the numbers of those they wait for, and what they sample.
fn listing(tape: &Tape) -> String {
    let mut text = String::new();
    for (number, instruction) in tape.instructions.iter().enumerate() {
        let (unit, sources) = (instruction.unit, &instruction.sources);
        let _ = write!(text, "{number:3} {unit:?} {sources:?}");
        if let Some(table) = instruction.table {
            let _ = write!(text, " of {table:?}");
        }
        text.push('\n');
    }
    text
}
