"""What is on hand: the rows of the stock list, each with the part of the catalog that it names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from planner.catalog.load import Catalog, Entry
from planner.catalog.racks import PathwayType, RackType
from planner.findings import Fault, Spot
from planner.names import nearest, quoted_list
from planner.plan import ABSENT, StockRow
from planner.project import StockPolicy
from planner.reader import Sources, read_stock_csv
from planner.selection.shelf import Shelf


@dataclass(frozen=True, slots=True)
class _Piece:
    """A member of a family as a stock list may name it."""

    family: Entry
    part: str
    order_number: str
    length_um: int | None


def stock_of(
    name: str | None, at: Spot, catalog: Catalog, sources: Sources
) -> tuple[tuple[StockRow, ...], list[Fault]]:
    """The stock in the file of a project, in the order of the file; at: the place that names the file.

    Parts are found by part or order number, without case. What the catalog does not know is left out, one fault a text.
    """
    read = read_stock_csv(sources, name, at) if name is not None else None
    if read is None:
        return (), []
    pieces = _by_number(catalog)
    rows: list[StockRow] = []
    faults: dict[str, Fault] = {}
    counts: dict[str, int] = {}
    for row, (text, quantity, place) in enumerate(zip(read.part, read.quantity, read.place, strict=True)):
        wanted = text.casefold()
        found = pieces.get(wanted, [])
        if len(found) == 1:
            rows.append(_row(found[0], quantity, place))
            continue
        counts[wanted] = counts.get(wanted, 0) + 1
        if wanted not in faults:
            faults[wanted] = _unknown(text, found, catalog, pieces, read.spot(row))
    return tuple(rows), [_counted(fault, counts[wanted]) for wanted, fault in faults.items()]


def shelf_of(rows: Sequence[StockRow], policy: StockPolicy) -> Shelf:
    """What is on hand as the choice of parts counts on it: pieces of each part, wherever they lie."""
    pieces: dict[str, int] = {}
    for row in rows if policy.prefer else ():
        if row.quantity > 0:
            pieces[row.part.lower()] = pieces.get(row.part.lower(), 0) + row.quantity
    # Where a rack's cables have one length, a longer piece on hand would make the others longer.
    return Shelf(pieces, policy.longer_covers and policy.pool == "none")


def _by_number(catalog: Catalog) -> dict[str, list[_Piece]]:
    """Members by part number; by order number where that is no part's own number."""
    by_part: dict[str, list[_Piece]] = {}
    by_order: dict[str, list[_Piece]] = {}
    for piece in _pieces(catalog):
        by_part.setdefault(piece.part.casefold(), []).append(piece)
        if piece.order_number:
            by_order.setdefault(piece.order_number.casefold(), []).append(piece)
    return {**by_order, **by_part}


def _pieces(catalog: Catalog) -> Iterator[_Piece]:
    for _, family in catalog.entries():
        if isinstance(family, RackType | PathwayType):
            continue
        for member in family.members:
            yield _Piece(family, member.part, member.order_number or "", getattr(member, "length_m", None))


def _row(piece: _Piece, quantity: int, place: str) -> StockRow:
    family = piece.family
    assert not isinstance(family, RackType | PathwayType)
    length = ABSENT if piece.length_um is None else piece.length_um // 1000
    return StockRow(piece.part, piece.order_number, family.id, family.kind, family.description, length, quantity, place)


def _unknown(text: str, found: list[_Piece], catalog: Catalog, pieces: dict[str, list[_Piece]], at: Spot) -> Fault:
    if found:
        message = f"`{text}` on hand is the number of {len(found)} parts"
        advice = f"write which of them: {quoted_list((piece.part for piece in found), 6)}"
        return Fault("unknown-stock-part", message, at, help=advice, objects=(text,))
    family = catalog.find(text)
    if family is not None and not isinstance(family, RackType | PathwayType):
        message = f"`{text}` on hand is a family, and each length has its own number"
        numbers = quoted_list((member.part for member in family.members), 6)
        return Fault("unknown-stock-part", message, at, help=f"write which of them: {numbers}", objects=(text,))
    known = [piece.part for of_number in pieces.values() for piece in of_number]
    meant = nearest(text, known)
    advice = f"did you mean `{meant}`?" if meant else "give its part or order number as the catalog has it"
    message = f"the catalog has no part `{text}`, which is on hand"
    return Fault("unknown-stock-part", message, at, help=advice, objects=(text,))


def _counted(fault: Fault, count: int) -> Fault:
    return replace(
        fault, count=count, note="the row counts for nothing" if count == 1 else f"{count} rows count for nothing"
    )
