"""Optional: an answer in the words of the user's own language model."""
