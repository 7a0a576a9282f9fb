"""The files of a run: opened inside one folder only, numbered in the order they are read, and digested."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Final

from planner.findings import NOWHERE, Fault, Files, Spot, spot
from planner.reader.yaml_source import YamlMap, YamlSeq, load_yaml

MAX_BYTES: Final = 64 << 20
YAML_SUFFIXES: Final = (".yaml", ".yml")
MAX_FILES_BELOW: Final = 10_000


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file that was read: its number in the run's `Files`, its name in places, its bytes."""

    number: int
    name: str
    data: bytes


@dataclass(slots=True)
class Sources:
    """Reads files below `folder`, and keeps what the whole run needs to know of them.

    Names are relative to the folder, with forward slashes, wherever they are written: a file that is included from
    a file in `rows/` is named from the project's folder too, which is also how findings print it.
    prefix: put before the names of files in places and digests, to tell several folders of one run apart.
    digests: name of each file -> SHA-256 of its bytes, in the order of their numbers.
    faults: everything wrong that was met so far, in any of the files.
    """

    folder: Path
    max_bytes: int = MAX_BYTES
    prefix: str = ""
    digests: dict[str, str] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)

    @property
    def files(self) -> Files:
        return Files(tuple(self.digests))

    def beside(self, folder: Path, prefix: str) -> Sources:
        """Sources of another folder (the shipped catalogs) in the same run: one numbering, one list of faults."""
        return replace(self, folder=folder, prefix=prefix)

    def read(self, name: str, at: Spot = NOWHERE) -> SourceFile | None:
        """The bytes of a file, or None and a fault at `at`, the place that names the file.

        Faults: `include-fault` where the name leads out of the folder, `file-unreadable` where there is no such
        file, it is not a regular one, may not be read or has more than `max_bytes`.
        """
        plain = self.plain_name(name, at)
        return None if plain is None else self.read_plain(plain, at)

    def read_yaml(self, name: str, at: Spot = NOWHERE) -> YamlMap | None:
        """The mapping that a YAML file holds, or None and faults; faults that can be read past leave the mapping."""
        source = self.read(name, at)
        return None if source is None else self.mapping_of(source)

    def names_below(self, name: str, at: Spot = NOWHERE) -> list[str]:
        """Names of the YAML files in a folder and its subfolders, sorted; hidden ones are left out.

        `.yml` and `.YAML` are YAML too: a file that its author sees in the folder must not be passed over in silence.

        Folders that are symbolic links are not entered: they may lead out, or round in a circle.
        """
        plain = self.plain_name(name, at)
        if plain is None:
            return []
        top = self.folder / plain
        if not top.is_dir():
            reason = "is not a folder" if top.exists() else "does not exist"
            self.unreadable(f"the folder `{name}` {reason}", at, help="it is looked for in the project's folder")
            return []
        found: list[str] = []
        for parent, folders, files in os.walk(top):
            folders[:] = sorted(folder for folder in folders if not folder.startswith("."))
            inside = Path(parent).relative_to(self.folder)
            found.extend(
                (inside / file).as_posix() for file in files if file.lower().endswith(YAML_SUFFIXES) and file[0] != "."
            )
            if len(found) > MAX_FILES_BELOW:
                self.unreadable(f"the folder `{name}` has more than {MAX_FILES_BELOW:,} files `*.yaml`", at)
                return []
        return sorted(found)

    def read_below(self, name: str, at: Spot = NOWHERE) -> Iterator[tuple[str, SourceFile]]:
        """The files that `names_below` finds, each with its name."""
        for found in self.names_below(name, at):
            # Folders that are links are not entered, so that only a file that is one can lead out.
            is_inside = not os.path.islink(self.folder / found)  # noqa: PTH114 - pathlib takes three times as long
            source = self.read_plain(found, at) if is_inside else self.read(found, at)
            if source is not None:
                yield found, source

    def mapping_of(self, source: SourceFile) -> YamlMap | None:
        root, faults = mapping_in(source)
        self.faults.extend(faults)
        return root

    def plain_name(self, name: str, at: Spot) -> str | None:
        """The name without `./` and the like, or None and a fault where it leads out of the folder."""
        reason = _fault_of_path(name)
        if reason is None:
            plain = PurePosixPath(name).as_posix()
            inside, top = os.path.realpath(self.folder / plain), os.path.realpath(self.folder)
            if os.path.commonpath((inside, top)) == top:
                return plain
            reason = "is a symbolic link that leads out of the project's folder"
        advice = "name files by relative paths with `/`, inside the project's folder"
        self.faults.append(Fault("include-fault", f"`{name}` {reason}", at, help=advice))
        return None

    def read_plain(self, plain: str, at: Spot) -> SourceFile | None:
        """As `read`, for a name that is known to be inside the folder."""
        data = self.bytes_of(plain, at)
        if data is None:
            return None
        shown = self.prefix + plain
        self.digests[shown] = sha256(data).hexdigest()
        number = len(self.digests) - 1
        if next(reversed(self.digests)) != shown:  # read before: it keeps its number
            number = list(self.digests).index(shown)
        return SourceFile(number, shown, data)

    def bytes_of(self, plain: str, at: Spot) -> bytes | None:
        try:
            data, state = _bytes_and_state(self.folder / plain, self.max_bytes + 1)
        except FileNotFoundError:
            advice = "names are relative to the project's folder, wherever they are written"
            self.unreadable(f"there is no file `{plain}`", at, help=advice)
            return None
        except OSError as error:
            self.unreadable(f"`{plain}` cannot be read: {(error.strerror or 'no reason given').lower()}", at)
            return None
        if not stat.S_ISREG(state.st_mode):
            held = "a folder" if stat.S_ISDIR(state.st_mode) else "neither a file nor a folder"
            self.unreadable(f"`{plain}` is {held}, and a file is expected", at)
            return None
        if len(data) > self.max_bytes:
            size = max(state.st_size, len(data))
            self.unreadable(f"`{plain}` has {size:,} bytes, {self.max_bytes:,} are allowed", at)
            return None
        return data

    def unreadable(self, message: str, at: Spot, *, help: str = "") -> None:  # noqa: A002 - the name of Fault's field
        self.faults.append(Fault("file-unreadable", message, at, help=help))


def mapping_in(source: SourceFile) -> tuple[YamlMap | None, list[Fault]]:
    """The mapping that a YAML file holds, or None, and its faults."""
    root, faults = load_yaml(source.data, source.number)
    if root is None or isinstance(root, YamlMap):
        return root, faults
    held = "a list" if isinstance(root, YamlSeq) else "a text"
    message = f"`{source.name}` holds {held}, and `key: value` lines are expected"
    return None, [*faults, Fault("yaml-syntax", message, spot(source.number, 1, 1))]


def _bytes_and_state(path: Path, most: int) -> tuple[bytes, os.stat_result]:
    """At most so many bytes of a regular file, none of anything else, and what it is."""
    # O_NONBLOCK, because opening a named pipe would wait for someone to write to it.
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
    number = os.open(path, flags)
    try:
        state = os.fstat(number)
        if not stat.S_ISREG(state.st_mode):
            return b"", state
        with os.fdopen(number, "rb", closefd=False) as stream:
            return stream.read(most), state
    finally:
        os.close(number)


def _fault_of_path(name: str) -> str | None:
    """Why a text cannot name a file inside a folder, as it is written."""
    if not name.strip() or "\0" in name:
        return "is not the name of a file"
    if "\\" in name:
        return "contains a backslash"
    if name.startswith("/") or PureWindowsPath(name).drive:
        return "is an absolute path"
    if ".." in name.split("/"):
        return "leads out of its folder by `..`"
    return None
