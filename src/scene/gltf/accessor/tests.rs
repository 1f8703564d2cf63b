//! Accessors of a file made for each test: one buffer, one view, one accessor.

use super::super::open::open;
use super::*;

/// The file whose accessor 0 is `accessor` over view 0 (`view`, without its buffer) of a buffer of `bytes`.
fn file(view: &str, accessor: &str, bytes: &[u8]) -> File {
    let len = bytes.len();
    let text = format!(
        r#"{{"asset":{{"version":"2.0"}},"buffers":[{{"byteLength":{len},"uri":"b"}}],
            "bufferViews":[{{"buffer":0,{view}}},{{"buffer":0,"byteLength":{len}}}],
            "accessors":[{{{accessor}}}]}}"#
    );
    let bytes = bytes.to_vec();
    let resolve = move |_: &str| Ok(bytes.clone());
    open(text.into_bytes(), &resolve, 1 << 30).expect("a readable file")
}

/// Accessor 0 of a file whose view is all of `bytes`.
fn values(accessor: &str, bytes: &[u8]) -> Result<Vec<[f32; 2]>, String> {
    let view = format!(r#""byteLength":{}"#, bytes.len());
    let file = file(&view, &format!(r#""bufferView":0,{accessor}"#), bytes);
    let accessor = Accessor::new(&file, 0, "test").map_err(|e| e.to_string())?;
    Ok(accessor.vectors(|v| v))
}

fn floats(values: &[f32]) -> Vec<u8> {
    values
        .iter()
        .flat_map(|value| value.to_le_bytes())
        .collect()
}

#[test]
fn accessor_converts_every_component_type() {
    let cases: [(u32, bool, &[u8], [f32; 2]); 11] = [
        (5120, false, &[0x80, 127], [-128.0, 127.0]),
        (5120, true, &[0x80, 127], [-1.0, 1.0]),
        (5121, false, &[3, 255], [3.0, 255.0]),
        (5121, true, &[51, 255], [0.2, 1.0]),
        (5122, false, &[0, 0x80, 1, 0], [-32768.0, 1.0]),
        (5122, true, &[0, 0x80, 0xff, 0x7f], [-1.0, 1.0]),
        (5123, false, &[0xff, 0xff, 2, 0], [65535.0, 2.0]),
        (5123, true, &[0xff, 0xff, 0, 0], [1.0, 0.0]),
        (5125, false, &[0, 0, 1, 0, 7, 0, 0, 0], [65536.0, 7.0]),
        (
            5125,
            true,
            &[0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0],
            [1.0, 0.0],
        ),
        (5126, false, &[0, 0, 0x80, 0x3f, 0, 0, 0, 0xbf], [1.0, -0.5]),
    ];
    for (component, normalized, bytes, expected) in cases {
        let accessor = format!(
            r#""componentType":{component},"normalized":{normalized},"type":"VEC2","count":1"#
        );
        let found = values(&accessor, bytes);
        assert_eq!(
            found,
            Ok(vec![expected]),
            "{component}, normalized: {normalized}"
        );
    }
}

#[test]
fn accessor_steps_through_interleaved_bytes() {
    let bytes = floats(&[1.0, 2.0, 9.0, 3.0, 4.0]);
    let view = r#""byteLength":20,"byteStride":12"#;
    let json = r#""bufferView":0,"componentType":5126,"type":"VEC2","count":2"#;
    let file = file(view, json, &bytes);
    let accessor = Accessor::new(&file, 0, "test").expect("the last element needs no full step");
    assert_eq!(
        accessor.vectors(|v: [f32; 2]| v),
        [[1.0, 2.0], [3.0, 4.0]],
        "two elements"
    );
}

#[test]
fn accessor_of_byte_matrices_has_aligned_columns() {
    let bytes = [1, 2, 0, 0, 3, 4, 0, 0, 5, 6, 0, 0, 7, 8];
    let view = r#""byteLength":14"#;
    let json = r#""bufferView":0,"componentType":5121,"type":"MAT2","count":2"#;
    let file = file(view, json, &bytes);
    let accessor = Accessor::new(&file, 0, "test").expect("the last padding may be missing");
    let matrices = accessor.vectors(|m: [f32; 4]| m);
    assert_eq!(
        matrices,
        [[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]],
        "two matrices"
    );
}

fn sparse(count: usize, base: &str, indices: &[u8]) -> Result<Vec<[f32; 2]>, String> {
    let mut bytes = floats(&[10.0, 20.0, 30.0, 40.0]);
    bytes.extend(indices);
    let json = format!(
        r#"{base}"componentType":5126,"type":"VEC2","count":3,"sparse":{{"count":{count},
           "indices":{{"bufferView":1,"byteOffset":16,"componentType":5121}},
           "values":{{"bufferView":1}}}}"#
    );
    let file = file(r#""byteLength":16"#, &json, &bytes);
    let accessor = Accessor::new(&file, 0, "test").map_err(|e| e.to_string())?;
    Ok(accessor.vectors(|v| v))
}

#[test]
fn accessor_without_view_is_zero_but_for_its_sparse_part() {
    let expected = vec![[10.0, 20.0], [0.0; 2], [30.0, 40.0]];
    assert_eq!(sparse(2, "", &[0, 2]), Ok(expected), "two of three");
}

#[test]
fn accessor_sparse_indices_must_increase_within_the_accessor() {
    let decreasing = sparse(2, "", &[2, 0]).expect_err("decreasing");
    assert!(decreasing.contains("do not increase"), "{decreasing}");
    let outside = sparse(2, "", &[0, 3]).expect_err("outside");
    assert!(outside.contains("leave the accessor"), "{outside}");
    let many = sparse(4, "", &[0, 1, 2, 3]).expect_err("more than the accessor has");
    assert!(many.contains("replaces 4 of 3"), "{many}");
    let cut = sparse(2, "", &[0]).expect_err("indices beyond the view");
    assert!(cut.contains("leave its buffer view"), "{cut}");
}

#[test]
fn accessor_beyond_its_view_is_refused() {
    let json = |count: u64, offset: u64| {
        format!(r#""componentType":5126,"type":"VEC2","count":{count},"byteOffset":{offset}"#)
    };
    assert!(values(&json(2, 0), &[0; 16]).is_ok(), "exactly fits");
    for (count, offset) in [(3, 0), (2, 1), (1 << 60, 0), (u64::MAX, 0), (1, u64::MAX)] {
        let error = values(&json(count, offset), &[0; 16]).expect_err("too long");
        assert!(
            error.starts_with("accessor 0 (test): "),
            "{count} from {offset}: {error}"
        );
    }
}

#[test]
fn accessor_without_bytes_has_as_many_elements_as_its_file_justifies() {
    let refused = |count: usize, bytes: &[u8]| {
        let json = format!(r#""componentType":5121,"type":"SCALAR","count":{count}"#);
        let file = file(r#""byteLength":4"#, &json, bytes);
        Accessor::new(&file, 0, "test").err().map(|e| e.to_string())
    };
    assert_eq!(refused(1 << 16, &[0; 4]), None, "few");
    assert_eq!(refused(100_000, &[0; 100_000]), None, "a zero a byte");
    for count in [(1 << 16) + 1, 1 << 24, 4_000_000_000] {
        let error = refused(count, &[0; 4]).expect("more than a small file may want");
        assert!(
            error.contains("without a buffer view; expected at most 65536"),
            "{error}"
        );
    }
}

#[test]
fn accessor_in_too_small_steps_is_refused() {
    let json = r#""bufferView":0,"componentType":5126,"type":"VEC2","count":2"#;
    let file = file(r#""byteLength":16,"byteStride":4"#, json, &[0; 16]);
    let error = Accessor::new(&file, 0, "test")
        .expect_err("overlapping")
        .to_string();
    assert!(
        error.contains("elements of 8 bytes in steps of 4"),
        "{error}"
    );
}

#[test]
fn accessor_that_does_not_exist_is_named_by_its_user() {
    let file = file(
        r#""byteLength":4"#,
        r#""componentType":5121,"type":"SCALAR","count":1"#,
        &[0; 4],
    );
    let error = Accessor::new(&file, 7, "NORMAL of mesh 2")
        .expect_err("absent")
        .to_string();
    assert_eq!(
        error, "NORMAL of mesh 2: refers to accessor 7 of 1",
        "message"
    );
}
