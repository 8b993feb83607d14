"""Every message that `everything` sends, in every revision, over both transports, against that revision's own schema.

Nothing here is a list of messages. For each revision and transport a plain JSON-RPC client sends every method that any
revision has, and for each method as many requests as the server has to offer: every tool with arguments made from its
schema (the least, all of them, each choice of an enumeration), by a client that can do everything and by one that can do
nothing, and answered with consent, refusal and cancellation where it asks; every resource, template and prompt; a
completion for each argument; each page of each list; and what is wrong with each of them. Each message that comes back,
responses, notifications and requests, is validated as what it is (`CallToolResult`, `ProgressNotification`, ...) by the
closed schema (`schemas.py`), so that a member of another revision is found wherever it leaks.

One check is counted for each revision, transport and method. What the server sends of itself has checks of its own: each
kind that the revision has, and that the examples can bring about, must have come, and no other.
"""

from __future__ import annotations

import argparse
import json
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from harness import Checks, HttpServer, main, shorten
from raw import MODERN, Http, Message, Session, Stdio
from samples import expand, sample, variables
from schemas import REVISIONS, Schema, load

WAIT_SECONDS = 8
PAGES = 100
LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")
ABLE = {"elicitation": {"form": {}, "url": {}}, "sampling": {}, "roots": {"listChanged": True}}
WATCHED = "test://watched-resource"
# A request that does not say what it is for; over HTTP, the modern revision misses a header before it misses the name.
NAMELESS = {False: -32602, True: 0}

# What the server need not send: it may, and is then checked like everything else.
NOT_EXPECTED = {
    "ping",
    "notifications/cancelled",
    "notifications/tasks/status",
    "tasks/get",
    "tasks/result",
    "tasks/cancel",
    "tasks/list",
}


class Group:
    """What came of one method."""

    def __init__(self) -> None:
        self.seen = 0
        self.wrong: list[str] = []


class Run:
    """One revision over one transport."""

    def __init__(self, schema: Schema, modern: Schema, connect: Callable[..., Session]) -> None:
        self.schema = schema
        self.modern_methods = set(modern.requests) - set(schema.requests)
        self.revision = schema.revision
        self.modern = schema.revision == MODERN
        self.groups: dict[str, Group] = defaultdict(Group)
        self.action = "accept"
        self.asked = 0
        self._connect = connect
        self._lock = threading.Lock()
        self._methods = schema.notifications | schema.server_requests

    # Judging messages

    def note(self, message: Any, method: str | None) -> None:
        wrong = self.judge(message, method)
        if not isinstance(message, dict) or "method" not in message:
            name = method or "responses"
        else:
            name = message["method"]
        with self._lock:
            group = self.groups[name]
            group.seen += 1
            if wrong:
                group.wrong.append(f"{wrong}: {shorten(json.dumps(message, ensure_ascii=False), 300)}")

    def judge(self, message: Any, method: str | None) -> str:
        if not isinstance(message, dict):
            return "not a message"
        if "method" in message:
            name = self._methods.get(message["method"])
            if name is None:
                return f"{self.revision} has no such message from a server"
            # Of what is asked within a result, only the method and its params are there.
            request = message["method"] in self.schema.server_requests
            if not self.modern and request != ("id" in message):
                return "a request has an id, a notification has none"
            return self.schema.wrong_message(name, message)
        if message.get("jsonrpc") != "2.0":
            return "not JSON-RPC 2.0"
        if set(message) == {"jsonrpc", "id", "error"}:
            return self.schema.wrong_error(message)
        if set(message) != {"jsonrpc", "id", "result"}:
            return f"a response has an id, and a result or an error: {sorted(message)}"
        if method is None:
            return "it answers nothing that was asked"
        if method not in self.schema.requests:
            return f"{self.revision} has no {method}, and it was answered"
        return self.schema.wrong_result(method, message["result"])

    def fault(self, method: str, why: str) -> None:
        with self._lock:
            self.groups[method].wrong.append(why)

    # Answering the server

    def answer(self, message: Message) -> Any:
        method, params = message["method"], message.get("params", {})
        if method == "elicitation/create":
            self.asked += 1
            if self.action != "accept":
                return {"action": self.action}
            if "requestedSchema" not in params:
                return {"action": "accept"}
            properties = params["requestedSchema"]["properties"]
            return {"action": "accept", "content": {name: sample(one, one) for name, one in properties.items()}}
        if method == "sampling/createMessage":
            content = {"type": "text", "text": "Paris"}
            return {"role": "assistant", "content": content, "model": "a-model", "stopReason": "endTurn"}
        if method == "roots/list":
            return {"roots": [{"uri": "file:///work", "name": "work"}]}
        return {}

    def session(self, able: bool) -> Session:
        known = self.schema.client_capabilities()
        capabilities = {name: one for name, one in ABLE.items() if able and name in known}
        if self.revision < "2025-11-25" and "elicitation" in capabilities:
            capabilities["elicitation"] = {}
        return self._connect(self.revision, capabilities, self.note, self.answer)

    # The cells

    def all(self, methods: list[str]) -> None:
        for able in (True, False):
            session = self.session(able)
            try:
                begun = session.begin()
                if "result" not in begun:
                    self.fault("initialize", f"no session, so nothing else could be asked: {begun.get('error')}")
                    return
                Cells(self, session, begun["result"], methods).all(able)
            finally:
                session.close()

    def report(self, checks: Checks, transport: str, methods: list[str]) -> None:
        expected = [*methods, *(name for name in self._methods if name not in NOT_EXPECTED)]
        if any("no session" in why for why in self.groups["initialize"].wrong):
            expected = ["initialize"]
        for name in [*expected, *sorted(set(self.groups) - set(expected))]:
            group = self.groups[name]
            title = f"{self.revision} {transport} {name}"
            if group.wrong:
                more = f" (and {len(group.wrong) - 1} more)" if len(group.wrong) > 1 else ""
                checks.fail(title, group.wrong[0] + more)
            elif group.seen:
                checks.ok(title, f"{group.seen} messages")
            elif name in expected:
                checks.fail(title, "none came")


class Cells:
    """The requests of one session."""

    def __init__(self, run: Run, session: Session, begun: Message, methods: list[str]) -> None:
        self.run = run
        self.session = session
        self.can = begun.get("capabilities", {})
        self.methods = methods
        self.lists: dict[str, list[Message]] = {}

    def all(self, able: bool) -> None:
        self.gather()
        if not self.run.modern and able:
            self.ask("logging/setLevel", {"level": "debug"})
        if self.run.modern and able:
            self.session.log_level = "debug"
        for method in self.methods:
            if method == "tools/call":
                self.call_tools(able)
            elif able and not (method == "subscriptions/listen" and method in self.run.schema.requests):
                for params, code in self.cells(method):
                    self.ask(method, params, code)
        if able:
            self.changes()
            if self.run.revision == "2025-03-26":
                self.batch()

    def ask(self, method: str, params: Any, code: int | None = None) -> Message:
        """One cell. `code` is that of the error which must come; 0 is any error, None is anything that is valid."""
        try:
            answer = self.session.request(method, params)
        except (RuntimeError, OSError, ValueError, KeyError) as error:
            self.run.fault(method, f"{type(error).__name__}: {error}, for {shorten(json.dumps(params), 200)}")
            return {}
        came = answer.get("error", {}).get("code")
        if code is not None and (came is None or code not in (0, came)):
            wanted = f"the error {code}" if code else "an error"
            self.run.fault(method, f"{wanted} had to come for {shorten(json.dumps(params), 200)}, not {shorten(answer, 200)}")
        return answer.get("result", {})

    def gather(self) -> None:
        """Every page of what the server offers."""
        for method in self.methods:
            if not method.endswith("/list") or method not in self.run.schema.requests or method.startswith("tasks/"):
                continue
            found: list[Message] = []
            params: Message = {}
            for _ in range(PAGES):
                page = self.ask(method, params)
                found += next((items for items in page.values() if isinstance(items, list)), [])
                if "nextCursor" not in page:
                    break
                params = {"cursor": page["nextCursor"]}
            self.lists[method] = found
        for tool in self.listed("tools/list"):
            properties = tool["inputSchema"].get("properties", {})
            headers = {name: one["x-mcp-header"] for name, one in properties.items() if "x-mcp-header" in one}
            self.session.headers[tool["name"]] = headers

    def listed(self, method: str) -> list[Message]:
        return self.lists.get(method, [])

    def cells(self, method: str) -> Iterator[tuple[Any, int | None]]:
        """The requests for a method, from what was listed; for an unknown one, a plain request."""
        if method not in self.run.schema.requests:
            # Without its `_meta`, a method of the modern revision may miss that before anything else.
            yield {}, 0 if method in self.run.modern_methods else -32601
            return
        if method.startswith("tasks/") and "tasks" not in self.can:
            yield {"taskId": "1"}, -32601
            return
        yield from getattr(self, "cells_" + method.replace("/", "_"), self.cells_of_a_method)(method)

    def cells_of_a_method(self, method: str) -> Iterator[tuple[Any, int | None]]:
        yield {}, None
        if method.endswith("/list") and not method.startswith("tasks/"):
            yield {"cursor": "no such cursor"}, -32602

    def cells_initialize(self, method: str) -> Iterator[tuple[Any, int | None]]:
        # A second one, in the same session: refused, or answered once more.
        info = {"name": "again", "version": "1.0"}
        capabilities = self.session.capabilities
        yield {"protocolVersion": self.run.revision, "capabilities": capabilities, "clientInfo": info}, None

    def cells_logging_setLevel(self, method: str) -> Iterator[tuple[Any, int | None]]:
        for level in LEVELS:
            yield {"level": level}, None
        yield {"level": "loud"}, -32602
        yield {}, -32602
        yield {"level": "debug"}, None

    def cells_resources_read(self, method: str) -> Iterator[tuple[Any, int | None]]:
        for resource in self.listed("resources/list"):
            yield {"uri": resource["uri"]}, None
        for template in self.listed("resources/templates/list"):
            uri = template["uriTemplate"]
            yield {"uri": expand(uri, {name: "1" for name in variables(uri)})}, None
            yield {"uri": expand(uri, {name: "no such thing" for name in variables(uri)})}, None
        yield {"uri": "test://no-such-resource"}, -32602 if self.run.modern else -32002
        yield {}, NAMELESS[self.run.modern]

    def cells_resources_subscribe(self, method: str) -> Iterator[tuple[Any, int | None]]:
        for resource in self.listed("resources/list"):
            yield {"uri": resource["uri"]}, None
        yield {"uri": "test://no-such-resource"}, None
        yield {}, -32602

    cells_resources_unsubscribe = cells_resources_subscribe

    def cells_prompts_get(self, method: str) -> Iterator[tuple[Any, int | None]]:
        for prompt in self.listed("prompts/list"):
            arguments = prompt.get("arguments", [])
            for chosen in (arguments, [one for one in arguments if one.get("required")], []):
                made = {one["name"]: "9" if one["name"] == "at" else "text" for one in chosen}
                yield {"name": prompt["name"], "arguments": made}, None
            yield {"name": prompt["name"]}, None
        yield {"name": "no-such-prompt"}, -32602
        yield {}, NAMELESS[self.run.modern]

    def cells_completion_complete(self, method: str) -> Iterator[tuple[Any, int | None]]:
        refs = [
            ({"type": "ref/prompt", "name": prompt["name"]}, [one["name"] for one in prompt.get("arguments", [])])
            for prompt in self.listed("prompts/list")
        ]
        refs += [
            ({"type": "ref/resource", "uri": template["uriTemplate"]}, variables(template["uriTemplate"]))
            for template in self.listed("resources/templates/list")
        ]
        for ref, names in refs:
            for name in names:
                for value in ("", "t"):
                    yield {"ref": ref, "argument": {"name": name, "value": value}}, None
        yield {"ref": {"type": "ref/prompt", "name": "no-such-prompt"}, "argument": {"name": "x", "value": ""}}, -32602
        yield {}, -32602

    # Tools

    def call_tools(self, able: bool) -> None:
        for tool in self.listed("tools/list"):
            for arguments in variants(tool["inputSchema"]):
                self.call(tool["name"], arguments)
            if able and self.run.asked:
                for self.run.action in ("decline", "cancel"):
                    for arguments in variants(tool["inputSchema"]):
                        self.call(tool["name"], arguments)
                self.run.action = "accept"
            self.run.asked = 0
        self.ask("tools/call", {"name": "no-such-tool", "arguments": {}}, -32602)
        self.ask("tools/call", {"name": "test_simple_text"})
        self.ask("tools/call", {}, NAMELESS[self.run.modern])

    def call(self, name: str, arguments: Message) -> Message:
        token = self.session.next_id()
        return self.ask("tools/call", {"name": name, "arguments": arguments, "_meta": {"progressToken": token}})

    # What the server says of itself

    def changes(self) -> None:
        """Brings about what a client can be told of: an updated resource, and changed lists."""
        names = {tool["name"] for tool in self.listed("tools/list")}
        causes: list[tuple[str, Callable[[], Any]]] = []
        if "update_watched_resource" in names:
            causes.append(("notifications/resources/updated", lambda: self.call("update_watched_resource", {})))
        if "toggle_extra_tool" in names:
            causes.append(("notifications/tools/list_changed", lambda: self.toggle("toggle_extra_tool")))
        if "toggle_extra_resource" in names:
            causes.append(("notifications/resources/list_changed", lambda: self.toggle("toggle_extra_resource")))
        if "test_trigger_prompt_change" in names:
            causes.append(("notifications/prompts/list_changed", lambda: self.call("test_trigger_prompt_change", {})))
        end = self.subscribe()
        for kind, cause in causes:
            before = self.run.groups[kind].seen
            cause()
            limit = time.monotonic() + WAIT_SECONDS
            while self.run.groups[kind].seen == before:
                if time.monotonic() > limit:
                    self.run.fault(kind, f"none came within {WAIT_SECONDS} s of what brings it about")
                    break
                time.sleep(0.02)
        for one in end:
            one()

    def toggle(self, tool: str) -> None:
        for on in (False, True):
            self.call(tool, {"on": on})

    def subscribe(self) -> list[Callable[[], None]]:
        if "subscriptions/listen" not in self.run.schema.requests:
            self.ask("resources/subscribe", {"uri": WATCHED})
            return []
        filters: list[Message] = [
            {"resourceSubscriptions": [WATCHED]},
            {"toolsListChanged": True},
            {"promptsListChanged": True},
            {"resourcesListChanged": True, "toolsListChanged": True, "promptsListChanged": True},
        ]
        ends = []
        for one in filters:
            try:
                before = self.run.groups["notifications/subscriptions/acknowledged"].seen
                ends.append(self.session.listen(one))
                limit = time.monotonic() + WAIT_SECONDS
                while self.run.groups["notifications/subscriptions/acknowledged"].seen == before:
                    if self.run.groups["subscriptions/listen"].seen or time.monotonic() > limit:
                        self.run.fault("subscriptions/listen", f"{one} is not acknowledged")
                        return ends
                    time.sleep(0.01)
            except (RuntimeError, OSError) as error:
                self.run.fault("subscriptions/listen", f"{type(error).__name__}: {error}, for {one}")
                return ends
        self.ask("subscriptions/listen", {}, -32602)
        return ends

    def batch(self) -> None:
        """Several messages in one, which only 2025-03-26 has."""
        methods = [("ping", {}), ("tools/list", {}), ("no/such/method", {})]
        batch = [
            {"jsonrpc": "2.0", "id": self.session.next_id(), "method": method, "params": params}
            for method, params in methods
        ]
        try:
            self.session.batch(batch)
        except (RuntimeError, OSError, ValueError, KeyError) as error:
            self.run.fault("ping", f"a batch: {type(error).__name__}: {error}")


def variants(schema: Message) -> list[Message]:
    """Arguments for a schema: the least, all, and each choice of each enumeration."""
    properties = schema.get("properties", {})
    least = {name: sample(properties.get(name), schema) for name in schema.get("required", [])}
    full = least | {name: sample(one, schema) for name, one in properties.items()}
    found = [least]
    choices = [full | {name: choice} for name, one in properties.items() for choice in one.get("enum", [])]
    for arguments in [full, *choices]:
        if arguments not in found:
            found.append(arguments)
    return found


def run(checks: Checks) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--bin-dir", type=Path, required=True)
    parser.add_argument("--log-dir", type=Path, required=True)
    parser.add_argument("revisions", nargs="*", help=f"of {', '.join(REVISIONS)} (default: all)")
    options = parser.parse_args()
    binary = options.bin_dir.resolve() / "everything"
    schemas = load()
    methods = list(dict.fromkeys(method for schema in schemas.values() for method in schema.requests))
    methods.append("no/such/method")
    with HttpServer(binary, [], options.log_dir / "matrix-http.log") as server:
        for revision in options.revisions or REVISIONS:
            for transport, connect in (
                ("stdio", lambda *args: Stdio(binary, options.log_dir / "matrix-stdio.log", *args)),
                ("http", lambda *args: Http(server.url, *args)),
            ):
                one = Run(schemas[revision], schemas[MODERN], connect)
                try:
                    one.all(methods)
                except Exception as error:
                    checks.fail(f"{revision} {transport}", f"{type(error).__name__}: {error}")
                one.report(checks, transport, methods)
        why = server.stop()
        checks.that("everything outlives the matrix, and ends with 0 on SIGTERM", not why, why)


if __name__ == "__main__":
    main(run)
