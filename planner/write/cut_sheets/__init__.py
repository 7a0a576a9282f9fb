"""Cut sheets as PDF: a cover, and for each rack what to fetch, which plugs go in, and the cables in the order of work.

Pages are laid out first (heights only) and drawn afterwards, so that each can say which page of how many it is.
"""
