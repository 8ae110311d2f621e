"""The documentation site, built from the knowledge base: `python -m docs --to FOLDER`. Not in the wheel."""
