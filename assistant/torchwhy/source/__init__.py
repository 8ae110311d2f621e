"""The user's source as answers and rules ask about it, read and never run: names, values, classes, calls,
shapes, and the order of what happens. It knows no mistake and no rule.

It is built on Python's own `ast`. Measured on the same 50 files of public training code (8,466 calls), CPU
seconds on one core: `ast` with the resolver of `module.py` and all of its indexes 0.9 s, 1,051 calls named as
torch's. ast-grep-py 0.51: 0.2 s, but 363 named, as it knows no imports. astroid 4.3: 5.9 s; its inference
gives up where torch is not installed. LibCST 1.5 with metadata: 39.5 s, 1,092 named.
"""
