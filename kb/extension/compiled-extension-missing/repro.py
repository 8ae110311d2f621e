"""A package catches the failing import of its compiled part, so that its first use fails with a NameError.
Building the part into the package, as its installation should have done, cures it."""

import importlib
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

import torch

PYTHON = """
import warnings
try:
    from fastops import _C
except ImportError:
    warnings.warn("the compiled part of fastops was not loaded")

def doubled(x):
    return _C.doubled(x)
"""
SOURCE = """
#include <Python.h>
static PyObject* doubled(PyObject* self, PyObject* x) { return PyNumber_Add(x, x); }
static PyMethodDef methods[] = {{"doubled", doubled, METH_O, ""}, {NULL, NULL, 0, NULL}};
static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "_C", "", -1, methods};
PyMODINIT_FUNC PyInit__C(void) { return PyModule_Create(&module); }
"""


def build(package):
    include = sysconfig.get_paths()["include"]
    if not Path(include, "Python.h").is_file():
        print("Python.h is not installed", file=sys.stderr)
        sys.exit(125)
    (package / "part.c").write_text(SOURCE)
    library = package / ("_C" + sysconfig.get_config_var("EXT_SUFFIX"))
    subprocess.run(["g++", "-x", "c", "-shared", "-fPIC", f"-I{include}", str(package / "part.c"), "-o", str(library)], check=True)


def use(prepare):
    with tempfile.TemporaryDirectory() as folder:
        package = Path(folder, "fastops")
        package.mkdir()
        (package / "__init__.py").write_text(PYTHON)
        prepare(package)
        sys.path.insert(0, folder)
        fastops = importlib.import_module("fastops")
        print(fastops.doubled(torch.ones(3)))


def broken():
    use(lambda package: None)


def fixed():
    use(build)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
