//! A folder with one file of every kind that commands read, and the program run in it under limits.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// No command takes longer to refuse, to end or to be interrupted.
const TIME_LIMIT: Duration = Duration::from_secs(10);
/// Nor more memory, in KiB.
const MEMORY_LIMIT: u64 = 1 << 20;

/// A triangle from a file beside it, with an image that nothing shows.
const MODEL: &str = r#"{
  "asset": { "version": "2.0" },
  "scene": 0, "scenes": [{ "nodes": [0] }], "nodes": [{ "mesh": 0 }],
  "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 } }] }],
  "accessors": [{ "bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [-1, -1, 0], "max": [1, 1, 0] }],
  "bufferViews": [{ "buffer": 0, "byteOffset": 0, "byteLength": 36 }],
  "buffers": [{ "byteLength": 36, "uri": "model%20data.bin" }],
  "images": [{ "uri": "model.png" }]
}"#;

/// How a command ended.
#[derive(Debug)]
pub(crate) struct Ended {
    /// The exit code, or 128 and the signal.
    pub(crate) code: i32,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: String,
    /// Most memory that it ever had, in KiB.
    pub(crate) peak: u64,
}

/// A folder of its own.
#[derive(Debug)]
pub(crate) struct Workshop {
    pub(crate) folder: PathBuf,
}

impl Workshop {
    /// A folder with a scene, its files, an environment, two machines and a trace.
    pub(crate) fn new(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("hostile-{name}"));
        // Left over from an earlier run, or not there at all.
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("sub")).expect("a fresh folder");
        let workshop = Self { folder };
        workshop.fill();
        workshop
    }

    fn fill(&self) {
        let positions: [f32; 9] = [-1.0, -1.0, 0.0, 1.0, -1.0, 0.0, 0.0, 1.0, 0.0];
        let bytes: Vec<u8> = positions.iter().flat_map(|at| at.to_le_bytes()).collect();
        self.put("model.gltf", MODEL.as_bytes());
        self.put("model data.bin", &bytes);
        let image = self.file("model.png");
        image::RgbaImage::new(2, 2).save(image).expect("writable");
        let mut sky = b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 2 +X 4\n".to_vec();
        sky.extend([128, 128, 128, 129].repeat(8));
        self.put("sky.hdr", &sky);
        self.put(
            "base.toml",
            b"include = \"mali450-re\"\n[screen]\nwidth = 64\nheight = 48\n",
        );
        self.put("own.toml", b"include = \"base.toml\"\n");
        let captured =
            self.run("capture model.gltf --env none --size 64x48 --frames 2 -o trace.azt");
        assert_eq!(captured.code, 0, "{captured:?}");
    }

    pub(crate) fn file(&self, name: impl AsRef<Path>) -> PathBuf {
        self.folder.join(name)
    }

    pub(crate) fn put(&self, name: impl AsRef<Path>, bytes: &[u8]) {
        fs::write(self.file(name), bytes).expect("writable");
    }

    /// Starts the program; `words` are split at blanks.
    pub(crate) fn start(&self, words: &str) -> Child {
        self.start_with(words.split_whitespace().map(OsString::from))
    }

    /// Runs the program with a file as its standard input.
    #[track_caller]
    pub(crate) fn run_reading(&self, words: &str, input: fs::File) -> Ended {
        let child = self.command(words.split_whitespace().map(OsString::from));
        let child = { child }.stdin(input).spawn().expect("the program starts");
        ended(child, words)
    }

    fn start_with(&self, words: impl IntoIterator<Item = OsString>) -> Child {
        self.command(words).spawn().expect("the program starts")
    }

    fn command(&self, words: impl IntoIterator<Item = OsString>) -> Command {
        let program = env!("CARGO_BIN_EXE_azulejo");
        // A shell that starts the tests in the background makes them, and their children, deaf to interruption.
        let mut command = if cfg!(target_os = "linux") {
            let mut hearing = Command::new("env");
            hearing.args(["--default-signal=INT,TERM", program]);
            hearing
        } else {
            Command::new(program)
        };
        command
            .args(words)
            .current_dir(&self.folder)
            .env_remove("RUST_LOG")
            .env_remove("DISPLAY")
            .env_remove("WAYLAND_DISPLAY")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// Runs the program within the limits.
    #[track_caller]
    pub(crate) fn run(&self, words: &str) -> Ended {
        ended(self.start(words), words)
    }

    /// Runs the program with all memory in pages of 4 KiB: a large page counts as a whole, so that the number of large
    /// pages says little about the memory that a run keeps.
    #[track_caller]
    pub(crate) fn run_in_small_pages(&self, words: &str) -> Ended {
        let mut command = self.command(words.split_whitespace().map(OsString::from));
        command.env("MIMALLOC_ALLOW_THP", "0");
        ended(command.spawn().expect("the program starts"), words)
    }

    /// Runs the program with words that no blank splits.
    #[track_caller]
    pub(crate) fn run_words(&self, words: &[&OsStr]) -> Ended {
        let child = self.start_with(words.iter().map(OsString::from));
        ended(child, &format!("{words:?}"))
    }

    /// The command ends with `code`, says every one of `says` in a few lines, and changes nothing.
    #[track_caller]
    pub(crate) fn refuses(&self, words: &str, code: i32, says: &[&str]) {
        let before = self.content();
        let ended = self.run(words);
        assert_eq!(ended.code, code, "{words}\n{}", ended.stderr);
        for part in says {
            assert!(
                ended.stderr.contains(part),
                "{words}: no {part:?} in\n{}",
                ended.stderr
            );
        }
        assert!(
            ended.stderr.len() < 2000,
            "{words}: short\n{}",
            ended.stderr
        );
        assert!(
            self.content() == before,
            "{words}: nothing is changed, nothing is left behind"
        );
    }

    /// Every file in the folder with its bytes; only the name for entries that are no regular file.
    pub(crate) fn content(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let is_file = |path: &Path| fs::symlink_metadata(path).is_ok_and(|kind| kind.is_file());
        let bytes = |path: &PathBuf| match is_file(path) {
            // One that comes and goes has nothing to say.
            true => fs::read(path).unwrap_or_default(),
            false => Vec::new(),
        };
        let files = self.files().into_iter();
        files.map(|path| (path.clone(), bytes(&path))).collect()
    }

    /// Everything in the folder but folders.
    pub(crate) fn files(&self) -> Vec<PathBuf> {
        let mut files = Vec::new();
        let mut folders = vec![self.folder.clone()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).expect("a folder") {
                let path = entry.expect("readable").path();
                if path.is_dir() && !path.is_symlink() {
                    folders.push(path);
                } else {
                    files.push(path);
                }
            }
        }
        files
    }

    /// Asserts that all earlier files are unchanged, but for `output`, and no temporary file is left.
    #[track_caller]
    pub(crate) fn keeps(&self, before: &BTreeMap<PathBuf, Vec<u8>>, output: &str, words: &str) {
        let after = self.content();
        for (file, bytes) in before {
            if *file != self.file(output) {
                assert!(
                    after.get(file) == Some(bytes),
                    "{words}: {} changed",
                    file.display()
                );
            }
        }
        self.is_tidy(words);
    }

    /// No temporary file is left.
    #[track_caller]
    pub(crate) fn is_tidy(&self, words: &str) {
        for file in self.content().keys() {
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            assert!(!name.starts_with(".azulejo"), "{words}: {name} is left");
        }
    }
}

/// Waits for the end, which must come within the limits.
#[track_caller]
pub(crate) fn ended(mut child: Child, words: &str) -> Ended {
    let stdout = drain(child.stdout.take());
    let stderr = drain(child.stderr.take());
    let since = Instant::now();
    let mut peak = 0;
    let status = loop {
        peak = peak_memory(child.id()).unwrap_or(peak);
        if let Some(status) = child.try_wait().expect("a child") {
            break status;
        }
        if since.elapsed() > TIME_LIMIT || peak > MEMORY_LIMIT {
            child.kill().expect("a child");
            let seconds = since.elapsed().as_secs_f64();
            panic!("{words}: still running after {seconds:.1} s with {peak} KiB");
        }
        thread::sleep(Duration::from_millis(4));
    };
    let bytes = |thread: thread::JoinHandle<Vec<u8>>| thread.join().expect("no panic");
    let stderr = String::from_utf8_lossy(&bytes(stderr)).into_owned();
    assert!(!stderr.contains("panicked"), "{words}\n{stderr}");
    Ended {
        code: code(status),
        stdout: bytes(stdout),
        stderr,
        peak,
    }
}

/// Reads beside, so that no full pipe holds the program up.
fn drain(pipe: Option<impl Read + Send + 'static>) -> thread::JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            pipe.read_to_end(&mut bytes).expect("a pipe");
        }
        bytes
    })
}

/// KiB of memory that the process ever had at a time, where the system says it.
fn peak_memory(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().trim_end_matches(" kB").parse().ok()
}

#[cfg(unix)]
fn code(status: std::process::ExitStatus) -> i32 {
    use std::os::unix::process::ExitStatusExt;
    let of_signal = || status.signal().map_or(-1, |signal| 128 + signal);
    status.code().unwrap_or_else(of_signal)
}

#[cfg(not(unix))]
fn code(status: std::process::ExitStatus) -> i32 {
    status.code().unwrap_or(-1)
}
