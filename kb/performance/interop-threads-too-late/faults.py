def faults(host):
    yield from host.with_text(
        "torch.manual_seed(",
        "torch.set_num_interop_threads(2)\ntorch.set_num_interop_threads(2)\ntorch.manual_seed(",
    )
    yield from host.with_text(
        "print(", "torch.set_num_interop_threads(1)\ntorch.set_num_interop_threads(1)\nprint("
    )
    # Another number was set first: which one is meant?
    yield from host.with_text(
        "torch.manual_seed(",
        "torch.set_num_interop_threads(2)\ntorch.set_num_interop_threads(4)\ntorch.manual_seed(",
    )
