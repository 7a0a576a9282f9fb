"""Losses and lengths, worked by hand."""

from __future__ import annotations

from dataclasses import replace

from planner.channel import Channel, judge, parallel_receptacle
from planner.channel.figures import PAIR_GRADES, LossFigure
from planner.channel.loss import Outcome, budget_of, headroom_mdb, judge_loss, judge_reach, rated_sheet, total
from planner.channel.model import Cord, FibreRun, LossSheet, Reach
from planner.channel.paths import paths_of
from planner.channel.recipes import parallel_channel

LOW_LOSS = PAIR_GRADES["mpo-low-loss"]


def sr8(grade: str | None = "mpo-low-loss", trunk_mm: int | None = 40_000, fibre: str = "OM4") -> Channel:
    end = parallel_receptacle("MM", 8, "mpo16")
    channel = parallel_channel("B", end, end, fibre, cord_mm=(3_000, 3_000), trunk_mm=trunk_mm)
    pair = PAIR_GRADES[grade] if grade else LossFigure()
    parts = tuple(
        replace(part, a=replace(part.a, pair=pair), z=replace(part.z, pair=pair)) if isinstance(part, Cord) else part
        for part in channel.chain
    )
    return replace(channel, chain=parts)


def sheet(channel: Channel, pmd: str = "400GBASE-SR8", nm: int = 850) -> LossSheet:
    return rated_sheet(paths_of(channel)[0], nm, (pmd, pmd))


def test_two_panels_and_46_m() -> None:
    # 2 joints x 0.35 dB + 0.046 km x 3.0 dB/km = 0.70 + 0.138 = 0.838 dB; 1.9 - 0.838 = 1.062 dB are left.
    found = sheet(sr8())
    assert len(found.pairs) == 2
    assert total(found).sum_mdb == 838
    assert headroom_mdb(found) == 1_062
    assert judge_loss(found) is Outcome.WITHIN


def test_the_weaker_plug_decides_a_joint() -> None:
    # One standard trunk end: 0.75 + 0.35 + 0.138 = 1.238 dB.
    channel = sr8()
    trunk = channel.chain[2]
    assert isinstance(trunk, Cord)
    worse = replace(trunk, a=replace(trunk.a, pair=PAIR_GRADES["mpo-standard"]))
    chain = (*channel.chain[:2], worse, *channel.chain[3:])
    assert total(sheet(replace(channel, chain=chain))).sum_mdb == 1_238


def test_typical_is_known_only_where_every_part_of_it_is() -> None:
    # No typical figure for OM4 at 850 nm has a source.
    assert total(sheet(sr8()), typical=True).sum_mdb is None
    single = LossSheet((LOW_LOSS, LOW_LOSS), (FibreRun(100_000, LossFigure(400, 350)),), 3_000)
    # 2 x 0.10 + 0.1 km x 0.35 dB/km = 0.235 dB
    assert total(single, typical=True).sum_mdb == 235
    assert headroom_mdb(single, typical=True) == 2_765


def test_splices_count() -> None:
    channel = sr8()
    trunk = channel.chain[2]
    assert isinstance(trunk, Cord)
    chain = (*channel.chain[:2], replace(trunk, splices=2), *channel.chain[3:])
    # 0.838 + 2 x 0.3 = 1.438 dB
    assert total(sheet(replace(channel, chain=chain))).sum_mdb == 1_438


def test_unknown_figures_are_never_a_pass() -> None:
    assert judge_loss(sheet(sr8(grade=None))) is Outcome.UNPROVEN
    assert judge_loss(sheet(sr8(trunk_mm=None))) is Outcome.UNPROVEN
    assert judge_loss(sheet(sr8(), pmd="400GBASE-SR4")) is Outcome.UNPROVEN
    assert judge_loss(sheet(sr8(fibre="OM5"), pmd="400GBASE-SR4.2")) is Outcome.UNPROVEN
    assert judge_loss(sheet(sr8(grade="iec-b"))) is Outcome.UNPROVEN


def test_what_is_known_may_already_be_too_much() -> None:
    # 2 x 0.75 + 0.46 km x 3.0 = 2.88 dB of 1.9 dB, whatever the unsourced figure of the grade is.
    found = sheet(sr8(grade="mpo-standard", trunk_mm=454_000))
    assert judge_loss(replace(found, splices=(LossFigure(),))) is Outcome.OVER


def test_the_text_carries_both_numbers() -> None:
    channel = sr8(grade="mpo-standard", trunk_mm=454_000)
    verdict = judge(replace(channel, loss=sheet(channel)))
    assert [fault.text for fault in verdict.faults] == ["the channel loses 2.880 dB, the budget is 1.900 dB"]


def test_limits_are_inclusive_and_exact() -> None:
    # 0.35 + 0.35 + 0.4 km x 3.0 = 1.9 dB exactly; a millimetre more is over.
    pairs = (LOW_LOSS, LOW_LOSS)
    run = FibreRun(400_000, LossFigure(3_000))
    assert judge_loss(LossSheet(pairs, (run,), 1_900)) is Outcome.WITHIN
    assert judge_loss(LossSheet(pairs, (replace(run, length_mm=400_001),), 1_900)) is Outcome.OVER
    assert judge_reach(Reach(50_000, 50_000)) is Outcome.WITHIN
    assert judge_reach(Reach(50_001, 50_000)) is Outcome.OVER
    assert judge_reach(Reach(None, 50_000)) is Outcome.UNPROVEN


def test_the_weaker_end_decides_the_budget() -> None:
    both = budget_of(("400GBASE-SR8", "400GBASE-SR4.2"), "OM4")
    assert (both.loss_mdb, both.reach_mm) == (1_800, 100_000)
    assert budget_of(("400GBASE-SR8", "unheard-of"), "OM4").loss_mdb is None


def test_an_unproven_loss_makes_the_channel_unproven() -> None:
    channel = sr8(trunk_mm=None)
    verdict = judge(replace(channel, loss=sheet(channel)))
    assert (verdict.verdict, verdict.codes, verdict.loss_ndb) == ("unproven", (), None)
    assert [fact.what for fact in verdict.unknown] == ["loss"]
