"""The C of gradwalk.program without Python around it: built by the C compiler, called by ctypes."""
# ruff: noqa: E501  (tables and signatures, one thing a line)

import ctypes
import os
import re
import runpy
import subprocess
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace

import numpy as np

from gradwalk import ops

ROOT = Path(__file__).resolve().parents[2]
NATIVE = ROOT / "src/gradwalk/program/native"
ROWS = [op.name for op in ops.TABLE]
MADE = [
    *("square", "root", "inverse", "inverse_root", "largest", "gate", "choose", "refuse", "pick"),
    *("pull", "draw", "partial0", "partial1", "partial2"),
]
CODES = [
    "const",
    "input",
    *ROWS,
    *["lt", "le", "gt", "ge", "eq", "ne", "take", "sum", "dot"],
    *MADE,
]
CODE = {name: code for code, name in enumerate(CODES)}
ARITY = dict.fromkeys(ROWS, 1) | dict.fromkeys(["add", "mul", "pow", "sub", "div", "floordiv", "mod", "atan2", "leaky_relu", "maximum", "minimum", "hypot", "polygamma", "lt", "le", "gt", "ge", "eq", "ne", "gate", "choose", "refuse", "draw"], 2) | {"where": 3, "clip": 3, "square": 1, "root": 1, "inverse": 1, "inverse_root": 1}  # fmt: skip
# Each row that is called over vectors, then its derivatives.
TABLE = ROOT / "src/gradwalk/engine/native/operations.h"
FUNCTIONS = [
    name
    for row, form in re.findall(
        r"^[A-Z]+ARY\((\w+),.*?, ([A-Z_]+), [A-Za-z()]+\)$", TABLE.read_text(), re.M | re.S
    )
    if form == "VECTOR" or form.startswith("TUNED")
    for name in (row, *[f"by_{side}_{row}" for side in "xyz"[: ops.BY_NAME[row].arity]])
]
LEVELS = [*runpy.run_path(str(ROOT / "tools" / "build_native.py"))["LEVELS"]]
FLAGS = [
    *["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-Wno-psabi", "-fPIC", "-fno-math-errno"],
    *["-ffp-contract=off", "-O1", "-DGRADWALK_PLAIN", "-fno-trapping-math", "-DLEVEL=base"],
]


def build_plain(into: Path) -> Path:
    """Compile what other compilers get, vectors of one number; return the library."""
    compiler = os.environ.get("CC", "cc")
    names = ["ir", "scalar", "passes", "processor", "rows", "rows_kernels"]
    sources = [NATIVE / f"{name}.c" for name in names] + [*NATIVE.glob("lanes*.c")]
    jobs = [(str(into / f"{source.stem}.o"), str(source)) for source in sources]
    running = [
        subprocess.Popen([compiler, *FLAGS, "-c", source, "-o", made]) for made, source in jobs
    ]
    assert all(process.wait() == 0 for process in running), "the C did not compile"
    library = into / "plain.so"
    objects = [made for made, _ in jobs]
    subprocess.run([compiler, "-shared", *objects, "-o", library, "-lm", "-pthread"], check=True)
    return library


LISTEN = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class Watch(ctypes.Structure):
    _fields_ = (("stop", ctypes.c_int), ("listen", LISTEN))


class Sizes(ctypes.Structure):
    _fields_ = (
        *((name, ctypes.c_int64) for name in
          ("steps", "slots", "lanes", "bytes", "plan_bytes", "code", "uniform", "varying", "totals")),
        ("level", ctypes.c_char_p),
    )  # fmt: skip


class Rows(ctypes.Structure):
    _fields_ = (
        ("row", ctypes.POINTER(ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 4, *[ctypes.c_int] * 2)) * 2),
    )  # fmt: skip


class Ir(ctypes.Structure):
    _fields_ = (
        ("count", ctypes.c_int32), ("room", ctypes.c_int32),
        ("arg_count", ctypes.c_int32), ("arg_room", ctypes.c_int32),
        ("code", ctypes.POINTER(ctypes.c_uint8)), ("start", ctypes.POINTER(ctypes.c_int32)),
        ("arg", ctypes.POINTER(ctypes.c_int32)), ("number", ctypes.POINTER(ctypes.c_double)),
        ("origin", ctypes.POINTER(ctypes.c_int32)), ("adjoint_of", ctypes.POINTER(ctypes.c_int32)),
        ("result", ctypes.POINTER(ctypes.c_int32)), ("result_count", ctypes.c_int32),
        ("outputs", ctypes.c_int32), ("slots", ctypes.c_int32),
        ("slot_of", ctypes.POINTER(ctypes.c_int32)), ("forward", ctypes.c_int32),
        ("fast", ctypes.c_bool),
    )  # fmt: skip


def address(array: "np.ndarray | None") -> int | None:
    return None if array is None else array.ctypes.data


class Library:
    """Functions in C by name: those of the module's table, or of a library that hides none."""

    def __init__(self, path: Path, table: str = "") -> None:
        whole = ctypes.CDLL(str(path))
        self.c = SimpleNamespace()
        pointer, int32, int64 = ctypes.c_void_p, ctypes.c_int32, ctypes.c_int64
        signatures = (
            ("ir_new", ctypes.POINTER(Ir), (int32, int32)),
            ("ir_free", None, (pointer,)),
            ("ir_add", int32, (pointer, ctypes.c_int, pointer, ctypes.c_int, ctypes.c_double)),
            ("ir_set_results", ctypes.c_int, (pointer, pointer, int32, int32)),
            ("ir_check", ctypes.c_char_p, (pointer, pointer)),
            ("scalar_run", None, (pointer, pointer, int32, pointer)),
            ("pass_tidy", ctypes.POINTER(Ir), (pointer, pointer)),
            ("pass_chains", ctypes.POINTER(Ir), (pointer, pointer)),
            ("pass_adjoint", ctypes.POINTER(Ir), (pointer, pointer, pointer, int32, pointer, pointer)),
            ("pass_careful", ctypes.POINTER(Ir), (pointer, pointer)),
            ("lanes_new", pointer, (pointer, pointer, pointer, ctypes.c_bool, ctypes.c_bool)),
            ("lanes_free", None, (pointer,)),
            ("lanes_run", ctypes.c_int, (pointer, pointer, pointer, int64, pointer, pointer, pointer,
                                         ctypes.c_int, pointer)),
            ("lanes_sizes", Sizes, (pointer,)),
            ("lanes_text", ctypes.c_size_t, (pointer, ctypes.c_char_p, ctypes.c_size_t)),
            ("lanes_choose", ctypes.c_bool, (ctypes.c_char_p,)),
            ("row_of", ctypes.c_int, (ctypes.c_int, ctypes.c_int)),
            ("rows", ctypes.POINTER(Rows), ()),
        )  # fmt: skip
        places = (pointer * len(signatures)).in_dll(whole, table) if table else None
        for k, (name, result, arguments) in enumerate(signatures):
            if places:
                function = ctypes.CFUNCTYPE(result, *arguments)(places[k])
            else:
                function = getattr(whole, name)
                function.restype, function.argtypes = result, arguments
            setattr(self.c, name, function)

    def choose(self, level: str | None) -> bool:
        return self.c.lanes_choose(None if level is None else level.encode())

    def function(self, name: str, *operands: np.ndarray) -> np.ndarray:
        given = [np.ascontiguousarray(operand) for operand in operands]
        out = np.empty(len(given[0]))
        places = [address(operand) for operand in given] + [None] * (3 - len(given))
        row, which = (name[5:], "xyz".index(name[3]) + 1) if name[:3] == "by_" else (name, 0)
        kernel = self.c.rows().contents.row[0][self.c.row_of(CODE[row], which)]
        kernel(address(out), *places, 0, len(out))
        return out


class Program:
    """A program under construction; `gradient` and `passes` give the one that is run."""

    def __init__(self, library: Library, slots: int) -> None:
        self.library, self.c = library, library.c
        self.ir = self.c.ir_new(64, 64)
        self.ir.contents.slots = slots
        self.recorded = 0

    def add(self, name: str, *operands: int, number: float = 0.0) -> int:
        array = (ctypes.c_int32 * max(1, len(operands)))(*operands)
        self.recorded += 1
        return self.c.ir_add(self.ir, CODE[name], array, len(operands), number)

    def inputs(self) -> list[int]:
        return [self.add("input", number=slot) for slot in range(self.ir.contents.slots)]

    def results(self, ids: Sequence[int], outputs: int | None = None) -> "Program":
        array = (ctypes.c_int32 * max(1, len(ids)))(*ids)
        assert (
            self.c.ir_set_results(
                self.ir, array, len(ids), len(ids) if outputs is None else outputs
            )
            == 0
        )
        self.ir.contents.forward = self.ir.contents.count
        self.check()
        return self

    def check(self) -> None:
        where = ctypes.c_int32()
        wrong = self.c.ir_check(self.ir, ctypes.byref(where))
        assert wrong is None, (wrong, where.value)

    def _replace(self, ir: "ctypes._Pointer[Ir]") -> None:
        assert ir
        self.c.ir_free(self.ir)
        self.ir = ir
        self.check()

    def passes(self) -> "Program":
        self._replace(self.c.pass_tidy(self.ir, None))
        self._replace(self.c.pass_chains(self.ir, None))
        return self

    def gradient(self, wrt: Sequence[int], seeds: Sequence[float] = ()) -> "Program":
        weights = np.array(seeds or [1.0] * self.ir.contents.outputs)
        slots = np.array(wrt, dtype=np.int32)
        refused = ctypes.c_int32()
        adjoint = self.c.pass_adjoint(
            self.ir, address(weights), address(slots), len(slots), None, ctypes.byref(refused)
        )
        if refused.value >= 0:
            code = self.ir.contents.code[refused.value]
            raise ValueError(f"{CODES[code]} has no derivative")
        self._replace(adjoint)
        self._replace(self.c.pass_tidy(self.ir, None))
        return self

    def by_itself(self, table: np.ndarray, careful: bool = True) -> np.ndarray:
        """The results of each scenario, with one instruction computed after the other."""
        run = self.c.pass_careful(self.ir, None) if careful else self.ir
        ir = run.contents
        inputs = [i for i in range(ir.count) if ir.code[i] == CODE["input"]]
        slots = [int(ir.number[i]) for i in inputs]
        ids, values = np.arange(ir.count, dtype=np.int32), np.zeros(ir.count + 1)
        results, found = [ir.result[k] for k in range(ir.result_count)], []
        for row in table:
            values[inputs] = row[slots]
            self.c.scalar_run(run, address(ids), len(ids), address(values))
            found.append(values[results])
        if careful:
            self.c.ir_free(run)
        return np.array(found)

    def __del__(self) -> None:
        self.c.ir_free(self.ir)


class Plan:
    def __init__(self, program: Program, shared: Sequence[bool], wrt: Sequence[int] = (), *, sums: bool = False,
                 float32: bool = False) -> None:  # fmt: skip
        self.program, self.c, self.sums = program, program.c, sums
        flags = np.array(shared, dtype=np.uint8)
        slots = np.array([*wrt, 0], dtype=np.int32)
        self.plan = self.c.lanes_new(program.ir, address(flags), address(slots), sums, float32)
        assert self.plan
        self.outputs = program.ir.contents.outputs
        self.gradients = program.ir.contents.result_count - self.outputs

    def run(self, columns: Sequence[np.ndarray], count: int, threads: int = 1, watch: "Watch | None" = None,
            want_grads: bool = True) -> tuple[int, np.ndarray, np.ndarray, np.ndarray]:  # fmt: skip
        """Slot s is columns[s]: an array with one number a scenario (any stride), or of shape ()."""
        base = np.array([address(column) for column in columns] + [0], dtype=np.uint64)
        stride = np.array(
            [column.strides[0] if column.ndim else 0 for column in columns] + [0], dtype=np.int64
        )
        outputs = np.full((count, self.outputs), -777.0)
        grads = np.full((count, self.gradients), -777.0)
        totals = np.full(self.gradients, -777.0)
        status = self.c.lanes_run(
            self.plan, address(base), address(stride), count, address(outputs),
            address(grads) if want_grads and self.gradients else None,
            address(totals) if self.sums else None, threads,
            None if watch is None else ctypes.byref(watch),
        )  # fmt: skip
        return status, outputs, grads, totals

    @property
    def sizes(self) -> dict[str, int]:
        sizes = self.c.lanes_sizes(self.plan)
        return {name: getattr(sizes, name) for name, _ in Sizes._fields_}

    @property
    def text(self) -> str:
        room = self.c.lanes_text(self.plan, None, 0) + 1
        buffer = ctypes.create_string_buffer(room)
        self.c.lanes_text(self.plan, buffer, room)
        return buffer.value.decode()

    def __del__(self) -> None:
        self.c.lanes_free(self.plan)
