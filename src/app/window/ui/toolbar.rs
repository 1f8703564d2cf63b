//! Bar at the bottom: time, camera, light, and what else can be opened. Groups stay together where the bar needs several
//! rows.

use egui::{Button, ComboBox, DragValue, Frame, Id, Margin, Panel, Rect, Slider, Ui};

use super::style::{name, number};
use crate::window::camera::CameraState;
use crate::window::plan::frame_number;
use crate::window::playback::SPEEDS;
use crate::window::state::{Action, Overlay, State};
use azulejo_demo::FRAMES_PER_SECOND;
use azulejo_scene::AnimationChoice;
use azulejo_shot::{Content, Eye};

/// Least span of a demo's slider, seconds: demos play for ever.
const DEMO_SPAN: f64 = 60.0;

/// Function that shows a group of the bar.
type Show = fn(&mut Ui, &mut State, &mut Vec<Action>);

/// Groups of the bar, from left to right.
const GROUPS: [(&str, Show); 11] = [
    ("play", |ui, state, _| play(ui, state)),
    ("moment", |ui, state, _| moment(ui, state)),
    ("clips", |ui, state, _| clips(ui, state)),
    ("camera", |ui, state, _| camera(ui, state)),
    ("exposure", |ui, state, _| exposure(ui, state)),
    ("overlay", |ui, state, _| {
        let is_on = state.overlay != Overlay::Off;
        let button = ui.add(Button::new("Overlay").selected(is_on));
        if button.on_hover_text("O: short, full, off").clicked() {
            state.overlay = state.overlay.next();
        }
    }),
    ("tiles", |ui, state, _| {
        toggle(ui, &mut state.tiles.on, "Tiles", "T");
    }),
    ("inspect", |ui, state, actions| {
        let inspect = Button::new("Inspect").selected(state.inspector.on);
        if ui.add(inspect).on_hover_text("I").clicked() {
            actions.push(Action::Inspect);
        }
    }),
    ("screenshot", |ui, _, actions| {
        if ui.button("Screenshot").on_hover_text("P").clicked() {
            actions.push(Action::Screenshot);
        }
    }),
    ("fullscreen", |ui, _, actions| {
        if ui.button("Fullscreen").on_hover_text("F").clicked() {
            actions.push(Action::Fullscreen);
        }
    }),
    ("keys", |ui, state, _| {
        toggle(ui, &mut state.help, "Keys", "F1");
    }),
];

/// Shows the bar, in as many rows as it needs; returns the room that it takes.
pub(super) fn show(ui: &mut Ui, state: &mut State, actions: &mut Vec<Action>) -> Rect {
    let frame = Frame::new()
        .fill(ui.visuals().panel_fill)
        .inner_margin(Margin::symmetric(10, 6));
    let shown = Panel::bottom("bar").frame(frame).show(ui, |ui| {
        let spacing = ui.spacing().item_spacing.x;
        // Widths of the groups when they were painted last.
        let widths = GROUPS.map(|(name, _)| width_of(ui, name));
        for row in rows(&widths, ui.available_width(), spacing) {
            ui.horizontal(|ui| {
                for (name, show) in &GROUPS[row] {
                    let shown = ui.scope(|ui| show(ui, state, actions));
                    keep_width(ui, name, shown.response.rect.width());
                }
            });
        }
    });
    shown.response.rect
}

/// Groups by row: as many in each as fit.
fn rows(widths: &[f32], available: f32, spacing: f32) -> Vec<std::ops::Range<usize>> {
    let (mut rows, mut first, mut taken) = (Vec::new(), 0, 0.0);
    for (group, width) in widths.iter().enumerate() {
        if group > first && taken + width > available {
            rows.push(first..group);
            (first, taken) = (group, 0.0);
        }
        taken += width + spacing;
    }
    rows.push(first..widths.len());
    rows
}

/// Width of a group that was never painted, points.
const UNKNOWN: f32 = 90.0;

fn width_of(ui: &Ui, name: &str) -> f32 {
    let id = Id::unique(("bar", name));
    ui.data(|data| data.get_temp(id)).unwrap_or(UNKNOWN)
}

fn keep_width(ui: &Ui, name: &str, width: f32) {
    if (width_of(ui, name) - width).abs() > 0.5 {
        ui.data_mut(|data| data.insert_temp(Id::unique(("bar", name)), width));
        // Rows may break elsewhere now.
        ui.ctx().request_repaint();
    }
}

fn passes(state: &State) -> bool {
    state.content().moves(state.playback.animation) || has_animations(state.content())
}

fn has_animations(content: &Content) -> bool {
    !content.scene.animations.is_empty()
}

/// Shows whether time passes or stands still, and where it is.
fn play(ui: &mut Ui, state: &mut State) {
    if !passes(state) {
        return;
    }
    let playback = &mut state.playback;
    let sign = if playback.playing { "Pause" } else { "Play" };
    let button = ui.add(Button::new(sign).min_size([50.0, 0.0].into()));
    if button.on_hover_text("space").clicked() {
        playback.playing = !playback.playing;
    }
    let span = span(state);
    let mut shown = shown_seconds(state, span);
    let response = ui.add(Slider::new(&mut shown, 0.0..=span).show_value(false));
    if response.changed() {
        state.playback.seconds = shown;
    }
    if response.drag_started() {
        state.playback.playing = false;
    }
}

/// Seconds that the slider spans.
fn span(state: &State) -> f64 {
    let playback = &state.playback;
    let endless = || DEMO_SPAN.max((playback.seconds / DEMO_SPAN).ceil() * DEMO_SPAN);
    let duration = state.content().duration(playback.animation);
    duration.map_or_else(endless, f64::from)
}

/// Seconds that the slider shows: of a course that repeats, since it began anew.
fn shown_seconds(state: &State, span: f64) -> f64 {
    let seconds = state.playback.seconds;
    match state.content().is_demo() || seconds <= span {
        true => seconds,
        false => seconds % span,
    }
}

/// Shows the moment, and how fast time passes.
fn moment(ui: &mut Ui, state: &mut State) {
    if !passes(state) {
        return;
    }
    let text = match state.content().is_demo() {
        true => format!("frame {:>5}", frame_number(state.playback.seconds)),
        false => format!("{:>6.2} s", shown_seconds(state, span(state))),
    };
    ui.label(number(text)).on_hover_text(format!(
        "{FRAMES_PER_SECOND} frames a second; , and . step by one"
    ));
    let speed = &mut state.playback.speed;
    ComboBox::from_id_salt("speed")
        .width(56.0)
        .selected_text(format!("{speed}x"))
        .show_ui(ui, |ui| {
            for choice in SPEEDS {
                ui.selectable_value(speed, choice, format!("{choice}x"));
            }
        });
}

/// Shows which animation plays, where there is a choice.
fn clips(ui: &mut Ui, state: &mut State) {
    let content = &state.opened.shot.content;
    let scene = &content.scene;
    if !has_animations(content) {
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
    let nodes: Vec<_> = (state.content().scene.camera_nodes())
        .map(|(node, camera)| (Eye::Node(node), camera.name.clone()))
        .collect();
    let named = |number: usize, name: &str| match name {
        "" => format!("camera {number}"),
        name => name.to_owned(),
    };
    let first = Eye::first(state.content());
    let mut seats: Vec<(Eye, String)> = (nodes.iter().enumerate())
        .map(|(number, (seat, name))| (*seat, named(number, name)))
        .collect();
    if nodes.is_empty() {
        let name = if first == Eye::Own {
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

/// Cuts a name to the length of a list.
fn short(text: &str) -> String {
    let mut letters = text.chars();
    let start: String = letters.by_ref().take(18).collect();
    match letters.next() {
        Some(_) => format!("{start}…"),
        None => start,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bar_breaks_between_groups_that_do_not_fit() {
        let widths = [100.0, 50.0, 60.0, 200.0, 10.0];
        let rows = |available| rows(&widths, available, 10.0);
        let ends =
            |available| -> Vec<usize> { rows(available).iter().map(|row| row.end).collect() };
        assert_eq!(ends(460.0), [5], "all in one");
        assert_eq!(ends(459.0), [4, 5], "one point less");
        assert_eq!(ends(170.0), [2, 3, 4, 5], "one too wide alone");
    }
}
