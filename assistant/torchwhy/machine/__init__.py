"""Facts of a machine: from /proc, NVML, another Python, or a pasted report."""
