"""The sheets of the workbook for purchasing, and the mechanics of a workbook."""
