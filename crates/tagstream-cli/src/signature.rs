//! Detection of input that is not markup, from its first bytes: compressed data, or a format that no dialect reads.
//!
//! This module only examines bytes. It does not read, unpack or refuse anything.

use crate::packed::Packing;

/// The detected type of an input.
#[derive(Clone, Copy)]
pub(crate) enum Signature {
    /// Compressed data, which may contain markup.
    Packed(Packing),
    /// Not markup; the string describes the format.
    Binary(&'static str),
}

/// The result of examining the first bytes of an input.
pub(crate) enum Said {
    Is(Signature),
    Nothing,
    /// The bytes may be the beginning of a known signature: more bytes are needed.
    Open,
}

/// The first bytes of known formats. `?` matches any byte: in bzip2, the block size.
const KNOWN: &[(&[u8], Signature)] = {
    use Signature::{Binary, Packed};
    &[
        (b"\x1F\x8B\x08", Packed(Packing::Gzip)),
        (b"\x28\xB5\x2F\xFD", Packed(Packing::Zstd)),
        (b"BZh?1AY&SY", Packed(Packing::Bzip2)),
        (b"\xFD7zXZ\0", Packed(Packing::Xz)),
        (b"\x89PNG\r\n\x1A\n", Binary("a PNG image")),
        (b"GIF87a", Binary("a GIF image")),
        (b"GIF89a", Binary("a GIF image")),
        (b"\xFF\xD8\xFF", Binary("a JPEG image")),
        (b"%PDF-", Binary("a PDF document")),
        (b"PK\x03\x04", Binary(ZIP)),
        (b"PK\x05\x06", Binary(ZIP)),
        (b"7z\xBC\xAF\x27\x1C", Binary("a 7z archive")),
        (b"Rar!\x1A\x07", Binary("a RAR archive")),
        (b"\x7FELF", Binary("a program (ELF)")),
        (b"\xCA\xFE\xBA\xBE", Binary("a program")),
        (b"\xCF\xFA\xED\xFE", Binary("a program (Mach-O)")),
        (b"\0asm", Binary("a program (WebAssembly)")),
        (b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", Binary(OLE)),
        (b"SQLite format 3\0", Binary("a SQLite database")),
    ]
};

const ZIP: &str = "a ZIP archive (docx, xlsx, odt, epub and jar files are such)";
const OLE: &str = "an OLE document (doc, xls and msi files are such)";

/// Examines the first bytes of an input. Asks for more bytes only if they can change the result.
pub(crate) fn of(beginning: &[u8]) -> Said {
    let mut open = false;
    for (known, signature) in KNOWN {
        let mut pairs = beginning.iter().zip(*known);
        if pairs.all(|(byte, known)| byte == known || *known == b'?') {
            if beginning.len() >= known.len() {
                return Said::Is(*signature);
            }
            open = true;
        }
    }
    if open { Said::Open } else { Said::Nothing }
}

/// Number of bytes at the beginning of an input that are examined for NULs.
pub(crate) const LOOK: usize = 1024;

/// Returns the offset of a NUL that no encoding explains. UTF-16 and UTF-32 explain NULs in text that begins with ASCII
/// or with a byte-order mark.
pub(crate) fn stray_nul(beginning: &[u8]) -> Option<usize> {
    let explained = match *beginning {
        // So far, the bytes can be the beginning of any of these encodings.
        [0] | [0, 0] | [0, 0, 0 | 0xFE] => true,
        [0xFE, 0xFF, ..] | [0xFF, 0xFE, ..] | [0, 0, 0xFE, 0xFF, ..] => true,
        [0, 0, 0, last, ..] => is_text(last),
        [0, second, ..] if second != 0 => is_text(second),
        [first, 0, ..] => is_text(first),
        _ => false,
    };
    match explained {
        true => None,
        false => beginning.iter().position(|byte| *byte == 0),
    }
}

fn is_text(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\r' | b' '..=b'~')
}
