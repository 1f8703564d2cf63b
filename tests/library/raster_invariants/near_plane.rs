//! Planes through the near plane, from a millimetre to 100,000 km, against a ray cast in double precision: coverage of
//! pixels, depth, and the position that the fragment program reads.

use crate::instance::state_of_one;
use crate::painted::Painted;
use azulejo::grid::{Binning, SampleCount, TileGrid, TileId};
use azulejo::render::geometry::{Chunk, ShadedVertices, Viewport};
use azulejo::render::raster::observe::CountingObserver;
use azulejo::render::raster::{Kernels, RasterDraw, RasterUnit, TileScene};
use azulejo::render::tiling::{BinTest, BinnedChunk, TileLists, bin_chunk};
use azulejo::render::{Draw, FrameInput, RenderSettings, SimdLevel};
use azulejo::scene::{Material, MaterialId, Mesh, Primitive, Projection, Scene, Topology, View};
use glam::{DMat4, DVec2, DVec3, Mat4, Quat, Vec3};

/// Depth from the far plane at which single precision may round to beyond it.
const DOUBT: f64 = 1e-6;

/// Pixels in a row of the picture, which is one tile.
const EDGE: u32 = 16;

/// Result of a draw, by pixel and in sum.
struct Drawn {
    /// Depth of every covered pixel, and the position that the program read. Rows from the top.
    pixels: Vec<Option<(f64, DVec3)>>,
    /// Pixels covered, as often as they are.
    covered: u64,
    /// Primitives that were dropped, as a vertex has no place.
    unplaced: u64,
}

/// The only primitive of a scene as `view` sees it.
fn draw(primitive: &Primitive, view: &View) -> Drawn {
    let primitive = Primitive {
        material: Some(MaterialId(0)),
        ..primitive.clone()
    };
    let scene = Scene {
        meshes: vec![Mesh {
            primitives: vec![primitive].into(),
            ..Mesh::default()
        }],
        materials: vec![Material::default()],
        ..Scene::default()
    };
    let state = state_of_one();
    let settings = RenderSettings {
        width: EDGE,
        height: EDGE,
        ..RenderSettings::default()
    };
    let list = FrameInput::new(&scene, &state, view, &settings).draws();
    let of_scene = &list.draws[0];
    let draw = Draw {
        clip_from_world: of_scene.clip_from_world,
        double_sided: true,
        identity: of_scene.identity.clone(),
        ..Draw::new(of_scene.primitive, Painted::PositionWorld)
    };
    let (vertices, chunk) = assembled(&draw);
    rasterised(&draw, &vertices, chunk)
}

/// The draw's vertices and primitives.
fn assembled(draw: &Draw<'_, Painted<'_>>) -> (ShadedVertices, Chunk) {
    let backend = SimdLevel::Auto.backend().expect("some level");
    let viewport = Viewport::of_screen(EDGE, EDGE);
    let mut vertices = ShadedVertices::default();
    vertices.shade(&draw.vertex_program(), &viewport, backend);
    let mut chunk = Chunk::default();
    chunk.assemble(&draw.vertex_program().assembly(&vertices, viewport));
    (vertices, chunk)
}

/// The draw's pixels, in one tile.
fn rasterised(draw: &Draw<'_, Painted<'_>>, vertices: &ShadedVertices, chunk: Chunk) -> Drawn {
    let samples = SampleCount::One;
    let grid = TileGrid {
        width: EDGE,
        height: EDGE,
        tile_size: EDGE,
    };
    let (mut binned, mut lists) = (BinnedChunk::default(), TileLists::default());
    let test = BinTest {
        grid,
        binning: Binning::Exact,
        samples,
    };
    bin_chunk(&chunk, vertices, test, &mut binned);
    lists.fill(&grid, &[binned]);
    let unplaced = chunk.unplaced;
    let draws = [RasterDraw {
        program: &draw.program,
        mode: draw.mode,
        depth: draw.depth,
        vertices,
        n_varyings: 3,
        state: 0,
        texture_samples: 0,
        triangle_bytes: 48,
    }];
    let scene = TileScene {
        grid,
        draws: &draws,
        chunks: &[chunk],
        lists: &lists,
        samples,
    };
    let (mut unit, mut observer) = (RasterUnit::default(), CountingObserver::default());
    let backend = SimdLevel::Auto.backend().expect("some level");
    let bound = Kernels::new().on(backend);
    let is_drawn = unit.draw_tile(bound, &scene, TileId(0), &mut observer);
    let pixels = (0..EDGE * EDGE).map(|at| {
        let place = unit.buffers.place(at % EDGE, at / EDGE);
        let value =
            |channel: usize| f64::from(unit.buffers.color[channel][place.block][place.lane]);
        let depth = f64::from(unit.buffers.depth[place.block][place.lane]);
        let is_covered = is_drawn && value(3) == 1.0;
        is_covered.then(|| (depth, DVec3::new(value(0), value(1), value(2))))
    });
    Drawn {
        pixels: pixels.collect(),
        covered: observer.tile().raster.fragments_rasterised,
        unplaced,
    }
}

/// A rectangle that is parallel to two of the world's axes' planes: exact in single precision.
struct Plane {
    /// Axis of its normal.
    axis: usize,
    /// Coordinate along that axis.
    at: f64,
    /// Corners along the two other axes.
    corners: [DVec2; 4],
}

impl Plane {
    /// Largest coordinate of a corner: varyings are interpolated from it in single precision.
    fn reach(&self) -> f64 {
        let farthest = |reach: f64, corner: &DVec2| reach.max(corner.abs().max_element());
        self.corners.iter().fold(self.at.abs(), farthest)
    }

    fn place(&self, across: DVec2) -> DVec3 {
        let mut place = DVec3::ZERO;
        place[self.axis] = self.at;
        place[(self.axis + 1) % 3] = across.x;
        place[(self.axis + 2) % 3] = across.y;
        place
    }

    fn primitive(&self) -> Primitive {
        Primitive {
            topology: Topology::Triangles,
            indices: vec![0, 1, 2, 0, 2, 3],
            positions: self
                .corners
                .map(|corner| self.place(corner).as_vec3())
                .to_vec(),
            ..Primitive::default()
        }
    }

    fn holds(&self, place: DVec3) -> bool {
        let place = DVec2::new(place[(self.axis + 1) % 3], place[(self.axis + 2) % 3]);
        let sides = (0..4).map(|k| {
            let (from, to) = (self.corners[k], self.corners[(k + 1) % 4]);
            (to - from).perp_dot(place - from)
        });
        sides.clone().all(|side| side >= 0.0) || sides.clone().all(|side| side <= 0.0)
    }
}

/// Ray through a place on the screen, pixels, and its hit between the near plane and the far plane, or within [`DOUBT`] of
/// it: depth and place.
fn cast(plane: &Plane, view: &View, at: DVec2) -> Option<(f64, DVec3)> {
    let world_from_view = view.view_from_world.as_dmat4().inverse();
    let lens: DMat4 = view.clip_from_view.as_dmat4();
    let ndc = at * 2.0 / f64::from(EDGE) - 1.0;
    let across = DVec3::new(ndc.x / lens.x_axis.x, ndc.y / lens.y_axis.y, 0.0);
    let is_parallel = lens.w_axis.w == 1.0;
    let (eye, ray) = match is_parallel {
        true => (across, DVec3::NEG_Z),
        false => (DVec3::ZERO, across - DVec3::Z),
    };
    let (eye, ray) = (
        world_from_view.project_point3(eye),
        world_from_view.transform_vector3(ray),
    );
    let way = (plane.at - eye[plane.axis]) / ray[plane.axis];
    let mut place = eye + ray * way;
    place[plane.axis] = plane.at;
    let z = lens.w_axis.z - way * lens.z_axis.z;
    let w = if is_parallel { 1.0 } else { way };
    let is_seen = way.is_finite() && plane.holds(place) && 0.0 <= z && z <= w * (1.0 + DOUBT);
    is_seen.then(|| (z / w, place))
}

/// Even numbers in 0..1 from a seed.
struct Random(u64);

impl Random {
    fn part(&mut self) -> f64 {
        // SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn within(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.part()
    }

    fn power_of_ten(&mut self, low: f64, high: f64) -> f64 {
        10.0_f64.powf(self.within(low, high))
    }

    fn direction(&mut self) -> DVec3 {
        DVec3::from_array(std::array::from_fn(|_| self.within(-1.0, 1.0)))
    }
}

/// A plane that passes an eye, and what the eye sees.
fn plane_and_view(random: &mut Random) -> (Plane, View) {
    let size = random.power_of_ten(-3.0, 8.0);
    let near = random.power_of_ten(-4.0, 0.0);
    let eye = random.direction() * (0.3 * size).min(10.0);
    let axis = (random.part() * 3.0) as usize;
    let nearest = near.min(0.1 * size) * 0.3;
    let reach = random.power_of_ten(nearest.log10(), size.log10());
    let side = if random.part() < 0.5 { -1.0 } else { 1.0 };
    let single = |value: f64| f64::from(value as f32);
    let middle = DVec2::new(random.within(-0.5, 0.5), random.within(-0.5, 0.5)) * size;
    let turn = DVec2::from_angle(random.within(0.0, 6.0));
    let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]].map(|[x, y]| {
        let corner = middle + turn.rotate(DVec2::new(x, y)) * size;
        DVec2::new(single(corner.x), single(corner.y))
    });
    let plane = Plane {
        axis,
        at: single(eye[axis] + side * reach),
        corners,
    };
    let far = near * random.power_of_ten(1.0, 7.0);
    let lens = match (random.part() * 3.0) as u32 {
        0 => Projection::Perspective {
            y_fov: 1.2,
            aspect: None,
            near: near as f32,
            far: None,
        },
        1 => Projection::Perspective {
            y_fov: 0.6,
            aspect: None,
            near: near as f32,
            far: Some(far as f32),
        },
        _ => Projection::Orthographic {
            x_mag: reach as f32,
            y_mag: reach as f32,
            near: near as f32,
            far: far as f32,
        },
    };
    let turned = random.direction().as_vec3().normalize_or(Vec3::X);
    let rotation = Quat::from_axis_angle(turned, random.within(0.0, 6.0) as f32);
    let world_from_camera = Mat4::from_rotation_translation(rotation, eye.as_vec3());
    (plane, View::through(&lens, world_from_camera, EDGE, EDGE))
}

/// Points at which a pixel of the picture is looked at again: at an edge, or where the place changes fast, rays beside its
/// centre show the effect of a sub-pixel step.
fn around(pixel: u32) -> [DVec2; 5] {
    let centre = DVec2::new(f64::from(pixel % EDGE), f64::from(pixel / EDGE)) + 0.5;
    let step = 1.0 / 128.0;
    [
        [0.0, 0.0],
        [-1.0, -1.0],
        [1.0, -1.0],
        [-1.0, 1.0],
        [1.0, 1.0],
    ]
    .map(|[x, y]| centre + DVec2::new(x, y) * step)
}

/// Pixels of planes that are seen, and those of them that differ from the ray cast.
#[derive(Debug, Default)]
struct Tally {
    seen: u32,
    covered_else: u32,
    deeper_or_nearer: u32,
    elsewhere: u32,
}

impl Tally {
    /// Compares a pixel with the rays around it: covered where all of them meet the plane and nowhere else, at a depth and
    /// a place between theirs but for what single precision rounds.
    fn count(
        &mut self,
        drawn: Option<(f64, DVec3)>,
        hits: &[(f64, DVec3)],
        eye: DVec3,
        reach: f64,
    ) {
        let Some((depth, place)) = drawn else {
            self.covered_else += u32::from(hits.len() == 5);
            return;
        };
        if hits.len() < 5 {
            self.covered_else += u32::from(hits.is_empty());
            return;
        }
        self.seen += 1;
        let (exact_depth, exact_place) = hits[0];
        let most =
            |value: &dyn Fn(&(f64, DVec3)) -> f64| hits.iter().map(value).fold(0.0, f64::max);
        let step = most(&|hit| (hit.0 - exact_depth).abs());
        self.deeper_or_nearer += u32::from((depth - exact_depth).abs() > step + 1e-6);
        let step = most(&|hit| hit.1.distance(exact_place));
        let bound = step + 1e-2 * exact_place.distance(eye) + 1e-6 * reach;
        self.elsewhere += u32::from(place.distance(exact_place) > bound);
    }
}

/// Coverage and depth are those of a ray within a sub-pixel step. The place of a strip of ten pixels across all of the guard
/// band is lost in the single precision of the lanes: in one pixel of ten thousand at most.
#[test]
fn near_plane_cuts_planes_of_any_size_as_an_exact_ray_cast_sees_them() {
    let mut random = Random(57);
    let mut tally = Tally::default();
    for case in 0..2000 {
        let (plane, view) = plane_and_view(&mut random);
        let drawn = draw(&plane.primitive(), &view);
        assert_eq!(drawn.unplaced, 0, "case {case}: nothing is dropped");
        let eye = (view.view_from_world.as_dmat4().inverse()).project_point3(DVec3::ZERO);
        for (pixel, drawn) in (0..).zip(&drawn.pixels) {
            let rays = around(pixel).map(|at| cast(&plane, &view, at));
            let hits: Vec<_> = rays.into_iter().flatten().collect();
            // Coverage is open as far as depth may round to beyond the far plane.
            if hits.iter().all(|hit| hit.0 <= 1.0 - DOUBT) {
                tally.count(*drawn, &hits, eye, plane.reach());
            }
        }
    }
    assert!(tally.seen > 100_000, "{tally:?}");
    let (coverage, depth) = (tally.covered_else, tally.deeper_or_nearer);
    assert_eq!((coverage, depth), (0, 0), "{tally:?}");
    assert!(tally.elsewhere * 10_000 <= tally.seen, "{tally:?}");
}

#[test]
fn near_plane_cuts_from_corners_that_round_onto_the_far_plane() {
    let far = 1e4_f32;
    let lens = Projection::Perspective {
        y_fov: 1.0,
        aspect: None,
        near: 0.05,
        far: Some(far),
    };
    let eye = Mat4::from_translation(Vec3::Z * 3.0);
    let view = View::through(&lens, eye, EDGE, EDGE);
    let reach = f64::from(far);
    let plane = Plane {
        axis: 1,
        at: -1.0,
        corners: [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]
            .map(|corner| DVec2::from_array(corner) * reach),
    };
    let drawn = draw(&plane.primitive(), &view);
    for pixel in EDGE * (EDGE / 2 + 1)..EDGE * EDGE {
        let (exact, _) = cast(&plane, &view, around(pixel)[0]).expect("below the horizon");
        let (depth, _) = drawn.pixels[pixel as usize].expect("covered");
        assert!(
            (depth - exact).abs() < 1e-5,
            "pixel {pixel}: depth {depth} instead of {exact}"
        );
    }
}

#[test]
fn near_plane_cuts_a_line_of_any_length_where_it_passes_the_eye() {
    let view = View::through(
        &Projection::Perspective {
            y_fov: 1.0,
            aspect: None,
            near: 1e-3,
            far: None,
        },
        Mat4::IDENTITY,
        EDGE,
        EDGE,
    );
    for reach in [1e2_f32, 1e5, 2e7, 1e9] {
        let line = Primitive {
            topology: Topology::Lines,
            indices: vec![0, 1],
            positions: [reach, -reach].map(|z| Vec3::new(0.01, -1.0, z)).to_vec(),
            ..Primitive::default()
        };
        let drawn = draw(&line, &view);
        assert_eq!(drawn.unplaced, 0, "{reach}: nothing is dropped");
        // Below the horizon, in the column right of the middle.
        for (pixel, drawn) in (0..).zip(&drawn.pixels) {
            let (x, y) = (pixel % EDGE, pixel / EDGE);
            let is_on_it = x == EDGE / 2 && y >= EDGE / 2;
            assert_eq!(drawn.is_some(), is_on_it, "{reach}: pixel {x}, {y}");
            let Some((depth, place)) = drawn.filter(|_| y > EDGE / 2) else {
                continue;
            };
            let slope = (f64::from(y) + 0.5 - f64::from(EDGE / 2)) / f64::from(EDGE / 2);
            let way = 1.0 / (slope * 0.5_f64.tan());
            let exact = 1.0 - 1e-3 / way;
            assert!((depth - exact).abs() < 1e-6, "{reach}: depth {depth}");
            let off = (place.z + way).abs();
            let bound = 1e-2 * way + 1e-7 * f64::from(reach);
            assert!(off < bound, "{reach}: row {y} at {place}");
        }
    }
}

#[test]
fn near_plane_drops_and_counts_what_is_nowhere() {
    let view = View::through(
        &Projection::Perspective {
            y_fov: 1.0,
            aspect: None,
            near: 0.1,
            far: None,
        },
        Mat4::IDENTITY,
        EDGE,
        EDGE,
    );
    let corners = [[-1.0, -1.0], [1.0, -1.0], [0.0, f32::NAN]];
    let triangle = Primitive {
        indices: vec![0, 1, 2],
        positions: corners.map(|[x, y]| Vec3::new(x, y, -2.0)).to_vec(),
        ..Primitive::default()
    };
    let drawn = draw(&triangle, &view);
    assert_eq!((drawn.unplaced, drawn.covered), (1, 0), "no number");
}
