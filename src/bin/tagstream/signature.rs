//! What the first bytes of an input say that it is, where it is no markup: packed, or of a format that
//! no dialect reads.
//!
//! Only bytes are looked at here; nothing is read, unpacked or refused.

use crate::packed::Packing;

/// What an input is.
#[derive(Clone, Copy)]
pub(crate) enum Signature {
    /// Markup, perhaps, in one of these.
    Packed(Packing),
    /// No markup; what it is.
    Binary(&'static str),
}

/// What a beginning of an input says.
pub(crate) enum Said {
    Is(Signature),
    Nothing,
    /// It may be the beginning of something known: more bytes tell.
    Open,
}

/// The beginnings of formats; `?` of those of bzip2 stands for the size of its blocks.
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

/// What `beginning` says. No byte more is asked for than decides.
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

/// So much of the beginning is looked at for what is no text.
pub(crate) const LOOK: usize = 1024;

/// Where the beginning of an input has a NUL that no encoding explains: UTF-16 and UTF-32 of a text
/// that begins with ASCII, or with a byte-order mark.
pub(crate) fn stray_nul(beginning: &[u8]) -> Option<usize> {
    let explained = match *beginning {
        // So far it may be any of these.
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
