"""Runs: by seed the same, stopped and resumed the same, and their checkpoints."""

import copy
import io
import json
import os
import random
import signal
import subprocess
import sys
import time
from array import array

import pytest

from gradwalk import CheckpointError, OperandError
from gradwalk.gpt import BREAKS, Config, FastGPT, Run, Training, load_model
from gradwalk.gpt.checkpoint import decode, encode, load, save
from gradwalk.gpt.stepper import DEFAULT_FORM, FORMS, EagerStepper, Form
from gradwalk.gpt.stream import Stream
from gradwalk.gpt.training import mean_loss

DOCUMENTS = ["anna", "hannah", "nana", "dan", "hanna", "ada"]
TINY = Config(n_embd=4, n_head=2, block_size=4)


def tiny(**run):
    return Training(DOCUMENTS, TINY, Run(**{"steps": 30, **run}))


def state(training):
    return training.stepper.state(), training.rng.getstate()


def test_the_same_seed_gives_the_same_run_and_another_another():
    one, other, third = tiny(), tiny(), tiny(seed=7)
    losses = [[training.step().loss for _ in range(5)] for training in (one, other, third)]
    assert losses[0] == losses[1] != losses[2]
    assert state(one) == state(other)


@pytest.mark.parametrize("name", ["", *BREAKS])
def test_a_resumed_run_is_the_uninterrupted_one_bit_for_bit(name, tmp_path):
    whole, half = tiny(broken=name), tiny(broken=name)
    for _ in range(6):
        whole.step()
    for _ in range(3):
        half.step()
    half.save(tmp_path / "run")
    resumed = Training.resume(tmp_path / "run", DOCUMENTS)
    assert state(resumed) == state(half)
    for _ in range(3):
        resumed.step()
    assert state(resumed) == state(whole)


@pytest.mark.parametrize("name", BREAKS)
def test_every_break_changes_the_run(name):
    sound, other = tiny(), tiny(broken=name)
    assert [sound.step().loss for _ in range(4)] != [other.step().loss for _ in range(4)]


def test_a_model_is_loaded_without_its_documents(tmp_path):
    training = tiny()
    for _ in range(4):
        training.step()
    training.save(tmp_path / "run")
    model, tokenizer, known = load_model(tmp_path / "run")
    assert model.state_dict() == training.model.state_dict()
    assert tokenizer.characters == "adhn"
    assert (known["steps_done"], known["seed"]) == (4, 42)
    loss, tokens = mean_loss(model, tokenizer, ["anna", "ada"])
    each = [training.model.loss(tokenizer.encode(d)).data * 4 for d in ("anna", "ada")]
    assert (loss, tokens) == (pytest.approx(sum(each) / 8), 8)


@pytest.mark.parametrize(
    "wrong",
    [
        *({"steps": 0}, {"form": "slow"}, {"broken": "no-thing"}, {"lr": -1}, {"lr": float("nan")}),
        *({"epsilon": float("inf")}, {"epsilon": 0.0}, {"beta1": 1.0}, {"beta2": 1.5}),
        {"seed": 1.5},
    ],
)
def test_a_run_that_cannot_be_is_refused(wrong):
    with pytest.raises(OperandError):
        Run(**wrong)


# ── The file ─────────────────────────────────────────────────────────────────────────────────

TENSORS = {"a": ((2, 2), array("d", [1, 2, 3, -0.0])), "b": ((), array("d", [float("inf")]))}


def test_the_safetensors_package_reads_what_is_written(tmp_path):
    safetensors = pytest.importorskip("safetensors")
    pytest.importorskip("numpy")
    training = tiny()
    training.step()
    training.save(tmp_path / "run.safetensors")
    with safetensors.safe_open(tmp_path / "run.safetensors", framework="numpy") as file:
        assert file.metadata()["format"] == "gradwalk gpt 1"
        for name, numbers in training.model.state_dict().items():
            assert file.get_tensor(name).tolist() == numbers


def test_a_file_cut_off_anywhere_or_with_more_behind_it_is_refused():
    data = b"".join(encode(TENSORS, {"w": "x"}))
    for length in range(len(data)):
        with pytest.raises(CheckpointError):
            decode(data[:length])
    with pytest.raises(CheckpointError, match="follow the last array"):
        decode(data + b"\0")


def test_every_damaged_bit_is_noticed():
    data = b"".join(encode(TENSORS, {"w": "x"}))
    key = data.index(b"sha256")  # without which the file is another program's
    for place in [i for i in range(len(data)) if not key <= i < key + 6]:
        for bit in range(8):
            damaged = bytearray(data)
            damaged[place] ^= 1 << bit
            with pytest.raises(CheckpointError):
                decode(bytes(damaged))


def with_header(header, content=b""):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + content


def row(shape=(1,), begin=0, end=8, dtype="F64"):
    return {"dtype": dtype, "shape": list(shape), "data_offsets": [begin, end]}


HOSTILE = [
    (b"", "at least 8 bytes"),
    (b"\xff" * 8, "header would be"),
    ((10**7).to_bytes(8, "little") + b"{}", "cut off"),
    (with_header(b"[" * 100_000), "not JSON"),
    (with_header(b"\xff\xfe"), "not JSON"),
    (with_header([1]), "not a JSON object"),
    (with_header(b'{"a":{},"a":{}}'), "twice"),
    (with_header({"__metadata__": {"a": 1}}), "not a list of words"),
    (with_header({"a": 1}), "not just dtype"),
    (with_header({"a": row(dtype="F32")}, b"\0" * 8), "gradwalk reads F64"),
    (with_header({"a": row(shape=(2,))}, b"\0" * 8), "which is not 8 ×"),
    (with_header({"a": row(shape=(-1,), end=-8)}), "not a list of counts"),
    (with_header({"a": row(shape=(2**47, 2**47), end=8)}, b"\0" * 8), "which is not"),
    (with_header({"a": row(shape=(True,))}, b"\0" * 8), "not a list of counts"),
    (with_header({"a": row(shape=(2**47,) * 200_000)}), "has 200,000 dimensions"),  # was 146 s
    (with_header({"a": row(begin=8, end=16)}, b"\0" * 16), "begins at byte 8"),
    (with_header({"a": row(), "b": row()}, b"\0" * 8), "begins at byte 0"),
    (with_header({"a": row()}), "cut off"),
]


@pytest.mark.parametrize(("data", "words"), HOSTILE, ids=range(len(HOSTILE)))
def test_a_hostile_file_is_refused_with_its_reason(data, words):
    with pytest.raises(CheckpointError, match=words):
        decode(data)


def rewritten(path, change):
    tensors, metadata = load(path)
    change(tensors, metadata)
    save(path, tensors, metadata)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda _t, m: m.update(format="other"), "not one of gradwalk gpt"),
        (lambda _t, m: m.update(format="gradwalk gpt 99"), "newer gradwalk"),
        (lambda _t, m: m.update(config="{}"), "a Config has"),
        (lambda _t, m: m.update(config=m["config"].replace("4", "-4")), "positive whole number"),
        (lambda _t, m: m.update(run=m["run"].replace(DEFAULT_FORM, "slow")), "the form is"),
        (lambda _t, m: m.update(step="99"), "not a step of a run of 30"),
        (lambda _t, m: m.update(step="-1"), "not a step"),
        (lambda _t, m: m.update(random="[3, [1, 2], null]"), "random state"),
        (lambda _t, m: m.update(random="{}"), "state is not one"),
        (lambda _t, m: m.pop("characters"), "damaged"),
        (lambda t, _m: t.pop("wte"), "there is no wte"),
        (lambda t, _m: t.pop("adam.mean.layers.0.wq"), "there is no adam.mean.layers.0.wq"),
        (lambda t, _m: t.update(extra=((1,), array("d", [0]))), "the model has no extra"),
        (lambda t, _m: t.update(wte=((1,), array("d", [0]))), r"wte is \(1,\), not \(5, 4\)"),
        (lambda t, _m: t.update(gradients=((1,), array("d", [0]))), "no-zero-grad alone"),
    ],
)
def test_a_checkpoint_that_does_not_fit_is_refused_with_its_reason(change, words, tmp_path):
    tiny().save(tmp_path / "run")
    rewritten(tmp_path / "run", change)
    with pytest.raises(CheckpointError, match=words):
        Training.resume(tmp_path / "run", DOCUMENTS)


def test_a_config_far_larger_than_the_file_is_refused_before_it_is_made(tmp_path):
    tiny().save(tmp_path / "run")
    huge = json.dumps(
        {"n_embd": 10**6, "n_layer": 9, "n_head": 1, "block_size": 4, "vocabulary": 5}
    )
    rewritten(tmp_path / "run", lambda _t, m: m.update(config=huge))
    with pytest.raises(CheckpointError, match="parameters, the file"):
        load_model(tmp_path / "run")
    with pytest.raises(CheckpointError, match="parameters, the file"):
        Training.resume(tmp_path / "run", DOCUMENTS)


def test_a_write_that_fails_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch):
    save(tmp_path / "run", TENSORS, {"which": "old"})

    def fail(_handle):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="No space"):
        save(tmp_path / "run", TENSORS, {"which": "new"})
    assert load(tmp_path / "run")[1] == {"which": "old"}
    assert [file.name for file in tmp_path.iterdir()] == ["run"]


WRITER = """
import sys
import time
from array import array
from gradwalk.gpt.checkpoint import save
path, first = sys.argv[1], int(sys.argv[2])
for turn in range(first, first + 1_000_000):
    save(path, {"x": ((40_000,), array("d", [turn]) * 40_000)}, {"turn": str(turn)})
    print(turn, flush=True)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs SIGKILL")
def test_a_writer_killed_at_any_moment_loses_no_checkpoint(tmp_path):
    """It is whole and no older than was reported, and no temporary file outlives the next write.

    GRADWALK_KILLS=1000 takes a minute.
    """
    path, rng, turn = tmp_path / "run", random.Random(1), 0
    for _ in range(int(os.environ.get("GRADWALK_KILLS", "25"))):
        command = [sys.executable, "-c", WRITER, path, str(turn + 1)]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as writer:
            reported = [int(writer.stdout.readline())]  # past its imports: the clock starts here
            time.sleep(rng.uniform(0, 0.02))
            writer.kill()
            reported += [int(line) for line in writer.stdout if line.endswith(b"\n")]
        tensors, metadata = load(path)
        turn = int(metadata["turn"])
        assert turn >= reported[-1]
        assert set(tensors["x"][1]) == {float(turn)}
    save(path, TENSORS, {})
    assert list(tmp_path.iterdir()) == [path]


# ── Steppers ─────────────────────────────────────────────────────────────────────────────────


class Elsewhere(EagerStepper):
    """Trains a copy of the model: the Values of the model itself are old until it refreshes."""

    def __init__(self, model, run):
        self.shown = model
        super().__init__(copy.deepcopy(model), run)

    def step(self, tokens, watch=None):
        def look():
            self.refresh()
            pairs = zip(self.shown.parameters(), self._model.parameters(), strict=True)
            for value, own in pairs:
                value.grad = own.grad
            watch()

        return super().step(tokens, look if watch else None)

    def refresh(self):
        pairs = zip(self.shown.parameters(), self._model.parameters(), strict=True)
        for value, own in pairs:
            value.data = own.data


@pytest.mark.parametrize("name", ["", "no-zero-grad"])
def test_a_run_does_not_care_where_its_stepper_keeps_the_numbers(name, tmp_path, monkeypatch):
    monkeypatch.setitem(FORMS, "elsewhere", Form(FastGPT, Elsewhere, "a copy"))
    lines = []
    for form in ("fast", "elsewhere"):
        training, out = tiny(form=form, broken=name), io.StringIO()
        stream = Stream(out, training, every=1, share=1e9, clock=lambda: 0.0)
        for _ in range(4):
            stream.step()
        training.save(tmp_path / form)
        resumed = Training.resume(tmp_path / form, DOCUMENTS)
        assert state(resumed) == state(training)
        assert resumed.model.state_dict() == training.model.state_dict()
        assert resumed.sample(3) == training.sample(3)
        assert resumed.step() == training.step()
        lines.append(out.getvalue())
    assert lines[0] == lines[1]
    tensors = [load(tmp_path / form)[0] for form in ("fast", "elsewhere")]
    assert tensors[0] == tensors[1]
    assert '"event": "statistics"' in lines[0]
