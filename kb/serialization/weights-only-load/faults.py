import re

LOAD = re.compile(r"torch\.load\((?:[^()]|\([^()]*\))*\)")


def faults(host):
    yield from host.without_call("state_dict")
    for odd in (
        '__import__("datetime").date(2024, 1, 1)',
        "np.float64(1)",
        '__import__("pathlib").PurePosixPath("a")',
    ):
        for text in host.with_argument("save", 0, f'{{"weights": {{}}, "made": {odd}}}'.replace("{}", "{}")):
            yield LOAD.sub(lambda load: f'{load[0]}["weights"]', text)
            yield text  # and the load is of the whole file, so that an edit of it is not all
    yield from host.with_argument("save", 0, "[{}, np.float64(1)]")
