"""Cut sheets: what a technician does at one rack, in the order of the work, near end first.

A cable with both ends in one rack stands once, with both ends: it is pulled once and plugged twice, and a second row
would ask for a second cable. A cable between racks stands on both racks' sheets: it is pulled where its end `a` is, which
is also where it belongs to the kit, and lands on the other.
"""

from planner.cutsheet.content import (
    OPTICAL,
    CableRow,
    DevicePlugs,
    End,
    FaceCell,
    FaceMap,
    Group,
    Item,
    Mate,
    PlugRow,
    RackSheet,
    SheetCounts,
    Unresolved,
    totals,
)
from planner.cutsheet.panels import LegRun, PanelPort, PanelSheet, TrunkSheet
from planner.cutsheet.sheets import Sheets, sheets

__all__ = [
    "OPTICAL",
    "CableRow",
    "DevicePlugs",
    "End",
    "FaceCell",
    "FaceMap",
    "Group",
    "Item",
    "LegRun",
    "Mate",
    "PanelPort",
    "PanelSheet",
    "PlugRow",
    "RackSheet",
    "SheetCounts",
    "Sheets",
    "TrunkSheet",
    "Unresolved",
    "sheets",
    "totals",
]
