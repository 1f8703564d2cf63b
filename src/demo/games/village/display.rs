//! Overlay of the village: stores, trophies, builders, the two large buttons, goods that fly into the stores.

use glam::{Vec2, Vec3, vec2};

use super::land::{BUILDINGS, world};
use super::people::Icons;
use super::{Village, harvest};
use crate::kit::font::{Align, Style};
use crate::kit::frame::FrameBuilder;
use crate::kit::motion::{ease, ease_out};
use crate::kit::sprites::{Batch, Placed};
use azulejo_scene::ThroughView;

const GOLD: Vec3 = Vec3::new(1.0, 0.7, 0.08);
const MANA: Vec3 = Vec3::new(0.72, 0.12, 0.85);
/// Frames that a coin flies.
const FLIGHT: f32 = 34.0;

impl Village {
    pub(super) fn display(
        &self,
        builder: &mut FrameBuilder<'_>,
        surface: ThroughView,
        frame: u64,
        camera: Vec2,
    ) {
        let wide = builder.screen().units_wide();
        let mut panels = Batch::default();
        self.panels(&mut panels, wide, frame);
        builder.sprites("panels", panels, self.materials.hud, surface);
        let mut signs = Batch::default();
        self.titles(&mut signs, wide, frame);
        self.buttons(&mut signs, wide);
        self.flights(&mut signs, wide, frame, camera);
        builder.sprites("display", signs, self.materials.hud, surface);
    }

    /// Gold and mana in the stores: what the mines have given so far.
    fn stored(frame: u64) -> [u64; 2] {
        let mut stored = [11_240, 8_415];
        let mines = BUILDINGS
            .into_iter()
            .filter(|(kind, _)| *kind == 3 || *kind == 4);
        for (number, (kind, _)) in (0..).zip(mines) {
            // Goods in flight are not counted yet.
            let (times, since) = harvest(number, frame);
            let come = times - u64::from(times > 0 && since < FLIGHT as u64 + 10);
            stored[kind - 3] += 180 * come;
        }
        stored.map(|amount| amount % 20_000)
    }

    fn panels(&self, batch: &mut Batch, wide: f32, frame: u64) {
        let hud = &self.hud;
        let stored = Self::stored(frame);
        for (number, color) in [GOLD, MANA].into_iter().enumerate() {
            let at = vec2(wide - 150.0, 40.0 + 50.0 * number as f32);
            let share = stored[number] as f32 / 20_000.0;
            hud.bar(batch, (at, vec2(204.0, 36.0)), share, color);
        }
        hud.panel(batch, vec2(wide - 112.0, 140.0), vec2(128.0, 40.0));
        hud.bar(
            batch,
            (vec2(170.0, 40.0), vec2(204.0, 36.0)),
            0.62,
            Vec3::new(0.15, 0.6, 0.9),
        );
        hud.panel(batch, vec2(140.0, 92.0), vec2(144.0, 40.0));
        hud.panel(batch, vec2(wide * 0.5 - 84.0, 36.0), vec2(140.0, 42.0));
        hud.panel(batch, vec2(wide * 0.5 + 92.0, 36.0), vec2(140.0, 42.0));
    }

    fn titles(&self, batch: &mut Batch, wide: f32, frame: u64) {
        let hud = &self.hud;
        let Icons {
            drop, cup, hammer, ..
        } = hud.own;
        let stored = Self::stored(frame);
        for (number, icon) in [hud.coin, drop].into_iter().enumerate() {
            let y = 40.0 + 50.0 * number as f32;
            batch.add(Placed::new(icon, vec2(wide - 44.0, y), 52.0));
            let right = Style::new(19.0).aligned(Align::Right);
            hud.text(
                batch,
                &stored[number].to_string(),
                vec2(wide - 82.0, y),
                right,
            );
        }
        batch.add(Placed::new(hud.gem, vec2(wide - 44.0, 140.0), 46.0));
        hud.text(
            batch,
            "254",
            vec2(wide - 82.0, 140.0),
            Style::new(18.0).aligned(Align::Right),
        );
        batch.add(
            Placed::new(hud.star, vec2(50.0, 40.0), 78.0)
                .tinted(Vec3::new(0.35, 0.75, 1.0).extend(1.0)),
        );
        hud.text(batch, "47", vec2(50.0, 42.0), Style::new(20.0));
        hud.text(batch, "CHIEF MARA", vec2(176.0, 40.0), Style::new(16.0));
        batch.add(Placed::new(cup, vec2(78.0, 92.0), 40.0));
        hud.text(batch, "1632", vec2(150.0, 92.0), Style::new(19.0));
        let middle = wide * 0.5;
        batch.add(Placed::new(hammer, vec2(middle - 132.0, 36.0), 44.0));
        hud.text(batch, "1/3", vec2(middle - 74.0, 36.0), Style::new(19.0));
        batch.add(Placed::new(hud.heart, vec2(middle + 44.0, 36.0), 44.0));
        let hours = 11 - (frame / 216_000) % 11;
        hud.text(
            batch,
            &format!("{hours}H SHIELD"),
            vec2(middle + 108.0, 36.0),
            Style::new(13.0),
        );
    }

    fn buttons(&self, batch: &mut Batch, wide: f32) {
        let hud = &self.hud;
        let Icons {
            swords, bag, cog, ..
        } = hud.own;
        hud.button(
            batch,
            vec2(78.0, 640.0),
            138.0,
            Vec3::new(0.95, 0.4, 0.1),
            swords,
        );
        hud.text(batch, "ATTACK!", vec2(78.0, 694.0), Style::new(20.0));
        hud.button(
            batch,
            vec2(wide - 78.0, 640.0),
            138.0,
            Vec3::new(0.25, 0.62, 0.2),
            bag,
        );
        hud.text(batch, "SHOP", vec2(wide - 78.0, 694.0), Style::new(20.0));
        hud.button(
            batch,
            vec2(wide - 44.0, 530.0),
            64.0,
            Vec3::new(0.5, 0.52, 0.6),
            cog,
        );
    }

    /// Coins and drops from a mine that has just been emptied to their store.
    fn flights(&self, batch: &mut Batch, wide: f32, frame: u64, camera: Vec2) {
        let Icons { drop, .. } = self.hud.own;
        let mines = BUILDINGS
            .into_iter()
            .filter(|(kind, _)| *kind == 3 || *kind == 4);
        for (number, (kind, cell)) in (0..).zip(mines) {
            let (times, since) = harvest(number, frame);
            if times == 0 {
                continue;
            }
            // The land is seen through a camera of its own; wide screens magnify it.
            let zoom = (wide / 1280.0).max(1.0);
            let corner = (vec2(1280.0, 720.0) - vec2(wide, 720.0) / zoom) * 0.5 + camera;
            let from = (world(cell) - vec2(0.0, 90.0) - corner) * zoom;
            let to = vec2(wide - 44.0, if kind == 3 { 40.0 } else { 90.0 });
            let icon = if kind == 3 { self.hud.coin } else { drop };
            for coin in 0..6 {
                let t = (since as f32 - 2.0 * coin as f32) / FLIGHT;
                if (0.0..1.0).contains(&t) {
                    let aside =
                        vec2(30.0 * (coin as f32 - 2.5), -30.0) * (1.0 - t) * ease_out(4.0 * t);
                    let at = from.lerp(to, ease(t) * t) + aside;
                    batch.add(Placed::new(icon, at, 36.0));
                }
            }
            if (since as f32) < 46.0 {
                let t = since as f32 / 46.0;
                let color = [GOLD, MANA][kind - 3];
                let style = Style::new(19.0)
                    .colored(color.lerp(Vec3::ONE, 0.3))
                    .faded(2.5 - 2.5 * t);
                self.hud
                    .text(batch, "+180", from - vec2(0.0, 34.0 * ease_out(t)), style);
            }
        }
    }
}
