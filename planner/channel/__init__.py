"""The optical channel, judged fibre by fibre: maps, mating, loss, and the smallest repair.

Build a `Channel` with the words of `build` (or a recipe of `recipes`), `judge` it, ask `repair` what to change.
"""

from planner.channel.build import (
    adapter,
    array_cord,
    cassette,
    duplex_cord,
    duplex_receptacle,
    parallel_receptacle,
    plug,
    splitter,
)
from planner.channel.judge import ChannelFault, LegVerdict, Unknown, Verdict, judge, primary_codes
from planner.channel.model import Branch, Channel, Cord, Fan, Plug, Receptacle
from planner.channel.repair import Repair, repair, repairs

__all__ = [
    "Branch",
    "Channel",
    "ChannelFault",
    "Cord",
    "Fan",
    "LegVerdict",
    "Plug",
    "Receptacle",
    "Repair",
    "Unknown",
    "Verdict",
    "adapter",
    "array_cord",
    "cassette",
    "duplex_cord",
    "duplex_receptacle",
    "judge",
    "parallel_receptacle",
    "plug",
    "primary_codes",
    "repair",
    "repairs",
    "splitter",
]
