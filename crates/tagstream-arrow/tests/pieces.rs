//! One pass against pieces: random documents in which comments, CDATA sections, instructions, entities, attributes and
//! rows contain text that looks like the start of a row.

use arrow_array::RecordBatch;
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use bytes::Bytes;
use std::io::Cursor;
use std::sync::Arc;
use tagstream_arrow::{Decoder, Head, Mode, Options, ParallelReader, XmlReader, index_rows};

/// A generator of numbers: xorshift.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }
}

/// Texts that look like rows.
const LURES: &[&str] = &[
    "<r>",
    "<r n='7'>",
    "<r n='8'><t>no</t></r>",
    "<r/>",
    "</r>",
    "<r\n",
    " ",
    "x",
    "\n",
    "é",
    "<rr>",
    "--",
];

fn lures(random: &mut Random, without: &[char]) -> String {
    let count = random.below(4);
    let text: String = (0..count).map(|_| random.pick(LURES)).collect();
    text.replace(|c| without.contains(&c), "")
}

fn filler(random: &mut Random, xml: &mut String) {
    match random.below(9) {
        0 => *xml += &format!("<!--{}-->", lures(random, &[]).replace("--", "")),
        1 => *xml += &format!("<![CDATA[{}]]>", lures(random, &[])),
        2 => *xml += &format!("<?p {}?>", lures(random, &['?'])),
        3 => *xml += "&e;",
        4 => *xml += "&rows;",
        5 => *xml += &format!("<o a=\"{}\"/>", lures(random, &['<', '"'])),
        6 => *xml += "text\n",
        7 => *xml += "<o><r n='5'/></o>",
        _ => *xml += "\n",
    }
}

fn row(random: &mut Random, xml: &mut String, is_broken: bool) {
    *xml += "<r";
    if random.below(2) == 0 {
        *xml += &format!(" n='{}'", random.below(1000));
    }
    if random.below(8) == 0 {
        *xml += &format!(" a=\"{}\"", lures(random, &['<', '"']));
    }
    if random.below(8) == 0 {
        *xml += "/>";
        return;
    }
    *xml += ">";
    for _ in 0..random.below(4) {
        match random.below(8) {
            0 => *xml += &format!("<t>{}</t>", random.below(100)),
            1 => *xml += "<n>x</n>",
            2 => *xml += "<r n='9'><t>inner</t></r>",
            3 => *xml += &format!("<i>{}</i>", random.pick(&["1", "2", "three"])),
            4 if is_broken => {
                *xml += random.pick(&["</x>", "<y>", "&", "<z a=1/>", "&undeclared;", "\u{1}"])
            }
            _ => filler(random, xml),
        }
    }
    *xml += "</r>";
}

fn document(random: &mut Random) -> String {
    let mut xml = String::new();
    if random.below(3) == 0 {
        xml += "<?xml version='1.0'?>\n";
    }
    xml += "<!DOCTYPE a [<!ENTITY e 'an entity'><!ENTITY rows \"<r n='6'><t>e</t></r>\">]>\n<a>";
    let is_broken = random.below(3) == 0;
    let nested = random.below(3) == 0;
    for _ in 0..random.below(30) {
        match random.below(10) {
            0 if nested => xml += "<b>",
            1 if nested => xml += "</b>",
            2 if is_broken && random.below(6) == 0 => {
                xml += random.pick(&["</a>", "<", "<!DOCTYPE a [<!ENTITY e 'late'>]>", "&"])
            }
            0..=4 => filler(random, &mut xml),
            _ => row(random, &mut xml, is_broken),
        }
    }
    if random.below(10) > 0 {
        xml += "</a>\n";
    }
    xml
}

fn schema(random: &mut Random) -> SchemaRef {
    let mut fields = vec![
        Field::new("_n", DataType::Int64, true),
        Field::new("t", DataType::Utf8, true),
        Field::new(
            "i",
            DataType::List(Arc::new(Field::new_list_field(DataType::Int64, true))),
            true,
        ),
    ];
    if random.below(2) == 0 {
        fields.push(Field::new("_VALUE", DataType::Utf8, true));
    }
    if random.below(2) == 0 {
        fields.push(Field::new("_corrupt_record", DataType::Utf8, true));
    }
    Arc::new(Schema::new(fields))
}

/// Rows, one text for each.
fn rows(
    batches: impl Iterator<Item = Result<RecordBatch, arrow_schema::ArrowError>>,
    schema: &SchemaRef,
) -> (Vec<String>, Option<String>) {
    let mut rows = Vec::new();
    for batch in batches {
        match batch {
            Ok(batch) => {
                assert_eq!(batch.schema(), *schema);
                for row in 0..batch.num_rows() {
                    let columns: Vec<_> = batch
                        .columns()
                        .iter()
                        .map(|column| format!("{:?}", column.slice(row, 1)))
                        .collect();
                    rows.push(columns.join("|"));
                }
            }
            Err(error) => return (rows, Some(error.to_string())),
        }
    }
    (rows, None)
}

/// Number of documents. `TAGSTREAM_DOCUMENTS` sets another.
fn cases() -> u64 {
    std::env::var("TAGSTREAM_DOCUMENTS")
        .ok()
        .and_then(|cases| cases.parse().ok())
        .unwrap_or(1000)
}

#[test]
fn pieces_have_the_rows_of_one_pass() {
    let mut in_pieces = 0;
    for seed in 1..=cases() {
        let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let xml = document(&mut random);
        // Some documents are in an encoding in which candidates cannot be searched.
        let is_wide = random.below(10) == 0;
        let bytes = match is_wide {
            true => std::iter::once(0xFEFF)
                .chain(xml.encode_utf16())
                .flat_map(u16::to_le_bytes)
                .collect(),
            false => xml.clone().into_bytes(),
        };
        let schema = schema(&mut random);
        let mode = [
            Mode::Permissive,
            Mode::Permissive,
            Mode::DropMalformed,
            Mode::FailFast,
        ][random.below(4)];
        let options = Options::new("r").mode(mode).file(Some("file.xml"));
        let mut one =
            XmlReader::new(Cursor::new(bytes.clone()), schema.clone(), options.clone()).unwrap();
        let (expected, failed) = rows(&mut one, &schema);
        let errors = one.decoder().row_errors();
        for length in [1, 20 + random.below(200), 300] {
            let read = Cursor::new(bytes.clone());
            let mut pieces =
                ParallelReader::with_piece_bytes(read, schema.clone(), options.clone(), 2, length)
                    .unwrap();
            let (found, problem) = rows(&mut pieces, &schema);
            assert_eq!(found, expected, "seed {seed}, pieces of {length}:\n{xml}");
            assert_eq!(problem, failed, "seed {seed}, pieces of {length}:\n{xml}");
            let found: Vec<_> = pieces
                .row_errors()
                .iter()
                .map(ToString::to_string)
                .collect();
            let wanted: Vec<_> = errors.iter().map(ToString::to_string).collect();
            assert_eq!(found, wanted, "seed {seed}, pieces of {length}:\n{xml}");
            assert_eq!(
                pieces.row_errors(),
                errors,
                "seed {seed}, pieces of {length}:\n{xml}"
            );
            in_pieces += pieces.confirmed_pieces();
        }
    }
    // Cuts that are never confirmed would test nothing.
    assert!(in_pieces > cases(), "{in_pieces}");
}

/// Reads documents in chunks of random lengths, with a flush after each, so that batches end in rows.
#[test]
fn flushes_change_no_rows() {
    for seed in 1..=cases() {
        let mut random = Random(seed.wrapping_mul(0xA24B_AED4_963E_E407));
        let xml = Bytes::from(document(&mut random));
        let schema = schema(&mut random);
        let mode = [Mode::Permissive, Mode::DropMalformed][random.below(2)];
        let options = Options::new("r").mode(mode);
        let mut one =
            XmlReader::new(Cursor::new(xml.clone()), schema.clone(), options.clone()).unwrap();
        let expected = rows(&mut one, &schema);
        let mut decoder = Decoder::new(schema.clone(), options).unwrap();
        let mut batches = Vec::new();
        let mut rest = xml.clone();
        while !rest.is_empty() {
            let length = 1 + random.below(rest.len().min(20));
            decoder.feed(rest.split_to(length));
            assert!(decoder.next_batch().unwrap().is_none());
            batches.extend(decoder.flush().unwrap());
        }
        decoder.finish();
        batches.extend(decoder.next_batch().unwrap());
        assert_eq!(
            rows(batches.into_iter().map(Ok), &schema),
            expected,
            "seed {seed}:\n{}",
            String::from_utf8_lossy(&xml)
        );
    }
}

/// Reads the pieces of an index, the last one first.
#[test]
fn indexed_pieces_have_the_rows_of_one_pass() {
    let mut cuts = 0;
    for seed in 1..=cases() {
        let mut random = Random(seed.wrapping_mul(0xD1B5_4A32_D192_ED03));
        let xml = Bytes::from(document(&mut random));
        let schema = schema(&mut random);
        let options = Options::new("r");
        let mut one =
            XmlReader::new(Cursor::new(xml.clone()), schema.clone(), options.clone()).unwrap();
        let (expected, failed) = rows(&mut one, &schema);
        let Ok(Some(index)) = index_rows(&xml[..], &options, random.below(100) as u64) else {
            continue;
        };
        let Some(head) = Head::of(&xml, &options).unwrap() else {
            panic!();
        };
        assert_eq!((failed, index.bytes), (None, xml.len() as u64));
        assert_eq!(index.to_string().parse(), Ok(index.clone()));
        let ends = index.starts.iter().skip(1).copied().chain([u64::MAX]);
        let mut pieces: Vec<_> = index.starts.iter().copied().zip(ends).collect();
        assert_eq!(index.starts[0], head.end());
        let mut found = Vec::new();
        while let Some((start, end)) = pieces.pop() {
            cuts += 1;
            let mut decoder =
                Decoder::piece(schema.clone(), options.clone(), &head, start..end).unwrap();
            decoder.feed(xml.slice(start as usize..));
            decoder.finish();
            let batches =
                std::iter::from_fn(|| decoder.next_batch().map_err(Into::into).transpose());
            found.splice(0..0, rows(batches, &schema).0);
        }
        assert_eq!(
            found,
            expected,
            "seed {seed}:\n{}",
            String::from_utf8_lossy(&xml)
        );
    }
    assert!(cuts > cases(), "{cuts}");
}
