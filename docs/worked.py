"""The page of lengths worked by hand, with its sketches: sums from worked-lengths/links.yaml, ways from the planner."""  # noqa: INP001

from __future__ import annotations

from pathlib import Path
from typing import Final

import yaml

from planner.explain.answers import explain_link
from planner.pipeline import compile_project
from planner.write.route_picture import route_svg

FOLDER: Final = Path(__file__).resolve().parent / "worked-lengths"
PAGE: Final = FOLDER.with_suffix(".md")
BEGIN, END = "<!-- generated: links -->", "<!-- end of generated -->"
TERMS: Final = {
    "a_in_rack": "a in-rack", "a_rise": "a rise", "pathway": "pathway", "z_rise": "z rise", "z_in_rack": "z in-rack",
}  # fmt: skip


def pages() -> dict[str, str]:
    """The page and a sketch a link."""
    plan = compile_project(FOLDER).plan
    assert plan is not None
    worked: list[dict[str, str]] = yaml.safe_load((FOLDER / "links.yaml").read_text(encoding="utf-8"))
    texts, lines = {}, [""]
    for number, link in enumerate(worked, start=1):
        row = plan.link_ids.index(link["link"])
        walk = explain_link(plan, row).walk
        assert walk is not None
        texts[f"images/worked/{number:02d}.svg"] = route_svg(plan, link["link"], walk)
        lines += [f"### {number}. {link['kind'].capitalize()}", "", f"`{link['link']}`", ""]
        lines += ["| term | sum | mm |", "| --- | --- | --- |"]
        for term, name in TERMS.items():
            if term in link:
                sum_ = link[term].replace("**2", "²").replace(" * ", " x ").replace("sqrt", "root of ")
                lines.append(f"| {name} | {sum_} | {int(getattr(plan.links, f'{term}_mm')[row])} |")
        if "measured" in link:
            lines.append(f"| measured, in place of the sum | {link['measured']} | {int(plan.links.measured_mm[row])} |")
        routed, slack = int(plan.links.routed_mm[row]), int(plan.links.slack_mm[row])
        lines.append(
            f"| **routed** | over {link['route'].replace(';', ', ')} | **{routed}** |"
            if "route" in link
            else f"| **routed** | | **{routed}** |"
        )
        lines += [f"| slack | 2 x 300 + 0.05 x {routed}, rounded up | {slack} |"]
        lines += [f"| **required** | | **{routed + slack}** |", ""]
        lines += [f"![The way of link {number}](images/worked/{number:02d}.svg)", ""]
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    texts[PAGE.name] = f"{before}{BEGIN}\n{chr(10).join(lines)}{END}{rest.partition(END)[2]}"
    return texts
