//! The scheduler: it receives logical plans from clients, and sends tasks with physical plans to executors.

use crate::Failure;
use crate::session::{logical_codec, physical_codec};
use ballista_scheduler::cluster::BallistaCluster;
use ballista_scheduler::config::SchedulerConfig;
use ballista_scheduler::scheduler_process::{create_scheduler, start_grpc_service_with_listener};
use clap::Args;
use datafusion_proto::protobuf::{LogicalPlanNode, PhysicalPlanNode};
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::net::TcpListener;

/// The arguments of `cluster scheduler`.
#[derive(Args)]
pub struct SchedulerArguments {
    /// Address on which clients and executors are accepted. With port 0, the system chooses a free port
    #[arg(long, default_value = "127.0.0.1:50050", value_name = "ADDRESS:PORT")]
    bind: SocketAddr,
    /// Name or address by which executors reach the scheduler [default: the address of --bind]
    #[arg(long, value_name = "HOST")]
    host: Option<String>,
    /// Seconds without a heartbeat after which an executor is given up, and its tasks are run again on others
    #[arg(long, default_value_t = 180, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    heartbeat_limit: u64,
}

/// The beginning of the line that the scheduler prints when it accepts connections. The address follows.
pub const LISTENS: &str = "scheduler listens on ";

/// Runs a scheduler until the process is ended.
pub async fn run(arguments: SchedulerArguments) -> Result<(), Failure> {
    let listener = TcpListener::bind(arguments.bind).await?;
    let address = listener.local_addr()?;
    let limit = arguments.heartbeat_limit;
    let config = SchedulerConfig {
        bind_host: address.ip().to_string(),
        bind_port: address.port(),
        external_host: arguments.host.unwrap_or(address.ip().to_string()),
        executor_timeout_seconds: limit,
        expire_dead_executor_interval_seconds: (limit / 4).clamp(1, 15),
        no_executors_grace_period_seconds: limit,
        override_logical_codec: Some(logical_codec()),
        override_physical_codec: Some(physical_codec()),
        ..SchedulerConfig::default()
    };
    config.validate()?;
    let cluster = BallistaCluster::new_from_config(&config).await?;
    let config = Arc::new(config);
    let server = create_scheduler::<LogicalPlanNode, PhysicalPlanNode>(cluster, config).await?;
    println!("{LISTENS}{address}");
    start_grpc_service_with_listener(listener, server).await?;
    Ok(())
}
