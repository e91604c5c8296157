//! Sessions of clients, and the codecs that clients, schedulers and executors share.

use crate::Failure;
use ballista::prelude::{SessionConfigExt, SessionContextExt};
use ballista_core::serde::{BallistaLogicalExtensionCodec, BallistaPhysicalExtensionCodec};
use clap::Args;
use datafusion::arrow::record_batch::RecordBatch;
use datafusion::arrow::util::pretty::pretty_format_batches;
use datafusion::execution::{SessionState, SessionStateBuilder};
use datafusion::prelude::{SessionConfig, SessionContext};
use std::sync::Arc;
use std::time::Instant;
use tagstream_datafusion::{XmlLogicalCodec, XmlPhysicalCodec, with_xml};

/// Returns the codec of logical plans, which the client sends to the scheduler.
pub fn logical_codec() -> Arc<XmlLogicalCodec> {
    let others = Arc::new(BallistaLogicalExtensionCodec::default());
    Arc::new(XmlLogicalCodec::new(others))
}

/// Returns the codec of physical plans, which the scheduler sends to the executors.
pub fn physical_codec() -> Arc<XmlPhysicalCodec> {
    let others = Arc::new(BallistaPhysicalExtensionCodec::default());
    Arc::new(XmlPhysicalCodec::new(others))
}

/// Returns the state of a client's session, with `STORED AS XML` and both codecs.
///
/// `partitions` is the number of parts into which the files of a table are divided.
pub fn state(partitions: usize) -> SessionState {
    let config = SessionConfig::new_with_ballista()
        .with_target_partitions(partitions)
        // In Ballista 55, the adaptive planner forgets the outputs of a stage of which an executor was lost. If tasks of
        // that stage are run again, the query never ends: "Can't find active stage to update stage outputs".
        .with_ballista_adaptive_query_planner(false)
        .with_ballista_logical_extension_codec(logical_codec())
        .with_ballista_physical_extension_codec(physical_codec());
    let builder = SessionStateBuilder::new()
        .with_default_features()
        .with_config(config);
    with_xml(builder).build()
}

/// The arguments of `cluster query`.
#[derive(Args)]
pub struct QueryArguments {
    /// Address of the scheduler
    #[arg(long, default_value = "127.0.0.1:50050", value_name = "HOST:PORT")]
    scheduler: String,
    /// Run the statements in this process, without a cluster
    #[arg(long, conflicts_with = "scheduler")]
    local: bool,
    /// Number of parts into which the files of a table are divided
    #[arg(long, default_value_t = 16)]
    partitions: usize,
    /// Statements, such as CREATE EXTERNAL TABLE, SET and SELECT. Their results are printed
    #[arg(required = true, value_name = "STATEMENT")]
    statements: Vec<String>,
}

/// Runs statements, and prints their results. The time of each statement is printed on the standard error.
pub async fn query(arguments: QueryArguments) -> Result<(), Failure> {
    let state = state(arguments.partitions);
    let context = match arguments.local {
        true => SessionContext::new_with_state(state),
        false => connect(&arguments.scheduler, state).await?,
    };
    for statement in &arguments.statements {
        let begin = Instant::now();
        let batches = run(&context, statement).await?;
        eprintln!("{:.2} s", begin.elapsed().as_secs_f64());
        if !batches.is_empty() {
            println!("{}", pretty_format_batches(&batches)?);
        }
    }
    Ok(())
}

/// Connects a session to a scheduler.
pub async fn connect(scheduler: &str, state: SessionState) -> Result<SessionContext, Failure> {
    let address = format!("df://{scheduler}");
    Ok(SessionContext::remote_with_state(&address, state).await?)
}

/// Runs a statement.
pub async fn run(context: &SessionContext, statement: &str) -> Result<Vec<RecordBatch>, Failure> {
    Ok(context.sql(statement).await?.collect().await?)
}
