"""`plan.db`: the plan as one SQLite file, written once and read-only afterwards."""

from planner.store.database import FORMAT_VERSION, NotAPlanError, read_plan, write_plan

__all__ = ["FORMAT_VERSION", "NotAPlanError", "read_plan", "write_plan"]
