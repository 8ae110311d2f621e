"""`torchwhy check`: mistakes that stand in the source, found without running it.

A rule is the `lint.py` beside an entry of the knowledge base (`kb/README.md`, "What shows in the source").
This package gives it a file as resolved names, values, events of training loops and shapes, and knows nothing
of any one mistake.

MEASURED
"""
