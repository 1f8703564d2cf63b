// Radiance as the target of a pass holds it.

#if shared_exponent
// Rounded to RGB9E5, as azulejo keeps what lies behind surfaces; half floats hold such colours exactly.
fn in_shared_exponent(color: vec3f) -> vec3f {
    let bounded = clamp(color, vec3f(0), vec3f(65408));
    let largest = max(max(bounded.r, bounded.g), bounded.b);
    var exponent = max(i32(bitcast<u32>(largest) >> 23) - 127, -16) - 8;
    if (floor(largest * power_of_two(-exponent) + 0.5) >= 512.0) {
        exponent++;
    }
    return floor(bounded * power_of_two(-exponent) + 0.5) * power_of_two(exponent);
}

// Exact, which exp2 need not be.
fn power_of_two(exponent: i32) -> f32 {
    return bitcast<f32>(u32(exponent + 127) << 23);
}
#endif
