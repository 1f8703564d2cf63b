//! Tests of the environment as a whole.

#[path = "../../../tests/common/mod.rs"]
mod common;
#[path = "../../../tests/common/shared.rs"]
mod shared;

use super::*;
use octahedral::{solid_angle_density, square_from_texels};
use shared::shared;

/// The mean over the sphere of a level.
fn mean(environment: &Environment, level: usize) -> Vec3 {
    let size = (environment.size >> level) as usize;
    let (mut sum, mut total) = (Vec3::ZERO, 0.0);
    for y in 1..size - 1 {
        for x in 1..size - 1 {
            let square = square_from_texels(Vec2::new(x as f32 + 0.5, y as f32 + 0.5), size);
            let weight = solid_angle_density(square);
            sum += linear_from_rgb9e5(environment.levels[level][y * size + x]) * weight;
            total += weight;
        }
    }
    sum / total
}

fn directions(count: u32) -> impl Iterator<Item = Vec3> {
    (0..count).map(move |i| {
        let y = 1.0 - (2.0 * i as f32 + 1.0) / count as f32;
        let angle = i as f32 * 2.399_963;
        let radius = (1.0 - y * y).sqrt();
        Vec3::new(radius * angle.cos(), y, radius * angle.sin())
    })
}

/// An equirectangular map of `width` x `width / 2` from radiance by direction.
fn equirect(width: u32, radiance: impl Fn(Vec3) -> Vec3) -> Environment {
    use std::f32::consts::{PI, TAU};
    let height = width / 2;
    let pixels: Vec<Vec3> = (0..width * height)
        .map(|i| {
            let u = ((i % width) as f32 + 0.5) / width as f32;
            let v = ((i / width) as f32 + 0.5) / height as f32;
            let (longitude, latitude) = ((u - 0.5) * TAU, (0.5 - v) * PI);
            let (sin, cos) = longitude.sin_cos();
            radiance(Vec3::new(
                cos * latitude.cos(),
                latitude.sin(),
                sin * latitude.cos(),
            ))
        })
        .collect();
    Environment::from_equirect(width, height, &pixels).unwrap()
}

#[test]
fn environment_of_one_colour_has_it_everywhere() {
    let color = Vec3::new(0.5, 1.25, 3.0);
    let environment = equirect(64, |_| color);
    for direction in directions(200) {
        for level in 0..environment.levels.len() {
            let found = environment.sample(level as f32, direction);
            assert!(
                (found - color).abs().max_element() < 0.01,
                "level {level} at {direction}: {found}"
            );
        }
        let found = environment.irradiance_over_pi(direction);
        assert!(
            (found - color).abs().max_element() < 0.01,
            "irradiance at {direction}: {found}"
        );
    }
}

#[test]
fn environment_levels_halve_and_fill() {
    let environment = equirect(256, |_| Vec3::ONE);
    assert_eq!(environment.size, 128, "half the width");
    let lengths: Vec<_> = environment.levels.iter().map(Vec::len).collect();
    assert_eq!(
        lengths,
        [128 * 128, 64 * 64, 32 * 32, 16 * 16],
        "edge size >> level"
    );
}

#[test]
fn environment_irradiance_matches_the_integral_of_linear_light() {
    // L = 1 + a·d has irradiance / pi = 1 + 2/3 a·n.
    let axis = Vec3::new(0.3, -0.5, 0.2);
    let environment = equirect(128, |d| Vec3::splat(1.0 + axis.dot(d)));
    for normal in directions(50) {
        let expected = 1.0 + axis.dot(normal) * 2.0 / 3.0;
        let found = environment.irradiance_over_pi(normal).x;
        assert!(
            (found - expected).abs() < 0.005,
            "normal {normal}: {found}, not {expected}"
        );
    }
}

/// A low sun before black sky: half of what a surface that looks at it gets is left at 60 degrees, and nothing at 90 and behind.
#[test]
fn environment_irradiance_of_a_sun_is_its_cosine() {
    let sun = Vec3::new(0.8, 0.2, -0.5).normalize();
    let environment = equirect(256, |d| {
        Vec3::splat(if d.dot(sun) > 0.995 { 100.0 } else { 0.0 })
    });
    // Radiance times the disc's solid angle over pi.
    let facing = 100.0 * 2.0 * (1.0 - 0.995);
    for normal in directions(500) {
        let expected = facing * normal.dot(sun).max(0.0);
        let found = environment.irradiance_over_pi(normal).x;
        assert!(
            (found - expected).abs() < 0.05 * facing,
            "normal {normal}: {found}, not {expected}"
        );
    }
}

#[test]
fn environment_irradiance_matches_the_integral_of_band_two() {
    // L = d.x² has irradiance / pi = 1/3 + (n.x² - 1/3)/4; likewise for the other axes.
    let environment = equirect(128, |d| d * d);
    for normal in directions(50) {
        let expected = Vec3::splat(1.0 / 3.0) + (normal * normal - 1.0 / 3.0) / 4.0;
        let found = environment.irradiance_over_pi(normal);
        assert!(
            (found - expected).abs().max_element() < 0.005,
            "normal {normal}: {found}, not {expected}"
        );
    }
}

#[test]
fn environment_is_continuous_across_the_octahedrons_edges() {
    let environment = equirect(256, |d| Vec3::splat(1.0) + d * Vec3::new(0.9, 0.5, 0.7));
    for level in 0..environment.levels.len() {
        for (x, z) in [
            (1.0, 0.3),
            (-0.4, 1.0),
            (-1.0, -0.2),
            (0.7, -1.0),
            (0.0, 0.0),
        ] {
            // Below the equator the axes' planes are the edges of the square.
            for (a, b) in [
                (Vec3::new(1e-4, -0.5, z), Vec3::new(-1e-4, -0.5, z)),
                (Vec3::new(x, -0.5, 1e-4), Vec3::new(x, -0.5, -1e-4)),
            ] {
                let step =
                    environment.sample(level as f32, a) - environment.sample(level as f32, b);
                assert!(
                    step.abs().max_element() < 0.01,
                    "level {level}: a step of {step} at {a}"
                );
            }
        }
    }
}

#[test]
fn environment_border_repeats_what_lies_across() {
    let environment = Environment::builtin();
    for (level, texels) in environment.levels.iter().enumerate() {
        let n = (environment.size >> level) as usize;
        for i in 0..n {
            let inner = (n - 1 - i).clamp(1, n - 2);
            assert_eq!(
                texels[i * n],
                texels[inner * n + if i == 0 || i == n - 1 { n - 2 } else { 1 }],
                "left border, row {i}"
            );
            assert_eq!(
                texels[i],
                texels[if i == 0 || i == n - 1 { n - 2 } else { 1 } * n + inner],
                "upper border, column {i}"
            );
        }
    }
}

#[test]
fn environment_prefilter_keeps_energy() {
    let environment = Environment::builtin();
    let expected = mean(&environment, 0);
    for level in 1..environment.levels.len() {
        let ratio = mean(&environment, level) / expected;
        assert!(
            (ratio - Vec3::ONE).abs().max_element() < 0.03,
            "level {level} holds {ratio} of level 0's light"
        );
    }
}

/// Dim all around, brighter above, with a wide light and one of eight degrees.
fn studio(towards: [f64; 3]) -> f64 {
    let cosine = |axis: [f64; 3]| -> f64 { axis.iter().zip(towards).map(|(a, b)| a * b).sum() };
    let wide = 1.5 * ((cosine([0.6, 0.64, -0.48]) - 1.0) / 0.3).exp();
    let small = 12.0 * ((cosine([-0.48, 0.36, 0.8]) - 1.0) / 0.01).exp();
    0.3 + 0.2 * towards[1] + wide + small
}

/// The mean of [`studio`] around a unit vector where normal, view and reflection coincide, weighted by D(H) N.L: a sum in double
/// precision over azimuths and polar angles, which lie as the cubes of even steps.
fn exact_prefiltered(normal: Vec3, roughness: f64) -> f64 {
    use std::f64::consts::PI;
    const STEPS: u32 = 128;
    let (tangent, bitangent) = normal.any_orthonormal_pair();
    let axes = [tangent, bitangent, normal].map(|axis| axis.to_array().map(f64::from));
    let alpha_squared = roughness.powi(4);
    let (mut sum, mut total) = (0.0, 0.0);
    for row in 0..STEPS {
        let step = (f64::from(row) + 0.5) / f64::from(STEPS);
        let (sine, cosine) = (step.powi(3) * PI / 2.0).sin_cos();
        let n_dot_h_squared = (1.0 + cosine) / 2.0;
        let distribution = (n_dot_h_squared * (alpha_squared - 1.0) + 1.0).powi(-2);
        let weight = distribution * cosine * sine * step * step;
        for column in 0..STEPS {
            let (y, x) = ((f64::from(column) + 0.5) / f64::from(STEPS) * 2.0 * PI).sin_cos();
            let local = [sine * x, sine * y, cosine];
            let towards = [0, 1, 2].map(|k| (0..3).map(|axis| axes[axis][k] * local[axis]).sum());
            sum += weight * studio(towards);
            total += weight;
        }
    }
    sum / total
}

#[test]
fn environment_levels_are_what_brute_force_finds() {
    let environment = equirect(512, |d| {
        Vec3::splat(studio(d.to_array().map(f64::from)) as f32)
    });
    let last = environment.levels.len() - 1;
    for level in 1..=last {
        let roughness = level as f64 / last as f64;
        let errors: Vec<f64> = directions(200)
            .map(|direction| {
                let found = f64::from(environment.sample(level as f32, direction).x);
                found / exact_prefiltered(direction, roughness) - 1.0
            })
            .collect();
        let mean = errors.iter().sum::<f64>() / errors.len() as f64;
        let worst = errors.iter().map(|error| error.abs()).fold(0.0, f64::max);
        // The roughest level has 14 texels across, between which it is linear.
        assert!(
            mean.abs() < 0.01 && worst < 0.09,
            "level {level} of {last}: off by {mean} on average, {worst} at worst"
        );
    }
}

#[test]
fn environment_rougher_levels_are_smoother() {
    let environment = equirect(256, |d| Vec3::splat(if d.x > 0.99 { 100.0 } else { 0.1 }));
    let peaks: Vec<f32> = (0..environment.levels.len())
        .map(|level| environment.sample(level as f32, Vec3::X).x)
        .collect();
    assert!(
        peaks.is_sorted_by(|a, b| a > b),
        "peaks by level: {peaks:?}"
    );
}

#[test]
fn environment_equirect_axes_are_where_the_formula_says() {
    let environment = equirect(256, |d| d.max(Vec3::ZERO));
    for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
        let found = environment.sample(0.0, axis);
        assert!(
            (found - axis).abs().max_element() < 0.02,
            "{axis} shows {found}"
        );
        let behind = environment.sample(0.0, -axis);
        assert!(behind.max_element() < 0.02, "{} shows {behind}", -axis);
    }
}

#[test]
fn environment_equirect_drops_what_is_no_radiance() {
    let wild = [Vec3::new(f32::NAN, -1.0, f32::INFINITY); 8];
    let environment = Environment::from_equirect(4, 2, &wild).unwrap();
    let found = environment.sample(2.0, Vec3::Z);
    assert_eq!(
        found,
        Vec3::new(0.0, 0.0, RGB9E5_MAX),
        "clamped before filtering"
    );
    for normal in directions(50) {
        let irradiance = environment.irradiance_over_pi(normal);
        assert!(irradiance.is_finite(), "normal {normal}: {irradiance}");
    }
}

#[test]
fn environment_equirect_of_wrong_size_is_refused() {
    let refused = |width, height, pixels: usize| {
        Environment::from_equirect(width, height, &vec![Vec3::ONE; pixels])
    };
    assert!(
        matches!(refused(0, 2, 0), Err(EnvironmentError::Size { .. })),
        "no columns"
    );
    assert!(
        matches!(
            refused(MAX_EQUIRECT_WIDTH + 1, 1, 0),
            Err(EnvironmentError::Size { .. })
        ),
        "too wide"
    );
    assert!(
        matches!(refused(4, 2, 7), Err(EnvironmentError::Pixels { .. })),
        "a pixel is missing"
    );
    assert!(refused(1, 1, 1).is_ok(), "one pixel is a map");
    assert!(refused(3, 7, 21).is_ok(), "any shape is a map");
}

/// A Radiance file of 16x8 pixels, each (1, 0.5, 0.25), without compression.
fn hdr_file() -> Vec<u8> {
    let mut file = b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 8 +X 16\n".to_vec();
    for _ in 0..8 * 16 {
        file.extend([128, 64, 32, 129]);
    }
    file
}

#[test]
fn environment_hdr_bytes_give_their_radiance() {
    let environment = Environment::from_hdr_bytes(&hdr_file()).unwrap();
    assert_eq!(
        environment.sample(0.0, Vec3::X),
        Vec3::new(1.0, 0.5, 0.25),
        "RGBE decoded"
    );
}

#[test]
fn environment_hdr_cut_anywhere_is_an_error() {
    let file = hdr_file();
    for length in 0..file.len() {
        let cut = Environment::from_hdr_bytes(&file[..length]);
        assert!(
            matches!(cut, Err(EnvironmentError::Hdr(_))),
            "cut to {length} bytes"
        );
    }
}

#[test]
fn environment_hdr_of_huge_size_is_refused_before_allocation() {
    let file = b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 60000 +X 60000\n";
    let refused = Environment::from_hdr_bytes(file);
    assert!(
        matches!(refused, Err(EnvironmentError::Size { .. })),
        "60000 is beyond the limit"
    );
}

#[test]
fn environment_hdr_of_more_rows_than_bytes_is_refused_before_allocation() {
    let file = b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 8192 +X 8192\n";
    let refused = Environment::from_hdr_bytes(file);
    assert!(
        matches!(refused, Err(EnvironmentError::Short { height: 8192, .. })),
        "800 MB for a file of 50 bytes"
    );
}

#[test]
fn environment_hdr_runs_of_any_length_are_errors_or_pixels() {
    let with_markers = |markers: usize| {
        let mut file = b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 20\n".to_vec();
        file.extend([128, 64, 32, 129]);
        for _ in 0..markers {
            file.extend([1, 1, 1, 0]);
        }
        // Beyond the run of no pixels, the rest of the row one by one.
        file.extend([128, 64, 32, 129].repeat(19));
        Environment::from_hdr_bytes(&file)
    };
    assert!(with_markers(7).is_ok(), "each of them adds nothing");
    for markers in [8, 9, 100] {
        assert!(
            matches!(with_markers(markers), Err(EnvironmentError::Hdr(_))),
            "{markers} markers in a row"
        );
    }
}

#[test]
fn environment_is_the_same_for_any_thread_count() {
    let with_threads = |n| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(n)
            .build()
            .unwrap();
        pool.install(|| Environment::from_radiance(builtin_radiance()))
    };
    assert_eq!(with_threads(1), with_threads(3), "bit for bit");
}

/// By a step of a texel's scale at most: sines are not the same to the last bit everywhere. `UPDATE_REFERENCES=1` writes
/// the file anew, and still fails.
#[test]
fn environment_builtin_is_the_sky_filtered() {
    let filtered = Environment::from_radiance(builtin_radiance());
    let maps = |environment: &Environment| {
        let levels = environment.levels[1..].iter();
        let maps: Vec<_> = levels.chain([&environment.irradiance]).cloned().collect();
        maps.concat()
    };
    let (kept, filtered) = (maps(&Environment::builtin()), maps(&filtered));
    let is_near = |(&kept, &filtered): (&u32, &u32)| {
        let [kept, filtered] = [kept, filtered].map(linear_from_rgb9e5);
        (kept - filtered).abs().max_element() <= filtered.max_element() / 256.0
    };
    let is_kept = kept.len() == filtered.len() && kept.iter().zip(&filtered).all(is_near);
    if !is_kept && std::env::var_os("UPDATE_REFERENCES").is_some_and(|value| value == "1") {
        let bytes: Vec<u8> = filtered
            .iter()
            .flat_map(|word| word.to_le_bytes())
            .collect();
        std::fs::write("../../assets/sky.rgb9e5", bytes).unwrap();
    }
    assert!(
        is_kept,
        "assets/sky.rgb9e5 is not the sky filtered; UPDATE_REFERENCES=1 writes it anew"
    );
}

#[test]
fn environment_of_a_real_file_has_light() {
    let Some(file) = shared("env/spruit_sunrise_1k.hdr") else {
        return;
    };
    let bytes = std::fs::read(file).unwrap();
    let environment = Environment::from_hdr_bytes(&bytes).unwrap();
    assert_eq!(environment.size, 512, "half the map's width");
    assert!(mean(&environment, 0).min_element() > 0.0, "some light");
}
