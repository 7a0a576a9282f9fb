"""The bytes of an input file as text, or the one reason why they are not."""

from __future__ import annotations

import codecs
import re
from typing import Final

from planner.findings import Fault, Spot, spot

# C0 and C1 controls but tab and line ends, and what YAML 1.1 takes for a line end and YAML 1.2 and most editors do
# not (U+0085, U+2028, U+2029): after one of these, every line number that we print would be off by one for someone.
# A byte order mark inside a file is the seam of two files that were joined; U+FFFE and U+FFFF are not characters.
FORBIDDEN_CHARACTER: Final = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]"
)
_PLAIN_BYTES: Final = bytes((9, 10, 13, *range(32, 127)))

# `=======` alone is not enough: it underlines headings in block scalars. These three never start a line of ours:
# what is inside a block scalar of a mapping is indented, and git writes its markers in the first column.
_CONFLICT: Final = re.compile(r"^(?:<{7}|>{7}|\|{7})(?=[ \r]|$)", re.MULTILINE)
_CONFLICT_SIGNS: Final = ("<" * 7, ">" * 7, "|" * 7)
_CONFLICT_MIDDLE: Final = re.compile(r"^={7}(?=\r|$)", re.MULTILINE)

_BYTE_ORDER_MARKS: Final = (  # the longer first: UTF-32 begins as UTF-16 does
    (codecs.BOM_UTF32_LE, "UTF-32"),
    (codecs.BOM_UTF32_BE, "UTF-32"),
    (codecs.BOM_UTF16_LE, "UTF-16"),
    (codecs.BOM_UTF16_BE, "UTF-16"),
)
# Which of the first four bytes are NUL, where the first character is ASCII (YAML 1.2, section 5.2).
_NUL_PATTERNS: Final = (("1110", "UTF-32"), ("0111", "UTF-32"), ("10", "UTF-16"), ("01", "UTF-16"))


def decoded(data: bytes, file: int) -> str | Fault:
    """The text of a UTF-8 file without its byte order mark, or a `file-unreadable` fault at its first bad byte."""
    if not data:
        return Fault("file-unreadable", "the file is empty", spot(file, 1, 1))
    if wide := _wide_encoding(data):
        return _wrong_encoding(f"the file is {wide[0]}, not UTF-8", spot(file, 1, wide[1]))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        return _not_utf8(data, error, file)
    if (not data.isascii() or data.translate(None, _PLAIN_BYTES)) and (bad := FORBIDDEN_CHARACTER.search(text)):
        return Fault(
            "file-unreadable",
            f"the file contains the character U+{ord(bad[0]):04X}, which is not allowed in text",
            place(text, bad.start(), file),
            help="remove it; if the file is not a text file, name another one",
        )
    # Plain searches first: the pattern looks at every line, which takes as long as reading a CSV file.
    if any(sign in text for sign in _CONFLICT_SIGNS) and (marker := _CONFLICT.search(text)):
        return conflict(text, marker.start(), file)
    return text


def conflict(text: str, index: int, file: int) -> Fault:
    """The fault of a version control conflict, at the first marker of the file."""
    middle = _CONFLICT_MIDDLE.search(text, 0, index)
    first = middle.start() if middle else index
    return Fault(
        "file-unreadable",
        f"the line `{text[first : first + 7]}` is left from a merge that was not finished",
        place(text, first, file),
        help="choose one of the two versions and delete the lines of markers",
    )


def left_over_conflict(text: str, file: int) -> Fault | None:
    """The fault of a lone `=======` line, for a file that has turned out not to be what it should be."""
    middle = _CONFLICT_MIDDLE.search(text)
    return conflict(text, middle.start(), file) if middle else None


def place(text: str, index: int, file: int) -> Spot:
    """The spot of a character; lines end at LF, CR LF or CR."""
    line = 1 + text.count("\n", 0, index) + text.count("\r", 0, index) - text.count("\r\n", 0, index)
    return spot(file, line, index - max(text.rfind("\n", 0, index), text.rfind("\r", 0, index)))


def _wide_encoding(data: bytes) -> tuple[str, int] | None:
    """UTF-16 or UTF-32 and the column of the first byte that shows it; without a mark the NUL bytes do."""
    for mark, name in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return name, 1
    nul = "".join("01"[byte == 0] for byte in data[:4])
    for pattern, name in _NUL_PATTERNS:
        if nul.startswith(pattern):
            return name, 1 + nul.index("1")
    return None


def _not_utf8(data: bytes, error: UnicodeDecodeError, file: int) -> Fault:
    # The decoder counts from the byte order mark or from after it, as the version of Python has it: find it again.
    body = data.removeprefix(codecs.BOM_UTF8)
    try:
        body.decode("utf-8")
    except UnicodeDecodeError as again:
        error = again
    before = body[: error.start].decode("utf-8")
    byte = body[error.start]
    latin = bytes((byte,)).decode("latin-1")
    note = f"in Latin-1 it would be `{latin}`" if latin.isprintable() else ""
    return _wrong_encoding(f"the file is not UTF-8: byte 0x{byte:02X}", place(before, len(before), file), note)


def _wrong_encoding(message: str, at: Spot, note: str = "") -> Fault:
    return Fault("file-unreadable", message, at, note, help="save the file as UTF-8")
