"""One run of the planner with the CPU time of each stage and the peak of its memory; prints JSON. Started by `run`.

The pipeline stays as it is: each function that it calls by name is wrapped with a clock, whose time without that of the
clocks inside it is the stage's own. CPU time, since other work on a machine spoils seconds by the clock. Use: python benchmarks/stages.py PROJECT [DOCUMENTS_FOLDER]
"""

from __future__ import annotations

import json
import resource
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

STAGES = {
    "read": ("read_project", "validated", "load_catalog"),
    "expand": ("layout_of", "links_of"),
    "locate": ("cages_of", "places_of", "phases_of"),
    "select": ("kinds_of", "options_of_kinds", "choose", "pins_of", "measured_of"),
    "fill": ("settled",),
    "check": ("judged", "alike", "unprintable_names", "waived", "in_order"),
    "number": ("plan_of",),
}


class Clock:
    def __init__(self) -> None:
        self.own: dict[str, float] = defaultdict(float)
        self._inside = [0.0]

    def timed(self, stage: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def wrapped(*args: Any, **options: Any) -> Any:
            self._inside.append(0.0)
            begun = time.process_time()
            try:
                found = call(*args, **options)
                return list(found) if stage == "check" and hasattr(found, "__next__") else found
            finally:
                spent = time.process_time() - begun
                self.own[stage] += spent - self._inside.pop()
                self._inside[-1] += spent

        return wrapped


def peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main(project: Path, documents: str | None) -> dict[str, Any]:
    begun = time.perf_counter()
    # What a run imports only when it gets there counts as imports, not as work.
    import networkx as nx
    import scipy.sparse.csgraph  # noqa: F401
    import shapely

    from planner import pipeline, rounds
    from planner.lengths import measure as lengths
    from planner.routing import steering
    from planner.selection import settle
    from planner.store import write_plan

    assert nx
    assert shapely
    if documents:
        import openpyxl
        import reportlab.pdfgen.canvas  # noqa: F401

        from planner.write.documents import write_documents

        assert openpyxl
    imports_s, imports_mb = time.perf_counter() - begun, peak_mb()
    clock = Clock()
    for stage, names in STAGES.items():
        for name in names:
            if hasattr(pipeline, name):
                setattr(pipeline, name, clock.timed(stage, getattr(pipeline, name)))
    lengths.Measure.routes = clock.timed("route", lengths.Measure.routes)  # type: ignore[method-assign]
    lengths.Measure._measured = clock.timed("measure", lengths.Measure._measured)  # type: ignore[method-assign]  # noqa: SLF001
    lengths.Measure._measured_again = clock.timed("measure", lengths.Measure._measured_again)  # type: ignore[method-assign]  # noqa: SLF001
    # The solver of groups alone; what finds groups and puts them into its terms is selection's.
    settle.solve = clock.timed("solve", settle.solve)
    for name in ("negotiated", "finish", "proven_over", "problem_of"):
        setattr(rounds, name, clock.timed("reroute", getattr(rounds, name)))
    for module in (lengths, steering):
        for name in ("ways_of", "pathway_runs"):
            if hasattr(module, name):
                setattr(module, name, clock.timed("route", getattr(module, name)))

    begun, cpu = time.perf_counter(), time.process_time()
    compiled = pipeline.compile_project(project)
    plan = compiled.plan
    assert plan is not None
    assert compiled.stages is not None
    settled = compiled.stages.subject.selection.settled
    compiled_s = time.perf_counter() - begun
    with tempfile.TemporaryDirectory() as folder:
        clock.timed("plan.db", write_plan)(plan, Path(folder) / "plan.db")
        size = (Path(folder) / "plan.db").stat().st_size
        if documents:
            clock.timed("documents", write_documents)(plan, Path(folder))
    total, cpu = time.perf_counter() - begun, time.process_time() - cpu
    own = {stage: round(seconds, 4) for stage, seconds in clock.own.items()}
    own["other"] = round(cpu - sum(clock.own.values()), 4)
    return {
        "links": len(plan.links),
        "racks": len(plan.racks),
        "devices": len(plan.devices),
        "rack_pairs": len({*zip(plan.cables.rack_a.tolist(), plan.cables.rack_z.tolist(), strict=True)}),
        "unresolved": plan.links.status.tolist().count("unresolved"),
        "groups": settled.groups,
        "distinct": settled.distinct,
        "unproven": len(settled.unproven),
        "plan_db_mb": round(size / 1e6, 1),
        "imports_s": round(imports_s, 3),
        "imports_mb": round(imports_mb),
        "compile_s": round(compiled_s, 3),
        "total_s": round(total, 3),
        "cpu_s": round(cpu, 3),
        "peak_mb": round(peak_mb()),
        "stages_cpu_s": own,
    }


if __name__ == "__main__":
    print(json.dumps(main(Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else None)))
