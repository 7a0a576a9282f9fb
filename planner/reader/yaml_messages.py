"""What a YAML parser's error means for the person who wrote the file."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from planner.findings import Fault, spot

if TYPE_CHECKING:
    from yaml import YAMLError

_INDENT: Final = "keys of one mapping, and dashes of one list, start in the same column; indent by blanks"
_QUOTE: Final = "put the text in quotes"

# What libyaml or PyYAML's own parser says -> message, help. The first that fits wins.
_MEANINGS: Final = tuple(
    (re.compile(said), message, advice)
    for said, message, advice in (
        (r"mapping values are not allowed", "a second `: ` stands where one value is expected", "put a text that contains `: ` in quotes; otherwise look at the indentation"),
        (r"could not find expected ':'", "a key has no `:` after it", "write `key: value`; a text of several lines is indented deeper than its key"),
        (r"expected ',' or '\]'|while parsing a flow sequence", "a list in `[ ]` is not continued by `,` or closed by `]`", "close the bracket; " + _QUOTE + " that contains brackets or commas"),
        (r"expected ',' or '\}'|while parsing a flow mapping", "a mapping in `{ }` is not continued by `,` or closed by `}`", "close the brace; " + _QUOTE + " that contains braces or commas"),
        (r"(?s)while scanning a quoted scalar.*(?:end of stream|document separator)", "a quoted text is not closed", "add the closing quote"),
        (r"(?s)while scanning a quoted scalar.*indentation", "a quoted text goes on in a line that is not indented", "add the closing quote, or indent the line"),
        (r"escape|hexdecimal|hexadecimal", "an escape in a text in double quotes is none that YAML knows", r"write `\\` for a backslash, or use single quotes"),
        (r"expected (?:the )?node content", "a value is expected here", "close the bracket, or write the value; " + _QUOTE + " that begins with a sign"),
        (r"unexpected ':'", "a text without quotes inside brackets ends in `:`", _QUOTE),
        (r"mapping keys are not allowed", "a `? ` cannot stand here", _QUOTE + ", if it begins with `?`"),
        (r"while scanning an alias", "`*` begins an alias here, and no name follows", _QUOTE + ", if it begins with `*`"),
        (r"while scanning an anchor", "`&` begins an anchor here, and no name follows", _QUOTE + ", if it begins with `&`"),
        (r"while scanning a tag|undefined tag handle|while parsing a tag", "tags are not read", _QUOTE + ", if it begins with `!`"),
        (r"(?s)while scanning a directive|%YAML|YAML document", "a line that begins with `%` is not understood", _QUOTE + ", if it begins with `%`"),
        (r"cannot start any token", "no text can begin with this character", _QUOTE),
        (r"entries are not allowed", "a list item `- ` cannot stand here", "begin the list in a line of its own, below its key"),
        (r"while parsing a block (?:mapping|collection)", "the line does not go on with what was begun before it", _INDENT),
        (r"while scanning a block scalar", "the text after `|` or `>` does not begin as it must", "write nothing but `-` or `+` after the sign, and indent the text by blanks"),
        (r"expected '?<document start>", "the text goes on after the end of what the file holds", _INDENT),
    )
)  # fmt: skip


def syntax_fault(error: YAMLError, text: str, file: int) -> Fault:
    """The `yaml-syntax` fault of a parser's error, at the character where the parser stopped."""
    mark, context = getattr(error, "problem_mark", None), getattr(error, "context_mark", None)
    said = "\n".join(filter(None, (getattr(error, "context", None), getattr(error, "problem", None)))) or str(error)
    if mark is None:
        return Fault("yaml-syntax", f"the file is not YAML: {_quoted(said)}", spot(file, 1, 1))
    if (tab := _tab_of_indentation(text, mark.index, mark.column)) is not None:
        return Fault(
            "yaml-syntax",
            "a tab indents this line, and YAML takes blanks only",
            spot(file, mark.line + 1, tab + 1),
            help="replace each tab at the beginning of a line by blanks",
        )
    note = ""
    if context is not None and (context.line, context.column) != (mark.line, mark.column):
        note = f"begun at line {context.line + 1}, column {context.column + 1}"
    at = spot(file, mark.line + 1, mark.column + 1)
    for pattern, message, advice in _MEANINGS:
        if pattern.search(said):
            return Fault("yaml-syntax", message, at, note, advice)
    return Fault("yaml-syntax", f"the file is not YAML here: {_quoted(said)}", at, note)


def _tab_of_indentation(text: str, index: int, column: int) -> int | None:
    """The column from 0 of a tab among the blanks that begin a line, if the parser did not get past them."""
    begin, end = index - column, index
    while end < len(text) and text[end] in " \t":
        end += 1
    before = text[begin:end]
    tab = before.find("\t")
    return tab if tab >= 0 and not before.strip(" \t") else None


def _quoted(said: str) -> str:
    return said.splitlines()[-1].rstrip(".") if said else "no reason given"
