//! The encodings that are tables, decoded by `encoding_rs`.
//!
//! A decoder of it can neither be cloned nor saved, so none is kept: each call makes a new one from what is
//! held and, where an encoding shifts, its last escape sequence. This file must not know how an encoding was
//! found, nor what the text is used for.

use super::decode::{Decoded, Decoder, Held};
use super::encoding::{Encoding, Scheme};
use super::labels;
use alloc::string::String;
use core::str;
use encoding_rs::DecoderResult;

/// How many bytes a caller that feeds little at a time may bring to get by with a small buffer.
const FEW: usize = 16;

/// What a decoder puts into its buffer beyond three bytes for every byte that it reads.
const SPARE: usize = 16;

/// Of the rows of labels of encodings that are tables.
static TABLES: [&encoding_rs::Encoding; labels::TABLES.len()] = [
    &encoding_rs::IBM866_INIT,
    &encoding_rs::ISO_8859_2_INIT,
    &encoding_rs::ISO_8859_3_INIT,
    &encoding_rs::ISO_8859_4_INIT,
    &encoding_rs::ISO_8859_5_INIT,
    &encoding_rs::ISO_8859_6_INIT,
    &encoding_rs::ISO_8859_7_INIT,
    &encoding_rs::ISO_8859_8_INIT,
    &encoding_rs::ISO_8859_8_I_INIT,
    &encoding_rs::ISO_8859_10_INIT,
    &encoding_rs::ISO_8859_13_INIT,
    &encoding_rs::ISO_8859_14_INIT,
    &encoding_rs::ISO_8859_15_INIT,
    &encoding_rs::ISO_8859_16_INIT,
    &encoding_rs::KOI8_R_INIT,
    &encoding_rs::KOI8_U_INIT,
    &encoding_rs::MACINTOSH_INIT,
    &encoding_rs::WINDOWS_874_INIT,
    &encoding_rs::WINDOWS_1250_INIT,
    &encoding_rs::WINDOWS_1251_INIT,
    &encoding_rs::WINDOWS_1253_INIT,
    &encoding_rs::WINDOWS_1254_INIT,
    &encoding_rs::WINDOWS_1255_INIT,
    &encoding_rs::WINDOWS_1256_INIT,
    &encoding_rs::WINDOWS_1257_INIT,
    &encoding_rs::WINDOWS_1258_INIT,
    &encoding_rs::X_MAC_CYRILLIC_INIT,
    &encoding_rs::GBK_INIT,
    &encoding_rs::GB18030_INIT,
    &encoding_rs::BIG5_INIT,
    &encoding_rs::EUC_JP_INIT,
    &encoding_rs::ISO_2022_JP_INIT,
    &encoding_rs::SHIFT_JIS_INIT,
    &encoding_rs::EUC_KR_INIT,
];

/// What an encoding is to `encoding_rs`, if it is one of its tables.
pub(crate) fn standard(encoding: Encoding) -> Option<&'static encoding_rs::Encoding> {
    match encoding.scheme() {
        Scheme::Table(row) => Some(TABLES[usize::from(row)]),
        _ => None,
    }
}

impl Decoder {
    /// Decodes an encoding that is a table.
    pub(super) fn table(
        &mut self,
        bytes: &mut &[u8],
        last: bool,
        out: &mut String,
        goal: usize,
    ) -> Decoded {
        match self.encoding.scheme() {
            Scheme::Latin5 => self.with_controls(encoding_rs::WINDOWS_1254, bytes, out, goal),
            Scheme::LatinThai => self.with_controls(encoding_rs::WINDOWS_874, bytes, out, goal),
            Scheme::Table(row) => self.whole(TABLES[usize::from(row)], bytes, last, out, goal),
            _ => Decoded::Text,
        }
    }

    /// Decodes through a buffer on the stack: methods that write into a `String` touch every page of its free
    /// capacity at each call.
    fn whole(
        &mut self,
        standard: &'static encoding_rs::Encoding,
        bytes: &mut &[u8],
        last: bool,
        out: &mut String,
        goal: usize,
    ) -> Decoded {
        if bytes.len() <= FEW {
            self.through(standard, bytes, last, out, goal, &mut [0; 3 * FEW + SPARE])
        } else {
            self.through(standard, bytes, last, out, goal, &mut [0; 1024])
        }
    }

    fn through(
        &mut self,
        standard: &'static encoding_rs::Encoding,
        bytes: &mut &[u8],
        last: bool,
        out: &mut String,
        goal: usize,
        buffer: &mut [u8],
    ) -> Decoded {
        let step = (buffer.len() - SPARE) / 3;
        let buffer = str::from_utf8_mut(buffer).expect("zeroes are UTF-8");
        let mut decoder = standard.new_decoder_without_bom_handling();
        if standard == encoding_rs::ISO_2022_JP {
            self.shift.restore(&mut decoder, buffer);
        }
        let (result, _) = run(&mut decoder, self.held.bytes(), buffer, out);
        debug_assert_eq!(result, DecoderResult::InputEmpty, "an error was held back");

        let whole = *bytes;
        let mut taken = 0;
        let (decoded, keep) = loop {
            if taken == whole.len() || out.len() >= goal {
                break self.pause(&mut decoder, buffer, last && taken == whole.len());
            }
            let room = ((goal - out.len()) / 3)
                .clamp(1, step)
                .min(whole.len() - taken);
            let (result, read) = run(&mut decoder, &whole[taken..taken + room], buffer, out);
            taken += read;
            if let DecoderResult::Malformed(_, after) = result {
                break (Decoded::IllFormed, usize::from(after));
            }
        };
        // Three bytes after the error are ISO-2022-JP's escape sequence that made the one before
        // it useless. It has taken effect, and held back would be useless itself.
        let keep = if keep == 3 && decoded == Decoded::IllFormed {
            0
        } else {
            keep
        };
        *bytes = &whole[taken..];
        self.keep(&whole[..taken], keep, standard == encoding_rs::ISO_2022_JP);
        decoded
    }

    /// What a decoder that has to stop says: at the end of the stream, whether that is an error;
    /// before it, how many of the last bytes are a character not yet complete, which is what it
    /// would call ill-formed if the stream ended here.
    fn pause(
        &self,
        decoder: &mut encoding_rs::Decoder,
        buffer: &mut str,
        end: bool,
    ) -> (Decoded, usize) {
        match decoder
            .decode_to_str_without_replacement(&[], buffer, true)
            .0
        {
            DecoderResult::Malformed(_, after) if end => (Decoded::IllFormed, usize::from(after)),
            DecoderResult::Malformed(bad, after) => {
                (Decoded::Text, usize::from(bad) + usize::from(after))
            }
            DecoderResult::InputEmpty | DecoderResult::OutputFull => (Decoded::Text, 0),
        }
    }

    /// Holds the last `count` of the bytes taken, and lets the others go.
    fn keep(&mut self, taken: &[u8], count: usize, shifts: bool) {
        let before = self.held;
        let done = (before.bytes().len() + taken.len()).saturating_sub(count);
        if shifts {
            for byte in before.bytes().iter().chain(taken).take(done) {
                self.shift.pass(*byte);
            }
        }
        self.held = Held::default();
        let older = before.bytes().get(done..).unwrap_or_default();
        let newer = done.saturating_sub(before.bytes().len());
        for byte in older.iter().chain(&taken[newer..]) {
            self.held.push(*byte);
        }
    }

    /// Decodes a one-byte encoding in which 0x80 to 0x9F are control characters.
    fn with_controls(
        &mut self,
        standard: &'static encoding_rs::Encoding,
        bytes: &mut &[u8],
        out: &mut String,
        goal: usize,
    ) -> Decoded {
        while out.len() < goal
            && let Some(first) = bytes.first()
        {
            if is_c1(first) {
                out.push(char::from(*first));
                *bytes = &bytes[1..];
                continue;
            }
            let (mut run, rest) =
                bytes.split_at(bytes.iter().position(is_c1).unwrap_or(bytes.len()));
            let decoded = self.whole(standard, &mut run, false, out, goal);
            *bytes = &bytes[bytes.len() - rest.len() - run.len()..];
            if decoded == Decoded::IllFormed {
                return decoded;
            }
        }
        Decoded::Text
    }
}

/// Lets a decoder read `source`, which is so short that the buffer has room for its text.
fn run(
    decoder: &mut encoding_rs::Decoder,
    source: &[u8],
    buffer: &mut str,
    out: &mut String,
) -> (DecoderResult, usize) {
    let (result, read, written) = decoder.decode_to_str_without_replacement(source, buffer, false);
    out.push_str(&buffer[..written]);
    (result, read)
}

fn is_c1(byte: &u8) -> bool {
    (0x80..0xA0).contains(byte)
}
