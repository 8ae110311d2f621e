"""A sitting without a screen: what a follow-up means, what is said of an entry, sessions on disk."""
