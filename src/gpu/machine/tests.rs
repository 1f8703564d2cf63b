//! Every built-in machine loads; includes and overlays compose; values that the model cannot run with are refused with
//! file, key and range.

use super::{BUILT_IN, MachineSpec, Overlay, built_in, load_machine};
use crate::parameters::ParameterError;
use azulejo_units::Bytes;

fn overlays(texts: &[&str]) -> Vec<Overlay> {
    texts
        .iter()
        .map(|text| text.parse().expect("KEY=VALUE"))
        .collect()
}

fn refused(changes: &[&str]) -> ParameterError {
    MachineSpec::built_in("valhall-libra", &overlays(changes)).expect_err("must be refused")
}

#[test]
fn machines_all_load_under_their_names() {
    for machine in BUILT_IN {
        let spec = MachineSpec::built_in(machine.name, &[]);
        let spec = spec.unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(spec.name, machine.name, "the file's own name");
    }
}

#[test]
fn machine_numbers_all_name_their_source() {
    for machine in BUILT_IN {
        // A comment directly over a section, or over the one before it, speaks for all of it.
        let (mut section, mut above) = (false, false);
        for line in machine.text.lines() {
            if line.starts_with('[') {
                section = above || (section && line.starts_with("[dram."));
            }
            above = line.starts_with('#');
            let value = line.split_once('=').map_or("", |(_, value)| value.trim());
            let is_number = value
                .trim_start_matches('"')
                .starts_with(|c: char| c.is_ascii_digit());
            let said = section || line.contains('#');
            assert!(!is_number || said, "{}: {line}", machine.name);
        }
    }
}

#[test]
fn machine_includes_and_changes() {
    let base = MachineSpec::built_in("valhall-libra-baseline", &[]).expect("built in");
    let libra = MachineSpec::built_in("valhall-libra", &[]).expect("built in");
    assert_eq!(base.raster.units.len(), 1, "one Raster Unit");
    assert_eq!(libra.raster.units.len(), 2, "changed");
    assert_eq!(libra.l2, base.l2, "not changed");
}

#[test]
fn machine_overlays_apply_last() {
    let changes = overlays(&["l2.size=1MiB", "l2.banks=8", "core.baseline.warps=32"]);
    let spec = MachineSpec::built_in("valhall-libra", &changes).expect("valid");
    assert_eq!(spec.l2.tags.size, Bytes(1 << 20), "size with a unit");
    assert_eq!(spec.l2.banks, 8, "integer");
    assert_eq!(spec.raster.core_types[0].core.warps, 32, "deep key");
}

#[test]
fn machine_value_out_of_range_is_refused_with_key_and_range() {
    let error = refused(&["l2.banks=3"]);
    assert_eq!(
        error.to_string(),
        "--set: l2.banks = 3: expected a power of two from 1 to 64",
        "file, key, value, range"
    );
}

#[test]
fn machine_refuses_what_it_cannot_run_with() {
    for change in [
        "l2.size=100",
        "l2.size=many",
        "clock_mhz=0",
        "clock_mhz=-5",
        "core.baseline.warps=1000",
        "core.baseline.warp_threads=6",
        "core.baseline.transcendental_interval=64",
        "raster.cores=none",
        "raster.units=0",
        "raster.units=32",
        "raster.cores_per_unit=65",
        "raster.dispatch=random",
        "screen.tile_size=24",
        "line=96B",
        "dram.base=ddr9",
        "dram.timing.CL=-1",
        "l2.sise=1MiB",
        "unknown=1",
        "l2=5",
        "ideal_memory=2",
    ] {
        let change = match change {
            "raster.units=32" => vec![change, "raster.cores_per_unit=5"],
            _ => vec![change],
        };
        assert_ne!(refused(&change).expected, "", "{change:?}");
    }
}

#[test]
fn machine_with_caches_beyond_any_gpu_is_refused_with_the_largest() {
    let error = refused(&["core.baseline.texture_cache.size=64MiB", "l2.size=256MiB"]);
    assert_eq!(
        error.key, "core.baseline.texture_cache.size",
        "eight of them"
    );
    // 8 x 2^20, 2^22 of the L2, 512 of the tile cache and 64 of the vertex cache.
    let expected = "at most 8388608 lines in all caches of the machine; these are 12585536, 8388608 of them in its 8 of this kind";
    assert_eq!(error.expected, expected, "what is too large");
    let error = refused(&["l2.size=1GiB"]);
    assert_eq!(error.key, "l2.size", "one of them");
}

#[test]
fn machine_misspelt_key_is_refused_with_the_keys_there_are() {
    let error = refused(&["l2.sise=1MiB"]);
    assert_eq!(error.key, "l2.sise", "the key");
    assert!(error.expected.contains("size"), "{}", error.expected);
}

#[test]
fn machine_error_names_the_included_file() {
    let text = built_in("valhall-libra-baseline").expect("built in");
    let broken = text.replace("clock_mhz = 800", "clock_mhz = 0");
    let find = |name: &str| match name {
        "below" => Ok(broken.clone()),
        _ => Err("below".to_owned()),
    };
    let error = load_machine("above", "include = \"below\"\nname = \"x\"", &find, &[]);
    assert_eq!(
        error.expect_err("no clock").file,
        "below",
        "where the value stands"
    );
}

#[test]
fn machine_include_that_never_ends_is_refused() {
    let find = |_: &str| Ok("include = \"again\"".to_owned());
    let error = load_machine("start", "include = \"again\"", &find, &[]);
    assert_eq!(error.expect_err("a circle").key, "include", "the key");
}

#[test]
fn machine_file_that_is_no_toml_is_refused_with_its_line() {
    let error = load_machine("file", "name = \"x\"\nclock", &|_| Err(String::new()), &[]);
    assert_eq!(error.expect_err("no value").key, "line 2", "where");
}

/// The number behind "at most" or "at least" in a refusal.
fn limit(error: &ParameterError) -> u64 {
    let mut words = error.expected.split_ascii_whitespace().skip(2);
    let number = words.next().unwrap_or_default();
    number.trim_end_matches(':').parse().expect("a limit")
}

#[test]
fn machine_backlog_is_refused_with_the_key_that_was_set_and_a_limit_that_holds() {
    for (key, value, beside) in [
        ("transcendental_interval", 64, &[][..]),
        ("transcendental_interval", 64, &["core.baseline.alus=2"][..]),
        ("alu_interval", 16, &["core.baseline.collector_units=60"]),
        ("collector_units", 128, &[]),
        (
            "collector_units",
            64,
            &["core.baseline.transcendental_interval=33"],
        ),
        ("collect_latency", 16, &["core.baseline.collector_units=12"]),
        ("alus", 1, &[]),
        ("alus", 1, &["core.baseline.collector_units=20"]),
    ] {
        let key = format!("core.baseline.{key}");
        let set = |n: u64| {
            let last = format!("{key}={n}");
            let changes = overlays(&[beside, &[&*last]].concat());
            MachineSpec::built_in("valhall-libra", &changes)
        };
        let Err(error) = set(value) else {
            continue;
        };
        // Whichever of the keys that were set is blamed, the limit holds to the number.
        let blamed = error.key.clone();
        let most = limit(&error);
        let with = |n: u64| {
            let own = format!("{key}={value}");
            let others = beside.iter().copied().chain([&*own]);
            let others = others.filter(|change| !change.starts_with(&*format!("{blamed}=")));
            let last = format!("{blamed}={n}");
            let changes: Vec<&str> = others.chain([&*last]).collect();
            MachineSpec::built_in("valhall-libra", &overlays(&changes))
        };
        assert!(
            blamed == key || beside.iter().any(|set| set.starts_with(&*blamed)),
            "{error}"
        );
        assert!(with(most).is_ok(), "{error}: {most} holds");
        let beyond = if error.expected.starts_with("at most") {
            most + 1
        } else {
            most - 1
        };
        assert!(with(beyond).is_err(), "{error}: {beyond} does not");
    }
}

#[test]
fn machine_refusal_of_two_keys_blames_the_one_that_was_set() {
    for (change, key) in [
        ("raster.units=32", "raster.units"),
        ("raster.cores_per_unit=65", "raster.cores_per_unit"),
        ("l2.ways=3", "l2.ways"),
        ("l2.size=100", "l2.size"),
        ("dram.timing.tCK_ps=100000", "dram.timing.tCK_ps"),
        ("dram.timing.tRFC=16384", "dram.timing.tRFC"),
    ] {
        let beside = match change {
            "raster.units=32" => vec!["raster.cores_per_unit=5"],
            _ => Vec::new(),
        };
        let error = refused(&[beside, vec![change]].concat());
        let set = error.key == key || change == "raster.units=32";
        assert!(set, "{change}: {error}");
    }
}

#[test]
fn machine_is_called_as_its_file_says_or_as_the_file_is_called() {
    let find = |name: &str| built_in(name).map(str::to_owned).ok_or_else(String::new);
    let load = |text: &str, changes: &[&str]| {
        let machine = load_machine("dir/own.toml", text, &find, &overlays(changes));
        machine.expect("valid").name
    };
    let include = "include = \"mali450-re\"";
    assert_eq!(load(include, &[]), "dir/own.toml", "no name of its own");
    let named = format!("{include}\nname = \"mali800\"");
    assert_eq!(load(&named, &[]), "mali800", "its own");
    assert_eq!(load(&named, &["name=set"]), "set", "the last word");
}
