//! Labels on the map, and the ruler's display: portrait, stores, marches, map, talk, buttons.

use glam::{Vec2, Vec3, Vec4};

use super::realm::{MAP, Site};
use super::{Kingdom, Sight, owner_color};
use crate::kit::font::{Align, Style};
use crate::kit::motion::whole_seconds;
use crate::kit::sprites::{Batch, Placed};

/// Names of the players, at castles and companies.
const NAMES: [&str; 16] = [
    "ALDRIC", "MIRA", "TOBIN", "YSOLDE", "KARIM", "FREYA", "OTTO", "SELIM", "BRUNA", "HAKON",
    "LUCIA", "WEI", "TAMAR", "RURIK", "ZOE", "IVO",
];
/// Houses of the players, by owner.
const HOUSES: [&str; 3] = ["AZU", "LIS", "VOR"];

const PALE: Vec3 = Vec3::new(0.95, 0.9, 0.75);

impl Kingdom {
    /// Names and levels under places, over companies.
    pub(super) fn labels(&self, batch: &mut Batch, sight: Sight, frame: u64) {
        for place in &self.realm.places {
            if !sight.sees(place.at, 120.0) {
                continue;
            }
            let name = NAMES[place.name % NAMES.len()];
            let level = format!("{}", place.level);
            match place.site {
                Site::Castle(owner) => {
                    let text = format!("({}) {name}", HOUSES[owner]);
                    self.plate(
                        batch,
                        place.at + Vec2::Y * 16.0,
                        13.0,
                        &text,
                        owner_color(owner) * 1.6 + 0.25,
                    );
                    self.shield(batch, place.at + Vec2::new(-92.0, 16.0), &level);
                }
                Site::Camp => {
                    let text = format!("RAIDERS LV {level}");
                    self.plate(
                        batch,
                        place.at - Vec2::Y * 86.0,
                        10.0,
                        &text,
                        Vec3::new(1.0, 0.45, 0.3),
                    );
                    if !place.level.is_multiple_of(3) {
                        self.blows(batch, place, frame);
                    }
                }
                Site::Village => {
                    self.plate(batch, place.at + Vec2::Y * 12.0, 10.0, "VILLAGE", PALE);
                }
                _ => self.shield(batch, place.at + Vec2::new(0.0, 8.0), &level),
            }
        }
        for army in &self.realm.armies {
            let (head, way) = army.at(frame);
            if sight.sees(head, 90.0) {
                let at = (head - way * Vec2::new(14.0, 9.0) - Vec2::Y * 50.0).round();
                let name = NAMES[army.name % NAMES.len()];
                let text = format!("{name} {}K", 20 + army.name * 3);
                self.plate(batch, at, 9.0, &text, owner_color(army.owner) * 1.6 + 0.3);
            }
        }
    }

    /// A text on a dark band.
    fn plate(&self, batch: &mut Batch, at: Vec2, height: f32, text: &str, color: Vec3) {
        let width = self.hud.font.width(text, height) + height * 1.8;
        let band = Placed::new(self.hud.panel, at, 1.0).sized(Vec2::new(width, height * 2.0));
        batch.nine(band.faded(0.8), height * 0.8, crate::kit::hud::CORNER);
        self.hud
            .text(batch, text, at, Style::new(height).colored(color));
    }

    /// A level in a small shield.
    fn shield(&self, batch: &mut Batch, at: Vec2, level: &str) {
        batch.add(Placed::new(self.hud.own.shield, at, 27.0));
        self.hud
            .text(batch, level, at - Vec2::Y * 1.0, Style::new(10.0));
    }

    pub(super) fn display(&self, batch: &mut Batch, wide: f32, sight: Sight, frame: u64) {
        self.ruler(batch, frame);
        self.stores(batch, wide, frame);
        self.marches(batch, wide, frame);
        self.map(batch, wide, sight);
        self.talk(batch, wide, sight, frame);
    }

    fn ruler(&self, batch: &mut Batch, frame: u64) {
        let hud = &self.hud;
        batch.add(Placed::new(hud.own.ruler, Vec2::new(64.0, 64.0), 108.0));
        hud.panel(batch, Vec2::new(222.0, 36.0), Vec2::new(196.0, 40.0));
        let power = format!("{},{:03},480", 12, 300 + frame / 240 % 700);
        let style = Style::new(19.0).aligned(Align::Left);
        batch.add(Placed::new(hud.own.swords, Vec2::new(142.0, 36.0), 34.0));
        hud.text(
            batch,
            &power,
            Vec2::new(164.0, 36.0),
            style.colored(Vec3::new(1.0, 0.85, 0.4)),
        );
        hud.bar(
            batch,
            (Vec2::new(206.0, 76.0), Vec2::new(164.0, 20.0)),
            0.64,
            Vec3::new(0.2, 0.8, 0.25),
        );
        hud.text(
            batch,
            "VIP 9",
            Vec2::new(206.0, 104.0),
            Style::new(14.0).colored(Vec3::new(1.0, 0.8, 0.3)),
        );
    }

    /// Counts of the stores: food, wood, stone, gold, gems.
    fn stores(&self, batch: &mut Batch, wide: f32, frame: u64) {
        let hud = &self.hud;
        let counts = [3.2, 2.8, 1.9, 4.4].map(|count: f32| count + (frame / 150) as f32 * 0.1);
        let icons = [
            hud.own.grain,
            hud.own.logs,
            hud.own.stone,
            hud.coin,
            hud.gem,
        ];
        for (number, icon) in icons.into_iter().enumerate() {
            let at = Vec2::new(wide - 84.0 - 118.0 * (4 - number) as f32, 30.0);
            hud.panel(batch, at, Vec2::new(106.0, 34.0));
            batch.add(Placed::new(icon, at - Vec2::X * 44.0, 38.0));
            let text = counts
                .get(number)
                .map_or("860".to_owned(), |count| format!("{count:.1}M"));
            hud.text(batch, &text, at + Vec2::X * 10.0, Style::new(16.0));
        }
    }

    /// Our companies and how far they are.
    fn marches(&self, batch: &mut Batch, wide: f32, frame: u64) {
        let hud = &self.hud;
        let ours = self.realm.armies.iter().filter(|army| army.owner == 0);
        for (number, army) in ours.take(4).enumerate() {
            let at = Vec2::new(wide - 96.0, 236.0 + 66.0 * number as f32);
            hud.panel(batch, at, Vec2::new(160.0, 58.0));
            batch.add(Placed::new(
                hud.own.captains[number % 3],
                at - Vec2::X * 52.0,
                54.0,
            ));
            let left = Align::Left;
            let name = Style::new(12.0).aligned(left).colored(PALE);
            hud.text(
                batch,
                NAMES[army.name % NAMES.len()],
                at + Vec2::new(-20.0, -12.0),
                name,
            );
            let seconds = 90 - (whole_seconds(frame) + 17 * number as u64) % 90;
            let clock = format!("0:{:02}:{:02}", seconds / 60, seconds % 60);
            hud.text(
                batch,
                &clock,
                at + Vec2::new(-20.0, 10.0),
                Style::new(13.0).aligned(left),
            );
        }
    }

    /// The whole map in a corner, with what is seen of it.
    fn map(&self, batch: &mut Batch, wide: f32, sight: Sight) {
        let hud = &self.hud;
        let size = Vec2::new(160.0, 100.0);
        let middle = Vec2::new(wide - 96.0, 136.0);
        hud.panel(batch, middle, size + 14.0);
        let fill = hud.filling.part(Vec2::splat(0.4), Vec2::splat(0.6));
        batch.add(
            Placed::new(fill, middle, 1.0)
                .sized(size)
                .tinted(Vec4::new(0.12, 0.3, 0.07, 1.0)),
        );
        let on_map = |p: Vec2| middle + (p / MAP - 0.5) * size;
        for k in 0..10 {
            let y = MAP.y * (k as f32 + 0.5) / 10.0;
            let water = Placed::new(fill, on_map(Vec2::new(super::realm::river(y), y)), 1.0);
            batch.add(
                water
                    .sized(Vec2::new(5.0, 10.5))
                    .tinted(Vec4::new(0.05, 0.3, 0.6, 1.0)),
            );
        }
        for place in &self.realm.places {
            if let Site::Castle(owner) = place.site {
                let dot = Placed::new(hud.knob, on_map(place.at), 10.0);
                batch.add(dot.tinted((owner_color(owner) * 1.5).extend(1.0)));
            }
        }
        let (low, high) = (on_map(sight.low), on_map(sight.high));
        let center = (low + high) * 0.5;
        for (at, line) in [
            (Vec2::new(center.x, low.y), Vec2::new(high.x - low.x, 2.0)),
            (Vec2::new(center.x, high.y), Vec2::new(high.x - low.x, 2.0)),
            (Vec2::new(low.x, center.y), Vec2::new(2.0, high.y - low.y)),
            (Vec2::new(high.x, center.y), Vec2::new(2.0, high.y - low.y)),
        ] {
            batch.add(Placed::new(fill, at, 1.0).sized(line));
        }
        let home = self.realm.views[0];
        batch.add(Placed::new(hud.star, on_map(home), 14.0));
    }

    /// The house's talk, where we are, and the buttons of the lower edge.
    fn talk(&self, batch: &mut Batch, wide: f32, sight: Sight, frame: u64) {
        let hud = &self.hud;
        let lines = [
            "MIRA: WHO RAIDS THE GOLD MINE?",
            "OTTO: MARCHING TO THE PASS",
            "SELIM: NEED WOOD, SEND 200K",
            "FREYA: RALLY IN FIVE MINUTES!",
            "KARIM: SHIELD UP, GOOD NIGHT",
        ];
        let at = Vec2::new(wide * 0.5 - 110.0, 682.0);
        hud.panel(batch, at, Vec2::new(470.0, 58.0));
        let style = Style::new(13.0).aligned(Align::Left);
        for row in 0..2 {
            let line = lines[((frame / 200) as usize + row) % lines.len()];
            let color = if row == 0 {
                Vec3::new(0.6, 0.85, 1.0)
            } else {
                PALE
            };
            let start = at + Vec2::new(-218.0, -13.0 + 25.0 * row as f32);
            hud.text(batch, line, start, style.colored(color));
        }
        let place = (sight.low / 4.0).floor();
        let where_ = format!("X:{} Y:{}", place.x, place.y);
        hud.panel(
            batch,
            Vec2::new(wide * 0.5 - 110.0, 634.0),
            Vec2::new(176.0, 30.0),
        );
        hud.text(
            batch,
            &where_,
            Vec2::new(wide * 0.5 - 110.0, 634.0),
            Style::new(13.0),
        );
        let buttons = [
            (hud.own.hammer, "BUILD", Vec3::new(0.25, 0.55, 0.95)),
            (hud.own.swords, "ARMY", Vec3::new(0.9, 0.3, 0.2)),
            (hud.own.shield, "HOUSE", Vec3::new(0.25, 0.7, 0.3)),
            (hud.star, "QUEST", Vec3::new(0.85, 0.6, 0.15)),
        ];
        for (number, (icon, word, color)) in buttons.into_iter().enumerate() {
            let at = Vec2::new(wide - 60.0 - 92.0 * number as f32, 662.0);
            hud.button(batch, at, 82.0, color, icon);
            hud.text(batch, word, at + Vec2::Y * 40.0, Style::new(14.0));
        }
        for (number, icon) in [hud.own.hammer, hud.own.lens].into_iter().enumerate() {
            let at = Vec2::new(64.0 + 96.0 * number as f32, 654.0);
            hud.button(batch, at, 90.0, Vec3::new(0.95, 0.75, 0.35), icon);
        }
    }
}
