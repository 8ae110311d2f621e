def faults(host):
    yield from host.with_text("D(fake.detach())", "D(fake)")
    yield from host.with_text("loss.backward()\n", "loss.backward(); loss.backward()\n")
    yield from host.with_text(
        "memory = encoder(source, src_key_padding_mask=padding)\n",
        "memory = encoder(source, src_key_padding_mask=padding)\nmemory.sum().backward()\n",
    )
    yield from host.with_text("running += loss.detach()", "running = running + loss; running.backward()")
    yield from host.with_text("totals.append(sum(rewards))", "totals.append(sum(rewards)); loss.backward()")
