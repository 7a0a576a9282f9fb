"""The cover: how much there is, whether it may be installed, how to read a sheet, the material, the racks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from planner.cutsheet import totals
from planner.plan import Identity
from planner.write.cut_sheets.blocks import Alarm, Heading, Space, Text
from planner.write.cut_sheets.kit import add_kit
from planner.write.cut_sheets.layout import Layout, Placed
from planner.write.cut_sheets.rack import RackPages
from planner.write.cut_sheets.rack_index import add_index
from planner.write.cut_sheets.words import counted
from planner.write.page import MM, Page
from planner.write.typeset import BOLD

_LEGEND: Final = (
    (
        "Near end",
        "in the rack of the sheet. Far end: where the other end goes. Each end has its own label text, near place first.",
    ),
    (
        "U",
        "the lowest slot of the device, as the rack is numbered. front, rear: face of the rack; left, right: as you face the ports.",
    ),
    (
        "Order",
        "fetch, insert the plugs, then cables as listed: longest bundles out of the rack first, then inside; left before right, top down.",
    ),
    (
        "mate 12",
        "cable 12 is in the same plug. Pulling or reseating that plug takes both links down. cap: a port without a cable.",
    ),
    (
        "Boxes",
        "clean: end face inspected and cleaned (a dash: closed connector). plug: seated, latch heard. pull: laid on its way.",
    ),
    (
        "",
        "dress: tied, bend radius kept, both labels on. up: link light on. A dash under pull: it is pulled from the other rack.",
    ),
    (
        "Once",
        "a cable inside one rack stands once, with both ends. A cable between racks stands on both racks' sheets, pulled once.",
    ),
)


def cover_pages(identity: Identity, racks: Sequence[RackPages]) -> list[Placed]:
    """Cover and index. The index gives pages, so its own length is found first."""
    pages = 1
    while True:
        made = _cover_of(identity, racks, pages)
        if len(made) == pages:
            return made
        pages = len(made)


def _cover_of(identity: Identity, racks: Sequence[RackPages], pages: int) -> list[Placed]:
    """pages: how many the cover itself is taken to have."""
    out = Layout()
    _add_counts(out, identity, racks)
    out.add(Heading("How to read a sheet", ""))
    for word, text in _LEGEND:
        out.add(_LegendLine(word, text))
    out.add(Space(2 * MM))
    material = Heading("Material", "of these racks, without spares; a cable belongs to the rack where it starts")
    add_kit(out, material, totals(item for rack in racks for item in rack.sheet.kit))
    add_index(out, racks, pages + 1)
    return out.pages


def _add_counts(out: Layout, identity: Identity, racks: Sequence[RackPages]) -> None:
    counts = [rack.sheet.counts for rack in racks]
    cables = sum(count.starting + count.inside for count in counts)
    plugs = sum(count.transceivers for count in counts)
    unresolved = len({link.link_id for rack in racks for link in rack.sheet.unresolved})
    listed = (counted(len(racks), "rack"), counted(cables, "cable"), counted(plugs, "transceiver"))
    out.add(Text((" · ".join(listed),), 16, BOLD))
    out.add(Text((f"inputs {identity.inputs_sha256}",), 7.5))
    if identity.draft:
        out.add(Alarm("DRAFT: this plan has errors (findings.json). It is for review; do not install from it."))
    if unresolved:
        out.add(Alarm(f"NOT CABLED: {counted(unresolved, 'link')} without a cable, listed on the racks' first sheets."))


@dataclass(frozen=True, slots=True)
class _LegendLine:
    word: str
    text: str
    height: float = 4.6 * MM

    def draw(self, page: Page, top: float) -> None:
        page.text(page.left + 1 * MM, top - 3.4 * MM, self.word, 9, BOLD)
        page.text(page.left + 22 * MM, top - 3.4 * MM, self.text, 8.5)
