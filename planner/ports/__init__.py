"""Ports that the topology leaves open, and which ones links take."""
