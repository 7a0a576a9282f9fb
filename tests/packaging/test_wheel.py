"""The wheel carries everything that the planner needs, and works where there is no checkout."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

from planner.data import COPIED_TEMPLATES

CHECKOUT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built by the locked back end, without the network."""
    folder = tmp_path_factory.mktemp("dist")
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run(build, cwd=CHECKOUT, check=True, capture_output=True)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def listing(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return {name for name in archive.namelist() if ".dist-info/" not in name}


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The `bin` folder of an environment that has the wheel, and reads the libraries of this one."""
    folder = tmp_path_factory.mktemp("environment") / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    python = folder / "bin" / "python"
    install = [sys.executable, "-m", "pip", "--python", str(python), "install", "--no-deps", "--no-index", str(wheel)]
    subprocess.run(install, check=True, capture_output=True)
    # A folder named by a .pth file does not have its own .pth files read, so the checkout stays out of sight.
    (packages,) = folder.glob("lib/python*/site-packages")
    (packages / "libraries.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return folder / "bin"


def run(installed: Path, *arguments: str, cwd: Path) -> str:
    environment = {key: value for key, value in os.environ.items() if key not in {"PYTHONPATH", "VIRTUAL_ENV"}}
    command = [str(installed / arguments[0]), *arguments[1:]]
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_every_file_of_the_package_is_in_the_wheel(listing: set[str]) -> None:
    wanted = {
        path.relative_to(CHECKOUT).as_posix()
        for path in (CHECKOUT / "planner").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert wanted <= listing
    assert "planner/py.typed" in listing
    assert "planner/write/fonts/DejaVuSans.ttf" in listing
    assert "planner/write/fonts/LICENSE" in listing


@pytest.mark.parametrize(
    ("folder", "shipped"),
    [("catalogs", "catalogs"), *((f"layouts/{name}", f"templates/{name}") for name in COPIED_TEMPLATES)],
)
def test_shipped_data_is_that_of_the_checkout(folder: str, shipped: str, listing: set[str]) -> None:
    here = CHECKOUT / folder
    wanted = {
        f"planner/_shipped/{shipped}/{path.relative_to(here).as_posix()}" for path in here.rglob("*") if path.is_file()
    }
    assert wanted, f"{folder} is empty"
    assert {name for name in listing if name.startswith(f"planner/_shipped/{shipped}/")} == wanted


def test_nothing_else_is_in_the_wheel(listing: set[str]) -> None:
    assert {name.partition("/")[0] for name in listing} == {"planner"}
    assert not {name for name in listing if "__pycache__" in name or "/tests/" in name}


def test_the_licences_are_in_the_wheel(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        licences = {name.partition("/licenses/")[2] for name in archive.namelist() if "/licenses/" in name}
    assert licences == {"LICENSE", "planner/write/fonts/LICENSE"}


def test_an_installed_planner_finds_its_own_data(installed: Path, tmp_path: Path) -> None:
    code = "from planner import data; print(data.catalogs_folder(), data.templates_folder(), data.font('DejaVuSans'))"
    found = run(installed, "python", "-c", code, cwd=tmp_path).split()
    assert len(found) == 3
    assert all(Path(path).is_relative_to(installed.parent) for path in found), found


def test_an_installed_planner_runs_outside_the_checkout(installed: Path, tmp_path: Path) -> None:
    assert "plan" in run(installed, "planner", "--help", cwd=tmp_path)
    assert run(installed, "python", "-m", "planner", "--help", cwd=tmp_path)
    assert run(installed, "planner", "catalog", "list", cwd=tmp_path).strip()


@pytest.mark.parametrize("template", COPIED_TEMPLATES)
def test_a_template_plans_outside_the_checkout(template: str, installed: Path, tmp_path: Path) -> None:
    run(installed, "planner", "init", template, "started", cwd=tmp_path)
    run(installed, "planner", "plan", "started", "--out", "plan", cwd=tmp_path)
    assert (tmp_path / "plan" / "plan.db").is_file()
    assert (tmp_path / "plan" / "cut-sheets.pdf").is_file()
