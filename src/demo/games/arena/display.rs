//! Overlay of the fight: health, names, the clock, hits and calls, buttons.

use glam::{Vec2, Vec3, Vec4};

use super::Arena;
use super::fight::{Moment, Outcome};
use crate::Screen;
use crate::kit::font::{Align, Style};
use crate::kit::frame::project;
use crate::kit::motion::{ease_out, overshoot};
use crate::kit::sprites::{Batch, Placed};
use azulejo_scene::View;

const NAMES: [&str; 2] = ["CRIMSON TITAN", "AZURE COMET"];
const GOLD: Vec3 = Vec3::new(1.0, 0.78, 0.25);

impl Arena {
    pub(super) fn display(
        &self,
        batch: &mut Batch,
        screen: Screen,
        camera: &View,
        frame: u64,
        moment: &Moment,
    ) {
        let wide = screen.units_wide();
        for who in 0..2 {
            self.corner(batch, wide, who, moment);
        }
        self.clock(batch, wide, moment);
        self.buttons(batch, wide, moment);
        self.points(batch, screen, camera, frame, moment);
        self.calls(batch, wide, moment);
    }

    /// Portrait, name and health of a fighter.
    fn corner(&self, batch: &mut Batch, wide: f32, who: usize, moment: &Moment) {
        let hud = &self.hud;
        let mirror = |x: f32| if who == 0 { x } else { wide - x };
        let share = moment.health()[who] / 100.0;
        let length = wide * 0.5 - 196.0;
        let bar = (
            Vec2::new(mirror(116.0 + length * 0.5), 52.0),
            Vec2::new(length, 34.0),
        );
        let color = match share {
            s if s > 0.5 => Vec3::new(0.25, 0.85, 0.2),
            s if s > 0.25 => Vec3::new(1.0, 0.65, 0.08),
            _ => Vec3::new(0.95, 0.12, 0.08),
        };
        hud.bar(batch, bar, share, color);
        let portrait = Placed::new(hud.own.portraits[who], Vec2::new(mirror(66.0), 66.0), 100.0);
        let mut portrait = portrait;
        if who == 1 {
            portrait.size.x = -portrait.size.x;
        }
        batch.add(portrait);
        let align = [Align::Left, Align::Right][who];
        let name = Style::new(19.0)
            .colored(Vec3::new(1.0, 0.95, 0.85))
            .aligned(align);
        hud.text(batch, NAMES[who], Vec2::new(mirror(126.0), 90.0), name);
        let rest = format!("{:.0}", moment.health()[who].ceil());
        let number = Style::new(17.0).aligned([Align::Right, Align::Left][who]);
        hud.text(
            batch,
            &rest,
            Vec2::new(mirror(108.0 + length), 90.0),
            number,
        );
    }

    /// The round's clock between the corners.
    fn clock(&self, batch: &mut Batch, wide: f32, moment: &Moment) {
        let hud = &self.hud;
        let middle = Vec2::new(wide * 0.5, 58.0);
        hud.panel(batch, middle, Vec2::new(120.0, 88.0));
        let left = 99 - (moment.in_round / 30.0) as u32 % 100;
        hud.text(
            batch,
            &format!("{left}"),
            middle + Vec2::Y * 6.0,
            Style::new(44.0).colored(GOLD),
        );
        let round = format!("ROUND {}", moment.exchange.round);
        hud.text(batch, &round, middle - Vec2::Y * 31.0, Style::new(13.0));
    }

    fn buttons(&self, batch: &mut Batch, wide: f32, moment: &Moment) {
        let hud = &self.hud;
        let colors = [
            Vec3::new(0.95, 0.2, 0.15),
            Vec3::new(0.2, 0.5, 1.0),
            Vec3::new(1.0, 0.7, 0.1),
        ];
        let places = [
            (Vec2::new(wide - 92.0, 620.0), 118.0),
            (Vec2::new(wide - 216.0, 652.0), 92.0),
            (Vec2::new(wide - 74.0, 496.0), 86.0),
        ];
        let moves = [hud.own.fist, hud.own.shield, hud.own.bolt];
        let pressed = moment.exchange.attacker == 0 && (0.1..0.5).contains(&moment.t);
        for (number, ((at, size), color)) in places.into_iter().zip(colors).enumerate() {
            let down = if pressed && number == 0 { 0.9 } else { 1.0 };
            hud.button(batch, at, size * down, color, moves[number]);
        }
        let power = 0.2 + 0.8 * (moment.in_round / 900.0).fract();
        let at = Vec2::new(176.0, 672.0);
        hud.bar(
            batch,
            (at, Vec2::new(250.0, 26.0)),
            power,
            Vec3::new(0.2, 0.75, 1.0),
        );
        batch.add(Placed::new(hud.own.bolt, at - Vec2::X * 134.0, 56.0));
        let label = Style::new(17.0).aligned(Align::Left);
        hud.text(batch, "POWER", at + Vec2::new(-104.0, -28.0), label);
    }

    /// Damage of the last blow, drawn at its contact, and the number of hits in a row.
    fn points(
        &self,
        batch: &mut Batch,
        screen: Screen,
        camera: &View,
        frame: u64,
        moment: &Moment,
    ) {
        let t = moment.landed / 34.0;
        if !(0.0..1.0).contains(&t) {
            return;
        }
        let exchange = &moment.exchange;
        let Some(at) = project(screen, camera, self.contact(moment, frame)) else {
            return;
        };
        let rise = at - Vec2::new(0.0, 60.0 + 60.0 * ease_out(t));
        let fade = 2.2 - 2.2 * t;
        let (text, color) = match exchange.outcome {
            Outcome::Hit | Outcome::Knockout => (format!("-{}", exchange.damage), GOLD),
            Outcome::Blocked => ("BLOCK".to_owned(), Vec3::new(0.6, 0.8, 1.0)),
            Outcome::Dodged => ("MISS".to_owned(), Vec3::splat(0.85)),
        };
        let size = 20.0 + 1.3 * exchange.damage as f32;
        let style = Style::new(size * overshoot(t * 4.0)).colored(color);
        self.hud.text(batch, &text, rise, style.faded(fade));
        if exchange.combo > 1 {
            let wide = screen.units_wide();
            let side = [150.0, wide - 150.0][exchange.attacker];
            let count = Style::new(50.0 * overshoot(t * 3.0))
                .colored(GOLD)
                .faded(fade);
            self.hud.text(
                batch,
                &exchange.combo.to_string(),
                Vec2::new(side, 190.0),
                count,
            );
            let hits = Style::new(20.0).faded(fade);
            self.hud.text(batch, "HITS", Vec2::new(side, 236.0), hits);
        }
    }

    /// Calls of the referee.
    fn calls(&self, batch: &mut Batch, wide: f32, moment: &Moment) {
        let middle = Vec2::new(wide * 0.5, 250.0);
        let call =
            |batch: &mut Batch, text: &str, size: f32, since: f32, lasts: f32, color: Vec3| {
                if (0.0..lasts).contains(&since) {
                    let grown = Style::new(size * overshoot(since / 14.0)).colored(color);
                    let fade = (lasts - since) / 12.0;
                    self.hud.text(batch, text, middle, grown.faded(fade));
                }
            };
        let round = format!("ROUND {}", moment.exchange.round);
        call(batch, &round, 84.0, moment.in_round, 30.0, Vec3::ONE);
        call(batch, "FIGHT!", 110.0, moment.in_round - 30.0, 26.0, GOLD);
        if let Some(since) = moment.knocked_out() {
            call(
                batch,
                "K.O.!",
                150.0,
                since - 8.0,
                80.0,
                Vec3::new(1.0, 0.25, 0.15),
            );
            let winner = format!("{} WINS", NAMES[moment.exchange.attacker]);
            call(batch, &winner, 54.0, since - 92.0, 76.0, GOLD);
            // The hall goes dark before the next round.
            let dark = (since - 162.0) / 10.0;
            let all = Placed::new(
                self.hud.filling.part(Vec2::splat(0.4), Vec2::splat(0.6)),
                Vec2::new(wide * 0.5, 360.0),
                1.0,
            );
            let black = Vec4::new(0.0, 0.0, 0.0, dark.clamp(0.0, 1.0));
            batch.add(all.sized(Vec2::new(wide, Screen::UNITS_HIGH)).tinted(black));
        }
    }
}
