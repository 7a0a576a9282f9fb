"""Simple drawings of a plan from one layer of shapes: fabrics by tier, pathways cut across."""
