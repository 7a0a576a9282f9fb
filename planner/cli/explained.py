"""How `explain` prints what it found: for people, and for scripts."""

from __future__ import annotations

from dataclasses import asdict
from shlex import quote
from typing import Any, Final

from planner.channel.light_text import light_lines, verdict_lines, verdict_words
from planner.cli.explained_panels import over_panels_line, panel_record, trunk_text
from planner.explain.answers import (
    BoughtPart,
    CableExplained,
    FamilyExplained,
    LinkExplained,
    ModelExplained,
    PanelExplained,
    PartExplained,
)
from planner.explain.light import light_record
from planner.explain.losers import Price
from planner.explain.walk import Walk
from planner.names import counted
from planner.plan import Plan
from planner.schedules import cables_over_panels, ends_by_cable
from planner.selection.options import GENERIC_NOT_ALLOWED
from planner.selection.wording import money
from planner.units import PPM, metres, short_metres

TERMS: Final = (
    ("a_in_rack", "a, in the rack"),
    ("a_rise", "a, rise"),
    ("pathway", "pathway"),
    ("z_rise", "z, rise"),
    ("z_in_rack", "z, in the rack"),
)


def link_record(plan: Plan, found: LinkExplained) -> dict[str, Any]:
    """The JSON form of a link; lengths in mm, null where the link is unresolved."""
    links, row = plan.links, found.row

    def mm(name: str) -> int | None:
        value = int(getattr(links, name)[row])
        return None if value < 0 else value

    route = int(links.route[row])
    cable = int(links.cable[row])
    chosen = None
    if cable >= 0:
        part = plan.parts[int(plan.cables.part[cable])].part
        chosen = {"cable": part, "a_plug": links.a_plug_part[row], "z_plug": links.z_plug_part[row]}
    over_panels = cables_over_panels(plan).get(row, [])
    record: dict[str, Any] = {
        "kind": "link",
        "link_id": found.link_id,
        "status": links.status[row],
        "terms_mm": {name: mm(f"{name}_mm") for name, _ in TERMS} | {"slack": mm("slack_mm")},
        "measured_mm": mm("measured_mm"),
        "required_mm": mm("required_mm"),
        "stock_mm": mm("stock_mm"),
        "route": plan.routes.pathways[route].split(";") if route >= 0 else [],
        "chosen": chosen,
        "alternates": _alternates(plan, chosen),
        "rejected": [{"part": r.part, "reason": r.reason} for r in found.rejected],
        "forced_by": found.forced_by or ";".join(found.mates) or None,
        "price": _price_record(found.price),
        "next_best": found.next_best
        and {
            "part": found.next_best.part,
            "price": _price_record(found.next_best.price),
            "reason": found.next_best.worse_by,
        },
    }
    if found.on_hand:
        record["on_hand"] = list(found.on_hand)
    if found.would_help:
        record["would_help"] = list(found.would_help)
    if found.light:
        record["light"] = list(light_record(found.light))
    if over_panels:
        record["cables"] = [
            {
                "cable_id": int(plan.cables.cable_id[c]),
                "part": plan.parts[int(plan.cables.part[c])].part,
                "ends": ends_by_cable(plan)[c],
                **{f"{name}_mm": value for name, value in asdict(length).items()},
            }
            for c, length in zip(over_panels, found.over_panels, strict=True)
        ]
    if found.detour_mm:
        record["detour_mm"] = found.detour_mm
    if found.bought:
        record["bought"] = [
            {
                "part": bought.part,
                "stands_for": bought.stands_for,
                "vendor": bought.vendor,
                "pieces": bought.pieces,
                "of_pieces": bought.all_pieces,
                "share": bought.share_ppm / PPM,
            }
            for bought in found.bought
        ]
    return record


def _alternates(plan: Plan, chosen: dict[str, Any] | None) -> dict[str, list[str]]:
    """Drop-in equals of a link's parts, by part; parts without one are left out."""
    found: dict[str, list[str]] = {part: [] for part in (chosen or {}).values()}
    for row in plan.alternates:
        if plan.parts[row.part].part in found:
            found[plan.parts[row.part].part].append(row.alternate)
    return {part: others for part, others in found.items() if others}


def link_text(plan: Plan, found: LinkExplained, *, everything: bool) -> str:
    """A link for people: ends, length term by term, part, light path, and why not the others."""
    record = link_record(plan, found)
    links, row = plan.links, found.row
    fabric = plan.fabrics[int(links.fabric[row])]
    lines = [f"{found.link_id}", f"  {fabric.name}/{links.tier[row]}, {fabric.rate}, {record['status']}"]
    for end in ("a", "z"):
        device = plan.devices[int(getattr(links, f"{end}_device")[row])]
        hand = "left" if int(getattr(links, f"{end}_hand")[row]) < 0 else "right"
        plug = getattr(links, f"{end}_plug_part")[row]
        port = getattr(links, f"{end}_port")[row]
        lines.append(
            f"  {end}: rack {plan.racks[device.rack].name} U{device.u}, {device.name} port {port} ({hand} side facing the ports)"
            + (f", plug {plug}" if plug else "")
        )
    lines += ["", "length", *_length_lines(plan, found, record)]
    if found.walk is not None:
        lines += ["", "the way", *_walk_lines(found.walk)]
    if record["chosen"]:
        cable = int(plan.cables.cable_id[int(links.cable[row])])
        lines += ["", "chosen"]
        lines += [over_panels_line(c, links.medium[row]) for c in record.get("cables", ())] or [
            f"  cable {cable}: {record['chosen']['cable']}, {short_metres(record['stock_mm'])} m, {links.medium[row]}",
        ]
        lines += [f"  {part} may be bought as {', '.join(others)}" for part, others in record["alternates"].items()]
        if found.forced_by:
            lines.append(f"  forced by the pin on `{found.forced_by}`")
        elif found.mates:
            mates = ", ".join(found.mates[:4]) + (f" and {len(found.mates) - 4} more" if len(found.mates) > 4 else "")
            lines.append(f"  it would have other parts without the links that share its cages: {mates}")
        if found.on_hand:
            lines.append(f"  on hand, and counted as costing nothing more: {', '.join(found.on_hand)}")
        if found.price is not None and found.price.e4 is not None:
            lines.append(f"  price {_money(found.price)}, plugs and shared cables whole")
        if found.next_best is not None:
            price = found.next_best.price
            costs = f" ({_money(price)})" if price.e4 is not None else ""
            lines.append(f"  next best: {found.next_best.part}{costs}; {found.next_best.worse_by}")
    if found.bought:
        lines += ["", "bought", *(_bought_line(b) for b in found.bought)]
    for channel in found.light:
        lines += ["", f"light ({verdict_words(channel.verdict)})", *light_lines(channel.paths)]
        lines += [f"  {line}" for line in verdict_lines(channel.verdict, channel.repair, with_loss=False)]
    if found.would_help:
        lines += ["", "what would help", *(f"  {change}" for change in found.would_help)]
    lines += ["", "why not", *_why_not_lines(found, everything=everything)]
    return "\n".join(lines)


def _bought_line(bought: BoughtPart) -> str:
    share = f"its share is {bought.share_ppm / PPM:g}"
    if bought.share_ppm < PPM:
        share += f", it has {bought.pieces} of the {counted(bought.all_pieces, 'piece')} of that class"
    return f"  {bought.part} from {bought.vendor}, for the generic {bought.stands_for}; {share}"


def _money(price: Price) -> str:
    return f"{money(price.e4 or 0)} {price.currency}"


def _price_record(price: Price | None) -> dict[str, Any] | None:
    """Money with two decimals as a number, null where a part has no price."""
    if price is None or price.e4 is None:
        return None
    return {"amount": float(money(price.e4)), "currency": price.currency}


def _length_lines(plan: Plan, found: LinkExplained, record: dict[str, Any]) -> list[str]:
    terms, row = record["terms_mm"], found.row
    if record["required_mm"] is None:
        return ["  no cable was chosen, so no length is given"]
    within = plan.devices[int(plan.links.a_device[row])].rack == plan.devices[int(plan.links.z_device[row])].rack
    route = " > ".join(record["route"]) or ("inside the rack" if within else "sideways into the open rack")
    lines = [
        f"  {spoken:<16}{terms[name]:>9,} mm" + (f"  {route}" if name == "pathway" else "") for name, spoken in TERMS
    ]
    routed = int(plan.links.routed_mm[row])
    if record["measured_mm"] is not None:
        lines.append(f"  {'measured':<16}{record['measured_mm']:>9,} mm  {found.measured}: replaces the sum above")
    longer = f"  {found.detour_mm:,} mm longer than the shortest way, which others need" if found.detour_mm else ""
    lines.append(f"  {'routed':<16}{routed:>9,} mm{longer}")
    lines.append(f"  {'slack':<16}{terms['slack']:>9,} mm  {found.slack}")
    lines.append(f"  {'required':<16}{record['required_mm']:>9,} mm")
    if record["stock_mm"] is None:  # each cable of a channel has its own
        return lines
    lines.append(
        f"  {'stock length':<16}{record['stock_mm']:>9,} mm  {record['stock_mm'] - record['required_mm']:,} mm to spare"
    )
    return lines


def _walk_lines(walk: Walk) -> list[str]:
    """The way step by step, as one walks it, before each term is rounded."""
    return [f"  {step.length_um / 1000:>10,.2f} mm  {dict(TERMS)[step.term]}: {step.words}" for step in walk.steps]


def _why_not_lines(found: LinkExplained, *, everything: bool) -> list[str]:
    """Parts with the same reason in one line; two reasons that say little are only counted, unless everything is asked."""
    outside = generic = 0
    parts_by_reason: dict[str, list[str]] = {}
    for rejection in found.rejected:
        if rejection.stays_outside and not everything:
            outside += 1
        elif GENERIC_NOT_ALLOWED in rejection.reason and not everything:
            generic += 1
        else:
            parts_by_reason.setdefault(rejection.reason, []).append(rejection.part)
    lines = [f"  {', '.join(parts)}: {reason}" for reason, parts in parts_by_reason.items()]
    if outside:
        lines.append(f"  and {outside} parts whose plugs do not enter the cages (--all lists them)")
    if generic:
        lines.append(f"  and {generic} parts that stand for a class; {GENERIC_NOT_ALLOWED} (--all lists them)")
    return lines or ["  the catalog has nothing else for this kind of link"]


def cable_text(plan: Plan, found: CableExplained) -> str:
    if found.legs:
        return trunk_text(plan, found)
    record = record_of(plan, found)
    lines = [f"cable {record['cable_id']}: {record['part']}, {record['category']}"]
    lines += [f"  end at {end}" for end in record["ends"]]
    lines += [f"  serves {link}" for link in record["links"]]
    return "\n".join([*lines, "", f"`planner explain PLAN {record['links'][0]}` tells its lengths and why this part"])


def part_text(plan: Plan, found: PartExplained) -> str:
    record = record_of(plan, found)
    lines = [f"{record['part']}  {record['description']}"]
    lines.append(
        f"  {record['manufacturer']}, order number {record['order_number'] or 'not known'}, {record['category']}"
    )
    if record["length_m"]:
        lines.append(f"  {record['length_m']} m")
    lines.append(f"  lifecycle {record['lifecycle']}, weakest evidence {record['evidence']}")
    lines.append(f"  installed: {_counts(record)}")
    if record["alternates"]:
        lines.append(f"  may be bought as {', '.join(record['alternates'])}: equal on every link that has it")
    return "\n".join(
        [*lines, "", f"`planner catalog show {quote(record['part'])}` prints its figures and their sources"]
    )


def _counts(record: dict[str, Any]) -> str:
    """How many pieces are in the plan: devices, slots of panels, or cables and plugs. Devices that are parts are all billed."""
    if record["devices"]:
        return f"devices {record['devices']}, in the bill {record['devices']}"
    if record["slots"]:
        return f"in {counted(record['slots'], 'slot')} of panels"
    return f"cables {record['cables']}, plugs {record['plugs']}"


def family_text(plan: Plan, found: FamilyExplained) -> str:
    """Each member with its count, and the total."""
    record = record_of(plan, found)
    members = record["members"]
    wide = max(len(member["part"]) for member in members)
    lines = [f"{record['family']}: {len(members)} parts in the plan"]
    for member in members:
        length = f"{member['length_m']} m, " if member["length_m"] else ""
        lines.append(f"  {member['part']:<{wide}}  {length}{_counts(member)}")
    lines.append(f"  total: {_counts(record)}")
    return "\n".join([*lines, "", f"`planner explain PLAN {quote(members[0]['part'])}` tells more of one of them"])


def model_text(plan: Plan, found: ModelExplained) -> str:
    record = record_of(plan, found)
    return "\n".join(
        [
            f"{record['model']}  {record['device_kind']}",
            f"  part {record['part'] or 'not known'}, order number {record['order_number'] or 'not known'}",
            f"  installed: devices {record['devices']}, in the bill 0 (of the devices only switches are billed)",
            "",
            f"`planner catalog show {record['model']}` prints its figures and their sources",
        ]
    )


def record_of(
    plan: Plan, found: CableExplained | PanelExplained | PartExplained | FamilyExplained | ModelExplained
) -> dict[str, Any]:
    """The JSON form of a cable, a panel, a part, a family of parts, or a model of devices."""
    if isinstance(found, PanelExplained):
        return panel_record(plan, found)
    if isinstance(found, FamilyExplained):
        members = [record_of(plan, member) for member in found.members]
        totals = {kind: sum(member[kind] for member in members) for kind in ("cables", "plugs", "devices", "slots")}
        return {"kind": "family", "family": found.family, "members": members, **totals}
    if isinstance(found, ModelExplained):
        device = plan.devices[found.devices[0]]
        return {
            "kind": "model",
            "model": device.model,
            "device_kind": device.kind,
            "part": device.part,
            "order_number": device.order_number,
            "devices": len(found.devices),
        }
    if isinstance(found, CableExplained):
        cables = plan.cables
        part = plan.parts[int(cables.part[found.cable])]
        return {
            "kind": "cable",
            "cable_id": int(cables.cable_id[found.cable]),
            "part": part.part,
            "category": part.category,
            "ends": ends_by_cable(plan)[found.cable],
            "links": [plan.link_ids[link] for link in found.links],
            **({"legs": [asdict(leg) for leg in found.legs]} if found.legs else {}),
        }
    part = plan.parts[found.part]
    return {
        "kind": "part",
        "part": part.part,
        "order_number": part.order_number,
        "manufacturer": part.manufacturer,
        "description": part.description,
        "category": part.category,
        "length_m": metres(part.length_mm) if part.length_mm >= 0 else None,
        "lifecycle": part.lifecycle,
        "evidence": part.evidence,
        "alternates": [row.alternate for row in plan.alternates if row.part == found.part],
        "cables": len(found.cables),
        "plugs": len(found.plugs),
        "devices": len(found.devices),
        "slots": len(found.slots),
    }
