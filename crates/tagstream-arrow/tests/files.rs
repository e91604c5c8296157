//! Several files on several threads.

use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_schema::{DataType, Field, Schema};
use std::sync::Arc;
use tagstream_arrow::{Decoder, Mode, Options, ParallelReader, read_files};

fn is_send<T: Send>() {}

#[test]
fn readers_can_be_sent() {
    is_send::<Decoder>();
    is_send::<ParallelReader>();
}

#[test]
fn rows_are_in_the_order_of_the_files() {
    let folder = std::env::temp_dir().join(format!("tagstream-arrow-files-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let mut paths = Vec::new();
    for file in 0..20 {
        let rows: String = (0..file * 10)
            .map(|row| format!("<r n='{}'/>", file * 1000 + row))
            .collect();
        paths.push(folder.join(format!("{file}.xml")));
        std::fs::write(&paths[file], format!("<x>{rows}</x>")).unwrap();
    }
    let schema = Arc::new(Schema::new(vec![Field::new("_n", DataType::Int64, true)]));
    let expected: Vec<i64> = (0..20)
        .flat_map(|file| (0..file * 10).map(move |row| file * 1000 + row))
        .collect();
    for threads in [1, 3] {
        let options = Options::new("r").batch_size(7);
        let mut found: Vec<i64> = Vec::new();
        for batch in read_files(paths.clone(), schema.clone(), options, threads).unwrap() {
            found.extend(
                batch
                    .unwrap()
                    .column(0)
                    .as_primitive::<Int64Type>()
                    .values(),
            );
        }
        assert_eq!(found, expected);
    }
    // Errors name the file, and rows of the files before it are returned.
    std::fs::write(&paths[2], "<x><r n='x'/></x>").unwrap();
    let options = Options::new("r").mode(Mode::FailFast);
    let results: Vec<_> = read_files(paths, schema, options, 2).unwrap().collect();
    assert_eq!(results.len(), 2);
    let error = results[1].as_ref().unwrap_err().to_string();
    assert!(error.contains("2.xml:1:"), "{error}");
    std::fs::remove_dir_all(&folder).unwrap();
}
