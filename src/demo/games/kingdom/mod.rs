//! A realm of castles, mines and armies on the march, seen from above. After the spirit of the papers' `RoK`: one large
//! map, hundreds of small sprites and labels in order of depth, a camera that rests over a castle and then moves on to the
//! next.

mod display;
mod ground;
mod icons;
mod look;
mod realm;
mod style;
mod troops;

use glam::{Mat4, Vec2, Vec3, Vec4};

use crate::kit::atlas::Sprite;
use crate::kit::frame::{FrameBuilder, flat_view};
use crate::kit::hud::Hud;
use crate::kit::motion::{arc, ease};
use crate::kit::sprites::{Batch, Placed};
use crate::kit::stage::{Stage, backdrop};
use crate::procedural::random;
use crate::{Demo, Frame, Game, Kind, Screen, Setting, Show};
use azulejo_scene::{MaterialId, MeshId, Scene, Wrap};
use look::{Land, OWNERS};
use realm::{Army, MAP, Place, Realm, Site};

pub(super) const DEMO: Demo = Demo {
    name: "kingdom",
    about: "armies march between castles on a large map",
    kind: Kind::Isometric,
    camera: "rests, then pans to the next castle",
    setting: Setting::AsIs,
    start,
};

/// Frames of a rest, and of the pan after it.
const REST: u64 = 140;
const PAN: u64 = 90;
/// Frames of the first rest that are over when the show begins.
const AHEAD: u64 = 112;

#[derive(Debug)]
struct Kingdom {
    realm: Realm,
    land: Land,
    hud: Hud<icons::Icons>,
    ground: MeshId,
    sprites: MaterialId,
    display: MaterialId,
    seed: u32,
}

fn start(seed: u32) -> Show {
    let mut stage = Stage::new("kingdom");
    let realm = Realm::new(seed);
    let (hud, display) = Hud::new("display", 512, icons::Icons::new);
    let (land, atlas) = look::land();
    let texture = stage.texture(ground::ground(&realm, seed), Wrap::ClampToEdge);
    let meadow = stage.material(backdrop("ground", texture));
    let mut whole = Batch::default();
    whole.add(Placed::new(Sprite::WHOLE, MAP * 0.5, 0.0).sized(MAP));
    let game = Kingdom {
        ground: stage.mesh("ground", whole.into_primitive(), meadow),
        sprites: stage.atlas("land", &atlas),
        display: stage.atlas("display", &display),
        realm,
        land,
        hud,
        seed,
    };
    stage.show(Vec3::new(0.1, 0.2, 0.05), game)
}

/// Visible rectangle of the map.
#[derive(Debug, Clone, Copy)]
struct Sight {
    low: Vec2,
    high: Vec2,
}

impl Sight {
    /// Whether something around `at` may be seen.
    fn sees(&self, at: Vec2, reach: f32) -> bool {
        at.cmpgt(self.low - reach).all() && at.cmplt(self.high + reach).all()
    }
}

impl Game for Kingdom {
    fn frame(&self, scene: &Scene, frame: u64, screen: Screen) -> Frame {
        let mut builder = FrameBuilder::new(scene, screen);
        let size = Vec2::new(screen.units_wide(), Screen::UNITS_HIGH);
        let low = self.origin(frame, size);
        let sight = Sight {
            low,
            high: low + size,
        };
        let map = builder.layer(low, 1.0);
        let flat = builder.layer(Vec2::ZERO, 1.0);
        builder.mesh(self.ground, Mat4::IDENTITY, map);
        let mut below = Batch::default();
        self.marks(&mut below, sight, frame);
        builder.sprites("marks", below, self.sprites, map);
        let mut standing = Batch::default();
        self.standing(&mut standing, sight, frame);
        builder.sprites("land", standing, self.sprites, map);
        let mut labels = Batch::default();
        self.labels(&mut labels, sight, frame);
        builder.sprites("labels", labels, self.display, map);
        let mut batch = Batch::default();
        self.display(&mut batch, size.x, sight, frame);
        builder.sprites("display", batch, self.display, flat);
        builder.finish(flat_view(screen, Vec2::ZERO, 1.0))
    }
}

impl Kingdom {
    /// Upper left corner of what the camera shows; whole pixels of the usual screens while it rests.
    fn origin(&self, frame: u64, size: Vec2) -> Vec2 {
        let frame = frame + AHEAD;
        let views = &self.realm.views;
        let number = (frame / (REST + PAN)) as usize;
        let within = (frame % (REST + PAN)).saturating_sub(REST) as f32 / PAN as f32;
        let corner = |number: usize| {
            let corner = views[number % views.len()] - size * 0.5;
            corner
                .clamp(Vec2::ZERO, (MAP - size).max(Vec2::ZERO))
                .round()
        };
        corner(number).lerp(corner(number + 1), ease(within))
    }

    /// Ground marks: borders of land, bridges, arrows along the marches.
    fn marks(&self, batch: &mut Batch, sight: Sight, frame: u64) {
        for place in &self.realm.places {
            if let Site::Castle(owner) = place.site
                && sight.sees(place.at, 220.0)
            {
                let at = place.at - Vec2::Y * 24.0;
                let land = Placed::new(self.land.realm, at, 290.0);
                batch.add(land.tinted(owner_color(owner).extend(0.85)));
            }
        }
        for &bridge in &self.realm.bridges {
            if sight.sees(bridge, 80.0) {
                batch.add(Placed::new(self.land.bridge, bridge, 56.0));
            }
        }
        for army in &self.realm.armies {
            let tint = (owner_color(army.owner) * 1.5 + 0.12).extend(0.85);
            for (at, way) in army.ahead(frame, 22.0) {
                if sight.sees(at, 20.0) {
                    let arrow = Placed::new(self.land.arrow, at, 11.0);
                    batch.add(
                        arrow
                            .turned(way.to_angle() / std::f32::consts::TAU)
                            .tinted(tint),
                    );
                }
            }
        }
    }

    /// Upright sprites, from back to front.
    fn standing(&self, batch: &mut Batch, sight: Sight, frame: u64) {
        let mut standing: Vec<Placed> = Vec::new();
        let mut add = |sprite: Sprite, at: Vec2, height: f32| {
            if sight.sees(at - Vec2::Y * height * 0.5, height) {
                standing.push(Placed::new(sprite, at, height));
            }
        };
        for place in &self.realm.places {
            let (sprite, height) = self.building(place);
            add(sprite, place.at, height);
        }
        for &(at, tree, height) in &self.realm.trees {
            add(self.land.trees[tree], at, height);
        }
        for (number, &(at, height)) in self.realm.mountains.iter().enumerate() {
            add(
                self.land.mountains[number % 2],
                at + Vec2::Y * height * 0.1,
                height,
            );
        }
        for army in &self.realm.armies {
            self.company(&mut standing, army, sight, frame);
        }
        for place in self.realm.places.iter().filter(|p| p.site == Site::Camp) {
            self.skirmish(&mut standing, place, sight, frame);
        }
        standing.sort_by(|a, b| a.at.y.total_cmp(&b.at.y).then(a.at.x.total_cmp(&b.at.x)));
        for placed in standing {
            batch.add(placed.standing());
        }
    }

    fn building(&self, place: &Place) -> (Sprite, f32) {
        match place.site {
            Site::Castle(owner) => (self.land.castles[owner], 190.0),
            Site::Village => (self.land.village, 104.0),
            Site::Farm => (self.land.works[0], 78.0),
            Site::Lumber => (self.land.works[1], 70.0),
            Site::Quarry => (self.land.works[2], 66.0),
            Site::Mine => (self.land.works[3], 66.0),
            Site::Camp => (self.land.camp, 88.0),
        }
    }

    /// Soldiers of a company in ranks behind their flag.
    fn company(&self, standing: &mut Vec<Placed>, army: &Army, sight: Sight, frame: u64) {
        let (head, way) = army.at(frame);
        if !sight.sees(head, 120.0) {
            return;
        }
        let sprites = self.land.soldiers[army.owner][army.arm];
        let (spread, size) = if army.arm == 1 {
            (19.0, 38.0)
        } else {
            (15.0, 34.0)
        };
        let flat = |p: Vec2| p * Vec2::new(1.0, 0.66);
        for k in 0..army.soldiers {
            let (rank, file) = ((k / 3) as f32, (k % 3) as f32 - 1.0);
            let at = head + flat(way * (-rank * spread * 1.05) + way.perp() * (file * spread));
            let own = random(k as i32, 5, army.name as u32);
            let step = ((frame as f32 / 9.0 + own * 2.0) as u64 % 2) as usize;
            let mut soldier = Placed::new(sprites[step], at, size);
            if way.x < 0.0 {
                soldier.size.x = -soldier.size.x;
            }
            standing.push(soldier);
        }
        let flag = head + flat(way * 12.0);
        standing.push(Placed::new(self.land.flags[army.owner], flag, 46.0));
    }

    /// Raiders before their camp, and the soldiers who fight them.
    fn skirmish(&self, standing: &mut Vec<Placed>, camp: &Place, sight: Sight, frame: u64) {
        let front = camp.at + Vec2::new(0.0, 34.0);
        if !sight.sees(front, 90.0) {
            return;
        }
        let fights = !camp.level.is_multiple_of(3);
        for k in 0..6 {
            let own = random(k, 8, camp.name as u32);
            let row = Vec2::new(14.0 + 17.0 * (k / 3) as f32, 12.0 * (k % 3) as f32 - 10.0);
            let lunge = if fights {
                5.0 * arc((frame as f32 / 36.0 + own).fract() * 2.0)
            } else {
                0.0
            };
            let step = usize::from(fights && (frame / 12 + k as u64).is_multiple_of(2));
            let mut raider =
                Placed::new(self.land.raider[step], front + row - Vec2::X * lunge, 34.0);
            raider.size.x = -raider.size.x;
            standing.push(raider);
            if fights {
                let sprites = self.land.soldiers[camp.level as usize % 3][0];
                let at = front + row * Vec2::new(-1.0, 1.0) + Vec2::X * (lunge - 4.0);
                standing.push(Placed::new(sprites[1 - step], at, 34.0));
            }
        }
    }

    /// A glow over the fighting at a camp, the blows' cost in letters.
    fn blows(&self, batch: &mut Batch, camp: &Place, frame: u64) {
        let front = camp.at + Vec2::new(0.0, 12.0);
        let beat = frame + u64::from(camp.level) * 13;
        let t = (beat % 40) as f32 / 40.0;
        let own = random((beat / 40) as i32, camp.name as i32, self.seed);
        let spark = front + Vec2::new(24.0 * (own - 0.5), 14.0 * (own * 7.0).fract());
        let glint = Placed::new(self.hud.glint, spark, 34.0 * arc(t * 2.5));
        batch.add(glint.tinted(Vec4::new(1.0, 0.9, 0.5, 0.9)));
        let cost = format!("-{}", 40 + (own * 200.0) as u32);
        let style = crate::kit::font::Style::new(12.0).colored(Vec3::new(1.0, 0.4, 0.25));
        let rise = front - Vec2::Y * (18.0 + 22.0 * t);
        self.hud
            .text(batch, &cost, rise, style.faded(2.0 - 2.0 * t));
    }
}

/// Linear RGB of an owner.
fn owner_color(owner: usize) -> Vec3 {
    crate::kit::paint::rgb(OWNERS[owner]).powf(2.2)
}
