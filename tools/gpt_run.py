"""Writes the run that the lab's page GPT opens with: web/src/parts/gpt-run.json.

    python tools/gpt_run.py

It is the reference run of `gradwalk lab`, as its events, with numbers to the digits that the page
shows. It is committed, because not every machine's exp gives the same last bit, and a test trains
the first steps again.
"""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

from gradwalk.data import names
from gradwalk.gpt import Config, Run, Tokenizer, Training
from gradwalk.gpt.stream import Stream

FILE = Path(__file__).parent.parent / "web" / "src" / "parts" / "gpt-run.json"
STEPS = 1000
EACH = 10  # steps of a line
SAMPLES = (1, 10, 50, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1000)
VIEWS = {"statistics": 50, "attention": 100, "histograms": 250}
DIGITS = {"attention": 2}
LEFT_OUT = {
    "start": ("config", "run", "characters"),
    "step": ("steps", "tokens", "rate", "seconds"),
}


def events(steps: int = STEPS) -> list[dict[str, Any]]:
    """Return the events of the first `steps` steps, as the page hears them."""
    documents = names()
    config = Config(vocabulary=len(Tokenizer("".join(documents))))
    out = io.StringIO()
    training = Training(documents, config, Run(steps=STEPS, seed=42))
    stream = Stream(out, training, (), every=EACH)
    stream.start()
    while training.steps_done < steps:
        step = training.steps_done + 1
        views = [view for view, each in VIEWS.items() if step % each == 0 or step == 1]
        for view in views + ["sample"] * (step in SAMPLES):
            stream.request(view)
        stream.steps(1)
    return [heard(json.loads(line)) for line in out.getvalue().splitlines()]


def heard(event: dict[str, Any]) -> dict[str, Any]:
    name = event.pop("event")
    for row in event.get("tensors", []):
        for field in ("parameters", "mean", "largest", "grad_largest"):
            del row[field]
    for field in LEFT_OUT.get(name, ()):
        del event[field]
    return {"name": name, "data": short(event, DIGITS.get(name, 4))}


def short(value: Any, digits: int) -> Any:
    if isinstance(value, float):
        return float(f"{value:.{digits}g}")
    if isinstance(value, list):
        return [short(one, digits) for one in value]
    if isinstance(value, dict):
        return {name: short(one, digits) for name, one in value.items()}
    return value


if __name__ == "__main__":
    lines = ",\n".join(json.dumps(event, separators=(",", ":")) for event in events())
    FILE.write_text(f"[\n{lines}\n]\n", "utf-8")
