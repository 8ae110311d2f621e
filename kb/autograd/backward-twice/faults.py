def faults(host):
    yield from host.without_call("detach")
    yield from host.with_text(
        "start = torch.zeros(self.layers, ids.size(0), self.hidden)\n",
        "start = self.__dict__.setdefault('start', self.table.weight.new_zeros(2, ids.size(0), self.hidden) + self.out.bias.sum())\n",
    )
    yield from host.with_text("running += loss.detach()", "running += loss\n        running.backward()")
    yield from host.with_text("    loss.backward()\n", "    loss.backward()\n    loss.backward()\n")
    yield from host.with_text(
        "memory = encoder(source, src_key_padding_mask=padding)\n",
        "memory = encoder(source, src_key_padding_mask=padding)\nmemory.sum().backward()\n",
    )
    yield from host.with_text("loss_g.backward()", "loss_d.backward()")
    yield from host.with_text(
        "totals.append(sum(rewards))", "totals.append(sum(rewards))\n    loss.backward()"
    )
