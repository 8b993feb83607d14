"""The official Python client of the 2.x line against `everything`, in the current revision or by `initialize`.

Run by `clients.py`, once a transport; `everything` may serve other clients at the same time.
"""

from __future__ import annotations

import argparse
import json
import logging
import sys
import warnings
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import mcp_types as types
from mcp import Client, MCPError
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.subscriptions import ResourceUpdated, ToolsListChanged

if sys.version_info < (3, 11):  # noqa: UP036
    from exceptiongroup import BaseExceptionGroup

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from harness import Checks, main  # noqa: E402

REVISIONS = {"python-2": "2026-07-28", "python-2-legacy": "2025-11-25"}
REQUEST_SECONDS = 15
WAIT_SECONDS = 10
TOTAL_SECONDS = 60
WATCHED = "test://watched-resource"
LOGGED = ["Tool execution started", "Tool processing data", "Tool execution completed"]


def causes(error: BaseException) -> str:
    """An error with what it groups, since task groups hide the one that matters."""
    if isinstance(error, BaseExceptionGroup):
        return "; ".join(causes(inner) for inner in error.exceptions)
    code = f" {error.error.code}" if isinstance(error, MCPError) else ""
    return f"{type(error).__name__}{code}: {error}"


class Person:
    """Whoever is behind the client: answers what the server asks, and keeps what it says."""

    def __init__(self) -> None:
        self.answers: list[types.ElicitResult] = []
        self.asked: list[Any] = []
        self.logged: list[types.LoggingMessageNotificationParams] = []
        self.notified: list[Any] = []
        self.odd: list[str] = []

    async def elicit(self, _: Any, params: types.ElicitRequestParams) -> types.ElicitResult:
        self.asked.append(params)
        return self.answers.pop(0) if self.answers else types.ElicitResult(action="cancel")

    async def sample(self, _: Any, params: types.CreateMessageRequestParams) -> types.CreateMessageResult:
        content = types.TextContent(type="text", text=f"Asked for {params.max_tokens} tokens.")
        return types.CreateMessageResult(role="assistant", content=content, model="a-model", stop_reason="endTurn")

    async def roots(self, _: Any) -> types.ListRootsResult:
        return types.ListRootsResult(roots=[types.Root(uri="file:///home/ada/project", name="project")])

    async def log(self, params: types.LoggingMessageNotificationParams) -> None:
        self.logged.append(params)

    async def message(self, message: Any) -> None:
        if isinstance(message, Exception):
            # What the client could not read, or place.
            self.odd.append(causes(message))
        else:
            self.notified.append(message)

    async def hears(self, kind: type) -> bool:
        """Waits for a notification, for a bounded time."""
        with anyio.move_on_after(WAIT_SECONDS):
            while not any(isinstance(one, kind) for one in self.notified):
                await anyio.sleep(0.02)
            return True
        return False


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
    """Each feature, over one connection to `everything`."""

    def __init__(self, checks: Checks, options: argparse.Namespace) -> None:
        self.checks = checks
        self.options = options
        self.is_legacy = options.client == "python-2-legacy"
        self.person = Person()
        self.client: Client

    async def all(self) -> None:
        options, person = self.options, self.person
        with (options.log_dir / f"{options.client}-everything-stderr.log").open("a") as log:
            command = StdioServerParameters(command=str(options.bin_dir / "everything"))
            client = Client(
                options.url or stdio_client(command, errlog=log),
                mode="legacy" if self.is_legacy else "auto",
                cache=None,
                read_timeout_seconds=REQUEST_SECONDS,
                log_level="info",
                elicitation_callback=person.elicit,
                sampling_callback=person.sample,
                list_roots_callback=person.roots,
                logging_callback=person.log,
                message_handler=person.message,
            )
            async with client:
                self.client = client
                for test in (
                    self.connect,
                    self.list,
                    self.call,
                    self.call_failing,
                    self.call_unknown,
                    self.read,
                    self.read_unknown,
                    self.prompt,
                    self.complete,
                    self.progress,
                    self.log,
                    self.cancel,
                    self.elicit,
                    self.elicit_over_two_rounds,
                    self.sample,
                    self.roots,
                    self.subscribe,
                    self.list_changed,
                    self.odd,
                ):
                    await self.check(test.__name__.replace("_", " "), test)

    async def check(self, name: str, test: Callable[[], Awaitable[Any]]) -> None:
        """One check: `test` raises, or gives what it found wrong, or nothing."""
        name = f"{self.options.client} {'http' if self.options.url else 'stdio'} {name}"
        try:
            wrong = await test()
        except Exception as error:
            self.checks.fail(name, causes(error))
            return
        self.checks.that(name, not wrong, wrong)

    async def connect(self) -> Any:
        wanted = ("everything", "Everything", REVISIONS[self.options.client])
        info = self.client.server_info
        came = (info.name, info.title, self.client.protocol_version)
        return "" if came == wanted and (self.client.instructions or "").startswith("A catalogue") else came

    async def pages(self, method: Callable[..., Awaitable[Any]], field: str) -> list[Any]:
        found: list[Any] = []
        cursor = None
        for _ in range(100):
            page = await method(cursor=cursor)
            found += getattr(page, field)
            cursor = page.next_cursor
            if cursor is None:
                return found
        raise RuntimeError("more than 100 pages")

    async def list(self) -> Any:
        tools = {tool.name: tool for tool in await self.pages(self.client.list_tools, "tools")}
        described = tools["run.described"]
        if not described.title or not described.icons or tools["result_structured"].output_schema is None:
            return f"no title, icons or outputSchema: {described}"
        resources = {str(one.uri): one for one in await self.pages(self.client.list_resources, "resources")}
        templates = await self.pages(self.client.list_resource_templates, "resource_templates")
        prompts = {one.name: one for one in await self.pages(self.client.list_prompts, "prompts")}
        if resources["demo://manual"].size != 23:
            return resources
        if "test://template/{id}/data" not in [one.uri_template for one in templates]:
            return templates
        arguments = [(one.name, one.required) for one in prompts["test_prompt_with_arguments"].arguments or []]
        return "" if arguments == [("arg1", True), ("arg2", True)] else arguments

    async def text(self, name: str, arguments: dict[str, Any] | None = None, **more: Any) -> str:
        """A call that gives one text, and no error."""
        result = await self.client.call_tool(name, arguments, **more)
        if result.is_error:
            raise RuntimeError(f"{name} failed: {result.content}")
        return result.content[0].text

    async def call(self) -> Any:
        text = await self.text("test_simple_text")
        # The client validates it against the tool's outputSchema.
        result = await self.client.call_tool("result_structured")
        right = result.structured_content == {"name": "temperature", "value": 21.5, "unit": "°C"}
        return "" if right and text == "This is a simple text response for testing." else (text, result)

    async def call_failing(self) -> Any:
        result = await self.client.call_tool("test_error_handling")
        text = result.content[0].text
        return "" if result.is_error and text.startswith("This tool intentionally returns an error") else result

    async def refused(self, request: Awaitable[Any], code: int) -> Any:
        try:
            return f"no error, but {await request}"
        except MCPError as error:
            return "" if error.error.code == code else causes(error)

    async def call_unknown(self) -> Any:
        return await self.refused(self.client.call_tool("no_such_tool"), -32602)

    async def contents(self, uri: str) -> Any:
        return (await self.client.read_resource(uri)).contents[0]

    async def read(self) -> Any:
        text = await self.contents("test://static-text")
        blob = await self.contents("test://static-binary")
        row = await self.contents("test://template/123/data")
        right = text.text == "This is the content of the static text resource." and text.mime_type == "text/plain"
        right = right and blob.blob.startswith("iVBORw0KGgo") and json.loads(row.text)["id"] == "123"
        return "" if right else (text, blob, row)

    async def read_unknown(self) -> Any:
        code = -32002 if self.is_legacy else -32602
        return await self.refused(self.client.read_resource("test://no-such-resource"), code)

    async def prompt(self) -> Any:
        result = await self.client.get_prompt("test_prompt_with_arguments", {"arg1": "one", "arg2": "two"})
        text = result.messages[0].content.text
        return "" if text == "Prompt with arguments: arg1='one', arg2='two'" else text

    async def complete(self) -> Any:
        place = types.ResourceTemplateReference(type="ref/resource", uri="demo://places/{country}/{city}")
        result = await self.client.complete(place, {"name": "city", "value": ""}, {"country": "norway"})
        prompt = types.PromptReference(type="ref/prompt", name="test_prompt_with_arguments")
        values = (await self.client.complete(prompt, {"name": "arg1", "value": "test"})).completion.values
        came = (result.completion.values, values)
        return "" if came == (["bergen", "oslo", "tromso"], ["testValue1", "testValue2"]) else came

    async def progress(self) -> Any:
        steps: list[tuple[float, float | None, str | None]] = []

        async def note(progress: float, total: float | None, message: str | None) -> None:
            steps.append((progress, total, message))

        await self.text("test_tool_with_progress", progress_callback=note)
        # The call has returned: what is not there by now came after the result.
        return "" if steps == [(at, 100, f"{at} of 100") for at in (0, 50, 100)] else steps

    async def log(self) -> Any:
        if self.is_legacy:
            await self.client.set_logging_level("info")
        await self.text("test_tool_with_logging")
        came = [(one.level, one.data) for one in self.person.logged if one.data in LOGGED]
        return "" if came == [("info", text) for text in LOGGED] else came

    async def cancel(self) -> Any:
        before = int(await self.text("run_given_up"))
        running = anyio.Event()

        async def note(*_: Any) -> None:
            running.set()

        async with anyio.create_task_group() as tasks:
            slowly = {"seconds": 300}
            tasks.start_soon(lambda: self.client.call_tool("run_slowly", slowly, progress_callback=note))
            with anyio.fail_after(WAIT_SECONDS):
                await running.wait()
            # A call is cancelled as any awaited thing is; the client tells the server.
            tasks.cancel_scope.cancel()
        with anyio.fail_after(WAIT_SECONDS):
            while int(await self.text("run_given_up")) <= before:
                await anyio.sleep(0.05)

    async def elicit(self) -> Any:
        accepted = {"username": "ada", "email": "ada@example.com"}
        for answer, wanted in (
            (types.ElicitResult(action="accept", content=accepted), "ada@example.com"),
            (types.ElicitResult(action="decline"), "action=decline"),
            (types.ElicitResult(action="cancel"), "action=cancel"),
        ):
            self.person.answers, self.person.asked = [answer], []
            text = await self.text("test_elicitation", {"message": "Who are you?"})
            if wanted not in text or [one.message for one in self.person.asked] != ["Who are you?"]:
                return text, self.person.asked
        self.person.answers, self.person.asked = [types.ElicitResult(action="accept")], []
        text = await self.text("ask_for_page")
        return "" if text == "the page was opened" and self.person.asked[0].mode == "url" else text

    async def elicit_over_two_rounds(self) -> Any:
        said = ({"name": "Ada"}, {"color": "blue"})
        self.person.answers = [types.ElicitResult(action="accept", content=content) for content in said]
        text = await self.text("test_input_required_result_multi_round")
        return "" if text == "Ada likes blue." else text

    async def sample(self) -> Any:
        text = await self.text("test_sampling", {"prompt": "What is the capital of France?"})
        return "" if text == "LLM response: Asked for 100 tokens." else text

    async def roots(self) -> Any:
        text = await self.text("test_input_required_result_list_roots")
        return "" if text == "file:///home/ada/project" else text

    async def subscribe(self) -> Any:
        if self.is_legacy:
            await self.client.subscribe_resource(WATCHED)
            await self.text("update_watched_resource")
            if not await self.person.hears(types.ResourceUpdatedNotification):
                return f"no notifications/resources/updated within {WAIT_SECONDS} s"
            await self.client.unsubscribe_resource(WATCHED)
            return
        async with self.client.listen(resource_subscriptions=[WATCHED]) as told:
            await self.text("update_watched_resource")
            with anyio.fail_after(WAIT_SECONDS):
                async for event in told:
                    return "" if event == ResourceUpdated(uri=WATCHED) else event

    async def list_changed(self) -> Any:
        async with turn(self.options.lock):
            if not self.is_legacy:
                async with self.client.listen(tools_list_changed=True) as told:
                    return await self.toggled(lambda: self.listened(told))
            return await self.toggled(lambda: self.person.hears(types.ToolListChangedNotification))

    async def listened(self, told: Any) -> bool:
        with anyio.move_on_after(WAIT_SECONDS):
            async for event in told:
                return isinstance(event, ToolsListChanged)
        return False

    async def toggled(self, is_told: Callable[[], Awaitable[bool]]) -> Any:
        """Shows the extra tool and hides it again, or the other way round."""

        async def is_offered() -> bool:
            return "extra_tool" in [tool.name for tool in await self.pages(self.client.list_tools, "tools")]

        before = await is_offered()
        for on in (not before, before):
            self.person.notified.clear()
            await self.text("toggle_extra_tool", {"on": on})
            if not await is_told():
                return f"no notifications/tools/list_changed within {WAIT_SECONDS} s"
            if await is_offered() is not on:
                return f"toggle_extra_tool {on} did not change the list"

    async def odd(self) -> Any:
        return self.person.odd


def run(checks: Checks) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--client", choices=REVISIONS, required=True)
    parser.add_argument("--bin-dir", type=Path, required=True)
    parser.add_argument("--log-dir", type=Path, required=True)
    parser.add_argument("--lock", type=Path, required=True, help="a folder that does not exist yet")
    parser.add_argument("--url", help="where `everything` is served (default: over stdio)")
    parser.add_argument("--trip-url", help="not used")
    options = parser.parse_args()
    # It logs each failed parse with a stack; the message handler gets them too.
    logging.disable(logging.CRITICAL)
    # What 2026-07-28 deprecates is served all the same.
    warnings.simplefilter("ignore")

    async def all_of_it() -> None:
        one = Run(checks, options)
        try:
            with anyio.fail_after(2 * TOTAL_SECONDS):
                await one.all()
        except Exception as error:
            checks.fail(f"{options.client} to its end", causes(error))

    anyio.run(all_of_it)


if __name__ == "__main__":
    main(run)
