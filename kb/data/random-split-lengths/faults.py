SHARES = """shares = (0.7, 0.15, 0.15)


def cut(rows):
    sizes = [int(len(rows) * each) for each in shares]
    return torch.utils.data.random_split(rows, sizes)


assert [len(each) for each in cut(torch.utils.data.TensorDataset(torch.ones(11, 2)))] == [7, 1, 3]
"""


def faults(host):
    yield from host.with_text("torch.manual_seed(", f"{SHARES}torch.manual_seed(")
    for lengths, count in (("[12, 3]", 15), ("[32, 8]", 40), ("[16, 4]", 20)):
        part = f"int(0.8 * {count})"
        yield from host.with_text(lengths, f"[{part}, int(0.19 * {count})]")
        yield from host.with_text(lengths, f"({part}, round({count} * 0.2) + 1)")
        yield from host.with_text(lengths, lengths.replace(", ", ", 1 + "))  # either may be the wrong one
        for last in (f"int(0.19 * {count})", f"{count} // 4"):
            names = f"most = {part}\nrest = {last}\n"
            for begin in ("train, held = random", "kept, held = random", "seen, held = random"):
                changed = host.text.replace(lengths, "[most, rest]").replace(begin, names + begin)
                if names in changed:
                    yield changed
