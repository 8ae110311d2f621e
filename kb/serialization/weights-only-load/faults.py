import re

LOAD = re.compile(r"torch\.load\((?:[^()]|\([^()]*\))*\)")
DATE, PATH = '__import__("datetime").date(2024, 1, 1)', '__import__("pathlib").PurePosixPath("a")'
NUMBER = '__import__("numpy").float64(0.5)'


def faults(host):
    yield from host.without_call("state_dict")
    for odd in (DATE, NUMBER, PATH):
        for text in host.with_argument("save", 0, f'{{"weights": {{}}, "made": {odd}}}'):
            yield LOAD.sub(lambda load: f'{load[0]}["weights"]', text)
