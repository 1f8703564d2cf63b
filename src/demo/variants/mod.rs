//! Every game with every setting, as demos of their own names.

#[cfg(test)]
mod tests;

use super::Demo;
use super::games::DEMOS;
use super::setting::Setting;

/// Every game with every setting, in the order of [`DEMOS`], lit ones first and fine ones last.
pub const VARIANTS: &[Demo] = &{
    let mut all = [DEMOS[0]; 3 * DEMOS.len()];
    let mut nth = 0;
    while nth < DEMOS.len() {
        all[nth] = variant(nth, Setting::Lit);
        all[DEMOS.len() + nth] = variant(nth, Setting::Mixed);
        all[2 * DEMOS.len() + nth] = variant(nth, Setting::Fine);
        nth += 1;
    }
    all
};

/// The game `nth` of the list with `setting`.
const fn variant(nth: usize, setting: Setting) -> Demo {
    let name = match setting {
        Setting::AsIs => DEMOS[nth].name,
        Setting::Lit => LIT[nth],
        Setting::Mixed => MIXED[nth],
        Setting::Fine => FINE[nth],
    };
    Demo {
        name,
        about: setting.about(),
        setting,
        ..DEMOS[nth]
    }
}

/// Names are made when the program is, so that they live as long.
macro_rules! named {
    ($setting:literal) => {
        [
            concat!("match3-", $setting),
            concat!("towers-", $setting),
            concat!("village-", $setting),
            concat!("rope-", $setting),
            concat!("lantern-", $setting),
            concat!("catapult-", $setting),
            concat!("slope-", $setting),
            concat!("runner-", $setting),
            concat!("marble-", $setting),
            concat!("corridor-", $setting),
            concat!("circuit-", $setting),
            concat!("arena-", $setting),
            concat!("blocks-", $setting),
            concat!("kingdom-", $setting),
            concat!("royal-", $setting),
            concat!("climb-", $setting),
        ]
    };
}

const LIT: [&str; DEMOS.len()] = named!("lit");
const MIXED: [&str; DEMOS.len()] = named!("mixed");
const FINE: [&str; DEMOS.len()] = named!("fine");
