//! `azulejo list`: everything that options can choose from.

use serde::Serialize;

use super::cache::CACHE_POLICIES;
use super::study::all_figures;
use super::{Console, Outcome};
use crate::cli::args::{TILE_SIZES, TONE_MAPS};
use crate::cli::failure::Failure;
use crate::cli::likeness::did_you_mean;
use azulejo_demo::{DEMOS, Demo, Kind, MODELS, Setting};
use azulejo_gpu::dram::{DramSpec, shipped_names};
use azulejo_gpu::energy::{self, EnergySpec, TECHNOLOGIES};
use azulejo_gpu::machine::{BUILT_IN, built_in};
use azulejo_grid::{Binning, TileCurve};
use azulejo_inspect::FrameView;
use azulejo_render::SimdLevel;
use azulejo_report::heatmap::{TILE_COUNTERS, TILE_FACTS, TileMeasure};
use azulejo_report::{ALIASES, TILE_COSTS, aligned, dram_summary};
use azulejo_scene::gltf::{EXTENSIONS, Extension, Viewer};
use azulejo_study::{ASSUMPTIONS, Headline, PAPER_SUITES, PaperGame, PaperSuite};
use azulejo_technique::{TECHNIQUES, Technique};

/// List what options can choose from: demos, machines, techniques, studies
///
/// Also heat-map counters, tone maps, tile orders, instruction sets, technologies, DRAM configurations, cache policies and
/// glTF extensions.
#[derive(Debug, Clone, clap::Args)]
pub(in crate::cli) struct ListArgs {
    /// List the counters that Arm's GPUs have as well, by both names, instead
    #[arg(long)]
    counters: bool,
    /// Print the TOML file of a machine that comes with the program, instead
    ///
    /// It has a source beside every number: to read, or to begin your own.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["counters", "json"])]
    machine: Option<String>,
    /// Print the TOML file of a technology that machines name in [energy], instead
    ///
    /// It has a source beside every figure; each key can be changed by --set energy.KEY=VALUE.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["counters", "json", "machine"])]
    technology: Option<String>,
    /// List the numbers that no paper states, with our reading, instead
    ///
    /// Each is a key of machine files; `azulejo study assumptions` changes one at a time.
    #[arg(long, conflicts_with_all = ["counters", "machine", "technology"])]
    assumptions: bool,
    /// List the papers' games with the demos that stand for them, instead
    ///
    /// A study runs over its paper's where `--demos` says nothing.
    #[arg(long, conflicts_with_all = ["assumptions", "counters", "machine", "technology"])]
    suites: bool,
    /// Print the list as JSON
    #[arg(long)]
    json: bool,
}

/// Section of the list: one kind of choice.
#[derive(Debug, Serialize)]
struct Section {
    /// Key of the section in JSON.
    id: &'static str,
    #[serde(skip)]
    title: &'static str,
    choices: Vec<Choice>,
}

#[derive(Debug, Clone, Serialize)]
struct Choice {
    name: String,
    meaning: String,
}

pub(super) fn run(args: &ListArgs, console: Console) -> Outcome {
    if let Some(name) = &args.machine {
        return print_machine(name, console);
    }
    if let Some(name) = &args.technology {
        return print_technology(name, console);
    }
    if args.assumptions {
        return match args.json {
            true => console.print_json(&ASSUMPTIONS),
            false => console.print(&assumptions()),
        };
    }
    if args.suites {
        return match args.json {
            true => console.print_json(&PAPER_SUITES),
            false => console.print(&suites()),
        };
    }
    let sections = if args.counters {
        vec![counters()]
    } else {
        sections()
    };
    if args.json {
        let by_id = sections
            .iter()
            .map(|section| (section.id, &section.choices));
        return console.print_json(&by_id.collect::<std::collections::BTreeMap<_, _>>());
    }
    let texts: Vec<String> = sections.iter().map(text).collect();
    console.print(&texts.join("\n"))
}

/// Table of the assumptions, a line each and its meaning below.
fn assumptions() -> String {
    let heading = [
        "assumption",
        "key",
        "reading",
        "others",
        "source",
        "touches",
    ];
    let mut rows = vec![heading.map(str::to_owned).to_vec()];
    rows.extend(ASSUMPTIONS.iter().map(|own| {
        let touches = own.touches.iter().map(|headline| headline.name());
        vec![
            own.name.to_owned(),
            own.key.to_owned(),
            own.reading.to_owned(),
            own.others.join(" "),
            own.source.to_owned(),
            touches.collect::<Vec<_>>().join(" "),
        ]
    }));
    let meanings = ASSUMPTIONS
        .iter()
        .map(|own| vec![own.name.to_owned(), own.about.to_owned()]);
    let meanings = aligned(&meanings.collect::<Vec<_>>(), &[]);
    let headlines = Headline::ALL.map(|own| vec![own.name().to_owned(), own.about().to_owned()]);
    let headlines = aligned(&headlines, &[]);
    let table = aligned(&rows, &[]);
    format!("{table}\nmeaning\n{meanings}\nheadlines\n{headlines}")
}

/// Tables of the papers' games, a line each, with the demos that stand for them.
fn suites() -> String {
    PAPER_SUITES
        .iter()
        .map(games)
        .collect::<Vec<_>>()
        .join("\n")
}

fn games(suite: &PaperSuite) -> String {
    let heading = ["game", "name", "genre", "type", "demo", "drawn", "alike"];
    let mut rows = vec![heading.map(str::to_owned).to_vec()];
    let row = |game: &PaperGame| {
        let stand_in = game.stand_in;
        let demo = stand_in.and_then(|own| Demo::find(own.demo));
        let cells = [
            game.alias,
            game.name,
            game.genre.unwrap_or("-"),
            game.kind.map_or("-", Kind::name),
            stand_in.map_or("no stand-in", |own| own.demo),
            demo.map_or("-", |demo| demo.kind.name()),
            stand_in.map_or("", |own| own.alike),
        ];
        cells.map(str::to_owned).to_vec()
    };
    rows.extend(suite.games.iter().map(row));
    let (study, paper, table) = (suite.study, suite.paper, suite.table);
    let (n, n_demos) = (suite.games.len(), suite.stand_ins().len());
    let mix = [Kind::Flat, Kind::Isometric, Kind::Solid];
    let mix = mix.map(|kind| format!("{} {}", suite.n_of_kind(kind), kind.name()));
    let mix = match suite.games.iter().any(|game| game.kind.is_some()) {
        true => format!("; {}", mix.join(", ")),
        false => String::new(),
    };
    let rows = aligned(&rows, &[]);
    format!("{study}: {paper}, {table}: {n} games{mix}; {n_demos} demos\n{rows}")
}

fn print_machine(name: &str, console: Console) -> Outcome {
    if let Some(text) = built_in(name) {
        return console.print(text);
    }
    let names: Vec<_> = BUILT_IN.iter().map(|machine| machine.name).collect();
    unknown("machine", name, &names)
}

fn print_technology(name: &str, console: Console) -> Outcome {
    if let Some(text) = energy::built_in(name) {
        return console.print(text);
    }
    let names = TECHNOLOGIES.map(|(name, _)| name);
    unknown("technology", name, &names)
}

/// Failure of `--option name`, where only `names` are known.
fn unknown(option: &str, name: &str, names: &[&str]) -> Outcome {
    let meant = did_you_mean(name, names.iter().copied());
    let failure = Failure::usage(format!(
        "--{option} {name}: no {option} of this name{meant}"
    ));
    Err(failure.hint(format!("expected one of {}", names.join(", "))))
}

/// Choice of a setting, which follows a game's name.
fn setting(setting: Setting) -> Choice {
    choice(&format!("GAME-{}", setting.name()), setting.about())
}

fn text(section: &Section) -> String {
    let rows: Vec<_> = section
        .choices
        .iter()
        .map(|choice| vec![choice.name.clone(), choice.meaning.clone()])
        .collect();
    format!("{}\n{}", section.title, aligned(&rows, &[]))
}

fn sections() -> Vec<Section> {
    let section = |id, title, choices| Section { id, title, choices };
    let mut sections = vec![
        section(
            "scenes",
            "scenes (beside any .gltf, .glb or .obj file)",
            vec![choice("built-in", "drawn where no file is named")],
        ),
        section(
            "demos",
            "demos: games that play themselves (view, render, capture, simulate, compare)",
            DEMOS.iter().map(demo).collect(),
        ),
        section(
            "models",
            "demos: models with one texture, as graphics research shows them (the same commands; the workloads of em2)",
            MODELS.iter().map(demo).collect(),
        ),
        section(
            "settings",
            "demos: each game once more, such as match3-lit or match3-fine (the same commands)",
            Setting::ALL.map(setting).to_vec(),
        ),
        section(
            "heatmaps",
            "counters of a tile (render --heatmap)",
            [heat_maps(TILE_COUNTERS), heat_maps(TILE_FACTS)].concat(),
        ),
        section(
            "cost_maps",
            "costs of a tile on a machine (simulate --heatmap, and render --heatmap with --machine)",
            heat_maps(TILE_COSTS),
        ),
        section(
            "technique_maps",
            "what techniques decide of a tile (the same, with --technique)",
            TECHNIQUES.iter().flat_map(technique_maps).collect(),
        ),
        section(
            "views",
            "what lies in every pixel (render --view)",
            FrameView::ALL
                .map(|(_, name, meaning)| choice(name, meaning))
                .into(),
        ),
    ];
    sections.extend(settings());
    sections
}

/// Sections on how pictures are made, and on which machines.
fn settings() -> Vec<Section> {
    let section = |id, title, choices| Section { id, title, choices };
    vec![
        section(
            "tone_maps",
            "tone maps (--tonemap)",
            TONE_MAPS
                .map(|(name, _, meaning)| choice(name, meaning))
                .into(),
        ),
        section("tile_orders", "tile orders (--tile-order)", tile_orders()),
        section("binning", "binning (--binning, screen.binning)", binnings()),
        section(
            "tile_sizes",
            "tile sizes (--tile-size)",
            TILE_SIZES.map(|size| choice(size, "pixels")).into(),
        ),
        section(
            "simd_levels",
            "instruction sets of this machine (--simd), best first",
            SimdLevel::available().into_iter().map(level).collect(),
        ),
        section("machines", "machines (simulate --machine)", machines()),
        section(
            "technologies",
            "technologies of chips ([energy] of a machine)",
            TECHNOLOGIES.map(|(name, _)| technology(name)).into(),
        ),
        section(
            "techniques",
            "techniques (simulate --technique)",
            TECHNIQUES.iter().map(technique).collect(),
        ),
        section(
            "studies",
            "studies (study ID)",
            all_figures().map(|(id, title)| choice(id, title)).collect(),
        ),
        section(
            "dram_configs",
            "DRAM configurations (dram --config)",
            dram_configs(),
        ),
        section(
            "cache_policies",
            "cache replacement policies (cache --policy)",
            CACHE_POLICIES
                .map(|(name, _, meaning)| choice(name, meaning))
                .into(),
        ),
        section(
            "gltf_extensions",
            "glTF extensions, and which of five other viewers draw them (lists read in November 2026)",
            EXTENSIONS.iter().map(extension).collect(),
        ),
    ]
}

fn choice(name: &str, meaning: &str) -> Choice {
    Choice {
        name: name.to_owned(),
        meaning: meaning.to_owned(),
    }
}

fn demo(demo: &Demo) -> Choice {
    let (kind, camera) = (demo.kind.name(), demo.camera);
    choice(
        demo.name,
        &format!("{}; {kind}, camera {camera}", demo.about),
    )
}

fn heat_maps<T>(table: &[TileMeasure<T>]) -> Vec<Choice> {
    let measures = table.iter();
    measures
        .map(|measure| choice(measure.name, measure.unit))
        .collect()
}

fn technique_maps(technique: &Technique) -> impl Iterator<Item = Choice> {
    let maps = technique.maps.iter();
    maps.map(|map| choice(map.name, &format!("{}: {}", technique.name, map.unit)))
}

/// Section of our counters' names beside Arm's.
fn counters() -> Section {
    let aliases = ALIASES.iter();
    Section {
        id: "counters",
        title: "counters of simulate --json (* is a unit's number, or a kind of traffic), and Arm's names",
        choices: aliases
            .map(|alias| choice(alias.own, &format!("{}: {}", alias.arm, alias.meaning)))
            .collect(),
    }
}

fn machines() -> Vec<Choice> {
    let machines = BUILT_IN.iter();
    machines
        .map(|machine| choice(machine.name, machine.about))
        .collect()
}

fn technology(name: &str) -> Choice {
    let meaning =
        EnergySpec::named(name).map(|spec| format!("arrays and logic at {} nm", spec.node_nm));
    choice(name, &meaning.unwrap_or_default())
}

/// Choice of an extension: whether it is drawn, else what looks different, and which viewers draw it.
fn extension(extension: &Extension) -> Choice {
    let own = match extension.is_drawn() {
        true => "drawn".to_owned(),
        false => format!("not drawn: {}", extension.without),
    };
    let drawn = Viewer::ALL.iter();
    let drawn = drawn.filter(|(viewer, _)| extension.viewers.contains(viewer));
    let others: Vec<&str> = drawn.map(|(_, name)| *name).collect();
    let others = match others.as_slice() {
        [] => "none of the five".to_owned(),
        names => names.join(", "),
    };
    choice(extension.name, &format!("{own}; {others}"))
}

fn technique(technique: &Technique) -> Choice {
    let Technique {
        title,
        about,
        paper,
        ..
    } = technique;
    choice(technique.name, &format!("{title}: {about} ({paper})"))
}

fn tile_orders() -> Vec<Choice> {
    let curves = TileCurve::ALL.iter();
    let mut orders: Vec<Choice> = curves
        .map(|(curve, name)| choice(name, meaning_of_curve(*curve)))
        .collect();
    orders.extend([
        choice("boustrophedonic", "z-order:alternate"),
        choice(
            "ORDER:WxH",
            "by supertiles of W x H tiles, such as hilbert:4x4",
        ),
        choice(
            "ORDER:WxH:ORDER",
            "the same with another order inside of them, such as z-order:4x4:s-order",
        ),
        choice(
            "...:alternate",
            "backwards in every second frame that is drawn, such as s-order:alternate",
        ),
        choice(
            "...:CORNER",
            "begun at top-right, bottom-left or bottom-right, such as z-order:bottom-left",
        ),
    ]);
    orders
}

fn binnings() -> Vec<Choice> {
    let meaning = |binning: Binning| match binning {
        Binning::Exact => "tiles that no edge of the triangle excludes",
        Binning::BoundingBox => "all tiles that the triangle's bounding box overlaps",
    };
    let ways = Binning::ALL.iter();
    ways.map(|(binning, name)| choice(name, meaning(*binning)))
        .collect()
}

fn dram_configs() -> Vec<Choice> {
    let meaning = |name| DramSpec::named(name).map(|spec| dram_summary(&spec));
    shipped_names()
        .into_iter()
        .map(|name| choice(name, &meaning(name).unwrap_or_default()))
        .collect()
}

fn level(level: SimdLevel) -> Choice {
    choice(&level.to_string(), "")
}

const fn meaning_of_curve(curve: TileCurve) -> &'static str {
    match curve {
        TileCurve::ScanLine => "row by row, left to right",
        TileCurve::SOrder => "row by row, every second row from right to left",
        TileCurve::ZOrder => "Morton order",
        TileCurve::Hilbert => "Hilbert curve: each tile beside the one before",
    }
}
