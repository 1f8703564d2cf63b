//! Overlay of the room: stars taken, the level, buttons, praise.

use glam::{Vec3, Vec4, vec2};

use super::level::CHEWS;
use super::{CutTheRope, Now};
use crate::kit::font::{Align, Style};
use crate::kit::frame::FrameBuilder;
use crate::kit::motion::{ease_out, overshoot};
use crate::kit::sprites::{Batch, Placed};
use azulejo_scene::ThroughView;

impl CutTheRope {
    pub(super) fn display(
        &self,
        builder: &mut FrameBuilder<'_>,
        surface: ThroughView,
        now: Now<'_>,
    ) {
        let wide = builder.screen().units_wide();
        let hud = &self.hud;
        let mut panels = Batch::default();
        hud.panel(&mut panels, vec2(132.0, 48.0), vec2(220.0, 68.0));
        hud.panel(&mut panels, vec2(wide * 0.5, 34.0), vec2(190.0, 44.0));
        builder.sprites("panels", panels, self.materials.hud, surface);
        let mut signs = Batch::default();
        for (number, &(_, taken)) in now.level.stars.iter().enumerate() {
            let at = vec2(64.0 + 68.0 * number as f32, 48.0);
            let empty = Placed::new(hud.star, at, 54.0).tinted(Vec4::new(0.06, 0.06, 0.1, 1.0));
            signs.add(empty);
            if let Some(since) = now.since(taken) {
                signs.add(Placed::new(hud.star, at, 60.0 * overshoot(since / 18.0)));
            }
        }
        let title = format!("LEVEL 1-{}", now.number + 1);
        hud.text(&mut signs, &title, vec2(wide * 0.5, 34.0), Style::new(18.0));
        let restart = hud.own.restart;
        let (red, blue) = (Vec3::new(0.95, 0.35, 0.25), Vec3::new(0.25, 0.6, 0.95));
        hud.button(&mut signs, vec2(wide - 48.0, 48.0), 66.0, blue, hud.pause);
        hud.button(&mut signs, vec2(wide - 124.0, 48.0), 66.0, red, restart);
        self.points(&mut signs, now, wide);
        self.praise(&mut signs, now, wide);
        builder.sprites("display", signs, self.materials.hud, surface);
    }

    fn points(&self, batch: &mut Batch, now: Now<'_>, wide: f32) {
        let taken = now
            .level
            .stars
            .iter()
            .filter(|star| star.1 <= now.time)
            .count();
        let fed = if now.time >= now.level.fed { 2500 } else { 0 };
        let points = 5500 * now.number + 1000 * taken + fed;
        let style = Style::new(22.0).aligned(Align::Right);
        self.hud
            .text(batch, &points.to_string(), vec2(wide - 172.0, 48.0), style);
    }

    fn praise(&self, batch: &mut Batch, now: Now<'_>, wide: f32) {
        let begin = now.level.fed + CHEWS;
        let Some(since) = now.since(begin) else {
            return;
        };
        let left = (now.level.frames() - now.time) as f32;
        let fade = (left / 14.0).min(1.0);
        let middle = vec2(wide * 0.5, 230.0);
        let words = ["YUMMY!", "DELICIOUS!", "SWEET!", "PERFECT!"];
        let style = Style::new(76.0 * overshoot(since / 20.0)).colored(Vec3::new(1.0, 0.8, 0.2));
        self.hud
            .text(batch, words[now.number % 4], middle, style.faded(fade));
        for star in 0..3 {
            let age = since - 14.0 - 12.0 * star as f32;
            if age > 0.0 {
                let at = middle
                    + vec2(
                        112.0 * (star as f32 - 1.0),
                        104.0 + 40.0 * (1.0 - ease_out(age / 10.0)),
                    );
                batch.add(Placed::new(self.hud.star, at, 98.0 * overshoot(age / 16.0)).faded(fade));
            }
        }
    }
}
