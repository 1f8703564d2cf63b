//! URIs of buffers and images: data URIs are decoded here (RFC 2397, RFC 4648), relative ones become file names.

use std::borrow::Cow;
use std::io;

use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use base64::{Engine, alphabet};
use percent_encoding::percent_decode_str;

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

/// The file names that `uri` can mean, as [`fetch`] tries them; none for data and for what is never fetched.
pub(super) fn file_names(uri: &str) -> Vec<String> {
    if uri.starts_with("data:") || is_remote(uri) {
        return Vec::new();
    }
    let mut names = vec![percent_decode(uri).into_owned(), uri.to_owned()];
    names.dedup();
    names
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
        decode_base64(body)
    } else {
        Some(percent_decode_str(body).collect())
    }
}

/// Base64 in the standard or the URL alphabet, with or without padding.
fn decode_base64(text: &str) -> Option<Vec<u8>> {
    let alphabet = match text.contains(['-', '_']) {
        true => &alphabet::URL_SAFE,
        false => &alphabet::STANDARD,
    };
    let lenient = GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true);
    let engine = GeneralPurpose::new(alphabet, lenient);
    engine.decode(text).ok()
}

/// `%20` and the like as the characters that they stand for; what is no UTF-8 then stays as it was.
fn percent_decode(uri: &str) -> Cow<'_, str> {
    let decoded = percent_decode_str(uri).decode_utf8();
    decoded.unwrap_or(Cow::Borrowed(uri))
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
            let decoded = decode_base64(text);
            assert_eq!(decoded.as_deref(), Some(plain.as_bytes()), "{text}");
        }
        assert_eq!(
            decode_base64("Zg"),
            Some(b"f".to_vec()),
            "padding may be left out"
        );
        assert_eq!(decode_base64("Z"), None, "one digit is no byte");
        assert_eq!(decode_base64("Z@=="), None, "@ is no digit");
        let url = decode_base64("-_8");
        assert_eq!(url, decode_base64("+/8="), "either alphabet");
        assert_eq!(url, Some(vec![0xfb, 0xff]), "its bytes");
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
