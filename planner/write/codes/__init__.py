"""Codes that a scanner reads, as rectangles for a page: Code 128 and QR."""
