//! The program `cluster`.

use clap::{Args, Parser, Subcommand};
use log::LevelFilter;
use std::process::ExitCode;
use tagstream_cluster::{Failure, children, demo, executor, logger, scheduler, session};

/// A cluster of Ballista that reads XML
#[derive(Parser)]
#[command(name = "cluster", arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Start a cluster of processes, kill an executor in the middle of a query, and check the result
    ///
    /// Writes a folder of XML documents, starts a scheduler and executors on loopback, runs a query with a join and
    /// groups, and compares its result with one that is computed without SQL. All processes end with the demonstration.
    Demo(demo::DemoArguments),
    /// Run a scheduler
    Scheduler {
        #[command(flatten)]
        arguments: scheduler::SchedulerArguments,
        #[command(flatten)]
        process: Process,
    },
    /// Run an executor, which prints a line when a task starts and when it ends
    Executor {
        #[command(flatten)]
        arguments: executor::ExecutorArguments,
        #[command(flatten)]
        process: Process,
    },
    /// Run statements on a cluster, and print their results and times
    Query(session::QueryArguments),
}

/// Arguments of processes that run until they are ended.
#[derive(Args)]
struct Process {
    /// End when the standard input is closed, as it is when the process that started this one ends
    #[arg(long)]
    end_with_stdin: bool,
}

impl Process {
    fn begin(&self) -> Result<(), Failure> {
        match self.end_with_stdin {
            // An executor that is killed on purpose would cause many warnings.
            true => {
                logger::start(LevelFilter::Error);
                children::end_with_parent()
            }
            false => {
                logger::start(LevelFilter::Warn);
                Ok(())
            }
        }
    }
}

/// Size of the stack of each thread, which is that of Ballista's own programs.
const STACK_BYTES: usize = 32 << 20;

fn run(arguments: Arguments) -> Result<(), Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .thread_stack_size(STACK_BYTES)
        .build()?;
    runtime.block_on(async {
        match arguments.command {
            Command::Demo(arguments) => demo::run(arguments).await,
            Command::Scheduler { arguments, process } => {
                process.begin()?;
                scheduler::run(arguments).await
            }
            Command::Executor { arguments, process } => {
                process.begin()?;
                executor::run(arguments).await
            }
            Command::Query(arguments) => session::query(arguments).await,
        }
    })
}

fn main() -> ExitCode {
    match run(Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("cluster: {error}");
            ExitCode::FAILURE
        }
    }
}
