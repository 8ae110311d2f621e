"""The documentation site, built from the knowledge base: `python -m docs --to FOLDER`. No part of the wheel."""
