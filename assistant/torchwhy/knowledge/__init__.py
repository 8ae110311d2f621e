"""The entries: their types, schema, loading, checks, and what was seen of them."""
