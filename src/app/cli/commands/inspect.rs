//! `azulejo inspect`: a frame taken apart, for people and programs: its draws with hints, a tile primitive by primitive, a
//! pixel fragment by fragment.

use std::path::PathBuf;

use glam::Mat4;
use serde::Serialize;

use super::{Console, Outcome};
use crate::cli::args::{ShotArgs, count, pair, png_paths};
use crate::cli::failure::Failure;
use crate::cli::files::{picture_of, save};
use crate::cli::likeness::did_you_mean;
use crate::cli::machine_input::load_machine;
use crate::cli::output::{Inputs, Named, Outputs};
use crate::cli::shot::{self, PreparedShot};
use azulejo_gpu::machine::Overlay;
use azulejo_gpu::statistics::TileCost;
use azulejo_gpu::{FrameReport, Gpu};
use azulejo_grid::TileGrid;
use azulejo_inspect::{
    CostColumn, DRAW_COLUMNS, DrawCost, FrameView, Hint, LevelReads, MODELLED_COLUMNS,
    OutsidePicture, PixelHistory, STEP_COLUMNS, StripSettings, TileHistory, TileStep, draw_costs,
    draw_table, draws_table, frame_planes, hints, hints_text, pixel_table, texture_picture,
    texture_reads, texture_table, tile_history, tile_of_pixel, tile_strip, tile_table_by,
};
use azulejo_render::shading::DrawProgram;
use azulejo_render::{DrawList, Picture, Recording, Renderer};
use azulejo_report::Bitmap;
use azulejo_shot::{Moment, facts};

/// Take one frame apart: the cost of each draw, a tile or a pixel step by step
///
/// Draws have hints beside their costs; a tile goes primitive by primitive, a pixel fragment by fragment.
#[derive(Debug, Clone, clap::Args)]
pub(in crate::cli) struct InspectArgs {
    #[command(flatten)]
    shot: ShotArgs,
    #[command(flatten)]
    subject: SubjectArgs,
    /// Also run the frame on this machine, by name or TOML file
    ///
    /// It runs at the picture's size, and the answer says what the machine spent.
    #[arg(short, long, value_name = "NAME|FILE", help_heading = "Hardware")]
    machine: Option<String>,
    /// Change a value of the machine, such as l2.size=1MiB
    #[arg(
        long = "set",
        value_name = "KEY=VALUE",
        requires = "machine",
        help_heading = "Hardware"
    )]
    set: Vec<Overlay>,
    /// Sort draws or a tile's steps by this column, the costliest first
    ///
    /// Columns of draws: vertices, primitives, culled, binned, tiles/tri, pixels/tri, quads, early, fragments, share,
    /// instructions; with --machine also warps, warp-cycles, l1-misses, dram. Columns of a tile: quads, early, shaded, late,
    /// written, blended, texel-blocks. Rows that cost the same stay in program order. JSON stays in program order.
    #[arg(
        long,
        value_name = "COST",
        conflicts_with_all = ["json", "pixel", "draw", "texture"],
        help_heading = "Output"
    )]
    sort: Option<String>,
    /// Print the answer as JSON
    #[arg(long, help_heading = "Output")]
    json: bool,
    /// Also write a picture of what is looked at
    ///
    /// A tile shows its steps, a pixel the steps that touched it, a draw its pixels, a texture its levels with what was
    /// read; else it shows which draw is seen where.
    #[arg(short, long, value_name = "FILE.png", value_parser = png_paths(), help_heading = "Output")]
    output: Option<PathBuf>,
    /// Most steps in the picture of a tile or pixel
    ///
    /// They are spread evenly; the last is always there.
    #[arg(long, value_name = "N", default_value = "24", value_parser = count, help_heading = "Output")]
    steps: u64,
}

/// Subject to look at; without any of these, all draws.
#[derive(Debug, Clone, Copy, clap::Args)]
#[command(next_help_heading = "Subject (default: all draws)")]
#[group(multiple = false)]
struct SubjectArgs {
    /// Tile in this column and row: its primitives in program order
    #[arg(long, value_name = "COLUMN,ROW", value_parser = pair)]
    tile: Option<(u32, u32)>,
    /// Pixel in this column and row: every fragment that touched it
    #[arg(long, value_name = "X,Y", value_parser = pair)]
    pixel: Option<(u32, u32)>,
    /// One draw, by number
    #[arg(long, value_name = "N")]
    draw: Option<u32>,
    /// One texture of the scene, by number: which blocks of which mip level were read
    #[arg(long, value_name = "N")]
    texture: Option<u32>,
}

/// Column to sort by.
#[derive(Debug, Clone, Copy)]
enum SortBy {
    Draws(&'static CostColumn<DrawCost>),
    Steps(&'static CostColumn<TileStep>),
}

/// JSON output; the same bytes for the same frame, so no command line and no times.
#[derive(Debug, Serialize)]
struct InspectJson<'a> {
    generator: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    git: Option<&'static str>,
    scene: &'a str,
    scene_hash: &'a str,
    /// Time of the frame in seconds.
    time: f64,
    grid: TileGrid,
    #[serde(skip_serializing_if = "Option::is_none")]
    machine: Option<&'a str>,
    #[serde(flatten)]
    found: &'a Found,
}

/// Answer on the subject.
#[derive(Debug, Serialize)]
#[serde(rename_all = "snake_case")]
enum Found {
    Draws {
        costs: Vec<DrawCost>,
        hints: Vec<Hint>,
    },
    Draw {
        cost: Box<DrawCost>,
        hints: Vec<Hint>,
    },
    Tile {
        #[serde(rename = "story")]
        tile: Box<TileHistory>,
        #[serde(skip_serializing_if = "Option::is_none")]
        cost: Option<TileCost>,
    },
    Pixel {
        history: PixelHistory,
        #[serde(skip)]
        tile: Box<TileHistory>,
    },
    Texture {
        number: u32,
        name: String,
        levels: Vec<LevelReads>,
        #[serde(skip)]
        picture: Bitmap,
    },
}

/// Frame that can be drawn as often as needed.
struct Subject<'a> {
    list: DrawList<'a, DrawProgram<'a>>,
    clip_from_view: Mat4,
    renderer: Renderer,
    gpu: Option<Gpu>,
}

pub(super) fn run(args: &InspectArgs, console: Console) -> Outcome {
    let mut outputs = Outputs::of(Inputs::of_shot(&args.shot).machines(&args.machine));
    if let Some(file) = &args.output {
        outputs.plan(file, "-o", Named::ByUser)?;
    }
    let console = console.beside_file(outputs.take_standard_output());
    let sort = args.sort.as_deref();
    let sort = sort.map(|name| sort_by(name, args)).transpose()?;
    let gpu = args.machine.as_deref();
    let gpu = gpu.map(|name| machine(name, &args.set)).transpose()?;
    let renderer = shot::renderer(&args.shot.machine)?;
    let PreparedShot { shot, stamp, .. } = PreparedShot::new(&args.shot, console)?;
    let time = args.shot.scene.start();
    let still = shot.at(Moment::at(time));
    let mut subject = Subject {
        list: still.draws(),
        clip_from_view: still.view.clip_from_view,
        renderer,
        gpu,
    };
    let found = subject.find(args.subject)?;
    let printed = if args.json {
        console.print_json(&InspectJson {
            generator: &stamp.generator,
            git: stamp.git,
            scene: &stamp.scene,
            scene_hash: &stamp.scene_hash,
            time,
            grid: shot.settings.grid(),
            machine: args.machine.as_deref(),
            found: &found,
        })
    } else {
        console.print(&found.text(sort))
    };
    if let Some(file) = &args.output {
        let settings = StripSettings {
            max_steps: args.steps as usize,
            ..StripSettings::default()
        };
        let picture = subject.draw(&found, settings);
        save(&outputs, file, &picture, &stamp)?;
    }
    printed
}

/// Column of this name in the table that will be printed.
fn sort_by(name: &str, args: &InspectArgs) -> Outcome<SortBy> {
    if args.subject.tile.is_some() {
        let found = CostColumn::by_name(STEP_COLUMNS, name).map(SortBy::Steps);
        let known = STEP_COLUMNS.iter().map(|column| column.name).collect();
        return found.ok_or_else(|| no_column(name, "a tile's steps", known));
    }
    let modelled = CostColumn::by_name(MODELLED_COLUMNS, name);
    if let (Some(column), None) = (modelled, &args.machine) {
        let message = format!("--sort {}: only a machine measures it", column.name);
        return Err(Failure::usage(message).hint("name one with --machine, such as valhall-libra"));
    }
    let found = CostColumn::by_name(DRAW_COLUMNS, name).or(modelled);
    found.map(SortBy::Draws).ok_or_else(|| {
        let columns = DRAW_COLUMNS.iter().chain(MODELLED_COLUMNS);
        let known = columns.map(|column| column.name).collect();
        no_column(name, "draws", known)
    })
}

fn no_column(name: &str, rows: &str, known: Vec<&str>) -> Failure {
    let (names, meant) = (known.join(", "), did_you_mean(name, known));
    let message = format!("--sort {name}: no cost of {rows}{meant}");
    Failure::usage(message).hint(format!("expected one of {names}"))
}

fn machine(name: &str, overlays: &[Overlay]) -> Outcome<Gpu> {
    let spec = load_machine(name, overlays)?;
    Gpu::new(&spec).map_err(|error| Failure::new(format!("{name}: {error}")))
}

/// Failure of a place that the picture does not have, which is a wrong command line.
fn outside(error: OutsidePicture) -> Failure {
    Failure::usage(error).hint("--size and --tile-size say how large the picture and its tiles are")
}

impl Subject<'_> {
    fn find(&mut self, subject: SubjectArgs) -> Outcome<Found> {
        let grid = self.list.settings.grid();
        if let Some((x, y)) = subject.pixel {
            let (column, row) = grid.column_row(tile_of_pixel(grid, x, y).map_err(outside)?);
            let tile = self.tile(column, row)?;
            let history = tile.pixel(x, y).map_err(outside)?;
            return Ok(Found::Pixel { history, tile });
        }
        if let Some((column, row)) = subject.tile {
            let tile = self.tile(column, row)?;
            let report = self.report()?;
            let cost = report.and_then(|report| report.tiles.get(tile.tile.0 as usize).copied());
            return Ok(Found::Tile { tile, cost });
        }
        if let Some(number) = subject.texture {
            return self.texture(number);
        }
        let report = self.report()?;
        let frame = self.renderer.draw(&self.list, Recording::Counters);
        let counters = (frame.counters).ok_or_else(|| Failure::new("no counters were recorded"))?;
        let costs = draw_costs(&self.list, &counters, report.as_ref());
        let hints = hints(&costs, grid, report.as_ref());
        match subject.draw {
            Some(number) => one_draw(number, costs, hints),
            None => Ok(Found::Draws { costs, hints }),
        }
    }

    fn tile(&mut self, column: u32, row: u32) -> Outcome<Box<TileHistory>> {
        let tile = tile_history(&mut self.renderer, &self.list, column, row);
        tile.map(Box::new).map_err(outside)
    }

    fn texture(&mut self, number: u32) -> Outcome<Found> {
        let images = self.list.textures.images;
        let Some(image) = images.get(number as usize) else {
            let message = format!(
                "texture {number}: the scene has {} images, counted from 0",
                images.len()
            );
            return Err(Failure::usage(message));
        };
        let trace = facts::trace(&mut self.renderer, &self.list)?;
        let mut reads = texture_reads(&trace);
        let reads = reads.swap_remove(number as usize);
        Ok(Found::Texture {
            number,
            name: reads.name.clone(),
            levels: reads.levels(image),
            picture: texture_picture(image, &reads),
        })
    }

    /// Runs the frame on the machine, if there is one.
    fn report(&mut self) -> Outcome<Option<FrameReport>> {
        let Some(gpu) = &mut self.gpu else {
            return Ok(None);
        };
        let trace = facts::trace(&mut self.renderer, &self.list)?;
        gpu.run_frame(&trace).map(Some).map_err(Failure::new)
    }

    /// Picture of the answer.
    fn draw(&mut self, found: &Found, settings: StripSettings) -> Picture {
        match found {
            Found::Tile { tile, .. } => picture_of(tile_strip(tile, &settings)),
            Found::Pixel { history, tile } => {
                let [x, y] = history.pixel;
                let only = Some([x - tile.origin[0], y - tile.origin[1]]);
                picture_of(tile_strip(tile, &StripSettings { only, ..settings }))
            }
            Found::Draw { cost, .. } => self.seen(Some(cost.draw)),
            Found::Draws { .. } => self.seen(None),
            Found::Texture { picture, .. } => picture_of(picture.clone()),
        }
    }

    /// Picture of which draw is seen where, or where one draw is.
    fn seen(&mut self, draw: Option<u32>) -> Picture {
        let planes = frame_planes(&mut self.renderer, &self.list);
        let bitmap = match draw {
            Some(draw) => planes.highlight(draw),
            None => planes.picture(FrameView::Draw, self.clip_from_view),
        };
        picture_of(bitmap)
    }
}

fn one_draw(number: u32, mut costs: Vec<DrawCost>, mut hints: Vec<Hint>) -> Outcome<Found> {
    let n_draws = costs.len();
    let at = number as usize;
    if at >= n_draws {
        let message = format!("draw {number}: the frame has {n_draws} draws, counted from 0");
        return Err(Failure::usage(message).hint("`azulejo inspect` without --draw lists them"));
    }
    hints.retain(|hint| hint.draw == number);
    let cost = Box::new(costs.swap_remove(at));
    Ok(Found::Draw { cost, hints })
}

impl Found {
    fn text(&self, sort: Option<SortBy>) -> String {
        match self {
            Self::Draws { costs, hints } => {
                let mut costs = costs.clone();
                if let Some(SortBy::Draws(column)) = sort {
                    column.sort(&mut costs, |cost| cost);
                }
                draws_table(&costs) + &hints_text(hints)
            }
            Self::Draw { cost, hints } => draw_table(cost) + &hints_text(hints),
            Self::Tile { tile, cost } => {
                let cost = cost.as_ref().map_or_else(String::new, tile_cost_line);
                let column = match sort {
                    Some(SortBy::Steps(column)) => Some(column),
                    _ => None,
                };
                tile_table_by(tile, column) + &cost
            }
            Self::Pixel { history, .. } => pixel_table(history),
            Self::Texture {
                number,
                name,
                levels,
                ..
            } => texture_table(&format!("{number} ({name})"), levels),
        }
    }
}

/// Cost of the tile on the machine, in a line.
fn tile_cost_line(tile: &TileCost) -> String {
    format!(
        "on the machine: Raster Unit {}, cycles {} to {} ({} in the fragment stage), {} warps, {} instructions, \
         {} of {} L1 accesses missed, {} lines over the pins\n",
        tile.raster_unit,
        tile.start.0,
        tile.end.0,
        tile.fragment_cycles.0,
        tile.cost.warps,
        tile.cost.instructions,
        tile.cost.texture_misses,
        tile.cost.texture_accesses,
        tile.cost.dram_lines.total()
    )
}
