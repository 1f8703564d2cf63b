//! The bar at the bottom: time, camera, light, and what else can be opened.

use egui::{Align, Button, ComboBox, DragValue, Frame, Id, Layout, Margin, Panel, Slider, Ui};

use super::style::{name, number};
use crate::app::window::camera::{CameraState, Seat};
use crate::app::window::content::Content;
use crate::app::window::plan::frame_number;
use crate::app::window::playback::SPEEDS;
use crate::app::window::state::{Action, State, first_seat};
use crate::demo::FRAMES_PER_SECOND;
use crate::scene::AnimationChoice;

/// Seconds that the slider of a demo spans at least: demos play for ever.
const DEMO_SPAN: f64 = 60.0;

/// Shows the bar.
pub(super) fn show(ui: &mut Ui, state: &mut State, actions: &mut Vec<Action>) {
    let frame = Frame::new()
        .fill(ui.visuals().panel_fill)
        .inner_margin(Margin::symmetric(10, 6));
    Panel::bottom("bar").frame(frame).show(ui, |ui| {
        // What one row took when it was painted last; if that is too much, the buttons get a row of their own.
        let id = Id::unique("one row");
        let needed: f32 = ui.data(|data| data.get_temp(id)).unwrap_or(0.0);
        let fits = needed <= ui.available_width();
        let right = Layout::right_to_left(Align::Center);
        let mut taken = ui.spacing().item_spacing.x;
        ui.horizontal(|ui| {
            taken += ui.scope(|ui| controls(ui, state)).response.rect.width();
            if fits {
                let shown = ui.with_layout(right, |ui| buttons(ui, state, actions));
                taken += shown.response.rect.width();
            }
        });
        if !fits {
            let shown = ui.with_layout(right, |ui| buttons(ui, state, actions));
            taken += shown.response.rect.width();
        }
        ui.data_mut(|data| data.insert_temp(id, taken));
    });
}

/// Time, camera and light.
fn controls(ui: &mut Ui, state: &mut State) {
    if state.content.moves(state.playback.animation) || has_animations(&state.content) {
        time(ui, state);
        ui.separator();
    }
    camera(ui, state);
    exposure(ui, state);
}

fn has_animations(content: &Content) -> bool {
    !content.scene.animations.is_empty()
}

fn time(ui: &mut Ui, state: &mut State) {
    let playback = &mut state.playback;
    let (sign, what) = match playback.playing {
        true => ("Pause", "space"),
        false => ("Play", "space"),
    };
    if ui
        .add(Button::new(sign).min_size([50.0, 0.0].into()))
        .on_hover_text(what)
        .clicked()
    {
        playback.playing = !playback.playing;
    }
    let content = &state.content;
    let span = content.duration(playback.animation).map_or_else(
        || DEMO_SPAN.max((playback.seconds / DEMO_SPAN).ceil() * DEMO_SPAN),
        f64::from,
    );
    let is_demo = content.game.is_some();
    let mut shown = if is_demo || playback.seconds <= span {
        playback.seconds
    } else {
        playback.seconds % span
    };
    let slider = Slider::new(&mut shown, 0.0..=span).show_value(false);
    let response = ui.add(slider);
    if response.changed() {
        playback.seconds = shown;
    }
    if response.drag_started() {
        playback.playing = false;
    }
    let text = if is_demo {
        format!("frame {:>5}", frame_number(playback.seconds))
    } else {
        format!("{shown:>6.2} s")
    };
    ui.label(number(text)).on_hover_text(format!(
        "{FRAMES_PER_SECOND} frames a second; , and . step by one"
    ));
    ComboBox::from_id_salt("speed")
        .width(56.0)
        .selected_text(format!("{}x", playback.speed))
        .show_ui(ui, |ui| {
            for speed in SPEEDS {
                ui.selectable_value(&mut playback.speed, speed, format!("{speed}x"));
            }
        });
    clips(ui, state);
}

/// Which animation plays, where there is a choice.
fn clips(ui: &mut Ui, state: &mut State) {
    let scene = &state.content.scene;
    if scene.animations.is_empty() {
        return;
    }
    let label = |choice| match choice {
        AnimationChoice::None => "at rest".to_owned(),
        AnimationChoice::All => "all clips".to_owned(),
        AnimationChoice::One(index) => match scene.animations.get(index) {
            Some(animation) if !animation.name.is_empty() => animation.name.clone(),
            _ => format!("clip {index}"),
        },
    };
    let clips = (0..scene.animations.len()).map(AnimationChoice::One);
    let choices = [AnimationChoice::All, AnimationChoice::None]
        .into_iter()
        .chain(clips);
    let chosen = &mut state.playback.animation;
    ComboBox::from_id_salt("clip")
        .width(90.0)
        .selected_text(short(&label(*chosen)))
        .show_ui(ui, |ui| {
            for choice in choices {
                ui.selectable_value(chosen, choice, label(choice));
            }
        });
}

fn camera(ui: &mut Ui, state: &mut State) {
    let nodes: Vec<_> = (state.content.scene.camera_nodes())
        .map(|(node, camera)| (Seat::Node(node), camera.name.clone()))
        .collect();
    let named = |number: usize, name: &str| match name {
        "" => format!("camera {number}"),
        name => name.to_owned(),
    };
    let first = first_seat(&state.content);
    let mut seats: Vec<(Seat, String)> = (nodes.iter().enumerate())
        .map(|(number, (seat, name))| (*seat, named(number, name)))
        .collect();
    if nodes.is_empty() {
        let name = if first == Seat::Own {
            "the demo's"
        } else {
            "whole scene"
        };
        seats.push((first, name.to_owned()));
    }
    let now = seats.iter().find(|(seat, _)| *seat == state.camera.seat);
    let text = match (&state.camera.rig, now) {
        (Some(_), _) => "moved by hand",
        (None, Some((_, name))) => name,
        (None, None) => "first view",
    };
    ui.label(name("camera"));
    let text = short(text);
    ComboBox::from_id_salt("camera")
        .width(110.0)
        .selected_text(text)
        .show_ui(ui, |ui| {
            for (seat, name) in seats {
                let chosen = state.camera.rig.is_none() && state.camera.seat == seat;
                if ui.selectable_label(chosen, name).clicked() {
                    state.camera = CameraState::new(seat);
                }
            }
        });
}

fn exposure(ui: &mut Ui, state: &mut State) {
    ui.label(name("exposure"));
    let drag = DragValue::new(&mut state.exposure)
        .range(0.001..=1000.0)
        .speed(0.01)
        .max_decimals(2);
    ui.add(drag).on_hover_text("factor on all light ([ and ])");
}

fn toggle(ui: &mut Ui, on: &mut bool, what: &str, key: &str) {
    if ui
        .add(Button::new(what).selected(*on))
        .on_hover_text(key)
        .clicked()
    {
        *on = !*on;
    }
}

/// From right to left.
fn buttons(ui: &mut Ui, state: &mut State, actions: &mut Vec<Action>) {
    toggle(ui, &mut state.help, "Keys", "F1");
    if ui.button("Fullscreen").on_hover_text("F").clicked() {
        actions.push(Action::Fullscreen);
    }
    if ui.button("Screenshot").on_hover_text("P").clicked() {
        actions.push(Action::Screenshot);
    }
    let inspect = Button::new("Inspect").selected(state.inspector.on);
    if ui.add(inspect).on_hover_text("I").clicked() {
        actions.push(Action::Inspect);
    }
    toggle(ui, &mut state.tiles.on, "Tiles", "T");
    if ui
        .button("Overlay")
        .on_hover_text("O: short, full, off")
        .clicked()
    {
        state.overlay = state.overlay.next();
    }
}

/// A name cut to what fits a list.
fn short(text: &str) -> String {
    let mut letters = text.chars();
    let start: String = letters.by_ref().take(18).collect();
    match letters.next() {
        Some(_) => format!("{start}…"),
        None => start,
    }
}
