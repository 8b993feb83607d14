"""The official Python client against the example servers, over both transports.

For each server of `cases.json`: every tool is called, every resource read, every template completed and expanded, every
prompt fetched. A server's entry may hold

- `command`: arguments for the command line; `files`: what its folder `{dir}` holds (it also runs there);
- `tools`: by name, a list of calls, each with `arguments`, and what to expect: `contains` (a piece of the text),
  `error` (a result with isError);
- `templates` and `prompts`: by URI template or name, the values of their variables;
- `values`: by parameter name, what to send where nothing else says it.

What no case covers gets arguments made from its schema; whether such a call succeeds is then shown, not judged.
"""

from __future__ import annotations

import argparse
import functools
import json
import logging
import sys
import tempfile
from pathlib import Path
from typing import Any

import anyio
from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError, best_match
from mcp import Client, MCPError
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp_types import PromptReference, ResourceTemplateReference

if sys.version_info < (3, 11):  # noqa: UP036
    from exceptiongroup import BaseExceptionGroup

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from harness import Checks, HttpServer, main, shorten  # noqa: E402
from samples import expand, sample, variables  # noqa: E402

REVISION = "2026-07-28"
REQUEST_SECONDS = 20
SERVER_SECONDS = 120
PAGES = 100
MAX_COMPLETIONS = 100


def causes(error: BaseException) -> str:
    """An error with what it groups, since task groups hide the one that matters."""
    if isinstance(error, BaseExceptionGroup):
        return "; ".join(causes(inner) for inner in error.exceptions)
    code = f" {error.code}" if isinstance(error, MCPError) else ""
    return f"{type(error).__name__}{code}: {error}"


class Warnings(logging.Handler):
    """What the client complains about: a tool that it drops, a message that it cannot place."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record.getMessage())


class Session:
    def __init__(self, checks: Checks, client: Client, where: str, case: dict[str, Any]) -> None:
        self.checks = checks
        self.client = client
        self.where = where
        self.case = case
        self.can = client.server_capabilities

    def named(self, what: str) -> str:
        return f"{self.where} {what}"

    async def listed(self, method: str, field: str) -> list[Any]:
        """All pages of a list, or nothing and a failed check."""
        name = self.named(method)
        found: list[Any] = []
        cursor = None
        try:
            for _ in range(PAGES):
                page = await getattr(self.client, method)(cursor=cursor)
                found += getattr(page, field)
                cursor = page.next_cursor
                if cursor is None:
                    self.checks.ok(name, f"{len(found)}")
                    return found
            self.checks.fail(name, f"more than {PAGES} pages")
        except Exception as error:
            self.checks.fail(name, causes(error))
        return []

    # Tools

    async def tools(self) -> None:
        tools = await self.listed("list_tools", "tools")
        self.checks.that(self.named("has tools"), bool(tools))
        cases = self.case.get("tools", {})
        for name in sorted(set(cases) - {tool.name for tool in tools}):
            self.checks.fail(self.named(f"tool {name}"), "it has a case, but the server does not list it")
        for tool in tools:
            self.schemas(tool)
            calls = cases.get(tool.name)
            if calls is None:
                await self.call(tool, {"arguments": self.arguments(tool)}, judged=False)
            else:
                for call in calls:
                    await self.call(tool, call, judged=True)

    def schemas(self, tool: Any) -> None:
        name = self.named(f"schemas of {tool.name}")
        try:
            for schema in (tool.input_schema, tool.output_schema):
                if schema is not None:
                    Draft202012Validator.check_schema(schema)
        except SchemaError as error:
            self.checks.fail(name, error)
            return
        self.checks.that(name, tool.input_schema.get("type") == "object" and bool(tool.description), tool)

    def arguments(self, tool: Any) -> dict[str, Any]:
        schema = tool.input_schema
        properties, values = schema.get("properties", {}), self.case.get("values", {})
        made = {name: sample(properties.get(name), schema) for name in schema.get("required", [])}
        return made | {name: values[name] for name in properties if name in values}

    async def call(self, tool: Any, case: dict[str, Any], judged: bool) -> None:
        arguments = case["arguments"]
        name = self.named(f"tool {tool.name} {shorten(json.dumps(arguments, ensure_ascii=False), 120)}")
        try:
            # The client validates structured content as well; here it is checked by hand, to say what is wrong.
            result = await self.client.call_tool(tool.name, arguments)
        except Exception as error:
            self.checks.fail(name, causes(error))
            return
        text = "\n".join(block.text for block in result.content if block.type == "text")
        if judged and result.is_error != case.get("error", False):
            self.checks.fail(name, f"isError is {result.is_error}: {text}")
            return
        if "contains" in case and case["contains"] not in text:
            self.checks.fail(name, f"{case['contains']!r} is not in {text!r}")
            return
        if tool.output_schema is not None and not result.is_error:
            wrong = best_match(Draft202012Validator(tool.output_schema).iter_errors(result.structured_content))
            if wrong is not None:
                self.checks.fail(name, f"structuredContent: {wrong.message}")
                return
            texts = [as_json(block.text) for block in result.content if block.type == "text"]
            if result.structured_content not in texts:
                self.checks.fail(name, f"structuredContent is not also there as text: {text!r}")
                return
        note = "an error, from made-up arguments: " + text if result.is_error and not judged else text
        self.checks.ok(name, shorten(note, 100))

    # Resources

    async def resources(self) -> None:
        for resource in await self.listed("list_resources", "resources"):
            await self.read(resource.uri, resource.mime_type, judged=True)
        templates = await self.listed("list_resource_templates", "resource_templates")
        for template in templates:
            uri = template.uri_template
            given = self.case.get("templates", {}).get(uri, {})
            values, made_up = await self.complete(ResourceTemplateReference(uri=uri), uri, variables(uri), given)
            await self.read(expand(uri, values), template.mime_type, judged=not made_up)

    async def read(self, uri: str, mime_type: str | None, judged: bool) -> None:
        name = self.named(f"resource {uri}")
        try:
            contents = (await self.client.read_resource(uri)).contents
        except MCPError as error:
            if judged:
                self.checks.fail(name, causes(error))
            else:
                self.checks.ok(name, f"an error, from made-up values: {shorten(error.message, 80)}")
            return
        except Exception as error:
            self.checks.fail(name, causes(error))
            return
        whole = bool(contents) and all(
            (mime_type is None or item.mime_type is None or item.mime_type == mime_type)
            and (hasattr(item, "text") or hasattr(item, "blob"))
            for item in contents
        )
        self.checks.that(name, whole, f"declared {mime_type}, came {contents}")

    # Prompts

    async def prompts(self) -> None:
        for prompt in await self.listed("list_prompts", "prompts"):
            names = [argument.name for argument in prompt.arguments or []]
            required = {argument.name for argument in prompt.arguments or [] if argument.required}
            given = self.case.get("prompts", {}).get(prompt.name, {})
            values, made_up = await self.complete(PromptReference(name=prompt.name), prompt.name, names, given)
            arguments = {n: v for n, v in values.items() if n in required or n not in made_up}
            name = self.named(f"prompt {prompt.name} {shorten(json.dumps(arguments, ensure_ascii=False), 120)}")
            try:
                result = await self.client.get_prompt(prompt.name, arguments)
            except MCPError as error:
                if required & made_up:
                    self.checks.ok(name, f"an error, from made-up arguments: {shorten(error.message, 80)}")
                else:
                    self.checks.fail(name, causes(error))
                continue
            except Exception as error:
                self.checks.fail(name, causes(error))
                continue
            self.checks.that(name, bool(result.messages), "no messages")

    # Completion

    async def complete(
        self, reference: Any, title: str, names: list[str], given: dict[str, str]
    ) -> tuple[dict[str, str], set[str]]:
        """A value for each name: the given one, else the first completion, else a made-up one; and which those are."""
        values: dict[str, str] = {}
        made_up: set[str] = set()
        fallback = self.case.get("values", {})
        for name in names:
            offered: list[str] = []
            if self.can.completions is not None:
                check = self.named(f"completion of {title} {name}")
                try:
                    completion = (
                        await self.client.complete(reference, {"name": name, "value": ""}, dict(values) or None)
                    ).completion
                except Exception as error:
                    self.checks.fail(check, causes(error))
                else:
                    offered = completion.values
                    total = len(offered) if completion.total is None else completion.total
                    self.checks.that(check, len(offered) <= min(MAX_COMPLETIONS, total), completion)
            if name in given:
                values[name] = given[name]
            elif offered:
                values[name] = offered[0]
            elif name in fallback:
                values[name] = str(fallback[name])
            else:
                values[name] = "1"
                made_up.add(name)
        return values, made_up

    async def all(self) -> None:
        version = self.client.protocol_version
        self.checks.that(self.named(f"speaks {REVISION}"), version == REVISION, version)
        info = self.client.server_info
        self.checks.that(self.named("gives its name"), info is not None and bool(info.name and info.version), info)
        await self.tools()
        if self.can.resources is not None:
            await self.resources()
        if self.can.prompts is not None:
            await self.prompts()


def as_json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None


def filled(value: Any, folder: Path) -> Any:
    """A case with `{dir}` replaced, wherever it stands."""
    if isinstance(value, str):
        return value.replace("{dir}", str(folder))
    if isinstance(value, list):
        return [filled(item, folder) for item in value]
    if isinstance(value, dict):
        return {key: filled(item, folder) for key, item in value.items()}
    return value


async def talk(checks: Checks, target: Any, where: str, case: dict[str, Any]) -> None:
    warnings = Warnings()
    logger = logging.getLogger("mcp")
    logger.addHandler(warnings)
    logger.propagate = False
    try:
        with anyio.fail_after(SERVER_SECONDS):
            async with Client(target, cache=None, read_timeout_seconds=REQUEST_SECONDS) as client:
                await Session(checks, client, where, case).all()
    except Exception as error:
        checks.fail(f"{where} session", causes(error))
        return
    finally:
        logger.removeHandler(warnings)
    checks.that(f"{where} gives the client nothing to warn of", not warnings.lines, " | ".join(warnings.lines))


def prepared(case: dict[str, Any], folder: Path) -> dict[str, Any]:
    for path, text in case.get("files", {}).items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    return filled(case, folder)


def over_stdio(checks: Checks, binary: Path, logs: Path, case: dict[str, Any], folder: Path) -> None:
    with (logs / f"interop-{binary.name}-stdio.log").open("w") as log:
        parameters = StdioServerParameters(command=str(binary), args=case.get("command", []), cwd=folder)
        transport = stdio_client(parameters, errlog=log)
        anyio.run(functools.partial(talk, checks, transport, f"{binary.name} stdio", case))


def over_http(checks: Checks, binary: Path, logs: Path, case: dict[str, Any], folder: Path) -> None:
    log = logs / f"interop-{binary.name}-http.log"
    with HttpServer(binary, case.get("command", []), log, cwd=folder) as server:
        anyio.run(functools.partial(talk, checks, server.url, f"{binary.name} http", case))
        why = server.stop()
        checks.that(f"{binary.name} http ends with 0 on SIGTERM", not why, why)


def run(checks: Checks) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--bin-dir", type=Path, required=True)
    parser.add_argument("--log-dir", type=Path, required=True)
    parser.add_argument("servers", nargs="*", help="only these (default: all of cases.json)")
    options = parser.parse_args()
    cases = json.loads((HERE / "cases.json").read_text())
    for server in options.servers or cases:
        binary = options.bin_dir.resolve() / server
        if not binary.is_file():
            checks.fail(server, "it is not built")
            continue
        for transport in (over_stdio, over_http):
            with tempfile.TemporaryDirectory(prefix="mcp-interop-") as name:
                folder = Path(name).resolve()
                try:
                    transport(checks, binary, options.log_dir, prepared(cases[server], folder), folder)
                except (RuntimeError, OSError) as error:
                    checks.fail(f"{server} {transport.__name__}", error)


if __name__ == "__main__":
    main(run)
