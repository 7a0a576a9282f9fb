"""Starter projects of any size: a template takes a few figures and writes a project as a person would."""

from __future__ import annotations

from typing import Final

from planner.templates import (
    ib_hdr,
    ib_xdr_pod,
    meta_ai_zone,
    roce_400g_qsfpdd,
    roce_800g_su,
    spectrum_x_su,
    superpod_h100,
    superpod_h100_full,
    switch_grids,
)
from planner.templates.model import Template

TEMPLATES: Final[dict[str, Template]] = {
    template.name: template
    for template in (
        superpod_h100.TEMPLATE,
        superpod_h100_full.TEMPLATE,
        ib_xdr_pod.TEMPLATE,
        spectrum_x_su.TEMPLATE,
        roce_400g_qsfpdd.TEMPLATE,
        roce_800g_su.TEMPLATE,
        meta_ai_zone.TEMPLATE,
        ib_hdr.TEMPLATE,
        switch_grids.DRAGONFLY,
        switch_grids.TORUS,
    )
}
"""By name, in the order in which they are listed."""
