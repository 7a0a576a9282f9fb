"""Rack elevations: the faces of the racks with their devices, to be drawn to scale.

A rack is drawn at every face where cables are plugged; without any, where its devices have ports; empty, at its front.
Every device of the rack stands on each of its drawings, so that free slots are free slots.
"""

from planner.elevation.content import Box, Elevation
from planner.elevation.faces import Elevations, elevations

__all__ = ["Box", "Elevation", "Elevations", "elevations"]
