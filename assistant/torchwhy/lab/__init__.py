"""For maintainers: measuring and fitting the ranking, training the adapter."""
