def faults(host):
    yield from host.without_argument("pack_padded_sequence", "enforce_sorted")
    yield from host.with_argument("pack_padded_sequence", 1, "{}.unsqueeze(1)")
    yield from host.with_argument("pack_padded_sequence", 1, "{} - 9")
    yield from host.with_argument("pack_padded_sequence", 1, "{}.float()")
    yield from host.with_text(
        "states, _ = self.lstm(self.table(ids),",
        "packed = nn.utils.rnn.pack_padded_sequence(self.table(ids), (ids != 0).sum(1), batch_first=True)\n        states, _ = self.lstm(self.table(ids),",
    )
    yield from host.with_text(
        "x, last = self.gru(x.transpose(1, 2))",
        "x, last = self.gru(nn.utils.rnn.pack_padded_sequence(x.transpose(1, 2), torch.arange(len(x)) + 1, batch_first=True))",
    )
    yield from host.with_text(
        "tags = pad_sequence", "packed = nn.utils.rnn.pack_sequence(sentences)\ntags = pad_sequence"
    )
