"""Other people's inventories as inputs of ours: each importer says what it took, what it assumed and what it left out."""
