//! Modules in WGSL that others wrote lower, or the construct is named that does not.
//!
//! Those of crates that the lock file has are read where Cargo keeps them. Others lie in the folders that `AZULEJO_WGSL`
//! lists, as `PATH` lists its, by default in `shaders`; a file there that is no module by itself, but a part or the input
//! of a preprocessor, is left out and counted. Measured so, with naga 30.0.1:
//!
//! | source | modules | entry points that lower |
//! |---|---:|---:|
//! | `cryoglyph` 0.1.0, `glyphon` 0.12.0 | 2 | 4 |
//! | `femtovg` 0.28.0 | 1 | 2 |
//! | `ggez` 0.10.0 | 8 | 16 |
//! | `iced_wgpu` 0.14.0, five of them put together as it does | 6 | 12 |
//! | `kiss3d` 0.47.0, without those that import | 16 | 33 |
//! | `pixels` 0.17.2 | 2 | 4 |
//! | `re_renderer` 0.41.0, imports inserted | 25 | 51 |
//! | `vello_shaders` 0.11.0, preprocessed, `fine` in three variants | 23 | 23 |
//!
//! All of these lower; immediates and ray queries, below, do not.

use std::path::{Path, PathBuf};
use std::process::Command;

use azulejo::shader::Module;

/// Module of a crate: files in a row, and its entry points, or the end of the error.
struct Known {
    package: &'static str,
    files: &'static [&'static str],
    lowers: Result<&'static [&'static str], &'static str>,
}

const KNOWN: &[Known] = &[
    Known {
        package: "egui-wgpu",
        files: &["src/egui.wgsl"],
        lowers: Ok(&[
            "vs_main",
            "fs_main_linear_framebuffer",
            "fs_main_gamma_framebuffer",
        ]),
    },
    Known {
        package: "egui-wgpu",
        files: &["src/texture_copy.wgsl"],
        lowers: Ok(&["vs_main", "fs_main"]),
    },
    Known {
        package: "wgpu",
        files: &["src/util/blit.wgsl"],
        lowers: Ok(&["vs_main", "fs_main"]),
    },
    Known {
        package: "wgpu-hal",
        files: &["examples/halmark/shader.wgsl"],
        lowers: Ok(&["vs_main", "fs_main"]),
    },
    Known {
        package: "wgpu-hal",
        files: &["examples/ray-traced-triangle/shader.wgsl"],
        lowers: Err("Capability Capabilities(RAY_QUERY) is required"),
    },
    Known {
        package: "wgpu-core",
        files: &["src/indirect_validation/validate_draw.wgsl"],
        lowers: Err("`metadata_range`, a variable in Immediate: not supported"),
    },
    Known {
        package: "wgpu-core",
        files: &[
            "src/timestamp_normalization/common.wgsl",
            "src/timestamp_normalization/timestamp_normalization.wgsl",
        ],
        lowers: Err("`im`, a variable in Immediate: not supported"),
    },
];

/// Names of the entry points of a module, all of which lower; pipeline constants are 1.
fn lower(source: &str) -> Result<Vec<String>, String> {
    let module = Module::parse(source).map_err(|error| error.to_string())?;
    let names = module.overrides();
    let constants: Vec<(&str, f64)> = names.iter().map(|name| (name.as_str(), 1.0)).collect();
    let entries = module.entry_points().into_iter().map(|entry| entry.name);
    let lowered = entries.map(|entry| {
        let code = module.compile(&entry, &constants);
        code.map_err(|error| error.to_string()).map(|_| entry)
    });
    lowered.collect()
}

/// Standard output of a call of the Cargo that runs the tests.
fn cargo(arguments: &[&str]) -> Option<String> {
    let output = Command::new(std::env::var_os("CARGO")?)
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output();
    let output = output.expect("Cargo starts");
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "cargo {arguments:?}: {error}");
    Some(String::from_utf8(output.stdout).expect("UTF-8"))
}

/// Names and folders of the packages that this machine builds from.
fn packages() -> Option<Vec<(String, PathBuf)>> {
    let version = cargo(&["-vV"])?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    let platform = ["--filter-platform", host.expect("Cargo knows its host")];
    let form = ["metadata", "--locked", "--format-version=1"];
    let metadata = cargo(&[&form[..], &platform].concat())?;
    let metadata: serde_json::Value = serde_json::from_str(&metadata).expect("JSON");
    let text = |value: &serde_json::Value| value.as_str().expect("text").to_owned();
    let packages = metadata["packages"].as_array().expect("packages").iter();
    let folder = |package: &serde_json::Value| {
        let manifest = PathBuf::from(text(&package["manifest_path"]));
        manifest.parent().expect("a folder").to_owned()
    };
    Some(
        packages
            .map(|package| (text(&package["name"]), folder(package)))
            .collect(),
    )
}

#[test]
fn modules_of_our_crates_lower_or_name_the_construct() {
    let Some(packages) = packages() else {
        return crate::common::skipped("not run by Cargo, which knows where crates lie");
    };
    let mut wrong = Vec::new();
    for known in KNOWN {
        let found = packages.iter().find(|(name, _)| name == known.package);
        let (_, folder) = found.unwrap_or_else(|| panic!("{} is locked", known.package));
        let files = known.files.iter().map(|file| {
            let text = std::fs::read_to_string(folder.join(file));
            text.unwrap_or_else(|error| panic!("{} {file}: {error}", known.package))
        });
        let lowered = lower(&files.collect::<String>());
        let is_as_known = match (&lowered, known.lowers) {
            (Ok(entries), Ok(expected)) => entries == expected,
            (Err(error), Err(end)) => error.ends_with(end),
            _ => false,
        };
        if !is_as_known {
            wrong.push(format!("{} {:?}: {lowered:?}", known.package, known.files));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// All files in WGSL below a folder, sorted.
fn modules_below(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let entries = std::fs::read_dir(folder);
    for entry in entries.unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
        let path = entry.expect("a readable folder").path();
        if path.is_dir() {
            files.extend(modules_below(&path));
        } else if path
            .extension()
            .is_some_and(|extension| extension == "wgsl")
        {
            files.push(path);
        }
    }
    files.sort();
    files
}

#[test]
fn modules_of_given_folders_lower_or_name_the_construct() {
    let own = concat!(env!("CARGO_MANIFEST_DIR"), "/shaders");
    let folders = std::env::var_os("AZULEJO_WGSL").unwrap_or_else(|| own.into());
    let files = std::env::split_paths(&folders).flat_map(|folder| modules_below(&folder));
    let (mut lowered, mut entries, mut left_out) = (0, 0, 0);
    let (mut named, mut wrong) = (Vec::new(), Vec::new());
    for file in files {
        let source = std::fs::read_to_string(&file).expect("readable UTF-8");
        match (Module::parse(&source), lower(&source)) {
            (Err(_), _) => left_out += 1,
            (Ok(_), Ok(names)) if names.is_empty() => left_out += 1,
            (Ok(_), Ok(names)) => {
                lowered += 1;
                entries += names.len();
            }
            (Ok(_), Err(error)) if error.ends_with(": not supported") => {
                named.push(format!("{}:{error}", file.display()));
            }
            (Ok(_), Err(error)) => wrong.push(format!("{}:{error}", file.display())),
        }
    }
    let named = named.join("\n");
    println!("{lowered} modules, {entries} entry points lower; {left_out} left out\n{named}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(lowered > 0, "there are modules");
}
