//! The executor: it runs tasks, and reports on its standard output when a task starts and when it ends.

use crate::Failure;
use crate::session::{logical_codec, physical_codec};
use async_trait::async_trait;
use ballista_core::JobId;
use ballista_core::serde::protobuf::{
    RuntimeStatsReport, ShuffleWritePartition, TaskColumnStats, WindowStateReport,
};
use ballista_executor::execution_engine::{
    DefaultExecutionEngine, ExecutionEngine, QueryStageExecutor,
};
use ballista_executor::executor_process::{ExecutorProcessConfig, start_executor_process};
use clap::Args;
use datafusion::error::Result;
use datafusion::execution::TaskContext;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::metrics::MetricsSet;
use datafusion::prelude::SessionConfig;
use std::fmt;
use std::io::{self, Write};
use std::net::{IpAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// The arguments of `cluster executor`.
#[derive(Args)]
pub struct ExecutorArguments {
    /// Address of the scheduler
    #[arg(long, default_value = "127.0.0.1:50050", value_name = "HOST:PORT")]
    scheduler: String,
    /// Address on which the scheduler, other executors and clients are accepted
    #[arg(long, default_value = "127.0.0.1", value_name = "ADDRESS")]
    bind: IpAddr,
    /// Name or address by which others reach the executor [default: the address of --bind]
    #[arg(long, value_name = "HOST")]
    host: Option<String>,
    /// Port for intermediate and final results. With 0, the system chooses a free port
    #[arg(long, default_value_t = 0)]
    port: u16,
    /// Port for tasks. With 0, the system chooses a free port
    #[arg(long, default_value_t = 0)]
    task_port: u16,
    /// Number of partitions that are read at the same time [default: the number of processors]
    #[arg(long, value_name = "NUMBER")]
    cores: Option<usize>,
    /// Seconds between two heartbeats. It must be shorter than the limit of the scheduler
    #[arg(long, default_value_t = 60, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    heartbeat: u64,
    /// Folder for intermediate results [default: a temporary folder]
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
}

/// The line that an executor prints when the scheduler knows it.
pub const READY: &str = "executor is ready";
/// The beginning of the line that is printed before a task runs.
pub const STARTED: &str = "started ";
/// The beginning of the line that is printed when a task has ended without an error.
pub const FINISHED: &str = "finished ";
/// The beginning of the line that is printed when a task has ended with an error.
pub const FAILED: &str = "failed ";

/// Runs an executor until the process is ended.
pub async fn run(arguments: ExecutorArguments) -> Result<(), Failure> {
    let (scheduler_host, scheduler_port) = arguments
        .scheduler
        .rsplit_once(':')
        .ok_or("the address of the scheduler needs a port, such as 127.0.0.1:50050")?;
    // A temporary folder is removed when the executor ends, but not if it is killed.
    let (_temporary, folder) = match arguments.folder {
        Some(folder) => (None, folder),
        None => {
            let temporary = tempfile::tempdir()?;
            let folder = temporary.path().to_owned();
            (Some(temporary), folder)
        }
    };
    let folder = folder.to_str().ok_or("the folder is not UTF-8")?;
    let defaults = ExecutorProcessConfig::default();
    let config = ExecutorProcessConfig {
        bind_host: arguments.bind.to_string(),
        external_host: Some(arguments.host.unwrap_or(arguments.bind.to_string())),
        port: free_port(arguments.bind, arguments.port)?,
        grpc_port: free_port(arguments.bind, arguments.task_port)?,
        scheduler_host: scheduler_host.to_owned(),
        scheduler_port: scheduler_port.parse()?,
        vcores: arguments.cores.unwrap_or(defaults.vcores),
        work_dir: Some(folder.to_owned()),
        executor_heartbeat_interval_seconds: arguments.heartbeat,
        override_execution_engine: Some(Arc::new(Reporting(DefaultExecutionEngine::new()))),
        override_logical_codec: Some(logical_codec()),
        override_physical_codec: Some(physical_codec()),
        ..defaults
    };
    let health = config.health.clone();
    let ready = async {
        while !health.is_ready() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        report(READY);
        std::future::pending::<()>().await;
    };
    tokio::select! {
        ended = start_executor_process(Arc::new(config)) => Ok(ended?),
        () = ready => Ok(()),
    }
}

/// Returns a port that is free now, if none is given. Ballista does not report the port that the system chooses.
fn free_port(address: IpAddr, port: u16) -> io::Result<u16> {
    match port {
        0 => Ok(TcpListener::bind((address, 0))?.local_addr()?.port()),
        port => Ok(port),
    }
}

/// Writes a line at once, so that a reader never sees a part of it.
fn report(line: &str) {
    let line = format!("{line}\n");
    let mut output = io::stdout().lock();
    // If nobody reads the reports, the tasks run all the same.
    let _ = output.write_all(line.as_bytes());
    let _ = output.flush();
}

/// Reports the start and the end of each task that another engine runs.
struct Reporting(DefaultExecutionEngine);

impl ExecutionEngine for Reporting {
    fn create_query_stage_exec(
        &self,
        job_id: JobId,
        stage_id: usize,
        task_id: usize,
        partitions: Vec<usize>,
        plan: Arc<dyn ExecutionPlan>,
        folder: &str,
        config: &SessionConfig,
    ) -> Result<Arc<dyn QueryStageExecutor>> {
        let name = format!("{job_id}/{stage_id}/{task_id}");
        let task = self
            .0
            .create_query_stage_exec(job_id, stage_id, task_id, partitions, plan, folder, config)?;
        Ok(Arc::new(ReportedTask { name, task }))
    }
}

/// A task whose start and end are reported.
#[derive(Debug)]
struct ReportedTask {
    /// The names of the job, the stage and the task.
    name: String,
    task: Arc<dyn QueryStageExecutor>,
}

impl fmt::Display for ReportedTask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.task.fmt(f)
    }
}

#[async_trait]
impl QueryStageExecutor for ReportedTask {
    async fn execute_query_stage(
        &self,
        task_id: usize,
        context: Arc<TaskContext>,
    ) -> Result<Vec<ShuffleWritePartition>> {
        report(&format!("{STARTED}{}", self.name));
        let result = self.task.execute_query_stage(task_id, context).await;
        let end = if result.is_ok() { FINISHED } else { FAILED };
        report(&format!("{end}{}", self.name));
        result
    }

    fn collect_plan_metrics(&self) -> Vec<MetricsSet> {
        self.task.collect_plan_metrics()
    }

    fn collect_runtime_stats_reports(&self) -> Vec<RuntimeStatsReport> {
        self.task.collect_runtime_stats_reports()
    }

    fn collect_window_state_reports(&self) -> Result<Vec<WindowStateReport>> {
        self.task.collect_window_state_reports()
    }

    fn collect_column_stats(&self) -> Vec<TaskColumnStats> {
        self.task.collect_column_stats()
    }
}
