def faults(host):
    yield from host.with_text("from_numpy(table).float()", "from_numpy(table)")
    yield from host.with_text("from_numpy(prices).float()", "from_numpy(prices)")
    yield from host.with_text("from_numpy(self.paths[index]).float()", "from_numpy(self.paths[index])")
    yield from host.with_text("(self.waves[index]).float() / 255", "(self.waves[index] / 255)")
    yield from host.with_text(".astype(np.float32)", "")
    yield from host.with_text("torch.tensor([1.0, 2.0])", "torch.tensor([1.0, 2.0], dtype=torch.float64)")
    yield from host.with_text("rows = features[start : start + 10]", "{}.double()")
    yield from host.with_text("state, logs, rewards = torch.randn(4)", "{}.double()")
    if "nn.Embedding" in host.text:
        return  # whose models take ids
    for model in ("net", "encoder", "policy"):
        yield from host.with_argument(model, 0, "{}.double()")
    yield from host.with_argument("bce", 1, "{}.double()")
