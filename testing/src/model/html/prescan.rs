//! How the encoding of a document is found, byte by byte as the standard says it.

use tagstream::Encoding;

/// How much is prescanned.
const PRESCANNED: usize = 1024;

/// The encoding that is found, if one is; the one that is used; and, where that is before the end, at
/// which byte it is known.
pub type Found = (Option<Encoding>, Encoding, Option<usize>);

/// The encoding sniffing algorithm, of the whole; and by trying beginnings, the byte that decides.
#[must_use]
pub fn sniff(input: &[u8], certain: Option<Encoding>, hint: Option<Encoding>) -> Found {
    let prescanned = &input[..input.len().min(PRESCANNED)];
    let told = |bytes: &[u8]| mark(bytes).or(certain).or_else(|| prescan(bytes).ok());
    let found = told(prescanned).or_else(|| xml_encoding(prescanned));
    let encoding = found.or(hint).unwrap_or(Encoding::WINDOWS_1252);
    let at = (0..=prescanned.len()).find(|&at| {
        let bytes = &prescanned[..at];
        at == PRESCANNED || (told(bytes).is_some() && !may_be_mark(bytes))
    });
    (found, encoding, at)
}

const MARKS: [(&[u8], Encoding); 3] = [
    (b"\xEF\xBB\xBF", Encoding::UTF_8),
    (b"\xFE\xFF", Encoding::UTF_16BE),
    (b"\xFF\xFE", Encoding::UTF_16LE),
];

/// BOM sniffing.
fn mark(bytes: &[u8]) -> Option<Encoding> {
    let mark = MARKS.iter().find(|(mark, _)| bytes.starts_with(mark));
    mark.map(|&(_, encoding)| encoding)
}

fn may_be_mark(bytes: &[u8]) -> bool {
    let longer = |mark: &[u8]| mark.len() > bytes.len() && mark.starts_with(bytes);
    MARKS.iter().any(|(mark, _)| longer(mark))
}

/// The user agent runs out of bytes.
struct RanOut;

/// Name and value.
type Attribute = (Vec<u8>, Vec<u8>);

/// The pointer of the algorithm.
struct Position<'i> {
    bytes: &'i [u8],
    position: usize,
}

fn is_space(byte: u8) -> bool {
    [0x09, 0x0A, 0x0C, 0x0D, 0x20].contains(&byte)
}

/// Prescan a byte stream to determine its encoding.
fn prescan(bytes: &[u8]) -> Result<Encoding, RanOut> {
    let mut at = Position { bytes, position: 0 };
    if bytes.starts_with(&[0x3C, 0x00, 0x3F, 0x00, 0x78, 0x00]) {
        return Ok(Encoding::UTF_16LE);
    }
    if bytes.starts_with(&[0x00, 0x3C, 0x00, 0x3F, 0x00, 0x78]) {
        return Ok(Encoding::UTF_16BE);
    }
    loop {
        if at.points_to("<!--") {
            let opening = at.position;
            while !(at.byte()? == b'>'
                && at.position >= opening + 4
                && bytes[..at.position].ends_with(b"--"))
            {
                at.position += 1;
            }
        } else if at.points_to("<meta") && at.has(5, |byte| is_space(byte) || byte == 0x2F) {
            at.position += 5;
            if let Some(encoding) = at.meta()? {
                return Ok(encoding);
            }
        } else if at.points_to("<") && at.has(1, |byte| byte.is_ascii_alphabetic())
            || at.points_to("</") && at.has(2, |byte| byte.is_ascii_alphabetic())
        {
            while !is_space(at.byte()?) && at.byte()? != 0x3E {
                at.position += 1;
            }
            while at.attribute()?.is_some() {}
        } else if ["<!", "</", "<?"]
            .iter()
            .any(|opening| at.points_to(opening))
        {
            while at.byte()? != 0x3E {
                at.position += 1;
            }
        }
        // Next byte
        at.byte()?;
        at.position += 1;
    }
}

impl Position<'_> {
    fn byte(&self) -> Result<u8, RanOut> {
        self.bytes.get(self.position).copied().ok_or(RanOut)
    }

    /// Whether it points to a sequence of bytes, in any case.
    fn points_to(&self, sequence: &str) -> bool {
        let bytes = self
            .bytes
            .get(self.position..self.position + sequence.len());
        bytes.is_some_and(|bytes| bytes.eq_ignore_ascii_case(sequence.as_bytes()))
    }

    fn has(&self, ahead: usize, is: impl Fn(u8) -> bool) -> bool {
        self.bytes
            .get(self.position + ahead)
            .is_some_and(|&byte| is(byte))
    }

    /// The steps for a `meta`; no encoding means "next byte".
    fn meta(&mut self) -> Result<Option<Encoding>, RanOut> {
        let mut attribute_list: Vec<Vec<u8>> = Vec::new();
        let mut got_pragma = false;
        let mut need_pragma = None;
        // Null, failure, or an encoding.
        let mut charset: Option<Option<Encoding>> = None;
        while let Some((name, value)) = self.attribute()? {
            if attribute_list.contains(&name) {
                continue;
            }
            match &*name {
                b"http-equiv" if value == b"content-type" => got_pragma = true,
                b"content" => {
                    if let (Some(encoding), None) = (extracted(&value), charset) {
                        charset = Some(Some(encoding));
                        need_pragma = Some(true);
                    }
                }
                b"charset" => {
                    charset = Some(labelled(&value));
                    need_pragma = Some(false);
                }
                _ => {}
            }
            attribute_list.push(name);
        }
        let Some(need_pragma) = need_pragma else {
            return Ok(None);
        };
        if need_pragma && !got_pragma {
            return Ok(None);
        }
        let charset = charset.flatten();
        Ok(match charset.map(Encoding::name) {
            Some("UTF-16BE" | "UTF-16LE") => Some(Encoding::UTF_8),
            Some("x-user-defined") => Some(Encoding::WINDOWS_1252),
            _ => charset,
        })
    }

    /// Get an attribute.
    fn attribute(&mut self) -> Result<Option<Attribute>, RanOut> {
        let (mut name, mut value) = (Vec::new(), Vec::new());
        while is_space(self.byte()?) || self.byte()? == 0x2F {
            self.position += 1;
        }
        if self.byte()? == 0x3E {
            return Ok(None);
        }
        let has_spaces = loop {
            match self.byte()? {
                0x3D if !name.is_empty() => break false,
                byte if is_space(byte) => break true,
                0x2F | 0x3E => return Ok(Some((name, value))),
                byte => name.push(byte.to_ascii_lowercase()),
            }
            self.position += 1;
        };
        if has_spaces {
            while is_space(self.byte()?) {
                self.position += 1;
            }
            if self.byte()? != 0x3D {
                return Ok(Some((name, value)));
            }
        }
        self.position += 1;
        while is_space(self.byte()?) {
            self.position += 1;
        }
        match self.byte()? {
            quote @ (0x22 | 0x27) => loop {
                self.position += 1;
                let byte = self.byte()?;
                if byte == quote {
                    self.position += 1;
                    return Ok(Some((name, value)));
                }
                value.push(byte.to_ascii_lowercase());
            },
            0x3E => return Ok(Some((name, value))),
            byte => value.push(byte.to_ascii_lowercase()),
        }
        loop {
            self.position += 1;
            match self.byte()? {
                byte if is_space(byte) || byte == 0x3E => return Ok(Some((name, value))),
                byte => value.push(byte.to_ascii_lowercase()),
            }
        }
    }
}

/// Getting an encoding.
fn labelled(label: &[u8]) -> Option<Encoding> {
    Encoding::for_label(std::str::from_utf8(label).ok()?)
}

/// The algorithm for extracting a character encoding from a `meta` element, of what is in lower case.
fn extracted(value: &[u8]) -> Option<Encoding> {
    let mut position = 0;
    loop {
        while !value[position..].starts_with(b"charset") {
            position += 1;
            if position > value.len() {
                return None;
            }
        }
        position += 7;
        while value.get(position).is_some_and(|&byte| is_space(byte)) {
            position += 1;
        }
        if value.get(position) == Some(&0x3D) {
            break;
        }
    }
    position += 1;
    while value.get(position).is_some_and(|&byte| is_space(byte)) {
        position += 1;
    }
    let rest = &value[position..];
    match *rest.first()? {
        quote @ (0x22 | 0x27) => {
            let end = rest[1..].iter().position(|&byte| byte == quote)?;
            labelled(&rest[1..1 + end])
        }
        _ => labelled(rest.split(|&byte| is_space(byte) || byte == 0x3B).next()?),
    }
}

/// Get an XML encoding.
fn xml_encoding(bytes: &[u8]) -> Option<Encoding> {
    if !bytes.starts_with(b"<?xml") {
        return None;
    }
    let declaration_end = bytes.iter().position(|&byte| byte == 0x3E)?;
    let mut position = 0;
    while !bytes[position..declaration_end].starts_with(b"encoding") {
        position += 1;
        if position > declaration_end {
            return None;
        }
    }
    position += 8;
    while *bytes.get(position)? <= 0x20 {
        position += 1;
    }
    if *bytes.get(position)? != 0x3D {
        return None;
    }
    position += 1;
    while *bytes.get(position)? <= 0x20 {
        position += 1;
    }
    let quote = *bytes.get(position)?;
    if quote != 0x22 && quote != 0x27 {
        return None;
    }
    position += 1;
    let end = bytes[position..].iter().position(|&byte| byte == quote)?;
    let potential = &bytes[position..position + end];
    if potential.iter().any(|&byte| byte <= 0x20) {
        return None;
    }
    let encoding = labelled(potential)?;
    Some(match encoding.name() {
        "UTF-16BE" | "UTF-16LE" => Encoding::UTF_8,
        _ => encoding,
    })
}
