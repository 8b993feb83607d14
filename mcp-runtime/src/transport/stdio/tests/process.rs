//! The standard streams of a real process: this test binary again, with one hidden test that serves.

#![allow(unsafe_code, reason = "the tools print the way a C library does")]

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdout, Command, Stdio, exit};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use super::fixture::{answer, argument, call, text, tools};
use crate::dispatch::{Call, Outcome};
use crate::registry::{BoxFuture, Handler};
use crate::{LogLevel, Server};

/// Set for the process that serves.
const SERVES: &str = "MCP_RUNTIME_TEST_SERVES_STDIO";
/// A process that takes longer has hung.
const PATIENCE: Duration = Duration::from_secs(60);

tools! {
    "process_echo" = Handler::Sync(|call| text(call, &argument(call, "text")));
    "process_noise" = Handler::Sync(noise);
    "process_wait" = Handler::Async(wait);
}

/// Prints in every way there is, and reads.
fn noise(call: &Call) -> Outcome {
    println!("stray println");
    print!("stray print, ");
    // SAFETY: the format is a C string without directives.
    unsafe { libc::printf(c"stray printf\n".as_ptr()) };
    let bytes = b"stray write\n";
    // SAFETY: the pointer and the length are those of a live slice.
    let written = unsafe { libc::write(1, bytes.as_ptr().cast(), bytes.len()) };
    assert_eq!(written, 12);
    assert!(Command::new("echo").arg("stray child").status().expect("`echo` runs").success());
    assert!(Command::new("cat").stdin(Stdio::inherit()).status().expect("`cat` runs").success());
    text(call, "quiet")
}

/// Says that it is there and never ends.
fn wait(call: &Call) -> BoxFuture<'_, Outcome> {
    Box::pin(async move {
        call.context().log(LogLevel::Info, "waiting");
        std::future::pending().await
    })
}

/// The process under test; a test without anything to do elsewhere.
#[test]
fn serves_when_it_is_told_to() {
    if std::env::var_os(SERVES).is_none() {
        return;
    }
    let runtime = tokio::runtime::Runtime::new().expect("the runtime starts");
    let server = Server::new().name("test").version("1").only(super::fixture::GROUP);
    let outcome = runtime.block_on(server.shutdown_grace(Duration::from_millis(100)).serve_stdio());
    drop(runtime);
    // Not `println!`, which panics where the client is gone.
    let _ = writeln!(std::io::stdout(), "afterwards");
    // Before the test harness can print anything.
    exit(if outcome.is_ok() { 0 } else { 70 });
}

/// A process that serves, ended when it takes too long.
struct Process {
    child: Child,
    _ended: mpsc::Sender<()>,
}

impl Process {
    fn start() -> Self {
        Self::start_with("")
    }

    /// Starts it by a shell, which redirects as told.
    fn start_with(redirections: &str) -> Self {
        let child = Command::new("sh")
            .args(["-c", &format!("exec \"$0\" \"$@\" {redirections}")])
            .arg(std::env::current_exe().expect("the test has a path"))
            .args(["--exact", "transport::stdio::tests::process::serves_when_it_is_told_to"])
            .args(["--nocapture", "--test-threads=2"])
            .env(SERVES, "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the shell starts");
        let (ended, watched) = mpsc::channel();
        let id = child.id();
        thread::spawn(move || {
            if watched.recv_timeout(PATIENCE) == Err(mpsc::RecvTimeoutError::Timeout) {
                signal(id, "KILL");
            }
        });
        Self { child, _ended: ended }
    }

    fn send(&mut self, lines: &[String]) {
        let stdin = self.child.stdin.as_mut().expect("it is a pipe");
        stdin.write_all((lines.join("\n") + "\n").as_bytes()).expect("the process reads");
    }

    fn take_stdout(&mut self) -> BufReader<ChildStdout> {
        BufReader::new(self.child.stdout.take().expect("it is a pipe"))
    }

    /// Reads to the end of stdout and stderr, and gives the lines of each, with the exit code.
    fn finish(mut self) -> (Vec<String>, String, Option<i32>) {
        let mut stderr = self.child.stderr.take().expect("it is a pipe");
        let errors = thread::spawn(move || {
            let mut text = String::new();
            stderr.read_to_string(&mut text).expect("it is UTF-8");
            text
        });
        let stdout = self.child.stdout.take().map(BufReader::new);
        let lines = stdout.into_iter().flat_map(BufReader::lines).map(|line| line.expect("it is UTF-8"));
        let lines = lines.skip_while(|line| is_of_the_harness(line)).collect();
        let errors = errors.join().expect("stderr is read");
        (lines, errors, self.child.wait().expect("the process is a child").code())
    }
}

/// The first line that the server writes.
fn first_message(stdout: &mut impl BufRead) -> Value {
    let mut lines = stdout.by_ref().lines().map(|line| line.expect("it is UTF-8"));
    parsed(&lines.find(|line| !is_of_the_harness(line)).expect("the server answers"))
}

/// What the test harness prints before the hidden test runs.
fn is_of_the_harness(line: &str) -> bool {
    line.is_empty() || line == "running 1 test"
}

fn signal(process: u32, signal: &str) {
    let kill = format!("kill -{signal} {process}");
    assert!(Command::new("sh").args(["-c", &kill]).status().expect("the shell starts").success());
}

fn parsed(line: &str) -> Value {
    serde_json::from_str(line).unwrap_or_else(|_| panic!("not a message: {line:?}"))
}

/// Case C6: "the process's stdout written to by a dependency after start-up".
#[test]
fn what_handlers_print_reaches_stderr() {
    let mut process = Process::start();
    process.send(&[call(1, "process_noise", &json!({}))]);
    // Stdin is still open: a child that inherited it would wait here.
    let mut stdout = process.take_stdout();
    assert_eq!(first_message(&mut stdout), answer(1, "quiet"));
    process.send(&[call(2, "process_echo", &json!({ "text": "not eaten by a child" }))]);
    drop(process.child.stdin.take());
    let lines: Vec<String> = stdout.lines().map(|line| line.expect("it is UTF-8")).collect();
    let [second, last] = &*lines else { panic!("two lines, not {lines:#?}") };
    assert_eq!(parsed(second), answer(2, "not eaten by a child"));
    // When stdout belongs to the process again, nothing is left over in it.
    assert_eq!(last, "afterwards");
    let (_, errors, code) = process.finish();
    assert_eq!(code, Some(0));
    for way in ["println\n", "print, ", "printf\n", "write\n", "child\n"] {
        assert!(errors.contains(&format!("stray {way}")), "{way}: {errors}");
    }
}

/// Case C7: "a client that closes stdin before its first request".
#[test]
fn a_client_that_never_asks_ends_the_process() {
    let mut process = Process::start();
    drop(process.child.stdin.take());
    let (lines, _, code) = process.finish();
    assert_eq!((lines, code), (vec!["afterwards".to_owned()], Some(0)));
}

/// Case C7: "or right after sending requests".
#[test]
fn a_thousand_requests_and_the_end_are_answered() {
    let mut process = Process::start();
    let stdin = process.child.stdin.take().expect("it is a pipe");
    let writing = thread::spawn(move || {
        let mut stdin = stdin;
        for id in 0..1000 {
            let line = call(id, "process_echo", &json!({ "text": id.to_string() })) + "\n";
            stdin.write_all(line.as_bytes()).expect("the process reads");
        }
    });
    let (lines, _, code) = process.finish();
    writing.join().expect("all is written");
    assert_eq!(lines.len(), 1001);
    for (id, line) in lines[..1000].iter().enumerate() {
        assert_eq!(parsed(line), answer(id, &id.to_string()));
    }
    assert_eq!(code, Some(0));
}

#[test]
fn sigterm_and_sigint_end_the_process_though_stdin_is_open() {
    for name in ["TERM", "INT"] {
        let mut process = Process::start();
        process.send(&[call(1, "process_wait", &json!({}))]);
        let mut stdout = process.take_stdout();
        assert_eq!(first_message(&mut stdout)["method"], "notifications/message");
        signal(process.child.id(), name);
        let mut rest = String::new();
        stdout.read_to_string(&mut rest).expect("it is UTF-8");
        // The handler was cancelled; what it might still print must not reach the client.
        assert_eq!(rest, "");
        let (_, errors, code) = process.finish();
        assert!(errors.contains("afterwards"), "{errors}");
        assert_eq!(code, Some(0), "{name}");
    }
}

/// Writing to a pipe that nobody reads is an error, not a signal that kills.
#[test]
fn a_client_that_is_gone_ends_the_process_though_stdin_is_open() {
    let mut process = Process::start();
    let mut stdout = process.take_stdout();
    process.send(&[call(1, "process_echo", &json!({ "text": "read" }))]);
    assert_eq!(first_message(&mut stdout), answer(1, "read"));
    drop(stdout);
    // A process that is being started elsewhere holds the pipe for a moment, so one answer may be too few.
    let mut stdin = process.child.stdin.take().expect("it is a pipe");
    let line = call(2, "process_echo", &json!({ "text": "not read" })) + "\n";
    while stdin.write_all(line.as_bytes()).is_ok() {}
    let (_, errors, code) = process.finish();
    assert_eq!(code, Some(0), "{errors}");
}

#[test]
fn closed_streams_are_no_reason_to_crash() {
    for redirections in ["<&-", "<&- >&-", "<&- 2>&-", "<&- >&- 2>&-", "</dev/null"] {
        let (_, errors, code) = Process::start_with(redirections).finish();
        assert_eq!(code, Some(0), "{redirections}: {errors}");
    }
}
