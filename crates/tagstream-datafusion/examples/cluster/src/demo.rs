//! The demonstration: a scheduler and executors as processes, a query over a folder of XML documents, and an executor
//! that is killed in the middle of its tasks.

use crate::Failure;
use crate::children::{Children, Process};
use crate::documents;
use crate::executor::{FAILED, FINISHED, READY, STARTED};
use crate::scheduler::LISTENS;
use crate::session;
use clap::Args;
use datafusion::arrow::record_batch::RecordBatch;
use datafusion::arrow::util::display::array_value_to_string;
use datafusion::arrow::util::pretty::pretty_format_batches;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::oneshot;

/// The arguments of `cluster demo`.
#[derive(Args)]
pub struct DemoArguments {
    /// Number of documents of orders. Each of them is read by one task
    #[arg(long, default_value_t = 24)]
    files: usize,
    /// Size of each document in MB
    #[arg(long, default_value_t = 8)]
    megabytes: usize,
    /// Number of executors
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u16).range(2..))]
    executors: u16,
    /// Number of tasks that an executor runs at the same time
    #[arg(long, default_value_t = 2)]
    cores: usize,
    /// Seconds without a heartbeat after which the scheduler gives an executor up. Ballista's default is 180
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u64).range(2..))]
    heartbeat_limit: u64,
    /// Number of tasks that the first executor has finished before it is killed
    #[arg(long, default_value_t = 3)]
    kill_after: usize,
    /// Seconds after which the demonstration gives up
    #[arg(long, default_value_t = 900)]
    time_limit: u64,
    /// Do not kill an executor
    #[arg(long)]
    no_kill: bool,
}

/// Runs the demonstration. When it returns, all processes that it has started have ended, also if it fails or is
/// interrupted.
pub async fn run(arguments: DemoArguments) -> Result<(), Failure> {
    let mut interrupted = signal(SignalKind::interrupt())?;
    let mut terminated = signal(SignalKind::terminate())?;
    // The folder is removed after the processes have ended.
    let folder = tempfile::tempdir()?;
    let mut children = Children::default();
    let limit = tokio::time::sleep(Duration::from_secs(arguments.time_limit));
    tokio::select! {
        result = run_in(folder.path(), &arguments, &mut children) => result,
        _ = interrupted.recv() => Err("interrupted".into()),
        _ = terminated.recv() => Err("terminated".into()),
        () = limit => Err("the query did not end within the time limit".into()),
    }
}

async fn run_in(
    folder: &Path,
    arguments: &DemoArguments,
    children: &mut Children,
) -> Result<(), Failure> {
    let (files, bytes) = (arguments.files, arguments.megabytes * 1_000_000);
    println!(
        "writing {files} documents of {} MB each",
        arguments.megabytes
    );
    let documents = folder.join("documents");
    let expected = documents::write(&documents, files, bytes)?;

    let limit = arguments.heartbeat_limit.to_string();
    let mut scheduler = children.start(&[
        "scheduler",
        "--bind=127.0.0.1:0",
        "--heartbeat-limit",
        &limit,
    ])?;
    let id = scheduler.id();
    let address = in_thread(move || {
        let line = scheduler.next_line()?.unwrap_or_default();
        let address = line.strip_prefix(LISTENS).map(str::to_owned);
        address.ok_or_else(|| "the scheduler did not start".into())
    })
    .await?;
    println!("scheduler: process {id}, address {address}");

    let mut executors = Vec::new();
    for number in 1..=arguments.executors {
        let executor = start_executor(folder, arguments, children, &address, number).await?;
        println!("executor {number}: process {}", executor.id());
        executors.push(executor);
    }

    let state = session::state(arguments.files);
    let context = session::connect(&address, state).await?;
    // Each partition, which is a document here, is a task of its own.
    session::run(
        &context,
        "SET ballista.scheduler.max_partitions_per_task = 1",
    )
    .await?;
    let place = documents.display().to_string();
    for table in [documents::CUSTOMERS, documents::ORDERS] {
        session::run(&context, &table.replace('@', &place)).await?;
    }
    println!("\n{}\n", documents::QUERY);
    let begin = Instant::now();

    let mut executors = executors.into_iter();
    let first = executors.next().ok_or("there is no executor")?;
    let (kill, after) = (!arguments.no_kill, arguments.kill_after);
    let killing = in_thread(move || {
        let mut first = first;
        let mut tasks = Tasks::default();
        if kill {
            kill_in_the_middle(&mut first, after, &mut tasks)?;
            println!(
                "executor 1 was killed when it had finished {} tasks and was running {}",
                tasks.finished,
                tasks.running()
            );
        }
        watch(first, tasks)
    });
    let mut watched = Vec::new();
    for executor in executors {
        watched.push(in_thread(move || watch(executor, Tasks::default())));
    }
    // If the process cannot be killed, the result of the query is not waited for.
    let mut killing = std::pin::pin!(killing);
    let query = async {
        let batches = session::run(&context, documents::QUERY).await?;
        Ok::<_, Failure>((batches, begin.elapsed()))
    };
    let mut query = std::pin::pin!(query);
    let mut tasks_of_first = None;
    let (batches, time) = loop {
        tokio::select! {
            result = &mut query => break result?,
            tasks = &mut killing, if tasks_of_first.is_none() => tasks_of_first = Some(tasks?),
        }
    };
    // Ends the output of the executors.
    drop(std::mem::take(children));
    let first = match tasks_of_first {
        Some(tasks) => tasks,
        None => killing.await?,
    };
    if kill && first.running() == 0 {
        return Err("the executor was not killed in the middle of a task".into());
    }

    println!("\n{}", pretty_format_batches(&batches)?);
    println!("{:.1} s", time.as_secs_f64());
    println!(
        "executor 1: {} tasks started, {} finished",
        first.started, first.finished
    );
    for (number, tasks) in watched.into_iter().enumerate() {
        let tasks = tasks.await?;
        println!(
            "executor {}: {} tasks started, {} finished",
            number + 2,
            tasks.started,
            tasks.finished
        );
    }
    let found = lines(&batches)?;
    if found != expected {
        return Err(format!(
            "the result is wrong:\n{}\nexpected:\n{}",
            found.join("\n"),
            expected.join("\n")
        )
        .into());
    }
    println!("the result is the one that was computed without SQL");
    Ok(())
}

/// Starts an executor, and waits until the scheduler knows it.
async fn start_executor(
    folder: &Path,
    arguments: &DemoArguments,
    children: &mut Children,
    scheduler: &str,
    number: u16,
) -> Result<Process, Failure> {
    // The ports of an executor are chosen before it listens on them, so another process can take them first.
    const ATTEMPTS: usize = 5;
    let cores = arguments.cores.to_string();
    let heartbeat = (arguments.heartbeat_limit / 5).max(1).to_string();
    for _ in 0..ATTEMPTS {
        let results = folder.join(format!("executor-{number}"));
        std::fs::create_dir_all(&results)?;
        let mut executor = children.start(&[
            "executor",
            "--scheduler",
            scheduler,
            "--cores",
            &cores,
            "--heartbeat",
            &heartbeat,
            "--folder",
            &results.display().to_string(),
        ])?;
        let ready = in_thread(move || {
            let line = executor.next_line()?;
            Ok(line.as_deref().map(|line| line == READY).map(|_| executor))
        });
        if let Some(executor) = ready.await? {
            return Ok(executor);
        }
    }
    Err(format!("executor {number} did not start").into())
}

/// Numbers of tasks of an executor, as it has reported them.
#[derive(Clone, Copy, Default)]
struct Tasks {
    started: usize,
    finished: usize,
    failed: usize,
}

impl Tasks {
    fn running(self) -> usize {
        self.started - self.finished - self.failed
    }

    fn add(&mut self, line: &str) {
        self.started += usize::from(line.starts_with(STARTED));
        self.finished += usize::from(line.starts_with(FINISHED));
        self.failed += usize::from(line.starts_with(FAILED));
    }
}

/// Kills an executor that has finished some tasks and is running others.
///
/// The executor is stopped before it is killed. All that it has reported is then read, so that the numbers of finished
/// and running tasks are those at the moment of its end. If no task is running, the executor goes on until its next
/// report.
fn kill_in_the_middle(
    executor: &mut Process,
    after: usize,
    tasks: &mut Tasks,
) -> Result<(), Failure> {
    loop {
        let Some(line) = executor.next_line()? else {
            return Err("the executor ended before it was killed".into());
        };
        tasks.add(&line);
        if tasks.finished < after || tasks.running() == 0 {
            continue;
        }
        executor.stop()?;
        for line in executor.lines_before_stop()? {
            tasks.add(&line);
        }
        if tasks.running() > 0 {
            executor.kill()?;
            return Ok(());
        }
        executor.proceed()?;
    }
}

/// Counts the tasks of an executor until it ends.
fn watch(mut executor: Process, mut tasks: Tasks) -> Result<Tasks, Failure> {
    while let Some(line) = executor.next_line()? {
        tasks.add(&line);
    }
    Ok(tasks)
}

/// Runs a function that blocks. The thread is not waited for when the future is dropped.
fn in_thread<T: Send + 'static>(
    function: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> impl Future<Output = Result<T, Failure>> {
    let (send, receive) = oneshot::channel();
    let started = thread::Builder::new().spawn(move || {
        // Nobody waits for the result if the demonstration was interrupted.
        let _ = send.send(function());
    });
    async move {
        started?;
        receive.await?
    }
}

/// Returns the rows of a result as text.
pub fn lines(batches: &[RecordBatch]) -> Result<Vec<String>, Failure> {
    let mut lines = Vec::new();
    for batch in batches {
        for row in 0..batch.num_rows() {
            let cells = batch
                .columns()
                .iter()
                .map(|column| array_value_to_string(column, row));
            lines.push(cells.collect::<Result<Vec<_>, _>>()?.join("|"));
        }
    }
    Ok(lines)
}
