"""The protocol's own JSON Schemas, by revision, and closed: a member that a revision does not define is an error.

No package ships the published `schema.json` files as such. The official conformance suite holds those of 2025-03-26 and
later (see `node/schemas.mjs`); 2024-11-05 is 2025-03-26 without what that revision added, which is little and said below.

The published schemas are open: they allow what later revisions define, since the protocol asks receivers to ignore
unknown members. A server that translates between revisions must not leak them, so every object with `properties` gets
`additionalProperties: false`, save where the schema itself says otherwise and where others decide what is inside:
`_meta`, structured content, arguments, and the schemas of tools and forms.
"""

from __future__ import annotations

import copy
import json
import subprocess
from collections.abc import Iterator
from typing import Any

from jsonschema import Draft7Validator, Draft202012Validator
from jsonschema.exceptions import best_match

from node import MODULES, node

REVISIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28")
MODERN = REVISIONS[-1]

# Members that hold what the protocol does not define.
OPEN_MEMBERS = {"_meta", "arguments", "data", "inputSchema", "outputSchema", "requestedSchema", "structuredContent"}
# Definitions that are the inside of such a member.
OPEN_DEFINITIONS = ("Schema", "SchemaDefinition", "Meta", "MetaObject")

# What 2025-03-26 added to 2024-11-05: definitions, and members of definitions.
ADDED_DEFINITIONS = ("AudioContent", "JSONRPCBatchRequest", "JSONRPCBatchResponse", "ToolAnnotations")
ADDED_MEMBERS = (
    ("Tool", "properties", "annotations"),
    ("ServerCapabilities", "properties", "completions"),
    ("ProgressNotification", "properties", "params", "properties", "message"),
)


def published() -> dict[str, dict[str, Any]]:
    """The schemas as they were published."""
    script = MODULES.parent / "schemas.mjs"
    done = subprocess.run([node(), str(script)], capture_output=True, text=True, timeout=60)
    if done.returncode != 0:
        raise RuntimeError(f"cannot get the schemas: {done.stderr.strip()}")
    schemas = json.loads(done.stdout)
    for schema in schemas.values():
        correct_numbers(schema)
    schemas["2024-11-05"] = before_2025_03_26(schemas["2025-03-26"])
    return {revision: schemas[revision] for revision in REVISIONS}


def correct_numbers(schema: dict[str, Any]) -> None:
    """The bounds of a number in a form were once published as integers, by a fault of the generator; the text, and the
    `schema.ts` that it comes from, have always said numbers."""
    number = schema.get("definitions", schema.get("$defs")).get("NumberSchema", {}).get("properties", {})
    for bound in ("minimum", "maximum", "default"):
        if number.get(bound, {}).get("type") == "integer":
            number[bound]["type"] = "number"


def before_2025_03_26(schema: dict[str, Any]) -> dict[str, Any]:
    """2024-11-05 from 2025-03-26."""
    schema = copy.deepcopy(schema)
    definitions = schema["definitions"]
    for name in ADDED_DEFINITIONS:
        del definitions[name]
    for *path, member in ADDED_MEMBERS:
        holder = definitions
        for step in path:
            holder = holder[step]
        del holder[member]
    added = [{"$ref": f"#/definitions/{name}"} for name in ADDED_DEFINITIONS]

    def without(node: Any) -> None:
        if isinstance(node, dict):
            if "anyOf" in node:
                # A batch is an array of messages.
                node["anyOf"] = [one for one in node["anyOf"] if one not in added and one.get("type") != "array"]
            for inner in node.values():
                without(inner)
        elif isinstance(node, list):
            for inner in node:
                without(inner)

    without(definitions)
    return schema


def closed(node: Any) -> Any:
    """A schema that admits only what it defines."""
    if isinstance(node, list):
        return [closed(inner) for inner in node]
    if not isinstance(node, dict) or "allOf" in node:
        # The parts of an `allOf` would refuse what the other parts define.
        return node
    out = {}
    for key, inner in node.items():
        if key == "properties":
            out[key] = {name: one if name in OPEN_MEMBERS else closed(one) for name, one in inner.items()}
        else:
            out[key] = inner if key in ("enum", "const", "default", "examples") else closed(inner)
    if "properties" in node:
        out.setdefault("additionalProperties", False)
    return out


def union(node: dict[str, Any]) -> list[str]:
    """The names of the definitions that a union is of."""
    parts = [node] if "$ref" in node else node.get("anyOf", [])
    return [part["$ref"].rpartition("/")[2] for part in parts if "$ref" in part]


class Schema:
    """One revision: what there is, and whether a message is of its kind."""

    def __init__(self, revision: str, schema: dict[str, Any]) -> None:
        self.revision = revision
        self.key = "definitions" if "definitions" in schema else "$defs"
        self._validator = Draft7Validator if self.key == "definitions" else Draft202012Validator
        self.published = schema[self.key]
        self._definitions = {
            name: one if name.endswith(OPEN_DEFINITIONS) else closed(one) for name, one in self.published.items()
        }
        # `Result` is open for the sake of the results that extend it; one that says nothing must say nothing.
        self._definitions["EmptyResult"] = self._definitions["Result"] | {"additionalProperties": False}
        self._made: dict[str, Any] = {}
        self.requests = self._methods("ClientRequest")
        self.notifications = self._methods("ServerNotification")
        self.server_requests = self._methods("ServerRequest") or self._methods("InputRequest")
        self._errors = dict(self._typed_errors())

    def _methods(self, name: str) -> dict[str, str]:
        """The definitions of a union, by their methods."""
        names = union(self.published.get(name, {}))
        return {self.published[one]["properties"]["method"]["const"]: one for one in names}

    def _typed_errors(self) -> Iterator[tuple[int, str]]:
        for name, one in self.published.items():
            error = one.get("properties", {}).get("error", {})
            for part in [error, *error.get("allOf", [])]:
                code = part.get("properties", {}).get("code", {}).get("const")
                if code is not None:
                    yield code, name

    def results(self, method: str) -> str:
        """The definition of a method's result."""
        name = self.requests[method].removesuffix("Request") + "Result"
        return name if name in self.published else "EmptyResult"

    def client_capabilities(self) -> set[str]:
        return set(self.published["ClientCapabilities"]["properties"])

    def wrong(self, name: str, instance: Any) -> str:
        """What is wrong with an instance of a definition, or nothing."""
        if name not in self._made:
            root = {self.key: self._definitions, "$ref": f"#/{self.key}/{name}"}
            self._made[name] = self._validator(root)
        error = best_match(self._made[name].iter_errors(instance))
        if error is None:
            return ""
        where = "/".join(map(str, error.absolute_path))
        return f"not a {name} of {self.revision}: at /{where}: {error.message}"

    def wrong_message(self, name: str, message: dict[str, Any]) -> str:
        """What is wrong with a request or a notification; some revisions leave the envelope to JSON-RPC."""
        envelope = {"jsonrpc", "id"} - set(self.published[name]["properties"])
        return self.wrong(name, {key: value for key, value in message.items() if key not in envelope})

    def wrong_result(self, method: str, result: Any) -> str:
        if isinstance(result, dict) and result.get("resultType") == "input_required":
            if "InputRequiredResult" in self.published:
                return self.wrong("InputRequiredResult", result)
        return self.wrong(self.results(method), result)

    def wrong_error(self, message: dict[str, Any]) -> str:
        error = message["error"]
        if not isinstance(error, dict) or set(error) - {"code", "message", "data"}:
            return f"not an error: {error}"
        if type(error.get("code")) is not int or not isinstance(error.get("message"), str):
            return f"not an error: {error}"
        typed = self._errors.get(error["code"])
        if typed is None:
            return ""
        instance = {key: value for key, value in message.items() if key in self.published[typed]["properties"]}
        return self.wrong(typed, instance)


def load() -> dict[str, Schema]:
    return {revision: Schema(revision, schema) for revision, schema in published().items()}
