def faults(host):
    for loss in ("CrossEntropyLoss", "MSELoss", "BCELoss", "BCEWithLogitsLoss"):
        yield from host.with_keyword(loss, 'reduction="none"')
    for loss in ("cross_entropy", "nll_loss", "mse_loss", "smooth_l1_loss"):
        yield from host.with_keyword(loss, 'reduction="none"')
    yield from host.with_text("pow(2).mean()", "pow(2)")
    yield from host.with_text("* returns).sum()", "* returns)")
    yield from host.with_text("return (same + apart) / len(x)", "return same + apart * torch.ones(len(x))")
