//! Compressed input with one or more members, on one thread and on several.
#![cfg(feature = "compression")]

use std::io::{Cursor, Read, Write};
use tagstream_arrow::{
    Options, ParallelReader, XmlReader, decompress, decompress_segments, infer_schema,
};

fn gzip(data: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::new(0));
    encoder.write_all(data).unwrap();
    encoder.finish().unwrap()
}

fn bzip2(data: &[u8]) -> Vec<u8> {
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::new(1));
    encoder.write_all(data).unwrap();
    encoder.finish().unwrap()
}

fn zstd(data: &[u8]) -> Vec<u8> {
    ruzstd::encoding::compress_to_vec(data, ruzstd::encoding::CompressionLevel::Fastest)
}

/// A document in which the starts of members occur as text, so that they are found in the middle of members too.
fn document() -> Vec<u8> {
    let mut xml = b"<x>".to_vec();
    for row in 0..2000 {
        xml.extend_from_slice(format!("<r n='{row}'>a text of row {row}</r>\n").as_bytes());
    }
    xml.extend_from_slice(b"</x>");
    xml
}

#[test]
fn members_are_decompressed_in_order() {
    let xml = document();
    for compress in [gzip, bzip2, zstd] {
        for member in [100, 10_000, 1_000_000] {
            let packed: Vec<u8> = xml.chunks(member).flat_map(compress).collect();
            let mut data = Vec::new();
            decompress(Cursor::new(packed.clone()))
                .unwrap()
                .read_to_end(&mut data)
                .unwrap();
            assert!(data == xml);
            for segment in [1, 1000, 1_000_000] {
                let mut data = Vec::new();
                let mut read =
                    decompress_segments(Cursor::new(packed.clone()), 2, segment).unwrap();
                read.read_to_end(&mut data).unwrap();
                assert!(data == xml, "members of {member}, segments of {segment}");
            }
            // The end of the input is missing.
            let mut cut = packed;
            cut.truncate(cut.len() - 3);
            let mut data = Vec::new();
            let failed = decompress(Cursor::new(cut.clone()))
                .unwrap()
                .read_to_end(&mut data);
            assert!(failed.is_err());
            let failed = decompress_segments(Cursor::new(cut), 2, 1000)
                .unwrap()
                .read_to_end(&mut data);
            assert!(failed.is_err());
        }
    }
}

#[test]
fn starts_of_members_in_members_are_no_cuts() {
    // Data that is stored without compression contains starts of members.
    let mut data = Vec::new();
    for at in 0..3000u32 {
        data.extend_from_slice(b"\x1F\x8B\x08\x00");
        data.extend_from_slice(&at.to_le_bytes());
    }
    let packed: Vec<u8> = data.chunks(5000).flat_map(gzip).collect();
    for segment in [1, 100, 6000] {
        let mut found = Vec::new();
        decompress_segments(Cursor::new(packed.clone()), 3, segment)
            .unwrap()
            .read_to_end(&mut found)
            .unwrap();
        assert!(found == data);
    }
}

#[test]
fn compressed_documents_have_the_same_rows() {
    let xml = document();
    let options = Options::new("r");
    let schema = infer_schema(&xml[..], &options).unwrap().schema;
    let count =
        |rows: usize, batch: Result<arrow_array::RecordBatch, _>| rows + batch.unwrap().num_rows();
    let packed: Vec<u8> = xml.chunks(5000).flat_map(bzip2).collect();
    let read = decompress(Cursor::new(packed.clone())).unwrap();
    assert_eq!(
        XmlReader::new(read, schema.clone(), options.clone())
            .unwrap()
            .fold(0, count),
        2000
    );
    let read = decompress_segments(Cursor::new(packed), 2, 1000).unwrap();
    let reader = ParallelReader::with_piece_bytes(read, schema, options, 2, 10_000).unwrap();
    assert_eq!(reader.fold(0, count), 2000);
}
