"""`torchwhy check`: mistakes that stand in the source, found without running it.

A rule is the `lint.py` beside an entry of the knowledge base (`kb/README.md`, "What shows in the source").
This package gives it a file as resolved names, values, events of training loops and shapes, and knows nothing
of any one mistake.

It is built on Python's own `ast`. Measured on the same 50 files of public training code (8,466 calls), CPU
seconds on one core: `ast` with the resolver of `module.py` and all of its indexes 0.9 s, 1,051 calls named as
torch's. ast-grep-py 0.51: 0.2 s, but 363 named, as it knows no imports. astroid 4.3: 5.9 s; its inference
gives up where torch is not installed. LibCST 1.5 with metadata: 39.5 s, 1,092 named.

TorchFix 0.7, built on LibCST, took 34.9 s for 111 files for which this took 1.2 s, its start included.
"""
