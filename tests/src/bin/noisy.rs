//! A server whose functions write to the process's standard output, as dependencies of real ones do.

use std::io::Write as _;
use std::process::Command;

use mcp_runtime::prelude::*;

/// Print in every way there is, and answer.
#[tool]
fn noise() -> &'static str {
    println!("noise from println");
    print!("noise without a line's end");
    let _ = std::io::stdout().flush();
    print_from_c();
    print_from_a_child();
    "quiet"
}

/// Answer after having printed what looks like a message.
#[tool]
async fn forged() -> &'static str {
    println!(r#"{{"jsonrpc":"2.0","id":1,"result":{{"forged":true}}}}"#);
    tokio_yield().await;
    println!("{}", "x".repeat(100_000));
    "genuine"
}

/// Wait until the call is given up.
#[tool]
async fn wait(ctx: &Context) {
    ctx.cancelled().await;
}

#[tool]
fn quiet() -> &'static str {
    "quiet"
}

async fn tokio_yield() {
    let mut yielded = false;
    std::future::poll_fn(|task| {
        if std::mem::replace(&mut yielded, true) {
            return std::task::Poll::Ready(());
        }
        task.waker().wake_by_ref();
        std::task::Poll::Pending
    })
    .await;
}

#[cfg(unix)]
#[allow(unsafe_code, reason = "C's own standard output is what is tested")]
fn print_from_c() {
    // SAFETY: both strings end with a zero, and the format takes none but the string behind it.
    unsafe {
        libc::printf(c"noise from %s\n".as_ptr(), c"printf".as_ptr());
        libc::fflush(std::ptr::null_mut());
        libc::write(1, c"noise from write\n".as_ptr().cast(), 17);
    }
}

#[cfg(not(unix))]
fn print_from_c() {}

fn print_from_a_child() {
    let shell = if cfg!(windows) { ["cmd", "/C"] } else { ["sh", "-c"] };
    let _ = Command::new(shell[0]).args([shell[1], "echo noise from a child"]).status();
}

fn main() -> std::process::ExitCode {
    println!("noise before the server");
    mcp_runtime::server!().main()
}
