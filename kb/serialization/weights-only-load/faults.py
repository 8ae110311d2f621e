def faults(host):
    yield from host.without_call("state_dict")
    yield from host.with_argument("save", 0, '{"all": {}, "when": __import__("datetime").date(2024, 1, 1)}')
    yield from host.with_argument("save", 0, "[{}, np.float64(1)]")
    yield from host.with_argument("save", 0, '{"all": {}, "where": __import__("pathlib").PurePosixPath("a")}')
