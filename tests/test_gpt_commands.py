"""`gradwalk gpt …` and `gradwalk train …`."""

import json
import os
import signal
import stat
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from support.alone import process

from gradwalk import BackendError, GradwalkError, UsageError, backend
from gradwalk.cli.arguments import use_backend
from gradwalk.cli.gpt import gpt
from gradwalk.cli.train import train
from gradwalk.gpt import Training, read_documents

TINY = ["--config", "n_embd=4,n_head=2,block_size=4"]
RUN = "import sys; from gradwalk.cli.gpt import gpt; sys.exit(gpt(sys.argv[1:]))"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "d.txt").write_text("anna\nhannah\ndan\nnana\n")
    return tmp_path


@pytest.fixture
def said(capsys):
    """Return a function that gives what a command prints, which ends well."""

    def said(words, command=gpt):
        capsys.readouterr()
        assert command(words) == 0
        return capsys.readouterr().out

    return said


def trained(*words, steps=6):
    return gpt(["train", "--data", "d.txt", "--steps", str(steps), *TINY, *words])


def test_train_prints_what_it_did_and_leaves_a_checkpoint(capsys, folder):
    assert trained("--samples", "3") == 0
    out, err = capsys.readouterr()
    lines = out.splitlines()
    assert lines[0].startswith("step 6 of 6: ")
    assert lines[1].startswith("loss ")
    assert lines[2:4] == ["checkpoint gpt.safetensors", ""]
    assert len(lines) == 7
    said = err.splitlines()
    assert (
        said[0] == "3 of 4 documents have 4 characters or more: block_size=4 leaves out their ends"
    )
    assert said[1].startswith("6 steps, ")  # the speed, which is no result
    assert said[1].endswith(" tokens/s")
    assert len(said) == 2
    assert (folder / "gpt.safetensors").exists()


def test_a_checkpoint_is_not_overwritten_by_accident():
    trained()
    with pytest.raises(UsageError, match="is there already; --resume goes on with it"):
        trained()
    assert trained("--force") == 0


def test_resume_refuses_what_cannot_change_half_way():
    with pytest.raises(UsageError, match="no such checkpoint"):
        trained("--resume")
    trained()
    with pytest.raises(UsageError, match=r"begun with --steps 6, which .* falls to 0 over all of"):
        gpt(["train", "--data", "d.txt", "--resume", "--steps", "9"])
    with pytest.raises(UsageError, match="begun without --break, which cannot change half-way"):
        gpt(["train", "--data", "d.txt", "--resume", "--break", "no-relu"])
    with pytest.raises(GradwalkError, match="other documents"):
        gpt(["train", "--resume"])
    with pytest.raises(UsageError, match="begun with n_embd=4, n_layer=1"):
        gpt(["train", "--data", "d.txt", "--resume", "--config", "deep"])


@pytest.mark.skipif(sys.platform == "win32", reason="needs signals")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_the_run_with_a_checkpoint_to_go_on_from(number, code, folder):
    words = ["train", "--data", "d.txt", "--steps", "5000", *TINY, "--json", "--every", "1"]
    with subprocess.Popen(
        [sys.executable, "-c", RUN, *words], stdout=subprocess.PIPE, cwd=folder, text=True
    ) as process:
        for line in process.stdout:
            if json.loads(line).get("step") == 3:
                process.send_signal(number)
                break
        rows = [json.loads(line) for line in process.stdout]
    assert process.returncode == code
    assert rows[-1]["why"] == "interrupted"
    resumed = Training.resume(folder / "gpt.safetensors", read_documents("d.txt"))
    fresh = Training(read_documents("d.txt"), resumed.model.config, resumed.run)
    for _ in range(resumed.steps_done):
        fresh.step()
    assert resumed.steps_done == rows[-1]["step"]
    assert fresh.model.state_dict() == resumed.model.state_dict()


def test_a_resumed_run_goes_on_with_its_stream(folder):
    trained("--stream", "whole.jsonl", "-o", "whole", "--every", "1")
    training = Training.resume("whole", read_documents("d.txt"))
    half = Training(read_documents("d.txt"), training.model.config, training.run)
    for _ in range(3):
        half.step()
    half.save("half")
    lines = (folder / "whole.jsonl").read_text().splitlines(keepends=True)
    (folder / "half.jsonl").write_text("".join(lines[:7]))
    assert trained("--resume", "-o", "half", "--stream", "half.jsonl", "--every", "1") == 0

    def losses(name):
        rows = [json.loads(line) for line in (folder / name).read_text().splitlines()]
        return [(row["step"], row["loss"]) for row in rows if row["event"] == "step"]

    assert losses("half.jsonl") == losses("whole.jsonl")
    assert (folder / "half").read_bytes() == (folder / "whole").read_bytes()


def test_sample_gives_the_same_texts_for_the_same_seed(capsys):
    trained("--samples", "0")
    capsys.readouterr()
    for _ in range(2):
        assert gpt(["sample", "--n", "3", "--prompt", "an", "--json"]) == 0
    one, other = capsys.readouterr().out.splitlines()
    assert one == other
    assert all(text.startswith("an") for text in json.loads(one))


@pytest.mark.parametrize("words", [["--prompt", "annaanna"], ["--prompt", "x"]])
def test_a_prompt_that_cannot_be_is_refused(words):
    trained()
    with pytest.raises(GradwalkError, match=r"the prompt has 8|does not know the character 'x'"):
        gpt(["sample", *words])


@pytest.mark.skipif(not Path("/dev/stdin").exists(), reason="needs a name for stdin")
def test_eval_reads_documents_that_can_be_read_once(folder):
    trained("--samples", "0")
    rows = []
    for file in ("d.txt", "/dev/stdin"):
        words, typed = ["eval", "--data", file, "--json"], (folder / "d.txt").read_text()
        answer = process("-c", RUN, *words, input=typed, check=True)
        rows.append(json.loads(answer.stdout))
    assert rows[0] == rows[1]
    assert rows[1]["read"] == 4


def test_eval_says_how_many_documents_the_model_was_trained_on(said, folder):
    trained("--samples", "0", steps=3)
    for words, read in ((["--n", "1"], None), (["--n", "3"], "2 of these"), ([], "3 of these")):
        lines = said(["eval", "--data", "d.txt", *words]).splitlines()
        assert lines[0].endswith("of 1 document" if words == ["--n", "1"] else "documents")
        assert [line[: len("3 of these")] for line in lines[1:-1]] == ([read] if read else [])
    (folder / "other.txt").write_text("dad\nnanna\n")
    assert json.loads(said(["eval", "--data", "other.txt", "--json"]))["read"] == 0


def test_a_checkpoint_that_could_not_be_written_is_noticed_before_the_first_step(folder, capsys):
    (folder / "taken").mkdir()
    with pytest.raises(IsADirectoryError, match="taken"):
        trained("-o", "taken", "--force")
    assert "steps" not in capsys.readouterr().err


def test_inspect_shows_parameters_gradients_and_attention(capsys, said, folder):
    trained("--samples", "0")
    assert json.loads(said(["inspect", "--document", "", "--json"]))["tokens"] == ["▸"]
    assert gpt(["inspect", "--document", "dan", "--attention", "a.svg"]) == 0
    out, err = capsys.readouterr()
    for part in ("loss of 'dan'", "layers.0.fc2", "grad norm", "layer 1, head 2"):
        assert part in out
    assert "wrote a.svg" in err
    assert (folder / "a.svg").read_text().startswith("<svg ")


def test_inspect_shows_the_graph_of_a_loss_in_every_format(said, folder):
    trained("--samples", "0")
    look = ["inspect", "--document", "dan"]
    loss = json.loads(said([*look, "--json"]).splitlines()[-1])["loss"]
    nodes = json.loads(said([*look, "--graph", "--json"]))["nodes"]
    assert (nodes[-1]["label"], nodes[-1]["data"]) == ("loss", loss)
    assert "layers.0.attention.head.1.token.2" in {node.get("scope") for node in nodes}
    out = said([*look, "--graph"])
    assert out.splitlines()[0].startswith("floor plan: loss ≈ ")
    assert "▸ attention" in out
    assert max(map(len, out.splitlines())) <= 80
    assert "head.1" in said([*look, "--open", "layers.0.attention"])
    for name, start in (("g.dot", "digraph"), ("g.svg", "<svg "), ("g.html", "<!doctype html>")):
        assert gpt([*look, "-o", name]) == 0
        assert (folder / name).read_text().startswith(start)
    with pytest.raises(GradwalkError, match="there is no scope 'kitchen'"):
        gpt([*look, "--open", "kitchen"])


def test_a_backend_that_is_not_the_running_one_starts_the_command_again(monkeypatch):
    started = []
    monkeypatch.setattr("os.execv", lambda *call: started.append(call))
    monkeypatch.setenv("GRADWALK_BACKEND", "auto")
    other = "native" if backend() == "python" else "python"
    if other == "native" and find_spec("gradwalk.engine._native") is None:
        with pytest.raises(BackendError, match="has no native engine"):
            use_backend(other, ["gpt", "train"])
        return
    use_backend(backend(), ["gpt", "train"])
    assert started == []
    use_backend(other, ["gpt", "train", "--steps", "3"])
    program, words = started[0]
    assert (program, words[1:]) == (
        sys.executable, ["-P", "-m", "gradwalk", "gpt", "train", "--steps", "3"],
    )  # fmt: skip
    assert os.environ["GRADWALK_BACKEND"] == other


def test_compare_draws_streams_and_breaks(capsys, said, folder):
    trained("--stream", "a.jsonl", "-o", "a")
    trained("--stream", "b.jsonl", "-o", "b", "--break", "no-residual", "--every", "1")
    assert "○ b" in said(["compare", "a.jsonl", "b.jsonl", "-o", "c.svg"])
    assert (folder / "c.svg").read_text().startswith("<svg ")
    (folder / "c").mkdir()
    (folder / "c" / "b.jsonl").write_text((folder / "a.jsonl").read_text() + '{"event": "st')
    assert gpt(["compare", "b.jsonl", "c/b.jsonl", "--json"]) == 0  # one name, one cut off
    alike = json.loads(capsys.readouterr().out)
    assert sorted(alike) == ["b.jsonl", "c/b.jsonl"]
    assert alike["b.jsonl"] != alike["c/b.jsonl"]
    words = ["--break", "no-residual", "--data", "d.txt", "--steps", "6", *TINY]
    runs = json.loads(said(["compare", *words, "--json"]))
    rows = [json.loads(line) for line in (folder / "b.jsonl").read_text().splitlines()]
    assert [loss for _, loss in runs["no-residual"]] == [
        row["loss"] for row in rows if row["event"] == "step"
    ]


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["bogus"], "there is no gpt 'bogus'"),
        (["train", "--steps", "0"], "--steps: a whole number from 1 on, not '0'"),
        (["train", "--break", "no-residuel"], "did you mean no-residual"),
        (["train", "--break", "no-relu", "--break", "no-decay"], "takes one --break"),
        (["train", "--seed", "x"], "--seed: a whole number, not 'x'"),
        (["train", "--nonsense"], "--nonsense"),
        (["train", "extra"], "'extra'"),
        (["train", "--config", "n_embd=x"], "n_embd is a positive whole number"),
        (["train", "--config", "huge"], "no preset 'huge'; there is reference, tiny, deep, FILE"),
        (["train", "--config", "tinny"], "no preset 'tinny': did you mean tiny"),
        (["train", "--config", "n_embed=8"], "no size 'n_embed': did you mean n_embd"),
        (["train", "--config", "n_head=2,n_head=4"], "n_head is given twice"),
        (["train", "--config", "vocabulary=9"], "the vocabulary is that of the documents"),
        (["train", "--config", "bad.json"], "bad.json: there is no size 'wings'; there is n_embd"),
        (["train", "--config", "list.json"], "list.json: sizes are a JSON object"),
        (["train", "--config", "text.json"], "text.json: n_embd is a positive whole number"),
        (["train", "--every", "3"], "--every says how often a stream has a line"),
        (["train", "--resume", "--force"], "take one"),
        (["train", "-o", ""], "-o names a file"),
        (["inspect", "--attention", "a.bmp"], "'a.bmp': an attention map is written as .svg"),
        (["inspect", "-o", "plan.bmp"], "'plan.bmp': a graph is written as .txt, .json, .*format"),
        (["compare", "--break", "no-relu", "-o", "c.bmp"], "curves is written as .svg"),
        (["train", "--json", "--stream", "f"], "take one"),
        (["train", "-o", "no/such/folder/x"], "no such folder"),
        (["inspect", "--format", "bmp"], "there is no format 'bmp'"),
        (["sample", "none"], "no such checkpoint"),
        (["compare"], "compare takes streams"),
        (["compare", "d.txt"], "d.txt:1: not a line of"),
        (["compare", sys.executable], ":1: not a line of"),
    ],
    ids=lambda x: " ".join(x) if isinstance(x, list) else "",
)
def test_a_command_that_makes_no_sense_is_refused(words, complaint, folder):
    (folder / "bad.json").write_text('{"n_embd": 8, "wings": 2}')
    (folder / "list.json").write_text("[8]")
    (folder / "text.json").write_text('{"n_embd": "8"}')
    with pytest.raises(GradwalkError, match=complaint):
        gpt(words)


def full_disk(_training, file):
    if Path(file).parent == Path():
        raise OSError(28, "No space left on device", str(file))
    Path(file).write_text("a checkpoint")


def test_a_checkpoint_on_the_way_that_fails_does_not_end_the_run(capsys, monkeypatch):
    failures = iter([True])
    save = Training.save

    def fail_once(training, file):
        if next(failures, False):
            raise OSError(28, "No space left on device", str(file))
        save(training, file)

    monkeypatch.setattr(Training, "save", fail_once)
    assert trained("--save-every", "1e-9", "--stream", "s.jsonl", "--every", "1") == 0
    out, err = capsys.readouterr()
    assert "step 6 of 6" in out
    assert err.count("No space left on device; step 1 is not saved, the run goes on") == 1


def test_a_last_checkpoint_that_fails_is_written_elsewhere(capsys, monkeypatch, folder):
    (folder / "elsewhere").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder / "elsewhere"))
    monkeypatch.setattr(Training, "save", full_disk)
    with pytest.raises(OSError, match="No space left"):
        trained()
    (own,) = (folder / "elsewhere").iterdir()  # with a name that nobody can guess
    assert stat.S_IMODE(own.stat().st_mode) == 0o700
    (rescued,) = own.iterdir()
    assert f"step 6 is saved in {rescued} instead" in capsys.readouterr().err


def test_two_runs_into_one_file_do_not_lose_each_other_s_work(capsys, monkeypatch, folder):
    steps = Training.steps

    def beside_another(training, *words):
        if training.steps_done == 0:
            (folder / "new").write_text("of another run")
            (folder / "new").replace(folder / "gpt.safetensors")
        return steps(training, *words)

    monkeypatch.setattr(Training, "steps", beside_another)
    for words in ([], ["--force"]):
        assert trained(*words) == 0
        out, err = capsys.readouterr()
        assert (folder / "gpt.safetensors").read_text() == "of another run"
        (mine,) = folder.glob("gpt-*.safetensors")
        assert f"written by another run meanwhile; this one goes to {mine.name}\n" in err
        assert f"checkpoint {mine.name}\n" in out
        assert Training.resume(mine, read_documents("d.txt")).finished
        mine.unlink()


# ── gradwalk train ───────────────────────────────────────────────────────────────────────────


def test_moons_are_parted_and_the_boundary_is_drawn(capsys, said, folder):
    words = ["moons", "--points", "30", "--hidden", "8", "--steps", "40"]
    assert train([*words, "-o", "m.svg", "--stream", "m.jsonl"]) == 0
    out, err = capsys.readouterr()
    assert "33 parameters, 40 steps" in out
    assert "░" in out
    assert err.count("wrote") == 1
    assert (folder / "m.svg").read_text("utf-8").startswith("<svg")
    rows = [json.loads(line) for line in (folder / "m.jsonl").read_text().splitlines()]
    assert [row["step"] for row in rows] == list(range(1, 41))
    assert rows[-1]["loss"] < rows[0]["loss"]
    assert [json.loads(line) for line in said([*words, "--json"], train).splitlines()] == rows


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ([], "train takes a shape: moons"),
        (["stars"], "there is no shape 'stars'; there is moons, .* or a file of points"),
        (["mons"], "there is no shape 'mons': did you mean moons"),
        (["p.csv", "--noise", "1"], "--noise is for shapes that are drawn"),
        (["p.csv"], "p.csv:2: a point is x, y and a side"),
        (["moons", "-o", "x.gif"], "as .svg"),
        (["moons", "--hidden", "0"], "a whole number from 1 on"),
        (["moons", "--noise", "-1"], "noise is a number from 0 to 1e"),
        (["moons", "--seed", "x"], "--seed: a whole number, not 'x'"),
    ],
    ids=lambda x: " ".join(x) if isinstance(x, list) else "",
)
def test_a_training_that_makes_no_sense_is_refused(words, complaint, folder):
    (folder / "p.csv").write_text("1,2,a\n3\n")
    with pytest.raises(GradwalkError, match=complaint):
        train(words)


def test_a_picture_that_cannot_be_written_is_noticed_before_the_first_step(capsys):
    with pytest.raises(OSError, match="none"):
        train(["moons", "--json", "-o", "none/m.svg"])
    with pytest.raises(OSError, match="none"):
        gpt(["compare", "--break", "no-relu", "-o", "none/c.svg", "--steps", "1000000000"])
    assert capsys.readouterr().out == ""
