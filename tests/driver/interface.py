"""What `tmlc interface` says of sources that declare nothing (L14.2), held against what they declared.

Usage: interface.py TMLC FOLDER... [--all]

Of every component in the folders (without --all, of a share of them every day) the declarations are taken
away. The command must print one for each name that is left, and of these
- a type that is not marked as a guess is the one that was declared,
- with the declared types in place of the printed ones, and the declared values, all else that is
  printed compiles with what is left of the source.
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from seeds import todays_share  # noqa: E402

SHARES = 7

# Sources in the style of those that are published, and what is read off them.
CASES = [
    # Types that stand in the source; the join of what is assigned; constants fit a uint.
    ("""
count = 0u
fn output_fnc():
    t.out{0} = t.in > 0.5
    t.flags = t.mask ^ t.other
    t.code = 0
    if t.enable and not p.off:
        t.code = count
    end
    t.mean = 0.5
    t.mean = 3
    x = t.sel
    int k = x + 1
    t.index = k
    t.point = [1.0, 2.0, 3.0]
    t.point[1] = t.in
    t.only = 7
end
fn update_fnc():
    count = count + 1u
end
""", """\
in real t.in # guessed
in uint t.mask # guessed
in uint t.other # guessed
in bool t.enable
in int t.sel # guessed
out bool t.out{0} # guessed
out uint t.flags # guessed
out uint t.code
out real t.mean
out int t.index
out tensor<real, 3> t.point
out int t.only # guessed
bool p.off = false # value guessed
"""),
    # Guards, marks and `?:`; feedthrough through calls and guards.
    ("""
state = 0.0
fn next(real u) real:
    return state + n.dt * u * t.slope
end
fn init_fnc():
    t.state = p.start
end
fn output_fnc():
    t.sum = t.a? + t.b? + 1.0
    t.either = t.c ?: t.d
    exists t.sync:
        t.seen = t.sync and n.flag1
    else:
        t.seen = false
    end
    t.copy? = t.sum
    feedthrough t.now:
        t.held = t.now
    end
end
fn update_fnc():
    not feedthrough t.now:
        t.held = t.now
    end
    state = next(t.late)
    t.state = state
end
""", """\
not feedthrough in real t.slope # guessed
optional in real t.a # guessed
optional in real t.b # guessed
optional in real t.c # guessed
in real t.d # guessed
optional in bool t.sync
in real t.now # guessed
not feedthrough in real t.late # guessed
not feedthrough out real t.state # guessed
out real t.sum # guessed
out real t.either # guessed
out bool t.seen
optional out real t.copy # guessed
out real t.held # guessed
real p.start = 1.0 # guessed # value guessed
real n.dt = 1.0 # guessed # value guessed
bool n.flag1 = false # value guessed
"""),
    # Groups, also with two indices; bounds and lengths are ints; what a macro leaves out.
    ("""
tensor<real, p.taps> line = 0.0
fn output_fnc():
    macro for i = 0:2:
        macro for k = 0:p.columns:
            t.out{i, k} = t.in{i} * p.gain{k}
        end
    end
    macro if p.kind == "fir":
        t.fir = line[0] + t.extra?
    else:
        t.iir = line[0]
    end
    t.line = line
end
""", """\
in real t.in{0} # guessed
in real t.in{1} # guessed
optional in real t.extra # guessed
out real t.out{0, 0} # guessed
out real t.out{1, 0} # guessed
# with other values: out real t.fir # guessed
out real t.iir
out tensor<real, 1> t.line # guessed
int p.taps = 1 # value guessed
int p.columns = 1 # value guessed
real p.gain{0} = 1.0 # guessed # value guessed
str p.kind = "" # value guessed
"""),
    # What is declared is not printed; no name, no line; strings and their characters.
    ("""
in real t.in
real p.k = p.scale * 2.0
fn output_fnc():
    t.out = 0.0
    for i = 0:p.signs.len:
        if p.signs[i] == "+":
            t.out += t.in * p.k
        end
    end
end
""", """\
out real t.out
real p.scale = 1.0 # guessed # value guessed
str p.signs = "" # value guessed
"""),
    # Variables of hardware are declared in the source.
    ("""
in<int, 0x1234> a
out<tensor<real, 5>, 5, dma> b
fn output_fnc():
    t.raw = <-a
    b <- t.level * p.gain
    b[0] <- <-a + 10
end
""", """\
in real t.level # guessed
out int t.raw
real p.gain = 1.0 # guessed # value guessed
"""),
    # Wires read inputs when what they feed does; outputs that are read before a wire feeds them
    # have no feedthrough.
    ("""
instance wired = "part.tml"()
instance hand = "part.tml"()
connect wired.u = t.both
connect wired.late = t.late
connect t.plain = wired.y
connect t.first = wired.y
connect t.shown = hand.y
before = 0.0
fn init_fnc():
    before = t.first
end
fn output_fnc():
    hand.u = t.shown + before + t.plain
    hand.output()
end
fn update_fnc():
    hand.late = t.both
    hand.update()
end
""", """\
in real t.both # guessed
not feedthrough in real t.late # guessed
out real t.plain
not feedthrough out real t.first
not feedthrough out real t.shown
"""),
    # The guess `real` is no argument of these.
    ("""
fn output_fnc():
    t.bit = getbit(t.word, 3)
    t.any = any(t.flag)
end
""", """\
in uint t.word # guessed
in bool t.flag # guessed
out uint t.bit # guessed
out bool t.any # guessed
"""),
    ("""
rows = n.rows * 2
print(rows)
""", """\
real n.rows = 1.0 # guessed # value guessed
"""),
]

# Of which CASES hold instances.
PART = """\
in real t.u
not feedthrough in real t.late
out real t.y
state = 0.0
fn output_fnc():
    t.y = t.u + state
end
fn update_fnc():
    state = t.late
end
"""

LINE = re.compile(
    r"(?P<modifiers>(?:not feedthrough |optional |in |out )*)(?P<type>\w+(?:<.*>)?) "
    r"(?P<space>[tpn])\.(?P<name>\w+)(?:\{(?P<indices>[\d, ]+)\})?(?: = (?P<value>[^#]*?))?"
    r"(?P<marks>(?: # (?:value )?guessed)*)"
)
BESIDE = re.compile(rb'^((?:import |\s*instance \w[^"=]*= *)")', re.M)  # files beside this one


def tmlc(*words):
    """Standard output, and the messages; None instead of these when all went well."""
    run = subprocess.run([TMLC, *words], capture_output=True, text=True)
    return run.stdout, None if run.returncode == 0 else f"{run.returncode}: {run.stderr}"

# Sources whose wires tell less than was declared.
TELLS_LESS = {
    # What a wire forwards may be absent, or always there: the wire is legal with both.
    "l15_4_optional_forwarded.tml", "l15_4_optional_out_connected.tml",
    # A number for all elements of an output is a value of a scalar output, too.
    "l15_4_values.tml",
}


def declarations(node):
    """Every declaration of an interface, in macros too, in order."""
    if isinstance(node, list):
        return [found for part in node for found in declarations(part)]
    if not isinstance(node, dict):
        return []
    if node.get("kind") == "terminal":
        return [node]
    return [found for part in node.values() for found in declarations(part)]


def arguments(text):
    found = re.search(r"^#! args (.*)$", text, re.M)
    words = found[1].split() if found else []
    return [word for word in words if word.startswith(("-D", "--with", "p.", "n.", "t."))]


def read_off(folder):
    """What is wrong with the answers to CASES."""
    wrong = []
    (folder / "part.tml").write_text(PART)
    path = folder / "case.tml"
    interface = folder / "case.interface.tml"
    for source, expected in CASES:
        path.write_text(source)
        printed, failed = tmlc("interface", str(path))
        if failed or printed != expected:
            wrong.append(f"{source}expected\n{expected}but got\n{printed}{failed or ''}")
        interface.write_text(printed)
        _, failed = tmlc("check", "-w", str(path), f"--interface={interface}")
        if failed:
            wrong.append(f"{source}with what is printed\n{failed}")
        printed, failed = tmlc("interface", str(path), f"--interface={interface}")
        if failed or printed.startswith(tuple("abcdefghijklmnopqrstuvwxyz")):
            wrong.append(f"{source}still lacks\n{printed}{failed or ''}")
    for source, status in (("fn f(\n", 1), ("fn output_fnc():\n    t.y = unknown\nend\n", 1),
                           ('import "nobody.tml"\nfn output_fnc():\n    t.y = 1\nend\n', 1)):
        path.write_text(source)
        printed, failed = tmlc("interface", str(path))
        if printed or not failed or not failed.startswith(f"{status}: "):
            wrong.append(f"{source}printed\n{printed}{failed}")
    return wrong


def printed_before(path):
    """What is wrong where the file is a program whose interface is the printed one."""
    if path.name != "l14_2_printed.tml":
        return []
    interface = path.parent / "library" / "printed_interface.tml"
    printed, _ = tmlc("interface", str(path))
    same = printed == interface.read_text()
    return [] if same else [f"{path}: {interface} is not what is printed\n{printed}"]


def check(path, folder):
    """How many declarations the file had, and what is wrong."""
    text = path.read_text(errors="replace")
    options = arguments(text)
    described, failed = tmlc("--emit=json", "-o", "-", str(path), *options)
    if failed or json.loads(described)["kind"] != "component":
        return 0, []
    items = json.loads(described)["interface"]
    declared = {f"{item['space']}.{item['name']}": item for item in items}
    tree = json.loads(tmlc("--emit=ast-json", "-o", "-", str(path))[0])
    found = declarations(tree["statements"])
    indices = [index for node in found for index in node["name"]["macro_indices"]]
    if any(index["kind"] != "int" for index in indices):
        return 0, []  # declared in a macro, so that the printed ones stand for each turn
    if path.name in TELLS_LESS or tmlc("check", "-w", str(path), *options)[1]:
        return 0, []
    source = path.read_bytes()
    left = source
    for node in reversed(found):
        left = left[: node["start"]] + b" " * (node["end"] - node["start"]) + left[node["end"] :]
    bare = folder / path.name
    beside = bytes(path.parent.resolve()) + b"/"
    bare.write_bytes(BESIDE.sub(lambda found: found[1] + beside, left))
    printed, failed = tmlc("interface", str(bare))
    if failed:
        return len(found), [f"{path}: {failed}"]
    wrong = []
    lines = []
    for line in printed.splitlines():
        part = LINE.fullmatch(line.removeprefix("# with other values: "))
        indices = part and part["indices"] and "_" + part["indices"].replace(", ", "_")
        name = part and part["name"] + (indices or "")
        item = part and declared.get(f"{part['space']}.{name}")
        if item is None:
            wrong.append(f"{path}: `{line}` is no declaration of the file")
            continue
        guessed = " # guessed" in part["marks"]
        if not guessed and item["type"] != part["type"]:
            wrong.append(f"{path}: `{line}` was {item['type']}")
        if part["space"] == "t":
            lines.append(f"{part['modifiers']}{item['type']} t.{name}")
    values = [source[node["start"] : node["end"]].decode() for node in found
              if node["space"]["name"] != "t"]
    interface = folder / "interface.tml"
    interface.write_text("\n".join(lines + values) + "\n")
    _, failed = tmlc("check", str(bare), f"--interface={interface}", "-w", *options)
    if failed:
        wrong.append(f"{path}: {failed}{interface.read_text()}")
    return len(found), wrong


def main():
    folders = [pathlib.Path(word) for word in sys.argv[2:] if word != "--all"]
    files = [path for folder in folders for path in sorted(folder.rglob("*.tml"))]
    files = todays_share(files, 1 if "--all" in sys.argv else SHARES)
    count = 0
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        wrong += read_off(pathlib.Path(folder))
        for path in files:
            found, said = check(path, pathlib.Path(folder))
            count += found > 0
            wrong += said + printed_before(path)
    print("\n".join(wrong))
    print(f"{count} components, {len(wrong)} differences")
    return 1 if wrong or count == 0 else 0


TMLC = sys.argv[1]
sys.exit(main())
