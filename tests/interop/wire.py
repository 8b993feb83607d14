"""The quickstart on the wire: three lines into its stdin, and the same three with curl."""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
from pathlib import Path

from harness import Checks, HttpServer, main, shorten

REVISION = "2026-07-28"
META = {
    "io.modelcontextprotocol/protocolVersion": REVISION,
    "io.modelcontextprotocol/clientInfo": {"name": "wire", "version": "1.0.0"},
    "io.modelcontextprotocol/clientCapabilities": {},
}
REQUESTS = [
    {"jsonrpc": "2.0", "id": 1, "method": "server/discover", "params": {"_meta": META}},
    {"jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": {"_meta": META}},
    {
        "jsonrpc": "2.0",
        "id": 3,
        "method": "tools/call",
        "params": {"name": "add", "arguments": {"a": 1, "b": 2}, "_meta": META},
    },
]
ADD_SCHEMA = {
    "type": "object",
    "properties": {
        "a": {"type": "integer", "description": "First addend."},
        "b": {"type": "integer", "description": "Second addend."},
    },
    "required": ["a", "b"],
}


def wrong(request: dict, answer: object) -> str:
    """What is wrong with an answer, or nothing."""
    if not isinstance(answer, dict):
        return f"no answer, but {answer!r}"
    if answer.get("jsonrpc") != "2.0" or answer.get("id") != request["id"] or "result" not in answer:
        return f"not the result of request {request['id']}: {answer}"
    result = answer["result"]
    if result.get("resultType") != "complete":
        return f"resultType: {result}"
    server = result.get("_meta", {}).get("io.modelcontextprotocol/serverInfo", {})
    if server.get("name") != "quickstart" or not server.get("version"):
        return f"_meta serverInfo: {result.get('_meta')}"
    if request["method"] in ("server/discover", "tools/list") and not (
        isinstance(result.get("ttlMs"), int) and result.get("cacheScope") in ("public", "private")
    ):
        return f"ttlMs and cacheScope: {result}"
    if request["method"] == "server/discover":
        if REVISION not in result.get("supportedVersions", []) or "tools" not in result.get("capabilities", {}):
            return f"supportedVersions and capabilities: {result}"
    elif request["method"] == "tools/list":
        tools = result.get("tools", [])
        if [tool.get("name") for tool in tools] != ["add"] or tools[0].get("description") != "Add two numbers.":
            return f"tools: {tools}"
        schema = tools[0].get("inputSchema", {})
        if {key: schema.get(key) for key in ADD_SCHEMA} != ADD_SCHEMA:
            return f"inputSchema: {schema}"
    elif result.get("content") != [{"type": "text", "text": "3"}] or result.get("isError"):
        return f"content: {result}"
    return ""


def stdio(checks: Checks, binary: Path, logs: Path) -> None:
    lines = "".join(json.dumps(request) + "\n" for request in REQUESTS)
    with (logs / "wire-stdio.log").open("w") as log:
        try:
            done = subprocess.run([binary], input=lines, stdout=subprocess.PIPE, stderr=log, text=True, timeout=20)
        except subprocess.TimeoutExpired:
            checks.fail("stdio: the server ends when its input does", "still running after 20 s")
            return
    ended = f"exit code {done.returncode}"
    checks.that("stdio: the server ends with 0 when its input does", done.returncode == 0, ended)
    answers, other = {}, []
    for line in done.stdout.splitlines():
        try:
            message = json.loads(line)
            answers[message["id"]] = message
        except (ValueError, KeyError, TypeError):
            other.append(line)
    checks.that(
        "stdio: three lines in, three lines out",
        len(answers) == 3 and not other and done.stdout.count("\n") == 3,
        shorten(done.stdout),
    )
    for request in REQUESTS:
        why = wrong(request, answers.get(request["id"]))
        checks.that(f"stdio: {request['method']}", not why, why)


def curl(checks: Checks, binary: Path, logs: Path) -> None:
    program = shutil.which("curl")
    if program is None:
        checks.fail("http: curl", "curl is not installed")
        return
    with HttpServer(binary, [], logs / "wire-http.log") as server:
        for request in REQUESTS:
            headers = {
                "Content-Type": "application/json",
                "Accept": "application/json, text/event-stream",
                "MCP-Protocol-Version": REVISION,
                "Mcp-Method": request["method"],
            }
            if "name" in request["params"]:
                headers["Mcp-Name"] = request["params"]["name"]
            command = [program, "--silent", "--show-error", "--max-time", "10", "--noproxy", "*"]
            for name, value in headers.items():
                command += ["--header", f"{name}: {value}"]
            command += ["--data-binary", "@-", "--write-out", "\n%{http_code} %{content_type}", server.url]
            done = subprocess.run(command, input=json.dumps(request), capture_output=True, text=True, timeout=20)
            body, _, status = done.stdout.rpartition("\n")
            name = f"http: {request['method']} with curl"
            if done.returncode != 0:
                checks.fail(name, done.stderr)
            elif not status.startswith("200 application/json"):
                checks.fail(name, f"{status}: {body}")
            else:
                try:
                    why = wrong(request, json.loads(body))
                except ValueError:
                    why = f"not JSON: {body}"
                checks.that(name, not why, why)
        why = server.stop()
        checks.that("http: the server ends with 0 on SIGTERM", not why, why)


def run(checks: Checks) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bin-dir", type=Path, required=True)
    parser.add_argument("--log-dir", type=Path, required=True)
    options = parser.parse_args()
    binary = options.bin_dir / "quickstart"
    if not binary.is_file():
        checks.fail("quickstart", "it is not built")
        return
    for part in (stdio, curl):
        try:
            part(checks, binary, options.log_dir)
        except (RuntimeError, OSError, subprocess.TimeoutExpired) as error:
            checks.fail(part.__name__, error)


if __name__ == "__main__":
    main(run)
