"""What the foreign checks share: counting, and servers that start and end on time.

Only the standard library, so that it works before anything is installed.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+/mcp\b")
START_SECONDS = 20
END_SECONDS = 10


class Checks:
    """Prints a line a check and, at the end, the line that `tests/run` sums."""

    def __init__(self) -> None:
        self.passed = 0
        self.failed = 0

    def ok(self, name: str, note: str = "") -> None:
        self.passed += 1
        print(f"ok    {name}" + (f"  ({note})" if note else ""), flush=True)

    def fail(self, name: str, why: object) -> None:
        self.failed += 1
        print(f"FAIL  {name}: {shorten(why)}", flush=True)

    def that(self, name: str, holds: bool, why: object = "") -> bool:
        """One check; `why` says what came instead."""
        if holds:
            self.ok(name)
        else:
            self.fail(name, why)
        return holds

    def close(self) -> int:
        if self.passed + self.failed == 0:
            self.fail("anything at all", "no check ran")
        print(f"checks: {self.passed} passed, {self.failed} failed", flush=True)
        return 1 if self.failed else 0


def shorten(value: object, limit: int = 600) -> str:
    text = " ".join(str(value).split())
    return text if len(text) <= limit else text[: limit - 1] + "…"


class HttpServer:
    """`BINARY ARGS --http 127.0.0.1:0`, from the line with its address to SIGTERM.

    Everything the server writes to stderr goes to the log.
    """

    def __init__(self, binary: Path, args: list[str], log: Path, cwd: Path | None = None) -> None:
        if not binary.is_file():
            raise RuntimeError(f"{binary.name} is not built")
        self.name = binary.name
        self.log = log
        self.url = ""
        self._found = threading.Event()
        # No shell in between: the pid that is ended is the server's own.
        self._process = subprocess.Popen(
            [str(binary), *args, "--http", "127.0.0.1:0"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            cwd=cwd,
            text=True,
            errors="replace",
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self._found.wait(START_SECONDS)
        if not self.url:
            # A closed stderr means that it is ending; a quiet one, that it hangs.
            ending = self._found.is_set()
            try:
                state = f"ended with {self._process.wait(END_SECONDS if ending else 0)}"
            except subprocess.TimeoutExpired:
                state = "closed stderr" if ending else f"said nothing of it for {START_SECONDS} s"
            self._kill()
            raise RuntimeError(f"{self.name} --http printed no address: it {state}; {tail(log)}")

    def _read(self) -> None:
        assert self._process.stderr is not None
        with self.log.open("w") as log:
            for line in self._process.stderr:
                log.write(line)
                log.flush()
                match = ADDRESS.search(line)
                if match and not self.url:
                    self.url = match.group()
                    self._found.set()
        self._found.set()

    def _kill(self) -> None:
        self._process.kill()
        self._process.wait()
        self._reader.join(END_SECONDS)

    def stop(self) -> str:
        """Sends SIGTERM; gives what was wrong with the end, or nothing."""
        code = self._process.poll()
        if code is not None:
            self._reader.join(END_SECONDS)
            return f"it had already ended, with {code}; {tail(self.log)}"
        self._process.send_signal(signal.SIGTERM)
        try:
            code = self._process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            self._kill()
            return f"still running {END_SECONDS} s after SIGTERM"
        self._reader.join(END_SECONDS)
        return "" if code == 0 else f"exit code {code} after SIGTERM; {tail(self.log)}"

    def __enter__(self) -> HttpServer:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process.poll() is None:
            self._kill()


def tail(log: Path, lines: int = 5) -> str:
    try:
        last = log.read_text(errors="replace").splitlines()[-lines:]
    except OSError:
        last = []
    return "last lines: " + " | ".join(last) if last else "it wrote nothing"


def environment() -> dict[str, str]:
    """The environment without proxies: every address here is this machine's own."""
    return {**os.environ, "NO_PROXY": "*", "no_proxy": "*"}


def main(run: Callable[[Checks], None]) -> None:
    """Runs `run(checks)`; a crash of the script itself is a failed check, never a missing count."""
    checks = Checks()
    os.environ.update(environment())
    try:
        run(checks)
    except Exception as error:
        checks.fail(Path(sys.argv[0]).name, f"{type(error).__name__}: {error}")
    sys.exit(checks.close())
