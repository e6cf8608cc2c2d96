"""The commands: where each is to be found, and what help says of it, examples first."""

from __future__ import annotations

from typing import NamedTuple

Example = tuple[str, str]


class Page(NamedTuple):
    """One command. `usage` stands behind its name; `run` is the module and the function in it that
    takes the words behind the name and returns an exit code, imported when the command is given.
    """

    run: str
    purpose: str
    usage: str
    examples: tuple[Example, ...]
    notes: str = ""


_POINT = """\
VALUE is a number: 2, -3, .5, 1e-3, 1/3, inf. EXPR has + - * / **, functions
such as tanh and relu, and names for its parts: 'd = a*b; e = a + b; d*e'.
"""

PAGES = {
    "walk": Page(
        "gradwalk.cli.walk:walk",
        "differentiate an expression, step by step",
        "[EXPR] [NAME=VALUE ...] [options]",
        (
            ("gradwalk walk", "walk (a + b) * c"),
            ("gradwalk walk a=5", "the same with another a"),
            ("gradwalk walk 'a*b + a' a=2 b=3", "any expression, at any point"),
            ("gradwalk walk 'a*a' a=3 --bug overwrite", "with = in place of +="),
            ("gradwalk walk 'a*a + a' a=2 --order '+ a *'", "in an order of your own"),
            ("gradwalk walk 'tanh(a*b)' a=1 b=.5 -o walk.svg", "as a picture"),
            ("gradwalk walk 'tanh(a*b)' a=1 b=.5 -o walk.html", "as a page to play with"),
        ),
        _POINT,
    ),
    "lab": Page(
        "gradwalk.cli.lab:lab",
        "the same in the browser: play, step, puzzles, bugs",
        "[EXPR] [NAME=VALUE ...] [options]",
        (
            ("gradwalk lab", "open the lab"),
            ("gradwalk lab 'tanh(a*b)' a=1 b=.5", "with an expression of yours"),
            ("gradwalk lab --port 8080 --no-browser", "only print the address"),
        ),
        "It answers to this machine alone, works offline, and ends with Ctrl-C. A printed\n"
        "address opens it once; a page that is open stays connected.\n",
    ),
    "site": Page(
        "gradwalk.cli.lab:site",
        "the lab as files for any web server, Python included",
        "DIR [options]",
        (("gradwalk site public --no-python", "the lab alone, in public/"),),
        "Python for the page comes from npm: `npm install pyodide@314.0.7`, once; then\n"
        "`gradwalk site public` in the same folder. The page loads nothing else.\n",
    ),
    "explain": Page(
        "gradwalk.cli.walk:explain",
        "show the paths that a gradient is the sum of",
        "EXPR NAME=VALUE ... --wrt NAME [options]",
        (
            ("gradwalk explain '(a + b) * a' a=2 b=3 --wrt a", "two paths lead to a"),
            ("gradwalk explain 'a*a*a' a=2", "one variable needs no --wrt"),
        ),
        _POINT,
    ),
    "check": Page(
        "gradwalk.cli.walk:check",
        "hold gradients against differences of values",
        "EXPR NAME=VALUE ... [options]",
        (
            ("gradwalk check 'tanh(a*b) + a' a=2 b=-1", "exit code 1 if they differ"),
            ("gradwalk check 'exp(a)' a=3 --step 1e-4", "with a step of your own"),
        ),
        _POINT,
    ),
    "exercise": Page(
        "gradwalk.cli.practice:exercise",
        "answer the worked examples, or see their numbers",
        "[NAME | all | --set K] [options]",
        (
            ("gradwalk exercise", "list them"),
            ("gradwalk exercise diamond", "asks you, number by number"),
            ("gradwalk exercise diamond --show", "expected …, got … by the engine"),
            ("gradwalk exercise diamond-a --answer 15", "is it 15?"),
            ("gradwalk exercise diamond-orders-dbac", "one number of a longer one"),
            ("gradwalk exercise all --show", "all of them"),
            ("gradwalk exercise --set 10 --key key.md", "a sheet for a class"),
        ),
    ),
    "lessons": Page(
        "gradwalk.cli.practice:lessons",
        "the lab's lessons as slides and as notebooks",
        "[NAME] [options]",
        (
            ("gradwalk lessons", "list them"),
            ("gradwalk lessons -o slides.html", "all of them as slides for a class"),
            ("gradwalk lessons order -o order.html", "one as slides"),
            ("gradwalk lessons order -o order.ipynb", "as a notebook"),
            ("gradwalk lessons order -o order.ipynb --language et", "in Estonian"),
        ),
        "→ and ← turn the slides. Both stop where the lesson asks; the answer is folded.\n",
    ),
    "drill": Page(
        "gradwalk.cli.practice:drill",
        "practise on generated questions",
        "[--seed N] [--count K] [options]",
        (
            ("gradwalk drill", "five questions"),
            ("gradwalk drill --seed 7 --count 10", "the same ten each time"),
            ("gradwalk drill --seed 7 --json", "questions and answers, as data"),
        ),
        "Answer with a number; ? shows the solution, q ends the drill.\n",
    ),
    "judge": Page(
        "gradwalk.cli.practice:judge",
        "check a Value that you wrote yourself",
        "FILE|FOLDER ... [options]",
        (
            ("gradwalk judge my_value.py", "run its class Value through all checks"),
            ("gradwalk judge my_value.py --json", "the same, as data"),
            ("gradwalk judge . --csv all.csv", "all files of a folder"),
            ("gradwalk judge *.py --reports out", "a report for each learner"),
        ),
        "The class needs data, grad, backward(), + and *; what else it defines is tried\n"
        "too. It runs in a process of its own, within limits of time and memory.\n",
    ),
    "program": Page(
        "gradwalk.cli.program:program",
        "record a function, show its program, replay it",
        "[EXPR | FILE[:FUNCTION]] [NAME=VALUE ...] [options]",
        (
            ("gradwalk program 'tanh(a*b) + a' a=2 b=-1", "an expression"),
            ("gradwalk program asian_option.py:price z='[.1, -.2]'", "a function of yours"),
            ("gradwalk program 'a*a' a=3 -o square.gwp", "save it"),
            ("gradwalk program square.gwp a=4", "replay it"),
        ),
        "Of FUNCTION, VALUE is a number or a list such as '[1, 2.5]'. Its file is run.\n",
    ),
    "gpt": Page(
        "gradwalk.cli.gpt:gpt",
        "train a GPT whose every parameter is a Value, and look inside",
        "train | sample | eval | inspect | compare [options]",
        (
            ("gradwalk gpt train", "train on the names in the package"),
            ("gradwalk gpt sample --prompt ma", "let it make up names"),
            ("gradwalk gpt eval", "how unsure it is"),
            ("gradwalk gpt inspect --document mira", "parameters, gradients, attention"),
            ("gradwalk gpt inspect --graph", "the floor plan of its loss"),
            ("gradwalk gpt compare --break no-residual", "what a part is for: train without"),
        ),
        "Each of the five has --help, and --json for data.\n",
    ),
    "train": Page(
        "gradwalk.cli.train:train",
        "train an MLP to part points in the plane",
        "moons | circles | xor | spiral | FILE [options]",
        (
            ("gradwalk train moons", "with its decision boundary"),
            ("gradwalk train spiral --steps 400", "harder"),
            ("gradwalk train circles -o c.svg", "as a picture"),
            ("gradwalk train xor --json", "every step, as JSON lines"),
            ("gradwalk train points.csv", "your own: x, y and a side a line"),
        ),
    ),
    "run": Page(
        "gradwalk.cli.run:run",
        "run a script with gradwalk's Value in place of its own",
        "[options] SCRIPT | NOTEBOOK | -m PACKAGE [ARG ...]",
        (
            ("gradwalk run microgpt.py", "its class Value is gradwalk's now"),
            ("gradwalk run --explain demo.ipynb", "a notebook's code cells"),
            ("gradwalk run -m mypackage", "a package, as python -m would"),
            ("gradwalk run --compare microgpt.py", "how much faster, same output?"),
            ("gradwalk run --gc off train.py --steps 9", "ARGs are the script's own"),
        ),
        "A class that differentiates numbers is replaced, whatever its name.\n"
        "Methods that gradwalk lacks, or that differ by one bit, stay the script's.\n"
        "A class that cannot be replaced runs as written, with the reason.\n"
        "--compare ends with 0: the same bytes, 1: it differs, 3: equal but for\n"
        "printed times, 4: the script's own output varies by set order.\n",
    ),
    "watch": Page(
        "gradwalk.cli.watch:watch",
        "a training script in the lab, while it runs",
        "[options] SCRIPT [ARG ...]",
        (
            ("gradwalk watch train.py", "its loss, step by step"),
            ("gradwalk watch --lines train.py", "and the line of the first nan"),
        ),
        "Every backward() is a step. Classes are replaced as `gradwalk run` does.\n",
    ),
    "bench": Page(
        "gradwalk.cli.bench:bench",
        "measure it on this machine, answers checked first",
        "[NAME | all] [options]",
        (
            ("gradwalk bench", "list what can be measured"),
            ("gradwalk bench eager --quick", "the engine, in half a minute"),
            ("gradwalk bench eager", "1,000 training steps: some minutes"),
            ("gradwalk bench compiled", "recorded programs"),
            ("gradwalk bench gradbench", "be a tool of the GradBench suite"),
        ),
        "Figures are CPU time, contenders take turns; ratios are what counts.\n",
    ),
    "doctor": Page(
        "gradwalk.cli.doctor:doctor",
        "say what is installed and what is missing",
        "[options]",
        (("gradwalk doctor", "versions, engine, optional packages"),),
    ),
    "completion": Page(
        "gradwalk.cli.completion:completion",
        "let the shell complete commands and options",
        "bash | zsh | fish",
        (
            ("gradwalk completion bash", "the script for bash"),
            ("gradwalk completion fish", "for fish"),
        ),
        'In ~/.bashrc: eval "$(gradwalk completion bash)"; in ~/.zshrc the same with zsh.\n'
        "In ~/.config/fish/config.fish: gradwalk completion fish | source\n",
    ),
}

# Commands of two words.
PARTS = {
    "gpt train": Page(
        "",
        "train it, watch it, stop and go on",
        "[options]",
        (
            ("gradwalk gpt train", "1,000 steps on invented names"),
            ("gradwalk gpt train --data words.txt", "your own text, a document a line"),
            ("gradwalk gpt train --resume", "go on where it was stopped"),
            ("gradwalk gpt train --break no-residual", "with one thing broken"),
            ("gradwalk gpt train --stream run.jsonl", "all that happens, as JSON lines"),
        ),
        "Ctrl-C stops after the step in progress and writes a checkpoint. \n",
    ),
    "gpt sample": Page(
        "",
        "let it make up texts",
        "[CHECKPOINT] [options]",
        (
            ("gradwalk gpt sample", "ten texts from gpt.safetensors"),
            ("gradwalk gpt sample --temperature 1 --n 20", "more, and wilder"),
            ("gradwalk gpt sample --prompt ma", "each beginning with ma"),
        ),
    ),
    "gpt eval": Page(
        "",
        "how unsure it is of texts it reads",
        "[CHECKPOINT] [options]",
        (
            ("gradwalk gpt eval", "the loss of a token"),
            ("gradwalk gpt eval --data words.txt", "over documents of your own"),
        ),
        "Of the documents it was trained on, those it has met last or never are taken.\n",
    ),
    "gpt inspect": Page(
        "",
        "its parameters, gradients, attention, loss",
        "[CHECKPOINT] [options]",
        (
            ("gradwalk gpt inspect", "parameters, gradients, attention"),
            ("gradwalk gpt inspect --document mira", "of a document of your own"),
            ("gradwalk gpt inspect --attention map.svg", "attention as a picture"),
            ("gradwalk gpt inspect --graph", "the floor plan of its loss"),
            ("gradwalk gpt inspect --graph -o plan.html", "with boxes that open"),
            ("gradwalk gpt inspect --open layers.0", "the wiring in one box"),
        ),
        "A graph is text, or by --format and the suffix of -o FILE: dot, svg, html; json\n"
        "is every node, by the contract.\n",
    ),
    "gpt compare": Page(
        "",
        "train with a part broken, and without",
        "[STREAM ...] [options]",
        (
            ("gradwalk gpt compare a.jsonl b.jsonl", "the losses of two runs"),
            ("gradwalk gpt compare --break no-residual", "train both, then compare"),
            ("gradwalk gpt compare a.jsonl b.jsonl -o c.svg", "as a picture"),
        ),
        "A STREAM is what `gradwalk gpt train --stream FILE` writes.\n",
    ),
}


def page_of(command: str) -> Page:
    """Return the page of a command, of one word or two."""
    return PAGES[command] if command in PAGES else PARTS[command]


_FIRST: dict[str, tuple[Example, ...]] = {
    "Learn how gradients flow": (
        ("gradwalk walk --short", "step by step, in the terminal"),
        ("gradwalk lab", "the same in the browser"),
    ),
    "Practise": (("gradwalk exercise diamond", "answer, with hints"),),
    "Speed up code of your own": (
        ("gradwalk run --compare my_micrograd.py", "a script, unchanged"),
        ("gradwalk program 'tanh(a*b)' a=2 b=-1", "a function, recorded for C"),
    ),
}


def first_screen() -> str:
    """Return what `gradwalk` alone prints: commands to try, by what a person came for."""
    lines = ["gradwalk: plain scalar Python that you can watch differentiate itself", ""]
    for purpose, examples in _FIRST.items():
        lines += [f"  {purpose}", *[f"    {command:<40} {what}" for command, what in examples]]
    return "\n".join([*lines, "", "gradwalk help lists all commands; each has --help.", ""])


_EXAMPLES = (
    ("gradwalk walk", "watch (a + b) * c being differentiated"),
    ("gradwalk walk 'a*b + a' a=2 b=3", "any expression, at any point"),
    ("gradwalk lab", "the same in the browser"),
    ("gradwalk explain 'a*a*a' a=2", "the paths behind a gradient"),
    ("gradwalk exercise diamond", "answer a worked example"),
    ("gradwalk drill", "practise"),
    ("gradwalk judge my_value.py", "check a Value of your own"),
)


def help_text() -> str:
    """Return what `gradwalk help` prints."""
    commands = [f"  {name:<10} {page.purpose}" for name, page in PAGES.items()]
    return (
        "gradwalk: plain scalar Python that you can watch differentiate itself\n\n"
        f"{examples_text(_EXAMPLES)}\n"
        "commands:\n" + "\n".join(commands) + "\n\n"
        "Every command has --help, and --json for data; --version prints the version.\n"
        "Exit codes: 0 done, 1 the answer is no, 2 wrong usage or input, 130 Ctrl-C.\n"
    )


def examples_text(examples: tuple[Example, ...]) -> str:
    """Return examples in two columns."""
    left = max([len(command) for command, _ in examples])
    return "examples:\n" + "".join([f"  {c:<{left}}   {meaning}\n" for c, meaning in examples])
