"""`jiti-tui completion`: scripts for shells, made from the parser. They run nothing while somebody types."""

from __future__ import annotations

import argparse
from collections.abc import Iterable

from jiti_tui.cli.parser import OPEN, Commands
from jiti_tui.cli.streams import say
from jiti_tui.errors import Exit


def main(arguments: argparse.Namespace) -> int:
    """Print the script for the shell."""
    commands = Commands()
    say({"bash": _bash, "zsh": _zsh, "fish": _fish}[arguments.shell](commands))
    return Exit.DONE


def _options(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    # argparse has no public way to its actions; this one has been there since Python 2.7.
    return [action for action in parser._actions if action.option_strings]


def _long(parser: argparse.ArgumentParser) -> list[str]:
    return [action.option_strings[-1] for action in _options(parser)]


def _choices(commands: Commands) -> dict[str, list[str]]:
    """What can follow an option, or a command whose first word is one of a few."""
    found: dict[str, list[str]] = {}
    for parser in commands.parsers.values():
        for action in parser._actions:
            if action.choices is not None and action.option_strings:
                found[action.option_strings[-1]] = [str(choice) for choice in action.choices]
    found["completion"] = ["bash", "zsh", "fish"]
    return found


def _either(names: Iterable[str]) -> str:
    return "|".join(names)


def _bash(commands: Commands) -> str:
    names = commands.parsers
    after = "\n".join(
        f'        {option}) COMPREPLY=($(compgen -W "{" ".join(words)}" -- "$word")); return ;;'
        for option, words in _choices(commands).items()
    )
    options = "\n".join(
        f'            {name}) COMPREPLY=($(compgen -W "{" ".join(_long(parser))}" -- "$word")) ;;'
        for name, parser in names.items()
        if name != OPEN
    )
    return f"""_jiti_tui() {{
    local word="${{COMP_WORDS[COMP_CWORD]}}" command="" each
    for each in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
        case "$each" in {_either(names)}) command="$each"; break ;; esac
    done
    case "${{COMP_WORDS[COMP_CWORD-1]}}" in
{after}
    esac
    if [[ "$word" == -* ]]; then
        case "$command" in
{options}
            *) COMPREPLY=($(compgen -W "--version {" ".join(_long(names[OPEN]))}" -- "$word")) ;;
        esac
    elif [[ -z "$command" ]]; then
        COMPREPLY=($(compgen -W "{" ".join(names)}" -- "$word") $(compgen -d -- "$word"))
    else
        COMPREPLY=($(compgen -f -- "$word"))
    fi
}}
complete -o filenames -F _jiti_tui jiti-tui"""


def _zsh(commands: Commands) -> str:
    names = commands.parsers
    after = "\n".join(
        f"        ({option}) compadd -- {' '.join(words)}; return ;;" for option, words in _choices(commands).items()
    )
    options = "\n".join(
        f"            ({name}) compadd -- {' '.join(_long(parser))} ;;"
        for name, parser in names.items()
        if name != OPEN
    )
    return f"""#compdef jiti-tui
_jiti_tui() {{
    local each command=
    for each in "${{(@)words[2,CURRENT-1]}}"; do
        case $each in ({_either(names)}) command=$each; break ;; esac
    done
    case $words[CURRENT-1] in
{after}
    esac
    if [[ $PREFIX == -* ]]; then
        case $command in
{options}
            (*) compadd -- --version {" ".join(_long(names[OPEN]))} ;;
        esac
    else
        [[ -z $command ]] && compadd -- {" ".join(names)}
        _files
    fi
}}
compdef _jiti_tui jiti-tui"""


def _fish(commands: Commands) -> str:
    lines = [
        f"complete -c jiti-tui -n __fish_use_subcommand -a {name} -d {_quoted(summary)}"
        for name, summary in commands.summaries.items()
    ]
    for name, parser in commands.parsers.items():
        others = " ".join(other for other in commands.parsers if other != OPEN)
        seen = f"__fish_seen_subcommand_from {name}" if name != OPEN else f"not __fish_seen_subcommand_from {others}"
        for action in _options(parser):
            option = action.option_strings[-1].removeprefix("--")
            takes = f" -x -a {_quoted(' '.join(map(str, action.choices)))}" if action.choices is not None else ""
            if not takes and action.nargs != 0:
                takes = " -r"
            lines.append(f"complete -c jiti-tui -n '{seen}' -l {option}{takes} -d {_quoted(action.help or '')}")
    shells = "'__fish_seen_subcommand_from completion'"
    return "\n".join([*lines, f"complete -c jiti-tui -n {shells} -f -a 'bash zsh fish'"])


def _quoted(text: str) -> str:
    """`text` as fish reads it between single quotes."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
