// Programs of the pass setups. Places are multiples of 1/64 of clip space, so that both sides get the same ones.

fn scrambled(seed: u32) -> u32 {
    var x = seed * 0x9e3779b9u + 0x7f4a7c15u;
    x = (x ^ (x >> 16u)) * 0x85ebca6bu;
    x = (x ^ (x >> 13u)) * 0xc2b2ae35u;
    return x ^ (x >> 16u);
}

fn part(seed: u32, steps: u32) -> f32 { return f32(scrambled(seed) % (steps + 1u)) / f32(steps); }

struct Corner {
    @builtin(position) at: vec4f,
    @location(0) color: vec4f,
    @location(1) uv: vec3f,
}

// Triangles from here and there, each with a depth, a colour at each corner, and w of 1 or 2.
fn scattered_corner(n: u32) -> Corner {
    let w = 1.0 + f32(scrambled(n * 5u) & 1u);
    let at = vec2f(part(n * 5u + 1u, 128u), part(n * 5u + 2u, 128u)) * 2.0 - 1.0;
    let z = part((n / 3u) * 7u + 3u, 64u);
    var out: Corner;
    out.at = vec4f(at * w, z * w, w);
    out.color = vec4f(part(n * 11u, 8u), part(n * 11u + 1u, 8u), part(n * 11u + 2u, 8u), part(n * 11u + 3u, 8u));
    out.uv = vec3f(part(n * 13u, 32u), part(n * 13u + 1u, 32u), part(n * 13u + 2u, 32u));
    return out;
}

@vertex fn scattered(@builtin(vertex_index) v: u32, @builtin(instance_index) i: u32) -> Corner {
    return scattered_corner(v + 1000u * i);
}

// Places on a line from pixel edge to pixel edge: along a row, or along a column of every other instance.
@vertex fn ruled(@builtin(vertex_index) v: u32, @builtin(instance_index) i: u32) -> Corner {
    var out = scattered_corner(v + 1000u * i);
    let along = scrambled(v + 97u * i);
    let line = f32(scrambled(i) % 64u) + 0.625;
    let pixel = select(vec2f(f32(along % 97u), line), vec2f(line, f32(along % 65u)), i % 2u == 1u);
    out.at = vec4f(pixel.x / 48.0 - 1.0, 1.0 - pixel.y / 32.0, 0.5, 1.0);
    return out;
}

// Depth and colour by corner, in the plane of the screen.
fn sloping_corner(v: u32) -> Corner {
    var out: Corner;
    let at = vec2f(part(v * 5u + 1u, 128u), part(v * 5u + 2u, 128u)) * 2.0 - 1.0;
    out.at = vec4f(at, part(v * 7u + 3u, 64u), 1.0);
    out.color = vec4f(part(v * 11u, 8u), part(v * 11u + 1u, 8u), part(v * 11u + 2u, 8u), part(v * 11u + 3u, 8u));
    out.uv = vec3f(at * 0.5 + 0.5, part(v, 32u));
    return out;
}

@vertex fn sloping(@builtin(vertex_index) v: u32) -> Corner { return sloping_corner(v); }

// One triangle over everything; coordinates run over the target once.
@vertex fn everywhere(@builtin(vertex_index) v: u32) -> Corner {
    var out: Corner;
    let at = vec2f(f32(v / 2u), f32(v % 2u)) * 2.0;
    out.at = vec4f(at * 2.0 - 1.0, 0.25, 1.0);
    out.color = vec4f(at, 1.0 - at.x, 1.0);
    out.uv = vec3f(at.x, 1.0 - at.y, 0.5);
    return out;
}

@fragment fn colored(in: Corner) -> @location(0) vec4f { return in.color; }

@fragment fn wide(in: Corner) -> @location(0) vec4f { return in.color * 3.0 - 1.0; }

@fragment fn unsigned_integers(in: Corner) -> @location(0) vec4u { return vec4u(in.color * 4.0 + 0.25) * 37u; }

@fragment fn signed_integers(in: Corner) -> @location(0) vec4i { return vec4i(in.color * 4.0 + 0.25) * 37 - 70; }

struct Several {
    @location(0) first: vec4f,
    @location(1) second: vec4f,
    @location(2) third: vec4u,
}

@fragment fn several(in: Corner) -> Several {
    return Several(in.color, in.color.wzyx * 2.0, vec4u(in.color * 4.0 + 0.25));
}

@fragment fn discarding(in: Corner) -> @location(0) vec4f {
    if in.uv.x > 0.5 && in.color.x < 0.6 { discard; }
    return in.color;
}

struct WithDepth {
    @location(0) color: vec4f,
    @builtin(frag_depth) depth: f32,
}

@fragment fn own_depth(in: Corner) -> WithDepth { return WithDepth(in.color, floor(in.color.x * 16.0) / 16.0); }

struct Masked {
    @location(0) color: vec4f,
    @builtin(sample_mask) mask: u32,
}

@fragment fn own_mask(in: Corner) -> Masked { return Masked(in.color, u32(in.color.x * 15.0)); }

@fragment fn by_sample(in: Corner, @builtin(sample_index) sample: u32) -> @location(0) vec4f {
    return vec4f(in.color.rg, f32(sample) / 3.0, fract(in.at.x));
}

struct Sampled {
    @location(0) @interpolate(perspective, sample) color: vec4f,
}

struct SampledCorner {
    @builtin(position) at: vec4f,
    @location(0) @interpolate(perspective, sample) color: vec4f,
}

@vertex fn sampled(@builtin(vertex_index) v: u32) -> SampledCorner {
    let corner = sloping_corner(v);
    return SampledCorner(corner.at, corner.color);
}

@fragment fn at_samples(in: Sampled) -> @location(0) vec4f { return in.color; }

@fragment fn by_face(@builtin(front_facing) front: bool, @builtin(position) at: vec4f) -> @location(0) vec4f {
    return vec4f(select(0.0, 1.0, front), at.x / 128.0, at.y / 128.0, 1.0);
}

struct Kinds {
    @builtin(position) at: vec4f,
    @location(0) @interpolate(linear) linear: vec3f,
    @location(1) @interpolate(flat, first) flat: vec2f,
    @location(2) @interpolate(flat, first) number: u32,
}

@vertex fn kinds(@builtin(vertex_index) v: u32) -> Kinds {
    let corner = scattered_corner(v);
    return Kinds(corner.at, corner.color.rgb, corner.uv.xy, v);
}

@fragment fn by_kind(in: Kinds) -> @location(0) vec4f {
    return vec4f(in.linear.rg * 0.5 + in.flat.x * 0.5, in.flat.y, f32(in.number % 16u) / 15.0);
}

struct Attributes {
    @location(0) place: vec2f,
    @location(1) color: vec4f,
    @location(2) shift: vec2f,
}

@vertex fn attributes(in: Attributes) -> Corner {
    return Corner(vec4f(in.place + in.shift, 0.5, 1.0), in.color, vec3f(in.place, 0.0));
}

struct Integers {
    @location(0) place: vec2f,
    @location(1) unsigned: vec4u,
    @location(2) signed: vec4i,
}

@vertex fn integers(in: Integers) -> Corner {
    return Corner(vec4f(in.place, 0.5, 1.0), vec4f(in.unsigned) / 255.0 + vec4f(in.signed) / 256.0, vec3f(0.0));
}

@group(0) @binding(0) var plane: texture_2d<f32>;
@group(0) @binding(0) var planes: texture_2d_array<f32>;
@group(0) @binding(0) var volume: texture_3d<f32>;
@group(0) @binding(0) var sky: texture_cube<f32>;
@group(0) @binding(0) var skies: texture_cube_array<f32>;
@group(0) @binding(0) var depths: texture_depth_2d;
@group(0) @binding(0) var samples: texture_multisampled_2d<f32>;
@group(0) @binding(0) var numbers: texture_2d<u32>;
@group(0) @binding(1) var how: sampler;
@group(0) @binding(1) var compared: sampler_comparison;

@fragment fn of_plane(in: Corner) -> @location(0) vec4f { return textureSample(plane, how, in.uv.xy * 2.0 - 0.3); }

@fragment fn of_level(in: Corner) -> @location(0) vec4f { return textureSampleLevel(plane, how, in.uv.xy, in.color.x * 3.0); }

@fragment fn of_offset(in: Corner) -> @location(0) vec4f {
    return textureSampleLevel(plane, how, in.uv.xy, 0.0, vec2i(3, -2));
}

@fragment fn of_gradient(in: Corner) -> @location(0) vec4f {
    // One, two and four texels along x, or y: whole levels, as the logarithm of others is the driver's own.
    let texel = 1.0 / vec2f(textureDimensions(plane));
    let texels = exp2(floor(in.uv.x * 3.0));
    if in.uv.y > 0.5 { return textureSampleGrad(plane, how, in.uv.xy, vec2f(texel.x * texels, 0.0), vec2f(0.0, texel.y)); }
    return textureSampleGrad(plane, how, in.uv.xy, vec2f(texel.x, 0.0), vec2f(0.0, texel.y * texels));
}

@fragment fn of_gather(in: Corner) -> @location(0) vec4f { return textureGather(1, plane, how, in.uv.xy); }

@fragment fn of_layer(in: Corner) -> @location(0) vec4f {
    return textureSampleLevel(planes, how, in.uv.xy, i32(in.uv.x * 5.0) - 1, 0.0);
}

@fragment fn of_volume(in: Corner) -> @location(0) vec4f {
    return textureSampleLevel(volume, how, vec3f(in.uv.xy, in.color.x * 1.5 - 0.25), 0.0);
}

fn towards(uv: vec2f) -> vec3f {
    let a = (uv.x - 0.5) * 6.25;
    let b = (uv.y - 0.5) * 3.0;
    return vec3f(sin(a) * cos(b), sin(b), cos(a) * cos(b));
}

@fragment fn of_sky(in: Corner) -> @location(0) vec4f { return textureSampleLevel(sky, how, towards(in.uv.xy), 0.0); }

@fragment fn of_skies(in: Corner) -> @location(0) vec4f {
    return textureSampleLevel(skies, how, towards(in.uv.xy), i32(in.uv.x * 2.0), 0.0);
}

@fragment fn of_comparison(in: Corner) -> @location(0) vec4f {
    let lit = textureSampleCompareLevel(depths, compared, in.uv.xy, in.color.x * 0.5 + 0.25);
    return vec4f(lit, 0.0, 0.0, 1.0);
}

@fragment fn of_depth(in: Corner) -> @location(0) vec4f {
    let size = vec2f(textureDimensions(depths));
    return vec4f(textureLoad(depths, vec2i(in.uv.xy * size), 0), 0.0, 0.0, 1.0);
}

@fragment fn of_samples(in: Corner) -> @location(0) vec4f {
    let size = vec2f(textureDimensions(samples));
    return textureLoad(samples, vec2i(in.uv.xy * size), 2);
}

@fragment fn of_numbers(in: Corner) -> @location(0) vec4u {
    return textureLoad(numbers, vec2i(in.uv.xy * vec2f(textureDimensions(numbers))), 0) + 1u;
}

@group(0) @binding(0) var<storage, read_write> counts: array<atomic<u32>>;

@fragment fn counting(in: Corner) -> @location(0) vec4f {
    atomicAdd(&counts[u32(in.color.x * 7.99)], 1u);
    return in.color;
}

@group(0) @binding(0) var painted: texture_storage_2d<rgba8unorm, write>;

@compute @workgroup_size(8, 4) fn paint(@builtin(global_invocation_id) id: vec3u) {
    textureStore(painted, id.xy, vec4f(part(id.x, 255u), part(id.y, 255u), part(id.x ^ id.y, 255u), 1.0));
}

@group(0) @binding(0) var<storage, read> source: array<u32>;
@group(0) @binding(1) var<storage, read_write> sums: array<u32>;
var<workgroup> held: array<u32, 64>;

@compute @workgroup_size(64) fn reduce(
    @builtin(local_invocation_index) lane: u32, @builtin(workgroup_id) group: vec3u,
) {
    held[lane] = source[group.x * 64u + lane];
    workgroupBarrier();
    for (var step = 32u; step > 0u; step /= 2u) {
        if lane < step { held[lane] += held[lane + step]; }
        workgroupBarrier();
    }
    if lane == 0u { sums[group.x] = held[0]; }
}
