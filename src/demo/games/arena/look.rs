//! Textures and sprites of the arena: armour, metal, the ring's canvas, banners, people in the seats, icons.

use glam::{Vec2, Vec3, Vec4};

use crate::kit::atlas::{Atlas, Sheet, Sprite, image, sheet};
use crate::kit::font::{Style, inscribe};
use crate::kit::paint::{Canvas, Cushion, rgb};
use crate::kit::shape::{capsule, circle, ellipse, polygon, rounded_box, star};
use crate::kit::solid::lit;
use crate::kit::stage::{Stage, baked};
use crate::kit::surface::{Relief, tiling};
use crate::procedural::{Grain, lerp, random, smooth_step};
use azulejo_scene::{Material, MaterialId, TextureImage, Wrap};

/// How many people are painted.
pub(super) const PEOPLE: usize = 12;

/// Materials of the hall.
#[derive(Debug)]
pub(super) struct Surfaces {
    pub(super) canvas: MaterialId,
    pub(super) banner: MaterialId,
    pub(super) concrete: MaterialId,
    pub(super) ribbon: MaterialId,
    /// Material of a white texture, tinted by vertex colours.
    pub(super) plain: MaterialId,
    /// Armour of the two fighters, left one first.
    pub(super) armour: [MaterialId; 2],
    pub(super) metal: MaterialId,
}

/// Paints all surfaces and registers their materials.
pub(super) fn surfaces(stage: &mut Stage, seed: u32) -> Surfaces {
    let grain = Grain::new(seed ^ 0x00a4_e4a1);
    let concrete = tiling("concrete", (256, 256), 1.0, |uv| concrete(&grain, uv));
    let metal = tiling("metal", (256, 256), 1.0, |uv| metal(&grain, uv));
    let armour = [0, 1].map(|who| tiling("armour", (512, 512), 1.0, |uv| armour(&grain, uv, who)));
    let mut add = |image: TextureImage, of: &dyn Fn(azulejo_scene::TextureId) -> Material| {
        let texture = stage.texture(image, Wrap::Repeat);
        stage.material(of(texture))
    };
    let plain = tiling("plain", (16, 16), 0.0, |_| Relief {
        color: Vec3::ONE,
        height: 0.0,
    });
    let shiny = |name: &'static str| {
        move |texture| Material {
            metallic: 0.45,
            ..lit(name, texture, 0.38)
        }
    };
    let [first, second] = armour;
    Surfaces {
        canvas: add(ring_canvas(&grain), &|texture| lit("canvas", texture, 0.75)),
        banner: add(banner(), &|texture| baked("banner", texture)),
        concrete: add(concrete, &|texture| baked("concrete", texture)),
        ribbon: add(ribbon(), &|texture| baked("ribbon", texture)),
        plain: add(plain, &|texture| baked("plain", texture)),
        armour: [
            add(first, &shiny("crimson armour")),
            add(second, &shiny("azure armour")),
        ],
        metal: add(metal, &|texture| Material {
            metallic: 0.7,
            ..lit("metal", texture, 0.42)
        }),
    }
}

fn concrete(grain: &Grain, uv: Vec2) -> Relief {
    let clouds = grain.clouds.at(uv * 2.0);
    let fine = grain.fine.at(uv * 2.0);
    Relief {
        color: rgb(0x0078_7c88) * (0.7 + 0.4 * clouds + 0.2 * fine),
        height: 0.004 * clouds + 0.002 * fine,
    }
}

fn metal(grain: &Grain, uv: Vec2) -> Relief {
    let brushed = grain.fine.at(Vec2::new(uv.x * 0.3, uv.y * 2.0));
    let clouds = grain.clouds.at(uv * 3.0);
    let scratch = smooth_step(0.62, 0.7, grain.clouds.at(uv * Vec2::new(1.0, 5.0)));
    Relief {
        color: Vec3::splat(0.62 + 0.2 * brushed + 0.18 * clouds + 0.2 * scratch),
        height: 0.002 * brushed,
    }
}

/// Plates with seams and rivets in a fighter's colours, chipped at their edges.
fn armour(grain: &Grain, uv: Vec2, who: usize) -> Relief {
    let main = [0x00c4_2318, 0x0017_55c8][who];
    let second = [0x007c_1210, 0x00d9_e2ee][who];
    let p = uv * 5.0;
    // Every other row of plates is shifted by half.
    let shifted = Vec2::new(p.x + 0.5 * (p.y.floor() % 2.0), p.y);
    let cell = shifted.floor();
    let within = shifted - cell;
    let edge = within.min(1.0 - within).min_element();
    let own = random(cell.x as i32 % 5, cell.y as i32, 31 + who as u32);
    let mut paint = rgb(if own > 0.8 { second } else { main }) * (0.93 + 0.14 * own);
    if own < 0.16 {
        let stripe = ((uv.x + uv.y) * 40.0).rem_euclid(1.0) < 0.5;
        let hazard = [rgb(0x00f2_b21b), rgb(0x001d_2026)][usize::from(stripe)];
        let band = smooth_step(0.34, 0.36, within.y) * smooth_step(0.66, 0.64, within.y);
        paint = paint.lerp(hazard, band);
    }
    let rivet_at = (within - 0.5).abs() - Vec2::splat(0.38);
    let rivet = smooth_step(0.04, 0.03, rivet_at.length());
    let seam = smooth_step(0.015, 0.04, edge);
    let bevel = smooth_step(0.04, 0.1, edge);
    let chipped = grain.clouds.at(uv * 3.0) + 0.12 * smooth_step(0.1, 0.02, edge);
    let bare = smooth_step(0.66, 0.7, chipped);
    let scratch = smooth_step(0.66, 0.7, grain.clouds.at(uv * Vec2::new(2.0, 9.0) + 0.4));
    let color = paint
        .lerp(rgb(0x00b4_b8bd), bare.max(0.5 * scratch).max(0.7 * rivet))
        .lerp(rgb(0x0010_1114), 1.0 - seam);
    Relief {
        color: color * (0.94 + 0.12 * grain.fine.at(uv)),
        height: 0.004 * seam + 0.003 * bevel + 0.004 * rivet - 0.001 * bare,
    }
}

/// The ring's floor: a star in a circle, the hall's name, a border.
fn ring_canvas(grain: &Grain) -> TextureImage {
    let mut canvas = Canvas::new(768, 768);
    canvas.wash(|p| {
        let weave = 0.95 + 0.1 * grain.fine.at(p * 0.5 + 1.0);
        let worn = grain.clouds.at(p * 0.5 + 1.3);
        let blue = rgb(0x0027_62b4).lerp(rgb(0x0012_3a86), smooth_step(0.2, 1.2, p.length()));
        (blue.lerp(rgb(0x0066_8fc4), 0.45 * smooth_step(0.45, 0.8, worn)) * weave).extend(1.0)
    });
    let square = |p: Vec2| rounded_box(p, Vec2::splat(0.86), 0.04);
    canvas.fill(
        |p| square(p).abs() - 0.012,
        |_| rgb(0x00f0_e9d2).extend(0.9),
    );
    canvas.fill(|p| 0.012 - square(p), |_| rgb(0x00b4_1f24).extend(0.92));
    canvas.fill(
        |p| circle(p, 0.52).abs() - 0.022,
        |_| rgb(0x00f4_eedd).extend(0.92),
    );
    canvas.fill(|p| circle(p, 0.47), |_| rgb(0x000c_2f73).extend(0.85));
    canvas.fill(
        |p| star(p, 5, 0.42, 0.18),
        |_| rgb(0x00ff_c632).extend(0.95),
    );
    canvas.fill(
        |p| star(p, 5, 0.3, 0.125),
        |_| rgb(0x00a8_1c20).extend(0.95),
    );
    let text = Style::new(0.12).colored(rgb(0x00f6_f2e6));
    inscribe(&mut canvas, "AZULEJO", Vec2::new(0.0, -0.68), text);
    inscribe(&mut canvas, "FIGHT NIGHT", Vec2::new(0.0, 0.69), text);
    canvas.wash(|p| {
        let stain = smooth_step(0.6, 0.75, grain.clouds.at(p * 0.7 + 2.1));
        let scuff = smooth_step(0.6, 0.7, grain.clouds.at(p * Vec2::new(2.0, 0.6) + 0.7));
        rgb(0x0015_1a28).extend(0.22 * stain + 0.12 * scuff)
    });
    image("ring canvas", &canvas)
}

/// Sponsors around the ring and along the barrier.
fn banner() -> TextureImage {
    let mut canvas = Canvas::new(1024, 128);
    canvas.wash(|p| {
        let shade = 1.0 - 0.25 * p.y;
        let field = ((p.x + 8.0) / 16.0 * 4.0).floor() as i32;
        let colors = [0x0010_1c3a, 0x0086_1418, 0x000f_4d5e, 0x002c_1a52];
        (rgb(colors[field.clamp(0, 3) as usize]) * shade).extend(1.0)
    });
    for (k, word) in ["AZULEJO", "OILCO", "TILE 32", "COLA-X"]
        .into_iter()
        .enumerate()
    {
        let at = Vec2::new(-6.0 + 4.0 * k as f32, -0.05);
        let color = rgb([0x00ff_d34a, 0x00ff_f4e0, 0x0063_f0d8, 0x00ff_8ac0][k]);
        inscribe(&mut canvas, word, at, Style::new(0.62).colored(color));
    }
    canvas.fill(|p| 0.12 - (p.y + 1.0), |_| Vec4::ZERO);
    canvas.fill(|p| 0.86 - p.y.abs(), |_| rgb(0x00e8_e2d0).extend(0.9));
    image("banner", &canvas)
}

/// Lit letters, dot by dot.
fn ribbon() -> TextureImage {
    let mut canvas = Canvas::new(1024, 96);
    canvas.wash(|_| rgb(0x0006_0710).extend(1.0));
    let mut style = Style::new(0.8).colored(rgb(0x00ff_7a28));
    inscribe(&mut canvas, "AZULEJO ARENA", Vec2::new(-5.6, 0.0), style);
    style = style.colored(rgb(0x0039_c8ff));
    inscribe(&mut canvas, "* FIGHT NIGHT *", Vec2::new(4.6, 0.0), style);
    canvas.wash(|p| {
        let dot = ((p * 24.0).fract_gl() - 0.5).length();
        Vec3::ZERO.extend(0.75 * smooth_step(0.3, 0.5, dot))
    });
    for y in [-0.92, 0.92] {
        canvas.fill(|p| (p.y - y).abs() - 0.04, |_| rgb(0x00f0_f4ff).extend(0.9));
    }
    image("ribbon", &canvas)
}

/// Sprites of each spectator: watching, and with arms up.
pub(super) fn people() -> (Vec<[Sprite; 2]>, Atlas) {
    sheet("people", 1024, |s| {
        let mut moods = |number| [false, true].map(|cheers| s.sprite(|| person(number, cheers)));
        (0..PEOPLE).map(&mut moods).collect()
    })
}

/// A spectator from the knees up.
fn person(number: usize, cheers: bool) -> Canvas {
    let mut canvas = Canvas::new(80, 105);
    let own = |salt| random(number as i32, salt, 0x00ca_11ed);
    let pick =
        |codes: &[u32], salt| rgb(codes[(own(salt) * codes.len() as f32) as usize % codes.len()]);
    let skin = pick(&[0x00f2_c49a, 0x00c9_8b5c, 0x008a_5634, 0x00ff_d9b5], 1);
    let shirts = [
        0x00d8_3a3a,
        0x0036_6fd0,
        0x00e8_c23c,
        0x00e9_e9ee,
        0x0048_a860,
        0x008a_4cc0,
        0x00ee_7f2e,
        0x002c_3348,
    ];
    let shirt = rgb(shirts[(number * 5) % shirts.len()]);
    let hair = pick(
        &[
            0x002a_1c14,
            0x005c_3a1e,
            0x00c8_9a4a,
            0x0018_181c,
            0x009a_3a22,
        ],
        3,
    );
    let look = Cushion {
        bevel: 0.16,
        outline: 0.03,
        contrast: 0.7,
        gloss: 0.1,
    };
    let body = |p: Vec2| rounded_box(p - Vec2::new(0.0, 0.42), Vec2::new(0.34, 0.5), 0.2);
    canvas.cushion(body, |_| shirt, look);
    if own(4) < 0.5 {
        let stripe = move |p: Vec2| body(p).max((p.y - 0.3).abs() - 0.07) + 0.05;
        canvas.fill(stripe, |_| rgb(0x00ff_ffff).extend(0.8));
    }
    for side in [-1.0_f32, 1.0] {
        let shoulder = Vec2::new(0.3 * side, 0.12);
        let (elbow, hand) = if cheers {
            let lean = 0.1 * (own(5) - 0.5);
            (
                Vec2::new(0.5 * side, -0.2),
                Vec2::new(0.46 * side + lean, -0.72),
            )
        } else {
            (Vec2::new(0.46 * side, 0.5), Vec2::new(0.1 * side, 0.36))
        };
        canvas.cushion(|p| capsule(p, shoulder, elbow, 0.1), |_| shirt * 0.92, look);
        canvas.cushion(|p| capsule(p, elbow, hand, 0.075), |_| skin, look);
        canvas.cushion(|p| circle(p - hand, 0.1), |_| skin, look);
    }
    let headgear = if own(7) < 0.3 { shirt } else { hair };
    face(&mut canvas, [skin, headgear], own(6), cheers);
    canvas
}

/// Head of a spectator with hair or a cap.
fn face(canvas: &mut Canvas, [skin, headgear]: [Vec3; 2], fringe: f32, cheers: bool) {
    let look = Cushion {
        bevel: 0.16,
        outline: 0.03,
        contrast: 0.7,
        gloss: 0.1,
    };
    let head = Vec2::new(0.0, -0.26);
    canvas.cushion(|p| ellipse(p - head, Vec2::new(0.24, 0.29)), |_| skin, look);
    let cap = |p: Vec2| {
        let q = p - head;
        ellipse(q + Vec2::Y * 0.05, Vec2::new(0.265, 0.29))
            .max(q.y + 0.08 + 0.3 * q.x.abs() * fringe)
    };
    canvas.cushion(cap, |_| headgear, look);
    let side = |p: Vec2| Vec2::new(p.x.abs() - 0.1, p.y - head.y - 0.02);
    canvas.flat(|p| circle(side(p), 0.035), rgb(0x0020_1414));
    let mouth = if cheers { 0.07 } else { 0.025 };
    let lips = move |p: Vec2| ellipse(p - head - Vec2::Y * 0.15, Vec2::new(0.08, mouth));
    canvas.flat(lips, rgb(0x006a_1c1c));
}

/// Sprites of the display.
#[derive(Debug, Clone, Copy)]
pub(super) struct Icons {
    /// Faces of the two fighters, left one first.
    pub(super) portraits: [Sprite; 2],
    /// Icon of the button for a blow.
    pub(super) fist: Sprite,
    /// Icon of the button for a block.
    pub(super) shield: Sprite,
    /// Icon of the button for the special move.
    pub(super) bolt: Sprite,
    /// Light that falls from above.
    pub(super) beam: Sprite,
}

impl Icons {
    /// Paints the sprites into a sheet.
    pub(super) fn new(s: &mut Sheet) -> Self {
        Self {
            portraits: [0, 1].map(|who| s.sprite(|| portrait(who))),
            fist: s.sprite(|| icon(fist)),
            shield: s.sprite(|| icon(shield)),
            bolt: s.sprite(|| icon(bolt)),
            beam: s.sprite(beam),
        }
    }
}

fn icon(shape: impl Fn(Vec2) -> f32 + Sync) -> Canvas {
    let mut canvas = Canvas::new(80, 80);
    canvas.cushion(shape, |_| rgb(0x00fb_f6ea), Cushion::default());
    canvas
}

fn fist(p: Vec2) -> f32 {
    let arm = capsule(p, Vec2::new(-0.7, 0.25), Vec2::new(0.1, 0.1), 0.16);
    arm.min(rounded_box(
        p - Vec2::new(0.35, 0.0),
        Vec2::new(0.38, 0.34),
        0.2,
    ))
}

fn shield(p: Vec2) -> f32 {
    let points = [
        (0.0, -0.8),
        (0.66, -0.5),
        (0.5, 0.35),
        (0.0, 0.85),
        (-0.5, 0.35),
        (-0.66, -0.5),
    ];
    polygon(p, &points.map(Vec2::from))
}

fn bolt(p: Vec2) -> f32 {
    let bolt = [
        (0.2, -0.9),
        (-0.5, 0.15),
        (-0.05, 0.15),
        (-0.2, 0.9),
        (0.5, -0.2),
        (0.05, -0.2),
    ];
    polygon(p, &bolt.map(Vec2::from))
}

fn beam() -> Canvas {
    let mut beam = Canvas::new(64, 128);
    beam.wash(|p| {
        let across = (1.0 - (p.x / 0.5).abs()).clamp(0.0, 1.0);
        let along = lerp(1.0, 0.0, (p.y + 1.0) * 0.5);
        Vec3::ONE.extend(across * across * along)
    });
    beam
}

/// A fighter's face in a frame.
fn portrait(who: usize) -> Canvas {
    let mut canvas = Canvas::new(112, 112);
    let (paint, light) = [(0x00d0_2a1e, 0x00ff_b020), (0x001f_5fd8, 0x0058_e8ff)][who];
    let frame = |p: Vec2| rounded_box(p, Vec2::splat(0.95), 0.22);
    canvas.cushion(
        frame,
        |_| rgb([0x00f0_b43c, 0x00cf_dae8][who]),
        Cushion {
            bevel: 0.1,
            ..Cushion::default()
        },
    );
    let inner = |p: Vec2| rounded_box(p, Vec2::splat(0.8), 0.12);
    canvas.fill(inner, |p| {
        let ray = 0.5 + 0.5 * (p.to_angle() * 12.0).sin();
        rgb([0x003a_1512, 0x0010_2044][who])
            .lerp(rgb(paint), 0.35 * ray)
            .extend(1.0)
    });
    let look = Cushion {
        bevel: 0.3,
        outline: 0.05,
        contrast: 0.8,
        gloss: 0.6,
    };
    let neck =
        |p: Vec2| rounded_box(p - Vec2::new(0.0, 0.66), Vec2::new(0.6, 0.2), 0.1).max(inner(p));
    canvas.cushion(neck, |_| rgb(0x0050_5662), look);
    let half = if who == 0 {
        Vec2::new(0.52, 0.5)
    } else {
        Vec2::new(0.42, 0.56)
    };
    canvas.cushion(
        |p| rounded_box(p - Vec2::Y * 0.02, half, 0.3),
        |_| rgb(paint),
        look,
    );
    canvas.cushion(
        |p| rounded_box(p - Vec2::Y * 0.42, Vec2::new(0.28, 0.18), 0.1),
        |_| rgb(0x00b4_bcc8),
        look,
    );
    let visor = |p: Vec2| rounded_box(p + Vec2::Y * 0.08, Vec2::new(half.x * 0.86, 0.14), 0.1);
    canvas.flat(visor, rgb(0x0012_141c));
    let side = |p: Vec2| Vec2::new(p.x.abs() - 0.19, p.y + 0.08);
    canvas.glow(
        |p| ellipse(side(p), Vec2::new(0.13, 0.05)),
        rgb(light),
        0.14,
        0.8,
    );
    canvas.flat(|p| ellipse(side(p), Vec2::new(0.13, 0.05)), rgb(light));
    canvas
}
