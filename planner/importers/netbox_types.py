"""NetBox's interface types as cages: which plug enters, and the lanes and the rate behind it.

A type names a speed and a form factor, or for InfiniBand the speed alone; what it leaves open is assumed here, and each
assumption is spelled out. Types with fixed optics, wireless, virtual and stacking interfaces are no cages.
Source: netbox-community/devicetype-library, schema/generated_schema.json, and `netbox/dcim/choices.py` of NetBox.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class CageType:
    """What an interface type says of its cage; `assumed` is what we add, in words. No heat sink: the type does not tell."""

    form_factor: str
    heat_sink: str | None
    lanes: int
    lane_rate_gbps: int
    modulation: str
    rate: str
    protocol: str = "ethernet"
    assumed: str = ""


CAGE_TYPES: Final[dict[str, CageType]] = {
    "1000base-t": CageType("rj45", "none", 1, 1, "base-t", "1g"),
    "10gbase-t": CageType("rj45", "none", 1, 10, "base-t", "10g"),
    "10gbase-x-sfpp": CageType("sfp-plus", "none", 1, 10, "nrz", "10g-1x10"),
    "25gbase-x-sfp28": CageType("sfp28", "none", 1, 25, "nrz", "25g"),
    "50gbase-x-sfp56": CageType("sfp56", "none", 1, 50, "pam4", "50g"),
    "100gbase-x-qsfp28": CageType("qsfp28", "flat", 4, 25, "nrz", "100g"),
    "200gbase-x-qsfp56": CageType("qsfp56", "flat", 4, 50, "pam4", "200g-4x50"),
    "400gbase-x-qsfp112": CageType("qsfp112", "flat", 4, 100, "pam4", "400g"),
    "400gbase-x-qsfpdd": CageType(
        "qsfp-dd", "flat", 8, 50, "pam4", "400g-8x50", assumed="8 lanes of 50G; NetBox does not say how many lanes"
    ),
    "800gbase-x-qsfpdd": CageType("qsfp-dd800", "flat", 8, 100, "pam4", "800g"),
    "400gbase-x-osfp": CageType(
        "osfp", None, 4, 100, "pam4", "400g",
        assumed="4 lanes of 100G; 8 of 50G, or half a twin-port cage, would be written the same",
    ),
    "400gbase-x-osfp-rhs": CageType(
        "osfp", "flat", 4, 100, "pam4", "400g",
        assumed="4 lanes of 100G; 8 of 50G, or half a twin-port cage, would be written the same",
    ),
    "800gbase-x-osfp": CageType(
        "osfp", None, 8, 100, "pam4", "800g",
        assumed="8 lanes of 100G; NetBox does not say how many lanes",
    ),
    "1.6tbase-x-osfp1600": CageType("osfp", None, 8, 200, "pam4", "1.6t"),
    "1.6tbase-x-osfp1600-rhs": CageType("osfp", "flat", 8, 200, "pam4", "1.6t"),
    "infiniband-edr": CageType(
        "qsfp28", "flat", 4, 25, "nrz", "edr", "infiniband",
        assumed="a QSFP28 cage; an InfiniBand type of NetBox names no cage",
    ),
    "infiniband-hdr": CageType(
        "qsfp56", "flat", 4, 50, "pam4", "hdr", "infiniband",
        assumed="a QSFP56 cage; an InfiniBand type of NetBox names no cage",
    ),
    "infiniband-ndr": CageType(
        "osfp", None, 4, 100, "pam4", "ndr", "infiniband",
        assumed="an OSFP cage of one port; an InfiniBand type of NetBox names no cage",
    ),
    "infiniband-xdr": CageType(
        "osfp", None, 4, 200, "pam4", "xdr", "infiniband",
        assumed="an OSFP cage of one port; an InfiniBand type of NetBox names no cage",
    ),
}  # fmt: skip

NO_CAGE: Final = frozenset(("virtual", "bridge", "lag"))
"""Interfaces that exist in software alone."""
