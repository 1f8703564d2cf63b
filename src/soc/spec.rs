//! The table `[soc]` of a machine file as numbers.

use serde::{Deserialize, Deserializer};

use azulejo_gpu::machine::MachineSpec;
use azulejo_gpu::parameters::{ParameterError, in_range, size};
use azulejo_units::{Bytes, Hertz};

/// Upper bound of the number of cores.
const MAX_CORES: usize = 16;
/// Most thousands of instructions of a job.
const MAX_KILO: u64 = 10_000_000;
/// Most seconds of a job in which nothing is missed.
const MAX_SECONDS: u64 = 10;
/// Most misses of ten thousand instructions: all.
const MAX_MISSES: u64 = 10_000;

/// Agents that share the memory with the GPU: CPU cores and the display.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SocSpec {
    /// CPU cores: their clock, their misses and their jobs.
    pub cpu: CpuSpec,
    /// How the display reads; how often, and of how many frame buffers, is the machine's `[display]`.
    pub display: ScanSpec,
    /// Seed of the cores' random numbers.
    #[serde(deserialize_with = "in_range::<0, { u64::MAX >> 1 }, _, _>")]
    pub seed: u64,
}

/// Cores of a CPU as the memory sees them: what their last-level caches miss.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CpuSpec {
    /// Their clock in MHz.
    #[serde(deserialize_with = "in_range::<1, 10_000, _, _>")]
    pub clock_mhz: u64,
    /// Instructions for 100 cycles in which no miss is waited for.
    #[serde(deserialize_with = "in_range::<1, 1000, _, _>")]
    pub instructions_per_100_cycles: u64,
    /// Lines of the last-level caches.
    #[serde(deserialize_with = "size")]
    pub line: Bytes,
    /// Reads that a core has under way at most: its memory parallelism.
    #[serde(deserialize_with = "in_range::<1, 64, _, _>")]
    pub reads_under_way: u32,
    /// Lines written back that a core has under way at most.
    #[serde(deserialize_with = "in_range::<1, 64, _, _>")]
    pub writes_under_way: u32,
    /// Misses in a row at consecutive lines.
    #[serde(deserialize_with = "in_range::<1, 4096, _, _>")]
    pub run: u32,
    /// Misses that also write a line back, of a hundred.
    #[serde(deserialize_with = "in_range::<0, 100, _, _>")]
    pub writes_per_100_misses: u32,
    /// Memory of a core that its misses go to.
    #[serde(deserialize_with = "size")]
    pub footprint: Bytes,
    /// Misses of ten thousand instructions, by core: as many as there are cores.
    #[serde(deserialize_with = "numbers::<MAX_MISSES, _>")]
    pub misses_per_10k: Vec<u64>,
    /// Thousands of instructions before each frame, by core.
    #[serde(deserialize_with = "numbers::<MAX_KILO, _>")]
    pub before_frame: Vec<u64>,
    /// Thousands of instructions while the frame is drawn, by core.
    #[serde(deserialize_with = "numbers::<MAX_KILO, _>")]
    pub during_frame: Vec<u64>,
}

/// How the display controller reads a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScanSpec {
    /// Its buffer: what it has read and not yet shown, and what is on its way.
    #[serde(deserialize_with = "size")]
    pub fifo: Bytes,
    /// Vertical blanking: the part of a refresh before the first pixel is shown, in thousandths.
    #[serde(deserialize_with = "in_range::<0, 900, _, _>")]
    pub blanking_per_mille: u64,
}

/// A list of integers from 0 to `MOST`.
fn numbers<'de, const MOST: u64, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<u64>, D::Error> {
    use serde::de::Error;
    let numbers = Vec::<i64>::deserialize(deserializer)?;
    let fits = |number: i64| {
        let number = u64::try_from(number).ok().filter(|number| *number <= MOST);
        number.ok_or_else(|| D::Error::custom(format!("integers from 0 to {MOST}")))
    };
    numbers.into_iter().map(fits).collect()
}

impl SocSpec {
    /// Reads the system on chip of a machine; nothing where its file has no `[soc]`.
    ///
    /// # Errors
    /// Names the first key that is missing or that no system can work with.
    pub fn of(machine: &MachineSpec) -> Result<Option<Self>, ParameterError> {
        if machine.soc.keys().next().is_none() {
            return Ok(None);
        }
        let spec: Self = machine.soc.get()?;
        spec.check(machine)?;
        Ok(Some(spec))
    }

    fn check(&self, machine: &MachineSpec) -> Result<(), ParameterError> {
        let refuse = |key: &str, expected: String| Err(machine.soc.error(key, expected));
        let cpu = &self.cpu;
        let n = cpu.n_cores();
        if !(1..=MAX_CORES).contains(&n) {
            let expected = format!("a number for each of 1 to {MAX_CORES} cores");
            return refuse("cpu.misses_per_10k", expected);
        }
        for (key, list) in [
            ("cpu.before_frame", &cpu.before_frame),
            ("cpu.during_frame", &cpu.during_frame),
        ] {
            if list.len() != n {
                return refuse(key, format!("{n} numbers, as cpu.misses_per_10k has"));
            }
            let longest = list.iter().max().copied().unwrap_or_default();
            if longest > cpu.most_kilo_instructions() {
                let most = cpu.most_kilo_instructions();
                let expected = format!("jobs of at most {MAX_SECONDS} s at this clock: {most}");
                return refuse(key, expected);
            }
        }
        let burst = machine.dram.request_bytes();
        let fits = |line: Bytes| line.0.is_power_of_two() && (burst.0..=512).contains(&line.0);
        if !fits(cpu.line) {
            let expected = format!("a power of two from {}B, a burst, to 512B", burst.0);
            return refuse("cpu.line", expected);
        }
        if cpu.footprint.0 < cpu.line.0 * u64::from(cpu.run) || cpu.footprint.0 > 1 << 32 {
            let expected = "from a run of lines to 4GiB".to_owned();
            return refuse("cpu.footprint", expected);
        }
        let line = machine.l2.tags.line.0;
        if !(line..=1 << 20).contains(&self.display.fifo.0) {
            return refuse("display.fifo", format!("from a line, {line}B, to 1MiB"));
        }
        let display = machine.display;
        if display.refresh == 0 || display.frame_buffers < 2 {
            let expected = format!(
                "a machine whose display.refresh is not 0 and whose display.frame_buffers is 2 or 3; they are {} and {}",
                display.refresh, display.frame_buffers
            );
            return refuse("display", expected);
        }
        Ok(())
    }
}

impl CpuSpec {
    /// How many cores there are.
    #[must_use]
    pub fn n_cores(&self) -> usize {
        self.misses_per_10k.len()
    }

    /// Thousands of instructions of the longest job.
    const fn most_kilo_instructions(&self) -> u64 {
        MAX_SECONDS * self.clock_mhz * 10 * self.instructions_per_100_cycles
    }

    /// Clock frequency of the cores.
    #[must_use]
    pub const fn clock(&self) -> Hertz {
        Hertz::from_mhz(self.clock_mhz)
    }
}
