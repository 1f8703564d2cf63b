//! Operations and built-in functions of WGSL with the error that the specification allows them, against double precision:
//! the tables of "Accuracy of Concrete Floating Point Expressions"
//! (<https://www.w3.org/TR/WGSL/#concrete-float-accuracy>), whose rows are named by the expression. Inherited errors are
//! those of the expression that the row names; `x % y` may besides be off by `y` where the quotient's own error reaches an
//! integer. "Correctly rounded" is either neighbour there; operators are held to the nearer one. Results of subnormal
//! numbers, infinity and NaN are not fixed, so no operands lead to one.

use std::f32::consts::PI;

use super::generator::Random;

/// Operation on up to three floats.
pub(super) struct Function {
    /// Expression over `x`, `y`, `z`.
    pub(super) text: &'static str,
    /// Random operands.
    pub(super) operands: fn(&mut Random) -> [f32; 3],
    /// Result in double precision.
    pub(super) exact: fn([f64; 3]) -> f64,
    /// Difference allowed, from the operands and the result.
    pub(super) error: fn([f64; 3], f64) -> f64,
}

/// Distance of the single-precision numbers around a value; below a power of two, where it is one ("Floating Point
/// Accuracy", <https://www.w3.org/TR/WGSL/#ulp>).
fn ulp(value: f64) -> f64 {
    let exponent = value.abs().max(f64::from(f32::MIN_POSITIVE)).log2();
    (exponent.ceil() - 24.0).max(-149.0).exp2()
}

/// A number between two others.
fn between(random: &mut Random, low: f32, high: f32) -> f32 {
    let part = random.below(1 << 24) as f32 / (1 << 24) as f32;
    low + (high - low) * part
}

/// Any sign and mantissa; 40 exponents around 1.
fn wide(random: &mut Random) -> f32 {
    let bits = random.below(1 << 32) as u32;
    let exponent = 107 + random.below(40) as u32;
    f32::from_bits((bits & 0x807f_ffff) | (exponent << 23))
}

fn wide3(random: &mut Random) -> [f32; 3] {
    [wide(random), wide(random), wide(random)]
}

fn positive(random: &mut Random) -> [f32; 3] {
    wide3(random).map(f32::abs)
}

fn small(random: &mut Random) -> [f32; 3] {
    [(); 3].map(|()| between(random, -10.0, 10.0))
}

fn angle(random: &mut Random) -> [f32; 3] {
    [between(random, -PI, PI), 0.0, 0.0]
}

fn unit(random: &mut Random) -> [f32; 3] {
    [between(random, -1.0, 1.0), 0.0, 0.0]
}

/// Edges of a step in `y` and `z`.
fn step_operands(random: &mut Random) -> [f32; 3] {
    [
        between(random, -5.0, 5.0),
        between(random, -4.0, -1.0),
        between(random, 1.0, 4.0),
    ]
}

/// A word whose lower half is a normal number of 16 bits.
fn halves(random: &mut Random) -> [f32; 3] {
    let [x, ..] = wide3(random);
    [f32::from_bits(x.to_bits() & !0x4000 | 0x0400), 0.0, 0.0]
}

/// Word of a float.
fn word(x: f64) -> u32 {
    (x as f32).to_bits()
}

/// Number of 16 bits in the lower half of a word.
fn lower_half(x: f64) -> f64 {
    let half = word(x) & 0xffff;
    let significand = 1.0 + f64::from(half & 0x3ff) / 1024.0;
    let magnitude = significand * (f64::from(half >> 10 & 31) - 15.0).exp2();
    match half >> 15 {
        0 => magnitude,
        _ => -magnitude,
    }
}

/// Cubic step of `x` from `y` to `z`.
fn cubic_step([x, y, z]: [f64; 3]) -> f64 {
    let t = ((x - y) / (z - y)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

fn cubic_step_error([x, y, z]: [f64; 3], exact: f64) -> f64 {
    let t = ((x - y) / (z - y)).clamp(0.0, 1.0);
    let of_operands = 0.5 * ulp(x - y) / (x - y).abs() + 0.5 * ulp(z - y) / (z - y);
    let off = t * of_operands + 2.5 * ulp(t);
    let slope = 6.0 * (t + off) * (1.0 - t + off);
    let of_factors = 0.5 * ulp(2.0 * t) + 0.5 * ulp(3.0 - 2.0 * t);
    let products = ulp(t * t) * (3.0 - 2.0 * t) + t * t * of_factors;
    slope * off + products + ulp(exact)
}

fn distance_error(of: [f64; 3], exact: f64) -> f64 {
    let differences: f64 = of.iter().map(|d| d.abs() * 0.5 * ulp(*d)).sum();
    differences / exact + length_error(of, exact)
}

fn reflect_error([x, y, z]: [f64; 3], exact: f64) -> f64 {
    let dot = x * z + 0.5 * y;
    let of_dot = 0.5 * (ulp(x * z) + ulp(0.5 * y) + ulp(dot));
    2.0 * z.abs() * of_dot + ulp(2.0 * dot * z) + 0.5 * ulp(exact)
}

fn refract_error([_, y, _]: [f64; 3], exact: f64) -> f64 {
    let (rest, root) = (1.0 - y * y, exact.abs());
    let of_square = 0.5625 * 0.5 * (ulp(y * y) + ulp(rest)) + 0.5 * ulp(0.5625 * rest);
    let of_root = (of_square + 0.5 * ulp(root * root)) / (2.0 * root) + root_error(root);
    of_root + ulp(0.75 * y) + 0.5 * ulp(0.75 * y.abs() + root) + 0.5 * ulp(exact)
}

fn half_ulp(_: [f64; 3], exact: f64) -> f64 {
    // A little more: the result in double precision is rounded too.
    0.500_001 * ulp(exact)
}

fn none(_: [f64; 3], _: f64) -> f64 {
    0.0
}

fn arc(_: [f64; 3], exact: f64) -> f64 {
    (4096.0 * ulp(exact)).max(6.77e-5)
}

fn tangent_arc(_: [f64; 3], exact: f64) -> f64 {
    4096.0 * ulp(exact)
}

fn sine_error(_: [f64; 3], _: f64) -> f64 {
    (-11_f64).exp2()
}

/// Error of `exp` and `exp2` at `x`.
fn power_error(x: f64, result: f64) -> f64 {
    (3.0 + 2.0 * x.abs()) * ulp(result)
}

/// Error of `log` and `log2` at `x`.
fn log_error(x: f64, result: f64) -> f64 {
    match (0.5..=2.0).contains(&x) {
        true => (-21_f64).exp2(),
        false => 3.0 * ulp(result),
    }
}

/// Error of half the sum of `exp(x)` and `exp(-x)`, or of their difference.
fn hyperbolic_error([x, ..]: [f64; 3], exact: f64) -> f64 {
    let terms = power_error(x, x.exp()) + power_error(-x, (-x).exp());
    0.5 * terms + ulp(exact)
}

fn tanh_error([x, y, z]: [f64; 3], exact: f64) -> f64 {
    let terms = hyperbolic_error([x, y, z], x.sinh()) + hyperbolic_error([x, y, z], x.cosh());
    (terms / x.cosh() + 2.5 * ulp(exact)).max(1e-5)
}

fn tan_error(_: [f64; 3], exact: f64) -> f64 {
    // Sine over cosine: cosine at the angle with this tangent.
    let cosine = 1.0 / exact.hypot(1.0);
    let sine_error = (-11_f64).exp2();
    (1.0 + exact.abs()) * sine_error / (cosine - sine_error) + 2.5 * ulp(exact)
}

/// Error of `1.0 / inverseSqrt(x)`, from the root.
fn root_error(root: f64) -> f64 {
    2.5 * ulp(root) + 2.0 * root * (-23_f64).exp2()
}

fn pow_error([x, y, _]: [f64; 3], exact: f64) -> f64 {
    let exponent = y * x.log2();
    let off = y.abs() * log_error(x, x.log2()) + 0.5 * ulp(exponent);
    exact * (off * std::f64::consts::LN_2).exp_m1() + power_error(exponent, exact)
}

/// Error of `log(x + sqrt(x * x + c))`, from the root.
fn log_of_sum_error(x: f64, root: f64, exact: f64) -> f64 {
    let sum = x + root;
    let square = ulp(x * x) + ulp(root * root);
    let of_sum = 0.5 * square / root + root_error(root) + 0.5 * ulp(sum);
    of_sum / (sum - of_sum) + log_error(sum, exact)
}

fn atanh_error([x, ..]: [f64; 3], exact: f64) -> f64 {
    let quotient = (1.0 + x) / (1.0 - x);
    let off = (0.5 * ulp(1.0 + x) / (1.0 + x) + 0.5 * ulp(1.0 - x) / (1.0 - x)) * quotient
        + 2.5 * ulp(quotient);
    0.5 * (off / (quotient - off) + log_error(quotient, 2.0 * exact)) + 0.5 * ulp(exact)
}

/// Error of a sum of three products, in any order.
fn sum_error(products: [f64; 3]) -> f64 {
    products.iter().map(|product| 2.5 * ulp(*product)).sum()
}

fn length_error([x, y, z]: [f64; 3], exact: f64) -> f64 {
    sum_error([x * x, y * y, z * z]) / exact + root_error(exact)
}

fn normal_error([x, y, z]: [f64; 3], exact: f64) -> f64 {
    let length = (x * x + y * y + z * z).sqrt();
    exact.abs() * length_error([x, y, z], length) / length * 1.001 + 2.5 * ulp(exact)
}

fn remainder_error([x, y, _]: [f64; 3], exact: f64) -> f64 {
    let quotient = x / y;
    let rounding = 0.5 * ulp(y * quotient.trunc()) + 0.5 * ulp(exact);
    match (quotient - quotient.round()).abs() <= 2.5 * ulp(quotient) {
        true => y.abs() + rounding,
        false => rounding,
    }
}

fn mix_error([x, y, z]: [f64; 3], exact: f64) -> f64 {
    let first = x.abs() * 0.5 * ulp(1.0 - z) + 0.5 * ulp(x * (1.0 - z));
    first + 0.5 * ulp(y * z) + 0.5 * ulp(exact)
}

fn half_error(_: [f64; 3], exact: f64) -> f64 {
    (exact.abs().max((-14_f64).exp2()).log2().floor() - 10.0).exp2()
}

macro_rules! functions {
    ($($text:literal, $operands:expr, $exact:expr, $error:expr;)+) => {
        &[$(Function { text: $text, operands: $operands, exact: $exact, error: $error }),+]
    };
}

/// Every operation that is tried.
pub(super) const FUNCTIONS: &[Function] = functions![
    "x + y", wide3, |[x, y, _]| x + y, half_ulp;
    "x - y", wide3, |[x, y, _]| x - y, half_ulp;
    "x * y", wide3, |[x, y, _]| x * y, half_ulp;
    "-x", wide3, |[x, ..]| -x, none;
    "x / y", wide3, |[x, y, _]| x / y, |_, exact| 2.5 * ulp(exact);
    "x % y", small, |[x, y, _]| x % y, remainder_error;
    "fma(x, y, z)", wide3, |[x, y, z]| x * y + z, |[x, y, _], exact| 0.5 * ulp(x * y) + half_ulp([0.0; 3], exact);
    "abs(x)", wide3, |[x, ..]| x.abs(), none;
    "sign(x)", wide3, |[x, ..]| x.signum(), none;
    "floor(x)", wide3, |[x, ..]| x.floor(), none;
    "ceil(x)", wide3, |[x, ..]| x.ceil(), none;
    "trunc(x)", wide3, |[x, ..]| x.trunc(), none;
    "round(x * 0.5)", |r| small(r).map(f32::round), |[x, ..]| (x * 0.5).round_ties_even(), none;
    "fract(x)", wide3, |[x, ..]| x - x.floor(), |_, exact| ulp(exact);
    "min(x, y)", wide3, |[x, y, _]| x.min(y), none;
    "max(x, y)", wide3, |[x, y, _]| x.max(y), none;
    "clamp(x, -z, z)", |r| { let [x, _, z] = small(r); [x, 0.0, z.abs()] }, |[x, _, z]| x.clamp(-z, z), none;
    "saturate(x)", small, |[x, ..]| x.clamp(0.0, 1.0), none;
    "step(x, y)", wide3, |[x, y, _]| f64::from(u8::from(x <= y)), none;
    "ldexp(x, i32(y))", small, |[x, y, _]| x * y.trunc().exp2(), none;
    "frexp(x).fract", wide3, |[x, ..]| x / (x.abs().log2().floor() + 1.0).exp2(), none;
    "f32(frexp(x).exp)", wide3, |[x, ..]| x.abs().log2().floor() + 1.0, none;
    "modf(x).whole", wide3, |[x, ..]| x.trunc(), none;
    "modf(x).fract", wide3, |[x, ..]| x.fract(), none;
    "quantizeToF16(x)", small, |[x, ..]| x, half_error;
    "radians(x)", small, |[x, ..]| x.to_radians(), |_, exact| 1.5 * ulp(exact);
    "degrees(x)", small, |[x, ..]| x.to_degrees(), |_, exact| 1.5 * ulp(exact);
    "mix(x, y, z)", |r| { let [x, y, _] = small(r); [x, y, between(r, 0.0, 1.0)] }, |[x, y, z]| x * (1.0 - z) + y * z, mix_error;
    "dot(vec3(x, y, z), vec3(z, x, y))", small, |[x, y, z]| x * z + y * x + z * y, |[x, y, z], _| sum_error([x * z, y * x, z * y]);
    "length(vec3(x, y, z))", small, |[x, y, z]| (x * x + y * y + z * z).sqrt(), length_error;
    "normalize(vec3(x, y, z)).y", small, |[x, y, z]| y / (x * x + y * y + z * z).sqrt(), |[x, y, z], exact| normal_error([x, y, z], exact);
    "distance(vec3(x, y, z), vec3(z, x, y))", small, |[x, y, z]| ((x - z).powi(2) + (y - x).powi(2) + (z - y).powi(2)).sqrt(), |[x, y, z], exact| distance_error([x - z, y - x, z - y], exact);
    "cross(vec3(x, y, z), vec3(z, x, y)).x", small, |[x, y, z]| y * y - z * x, |[x, y, z], exact| 0.5 * (ulp(y * y) + ulp(z * x) + ulp(exact));
    "faceForward(vec2(x, 0.0), vec2(z, 1.0), vec2(1.0, y)).x", small, |[x, y, z]| if z + y < 0.0 { x } else { -x }, none;
    "reflect(vec2(x, y), vec2(z, 0.5)).x", small, |[x, y, z]| x - 2.0 * (x * z + 0.5 * y) * z, reflect_error;
    "refract(vec2(x, y), vec2(0.0, 1.0), 0.75).y", |r| [(); 3].map(|()| between(r, -1.0, 1.0)), |[_, y, _]| -(1.0 - 0.5625 * (1.0 - y * y)).sqrt(), refract_error;
    "smoothstep(y, z, x)", step_operands, cubic_step, cubic_step_error;
    "unpack4x8unorm(bitcast<u32>(x)).x", wide3, |[x, ..]| f64::from(word(x) as u8) / 255.0, |_, exact| 3.0 * ulp(exact);
    "unpack4x8snorm(bitcast<u32>(x)).y", wide3, |[x, ..]| (f64::from((word(x) >> 8) as i8) / 127.0).max(-1.0), |_, exact| 3.0 * ulp(exact);
    "unpack2x16unorm(bitcast<u32>(x)).x", wide3, |[x, ..]| f64::from(word(x) as u16) / 65535.0, |_, exact| 3.0 * ulp(exact);
    "unpack2x16snorm(bitcast<u32>(x)).x", wide3, |[x, ..]| (f64::from(word(x) as i16) / 32767.0).max(-1.0), |_, exact| 3.0 * ulp(exact);
    "unpack2x16float(bitcast<u32>(x)).x", halves, |[x, ..]| lower_half(x), none;
    "f32(x < y) + 2.0 * f32(x <= y) + 4.0 * f32(x == y) + 8.0 * f32(x != y)", |r| small(r).map(f32::round), |[x, y, _]| {
        f64::from(u8::from(x < y) + 2 * u8::from(x <= y) + 4 * u8::from(x == y) + 8 * u8::from(x != y))
    }, none;
    "sqrt(x)", positive, |[x, ..]| x.sqrt(), |_, exact| root_error(exact);
    "inverseSqrt(x)", positive, |[x, ..]| 1.0 / x.sqrt(), |_, exact| 2.0 * ulp(exact);
    "sin(x)", angle, |[x, ..]| x.sin(), sine_error;
    "cos(x)", angle, |[x, ..]| x.cos(), sine_error;
    "tan(x)", |r| [between(r, -1.5, 1.5), 0.0, 0.0], |[x, ..]| x.tan(), tan_error;
    "asin(x)", unit, |[x, ..]| x.asin(), arc;
    "acos(x)", unit, |[x, ..]| x.acos(), arc;
    "atan(x)", wide3, |[x, ..]| x.atan(), tangent_arc;
    "atan2(x, y)", wide3, |[x, y, _]| x.atan2(y), tangent_arc;
    "sinh(x)", small, |[x, ..]| x.sinh(), hyperbolic_error;
    "cosh(x)", small, |[x, ..]| x.cosh(), hyperbolic_error;
    "tanh(x)", small, |[x, ..]| x.tanh(), tanh_error;
    "asinh(x)", |r| [between(r, -3.0, 10.0), 0.0, 0.0], |[x, ..]| x.asinh(), |[x, ..], exact| log_of_sum_error(x, (x * x + 1.0).sqrt(), exact);
    "acosh(x)", |r| [between(r, 1.5, 10.0), 0.0, 0.0], |[x, ..]| x.acosh(), |[x, ..], exact| log_of_sum_error(x, (x * x - 1.0).sqrt(), exact);
    "atanh(x)", |r| [between(r, -0.9, 0.9), 0.0, 0.0], |[x, ..]| x.atanh(), atanh_error;
    "exp(x)", |r| [between(r, -40.0, 40.0), 0.0, 0.0], |[x, ..]| x.exp(), |[x, ..], exact| power_error(x, exact);
    "exp2(x)", |r| [between(r, -60.0, 60.0), 0.0, 0.0], |[x, ..]| x.exp2(), |[x, ..], exact| power_error(x, exact);
    "log(x)", positive, |[x, ..]| x.ln(), |[x, ..], exact| log_error(x, exact);
    "log2(x)", positive, |[x, ..]| x.log2(), |[x, ..], exact| log_error(x, exact);
    "pow(x, y)", |r| [between(r, 0.01, 10.0), between(r, -5.0, 5.0), 0.0], |[x, y, _]| x.powf(y), pow_error;
];

/// Operations on words `x`, `y` and `z` that have one result.
pub(super) const OF_WORDS: &[&str] = &[
    "x / (y % 5u)",
    "x % (y % 5u)",
    "bitcast<u32>(bitcast<i32>(x) / (bitcast<i32>(y) % 3))",
    "bitcast<u32>(bitcast<i32>(x) % (bitcast<i32>(y) % 3))",
    "bitcast<u32>(abs(bitcast<i32>(x)))",
    "bitcast<u32>(sign(bitcast<i32>(x)))",
    "bitcast<u32>(min(bitcast<i32>(x), bitcast<i32>(y)))",
    "bitcast<u32>(max(bitcast<i32>(x), bitcast<i32>(y)))",
    "min(x, y)",
    "max(x, y)",
    "x << (y % 32u)",
    "x >> (y % 32u)",
    "bitcast<u32>(bitcast<i32>(x) >> (y % 32u))",
    "countOneBits(x)",
    "countLeadingZeros(x >> (y % 33u))",
    "countTrailingZeros(x << (y % 32u))",
    "reverseBits(x)",
    "firstLeadingBit(x >> (y % 32u))",
    "bitcast<u32>(firstLeadingBit(bitcast<i32>(x) >> (y % 32u)))",
    "firstTrailingBit(x << (y % 32u))",
    "extractBits(x, y % 40u, z % 40u)",
    "bitcast<u32>(extractBits(bitcast<i32>(x), y % 40u, z % 40u))",
    "insertBits(x, y, z % 40u, (z >> 8u) % 40u)",
    "pack4xU8(vec4<u32>(x, y, z, x))",
    "pack4xU8Clamp(vec4<u32>(x >> 23u, y >> 24u, z, x >> 25u))",
    "pack4xI8(bitcast<vec4<i32>>(vec4<u32>(x, y, z, x)))",
    "pack4xI8Clamp(bitcast<vec4<i32>>(vec4<u32>(x, y, z, x)) >> vec4<u32>(24u, 23u, 22u, 25u))",
    "unpack4xU8(x).z",
    "bitcast<u32>(unpack4xI8(x).z)",
    "dot4U8Packed(x, y)",
    "bitcast<u32>(dot4I8Packed(x, y))",
    "pack4x8unorm(unpack4x8unorm(x))",
    "pack4x8snorm(unpack4x8snorm(x))",
    "pack2x16unorm(unpack2x16unorm(x))",
    "pack2x16snorm(unpack2x16snorm(x))",
    "pack2x16float(unpack2x16float(x & 0xbbffbbffu))",
    "u32(f32(x >> 3u) * 16.0 - 1000000.0)",
    "bitcast<u32>(i32(f32(bitcast<i32>(x) >> 3u) * 16.0))",
    "bitcast<u32>(f32(x >> 8u))",
    "bitcast<u32>(f32(bitcast<i32>(x) >> 8u))",
];
