"""The solver of groups finds what trying every combination finds: the one optimum of the design (section 10)."""

from __future__ import annotations

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from planner.selection import elimination
from planner.selection.group import Figures, Group, GroupLink, Offer, Shared, solve
from tests.support.examples import examples

Choice = tuple[int | None, ...]
Cost = tuple[int, Figures, int, int, tuple[int, ...]]


@st.composite
def groups(draw: st.DrawFn) -> Group:
    """Links between a few cages; families of cables, each with its plugs and whom it serves; figures of all of them."""
    cages = draw(st.integers(1, 5))
    small = st.integers(0, 3)
    families = [
        (draw(st.integers(0, 2)), draw(st.integers(0, 2)), draw(st.sampled_from(["own", "a", "z"])))
        for _ in range(draw(st.integers(1, 4)))
    ]
    links = []
    for _ in range(draw(st.integers(1, 5))):
        a, z = draw(st.integers(0, cages - 1)), draw(st.integers(0, cages - 1))
        offers = []
        for number in draw(st.lists(st.integers(0, len(families) - 1), unique=True, max_size=3)):
            a_plug, z_plug, serves = families[number]
            mm = draw(st.integers(1, 3)) * 500
            head = {"own": None, "a": a, "z": z}[serves]
            # The head of a shared cable, and so its plug there, is that family's alone.
            a_plug, z_plug = (10 + number if serves == "a" else a_plug), (10 + number if serves == "z" else z_plug)
            shared = None if head is None or a == z else Shared(head, draw(st.integers(0, 1)), number, 1500)
            own = (draw(small), draw(small))
            offers.append(Offer(number, 0, own, mm, draw(small), 10 * number + mm // 500, a_plug, z_plug, shared))
        links.append(GroupLink(a, z, tuple(offers), (draw(small), 0)))
    plugs = {(c, p): (draw(small), draw(small)) for c in range(cages) for p in (0, 1, 2, 10, 11, 12, 13)}
    # A longer one of the same family is never cheaper: `lengths_worth` leaves none that has a longer and cheaper one above it.
    cables = {
        (c, slot, f, mm): (mm + draw(small), mm + draw(small))
        for c in range(cages) for slot in (0, 1) for f in range(4) for mm in (500, 1000, 1500)
    }  # fmt: skip
    return Group(tuple(links), plugs, cables)


def cost(group: Group, choice: Choice) -> Cost | None:
    """By the words of the design; None where one cage would take two plugs, or one place two cables."""
    plug_in: dict[int, int] = {}
    cable_at: dict[tuple[int, int], tuple[int, int]] = {}
    figures = [0, 0]
    length = reach = 0
    chosen = [None if pick is None else link.offers[pick] for link, pick in zip(group.links, choice, strict=True)]
    for link, offer in zip(group.links, chosen, strict=True):
        for j in range(2):
            figures[j] += link.none[j] if offer is None else offer.own[j]
        if offer is None:
            continue
        reach += offer.reach
        for cage, plug in ((link.a_cage, offer.a_plug), (link.z_cage, offer.z_plug)):
            if plug_in.setdefault(cage, plug) != plug:
                return None
        if offer.cable is None:
            length += offer.stock_mm
            continue
        place = (offer.cable.cage, offer.cable.slot)
        family, mm = cable_at.get(place, (offer.cable.family, 0))
        if family != offer.cable.family:
            return None
        cable_at[place] = family, max(mm, offer.stock_mm)  # as long as its longest link needs
    for key in plug_in.items():
        for j in range(2):
            figures[j] += group.plugs.get(key, (0, 0))[j]
    for (cage, slot), (family, mm) in cable_at.items():
        length += mm
        for j in range(2):
            figures[j] += group.cables[cage, slot, family, mm][j]
    parts = tuple(99 if offer is None else offer.parts for offer in chosen)
    return sum(offer is None for offer in chosen), tuple(figures), length, reach, parts


def best_of_all(group: Group) -> tuple[Cost, list[Choice]]:
    every = product(*[(None, *range(len(link.offers))) for link in group.links])
    judged = [(found, choice) for choice in every if (found := cost(group, choice)) is not None]
    least = min(found for found, _ in judged)
    return least, [choice for found, choice in judged if found == least]


@examples(300)
@given(groups())
def test_the_optimum_of_every_small_group(group: Group) -> None:
    least, winners = best_of_all(group)
    assert len(winners) == 1, "the optimum is not unique"
    found = solve(group)
    assert found.proven
    assert found.choice == winners[0]
    value = found.value
    assert (value.unresolved, value.figures, value.stock_mm, value.reach) == least[:4]


@examples(100)
@given(groups(), st.integers(1, 40), st.integers(1, 50))
def test_a_search_that_stops_states_what_it_found_and_what_nothing_is_below(
    group: Group, steps: int, mini: int
) -> None:
    """With tables forbidden the search decides alone; whatever it is stopped at, the optimum lies between."""
    least, winners = best_of_all(group)
    kept = elimination.MINI_CELLS
    try:
        elimination.MINI_CELLS = mini
        stopped = solve(group, most_cells=0, most_steps=steps)
        whole = solve(group, most_cells=0)
    finally:
        elimination.MINI_CELLS = kept
    assert whole.proven
    assert whole.choice == winners[0]
    low, high = ((v.unresolved, v.figures, v.stock_mm, v.reach) for v in (stopped.bound, stopped.value))
    assert low <= least[:4] <= high
    assert cost(group, stopped.choice) is not None
    if stopped.proven:
        assert stopped.choice == winners[0]
