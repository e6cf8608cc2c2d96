"""`gpt train --backend jax`: the losses of the replay, on any number of devices, and its failures.

JAX comes with `python3 x.py setup oracle`; CI has it.
"""

import json

import pytest
from support.alone import process

from gradwalk import OperandError, ProgramError
from gradwalk.gpt import Config, Run, Training
from gradwalk.gpt.stepper import JaxStepper

jax = pytest.importorskip("jax")
jax.config.update("jax_platforms", "cpu")
jax.config.update("jax_enable_x64", True)

DOCUMENTS = ["anna", "bob", "carla", "dan", "eve", "frederic", "gina"]
CONFIG = {"n_embd": 4, "n_head": 2, "block_size": 5}

WORKER = """
import json, sys
from functools import partial
import jax
jax.config.update("jax_platforms", "cpu")
jax.config.update("jax_enable_x64", True)
from gradwalk.gpt import Config, Run, Training
from gradwalk.gpt.stepper import JaxStepper
documents, config, file = json.loads(sys.argv[1])
run = Run(steps=100, batch=6)
training = Training(documents, Config(**config), run, partial(JaxStepper, devices=2))
losses = [training.step().loss for _ in range(40)]
training.save(file)
for devices in (1, 2):
    training = Training.resume(file, documents, partial(JaxStepper, devices=devices))
    losses += [training.step().loss for _ in range(30)]
    training.save(file)
print(json.dumps([jax.device_count(), losses]))
"""


def test_losses_are_those_of_the_replay_on_changing_numbers_of_devices(tmp_path) -> None:
    """40 steps on two devices, 30 on one, 30 on two, each from the checkpoint of the one before."""
    training = Training(DOCUMENTS, Config(**CONFIG), Run(steps=100, batch=6))
    wanted = [training.step().loss for _ in range(100)]
    given = json.dumps([DOCUMENTS, CONFIG, str(tmp_path / "run.safetensors")])
    flags = "--xla_force_host_platform_device_count=2"
    done = process("-P", "-c", WORKER, given, env={"XLA_FLAGS": flags}, timeout=300)
    assert done.returncode == 0, done.stderr
    count, losses = json.loads(done.stdout.splitlines()[-1])
    assert count == 2
    assert len(losses) == 100
    assert max([abs(a - b) for a, b in zip(losses, wanted, strict=True)]) < 1e-9
    resumed = Training.resume(tmp_path / "run.safetensors", DOCUMENTS)  # by the replay
    assert resumed.finished
    pairs = zip(resumed.model.parameters(), training.model.parameters(), strict=True)
    assert max([abs(a.data - b.data) for a, b in pairs]) < 1e-9


@pytest.fixture(scope="module")
def training() -> Training:
    made = Training(DOCUMENTS, Config(**CONFIG), Run(steps=9, batch=2), JaxStepper)
    made.step()
    return made


def test_a_watcher_finds_the_gradients_of_the_batch(training) -> None:
    model = training.model
    other = Training(DOCUMENTS, Config(**CONFIG), Run(steps=9, batch=2))
    other.step()
    seen: list[list[list[float]]] = []
    for one in (training, other):
        parameters = one.model.parameters()
        one.step(lambda p=parameters: seen.append([[v.data for v in p], [v.grad for v in p]]))
    for mine, theirs in zip(*seen, strict=True):
        assert max([abs(a - b) for a, b in zip(mine, theirs, strict=True)]) < 1e-12
    assert any(seen[0][1])
    assert training.model is model


def test_a_lost_device_leaves_the_step_before(training, tmp_path, monkeypatch) -> None:
    training.save(tmp_path / "before")
    done, state = training.steps_done, training.stepper.state()

    def lost(*_: object) -> None:
        training.stepper._optimizer.steps += 1  # the step was under way
        raise jax.errors.JaxRuntimeError("UNAVAILABLE: device 1 is gone\nwith many lines")

    monkeypatch.setattr(training.stepper._trainer, "step", lost)
    with pytest.raises(ProgramError, match=r"JAX failed in step \d: UNAVAILABLE: .* is gone; "):
        training.step()
    assert training.steps_done == done
    assert training.stepper.state() == state
    training.save(tmp_path / "after")
    assert (tmp_path / "after").read_bytes() == (tmp_path / "before").read_bytes()


def test_what_cannot_be_shared_out_is_refused() -> None:
    with pytest.raises(OperandError, match="devices=99: JAX has"):
        JaxStepper(None, Run(), 99)  # type: ignore[arg-type]
    with pytest.raises(OperandError, match="--break no-zero-grad is made on Values"):
        JaxStepper(None, Run(broken="no-zero-grad"))  # type: ignore[arg-type]


def test_the_command_trains_on_jax_in_batches(tmp_path) -> None:
    out = tmp_path / "run.safetensors"

    def command(*words: str, code: int = 0) -> str:
        words = ("-P", "-m", "gradwalk", "gpt", "train", "-o", str(out), *words)
        done = process(*words, env={"JAX_PLATFORMS": "cpu"}, timeout=300)
        assert done.returncode == code, done.stderr
        return done.stdout + done.stderr

    sizes = "n_embd=4,n_head=2,block_size=4"
    said = command("--backend", "jax", "--batch", "8", "--steps", "3", "--config", sizes)
    assert "step 3 of 3" in said
    assert "was begun with --batch 8" in command("--resume", "--batch", "4", code=2)
    assert "--devices are JAX's" in command("--devices", "2", code=2)
