"""Strings: plain text, languages, phrases, Markdown quoting, CJK wrapping, redaction."""
