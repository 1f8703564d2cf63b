//! Statistics as gem5 prints its own (`name value # description (Unit)`), a block for each frame, so that its users'
//! scripts read them.

use std::io::{self, Write};

use super::csv::MachineFrames;
use super::names::Alias;
use super::record::{flat, frame_record};

/// Writes blocks for all frames of all machines, one by one; `stamp` goes before them as comments.
///
/// # Errors
/// Errors of `to`.
pub fn write_stats(
    to: &mut dyn Write,
    stamp: &[(&str, &str)],
    machines: &[MachineFrames<'_>],
) -> io::Result<()> {
    for (name, value) in stamp {
        writeln!(to, "# {name}: {value}")?;
    }
    for MachineFrames {
        machine, frames, ..
    } in machines
    {
        for frame in *frames {
            writeln!(
                to,
                "\n---------- Begin Simulation Statistics ---------- # {machine}, frame {}",
                frame.frame
            )?;
            for (name, value) in flat(&frame_record(frame)) {
                let value = value.to_string();
                writeln!(to, "{name:<52} {value:>20} # {}", description(&name))?;
            }
            writeln!(to, "---------- End Simulation Statistics   ----------")?;
        }
    }
    Ok(())
}

/// Description of a counter: its meaning, Arm's name for it, and its unit.
fn description(name: &str) -> String {
    let unit = unit(name);
    Alias::of(name).map_or_else(
        || format!("({unit})"),
        |alias| format!("{}; Arm: {} ({unit})", alias.meaning, alias.arm),
    )
}

/// Unit that a counter's name implies.
fn unit(name: &str) -> &'static str {
    let last = name.rsplit('.').next().unwrap_or_default();
    let in_dram = name.starts_with("dram.");
    if name.contains("energy") || last.ends_with("_pJ") {
        "Picojoule"
    } else if name == "clock" {
        "Hertz"
    } else if last.ends_with("_ps") || name == "dram.period" {
        "Picosecond"
    } else if let Some(unit) = derived_unit(name) {
        unit
    } else if last.ends_with("bytes") {
        "Byte"
    } else if in_dram
        && (last == "cycles" || last.starts_with("read_latency_p") || last == "read_latency_sum")
    {
        "DRAM Cycle"
    } else if name.contains(".activity.")
        || last.ends_with("cycles")
        || matches!(
            last,
            "busy" | "stalled" | "idle" | "latency_sum" | "quad_latency_sum" | "read_wait_sum"
        )
    {
        "Cycle"
    } else {
        "Count"
    }
}

/// Units of derived values that are no integers.
fn derived_unit(name: &str) -> Option<&'static str> {
    Some(match name.strip_prefix("derived.")? {
        "frames_per_second" => "Count/Second",
        "bytes_per_pixel" => "Byte/Count",
        "raster_share" | "texture_hit_ratio" | "texture_quad_hit_ratio" => "Ratio",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulation::tests::small_report;

    #[test]
    fn stats_have_a_block_for_each_frame() {
        let frames = [small_report(), small_report()];
        let machine = MachineFrames {
            machine: "gpu",
            frames: &frames,
            system: None,
        };
        let stamp = [("Command", "azulejo simulate")];
        let mut text = Vec::new();
        write_stats(&mut text, &stamp, &[machine]).expect("a vector takes all");
        let text = String::from_utf8(text).expect("text");
        assert!(text.starts_with("# Command: azulejo simulate\n"), "stamp");
        assert_eq!(text.matches("Begin Simulation").count(), 2, "blocks");
        let cycles = format!("{}", frames[0].cycles.0);
        let line = text.lines().find(|line| line.starts_with("cycles "));
        let words: Vec<&str> = line.unwrap_or_default().split_whitespace().collect();
        assert_eq!(words[..3], ["cycles", &cycles, "#"], "name, value, comment");
        assert!(words.contains(&"MaliGPUActiveCy"), "Arm's name: {words:?}");
    }

    #[test]
    fn stats_name_units() {
        for (name, expected) in [
            ("cycles", "Cycle"),
            ("dram.cycles", "DRAM Cycle"),
            ("dram.energy.act", "Picojoule"),
            ("l2.writebacks", "Count"),
            ("derived.frames_per_second", "Count/Second"),
            ("derived.raster_share", "Ratio"),
            ("derived.dram_bytes", "Byte"),
        ] {
            assert_eq!(unit(name), expected, "{name}");
        }
    }
}
