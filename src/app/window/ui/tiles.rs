//! Tile view: tiles over the picture with heat, lines, numbers and slow motion; and the panel that chooses.

use egui::epaint::{Mesh, Vertex, WHITE_UV};
use egui::{
    Align, Align2, Checkbox, Color32, ComboBox, Direction, FontId, Id, LayerId, Layout, Order,
    Painter, Rect, Response, Sense, Shape, Slider, Stroke, StrokeKind, Ui, Vec2, pos2,
};

use super::Facts;
use super::places::TilePlaces;
use super::style::{DIM, heading, name, number, title, value_text};
use crate::window::model::Modeller;
use crate::window::state::State;
use crate::window::tiles::{Measure, Replay, Schedule, Turn, decisions, reasons};
use azulejo_gpu::MapKind;
use azulejo_grid::TileId;
use azulejo_report::heatmap::{HeatScale, SKIPPED, Swatch, distinct, viridis};
use azulejo_report::{HeatMap, grouped};

/// Opacity of heat over the picture, of 255.
const HEAT_ALPHA: u8 = 178;
/// Colour of lines between tiles.
const LINE: Color32 = Color32::from_rgba_premultiplied(90, 90, 90, 110);
/// Smallest tile on the window, in points, that can hold a number.
const SMALLEST_FOR_NUMBERS: f32 = 22.0;
/// Smallest tile on the window, in points, that gets lines.
const SMALLEST_FOR_LINES: f32 = 5.0;
/// Width of the panel, points.
const WIDTH: f32 = 250.0;
/// Content of the tile view: the order of tiles, and what each costs.
pub(super) struct Mapped {
    map: Option<HeatMap>,
    schedule: Option<Schedule>,
}

impl Mapped {
    /// Content for the frame on the window; nothing where the tile view is not shown.
    pub(super) fn new(state: &State, facts: &Facts<'_>) -> Self {
        if !state.tiles.on {
            return Self {
                map: None,
                schedule: None,
            };
        }
        let measure = state.tiles.measure;
        let map = measure.and_then(|measure| measure.map(facts.frame, facts.modelled));
        let scale = if state.tiles.logarithmic {
            HeatScale::Logarithmic
        } else {
            HeatScale::Linear
        };
        Self {
            map: map.map(|map| map.scaled(scale)),
            schedule: Schedule::of(facts.frame, facts.modelled),
        }
    }
}

/// Paints tiles over the picture, and says all about the one under the pointer.
pub(super) fn paint(state: &State, facts: &Facts<'_>, canvas: &Response, mapped: &Mapped) {
    let (view, ctx) = (state.tiles, &canvas.ctx);
    let painter = ctx
        .layer_painter(LayerId::background())
        .with_clip_rect(canvas.rect);
    let Mapped { map, schedule } = mapped;
    if let Some(schedule) = schedule {
        let places = TilePlaces::new(schedule.grid, facts, ctx.pixels_per_point());
        match (&view.replay, map) {
            (Some(replay), map) => {
                // Costs on the machine appear as it draws the tiles.
                let is_modelled = view.measure.is_some_and(Measure::is_modelled);
                let map = map.as_ref().filter(|_| is_modelled);
                paint_replay(&painter, schedule, &places, replay.position, map);
            }
            (None, Some(map)) => paint_heat(&painter, map, &places),
            (None, None) => {}
        }
        if view.grid {
            paint_lines(&painter, &places);
        }
        if view.numbers {
            paint_numbers(&painter, schedule, &places, canvas.rect);
        }
        hover(map.as_ref(), schedule, &places, canvas, facts);
    }
    if view.replay.is_some_and(|replay| replay.running) {
        ctx.request_repaint();
    }
}

/// Colour of a tile over the picture.
fn translucent([r, g, b]: [u8; 3]) -> Color32 {
    Color32::from_rgba_unmultiplied(r, g, b, HEAT_ALPHA)
}

fn paint_heat(painter: &Painter, map: &HeatMap, places: &TilePlaces) {
    let mut mesh = Mesh::default();
    for (tile, color) in (0..).map(TileId).zip(map.tile_colors()) {
        mesh.add_colored_rect(places.rect(tile), translucent(color));
    }
    painter.add(Shape::mesh(mesh));
    paint_borders(painter, map, places);
}

/// Paints lines between tiles that do not belong together.
fn paint_borders(painter: &Painter, map: &HeatMap, places: &TilePlaces) {
    if map.kind == MapKind::Amounts || places.edge() < SMALLEST_FOR_LINES {
        return;
    }
    let grid = map.grid;
    let stroke = Stroke::new(
        (places.edge() / 16.0).max(1.0),
        Color32::from_black_alpha(220),
    );
    for tile in (0..grid.n_tiles()).map(TileId) {
        let (column, row) = grid.column_row(tile);
        let rect = places.rect(tile);
        if column > 0 && map.is_border(tile, grid.tile_at(column - 1, row)) {
            painter.vline(rect.min.x, rect.y_range(), stroke);
        }
        if row > 0 && map.is_border(tile, grid.tile_at(column, row - 1)) {
            painter.hline(rect.x_range(), rect.min.y, stroke);
        }
    }
}

/// Paints slow motion: tiles that are done show the picture, or the machine's `map`; those under way the colour of their
/// Raster Unit; those to come lie in the dark.
fn paint_replay(
    painter: &Painter,
    schedule: &Schedule,
    places: &TilePlaces,
    position: f64,
    map: Option<&HeatMap>,
) {
    let now = schedule.moment(position);
    let colors = map.map(HeatMap::tile_colors);
    let mut mesh = Mesh::default();
    for turn in &schedule.turns {
        let rect = places.rect(turn.tile);
        let mapped = (colors.as_ref()).and_then(|colors| colors.get(turn.tile.0 as usize));
        if turn.start > now {
            mesh.add_colored_rect(rect, Color32::from_black_alpha(225));
        } else if turn.end > now {
            mesh.add_colored_rect(rect, unit_color(turn.unit).gamma_multiply(0.8));
        } else if let Some(color) = mapped {
            mesh.add_colored_rect(rect, translucent(*color));
        } else if schedule.units() > 1 {
            mesh.add_colored_rect(rect, unit_color(turn.unit).gamma_multiply(0.22));
        }
    }
    painter.add(Shape::mesh(mesh));
}

fn unit_color(unit: u32) -> Color32 {
    let [r, g, b] = distinct(unit as usize);
    Color32::from_rgb(r, g, b)
}

fn paint_lines(painter: &Painter, places: &TilePlaces) {
    if places.edge() < SMALLEST_FOR_LINES {
        return;
    }
    let grid = places.grid;
    let whole = places
        .rect(TileId(0))
        .union(places.rect(TileId(grid.n_tiles().saturating_sub(1))));
    let stroke = Stroke::new(1.0, LINE);
    for column in 1..grid.tiles_wide() {
        painter.vline(
            places.rect(grid.tile_at(column, 0)).min.x,
            whole.y_range(),
            stroke,
        );
    }
    for row in 1..grid.tiles_high() {
        painter.hline(
            whole.x_range(),
            places.rect(grid.tile_at(0, row)).min.y,
            stroke,
        );
    }
}

fn paint_numbers(painter: &Painter, schedule: &Schedule, places: &TilePlaces, canvas: Rect) {
    let edge = places.edge();
    if edge < SMALLEST_FOR_NUMBERS {
        return;
    }
    let font = FontId::monospace((edge * 0.3).clamp(7.0, 16.0));
    for (place, turn) in schedule.turns.iter().enumerate() {
        let middle = places.rect(turn.tile).center();
        if canvas.contains(middle) {
            let text = place.to_string();
            let shade = middle + Vec2::splat(1.0);
            painter.text(
                shade,
                Align2::CENTER_CENTER,
                &text,
                font.clone(),
                Color32::BLACK,
            );
            painter.text(
                middle,
                Align2::CENTER_CENTER,
                text,
                font.clone(),
                Color32::WHITE,
            );
        }
    }
}

/// Says all about the tile under the pointer.
fn hover(
    map: Option<&HeatMap>,
    schedule: &Schedule,
    places: &TilePlaces,
    canvas: &Response,
    facts: &Facts<'_>,
) {
    let Some(at) = canvas.hover_pos() else { return };
    let Some(tile) = places.tile(at) else { return };
    let (column, row) = places.grid.column_row(tile);
    let place = schedule.turns.iter().position(|turn| turn.tile == tile);
    let place_text = place.map_or("not drawn".to_owned(), |place| {
        format!("drawn as number {}", grouped(place as u64))
    });
    let mut lines = vec![format!("tile {column},{row}  {place_text}")];
    lines.extend(reasons(tile, facts.frame, facts.modelled));
    lines.extend(decisions(tile, facts.modelled));
    // A reason says more than a value; a technique's map is among its decisions.
    let is_said = |map: &&HeatMap| lines.iter().any(|line| line.starts_with(&*map.title));
    if let Some(map) = map.filter(|map| map.title != SKIPPED && !is_said(map)) {
        let value = map.values.get(tile.0 as usize).copied().unwrap_or(0.0);
        lines.push(format!("{} {}", value_text(value), map.unit));
    }
    if let Some(turn) = place.map(|place| schedule.turns[place]) {
        lines.extend(turn_text(&turn, schedule));
    }
    let layer = LayerId::new(Order::Tooltip, Id::unique("tile"));
    let painter = canvas.ctx.layer_painter(layer).with_clip_rect(canvas.rect);
    painter.rect_stroke(
        places.rect(tile),
        0.0,
        Stroke::new(2.0, Color32::WHITE),
        StrokeKind::Inside,
    );
    let galley = painter.layout_no_wrap(lines.join("\n"), FontId::monospace(12.0), Color32::WHITE);
    let size = galley.size() + Vec2::splat(12.0);
    let last = (canvas.rect.max - size).max(canvas.rect.min);
    let corner = (at + Vec2::splat(16.0)).min(last);
    painter.rect_filled(
        Rect::from_min_size(corner, size),
        4.0,
        Color32::from_black_alpha(225),
    );
    painter.galley(corner + Vec2::splat(6.0), galley, Color32::WHITE);
}

fn turn_text(turn: &Turn, schedule: &Schedule) -> Option<String> {
    (schedule.unit == "cycles").then(|| {
        format!(
            "Raster Unit {}, cycles {} to {}",
            turn.unit,
            grouped(turn.start),
            grouped(turn.end)
        )
    })
}

/// Shows the choices, and the meaning of the colours.
pub(super) fn panel(ui: &mut Ui, state: &mut State, facts: &Facts<'_>, mapped: &Mapped) {
    ui.set_width(WIDTH);
    ui.label(heading("Tiles"));
    measures(ui, &mut state.tiles.measure, facts);
    let view = &mut state.tiles;
    ui.horizontal(|ui| {
        ui.add(Checkbox::new(&mut view.logarithmic, "logarithmic"));
        ui.add(Checkbox::new(&mut view.grid, "grid"));
        ui.add(Checkbox::new(&mut view.numbers, "order"));
    });
    match &mapped.map {
        // In slow motion the colours are those of Raster Units, and of the machine's measures.
        _ if view.replay.is_some() && !view.measure.is_some_and(Measure::is_modelled) => {}
        Some(map) => legend(ui, map),
        None => {
            if let Some(measure) = view.measure {
                ui.label(name(&waits(measure, facts)));
            }
        }
    }
    if let Some(schedule) = &mapped.schedule {
        replay(ui, &mut view.replay, schedule);
    }
}

/// Reason why there is no map yet.
fn waits(measure: Measure, facts: &Facts<'_>) -> String {
    let progress = facts.machine.and_then(Modeller::progress);
    match measure {
        Measure::Technique(_) if facts.modelled.is_some() => {
            "the technique knows nothing of a frame before".to_owned()
        }
        Measure::Cost(_) | Measure::Technique(_) => {
            progress.unwrap_or_else(|| "waiting for the machine…".to_owned())
        }
        Measure::Fact(_) => "tracing the frame…".to_owned(),
        Measure::Counter(_) | Measure::Skipped => "counting…".to_owned(),
    }
}

fn measures(ui: &mut Ui, chosen: &mut Option<Measure>, facts: &Facts<'_>) {
    let technique = facts.frame.is_some_and(|frame| frame.kept.is_some());
    let text = chosen.map_or("no heat map".to_owned(), |measure| {
        let whose = if measure.is_modelled() {
            "machine: "
        } else {
            ""
        };
        format!("{whose}{}", measure.name())
    });
    ComboBox::from_id_salt("measure")
        .width(WIDTH)
        .height(420.0)
        .selected_text(text)
        .show_ui(ui, |ui| {
            ui.selectable_value(chosen, None, "no heat map");
            ui.label(title("drawn here"));
            for measure in Measure::drawn(technique) {
                ui.selectable_value(chosen, Some(measure), measure.name());
            }
            if let Some(machine) = facts.machine {
                ui.label(title(&machine.name));
                for measure in Measure::modelled(&machine.techniques) {
                    ui.selectable_value(chosen, Some(measure), measure.name());
                }
            }
        });
}

/// Shows the meaning of the colours.
fn legend(ui: &mut Ui, map: &HeatMap) {
    let legend = map.legend();
    if let Some([low, middle, high]) = &legend.scale {
        color_bar(ui, Vec2::new(WIDTH, 12.0));
        ui.horizontal(|ui| {
            ui.label(number(low));
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                ui.label(number(high));
                let centred = Layout::centered_and_justified(Direction::LeftToRight);
                ui.with_layout(centred, |ui| ui.label(name(middle)));
            });
        });
    }
    ui.horizontal_wrapped(|ui| {
        for Swatch { color, name: kind } in &legend.kinds {
            let [r, g, b] = *color;
            let (square, _) = ui.allocate_exact_size(Vec2::splat(10.0), Sense::hover());
            let color = Color32::from_rgb(r, g, b);
            ui.painter().rect_filled(square, 0.0, color);
            ui.label(name(kind));
        }
    });
    ui.label(name(&legend.title));
}

/// Shows the colours of numbers from low to high.
pub(super) fn color_bar(ui: &mut Ui, size: Vec2) {
    let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
    let mut mesh = Mesh::default();
    let steps = 64_u32;
    for step in 0..=steps {
        let part = step as f32 / steps as f32;
        let [r, g, b] = viridis(f64::from(part));
        let x = rect.min.x + rect.width() * part;
        for y in [rect.min.y, rect.max.y] {
            mesh.vertices.push(Vertex {
                pos: pos2(x, y),
                uv: WHITE_UV,
                color: Color32::from_rgb(r, g, b),
            });
        }
        if step > 0 {
            let at = 2 * step;
            mesh.add_triangle(at - 2, at - 1, at);
            mesh.add_triangle(at - 1, at, at + 1);
        }
    }
    ui.painter().add(Shape::mesh(mesh));
}

/// Shows the controls of slow motion: run, stop, drag.
fn replay(ui: &mut Ui, replay: &mut Option<Replay>, schedule: &Schedule) {
    ui.separator();
    ui.horizontal(|ui| {
        let text = match replay {
            None => "Replay tiles",
            Some(replay) if replay.running => "Stop",
            Some(_) => "Run",
        };
        if ui.button(text).clicked() {
            *replay = Some(match *replay {
                Some(Replay { position: 1.0, .. }) | None => Replay::default(),
                Some(now) => Replay {
                    running: !now.running,
                    ..now
                },
            });
        }
        if replay.is_some() && ui.button("Close").clicked() {
            *replay = None;
        }
        if let Some(replay) = replay {
            ui.label(name("over"));
            let drag = egui::DragValue::new(&mut replay.seconds)
                .range(1.0..=120.0)
                .suffix(" s");
            ui.add(drag);
        }
    });
    let Some(replay) = replay else { return };
    let dragged = ui.add(Slider::new(&mut replay.position, 0.0..=1.0).show_value(false));
    if dragged.drag_started() {
        replay.running = false;
    }
    let now = schedule.moment(replay.position);
    let done = schedule.turns.iter().filter(|turn| turn.end <= now).count();
    ui.label(number(format!("{} {}", grouped(now), schedule.unit)));
    ui.label(number(format!(
        "{} of {} tiles done",
        grouped(done as u64),
        grouped(schedule.turns.len() as u64)
    )));
    for unit in 0..schedule.units() {
        let at_work = schedule.turns.iter().filter(|turn| turn.unit == unit);
        let mut current = at_work.filter(|turn| turn.start <= now && now < turn.end);
        let text = current.next().map_or("-".to_owned(), |turn| {
            let (column, row) = schedule.grid.column_row(turn.tile);
            format!("tile {column},{row}")
        });
        ui.horizontal(|ui| {
            ui.colored_label(unit_color(unit), format!("Raster Unit {unit}"));
            ui.colored_label(DIM, text);
        });
    }
}
