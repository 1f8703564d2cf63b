//! URIs of buffers and images: data URIs are decoded here (RFC 2397, RFC 4648), relative ones become file names.

use std::io;

use super::error::{LoadError, printable};

/// Gives the bytes of a file that a scene refers to, by its path relative to the scene's own file.
pub type Resolve<'a> = dyn Fn(&str) -> io::Result<Vec<u8>> + Sync + 'a;

/// The bytes behind `uri`, which `element` names.
pub(super) fn fetch(uri: &str, element: &str, resolve: &Resolve<'_>) -> Result<Vec<u8>, LoadError> {
    if let Some(data) = uri.strip_prefix("data:") {
        return decode_data(data).ok_or_else(|| {
            LoadError::invalid(
                element,
                "its data URI is not base64 text, which glTF asks for",
            )
        });
    }
    if is_remote(uri) {
        let problem = format!(
            "'{}' is not a relative path; nothing is fetched",
            printable(uri)
        );
        return Err(LoadError::invalid(element, problem));
    }
    let path = percent_decode(uri);
    resolve(&path)
        .or_else(|error| match error.kind() {
            io::ErrorKind::NotFound if path != uri => resolve(uri),
            _ => Err(error),
        })
        .map_err(|source| LoadError::Unreadable {
            element: element.to_owned(),
            uri: printable(&path),
            source,
        })
}

/// Whether `uri` begins with a scheme such as `https:`; one letter is a drive.
fn is_remote(uri: &str) -> bool {
    let Some((scheme, _)) = uri.split_once(':') else {
        return false;
    };
    scheme.len() > 1
        && scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
}

/// The body of a data URI after `data:`.
fn decode_data(data: &str) -> Option<Vec<u8>> {
    let (media, body) = data.split_once(',')?;
    if media.ends_with(";base64") {
        decode_base64(body.as_bytes())
    } else {
        Some(percent_decode_bytes(body))
    }
}

/// Base64 in the standard or the URL alphabet, with or without padding.
fn decode_base64(text: &[u8]) -> Option<Vec<u8>> {
    let end = text
        .iter()
        .rposition(|&c| c != b'=')
        .map_or(0, |last| last + 1);
    if text.len() - end > 2 || end % 4 == 1 {
        return None;
    }
    let mut bytes = Vec::with_capacity(end / 4 * 3 + 2);
    for group in text[..end].chunks(4) {
        let mut bits = 0;
        for &digit in group {
            bits = (bits << 6) | base64_digit(digit)?;
        }
        bits <<= 6 * (4 - group.len());
        let [_, b0, b1, b2] = bits.to_be_bytes();
        bytes.extend_from_slice(&[b0, b1, b2][..group.len() - 1]);
    }
    Some(bytes)
}

fn base64_digit(digit: u8) -> Option<u32> {
    let value = match digit {
        b'A'..=b'Z' => digit - b'A',
        b'a'..=b'z' => digit - b'a' + 26,
        b'0'..=b'9' => digit - b'0' + 52,
        b'+' | b'-' => 62,
        b'/' | b'_' => 63,
        _ => return None,
    };
    Some(u32::from(value))
}

/// `%20` and the like as the characters that they stand for; what is no UTF-8 then stays as it was.
fn percent_decode(uri: &str) -> String {
    String::from_utf8(percent_decode_bytes(uri)).unwrap_or_else(|_| uri.to_owned())
}

fn percent_decode_bytes(text: &str) -> Vec<u8> {
    let mut rest = text.as_bytes();
    let mut bytes = Vec::with_capacity(rest.len());
    while let [first, tail @ ..] = rest {
        rest = tail;
        let escaped = match (first, tail) {
            (b'%', [high, low, ..]) => hex_digit(*high).zip(hex_digit(*low)),
            _ => None,
        };
        if let Some((high, low)) = escaped {
            bytes.push(high << 4 | low);
            rest = &tail[2..];
        } else {
            bytes.push(*first);
        }
    }
    bytes
}

fn hex_digit(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).map(|value| value as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_follows_the_test_vectors_of_rfc_4648() {
        let vectors = [
            ("", ""),
            ("Zg==", "f"),
            ("Zm8=", "fo"),
            ("Zm9v", "foo"),
            ("Zm9vYg==", "foob"),
        ];
        for (text, plain) in vectors {
            let decoded = decode_base64(text.as_bytes());
            assert_eq!(decoded.as_deref(), Some(plain.as_bytes()), "{text}");
        }
        assert_eq!(
            decode_base64(b"Zg"),
            Some(b"f".to_vec()),
            "padding may be left out"
        );
        assert_eq!(decode_base64(b"Z"), None, "one digit is no byte");
        assert_eq!(decode_base64(b"Z@=="), None, "@ is no digit");
    }

    #[test]
    fn uri_escapes_become_characters() {
        assert_eq!(
            percent_decode("Box%20With%20Spaces.bin"),
            "Box With Spaces.bin",
            "spaces"
        );
        assert_eq!(percent_decode("%E2%99%BB.png"), "\u{267b}.png", "UTF-8");
        assert_eq!(percent_decode("100%"), "100%", "a lone sign stays");
    }

    #[test]
    fn uri_with_a_scheme_is_refused() {
        let resolve = |_: &str| Ok(Vec::new());
        assert!(
            fetch("https://example.org/a.bin", "buffer 0", &resolve).is_err(),
            "https"
        );
        assert!(
            fetch("a/b.bin", "buffer 0", &resolve).is_ok(),
            "relative path"
        );
    }

    #[test]
    fn uri_that_is_a_literal_file_name_is_found_too() {
        let resolve = |path: &str| match path {
            "50%25.bin" => Ok(vec![1]),
            _ => Err(io::Error::from(io::ErrorKind::NotFound)),
        };
        let bytes = fetch("50%25.bin", "buffer 0", &resolve).expect("the literal name");
        assert_eq!(bytes, [1], "its content");
    }
}
