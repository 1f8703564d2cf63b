//! The window, used as a user would: a real one on a real X server (Xvfb), with keys and clicks from outside. Its contents
//! are read from the screen's pixels and from the texts that it reports as painted.

mod pictures;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::command_line::{fails, json, stdout, succeeds, workshop};
use crate::common::skipped;
use crate::x_client::{Client, Server, wait_for};
use serde_json::Value;

/// Measured answers of a window that draws.
const ANSWERS: usize = 7;

/// Size of the window, in pixels.
const WIDTH: u16 = 800;
const HEIGHT: u16 = 600;

/// An X server with a screen of this size; nothing where there is no Xvfb.
fn serve(screen: [u32; 2], options: &[&str]) -> Option<Server> {
    let server = Server::start(screen[0], screen[1], options);
    if server.is_none() {
        assert!(!is_required(), "Xvfb is required and cannot be started");
        skipped("no Xvfb");
    }
    server
}

/// A window with its server, and the file in which it says what it paints.
struct Shown {
    process: Child,
    client: Client,
    dump: PathBuf,
    // Ends after the window does.
    _server: Server,
}

/// Whether a machine that lacks something fails the test.
fn is_required() -> bool {
    std::env::var_os("AZULEJO_REQUIRE_VULKAN").is_some()
}

impl Shown {
    /// Opens the built-in scene, time standing still; nothing where there is no Xvfb.
    fn open(directory: &Path, options: &str) -> Option<Self> {
        let options = format!("--window {WIDTH}x{HEIGHT} {options}");
        Self::open_on(directory, [1024, 768], &options, (WIDTH, 1))
    }

    /// [`Self::open`] on a screen of any size with a window that is `width` pixels wide, where a point is `scale` pixels.
    fn open_on(
        directory: &Path,
        screen: [u32; 2],
        options: &str,
        (width, scale): (u16, u32),
    ) -> Option<Self> {
        let server = serve(screen, &[])?;
        let dump = directory.join("interface.json");
        let process = Command::new(env!("CARGO_BIN_EXE_azulejo"))
            .args(["view", "--paused"])
            .args(options.split_whitespace())
            .env("WINIT_X11_SCALE_FACTOR", scale.to_string())
            .arg("--dump-ui")
            .arg(&dump)
            .current_dir(directory)
            .env("DISPLAY", &server.display)
            .env("XDG_RUNTIME_DIR", directory)
            .env_remove("WAYLAND_DISPLAY")
            .spawn()
            .expect("the program starts");
        let client = Client::of_window(&server.display, width);
        let shown = Self {
            process,
            client,
            dump,
            _server: server,
        };
        shown.wait("the first frame", |now| now["picture"]["finished"] == true);
        Some(shown)
    }

    /// Last painting of the interface, as it was dumped.
    fn now(&self) -> Option<Value> {
        let text = std::fs::read(&self.dump).ok()?;
        serde_json::from_slice(&text).ok()
    }

    #[track_caller]
    fn wait(&self, what: &str, is_there: impl Fn(&Value) -> bool) -> Value {
        wait_for(what, || self.now().filter(&is_there))
    }

    /// Waits until a text is painted.
    #[track_caller]
    fn wait_for_text(&self, text: &str) -> Value {
        self.wait(text, |now| texts(now).any(|shown| shown.contains(text)))
    }

    /// Presses a key until a text is painted: a window that has just opened may not have the keyboard yet.
    #[track_caller]
    fn press_until(&self, key: char, text: &str) {
        wait_for(text, || {
            self.client.press(key);
            let start = Instant::now();
            let mut is_there = false;
            while !is_there && start.elapsed() < Duration::from_secs(5) {
                std::thread::sleep(Duration::from_millis(20));
                is_there = self
                    .now()
                    .is_some_and(|now| texts(&now).any(|shown| shown.contains(text)));
            }
            is_there.then_some(())
        });
    }

    /// Clicks the middle of the text that reads so.
    #[track_caller]
    fn click_text(&self, text: &str) {
        let now = self.wait(text, |now| texts(now).any(|shown| shown == text));
        let found = now["texts"].as_array().into_iter().flatten();
        let mut found = found.filter(|shown| shown["text"] == text);
        let rect = &found.next().expect("just seen")["rect"];
        let of = |k: usize| rect[k].as_f64().expect("a number") as f32;
        self.client
            .click([of(0) + of(2) / 2.0, of(1) + of(3) / 2.0]);
    }

    /// Position of the picture on the window, and how large one of its pixels is.
    fn placement(&self) -> ([f32; 2], f32) {
        let now = self.wait("a picture", |now| now["picture"]["finished"] == true);
        let of = |value: &Value| value.as_f64().expect("a number") as f32;
        let picture = &now["picture"];
        let origin = [0, 1].map(|axis| of(&picture["origin"][axis]));
        (origin, of(&picture["scale"]))
    }

    /// A pixel of the picture on the window.
    fn place(&self, pixel: [u32; 2]) -> [f32; 2] {
        let (origin, scale) = self.placement();
        [0, 1].map(|axis| (origin[axis] + (pixel[axis] as f32 + 0.5) * scale).floor())
    }

    /// Clicks near a pixel of the picture, which may be smaller than the screen's; the one that was hit.
    fn click_pixel(&self, pixel: [u32; 2]) -> [u32; 2] {
        let at = self.place(pixel);
        self.client.click(at);
        let (origin, scale) = self.placement();
        [0, 1].map(|axis| ((at[axis] - origin[axis]) / scale) as u32)
    }
}

impl Drop for Shown {
    fn drop(&mut self) {
        // It may have ended by itself, which the test has noticed.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn texts(now: &Value) -> impl Iterator<Item = &str> {
    let texts = now["texts"].as_array().into_iter().flatten();
    texts.filter_map(|text| text["text"].as_str())
}

/// Option for the presenter: the driver if there must be one.
fn presenter() -> &'static str {
    if is_required() {
        "--present driver"
    } else {
        ""
    }
}

/// The window without its bar shows what `render` draws with these options, pixel by pixel.
#[track_caller]
fn check_picture(directory: &Path, shown: &Shown, options: &str) {
    shown.client.press('h');
    shown.wait("the picture without the bar", |now| {
        let whole = [u64::from(WIDTH), u64::from(HEIGHT)];
        now["picture"]["finished"] == true
            && now["picture"]["size"] == serde_json::json!(whole)
            && texts(now).next().is_none()
    });
    let line = format!("render --size {WIDTH}x{HEIGHT} -o drawn.png --stats=none {options}");
    succeeds(directory, &line);
    let drawn = image::open(directory.join("drawn.png"))
        .expect("a picture")
        .into_rgb8();
    let drawn: Vec<[u8; 3]> = drawn.pixels().map(|pixel| pixel.0).collect();
    let differing = |pixels: &[[u8; 3]]| pixels.iter().zip(&drawn).filter(|(a, b)| a != b).count();
    // Painted pixels are on the screen a little later.
    wait_for("the screen to show the picture", || {
        (differing(&shown.client.pixels(WIDTH, HEIGHT)) == 0).then_some(())
    });
    shown.client.press('h');
    shown.wait_for_text("Inspect");
}

#[test]
fn window_without_display_is_an_error_that_names_render() {
    let directory = workshop("window_without_display");
    fails(&directory, "view", 1, &["no display", "azulejo render"]);
}

#[test]
fn window_on_a_display_that_no_driver_knows_is_an_error_that_says_so() {
    let directory = workshop("window_no_driver");
    let Some(server) = serve([1024, 768], &["-extension", "GLX"]) else {
        return;
    };
    let shown = Command::new(env!("CARGO_BIN_EXE_azulejo"))
        .args(["view", "--present", "driver"])
        .current_dir(&directory)
        .env("DISPLAY", &server.display)
        .env("XDG_RUNTIME_DIR", &directory)
        // Neither Vulkan nor OpenGL.
        .env("VK_DRIVER_FILES", directory.join("none.json"))
        .env(
            "__EGL_VENDOR_LIBRARY_FILENAMES",
            directory.join("none.json"),
        )
        .env_remove("WAYLAND_DISPLAY")
        .output()
        .expect("the program starts");
    let said = String::from_utf8_lossy(&shown.stderr);
    assert_eq!(shown.status.code(), Some(1), "{said}");
    assert!(
        said.contains("no graphics driver knows this display"),
        "{said}"
    );
}

#[test]
fn window_opens_before_its_scene_is_there_and_says_what_it_waits_for() {
    let directory = workshop("window_loading");
    let Some(server) = serve([1024, 768], &[]) else {
        return;
    };
    let dump = directory.join("interface.json");
    let mut process = Command::new(env!("CARGO_BIN_EXE_azulejo"))
        .args(["view", "-", "--window", "800x600", "--present", "soft"])
        .arg("--dump-ui")
        .arg(&dump)
        .env("DISPLAY", &server.display)
        .env("XDG_RUNTIME_DIR", &directory)
        .env_remove("WAYLAND_DISPLAY")
        .stdin(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut pipe = process.stdin.take().expect("a pipe");
    let shown = Shown {
        process,
        client: Client::of_window(&server.display, WIDTH),
        dump,
        _server: server,
    };
    let now = shown.wait_for_text("loading stdin");
    assert_ne!(now["picture"]["finished"], true, "nothing is drawn yet");
    let scene = br#"{"asset":{"version":"2.0"},"scenes":[{"nodes":[]}]}"#;
    pipe.write_all(scene).expect("it is read");
    drop(pipe);
    shown.wait("the scene", |now| {
        now["picture"]["finished"] == true && !texts(now).any(|text| text.contains("loading"))
    });
}

#[test]
fn window_on_nothing_is_an_error_before_it_opens_and_one_on_a_broken_file_closes() {
    let directory = workshop("window_broken");
    let Some(server) = serve([1024, 768], &[]) else {
        return;
    };
    std::fs::write(directory.join("broken.glb"), b"glTF").expect("writable");
    for (scene, code, says) in [
        ("nowhere.glb", 1, "nowhere.glb"),
        ("mach3", 2, "did you mean match3?"),
        ("broken.glb", 1, "broken.glb"),
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_azulejo"))
            .args(["view", scene, "--present", "soft"])
            .current_dir(&directory)
            .env("DISPLAY", &server.display)
            .env("XDG_RUNTIME_DIR", &directory)
            .env_remove("WAYLAND_DISPLAY")
            .output()
            .expect("the program starts");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{scene}: {said}");
        assert!(said.contains(says), "{scene}: {said}");
    }
}

#[test]
fn window_presents_the_drawn_picture_to_the_byte() {
    for (name, options) in [("driver", presenter()), ("soft", "--present soft")] {
        let directory = workshop(&format!("window_picture_{name}"));
        let Some(shown) = Shown::open(&directory, options) else {
            return;
        };
        check_picture(&directory, &shown, "");
    }
}

#[test]
fn window_with_samples_presents_what_render_draws_with_them_to_the_byte() {
    let directory = workshop("window_samples");
    // Quick to draw; its sprites have edges that samples change.
    let frame = "match3 --frame 90";
    let options = format!("{frame} --msaa 4 {}", presenter());
    let Some(shown) = Shown::open(&directory, &options) else {
        return;
    };
    check_picture(&directory, &shown, &format!("{frame} --msaa 4"));
    shown.client.press('m');
    check_picture(&directory, &shown, &format!("{frame} --msaa 1"));
    shown.client.press('m');
    check_picture(&directory, &shown, &format!("{frame} --msaa 4"));
}

/// Opens a frame on a machine, and reads in the overlay what `simulate` prints of it.
fn check_cycles(samples: u32) {
    let directory = workshop(&format!("window_samples_simulate_{samples}"));
    let frame = format!("match3 --frame 90 --machine mali450-re --size 320x192 --msaa {samples}");
    let Some(shown) = Shown::open(&directory, &format!("{frame} {}", presenter())) else {
        return;
    };
    shown.press_until('o', "of frame 90");
    let cycles = &json(&directory, &format!("simulate {frame} --json"))["machines"][0]["frames"][0]
        ["cycles"];
    let cycles = cycles.as_u64().expect("a number");
    shown.wait_for_text(&format!("{},{:03} cycles", cycles / 1000, cycles % 1000));
}

#[test]
fn window_shows_what_simulate_says_of_a_frame() {
    check_cycles(1);
}

#[test]
fn window_with_samples_shows_what_simulate_says_of_them() {
    check_cycles(4);
}

#[test]
fn samples_that_a_machine_cannot_hold_are_refused_before_the_window_opens() {
    let directory = workshop("window_samples_refused");
    let Some(server) = serve([640, 480], &[]) else {
        return;
    };
    let output = Command::new(env!("CARGO_BIN_EXE_azulejo"))
        .args(["view", "match3", "--machine", "emerald-gpu", "--msaa", "4"])
        .env("DISPLAY", &server.display)
        .env_remove("WAYLAND_DISPLAY")
        .current_dir(&directory)
        .output()
        .expect("the program starts");
    assert_eq!(output.status.code(), Some(2), "a machine without tiles");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("--msaa 4: emerald-gpu"), "{said}");
}

#[test]
fn screenshot_is_the_picture_under_a_free_name_and_nothing_else() {
    let directory = workshop("window_screenshot");
    let names = |directory: &Path| -> Vec<String> {
        let entries = std::fs::read_dir(directory).expect("a folder");
        let names = entries.map(|entry| entry.expect("readable").file_name());
        names
            .map(|name| name.to_string_lossy().into_owned())
            .collect()
    };
    let Some(shown) = Shown::open(&directory, &format!("match3 {}", presenter())) else {
        return;
    };
    std::fs::write(directory.join("match3.0000.png"), b"another's").expect("writable");
    shown.client.press('p');
    shown.wait_for_text("wrote match3.0001.png");
    let now = shown.now().expect("painted");
    let size = &now["picture"]["size"];
    let line = format!("render match3 --size {}x{} -o drawn.png", size[0], size[1]);
    succeeds(&directory, &line);
    let pixels = |name: &str| {
        image::open(directory.join(name))
            .expect("whole")
            .into_rgb8()
    };
    assert!(
        pixels("match3.0001.png") == pixels("drawn.png"),
        "what is shown"
    );
    let kept = std::fs::read(directory.join("match3.0000.png")).expect("there");
    assert_eq!(kept, b"another's", "what was there stays");
    let left = names(&directory);
    assert!(
        !left.iter().any(|name| name.starts_with(".azulejo")),
        "{left:?}"
    );
}

#[test]
fn overlay_shows_what_render_counts() {
    let directory = workshop("window_overlay");
    let Some(shown) = Shown::open(&directory, presenter()) else {
        return;
    };
    shown.client.press('o');
    let now = shown.wait("the short overlay", |now| {
        texts(now).any(|text| text.contains("triangles  overdraw"))
    });
    let size = &now["picture"]["size"];
    let line = format!("render --size {}x{} -o drawn.png --json", size[0], size[1]);
    let drawn = json(&directory, &line);
    let binned = &drawn["frames"][0]["counters"]["geometry"]["primitives_binned"];
    let binned = binned.as_u64().expect("a number");
    shown.wait_for_text(&format!("{},{:03} triangles", binned / 1000, binned % 1000));
    shown.client.press('o');
    shown.wait_for_text("This machine");
    shown.wait_for_text("texture samples");
    shown.client.press('o');
    shown.wait("the overlay to go", |now| {
        !texts(now).any(|text| text == "This machine")
    });
}

#[test]
fn overlay_and_tiles_show_what_render_leaves_out() {
    let directory = workshop("window_elimination");
    let technique = "--technique re --frame-buffers 1";
    let options = format!("match3 --frame 90 {technique} {}", presenter());
    let Some(shown) = Shown::open(&directory, &options) else {
        return;
    };
    shown.client.press('o');
    let now = shown.wait_for_text("tiles skipped");
    let size = &now["picture"]["size"];
    let size = format!("{}x{}", size[0], size[1]);
    let line = format!("render match3 --frame 90 --frames 2 --size {size} {technique} -o a.png");
    let drawn = json(&directory, &format!("{line} --json"));
    let elimination = &drawn["frames"][1]["elimination"];
    let reasons = elimination["tiles"].as_array().expect("a reason each");
    let kept = elimination["tiles_kept"].as_u64().expect("a number");
    assert!(kept > 0 && kept < reasons.len() as u64, "some of each");
    shown.client.press('.');
    shown.wait_for_text(&format!("{kept} of {} tiles skipped", reasons.len()));
    shown.client.press('o');
    shown.wait_for_text("skipped: inputs did not change");
    shown.client.press('o');
    shown.client.press('t');
    // The panel takes room from the picture: places count from then on.
    shown.wait("tiles", |now| now["panels"].get("right side").is_some());
    let grid = &drawn["settings"];
    let across = grid["width"].as_u64().expect("a number").div_ceil(32) as usize;
    for (reason, words) in [
        ("equal_inputs", "kept: inputs did not change"),
        ("changed_inputs", "drawn: inputs changed"),
    ] {
        // On the left, where no panel lies.
        let is_there = |at: &usize| reasons[*at] == reason && at % across < across / 2;
        let tile = (0..reasons.len()).rfind(is_there).expect("one on the left");
        let middle = |at: usize| 32 * at as u32 + 10;
        let place = shown.place([middle(tile % across), middle(tile / across)]);
        shown.client.point_at(place);
        shown.wait_for_text(words);
    }
}

#[test]
fn overlay_shows_what_simulate_says() {
    let directory = workshop("window_simulate");
    let frame = "match3 --frame 90 --machine mali450-re --technique re+te --size 320x192";
    let Some(shown) = Shown::open(&directory, &format!("{frame} {}", presenter())) else {
        return;
    };
    // A machine that compares frames is led up to the first one it speaks of, by those that fill its frame buffers and one
    // more.
    let led = frame.replace("--frame 90", "--frame 87 --frames 6");
    let simulated = json(&directory, &format!("simulate {led} --json"));
    let frames = &simulated["machines"][1]["frames"]
        .as_array()
        .expect("frames")[3..];
    let cycles = |number: usize| {
        let cycles = frames[number]["cycles"].as_u64().expect("a number");
        format!("{},{:03} cycles", cycles / 1000, cycles % 1000)
    };
    shown.client.press('o');
    shown.wait_for_text("mali450-re+re+te");
    for number in 0..3 {
        if number > 0 {
            shown.client.press('.');
        }
        shown.wait_for_text(&format!("of frame {}", 90 + number));
        shown.wait_for_text(&cycles(number));
    }
    let number = |name: &str| frames[2]["tile_fetcher"][name].as_u64().expect("a number");
    let skipped = number("tiles_skipped");
    let tiles = skipped + number("tiles");
    assert!(skipped > 0, "the frame finds its buffer filled");
    shown.client.press('o');
    let now = shown.wait_for_text("flushes skipped");
    let share = 100.0 * skipped as f64 / tiles as f64;
    let text = format!("{skipped}  {share:>4.1} %");
    assert!(texts(&now).any(|shown| shown.contains(&text)), "{text}");
}

#[test]
fn tiles_show_what_a_scheduler_decides_of_the_one_under_the_pointer() {
    let directory = workshop("window_scheduler");
    let frame = "match3 --frame 90 --machine valhall-khepri --technique khepri --size 320x192";
    let Some(shown) = Shown::open(&directory, &format!("{frame} {}", presenter())) else {
        return;
    };
    shown.client.press('t');
    shown.wait("tiles", |now| now["panels"].get("right side").is_some());
    shown.client.point_at(shown.place([16, 16]));
    let says = |now: &Value, word: &str| texts(now).any(|text| text.contains(word));
    let now = shown.wait_for_text("core type ");
    for words in ["mpki ", "affinity ", "region 0"] {
        assert!(says(&now, words), "{words}: {now}");
    }
}

#[test]
fn inspector_shows_what_inspect_prints() {
    let directory = workshop("window_inspector");
    let Some(shown) = Shown::open(&directory, presenter()) else {
        return;
    };
    let size = shown.now().expect("painted")["picture"]["size"].clone();
    let inspect = |what: &str| {
        let line = format!("inspect --size {}x{} {what}", size[0], size[1]);
        stdout(&succeeds(&directory, &line))
    };
    shown.client.press('i');
    for line in inspect("").lines().take(6) {
        shown.wait_for_text(line);
    }
    let [x, y] = shown.click_pixel([421, 333]);
    let (column, row) = (x / 32, y / 32);
    let told = inspect(&format!("--tile {column},{row}"));
    assert!(told.lines().count() > 3, "something is drawn there");
    for line in told.lines().take(6) {
        shown.wait_for_text(line);
    }
    shown.click_text("Pixel");
    let told = inspect(&format!("--pixel {x},{y}"));
    assert!(told.lines().count() > 2, "something is drawn there");
    for line in told.lines().take(4) {
        shown.wait_for_text(line);
    }
}

/// X11's symbols of keys that are no letters.
const ESCAPE: u32 = 0xff1b;
const F1: u32 = 0xffbe;

/// Left, top, right and bottom of what the dump gives as left, top, width and height.
fn edges(rect: &Value) -> [f64; 4] {
    let of = |k: usize| rect[k].as_f64().expect("a number");
    [of(0), of(1), of(0) + of(2), of(1) + of(3)]
}

/// Whether two boxes have more than an edge in common.
fn overlap(a: [f64; 4], b: [f64; 4]) -> bool {
    let apart = |k: usize| a[k + 2] <= b[k] + 0.5 || b[k + 2] <= a[k] + 0.5;
    !apart(0) && !apart(1)
}

/// No panel covers another, nor what is left for the picture, nor what is inspected; all are in the window.
#[track_caller]
fn check_panels(now: &Value, window: [u32; 2], what: &str) {
    let panels = now["panels"].as_object().expect("panels");
    let mut boxes: Vec<(&str, [f64; 4])> = (panels.iter())
        .map(|(name, rect)| (name.as_str(), edges(rect)))
        .collect();
    let area = edges(&now["area"]);
    assert!(
        area[2] - area[0] >= 100.0 && area[3] - area[1] >= 60.0,
        "{what}: room for the picture: {area:?}"
    );
    boxes.push(("picture", area));
    for (nth, (name, rect)) in boxes.iter().enumerate() {
        let [wide, high] = window.map(f64::from);
        let is_inside = rect[0] >= -0.5 && rect[1] >= -0.5;
        assert!(
            is_inside && rect[2] <= wide + 0.5 && rect[3] <= high + 0.5,
            "{what}: {name} {rect:?} is in the window"
        );
        for (other, beside) in &boxes[..nth] {
            assert!(
                !overlap(*rect, *beside),
                "{what}: {name} {rect:?} and {other} {beside:?}"
            );
        }
    }
    let inspected = &now["inspected"];
    if !inspected.is_null() {
        let tile = edges(inspected);
        let within = (0..2).all(|k| tile[k] >= area[k] - 0.5 && tile[k + 2] <= area[k + 2] + 0.5);
        assert!(within, "{what}: {tile:?} can be seen in {area:?}");
    }
}

/// Opens everything that can be opened, one after the other, and looks at the panels each time.
fn check_layout(directory: &Path, window: [u32; 2], scale: u32) -> Option<()> {
    let options = format!(
        "match3 --frame 90 --size 320x192 --machine mali450-re --window {}x{} --present soft",
        window[0], window[1]
    );
    let screen = window.map(|edge| edge + 16);
    let width = u16::try_from(window[0]).expect("fits a screen");
    let shown = Shown::open_on(directory, screen, &options, (width, scale))?;
    let what = |what: &str| format!("{}x{} at {scale}, {what}", window[0], window[1]);
    let has = |panel: &'static str| move |now: &Value| now["panels"].get(panel).is_some();
    let check = |now: &Value, name: &str| check_panels(now, window, &what(name));
    check(&shown.wait("the bar", has("bar")), "the bar");
    shown.client.press('o');
    let now = shown.wait("the short overlay", has("overlay"));
    check(&now, "short overlay");
    shown.client.press('i');
    shown.wait("the inspector", has("inspector"));
    shown.wait_for_text("Hints");
    shown.click_pixel([100, 100]);
    let now = shown.wait("the tile", |now| !now["inspected"].is_null());
    check(&now, "inspector");
    shown.client.press('o');
    let now = shown.wait("the full overlay", |now| {
        has("left side")(now) && !has("overlay")(now)
    });
    check(&now, "full overlay");
    shown.client.press('t');
    let now = shown.wait("tiles", |now| {
        has("right side")(now) && texts(now).any(|text| text == "Tiles")
    });
    check(&now, "tiles");
    shown.client.press_key(F1);
    let now = shown.wait("keys and the tile beside them", |now| {
        texts(now).any(|text| text == "Close") && !now["inspected"].is_null()
    });
    check(&now, "keys");
    assert!(has("inspector")(&now), "all at once");
    // A width of the painting before must not stay.
    shown.client.press_key(F1);
    shown.client.press('t');
    let now = shown.wait("the sides to close", |now| !has("right side")(now));
    check(&now, "closed again");
    Some(())
}

#[test]
fn panels_cover_neither_each_other_nor_the_inspected_tile() {
    for window in [[500, 400], [1280, 720], [3840, 2160]] {
        for scale in [1, 2] {
            let name = format!("window_layout_{}_{scale}", window[0]);
            if check_layout(&workshop(&name), window, scale).is_none() {
                return;
            }
        }
    }
}

/// Least part of the room without the overlay that a small window's overlay leaves to the picture.
const FREE: f64 = 0.55;

/// Opens the overlay in a small window, short and in full, and looks at the room that it leaves and at its texts.
fn check_small_overlay(directory: &Path, scale: u32) -> Option<()> {
    let window = [400, 300];
    let options = "match3 --frame 90 --size 320x192 --machine mali450-re --technique re+te --window 400x300 --present soft";
    let screen = window.map(|edge| edge + 16);
    let shown = Shown::open_on(directory, screen, options, (400, scale))?;
    let room = |now: &Value| {
        let [left, top, right, bottom] = edges(&now["area"]);
        (right - left) * (bottom - top)
    };
    let bare = room(&shown.wait("the bar", |now| now["panels"].get("bar").is_some()));
    // A pixel under the pointer is one text more.
    shown.client.point_at(shown.place([160, 150]));
    for (form, says) in [("short", "bytes/pixel"), ("full", "Raster Pipeline")] {
        shown.client.press('o');
        let now = shown.wait(form, |now| {
            let all = ["pixel ", "tiles skipped", " cycles", says];
            let is_said = |part: &&str| texts(now).any(|text| text.contains(*part));
            all.iter().all(is_said)
        });
        let what = format!("{form} overlay at {scale}");
        check_panels(&now, window, &what);
        let free = room(&now) / bare;
        assert!(free >= FREE, "{what} leaves {free:.3} of {bare}");
        let panel = edges(&now["panels"]["overlay"]);
        for text in now["texts"].as_array().into_iter().flatten() {
            let [left, top, right, bottom] = edges(&text["rect"]);
            if overlap([left, top, right, bottom], panel) {
                let is_whole = left >= panel[0] && right <= panel[2] && top >= panel[1];
                assert!(is_whole, "{what}: {text} is cut by {panel:?}");
                // The full one scrolls.
                assert!(
                    form == "full" || bottom <= panel[3],
                    "{what}: {text} in {panel:?}"
                );
            }
        }
    }
    shown.client.press('o');
    let now = shown.wait("the overlay to go", |now| {
        now["panels"].get("overlay").is_none()
    });
    assert_eq!(room(&now), bare, "all is free again");
    Some(())
}

#[test]
fn overlay_of_a_small_window_leaves_most_of_the_picture_free() {
    for scale in [1, 2] {
        let name = format!("window_small_overlay_{scale}");
        if check_small_overlay(&workshop(&name), scale).is_none() {
            return;
        }
    }
}

#[test]
fn escape_closes_one_thing_after_the_other() {
    let directory = workshop("window_escape");
    let Some(shown) = Shown::open(&directory, "match3 --size 320x192 --present soft") else {
        return;
    };
    let has = |panel: &'static str| move |now: &Value| now["panels"].get(panel).is_some();
    shown.client.press(' ');
    shown.wait("time to pass", |now| now["playing"] == true);
    shown.client.press('o');
    shown.wait("the overlay", has("overlay"));
    shown.client.press('t');
    shown.wait("tiles", has("right side"));
    shown.client.press('i');
    shown.wait("the inspector", has("inspector"));
    shown.wait("time to stand still", |now| now["playing"] == false);
    let choices = |now: &Value| texts(now).filter(|text| *text == "the demo's").count();
    shown.click_text("the demo's");
    shown.wait("a list", |now| choices(now) == 2);
    shown.client.press_key(ESCAPE);
    let now = shown.wait("the list to close", |now| choices(now) == 1);
    assert!(has("inspector")(&now), "and nothing else");
    shown.client.press_key(ESCAPE);
    let now = shown.wait("the inspector to close", |now| !has("inspector")(now));
    assert!(has("right side")(&now), "tiles are still there");
    shown.wait("time to pass again", |now| now["playing"] == true);
    shown.client.press_key(ESCAPE);
    let now = shown.wait("tiles to close", |now| !has("right side")(now));
    assert!(has("overlay")(&now), "the overlay is still there");
    shown.client.press_key(ESCAPE);
    shown.wait("the overlay to close", |now| !has("overlay")(now));
}

/// A frame of 4096x4096 pixels takes seconds on two cores; the answer must not wait for it.
#[test]
fn window_answers_while_a_large_frame_is_drawn() {
    let directory = workshop("window_latency");
    let Some(shown) = Shown::open(&directory, &format!("--size 4096x4096 {}", presenter())) else {
        return;
    };
    let is_drawing = || {
        let now = shown.now();
        now.is_some_and(|now| now["picture"]["finished"] == false)
    };
    let mut answers = Vec::new();
    for _ in 0..2 * ANSWERS {
        // A brighter picture has to be drawn anew.
        shown.client.press(']');
        wait_for("the next frame to be begun", || is_drawing().then_some(()));
        let before = shown.now().map(|now| texts(&now).count());
        let start = Instant::now();
        shown.client.press('h');
        wait_for("an answer", || {
            let count = shown.now().map(|now| texts(&now).count());
            (count.is_some() && count != before).then_some(())
        });
        let answer = start.elapsed().as_secs_f64() * 1e3;
        // An answer that came when the frame was done says nothing.
        if is_drawing() {
            answers.push(answer);
        }
        if answers.len() == ANSWERS {
            break;
        }
    }
    assert_eq!(answers.len(), ANSWERS, "answers while a frame was drawn");
    answers.sort_by(f64::total_cmp);
    println!("milliseconds from key to interface while drawing: {answers:.1?}");
    let middle = answers[ANSWERS / 2];
    // 50 ms on a quiet machine; here it only must not wait for the frame.
    assert!(middle < 1000.0, "{answers:.1?}");
}
