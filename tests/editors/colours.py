#!/usr/bin/env python3
"""Editors colour what the compiler reads: colours.py TMLC ROOT PAINTER, one of `grammar`, `vim`, `emacs`, `kate`.

For every token that `tmlc --emit=tokens` prints of the examples and of golden programs, and for lines that
are comments, the editor is asked for its colour there; it must be that of the token's kind. Then the editor
indents all examples, of which some lines have lost their indentation, and must bring them back into the layout of
`tmlc fmt`. `grammar` reads the TextMate grammar by the rules of its format, as far as the grammar uses them; it and Kate's highlighter
indent nothing.
"""

import html.parser
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import words

SKIPPED = 77
HERE = pathlib.Path(__file__).resolve().parent
GOLDEN = 12  # every so manyth program of golden tests
# Lines that are wrong on purpose, so that a word there is not what it looks like: a file, and the number of its line.
ODD = {("check/e0201_instances.tml", 5), ("parse/headers.tml", 17)}

# What each painter calls the colour of a class; it calls everything else plain.
NAMES = {
    "grammar": {"control": "keyword.control", "statement": "keyword.control", "place": "keyword.control",
                "modifier": "storage.modifier", "logical": "keyword.operator.logical", "type": "storage.type",
                "literal": "constant.language", "function": "support.function", "number": "constant.numeric",
                "string": "string.quoted", "comment": "comment"},
    "vim": {"control": "tmlControl", "statement": "tmlStatement", "place": "tmlStatement", "modifier": "tmlModifier",
            "logical": "tmlLogical", "type": "tmlType", "literal": "tmlLiteral", "function": "tmlFunction",
            "number": "tmlNumber", "string": "tmlString", "comment": "tmlComment"},
    "emacs": {"control": "font-lock-keyword-face", "statement": "font-lock-keyword-face",
              "place": "font-lock-keyword-face", "modifier": "font-lock-keyword-face",
              "logical": "font-lock-keyword-face", "type": "font-lock-type-face",
              "literal": "font-lock-constant-face", "function": "font-lock-builtin-face", "number": None,
              "string": "font-lock-string-face", "comment": "font-lock-comment"},
    "kate": {"control": "font-weight:bold", "statement": "font-weight:bold", "place": "font-weight:bold",
             "modifier": "font-weight:bold", "logical": "color:#ca60ca", "type": "color:#0057ae",
             "literal": "color:#aa5500", "function": "color:#644a9b", "number": "color:#b08000",
             "string": "color:#bf0303", "comment": "color:#898887"},
}
VAR = {"grammar": "storage.modifier", "vim": "tmlVar", "emacs": "font-lock-keyword-face", "kate": "font-weight:bold"}
# A line that begins with one of them begins a statement; it is put to the left margin before the editor indents.
BEGINS = "IF ELSEIF ELSE FOR WHILE BREAK CONTINUE RETURN PASS END".split()
PROGRAMS = {"vim": "vim", "emacs": "emacs", "kate": "kate-syntax-highlighter"}


def tokens_of(tmlc, path):
    """Line, column from 1, kind and spelling of each token; None if the file is not all tokens."""
    result = subprocess.run([tmlc, "--emit=tokens", path, "-o", "-"], check=False, stdout=subprocess.PIPE,
                            stderr=subprocess.DEVNULL)
    if result.returncode != 0:
        return None
    rows = re.findall(r"^(\d+):(\d+) (\w+) (.*)$", result.stdout.decode(), re.M)
    return [(int(line), int(column), kind, text) for line, column, kind, text in rows]


def expected(tokens, text, classes):
    """Place and class of what must be coloured, and of names and signs, which are plain."""
    class_of = {word: name for name, listed in classes.items() for word in listed if name != "function"}
    functions = set(classes["function"])
    lines = text.split("\n")
    for index, (line, column, kind, spelling) in enumerate(tokens):
        after = lines[line - 1].encode()[column - 1 + len(spelling.encode()):].decode()
        before = tokens[index - 1][2] if index > 0 else ""
        if kind == "STRING_LITERAL":
            name = "string"
        elif kind in ("INTEGER_LITERAL", "REAL_LITERAL"):
            name = "number"
        elif kind == "NAME" and before not in ("DOT", "FN") and spelling in functions and re.match(r"!?\(", after):
            name = "function"
        elif kind == "NAME" and before != "DOT" and spelling in class_of and class_of[spelling] == "literal":
            name = "literal"
        elif kind in ("NAME", "TYPE", "TRANSPOSE"):
            name = "plain"
        elif kind == "VAR":
            name = "var"
        elif spelling in class_of:
            name = class_of[spelling]
        else:
            continue
        yield line, column, name
    for number, line in enumerate(lines, 1):
        if line.lstrip().startswith("#"):
            yield number, line.index("#") + 1, "comment"


class Grammar:
    """Reads lines by a TextMate grammar of `match`, `begin`, `end`, `captures` and `include`; no block in it
    goes over the end of a line."""

    def __init__(self, path):
        self.data = json.loads(path.read_text())
        self.patterns = [self.rule(pattern) for pattern in self.data["patterns"]]

    def rule(self, pattern):
        rule = dict(self.data["repository"][pattern["include"][1:]])
        rule["regex"] = re.compile(rule.get("match", rule.get("begin")), re.A)
        if "end" in rule:
            rule["end"] = re.compile(rule["end"])
            rule["inside"] = [self.rule(inner) for inner in rule["patterns"]]
        return rule

    def paint(self, line):
        """The innermost scope of each character."""
        scopes, at = [""] * (len(line) + 1), 0
        while at < len(line):
            found, rule = self.first(self.patterns, line, at)
            if not found:
                break
            end = self.close(rule, line, found.end()) if "end" in rule else found.end()
            scopes[found.start():end] = [rule.get("name", "")] * (end - found.start())
            for group, capture in rule.get("captures", {}).items():
                scopes[found.start(int(group)):found.end(int(group))] = \
                    [capture["name"]] * (found.end(int(group)) - found.start(int(group)))
            at = max(end, at + 1)
        return scopes

    @staticmethod
    def first(rules, line, at):
        matches = [(rule["regex"].search(line, at), rule) for rule in rules]
        return min(((found, rule) for found, rule in matches if found), key=lambda pair: pair[0].start(),
                   default=(None, None))

    def close(self, rule, line, at):
        while True:
            end = rule["end"].search(line, at)
            inner, _ = self.first(rule["inside"], line, at)
            if not inner or end.start() <= inner.start():
                return end.end()
            at = inner.end()


def by_grammar(editors, places, _):
    grammar = Grammar(editors / "tml.tmLanguage.json")
    for path, (asked, _) in places.items():
        lines = [grammar.paint(line) for line in pathlib.Path(path).read_text().split("\n")]
        yield path, [lines[line - 1][column - 1] for line, column in asked]


def by_editor(command):
    """The editor reads places.json and writes colours.json; the files that it indented, too."""
    def paint(editors, places, folder):
        (folder / "places.json").write_text(json.dumps(places))
        words_of_command = [word.replace("EDITORS", str(editors)) for word in command]
        result = subprocess.run(words_of_command, cwd=folder, timeout=500, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
                                env={**os.environ, "HOME": str(folder), "LC_ALL": "C.UTF-8"})
        if not (folder / "colours.json").exists():
            sys.exit(f"no colours\n{result.stdout.decode(errors='replace')[-3000:]}")
        yield from json.loads((folder / "colours.json").read_text()).items()
    return paint


class Page(html.parser.HTMLParser):
    """The style of each character of a page's text, line by line."""

    def __init__(self, text):
        super().__init__()
        self.lines, self.style = [[]], ""
        self.feed(text[text.index("<pre>") + len("<pre>\n"):text.index("</pre>")])

    def handle_starttag(self, tag, attrs):
        self.style = dict(attrs)["style"]

    def handle_endtag(self, tag):
        self.style = ""

    def handle_data(self, data):
        for character in data:
            if character == "\n":
                self.lines.append([])
            else:
                self.lines[-1].append(self.style)


def by_kate(editors, places, folder):
    syntax = folder / "org.kde.syntax-highlighting/syntax"
    syntax.mkdir(parents=True)
    shutil.copy(editors / "kate/tml.xml", syntax)
    for path, (asked, _) in places.items():
        result = subprocess.run(["kate-syntax-highlighter", "-s", "TML", "-t", "Breeze Light", "--output-format", "html",
                                 path], stdout=subprocess.PIPE, check=True, timeout=60,
                                env={**os.environ, "XDG_DATA_HOME": str(folder), "QT_QPA_PLATFORM": "offscreen"})
        lines = Page(result.stdout.decode()).lines
        yield path, [lines[line - 1][column - 1] for line, column in asked]


PAINTERS = {
    "kate": by_kate,
    "grammar": by_grammar,
    "vim": by_editor(["vim", "-es", "-i", "NONE", "-u", "NONE", "--cmd", "set nocompatible rtp^=EDITORS/vim",
                      "-S", f"{HERE}/colours.vim"]),
    "emacs": by_editor(["emacs", "--batch", "-L", "EDITORS/emacs", "-l", f"{HERE}/colours.el"]),
}


def sources(root):
    yield from sorted((root / "examples").rglob("*.tml"))
    golden = sorted((root / "tests/golden").rglob("*.tml"))
    golden = [path for path in golden if path.parent.name != "lex"]  # words in no order
    yield from golden[::GOLDEN]


def wrong(painter, name, colour):
    names = NAMES[painter]
    if name == "plain":
        return any(colour.startswith(other) for other in [*names.values(), VAR[painter]] if other)
    wanted = VAR[painter] if name == "var" else names[name]
    return wanted is not None and not colour.startswith(wanted)


def main():
    tmlc, root, painter = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve(), sys.argv[3]
    if painter in PROGRAMS and not shutil.which(PROGRAMS[painter]):
        print(f"SKIPPED: {painter} is not installed; scripts/setup editors installs it")
        return SKIPPED
    classes, problems = words.words_of(root)
    with tempfile.TemporaryDirectory() as name:
        folder, wanted, files, margins = pathlib.Path(name), {}, {}, {}
        for number, path in enumerate(sources(root)):
            tokens, text = tokens_of(tmlc, path), path.read_bytes()
            if tokens is None or not text.isascii() or b"\r" in text:
                continue
            copy = folder / f"{number}.tml"
            copy.write_bytes(text)
            wanted[str(copy)] = list(expected(tokens, text.decode(), classes))
            files[str(copy)] = path
            margins[str(copy)] = [line for line, _, kind, _ in tokens if kind in BEGINS and "examples" in path.parts
                                  and text.decode().split("\n")[line - 1].lstrip().startswith(kind.lower())]
        places = {path: ([place[:2] for place in asked], margins[path]) for path, asked in wanted.items()}
        count = 0
        for path, colours in PAINTERS[painter](root / "editors", places, folder):
            for (line, column, kind), colour in zip(wanted[path], colours, strict=True):
                count += 1
                if ("/".join(files[path].parts[-2:]), line) in ODD:
                    continue
                if wrong(painter, kind, colour):
                    problems.append(f"{files[path]}:{line}:{column}: {kind} is `{colour}`")
        for path, original in files.items():
            if painter in PROGRAMS and "examples" in original.parts:
                before, after = original.read_text().split("\n"), pathlib.Path(path).read_text().split("\n")
                problems += [f"{original}:{line}: indented as `{new}`"
                             for line, (old, new) in enumerate(zip(before, after, strict=True), 1) if old != new]
    print("\n".join(problems[:60]))
    print(f"{len(files)} files, {count} places, {len(problems)} problems")
    return 1 if problems or count < 5000 else 0


if __name__ == "__main__":
    sys.exit(main())
