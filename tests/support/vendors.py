"""Invented vendors for tests of buying: each sells copies of generic parts of the shipped catalog under its own numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final
from zlib import crc32

import yaml

from tests.support.projects import ROOT

_FOLDERS: Final = {"transceiver": "plugs", "cord": "fibre", "splitter": "fibre"}


def generic(id_: str) -> dict[str, Any]:
    """The shipped entry of a generic part, as a tree."""
    path = next((ROOT / "catalogs").glob(f"*/{id_}.yaml"))
    tree: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return tree


def sold_by(maker: str, id_: str, lengths_m: Sequence[float] | None = None, **changes: Any) -> tuple[str, str]:
    """Name and text of a catalog file: a vendor's part that implements a generic one, in all its lengths or the given.

    changes: keys of the entry that the vendor's part has otherwise.
    """
    tree = generic(id_)
    own = id_.replace("generic-", f"{maker.lower()}-")
    members = tree["members"]
    if lengths_m is not None:
        members = [{"length_m": length} for length in lengths_m]
    for member in members:
        length = member.get("length_m")
        member["part"] = own.upper() if length is None else f"{own.upper()}-{length:g}M"
        member["order_number"] = f"{maker[:2].upper()}{crc32(member['part'].encode()):010}"
    tree |= {"id": own, "manufacturer": maker, "members": members, "implements": [id_], **changes}
    folder = _FOLDERS.get(tree["kind"], "plugs")
    return f"{folder}/{own}.yaml", yaml.safe_dump(tree, sort_keys=False, allow_unicode=True)


def catalog_files(*files: tuple[str, str], folder: str = "vendors") -> dict[str, str | bytes]:
    """Catalog files as a project's files."""
    return {f"{folder}/{name}": text for name, text in files}
