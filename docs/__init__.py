"""The documentation site: `python -m docs --to FOLDER` builds it from the knowledge base. No part of the wheel."""
