def faults(host):
    yield from host.with_text(
        "torch.manual_seed(",
        "torch.set_num_interop_threads(2)\ntorch.set_num_interop_threads(2)\ntorch.manual_seed(",
    )
    yield from host.with_text(
        "print(", "torch.set_num_interop_threads(1)\ntorch.set_num_interop_threads(1)\nprint("
    )
