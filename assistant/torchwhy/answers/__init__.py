"""An answer to one text: its parts, weighed by facts, as sections, Markdown and JSON."""
