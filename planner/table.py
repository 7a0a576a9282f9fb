"""Columns of one length: how the planner holds hundreds of thousands of links without an object for each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from itertools import chain
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Codes = NDArray[np.int32]
Mask = NDArray[np.bool_]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Words:
    """A column of texts as codes into the distinct texts; code -1 is an absent text."""

    codes: Codes
    vocabulary: tuple[str, ...]

    @classmethod
    def of(cls, texts: Sequence[str]) -> Words:
        """Codes in order of first appearance."""
        index: dict[str, int] = {}
        codes = np.fromiter((index.setdefault(text, len(index)) for text in texts), np.int32, len(texts))
        return cls(codes, tuple(index))

    def __len__(self) -> int:
        return len(self.codes)

    def __getitem__(self, row: int) -> str:
        code = int(self.codes[row])
        return "" if code < 0 else self.vocabulary[code]

    def take(self, rows: NDArray[Any]) -> Words:
        return Words(self.codes[rows], self.vocabulary)

    @classmethod
    def joined(cls, parts: Sequence[Words]) -> Words:
        """Columns one under another, in one vocabulary."""
        vocabulary = tuple(dict.fromkeys(chain.from_iterable(part.vocabulary for part in parts)))
        index = {text: code for code, text in enumerate(vocabulary)}
        codes = [np.zeros(0, np.int32)]
        for part in parts:
            ours = np.array([*map(index.__getitem__, part.vocabulary), -1], np.int32)
            codes.append(ours[part.codes])  # code -1 reads the last
        return cls(np.concatenate(codes), vocabulary)

    def tolist(self) -> list[str]:
        words = (*self.vocabulary, "")  # code -1 reads the last
        return [words[code] for code in self.codes.tolist()]

    def code(self, text: str) -> int:
        """The code of a text; -2, which no row has, where it does not occur."""
        try:
            return self.vocabulary.index(text)
        except ValueError:
            return -2


@dataclass(frozen=True, slots=True)
class Table:
    """Base of the planner's tables: a frozen dataclass whose fields are columns of one length.

    A stage adds a table with the same rows; it does not copy what stands in another.
    """

    @classmethod
    def of_rows(cls, rows: Sequence[tuple[int, ...]]) -> Self:
        """A table of whole-number columns from its rows."""
        names = [column.name for column in fields(cls)]
        columns = np.array(rows, np.int64).reshape(-1, len(names)).T
        return cls(**dict(zip(names, columns, strict=True)))

    def __len__(self) -> int:
        return len(getattr(self, fields(self)[0].name))

    def take(self, rows: NDArray[Any]) -> Self:
        """The table of the given rows: an array of row numbers or a mask."""
        columns = {}
        for column in fields(self):
            values = getattr(self, column.name)
            columns[column.name] = values.take(rows) if isinstance(values, Words) else values[rows]
        return type(self)(**columns)


def grouped(keys: NDArray[Any]) -> list[Ints]:
    """Row numbers by equal key, groups in order of their first row, rows ascending inside a group."""
    if len(keys) == 0:
        return []
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    starts = np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1])))
    groups = [group.astype(np.int64) for group in np.split(order, starts[1:])]
    return sorted(groups, key=lambda group: int(group[0]))


def rank_codes(keys: Iterable[NDArray[Any]]) -> Codes:
    """One code per distinct combination of several integer columns, in sorted order of the combination."""
    columns = list(keys)
    if not columns:
        raise ValueError("rank_codes needs at least one column")
    codes = np.unique(columns[0], return_inverse=True)[1].astype(np.int64)
    for column in columns[1:]:
        values, inverse = np.unique(column, return_inverse=True)
        codes = np.unique(codes * len(values) + inverse, return_inverse=True)[1].astype(np.int64)
    return codes.astype(np.int32)
