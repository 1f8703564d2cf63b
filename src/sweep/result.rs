//! Result of a point: names of counters and a row for each frame, sealed as a line of JSON.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Number;

use super::fingerprint::Fingerprint;
use super::seal::{ResultError, seal, unseal};
use super::total::Totals;
use azulejo_gpu::FrameReport;
use azulejo_report::folded;

/// Kind of result, in the first line of the file.
const KIND: &str = "sweep point";
/// Counters of frames, those of alike units summed up.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PointResult {
    /// Names, such as `dram.reads.texture`, `cores.instructions`.
    pub columns: Vec<String>,
    /// Values, a row for each frame, in order; `None` where a frame did not have the counter.
    pub frames: Vec<Vec<Option<Number>>>,
}

impl PointResult {
    /// Adds a frame, and a system on chip's counters from the end of the one before to the end of it; empty for a GPU by
    /// itself.
    pub fn add(&mut self, report: &FrameReport, system: &BTreeMap<String, u64>) {
        let mut counters = folded(report);
        // The number of a frame is its name: there is none of several.
        counters.remove("frame");
        let system = system.iter();
        counters.extend(system.map(|(name, value)| (name.clone(), Number::from(*value))));
        let known: BTreeMap<&str, usize> =
            (self.columns.iter().map(String::as_str)).zip(0..).collect();
        let new: Vec<String> = (counters.keys())
            .filter(|name| !known.contains_key(name.as_str()))
            .cloned()
            .collect();
        if !new.is_empty() {
            self.columns.extend(new);
            let rows = self.frames.iter_mut();
            rows.for_each(|row| row.resize(self.columns.len(), None));
        }
        let row = (self.columns.iter())
            .map(|name| counters.get(name).cloned())
            .collect();
        self.frames.push(row);
    }

    /// Totals of all frames, by column: sums of counts, ratios of sums, constants once, the largest percentile. `None`
    /// where no frame has the counter.
    pub fn totals(&self) -> impl Iterator<Item = (&str, Option<f64>)> {
        let totals = Totals::new(&self.columns, &self.frames);
        let names = self.columns.iter().map(String::as_str);
        names.map(move |name| (name, totals.of(name)))
    }

    /// Encodes the file of the result of `inputs`: equal bytes for equal numbers.
    ///
    /// # Errors
    /// If a number cannot be written as JSON.
    pub fn encode(&self, inputs: Fingerprint) -> Result<Vec<u8>, serde_json::Error> {
        let mut content = serde_json::to_vec(self)?;
        content.push(b'\n');
        seal(KIND, inputs, &content)
    }

    /// Checks that `bytes` are a whole result of `inputs`; does not read the numbers.
    ///
    /// # Errors
    /// If they are not, with the reason.
    pub fn verify(bytes: &[u8], inputs: Fingerprint) -> Result<(), ResultError> {
        unseal(KIND, inputs, bytes).map(drop)
    }

    /// Decodes the numbers of a result of `inputs`.
    ///
    /// # Errors
    /// If the bytes are no such result, with the reason.
    pub fn decode(bytes: &[u8], inputs: Fingerprint) -> Result<Self, ResultError> {
        let content = unseal(KIND, inputs, bytes)?;
        let damaged = |problem: String| ResultError::Damaged(problem);
        let result: Self =
            serde_json::from_slice(content).map_err(|error| damaged(error.to_string()))?;
        let width = result.columns.len();
        match result.frames.iter().all(|row| row.len() == width) {
            true => Ok(result),
            false => Err(damaged(format!("rows have {width} numbers"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use azulejo_gpu::Gpu;
    use azulejo_gpu::machine::MachineSpec;
    use azulejo_grid::TileGrid;
    use azulejo_trace::InstructionClass;
    use azulejo_trace::synthetic::{CoveredScreen, independent};

    const INPUTS: Fingerprint = Fingerprint(5);

    fn reports() -> Vec<FrameReport> {
        let grid = TileGrid {
            width: 128,
            height: 64,
            tile_size: 32,
        };
        let screen = CoveredScreen::new(grid, independent(InstructionClass::Alu, 10));
        let spec = MachineSpec::built_in("valhall-libra", &[]).expect("shipped");
        let mut gpu = Gpu::new(&spec).expect("valid");
        let frame = |number| gpu.run_frame(&screen.frame(number)).expect("runs");
        (0..2).map(frame).collect()
    }

    fn result() -> PointResult {
        let mut result = PointResult::default();
        let alone = BTreeMap::new();
        (reports().iter()).for_each(|report| result.add(report, &alone));
        result
    }

    #[test]
    fn totals_are_sums_of_the_reports() {
        let (result, reports) = (result(), reports());
        let sums: BTreeMap<_, _> = result.totals().collect();
        let cycles: u64 = reports.iter().map(|report| report.cycles.0).sum();
        assert_eq!(sums["cycles"], Some(cycles as f64));
        let instructions = (reports.iter().flat_map(|report| &report.cores))
            .map(|core| core.instructions)
            .sum::<u64>();
        assert_eq!(
            sums["cores.instructions"],
            Some(instructions as f64),
            "of all eight cores"
        );
    }

    #[test]
    fn totals_of_alike_frames_are_ratios_and_parameters_of_one() {
        // A frame three times: any value that is no count stays as it is.
        let mut result = PointResult::default();
        let report = &reports()[1];
        (0..3).for_each(|_| result.add(report, &BTreeMap::new()));
        let frame: BTreeMap<String, Number> = folded(report);
        for (name, total) in result.totals() {
            let one = frame[name].as_f64().expect("a number");
            let is_ratio = name.starts_with("derived.")
                && !matches!(
                    name,
                    "derived.time_ps" | "derived.dram_bytes" | "derived.instructions"
                );
            let stays = is_ratio
                || name.starts_with("grid.")
                || [
                    "clock",
                    "dram.line_bytes",
                    "dram.burst_bytes",
                    "dram.period",
                    "dram.read_latency_p95",
                    "dram.bursts_waiting",
                ]
                .contains(&name);
            let expected = if stays { one } else { 3.0 * one };
            let total = total.expect("measured");
            assert!(
                (total - expected).abs() <= 1e-6 * expected,
                "{name}: {total} {expected}"
            );
        }
    }

    #[test]
    fn totals_of_unlike_frames_are_ratios_of_sums() {
        let columns = ["cores.texture.hits", "cores.texture.accesses", "clock"];
        let derived = ["derived.texture_hit_ratio", "dram.read_latency_p95"];
        let columns = columns.into_iter().chain(derived).map(str::to_owned);
        let row = |values: [f64; 5]| values.map(Number::from_f64).to_vec();
        let result = PointResult {
            columns: columns.collect(),
            frames: vec![
                row([1.0, 10.0, 4e8, 0.1, 70.0]),
                row([81.0, 90.0, 4e8, 0.9, 50.0]),
            ],
        };
        let totals: Vec<_> = result.totals().map(|(_, total)| total).collect();
        let expected = [82.0, 100.0, 4e8, 0.82, 70.0].map(Some);
        assert_eq!(totals, expected, "0.82, and no mean of 0.1 and 0.9");
    }

    #[test]
    fn result_comes_back_from_its_file() {
        let result = result();
        let bytes = result.encode(INPUTS).expect("JSON");
        assert_eq!(PointResult::decode(&bytes, INPUTS), Ok(result));
    }
}
