//! Chunks of a file from an object store.

use crate::packed::{Chunks, Packing, SIGNATURE_BYTES, unpacked};
use bytes::{Bytes, BytesMut};
use datafusion::common::exec_err;
use datafusion::error::{DataFusionError, Result};
use futures::{StreamExt, TryStreamExt, stream};
use object_store::path::Path;
use object_store::{GetOptions, GetRange, GetResultPayload, ObjectMeta, ObjectStore};
use std::io::{Read, Seek, SeekFrom};
use std::sync::Arc;

/// Length of the chunks of a local file. The stream that the object store makes of one has chunks of 8 KiB, and each of
/// them is read by another thread.
const CHUNK_BYTES: usize = 256 << 10;

/// The contents of a file.
pub(crate) struct Input {
    /// The chunks, decompressed.
    pub(crate) chunks: Chunks,
    pub(crate) is_packed: bool,
    /// True if the file is in the file system, where its first bytes cost little, and where its modification time is not
    /// the time at which it was stored.
    pub(crate) is_local: bool,
    /// The length and the modification time.
    pub(crate) meta: ObjectMeta,
}

impl Input {
    /// Opens a file, and recognizes by its first bytes whether it is compressed.
    pub(crate) async fn open(store: &Arc<dyn ObjectStore>, location: &Path) -> Result<Input> {
        let Raw {
            chunks: mut raw,
            is_local,
            meta,
        } = raw(store, location, 0).await?;
        let mut first = Bytes::new();
        while first.len() < SIGNATURE_BYTES
            && let Some(chunk) = raw.next().await
        {
            first = joined(first, chunk?);
        }
        let packing = Packing::of(&first);
        let whole = stream::iter([Ok(first)]).chain(raw).boxed();
        let chunks = match packing {
            None => whole,
            Some(packing) => unpacked(packing, whole, location.as_ref().into())?,
        };
        Ok(Input {
            chunks,
            is_packed: packing.is_some(),
            is_local,
            meta,
        })
    }
}

fn joined(first: Bytes, second: Bytes) -> Bytes {
    match first.is_empty() {
        true => second,
        false => {
            let mut both = BytesMut::from(&first[..]);
            both.extend_from_slice(&second);
            both.freeze()
        }
    }
}

/// The bytes of a file as they are stored.
pub(crate) struct Raw {
    pub(crate) chunks: Chunks,
    pub(crate) is_local: bool,
    pub(crate) meta: ObjectMeta,
}

/// Returns the bytes of a file from an offset on.
pub(crate) async fn raw(store: &Arc<dyn ObjectStore>, location: &Path, from: u64) -> Result<Raw> {
    let options = GetOptions {
        range: (from > 0).then_some(GetRange::Offset(from)),
        ..GetOptions::default()
    };
    let result = store.get_opts(location, options).await?;
    let (chunks, is_local) = match result.payload {
        GetResultPayload::File(mut file, _) => {
            file.seek(SeekFrom::Start(from))?;
            (stream::iter(FileChunks(Some(file))).boxed(), true)
        }
        GetResultPayload::Stream(chunks) => (chunks.map_err(DataFusionError::from).boxed(), false),
    };
    let length = result.range.end.saturating_sub(result.range.start);
    let chunks = whole(chunks, length, location.as_ref().into());
    Ok(Raw {
        chunks,
        is_local,
        meta: result.meta,
    })
}

/// Returns chunks that have this number of bytes together. A store that ends a file early without an error would lose the
/// rest of the rows.
fn whole(chunks: Chunks, length: u64, file: Arc<str>) -> Chunks {
    let state = (chunks, 0_u64, file, false);
    let chunks = stream::unfold(
        state,
        move |(mut chunks, read, file, is_ended)| async move {
            if is_ended {
                return None;
            }
            match chunks.next().await {
                Some(Ok(chunk)) => {
                    let read = read + chunk.len() as u64;
                    Some((Ok(chunk), (chunks, read, file, false)))
                }
                Some(Err(error)) => Some((Err(error), (chunks, read, file, true))),
                None if read == length => None,
                None => {
                    let error =
                        exec_err!("{file}: {read} bytes were read, but there should be {length}");
                    Some((error, (chunks, read, file, true)))
                }
            }
        },
    );
    chunks.fuse().boxed()
}

/// The chunks of a local file. As in DataFusion's own formats, they are read by the thread that polls the stream.
struct FileChunks(Option<std::fs::File>);

impl Iterator for FileChunks {
    type Item = Result<Bytes>;

    fn next(&mut self) -> Option<Result<Bytes>> {
        let mut buffer = Vec::with_capacity(CHUNK_BYTES);
        let limit = CHUNK_BYTES as u64;
        let read = self.0.as_mut()?.take(limit).read_to_end(&mut buffer);
        match read {
            Ok(0) => {
                self.0 = None;
                None
            }
            Ok(_) => Some(Ok(buffer.into())),
            Err(error) => {
                self.0 = None;
                Some(Err(error.into()))
            }
        }
    }
}
