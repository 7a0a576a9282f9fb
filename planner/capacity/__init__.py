"""Leading cables around over-full pathways, exits and managers.

`problem` says what lies where and what may move, `negotiate` finds ways by rounds, `programme` finishes, `proof` says
what no ways can mend.
"""
