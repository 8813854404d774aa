"""Whether the files in XML of an FMU hold to the rules of the standard: a schema each for its form, and here what
a schema cannot say. `check(fmu)` ends the test with the first mistake.
"""

import pathlib
import re
import sys

from lxml import etree

HERE = pathlib.Path(__file__).resolve().parent
# Names of the convention `structured`.
IDENTIFIER = r"(?:[A-Za-z_][A-Za-z0-9_]*|'(?:[A-Za-z0-9_!#$%&()*+,\-./:;<>=?@\[\]^{}|~ ]|\\['\"?\\abfnrtv])+')"
INDEX = r"(?:\[\d+(?:,\d+)*\])?"
STRUCTURED = re.compile(rf"{IDENTIFIER}{INDEX}(?:\.{IDENTIFIER}{INDEX})*\Z")
# Of causality and variability, and what `initial` may be there.
LEGAL = {
    ("input", "discrete"): {None},
    ("output", "discrete"): {"calculated", "exact", "approx"},
    ("parameter", "tunable"): {"exact"},
    ("local", "constant"): {"exact"},
    ("local", "discrete"): {"calculated", "exact", "approx"},
    ("independent", "continuous"): {None},
}


def schema(version):
    return etree.XMLSchema(etree.parse(str(HERE / f"fmi{version}.xsd")))


def fail(fmu, text):
    sys.exit(f"{fmu.description}: {text}")


def check_file(fmu, path):
    rules = schema(fmu.version)
    document = etree.parse(str(path))
    if not rules.validate(document):
        fail(fmu, f"{path.name}: {rules.error_log.last_error}")
    return document.getroot()


def check_variables(fmu):
    for variable in fmu.variables.values():
        if not STRUCTURED.match(variable.name):
            fail(fmu, f"`{variable.name}` is no structured name")
        rule = LEGAL.get((variable.causality, variable.variability))
        if rule is None or variable.initial not in rule:
            fail(fmu, f"`{variable.name}`: {variable.causality}, {variable.variability}, {variable.initial}")
        wants_start = variable.initial in ("exact", "approx") or variable.causality == "input"
        if wants_start != (variable.start is not None):
            fail(fmu, f"`{variable.name}` has {'no' if wants_start else 'a'} start value")
        if wants_start and len(variable.start) != variable.count:
            fail(fmu, f"`{variable.name}` has {len(variable.start)} start values for {variable.shape}")
    references = [reference for variable in fmu.variables.values() for reference in variable.references]
    if len(set(references)) != len(references):
        fail(fmu, "two variables have one value reference")


def check_structure_3(fmu, root):
    by_reference = {variable.references[0]: variable for variable in fmu.variables.values()}
    outputs = sorted(variable.references[0] for variable in fmu.of("output"))
    for element in ("Output", "InitialUnknown"):
        found = root.findall(f"ModelStructure/{element}")
        if sorted(int(unknown.get("valueReference")) for unknown in found) != outputs:
            fail(fmu, f"{element} does not list the outputs")
        for unknown in found:
            for word in unknown.get("dependencies", "").split():
                if by_reference[int(word)].causality != "input":
                    fail(fmu, f"an output depends on `{by_reference[int(word)].name}`")
    if len(fmu.of("independent")) != 1:
        fail(fmu, "there is not one independent variable")


def check_structure_2(fmu, root):
    scalars = root.findall("ModelVariables/ScalarVariable")
    outputs = [k for k, scalar in enumerate(scalars, 1) if scalar.get("causality") == "output"]
    for element in ("Outputs", "InitialUnknowns"):
        found = root.findall(f"ModelStructure/{element}/Unknown")
        if sorted(int(unknown.get("index")) for unknown in found) != outputs:
            fail(fmu, f"{element} does not list the outputs")
        for unknown in found:
            for word in unknown.get("dependencies", "").split():
                if scalars[int(word) - 1].get("causality") != "input":
                    fail(fmu, f"an output depends on `{scalars[int(word) - 1].get('name')}`")


def check(fmu):
    root = check_file(fmu, fmu.description)
    check_variables(fmu)
    if fmu.version == 3:
        check_structure_3(fmu, root)
    else:
        check_structure_2(fmu, root)
    for name in ("sources/buildDescription.xml", "terminalsAndIcons/terminalsAndIcons.xml"):
        if (fmu.folder / name).exists():
            check_file(fmu, fmu.folder / name)
