//! Encoding of a text, so that a page can make a document in any encoding of the text in its editor.

/// Returns a text in an encoding. Characters that the encoding lacks become numeric character references. UTF-16
/// begins with a byte-order mark.
///
/// # Errors
///
/// A message, if no encoding has the label.
pub fn encode(text: &str, label: &str) -> Result<Vec<u8>, String> {
    let Some(encoding) = encoding_rs::Encoding::for_label(label.as_bytes()) else {
        return Err(format!("no encoding has the label {label:?}"));
    };
    let units = || std::iter::once(0xFEFF).chain(text.encode_utf16());
    if encoding == encoding_rs::UTF_16LE {
        return Ok(units().flat_map(u16::to_le_bytes).collect());
    }
    if encoding == encoding_rs::UTF_16BE {
        return Ok(units().flat_map(u16::to_be_bytes).collect());
    }
    Ok(encoding.encode(text).0.into_owned())
}
