//! The supervisor's side: start the program, pass lines, watch the limits, end all processes.

use std::io::{self, BufRead, BufReader, Read, Write, stdin, stdout};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::time::{Duration, Instant};

use super::{Answer, Cause, End, Event, LONGEST_ANSWER, Start, own_program};
use crate::address_space::limit_address_space;
use crate::descendants::{descendants, memory_above, processor_time};
use crate::machine::ended_for_memory;
use crate::tail::Tail;

/// How often the end of the program is looked for.
const POLL: Duration = Duration::from_millis(5);
/// How often memory and processes are measured.
const SURVEY: Duration = Duration::from_millis(100);
/// Time for the last messages of a program that has ended.
const GRACE: Duration = Duration::from_secs(1);

/// What the supervisor waits for.
enum Message {
    /// The parent sends a request.
    Request(String),
    /// The parent has ended, or needs no more.
    Closed,
    /// The program wrote a line.
    Line(String),
    /// The program wrote a line that is too long.
    TooLong,
}

/// Starts the supervisor with the pipes of this process, which then ends: the supervisor is
/// nobody's child.
///
/// # Errors
/// The operating system's error where it cannot be started.
pub fn detach() -> io::Result<()> {
    let mut command = Command::new(own_program());
    command.args(["supervise", "--here"]);
    // In a group of its own it survives the signals that end its user, and then cleans up.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command.spawn().map(|_| ())
}

/// Runs the program that standard input names, until it ends or standard input closes.
///
/// # Errors
/// The operating system's error where pipes or threads fail; the message of a first line that is no
/// [`Start`].
pub fn supervise() -> io::Result<()> {
    let mut first = String::new();
    stdin().read_line(&mut first)?;
    let start: Start = serde_json::from_str(&first)?;
    adopt_orphans()?;
    // A worker limits its own address space, but libraries reserve far more than they use.
    limit_address_space(None)?;
    // Few messages are under way at a time: a program that floods its output has to wait.
    let (sender, inbox) = sync_channel(16);
    listen(sender.clone())?;
    let ended = match command(&start).spawn() {
        Ok(child) => {
            Running::new(child, &start, sender).and_then(|running| running.watch(&start, &inbox))
        }
        Err(error) => {
            let cause = Cause::Unstarted(error.to_string());
            let (output, messages) = (String::new(), String::new());
            Ok(Some(End { cause, output, messages, left: 0, processor_time: processor_time() }))
        }
    };
    #[cfg(unix)]
    crate::descendants::end_descendants(0); // after an error the program still runs
    if let Ok(Some(end)) = &ended {
        emit(&Event::Ended(end.clone()));
        // The parent reads files of the folder before it closes the pipe.
        while !matches!(inbox.recv(), Ok(Message::Closed) | Err(_)) {}
    }
    remove(&start.folder);
    ended.map(|_| ())
}

/// A running program.
struct Running {
    child: Child,
    requests: Option<Sender<String>>,
    output: Output,
    messages: Tail,
    /// How many processes the kernel had ended for lack of memory before.
    ended_for_memory: Option<u64>,
}

/// Standard output: of a program that serves its lines, else its last part.
enum Output {
    Lines,
    Tail(Tail),
}

impl Running {
    fn new(mut child: Child, start: &Start, sender: SyncSender<Message>) -> io::Result<Self> {
        let (input, output, messages) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let missing = || io::Error::from(io::ErrorKind::BrokenPipe);
        let (output, messages) =
            (output.ok_or_else(missing)?, Tail::of(messages.ok_or_else(missing)?)?);
        let (output, requests) = match start.serves {
            true => {
                read_lines(output, sender)?;
                (Output::Lines, Some(write_lines(input.ok_or_else(missing)?)?))
            }
            false => (Output::Tail(Tail::of(output)?), None),
        };
        Ok(Self { child, requests, output, messages, ended_for_memory: ended_for_memory() })
    }

    /// Passes lines until the program ends, and then ends all that it has started. Returns how it
    /// ended; `None` where the parent needs no more.
    fn watch(mut self, start: &Start, inbox: &Receiver<Message>) -> io::Result<Option<End>> {
        let (mut surveyed, mut asked) = (Instant::now(), Asked::new());
        let cause = loop {
            match inbox.recv_timeout(POLL) {
                Ok(Message::Request(line)) => {
                    asked.one_more();
                    // If the program has closed its input it will end, or the time limit ends it.
                    let _ = self.requests.as_ref().map(|requests| requests.send(line));
                }
                Ok(Message::Closed) => break None,
                Ok(line) => match answered(line, &mut asked) {
                    None => {}
                    wrong => break wrong,
                },
                Err(_) => {}
            }
            if let Some(status) = self.child.try_wait()? {
                break Some(ended_with(status, self.ended_for_memory));
            }
            if surveyed.elapsed() >= SURVEY {
                if let Some(cause) = excess(start) {
                    break Some(cause);
                }
                surveyed = Instant::now();
            }
        };
        let left = end_all(&mut self.child);
        let processor_time = processor_time();
        let Some(cause) = cause else { return Ok(None) };
        let latest = Instant::now() + GRACE;
        let messages = self.messages.text(latest);
        let output = match &self.output {
            Output::Tail(tail) => tail.text(latest),
            Output::Lines => {
                // An answer may have been written just before the end.
                while let Ok(line @ (Message::Line(_) | Message::TooLong)) =
                    inbox.recv_timeout(10 * POLL)
                {
                    answered(line, &mut asked);
                }
                String::new()
            }
        };
        Ok(Some(End { cause, output, messages, left, processor_time }))
    }
}

/// The exit code of a shell whose program was killed: 128 and the number of the signal.
#[cfg(unix)]
const SHELL_KILLED: i32 = 137;

/// How a program ended. The kernel ends a process for lack of memory by a kill, and counts it in
/// the control group.
fn ended_with(status: ExitStatus, before: Option<u64>) -> Cause {
    #[cfg(unix)]
    let is_killed = std::os::unix::process::ExitStatusExt::signal(&status) == Some(9)
        || status.code() == Some(SHELL_KILLED);
    #[cfg(not(unix))]
    let is_killed = false;
    let by_kernel =
        is_killed && ended_for_memory().zip(before).is_some_and(|(now, before)| now > before);
    match status.success() {
        true => Cause::Success,
        false if by_kernel => Cause::Memory(0),
        false => Cause::Exited(status.to_string()),
    }
}

/// The requests without an answer so far.
struct Asked {
    open: usize,
    /// Processor time of all processes before the oldest of them.
    before: Option<Duration>,
}

impl Asked {
    /// None yet: the start of the program counts as part of the first request.
    fn new() -> Self {
        Self { open: 0, before: None }
    }

    fn one_more(&mut self) {
        if self.open == 0 && self.before.is_some() {
            // what the program did since its last answer is not part of this request
            self.before = processor_time();
        }
        self.open += 1;
    }

    /// Processor time of the request that has just been answered.
    fn one_less(&mut self) -> Option<Duration> {
        self.open = self.open.saturating_sub(1);
        let now = processor_time();
        let spent = now.map(|now| now.saturating_sub(self.before.unwrap_or_default()));
        self.before = now;
        spent
    }
}

/// Passes an answer on. Returns what is wrong with a line that is none.
fn answered(line: Message, asked: &mut Asked) -> Option<Cause> {
    let Message::Line(line) = line else {
        return Some(Cause::Output(format!(
            "its line on standard output is longer than {LONGEST_ANSWER} bytes"
        )));
    };
    if asked.open == 0 {
        let shown: String = line.chars().take(80).collect();
        return Some(Cause::Output(format!(
            "it wrote to standard output without a request: {shown:?}"
        )));
    }
    let processor_time = asked.one_less();
    emit(&Event::Answer(Answer { line, processor_time }));
    None
}

/// The limit that the processes exceed.
fn excess(start: &Start) -> Option<Cause> {
    let all = descendants(std::process::id());
    if all.len() > start.processes {
        return Some(Cause::Processes(all.len()));
    }
    start.memory.and_then(|limit| memory_above(&all, limit)).map(Cause::Memory)
}

/// The program as it is started: in its folder, with a process group of its own, and without the
/// variables that tell where the run was started.
fn command(start: &Start) -> Command {
    let mut command = Command::new(&start.program);
    command.args(&start.arguments).current_dir(&start.folder);
    let hidden =
        |name: &str| name.starts_with("UQBENCH_") || ["PWD", "OLDPWD", "_"].contains(&name);
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_str().is_some_and(hidden)) {
        command.env_remove(name);
    }
    command.envs(&start.environment);
    command.stdin(if start.serves { Stdio::piped() } else { Stdio::null() });
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command
}

/// Reads the parent's requests, each a JSON string on a line.
fn listen(sender: SyncSender<Message>) -> io::Result<()> {
    let listen = move || {
        for line in stdin().lines().map_while(Result::ok) {
            let Ok(request) = serde_json::from_str(&line) else { break };
            if sender.send(Message::Request(request)).is_err() {
                return;
            }
        }
        let _ = sender.send(Message::Closed); // the program has ended otherwise
    };
    std::thread::Builder::new().name("requests".into()).spawn(listen).map(|_| ())
}

fn read_lines(output: ChildStdout, sender: SyncSender<Message>) -> io::Result<()> {
    let read = move || {
        let mut output = BufReader::new(output);
        loop {
            let mut line = Vec::new();
            let limited = (&mut output).take(LONGEST_ANSWER + 1).read_until(b'\n', &mut line);
            let message = match limited {
                Ok(0) | Err(_) => return,
                Ok(length) if length as u64 > LONGEST_ANSWER => Message::TooLong,
                Ok(_) => Message::Line(String::from_utf8_lossy(&line).trim_end().to_owned()),
            };
            if sender.send(message).is_err() {
                return;
            }
        }
    };
    std::thread::Builder::new().name("answers".into()).spawn(read).map(|_| ())
}

/// Writes lines in a thread, because a program that does not read would block the supervisor.
fn write_lines(mut input: ChildStdin) -> io::Result<Sender<String>> {
    let (sender, lines) = channel::<String>();
    let write = move || {
        for line in lines {
            if writeln!(input, "{line}").and_then(|()| input.flush()).is_err() {
                return;
            }
        }
    };
    std::thread::Builder::new().name("input".into()).spawn(write)?;
    Ok(sender)
}

/// Tells the parent. If that has ended nobody reads it, and its closed pipe ends the supervisor.
fn emit(event: &Event) {
    let mut out = stdout().lock();
    let line = serde_json::to_string(event).unwrap_or_default();
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}

/// Removes the program's folder. A file system may list a file for a moment after the last process
/// has ended.
fn remove(folder: &Path) {
    for _ in 0..10 {
        if std::fs::remove_dir_all(folder).is_ok() || !folder.exists() {
            return;
        }
        std::thread::sleep(POLL);
    }
}

/// Ends the program and all that it has started. Returns how many other processes were still
/// running.
fn end_all(child: &mut Child) -> usize {
    #[cfg(unix)]
    let left = {
        use rustix::process::{Pid, Signal, kill_process_group};
        let left = crate::descendants::end_descendants(child.id());
        if let Some(group) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
            let _ = kill_process_group(group, Signal::KILL); // it has usually ended
        }
        left
    };
    #[cfg(not(unix))]
    let left = 0;
    let _ = child.kill();
    let _ = child.wait();
    left
}

/// Makes this process the parent of all descendants whose own parent ends.
fn adopt_orphans() -> io::Result<()> {
    #[cfg(target_os = "linux")]
    rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?;
    Ok(())
}
