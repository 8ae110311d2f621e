"""A GPU where there is none: what `build.py` runs is computed on the CPU, and its tensors remember that they
are on `cuda`, so that one that was left behind is told of.
"""

import torch
from torch.overrides import TorchFunctionMode

# Of what wants its tensors on one device, the names; of all else nothing is said.
TOGETHER = frozenset(
    """
    linear bilinear matmul mm bmm addmm baddbmm einsum dot mv conv1d conv2d conv3d conv_transpose1d
    conv_transpose2d embedding batch_norm layer_norm group_norm lstm gru rnn_tanh rnn_relu lstm_cell gru_cell
    scaled_dot_product_attention multi_head_attention_forward cross_entropy nll_loss mse_loss l1_loss
    smooth_l1_loss binary_cross_entropy binary_cross_entropy_with_logits kl_div add sub mul div true_divide
    __add__ __radd__ __sub__ __rsub__ __mul__ __rmul__ __truediv__ __matmul__ add_ sub_ mul_ div_ eq __eq__
    where cat concat stack gather maximum minimum
    """.split()
)
CPU = torch.device("cpu")
GET_DEVICE, GET_IS_CUDA = torch.Tensor.device.__get__, torch.Tensor.is_cuda.__get__
NAMES_DEVICE = (torch.device, torch._C._nn._parse_to)
SET_DATA = torch.Tensor.data.__set__
ON = "_torchwhy_device"  # an attribute of a tensor
QUIET = "synchronize empty_cache reset_peak_memory_stats manual_seed manual_seed_all set_device init".split()
COUNTED = "memory_allocated max_memory_allocated memory_reserved max_memory_reserved current_device".split()


def device_of(tensor):
    return tensor.__dict__.get(ON, CPU) if isinstance(tensor, torch.Tensor) else CPU


def tensors_in(value):
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, (list, tuple, dict)):
        for each in value.values() if isinstance(value, dict) else value:
            yield from tensors_in(each)


def wanted_device(value):
    """The GPU that an argument names; None where it names none."""
    if isinstance(value, str) and value.partition(":")[0] == "cuda":
        value = torch.device(value)
    if isinstance(value, torch.device) and value.type == "cuda":
        return torch.device("cuda", value.index or 0)
    return None


class MadeBelieve(TorchFunctionMode):
    """Every call of torch's, with the devices taken out and kept beside the tensors."""

    def __torch_function__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        name = getattr(func, "__name__", "")
        if func in NAMES_DEVICE:
            return func(*args, **kwargs)
        if func == GET_DEVICE:
            return device_of(args[0])
        if func == GET_IS_CUDA:
            return device_of(args[0]).type == "cuda"
        given = [*tensors_in(args), *tensors_in(kwargs)]
        devices = [device_of(each) for each in given]
        self.look(name, given, devices)
        if name == "pin_memory":
            return args[0]
        if name in ("cuda", "cpu") and given:
            return self.moved(given[0], torch.device("cuda", 0) if name == "cuda" else CPU)
        if name == "to" and len(args) > 1 and isinstance(args[1], torch.Tensor):
            return self.moved(args[0].to(args[1].dtype), devices[1])
        named = [*args, *kwargs.values()]
        target = next((each for each in map(wanted_device, named) if each), None)
        if target is None and "cpu" in (str(each) for each in named if isinstance(each, (str, torch.device))):
            target = CPU
        args = tuple(CPU if wanted_device(each) else each for each in args)
        kwargs = {key: CPU if wanted_device(each) else each for key, each in kwargs.items()}
        result = func(*args, **kwargs)
        if name == "to" and given and target is not None:
            return self.moved(result, target, result is given[0])
        if func == SET_DATA:
            self.keep(given[0], devices[1])
        else:
            on_gpu = target or next((each for each in devices if each != CPU), CPU)
            for each in tensors_in(result):
                if not any(each is other for other in given):
                    self.keep(each, on_gpu)
        return result

    @staticmethod
    def keep(tensor, device):
        if device != device_of(tensor):
            tensor.__dict__[ON] = device

    def moved(self, tensor, device, is_same=True):
        """A tensor on another device: a copy where it was elsewhere."""
        if is_same and device_of(tensor) == device:
            return tensor
        copy = tensor.clone() if is_same else tensor
        self.keep(copy, device)
        return copy

    @staticmethod
    def look(name, given, devices):
        """Raise what a GPU would, where the tensors of a call are on different devices."""
        if name in ("numpy", "__array__") and devices and devices[0] != CPU:
            raise TypeError(
                "can't convert %s device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host "
                "memory first." % devices[0]
            )
        if name in TOGETHER:
            found = list(dict.fromkeys(each for each, of in zip(devices, given) if of.dim() or each != CPU))
            if len(found) > 1:
                raise RuntimeError(
                    "Expected all tensors to be on the same device, but found at least two devices, "
                    "%s and %s!" % (found[0], found[1])
                )


def make_believe():
    """Switch it on, for all that the program does."""
    cuda = torch.cuda
    for name in QUIET:
        setattr(cuda, name, lambda *given, **named: None)
    for name in COUNTED:
        setattr(cuda, name, lambda *given, **named: 0)
    cuda.is_available = lambda: True
    cuda.device_count = lambda: 1
    cuda.get_device_name = lambda *given: "a GPU"
    load, new = torch.load, torch.nn.Parameter.__new__

    def __new__(cls, data=None, requires_grad=True):
        result = new(cls, data, requires_grad)
        MadeBelieve.keep(result, device_of(data))
        return result

    torch.nn.Parameter.__new__ = __new__

    def loaded(f, map_location=None, *given, **named):
        result = load(f, "cpu", *given, **named)
        for each in tensors_in(result) if map_location is not None else ():
            MadeBelieve.keep(each, wanted_device(map_location) or CPU)
        return result

    torch.load = loaded
    MadeBelieve().__enter__()
