"""Turning a plan's rows into files: the only code, beside the store, that writes."""
