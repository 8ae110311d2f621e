"""What `torchwhy run` puts into the Python programs that it starts: found by PYTHONPATH, not imported from
here.
"""
