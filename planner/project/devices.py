"""What stands in racks, as people write it: devices, and panels of structured cabling."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, model_validator

from planner.schema_types import Flag, Metres, Millimetres, Name, Names, Text, Whole, Written, one_or_several

Slots = Annotated[list[Whole], BeforeValidator(one_or_several), Field(min_length=1)]
"""Slots of a rack, or one of them without brackets."""


class DeviceGroup(Written):
    """Devices of one model: into one rack, or rack by rack, each with the slots of u.

    slides: they slide out with their cables in, by the catalog's `slides_out_m` or by service_loop_m. side, half: which
    half of their slots they take, in width as seen facing their front, and in height. at_mm: where the middle of a
    device that takes no slot stands, x and depth as of a manager.
    """

    names: Names
    model: Text
    rack: Name | None = None
    racks: Names | None = None
    u: Slots
    mount: Literal["front", "rear"] = "front"
    side: Literal["left", "right"] | None = None
    half: Literal["lower", "upper"] | None = None
    at_mm: tuple[Millimetres, Millimetres] | None = None
    slides: Flag = False
    firmware: Text | None = None
    service_loop_m: Annotated[Metres, Field(ge=0)] | None = None

    @model_validator(mode="after")
    def _one_way_of_placing(self) -> DeviceGroup:
        if (self.rack is None) == (self.racks is None):
            raise ValueError("a device group has either `rack` or `racks`")
        return self


class PanelGroup(Written):
    """Panels of one part, placed as devices are; or, with u_range and a stem for their names, as many as their trunks take.

    plate: what its slots take, in place of what the cabling's entry says. serves: racks whose devices are patched here; by
    default its own.
    """

    names: Names | None = None
    stem: Name | None = None
    part: Text
    rack: Name | None = None
    racks: Names | None = None
    u: Slots | None = None
    u_range: list[Whole] | None = Field(default=None, min_length=2, max_length=2)
    mount: Literal["front", "rear"] = "front"
    plate: Text | None = None
    serves: Names | None = None

    @model_validator(mode="after")
    def _one_way_of_placing(self) -> PanelGroup:
        if (self.rack is None) == (self.racks is None):
            raise ValueError("panels have either `rack` or `racks`")
        placed = self.names is not None and self.u is not None and self.stem is None and self.u_range is None
        sized = self.stem is not None and self.u_range is not None and self.names is None and self.u is None
        if not placed and not sized:
            raise ValueError("panels have `names` and `u`, or `stem` and `u_range`")
        if self.serves is not None and len(self.racks or ()) > 1:
            raise ValueError("panels with `serves` stand in one rack")
        return self
