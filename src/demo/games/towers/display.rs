//! Overlay of the land: bars of life, gold that is won, the wave, spells, towers for sale.

use glam::{Vec2, Vec3, Vec4, vec2};

use super::Towers;
use super::arms::COSTS;
use super::battle::{METEOR_EVERY, Tick, VICTORY, WAVES, What};
use super::icons::Icons;
use super::map::PLOTS;
use crate::kit::font::{Align, Style};
use crate::kit::frame::FrameBuilder;
use crate::kit::motion::{ease_out, overshoot};
use crate::kit::sprites::{Batch, Placed};
use azulejo_scene::ThroughView;

const GOLD: Vec3 = Vec3::new(1.0, 0.76, 0.14);

impl Towers {
    /// Life bars of foes that have been hit, ranks of towers, gold of the fallen.
    pub(super) fn bars(&self, batch: &mut Batch, time: u32) {
        let hud = &self.hud;
        let tick = self.battle.tick(time);
        let flat = hud.filling.part(vec2(0.4, 0.3), vec2(0.6, 0.7));
        for foe in tick.foes.iter().filter(|foe| foe.life < 1.0) {
            let height = super::BREEDS[foe.kind].height;
            let lift = if foe.kind == 2 { 40.0 } else { 8.0 };
            let at = foe.at(&self.road) - vec2(0.0, height + lift);
            let wide = 0.6 * height + 6.0;
            let back = Placed::new(flat, at, 1.0).sized(vec2(wide + 4.0, 9.0));
            batch.add(back.tinted(Vec4::new(0.01, 0.01, 0.015, 1.0)));
            let left = Placed::new(flat, at - vec2(0.5 * wide * (1.0 - foe.life), 0.0), 1.0);
            let color = Vec3::new(0.9, 0.1, 0.05).lerp(Vec3::new(0.2, 0.8, 0.12), foe.life);
            batch.add(
                left.sized(vec2(wide * foe.life, 5.0))
                    .tinted(color.extend(1.0)),
            );
        }
        for (number, (plot, _)) in PLOTS.into_iter().enumerate() {
            let level = tick.levels[number];
            for rank in 1..level {
                let x = 16.0 * (rank as f32 - 0.5 * level as f32);
                batch.add(Placed::new(hud.star, plot + vec2(x, 26.0), 18.0));
            }
        }
        for (event, age) in self.battle.events(time) {
            if let What::Death(gold) = event.what
                && age < 52.0
            {
                let t = age / 52.0;
                let at = event.at - vec2(0.0, 12.0 + 34.0 * ease_out(t));
                let style = Style::new(17.0 * overshoot(t * 4.0))
                    .colored(GOLD)
                    .faded(2.4 - 2.4 * t);
                hud.text(batch, &format!("+{gold}"), at, style);
            }
        }
    }

    /// Panels first, then icons and what is written, as interfaces are batched.
    pub(super) fn display(
        &self,
        builder: &mut FrameBuilder<'_>,
        surface: ThroughView,
        time: u32,
        frame: u64,
    ) {
        let wide = builder.screen().units_wide();
        let tick = self.battle.tick(time);
        let mut panels = Batch::default();
        self.panels(&mut panels, wide, tick);
        builder.sprites("panels", panels, self.materials.hud, surface);
        let mut cards = Batch::default();
        for (kind, &sprite) in self.field.towers.iter().enumerate() {
            let high = [62.0, 66.0, 54.0][kind];
            let dim = if tick.gold >= COSTS[kind] { 1.0 } else { 0.28 };
            let tower = Placed::new(sprite, card(wide, kind) - vec2(0.0, 8.0), high);
            cards.add(tower.tinted(Vec4::new(dim, dim, dim, 1.0)));
        }
        builder.sprites("cards", cards, self.materials.field, surface);
        let mut signs = Batch::default();
        self.signs(&mut signs, wide, tick);
        self.spells(&mut signs, time);
        self.banners(&mut signs, wide, time, frame);
        builder.sprites("display", signs, self.materials.hud, surface);
    }

    fn panels(&self, batch: &mut Batch, wide: f32, tick: &Tick) {
        let hud = &self.hud;
        hud.panel(batch, vec2(100.0, 38.0), vec2(166.0, 46.0));
        hud.panel(batch, vec2(286.0, 38.0), vec2(170.0, 46.0));
        hud.panel(batch, vec2(wide * 0.5 + 20.0, 40.0), vec2(400.0, 52.0));
        for kind in 0..3 {
            hud.panel(batch, card(wide, kind), vec2(84.0, 96.0));
        }
        let bar = (vec2(wide * 0.5 + 82.0, 40.0), vec2(210.0, 24.0));
        let share = (tick.wave as f32 - 1.0 + tick.arrived).max(0.0) / WAVES as f32;
        hud.bar(batch, bar, share, Vec3::new(0.9, 0.25, 0.1));
    }

    fn signs(&self, batch: &mut Batch, wide: f32, tick: &Tick) {
        let hud = &self.hud;
        let Icons { skull, forward, .. } = hud.own;
        let left = Style::new(22.0).aligned(Align::Left);
        batch.add(Placed::new(hud.heart, vec2(38.0, 38.0), 50.0));
        hud.text(batch, &tick.lives.to_string(), vec2(74.0, 38.0), left);
        batch.add(Placed::new(hud.coin, vec2(222.0, 38.0), 50.0));
        hud.text(
            batch,
            &tick.gold.to_string(),
            vec2(258.0, 38.0),
            left.colored(GOLD),
        );
        let middle = wide * 0.5;
        let wave = format!("WAVE {}/{WAVES}", tick.wave.max(1));
        hud.text(batch, &wave, vec2(middle - 104.0, 40.0), Style::new(18.0));
        batch.add(Placed::new(skull, vec2(middle + 192.0, 40.0), 40.0));
        hud.button(
            batch,
            vec2(wide - 46.0, 42.0),
            60.0,
            Vec3::new(0.9, 0.85, 1.0),
            hud.pause,
        );
        hud.button(
            batch,
            vec2(wide - 116.0, 42.0),
            60.0,
            Vec3::new(0.45, 0.8, 0.3),
            forward,
        );
        for (kind, cost) in COSTS.into_iter().enumerate() {
            let dear = tick.gold < cost;
            let color = if dear {
                Vec3::new(0.9, 0.2, 0.15)
            } else {
                GOLD
            };
            let at = card(wide, kind) + vec2(0.0, 34.0);
            hud.text(
                batch,
                &cost.to_string(),
                at,
                Style::new(16.0).colored(color),
            );
        }
    }

    /// Three spells; the meteor's knob fills while it recovers.
    fn spells(&self, batch: &mut Batch, time: u32) {
        let hud = &self.hud;
        let Icons {
            flame,
            frost,
            shield,
            ..
        } = hud.own;
        let colors = [
            Vec3::new(0.85, 0.22, 0.1),
            Vec3::new(0.1, 0.4, 0.9),
            Vec3::new(0.75, 0.6, 0.2),
        ];
        for (number, icon) in [flame, frost, shield].into_iter().enumerate() {
            let at = vec2(56.0 + 88.0 * number as f32, 662.0);
            hud.button(batch, at, 84.0, colors[number], icon);
            // It recovers in sixteen steps.
            let share = if number == 0 {
                (time % METEOR_EVERY * 16 / METEOR_EVERY) as f32 / 16.0
            } else {
                1.0
            };
            if share < 0.94 {
                let flat = hud.filling.part(vec2(0.4, 0.3), vec2(0.6, 0.7));
                let bar = Placed::new(flat, at + vec2(0.0, 34.0), 1.0);
                batch.add(
                    bar.sized(vec2(64.0, 10.0))
                        .tinted(Vec4::new(0.01, 0.01, 0.02, 1.0)),
                );
                let full = Placed::new(flat, at + vec2(-30.0 + 30.0 * share, 34.0), 1.0);
                batch.add(full.sized(vec2(60.0 * share, 6.0)).tinted(GOLD.extend(1.0)));
            }
        }
    }

    /// Banners: a wave that comes, the end of the battle.
    fn banners(&self, batch: &mut Batch, wide: f32, time: u32, _: u64) {
        let middle = vec2(wide * 0.5, 250.0);
        let left = self.battle.left(time);
        if left < VICTORY {
            let age = (VICTORY - left) as f32;
            let style = Style::new(84.0 * overshoot(age / 26.0)).colored(GOLD);
            self.hud.text(batch, "VICTORY!", middle, style);
            for star in 0..3 {
                let grown = 96.0 * overshoot((age - 24.0 - 14.0 * star as f32) / 18.0);
                let at = middle + vec2(120.0 * (star as f32 - 1.0), 110.0);
                if age > 24.0 + 14.0 * star as f32 {
                    batch.add(Placed::new(self.hud.star, at, grown));
                }
            }
            return;
        }
        let wave = self.battle.tick(time).wave;
        let since = (1..80).find(|&ago| time >= ago && self.battle.tick(time - ago).wave != wave);
        if let Some(since) = since {
            let t = since as f32 / 80.0;
            let style = Style::new(58.0 * overshoot(t * 4.0)).faded(3.0 - 3.0 * t);
            let text = if wave == WAVES {
                "FINAL WAVE!".to_owned()
            } else {
                format!("WAVE {wave}")
            };
            self.hud.text(
                batch,
                &text,
                middle,
                style.colored(Vec3::new(1.0, 0.5, 0.2)),
            );
        }
    }
}

/// Place of a tower's card in the shop, in units of the display.
fn card(wide: f32, kind: usize) -> Vec2 {
    vec2(wide - 52.0 - 92.0 * (2 - kind) as f32, 664.0)
}
