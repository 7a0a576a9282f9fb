"""Structured cabling: which trunks the panels of two racks need, and which position of which panel each link takes."""
