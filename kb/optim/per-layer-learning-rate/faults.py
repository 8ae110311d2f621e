LAYERS = ("head", "out", "fc2", "last", "project", "table", "users", "q", "net", "body", "decoder")


def faults(host):
    for optimizer in ("Adam", "AdamW", "SGD", "RMSprop", "Adagrad"):
        for model in ("model", "net", "tagger", "G", "D", "policy", "own"):
            for layer in LAYERS:
                if f"self.{layer} = " not in host.text or f"({model}.parameters(), lr=" not in host.text:
                    continue
                rate = host.text.split(f"({model}.parameters(), lr=")[1].split(")")[0].split(",")[0]
                groups = f'[{{"params": {model}.parameters()}}, {{"params": {model}.{layer}.parameters(), "lr": {rate}}}]'
                yield from host.with_argument(optimizer, 0, groups)
        yield from host.with_argument(optimizer, 0, "[{'params': {}}, {'params': {}, 'lr': 0.1}]")
        yield from host.with_argument(optimizer, 0, "[{'params': []}, [*{}]]")
        yield from host.with_argument(optimizer, 0, "[{}, {'params': [torch.nn.Parameter(torch.zeros(1))]}]")
