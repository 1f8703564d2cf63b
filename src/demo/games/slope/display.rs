//! The rider's display: time, speed, the way down, points for tricks.

use glam::{Vec2, Vec3};

use super::look::Icons;
use super::terrain::{FLIGHT, KICKERS};
use super::{Slope, rider};
use crate::kit::font::{Align, Style};
use crate::kit::motion::{ease, overshoot, wave, whole_seconds};
use crate::kit::sprites::{Batch, Placed};

/// Names of the grabs.
const GRABS: [&str; 3] = ["INDY", "MUTE", "METHOD"];

impl Slope {
    pub(super) fn display(&self, batch: &mut Batch, wide: f32, way: f32, frame: u64) {
        let hud = &self.hud;
        let Icons { clock, peak } = hud.own;
        hud.panel(batch, Vec2::new(124.0, 48.0), Vec2::new(208.0, 56.0));
        batch.add(Placed::new(clock, Vec2::new(50.0, 48.0), 42.0));
        let (whole, tenths) = (whole_seconds(frame), whole_seconds(frame * 10) % 10);
        let time = format!("{}:{:02}.{tenths}", whole / 60, whole % 60);
        let left = Style::new(26.0).aligned(Align::Left);
        hud.text(batch, &time, Vec2::new(84.0, 48.0), left);
        hud.panel(batch, Vec2::new(wide - 132.0, 48.0), Vec2::new(224.0, 56.0));
        let points = format!("{}", self.points(way));
        batch.add(Placed::new(hud.star, Vec2::new(wide - 212.0, 48.0), 44.0));
        let right = Style::new(28.0).aligned(Align::Right);
        hud.text(batch, &points, Vec2::new(wide - 40.0, 48.0), right);
        let pace = 56.0 + 6.0 * wave(way / 190.0) + 4.0 * wave(way / 71.0);
        hud.panel(
            batch,
            Vec2::new(wide - 110.0, 656.0),
            Vec2::new(180.0, 84.0),
        );
        let kmh = Style::new(40.0).aligned(Align::Right);
        hud.text(
            batch,
            &format!("{}", pace as u32),
            Vec2::new(wide - 100.0, 656.0),
            kmh,
        );
        let unit = Style::new(16.0)
            .aligned(Align::Left)
            .colored(Vec3::new(0.6, 0.8, 1.0));
        hud.text(batch, "KM/H", Vec2::new(wide - 90.0, 666.0), unit);
        // The way down: a bar that moves a little every second.
        let share = (way / 25.0).floor() * 25.0 % 2400.0 / 2400.0;
        let bar = (Vec2::new(250.0, 668.0), Vec2::new(400.0, 26.0));
        hud.bar(batch, bar, share, Vec3::new(0.16, 0.55, 1.0));
        batch.add(Placed::new(peak, Vec2::new(44.0, 664.0), 54.0));
        batch.add(Placed::new(
            hud.knob,
            Vec2::new(56.0 + 388.0 * share, 668.0),
            34.0,
        ));
        let pause = Vec2::new(wide - 52.0, 128.0);
        hud.button(batch, pause, 56.0, Vec3::new(0.25, 0.5, 0.9), hud.pause);
        self.praise(batch, wide, way);
    }

    /// Points earned: metres, and tricks landed.
    fn points(&self, way: f32) -> u64 {
        let landed = ((way - FLIGHT) / KICKERS).floor() as i64;
        let tricks = (1..=landed).map(|kicker| {
            let (turns, _) = rider::trick(kicker, self.seed);
            turns as u64 * 360
        });
        (way / 12.0) as u64 * 10 + tricks.sum::<u64>()
    }

    fn praise(&self, batch: &mut Batch, wide: f32, way: f32) {
        let kicker = (way / KICKERS).floor();
        let since = way - kicker * KICKERS - FLIGHT * 0.7;
        let t = since / 36.0;
        if !(0.0..1.0).contains(&t) || kicker < 1.0 {
            return;
        }
        let (turns, grab) = rider::trick(kicker as i64, self.seed);
        let turned = 360 * turns as u32;
        let size = 46.0 * overshoot((t * 5.0).min(1.0));
        let fade = 1.0 - ease((t - 0.7) / 0.3);
        let style = Style::new(size.max(1.0))
            .colored(Vec3::new(1.0, 0.78, 0.12))
            .faded(fade);
        let words = format!("{turned} {}", GRABS[grab]);
        self.hud
            .text(batch, &words, Vec2::new(wide * 0.5, 132.0), style);
        let more = Style::new(26.0).faded(fade);
        self.hud.text(
            batch,
            &format!("+{turned}"),
            Vec2::new(wide * 0.5, 180.0),
            more,
        );
    }
}
