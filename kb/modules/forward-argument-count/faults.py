def faults(host):
    for model in ("model", "net", "tagger", "own", "cross", "encoder", "decoder", "G", "D", "policy"):
        yield from host.with_argument(model, 0, "{}, None, None, None")
        yield from host.with_argument(model, 0, "")
        yield from host.without_argument(model, 1)
    yield from host.with_text("def forward(self, ", "def forward(")
