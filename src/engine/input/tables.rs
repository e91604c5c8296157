//! Decoders for encodings that need tables. The tables are those of `encoding_rs`.
//!
//! A decoder of `encoding_rs` can be neither cloned nor serialized, but our [`Decoder`] has to be both. Each call
//! therefore creates a new one and replays the held bytes and, in ISO-2022-JP, the last escape sequence.

use super::decode::{Decoder, PartialCharacter};
use super::decoded::Decoded;
use super::encoding::{Encoding, Scheme};
use super::labels;
use alloc::string::String;
use core::str;
use encoding_rs::DecoderResult;

/// Maximum number of input bytes that are decoded through the small buffer on the stack. Callers that feed single bytes
/// profit from it.
const SMALL_INPUT_BYTES: usize = 16;

/// Additional space in the buffer beyond three bytes for each input byte, as `encoding_rs` requires.
const SPARE_BYTES: usize = 16;

/// The encodings of the rows of [`labels::TABLES`], in the same order.
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

/// Returns the encoding as `encoding_rs` knows it, or `None` if it needs no table.
pub(crate) fn standard(encoding: Encoding) -> Option<&'static encoding_rs::Encoding> {
    match encoding.scheme() {
        Scheme::Table(row) => Some(TABLES[usize::from(row)]),
        _ => None,
    }
}

impl Decoder {
    /// Decodes an encoding that needs a table.
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

    /// Decodes through a buffer on the stack. The methods of `encoding_rs` that write into a `String` would touch all
    /// of its spare capacity at each call.
    fn whole(
        &mut self,
        standard: &'static encoding_rs::Encoding,
        bytes: &mut &[u8],
        last: bool,
        out: &mut String,
        goal: usize,
    ) -> Decoded {
        if bytes.len() <= SMALL_INPUT_BYTES {
            self.through(
                standard,
                bytes,
                last,
                out,
                goal,
                &mut [0; 3 * SMALL_INPUT_BYTES + SPARE_BYTES],
            )
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
        let step = (buffer.len() - SPARE_BYTES) / 3;
        let buffer = str::from_utf8_mut(buffer).expect("zeroes are UTF-8");
        let mut decoder = standard.new_decoder_without_bom_handling();
        if standard == encoding_rs::ISO_2022_JP {
            self.shift.restore(&mut decoder, buffer);
        }
        let (result, _) = run(&mut decoder, self.partial.bytes(), buffer, out);
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
        // ISO-2022-JP gives back three bytes after an error: the escape sequence that made the one before it useless.
        // It has already taken effect, and decoding it again would be another error.
        let keep = if keep == 3 && decoded == Decoded::IllFormed {
            0
        } else {
            keep
        };
        *bytes = &whole[taken..];
        self.keep(&whole[..taken], keep, standard == encoding_rs::ISO_2022_JP);
        decoded
    }

    /// Finds out how a decoder that stops after these bytes would continue. At the end of the stream, returns whether
    /// the last bytes are ill-formed. Otherwise returns how many of the last bytes belong to an incomplete character:
    /// the bytes that the decoder would report as ill-formed if the stream ended after them.
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

    /// Keeps the last `count` consumed bytes as held bytes, to decode them again in the next call. `taken` are the
    /// bytes consumed by this call, which follow the bytes held before it.
    fn keep(&mut self, taken: &[u8], count: usize, shifts: bool) {
        let before = self.partial;
        let done = (before.bytes().len() + taken.len()).saturating_sub(count);
        if shifts {
            for byte in before.bytes().iter().chain(taken).take(done) {
                self.shift.pass(*byte);
            }
        }
        self.partial = PartialCharacter::default();
        let older = before.bytes().get(done..).unwrap_or_default();
        let newer = done.saturating_sub(before.bytes().len());
        for byte in older.iter().chain(&taken[newer..]) {
            self.partial.push(*byte);
        }
    }

    /// Decodes a single-byte encoding in which 0x80 to 0x9F are control characters.
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

/// Decodes `source`, which must be short enough for its text to fit into `buffer`, and appends the text to `out`.
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
