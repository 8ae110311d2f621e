def faults(host):
    yield from host.without_argument("pack_padded_sequence", "enforce_sorted")
    yield from host.with_argument("pack_padded_sequence", 1, "{}.unsqueeze(1)")
    yield from host.with_argument("pack_padded_sequence", 1, "{} - 9")
    yield from host.with_argument("pack_padded_sequence", 1, "{}.float()")
    yield from host.with_text(
        "states, _ = self.lstm(self.table(ids),",
        "packed = nn.utils.rnn.pack_padded_sequence(self.table(ids), (ids != 0).sum(1), batch_first=True)\n        states, _ = self.lstm(self.table(ids),",
    )
    packed = "nn.utils.rnn.pack_padded_sequence({}, torch.arange({}) + 1, batch_first=True)"
    yield from host.with_text(
        "        x, last = self.gru(",
        f"        packed = {packed.format('x', 'len(x)')}\n        x, last = self.gru(",
    )
    yield from host.with_text(
        "x, y = windows",
        f"packed = {packed.format('windows', '12').replace('nn.', 'torch.nn.')}\n        x, y = windows",
    )
    yield from host.with_text(
        "tags = pad_sequence", "packed = nn.utils.rnn.pack_sequence(sentences)\ntags = pad_sequence"
    )
    unsorted = "nn.utils.rnn.pack_sequence([torch.ones(2), torch.ones(3)])"
    for optimizer in ("optimizer", "opt"):
        yield from host.with_text(f"\n{optimizer} = ", f"\npacked = {unsorted}\n{optimizer} = ")
