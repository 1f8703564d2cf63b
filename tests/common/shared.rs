//! Material beside the checkout, in `../shared`: models, reference runs, pictures. Tests that need it are left out where it
//! is absent; with `AZULEJO_REQUIRE_SHARED=1` they fail.

use std::path::{Path, PathBuf};

use super::common::skipped;

/// The file or folder `name` of `../shared`; `None`, with a word about it, where it is absent and need not be there.
pub(crate) fn shared(name: &str) -> Option<PathBuf> {
    let path = folder().join(name);
    if path.exists() {
        return Some(path);
    }
    let required = std::env::var_os("AZULEJO_REQUIRE_SHARED").is_some();
    assert!(!required, "{} is required and absent", path.display());
    skipped(&format!("../shared/{name} is absent"));
    None
}

/// `../shared` itself, beside the checkout whichever room's tests ask; it may be absent.
pub(crate) fn folder() -> PathBuf {
    let room = Path::new(env!("CARGO_MANIFEST_DIR"));
    let checkout = room
        .ancestors()
        .find(|folder| folder.join("tests/common").is_dir())
        .expect("a room lies in the checkout");
    checkout.join("../shared")
}
