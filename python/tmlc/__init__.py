"""TML models in Python: compile them, run them, call their functions, with NumPy in and out.

    import numpy as np, tmlc
    pid = tmlc.compile("pid.tml")
    y = pid.simulate({"error": np.ones(500)}, params={"ki": 0.25})
    y["u"][-1]

The command `tmlc` makes a shared library, which stays in a cache; docs/python.md tells more.
"""

from typing import Any

from tmlc._batch import Runs, Sample, lognormal, normal, uniform
from tmlc._command import CompileError, Diagnostic, MissingCommand
from tmlc._ensemble import ensemble
from tmlc._fit import Hold, hold
from tmlc._function import Function
from tmlc._instance import Instance, Snapshot
from tmlc._linear import Linearized
from tmlc._model import Model, check, compile, load
from tmlc._results import Results
from tmlc._source import CompileWarning
from tmlc._trap import Trap
from tmlc._variable import Io, Variable

__version__ = "0.1.0"
__all__ = [
    "CompileError", "CompileWarning", "Diagnostic", "Function", "Hold", "Instance", "Io", "Linearized", "MissingCommand",
    "Model", "Results", "Runs", "Sample", "Snapshot", "Trap", "Variable", "check", "compile", "ensemble", "hold", "load",
    "lognormal", "normal", "uniform",
]


def load_ipython_extension(shell: Any) -> None:
    from tmlc import _magic

    _magic.load(shell)
