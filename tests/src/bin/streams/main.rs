//! What a listening stream costs, and what becomes of a client that does not read.
//!
//! ```sh
//! cargo run --release -p mcp-tests --bin streams
//! cargo run --release -p mcp-tests --bin streams -- --stall-seconds 5 --streams 1000
//! ```
//!
//! Each server is a process of its own, so that its memory is nothing but its own; the clients are sockets in this one.

mod bare;
mod client;
mod process;
mod server;

use std::time::{Duration, Instant};

use client::{UPDATE, listen, listen_sleepily, post_tool, read_counter};
use mcp_runtime::Result;
use process::Process;

/// Updates that a client sleeps through.
const UPDATES: u64 = 1_000_000;

struct Options {
    streams: usize,
    stall: Duration,
}

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let mut options = Options { streams: 5000, stall: Duration::from_secs(60) };
    while let Some(argument) = arguments.next() {
        let mut number =
            || arguments.next().and_then(|number| number.parse().ok()).ok_or("a number is missing");
        match &*argument {
            "ours" => return runtime.block_on(server::serve()),
            "bare" => return runtime.block_on(bare::serve()),
            "--streams" => options.streams = usize::try_from(number()?)?,
            "--stall-seconds" => options.stall = Duration::from_secs(number()?),
            other => return Err(format!("{other}? Only --streams N and --stall-seconds N are known").into()),
        }
    }
    process::raise_file_limit(options.streams as u64 * 2 + 1000)?;
    runtime.block_on(async {
        let bare = idle("bare", &options).await?;
        let ours = idle("ours", &options).await?;
        println!("{:>8.2} KiB more a stream than a bare hyper server takes", ours - bare);
        stalled(&options).await
    })
}

/// The memory that an idle stream takes, in KiB; for ours, how long an update takes to reach all of them, too.
async fn idle(kind: &str, options: &Options) -> Result<f64> {
    let server = Process::start(kind)?;
    // What the first requests allocate once and for all is no stream's.
    for _ in 0..100 {
        drop(listen(server.address, server::BOARD).await?);
    }
    tokio::time::sleep(Duration::from_millis(300)).await;
    let before = server.memory()?;
    let mut streams = Vec::with_capacity(options.streams);
    for _ in 0..options.streams {
        streams.push(listen(server.address, server::BOARD).await?);
    }
    let after = server.memory()?;
    #[allow(clippy::cast_precision_loss, reason = "a few gigabytes at most")]
    let each = (after - before) as f64 / 1024.0 / options.streams as f64;
    let count = options.streams;
    println!("{each:>8.2} KiB a stream: {kind}, {count} idle streams, {before} to {after} bytes resident");
    if kind == "ours" {
        let sent = Instant::now();
        post_tool(server.address, "update_board", "{}").await?;
        let mut reached = 0;
        for stream in &mut streams {
            reached += usize::from(stream.until(UPDATE, Duration::from_secs(10)).await?);
        }
        println!("{reached:>8} of {count} streams were told of one update within {:?}", sent.elapsed());
        if reached != count {
            return Err("an update did not reach every stream".into());
        }
    }
    Ok(each)
}

/// One client that does not read, and one that does, while a resource is updated again and again.
async fn stalled(options: &Options) -> Result<()> {
    let server = Process::start("ours")?;
    let mut sleeper = listen_sleepily(server.address, server::COUNTER).await?;
    let mut reader = listen(server.address, server::COUNTER).await?;
    let reading = tokio::spawn(async move { reader.count(UPDATE, Duration::from_secs(3)).await });
    let (rounds, before) = (1000, server.memory()?);
    for _ in 0..rounds {
        post_tool(server.address, "update_counter", &format!(r#"{{"times":{}}}"#, UPDATES / rounds)).await?;
        tokio::time::sleep(options.stall / u32::try_from(rounds)?).await;
    }
    let after = server.memory()?;
    let read = reading.await??;
    let slept = sleeper.count(UPDATE, Duration::from_secs(1)).await?;
    let value = read_counter(server.address).await?;
    let grown = after.saturating_sub(before) / 1024;
    println!(
        "{grown:>8} KiB more resident after {UPDATES} updates in {:?}, with one client asleep",
        options.stall
    );
    println!("{read:>8} notifications for the client that reads, {slept} for the one that slept");
    println!("{value:>8} is the value that the sleeper reads at the end");
    if value != UPDATES || slept == 0 {
        return Err("the last update was lost".into());
    }
    // Its flag was taken, so the next change sets it again.
    post_tool(server.address, "update_counter", r#"{"times":1}"#).await?;
    if !sleeper.until(UPDATE, Duration::from_secs(10)).await? {
        return Err("the one that slept is told of nothing more".into());
    }
    Ok(())
}
