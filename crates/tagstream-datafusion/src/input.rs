//! Chunks of a file from an object store.

use crate::packed::{Packing, SIGNATURE_BYTES, unpacked};
use bytes::{Bytes, BytesMut};
use datafusion::error::{DataFusionError, Result};
use futures::stream::BoxStream;
use futures::{StreamExt, TryStreamExt, stream};
use object_store::path::Path;
use object_store::{GetOptions, GetRange, GetResultPayload, ObjectStore};
use std::io::{Read, Seek, SeekFrom};
use std::sync::Arc;

/// Length of the chunks of a local file. The stream that the object store makes of one has chunks of 8 KiB, and each of
/// them is read by another thread.
const CHUNK_BYTES: usize = 256 << 10;

/// Chunks of a file, in their order.
pub(crate) type Chunks = BoxStream<'static, Result<Bytes>>;

/// The contents of a file.
pub(crate) struct Input {
    /// The chunks, decompressed.
    pub(crate) chunks: Chunks,
    /// True if parts of the file can be read by several partitions: the file is local, and is not compressed. Each
    /// partition reads the file from its start on, which would be slow for files that are not local.
    pub(crate) can_be_cut: bool,
}

impl Input {
    /// Opens a file, and recognizes by its first bytes whether it is compressed.
    pub(crate) async fn open(store: &Arc<dyn ObjectStore>, location: &Path) -> Result<Input> {
        let (mut raw, is_local) = raw(store, location, 0).await?;
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
            can_be_cut: is_local && packing.is_none(),
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

/// Returns the bytes of a file from an offset on, as they are stored, and whether the file is local.
pub(crate) async fn raw(
    store: &Arc<dyn ObjectStore>,
    location: &Path,
    from: u64,
) -> Result<(Chunks, bool)> {
    let options = GetOptions {
        range: (from > 0).then_some(GetRange::Offset(from)),
        ..GetOptions::default()
    };
    match store.get_opts(location, options).await?.payload {
        GetResultPayload::File(mut file, _) => {
            file.seek(SeekFrom::Start(from))?;
            Ok((stream::iter(FileChunks(Some(file))).boxed(), true))
        }
        GetResultPayload::Stream(chunks) => {
            Ok((chunks.map_err(DataFusionError::from).boxed(), false))
        }
    }
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
