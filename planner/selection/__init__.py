"""Choosing the parts: which assemblies a kind of link may have, which each link takes, and why not the others."""
