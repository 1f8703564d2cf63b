//! The runner's display: score, coins, a magnet that runs out, praise.

use glam::{Vec2, Vec3};

use super::look::Icons;
use super::plan::{Course, SEGMENT, Stand, coins};
use super::{Runner, segment_of};
use crate::kit::font::{Align, Style};
use crate::kit::motion::{ease, overshoot, whole_seconds};
use crate::kit::sprites::{Batch, Placed};

/// Frames from one magnet to the next, and how many it lasts.
const MAGNET: (u64, u64) = (1500, 900);

impl Runner {
    pub(super) fn display(&self, batch: &mut Batch, wide: f32, stand: &Stand, frame: u64) {
        let hud = &self.hud;
        let pause = Vec2::new(58.0, 56.0);
        hud.button(batch, pause, 68.0, Vec3::new(0.2, 0.55, 0.95), hud.pause);
        let right = wide - 28.0;
        hud.panel(
            batch,
            Vec2::new(right - 128.0, 46.0),
            Vec2::new(256.0, 54.0),
        );
        hud.panel(
            batch,
            Vec2::new(right - 88.0, 108.0),
            Vec2::new(176.0, 50.0),
        );
        let style = Style::new(28.0).aligned(Align::Right);
        let score = format!("{:07}", 18_200 + (stand.way * 9.0) as u64);
        hud.text(batch, &score, Vec2::new(right - 18.0, 46.0), style);
        let times = Style::new(24.0)
            .aligned(Align::Left)
            .colored(Vec3::new(1.0, 0.62, 0.08));
        hud.text(batch, "*12", Vec2::new(right - 264.0, 46.0), times);
        let (purse, since) = self.purse(stand);
        let pop = 1.0 + 0.25 * (1.0 - since / 2.0).max(0.0);
        batch.add(Placed::new(
            hud.coin,
            Vec2::new(right - 30.0, 108.0),
            38.0 * pop,
        ));
        let count = Style::new(26.0).aligned(Align::Right);
        hud.text(
            batch,
            &purse.to_string(),
            Vec2::new(right - 60.0, 108.0),
            count,
        );
        self.magnet(batch, frame);
        self.praise(batch, wide, stand);
    }

    /// Coins taken so far, and metres since the last.
    fn purse(&self, stand: &Stand) -> (u32, f32) {
        let here = segment_of(stand.way);
        let within = stand.way - here as f32 * SEGMENT;
        let taken = coins(self.plan.segment(here)).filter(|(at, _)| *at <= within);
        let (mut count, mut since) = (self.plan.coins_before(here), SEGMENT);
        for (at, _) in taken {
            count += 1;
            since = within - at;
        }
        (count, since)
    }

    fn magnet(&self, batch: &mut Batch, frame: u64) {
        let (period, lasts) = MAGNET;
        let Icons { magnet, board } = self.hud.own;
        let at = Vec2::new(56.0, 636.0);
        self.hud
            .button(batch, at, 84.0, Vec3::new(1.0, 0.62, 0.1), board);
        let within = frame % period;
        if within < lasts {
            let at = Vec2::new(56.0, 540.0);
            self.hud
                .panel(batch, at + Vec2::X * 92.0, Vec2::new(236.0, 64.0));
            batch.add(Placed::new(magnet, at, 50.0));
            // Steps of a second: the bar stands still between them.
            let left = 1.0 - whole_seconds(within) as f32 / whole_seconds(lasts) as f32;
            let bar = (at + Vec2::new(112.0, 0.0), Vec2::new(150.0, 26.0));
            self.hud.bar(batch, bar, left, Vec3::new(0.95, 0.16, 0.12));
        }
    }

    /// A word after a roof, a number every quarter of a kilometre.
    fn praise(&self, batch: &mut Batch, wide: f32, stand: &Stand) {
        let here = segment_of(stand.way);
        let within = stand.way - here as f32 * SEGMENT;
        let before = self.plan.segment(here - 1).course;
        let t = within / SEGMENT;
        let words = match before {
            Course::Roof if self.plan.segment(here).course != Course::Roof => "AWESOME!",
            Course::Roll if here % 3 == 0 => "SMOOTH!",
            _ => return,
        };
        let size = 44.0 * overshoot((t * 5.0).min(1.0));
        let style = Style::new(size.max(1.0))
            .colored(Vec3::new(1.0, 0.8, 0.1))
            .faded(1.0 - ease((t - 0.7) / 0.3));
        self.hud
            .text(batch, words, Vec2::new(wide * 0.5, 150.0), style);
    }
}
