//! `azulejo dram` and `azulejo cache` as users meet them: JSON with the fields of the reference files, and errors for every kind of
//! broken trace.

use std::fs;
use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::command_line::{azulejo, fails, json, workshop};

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).expect("memory");
    encoder.finish().expect("memory")
}

fn random_words(n: u32) -> Vec<u8> {
    let spread = |at: u32| at.wrapping_mul(0x9E37_79B9) & 0xFFFFC;
    let words = (0..n).map(|at| spread(at) | u32::from(at % 3 == 0));
    words.flat_map(u32::to_le_bytes).collect()
}

#[test]
fn dram_json_has_the_fields_of_the_reference() {
    let directory = workshop("cli-memory-dram-json");
    let trace = "0x0 READ 0\n0x40 READ 0\n0x1000 WRITE 9\n";
    fs::write(directory.join("t.trace"), trace).expect("writable");
    fs::write(directory.join("t.trace.gz"), gzip(trace.as_bytes())).expect("writable");
    let report = json(&directory, "dram t.trace --config lpddr3_1ch --json");
    // Read commands in cycles 17 and 21, data 16 cycles later; the reads arrive in cycles 1 and 2.
    assert_eq!(
        report["drain_tick"], 38,
        "the second read returns in cycle 37"
    );
    assert_eq!(report["total_ticks"], 1038, "and a margin of 1000");
    assert_eq!(report["total"]["reads_done"], 2, "counts");
    assert_eq!(
        report["channels"][0]["read_latency"]["mean"], 33.5,
        "32 and 35"
    );
    assert_eq!(
        report["channels"][0]["read_latency"]["hist10"]["30"], 2,
        "a bin of ten"
    );
    let mut zipped = json(&directory, "dram t.trace.gz --config lpddr3_1ch --json");
    assert_eq!(zipped["trace"], "t.trace.gz", "where it comes from");
    for origin in ["trace", "command", "inputs"] {
        assert_ne!(zipped[origin], report[origin], "another file");
        zipped[origin] = report[origin].clone();
    }
    assert_eq!(zipped, report, "compressed or not");
}

/// Accesses to lines of 32 bytes as text, as words, and as a recorded stream of one frame.
fn in_every_format(n: u32) -> [(&'static str, Vec<u8>); 3] {
    let accesses: Vec<(u32, bool)> = (0..n)
        .map(|at| (at.wrapping_mul(0x9E37_79B9) & 0xFFFE0, at % 3 == 0))
        .collect();
    let text = accesses.iter().map(|(address, is_write)| {
        let kind = if *is_write { "WRITE" } else { "READ" };
        format!("{address:#x} {kind} 0\n")
    });
    let bare = accesses
        .iter()
        .map(|(address, is_write)| address | u32::from(*is_write));
    // Version 1, lines of 32 bytes, a Raster Unit; frame 0 of 64 x 64 pixels in tiles of 16.
    let marks = [0x5332_4C8E, 1, 32, 1, 3, 0, 0, 64, 64, 16].into_iter();
    let lines = accesses
        .iter()
        .map(|(address, is_write)| ((address / 32) << 2) | u32::from(*is_write));
    let bytes = |words: Vec<u32>| words.into_iter().flat_map(u32::to_le_bytes).collect();
    [
        ("text", text.collect::<String>().into_bytes()),
        ("words", bytes(bare.collect())),
        ("stream", bytes(marks.chain(lines).collect())),
    ]
}

#[test]
fn every_command_reads_every_format_to_the_same_result() {
    let directory = workshop("cli-memory-formats");
    let mut files = Vec::new();
    for (format, bytes) in in_every_format(3000) {
        for (name, content) in [
            (format.to_owned(), bytes.clone()),
            (format!("{format}.gz"), gzip(&bytes)),
            // By its content alone.
            (format!("{format}.packed"), gzip(&bytes)),
        ] {
            fs::write(directory.join(&name), content).expect("writable");
            files.push(name);
        }
    }
    assert_eq!(files.len(), 9, "three formats, each in three files");
    for command in [
        "dram FILE --config lpddr3_1ch",
        "cache FILE --size 8KiB --policy lru,mru,opt,opt-bypass",
        "reuse FILE --size 8KiB",
    ] {
        let report = |file: &String| {
            let words = format!("{} --json", command.replace("FILE", file));
            let mut report = json(&directory, &words);
            for origin in ["trace", "stream", "command", "inputs"] {
                report.as_object_mut().expect("an object").remove(origin);
            }
            report
        };
        let first = report(&files[0]);
        let count = first["requests"].as_u64().or(first["accesses"].as_u64());
        assert_eq!(count, Some(3000), "{command}: all of them");
        for file in &files[1..] {
            assert_eq!(report(file), first, "{command}: {file}");
        }
    }
}

#[test]
fn line_of_a_recorded_stream_is_as_many_requests_as_it_has_bursts() {
    let directory = workshop("cli-memory-bursts");
    let words = [
        0x5332_4C8E,
        1,
        256,
        1,
        3,
        0,
        0,
        64,
        64,
        16,
        2 << 2,
        5 << 2 | 1,
    ];
    let stream: Vec<u8> = words.into_iter().flat_map(u32::to_le_bytes).collect();
    fs::write(directory.join("stream.bin"), stream).expect("writable");
    let report = json(&directory, "dram stream.bin --config lpddr3_1ch --json");
    let total = |key: &str| report["total"][key].as_u64().expect(key);
    let (reads, writes) = (total("reads_done"), total("writes_done"));
    assert!(
        reads == writes && reads > 1,
        "{reads} and {writes} of a line of 256 bytes each"
    );
    assert_eq!(report["requests"], reads + writes, "nothing else");
}

#[test]
fn cache_json_has_the_fields_of_the_reference() {
    let directory = workshop("cli-memory-cache-json");
    fs::write(directory.join("t.u32"), random_words(5000)).expect("writable");
    let words = "cache t.u32 --size 8KiB --ways 2 --policy lru,mru,opt,opt-bypass --json";
    let report = json(&directory, words);
    assert_eq!(report["accesses"], 5000, "all of them");
    assert_eq!(
        (&report["sets"], &report["line"]),
        (&64.into(), &64.into()),
        "the shape"
    );
    let misses = |key: &str| report[key]["misses"].as_u64().expect(key);
    assert!(misses("opt") <= misses("lru"), "an optimum");
    assert!(
        misses("opt_bypass") <= misses("opt"),
        "with one more freedom"
    );
    assert_eq!(
        report["opt_misses"], report["opt"]["misses"],
        "under both names"
    );
    let alone = json(
        &directory,
        "cache t.u32 --size 8KiB --ways 2 --policy mru --json",
    );
    assert_eq!(alone["mru"], report["mru"], "alone as side by side");
    assert!(alone.get("lru").is_none(), "only what was asked for");
}

#[test]
fn fingerprints_of_inputs_are_of_content_and_options() {
    let directory = workshop("cli-memory-inputs");
    fs::write(directory.join("a.u32"), random_words(500)).expect("writable");
    fs::copy(directory.join("a.u32"), directory.join("b.u32")).expect("writable");
    fs::write(directory.join("c.u32"), random_words(501)).expect("writable");
    fs::write(directory.join("t.trace"), "0x0 READ 0\n").expect("writable");
    let inputs = |words: &str| {
        let report = json(&directory, &format!("{words} --json"));
        assert_eq!(report["command"], format!("azulejo {words} --json"));
        let inputs = report["inputs"].as_str().expect("hexadecimal digits");
        assert_eq!(inputs.len(), 32, "{words}: {inputs}");
        inputs.to_owned()
    };
    let of_a = inputs("cache a.u32");
    assert_eq!(of_a, inputs("cache b.u32"), "the same content");
    let others = [
        "cache c.u32",
        "cache a.u32 --size 16KiB",
        "cache a.u32 --policy opt",
        "cache a.u32 --ways 2",
        "reuse a.u32",
        "reuse a.u32 --ways 4",
        "dram t.trace",
        "dram t.trace --config lpddr3_1ch",
    ];
    let mut known: Vec<String> = others.into_iter().map(inputs).collect();
    known.push(of_a);
    let distinct: std::collections::BTreeSet<_> = known.iter().collect();
    assert_eq!(distinct.len(), known.len(), "{known:?}");
}

#[test]
fn same_command_prints_the_same_bytes() {
    let directory = workshop("cli-memory-same");
    fs::write(directory.join("t.trace"), "0x0 READ 0\n0x20000 READ 3\n").expect("writable");
    fs::write(directory.join("t.u32"), random_words(999)).expect("writable");
    for words in [
        "dram t.trace --json",
        "dram t.trace",
        "cache t.u32",
        "cache t.u32 --json --policy opt",
    ] {
        let [first, second] = [azulejo(&directory, words), azulejo(&directory, words)];
        assert_eq!(first.stdout, second.stdout, "{words}");
        assert!(
            !first.stdout.is_empty() && first.stderr.is_empty(),
            "{words}: results only"
        );
    }
}

#[test]
fn broken_request_trace_is_refused_with_file_and_line() {
    let directory = workshop("cli-memory-dram-broken");
    let write =
        |name: &str, bytes: &[u8]| fs::write(directory.join(name), bytes).expect("writable");
    write("line.trace", b"0x0 READ 0\n0x40 REED 4\n");
    fails(
        &directory,
        "dram line.trace",
        1,
        &[
            "line.trace: line 2: expected `0xADDR READ|WRITE CYCLE`",
            "0x40 REED 4",
        ],
    );
    write("junk.trace", &random_words(100_000));
    let as_text = "dram junk.trace --format text";
    fails(&directory, as_text, 1, &["junk.trace: line 1"]);
    write("other.trace", b"1F40 READ 0\n");
    for command in ["dram", "cache", "reuse"] {
        let words = format!("{command} other.trace");
        fails(
            &directory,
            &words,
            1,
            &["other.trace: line 1: expected `0xADDR"],
        );
    }
    write("other.bin", b"\xff\x00\x00\x01");
    let says = [
        "other.bin: access 0: word 0x010000ff",
        "simulate --l2-stream",
    ];
    for command in ["dram", "cache", "reuse"] {
        fails(&directory, &format!("{command} other.bin"), 1, &says);
    }
    write("long.trace", &vec![b'7'; 1 << 20]);
    fails(
        &directory,
        "dram long.trace",
        1,
        &["line 1 is longer than 256 bytes"],
    );
}

#[test]
fn broken_or_missing_trace_file_is_refused() {
    let directory = workshop("cli-memory-dram-file");
    let write =
        |name: &str, bytes: &[u8]| fs::write(directory.join(name), bytes).expect("writable");
    let whole = gzip("0x0 READ 0\n".repeat(50_000).as_bytes());
    write("cut.trace.gz", &whole[..whole.len() / 2]);
    fails(
        &directory,
        "dram cut.trace.gz",
        1,
        &["cut.trace.gz: after line", "the file is cut"],
    );
    let mut damaged = whole.clone();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 0x55;
    write("damaged.trace.gz", &damaged);
    fails(
        &directory,
        "dram damaged.trace.gz",
        1,
        &["damaged.trace.gz: "],
    );
    write("plain.trace.gz", b"0x0 READ 0\n");
    fails(
        &directory,
        "dram plain.trace.gz",
        1,
        &["is named .gz but is not a gzip file", "hint"],
    );
    fails(
        &directory,
        "dram none.trace",
        1,
        &["none.trace: cannot read it"],
    );
    fails(&directory, "dram .", 1, &["is a directory"]);
    write("late.trace", b"0x0 READ 18446744073709551615\n");
    fails(
        &directory,
        "dram late.trace",
        1,
        &["line 1: cycle 18446744073709551615; expected at most"],
    );
}

#[test]
fn unknown_or_wrong_dram_configuration_is_refused() {
    let directory = workshop("cli-memory-dram-config");
    fs::write(directory.join("t.trace"), "0x0 READ 0").expect("writable");
    fails(
        &directory,
        "dram t.trace --config ddr9",
        2,
        &["--config ddr9", "lpddr4_2ch"],
    );
    let write = |text: &str| fs::write(directory.join("c.toml"), text).expect("writable");
    write("base = \"lpddr3_1ch\"\n[structure]\nchannels = 3\n");
    fails(
        &directory,
        "dram t.trace --config c.toml",
        1,
        &["c.toml: structure.channels = 3: expected a power of two"],
    );
    write("base = \"lpddr3_1ch\"\n[timing]\nREFI = 3120\n");
    fails(
        &directory,
        "dram t.trace --config c.toml",
        1,
        &["c.toml: ", "REFI"],
    );
    write("base = \"lpddr3_1ch\"\n[current]\nIDD4R = 0\n");
    fails(
        &directory,
        "dram t.trace --config c.toml",
        1,
        &["c.toml: current.IDD4R = 0: expected at least current.IDD3N"],
    );
    write("base = \"c.toml\"\n");
    fails(
        &directory,
        "dram t.trace --config c.toml",
        1,
        &["c.toml: base = \"c.toml\": expected one of lpddr3_1ch"],
    );
    write("[[[");
    fails(&directory, "dram t.trace --config c.toml", 1, &["c.toml: "]);
    write("base = \"lpddr3_1ch\"\ntiming.tREFI = 3120\n");
    json(&directory, "dram t.trace --config c.toml --json");
}

#[test]
fn broken_access_trace_or_cache_is_refused() {
    let directory = workshop("cli-memory-cache-broken");
    let write =
        |name: &str, bytes: &[u8]| fs::write(directory.join(name), bytes).expect("writable");
    write("cut.u32", &random_words(10)[..39]);
    fails(
        &directory,
        "cache cut.u32",
        1,
        &["cut.u32: 3 bytes are left after 9 accesses"],
    );
    write("text.u32", b"0x0 READ 0\n0x40 READ 4\n");
    fails(
        &directory,
        "cache text.u32 --format words",
        1,
        &["text.u32: access 1: word 0x"],
    );
    let whole = gzip(&random_words(100_000));
    write("cut.u32.gz", &whole[..whole.len() - 9]);
    fails(
        &directory,
        "cache cut.u32.gz",
        1,
        &["cut.u32.gz: after", "the file is cut"],
    );
    write("t.u32", &random_words(10));
    for (options, says) in [
        ("--size 0", "expected a number of bytes above 0"),
        ("--size 1000", "size of 1000 B: expected a multiple"),
        ("--size 1TiB", "expected a number of bytes"),
        ("--size 4GiB --line 4", "at most 4 GiB and 2^24 lines"),
        ("--ways 0", "0 ways: expected from 1"),
        ("--line 48", "expected a power of two"),
        (
            "--policy fifo",
            "possible values: lru, mru, opt, opt-bypass",
        ),
    ] {
        fails(&directory, &format!("cache t.u32 {options}"), 2, &[says]);
    }
}

#[cfg(unix)]
#[test]
fn devices_are_no_traces_and_no_configurations() {
    let directory = workshop("cli-memory-devices");
    fs::write(directory.join("t.trace"), "0x0 READ 0").expect("writable");
    fs::write(directory.join("m.toml"), "include = \"/dev/zero\"").expect("writable");
    let long = "# much to say\n".repeat(100_000);
    fs::write(directory.join("long.toml"), long).expect("writable");
    for (words, says) in [
        (
            "cache /dev/zero",
            "/dev/zero: is no regular file; expected a trace",
        ),
        (
            "dram /dev/zero",
            "/dev/zero: is no regular file; expected a trace",
        ),
        (
            "dram t.trace --config /dev/zero",
            "/dev/zero: cannot read it: it is no regular file",
        ),
        (
            "dram t.trace --config long.toml",
            "long.toml: cannot read it: it is longer than 1048576",
        ),
        (
            "simulate -m /dev/zero",
            "/dev/zero: cannot read it: it is no regular file",
        ),
        (
            "simulate -m m.toml",
            "m.toml: include = \"/dev/zero\": expected a machine by name",
        ),
    ] {
        fails(&directory, words, 1, &[says]);
    }
}

#[test]
fn trace_with_a_rest_of_a_thousand_milliards_of_cycles_is_run() {
    let directory = workshop("cli-memory-far");
    let trace = "0x3F WRITE 4294967296\n0x40 READ 0\n0x1000 READ 1099511627776\n";
    fs::write(directory.join("far.trace"), trace).expect("writable");
    let config = "base = \"lpddr3_refi3120_1ch\"\n[controller]\ndrain_low = 0\n";
    fs::write(directory.join("c.toml"), config).expect("writable");
    let report = json(&directory, "dram far.trace --config c.toml --json");
    assert_eq!(report["last_accept_cycle"], 1_u64 << 40, "when it says");
}

#[test]
fn empty_traces_are_no_error() {
    let directory = workshop("cli-memory-empty");
    fs::write(directory.join("empty"), "").expect("writable");
    fs::write(directory.join("empty.gz"), gzip(b"")).expect("writable");
    for name in ["empty", "empty.gz"] {
        let report = json(&directory, &format!("dram {name} --json"));
        assert_eq!(report["total_ticks"], 1000, "{name}: the margin alone");
        let report = json(&directory, &format!("cache {name} --policy lru,opt --json"));
        assert_eq!(report["accesses"], 0, "{name}: nothing asked");
        assert!(
            azulejo(&directory, &format!("dram {name}"))
                .status
                .success(),
            "a table of {name}"
        );
        assert!(
            azulejo(&directory, &format!("cache {name}"))
                .status
                .success(),
            "a table of {name}"
        );
    }
}
