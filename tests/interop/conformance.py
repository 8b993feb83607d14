"""The official conformance suite against `everything --http`: one process, and the suite once a revision.

The suite runs every scenario that a revision requires and writes the checks of each to a file; a scenario of the lists
below passes if its file is there, has a SUCCESS, and no FAILURE, WARNING or SKIPPED. Scenarios outside the lists are
shown, not counted.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
from pathlib import Path

from harness import Checks, HttpServer, main, shorten
from node import node

HERE = Path(__file__).resolve().parent
SUITE = HERE / "node" / "node_modules" / "@modelcontextprotocol" / "conformance" / "dist" / "index.js"
SUITE_SECONDS = 300
RESULT_DIR = re.compile(r"server-(.+)-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d+Z")

NOT_PASSED = ("FAILURE", "WARNING", "SKIPPED")

# Where the suite only takes note that what it looks for was not there: the check that has to have been made.
ESSENTIAL = {"server-sse-polling": "server-sse-disconnect-resume"}

SCENARIOS = {
    "2026-07-28": """
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
        server-stateless
    """,
    # The 30 that are scored; below them what is not, since it came later, or since the suite's own server fails it.
    "2025-11-25": """
        server-initialize
        logging-set-level
        ping
        completion-complete
        tools-list
        tools-call-simple-text
        tools-call-image
        tools-call-audio
        tools-call-embedded-resource
        tools-call-mixed-content
        tools-call-with-logging
        tools-call-error
        tools-call-with-progress
        tools-call-sampling
        tools-call-elicitation
        elicitation-sep1034-defaults
        server-sse-multiple-streams
        elicitation-sep1330-enums
        resources-list
        resources-read-text
        resources-read-binary
        resources-templates-read
        resources-subscribe
        resources-unsubscribe
        prompts-list
        prompts-get-simple
        prompts-get-with-args
        prompts-get-embedded-resource
        prompts-get-with-image
        dns-rebinding-protection

        server-session-lifecycle
        json-schema-2020-12
        server-sse-polling
    """,
}


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
    return bool(of_status(checks, "SUCCESS")) and not any(of_status(checks, status) for status in NOT_PASSED)


def describe(check: dict) -> str:
    what = check.get("errorMessage") or check.get("description")
    return f"{check.get('name')} ({check.get('id')}): {shorten(what, 400)}"


def report(checks: Checks, revision: str, results: dict[str, list[dict]]) -> None:
    scenarios = SCENARIOS[revision].split()
    for scenario in scenarios:
        name = f"{revision} {scenario}"
        found = results.get(scenario)
        if found is None:
            checks.fail(name, "the suite left no result; see its log")
            continue
        counts = ", ".join(
            f"{len(of_status(found, status))} {status.lower()}"
            for status in ("SUCCESS", *NOT_PASSED)
            if of_status(found, status)
        )
        essential = ESSENTIAL.get(scenario)
        if essential and essential not in [check.get("id") for check in of_status(found, "SUCCESS")]:
            checks.fail(name, f"{counts}; {essential} did not succeed")
        elif passes(found):
            checks.ok(name, counts)
        else:
            checks.fail(name, counts or "it made no check")
        for status in NOT_PASSED:
            for check in of_status(found, status):
                print(f"        {status.lower()}: {describe(check)}")
    others = sorted(set(results) - set(scenarios))
    for word, names in (
        ("passing", [name for name in others if passes(results[name])]),
        ("not passing", [name for name in others if not passes(results[name])]),
    ):
        if names:
            print(f"{revision} not counted, {word}: {' '.join(names)}")


def run(checks: Checks) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bin-dir", type=Path, required=True)
    parser.add_argument("--log-dir", type=Path, required=True)
    options = parser.parse_args()
    if not SUITE.is_file():
        raise RuntimeError("the suite is not installed (npm ci in tests/interop/node)")
    with HttpServer(options.bin_dir / "everything", [], options.log_dir / "conformance-server.log") as server:
        for revision in SCENARIOS:
            report(checks, revision, results_of(checks, revision, server.url, options.log_dir))
        why = server.stop()
        checks.that("everything outlives the suite, and ends with 0 on SIGTERM", not why, why)


def results_of(checks: Checks, revision: str, url: str, logs: Path) -> dict[str, list[dict]]:
    """Runs the suite for one revision."""
    results = logs / "conformance" / revision
    shutil.rmtree(results, ignore_errors=True)
    results.mkdir(parents=True)
    command = [node(), str(SUITE), "server", "--url", url, "--requirements", revision, "--output-dir", str(results)]
    with (logs / f"conformance-suite-{revision}.log").open("w") as out:
        try:
            # Its exit code speaks of scenarios outside the list too, so the files decide.
            subprocess.run(
                command, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT, timeout=SUITE_SECONDS
            )
        except subprocess.TimeoutExpired:
            checks.fail(f"{revision} the suite ends", f"still running after {SUITE_SECONDS} s")
    return read_results(results)


if __name__ == "__main__":
    main(run)
