"""Writing a folder of documents whole or not at all.

A plan is built in a folder beside its own and takes its place at the end, in one step where the system can exchange two
folders. Whatever is killed, the earlier output stays whole; leftovers are cleared by the next run. A folder with content
that the planner did not write, or that was changed since, is refused, since replacing it would lose somebody's work.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import json
import os
import shutil
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import Final

MANIFEST: Final = ".planner.json"
"""Names and SHA-256 of what was written: how a folder is known as ours, and unchanged."""

_OWN: Final = frozenset({MANIFEST, f"{MANIFEST}.new"})

_RENAME_EXCHANGE: Final = 2
_AT_FDCWD: Final = -100


class RefusedError(Exception):
    """The output folder cannot be written; the message is one line for the user."""


@contextlib.contextmanager
def whole_folder(target: Path) -> Iterator[Path]:
    """A new folder to fill, which takes the target's place when the block ends without an exception.

    Raises RefusedError when the target holds what is not ours; OSError passes through (a full disk, a read-only place).
    """
    target = _followed(target)
    finish_interrupted(target)
    refuse_foreign(target)
    target.parent.mkdir(parents=True, exist_ok=True)
    building = target.with_name(f".{target.name}.{os.getpid()}.building")
    shutil.rmtree(building, ignore_errors=True)
    building.mkdir()
    try:
        yield building
        write_manifest(building)
        _sync(building)
        _take_place(building, target)
    except BaseException:
        shutil.rmtree(building, ignore_errors=True)
        raise


@contextlib.contextmanager
def whole_files(target: Path) -> Iterator[Path]:
    """A new folder whose files take the place of the target's files of the same names, one by one, at the end."""
    target = _followed(target)
    finish_interrupted(target)
    refuse_foreign(target)
    target.mkdir(parents=True, exist_ok=True)
    building = target.with_name(f".{target.name}.{os.getpid()}.building")
    shutil.rmtree(building, ignore_errors=True)
    building.mkdir()
    try:
        yield building
        _sync(building)
        known = _manifest(target) or {}
        fresh = _digests(building)
        # The manifest first names both states of each file, so that a kill between two renames is no foreign change.
        _put_manifest(target, {**known, **{name: _either(known.get(name), digest) for name, digest in fresh.items()}})
        for name in sorted(fresh):
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            (building / name).replace(target / name)
        _put_manifest(target, {**known, **fresh})
    finally:
        shutil.rmtree(building, ignore_errors=True)


def _followed(target: Path) -> Path:
    """The folder itself: where the target is a link, what it leads to is replaced, and the link stays."""
    return Path(os.path.realpath(target))


def _either(old: str | None, new: str) -> str:
    return f"{old}|{new}" if old and old != new else new


def refuse_foreign(target: Path) -> None:
    """Raise RefusedError for a target that is no folder, or holds what we did not write or what changed since."""
    if not target.exists() and not target.is_symlink():
        return
    if not target.is_dir():
        raise RefusedError(f"`{target}` is not a folder")
    known = _manifest(target)
    if known is None:
        if any(target.iterdir()):  # not a walk: the target may be the root of a disk
            raise RefusedError(f"`{target}` holds what the planner did not write; name an empty folder with --out")
        return
    ours = {parent.as_posix() for name in known for parent in PurePosixPath(name).parents}
    present = {
        name: path
        for path in target.rglob("*")
        if (name := path.relative_to(target).as_posix()) not in ours or path.is_symlink() or not path.is_dir()
    }
    foreign = sorted(set(present) - set(known) - _OWN)
    if foreign:
        raise RefusedError(
            f"`{target}` holds `{foreign[0]}`, which the planner did not write; move it, or name another folder with --out"
        )
    for name, path in sorted(present.items()):
        if name not in _OWN and _digest(path) not in known[name].split("|"):
            raise RefusedError(
                f"`{path}` was changed since the planner wrote it; move it, or name another folder with --out"
            )


def finish_interrupted(target: Path) -> None:
    """Complete an exchange that was cut off between its two renames, and clear what dead runs left behind."""
    if not target.parent.is_dir():
        return
    for path in sorted(target.parent.glob(f".{target.name}.*.replaced")):
        if not target.exists():
            path.rename(target)
        elif not _alive(path):
            shutil.rmtree(path, ignore_errors=True)
    for path in sorted(target.parent.glob(f".{target.name}.*.building")):
        if not _alive(path):
            shutil.rmtree(path, ignore_errors=True)


def _alive(path: Path) -> bool:
    """Whether the process that a leftover is named after still runs (its number may have been reused: then it waits)."""
    pid = path.name.rsplit(".", 2)[-2]
    if not pid.isdigit() or int(pid) == os.getpid():
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def _take_place(building: Path, target: Path) -> None:
    if not target.exists():
        building.rename(target)
    elif _exchanged(building, target):
        shutil.rmtree(building, ignore_errors=True)
    else:
        replaced = target.with_name(f".{target.name}.{os.getpid()}.replaced")
        shutil.rmtree(replaced, ignore_errors=True)
        target.rename(replaced)
        building.rename(target)
        shutil.rmtree(replaced, ignore_errors=True)
    _sync_folder(target.parent)


def _exchanged(first: Path, second: Path) -> bool:
    """Exchange two folders in one step; False where the system or the file system cannot."""
    if not sys.platform.startswith("linux"):
        return False
    try:
        rename = ctypes.CDLL(None, use_errno=True).renameat2
    except (OSError, AttributeError):
        return False
    if rename(_AT_FDCWD, os.fsencode(first), _AT_FDCWD, os.fsencode(second), _RENAME_EXCHANGE) == 0:
        return True
    number = ctypes.get_errno()
    if number in (errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EPERM):
        return False
    raise OSError(number, os.strerror(number), str(second))


def write_manifest(folder: Path) -> None:
    _put_manifest(folder, _digests(folder))


def _put_manifest(folder: Path, digests: dict[str, str]) -> None:
    text = json.dumps(dict(sorted(digests.items())), indent=1) + "\n"
    partial = folder / f"{MANIFEST}.new"
    partial.write_text(text, encoding="utf-8")
    partial.replace(folder / MANIFEST)


def _manifest(folder: Path) -> dict[str, str] | None:
    try:
        read = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return read if isinstance(read, dict) and all(isinstance(v, str) for v in read.values()) else None


def _digests(folder: Path) -> dict[str, str]:
    files = (path for path in sorted(folder.rglob("*")) if path.is_file() and path.name not in _OWN)
    return {path.relative_to(folder).as_posix(): _digest(path) for path in files}


def _digest(path: Path) -> str:
    if path.is_symlink():
        return "a link"
    with path.open("rb") as file:
        digest = sha256()
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def _sync(folder: Path) -> None:
    """To the disk before the exchange: after a power cut a renamed folder must not hold empty files."""
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            descriptor = os.open(path, os.O_RDONLY)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
    _sync_folder(folder)


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        with contextlib.suppress(OSError):
            os.fsync(descriptor)
    finally:
        os.close(descriptor)
