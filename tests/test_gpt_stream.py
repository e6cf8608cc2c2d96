"""What is inside a model, and a run as JSON lines."""

import io
import json
import math

import pytest

from gradwalk import walk
from gradwalk.contract import plain
from gradwalk.gpt import Config, Run, Training
from gradwalk.gpt.stream import Stream, lines_up_to
from gradwalk.gpt.views import document_graph

TINY = Config(n_embd=4, n_layer=2, n_head=2, block_size=4)


def tiny(**run):
    return Training(["anna", "hannah", "dan"], TINY, Run(**{"steps": 30, **run}))


def streamed(training, steps, **settings):
    out = io.StringIO()
    stream = Stream(out, training, **settings)
    stream.start()
    for _ in range(steps):
        stream.step()
    stream.end("finished")
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_every_step_is_a_line_between_start_and_end():
    training, other = tiny(), tiny()
    rows = streamed(training, 3, views=(), every=1)
    assert [row["event"] for row in rows] == ["start", "step", "step", "step", "end"]
    losses = [row["loss"] for row in rows if row["event"] == "step"]
    assert losses == [other.step().loss for _ in range(3)]
    assert rows[0]["parameters"] == len(training.model.parameters())
    assert rows[-1] == {"event": "end", "step": 3, "why": "finished"}


def test_a_streamed_run_has_the_numbers_of_a_silent_one():
    one, other = tiny(), tiny()
    out = io.StringIO()
    stream = Stream(out, one, share=1e9)
    for _ in range(6):
        stream.request("histograms")
        assert stream.step().loss == other.step().loss
    assert one.model.state_dict() == other.model.state_dict()
    assert one.rng.getstate() == other.rng.getstate()


@pytest.mark.parametrize(("line", "views"), [(0.0, 9), (1.0, 9), (30.0, 9)])
def test_lines_and_views_take_no_more_than_their_shares_of_the_time(line, views):
    # By this clock a step takes 10, a view 30, and a step's own line what is said.
    now = 0.0

    class Slow(Training):
        def step(self, watch=None):
            nonlocal now
            now += 10
            return super().step(watch)

        def sample(self, count, temperature=0.5, prompt=""):
            nonlocal now
            now += 30
            return []

    class Out(io.StringIO):
        def write(self, text):
            nonlocal now
            now += line if '"event": "step"' in text else 0
            return super().write(text)

    out = Out()
    training = Slow(["anna", "dan"], TINY, Run(steps=500))
    settings = {"views": ("sample",), "share": 0.1, "lines": 0.02, "clock": lambda: now}
    stream = Stream(out, training, **settings)
    for _ in range(300):
        stream.step()
    rows = [json.loads(text) for text in out.getvalue().splitlines()]
    lines = [row for row in rows if row["event"] == "step"]
    samples = len(rows) - len(lines)
    assert views <= samples <= views + 3
    assert samples * 30 <= 0.1 * now
    assert len(lines) * line <= 0.02 * now + line
    assert len(lines) >= (280 if not line else 1)


def test_a_line_of_several_steps_has_their_mean_loss_and_all_of_their_tokens():
    rows = streamed(tiny(), 12, views=(), every=4)
    each = [row for row in streamed(tiny(), 12, views=(), every=1) if row["event"] == "step"]
    lines = [row for row in rows if row["event"] == "step"]
    assert [(row["step"], row["steps"]) for row in lines] == [(4, 4), (8, 4), (12, 4)]
    for i, row in enumerate(lines):
        part = each[4 * i : 4 * i + 4]
        assert row["loss"] == pytest.approx(math.fsum([one["loss"] for one in part]) / 4)
        assert row["tokens"] == sum([one["tokens"] for one in part])
        assert row["points"] == [[one["step"], one["loss"]] for one in part]
        assert (row["document"], row["rate"]) == (part[-1]["document"], part[-1]["rate"])


def test_steps_before_a_checkpoint_are_told_before_it():
    training, out = tiny(), io.StringIO()
    stream = Stream(out, training, views=(), every=1000)
    for _ in range(5):
        stream.step()
    stream.checkpoint("file")
    stream.end("finished")
    rows = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [row["event"] for row in rows] == ["step", "checkpoint", "end"]
    assert rows[0]["steps"] == 5


def test_a_view_that_is_asked_for_comes_with_the_next_step():
    out = io.StringIO()
    stream = Stream(out, tiny(), views=())
    stream.request("attention")
    stream.request("sample")
    stream.step()
    rows = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [(row["event"], row["step"]) for row in rows] == [
        *[("attention", 1), ("sample", 1)],
        ("step", 1),
    ]


def test_numbers_that_json_lacks_are_words():
    assert plain({"a": [math.nan, -math.inf, 1.5]}) == {"a": ["NaN", "-Infinity", 1.5]}
    training = tiny()
    training.model.wte[0][0].data = math.nan
    for row in streamed(training, 2, share=1e9):
        assert row["event"] != "step" or row["loss"] == "NaN"


def test_a_resumed_stream_keeps_the_lines_up_to_its_checkpoint(tmp_path):
    file = tmp_path / "run.jsonl"
    rows = [{"event": "start"}, *[{"event": "step", "step": i} for i in (1, 2, 3)]]
    text = "".join([json.dumps(row) + "\n" for row in rows])
    file.write_text(text + json.dumps({"event": "end", "step": 3}) + '\n{"event": "st')
    kept = lines_up_to(file, 2)
    assert [json.loads(line).get("step") for line in kept] == [None, 1, 2]


# ── Views ────────────────────────────────────────────────────────────────────────────────────


def test_the_graph_of_a_loss_names_its_parameters_and_leaves_them_as_they_were():
    training = tiny(form="scalar")
    parameter = training.model.layers[1].wq[0][1]
    parameter.grad = 7.0
    graph = document_graph(training.model, training.tokenizer.encode("dan"))
    assert (parameter.grad, parameter.label) == (7.0, "")
    node = graph.find("layers.1.wq[0][1]")
    assert walk(graph).grads[node.id] == pytest.approx(node.grad, rel=1e-12)
    assert graph[graph.root].label == "loss"
