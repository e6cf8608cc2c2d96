"""Training a GPT: the same numbers for the same seed, stopped and resumed.

`Training` is all there is to know of a run: the documents, the model, the stepper that moves its
parameters, and the random numbers to come. `step()` does one step; `save` and `resume` keep the
rest of the run the same to the last bit, whether it was interrupted or not.
"""

from __future__ import annotations

import gc
import json
import math
import random
from array import array
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields, replace
from hashlib import sha256
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

from gradwalk.engine import Value
from gradwalk.errors import CheckpointError, GradwalkError, OperandError
from gradwalk.gpt import breaks, checkpoint
from gradwalk.gpt.checkpoint import Tensor
from gradwalk.gpt.model import GPT, Config
from gradwalk.gpt.stepper import DEFAULT_FORM, FORMS, MEMORIES, State, Stepper
from gradwalk.gpt.tokens import Tokenizer


@dataclass(frozen=True, slots=True)
class Run:
    """How to train. The numbers here are microGPT's."""

    steps: int = 1000
    seed: int = 42
    lr: float = 0.01
    beta1: float = 0.85
    beta2: float = 0.99
    epsilon: float = 1e-8
    form: str = DEFAULT_FORM
    broken: str = ""
    batch: int = 1  # documents per step

    def __post_init__(self) -> None:
        for name in ("steps", "seed", "batch"):
            number = getattr(self, name)
            if not isinstance(number, int) or isinstance(number, bool):
                raise OperandError(f"{name} is a whole number, not {number!r}")
        for name in ("lr", "beta1", "beta2", "epsilon"):
            number = getattr(self, name)
            is_number = isinstance(number, int | float) and not isinstance(number, bool)
            if not is_number or not 0 <= number < math.inf:
                raise OperandError(f"{name} is a finite number of at least 0, not {number!r}")
        for name in ("beta1", "beta2"):
            if getattr(self, name) >= 1:
                raise OperandError(f"{name} is a number below 1, not {getattr(self, name)!r}")
        if self.epsilon == 0:
            raise OperandError("epsilon is a number above 0, such as 1e-8, not 0")
        for name in ("steps", "batch"):
            if getattr(self, name) < 1:
                raise OperandError(f"{name} is at least 1, not {getattr(self, name)}")
        if self.form not in FORMS:
            raise OperandError(f"the form is {' or '.join(FORMS)}, not {self.form!r}")
        breaks.find(self.broken)


class Done(NamedTuple):
    """What a step did. Steps count from 1. Of a batch, `document` is the first."""

    step: int
    document: str
    loss: float
    rate: float
    tokens: int


class Training:
    """A run, at some step.

    >>> from gradwalk.gpt import Config, Run, Training
    >>> training = Training(["anna", "hannah"], Config(n_embd=4, n_head=2), Run(steps=2))
    >>> [round(training.step().loss, 4) for _ in range(2)]
    [1.3883, 1.3727]
    """

    def __init__(
        self,
        documents: Sequence[str],
        config: Config | None = None,
        run: Run | None = None,
        stepper: Callable[[GPT, Run], Stepper] | None = None,
    ) -> None:
        self.run = run = run or Run()
        # The order of these three decides every random number of the run.
        self.rng = random.Random(run.seed)
        self.documents = list(documents)
        if isinstance(documents, str) or not all(isinstance(d, str) for d in self.documents):
            raise OperandError("training takes a list of documents, each a str")
        if not self.documents:
            raise OperandError("training takes at least one document, got an empty list")
        self.fingerprint = fingerprint(self.documents)
        self.rng.shuffle(self.documents)
        self.tokenizer = Tokenizer("".join(self.documents))
        config = replace(config or Config(), vocabulary=len(self.tokenizer))
        form = FORMS[run.form]
        self._model = breaks.broken(form.model, run.broken)(config, self.rng)
        self.stepper = (stepper or form.stepper)(self._model, run)
        self._pace = 1.0  # seconds a step takes, learnt by `steps`

    @property
    def model(self) -> GPT:
        """The model, its Values as they are now."""
        self.stepper.refresh()
        return self._model

    @property
    def steps_done(self) -> int:
        return self.stepper.steps

    @property
    def finished(self) -> bool:
        return self.steps_done >= self.run.steps

    @property
    def next_document(self) -> str:
        """The document that the next step will train on, or the first of them."""
        return self.documents[self.steps_done * self.run.batch % len(self.documents)]

    def step(self, watch: Callable[[], None] | None = None) -> Done:
        """Train on the next documents. `watch` is called while the model has their gradients."""
        if self.finished:
            raise OperandError(f"the run of {self.run.steps} steps is over")
        document, rate = self.next_document, self.stepper.rate
        batch = [self.tokenizer.encode(document)]
        for k in range(1, self.run.batch):
            later = (self.steps_done * self.run.batch + k) % len(self.documents)
            batch.append(self.tokenizer.encode(self.documents[later]))
        loss = self.stepper.step(batch, watch)
        longest = self._model.config.block_size
        read = sum([min(len(tokens) - 1, longest) for tokens in batch])
        return Done(self.steps_done, document, loss, rate, read)

    def steps(self, most: int, seconds: float) -> list[Done]:
        """Do steps for about so long: at least one, at most `most` or what is left of the run.

        A look at the clock after each would be a good part of a step of 25 µs.
        """
        step, begin = self.step, perf_counter()
        count = max(1, min(most, self.run.steps - self.steps_done, int(seconds / self._pace)))
        done = [step() for _ in range(count)]
        # Not at once from slow to fast: of the first steps, some are recorded, which takes long.
        self._pace = max((perf_counter() - begin) / count, self._pace / 2, 1e-9)
        return done

    def sample(self, count: int, temperature: float = 0.5, prompt: str = "") -> list[str]:
        """Return texts the model makes up now, without touching the run's random numbers."""
        rng = random.Random(f"{self.run.seed} {self.steps_done}")
        return list(samples(self.model, self.tokenizer, rng, count, temperature, prompt))

    # ── Checkpoints ──────────────────────────────────────────────────────────────────────────

    def save(self, path: str | Path) -> None:
        """Write all of the run but the documents, so that `resume` goes on where it is."""
        tensors: dict[str, Tensor] = {}
        now = self.stepper.state()
        place = 0
        for name, tensor in self._model.tensors():
            shape, values = _flattened(tensor)
            part = slice(place, place + len(values))
            tensors[name] = shape, now.parameters[part]
            for memory in MEMORIES:
                tensors[f"adam.{memory}.{name}"] = shape, now.memory[memory][part]
            place += len(values)
        if self.run.broken == "no-zero-grad":  # then gradients, too, pass from step to step
            tensors["gradients"] = (place,), now.gradients
        version, state, gauss = self.rng.getstate()
        metadata = {
            "format": "gradwalk gpt 1",
            "config": json.dumps(asdict(self._model.config)),
            "run": json.dumps(asdict(self.run)),
            "characters": json.dumps(self.tokenizer.characters),
            "step": str(self.steps_done),
            "random": json.dumps([version, list(state), gauss]),
            "documents": self.fingerprint,
        }
        checkpoint.save(path, tensors, metadata)

    @classmethod
    def resume(
        cls,
        path: str | Path,
        documents: Sequence[str],
        stepper: Callable[[GPT, Run], Stepper] | None = None,
    ) -> Training:
        """Return the run that a checkpoint holds, to go on with the same documents."""
        tensors, metadata = checkpoint.load(path)
        config, run, _ = _described(path, metadata)
        _plausible(path, config, tensors)
        training = cls(documents, config, run, stepper)
        if metadata.get("documents") != training.fingerprint:
            raise CheckpointError(
                f"{path}: trained on other documents; --resume needs the same --data"
            )
        if training.model.config != config:
            raise CheckpointError(f"{path}: its vocabulary is not that of its documents")
        _, gradients = tensors.pop("gradients", (0, None))
        if (gradients is not None) != (run.broken == "no-zero-grad"):
            raise CheckpointError(f"{path}: gradients belong to the break no-zero-grad alone")
        parameters, memory = _numbers(path, training.model, tensors)
        if gradients is None:
            gradients = array("d", bytes(8 * len(parameters)))
        elif len(gradients) != len(parameters):
            raise CheckpointError(f"{path}: {len(gradients)} gradients are not one for each")
        training.stepper.load(State(_step(path, metadata, run), parameters, memory, gradients))
        try:
            version, state, gauss = json.loads(metadata["random"])
            training.rng.setstate((version, tuple(state), gauss))
        except (KeyError, ValueError, TypeError, OverflowError, RecursionError):
            raise CheckpointError(f"{path}: its random state is not one of Python's") from None
        return training


def load_model(path: str | Path) -> tuple[GPT, Tokenizer, dict[str, Any]]:
    """Return the model of a checkpoint, its tokenizer, and what is known of its run."""
    tensors, metadata = checkpoint.load(path)
    config, run, characters = _described(path, metadata)
    tokenizer = Tokenizer(characters)
    if len(tokenizer) != config.vocabulary:
        raise CheckpointError(
            f"{path}: a vocabulary of {config.vocabulary} for {len(tokenizer)} tokens"
        )
    _plausible(path, config, tensors)
    model = breaks.broken(FORMS[run.form].model, run.broken)(config, random.Random(0))
    tensors.pop("gradients", None)
    for value, number in zip(model.parameters(), _numbers(path, model, tensors)[0], strict=True):
        value.data = number
    known = {**asdict(run), "steps_done": _step(path, metadata, run)}
    return model, tokenizer, {**known, "documents": metadata.get("documents", "")}


def samples(
    model: GPT,
    tokenizer: Tokenizer,
    rng: random.Random,
    count: int,
    temperature: float = 0.5,
    prompt: str = "",
) -> Iterator[str]:
    """Yield texts that the model makes up, one by one, each beginning with `prompt`."""
    start = tokenizer.encode_part(prompt)
    for _ in range(count):
        yield tokenizer.decode(model.generate(tokenizer.edge, rng, temperature, start))


@contextmanager
def without_collector() -> Generator[None]:
    """Switch Python's cyclic garbage collector off: graphs have no cycles, and it searches them.

    Two thirds of a training step on the Python engine is that search.
    """
    restore = gc.enable if gc.isenabled() else gc.disable
    try:  # as gradwalk.engine.modes says: set inside, and restored twice
        try:
            gc.disable()
            yield
        finally:
            restore()
    finally:
        restore()


# ── Reading a checkpoint ─────────────────────────────────────────────────────────────────────


def _described(path: str | Path, metadata: Mapping[str, str]) -> tuple[Config, Run, str]:
    if not metadata.get("format", "").startswith("gradwalk gpt "):
        raise CheckpointError(f"{path}: a safetensors file, but not one of gradwalk gpt")
    if metadata["format"] != "gradwalk gpt 1":
        raise CheckpointError(f"{path}: written by a newer gradwalk: {metadata['format']!r:.40}")
    try:
        config = _made(Config, json.loads(metadata["config"]))
        settings = json.loads(metadata["run"])
        if isinstance(settings, dict):
            settings.setdefault("batch", 1)  # pyright: ignore[reportUnknownMemberType]
        run = _made(Run, settings)
        characters = json.loads(metadata["characters"])
        if not isinstance(characters, str):
            raise OperandError("its characters are not a text")
    except GradwalkError as error:
        raise CheckpointError(f"{path}: {error}") from None
    except (KeyError, ValueError, TypeError, RecursionError) as error:
        raise CheckpointError(f"{path}: its description is damaged: {error}") from None
    return config, run, characters


def _made(kind: Any, numbers: Any) -> Any:
    names = {field.name for field in fields(kind)}
    if not isinstance(numbers, dict) or set(numbers) != names:  # pyright: ignore[reportUnknownArgumentType]
        raise OperandError(f"a {kind.__name__} has {', '.join(sorted(names))}, no more, no less")
    return kind(**numbers)


def _step(path: str | Path, metadata: Mapping[str, str], run: Run) -> int:
    text = metadata.get("step", "")
    if not (text.isascii() and text.isdigit()) or len(text) > 18 or int(text) > run.steps:
        raise CheckpointError(f"{path}: {text!r:.40} is not a step of a run of {run.steps}")
    return int(text)


def parameter_count(config: Config) -> int:
    """Return how many numbers a model of these sizes learns, without making one."""
    embeddings = (2 * config.vocabulary + config.block_size) * config.n_embd
    return embeddings + config.n_layer * 12 * config.n_embd**2


def _plausible(path: str | Path, config: Config, tensors: Mapping[str, Tensor]) -> None:
    """Refuse a config far larger than the file, before a model of that size is made."""
    count, there = parameter_count(config), sum([len(numbers) for _, numbers in tensors.values()])
    if count > there:
        raise CheckpointError(
            f"{path}: its config has {count} parameters, the file {there} numbers"
        )


def _numbers(
    path: str | Path, model: GPT, tensors: Mapping[str, Tensor]
) -> tuple[array[float], dict[str, array[float]]]:
    """Return a file's parameters and the optimiser's memory, which must all fit the model."""
    left = set(tensors)
    gathered = {prefix: array("d") for prefix in ("", *[f"adam.{name}." for name in MEMORIES])}
    for name, tensor in model.tensors():
        shape, _ = _flattened(tensor)
        for prefix, numbers in gathered.items():
            key = prefix + name
            if key not in tensors:
                raise CheckpointError(f"{path}: there is no {key}")
            if tensors[key][0] != shape:
                raise CheckpointError(f"{path}: {key} is {tensors[key][0]}, not {shape}")
            left.discard(key)
            numbers.extend(tensors[key][1])
    if left:
        raise CheckpointError(f"{path}: the model has no {', '.join(sorted(left))}")
    return gathered.pop(""), dict(zip(MEMORIES, gathered.values(), strict=True))


def _flattened(tensor: Any) -> tuple[tuple[int, ...], list[Value]]:
    """Return shape and entries of lists of Values that are all of one length."""
    if isinstance(tensor, Value):
        return (), [tensor]
    rows = [_flattened(entry) for entry in tensor]
    assert len({shape for shape, _ in rows}) == 1
    return (len(rows), *rows[0][0]), [value for _, values in rows for value in values]


def fingerprint(documents: Sequence[str]) -> str:
    """Return what tells documents in this order from any others."""
    return sha256("\n".join(documents).encode()).hexdigest()


def mean_loss(model: GPT, tokenizer: Tokenizer, documents: Sequence[str]) -> tuple[float, int]:
    """Return the loss of a token over all documents, and how many tokens there were."""
    from gradwalk.engine import no_grad

    total, count = 0.0, 0
    with no_grad():
        for document in documents:
            tokens = tokenizer.encode(document)
            n = min(len(tokens) - 1, model.config.block_size)
            total += model.loss(tokens).data * n
            count += n
    if not count:
        raise OperandError("there is no document to evaluate")
    return (total / count if math.isfinite(total) else math.nan), count
