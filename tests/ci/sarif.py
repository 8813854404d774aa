#!/usr/bin/env python3
"""--diagnostics=sarif and --diagnostics=github say what --diagnostics=json says.

Usage: sarif.py TMLC GOLDEN [SCHEMA]. Every program in GOLDEN/check is checked with all warnings. Its log
keeps the part of the schema of SARIF 2.1.0 that stands here, with nothing beside it; regions and
fixes are those of the edits and places that the JSON has in bytes. So do the messages of the other folders, in a
log for each. With SCHEMA, a folder for it, all logs keep the whole schema, too; then it ends with SKIPPED where that cannot be had.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import urllib.parse

import jsonschema

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import npm  # noqa: E402


def record(required, **optional):
    """An object with these members and no other; names that end in `_` are required."""
    return {"type": "object", "additionalProperties": False, "properties": {**required, **optional},
            "required": list(required)}


def array(items, **more):
    return {"type": "array", "items": items, **more}


TEXT = {"type": "string"}
LINE = {"type": "integer", "minimum": 1}
BYTES = {"type": "integer", "minimum": 0}
LEVEL = {"enum": ["none", "note", "warning", "error"]}
MESSAGE = record({"text": TEXT}, markdown=TEXT)
ARTIFACT = record({"uri": {"type": "string", "pattern": r"^[A-Za-z0-9._~/:%-]+$"}})
REGION = record({"startLine": LINE, "startColumn": LINE, "endLine": LINE, "endColumn": LINE})
PHYSICAL = record({"artifactLocation": ARTIFACT, "region": REGION})
LOCATION = record({"physicalLocation": PHYSICAL}, id=BYTES, message=MESSAGE)
REPLACEMENT = record({"deletedRegion": record({"byteOffset": BYTES, "byteLength": BYTES})},
                     insertedContent=record({"text": TEXT}))
CHANGE = record({"artifactLocation": ARTIFACT, "replacements": array(REPLACEMENT, minItems=1)})
FIX = record({"artifactChanges": array(CHANGE, minItems=1)}, description=MESSAGE)
RESULT = record({"message": MESSAGE}, ruleId=TEXT, ruleIndex=BYTES, level=LEVEL,
                locations=array(LOCATION), relatedLocations=array(LOCATION, uniqueItems=True),
                fixes=array(FIX, uniqueItems=True),
                partialFingerprints={"type": "object", "additionalProperties": TEXT})
RULE = record({"id": TEXT}, shortDescription=MESSAGE, help=MESSAGE,
              defaultConfiguration=record({"level": LEVEL}))
DRIVER = record({"name": TEXT}, version=TEXT, semanticVersion={"pattern": r"^\d+\.\d+\.\d+$"},
                rules=array(RULE, uniqueItems=True))
RUN = record({"tool": record({"driver": DRIVER}), "results": array(RESULT)},
             columnKind={"enum": ["utf16CodeUnits", "unicodeCodePoints"]})
LOG = record({"version": {"const": "2.1.0"}, "runs": array(RUN, minItems=1, maxItems=1)},
             **{"$schema": {"type": "string", "format": "uri"}})
VALIDATORS = [jsonschema.Draft7Validator(LOG)]
SKIPPED = 77
HERE = pathlib.Path(__file__).resolve().parent

# What the schema has to refuse, or it would hold nothing.
BROKEN = [
    lambda result: result["locations"][0]["physicalLocation"]["region"].update(startLine=0),
    lambda result: result.update(severity="error"),
    lambda result: result.update(level="fatal"),
    lambda result: result.pop("message"),
    lambda result: result["locations"][0]["physicalLocation"]["artifactLocation"].update(uri="a b.tml"),
]


def check(tmlc, kind, folder, options, *names):
    result = subprocess.run([tmlc, "check", f"--diagnostics={kind}", *options, *names], cwd=folder,
                            stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
    if result.returncode not in (0, 1):
        sys.exit(f"{names}: {kind}: exit status {result.returncode}: {result.stderr.decode()}")
    return (result.stdout if kind == "sarif" else result.stderr).decode()


class Sources:
    def __init__(self, folder):
        self.folder = folder
        self.texts = {}

    def text(self, name):
        if name not in self.texts:
            self.texts[name] = (self.folder / name).read_bytes()
        return self.texts[name]

    def offset(self, name, line, column):
        """Bytes before a place whose column counts characters."""
        text = self.text(name)
        lines = text.split(b"\n")
        before = sum(len(row) + 1 for row in lines[:line - 1])
        row = lines[line - 1].decode("utf-8", "surrogateescape")
        skipped = "\ufeff" if line == 1 and row.startswith("\ufeff") else ""
        prefix = skipped + row[len(skipped):][:column - 1]
        return before + len(prefix.encode("utf-8", "surrogateescape"))


def region_bytes(sources, location):
    place = location["physicalLocation"]
    name = urllib.parse.unquote(place["artifactLocation"]["uri"].removeprefix("file://"))
    region = place["region"]
    return (name, sources.offset(name, region["startLine"], region["startColumn"]),
            sources.offset(name, region["endLine"], region["endColumn"]))


def compare(sources, result, message):
    """Yields what a result says otherwise than the message."""
    if result["ruleId"] != message.get("name", message["code"]) or result["level"] != message["severity"]:
        yield "rule or level"
    if result["message"]["text"] != message["message"]:
        yield "message"
    in_file = message["file"] and not message["file"].startswith("-")  # else in an option
    place = [(os.path.normpath(message["file"]), message["start"], message["end"])] if in_file else []
    if [region_bytes(sources, location) for location in result["locations"]] != place:
        yield f"place {result['locations']}, not {place}"
    edits = [(os.path.normpath(edit["file"]), edit["start"], edit["end"] - edit["start"], edit["text"])
             for edit in message["edits"]]
    made = [(urllib.parse.unquote(change["artifactLocation"]["uri"]), part["deletedRegion"]["byteOffset"],
             part["deletedRegion"]["byteLength"], part["insertedContent"]["text"])
            for fix in result.get("fixes", []) for change in fix["artifactChanges"]
            for part in change["replacements"]]
    if sorted(made) != sorted(edits):
        yield f"fixes {made}, not {edits}"
    if "partialFingerprints" in result and not place:
        yield "a fingerprint of no place"


def unescape(text):
    return re.sub("%(0A|0D|25|3A|2C)", lambda match: chr(int(match[1], 16)), text)


COMMAND = re.compile(r"::(error|warning) (?:file=(?P<file>[^,:]*),line=(?P<line>\d+),col=(?P<col>\d+),"
                     r"endLine=\d+,endColumn=\d+,)?title=(?P<title>[\w-]+)::(?P<text>.*)")


def compare_command(line, message):
    match = COMMAND.fullmatch(line)
    if not match:
        return f"no command: {line}"
    said = unescape(match["text"])
    good = said.startswith(message["message"]) and match[1] == message["severity"]
    return None if good and (match["line"] is None or int(match["line"]) == message["line"]) else line


def schema_errors(log):
    return [error.message for validator in VALIDATORS for error in validator.iter_errors(log)]


def try_folder(tmlc, folder, failures):
    """The messages of all programs in one log; how many they are."""
    names = [f"{folder.name}/{path.name}" for path in sorted(folder.glob("*.tml"))]
    log = json.loads(check(tmlc, "sarif", folder.parent, ["-Wextra"], *names))
    lines = check(tmlc, "json", folder.parent, ["-Wextra"], *names).splitlines()
    messages = sum(len(json.loads(line)["diagnostics"]) for line in lines)
    results = len(log["runs"][0]["results"])
    failures += [f"{folder}: {error}" for error in schema_errors(log)]
    failures += [] if results == messages else [f"{folder}: {results} results, {messages} messages"]
    return results


def try_file(tmlc, path, failures):
    text = path.read_text(encoding="utf-8", errors="replace")
    match = re.search(r"^#! args (.*)$", text, re.M)
    options = ["-Wextra", *(match[1].split() if match else [])]
    folder, name = path.parent.parent, f"{path.parent.name}/{path.name}"
    messages = json.loads(check(tmlc, "json", folder, options, name))["diagnostics"]
    log = json.loads(check(tmlc, "sarif", folder, options, name))
    errors = schema_errors(log)
    results = log["runs"][0]["results"]
    if len(results) != len(messages):
        errors.append(f"{len(results)} results, {len(messages)} messages")
    rules = [rule["id"] for rule in log["runs"][0]["tool"]["driver"]["rules"]]
    sources = Sources(folder)
    for result, message in zip(results, messages):
        errors += compare(sources, result, message)
        if rules[result["ruleIndex"]] != result["ruleId"]:
            errors.append("index of the rule")
    commands = check(tmlc, "github", folder, options, name).splitlines()
    errors += [error for line, message in zip(commands, messages)
               if (error := compare_command(line, message))]
    failures += [f"{path}: {error}" for error in errors]
    return log, len(results)


def check_refusals(log):
    for breaks in BROKEN:
        broken = json.loads(json.dumps(log))
        breaks(broken["runs"][0]["results"][0])
        if VALIDATORS[0].is_valid(broken):
            yield f"the schema takes what it has to refuse: {broken['runs'][0]['results'][0]}"


def check_several(tmlc):
    """One log for all files, which names them from the working folder and has each rule once."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "a b").mkdir()
        for file in ("a b/ü.tml", "two.tml"):
            (folder / file).write_text("x = y\n")
        (folder / "good.tml").write_text("print(1)\n")
        files = ["a b/ü.tml", str(folder / "two.tml"), "good.tml"]
        result = subprocess.run([tmlc, "check", "--diagnostics=sarif", *files], cwd=folder,
                                capture_output=True, text=True)
        run = json.loads(result.stdout)["runs"][0]
        uris = [found["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
                for found in run["results"]]
        if (uris, len(run["tool"]["driver"]["rules"]), result.returncode) != (
                ["a%20b/%C3%BC.tml", "two.tml"], 1, 1):
            yield f"several files: {uris}, {run['tool']['driver']['rules']}"
        prints = {tuple(found["partialFingerprints"].items()) for found in run["results"]}
        if len(prints) != 1:
            yield f"the same line in two files has two fingerprints: {prints}"


FIXED = [
    ("a = [1, 2, 3; 4, 5, 6]\nb = [1.0, 2.0]\nprint(a + b)\n", "print(a + b)", "print(a + align(b, 2, [0]))"),
    ("# ä𝛼\nspeed = 1\nprint(\"ä𝛼\", sped)\n", "sped", "speed"),
    ("x = 2.\nprint(x)\n", "2.", "2.0"),
]


def check_fixes(tmlc):
    """What a log says to delete and to insert makes the program right, whoever does it."""
    with tempfile.TemporaryDirectory() as name:
        path = pathlib.Path(name) / "fixed.tml"
        for text, wrong, right in FIXED:
            path.write_text(text)
            result, = json.loads(check(tmlc, "sarif", name, [], "fixed.tml"))["runs"][0]["results"]
            change, = result["fixes"][0]["artifactChanges"]
            data = text.encode()
            for part in sorted(change["replacements"], key=lambda part: -part["deletedRegion"]["byteOffset"]):
                start = part["deletedRegion"]["byteOffset"]
                end = start + part["deletedRegion"]["byteLength"]
                data = data[:start] + part["insertedContent"]["text"].encode() + data[end:]
            path.write_bytes(data)
            left = json.loads(check(tmlc, "json", name, ["-Wall"], "fixed.tml"))["diagnostics"]
            if data.decode() != text.replace(wrong, right) or left:
                yield f"{text} becomes {data.decode()}"


def main():
    tmlc, golden = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
    if len(sys.argv) > 3:
        folder = pathlib.Path(sys.argv[3])
        if not npm.installed(HERE / "schema", folder):
            print("SKIPPED: the registry of npm cannot be reached")
            return SKIPPED
        schema = folder / "node_modules/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json"
        VALIDATORS.append(jsonschema.Draft7Validator(json.loads(schema.read_text())))
    failures, count, last = [], 0, None
    for path in sorted((golden / "check").glob("*.tml")):
        log, results = try_file(tmlc, path, failures)
        count += results
        last = log if results and log["runs"][0]["results"][0]["locations"] else last
    for folder in sorted(golden.iterdir()):
        if folder.name != "check" and any(folder.glob("*.tml")):
            count += try_folder(tmlc, folder, failures)
    failures += [*check_refusals(last), *check_several(tmlc), *check_fixes(tmlc)]
    print(*failures, sep="\n")
    print(f"{count} messages, {len(failures)} problems")
    return 1 if failures or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
