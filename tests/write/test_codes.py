"""Codes are read back from the rectangles that are drawn: Code 128 by the patterns of another program, QR by its modules."""

from __future__ import annotations

import re

import pytest
import segno
from hypothesis import given
from hypothesis import strategies as st
from reportlab.graphics.barcode import code128 as reference

from planner.write.codes import code128, qr

START_A, START_B, START_C, TO_C, TO_B = 103, 104, 105, 99, 100
RECTANGLE = re.compile(r"(\d+) (\d+) (\d+) 1 re")


def rectangles(operators: str) -> list[tuple[int, int, int]]:
    """x, y and width of each."""
    assert operators.endswith(" f")
    return [(int(x), int(y), int(width)) for x, y, width in RECTANGLE.findall(operators)]


def read_code128(text: str) -> str:
    """What the bars of a text say, told with reportlab's table of patterns, its check symbol checked."""
    operators, modules = code128.bars(text)
    widths, end = "", 0
    for x, _, width in rectangles(operators):
        widths += (f"{x - end}" if end else "") + f"{width}"
        end = x + width
    assert end == modules
    names = {pattern.replace(" ", ""): number for number, pattern in patterns().items()}
    read = [names[widths[at : at + 6]] for at in range(0, len(widths) - 7, 6)]
    assert widths[-7:] == "2331112"
    *said, check = read
    assert check == (said[0] + sum(place * symbol for place, symbol in enumerate(said[1:], 1))) % 103
    return "".join(characters(said))


def patterns() -> dict[int, str]:
    """Widths of bars and spaces by symbol; reportlab says a bar's width by capitals, a space's by small letters."""
    found = {}
    for key, pattern in vars(reference)["_patterns"].items():
        number = key if isinstance(key, int) else None
        if number is not None:
            found[number] = "".join(str("ABCD".index(letter.upper()) + 1) for letter in pattern)
    return found


def characters(symbols: list[int]) -> list[str]:
    in_pairs = {START_B: False, START_C: True}[symbols[0]]
    found = []
    for symbol in symbols[1:]:
        if in_pairs and symbol == TO_B:
            in_pairs = False
        elif not in_pairs and symbol == TO_C:
            in_pairs = True
        else:
            found.append(f"{symbol:02d}" if in_pairs else chr(symbol + 32))
    return found


@given(st.integers(1, 9_999_999))
def test_a_cable_id_reads_back_from_its_bars(cable_id: int) -> None:
    assert read_code128(str(cable_id)) == str(cable_id)


@given(st.text(st.characters(min_codepoint=32, max_codepoint=126), min_size=1, max_size=40))
def test_any_ascii_text_reads_back_from_its_bars(text: str) -> None:
    assert read_code128(text) == text


def test_digits_are_said_in_pairs() -> None:
    # Six digits: start, three pairs, check of 11 modules each, and the stop of 13. Five: one pair less, a change, a digit.
    assert code128.bars("123456")[1] == 11 * 5 + 13
    assert code128.bars("12345")[1] == 11 * 6 + 13


@pytest.mark.parametrize("text", ["", "\u0416", "line\nfeed"])
def test_what_code_128_cannot_say_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="ASCII"):
        code128.bars(text)


@given(st.text("0123456789ABCabc-:/+", min_size=1, max_size=30))
def test_the_squares_are_the_modules_of_the_code(text: str) -> None:
    operators, side = qr.squares(text)
    drawn = [[0] * side for _ in range(side)]
    for x, y, width in rectangles(operators):
        drawn[side - 1 - y][x : x + width] = [1] * width
    code = segno.make_qr(text, version=(side - 17) // 4, error="m", mask=0, boost_error=False)
    assert drawn == [list(row) for row in code.matrix]


def test_cable_ids_of_any_plan_have_codes_of_one_size() -> None:
    assert {qr.squares(text)[1] for text in ("1", "300288", "9" * 34)} == {qr.SIDE}
