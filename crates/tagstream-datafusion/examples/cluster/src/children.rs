//! Processes that end with the process that started them, however that one ends.

use crate::Failure;
use rustix::process::{Pid, Signal, WaitIdOptions, kill_process, waitid};
use std::io::{self, BufRead, BufReader, Read};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread;

/// The processes that were started. When this value is dropped, they are killed and waited for.
#[derive(Default)]
pub struct Children {
    children: Vec<(Child, Option<ChildStdin>)>,
}

impl Children {
    /// Starts this program again with other arguments.
    ///
    /// The process ends when its standard input is closed ([`end_with_parent`]), which happens even if this process is
    /// killed.
    pub fn start(&mut self, arguments: &[&str]) -> Result<Process, Failure> {
        let mut child = Command::new(std::env::current_exe()?)
            .args(arguments)
            .arg("--end-with-stdin")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let input = child.stdin.take();
        let output = child.stdout.take();
        let id = child.id();
        self.children.push((child, input));
        Ok(Process {
            id: Pid::from_raw(i32::try_from(id)?).ok_or("the process has no number")?,
            output: BufReader::new(output.ok_or("the process has no output")?),
        })
    }
}

impl Drop for Children {
    fn drop(&mut self) {
        for (child, _) in &mut self.children {
            // An error means that the process has ended already.
            let _ = child.kill();
        }
        for (child, _) in &mut self.children {
            let _ = child.wait();
        }
    }
}

/// A process that was started.
pub struct Process {
    id: Pid,
    output: BufReader<ChildStdout>,
}

impl Process {
    /// Returns the number of the process.
    pub fn id(&self) -> i32 {
        self.id.as_raw_nonzero().get()
    }

    /// Waits for the next line of the process's output. Returns `None` when the process has ended.
    pub fn next_line(&mut self) -> io::Result<Option<String>> {
        let mut line = String::new();
        self.output.read_line(&mut line)?;
        Ok(line.ends_with('\n').then(|| line.trim_end().to_owned()))
    }

    /// Stops the process, and returns when all of its threads have stopped. The process can be continued or killed.
    pub fn stop(&self) -> Result<(), Failure> {
        kill_process(self.id, Signal::STOP)?;
        // The status is left to `Child::wait`.
        let options = WaitIdOptions::STOPPED | WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
        match waitid(rustix::process::WaitId::Pid(self.id), options)? {
            Some(status) if status.stopped() => Ok(()),
            _ => Err("the process ended before it was stopped".into()),
        }
    }

    /// Returns the lines that a stopped process has written and that were not read before.
    pub fn lines_before_stop(&mut self) -> io::Result<Vec<String>> {
        let mut lines = Vec::new();
        while !self.output.buffer().is_empty()
            || rustix::io::ioctl_fionread(self.output.get_ref())? > 0
        {
            lines.extend(self.next_line()?);
        }
        Ok(lines)
    }

    /// Lets a stopped process run on.
    pub fn proceed(&self) -> io::Result<()> {
        Ok(kill_process(self.id, Signal::CONT)?)
    }

    /// Kills the process with SIGKILL.
    pub fn kill(&self) -> io::Result<()> {
        Ok(kill_process(self.id, Signal::KILL)?)
    }
}

/// Ends this process when its standard input is closed, and, on Linux, when the thread that started it has ended.
pub fn end_with_parent() -> Result<(), Failure> {
    // The other way does not work while the process is stopped.
    #[cfg(target_os = "linux")]
    rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
    thread::Builder::new().spawn(|| {
        let mut input = io::stdin().lock();
        let mut buffer = [0; 64];
        while matches!(input.read(&mut buffer), Ok(1..)) {}
        std::process::exit(0);
    })?;
    Ok(())
}
