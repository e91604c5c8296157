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

/// An error of the input, as of an object store.
#[derive(Debug)]
struct StoreError;

impl std::fmt::Display for StoreError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the store is closed")
    }
}

impl std::error::Error for StoreError {}

/// Input that fails after its bytes.
struct Failing(Cursor<Vec<u8>>);

impl Read for Failing {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        match self.0.read(buffer)? {
            0 if !buffer.is_empty() => Err(std::io::Error::other(StoreError)),
            read => Ok(read),
        }
    }
}

/// An error of the input is returned as it is, and data that ends too early is not wrong data. The end is at each offset of
/// two members, of which a zstd frame is skippable.
#[test]
fn errors_of_the_input_are_returned() {
    let text = b"a text of a member ".repeat(20);
    for compress in [gzip, bzip2, zstd] {
        let one = compress(&text);
        let mut packed = one.clone();
        if packed.starts_with(b"\x28\xB5\x2F\xFD") {
            packed.extend_from_slice(b"\x50\x2A\x4D\x18\x03\x00\x00\x00abc");
        }
        let second = packed.len();
        packed.extend_from_slice(&one);
        for end in 4..packed.len() {
            let cut = packed[..end].to_vec();
            let mut data = Vec::new();
            let mut reader = decompress(Failing(Cursor::new(cut.clone()))).unwrap();
            let error = reader.read_to_end(&mut data).unwrap_err();
            assert!(error.downcast::<StoreError>().is_ok(), "{end}");
            let mut reader = decompress(Cursor::new(cut)).unwrap();
            let read = reader.read_to_end(&mut data);
            match end == one.len() || end == second {
                true => assert_eq!(read.unwrap(), text.len()),
                false => {
                    let kind = read.unwrap_err().kind();
                    assert_eq!(
                        kind,
                        std::io::ErrorKind::UnexpectedEof,
                        "{end} of {}",
                        one.len()
                    );
                }
            }
        }
    }
}

#[test]
fn a_wrong_checksum_is_an_error() {
    let text = b"a text of a frame ".repeat(20);
    let mut packed = zstd(&text);
    // The flag of a checksum, which is in the last four bytes.
    assert_eq!(packed[4] & 4, 4);
    for wrong in [false, true] {
        if wrong {
            let last = packed.len() - 1;
            packed[last] ^= 1;
        }
        let mut data = Vec::new();
        let mut reader = decompress(Cursor::new(packed.clone())).unwrap();
        let read = reader.read_to_end(&mut data);
        assert_eq!(data, text);
        match wrong {
            false => assert_eq!(read.unwrap(), text.len()),
            true => {
                let error = read.unwrap_err();
                assert_eq!(error.kind(), std::io::ErrorKind::InvalidData);
                assert!(error.to_string().contains("checksum"), "{error}");
            }
        }
    }
}

/// A read into an empty buffer takes nothing of the data.
#[test]
fn empty_buffers_take_nothing() {
    let text = b"a text of a member ".repeat(20);
    let packed = [gzip(&text), gzip(&text)].concat();
    let mut reader = decompress_segments(Cursor::new(packed), 2, 1).unwrap();
    let mut data = vec![0; 10];
    assert_eq!(reader.read(&mut []).unwrap(), 0);
    reader.read_exact(&mut data).unwrap();
    assert_eq!(reader.read(&mut []).unwrap(), 0);
    reader.read_to_end(&mut data).unwrap();
    assert_eq!(data, text.repeat(2));
}
