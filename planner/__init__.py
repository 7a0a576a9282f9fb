"""Physical-layer cabling planner for AI and HPC fabrics: YAML in, a checked plan in the middle, documents out."""

__version__ = "0.1.0"
