"""Topologies by arithmetic: each generator makes the same rows as an explicit list of links."""
