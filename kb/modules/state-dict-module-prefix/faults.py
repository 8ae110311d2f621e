def faults(host):
    yield from host.with_call("state_dict", '{"module." + key: each for key, each in {}.items()}')
    yield from host.with_call("state_dict", '{"_orig_mod." + key: each for key, each in {}.items()}')
    yield from host.with_text(".load_state_dict(", ".load_state_dict.__self__.load_state_dict(")
