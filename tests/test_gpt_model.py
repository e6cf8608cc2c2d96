"""The model: its reference numbers, its two forms, its gradients against independent oracles."""

import random
from pathlib import Path

import pytest

from gradwalk import OperandError, no_grad
from gradwalk.gpt import BREAKS, GPT, Config, FastGPT, Run, Tokenizer, Training, read_documents
from gradwalk.gpt.breaks import broken
from gradwalk.gpt.training import parameter_count

ROOT = Path(__file__).parent.parent
NAMES = ROOT.parent / "shared" / "data" / "names.txt"
LOSSES = ["3.3660", "3.4243", "3.1778", "3.0664", "3.2209", "2.9452", "3.2894", "3.3245"]

SMALL = Config(n_embd=6, n_layer=2, n_head=3, block_size=5, vocabulary=7)
TOKENS = [6, 0, 3, 2, 3, 6]


def twins(config=SMALL, seed=1):
    return GPT(config, random.Random(seed)), FastGPT(config, random.Random(seed))


@pytest.mark.skipif(not NAMES.exists(), reason="needs shared/data/names.txt beside the checkout")
@pytest.mark.parametrize("form", ["scalar", "fast", "replay"])
def test_microgpt_s_first_eight_losses_come_out(form):
    documents = read_documents(NAMES)
    training = Training(documents, run=Run(form=form))
    assert len(documents) == 32033
    assert len(training.tokenizer) == 27
    assert len(training.model.parameters()) == 4192
    assert [f"{training.step().loss:.4f}" for _ in range(8)] == LOSSES


@pytest.mark.parametrize("name", ["", *[row.name for row in BREAKS.values() if row.methods]])
def test_both_forms_agree_to_1e_12_whole_or_broken(name):
    scalar = broken(GPT, name)(SMALL, random.Random(1))
    fast = broken(FastGPT, name)(SMALL, random.Random(1))
    one, other = scalar.loss(TOKENS), fast.loss(TOKENS)
    one.backward()
    other.backward()
    assert other.data == pytest.approx(one.data, rel=1e-12)
    for (key, p), (_, q) in zip(scalar.named_parameters(), fast.named_parameters(), strict=True):
        assert q.grad == pytest.approx(p.grad, rel=1e-10, abs=1e-13), key
    rng = random.Random(3)
    assert scalar.generate(6, random.Random(3)) == fast.generate(6, rng)


@pytest.mark.parametrize("form", [GPT, FastGPT])
def test_gradients_agree_with_finite_differences(form):
    model = form(SMALL, random.Random(2))
    model.loss(TOKENS).backward()
    rng = random.Random(5)
    for name, p in rng.sample(list(model.named_parameters()), 40):
        before, heights = p.data, []
        for h in (1e-5, -1e-5):
            p.data = before + h
            with no_grad():
                heights.append(model.loss(TOKENS).data)
        p.data = before
        difference = (heights[0] - heights[1]) / 2e-5
        assert p.grad == pytest.approx(difference, rel=1e-5, abs=1e-9), name


@pytest.mark.parametrize("temperature", [0, -1.0, float("nan")])
def test_a_temperature_that_is_not_positive_is_refused(temperature):
    with pytest.raises(OperandError, match="positive"):
        twins()[0].generate(6, random.Random(0), temperature)


@pytest.mark.parametrize(
    ("sizes", "words"),
    [
        ({"n_embd": 6, "n_head": 4}, "does not divide into 4 heads"),
        ({"n_layer": 0}, "n_layer is a positive whole number, not 0"),
        ({"block_size": 2.5}, "not 2.5"),
        ({"n_embd": True}, "not True"),
    ],
)
def test_sizes_that_make_no_model_are_refused(sizes, words):
    with pytest.raises(OperandError, match=words):
        Config(**sizes)


# ── Tokens ───────────────────────────────────────────────────────────────────────────────────


def test_a_character_that_was_never_seen_is_named():
    with pytest.raises(OperandError, match="does not know the character 'x'"):
        Tokenizer("abc").encode("axe")


@pytest.mark.parametrize(
    ("content", "words"), [(b" \n\n", "no documents"), (b"ab\xff", "not UTF-8 text: byte 2")]
)
def test_a_file_without_documents_is_refused(content, words, tmp_path):
    file = tmp_path / "text.txt"
    file.write_bytes(content)
    with pytest.raises(OperandError, match=words):
        read_documents(file)


@pytest.mark.parametrize("config", [Config(), Config(8, 3, 2, 5, 11)])
def test_parameters_are_counted_without_a_model(config: Config) -> None:
    assert parameter_count(config) == len(GPT(config, random.Random(1)).parameters())
    assert parameter_count(Config()) == 4192
