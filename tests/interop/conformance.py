"""The official conformance suite against `everything --http`.

The suite runs every scenario that the revision requires and writes the checks of each to a file; a scenario of the
list below passes if its file is there, has a SUCCESS, and no FAILURE or WARNING. Scenarios outside the list are shown, not counted.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
from pathlib import Path

from harness import Checks, HttpServer, main, shorten

HERE = Path(__file__).resolve().parent
SUITE = HERE / "node" / "node_modules" / "@modelcontextprotocol" / "conformance" / "dist" / "index.js"
REVISION = "2026-07-28"
NODE_MAJOR = 22
SUITE_SECONDS = 300
RESULT_DIR = re.compile(r"server-(.+)-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d+Z")

SCENARIOS = """
    tools-list
    tools-call-simple-text
    tools-call-image
    tools-call-audio
    tools-call-embedded-resource
    tools-call-mixed-content
    tools-call-error
    tools-call-with-progress
    server-sse-multiple-streams
    resources-list
    resources-read-text
    resources-read-binary
    resources-templates-read
    sep-2164-resource-not-found
    prompts-list
    prompts-get-simple
    prompts-get-with-args
    prompts-get-embedded-resource
    prompts-get-with-image
    completion-complete
    dns-rebinding-protection
    caching
    json-schema-2020-12
    http-header-validation
    http-custom-header-server-validation
    input-required-result-basic-elicitation
    input-required-result-basic-sampling
    input-required-result-basic-list-roots
    input-required-result-request-state
    input-required-result-multiple-input-requests
    input-required-result-multi-round
    input-required-result-missing-input-response
    input-required-result-non-tool-request
    input-required-result-result-type
    input-required-result-unsupported-methods
    input-required-result-tampered-state
    input-required-result-capability-check
    input-required-result-ignore-extra-params
    input-required-result-validate-input
""".split()


def node() -> str:
    """A Node that is new enough: the installed one, else the machine's own."""
    installed = sorted((HERE / "node" / "node_modules").glob("node-*/bin/node"))
    for candidate in [*map(str, installed), shutil.which("node")]:
        if candidate is None:
            continue
        try:
            version = subprocess.run([candidate, "--version"], capture_output=True, text=True, timeout=20).stdout
        except (OSError, subprocess.TimeoutExpired):
            continue
        match = re.match(r"v(\d+)\.", version)
        if match and int(match.group(1)) >= NODE_MAJOR:
            return candidate
    raise RuntimeError(f"the suite needs Node {NODE_MAJOR} or newer; neither npm's nor the machine's is there")


def read_results(results: Path) -> dict[str, list[dict]]:
    found = {}
    for folder in results.iterdir():
        match = RESULT_DIR.fullmatch(folder.name)
        if match:
            try:
                found[match.group(1)] = json.loads((folder / "checks.json").read_text())
            except (OSError, ValueError):
                continue  # a scenario that threw leaves no file; it is reported as missing
    return found


def of_status(checks: list[dict], status: str) -> list[dict]:
    return [check for check in checks if check.get("status") == status]


def passes(checks: list[dict]) -> bool:
    wrong = of_status(checks, "FAILURE") + of_status(checks, "WARNING")
    return bool(of_status(checks, "SUCCESS")) and not wrong


def describe(check: dict) -> str:
    what = check.get("errorMessage") or check.get("description")
    return f"{check.get('name')} ({check.get('id')}): {shorten(what, 400)}"


def report(checks: Checks, results: dict[str, list[dict]]) -> None:
    for scenario in SCENARIOS:
        found = results.get(scenario)
        if found is None:
            checks.fail(scenario, "the suite left no result; see its log")
            continue
        counts = ", ".join(
            f"{len(of_status(found, status))} {status.lower()}"
            for status in ("SUCCESS", "FAILURE", "WARNING", "SKIPPED")
            if of_status(found, status)
        )
        if passes(found):
            checks.ok(scenario, counts)
        else:
            checks.fail(scenario, counts or "it made no check")
        for status in ("FAILURE", "WARNING", "SKIPPED"):
            for check in of_status(found, status):
                print(f"        {status.lower()}: {describe(check)}")
    others = sorted(set(results) - set(SCENARIOS))
    for word, names in (
        ("passing", [name for name in others if passes(results[name])]),
        ("not passing", [name for name in others if not passes(results[name])]),
    ):
        if names:
            print(f"not counted, {word}: {' '.join(names)}")


def run(checks: Checks) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bin-dir", type=Path, required=True)
    parser.add_argument("--log-dir", type=Path, required=True)
    options = parser.parse_args()
    program = node()
    if not SUITE.is_file():
        raise RuntimeError("the suite is not installed (npm ci in tests/interop/node)")
    results = options.log_dir / "conformance"
    shutil.rmtree(results, ignore_errors=True)
    results.mkdir(parents=True)
    log = options.log_dir / "conformance-suite.log"
    with HttpServer(options.bin_dir / "everything", [], options.log_dir / "conformance-server.log") as server:
        command = [program, str(SUITE), "server", "--url", server.url, "--requirements", REVISION]
        with log.open("w") as out:
            try:
                # Its exit code speaks of scenarios outside the list too, so the files decide.
                subprocess.run(
                    [*command, "--output-dir", str(results)],
                    stdin=subprocess.DEVNULL,
                    stdout=out,
                    stderr=subprocess.STDOUT,
                    timeout=SUITE_SECONDS,
                )
            except subprocess.TimeoutExpired:
                checks.fail("the suite ends", f"still running after {SUITE_SECONDS} s")
        report(checks, read_results(results))
        why = server.stop()
        checks.that("everything outlives the suite, and ends with 0 on SIGTERM", not why, why)


if __name__ == "__main__":
    main(run)
