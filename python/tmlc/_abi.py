"""The table of a model as runtime/abi/model.h declares it, for ctypes.

Nothing else in the package knows how the table lies in memory. A test compares each size and offset with
what a C compiler says.
"""

from __future__ import annotations

import ctypes as c

VERSION = 6  # TML_MODEL_VERSION

OK, BAD_ARGUMENT = 0, 1
INDEX, DIVISION, STEP, ASSERT = 1001, 1002, 1003, 1004

ROLES = ("input", "output", "param", "constant", "variable", "debug")
ROOTS = ("bool", "uint", "int", "real")
COMPONENT = 0


class Fault(c.Structure):
    _fields_ = [
        ("code", c.c_int32),
        ("file", c.c_uint32),
        ("line", c.c_uint32),
        ("column", c.c_uint32),
        ("index", c.c_int64),
        ("length", c.c_uint64),
        ("step", c.c_uint64),
    ]


class Type(c.Structure):
    _fields_ = [
        ("root", c.c_uint8),
        ("real_bytes", c.c_uint8),
        ("depth", c.c_uint16),
        ("flat_rank", c.c_uint16),
        ("level_ranks", c.POINTER(c.c_uint16)),
        ("dims", c.POINTER(c.c_uint32)),
    ]


class Variable(c.Structure):
    _fields_ = [
        ("name", c.c_char_p),
        ("space", c.c_char_p),
        ("role", c.c_uint8),
        ("feedthrough", c.c_uint8),
        ("optional", c.c_uint8),
        ("type", c.POINTER(Type)),
        ("offset", c.c_size_t),
        ("value", c.c_void_p),
    ]


class Io(c.Structure):
    _fields_ = [
        ("variable", c.c_uint32),
        ("dma", c.c_uint32),
        ("address", c.c_uint64),
        ("range", c.c_char_p),
        ("name", c.c_char_p),
    ]


class Line(c.Structure):
    _fields_ = [("file", c.c_uint32), ("line", c.c_uint32), ("text", c.c_char_p)]


# Plain pointers as arguments: callers keep what they point to alive.
Init = c.CFUNCTYPE(c.c_int32, c.c_void_p, c.c_void_p)
Step = c.CFUNCTYPE(c.c_int32, c.c_void_p, c.c_void_p, c.c_void_p, c.c_void_p)
StepN = c.CFUNCTYPE(c.c_int32, c.c_void_p, c.c_void_p, c.c_size_t, c.c_void_p, c.c_void_p)


LinearStart = c.CFUNCTYPE(c.c_int32, c.c_void_p, c.c_void_p, c.c_void_p)


class Linear(c.Structure):
    _fields_ = [
        ("state_count", c.c_uint32),
        ("input_count", c.c_uint32),
        ("param_count", c.c_uint32),
        ("output_count", c.c_uint32),
        ("variables", c.POINTER(Variable)),
        ("rows", c.c_uint32),
        ("columns", c.c_uint32),
        ("step", Step),
        ("start", LinearStart),
        ("fixed_count", c.c_uint32),
        ("fixed", c.POINTER(c.c_char_p)),
    ]


class Model(c.Structure):
    _fields_ = [
        ("version", c.c_uint32),
        ("kind", c.c_uint32),
        ("name", c.c_char_p),
        ("layout", c.c_uint64),
        ("params_bytes", c.c_size_t),
        ("inputs_bytes", c.c_size_t),
        ("outputs_bytes", c.c_size_t),
        ("state_bytes", c.c_size_t),
        ("fault_offset", c.c_size_t),
        ("variable_count", c.c_uint32),
        ("variables", c.POINTER(Variable)),
        ("defaults", c.c_void_p),
        ("inputs_defaults", c.c_void_p),
        ("init", Init),
        ("output", Step),
        ("update", Step),
        ("step", Step),
        ("step_n", StepN),
        ("file_count", c.c_uint32),
        ("files", c.POINTER(c.c_char_p)),
        ("text_count", c.c_uint32),
        ("texts", c.POINTER(c.c_char_p)),
        ("line_count", c.c_uint32),
        ("lines", c.POINTER(Line)),
        ("io_count", c.c_uint32),
        ("ios", c.POINTER(Io)),
        ("code", c.c_uint64),
        ("lanes", c.c_uint32),
        ("init_batch", Init),
        ("step_n_batch", StepN),
        ("linear", c.POINTER(Linear)),
    ]


# Of runtime/batch/batch.h.
KEEPS = ("last", "all", "max", "mean", "rms")
DISTRIBUTIONS = ("uniform", "normal", "lognormal")
STOPPED = 5
IN_INIT = (1 << 64) - 1  # step of a fault


class Sample(c.Structure):
    _fields_ = [
        ("property", c.c_void_p),
        ("element", c.c_uint64),
        ("distribution", c.c_uint32),
        ("a", c.c_double),
        ("b", c.c_double),
    ]


class BatchOutput(c.Structure):
    _fields_ = [("variable", c.c_void_p), ("data", c.c_void_p), ("stride", c.c_size_t)]


class Batch(c.Structure):
    _fields_ = [
        ("model", c.c_void_p),
        ("first", c.c_uint64),
        ("runs", c.c_uint64),
        ("steps", c.c_uint64),
        ("params", c.c_void_p),
        ("params_stride", c.c_size_t),
        ("samples", c.c_void_p),
        ("sample_count", c.c_size_t),
        ("seed", c.c_uint64),
        ("inputs", c.c_void_p),
        ("inputs_stride", c.c_size_t),
        ("keep", c.c_uint32),
        ("threads", c.c_uint32),
        ("outputs", c.c_void_p),
        ("output_count", c.c_size_t),
        ("used_params", c.c_void_p),
        ("faults", c.c_void_p),
        ("memory", c.c_void_p),
        ("stop", c.c_void_p),
    ]


def tables(library: c.CDLL) -> list[Model]:
    """The models of a shared library, none if it says nothing of any."""
    try:
        find = library.tml_models
    except AttributeError:
        return []
    find.restype = c.POINTER(Model)
    find.argtypes = [c.POINTER(c.c_size_t)]
    count = c.c_size_t(0)
    first = find(c.byref(count))
    return [first[i] for i in range(count.value)]
