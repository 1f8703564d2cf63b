//! Building blocks of the games: in come formulas, numbers and words, out go textures, meshes and the draws of a frame.
//!
//! 1. *Paint.* [`paint::Canvas`] draws [`shape`]s with a cartoon's light and outlines; [`atlas::pack`] makes one texture of
//!    many sprites; [`surface::tiling`] makes walls and grounds from a formula. Colours are sRGB as a painter picks them.
//! 2. *Build.* A [`stage::Stage`] collects textures, materials and meshes: [`stage::sprites`] for all that is drawn flat
//!    (no depth, blended, in order), [`stage::baked`] for solids whose light lies in their vertex colours,
//!    [`solid`] for those on which lights shine, [`figure`] for people.
//! 3. *Play.* A [`frame::FrameBuilder`] takes draws in the order in which an engine would submit them: solids from near to
//!    far, then what blends, then the display. A [`sprites::Batch`] is geometry of this frame alone, one draw with one
//!    texture. [`hud::Hud`] writes text and bars, [`motion`] has easing and seeded numbers.

pub(super) mod atlas;
pub(super) mod billboard;
pub(super) mod decal;
pub(super) mod figure;
pub(super) mod font;
pub(super) mod frame;
pub(super) mod hud;
pub(super) mod isometric;
pub(super) mod motion;
pub(super) mod paint;
pub(super) mod pattern;
pub(super) mod scenery;
pub(super) mod shape;
pub(super) mod solid;
pub(super) mod sprites;
pub(super) mod stage;
pub(super) mod stonework;
pub(super) mod surface;
