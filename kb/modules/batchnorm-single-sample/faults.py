def faults(host):
    yield from host.without_statement("eval")
    yield from host.with_text("start : start + 5]", "start : start + 1]")
    yield from host.with_text("model.train()\n", "model.train()\n    model(pictures[:1])\n")
    yield from host.with_text("views = pixels.permute", "views = pixels[:1].permute")
    norm = "norm = torch.nn.BatchNorm1d(4)\n"
    for lines in (
        "for part in torch.utils.data.DataLoader(torch.ones(9, 4), batch_size=4):\n    norm(part)",
        "parts = torch.utils.data.DataLoader(torch.ones(5, 4), 2)\nfor number, part in enumerate(parts):\n    norm(part)",
        "row = torch.ones(1, 4)\nwith torch.no_grad():\n    norm(row)",
    ):
        yield from host.with_text("torch.manual_seed(", f"{norm}{lines}\n{{}}")
    yield from host.with_text("\nprint(", f"\n{norm}row = torch.ones(1, 4)\nshown = norm(row)\nprint(")
    yield from host.with_text(
        "single, maps = trunk(views[:1])", "trunk.train()\n    single, maps = trunk(views[:1])"
    )
