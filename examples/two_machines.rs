//! One demo on two machines, side by side: `cargo run --release --example two_machines -- [DEMO]`.
//!
//! A frame is drawn once for each screen; the trace of the pipeline then goes through each machine.

use std::error::Error;

use azulejo::gpu::machine::MachineSpec;
use azulejo::gpu::{FrameReport, Gpu};
use azulejo::render::{Renderer, SimdLevel};
use azulejo::shot::Shot;

/// LIBRA's baseline has one Raster Unit of eight cores, LIBRA itself two of four.
const MACHINES: [&str; 2] = ["valhall-libra-baseline", "valhall-libra"];

/// A frame in which something happens.
const FRAME: u64 = 120;

#[expect(clippy::print_stdout, reason = "a program for people")]
fn main() -> Result<(), Box<dyn Error>> {
    let name = std::env::args().nth(1).unwrap_or("match3".to_owned());
    let shot = Shot::demo(&name)?;
    let mut renderer = Renderer::new(0, SimdLevel::Auto)?;
    println!("frame {FRAME} of {name}");
    for name in MACHINES {
        let machine = MachineSpec::built_in(name, &[])?;
        let trace = shot.trace(&mut renderer, &machine, FRAME)?;
        let report = Gpu::new(&machine)?.run_frame(&trace)?;
        println!("{}", line(name, &report));
    }
    Ok(())
}

fn line(name: &str, report: &FrameReport) -> String {
    let hits = report.texture_hit_ratio();
    let hits = hits.map_or("-".to_owned(), |hits| format!("{:.1} %", 100.0 * hits));
    format!(
        "{name:>22}: {:>9} cycles, {:5.1} frames a second, texture hits {hits}, {:.2} bytes a pixel of DRAM traffic",
        report.cycles.0,
        report.fps(),
        report.bytes_per_pixel(),
    )
}
