def faults(host):
    yield from host.with_text(".parameters()", ".cuda().parameters()")
    yield from host.with_call("randn", "{}.cuda()")
    yield from host.with_argument("to", 0, '"cuda"')
    yield from host.with_keyword("zeros", 'device="cuda"')
    yield from host.with_keyword("Linear", 'device="cuda"')
