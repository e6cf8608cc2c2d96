"""The model: its reference numbers, its two forms, its gradients against independent oracles."""

import random
from pathlib import Path

import pytest

from gradwalk import OperandError, no_grad
from gradwalk.gpt import BREAKS, GPT, Config, FastGPT, Run, Tokenizer, Training, read_documents
from gradwalk.gpt.breaks import broken
from gradwalk.gpt.model import Past
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


def torch_loss(torch, weights, config, tokens):
    """The same model in tensors, all positions at once, written from its description."""

    def norm(x):
        return x * (x.pow(2).mean(-1, keepdim=True) + 1e-5).rsqrt()

    n = min(config.block_size, len(tokens) - 1)
    x = norm(weights["wte"][tokens[:n]] + weights["wpe"][:n])
    mask = torch.tril(torch.ones(n, n, dtype=torch.bool))
    size = config.n_embd // config.n_head
    for i in range(config.n_layer):
        w = {name: weights[f"layers.{i}.{name}"] for name in ("wq", "wk", "wv", "wo", "fc1", "fc2")}
        h = norm(x)
        q, k, v = (
            (h @ w[name].T).view(n, config.n_head, size).transpose(0, 1)
            for name in ("wq", "wk", "wv")
        )
        scores = (q @ k.transpose(1, 2) / size**0.5).masked_fill(~mask, -torch.inf)
        mixed = (scores.softmax(-1) @ v).transpose(0, 1).reshape(n, config.n_embd)
        x = x + mixed @ w["wo"].T
        x = x + (norm(x) @ w["fc1"].T).relu() @ w["fc2"].T
    return torch.nn.functional.cross_entropy(
        x @ weights["lm_head"].T, torch.tensor(tokens[1 : n + 1])
    )


@pytest.mark.parametrize("form", [GPT, FastGPT])
@pytest.mark.parametrize("config", [SMALL, Config()], ids=["small", "reference"])
def test_pytorch_has_the_same_loss_and_gradients_to_1e_10(form, config):
    torch = pytest.importorskip("torch")
    model = form(config, random.Random(4))
    tokens = TOKENS if config is SMALL else [26, 4, 12, 12, 0, 26]
    loss = model.loss(tokens)
    loss.backward()
    weights = {
        name: torch.tensor(numbers, dtype=torch.float64, requires_grad=True)
        for name, numbers in model.state_dict().items()
    }
    twin = torch_loss(torch, weights, config, tokens)
    twin.backward()
    assert loss.data == pytest.approx(twin.item(), rel=1e-10)
    for name, tensor in model.tensors():
        ours = [p.grad for row in tensor for p in row]
        assert ours == pytest.approx(weights[name].grad.flatten().tolist(), rel=1e-10, abs=1e-13)


def test_the_model_never_looks_ahead():
    scalar, _ = twins()
    with no_grad():
        past = [Past(), Past()]
        alone = [v.data for v in scalar.logits(TOKENS[0], 0, past)]
        scalar.logits(TOKENS[1], 1, past)
        again = [v.data for v in scalar.logits(TOKENS[0], 0, [Past(), Past()])]
    assert alone == again


def test_a_document_longer_than_the_block_is_cut():
    scalar, _ = twins()
    assert scalar.loss([6, *[1] * 9, 6]).data == scalar.loss([6, *[1] * 5]).data


def test_generated_texts_depend_on_the_seed_and_fit_the_block():
    scalar, _ = twins()
    texts = [scalar.generate(6, random.Random(seed), temperature=2.0) for seed in range(20)]
    assert texts == [scalar.generate(6, random.Random(seed), temperature=2.0) for seed in range(20)]
    assert len({tuple(text) for text in texts}) > 5
    assert all(len(text) <= SMALL.block_size and 6 not in text for text in texts)


def test_a_prompt_comes_first_and_a_low_temperature_takes_the_likeliest():
    scalar, _ = twins()
    cold = [scalar.generate(6, random.Random(seed), 1e-3, [1, 2]) for seed in range(5)]
    assert all(text[:2] == [1, 2] for text in cold)
    assert len({tuple(text) for text in cold}) == 1


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


def test_a_document_of_one_token_is_refused():
    with pytest.raises(OperandError, match="at least 2 tokens"):
        twins()[0].loss([6])


# ── Tokens ───────────────────────────────────────────────────────────────────────────────────


def test_tokens_are_characters_in_order_with_an_edge_behind_them():
    tokenizer = Tokenizer("banana")
    assert (tokenizer.characters, len(tokenizer), tokenizer.edge) == ("abn", 4, 3)
    assert tokenizer.encode("nab") == [3, 2, 0, 1, 3]
    assert tokenizer.decode(tokenizer.encode("nab")) == "nab"
    assert tokenizer.names([3, 2, 0]) == ["▸", "n", "a"]


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


def test_documents_are_the_lines_that_are_not_empty(tmp_path):
    file = tmp_path / "text.txt"
    file.write_bytes("  anna \r\n\nzoë\n".encode())
    assert read_documents(file) == ["anna", "zoë"]


@pytest.mark.parametrize("config", [Config(), Config(8, 3, 2, 5, 11)])
def test_parameters_are_counted_without_a_model(config: Config) -> None:
    assert parameter_count(config) == len(GPT(config, random.Random(1)).parameters())
    assert parameter_count(Config()) == 4192
