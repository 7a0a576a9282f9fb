"""Which way each pair of racks takes: shortest routes, the user's policy, and groups kept apart."""
