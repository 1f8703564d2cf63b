//! Counters as gem5 prints its own (`name value # description (Unit)`), a block for each frame, so that its users' scripts read them.

use std::fmt::Write;

use super::csv::MachineFrames;
use super::names::Alias;
use super::record::{flat, frame_record};

/// Blocks for all frames of all machines; `stamp` goes before them as comments.
#[must_use]
pub fn stats_text(stamp: &[(&str, &str)], machines: &[MachineFrames<'_>]) -> String {
    let mut text = String::new();
    for (name, value) in stamp {
        text += &format!("# {name}: {value}\n");
    }
    for MachineFrames { machine, frames } in machines {
        for frame in *frames {
            text += &format!(
                "\n---------- Begin Simulation Statistics ---------- # {machine}, frame {}\n",
                frame.frame
            );
            for (name, value) in flat(&frame_record(frame)) {
                // Writing to a string cannot fail.
                let _ = writeln!(text, "{name:<52} {value:>20} # {}", description(&name));
            }
            text += "---------- End Simulation Statistics   ----------\n";
        }
    }
    text
}

/// What is counted, Arm's name for it, and its unit.
fn description(name: &str) -> String {
    let unit = unit(name);
    Alias::of(name).map_or_else(
        || format!("({unit})"),
        |alias| format!("{}; Arm: {} ({unit})", alias.meaning, alias.arm),
    )
}

/// The unit that a counter's name implies.
fn unit(name: &str) -> &'static str {
    let last = name.rsplit('.').next().unwrap_or_default();
    let in_dram = name.starts_with("dram.");
    if name.contains("energy") || last.ends_with("_pJ") {
        "Picojoule"
    } else if name == "clock" {
        "Hertz"
    } else if last.ends_with("_ps") || name == "dram.period" {
        "Picosecond"
    } else if last.contains("milli") || last.contains("permille") {
        "Thousandth"
    } else if last.ends_with("bytes") {
        "Byte"
    } else if in_dram
        && (last == "cycles" || last.starts_with("read_latency_p") || last == "read_latency_sum")
    {
        "DRAM Cycle"
    } else if name.contains(".activity.")
        || last.ends_with("cycles")
        || matches!(last, "busy" | "stalled" | "idle" | "latency_sum")
    {
        "Cycle"
    } else {
        "Count"
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::simulation::tests::small_report;

    #[test]
    fn stats_have_a_block_for_each_frame() {
        let frames = [small_report(), small_report()];
        let text = stats_text(
            &[("Command", "azulejo simulate")],
            &[MachineFrames {
                machine: "gpu",
                frames: &frames,
            }],
        );
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
        let units = ["cycles", "dram.cycles", "dram.energy.act", "l2.writebacks"].map(unit);
        assert_eq!(
            units,
            ["Cycle", "DRAM Cycle", "Picojoule", "Count"],
            "by name"
        );
    }
}
