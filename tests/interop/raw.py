"""Clients that only speak JSON-RPC, of any revision, over stdio and HTTP; every message from the server is handed on.

A session tells `note(message, method)` of each message, where `method` is that of the request that a response
answers. Requests of the server are answered by the `answer` that the session is made with.
"""

from __future__ import annotations

import base64
import http.client
import json
import queue
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

MODERN = "2026-07-28"
REQUEST_SECONDS = 15
ROUNDS = 10
META = "io.modelcontextprotocol/"
INFO = {"name": "raw", "version": "1.0"}

Message = dict[str, Any]
Note = Callable[[Any, str | None], None]
Answer = Callable[[Message], Any]


class Session:
    """What both transports share: numbers, the handshake, and the rounds of the modern revision."""

    def __init__(self, revision: str, capabilities: Message, note: Note, answer: Answer) -> None:
        self.revision = revision
        self.modern = revision == MODERN
        self.capabilities = capabilities
        self.note = note
        self.answer = answer
        self.log_level: str | None = None
        # By tool, the arguments that HTTP requests of the modern revision repeat in headers.
        self.headers: dict[str, dict[str, str]] = {}
        self._count = 0
        self._lock = threading.Lock()

    def next_id(self) -> int | str:
        """Numbers and strings in turn: a server has to give back what it got."""
        with self._lock:
            self._count += 1
            return self._count if self._count % 2 else f"request {self._count}"

    def begin(self) -> Message:
        """Initializes a session; the modern revision has none."""
        if self.modern:
            return self.request("server/discover", {})
        params = {"protocolVersion": self.revision, "capabilities": self.capabilities, "clientInfo": INFO}
        answer = self.request("initialize", params)
        if "result" in answer:
            self.initialized(answer["result"])
        return answer

    def initialized(self, result: Message) -> None:
        self.notify("notifications/initialized", {})

    def params(self, params: Any) -> Any:
        """With what the modern revision says in every request."""
        if not self.modern or not isinstance(params, dict):
            return params
        meta = {
            META + "protocolVersion": self.revision,
            META + "clientInfo": INFO,
            META + "clientCapabilities": self.capabilities,
        }
        if self.log_level:
            meta[META + "logLevel"] = self.log_level
        return params | {"_meta": meta | params.get("_meta", {})}

    def request(self, method: str, params: Any) -> Message:
        """Sends a request, answers what the server asks meanwhile, and gives the final response."""
        for _ in range(ROUNDS):
            message = {"jsonrpc": "2.0", "id": self.next_id(), "method": method, "params": self.params(params)}
            answer = self.exchange(message)
            if answer.get("id") != message["id"]:
                raise RuntimeError(f"the answer to {message['id']!r} has the id {answer.get('id')!r}")
            result = answer.get("result")
            if not self.modern or not isinstance(result, dict) or result.get("resultType") != "input_required":
                return answer
            asked = result.get("inputRequests", {})
            for one in asked.values():
                self.note(one, None)
            answers = {key: self.answer(one) for key, one in asked.items()}
            state = {key: result[key] for key in ("requestState",) if key in result}
            params = params | {"inputResponses": answers} | state
        raise RuntimeError(f"{method} still asks after {ROUNDS} rounds")

    def exchange(self, message: Message) -> Message:
        """Sends one request and gives its response."""
        raise NotImplementedError

    def notify(self, method: str, params: Message) -> None:
        raise NotImplementedError

    def listen(self, filter: Message) -> Callable[[], None]:
        """Opens a subscription of the modern revision; gives what ends it."""
        raise NotImplementedError

    def batch(self, messages: list[Message]) -> list[Message]:
        raise NotImplementedError

    def close(self) -> None:
        raise NotImplementedError

    def answered(self, message: Message) -> Message:
        return {"jsonrpc": "2.0", "id": message["id"], "result": self.answer(message)}


class Stdio(Session):
    def __init__(self, binary: Path, log: Path, *args: Any) -> None:
        super().__init__(*args)
        self._stderr = log.open("a")
        self._process = subprocess.Popen(
            [str(binary)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._stderr, text=True
        )
        self._waiting: dict[int | str, tuple[str, queue.Queue[Message]]] = {}
        self._write = threading.Lock()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _send(self, message: Any) -> None:
        assert self._process.stdin is not None
        with self._write:
            self._process.stdin.write(json.dumps(message) + "\n")
            self._process.stdin.flush()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            try:
                read = json.loads(line)
            except ValueError:
                self.note(line, None)
                continue
            for message in read if isinstance(read, list) else [read]:
                self._take(message)

    def _take(self, message: Message) -> None:
        method, waiting = None, None
        if "method" not in message:
            method, waiting = self._waiting.pop(message.get("id"), (None, None))
        self.note(message, method)
        if waiting is not None:
            waiting.put(message)
        elif "method" in message and "id" in message:
            self._send(self.answered(message))

    def _expect(self, message: Message) -> queue.Queue[Message]:
        waiting: queue.Queue[Message] = queue.Queue()
        self._waiting[message["id"]] = (message["method"], waiting)
        return waiting

    def exchange(self, message: Message) -> Message:
        waiting = self._expect(message)
        self._send(message)
        return self._wait(message, waiting)

    def _wait(self, message: Message, waiting: queue.Queue[Message]) -> Message:
        try:
            return waiting.get(timeout=REQUEST_SECONDS)
        except queue.Empty:
            raise RuntimeError(f"no answer to {message['method']} within {REQUEST_SECONDS} s") from None

    def notify(self, method: str, params: Message) -> None:
        self._send({"jsonrpc": "2.0", "method": method, "params": params})

    def listen(self, filter: Message) -> Callable[[], None]:
        params = self.params({"notifications": filter})
        message = {"jsonrpc": "2.0", "id": self.next_id(), "method": "subscriptions/listen", "params": params}
        self._expect(message)
        self._send(message)
        return lambda: self.notify("notifications/cancelled", {"requestId": message["id"]})

    def batch(self, messages: list[Message]) -> list[Message]:
        waiting = [self._expect(message) for message in messages]
        self._send(messages)
        return [self._wait(*pair) for pair in zip(messages, waiting)]

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            self._process.wait(REQUEST_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
            raise RuntimeError("the server lives on after the end of its input") from None
        finally:
            self._reader.join(REQUEST_SECONDS)
            self._stderr.close()


class Http(Session):
    def __init__(self, url: str, *args: Any) -> None:
        super().__init__(*args)
        self._url = urlsplit(url)
        self._session: str | None = None
        self._closes: list[Callable[[], None]] = []

    def _connect(self, timeout: float | None = REQUEST_SECONDS) -> http.client.HTTPConnection:
        return http.client.HTTPConnection(self._url.hostname, self._url.port, timeout=timeout)

    def _headers(self, message: Any = None) -> dict[str, str]:
        headers = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
        if self.modern and isinstance(message, dict):
            headers |= {"MCP-Protocol-Version": self.revision, "Mcp-Method": message["method"]}
            params = message["params"] if isinstance(message.get("params"), dict) else {}
            name = params.get("name", params.get("uri"))
            if isinstance(name, str):
                headers["Mcp-Name"] = encoded(name)
            arguments = params.get("arguments") if isinstance(params.get("arguments"), dict) else {}
            for argument, header in self.headers.get(str(name), {}).items():
                if arguments.get(argument) is not None:
                    headers["Mcp-Param-" + header] = encoded(arguments[argument])
        elif not self.modern and self._session:
            headers["Mcp-Session-Id"] = self._session
            # It came with 2025-06-18; before, nobody sent it.
            if self.revision >= "2025-06-18":
                headers["MCP-Protocol-Version"] = self.revision
        return headers

    def exchange(self, message: Message) -> Message:
        return self._post(message, [message])[0]

    def batch(self, messages: list[Message]) -> list[Message]:
        return self._post(messages, messages)

    def _post(self, body: Any, requests: list[Message]) -> list[Message]:
        """Posts, and gives the responses to these requests in their order."""
        methods = {request["id"]: request["method"] for request in requests}
        found: dict[Any, Message] = {}
        connection = self._connect()
        try:
            connection.request("POST", self._url.path, json.dumps(body), self._headers(body))
            response = connection.getresponse()
            self._session = self._session or response.getheader("Mcp-Session-Id")
            if response.getheader("Content-Type", "").startswith("text/event-stream"):
                self._take_all(response, methods, found)
            else:
                text = response.read().decode()
                if text:
                    read = json.loads(text)
                    for message in read if isinstance(read, list) else [read]:
                        self._take(message, methods, found)
                if not found:
                    raise RuntimeError(f"HTTP {response.status} without an answer: {text[:200]!r}")
        finally:
            connection.close()
        return [found[request["id"]] for request in requests]

    def _take_all(self, response: http.client.HTTPResponse, methods: dict[Any, str], found: dict[Any, Message]) -> None:
        """Reads a stream of events until everything is answered; where the server lets go, it is resumed."""
        resumed: http.client.HTTPConnection | None = None
        try:
            for _ in range(ROUNDS):
                last, retry = None, 0.1
                for event in events(response):
                    last = event.get("id", last)
                    retry = float(event["retry"]) / 1000 if event.get("retry", "").isdigit() else retry
                    if event.get("data"):
                        self._take(json.loads(event["data"]), methods, found)
                    if len(found) == len(methods):
                        return
                if last is None or self.modern:
                    raise RuntimeError("the stream ended without the answer")
                time.sleep(min(retry, 2))
                if resumed is not None:
                    resumed.close()
                resumed = self._connect()
                headers = self._headers() | {"Accept": "text/event-stream", "Last-Event-ID": last}
                resumed.request("GET", self._url.path, headers=headers)
                response = resumed.getresponse()
                if response.status != 200:
                    raise RuntimeError(f"the stream cannot be resumed: HTTP {response.status}")
            raise RuntimeError("the stream was resumed too often")
        finally:
            if resumed is not None:
                resumed.close()

    def _take(self, message: Any, methods: dict[Any, str], found: dict[Any, Message]) -> None:
        if isinstance(message, list):
            for one in message:
                self._take(one, methods, found)
            return
        method = None if "method" in message else methods.get(message.get("id"))
        self.note(message, method)
        if "method" not in message:
            # An error for a body that could not be read has no id.
            found[message["id"] if message.get("id") in methods else next(iter(methods), None)] = message
        elif "id" in message:
            self._send(self.answered(message))

    def _send(self, message: Message) -> None:
        """Posts what has no answer."""
        connection = self._connect()
        try:
            connection.request("POST", self._url.path, json.dumps(message), self._headers(message))
            response = connection.getresponse()
            text = response.read()
            if response.status != 202:
                raise RuntimeError(f"a message without an answer got HTTP {response.status}: {text[:200]!r}")
        finally:
            connection.close()

    def notify(self, method: str, params: Message) -> None:
        self._send({"jsonrpc": "2.0", "method": method, "params": params})

    def initialized(self, result: Message) -> None:
        super().initialized(result)
        if not self._session:
            return
        headers = self._headers() | {"Accept": "text/event-stream"}
        self._follow("GET", None, headers, {})

    def listen(self, filter: Message) -> Callable[[], None]:
        params = self.params({"notifications": filter})
        message = {"jsonrpc": "2.0", "id": self.next_id(), "method": "subscriptions/listen", "params": params}
        methods = {message["id"]: message["method"]}
        return self._follow("POST", json.dumps(message), self._headers(message), methods)

    def _follow(self, verb: str, body: str | None, headers: dict[str, str], methods: dict[Any, str]) -> Callable[[], None]:
        """Reads a stream beside everything else, until it is closed."""
        connection = self._connect(timeout=None)
        connection.request(verb, self._url.path, body, headers)
        connection.sock.settimeout(REQUEST_SECONDS)
        response = connection.getresponse()
        if response.status != 200 or not response.getheader("Content-Type", "").startswith("text/event-stream"):
            text = response.read().decode()
            connection.close()
            if methods and text:
                self._take(json.loads(text), methods, {})
                return lambda: None
            raise RuntimeError(f"{verb} for a stream got HTTP {response.status}: {text[:200]!r}")
        # The response holds the socket, which outlives the connection object's own use of it.
        socket = connection.sock or response.fp.raw._sock
        socket.settimeout(None)

        def read() -> None:
            try:
                for event in events(response):
                    if event.get("data"):
                        self._take(json.loads(event["data"]), methods, {})
            except (OSError, ValueError, http.client.HTTPException, AttributeError):
                pass  # closed from this side, in the middle of a read

        thread = threading.Thread(target=read, daemon=True)
        thread.start()

        def close() -> None:
            try:
                socket.shutdown(2)
            except OSError:
                pass
            thread.join(REQUEST_SECONDS)
            connection.close()

        self._closes.append(close)
        return close

    def close(self) -> None:
        for close in self._closes:
            close()
        if self._session and not self.modern:
            connection = self._connect()
            try:
                connection.request("DELETE", self._url.path, headers=self._headers())
                response = connection.getresponse()
                response.read()
                if response.status not in (200, 202, 204):
                    raise RuntimeError(f"DELETE got HTTP {response.status}")
            finally:
                connection.close()


def encoded(value: Any) -> str:
    """A value as a header has it: as it is if that is plain, else in Base64."""
    text = value if isinstance(value, str) else json.dumps(value)
    if text.isascii() and text.isprintable() and text == text.strip() and not text.startswith("=?"):
        return text
    return f"=?base64?{base64.b64encode(text.encode()).decode()}?="


def events(response: http.client.HTTPResponse) -> Iterator[dict[str, str]]:
    """The fields of each server-sent event."""
    fields: dict[str, str] = {}
    while line := response.readline():
        text = line.decode().rstrip("\r\n")
        if not text:
            if fields:
                yield fields
            fields = {}
        elif not text.startswith(":"):
            name, _, value = text.partition(":")
            value = value.removeprefix(" ")
            fields[name] = f"{fields[name]}\n{value}" if name == "data" and name in fields else value
