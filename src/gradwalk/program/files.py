"""Programs as files: one container, versioned and checked; no pickle, and nothing in it is run.

    8 bytes   GWALKPRG
    version   u32, 4; 2 had no guards of its own, 3 none for a take: both are read, too
    header    u32, its length in bytes
    body      u64, its length in bytes
    check     u32, the CRC-32 of header and body
    header    JSON: names, structures, sizes, the operations that codes stand for
    body      the arrays, little-endian, each from a multiple of 8

Whatever is wrong with a file is a ProgramFileError. Nothing is believed: lengths are held against
the file's before anything is allocated, structures against the slots, and the program goes through
`ir.check` before a back end sees it.
"""

# What JSON holds is anything until it has been looked at.
# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

from __future__ import annotations

import builtins
import json
import keyword
import os
import struct
import sys
import zlib
from array import array
from inspect import Parameter, Signature
from pathlib import Path
from typing import Any

from gradwalk import errors
from gradwalk.engine import Value
from gradwalk.errors import ProgramError, ProgramFileError
from gradwalk.files import write_whole
from gradwalk.program import structure as st
from gradwalk.program import tree
from gradwalk.program.ir import (
    CODE,
    CODES,
    LEVELS,
    PATH,
    RAISE,
    ROUNDS,
    TAKE,
    Decision,
    Guard,
    Place,
    Program,
    check,
)
from gradwalk.program.options import Options
from gradwalk.program.recordings import Recording, Recordings

_MAGIC = b"GWALKPRG"
_VERSION = 4
_READ = (2, 3, 4)
_HEAD = struct.Struct("<8sIIQI")
# The exceptions that a file may name: it runs no code, so it can name no other class.
_EXCEPTIONS: dict[str, Any] = {
    kind.__name__: kind
    for module in (builtins, errors)
    for kind in vars(module).values()
    if isinstance(kind, type) and issubclass(kind, Exception)
}
_KINDS = {
    kind.name: kind
    for kind in (
        Parameter.POSITIONAL_ONLY,
        Parameter.POSITIONAL_OR_KEYWORD,
        Parameter.VAR_POSITIONAL,
        Parameter.KEYWORD_ONLY,
        Parameter.VAR_KEYWORD,
    )
}


def save(store: Recordings, file: str | os.PathLike[str]) -> None:
    """Write all recordings of a function, whole or not at all."""
    write_whole(file, [packed(store)])


def read(file: str | os.PathLike[str]) -> Recordings:
    """Return what `save` wrote, ready to replay; its parameters are new Values."""
    return unpacked(Path(file).read_bytes(), os.fspath(file))


# ── Writing ──────────────────────────────────────────────────────────────────────────────────


def packed(store: Recordings) -> bytes:
    """Return the container as bytes."""
    options, recordings = store.options, store.every()
    if not recordings:
        raise ProgramError(f"{store.name} has no recording to save: call it first")
    if not store.is_current():
        raise ProgramError(
            f"what {store.name} reads from outside has changed since it was recorded: call it "
            "before you save it"
        )
    parameters = store.parameters()
    place_of = {id(value): i for i, value in enumerate(parameters)}
    files: dict[str, int] = {}
    body = [_bytes(array("d", [value.data for value in parameters]))]
    rows: list[dict[str, Any]] = []
    encoded = [[_encoded(spec) for spec in recording.specs] for recording in recordings]
    above = {
        id(child): [k, guard]
        for k, one in enumerate(recordings)
        for guard, child in one.children.items()
    }
    if len(set(map(json.dumps, encoded))) != len(store):
        raise ProgramFileError(
            f"two recordings of {store.name} are for classes of one name, which a file cannot "
            "tell apart; compile the function again and call it with one of them"
        )
    for recording, specs in zip(recordings, encoded, strict=True):
        program = recording.program
        lines = array("i", [x for place in program.places for x in _encoded_place(place, files)])
        rows.append(
            {
                "specs": specs,
                "result": _encoded(recording.result),
                "parameters": [place_of[id(value)] for value in recording.parameters],
                "slots": program.slots,
                "instructions": len(program),
                "operands": len(program.args),
                "outputs": len(program.outputs),
                "guards": [_encoded_guard(guard, files) for guard in program.guards],
                "verdict": program.verdict,
                "exits": [list(ids) for ids in program.exits],
                "raising": [list(pair) for pair in program.raising],
                "decisions": [
                    [one.parent, one.side, one.condition, *_encoded_place(one.place, files)]
                    for one in program.decisions
                ],
                "why": recording.why,
                "above": above.get(id(recording)),
            }
        )
        arrays = (program.codes, program.starts, program.args, program.outputs, program.numbers)
        body += [_bytes(part) for part in (*arrays, lines)]
    header = {
        "name": store.name,
        "arguments": list(store.arguments),
        **_encoded_signature(store.signature),
        "static": list(options.static),
        "float32": options.float32,
        "fast": options.fast,
        "operations": list(CODES),
        "labels": [value.label for value in parameters],
        "files": list(files),
        "recordings": rows,
    }
    try:
        head = json.dumps(header, ensure_ascii=False, allow_nan=False).encode()
    except UnicodeEncodeError as error:
        text = error.object[max(0, error.start - 20) : error.end]
        raise ProgramError(
            f"{store.name} cannot be saved: no file holds half of a surrogate pair, as at the "
            f"end of {text!r}. Rename what has it: an argument's key, a string or the source file"
        ) from None
    rest = b"".join(body)
    checksum = zlib.crc32(rest, zlib.crc32(head))
    return _HEAD.pack(_MAGIC, _VERSION, len(head), len(rest), checksum) + head + rest


def _bytes(part: bytes | array[Any]) -> bytes:
    if isinstance(part, array) and sys.byteorder == "big":
        part = part[:]
        part.byteswap()
    data = bytes(part)
    return data + bytes(-len(data) % 8)


def _encoded(spec: tree.Spec) -> Any:
    if isinstance(spec, str):
        return spec
    kind = spec[0]
    if kind == "is":
        return ["is", spec[1], _encoded_constant(spec[2])]
    if kind == "array":
        return ["array", list(spec[1])]
    parts = spec[-1] if isinstance(spec[-1], int) else [_encoded(part) for part in spec[-1]]
    if kind == "dict":
        return ["dict", [_encoded_constant(key) for key in spec[1]], parts]
    if kind == "fields":
        return ["fields", str(spec[1]), list(spec[2]), parts]
    return [kind, parts]


def _encoded_signature(signature: Signature) -> dict[str, Any]:
    """Return how arguments may be given, and those defaults that a file can hold."""
    parameters = list(signature.parameters.values())
    defaults: dict[str, Any] = {}
    for parameter in reversed(parameters):
        if parameter.kind in (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD):
            continue
        try:
            if parameter.default is not Parameter.empty:
                defaults[parameter.name] = _encoded_constant(parameter.default)
                continue
        except ProgramFileError:
            pass
        if parameter.kind != Parameter.KEYWORD_ONLY:
            break  # a default before one that is needed would make no sense
    return {"kinds": [parameter.kind.name for parameter in parameters], "defaults": defaults}


def _encoded_place(place: Place | None, files: dict[str, int]) -> tuple[int, int]:
    """Return the number of the file, which gets one if it is new, and the line."""
    name = place[0].replace("\\", "/").rpartition("/")[2] if place else ""
    return files.setdefault(name, len(files)), place[1] if place else 0


def _encoded_guard(guard: Guard, files: dict[str, int]) -> list[Any]:
    """Return a guard. A class that a reader cannot have is a RuntimeError that names it."""
    kind, said = guard.kind, guard.said
    if guard.act == RAISE and _EXCEPTIONS.get(kind.__name__) is not kind:
        kind, said = RuntimeError, f"{kind.__name__}: {said}" if said else kind.__name__
    name = kind.__name__ if kind is not None else ""
    place = _encoded_place(guard.place, files)
    return [guard.condition, guard.act, *place, name, said, guard.about]


def _encoded_constant(thing: Any) -> Any:
    if thing is None or type(thing) in (str, bool, int):
        return thing
    if type(thing) is float:
        return {"float": thing.hex()}
    if type(thing) is tuple:
        return {"tuple": [_encoded_constant(part) for part in thing]}
    raise ProgramFileError(
        f"a static argument or key that is a {type(thing).__name__} cannot be saved: {thing!r:.60}"
    )


# ── Reading ──────────────────────────────────────────────────────────────────────────────────


def unpacked(data: bytes, name: str = "the file") -> Recordings:
    """Return the program in a container's bytes."""
    try:
        return _Unpacking(data).store()
    except ProgramFileError as error:
        raise ProgramFileError(f"{name}: {error}") from None
    except ProgramError as error:
        raise ProgramFileError(f"{name}: not a program: {error}") from None


# Python's hash tells all whole numbers of so many digits apart.
_DISTINCT_DIGITS = 18
_MOST_ALIKE = 2000


class _Unpacking:
    def __init__(self, data: bytes) -> None:
        if len(data) < _HEAD.size or data[:8] != _MAGIC:
            raise ProgramFileError("not a saved program of gradwalk")
        _, version, head, body, checksum = _HEAD.unpack_from(data)
        if version not in _READ:
            raise ProgramFileError(
                f"version {version} of the format; this gradwalk reads {_VERSION} and older"
            )
        self.version = version
        if len(data) != _HEAD.size + head + body:
            raise ProgramFileError(
                f"{len(data)} bytes long, and its head speaks of {_HEAD.size + head + body}"
            )
        if zlib.crc32(data[_HEAD.size :]) != checksum:
            raise ProgramFileError("damaged: the check sum is wrong")
        self.body = memoryview(data)[_HEAD.size + head :]
        self.at = 0
        self.alike = 0
        try:
            text = data[_HEAD.size : _HEAD.size + head].decode()
            self.header = json.loads(text, parse_int=self._whole, object_hook=self._object)
        except ProgramFileError:
            raise
        except (ValueError, RecursionError):
            raise ProgramFileError("damaged: the header is not JSON") from None

    def _whole(self, text: str) -> int:
        if len(text) > _DISTINCT_DIGITS:
            self._count_alike()
        return int(text)

    def _object(self, found: dict[str, Any]) -> dict[str, Any]:
        if "tuple" in found:
            self._count_alike()
        return found

    def _count_alike(self) -> None:
        """Refuse a file with many keys that could be made to have one hash: each costs a look at
        all the others.
        """
        self.alike += 1
        if self.alike > _MOST_ALIKE:
            raise ProgramFileError(f"more than {_MOST_ALIKE} large numbers and tuples in its head")

    def store(self) -> Recordings:
        header = self.header
        name = _get(header, "name", str)
        arguments, static = _names(header, "arguments"), tuple(_names(header, "static"))
        fast, float32 = _get(header, "fast", bool), _get(header, "float32", bool)
        options = Options(static, fast, float32)
        if not set(static) <= set(arguments):
            raise ProgramFileError("damaged: a static argument that is none")
        labels = _list(header, "labels", str)
        self.files = _list(header, "files", str)
        self.operations = _list(header, "operations", str)
        numbers = self.array("d", len(labels))
        values = [Value(x, label=label) for x, label in zip(numbers, labels, strict=True)]
        signature = _decoded_signature(header, arguments)
        store = Recordings(None, options, signature, name)
        paths: list[Recording] = []
        for row in _list(header, "recordings", dict):
            recording = self.recording(row, arguments, values, options)
            if row.get("above") is None:
                store.add(recording)
            else:
                self.put_below(recording, row["above"], paths)
            paths.append(recording)
        if not paths:
            raise ProgramFileError("damaged: no recording in it")
        if self.at != len(self.body):
            raise ProgramFileError(f"damaged: {len(self.body) - self.at} bytes too many")
        return store

    def put_below(self, recording: Recording, place: Any, paths: list[Recording]) -> None:
        """Put a path where a guard of another one fails."""
        match place:
            case [int(k), int(guard)] if 0 <= k < len(paths):
                above = paths[k]
                known = above.program.guards
                is_free = 0 <= guard < len(known) and guard not in above.children
                if is_free and known[guard].act == PATH and above.specs == recording.specs:
                    above.put_below(guard, recording)
                    return
            case _:
                pass
        raise ProgramFileError("damaged: a path that leaves none")

    def recording(
        self, row: Any, arguments: list[str], values: list[Value], options: Options
    ) -> Recording:
        encoded = _list(row, "specs", (str, list))
        if len(encoded) != len(arguments):
            raise ProgramFileError("damaged: a structure for each argument is missing")
        specs = tuple([_decoded(spec) for spec in encoded])
        result = _decoded(row.get("result"))
        chosen = _list(row, "parameters", int)
        if not all(0 <= i < len(values) for i in chosen) or len(set(chosen)) != len(chosen):
            raise ProgramFileError("damaged: a parameter that is none")
        sizes = [_get(row, key, int) for key in ("instructions", "operands", "outputs", "slots")]
        instructions, operands, outputs, slots = sizes
        if min(sizes) < 0 or slots > instructions:  # every slot was recorded as an input
            raise ProgramFileError("damaged: impossible sizes")
        codes = self.codes(instructions)
        starts = self.array("i", instructions + 1)
        args = self.array("i", operands)
        results = self.array("i", outputs)
        numbers = self.array("d", instructions)
        lines = self.array("i", 2 * instructions)
        places = self.places(lines)
        asked = self.asked(row)
        program = Program(codes, starts, args, numbers, results, slots, lambda: places, *asked)
        check(program)
        if self.version < 4:
            program = _with_guarded_takes(program)
        if sum(map(st.size, specs)) + len(chosen) != slots or st.size(result) != outputs:
            raise ProgramFileError("damaged: structures and program differ in size")
        parameters = [values[i] for i in chosen]
        why = _get(row, "why", str)
        return Recording(arguments, specs, program, result, parameters, why, 0.0, options)

    def asked(self, row: Any) -> tuple[Any, ...]:
        """Return the guards of a program, the verdict, exits, decisions, and what may raise."""
        if self.version == 2:
            return ()
        guards: list[Guard] = []
        for each in _list(row, "guards", list):
            match each if self.version > 3 else [*each, -1]:
                case [
                    int(condition),
                    str(act),
                    int(file),
                    int(line),
                    str(name),
                    str(said),
                    int(about),
                ] if act in (ROUNDS, LEVELS, PATH) or (act == RAISE and name in _EXCEPTIONS):
                    place = self.place(file, line) or ("", 0)
                    kind = _EXCEPTIONS[name] if act == RAISE else None
                    guards.append(Guard(condition, act, place, kind, said, about))
                case _:
                    raise ProgramFileError("damaged: not a guard")
        decisions: list[Decision] = []
        for each in _list(row, "decisions", list):
            match each:
                case [int(parent), bool(side), int(condition), int(file), int(line)]:
                    place = self.place(file, line)
                    decisions.append(Decision(parent, side, condition, place))
                case _:
                    raise ProgramFileError("damaged: not a decision")
        exits, raising = _list(row, "exits", list), _list(row, "raising", list)
        if not all(type(id_) is int for ids in (*exits, *raising) for id_ in ids):
            raise ProgramFileError("damaged: not an exit")
        if not all(len(pair) == 2 for pair in raising):
            raise ProgramFileError("damaged: not an instruction and its condition")
        return guards, _get(row, "verdict", int), exits, decisions, raising

    def places(self, lines: array[int]) -> list[Place | None]:
        return [self.place(*pair) for pair in zip(lines[::2], lines[1::2], strict=True)]

    def place(self, file: int, line: int) -> Place | None:
        if not 0 <= file < len(self.files):
            raise ProgramFileError("damaged: a line of a file that is not there")
        return (self.files[file], line) if line else None

    def codes(self, count: int) -> bytes:
        """Return the next codes, by today's numbers: the file's own count in its `operations`."""
        found = bytes(self.take(count))
        now = bytearray(256)
        for code in set(found):
            name = self.operations[code] if code < len(self.operations) else None
            if name is None:
                raise ProgramFileError(f"damaged: there is no operation {code}")
            if name not in CODE:
                raise ProgramFileError(f"this gradwalk does not have its operation {name!r:.40}")
            now[code] = CODE[name]
        return found.translate(now)

    def take(self, count: int) -> memoryview:
        end = self.at + count
        if end > len(self.body):
            raise ProgramFileError("damaged: the body is too short")
        part = self.body[self.at : end]
        self.at = min(len(self.body), end + -end % 8)
        return part

    def array(self, kind: str, count: int) -> array[Any]:
        made: array[Any] = array(kind)
        made.frombytes(self.take(count * made.itemsize))
        if sys.byteorder == "big":
            made.byteswap()
        return made


def _get(row: Any, key: str, kind: type) -> Any:
    found = row.get(key) if isinstance(row, dict) else None
    if type(found) is not kind:
        raise ProgramFileError(f"damaged: {key} is not a {kind.__name__}")
    return found


def _list(row: Any, key: str, kinds: type | tuple[type, ...]) -> list[Any]:
    found = _get(row, key, list)
    for item in found:
        if not isinstance(item, kinds) or isinstance(item, bool):
            raise ProgramFileError(f"damaged: {key} holds a {type(item).__name__}")
    return found


def _names(row: Any, key: str) -> list[str]:
    found = _list(row, key, str)
    if len(set(found)) != len(found) or any(
        not name.isidentifier() or keyword.iskeyword(name) for name in found
    ):
        raise ProgramFileError(f"damaged: {key} are not names")
    return found


def _decoded(thing: Any, depth: int = 0) -> tree.Spec:
    if thing == "n":
        return "n"
    if depth > 50 or type(thing) is not list or not thing:
        raise ProgramFileError("damaged: not a structure")
    parts: list[Any] = thing
    match parts:
        case ["is", str(kind), constant]:
            return ("is", kind, _decoded_constant(constant))
        case ["array", list(shape)] if all(type(n) is int and 0 <= n < 2**31 for n in shape):
            if len(shape) > 32:
                raise ProgramFileError("damaged: not a structure")
            return ("array", tuple(shape))
        case [("list" | "tuple") as kind, int(count)] if type(count) is int and count >= 0:
            return (kind, count)
        case [("list" | "tuple") as kind, list(inner)]:
            return (kind, _decoded_parts(inner, depth))
        case ["dict", list(keys), list(inner)] if len(keys) == len(inner):
            names = tuple([_decoded_constant(key) for key in keys])
            if len(set(names)) != len(names):
                raise ProgramFileError("damaged: a key is there twice")
            return ("dict", tree.keys_of(names), _decoded_parts(inner, depth))
        case ["fields", str(kind), list(keys), list(inner)] if len(keys) == len(inner) and all(
            isinstance(key, str) for key in keys
        ):
            return ("fields", kind, tuple(keys), _decoded_parts(inner, depth))
        case _:
            raise ProgramFileError("damaged: not a structure")


def _decoded_signature(header: Any, arguments: list[str]) -> Signature:
    kinds, defaults = _list(header, "kinds", str), _get(header, "defaults", dict)
    if len(kinds) != len(arguments) or not set(kinds) <= _KINDS.keys():
        raise ProgramFileError("damaged: a kind of argument that is none")
    if not set(defaults) <= set(arguments):
        raise ProgramFileError("damaged: a default of an argument that is none")
    made: list[Parameter] = []
    for name, kind in zip(arguments, kinds, strict=True):
        default = _decoded_constant(defaults[name]) if name in defaults else Parameter.empty
        try:
            made.append(Parameter(name, _KINDS[kind], default=default))
        except ValueError as error:
            raise ProgramFileError(f"damaged: {error}") from None
    try:
        return Signature(made)
    except ValueError as error:
        raise ProgramFileError(f"damaged: {error}") from None


def _decoded_parts(inner: list[Any], depth: int) -> tuple[tree.Spec, ...]:
    return tuple([_decoded(part, depth + 1) for part in inner])


def _decoded_constant(thing: Any, depth: int = 0) -> Any:
    if thing is None or type(thing) in (str, bool, int):
        return thing
    if type(thing) is dict and depth < 50:
        match thing:
            case {"float": str(digits)} if len(thing) == 1:
                try:
                    return float.fromhex(digits)
                except (ValueError, OverflowError):
                    pass
            case {"tuple": list(inner)} if len(thing) == 1:
                return tuple([_decoded_constant(part, depth + 1) for part in inner])
            case _:
                pass
    raise ProgramFileError("damaged: not a constant")


def _with_guarded_takes(program: Program) -> Program:
    """Return a program of an old file with a guard for each take, which once checked itself."""
    codes, places = bytearray(program.codes), list(program.places)
    starts, args, numbers = program.starts[:], program.args[:], program.numbers[:]
    guards, verdict = list(program.guards), program.verdict

    def add(name: str, *operands: int, number: float = 0.0) -> int:
        codes.append(CODE[name])
        args.extend(operands)
        starts.append(len(args))
        numbers.append(number)
        places.append(None)
        return len(codes) - 1

    for i in [i for i, code in enumerate(program.codes) if code == TAKE]:
        index, count = program.operands(i)[0], len(program.operands(i)) - 1
        low, high, zero = (add("const", number=number) for number in (-1.0, float(count), 0.0))
        inside = add("where", add("gt", index, low), add("lt", index, high), zero)
        outside = add("eq", inside, zero)
        said = f"take: index {{}} of a table of {count}"
        guards.append(Guard(outside, RAISE, places[i] or ("", 0), errors.TakeError, said, index))
        mine = add("where", outside, add("const", number=float(len(guards))), zero)
        verdict = mine if verdict < 0 else add("where", verdict, verdict, mine)
    return Program(
        bytes(codes), starts, args, numbers, program.outputs, program.slots, lambda: places,
        guards, verdict, program.exits, program.decisions, program.raising,
    )  # fmt: skip
