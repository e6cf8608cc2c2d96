"""`gradwalk completion SHELL`: a script that completes commands and options, for bash, zsh, fish.

The script holds the tables, so that pressing Tab starts no Python.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module

from gradwalk.cli.arguments import ONLY_PARSER, OnlyParserError, Parser, UsageError, suggest
from gradwalk.cli.commands import PAGES, PARTS
from gradwalk.cli.terminal import emit, emit_json


def completion(words: Sequence[str]) -> int:
    options = Parser("completion").read(words)
    if options is None:
        return 0
    if options.json:
        found = {command: [*parser.flags] for command, parser in _parsers().items()}
        emit_json({"version": 1, "commands": found})
        return 0
    if len(options.words) != 1 or options.words[0] not in _SCRIPTS:
        hint = suggest(options.words[0], _SCRIPTS) if options.words else ""
        raise UsageError(f"completion takes one of {', '.join(_SCRIPTS)}{hint}")
    shell = options.words[0]
    emit(_fish() if shell == "fish" else _by_case(shell))
    return 0


def _parsers() -> dict[str, Parser]:
    """Return the parser of each command, of one word or two, as the command makes it."""
    found: dict[str, Parser] = {}
    for command in (*PAGES, *PARTS):
        first, *part = command.split()
        module, _, function = PAGES[first].run.partition(":")
        try:
            getattr(import_module(module), function)([*part, ONLY_PARSER])
        except OnlyParserError as made:
            found[command] = made.parser
    return found


def _second_words() -> dict[str, list[str]]:
    return {"gpt": [name.split()[1] for name in PARTS], "completion": [*_SCRIPTS]}


def _by_case(shell: str) -> str:
    """Fill in the table: by the words before the cursor, the words that may stand there."""
    rows = [f'    " ") found="{" ".join(PAGES)} help" ;;']
    rows += [f'    "{one} ") found="{" ".join(more)}" ;;' for one, more in _second_words().items()]
    rows += [
        f'    "{command} "*) found="{" ".join(parser.flags)}" ;;'
        for command, parser in sorted(_parsers().items(), reverse=True)  # "gpt train" before "gpt"
    ]
    return _SCRIPTS[shell].replace("    ROWS", "\n".join(rows))


# A word that is no option is the name of a file, except behind `gradwalk` and `gradwalk gpt`.
_SCRIPTS = {
    "bash": """\
# In ~/.bashrc: eval "$(gradwalk completion bash)"
_gradwalk() {
  local found="" word="${COMP_WORDS[COMP_CWORD]}"
  case "${COMP_WORDS[*]:1:COMP_CWORD-1} " in
    ROWS
  esac
  [[ $word == -* || $found != -* ]] || found=""
  COMPREPLY=($(compgen -W "$found" -- "$word"))
}
complete -o default -F _gradwalk gradwalk
""",
    "zsh": """\
# In ~/.zshrc, after compinit: eval "$(gradwalk completion zsh)"
_gradwalk() {
  local found=""
  case "${words[2,CURRENT-1]} " in
    ROWS
  esac
  if [[ $PREFIX == -* || $found != -* ]]; then compadd -- ${=found}; else _files; fi
}
compdef _gradwalk gradwalk
""",
    "fish": """\
# In ~/.config/fish/config.fish: gradwalk completion fish | source
function __gradwalk_at
    set -l words (commandline -opc)
    string match -q -- "$argv *" (string join ' ' $words[2..] '')
end
""",
}


def _fish() -> str:
    lines = [_SCRIPTS["fish"] + "complete -c gradwalk -f -n __fish_use_subcommand -a help"]
    for name, page in PAGES.items():
        when = f"-f -n __fish_use_subcommand -a {name}"
        lines.append(f"complete -c gradwalk {when} -d {_quoted(page.purpose)}")
    for name, words in _second_words().items():
        when = f"'test (count (commandline -opc)) -eq 2; and __gradwalk_at {name}'"
        lines.append(f"complete -c gradwalk -f -n {when} -a '{' '.join(words)}'")
    for command, parser in _parsers().items():
        for action in parser._actions:
            flags = [
                f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}"
                for flag in action.option_strings
            ]
            value = " -r" if parser.flags[action.option_strings[0]] else ""
            lines.append(
                f"complete -c gradwalk -n '__gradwalk_at {command}' {' '.join(flags)}{value} "
                f"-d {_quoted(action.help or '')}"
            )
    return "\n".join(lines)


def _quoted(text: str) -> str:
    """Quote for fish, in which a backslash counts inside single quotes."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
