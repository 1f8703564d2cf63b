//! Differences between a study's measurements and its paper's: in machine, screen, frames and games. The paper's numbers
//! stand beside ours all the same.

use super::measure::Run;
use azulejo_gpu::machine::MachineSpec;
use azulejo_study::{Demos, Needs};

/// Differences in words, none where all is as the study means it.
pub(super) fn unlike(run: &Run<'_>) -> Vec<String> {
    let (suite, usual) = (run.suite, run.usual);
    let mut found = Vec::new();
    if run.needs() == Needs::Nothing {
        return found;
    }
    if suite.names_machine() && suite.machine_name != usual.machine {
        found.push(format!(
            "machine {}, not {}",
            suite.machine_name, usual.machine
        ));
    }
    let changes = suite.changes().iter();
    let changes = changes.map(|change| format!("{} = {}", change.key, change.value));
    found.extend(changes);
    if run.needs() == Needs::Machines {
        return found;
    }
    if let Ok(papers) = MachineSpec::built_in(usual.machine, &[]) {
        let (ours, papers) = (suite.machine.screen.grid, papers.screen.grid);
        if ours != papers {
            let [ours, papers] =
                [ours, papers].map(|grid| format!("{}x{}", grid.width, grid.height));
            found.push(format!("{ours} pixels, not {papers}"));
        }
    }
    let frames = run.chosen.study.usual.frames;
    if suite.frames != frames {
        found.push(format!("{} frames, not {frames}", suite.frames));
    }
    if run.choice() != Demos::Papers {
        let names: Vec<_> = run
            .workloads
            .iter()
            .map(|workload| workload.name.as_str())
            .collect();
        found.push(match names.len() {
            0..=4 => format!("of {} alone", names.join(", ")),
            n => format!("of {n} scenes, not those that stand for the paper's"),
        });
    }
    found
}
