//! Layers and messages: the order of layers, and that every refusal names file, key, value and what may stand there.

use serde::Deserialize;

use super::{Base, Document, Overlay, ParameterError, in_range, power_of_two, size, texts};
use azulejo_units::Bytes;

#[derive(Debug, PartialEq, Deserialize)]
struct Unit {
    #[serde(deserialize_with = "in_range::<1, 8, _, _>")]
    ports: u32,
    #[serde(deserialize_with = "size")]
    bytes: Bytes,
    note: Option<String>,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Walk {
    RowByRow,
    Morton,
}

#[derive(Debug, PartialEq, Deserialize)]
struct Chip {
    unit: Unit,
    walk: Walk,
    #[serde(deserialize_with = "power_of_two::<2, 16, _, _>")]
    banks: u32,
    #[serde(deserialize_with = "texts")]
    names: Vec<String>,
    ratio: f64,
}

const CHIP: &str = r#"
walk = "morton"
banks = 4
names = "one"
ratio = 2
[unit]
ports = 2
bytes = "2KiB"
"#;

fn find(name: &str) -> Result<String, String> {
    match name {
        "chip" => Ok(CHIP.to_owned()),
        "circle" => Ok("base = \"circle\"".to_owned()),
        _ => Err("one of chip, circle".to_owned()),
    }
}

const BASE: Base<'static> = Base {
    key: "base",
    find: &find,
};

fn read(text: &str, changes: &[&str]) -> Result<Chip, ParameterError> {
    let mut document = Document::read("top", text, BASE)?;
    for change in changes {
        document.set(&change.parse().expect("KEY=VALUE"))?;
    }
    document.get()
}

/// The chip with one line more or one change.
fn refused(change: &str) -> String {
    let chip = read("base = \"chip\"", &[change]);
    chip.expect_err(change).to_string()
}

#[test]
fn document_upper_layers_change_single_values() {
    let text = "base = \"chip\"\nnames = [\"a\", \"b\"]\n[unit]\nbytes = 64\nnote = \"own\"";
    let chip = read(text, &["unit.ports=8", "walk=row-by-row", "ratio=0.5"]);
    let expected = Chip {
        unit: Unit {
            ports: 8,
            bytes: Bytes(64),
            note: Some("own".to_owned()),
        },
        walk: Walk::RowByRow,
        banks: 4,
        names: vec!["a".to_owned(), "b".to_owned()],
        ratio: 0.5,
    };
    assert_eq!(chip, Ok(expected), "file over base, changes over file");
}

#[test]
fn document_error_names_the_layer_of_the_value() {
    let below = CHIP.replace("ports = 2", "ports = 9");
    let find = |_: &str| Ok(below.clone());
    let base = Base {
        key: "base",
        find: &find,
    };
    let text = "base = \"below\"\n[unit]\nbytes = 64";
    let document = Document::read("top", text, base).expect("TOML");
    let error = document.get::<Chip>().expect_err("nine ports");
    let expected = "below: unit.ports = 9: expected an integer from 1 to 8";
    assert_eq!(error.to_string(), expected, "the value's file");
}

#[test]
fn document_refuses_values_with_what_is_expected() {
    for (change, message) in [
        (
            "unit.ports=0",
            "--set: unit.ports = 0: expected an integer from 1 to 8",
        ),
        (
            "unit.ports=-1",
            "--set: unit.ports = -1: expected an integer from 1 to 8",
        ),
        (
            "unit.ports=two",
            "--set: unit.ports = \"two\": expected an integer from 1 to 8",
        ),
        (
            "banks=3",
            "--set: banks = 3: expected a power of two from 2 to 16",
        ),
        (
            "walk=mortn",
            "--set: walk = \"mortn\": expected one of row-by-row, morton; did you mean morton?",
        ),
        (
            "walk=1",
            "--set: walk = 1: expected one of row-by-row, morton",
        ),
        ("ratio=no", "--set: ratio = \"no\": expected a number"),
        (
            "names=[]",
            "--set: names = (a list of 0): expected a text or a list of texts",
        ),
        ("names=[1]", "--set: names = (a list of 1): expected a text"),
        (
            "unit.bytes=2KB",
            "--set: unit.bytes = \"2KB\": expected a size such as 64B, 32KiB or 2MiB",
        ),
        ("unit=5", "--set: unit = 5: expected a table"),
        ("unit.note=5", "--set: unit.note = 5: expected a text"),
        ("walk.x=5", "--set: walk.x = 5: expected a table before 'x'"),
        (
            "unit.prots=5",
            "--set: unit.prots = 5: expected one of the keys ports, bytes, note; did you mean ports?",
        ),
        (
            "zzz=5",
            "--set: zzz = 5: expected one of the keys unit, walk, banks, names, ratio",
        ),
    ] {
        assert_eq!(refused(change), message, "{change}");
    }
}

#[test]
fn document_missing_value_is_named_with_its_range() {
    let error = read("walk = \"morton\"", &[]).expect_err("nearly empty");
    let expected = "top: unit.ports = (missing): expected an integer from 1 to 8";
    assert_eq!(
        error.to_string(),
        expected,
        "in a table that is missing too"
    );
}

#[test]
fn document_base_must_be_known_and_end() {
    for (text, message) in [
        (
            "base = \"chop\"",
            "top: base = \"chop\": expected one of chip, circle",
        ),
        ("base = 5", "top: base = 5: expected a name in quotes"),
        (
            "base = \"circle\"",
            "circle: base = \"circle\": expected files that are at most 8 deep",
        ),
        (
            "\nbanks",
            "top: line 2 = (text): expected TOML (key with no value, expected `=`)",
        ),
    ] {
        let error = read(text, &[]).expect_err(text);
        assert_eq!(error.to_string(), message, "{text}");
    }
}

#[test]
fn document_part_reads_and_names_keys_as_the_whole() {
    let mut document = Document::read("top", CHIP, BASE).expect("TOML");
    let change: Overlay = "unit.ports=12".parse().expect("KEY=VALUE");
    let unit: Unit = document.part("unit").get().expect("valid");
    assert_eq!(unit.ports, 2, "the table alone");
    document.set(&change).expect("a key");
    let error = document.take("unit").get::<Unit>().expect_err("twelve");
    assert_eq!(
        (&*error.file, &*error.key),
        ("--set", "unit.ports"),
        "in full"
    );
    assert!(!document.keys().any(|key| key == "unit"), "taken out");
    let error = document.part("unit").get::<Unit>().expect_err("empty");
    assert_eq!(error.value, "(missing)", "what is taken is not there");
}

#[test]
fn document_absurd_keys_and_values_are_refused_in_few_words() {
    let long = "x".repeat(100_000);
    for change in [
        format!("{}=1", ["a"; 50_000].join(".")),
        format!("{long}=1"),
        format!("walk={long}"),
    ] {
        let message = refused(&change);
        assert!(message.len() < 400, "{} bytes", message.len());
    }
}
