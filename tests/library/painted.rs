//! One fragment program for all tests that draw with a program of their own: each type of program is compiled anew, for
//! every instruction set, which takes longer than the tests.

use azulejo::render::geometry::VaryingLayout;
use azulejo::render::shading::{FragmentInputs, FragmentOutput, FragmentProgram};
use azulejo::simd::Lanes;

/// Colour of a fragment.
#[cfg_attr(
    not(feature = "demos"),
    expect(dead_code, reason = "tests over demos are left out")
)]
#[derive(Debug, Clone, Copy)]
pub(crate) enum Painted<'a> {
    /// One colour everywhere.
    Color([f32; 3]),
    /// The vertex colour; below the cutoff of alpha it discards.
    VertexColor { cutoff: Option<f32> },
    /// Place in the world.
    PositionWorld,
    /// All varyings that there are, summed up.
    EveryVarying,
    /// Grey out of a table, at the column where the pixel lies, and so many further.
    Striped { table: &'a [u32], shift: i32 },
}

impl FragmentProgram for Painted<'_> {
    fn varyings(&self) -> VaryingLayout {
        let mut layout = VaryingLayout::default();
        match self {
            Self::Color(_) | Self::Striped { .. } => {}
            Self::VertexColor { .. } => layout.color = layout.take(4),
            Self::PositionWorld => layout.position_world = layout.take(3),
            Self::EveryVarying => {
                layout.normal_world = layout.take(3);
                layout.tangent_world = layout.take(4);
                layout.color = layout.take(4);
                layout.tex_coords = layout.tex_coords.map(|_| layout.take(2));
            }
        }
        layout
    }

    #[inline(always)]
    fn shade<L: Lanes>(&self, l: L, inputs: &FragmentInputs<L>) -> FragmentOutput<L> {
        let opaque = |[red, green, blue]: [L::F; 3]| [red, green, blue, l.f(1.0)];
        let [x, y, z] = std::array::from_fn(|k| inputs.varyings[k]);
        let rgba = match self {
            Self::Color(color) => opaque(color.map(|part| l.f(part))),
            Self::VertexColor { .. } => std::array::from_fn(|k| inputs.varyings[k]),
            Self::PositionWorld => opaque([x, y, z]),
            Self::EveryVarying => {
                let varyings = &inputs.varyings[..usize::from(self.varyings().len)];
                opaque([varyings.iter().fold(l.f(0.0), |sum, value| sum + *value); 3])
            }
            Self::Striped { table, shift } => {
                let mut colors = [[l.f(1.0); 4]];
                l.textures(&[0], &inputs.position_px, &mut colors, |colors| {
                    l.samples(0);
                    let at = l.to_int(inputs.position_px[0]) + l.i(*shift);
                    colors[0] = opaque([l.of_bits(l.gather(table, at)); 3]);
                });
                colors[0]
            }
        };
        let keep = match self {
            Self::VertexColor {
                cutoff: Some(cutoff),
            } => l.le(l.f(*cutoff), rgba[3]),
            _ => l.mask(0xffff),
        };
        FragmentOutput { rgba, keep }
    }
}
