"""Fabrics as people write them, with their links or the generator of these, and the slack of cables."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import WithJsonSchema, model_validator

from planner.generators.parameters import Generate
from planner.schema_types import Metres, Millimetres, Name, Share, Text, Written


class ClassSlack(Written):
    """Slack of a cable: a loop at each end and a share of the routed length.

    store_m: the longest rest of a stock length that can be stored at each end.
    """

    loop_mm: Millimetres
    share: Share = 0
    store_m: Metres | None = None


class FabricSlack(Written):
    """Slack of a fabric's cables, where it differs from the policy's."""

    copper: ClassSlack | None = None
    fibre: ClassSlack | None = None


class Fabric(Written):
    """A named network. `links` (checked with the topology) and `generate` may stand together."""

    name: Name
    protocol: Literal["infiniband", "ethernet"]
    rate: Text
    slack: FabricSlack | None = None
    links: Annotated[
        Any,
        WithJsonSchema(
            {
                "anyOf": [
                    {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "properties": {
                                "a": {"type": "string"},
                                "z": {"type": "string"},
                                "tier": {"type": "string"},
                                "ports": {"const": "any"},
                            },
                            "required": ["a", "z", "tier"],
                            "additionalProperties": False,
                        },
                    },
                    {
                        "type": "object",
                        "properties": {"from": {"type": "string"}},
                        "required": ["from"],
                        "additionalProperties": False,
                    },
                    {
                        "type": "object",
                        "properties": {"generate": {"type": "object"}},
                        "required": ["generate"],
                        "additionalProperties": False,
                    },
                ]
            }
        ),
    ] = None
    generate: Generate | None = None

    @model_validator(mode="before")
    @classmethod
    def _generator_below_links(cls, data: Any) -> Any:
        """`links: {generate: ...}` and `generate: ...` beside `links` say the same."""
        if isinstance(data, dict) and isinstance(data.get("links"), dict) and set(data["links"]) == {"generate"}:
            if data.get("generate") is not None:
                raise ValueError("`generate` stands twice in this fabric")
            return {**{k: v for k, v in data.items() if k != "links"}, "generate": data["links"]["generate"]}
        return data
