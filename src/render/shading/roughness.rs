//! Roughness of a surface: from what materials say to the widths of the GGX lobe.

use azulejo_simd::Lanes;

/// Least perceptual roughness: below it, highlights of punctual lights are smaller than single precision resolves.
pub(super) const MIN_ROUGHNESS: f32 = 0.045;

/// Share of a surface's roughness that blurs the picture behind it: all of it for glass, and none where this index of
/// refraction bends nothing, as viewers have it.
pub(super) const fn shown_of_roughness(ior: f32) -> f32 {
    (2.0 * ior - 2.0).clamp(0.0, 1.0)
}

/// How rough a surface is, in the forms that the formulas ask for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Roughness<L: Lanes> {
    /// Roughness of the material, [`MIN_ROUGHNESS`] to 1.
    pub(super) perceptual: L::F,
    /// The width of GGX: the square.
    pub(super) alpha: L::F,
    /// The square of `alpha`.
    pub(super) alpha_squared: L::F,
}

impl<L: Lanes> Roughness<L> {
    /// Forms of a perceptual roughness, which is clamped here.
    #[inline(always)]
    pub(super) fn new(l: L, perceptual: L::F) -> Self {
        let perceptual = l.min(l.max(perceptual, l.f(MIN_ROUGHNESS)), l.f(1.0));
        let alpha = perceptual * perceptual;
        Self {
            perceptual,
            alpha,
            alpha_squared: alpha * alpha,
        }
    }
}
