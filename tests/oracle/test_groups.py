"""The solver of small groups finds what trying every combination finds: the one optimum of the design (section 10)."""

from __future__ import annotations

from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from planner.selection.group import Choice, GroupLink, Offer, solve

Cost = tuple[int, tuple[int, ...], int, tuple[tuple[str, ...], ...]]


@st.composite
def groups(draw: st.DrawFn) -> tuple[GroupLink, ...]:
    """Links between a few cages; families of cables, each with its medium, its plugs and whom it serves."""
    cages = draw(st.integers(2, 5))
    families = [
        (
            draw(st.integers(0, 2)),
            draw(st.integers(0, 2)),
            draw(st.integers(0, 2)),
            draw(st.sampled_from(["own", "a", "z"])),
        )
        for _ in range(draw(st.integers(1, 5)))
    ]
    links = []
    for _ in range(draw(st.integers(1, 5))):
        a, z = draw(st.permutations(range(cages)))[:2]
        offers = []
        for number in draw(st.lists(st.integers(0, len(families) - 1), unique=True, max_size=4)):
            rank, a_plug, z_plug, serves = families[number]
            position = draw(st.integers(0, 2))
            shared = {"own": -1, "a": a, "z": z}[serves]
            # The plug of a shared cable is the cable's own, which no other family has.
            a_plug, z_plug = (10 + number if serves == "a" else a_plug), (10 + number if serves == "z" else z_plug)
            offers.append(
                Offer(
                    number, position, rank, 500 * (1 + position), (f"part-{number}-{position}",), a_plug, z_plug, shared
                )
            )
        links.append(GroupLink(a, z, tuple(offers)))
    return tuple(links)


def cost(links: tuple[GroupLink, ...], choice: Choice) -> Cost | None:
    """By the words of the design; None where one cage would take two plugs."""
    plug_in: dict[int, int] = {}
    media = [0, 0, 0]
    alone: list[int] = []
    together: dict[tuple[int, int], int] = {}
    for link, offer in zip(links, choice, strict=True):
        if offer is None:
            continue
        for cage, plug in ((link.a_cage, offer.a_plug), (link.z_cage, offer.z_plug)):
            if plug_in.setdefault(cage, plug) != plug:
                return None
        media[offer.rank] += 1
        if offer.shared < 0:
            alone.append(offer.stock_mm)
        else:  # one cable, as long as its longest link needs
            key = (offer.offer, offer.shared)
            together[key] = max(together.get(key, 0), offer.stock_mm)
    unresolved = sum(offer is None for offer in choice)
    parts = tuple(offer.parts if offer else () for offer in choice)
    return unresolved, tuple(-n for n in media), sum(alone) + sum(together.values()), parts


@settings(max_examples=600)
@given(groups())
def test_the_optimum_of_every_small_group(links: tuple[GroupLink, ...]) -> None:
    every = product(*[(None, *link.offers) for link in links])
    judged = [(found, choice) for choice in every if (found := cost(links, choice)) is not None]
    least = min(found for found, _ in judged)
    winners = [choice for found, choice in judged if found == least]
    assert len(winners) == 1, "the optimum is not unique"
    chosen, proven = solve(links)
    assert proven
    assert chosen == winners[0]
