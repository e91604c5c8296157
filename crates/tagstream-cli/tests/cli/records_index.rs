//! The subcommand `records --index`: the file that it writes, and inputs that are refused.

use super::{packed, run, temporary, temporary_folder, utf8, written};
use flate2::Compression;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use tagstream_arrow::{Options, RowIndex, index_rows};
use testing::cases;
use testing::run::Program;

pub(crate) fn add(program: &mut Program) {
    cases!(
        program,
        "cli/records",
        an_index_has_the_offsets_of_rows,
        documents_without_an_index_are_refused,
    );
}

fn an_index_has_the_offsets_of_rows() {
    let mut xml = String::from("<all><!-- <page/> -->");
    for row in 0..200_000 {
        let _ = writeln!(
            xml,
            "<page id='{row}'><title>One</title><!-- <page id='x'/> --></page>"
        );
    }
    xml.push_str("</all>");
    let folder = temporary_folder("records-index");
    let file = folder.join("all.xml");
    fs::write(&file, &xml).unwrap();
    let arguments = [
        "records",
        "--index",
        "--row",
        "page",
        file.to_str().unwrap(),
    ];
    // A second run replaces the index.
    for _ in 0..2 {
        assert_eq!(written(&arguments, ""), "");
    }
    let names = fs::read_dir(&folder).unwrap();
    assert_eq!(names.count(), 2, "there are other files than the index");
    let text = fs::read_to_string(RowIndex::path_of(&file)).unwrap();
    let mut index = RowIndex::parse(&text).unwrap();
    let modified = fs::metadata(&file).unwrap().modified().unwrap();
    assert_eq!(index.modified.take(), Some(modified));
    assert_eq!(index.starts.len(), xml.len().div_ceil(4 << 20));
    for start in &index.starts[1..] {
        assert!(xml[*start as usize..].starts_with("<page id='"), "{start}");
    }
    let expected = index_rows(xml.as_bytes(), &Options::new("page"), 4 << 20);
    assert_eq!(Some(index), expected.unwrap());
}

fn documents_without_an_index_are_refused() {
    let rows = "<a><p/><p/></a>";
    let plain = temporary("records-index-plain.xml", rows.as_bytes());
    let packed = packed::gzip(rows.as_bytes(), Compression::fast());
    let packed = temporary("records-index-packed.xml.gz", &packed);
    let wide: Vec<u8> = rows.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let wide = temporary(
        "records-index-utf16.xml",
        &[&b"\xFF\xFE"[..], &wide].concat(),
    );
    for (arguments, status, reason) in [
        (&["--row", "q", &plain][..], 1, "there is no element `q`"),
        (&["--row", "p", &wide], 1, "the encoding is not UTF-8"),
        (&["--row", "p", &packed], 2, "not compressed"),
        (&["--row", "p", "-"], 2, "--index needs files"),
        (&["--select", "p", &plain], 2, "--index"),
        (&["--row", "p", "--format", "csv", &plain], 2, "--format"),
        (&["--row", "p", "--output", "x", &plain], 2, "--output"),
    ] {
        let arguments = [&["records", "--index"][..], arguments].concat();
        let output = run(&arguments, "");
        let message = utf8(&output.stderr);
        assert_eq!(
            output.status.code(),
            Some(status),
            "{arguments:?} {message}"
        );
        assert!(message.contains(reason), "{message}");
        assert!(output.stdout.is_empty());
    }
    for file in [plain, packed, wide] {
        assert!(!RowIndex::path_of(Path::new(&file)).exists(), "{file}");
    }
}
