"""The JSON contract: what the product prints is what contract/ says, and nothing else."""

import copy
import importlib.util
import json
import math
import re
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from support.pictures import few, random_walk, seeds, sizes

from gradwalk import Value, snapshot, source_lines
from gradwalk.render import (
    dumps,
    tape_bytes,
    walk_json,
)

ROOT = Path(__file__).parent.parent
CONTRACT = ROOT / "contract"
SCHEMAS = {
    path.name: json.loads(path.read_text("utf-8")) for path in CONTRACT.glob("*.schema.json")
}
SAMPLES = {path.stem: path for path in sorted((CONTRACT / "samples").glob("*.json"))}


def load(stem: str) -> Any:
    return json.loads(SAMPLES[stem].read_text("utf-8"))


def schema_of(stem: str) -> str:
    return f"{stem.partition('-')[0]}.schema.json"


# ── A validator for the keywords that our schemas use ────────────────────────────────────────

TYPES: dict[str, Any] = {
    "object": dict,
    "array": list,
    "string": str,
    "boolean": bool,
    "null": type(None),
}
KEYWORDS = {
    *["$schema", "$id", "$defs", "title", "description"],
    *["$ref", "anyOf", "type", "const", "enum", "minimum", "pattern"],
    *["properties", "required", "additionalProperties"],
    *["items", "prefixItems", "minItems"],
}


def is_type(data: Any, name: str) -> bool:
    if name in ("number", "integer"):
        kinds = (int, float) if name == "number" else (int,)
        return isinstance(data, kinds) and not isinstance(data, bool)
    return isinstance(data, TYPES[name])


def faults(data: Any, schema: Any, file: str, at: str = "$") -> Iterator[str]:
    """Where `data` is not as `schema` of this file says."""
    if schema is False:
        yield f"{at}: not allowed"
        return
    assert schema.keys() <= KEYWORDS, schema.keys() - KEYWORDS
    if "$ref" in schema:
        name, _, pointer = schema["$ref"].partition("#")
        target: Any = SCHEMAS[name or file]
        for part in pointer.strip("/").split("/"):
            target = target[part]
        yield from faults(data, target, name or file, at)
    if "anyOf" in schema and all([*faults(data, s, file, at)] for s in schema["anyOf"]):
        yield f"{at}: {data!r} is none of the alternatives"
    if "type" in schema:
        names = [schema["type"]] if isinstance(schema["type"], str) else schema["type"]
        if not any(is_type(data, name) for name in names):
            yield f"{at}: {data!r} is not of type {schema['type']}"
            return
    if "const" in schema and data != schema["const"]:
        yield f"{at}: {data!r} is not {schema['const']!r}"
    if "enum" in schema and data not in schema["enum"]:
        yield f"{at}: {data!r} is not one of {schema['enum']}"
    if is_type(data, "number") and data < schema.get("minimum", -math.inf):
        yield f"{at}: {data!r} is too small"
    if isinstance(data, str) and not re.search(schema.get("pattern", ""), data):
        yield f"{at}: {data!r} does not match"
    if isinstance(data, dict):
        for key in schema.get("required", ()):
            if key not in data:
                yield f"{at}: {key} is missing"
        for key, value in data.items():
            rule = schema.get("properties", {}).get(key, schema.get("additionalProperties", {}))
            yield from faults(value, rule, file, f"{at}.{key}")
    if isinstance(data, list):
        if len(data) < schema.get("minItems", 0):
            yield f"{at}: too short"
        first = schema.get("prefixItems", [])
        for index, value in enumerate(data):
            rule = first[index] if index < len(first) else schema.get("items", {})
            yield from faults(value, rule, file, f"{at}[{index}]")


def check(data: Any, name: str) -> list[str]:
    return [*faults(data, SCHEMAS[name], name)]


# ── Samples ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("stem", SAMPLES)
def test_a_sample_is_valid(stem):
    assert check(load(stem), schema_of(stem)) == []


def same(one: Any, other: Any) -> bool:
    """Equal, but for the last digits that mathematical libraries differ in."""
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=1e-12)
    if isinstance(one, dict) and isinstance(other, dict):
        return list(one) == list(other) and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return type(one) is type(other) and one == other


def test_the_samples_are_what_the_product_prints_today():
    spec = importlib.util.spec_from_file_location("contract", ROOT / "tools" / "contract.py")
    assert spec is not None
    assert spec.loader is not None
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    fresh = tool.samples()
    assert set(fresh) == set(SAMPLES), "run python tools/contract.py"
    for stem, data in fresh.items():
        assert same(json.loads(dumps(data)), load(stem)), f"{stem}: run python tools/contract.py"
    columns = CONTRACT / "samples" / "columns-scoped.bin"
    assert tool.files()[columns] == columns.read_bytes(), "run python tools/contract.py"


def columns_of(content: bytes) -> tuple[dict[str, Any], dict[str, list[float]]]:
    """Read the header and the columns by the words of contract/columns.md."""
    magic, version, length, header_length, zero = struct.unpack_from("<4sIQII", content)
    assert (magic, version, length, zero) == (b"GWGC", 1, len(content), 0)
    assert header_length % 8 == 0
    header = json.loads(content[24 : 24 + header_length])
    columns: dict[str, list[float]] = {}
    for name, (kind, offset, count) in header["columns"].items():
        begin = 24 + header_length + offset
        assert begin % 8 == 0
        code = {"f8": "d", "u4": "I", "u1": "B"}[kind]
        columns[name] = list(struct.unpack_from(f"<{count}{code}", content, begin))
    return header, columns


def test_columns_say_what_the_json_of_the_same_graph_says():
    header, columns = columns_of((CONTRACT / "samples" / "columns-scoped.bin").read_bytes())
    nodes = load("graph-scoped")["nodes"]
    assert header["nodes"] == len(nodes)
    assert columns["start"][-1] == header["edges"] == sum(len(node["operands"]) for node in nodes)
    bits = {"leaf": 1, "const": 2, "derived": 4}
    for i, node in enumerate(nodes):
        edges = slice(int(columns["start"][i]), int(columns["start"][i + 1]))
        words = [header[f"{name}s"][int(columns[name][i])] for name in ("op", "label", "scope")]
        assert words == [node["op"], node["label"], node.get("scope", "")]
        assert [columns["data"][i], columns["grad"][i]] == [node["data"], node["grad"]]
        assert columns["operand"][edges] == node["operands"]
        assert columns["local"][edges] == node["local_grads"]
        assert columns["tag"][i] == sum(bits[tag] for tag in node["tags"])
        assert columns["line"][i] == 0


def test_columns_keep_lines_and_numbers_that_json_lacks():
    with source_lines():
        root = (Value(0.0, label="a").log() * Value(0.0)).exp()
    header, columns = columns_of(tape_bytes(snapshot(root)))
    graph = snapshot(root)
    for i, node in enumerate(graph.nodes):
        assert struct.pack("<d", columns["data"][i]) == struct.pack("<d", node.data)
        if node.line is not None:
            file, line = node.line
            assert header["files"][int(columns["file"][i])] == file
            assert columns["line"][i] == line
    assert math.inf in map(abs, columns["data"])
    assert any(map(math.isnan, columns["data"]))


def broken(data: Any) -> Iterator[tuple[str, Any]]:
    """Copies of a document, each with one field gone, renamed, or of another type."""

    def places(inside: Any, way: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
        if isinstance(inside, dict):
            for key in inside:
                yield (*way, key)
                yield from places(inside[key], (*way, key))
        elif isinstance(inside, list):
            for index, entry in enumerate(inside):
                yield from places(entry, (*way, index))

    seen: set[tuple[Any, ...]] = set()
    for way in places(data, ()):
        kind = tuple(0 if isinstance(part, int) else part for part in way)
        if kind in seen:
            continue
        seen.add(kind)
        # A node's line and scope may be missing; nothing else may.
        for how in ("gone", "misspelt", "of another type")[way[-1] in ("line", "scope") :]:
            copied = copy.deepcopy(data)
            holder = copied
            for part in way[:-1]:
                holder = holder[part]
            value = holder.pop(way[-1])
            if how == "misspelt":
                holder[f"{way[-1]}_"] = value
            elif how == "of another type":
                holder[way[-1]] = {"an": "object"}
            yield f"{kind} {how}", copied


@pytest.mark.parametrize("stem", SAMPLES)
def test_breaking_any_field_of_a_sample_is_noticed(stem):
    count = 0
    for what, data in broken(load(stem)):
        count += 1
        assert check(data, schema_of(stem)), what
    assert count > 20


# ── What is printed ──────────────────────────────────────────────────────────────────────────


@few
@given(seeds, sizes)
def test_every_walk_is_strict_json_and_valid(seed, size):
    found = random_walk(seed, size)
    data = json.loads(dumps(walk_json(found)), parse_constant=pytest.fail)
    assert check(data, "walk.schema.json") == []
    assert [float(x) for x in data["grads"]] == pytest.approx(found.grads, rel=0, nan_ok=True)
    numbers = [float(node["data"]) for node in data["nodes"]]
    assert numbers == pytest.approx([n.data for n in found.graph.nodes], rel=0, nan_ok=True)
    assert [tuple(step["pop"]) for step in data["sort"]] == [step.pop for step in found.sort]
