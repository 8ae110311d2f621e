"""The logs of a whole cluster: one row a job, and what kills most of them (`torchwhy triage`)."""
