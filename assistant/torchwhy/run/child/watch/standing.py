"""What stands in the place of a function of torch's while a program is watched, and how it is put back."""

from __future__ import annotations

import functools
import gc
import inspect
import sys
import types

from torchwhy_watch_frames import PASSES_ON

OWN_STANDING = 2  # references to what is put back: its record's, and the question's


class Standing:
    """What stands in the place of a function that is written in C: it counts as that function.

    A program may look it up (`__torch_function__` is given the original) and save it in a checkpoint.
    """

    def __eq__(self, other):
        return self.__wrapped__ == (other.__wrapped__ if isinstance(other, Standing) else other)

    def __hash__(self):
        return hash(self.__wrapped__)

    def __repr__(self):
        return repr(self.__wrapped__)

    def __reduce_ex__(self, protocol):
        return self.__wrapped__.__reduce_ex__(protocol)


def standing(original, made):
    """`made` in the place of `original`, with as few frames between as there are."""
    if isinstance(original, types.FunctionType):
        return functools.wraps(original)(made)

    def get(self, owner, kind=None):
        return self if owner is None else types.MethodType(made, owner)

    parts = {"__call__": staticmethod(made)}
    if not isinstance(original, types.BuiltinFunctionType):  # a class has it as a method
        parts["__get__"] = get
    return functools.update_wrapper(type("Standing", (Standing,), parts)(), original)


def passed_on(*args, _torchwhy, **kwargs):
    """What stands in a function of `Within`."""
    return _torchwhy(*args, **kwargs)


class Replaced:
    """An attribute in whose place something else stands."""

    __slots__ = ("owner", "name", "original", "new", "inherited")

    def __init__(self, owner, name, original, new):
        self.owner, self.name, self.original, self.new = owner, name, original, new
        self.inherited = name not in vars(owner)

    def put(self):
        if getattr(self.owner, self.name, None) is self.original:
            setattr(self.owner, self.name, self.new)

    def put_back(self):
        if vars(self.owner).get(self.name) is not self.new:
            return  # somebody stands before us: it passes through, since we are not live
        if self.inherited:
            delattr(self.owner, self.name)
        else:
            setattr(self.owner, self.name, self.original)


class Within:
    """A function of a module that does something else and is the same object: a program may keep it
    (`self.loss = F.mse_loss`), pickle it, look it up, and have it compiled.
    """

    __slots__ = ("owner", "name", "original", "new", "made", "code", "options", "signature")

    def __init__(self, owner, name, function, make):
        self.owner, self.name, self.new = owner, name, function
        self.code, self.options = function.__code__, function.__kwdefaults__
        copy = types.FunctionType(self.code, function.__globals__, function.__name__, function.__defaults__)
        self.original = functools.update_wrapper(copy, function)
        copy.__kwdefaults__ = self.options
        del copy.__wrapped__
        self.made, self.signature = make(copy), inspect.signature(copy)

    def put(self):
        function = self.new
        if function.__code__ is self.code:
            function.__kwdefaults__ = dict(self.options or {}, _torchwhy=self.made)
            # of another file than the watch's own calls, which are not counted as the program's
            function.__code__ = passed_on.__code__.replace(co_name=self.name, co_filename=PASSES_ON)
            function.__wrapped__ = self.original
            function.__signature__ = self.signature  # for `getfullargspec`, which follows no wrappers

    def put_back(self):
        function = self.new
        if "_torchwhy" in (function.__kwdefaults__ or {}):
            function.__code__ = self.code
            function.__kwdefaults__ = self.options
            del function.__wrapped__, function.__signature__


def give_back(record):
    """Where the program has kept what stood in the place of a function (`self.act = torch.sqrt`), it gets
    that function: a compiler knows no other.
    """
    for holder in gc.get_referrers(record.new):
        if type(holder) in (dict, list):
            for key, value in list(holder.items() if type(holder) is dict else enumerate(holder)):
                if value is record.new:
                    holder[key] = record.original


class Replacing:
    """The functions that a watch has replaced; `inner`: those that a compiler or a tracer would see."""

    def replace(self, owner, name, make, inner=False):
        """Put `make(original)` in the place of an attribute. `inner`: seen by a compiler or tracer."""
        original = getattr(owner, name, None)
        if original is None:
            return
        of_module = type(owner) is types.ModuleType and type(original) is types.FunctionType
        try:
            if of_module and not original.__closure__:
                record = Within(owner, name, original, make)
            else:
                record = Replaced(owner, name, original, standing(original, make(original)))
        except (AttributeError, TypeError):
            return
        if of_module and type(record) is Replaced:
            record.new.__module__ = owner.__name__  # where a pickle looks for it
        record.put()
        self.replaced.append(record)
        if inner:
            self.inner.append(record)

    def put_back(self, records):
        for record in reversed(records):
            record.put_back()
        for record in records:
            if type(record) is Replaced and sys.getrefcount(record.new) > OWN_STANDING:
                give_back(record)
