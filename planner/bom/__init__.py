"""What a plan needs bought: purchase lines, spares, stock on hand, kits, money, and where the figures come from."""
