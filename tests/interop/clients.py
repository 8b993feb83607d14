"""The official clients of both eras against the same servers: each feature, over stdio, and over one HTTP process.

Each client is a script of its own: `python1/client.py` (`python-1`), `python/client.py` (`python-2`,
`python-2-legacy`), and `node/client.mjs` (`typescript-1`, `typescript-2`, `typescript-2-legacy`). Over stdio each
starts its own servers, one client after the other. Over HTTP `everything` and `trip` are started once, and all clients
talk to them at the same time, beside a stream of plain requests of revision 2026-07-28. What a client does not support
is shown as `n/a`, and not counted.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from urllib.parse import urlsplit

from harness import Checks, HttpServer, main, shorten, tail
from node import node

HERE = Path(__file__).resolve().parent
CLIENTS = ("python-1", "python-2", "python-2-legacy", "typescript-1", "typescript-2", "typescript-2-legacy")
CLIENT_SECONDS = 180
REQUEST_SECONDS = 10
MODERN = "2026-07-28"


class Client:
    """One client's script while it runs."""

    def __init__(self, name: str, options: argparse.Namespace, lock: Path, urls: list[str]) -> None:
        self.name = f"{name} {'http' if urls else 'stdio'}"
        self.log = options.log_dir / f"clients-{self.name.replace(' ', '-')}.log"
        if name == "python-1":
            command = [str(options.python1), str(HERE / "python1" / "client.py")]
        elif name.startswith("python-2"):
            command = [str(options.python2), str(HERE / "python" / "client.py"), "--client", name]
        else:
            command = [node(), str(HERE / "node" / "client.mjs"), "--client", name]
        command += ["--bin-dir", str(options.bin_dir), "--log-dir", str(options.log_dir), "--lock", str(lock)]
        for option, url in zip(("--url", "--trip-url"), urls):
            command += [option, url]
        with self.log.open("w") as log:
            self._process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT)

    def report(self, checks: Checks) -> None:
        """Waits for the end, and takes over the checks."""
        try:
            self._process.wait(CLIENT_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
            checks.fail(self.name, f"still running after {CLIENT_SECONDS} s")
        ended = False
        for line in self.log.read_text(errors="replace").splitlines():
            kind, _, rest = line.partition(" ")
            if kind == "ok":
                checks.ok(rest.strip())
            elif kind == "FAIL":
                name, _, why = rest.strip().partition(": ")
                checks.fail(name, why)
            elif kind == "n/a":
                print(line, flush=True)
            ended = ended or re.fullmatch(r"checks: \d+ passed, \d+ failed", line) is not None
        if not ended:
            checks.fail(self.name, f"ended without its count, with {self._process.returncode}; {tail(self.log)}")


class Stream:
    """Plain requests of the modern revision, one after the other, while the clients run."""

    def __init__(self, url: str) -> None:
        self.answered = 0
        self.wrong = ""
        self._url = urlsplit(url)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        connection = http.client.HTTPConnection(self._url.hostname, self._url.port, timeout=REQUEST_SECONDS)
        try:
            while not self._stop.wait(0.05):
                self.wrong = self._call(connection)
                if self.wrong:
                    return
                self.answered += 1
        except (OSError, http.client.HTTPException, ValueError) as error:
            self.wrong = f"{type(error).__name__}: {error}"
        finally:
            connection.close()

    def _call(self, connection: http.client.HTTPConnection) -> str:
        meta = {
            "io.modelcontextprotocol/protocolVersion": MODERN,
            "io.modelcontextprotocol/clientCapabilities": {},
        }
        params = {"name": "result_text", "arguments": {}, "_meta": meta}
        body = {"jsonrpc": "2.0", "id": self.answered, "method": "tools/call", "params": params}
        headers = {
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            "MCP-Protocol-Version": MODERN,
            "Mcp-Method": "tools/call",
            "Mcp-Name": "result_text",
        }
        connection.request("POST", self._url.path, json.dumps(body), headers)
        response = connection.getresponse()
        text = response.read().decode()
        answer = json.loads(text) if response.status == 200 else {}
        content = answer.get("result", {}).get("content")
        right = answer.get("id") == self.answered and content == [{"type": "text", "text": "all good"}]
        return "" if right else shorten(f"{response.status} {text}")

    def end(self) -> None:
        self._stop.set()
        self._thread.join(REQUEST_SECONDS)


def run(checks: Checks) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--bin-dir", type=Path, required=True)
    parser.add_argument("--log-dir", type=Path, required=True)
    for option, folder, line in (("--python1", "python1", "1.x"), ("--python2", "python", "2.x")):
        venv = HERE / folder / ".venv" / "bin" / "python"
        parser.add_argument(option, type=Path, default=venv, help=f"a Python with `mcp` {line}")
    parser.add_argument("clients", nargs="*", help=f"of {', '.join(CLIENTS)} (default: all)")
    options = parser.parse_args()
    options.bin_dir = options.bin_dir.resolve()
    options.log_dir = options.log_dir.resolve()
    names = options.clients or CLIENTS
    if unknown := sorted(set(names) - set(CLIENTS)):
        parser.error(f"no such client: {', '.join(unknown)}")
    sys.stdout.reconfigure(errors="replace")
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    with tempfile.TemporaryDirectory(prefix="mcp-clients-") as folder:
        lock = Path(folder) / "turn"
        for name in names:
            Client(name, options, lock, []).report(checks)
        with (
            HttpServer(options.bin_dir / "everything", [], options.log_dir / "clients-everything.log") as everything,
            HttpServer(options.bin_dir / "trip", [], options.log_dir / "clients-trip.log") as trip,
        ):
            stream = Stream(everything.url)
            running = [Client(name, options, lock, [everything.url, trip.url]) for name in names]
            for client in running:
                client.report(checks)
            stream.end()
            checks.that(f"{MODERN} is served beside them all the time", not stream.wrong, stream.wrong)
            for server in (everything, trip):
                why = server.stop()
                checks.that(f"{server.name} outlives its clients, and ends with 0 on SIGTERM", not why, why)


if __name__ == "__main__":
    main(run)
