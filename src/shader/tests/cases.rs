//! Hand-made programs: control flow, memory, arithmetic as WGSL defines it, errors.

use azulejo_simd::SimdLevel;

use super::super::{
    Buffer, LANES_OF_BATCH, Module, NoTextures, Op, Resources, RunError, Runner, SampleRequest,
    Slot, Texels, Textures,
};
use super::{compute, run, words};

#[test]
fn lanes_take_their_own_ways() {
    let got = words(
        "fn steps(n: u32) -> u32 {
            var x = n; var k = 0u;
            loop {
                if x <= 1u { return k; }
                if x % 2u == 0u { x = x / 2u; k = k + 1u; continue; }
                x = 3u * x + 1u; k = k + 1u;
            }
            return 0u;
        }",
        "words[i] = steps(i);",
    );
    let steps = |mut x: u32| {
        let mut k = 0;
        while x > 1 {
            x = if x.is_multiple_of(2) {
                x / 2
            } else {
                3 * x + 1
            };
            k += 1;
        }
        k
    };
    assert_eq!(got, (0..64).map(steps).collect::<Vec<u32>>(), "Collatz");
}

#[test]
fn switches_and_breaks_leave_what_they_should() {
    let got = words(
        "",
        "var sum = 0u;
         for (var k = 0u; k < 10u; k++) {
             switch (i + k) % 5u {
                 case 0u, 3u: { sum += 1u; }
                 default: { if k > 6u { break; } sum += 100u; }
                 case 1u: { continue; }
             }
             if sum > 500u { break; }
             sum += 10u;
         }
         words[i] = sum;",
    );
    let expected = |i: u32| {
        let mut sum = 0;
        for k in 0..10 {
            match (i + k) % 5 {
                0 | 3 => sum += 1,
                1 => continue,
                _ if k > 6 => {}
                _ => sum += 100,
            }
            if sum > 500 {
                break;
            }
            sum += 10;
        }
        sum
    };
    assert_eq!(got, (0..64).map(expected).collect::<Vec<u32>>(), "by hand");
}

#[test]
fn arrays_are_indexed_by_lane_and_clamped() {
    let got = words(
        "fn put(p: ptr<function, array<u32, 5>>, at: u32, value: u32) { (*p)[at] = value; }",
        "var a = array<u32, 5>(1u, 2u, 3u, 4u, 5u);
         put(&a, i % 5u, 100u + i);
         words[i] = a[i % 3u] + 1000u * a[i];",
    );
    let expected = |i: u32| {
        let mut a = [1, 2, 3, 4, 5];
        a[i as usize % 5] = 100 + i;
        a[i as usize % 3] + 1000 * a[(i as usize).min(4)]
    };
    assert_eq!(
        got,
        (0..64).map(expected).collect::<Vec<u32>>(),
        "the last element beyond the end"
    );
}

#[test]
fn integers_divide_and_shift_as_defined() {
    let got = words(
        "",
        "let zero = i32(i) - i32(i); let low = -2147483647 - 1 + zero;
         var r = array<i32, 8>(7 / zero, 7 % zero, low / (zero - 1), low % (zero - 1), -7 / (zero + 2), -7 % (zero + 2),
             i32(f32(zero) + 3e9), i32(1u << (i + 33u - i)));
         words[i] = u32(r[i % 8u]);",
    );
    let expected = [7, 0, i32::MIN, 0, -3, -1, 2_147_483_520, 2].map(i32::cast_unsigned);
    assert_eq!(got[..8], expected, "WGSL's rules");
}

#[test]
fn floats_beyond_integers_become_the_last_that_are_floats() {
    let got = words(
        "",
        "let zero = f32(i) - f32(i);
         var r = array<u32, 6>(u32(i32(3e9 + zero)), u32(i32(-3e9 + zero)), u32(5e9 + zero), u32(-1.5 + zero),
             u32(i32(2147483520.0 + zero)), u32(4294967040.0 + zero));
         words[i] = r[i % 6u];",
    );
    let expected = [
        0x7fff_ff80,
        0x8000_0000,
        0xffff_ff00,
        0,
        0x7fff_ff80,
        0xffff_ff00,
    ];
    assert_eq!(got[..6], expected, "WGSL's floating point conversion");
}

#[test]
fn half_floats_are_packed_and_rounded() {
    let got = words(
        "",
        "let zero = f32(i) - f32(i);
         var r = array<u32, 4>(pack2x16float(vec2(1.5 + zero, -2.0)), bitcast<u32>(unpack2x16float(0x3e00c000u + u32(zero)).x),
             bitcast<u32>(quantizeToF16(1.00048828125 + zero)), bitcast<u32>(quantizeToF16(1.0005 + zero)));
         words[i] = r[i % 4u];",
    );
    let rounded = [-2.0_f32, 1.0, 1.000_976_6].map(f32::to_bits);
    let expected = [0xc000_3e00, rounded[0], rounded[1], rounded[2]];
    assert_eq!(got[..4], expected, "a tie goes to the even mantissa");
}

#[test]
fn workgroup_memory_waits_at_barriers() {
    let source = "
        @group(0) @binding(0) var<storage, read_write> words: array<u32>;
        var<workgroup> shared_words: array<u32, 256>;
        var<workgroup> total: atomic<u32>;
        @compute @workgroup_size(256) fn main(@builtin(local_invocation_index) i: u32) {
            shared_words[i] = i * i;
            atomicAdd(&total, i);
            workgroupBarrier();
            words[i] = shared_words[255u - i] + atomicLoad(&total);
        }";
    let code = Module::parse(source)
        .expect("valid")
        .compile("main", &[])
        .expect("lowers");
    let got = run(&code, SimdLevel::Auto, vec![0; 256]);
    let sum: u32 = (0..256).sum();
    let expected: Vec<u32> = (0..256).map(|i| (255 - i) * (255 - i) + sum).collect();
    assert_eq!(got, expected, "all batches wrote before one read");
}

/// Gives each lane its first coordinate, doubled.
#[derive(Debug)]
struct Doubled;

impl Textures for Doubled {
    fn access(&self, request: &SampleRequest<'_>, texels: &mut Texels) {
        for (to, &from) in texels[1].iter_mut().zip(request.coordinates[0]) {
            *to = (f32::from_bits(from) * 2.0).to_bits();
        }
    }
}

#[test]
fn fragments_sample_derive_and_discard() {
    let source = "
        @group(0) @binding(0) var t: texture_2d<f32>;
        @group(0) @binding(1) var s: sampler;
        @fragment fn main(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
            if uv.x > 20.0 { discard; }
            return vec4(textureSample(t, s, uv).y, dpdx(uv.x), dpdy(uv.x), 1.0);
        }";
    let code = Module::parse(source)
        .expect("valid")
        .compile("main", &[])
        .expect("lowers");
    for level in SimdLevel::available() {
        let mut resources = Resources::new(&code, &Doubled);
        let backend = level.backend().expect("available");
        let runner = Runner::new(&code, backend, &mut resources).expect("no buffers");
        let mut batch = runner.batch();
        let x: [u32; LANES_OF_BATCH] = std::array::from_fn(|lane| {
            let quad = lane as u32 / 4;
            (quad as f32 * 2.0 + (lane % 2) as f32 + 0.25 * (lane / 2 % 2) as f32).to_bits()
        });
        runner.set(&mut batch, (Slot::Location(0), 0), &x);
        runner
            .run(&mut batch, u64::MAX, &mut resources)
            .expect("no loop");
        let red = runner
            .output(&batch, (Slot::Location(0), 0))
            .expect("a colour");
        for lane in 0..LANES_OF_BATCH {
            let place = f32::from_bits(x[lane]);
            assert_eq!(f32::from_bits(red[lane]), place * 2.0, "the sample");
            assert_eq!(
                batch.alive() >> lane & 1 == 1,
                place <= 20.0,
                "discarded lanes"
            );
        }
        for (k, expected) in [(1, 1.0), (2, 0.25)] {
            let got = runner
                .output(&batch, (Slot::Location(0), k))
                .expect("a colour");
            assert_eq!(
                got,
                [f32::to_bits(expected); LANES_OF_BATCH],
                "derivatives within quads"
            );
        }
    }
}

#[test]
fn uniform_work_moves_to_the_prologue() {
    let source = "
        @group(0) @binding(0) var<uniform> m: mat4x4<f32>;
        override scale: f32 = 2.0;
        @vertex fn main(@location(0) p: vec4<f32>) -> @builtin(position) vec4<f32> {
            return (m * m) * p * scale;
        }";
    let code = Module::parse(source)
        .expect("valid")
        .compile("main", &[("scale", 3.0)])
        .expect("lowers");
    assert_eq!(
        code.instructions.len(),
        20,
        "one product of matrix and vector, and the scale"
    );
    assert_eq!(
        code.prologue
            .iter()
            .filter(|i| matches!(i.op, Op::Load { .. }))
            .count(),
        4,
        "columns"
    );
}

#[test]
fn endless_loops_end_with_an_error() {
    let code = compute(
        "",
        "var x = i;\nloop {\nx = x + 1u;\nif x == 0u && i == 1u { break; }\n}\nwords[i] = x;",
    );
    let mut buffer = vec![0; 64];
    let mut resources =
        Resources::new(&code, &NoTextures).with(&code, (0, 0), Buffer::Write(&mut buffer));
    let backend = SimdLevel::Auto.backend().expect("available");
    let runner = Runner::new(&code, backend, &mut resources)
        .expect("bound")
        .with_budget(10_000);
    let error = runner
        .dispatch([1, 1, 1], &mut resources)
        .expect_err("no end");
    let expected = RunError::Budget {
        line: 5,
        budget: 10_000,
    };
    assert_eq!(error, expected, "names the loop's line");
}

#[test]
fn workgroups_have_a_size_that_fits_memory() {
    let lowered = |size: &str| {
        let source = format!("@compute @workgroup_size({size}) fn main() {{}}");
        Module::parse(&source).expect("valid").compile("main", &[])
    };
    assert!(lowered("32, 32").is_ok(), "1024 invocations");
    let refused = lowered("4096, 4096").expect_err("too many").to_string();
    assert!(
        refused.contains("16777216 invocations; expected at most 1024"),
        "{refused}"
    );
}

#[test]
fn counted_loops_tell_their_trips() {
    let code = compute(
        "",
        "var s = 0u; for (var k = 2; k < 11; k += 2) { s += i; } words[i] = s;",
    );
    let trips = code.instructions.iter().find_map(|i| match i.op {
        Op::Loop { trips } => Some(trips),
        _ => None,
    });
    assert_eq!(trips, Some(5), "2, 4, 6, 8, 10");
}

#[test]
fn what_is_not_supported_is_named_with_its_line() {
    let error = |source: &str| {
        let entry = |module: &Module| module.entry_points()[0].name.clone();
        let module = Module::parse(source);
        module
            .and_then(|m| m.compile(&entry(&m), &[]).map(drop))
            .expect_err("refused")
            .to_string()
    };
    let says = error("@fragment fn f() {\n    let x: f32 = 1i;\n}");
    assert!(says.starts_with("2:"), "{says}");
    let says = error(
        "@compute @workgroup_size(1) fn f() {\n  var a: array<u32, 100000>;\n  a[0] = 1u;\n}",
    );
    assert!(
        says.starts_with("2:3: variable `a`: 100000 numbers"),
        "{says}"
    );
    let says = error(
        "var<workgroup> w: array<u32, 9999999>;\n@compute @workgroup_size(1) fn f() { w[0] = 1u; }",
    );
    assert!(says.contains("workgroup variable `w`"), "{says}");
    let says = error(&format!(
        "@compute @workgroup_size(1) fn f() {{ let x = {}1{}; }}",
        "(".repeat(999),
        ")".repeat(999)
    ));
    assert!(says.contains("nested"), "{says}");
}
