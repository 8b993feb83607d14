//! A server as a process.

use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};

use mcp_runtime::Result;

/// A server as a process, until it is dropped.
pub(crate) struct Process {
    child: Child,
    pub(crate) address: SocketAddr,
}

impl Process {
    /// Starts this binary as one of its servers.
    pub(crate) fn start(kind: &str) -> Result<Self> {
        let mut child = Command::new(std::env::current_exe()?)
            .arg(kind)
            // Fewer arenas, so that what is resident is what is used.
            .env("MALLOC_ARENA_MAX", "2")
            .stderr(Stdio::piped())
            .spawn()?;
        let stderr = child.stderr.take().ok_or("stderr is piped")?;
        let mut lines = BufReader::new(stderr).lines();
        let address = loop {
            let line = lines.next().ok_or("the server ended")??;
            if let Some((_, url)) = line.split_once("listening on http://") {
                break url.split('/').next().unwrap_or_default().parse()?;
            }
        };
        Ok(Self { child, address })
    }

    /// The memory that is resident, in bytes.
    pub(crate) fn memory(&self) -> Result<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()))?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).ok_or("no VmRSS")?;
        let kilobytes: u64 = line.trim().trim_end_matches(" kB").parse()?;
        Ok(kilobytes * 1024)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Lets this process, and those that it starts, have so many files open.
#[cfg(unix)]
#[allow(unsafe_code, reason = "the standard library does not know limits")]
pub(crate) fn raise_file_limit(files: u64) -> Result<()> {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: both calls are given a limit that is there.
    let raised = unsafe {
        libc::getrlimit(libc::RLIMIT_NOFILE, &raw mut limit);
        limit.rlim_cur = limit.rlim_cur.max(files);
        limit.rlim_max = limit.rlim_max.max(limit.rlim_cur);
        libc::setrlimit(libc::RLIMIT_NOFILE, &raw const limit)
    };
    if raised == 0 { Ok(()) } else { Err(std::io::Error::last_os_error().into()) }
}

#[cfg(not(unix))]
pub(crate) fn raise_file_limit(_: u64) -> Result<()> {
    Ok(())
}
