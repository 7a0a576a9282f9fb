"""The locks cover what the package asks for, on every Python that it supports, and nothing is taken unchecked."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

CHECKOUT = Path(__file__).resolve().parents[2]
LOCKS = ["requirements.lock", "requirements-dev.lock"]
PYTHONS = ["3.11.0", "3.12.0", "3.13.0", "3.14.0"]


def entries(lock: str) -> list[tuple[Requirement, int]]:
    """Each locked requirement with its number of hashes."""
    text = (CHECKOUT / lock).read_text(encoding="utf-8").replace("\\\n", " ")
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    return [(Requirement(line.partition(" --hash")[0]), line.count("--hash=sha256:")) for line in lines]


def asked(lines: list[str]) -> list[Requirement]:
    return [Requirement(line) for line in lines if line and not line.startswith("#")]


def runtime() -> list[Requirement]:
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))
    build = (CHECKOUT / "requirements-build.in").read_text(encoding="utf-8").splitlines()
    return asked([*project["project"]["dependencies"], *project["build-system"]["requires"], *build])


def development() -> list[Requirement]:
    return asked((CHECKOUT / "requirements-dev.in").read_text(encoding="utf-8").splitlines())


@pytest.mark.parametrize("lock", LOCKS)
def test_every_entry_is_one_version_with_hashes(lock: str) -> None:
    loose = [str(entry) for entry, hashes in entries(lock) if not hashes or not str(entry.specifier).startswith("==")]
    assert loose == []


@pytest.mark.parametrize("lock", LOCKS)
def test_no_lock_names_an_index(lock: str) -> None:
    assert not re.search(r"://|--(?:extra-)?index-url|--find-links", (CHECKOUT / lock).read_text(encoding="utf-8"))


@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.parametrize(("lock", "wanted"), [(LOCKS[0], runtime()), (LOCKS[1], development())])
def test_what_is_asked_for_is_locked_for_every_python(lock: str, wanted: list[Requirement], python: str) -> None:
    surroundings = {
        "python_version": python.rpartition(".")[0],
        "python_full_version": python,
        "sys_platform": "linux",
        "platform_python_implementation": "CPython",
    }
    locked = {
        canonicalize_name(entry.name): str(entry.specifier).removeprefix("==")
        for entry, _ in entries(lock)
        if entry.marker is None or entry.marker.evaluate(surroundings)
    }
    missing = [
        str(requirement)
        for requirement in wanted
        if not requirement.specifier.contains(locked.get(canonicalize_name(requirement.name), "0"))
        or canonicalize_name(requirement.name) not in locked
    ]
    assert missing == []
