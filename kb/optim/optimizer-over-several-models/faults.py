def faults(host):
    yield from host.with_text(
        "list(encoder.parameters()) + list(decoder.parameters())",
        "encoder.parameters() + decoder.parameters()",
    )
    yield from host.with_text(
        "list(reader.parameters()) + list(model.parameters())", "reader.parameters() + model.parameters()"
    )
    yield from host.with_text(
        "list(reader.parameters()) + list(model.parameters())",
        "list(reader.parameters()) + model.parameters()",
    )
    yield from host.with_text("[*trunk.parameters(), scale]", "[trunk.parameters(), scale]")
    for optimizer in ("Adam", "AdamW", "SGD", "RMSprop", "Adagrad"):
        yield from host.with_argument(optimizer, 0, "[{}]")
    for model in ("model", "net", "tagger", "G", "D", "student", "model.head", "policy"):
        yield from host.with_text(f"({model}.parameters(), ", f"({model}, ")
        yield from host.with_text(f"({model}.parameters(), ", f"({model}.parameters, ")
        yield from host.with_text(f"({model}.parameters(), ", f"({model}.state_dict(), ")
        yield from host.with_text(f"({model}.parameters(), ", f"({model}.named_parameters(), ")
