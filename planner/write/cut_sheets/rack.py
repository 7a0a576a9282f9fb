"""The pages of one rack, in the order of the work."""

from __future__ import annotations

from dataclasses import dataclass

from planner.cutsheet import RackSheet
from planner.write.choices import Codes
from planner.write.cut_sheets.blocks import Heading, Text
from planner.write.cut_sheets.cables import add_cables
from planner.write.cut_sheets.kit import add_kit
from planner.write.cut_sheets.layout import Layout, Placed
from planner.write.cut_sheets.maps import add_maps
from planner.write.cut_sheets.open_links import add_open_links
from planner.write.cut_sheets.panels import add_panels
from planner.write.cut_sheets.plug_lists import add_plugs
from planner.write.cut_sheets.words import summary


@dataclass(frozen=True, slots=True)
class RackPages:
    sheet: RackSheet
    pages: list[Placed]


def rack_pages(sheet: RackSheet, codes: Codes = "code128") -> RackPages:
    """What cannot be cabled comes first; steps without anything to do are left out."""
    out = Layout()
    out.add(Text.flowing(summary(sheet), 8.5))
    if sheet.unresolved:
        add_open_links(out, sheet.unresolved)
    if sheet.kit or sheet.landing:
        heading = Heading("1  Fetch", "transceivers, and the cables that start in this rack")
        add_kit(out, heading, sheet.kit, sheet.landing)
    if sheet.devices:
        add_plugs(out, sheet.devices)
    if sheet.groups:
        add_cables(out, sheet.rack, sheet.groups, codes)
    if sheet.panels:
        add_panels(out, sheet.panels, sheet.trunks)
    if sheet.elevations:
        add_maps(out, sheet.elevations, sheet.faces)
    return RackPages(sheet, out.pages)
