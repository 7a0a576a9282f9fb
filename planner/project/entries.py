"""What people say of single links, racks and findings: pins, measured lengths, remarks, waivers and phases."""

from __future__ import annotations

from pydantic import Field, field_validator, model_validator

from planner.schema_types import Day, Metres, Name, Names, Text, Written


class Pin(Written):
    """Parts forced for links named by ID, glob or fabric/tier; null forces nothing.

    a_cord, z_cord: one cord of a channel over panels, where `cable` is both.
    """

    links: Text
    cable: Text | None = None
    a_cord: Text | None = None
    z_cord: Text | None = None
    a_plug: Text | None = None
    z_plug: Text | None = None


class Measured(Written):
    """A length measured on site: of a link from port to port, between two racks from exit to exit, or of a pathway."""

    link: Text | None = None
    racks: list[Name] | None = Field(default=None, min_length=2, max_length=2)
    pathway: Name | None = None
    length_m: Metres

    @model_validator(mode="after")
    def _one_thing(self) -> Measured:
        if [self.link, self.racks, self.pathway].count(None) != 2:
            raise ValueError("a measured length is of a `link`, of two `racks` or of a `pathway`")
        return self


class Remark(Written):
    """What whoever cables some links is to read, on their cut sheets; links named as in a pin."""

    links: Text
    text: Text = Field(min_length=1, max_length=20_000)

    @field_validator("text")
    @classmethod
    def _is_printable(cls, text: str) -> str:
        if not " ".join(text.split()).isprintable():
            raise ValueError("a remark has printable characters, blanks and line ends alone")
        return text


class Waiver(Written):
    """Accepts findings of a rule on some objects, with a reason; they stay listed and count nowhere."""

    rule: Text
    objects: list[Text] = Field(default_factory=list)
    reason: Text = Field(min_length=1)


class Phase(Written):
    name: Name
    racks: Names
    need_by: Day | None = None
