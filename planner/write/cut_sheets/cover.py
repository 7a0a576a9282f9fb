"""The cover: how much there is, whether it may be installed, how to read a sheet, the material, the racks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import Final

from planner.cutsheet import OPTICAL, Item, totals
from planner.cutsheet.work import work_of
from planner.names import counted
from planner.plan import Identity, Plan
from planner.typeset import BOLD
from planner.units import short_metres
from planner.write.choices import Codes
from planner.write.cut_sheets.blocks import Alarm, Heading, Space, Text
from planner.write.cut_sheets.kit import add_kit
from planner.write.cut_sheets.layout import Layout, Placed
from planner.write.cut_sheets.rack import RackPages
from planner.write.cut_sheets.rack_index import add_index
from planner.write.page import MM, Page

_OUT_OF_REACH_UM: Final = 2_000_000
"""Height above the floor that nobody works at without a ladder."""

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
        "dress: tied, bend radius kept, both labels on. up: link light on. lands here, a dash under pull: pulled from the other rack.",
    ),
    (
        "Once",
        "a cable inside one rack stands once, with both ends. A cable between racks stands on both racks' sheets, pulled once.",
    ),
)


def cover_pages(plan: Plan, racks: Sequence[RackPages], codes: Codes = "code128") -> list[Placed]:
    """Cover and index. The index gives pages, so its own length is found first."""
    pages = 1
    while True:
        made = _cover_of(plan, racks, codes, pages)
        if len(made) == pages:
            return made
        pages = len(made)


def _cover_of(plan: Plan, racks: Sequence[RackPages], codes: Codes, pages: int) -> list[Placed]:
    """pages: how many the cover itself is taken to have."""
    out = Layout()
    _add_counts(out, plan.identity, racks)
    out.add(Heading("How to read a sheet", ""))
    for word, text in _LEGEND:
        out.add(_LegendLine(word, text))
    out.add(Space(2 * MM))
    material = Heading("Material", "of these racks, without spares; a cable belongs to the rack where it starts")
    kit = totals(item for rack in racks for item in rack.sheet.kit)
    add_kit(out, material, kit)
    _add_tools(out, kit, plan, codes)
    _add_work(out, racks, plan)
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


def _add_tools(out: Layout, kit: Sequence[Item], plan: Plan, codes: Codes) -> None:
    """What hands need for these parts, beside the parts."""
    optical = {item.part.connector for item in kit if item.part.category in OPTICAL and item.part.connector}
    tools = ["hook-and-loop ties (no cable ties)", "the labels of these cables (labels.pdf)"]
    if optical:
        tools.insert(0, f"end face microscope and dry cleaners for {', '.join(sorted(optical))}, spare dust caps")
    if codes != "none":
        tools.append(f"a scanner or telephone that reads {'QR' if codes == 'qr' else 'Code 128'}")
    heights = [pathway.height_um for pathway in plan.pathways]
    if heights and max(heights) > _OUT_OF_REACH_UM:
        tools.append(f"a ladder to pathways up to {short_metres(max(heights) // 1000)} m above the floor")
    out.add(Heading("Tools", ""), keep=8 * MM)
    out.add(Text.flowing(" · ".join(tools), 8))
    out.add(Space(2 * MM))


def _add_work(out: Layout, racks: Sequence[RackPages], plan: Plan) -> None:
    """How long it takes, with the assumptions that it rests on."""
    labour = plan.policy.labour
    work = work_of((rack.sheet for rack in racks), labour)
    minutes = sum(one.minutes for one in work)
    if not minutes:
        return
    out.add(
        Heading("Time", "an estimate, no promise: minutes of one person, from `policy.labour` of the project"), 12 * MM
    )
    alone, together = _spoken(minutes), minutes / labour.crew
    days = together / 60 / labour.hours_a_day
    crew = f"{days:,.1f} days of {labour.hours_a_day} hours" if days >= 1 else _spoken(together)
    out.add(Text((f"about {alone} of one person; {counted(labour.crew, 'person', 'people')}: {crew}",), 9.5, BOLD))
    listed = " · ".join(f"{counted(one.count, one.one, one.many)} at {one.minutes_each} min" for one in work)
    told = f"{listed}. Without unpacking, waste, breaks, tests and repairs."
    out.add(Text.flowing(told, 8))
    out.add(Space(2 * MM))


def _spoken(minutes: float) -> str:
    """Minutes up to two hours, then hours."""
    if minutes < 120:
        return counted(ceil(minutes), "minute")
    hours = minutes / 60
    return f"{hours:,.{0 if hours >= 10 else 1}f} hours"


@dataclass(frozen=True, slots=True)
class _LegendLine:
    word: str
    text: str
    height: float = 4.6 * MM

    def draw(self, page: Page, top: float) -> None:
        page.text(page.left + 1 * MM, top - 3.4 * MM, self.word, 9, BOLD)
        page.text(page.left + 22 * MM, top - 3.4 * MM, self.text, 8.5)
