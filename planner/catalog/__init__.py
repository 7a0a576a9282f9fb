"""What exists and what is allowed: parts, racks, pathways, rates and prices, each figure with its source."""
