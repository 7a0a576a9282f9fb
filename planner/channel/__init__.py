"""The optical channel, judged fibre by fibre: maps, mating, loss, and the smallest repair."""
