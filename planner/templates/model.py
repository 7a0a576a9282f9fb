"""What a template is: its name, the figures it takes with their limits, and how it is written."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass


class CannotLayOutError(ValueError):
    """A size that a template does not lay out; the message shows the arithmetic and is fit for a person."""


@dataclass(frozen=True)
class Figure:
    """A whole number that a template takes: its default, what it may be, and what it means."""

    default: int
    allowed: range | tuple[int, ...]
    meaning: str

    @property
    def spoken(self) -> str:
        if isinstance(self.allowed, range):
            return f"{self.allowed.start} to {self.allowed.stop - 1}"
        *most, last = (str(number) for number in self.allowed)
        return f"{', '.join(most)} or {last}" if most else last


@dataclass(frozen=True)
class Template:
    """A project that can be written in several sizes.

    figures: by the option's name, such as `units`. write: from a value for each figure to the text of project.yaml,
    or to several files by name.
    """

    name: str
    summary: str
    figures: Mapping[str, Figure]
    write: Callable[..., str | Mapping[str, str]]

    def files(self, given: Mapping[str, int]) -> Mapping[str, str]:
        """The texts of the project's files by their name; figures that are not given have their defaults.

        Raises CannotLayOutError for a figure that the template does not take, or a size that it cannot lay out.
        """
        for name, number in given.items():
            figure = self.figures.get(name)
            if figure is None:
                takes = ", ".join(f"`--{option(known)}`" for known in self.figures) or "no figures"
                raise CannotLayOutError(f"`{self.name}` has no `--{option(name)}`; it takes {takes}")
            if number not in figure.allowed:
                raise CannotLayOutError(f"`--{option(name)} {number}`: `{self.name}` takes {figure.spoken}")
        written = self.write(**{name: given.get(name, figure.default) for name, figure in self.figures.items()})
        return {"project.yaml": written} if isinstance(written, str) else written


def option(figure: str) -> str:
    """`nodes_per_rack` as the option is spelled."""
    return figure.replace("_", "-")
