"""The official Python client of the 1.x line, which begins with `initialize`, against `everything` and `trip`.

Run by `clients.py`, once a transport; `everything` may serve other clients at the same time.
"""

from __future__ import annotations

import argparse
import json
import logging
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from pathlib import Path
from typing import Any

import anyio
import mcp.types as types
from mcp import ClientSession, McpError, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from pydantic import AnyUrl

if sys.version_info < (3, 11):  # noqa: UP036
    from exceptiongroup import BaseExceptionGroup

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from harness import Checks, main  # noqa: E402

REVISIONS = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
REQUEST_SECONDS = 15
WAIT_SECONDS = 10
TOTAL_SECONDS = 60
WATCHED = "test://watched-resource"


def causes(error: BaseException) -> str:
    """An error with what it groups, since task groups hide the one that matters."""
    if isinstance(error, BaseExceptionGroup):
        return "; ".join(causes(inner) for inner in error.exceptions)
    code = f" {error.error.code}" if isinstance(error, McpError) else ""
    return f"{type(error).__name__}{code}: {error}"


class Person:
    """Whoever is behind the client: answers what the server asks, and keeps what it says."""

    def __init__(self) -> None:
        self.answers: list[types.ElicitResult] = []
        self.asked: list[Any] = []
        self.sampled: list[types.CreateMessageRequestParams] = []
        self.logged: list[types.LoggingMessageNotificationParams] = []
        self.notified: list[Any] = []
        self.odd: list[str] = []

    async def elicit(self, _: Any, params: types.ElicitRequestParams) -> types.ElicitResult:
        self.asked.append(params)
        return self.answers.pop(0) if self.answers else types.ElicitResult(action="cancel")

    async def sample(self, _: Any, params: types.CreateMessageRequestParams) -> types.CreateMessageResult:
        self.sampled.append(params)
        content = types.TextContent(type="text", text="Paris, I think.")
        return types.CreateMessageResult(role="assistant", content=content, model="a-model", stopReason="endTurn")

    async def roots(self, _: Any) -> types.ListRootsResult:
        return types.ListRootsResult(roots=[types.Root(uri=AnyUrl("file:///home/ada/project"), name="project")])

    async def log(self, params: types.LoggingMessageNotificationParams) -> None:
        self.logged.append(params)

    async def message(self, message: Any) -> None:
        if isinstance(message, types.ServerNotification):
            self.notified.append(message.root)
        elif isinstance(message, Exception):
            # What the client could not read, or place.
            self.odd.append(causes(message))

    async def until(self, what: Callable[[], bool]) -> bool:
        """Waits for what a notification brings about, for a bounded time."""
        with anyio.move_on_after(WAIT_SECONDS):
            while not what():
                await anyio.sleep(0.02)
            return True
        return False

    def heard(self, kind: type, **params: Any) -> bool:
        return any(
            isinstance(one, kind) and all(str(getattr(one.params, key)) == value for key, value in params.items())
            for one in self.notified
        )


@asynccontextmanager
async def turn(lock: Path) -> AsyncIterator[None]:
    """One client at a time, for what changes the server for all of them."""
    with anyio.fail_after(TOTAL_SECONDS):
        while True:
            try:
                lock.mkdir()
                break
            except FileExistsError:
                await anyio.sleep(0.02)
    try:
        yield
    finally:
        lock.rmdir()


class Run:
    def __init__(self, checks: Checks, options: argparse.Namespace) -> None:
        self.checks = checks
        self.options = options
        self.where = f"python 1.x {'http' if options.url else 'stdio'}"

    @asynccontextmanager
    async def session(self, server: str, person: Person) -> AsyncIterator[ClientSession]:
        """A session that is not initialized yet."""
        url = {"everything": self.options.url, "trip": self.options.trip_url}[server]
        able = {
            "read_timeout_seconds": timedelta(seconds=REQUEST_SECONDS),
            "sampling_callback": person.sample,
            "elicitation_callback": person.elicit,
            "list_roots_callback": person.roots,
            "logging_callback": person.log,
            "message_handler": person.message,
            "client_info": types.Implementation(name="python-1", version="1.0", title="Python 1.x"),
        }
        with (self.options.log_dir / f"python1-{server}-stderr.log").open("a") as log:
            if url:
                transport: Any = streamable_http_client(url)
            else:
                parameters = StdioServerParameters(command=str(self.options.bin_dir / server))
                transport = stdio_client(parameters, errlog=log)
            async with transport as (read, write, *_), ClientSession(read, write, **able) as session:
                yield session

    async def check(self, name: str, test: Callable[[], Awaitable[Any]]) -> Any:
        """One check: `test` raises, or gives what it found wrong, or nothing."""
        name = f"{self.where} {name}"
        try:
            wrong = await test()
        except Exception as error:
            self.checks.fail(name, causes(error))
            return
        self.checks.that(name, not wrong, wrong)

    async def everything(self) -> None:
        person = Person()
        async with self.session("everything", person) as session:
            await Feature(self, session, person).all()
        for revision in REVISIONS:
            await self.check(f"speaks {revision} if asked to", lambda revision=revision: self.older(revision))
        await self.check("gives the client nothing that it cannot read", lambda: as_async(person.odd))

    async def older(self, revision: str) -> Any:
        """The client asks for its newest revision, so for another one it has to be told that this is it."""
        newest = types.LATEST_PROTOCOL_VERSION
        person = Person()
        async with self.session("everything", person) as session:
            types.LATEST_PROTOCOL_VERSION = revision
            try:
                info = await session.initialize()
            finally:
                types.LATEST_PROTOCOL_VERSION = newest
            tools = (await session.list_tools()).tools
            result = await session.call_tool("test_simple_text")
            await session.send_ping()
            text = result.content[0].text
            if info.protocolVersion != revision or not tools or text != "This is a simple text response for testing.":
                return f"{info.protocolVersion}, {len(tools)} tools, {text!r}"
        return person.odd

    async def trip(self) -> None:
        person = Person()

        async def booked() -> Any:
            async with self.session("trip", person) as session:
                await session.initialize()
                city = f"Oslo for {self.where}"
                wrong = {"from": "2026-08-09", "until": "2026-08-01"}
                right = {"from": "2026-08-01", "until": "2026-08-09"}
                person.answers = [accept(wrong), accept(right), accept({"seat": "window"}), accept(None)]
                result = await session.call_tool("book_trip", {"destination": city})
                text = result.content[0].text
                wanted = f"{city} from 2026-08-01 until 2026-08-09, at the window."
                if result.isError or not text.startswith("Held until the payment arrives") or not text.endswith(wanted):
                    return text
                kinds = [getattr(one, "mode", None) or "form" for one in person.asked]
                if kinds != ["form", "form", "form", "url"] or "is before" not in person.asked[1].message:
                    return f"asked {person.asked}"
                contents = (await session.read_resource(AnyUrl("trip://bookings"))).contents
                mine = [one for one in json.loads(contents[0].text) if one["destination"] == city]
                if [one["status"] for one in mine] != ["awaiting_payment"]:
                    return f"booked {mine}"
                person.answers = [accept(right), types.ElicitResult(action="decline")]
                text = (await session.call_tool("book_trip", {"destination": city})).content[0].text
                return "" if text == "Nothing was booked." else text

        await self.check("books a trip over several questions", booked)


class Feature:
    """Each feature, over one session with `everything`."""

    def __init__(self, run: Run, session: ClientSession, person: Person) -> None:
        self.run = run
        self.session = session
        self.person = person

    async def all(self) -> None:
        for name in (
            "initialize",
            "ping",
            "list_tools",
            "list_resources",
            "list_prompts",
            "call_text",
            "call_structured",
            "call_failing",
            "call_unknown",
            "read_text",
            "read_binary",
            "read_template",
            "read_unknown",
            "get_prompt",
            "complete",
            "progress",
            "set_logging_level",
            "cancel",
            "elicit_accept",
            "elicit_decline",
            "elicit_cancel",
            "elicit_url",
            "elicit_over_two_rounds",
            "sample",
            "list_roots",
            "ask_for_three_things_at_once",
            "subscribe",
            "list_changed",
        ):
            await self.run.check(name.replace("_", " "), getattr(self, name))

    async def initialize(self) -> Any:
        info = await self.session.initialize()
        can = info.capabilities
        missing = [
            what
            for what, there in {
                "name": info.serverInfo.name == "everything",
                "version": info.serverInfo.version,
                "title": info.serverInfo.title == "Everything",
                "instructions": (info.instructions or "").startswith("A catalogue of examples."),
                "revision": info.protocolVersion == REVISIONS[0],
                "completions": can.completions is not None,
                "logging": can.logging is not None,
                "prompts": can.prompts is not None,
                "resources.subscribe": can.resources is not None and can.resources.subscribe,
                "tools.listChanged": can.tools is not None and can.tools.listChanged,
            }.items()
            if not there
        ]
        return f"lacks {missing}: {info}" if missing else ""

    async def ping(self) -> Any:
        await self.session.send_ping()

    async def pages(self, method: Callable[..., Any], field: str) -> list[Any]:
        found: list[Any] = []
        cursor = None
        for _ in range(100):
            page = await method(params=types.PaginatedRequestParams(cursor=cursor))
            found += getattr(page, field)
            cursor = page.nextCursor
            if cursor is None:
                return found
        raise RuntimeError("more than 100 pages")

    async def list_tools(self) -> Any:
        tools = {tool.name: tool for tool in await self.pages(self.session.list_tools, "tools")}
        described = tools["run.described"]
        if not described.title or described.annotations is None or not described.icons:
            return f"no title, annotations or icons: {described}"
        if tools["result_structured"].outputSchema is None:
            return "result_structured has no outputSchema"

    async def list_resources(self) -> Any:
        resources = {str(one.uri): one for one in await self.pages(self.session.list_resources, "resources")}
        templates = await self.pages(self.session.list_resource_templates, "resourceTemplates")
        if "test://static-text" not in resources or resources["demo://manual"].size != 23:
            return resources
        if "test://template/{id}/data" not in [one.uriTemplate for one in templates]:
            return templates

    async def list_prompts(self) -> Any:
        prompts = {one.name: one for one in await self.pages(self.session.list_prompts, "prompts")}
        arguments = prompts["test_prompt_with_arguments"].arguments or []
        if [(one.name, one.required) for one in arguments] != [("arg1", True), ("arg2", True)]:
            return arguments

    async def call(self, name: str, arguments: dict[str, Any] | None = None, **more: Any) -> str:
        """A call that gives one text, and no error."""
        result = await self.session.call_tool(name, arguments, **more)
        if result.isError:
            raise RuntimeError(f"{name} failed: {result.content}")
        return result.content[0].text

    async def call_text(self) -> Any:
        text = await self.call("test_simple_text")
        return "" if text == "This is a simple text response for testing." else text

    async def call_structured(self) -> Any:
        # The client validates it against the tool's outputSchema.
        result = await self.session.call_tool("result_structured")
        wanted = {"name": "temperature", "value": 21.5, "unit": "°C"}
        return "" if result.structuredContent == wanted and json.loads(result.content[0].text) == wanted else result

    async def call_failing(self) -> Any:
        result = await self.session.call_tool("test_error_handling")
        text = result.content[0].text
        return "" if result.isError and text.startswith("This tool intentionally returns an error") else result

    async def refused(self, request: Awaitable[Any], code: int) -> Any:
        try:
            return f"no error, but {await request}"
        except McpError as error:
            return "" if error.error.code == code else causes(error)

    async def call_unknown(self) -> Any:
        return await self.refused(self.session.call_tool("no_such_tool"), -32602)

    async def read(self, uri: str) -> Any:
        return (await self.session.read_resource(AnyUrl(uri))).contents[0]

    async def read_text(self) -> Any:
        contents = await self.read("test://static-text")
        right = contents.text == "This is the content of the static text resource."
        return "" if right and contents.mimeType == "text/plain" else contents

    async def read_binary(self) -> Any:
        contents = await self.read("test://static-binary")
        return "" if contents.blob.startswith("iVBORw0KGgo") and contents.mimeType == "image/png" else contents

    async def read_template(self) -> Any:
        contents = await self.read("test://template/123/data")
        return "" if json.loads(contents.text)["id"] == "123" else contents

    async def read_unknown(self) -> Any:
        return await self.refused(self.read("test://no-such-resource"), -32002)

    async def get_prompt(self) -> Any:
        arguments = {"arg1": "one", "arg2": "two"}
        result = await self.session.get_prompt("test_prompt_with_arguments", arguments)
        text = result.messages[0].content.text
        return "" if text == "Prompt with arguments: arg1='one', arg2='two'" else text

    async def complete(self) -> Any:
        place = types.ResourceTemplateReference(type="ref/resource", uri="demo://places/{country}/{city}")
        result = await self.session.complete(place, {"name": "city", "value": ""}, {"country": "norway"})
        cities = result.completion.values
        prompt = types.PromptReference(type="ref/prompt", name="test_prompt_with_arguments")
        values = (await self.session.complete(prompt, {"name": "arg1", "value": "test"})).completion.values
        return "" if cities == ["bergen", "oslo", "tromso"] and values == ["testValue1", "testValue2"] else (cities, values)

    async def progress(self) -> Any:
        steps: list[tuple[float, float | None, str | None]] = []

        async def note(progress: float, total: float | None, message: str | None) -> None:
            steps.append((progress, total, message))

        await self.call("test_tool_with_progress", progress_callback=note)
        # The call has returned: what is not there by now came after the result.
        wanted = [(0, 100, "0 of 100"), (50, 100, "50 of 100"), (100, 100, "100 of 100")]
        return "" if steps == wanted else steps

    async def set_logging_level(self) -> Any:
        logged = self.person.logged
        await self.session.set_logging_level("warning")
        await self.call("test_tool_with_logging")
        if logged:
            return f"logged below the level: {logged}"
        await self.session.set_logging_level("info")
        await self.call("test_tool_with_logging")
        wanted = ["Tool execution started", "Tool processing data", "Tool execution completed"]
        came = [(one.level, one.data) for one in logged if one.data in wanted]
        await self.session.set_logging_level("emergency")
        return "" if came == [("info", text) for text in wanted] else came

    async def cancel(self) -> Any:
        before = int(await self.call("run_given_up"))
        running = anyio.Event()

        async def note(*_: Any) -> None:
            running.set()

        async with anyio.create_task_group() as tasks:
            # The client has no way to cancel a call, but the messages for it; the number is that of its next request.
            number = self.session._request_id

            async def call() -> None:
                # A server may answer a cancelled call, with an error; the specification advises against it.
                with suppress(McpError):
                    await self.session.call_tool("run_slowly", {"seconds": 300}, progress_callback=note)

            tasks.start_soon(call)
            with anyio.fail_after(WAIT_SECONDS):
                await running.wait()
            params = types.CancelledNotificationParams(requestId=number, reason="enough")
            note_of_it = types.CancelledNotification(params=params)
            await self.session.send_notification(types.ClientNotification(note_of_it))
            with anyio.fail_after(WAIT_SECONDS):
                while int(await self.call("run_given_up")) <= before:
                    await anyio.sleep(0.05)
            tasks.cancel_scope.cancel()
        await self.session.send_ping()

    async def elicit(self, answer: types.ElicitResult) -> str:
        self.person.answers, self.person.asked = [answer], []
        return await self.call("test_elicitation", {"message": "Who are you?"})

    async def elicit_accept(self) -> Any:
        text = await self.elicit(accept({"username": "ada", "email": "ada@example.com"}))
        params = self.person.asked[0]
        if params.message != "Who are you?" or params.requestedSchema["required"] != ["username", "email"]:
            return params
        return "" if "action=accept" in text and "ada@example.com" in text else text

    async def elicit_decline(self) -> Any:
        text = await self.elicit(types.ElicitResult(action="decline"))
        return "" if "action=decline" in text else text

    async def elicit_cancel(self) -> Any:
        text = await self.elicit(types.ElicitResult(action="cancel"))
        return "" if "action=cancel" in text else text

    async def elicit_url(self) -> Any:
        self.person.answers, self.person.asked = [accept(None)], []
        text = await self.call("ask_for_page")
        params = self.person.asked[0]
        if params.mode != "url" or params.url != "https://example.com/connect" or not params.elicitationId:
            return params
        return "" if text == "the page was opened" else text

    async def elicit_over_two_rounds(self) -> Any:
        self.person.answers = [accept({"name": "Ada"}), accept({"color": "blue"})]
        text = await self.call("test_input_required_result_multi_round")
        if text != "Ada likes blue.":
            return text
        self.person.answers = [accept({"name": "Ada"})]
        text = await self.call("ask_by_hand")
        return "" if text == "hello, Ada, after 1 question(s)" else text

    async def sample(self) -> Any:
        text = await self.call("test_sampling", {"prompt": "What is the capital of France?"})
        params = self.person.sampled[-1]
        asked = params.messages[0].content
        if params.maxTokens != 100 or getattr(asked, "text", None) != "What is the capital of France?":
            return params
        return "" if text == "LLM response: Paris, I think." else text

    async def list_roots(self) -> Any:
        text = await self.call("test_input_required_result_list_roots")
        return "" if text == "file:///home/ada/project" else text

    async def ask_for_three_things_at_once(self) -> Any:
        self.person.answers = [accept({"name": "Ada"})]
        text = await self.call("test_input_required_result_multiple_inputs")
        return "" if text == "Ada: Paris, I think. You work in 1 folder(s)." else text

    async def subscribe(self) -> Any:
        await self.session.subscribe_resource(AnyUrl(WATCHED))
        await self.call("update_watched_resource")
        if not await self.person.until(lambda: self.person.heard(types.ResourceUpdatedNotification, uri=WATCHED)):
            return f"no notifications/resources/updated within {WAIT_SECONDS} s"
        await self.read(WATCHED)
        await self.session.unsubscribe_resource(AnyUrl(WATCHED))

    async def list_changed(self) -> Any:
        async def offered() -> bool:
            tools = await self.pages(self.session.list_tools, "tools")
            return "extra_tool" in [tool.name for tool in tools]

        async with turn(self.run.options.lock):
            before = await offered()
            for on in (not before, before):
                self.person.notified.clear()
                await self.call("toggle_extra_tool", {"on": on})
                if not await self.person.until(lambda: self.person.heard(types.ToolListChangedNotification)):
                    return f"no notifications/tools/list_changed within {WAIT_SECONDS} s"
                if await offered() is not on:
                    return f"toggle_extra_tool {on} did not change the list"


def accept(content: dict[str, Any] | None) -> types.ElicitResult:
    return types.ElicitResult(action="accept", content=content)


async def as_async(value: Any) -> Any:
    return value


def run(checks: Checks) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--bin-dir", type=Path, required=True)
    parser.add_argument("--log-dir", type=Path, required=True)
    parser.add_argument("--lock", type=Path, required=True, help="a folder that does not exist yet")
    parser.add_argument("--url", help="where `everything` is served (default: over stdio)")
    parser.add_argument("--trip-url", help="where `trip` is served (default: over stdio)")
    options = parser.parse_args()
    # It logs each failed parse with a stack; the message handler gets them too.
    logging.disable(logging.CRITICAL)

    async def all_of_it() -> None:
        one = Run(checks, options)
        for part in (one.everything, one.trip):
            try:
                with anyio.fail_after(TOTAL_SECONDS):
                    await part()
            except Exception as error:
                checks.fail(f"{one.where} {part.__name__}", causes(error))

    anyio.run(all_of_it)


if __name__ == "__main__":
    main(run)
