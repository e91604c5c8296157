//! A scheduler and executors in one process. Plans and results are sent through sockets with the same messages as between
//! processes.
//!
//! The executors that Ballista starts for this leave their folders with intermediate results in the temporary folder.

use ballista::prelude::SessionContextExt;
use ballista_core::serde::protobuf::scheduler_grpc_client::SchedulerGrpcClient;
use datafusion::prelude::SessionContext;
use std::path::Path;
use tagstream_cluster::{Failure, demo, documents, session};

async fn create_tables(context: &SessionContext, folder: &Path) -> Result<(), Failure> {
    let place = folder.display().to_string();
    for table in [documents::CUSTOMERS, documents::ORDERS] {
        session::run(context, &table.replace('@', &place)).await?;
    }
    Ok(())
}

async fn rows(context: &SessionContext, sql: &str) -> Result<Vec<String>, Failure> {
    demo::lines(&session::run(context, sql).await?)
}

#[tokio::test]
async fn one_executor() -> Result<(), Failure> {
    let folder = tempfile::tempdir()?;
    let expected = documents::write(folder.path(), 5, 50_000)?;
    let context = SessionContext::standalone_with_state(session::state(3)).await?;
    create_tables(&context, folder.path()).await?;
    assert_eq!(rows(&context, documents::QUERY).await?, expected);
    Ok(())
}

/// Two executors, a document that is cut, and an inferred schema.
#[tokio::test]
async fn two_executors() -> Result<(), Failure> {
    let folder = tempfile::tempdir()?;
    // DataFusion cuts files from 10 MB on.
    let expected = documents::write(folder.path(), 2, 12_000_000)?;
    let state = session::state(4);
    let scheduler = ballista_scheduler::standalone::new_standalone_scheduler_from_state(&state);
    let address = format!("localhost:{}", scheduler.await?.port());
    for _ in 0..2 {
        let client = SchedulerGrpcClient::connect(format!("http://{address}")).await?;
        ballista_executor::new_standalone_executor_from_state(client, 2, &state).await?;
    }
    let context = session::connect(&address, state).await?;
    create_tables(&context, folder.path()).await?;
    let place = folder.path().display();
    session::run(
        &context,
        &format!("CREATE EXTERNAL TABLE inferred STORED AS XML LOCATION '{place}/orders/' OPTIONS ('xml.row_tag' 'order')"),
    )
    .await?;
    let plan = rows(&context, &format!("EXPLAIN {}", documents::QUERY)).await?;
    let plan = plan.join("\n");
    assert!(plan.contains("file_groups={4 groups"), "{plan}");
    for sql in [
        documents::QUERY.to_owned(),
        documents::QUERY.replace(" orders o ", " inferred o "),
    ] {
        assert_eq!(rows(&context, &sql).await?, expected, "{sql}");
    }
    assert_eq!(
        rows(&context, "SELECT _id FROM orders LIMIT 10")
            .await?
            .len(),
        10
    );
    Ok(())
}

/// An error of an executor reaches the client.
#[tokio::test]
async fn errors() -> Result<(), Failure> {
    let folder = tempfile::tempdir()?;
    std::fs::write(
        folder.path().join("broken.xml"),
        "<r>\n<p><n>1</n></p>\n<p><n>2</m></p></r>",
    )?;
    let context = SessionContext::standalone_with_state(session::state(2)).await?;
    let place = folder.path().display();
    session::run(
        &context,
        &format!(
            "CREATE EXTERNAL TABLE broken (n BIGINT) STORED AS XML LOCATION '{place}/' \
             OPTIONS ('xml.row_tag' 'p', 'xml.mode' 'FAILFAST')"
        ),
    )
    .await?;
    let error = rows(&context, "SELECT sum(n) FROM broken")
        .await
        .unwrap_err();
    let error = error.to_string();
    // Ballista sends the fields of the error instead of its message.
    for part in [
        "broken.xml",
        "line: 3",
        "no open element matches this end tag",
    ] {
        assert!(error.contains(part), "{error}");
    }
    Ok(())
}
