"""Values made from what a server says of itself: arguments from schemas, URIs from templates."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import quote

SAMPLES = {"string": "text", "integer": 1, "number": 1.5, "boolean": True, "null": None}
FORMATS = {
    "date": "2026-08-01",
    "date-time": "2026-08-01T12:00:00Z",
    "email": "someone@example.com",
    "uri": "https://example.com/",
}


def sample(schema: Any, root: dict[str, Any]) -> Any:
    """A value for a schema: what it gives as an example, else the plainest that fits."""
    if not isinstance(schema, dict):
        return "text"
    if "$ref" in schema and schema["$ref"].startswith("#/"):
        target: Any = root
        for part in schema["$ref"][2:].split("/"):
            target = target[part.replace("~1", "/").replace("~0", "~")]
        return sample(target, root)
    for key in ("examples", "enum"):
        if schema.get(key):
            return schema[key][0]
    for key in ("default", "const"):
        if key in schema:
            return schema[key]
    for key in ("anyOf", "oneOf", "allOf"):
        if schema.get(key):
            return sample(schema[key][0], root)
    kind = schema.get("type", "object" if "properties" in schema else "string")
    if isinstance(kind, list):
        kind = kind[0]
    if kind == "object":
        properties = schema.get("properties", {})
        return {name: sample(properties.get(name), root) for name in schema.get("required", [])}
    if kind == "array":
        return [sample(schema.get("items"), root) for _ in range(schema.get("minItems", 1))]
    if kind in ("integer", "number"):
        if "exclusiveMinimum" in schema:
            return schema["exclusiveMinimum"] + 1
        return schema.get("minimum", min(SAMPLES[kind], schema.get("maximum", SAMPLES[kind])))
    if kind == "string":
        if schema.get("format") in FORMATS:
            return FORMATS[schema["format"]]
        return "text".ljust(schema.get("minLength", 0), "t")[: schema.get("maxLength")]
    return SAMPLES.get(kind)


EXPRESSION = re.compile(r"\{([+#./;?&]?)([^}]+)\}")


def variables(template: str) -> list[str]:
    return [re.sub(r"[*:].*", "", name) for _, names in EXPRESSION.findall(template) for name in names.split(",")]


def expand(template: str, values: dict[str, str]) -> str:
    """RFC 6570, the operators that servers use: `{x}`, `{+x}`, `{/x}`, `{?x,y}`, `{&x}`."""

    def one(match: re.Match[str]) -> str:
        operator, names = match.group(1), [re.sub(r"[*:].*", "", name) for name in match.group(2).split(",")]
        safe = ":/?#[]@!$&'()*+,;=" if operator in "+#" and operator else ""
        parts = [(name, quote(values[name], safe=safe)) for name in names if name in values]
        if not parts:
            return ""
        if operator in ("?", "&"):
            return operator + "&".join(f"{name}={value}" for name, value in parts)
        joint = operator if operator in ("/", ".") and operator else ","
        return ("" if operator == "+" else operator) + joint.join(value for _, value in parts)

    return EXPRESSION.sub(one, template)
