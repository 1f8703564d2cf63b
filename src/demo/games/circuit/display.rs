//! The driver's display: place, lap, time, a map of the circuit, speed and nitro.

use glam::{Vec2, Vec3, Vec4};

use super::look::Instruments;
use super::{Circuit, RIVALS};
use crate::kit::font::{Align, Style};
use crate::kit::motion::{ease, overshoot, seconds_of, whole_seconds};
use crate::kit::sprites::{Batch, Placed};
use crate::procedural::lerp;

/// Laps of a race.
const LAPS: u64 = 5;

impl Circuit {
    pub(super) fn display(&self, batch: &mut Batch, wide: f32, way: f32, frame: u64) {
        let hud = &self.hud;
        let seconds = seconds_of(frame);
        let place = 1
            + (0..RIVALS.len())
                .filter(|&rival| self.lead(rival, seconds) > 0.0)
                .count();
        let ending = ["ST", "ND", "RD", "TH"][(place - 1).min(3)];
        hud.panel(batch, Vec2::new(112.0, 66.0), Vec2::new(184.0, 92.0));
        let number = Style::new(56.0)
            .aligned(Align::Right)
            .colored(Vec3::new(1.0, 0.74, 0.1));
        hud.text(batch, &place.to_string(), Vec2::new(88.0, 66.0), number);
        let small = Style::new(22.0).aligned(Align::Left);
        hud.text(batch, ending, Vec2::new(94.0, 52.0), small);
        hud.text(
            batch,
            "/ 6",
            Vec2::new(128.0, 80.0),
            small.colored(Vec3::splat(0.6)),
        );
        let lap = (way / self.route.length) as u64;
        hud.panel(batch, Vec2::new(wide * 0.5, 46.0), Vec2::new(330.0, 56.0));
        let text = format!("LAP {}/{LAPS}", lap % LAPS + 1);
        hud.text(
            batch,
            &text,
            Vec2::new(wide * 0.5 - 84.0, 46.0),
            Style::new(22.0),
        );
        let whole = whole_seconds(frame);
        let hundredths = whole_seconds(frame * 100) % 100;
        let time = format!("{}:{:02}.{hundredths:02}", whole / 60, whole % 60);
        let style = Style::new(24.0).aligned(Align::Left);
        hud.text(batch, &time, Vec2::new(wide * 0.5 + 2.0, 46.0), style);
        self.map(batch, wide, way, seconds);
        self.dial(batch, wide, way, seconds);
        let since = way - lap as f32 * self.route.length;
        let t = since / 110.0;
        if lap > 0 && t < 1.0 {
            let size = 50.0 * overshoot((t * 5.0).min(1.0));
            let style = Style::new(size.max(1.0))
                .colored(Vec3::new(1.0, 0.8, 0.15))
                .faded(1.0 - ease((t - 0.7) / 0.3));
            hud.text(batch, "NEW LAP!", Vec2::new(wide * 0.5, 170.0), style);
        }
    }

    /// The circuit from above, every car a dot.
    fn map(&self, batch: &mut Batch, wide: f32, way: f32, seconds: f32) {
        let middle = Vec2::new(wide - 140.0, 118.0);
        let on_map = |way: f32| {
            let at = self.route.point(way);
            middle + Vec2::new(at.x, at.z) * 0.44
        };
        let n = 72;
        for k in 0..n {
            let [from, to] = [k, k + 1].map(|k| on_map(self.route.length * k as f32 / n as f32));
            let piece = self.hud.filling.part(Vec2::splat(0.4), Vec2::splat(0.6));
            let line = Placed::new(piece, (from + to) * 0.5, 1.0)
                .sized(Vec2::new(from.distance(to) + 3.0, 7.0))
                .turned((to - from).to_angle() / std::f32::consts::TAU);
            batch.add(line.tinted(Vec4::new(0.95, 0.96, 1.0, 0.8)));
        }
        for rival in (0..RIVALS.len()).rev() {
            let at = on_map(way + self.lead(rival, seconds));
            batch.add(Placed::new(self.hud.knob, at, 15.0).tinted(Vec4::new(0.25, 0.5, 1.0, 1.0)));
        }
        let own = Placed::new(self.hud.knob, on_map(way), 20.0);
        batch.add(own.tinted(Vec4::new(1.0, 0.2, 0.12, 1.0)));
    }

    fn dial(&self, batch: &mut Batch, wide: f32, way: f32, seconds: f32) {
        let hud = &self.hud;
        let Instruments { dial, needle, bolt } = hud.own;
        let at = Vec2::new(wide - 118.0, 606.0);
        batch.add(Placed::new(dial, at, 200.0));
        let pace = (self.way(seconds + 0.1) - self.way(seconds - 0.1)) / 0.2;
        let kmh = pace * 3.6 - 1800.0 * self.route.bend(way).abs();
        let turns = lerp(0.37, 1.13, (kmh / 260.0).clamp(0.0, 1.0));
        let out = Vec2::from_angle(turns * std::f32::consts::TAU);
        let pointer = Placed::new(needle, at + out * 30.0, 11.0).sized(Vec2::new(96.0, 14.0));
        batch.add(pointer.turned(turns));
        hud.text(
            batch,
            &format!("{}", kmh as u32),
            at + Vec2::new(0.0, 50.0),
            Style::new(32.0),
        );
        let unit = Style::new(13.0).colored(Vec3::splat(0.65));
        hud.text(batch, "KM/H", at + Vec2::new(0.0, 78.0), unit);
        let charge = (seconds / 9.0).fract();
        let bar = (Vec2::new(186.0, 668.0), Vec2::new(250.0, 30.0));
        hud.bar(
            batch,
            bar,
            (charge * 60.0).floor() / 60.0,
            Vec3::new(0.1, 0.6, 1.0),
        );
        batch.add(Placed::new(bolt, Vec2::new(50.0, 664.0), 56.0));
    }
}
