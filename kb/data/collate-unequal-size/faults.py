OWN = """class Texts(torch.utils.data.Dataset):
    def __init__(self, lengths):
        self.lengths = lengths

    def __len__(self):
        return len(self.lengths)

    def __getitem__(self, at):
        return torch.ones(self.lengths[at]), at


{function}


for texts, numbers in torch.utils.data.DataLoader(Texts([2, 5, 3]), batch_size=3{more}):
    assert texts.shape == (3, 5) and len(numbers) == 3
"""
PADDED = """def padded(samples):
    texts, numbers = zip(*samples)
    return torch.nn.utils.rnn.pad_sequence(texts, batch_first=True), torch.tensor(numbers)"""
BY_HAND = """def joined(rows):
    longest = max(len(text) for text, _ in rows)
    texts = [torch.nn.functional.pad(text, (0, longest - len(text))) for text, _ in rows]
    return torch.stack(texts), [number for _, number in rows]"""
TWO = f"{PADDED}\n\n\n{BY_HAND}"  # either may be the one
FORMS = ((PADDED, ""), (BY_HAND, ""), (PADDED, ", shuffle=False"), (BY_HAND, ", drop_last=True"), (TWO, ""))


def faults(host):
    for function, more in FORMS:
        text = OWN.format(function=function, more=more)
        yield from host.with_text("torch.manual_seed(", f"{text}torch.manual_seed(")
    yield from host.without_argument("DataLoader", "collate_fn")
    yield from host.with_text("return image, mask", "return image[:, : 9 + index % 5], mask")
    yield from host.with_text("return image, mask", "return image[: 1 + index % 3], mask")
    yield from host.with_text("return path, index % CLASSES", "return path, torch.ones(1 + index % 3)")
    uneven = "[(each, label.expand(1 + at % 2)) for at, (each, label) in enumerate(zip(images, labels))]"
    first = "def first(batch):\n    return torch.stack([x for x, _ in batch]), torch.stack([y[0] for _, y in batch])\n\n\n"
    yield from host.with_text("(TensorDataset(images, labels)", f"({uneven}")
    yield from host.with_text(
        "loader = DataLoader(TensorDataset(images, labels)", f"{first}loader = DataLoader({uneven}"
    )
    uneven = "[(a, b, c.expand(1 + at % 2)) for at, (a, b, c) in enumerate(zip(who, what, stars))]"
    first = "def joined(rows):\n    return [torch.stack([part.reshape(-1)[0] for part in each]) for each in zip(*rows)]\n\n\n"
    yield from host.with_text("TensorDataset(who, what, stars)", uneven)
    if "TensorDataset(who, what, stars)" in host.text:
        changed = host.text.replace("TensorDataset(who, what, stars)", uneven)
        yield changed.replace("torch.manual_seed(10)", first + "torch.manual_seed(10)")
    if "return image, mask" in host.text:
        changed = host.text.replace("return image, mask", "return image, mask.expand(1 + index % 2, -1, -1)")
        cut = "def cut(pairs):\n    return torch.stack([a for a, _ in pairs]), torch.stack([b[:1] for _, b in pairs])\n\n\n"
        yield changed.replace("class UNet", cut + "class UNet")
