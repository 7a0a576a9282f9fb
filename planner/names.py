"""Names as people write them: which are allowed, when two are the same, their natural order, and hostlist ranges."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import Final

MAX_NAME_CHARACTERS: Final = 64
FORBIDDEN_CHARACTERS: Final = ":;[],"
MAX_HOSTS: Final = 1_000_000

# Nearly all names are so plain, and a character after the other takes ten times as long.
_PLAIN_NAME: Final = re.compile(r"(?=.{1,64}$)[A-Za-z0-9_./]+(?:-[A-Za-z0-9_./]+)*")
_DIGITS: Final = re.compile(r"(\d+)")
_ASCII_DIGITS: Final = re.compile(r"([0-9]+)")
_BRACKET: Final = re.compile(r"\[([^\[\]]*)\]")
_RANGE: Final = re.compile(r"(\d+)(?:-(\d+))?")

NaturalKey = tuple[tuple[int, int, str], ...]


class HostlistError(ValueError):
    """A hostlist cannot be expanded; the message is fit for a finding."""


def fault_of_name(name: str) -> str | None:
    """Why a text is not a name, or None: 1 to 64 printable characters, none of `: ; [ ] ,` and no `--`."""
    if _PLAIN_NAME.fullmatch(name):
        return None
    if not name:
        return "it is empty"
    if len(name) > MAX_NAME_CHARACTERS:
        return f"it has {len(name)} characters, {MAX_NAME_CHARACTERS} are allowed"
    for character in name:
        if character in FORBIDDEN_CHARACTERS:
            return f"it contains `{character}`, which separates names elsewhere"
        if not character.isprintable():
            return f"it contains the unprintable character U+{ord(character):04X}"
    if "--" in name:
        return "it contains `--`, which separates the two ends of a link"
    if name != name.strip():
        return "it begins or ends with a blank"
    return None


def fold(name: str) -> str:
    """The form in which two names are compared: without case."""
    return name.casefold()


def look_alike(name: str) -> str:
    """Equal for names that a tired person would confuse: case, blanks and dashes left out."""
    return re.sub(r"[\s\-_\u2010-\u2015]+", "", name.casefold())


def natural_key(text: str) -> NaturalKey:
    """A sort key that puts `leaf-2` before `leaf-10`; texts that differ never compare equal."""
    parts = _DIGITS.split(text)
    key = tuple(
        (1, int(part), part) if index % 2 else (0, 0, part) for index, part in enumerate(parts) if part or index == 0
    )
    return key


def natural_rank(texts: Iterable[str]) -> dict[str, int]:
    """The place of each distinct text in natural order."""
    return {text: rank for rank, text in enumerate(sorted(set(texts), key=natural_key))}


def name_in_row(rack: str, row: str) -> str:
    """What a rack's name adds to its row's: `12` of `W01-12` in row `W01`; the name itself where that is no part."""
    rest = rack.removeprefix(row).lstrip(" -_./")
    return rest or rack


def expand_hostlist(text: str) -> list[str]:
    """The names of `dgx-[001-003,7]`: ranges in brackets, zero-padded as written; several brackets multiply.

    Names may be joined by commas outside brackets. Raises HostlistError for a broken or a huge list.
    """
    names: list[str] = []
    for piece in _split_outside_brackets(text):
        names.extend(_expand_one(piece.strip(), text))
        if len(names) > MAX_HOSTS:
            raise HostlistError(f"`{text}` names more than {MAX_HOSTS:,} things")
    return names


def _split_outside_brackets(text: str) -> list[str]:
    return re.split(r",(?![^\[]*\])", text)


def _expand_one(piece: str, whole: str) -> Iterator[str]:
    fixed = _BRACKET.split(piece)
    literals, ranges = fixed[::2], fixed[1::2]
    if any("[" in literal or "]" in literal for literal in literals):
        raise HostlistError(f"`{whole}` has a bracket without its mate")
    choices = [list(_numbers(inside, whole)) for inside in ranges]
    total = 1
    for choice in choices:
        total *= len(choice)
    if total > MAX_HOSTS:
        raise HostlistError(f"`{whole}` names more than {MAX_HOSTS:,} things")
    for combination in product(*choices):
        yield "".join(a + b for a, b in zip(literals, (*combination, ""), strict=True))


def _numbers(inside: str, whole: str) -> Iterator[str]:
    for item in inside.split(","):
        match = _RANGE.fullmatch(item.strip())
        if not match:
            raise HostlistError(f"`[{inside}]` in `{whole}` is not a list of numbers and ranges")
        first, last = match[1], match[2] if match[2] is not None else match[1]
        if int(last) < int(first):
            raise HostlistError(f"the range `{item.strip()}` in `{whole}` runs backwards")
        if int(last) - int(first) >= MAX_HOSTS:
            raise HostlistError(f"`{whole}` names more than {MAX_HOSTS:,} things")
        width = len(first) if first.startswith("0") or len(first) == len(last) else 0
        for value in range(int(first), int(last) + 1):
            yield str(value).zfill(width)


def hostlist_of(names: Sequence[str]) -> str:
    """The shortest hostlist we can write for names in their order: `Ethernet[1-32]/1` for `Ethernet1/1` and so on.

    Neighbours that differ in one number alone are joined, the last number of a name first. The names hold none of
    FORBIDDEN_CHARACTERS. What would not expand to the very same names (odd zeros) is left as a list of them.
    """
    pieces: list[list[tuple[str, ...]]] = [[(token,) for token in _ASCII_DIGITS.split(name)] for name in names]
    for place in range(max((len(piece) for piece in pieces), default=0) - 1, 0, -1):
        joined: list[list[tuple[str, ...]]] = []
        for piece in pieces:
            last = joined[-1] if joined else []
            if place % 2 and place < len(piece) == len(last) and _same_but(place, piece, last):
                joined[-1] = [*last[:place], last[place] + piece[place], *last[place + 1 :]]
            else:
                joined.append(piece)
        pieces = joined
    text = ",".join("".join(_spelled(token) for token in piece) for piece in pieces)
    plain = ",".join(names)
    return text if text == plain or expand_hostlist(text) == list(names) else plain


def _same_but(place: int, one: list[tuple[str, ...]], other: list[tuple[str, ...]]) -> bool:
    return one[:place] == other[:place] and one[place + 1 :] == other[place + 1 :]


def _spelled(numbers: tuple[str, ...]) -> str:
    """`[1-3,7]` for several numbers of a name; a single one, or what stands between them, as it is."""
    if len(numbers) == 1:
        return numbers[0]
    runs: list[list[str]] = []
    for number in numbers:
        if runs and len(number) >= len(runs[-1][-1]) and int(number) == int(runs[-1][-1]) + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return "[" + ",".join(run[0] if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs) + "]"


def quoted_list(names: Iterable[str], most: int = 5) -> str:
    """`a`, `b` and 3 more: names for a message, never a flood."""
    all_names = list(names)
    shown = ", ".join(f"`{name}`" for name in all_names[:most])
    rest = len(all_names) - most
    return f"{shown} and {rest} more" if rest > 0 else shown


def counted(number: int, one: str, many: str = "") -> str:
    """`1 cable`, `2 cables`, `0 cables`: a number and what it counts; many where it is not `one` with an s."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def some(number: int, one: str, many: str = "") -> str:
    """As `counted`, but `no cables` for none."""
    return counted(number, one, many) if number else f"no {many or one + 's'}"


def nearest(word: str, candidates: Iterable[str]) -> str | None:
    """The candidate that `word` was probably meant to be, or None."""
    from difflib import get_close_matches

    by_fold: dict[str, str] = {}
    for candidate in candidates:
        by_fold.setdefault(fold(candidate), candidate)
    found = get_close_matches(fold(word), by_fold, n=1, cutoff=0.6)
    return by_fold[found[0]] if found else None
