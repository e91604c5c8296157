//! The subcommand `records`: each format against the others, several files, compressed input, schemas, row errors,
//! options that are refused, and runs that were killed.

use super::{
    Conversation, packed, program, refused, root, run, temporary, temporary_folder, utf8, written,
};
use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_json::LineDelimitedWriter;
use flate2::Compression;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::Path;
use testing::cases;
use testing::random::Random;
use testing::run::Program;

pub(crate) fn add(program: &mut Program) {
    cases!(
        program,
        "cli/records",
        formats_have_the_same_rows,
        csv_has_columns_without_fields,
        threads_change_nothing,
        files_come_in_their_order,
        a_missing_file_is_reported,
        packed_files_are_unpacked,
        schemas_are_written_and_read,
        schemas_of_files_are_merged,
        a_sample_bounds_what_is_read,
        rows_are_selected,
        options_are_refused,
        errors_of_rows_are_reported,
        timestamps_have_offsets,
        rows_come_out_as_bytes_come_in,
        a_closed_pipe_ends_it_quietly,
        the_output_is_no_input,
        checkpoints_are_refused,
        the_output_of_a_checkpoint_is_the_usual_one,
        parts_have_all_rows,
    );
    #[cfg(unix)]
    cases!(
        program,
        "cli/records",
        killed_runs_continue,
        killed_parts_continue
    );
}

const FEED: &str = "<feed>
<entry id='1'><title>One &amp; all</title><tag>a</tag><by><name>A</name></by><n>1</n></entry>
<!-- <entry id='7'/> --><entry id='2'><title><![CDATA[<entry id='8'/>]]></title><tag>b</tag><tag>c</tag><n>2.5</n></entry>
<entry id='3'><day>2024-02-29</day><ok>true</ok></entry>
</feed>";

const ROWS: &str = r#"{"_id":1,"by":{"name":"A"},"n":1.0,"tag":["a"],"title":"One & all"}
{"_id":2,"n":2.5,"tag":["b","c"],"title":"<entry id='8'/>"}
{"_id":3,"day":"2024-02-29","ok":true}
"#;

/// Returns a document of random rows. Some are malformed, some come from an entity, some have values that do not fit, and comments, CDATA sections
/// and attributes contain text that looks like rows.
fn document(random: &mut Random, rows: usize) -> String {
    let words = [
        "alpha",
        "&e;",
        "ζήτα",
        "<!-- <page id='9'> -->",
        "<![CDATA[<page id='8'/>]]>",
        "&lt;page>",
        "\r\n",
    ];
    let rows_of_entity = "<page><n>1</n></page><page><n>2</n></page>";
    let mut text = format!("<!DOCTYPE all [<!ENTITY e 'entity'><!ENTITY r '{rows_of_entity}'>]>\n");
    text.push_str("<all a='&lt;page>'>\n");
    for row in 0..rows {
        let id = match random.below(50) {
            0 => "x".to_owned(),
            _ => row.to_string(),
        };
        let end = match random.below(50) {
            0 => "</b>",
            _ => "</title>",
        };
        let _ = write!(
            text,
            "<page id='{id}'><title>T{row}{end}<n>{}.5</n>",
            row % 7
        );
        for _ in 0..random.below(20) {
            text.push_str(words[random.below(words.len())]);
        }
        let _ = write!(
            text,
            "</page>{}",
            ["\n", "", "<!--<page>-->", "&r;"][random.below(4)]
        );
    }
    text + "</all>\n"
}

fn to_json(batches: impl Iterator<Item = RecordBatch>) -> String {
    let mut json = Vec::new();
    for batch in batches {
        LineDelimitedWriter::new(&mut json).write(&batch).unwrap();
    }
    String::from_utf8(json).unwrap()
}

fn parquet(file: File) -> String {
    let reader = ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
    let reader = reader.build().unwrap();
    assert!(!reader.schema().fields().is_empty());
    to_json(reader.map(Result::unwrap))
}

fn formats_have_the_same_rows() {
    let folder = temporary_folder("records-formats");
    let input = temporary("records-formats.xml", FEED.as_bytes());
    let records = ["records", "--row", "entry", &input];
    assert_eq!(written(&records, ""), ROWS);
    for format in ["ndjson", "arrow", "arrow-stream", "parquet"] {
        let path = folder.join(format);
        let output = ["--format", format, "-o", path.to_str().unwrap()];
        assert_eq!(written(&[&records[..], &output].concat(), ""), "");
        let file = File::open(&path).unwrap();
        let rows = match format {
            "arrow" => {
                let reader = arrow_ipc::reader::FileReader::try_new(file, None).unwrap();
                to_json(reader.map(Result::unwrap))
            }
            "arrow-stream" => {
                let reader = arrow_ipc::reader::StreamReader::try_new(file, None).unwrap();
                to_json(reader.map(Result::unwrap))
            }
            "parquet" => parquet(file),
            _ => fs::read_to_string(&path).unwrap(),
        };
        assert_eq!(rows, ROWS, "{format}");
        // Standard output gets the same bytes.
        let output = run(&[&records[..], &["--format", format]].concat(), "");
        assert_eq!(output.status.code(), Some(0));
        assert_eq!(output.stdout, fs::read(&path).unwrap(), "{format}");
    }
}

fn csv_has_columns_without_fields() {
    let input = temporary("records-csv.xml", FEED.as_bytes());
    let records = ["records", "--row", "entry", "--format", "csv", &input];
    let (message, _) = refused(&records, "", 2);
    assert!(message.contains("column `by` is a struct"), "{message}");
    let columns = ["--column", "title", "--column", "_id", "--column", "day"];
    assert_eq!(
        written(&[&records[..], &columns].concat(), ""),
        "title,_id,day\nOne & all,1,\n<entry id='8'/>,2,\n,3,2024-02-29\n"
    );
    // Columns in structs have paths. A row without the struct has no value.
    let nested = temporary(
        "records-nested.xml",
        b"<r><e><by id='1'><name>Ann</name><n><k>2</k></n></by></e><e/><e><by id='3'/></e></r>",
    );
    let records_of_structs = ["records", "--row", "e", &nested];
    let paths = [
        "--column", "by.n.k", "--column", "by._id", "--column", "by.name",
    ];
    assert_eq!(
        written(
            &[&records_of_structs[..], &["--format", "csv"], &paths].concat(),
            ""
        ),
        "by.n.k,by._id,by.name\n2,1,Ann\n,,\n,3,\n"
    );
    assert_eq!(
        written(&[&records_of_structs[..], &paths[..4]].concat(), ""),
        "{\"by\":{\"n\":{\"k\":2},\"_id\":1}}\n{}\n{\"by\":{\"_id\":3}}\n"
    );
    for path in ["by.x", "by.", "by.name.x"] {
        let wrong = [&records_of_structs[..], &["--column", path]].concat();
        let (message, _) = refused(&wrong, "", 2);
        assert!(message.contains("there is no column"), "{path}: {message}");
    }
    let (message, _) = refused(&[&records[..], &["--column", "titel"]].concat(), "", 2);
    assert!(message.contains("there is no column `titel`: the columns are _id, by, day"));
}

fn threads_change_nothing() {
    let mut random = Random(11);
    let input = document(&mut random, 20_000);
    let input = temporary("records-threads.xml", input.as_bytes());
    let records = ["records", "--row", "page", &input, "--jobs"];
    let once = run(&[&records[..], &["1"]].concat(), "");
    assert!(utf8(&once.stdout).lines().count() > 20_000);
    for jobs in ["2", "5"] {
        let output = run(&[&records[..], &[jobs]].concat(), "");
        assert_eq!(utf8(&output.stdout), utf8(&once.stdout));
        assert_eq!(utf8(&output.stderr), utf8(&once.stderr));
        assert_eq!(output.status.code(), Some(0));
    }
}

fn files_come_in_their_order() {
    let folder = temporary_folder("records-files");
    let mut arguments = vec!["records".to_owned(), "--row".to_owned(), "r".to_owned()];
    let mut expected = String::new();
    for file in 0..40 {
        let path = folder.join(format!("{file}.xml"));
        let mut text = "<all>".to_owned();
        for row in 0..=file * 10 {
            let _ = write!(text, "<r><f>{file}</f><n>{row}</n></r>");
            let _ = writeln!(expected, r#"{{"f":{file},"n":{row}}}"#);
        }
        fs::write(&path, text + "</all>").unwrap();
        arguments.push(path.to_str().unwrap().to_owned());
    }
    for jobs in ["1", "2", "7", "64"] {
        let mut arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        arguments.extend(["--jobs", jobs]);
        assert_eq!(written(&arguments, ""), expected);
    }
    // Standard input may be one of the files.
    let input = arguments[4].clone();
    let output = written(
        &["records", "--row", "r", "-", &input],
        "<all><r><f>x</f></r></all>",
    );
    assert!(
        output.starts_with("{\"f\":\"x\"}\n{\"f\":\"1\""),
        "{output}"
    );
}

fn a_missing_file_is_reported() {
    let input = temporary("records-missing.xml", FEED.as_bytes());
    for jobs in ["1", "3"] {
        let records = [
            "records", "--row", "entry", "--jobs", jobs, "no.xml", &input,
        ];
        let (message, rows) = refused(&records, "", 2);
        assert!(message.starts_with("tagstream: no.xml: "), "{message}");
        assert_eq!(rows, ROWS);
    }
}

fn packed_files_are_unpacked() {
    let folder = temporary_folder("records-packed");
    let mut random = Random(12);
    let text = document(&mut random, 2_000);
    let plain = temporary("records-packed.xml", text.as_bytes());
    let path = folder.join("a.xml.gz");
    fs::write(&path, packed::gzip(text.as_bytes(), Compression::fast())).unwrap();
    let path = path.to_str().unwrap();
    let expected = run(&["records", "--row", "page", &plain], "").stdout;
    for jobs in ["1", "2"] {
        let output = run(&["records", "--row", "page", "--jobs", jobs, path], "");
        assert_eq!(utf8(&output.stdout), utf8(&expected));
        let output = run(
            &["records", "--row", "page", "--jobs", jobs, "-"],
            packed::gzip(text.as_bytes(), Compression::fast()),
        );
        assert_eq!(utf8(&output.stdout), utf8(&expected));
    }
    let (message, _) = refused(&["records", "--row", "page", "-"], b"\x89PNG\r\n\x1A\n", 2);
    assert!(message.contains("a PNG image"), "{message}");
}

fn schemas_are_written_and_read() {
    let input = temporary("records-schema.xml", FEED.as_bytes());
    let output = run(&["records", "--row", "entry", "--print-schema", &input], "");
    let json = utf8(&output.stdout);
    let value: serde_json::Value = serde_json::from_str(json).unwrap();
    let types: Vec<_> = value["fields"].as_array().unwrap().iter().collect();
    let types: Vec<_> = types.iter().map(|field| &field["type"]).collect();
    assert_eq!(types[0], "long");
    assert_eq!(types[1]["type"], "struct");
    assert_eq!(types[2], "date");
    assert_eq!(types[5]["elementType"], "string");
    // The notes tell what was widened.
    let notes = utf8(&output.stderr);
    assert!(
        notes.contains(":3:25: column `n`: the type Int64 was widened to Float64"),
        "{notes}"
    );
    let schema = temporary("records-schema.json", json.as_bytes());
    let with_schema = ["records", "--row", "entry", "--schema", &schema, &input];
    assert_eq!(written(&with_schema, ""), ROWS);
    let schema = temporary(
        "records-schema-2.json",
        br#"{"type":"struct","fields":[{"name":"n","type":"decimal(5,2)"},{"name":"z","type":"integer","nullable":true}]}"#,
    );
    let with_schema = ["records", "--row", "entry", "--schema", &schema, &input];
    assert_eq!(
        written(&with_schema, ""),
        "{\"n\":1.00}\n{\"n\":2.50}\n{}\n"
    );
    for (schema, reason) in [
        ("", "not the JSON of a schema"),
        ("{}", "the schema has no `type`"),
        (r#""long""#, "the type of a schema is `struct`"),
        (r#"{"type":"struct"}"#, "the schema has no `fields`"),
        (
            r#"{"type":"struct","fields":[{"name":"n","type":"int128"}]}"#,
            "the column `n` has the unknown type `int128`",
        ),
        (
            r#"{"type":"struct","fields":[{"name":"n","type":"decimal(50,2)"}]}"#,
            "the column `n` has the unknown type `decimal(50,2)`",
        ),
    ] {
        let file = temporary("records-schema-3.json", schema.as_bytes());
        let with_schema = ["records", "--row", "entry", "--schema", &file, &input];
        let (message, _) = refused(&with_schema, "", 2);
        assert!(message.contains(reason), "{message}");
    }
}

fn schemas_of_files_are_merged() {
    let one = "<a><r x='1'><v>1</v><w>text</w><d>2024-01-01</d><l>1</l></r></a>";
    let two =
        "<a><r><v>1.5</v><w><y>2</y>text</w><d>2024-01-01T00:00:00Z</d><l>1</l><l>2</l></r></a>";
    let one = temporary("records-merged-1.xml", one.as_bytes());
    let two = temporary("records-merged-2.xml", two.as_bytes());
    assert_eq!(
        written(&["records", "--row", "r", &one, &two], ""),
        r#"{"_x":1,"d":"2024-01-01T00:00:00Z","l":[1],"v":1.0,"w":{"_VALUE":"text"}}
{"d":"2024-01-01T00:00:00Z","l":[1,2],"v":1.5,"w":{"_VALUE":"text","y":2}}
"#
    );
}

fn a_sample_bounds_what_is_read() {
    let many = "<r><n>1</n></r>".repeat(40_000);
    let input = format!("<a>{many}<r><late>1</late></r></a>");
    let input = temporary("records-sample.xml", input.as_bytes());
    let columns = |sample: &str| {
        let schema = [
            "records",
            "--row",
            "r",
            "--print-schema",
            "--sample",
            sample,
        ];
        let json = run(&[&schema[..], &[&input]].concat(), "").stdout;
        let json: serde_json::Value = serde_json::from_slice(&json).unwrap();
        json["fields"].as_array().unwrap().len()
    };
    assert_eq!((columns("100000"), columns("all")), (1, 2));
    let records = ["records", "--row", "late", "--sample", "1000", &input];
    let (message, _) = refused(&records, "", 1);
    assert!(
        message.contains("no element `late` in the sample"),
        "{message}"
    );
}

fn rows_are_selected() {
    let input = temporary("records-select.xml", b"<a><b n='1'/><c><b n='2'/></c></a>");
    let select = ["records", "--select", "c > b", &input];
    assert_eq!(written(&select, ""), "{\"_n\":2}\n");
    let (message, _) = refused(&["records", "--select", "d", &input], "", 1);
    assert!(message.contains("no element matches `d`"), "{message}");
    let named = "<a xmlns='urn:a'><b n='1'/><b xmlns='' n='2'/></a>";
    let select = ["records", "--select=p|b", "--namespace=p=urn:a", "-"];
    assert_eq!(written(&select, named), "{\"_n\":1}\n");
    let (message, _) = refused(&["records", "--select=p|b", "-"], named, 2);
    assert!(
        message.contains("declare it with --namespace p=NAMESPACE"),
        "{message}"
    );
    let (message, _) = refused(&["records", "--select=b", "--namespace=p", "-"], named, 2);
    assert!(message.contains("`p` is not PREFIX=NAMESPACE"), "{message}");
    let (message, _) = refused(&["records", "--select", "d[", &input], "", 2);
    assert!(message.contains("selector"), "{message}");
}

fn options_are_refused() {
    let input = temporary("records-options.xml", FEED.as_bytes());
    for (option, reason) in [
        (
            "rowtags=x",
            "there is no option `rowtags`: the options are row_tag, ",
        ),
        ("mode=loose", "the option `mode` cannot be `loose`"),
        ("mode", "expected NAME=VALUE"),
    ] {
        let (message, _) = refused(
            &["records", "--row", "entry", "--option", option, &input],
            "",
            2,
        );
        assert!(message.contains(reason), "{message}");
    }
    let spark = [
        "--option",
        "attributePrefix=@",
        "--option",
        "xml.exclude_attribute=false",
    ];
    let rows = written(
        &[&["records", "--row", "entry", &input][..], &spark].concat(),
        "",
    );
    assert!(rows.starts_with("{\"@id\":1,"), "{rows}");
    let output = run(&["records", &input], "");
    assert_eq!(output.status.code(), Some(2));
    assert!(utf8(&output.stderr).contains("--row"));
}

fn errors_of_rows_are_reported() {
    let text = "<a>\n<r><n>1</n></r>\n<r><n>x</n></r>\n <r><n>2</m></r>\n<r><n>3</n></r></a>";
    let input = temporary("records-errors.xml", text.as_bytes());
    let schema = r#"{"type":"struct","fields":[{"name":"n","type":"long"}]}"#;
    let schema = temporary("records-errors.json", schema.as_bytes());
    let records = ["records", "--row", "r", "--schema", &schema, &input];
    let output = run(&records, "");
    assert_eq!(utf8(&output.stdout), "{\"n\":1}\n{}\n{}\n{\"n\":3}\n");
    let errors: Vec<_> = utf8(&output.stderr).lines().collect();
    assert!(
        errors[0].starts_with(&format!("{input}:3:7: column `n`: \"x\" is not ")),
        "{errors:?}"
    );
    assert!(
        errors[1].starts_with(&format!("{input}:4:9: ")),
        "{errors:?}"
    );
    assert_eq!(errors[2], "2 row errors; 4 rows written");
    assert_eq!(output.status.code(), Some(0));
    let dropped = run(
        &[&records[..], &["--option", "mode=DROPMALFORMED"]].concat(),
        "",
    );
    assert_eq!(utf8(&dropped.stdout), "{\"n\":1}\n{\"n\":3}\n");
    assert!(utf8(&dropped.stderr).ends_with("2 row errors; 2 rows written\n"));
    assert_eq!(dropped.status.code(), Some(0));
    // The rows before the error are written, and no other file is read.
    for jobs in ["1", "2"] {
        let fast = ["--option", "mode=FAILFAST", "--jobs", jobs, &input];
        let (message, rows) = refused(&[&records[..], &fast].concat(), "", 1);
        assert!(
            message.starts_with(&format!("{input}:3:7: column `n`: ")),
            "{message}"
        );
        assert_eq!(rows, "{\"n\":1}\n");
    }
    // Only the first errors are shown.
    let many = format!("<a>{}</a>", "<r><n>x</n></r>".repeat(500));
    let records = ["records", "--row", "r", "--schema", &schema, "-"];
    let output = run(&records, many);
    let errors: Vec<_> = utf8(&output.stderr).lines().collect();
    assert_eq!(errors.len(), 102, "{errors:?}");
    assert_eq!(errors[100], "further row errors are only counted");
    assert_eq!(errors[101], "500 row errors; 500 rows written");
}

fn timestamps_have_offsets() {
    let input = "<a><r><t>2024-01-02T03:04:05</t></r><r><t>2024-01-02T03:04:05Z</t></r></a>";
    for (zone, one, two) in [
        ("UTC", "03:04:05Z", "03:04:05Z"),
        ("+02:00", "03:04:05+02:00", "05:04:05+02:00"),
        ("-1", "03:04:05-01:00", "02:04:05-01:00"),
        ("GMT+0530", "03:04:05+05:30", "08:34:05+05:30"),
    ] {
        let option = format!("timezone={zone}");
        for format in ["ndjson", "csv"] {
            let records = [
                "records", "--row", "r", "--format", format, "--option", &option, "-",
            ];
            let rows = written(&records, input);
            assert!(rows.contains(&format!("2024-01-02T{one}")), "{zone} {rows}");
            assert!(rows.contains(&format!("2024-01-02T{two}")), "{zone} {rows}");
        }
    }
}

fn rows_come_out_as_bytes_come_in() {
    let schema = r#"{"type":"struct","fields":[{"name":"n","type":"long"}]}"#;
    let schema = temporary("records-stream.json", schema.as_bytes());
    let mut conversation = Conversation::new(&["records", "--row", "r", "--schema", &schema, "-"]);
    conversation.say("<a><r><n>1</n></r><r>");
    conversation.hear("{\"n\":1}");
    conversation.say("<n>2</n></r><r><n>3</n>");
    conversation.hear("{\"n\":2}");
    conversation.say("</r>");
    conversation.hear("{\"n\":3}");
    conversation.say("</a>");
    conversation.end();
}

fn a_closed_pipe_ends_it_quietly() {
    let mut random = Random(13);
    let input = document(&mut random, 20_000);
    let input = temporary("records-pipe.xml", input.as_bytes());
    for format in ["ndjson", "csv", "arrow-stream", "parquet"] {
        let arguments = [
            "records",
            "--row",
            "page",
            "--option",
            "mode=DROPMALFORMED",
            "--column",
            "title",
            "--format",
            format,
            &input,
        ];
        let mut child = program(root(), &arguments)
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let mut line = Vec::new();
        stdout.read_until(b'\n', &mut line).unwrap();
        drop(stdout);
        assert_eq!(child.wait().unwrap().code(), Some(0), "{format}");
    }
}

fn the_output_is_no_input() {
    let input = temporary("records-same.xml", FEED.as_bytes());
    let records = ["records", "--row", "entry", "-o", &input, &input];
    let (message, _) = refused(&records, "", 2);
    assert!(
        message.contains("one of the files that are read"),
        "{message}"
    );
    assert_eq!(fs::read_to_string(&input).unwrap(), FEED);
}

fn checkpoints_are_refused() {
    let folder = temporary_folder("records-refused");
    let [state, out] = ["state", "out"].map(|name| folder.join(name).to_str().unwrap().to_owned());
    let input = temporary("records-refused.xml", FEED.as_bytes());
    let records = [
        "records",
        "--row",
        "entry",
        "--checkpoint",
        &state,
        "-o",
        &out,
    ];
    for (more, reason) in [
        (&["-"][..], "standard input cannot be read again"),
        (&["/dev/null"], "--checkpoint needs files"),
        (
            &["--format", "parquet", &input],
            "--checkpoint needs --part-rows",
        ),
        (&["--part-rows", "3", &input], "--part-rows is for"),
        (&["no.xml"], "no.xml: "),
    ] {
        let (message, _) = refused(&[&records[..], more].concat(), FEED, 2);
        assert!(message.contains(reason), "{message}");
    }
    for (text, reason) in [
        ("<a/>", "this is not a checkpoint of tagstream records"),
        ("{}", "this is not a checkpoint of tagstream records"),
        (r#"{"tagstream_records":1,"work":"other"}"#, "it is damaged"),
    ] {
        fs::write(&state, text).unwrap();
        let (message, _) = refused(&[&records[..], &[&input]].concat(), "", 2);
        assert!(message.contains(reason), "{message}");
    }
}

fn the_output_of_a_checkpoint_is_the_usual_one() {
    let folder = temporary_folder("records-usual");
    let [state, out] = ["state", "out"].map(|name| folder.join(name).to_str().unwrap().to_owned());
    let input = temporary("records-usual.xml", FEED.as_bytes());
    // The previous content of the output file is discarded.
    fs::write(&out, "before").unwrap();
    let records = [
        "records",
        "--row",
        "entry",
        "--checkpoint",
        &state,
        "-o",
        &out,
        &input,
    ];
    assert_eq!(written(&records, ""), "");
    assert_eq!(fs::read_to_string(&out).unwrap(), ROWS);
    assert!(!Path::new(&state).exists());
}

/// Returns the rows of the parts in a folder, and the number of parts.
fn rows_of_parts(folder: &Path) -> (String, usize) {
    let mut rows = String::new();
    for number in 0.. {
        let Ok(file) = File::open(folder.join(format!("part-{number:05}.parquet"))) else {
            return (rows, number);
        };
        rows += &parquet(file);
    }
    (rows, 0)
}

fn parts_have_all_rows() {
    let folder = temporary_folder("records-parts");
    let out = folder.join("out");
    let input = temporary("records-parts.xml", FEED.as_bytes());
    let parts = [
        "--format",
        "parquet",
        "--part-rows",
        "2",
        "-o",
        out.to_str().unwrap(),
    ];
    let records = [&["records", "--row", "entry", &input], &parts[..]].concat();
    assert_eq!(written(&records, ""), "");
    assert_eq!(rows_of_parts(&out), (ROWS.to_owned(), 2));
    // Parts are not overwritten.
    let (message, _) = refused(&records, "", 2);
    assert!(message.contains("it exists already"), "{message}");
    // Without rows there is one part, which has the schema.
    let schema = run(&["records", "--row", "entry", "--print-schema", &input], "").stdout;
    let schema = temporary("records-parts.json", &schema);
    let empty = temporary("records-parts-empty.xml", b"<feed/>");
    let out = folder.join("empty");
    let parts = ["--format", "parquet", "--part-rows", "2", "--output"];
    let records = ["records", "--row", "entry", "--schema", &schema, &empty];
    let records = [&records[..], &parts, &[out.to_str().unwrap()]].concat();
    assert_eq!(written(&records, ""), "");
    assert_eq!(rows_of_parts(&out), (String::new(), 1));
}

/// The inputs of runs that are killed: a plain file, and a compressed one before it.
#[cfg(unix)]
fn killed_runs_continue() {
    use testing::crash_resume::Work;
    let mut random = Random(14);
    let folder = temporary_folder("records-killed");
    let input = folder.join("input.xml");
    fs::write(&input, document(&mut random, 12_000)).unwrap();
    let other = folder.join("other.xml.gz");
    let text = document(&mut random, 4_000);
    fs::write(&other, packed::gzip(text.as_bytes(), Compression::fast())).unwrap();
    let other = other.to_str().unwrap();
    let csv = [
        "--format",
        "csv",
        "--option",
        "mode=DROPMALFORMED",
        "--column",
        "_id",
        "--column",
        "title",
    ];
    for options in [
        &["--row", "page"][..],
        &["--row", "page", "--jobs", "2"],
        &["--row", "page", other],
        &[&["--select", "all > page"], &csv[..]].concat(),
    ] {
        let work = Work {
            program: Path::new(env!("CARGO_BIN_EXE_tagstream")),
            subcommand: "records",
            folder: &folder,
            input: &input,
            options,
            every: 1 << 16,
        };
        let resumed = work.kill(&mut random, 6).unwrap();
        assert!(resumed > 0, "no run had a checkpoint to go on from");
    }
}

/// Kills runs that write parts, when a random part is complete.
#[cfg(unix)]
fn killed_parts_continue() {
    let mut random = Random(15);
    let folder = temporary_folder("records-killed-parts");
    let text = document(&mut random, 12_000);
    let input = temporary("records-killed-parts.xml", text.as_bytes());
    let plain = ["records", "--row", "page", &input];
    let expected = run(&plain, "").stdout;
    let mut kills = 0;
    for round in 0..4 {
        let out = folder.join(format!("out-{round}"));
        let state = folder.join("state");
        let parts = [
            "--format",
            "parquet",
            "--part-rows",
            "500",
            "-o",
            out.to_str().unwrap(),
            "--checkpoint",
            state.to_str().unwrap(),
        ];
        let arguments = [&plain[..], &parts].concat();
        let mut begun = 0;
        loop {
            let mut child = program(root(), &arguments)
                .stderr(std::process::Stdio::null())
                .spawn()
                .unwrap();
            begun += 1 + random.below(5);
            let goal = out.join(format!("part-{begun:05}.parquet"));
            let status = loop {
                if let Some(status) = child.try_wait().unwrap() {
                    break status;
                }
                if goal.exists() {
                    child.kill().unwrap();
                }
            };
            if status.code().is_some() {
                assert_eq!(status.code(), Some(0));
                break;
            }
            kills += 1;
        }
        let (rows, parts) = rows_of_parts(&out);
        assert_eq!(rows, utf8(&expected));
        assert_eq!(parts, rows.lines().count().div_ceil(500));
        assert!(!state.exists());
        assert_eq!(fs::read_dir(&out).unwrap().count(), parts);
    }
    assert!(kills > 0, "no run was killed");
}
