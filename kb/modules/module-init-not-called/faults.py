def faults(host):
    yield from host.without_statement("__init__")
