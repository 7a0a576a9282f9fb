"""What every link needs: terms along the way, inside racks and between open ones, slack, and what was measured."""
