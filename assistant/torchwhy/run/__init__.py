"""Running a command as it is, and what is known of it when it failed."""
