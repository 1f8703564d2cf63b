//! The station's textures: painted panels, tread plates, crates, metal, and the display's icons.

use glam::{Vec2, Vec3};

use crate::kit::atlas::{Sheet, Sprite};
use crate::kit::motion::heading;
use crate::kit::paint::{Canvas, Cushion, rgb};
use crate::kit::shape::{capsule, circle, polygon, rounded_box};
use crate::kit::stage::{Stage, baked};
use crate::kit::surface::{Relief, tiling};
use crate::procedural::{Grain, lerp, random, smooth_step};
use azulejo_scene::{MaterialId, TextureImage, Wrap};

/// Materials of the station.
#[derive(Debug)]
pub(super) struct Surfaces {
    pub(super) floor: MaterialId,
    pub(super) ceiling: MaterialId,
    pub(super) walls: [MaterialId; 3],
    pub(super) metal: MaterialId,
    pub(super) crate_: MaterialId,
    pub(super) lamp: MaterialId,
    pub(super) drone: MaterialId,
    pub(super) gun: MaterialId,
}

/// Paints all surfaces of the station.
pub(super) fn surfaces(stage: &mut Stage, seed: u32) -> Surfaces {
    let grain = Grain::new(seed ^ 0x00c0_441d);
    let mut add = |name: &str, image: TextureImage| {
        let texture = stage.texture(image, Wrap::Repeat);
        stage.material(baked(name, texture))
    };
    let wall = |style: u32| {
        let grain = &grain;
        tiling("wall", (576, 432), 1.0, move |uv| {
            wall_panel(grain, uv, style)
        })
    };
    Surfaces {
        floor: add(
            "floor",
            tiling("floor", (576, 576), 1.0, |uv| floor(&grain, uv)),
        ),
        ceiling: add(
            "ceiling",
            tiling("ceiling", (320, 320), 1.0, |uv| ceiling(&grain, uv)),
        ),
        walls: [
            add("wall panels", wall(0)),
            add("wall lockers", wall(1)),
            add("wall conduits", wall(2)),
        ],
        metal: add(
            "metal",
            tiling("metal", (320, 320), 1.0, |uv| {
                metal(&grain, uv, 0x0058_6270)
            }),
        ),
        crate_: add(
            "crate",
            tiling("crate", (320, 320), 1.0, |uv| cargo(&grain, uv)),
        ),
        lamp: add("lamp", tiling("lamp", (128, 128), 0.0, lamp)),
        drone: add(
            "drone",
            tiling("drone", (320, 320), 1.0, |uv| shell(&grain, uv)),
        ),
        gun: add(
            "gun",
            tiling("gun", (320, 320), 1.0, |uv| metal(&grain, uv, 0x0034_3a44)),
        ),
    }
}

/// Distance from the border of a cell of a grid whose lines run at whole numbers, and the cell.
fn grid(p: Vec2) -> (f32, Vec2) {
    let cell = p.floor();
    let within = p - cell;
    (within.min(1.0 - within).min_element(), cell)
}

/// Paint that is worn off where `wear` is high: metal shows, rust around it.
fn worn(paint: Vec3, wear: f32, grain: &Grain, uv: Vec2) -> Vec3 {
    let rust = rgb(0x006a_3b1e).lerp(rgb(0x0092_5a2c), grain.fine.at(uv * 2.0));
    let bare = rgb(0x007f_8790);
    let edge = smooth_step(0.60, 0.68, wear);
    let core = smooth_step(0.68, 0.78, wear);
    paint.lerp(rust, edge).lerp(bare, core)
}

/// Dirt that has run down and gathered at the foot.
fn grime(color: Vec3, grain: &Grain, uv: Vec2) -> Vec3 {
    let streaks = grain.clouds.at(Vec2::new(uv.x * 6.0, uv.y * 0.5));
    let clouds = grain.clouds.at(uv * 2.0);
    let low = smooth_step(0.7, 1.0, uv.y) * 0.35;
    let dark = 0.42 * smooth_step(0.45, 0.75, streaks) + 0.3 * smooth_step(0.4, 0.8, clouds) + low;
    color.lerp(rgb(0x0021_1d1a), dark.min(0.8)) * (0.92 + 0.16 * grain.fine.at(uv * 2.0))
}

/// Walls: a wainscot with warning stripes, panels above with bolts; `style` changes what the panels are.
fn wall_panel(grain: &Grain, uv: Vec2, style: u32) -> Relief {
    let low = uv.y > 0.66;
    let (columns, top, height) = match (style, low) {
        (_, true) => (2.0, 0.66, 0.34),
        (0, _) => (3.0, 0.0, 0.66),
        (1, _) => (5.0, 0.0, 0.66),
        _ => (2.0, 0.0, 0.66),
    };
    let p = Vec2::new(uv.x * columns, (uv.y - top) / height);
    let (_, cell) = grid(p);
    // To the panel's border in texture edges, both ways alike.
    let within = p - cell;
    let edge = (within.x.min(1.0 - within.x) / columns).min(within.y.min(1.0 - within.y) * height);
    let plate = smooth_step(0.006, 0.014, edge);
    let own = random(cell.x as i32, i32::from(low), 40 + style);
    let paints = [
        [0x0061_7d86, 0x0074_8f8c, 0x006b_7a92],
        [0x008a_6f4e, 0x0095_7f58, 0x007b_6550],
        [0x0059_6b62, 0x006c_7d68, 0x0062_7a78],
    ];
    let paint = if low {
        rgb(0x0039_444f)
    } else {
        rgb(paints[style as usize][(own * 2.99) as usize])
    };
    let mut height_here = 0.012 * plate;
    let mut color = paint * (0.94 + 0.12 * own);
    // Inner bevel.
    if !low {
        let inner = smooth_step(0.03, 0.036, edge);
        height_here -= 0.004 * inner;
        color *= 1.0 - 0.06 * inner;
        (color, height_here) = detail(style, within, edge, color, height_here);
    } else {
        let stripe = (uv.x * 14.0 + uv.y * 10.5).rem_euclid(1.0) < 0.5;
        let band = smooth_step(0.685, 0.69, uv.y) * smooth_step(0.74, 0.735, uv.y);
        let warning = if stripe {
            rgb(0x00e0_a81c)
        } else {
            rgb(0x0024_2320)
        };
        color = color.lerp(warning, band);
    }
    // Bolts at the corners.
    let corner = Vec2::new(
        within.x.min(1.0 - within.x) / columns,
        within.y.min(1.0 - within.y) * height,
    ) - 0.022;
    let bolt = smooth_step(0.0085, 0.006, corner.length());
    height_here += 0.006 * bolt;
    color = color.lerp(rgb(0x0093_989c), 0.8 * bolt);
    let near_edge = 0.22 * smooth_step(0.03, 0.0, edge);
    let wear =
        grain.clouds.at(uv * 3.0 + 0.3 * style as f32) * 0.8 + 0.2 * grain.fine.at(uv) + near_edge;
    color = worn(color, wear, grain, uv);
    color = grime(color, grain, uv) * lerp(0.3, 1.0, plate);
    Relief {
        color,
        height: height_here + 0.0012 * grain.fine.at(uv * 2.0),
    }
}

/// Relief on a panel: a vent, a locker's slots, or conduits.
fn detail(style: u32, within: Vec2, edge: f32, color: Vec3, height: f32) -> (Vec3, f32) {
    match style {
        0 => {
            let inside = rounded_box(within - Vec2::new(0.5, 0.74), Vec2::new(0.3, 0.13), 0.03);
            let slat = (within.y * 26.0).rem_euclid(1.0);
            let vent = smooth_step(0.01, 0.0, inside);
            (
                color * lerp(1.0, 0.35 + 0.6 * slat, vent),
                height - 0.012 * vent * (1.0 - slat),
            )
        }
        1 => {
            let slot =
                |y: f32| rounded_box(within - Vec2::new(0.5, y), Vec2::new(0.22, 0.012), 0.01);
            let slots = slot(0.16).min(slot(0.21)).min(slot(0.26));
            let dark = smooth_step(0.004, 0.0, slots);
            let handle = smooth_step(
                0.01,
                0.0,
                rounded_box(within - Vec2::new(0.82, 0.55), Vec2::new(0.035, 0.07), 0.02),
            );
            let label = smooth_step(
                0.004,
                0.0,
                rounded_box(within - Vec2::new(0.42, 0.36), Vec2::new(0.2, 0.035), 0.01),
            );
            let marked = color
                .lerp(rgb(0x00d8_d2c0), 0.85 * label)
                .lerp(rgb(0x0015_1515), dark);
            (
                marked.lerp(rgb(0x00a8_adb2), handle),
                height + 0.012 * handle - 0.008 * dark,
            )
        }
        _ => {
            let tube = (within.x * 7.0).rem_euclid(1.0) - 0.5;
            let bank = smooth_step(0.06, 0.062, edge) * f32::from(u8::from(within.y < 0.62));
            let round = (0.25 - tube * tube).max(0.0).sqrt() * 2.0;
            let hues = [0x00b4_5a32, 0x0058_6e7c, 0x00ab_9446];
            let hue = rgb(hues[(within.x * 7.0) as usize % 3]);
            let clamp = f32::from(u8::from((within.y * 5.0).rem_euclid(1.0) < 0.1));
            let tube_color = (hue * (0.35 + 0.65 * round)).lerp(rgb(0x0040_454c), clamp);
            (
                color.lerp(tube_color, bank),
                height + bank * 0.02 * (round + 0.3 * clamp),
            )
        }
    }
}

/// Tread plates in a frame, worn along the middle.
fn floor(grain: &Grain, uv: Vec2) -> Relief {
    let p = uv * 4.0;
    let (edge, cell) = grid(p);
    let plate = smooth_step(0.012, 0.03, edge);
    // Lozenges in turn along both diagonals.
    let q = uv * 40.0;
    let (_, lozenge) = grid(q);
    let turn = if (lozenge.x + lozenge.y) as i32 % 2 == 0 {
        1.0
    } else {
        -1.0
    };
    let within = q - lozenge - 0.5;
    let along = (within.x + turn * within.y) * 0.707;
    let across = (within.x - turn * within.y) * 0.707;
    let tread = smooth_step(0.34, 0.22, (Vec2::new(along * 0.75, across * 2.4)).length());
    let own = random(cell.x as i32, cell.y as i32, 9);
    let grille = own > 0.78;
    let base = rgb(0x004c_525a) * (0.85 + 0.3 * own);
    let polished = smooth_step(0.35, 0.7, grain.swells.at(uv * 2.0));
    let mut color = base.lerp(rgb(0x008b_9096), 0.55 * polished * tread);
    let mut height = 0.01 * plate + 0.004 * tread;
    if grille {
        let bars = (uv.x * 64.0).rem_euclid(1.0);
        let open = smooth_step(0.45, 0.55, bars) * smooth_step(0.06, 0.08, edge);
        color = base.lerp(rgb(0x0008_0a0c), open);
        height = 0.01 * plate - 0.012 * open;
    }
    let wear = grain.clouds.at(uv * 2.0 + 0.2) * 0.85 + 0.15 * grain.fine.at(uv);
    color = worn(color, wear, grain, uv) * lerp(0.25, 1.0, plate);
    let oil = smooth_step(0.52, 0.75, grain.clouds.at(uv + 0.61));
    Relief {
        color: color * (1.0 - 0.45 * oil),
        height,
    }
}

fn ceiling(grain: &Grain, uv: Vec2) -> Relief {
    let p = uv * Vec2::new(2.0, 4.0);
    let (edge, cell) = grid(p);
    let plate = smooth_step(0.02, 0.05, edge);
    let own = random(cell.x as i32, cell.y as i32, 21);
    let holes = (uv * 48.0).fract_gl() - 0.5;
    let hole = smooth_step(0.3, 0.2, holes.length()) * smooth_step(0.12, 0.14, edge);
    let color =
        rgb(0x004a_4f57) * (0.85 + 0.25 * own) * lerp(1.0, 0.35, hole) * lerp(0.3, 1.0, plate);
    Relief {
        color: grime(color, grain, Vec2::new(uv.y, 0.4)),
        height: 0.012 * plate - 0.006 * hole,
    }
}

/// Brushed metal with scratches.
fn metal(grain: &Grain, uv: Vec2, code: u32) -> Relief {
    let brushed = grain.fine.at(Vec2::new(uv.x * 0.2, uv.y * 2.0));
    let clouds = grain.clouds.at(uv * 2.0);
    let color = rgb(code) * (0.72 + 0.3 * brushed + 0.3 * clouds);
    let wear = grain.clouds.at(uv * 2.0 + 0.15) * 0.8 + 0.12 * brushed;
    Relief {
        color: worn(color, wear, grain, uv),
        height: 0.001 * brushed + 0.002 * clouds,
    }
}

/// A crate's side: a frame with a cross brace, a stencilled mark.
fn cargo(grain: &Grain, uv: Vec2) -> Relief {
    let c = uv - 0.5;
    let frame = smooth_step(0.40, 0.385, c.abs().max_element());
    let brace = smooth_step(0.05, 0.044, (c.x - c.y).abs() * 0.707) * frame;
    let raised = (1.0 - frame).max(brace);
    let paint = rgb(0x008b_5f2c).lerp(rgb(0x005e_6b3a), raised);
    let boards = ((uv.y * 8.0).fract() - 0.5).abs();
    let gap = smooth_step(0.46, 0.49, boards) * (1.0 - raised);
    let mark = circle(c - Vec2::new(0.17, -0.19), 0.1).abs() - 0.018;
    let stencil = smooth_step(0.004, 0.0, mark) * 0.8 * (1.0 - raised);
    let color = paint.lerp(rgb(0x00e8_dcc0), stencil) * lerp(1.0, 0.35, gap);
    let wear = grain.clouds.at(uv * 3.0) * 0.9 + 0.08 * raised;
    Relief {
        color: grime(worn(color, wear, grain, uv), grain, uv),
        height: 0.025 * raised - 0.01 * gap + 0.002 * grain.fine.at(uv),
    }
}

fn lamp(uv: Vec2) -> Relief {
    let ribs = 0.9 + 0.1 * (uv.x * 75.0).sin();
    Relief {
        color: Vec3::new(1.0, 0.98, 0.94) * ribs,
        height: 0.0,
    }
}

/// A drone's shell: plates with seams, hazard marks, vents.
fn shell(grain: &Grain, uv: Vec2) -> Relief {
    let (edge, cell) = grid(uv * Vec2::new(6.0, 4.0));
    let seam = smooth_step(0.03, 0.07, edge);
    let own = random(cell.x as i32, cell.y as i32, 77);
    let paint = if own > 0.8 {
        rgb(0x00d2_5a1e)
    } else {
        rgb(0x00c4_c6c0) * (0.8 + 0.2 * own)
    };
    let stripe = (uv.x * 24.0 + uv.y * 24.0).rem_euclid(1.0) < 0.5;
    let marked = if own > 0.62 && own <= 0.8 && stripe {
        rgb(0x0028_2a2c)
    } else {
        paint
    };
    let wear = grain.clouds.at(uv * 4.0) * 0.85 + 0.2 * smooth_step(0.2, 0.0, edge);
    let color = worn(marked, wear, grain, uv) * lerp(0.25, 1.0, seam);
    Relief {
        color,
        height: 0.014 * seam,
    }
}

/// Sprites of the display.
#[derive(Debug, Clone, Copy)]
pub(super) struct Icons {
    /// Icon of ammunition: three cartridges.
    pub(super) rounds: Sprite,
    /// Four strokes around the sight.
    pub(super) hit: Sprite,
    /// An arrow upwards: the guard on the map.
    pub(super) guard: Sprite,
}

impl Icons {
    /// Paints the sprites into a sheet.
    pub(super) fn new(s: &mut Sheet) -> Self {
        Self {
            rounds: s.sprite(|| icon(rounds)),
            hit: s.sprite(|| icon(hit)),
            guard: s.sprite(|| icon(guard)),
        }
    }
}

fn icon(paint: impl FnOnce(&mut Canvas)) -> Canvas {
    let mut canvas = Canvas::new(96, 96);
    paint(&mut canvas);
    canvas
}

fn rounds(canvas: &mut Canvas) {
    for (number, x) in [-0.5_f32, 0.0, 0.5].into_iter().enumerate() {
        let top = -0.55 + 0.1 * number as f32;
        let case = move |p: Vec2| rounded_box(p - Vec2::new(x, 0.35), Vec2::new(0.17, 0.45), 0.05);
        let tip = move |p: Vec2| capsule(p, Vec2::new(x, top + 0.15), Vec2::new(x, -0.1), 0.13);
        canvas.cushion(
            tip,
            |_| rgb(0x00c9_7b3a),
            Cushion {
                bevel: 0.12,
                ..Cushion::default()
            },
        );
        canvas.cushion(
            case,
            |_| rgb(0x00e8_b94a),
            Cushion {
                bevel: 0.12,
                ..Cushion::default()
            },
        );
    }
}

fn hit(canvas: &mut Canvas) {
    for angle in [0.125_f32, 0.375, 0.625, 0.875] {
        let out = heading(angle);
        canvas.flat(|p| capsule(p, out * 0.45, out * 0.85, 0.07), Vec3::ONE);
    }
}

fn guard(canvas: &mut Canvas) {
    let arrow = [(0.0, -0.85), (0.62, 0.7), (0.0, 0.38), (-0.62, 0.7)].map(Vec2::from);
    canvas.cushion(
        |p| polygon(p, &arrow) - 0.05,
        |_| rgb(0x00f4_f6ff),
        Cushion::default(),
    );
}
