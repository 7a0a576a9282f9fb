"""The only code that opens input files: YAML with places, the project and its includes, link lists in CSV."""

from planner.reader.csv_source import ANY_PORTS, LinkCsv, StockCsv, read_link_csv, read_stock_csv
from planner.reader.json_source import mapping_of, sequence_of, tree_of_json
from planner.reader.project_source import UNREADABLE_RULES, ProjectSource, read_project
from planner.reader.sources import SourceFile, Sources, mapping_in
from planner.reader.yaml_source import Value, YamlMap, YamlSeq, key_spot_at, load_yaml, spot_at

__all__ = [
    "ANY_PORTS",
    "UNREADABLE_RULES",
    "LinkCsv",
    "ProjectSource",
    "SourceFile",
    "Sources",
    "StockCsv",
    "Value",
    "YamlMap",
    "YamlSeq",
    "key_spot_at",
    "load_yaml",
    "mapping_in",
    "mapping_of",
    "read_link_csv",
    "read_project",
    "read_stock_csv",
    "sequence_of",
    "spot_at",
    "tree_of_json",
]
