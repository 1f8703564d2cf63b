//! Whole files into memory: a path and the most bytes that such a file may have in, its content out. A source without
//! an end, a pipe or a device, is refused before a byte is read.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The content of a regular file of at most `most` bytes.
///
/// # Errors
/// Errors of the file system, and sentences about a file that is not regular, is longer, or does not fit into memory.
#[doc(hidden)]
pub fn read_file(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    // Asked before the file is opened: opening a pipe blocks until it has a writer.
    let is_regular = std::fs::metadata(path)?.is_file();
    let refused = |problem: String| io::Error::new(io::ErrorKind::InvalidInput, problem);
    if !is_regular {
        return Err(refused("it is not a regular file".to_owned()));
    }
    let file = File::open(path)?;
    let length = file.metadata()?.len();
    if length > most {
        let problem = format!("it has {length} bytes; expected at most {most}");
        return Err(refused(problem));
    }
    let mut bytes = Vec::new();
    let room = usize::try_from(length).unwrap_or(usize::MAX);
    bytes
        .try_reserve_exact(room)
        .map_err(|_| refused(format!("its {length} bytes do not fit into memory")))?;
    // As far as it was long when it was opened: another program may be writing to it.
    file.take(length).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scratch(name: &str) -> std::path::PathBuf {
        std::env::temp_dir().join(format!("azulejo-read-{}-{name}", std::process::id()))
    }

    #[test]
    fn read_file_takes_files_up_to_the_limit() {
        let path = scratch("four");
        std::fs::write(&path, b"four").expect("a writable folder");
        let (whole, refused) = (read_file(&path, 4), read_file(&path, 3));
        std::fs::remove_file(&path).expect("it was there");
        assert_eq!(whole.expect("four bytes"), b"four", "as long as allowed");
        let message = refused.expect_err("too long").to_string();
        assert_eq!(message, "it has 4 bytes; expected at most 3", "why not");
    }

    #[test]
    fn read_file_refuses_a_sparse_file_of_a_terabyte() {
        let path = scratch("sparse");
        let file = File::create(&path).expect("a writable folder");
        let made = file.set_len(1 << 40);
        let read = read_file(&path, 1 << 30);
        std::fs::remove_file(&path).expect("it was there");
        made.expect("a file system with sparse files");
        let message = read.expect_err("a terabyte").to_string();
        assert!(message.contains("has 1099511627776 bytes"), "{message}");
    }

    #[cfg(unix)]
    #[test]
    fn read_file_refuses_what_is_endless() {
        let error = read_file(Path::new("/dev/zero"), 10).expect_err("a device");
        assert_eq!(error.to_string(), "it is not a regular file", "why not");
    }
}
