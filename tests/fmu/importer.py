"""An importer of FMUs over ctypes: as much of FMI 2.0 and 3.0 for co-simulation as the tests want.

`Fmu(path, folder)` unpacks an archive and reads its description; `fmu.instance(name)` is an instance. Both
versions look alike: a variable is an array, whose scalars FMI 2 has one by one (`y[1,2]`).
"""

import ctypes
import dataclasses
import pathlib
import re
import xml.etree.ElementTree as ElementTree
import zipfile

OK, WARNING, DISCARD, ERROR = range(4)
INDEXED = re.compile(r"(.*)\[(\d+(?:,\d+)*)\]$")
ROOTS = {"Float64": ctypes.c_double, "Float32": ctypes.c_float, "Int32": ctypes.c_int32,
         "UInt32": ctypes.c_uint32, "Boolean": ctypes.c_bool, "String": ctypes.c_char_p}
OLD_ROOTS = {"Real": ctypes.c_double, "Integer": ctypes.c_int, "Boolean": ctypes.c_int,
             "String": ctypes.c_char_p}


@dataclasses.dataclass
class Variable:
    name: str
    kind: str  # the element: Float64, Real
    causality: str
    variability: str
    initial: str | None
    description: str
    references: list  # of all scalars in FMI 2; one in FMI 3
    shape: tuple
    start: list | None  # texts

    @property
    def count(self):
        count = 1
        for dim in self.shape:
            count *= dim
        return count


def variable_3(element):
    shape = tuple(int(dim.get("start")) for dim in element.findall("Dimension"))
    start = element.get("start", "").split() or [item.get("value") for item in element.findall("Start")]
    return Variable(element.get("name"), element.tag, element.get("causality"), element.get("variability"),
                    element.get("initial"), element.get("description"), [int(element.get("valueReference"))],
                    shape, start or None)


def variable_2(element):
    value = element[0]
    start = value.get("start")
    return Variable(element.get("name"), value.tag, element.get("causality"), element.get("variability"),
                    element.get("initial"), element.get("description"), [int(element.get("valueReference"))],
                    (), None if start is None else [start])


def joined(scalars):
    """The arrays of FMI 2, whose scalars stand in row-major order. Indices of instances are no arrays:
    what has levels says so in its description."""
    found = {}
    for scalar in scalars:
        match = INDEXED.match(scalar.name)
        if not match or "tensor" not in scalar.description:
            found[scalar.name] = scalar
            continue
        name, index = match[1], tuple(int(word) for word in match[2].split(","))
        if name not in found:
            found[name] = dataclasses.replace(scalar, name=name, references=[],
                                              start=None if scalar.start is None else [])
        variable = found[name]
        variable.references += scalar.references
        variable.shape = index  # the last one is the greatest
        if scalar.start is not None:
            variable.start += scalar.start
    return found


def dependencies_3(root, variables):
    """The names of the inputs that each output says it depends on."""
    names = {variable.references[0]: variable.name for variable in variables.values()}
    return {names[int(unknown.get("valueReference"))]: {names[int(word)] for word in unknown.get("dependencies").split()}
            for unknown in root.findall("ModelStructure/Output")}


def dependencies_2(root, variables):
    names = {reference: variable.name for variable in variables.values() for reference in variable.references}
    listed = [names[int(scalar.get("valueReference"))] for scalar in root.find("ModelVariables")]
    found = {}
    for unknown in root.findall("ModelStructure/Outputs/Unknown"):
        words = unknown.get("dependencies").split()
        found.setdefault(listed[int(unknown.get("index")) - 1], set()).update(listed[int(word) - 1] for word in words)
    return found


class Fmu:
    def __init__(self, path, folder, library=None):
        folder = pathlib.Path(folder)
        with zipfile.ZipFile(path) as archive:
            archive.extractall(folder)
            self.names = archive.namelist()
        self.folder = folder
        self.description = folder / "modelDescription.xml"
        root = ElementTree.parse(self.description).getroot()
        self.version = int(root.get("fmiVersion")[0])
        self.token = root.get("instantiationToken" if self.version == 3 else "guid")
        self.identifier = root.find("CoSimulation").get("modelIdentifier")
        self.step = float(root.find("DefaultExperiment").get("stepSize"))
        elements = root.find("ModelVariables")
        if self.version == 3:
            self.variables = {element.get("name"): variable_3(element) for element in elements}
            assert len(self.variables) == len(elements), "a name stands twice"
            self.depends = dependencies_3(root, self.variables)
        else:
            self.variables = joined(variable_2(element) for element in elements)
            self.depends = dependencies_2(root, self.variables)
        platform = "x86_64-linux" if self.version == 3 else "linux64"
        self.library = library or folder / "binaries" / platform / f"{self.identifier}.so"
        self.code = ctypes.CDLL(str(self.library))

    def instance(self, name="one", **options):
        return (Instance3 if self.version == 3 else Instance2)(self, name, **options)

    def of(self, causality):
        return [variable for variable in self.variables.values() if variable.causality == causality]


class Failure(Exception):
    def __init__(self, function, status, log):
        super().__init__(f"{function}: status {status}: {'; '.join(log)}")
        self.status = status


class Instance:
    """What both versions have; `log` has what the model told."""

    def __init__(self, fmu):
        self.fmu = fmu
        self.log = []

    def call(self, name, *arguments):
        """The status; more than a warning raises Failure."""
        status = self.status(name, *arguments)
        if status > WARNING:
            raise Failure(name, status, self.log)
        return status

    def status(self, name, *arguments):
        function = getattr(self.fmu.code, f"fmi{self.fmu.version}{name}")
        function.restype = ctypes.c_int
        return function(ctypes.c_void_p(self.handle), *arguments)

    def references(self, variable):
        return (ctypes.c_uint32 * len(variable.references))(*variable.references)

    def get(self, name):
        variable = self.fmu.variables[name]
        values = (self.roots[variable.kind] * variable.count)()
        self.call(f"Get{variable.kind}", self.references(variable), ctypes.c_size_t(len(variable.references)),
                  values, *self.counted(variable))
        return [bool(value) if variable.kind == "Boolean" else value for value in values]

    def set(self, name, values):
        variable = self.fmu.variables[name]
        values = (self.roots[variable.kind] * variable.count)(*values)
        self.call(f"Set{variable.kind}", self.references(variable), ctypes.c_size_t(len(variable.references)),
                  values, *self.counted(variable))

    def begin(self, start=0.0, stop=None, given=None):
        """Through the initialization; `given` is set before it."""
        for name, values in (given or {}).items():
            self.set(name, values)
        self.enter(start, stop)
        self.call("ExitInitializationMode")

    def take(self, state=None):
        state = state or ctypes.c_void_p()
        self.call(f"GetFMU{self.word}", ctypes.byref(state))
        return state

    def restore(self, state):
        self.call(f"SetFMU{self.word}", state)

    def drop(self, state):
        self.call(f"FreeFMU{self.word}", ctypes.byref(state))

    def serialized(self, state):
        size = ctypes.c_size_t()
        self.call(f"SerializedFMU{self.word}Size", state, ctypes.byref(size))
        data = ctypes.create_string_buffer(size.value)
        self.call(f"SerializeFMU{self.word}", state, data, size)
        return data.raw

    def deserialized(self, data):
        state = ctypes.c_void_p()
        self.call(f"{self.back}FMU{self.word}", data, ctypes.c_size_t(len(data)), ctypes.byref(state))
        return state

    def free(self):
        function = getattr(self.fmu.code, f"fmi{self.fmu.version}FreeInstance")
        function.restype = None
        function(ctypes.c_void_p(self.handle))
        self.handle = None


class Instance3(Instance):
    roots, word, back = ROOTS, "State", "Deserialize"
    LOG = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_char_p)

    def __init__(self, fmu, name, token=None, logs=True):
        super().__init__(fmu)
        self.callback = self.LOG(lambda _, status, category, text: self.log.append(text.decode()))
        make = fmu.code.fmi3InstantiateCoSimulation
        make.restype = ctypes.c_void_p
        self.handle = make(name.encode(), (token or fmu.token).encode(), None, ctypes.c_bool(False),
                           ctypes.c_bool(logs), ctypes.c_bool(False), ctypes.c_bool(False), None,
                           ctypes.c_size_t(0), None, self.callback, None)

    def counted(self, variable):
        return (ctypes.c_size_t(variable.count),)

    def enter(self, start, stop):
        self.call("EnterInitializationMode", ctypes.c_bool(False), ctypes.c_double(0), ctypes.c_double(start),
                  ctypes.c_bool(stop is not None), ctypes.c_double(stop or 0))

    def step(self, time, span):
        flags = [ctypes.c_bool(True) for _ in range(3)]
        last = ctypes.c_double()
        status = self.call("DoStep", ctypes.c_double(time), ctypes.c_double(span), ctypes.c_bool(True),
                           *map(ctypes.byref, flags), ctypes.byref(last))
        assert not any(flag.value for flag in flags)
        self.time = last.value
        return status


class Callbacks2(ctypes.Structure):
    LOG = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p,
                           ctypes.c_char_p, ctypes.c_char_p)
    _fields_ = [("logger", LOG), ("allocate", ctypes.c_void_p), ("free", ctypes.c_void_p),
                ("finished", ctypes.c_void_p), ("environment", ctypes.c_void_p)]


class Instance2(Instance):
    roots, word, back = OLD_ROOTS, "state", "DeSerialize"

    def __init__(self, fmu, name, token=None, logs=True):
        super().__init__(fmu)
        self.callbacks = Callbacks2(Callbacks2.LOG(self.told))
        make = fmu.code.fmi2Instantiate
        make.restype = ctypes.c_void_p
        self.handle = make(name.encode(), 1, (token or fmu.token).encode(), b"", ctypes.byref(self.callbacks),
                           0, int(logs))

    def told(self, environment, name, status, category, form, text):
        assert form == b"%s", form  # the only one; `text` is its argument
        self.log.append(text.decode())

    def counted(self, variable):
        return ()

    def enter(self, start, stop):
        self.call("SetupExperiment", 0, ctypes.c_double(0), ctypes.c_double(start), int(stop is not None),
                  ctypes.c_double(stop or 0))
        self.call("EnterInitializationMode")

    def step(self, time, span):
        status = self.call("DoStep", ctypes.c_double(time), ctypes.c_double(span), 1)
        last = ctypes.c_double()
        self.call("GetRealStatus", 2, ctypes.byref(last))
        self.time = last.value
        return status
