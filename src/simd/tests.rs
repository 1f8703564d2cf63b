//! Every backend of this machine against the scalar twin, bit for bit, operation by operation.

use proptest::prelude::*;

use super::{Backend, LANES, LaneJob, Lanes, SimdLevel, dispatch};

/// Operands of every operation.
#[derive(Debug, Clone)]
struct Operands {
    a: [f32; LANES],
    b: [f32; LANES],
    c: [f32; LANES],
    i: [i32; LANES],
    j: [i32; LANES],
    bits: u32,
    table: Vec<u32>,
}

/// A result with the operation's name.
type Named = (&'static str, [u32; LANES]);

/// Results of floating-point operations; NaN is one value, because its sign and payload are unspecified.
struct FloatOperations<'a>(&'a Operands);

impl LaneJob for FloatOperations<'_> {
    type Output = Vec<Named>;

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> Vec<Named> {
        let [a, b, c] = [&self.0.a, &self.0.b, &self.0.c].map(|values| l.load(values));
        let rows: [&[f32; 4]; 4] =
            std::array::from_fn(|q| self.0.a[4 * q..].first_chunk().expect("four lanes"));
        let columns = l.quad_columns(rows);
        let results = [
            ("add", a + b),
            ("sub", a - b),
            ("mul", a * b),
            ("div", a / b),
            ("neg", -a),
            ("mul_add", l.mul_add(a, b, c)),
            ("sqrt", l.sqrt(a)),
            ("min", l.min(a, b)),
            ("max", l.max(a, b)),
            ("abs", l.abs(a)),
            ("floor", l.floor(a)),
            ("select", l.select(l.mask(self.0.bits), a, b)),
            ("select lt", l.select(l.lt(a, b), a, c)),
            ("select le", l.select(l.le(a, b), a, c)),
            ("store_where", {
                let mut kept = self.0.c;
                l.store_where(l.mask(self.0.bits), b, &mut kept);
                l.load(&kept)
            }),
            ("splat", l.f(self.0.c[3])),
            ("to_float", l.to_float(l.load_i(&self.0.i))),
            ("of_bits", l.of_bits(l.load_i(&self.0.i))),
            ("ddx", l.ddx(a)),
            ("ddy", l.ddy(a)),
            ("quad_first", l.quad_first(a)),
            ("quad_columns 0", columns[0]),
            ("quad_columns 1", columns[1]),
            ("quad_columns 2", columns[2]),
            ("quad_columns 3", columns[3]),
            (
                "quad_rows",
                l.quad_rows([rows[2], rows[0], rows[3], rows[1]]),
            ),
        ];
        let bits = |value: L::F| {
            let mut floats = [0.0; LANES];
            l.store(value, &mut floats);
            // Compared as bits, since a compiler may give any NaN for another.
            let is_nan = |bits: u32| bits & 0x7fff_ffff > f32::INFINITY.to_bits();
            floats.map(f32::to_bits).map(|bits| {
                if is_nan(bits) {
                    f32::NAN.to_bits()
                } else {
                    bits
                }
            })
        };
        results.map(|(name, value)| (name, bits(value))).to_vec()
    }
}

/// Results of integer and mask operations.
struct IntegerOperations<'a>(&'a Operands);

impl LaneJob for IntegerOperations<'_> {
    type Output = Vec<Named>;

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> Vec<Named> {
        let [i, j] = [&self.0.i, &self.0.j].map(|values| l.load_i(values));
        let a = l.load(&self.0.a);
        let by = j & l.i(31);
        let in_range = l.select(l.lt(l.abs(a), l.f(2e9)), a, l.f(-7.9));
        let masks = l.mask(self.0.bits) & (l.lt_i(i, j) | l.eq_i(i, i));
        let neighbours = l.gather_4(&self.0.table, i);
        let columns = std::array::from_fn(|lane| self.0.i[lane].wrapping_mul(3));
        let results = [
            ("gather_4 0", neighbours[0]),
            ("gather_4 3", neighbours[3]),
            ("lookup", l.lookup(&columns, j)),
            ("dot_halves", l.dot_halves(i, j)),
            ("add", i + j),
            ("sub", i - j),
            ("mul", i * j),
            ("and", i & j),
            ("or", i | j),
            ("xor", i ^ j),
            ("splat", l.i(self.0.i[5])),
            ("to_int", l.to_int(in_range)),
            ("to_bits", l.to_bits(a)),
            ("shl", l.shl::<3>(i)),
            ("shr", l.shr::<5>(i)),
            ("shr_by", l.shr_by(i, by)),
            ("sar", l.sar::<7>(i)),
            ("min_i", l.min_i(i, j)),
            ("max_i", l.max_i(i, j)),
            ("min_u", l.min_u(i, j)),
            ("select_i", l.select_i(l.lt_i(i, j), i, by)),
            (
                "select eq_i",
                l.select_i(l.eq_i(i, l.i(self.0.i[5])), j, by),
            ),
            ("store_where_i", {
                let mut kept = self.0.j;
                l.store_where_i(masks, i, &mut kept);
                l.load_i(&kept)
            }),
            ("select not", l.select_i(l.not(masks), i, j)),
            ("gather", l.gather(&self.0.table, i)),
            ("gather inside", l.gather(&self.0.table, by)),
            ("mask_bits", l.i(l.mask_bits(masks).cast_signed())),
            ("any", l.i(i32::from(l.any(masks)))),
        ];
        let bits = |value: L::I| {
            let mut integers = [0; LANES];
            l.store_i(value, &mut integers);
            integers.map(i32::cast_unsigned)
        };
        results.map(|(name, value)| (name, bits(value))).to_vec()
    }
}

fn float() -> impl Strategy<Value = f32> {
    let special = [
        0.0,
        -0.0,
        1.0,
        -1.5,
        f32::NAN,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::MIN_POSITIVE / 8.0,
        f32::MAX,
    ];
    prop_oneof![
        3 => proptest::sample::select(special.to_vec()),
        5 => any::<u32>().prop_map(f32::from_bits),
        8 => -1e3f32..1e3,
    ]
}

fn operands() -> impl Strategy<Value = Operands> {
    let floats = || proptest::array::uniform16(float());
    let integers =
        || proptest::array::uniform16(prop_oneof![any::<i32>(), -2i32..40, Just(i32::MIN)]);
    let table = proptest::collection::vec(any::<u32>(), 1..50);
    (
        floats(),
        floats(),
        floats(),
        integers(),
        integers(),
        any::<u32>(),
        table,
    )
        .prop_map(|(a, b, c, i, j, bits, table)| Operands {
            a,
            b,
            c,
            i,
            j,
            bits,
            table,
        })
}

fn backends() -> Vec<Backend> {
    let backend = |level: SimdLevel| level.backend().expect("it is listed as available");
    SimdLevel::available().into_iter().map(backend).collect()
}

proptest! {
    #[test]
    fn lanes_of_every_backend_equal_the_scalar_twin(operands in operands()) {
        let scalar = SimdLevel::Scalar.backend().expect("always there");
        let floats = dispatch(scalar, FloatOperations(&operands));
        let integers = dispatch(scalar, IntegerOperations(&operands));
        for backend in backends() {
            let ours = dispatch(backend, FloatOperations(&operands));
            prop_assert_eq!(&ours, &floats, "{}", backend.level());
            let ours = dispatch(backend, IntegerOperations(&operands));
            prop_assert_eq!(&ours, &integers, "{}", backend.level());
        }
    }
}

/// 2x2 neighbourhoods in a table of 4x4 blocks, eight blocks wide.
#[derive(Debug, Clone)]
struct Neighbourhoods {
    x: [[i32; LANES]; 2],
    y: [[i32; LANES]; 2],
    table: Vec<u32>,
}

impl LaneJob for &Neighbourhoods {
    type Output = [[i32; LANES]; 4];

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> [[i32; LANES]; 4] {
        let [x, y] = [&self.x, &self.y].map(|pair| [l.load_i(&pair[0]), l.load_i(&pair[1])]);
        let texels = [x[0] + y[0], x[1] + y[0], x[0] + y[1], x[1] + y[1]];
        l.fetch(&self.table, &texels).map(|taps| {
            let mut values = [0; LANES];
            l.store_i(taps, &mut values);
            values
        })
    }
}

/// Texel columns and rows of four quads: within `spread` texels of a corner of the quad's own.
fn neighbourhoods(spread: i32, blocks: usize) -> impl Strategy<Value = Neighbourhoods> {
    let coordinates = move || {
        let corners = proptest::array::uniform4(0i32..28);
        (corners, proptest::array::uniform16(0..spread)).prop_map(|(corners, offsets)| {
            let at = |lane: usize, next: i32| (corners[lane / 4] + offsets[lane] + next) & 31;
            [0, 1].map(|next| std::array::from_fn(|lane| at(lane, next)))
        })
    };
    (coordinates(), coordinates()).prop_map(move |(x, y)| Neighbourhoods {
        x: x.map(|x: [i32; LANES]| x.map(|x| (x & 3) | (x & !3) << 2)),
        y: y.map(|y: [i32; LANES]| y.map(|y| (y & 3) << 2 | (y & !3) << 5)),
        table: (0..blocks as u32 * 16)
            .map(|i| i.wrapping_mul(2_654_435_761))
            .collect(),
    })
}

fn assert_neighbourhoods_equal_gathers(job: &Neighbourhoods) -> Result<(), TestCaseError> {
    let expected: [[i32; LANES]; 4] = std::array::from_fn(|tap| {
        std::array::from_fn(|lane| {
            let index = job.x[tap % 2][lane].wrapping_add(job.y[tap / 2][lane]);
            let last = job.table.len() - 1;
            job.table[(index.cast_unsigned() as usize).min(last)].cast_signed()
        })
    });
    for backend in backends() {
        prop_assert_eq!(dispatch(backend, job), expected, "{}", backend.level());
    }
    Ok(())
}

proptest! {
    #[test]
    fn fetch_of_neighbourhoods_equals_gathers(
        close in neighbourhoods(3, 64),
        far in neighbourhoods(20, 64),
        beyond in neighbourhoods(3, 40),
    ) {
        for job in [close, far, beyond] {
            assert_neighbourhoods_equal_gathers(&job)?;
        }
    }

    #[test]
    fn fetch_at_any_sum_equals_gathers(
        x in proptest::array::uniform2(proptest::array::uniform16(any::<i32>())),
        y in proptest::array::uniform2(proptest::array::uniform16(-5i32..900)),
    ) {
        let table: Vec<u32> = (0..1000).collect();
        let near = x.map(|x| x.map(|x| x & 63));
        assert_neighbourhoods_equal_gathers(&Neighbourhoods { x, y, table: table.clone() })?;
        assert_neighbourhoods_equal_gathers(&Neighbourhoods { x: near, y, table })?;
    }
}

#[test]
fn level_that_the_machine_lacks_is_refused() {
    let available = SimdLevel::available();
    for level in [SimdLevel::Neon, SimdLevel::Avx2, SimdLevel::Avx512] {
        let backend = level.backend();
        assert_eq!(
            backend.is_ok(),
            available.contains(&level),
            "{level} in {available:?}"
        );
        if let Err(error) = backend {
            assert!(
                error.to_string().contains("scalar"),
                "names what there is: {error}"
            );
        }
    }
}

#[test]
fn level_auto_is_the_first_available() {
    let backend = SimdLevel::Auto.backend().expect("there is always one");
    assert_eq!(backend.level(), SimdLevel::available()[0], "best first");
}

#[test]
fn gather_from_an_empty_table_gives_zero() {
    struct Empty;
    impl LaneJob for Empty {
        type Output = [i32; LANES];
        #[inline(always)]
        fn run<L: Lanes>(self, l: L) -> [i32; LANES] {
            let mut values = [1; LANES];
            l.store_i(l.gather(&[], l.i(3)), &mut values);
            values
        }
    }
    for backend in backends() {
        assert_eq!(dispatch(backend, Empty), [0; LANES], "{}", backend.level());
    }
}
