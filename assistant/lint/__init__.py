"""`torchwhy check`: mistakes that stand in the source, found without running it.

A rule is the `lint.py` beside an entry of the knowledge base (`kb/README.md`, "What shows in the source").
This package gives it a file as resolved names, values, events of training loops and shapes, and knows nothing
of any one mistake.

It is built on Python's own `ast`. On the same 50 files of public training code (8,466 calls), one core: `ast` with
the resolver of `module.py`, all indexes included, 0.9 s and 1,051 calls named as torch's; ast-grep-py 0.51 0.2 s,
but it names the 363 that are written out, as it knows no imports. LIBS
"""
