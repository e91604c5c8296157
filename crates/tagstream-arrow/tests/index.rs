//! Index files: texts that are read, and texts that are refused.

use std::path::Path;
use std::time::{Duration, SystemTime};
use tagstream_arrow::{Options, RowIndex, index_rows};

const INDEX: &str = "tagstream row index 2\nrow_tag p\nbytes 900\nmodified 12.000000034\n5\n40\n899\nend 3 d868e561\n";

#[test]
fn an_index_is_read_and_written() {
    let index = RowIndex::parse(INDEX).unwrap();
    assert_eq!((&*index.row_tag, index.bytes), ("p", 900));
    assert_eq!(index.starts, [5, 40, 899]);
    let time = SystemTime::UNIX_EPOCH + Duration::new(12, 34);
    assert_eq!(index.modified, Some(time));
    assert_eq!(index.to_string(), INDEX);
    let cuts = [0, 5, 6, 40, 41, 899, 900].map(|offset| index.first_cut_from(offset));
    let expected = [40, 40, 40, 40, 899, 899];
    assert_eq!(cuts[..6], expected.map(Some));
    assert_eq!(cuts[6], None);
    assert_eq!(
        RowIndex::path_of(Path::new("a/b.xml")),
        Path::new("a/b.xml.row-index")
    );
    for modified in ["unknown", "-1.500000000", "0.000000000"] {
        let text = with_checksum(&INDEX.replace("12.000000034", modified));
        assert_eq!(RowIndex::parse(&text).unwrap().to_string(), text);
    }
}

/// Replaces the checksum with that of the text.
fn with_checksum(text: &str) -> String {
    let (lines, _) = text.split_once("end ").expect("the last line");
    let sum = crc32fast::hash(lines.as_bytes());
    format!("{lines}end 3 {sum:08x}\n")
}

/// One byte that is changed is noticed, wherever it is.
#[test]
fn changed_bytes_are_refused() {
    for at in 0..INDEX.len() {
        for bit in 0..7 {
            let mut bytes = INDEX.as_bytes().to_vec();
            bytes[at] ^= 1 << bit;
            let text = String::from_utf8(bytes).expect("ASCII");
            assert!(RowIndex::parse(&text).is_err(), "{text}");
        }
    }
}

/// Every text that is cut off, and texts with one line that is wrong.
#[test]
fn other_texts_are_refused() {
    for end in 0..INDEX.len() {
        assert!(RowIndex::parse(&INDEX[..end]).is_err(), "{end}");
    }
    for (from, to, line) in [
        ("index 2", "index 1", 1),
        ("row_tag p", "row p", 2),
        ("bytes 900", "bytes x", 3),
        ("12.000000034", "12.34", 4),
        ("12.000000034", "18446744073709551615.000000000", 4),
        ("40", "4", 6),
        ("40", "5", 6),
        ("40", "x", 6),
        ("899", "900", 7),
        ("end 3", "end 2", 8),
        ("e561\n", "e561\n\n", 8),
        ("end 3 d868e561\n", "", 8),
        ("d868e561", "D868E561", 8),
    ] {
        let text = INDEX.replacen(from, to, 1);
        let error = RowIndex::parse(&text).unwrap_err();
        assert_eq!(error.line, line, "{from} {to}: {error}");
    }
}

#[test]
fn documents_that_cannot_be_cut_have_no_index() {
    let index = |xml: &str, options: &Options| index_rows(xml.as_bytes(), options, 1).unwrap();
    let rows = "<a><p/><p/></a>";
    assert!(index(rows, &Options::new("p")).is_some());
    assert!(index(rows, &Options::selector("p")).is_none());
    assert!(index(rows, &Options::new("q")).is_none());
    assert!(index("", &Options::new("p")).is_none());
    assert!(index("<p/>", &Options::new("p")).is_none());
}

/// The offsets after the first one have the distance that is asked for, and a distance of 0 is one of 1.
#[test]
fn offsets_have_their_distance() {
    let xml = format!("<a>{}</a>", "<p/>".repeat(10));
    for (distance, expected) in [
        (0, (0..10).map(|row| 3 + 4 * row).collect::<Vec<u64>>()),
        (4, (0..10).map(|row| 3 + 4 * row).collect()),
        (5, vec![3, 11, 19, 27, 35]),
        (12, vec![3, 15, 27, 39]),
        (1000, vec![3]),
    ] {
        let index = index_rows(xml.as_bytes(), &Options::new("p"), distance).unwrap();
        assert_eq!(index.unwrap().starts, expected, "{distance}");
    }
}
