//! An object store that ends files early without an error.

use crate::common::Lake;
use datafusion::execution::object_store::ObjectStoreUrl;
use futures::StreamExt;
use futures::stream::BoxStream;
use object_store::memory::InMemory;
use object_store::path::Path;
use object_store::{
    CopyOptions, GetOptions, GetResult, GetResultPayload, ListResult, MultipartUpload, ObjectMeta,
    ObjectStore, ObjectStoreExt, PutMultipartOptions, PutOptions, PutPayload, PutResult, Result,
};
use std::fmt;
use std::sync::Arc;

/// A store whose files end after a number of bytes.
#[derive(Debug)]
struct EarlyEnd {
    store: InMemory,
    length: usize,
}

impl fmt::Display for EarlyEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the first {} bytes of {}", self.length, self.store)
    }
}

#[async_trait::async_trait]
impl ObjectStore for EarlyEnd {
    async fn put_opts(&self, to: &Path, data: PutPayload, how: PutOptions) -> Result<PutResult> {
        self.store.put_opts(to, data, how).await
    }

    async fn put_multipart_opts(
        &self,
        to: &Path,
        how: PutMultipartOptions,
    ) -> Result<Box<dyn MultipartUpload>> {
        self.store.put_multipart_opts(to, how).await
    }

    async fn get_opts(&self, from: &Path, how: GetOptions) -> Result<GetResult> {
        let mut result = self.store.get_opts(from, how).await?;
        if let GetResultPayload::Stream(chunks) = result.payload {
            let length = self.length;
            let cut =
                chunks.map(move |chunk| chunk.map(|chunk| chunk.slice(..length.min(chunk.len()))));
            result.payload = GetResultPayload::Stream(cut.take(1).boxed());
        }
        Ok(result)
    }

    fn delete_stream(
        &self,
        paths: BoxStream<'static, Result<Path>>,
    ) -> BoxStream<'static, Result<Path>> {
        self.store.delete_stream(paths)
    }

    fn list(&self, prefix: Option<&Path>) -> BoxStream<'static, Result<ObjectMeta>> {
        self.store.list(prefix)
    }

    async fn list_with_delimiter(&self, prefix: Option<&Path>) -> Result<ListResult> {
        self.store.list_with_delimiter(prefix).await
    }

    async fn copy_opts(&self, from: &Path, to: &Path, how: CopyOptions) -> Result<()> {
        self.store.copy_opts(from, to, how).await
    }
}

#[tokio::test]
async fn files_that_end_early_are_errors() {
    let document = "<r><p id='1'/><p id='2'/></r>";
    for length in 0..=document.len() {
        let store = EarlyEnd {
            store: InMemory::new(),
            length,
        };
        let content = document.as_bytes().to_vec();
        store.put(&"p.xml".into(), content.into()).await.unwrap();
        let lake = Lake::new(&[]);
        let url = ObjectStoreUrl::parse("memory://").unwrap();
        lake.context
            .register_object_store(url.as_ref(), Arc::new(store));
        lake.create(
            "CREATE EXTERNAL TABLE p (_id BIGINT) STORED AS XML LOCATION 'memory:///p.xml' OPTIONS ('xml.row_tag' 'p')",
        )
        .await;
        match lake.run("SELECT count(*) FROM p").await {
            Ok(rows) => assert_eq!((length, rows), (document.len(), vec!["2".to_owned()])),
            Err(error) => {
                let expected = format!("{length} bytes were read, but there should be 29");
                assert!(error.to_string().contains(&expected), "{error}");
            }
        }
    }
}
