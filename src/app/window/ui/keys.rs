//! Keys and their actions.

use egui::{Context, Key, Modifiers, Popup};

use crate::window::camera::CameraState;
use crate::window::placement::Magnifier;
use crate::window::state::{Action, Overlay, State};
use azulejo_shot::Eye;

/// Keys and what they do, for the list that F1 shows.
pub(super) const KEYS: [(&str, &str); 22] = [
    ("drag", "turn around the middle"),
    ("right drag", "look around"),
    ("middle or shift drag", "move sideways"),
    ("wheel", "come nearer"),
    ("ctrl wheel, ctrl drag", "enlarge the picture, move it"),
    ("W A S D, Q E", "fly; with shift, faster"),
    ("R", "back to the first view"),
    ("C", "next camera of the scene"),
    ("space", "play, pause"),
    (", .", "one frame back, forwards"),
    ("[ ]", "darker, brighter"),
    ("M", "anti-aliasing: four samples a pixel, or one"),
    ("O", "overlay: short, full, off"),
    ("T", "tiles: heat map, grid, replay"),
    (
        "I",
        "inspector: draws, tiles, pixels, textures of a frozen frame",
    ),
    ("P", "write the picture to a PNG file"),
    ("F", "fill the screen"),
    ("H", "hide the bar"),
    (
        "ctrl +, ctrl -, ctrl 0",
        "larger or smaller letters, as usual",
    ),
    ("escape", "close what was opened"),
    ("F1", "this list"),
    (
        "drop a file",
        "open a .glb or .gltf, or light it by an .hdr",
    ),
];

/// Factor of exposure for each press.
const EXPOSURE_STEP: f32 = 1.189_207; // a quarter of a stop
/// Factor of the size of letters for each press, and its range.
const LETTER_STEP: f32 = 1.1;
const LETTERS: (f32, f32) = (0.5, 3.0);
/// Most seconds that one step of flight covers, however long the last frame took.
const LONGEST_STEP: f32 = 0.1;

/// Does what keys ask for, unless a text is being typed.
pub(super) fn handle(ctx: &Context, state: &mut State) -> Vec<Action> {
    if ctx.egui_wants_keyboard_input() {
        return Vec::new();
    }
    if !state.inspector.on {
        fly(ctx, state);
    }
    resize(ctx, state);
    // A slow frame may find a key pressed several times.
    let presses = |key| ctx.input_mut(|input| input.count_and_consume_key(Modifiers::NONE, key));
    let pressed = |key| presses(key) > 0;
    for (key, frames) in [(Key::Comma, -1.0), (Key::Period, 1.0)] {
        for _ in 0..presses(key) {
            state.playback.step(frames);
        }
    }
    for (key, factor) in [
        (Key::OpenBracket, 1.0 / EXPOSURE_STEP),
        (Key::CloseBracket, EXPOSURE_STEP),
    ] {
        for _ in 0..presses(key) {
            state.exposure = (state.exposure * factor).clamp(1e-3, 1e3);
        }
    }
    for _ in 0..presses(Key::O) {
        state.overlay = state.overlay.next();
    }
    let is_switched = |key| presses(key) % 2 == 1;
    state.playback.playing ^= is_switched(Key::Space);
    state.tiles.on ^= is_switched(Key::T);
    state.bar ^= is_switched(Key::H);
    state.help ^= is_switched(Key::F1);
    if is_switched(Key::M) {
        state.toggle_samples();
    }
    if pressed(Key::R) {
        state.camera.rig = None;
        state.magnifier = Magnifier::default();
    }
    if pressed(Key::C) {
        next_camera(state);
    }
    let mut actions = actions(&pressed);
    // A list that is open closes by itself.
    if !Popup::is_any_open(ctx) && pressed(Key::Escape) {
        actions.extend(close_top(state));
    }
    actions
}

/// Makes letters and panels larger or smaller.
fn resize(ctx: &Context, state: &mut State) {
    let presses = |key| ctx.input_mut(|input| input.count_and_consume_key(Modifiers::COMMAND, key));
    // With and without shift, whatever the keyboard.
    let larger = presses(Key::Plus) + presses(Key::Equals);
    let steps = larger as i32 - presses(Key::Minus) as i32;
    state.interface *= LETTER_STEP.powi(steps);
    if presses(Key::Num0) > 0 {
        state.interface = 1.0;
    }
    state.interface = state.interface.clamp(LETTERS.0, LETTERS.1);
}

fn actions(pressed: &impl Fn(Key) -> bool) -> Vec<Action> {
    let mut actions = Vec::new();
    if pressed(Key::I) {
        actions.push(Action::Inspect);
    }
    if pressed(Key::P) {
        actions.push(Action::Screenshot);
    }
    if pressed(Key::F) || pressed(Key::F11) {
        actions.push(Action::Fullscreen);
    }
    actions
}

/// Closes one thing: what was opened for a look first, the whole screen last.
fn close_top(state: &mut State) -> Option<Action> {
    if state.help {
        state.help = false;
    } else if state.inspector.on {
        return Some(Action::Inspect);
    } else if state.tiles.on {
        state.tiles.on = false;
    } else if state.overlay != Overlay::Off {
        state.overlay = Overlay::Off;
    } else if state.fullscreen {
        return Some(Action::Fullscreen);
    }
    None
}

/// Moves the camera as long as keys are held.
fn fly(ctx: &Context, state: &mut State) {
    let (way, seconds) = ctx.input(|input| {
        let axis = |plus: Key, minus: Key| {
            f32::from(i8::from(input.key_down(plus)) - i8::from(input.key_down(minus)))
        };
        let faster = if input.modifiers.shift { 4.0 } else { 1.0 };
        let way = [
            axis(Key::D, Key::A),
            axis(Key::E, Key::Q),
            axis(Key::S, Key::W),
        ];
        let still = input.modifiers.command || input.modifiers.alt;
        let way = if still {
            [0.0; 3]
        } else {
            way.map(|part| part * faster)
        };
        (way, input.stable_dt.min(LONGEST_STEP))
    });
    if way != [0.0; 3] {
        state.rig().fly(way, seconds);
        ctx.request_repaint();
    }
}

/// Takes the camera after the one of now, in the scene's order.
fn next_camera(state: &mut State) {
    let nodes: Vec<_> = (state.content().scene.camera_nodes())
        .map(|(node, _)| node)
        .collect();
    let now = nodes
        .iter()
        .position(|&node| state.camera.seat == Eye::Node(node));
    let next = now.map_or(0, |now| (now + 1) % nodes.len().max(1));
    if let Some(&node) = nodes.get(next) {
        state.camera = CameraState::new(Eye::Node(node));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::window::opened::tests::demo;
    use crate::window::request::tests::request;

    const COMMAND: Modifiers = Modifiers::COMMAND.plus(Modifiers::CTRL);

    /// Presses a key several times within one frame of the interface.
    fn press(state: &mut State, key: Key, modifiers: Modifiers, times: usize) {
        let ctx = Context::default();
        let event = egui::Event::Key {
            key,
            physical_key: None,
            pressed: true,
            repeat: false,
            modifiers,
        };
        let raw = egui::RawInput {
            events: vec![event; times],
            ..egui::RawInput::default()
        };
        let mut output = ctx.clone().run_ui(raw, |_| {
            handle(&ctx, state);
        });
        output.textures_delta.clear();
    }

    #[test]
    fn letters_grow_and_shrink_within_bounds_and_come_back() {
        let mut state = State::new(&request(demo()));
        press(&mut state, Key::Plus, COMMAND, 1);
        press(&mut state, Key::Equals, COMMAND, 1);
        assert!(
            (state.interface - LETTER_STEP * LETTER_STEP).abs() < 1e-6,
            "twice"
        );
        press(&mut state, Key::Num0, COMMAND, 1);
        assert_eq!(state.interface, 1.0, "as before");
        for _ in 0..40 {
            press(&mut state, Key::Minus, COMMAND, 1);
        }
        assert_eq!(state.interface, LETTERS.0, "still to be read");
    }

    #[test]
    fn keys_pressed_twice_within_a_frame_count_twice() {
        let mut state = State::new(&request(demo()));
        let before = state.playback.seconds;
        press(&mut state, Key::Period, Modifiers::NONE, 1);
        let once = state.playback.seconds - before;
        press(&mut state, Key::Period, Modifiers::NONE, 3);
        let all = state.playback.seconds - before;
        assert!(
            (all - 4.0 * once).abs() < 1e-9 && once > 0.0,
            "{once} {all}"
        );
        press(&mut state, Key::T, Modifiers::NONE, 2);
        assert!(!state.tiles.on, "on and off");
    }
}
