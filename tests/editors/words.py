#!/usr/bin/env python3
"""The words that editors colour are those of the compiler.

Usage: words.py ROOT [--update]. The reserved words and the marks that are words come from
lexer/tokens.def, the constants from sema/expr.c, the built-in functions from sema/builtin/builtin.def
and sema/library/*.tml. Each file of FILES has a list for each class of them, in this order;
`--update` writes the lists.
"""

import pathlib
import re
import sys

# The class of each word of tokens.def, but for what is a word behind a dot only, and another one's copy.
CLASSES = {
    "control": "fn end if elseif else for while break continue return pass macro import",
    "modifier": "exists feedthrough optional tunable in out",
    "logical": "and or not",
    "type": "int uint real bool str char tensor",
    "literal": "true false",
    "statement": "instance connect test",  # where a statement begins
    "place": "every offset var",  # each at a place of its own, with a pattern of its own
}
NOT_COLOURED = {"type", "return"}  # marks: the attribute, the statement without a value

# How each file writes the list of a class: what stands before, between and behind the words.
FILES = {
    "tml.tmLanguage.json": ('"{}": {{"match": "\\\\b(?:', "|", ")"),
    "vim/syntax/tml.vim": ("let s:{} = '", " ", "'\n"),
    "emacs/tml-mode.el": ("(defconst tml--{} '(\"", '" "', '"))'),
    "kate/tml.xml": ('<list name="{}"><item>', "</item><item>", "</item></list>"),
}


def rows(text, kinds):
    return re.findall(rf'^(?:{kinds})\(\w*,? ?"(\w+)"', text, re.M)


def words_of(root):
    """The words of each class, and what is wrong with CLASSES."""
    tokens = (root / "lexer/tokens.def").read_text()
    reserved, marks = rows(tokens, "KEYWORD"), rows(tokens, "MARK")
    words = {name: listed.split() for name, listed in CLASSES.items()}
    places = words["statement"] + words["place"]
    known = {word for listed in words.values() for word in listed}
    problems = [f"lexer/tokens.def: `{word}` has no class in words.py"
                for word in reserved + marks if word not in known | NOT_COLOURED]
    problems += [f"words.py: `{word}` is not in lexer/tokens.def" for word in sorted(known)
                 if word not in (marks if word in places else reserved)]
    constants = (root / "sema/expr.c").read_text().split("constants[] = {", 1)[1].split("};", 1)[0]
    words["literal"] += re.findall(r'\{"(\w+)",', constants)
    words["function"] = rows((root / "sema/builtin/builtin.def").read_text(), "BUILTIN")
    for library in sorted((root / "sema/library").glob("*.tml")):
        words["function"] += re.findall(r"^fn ([A-Za-z]\w*)\(", library.read_text(), re.M)
    return words, problems


def check(root, update):
    words, problems = words_of(root)
    yield from problems
    for file, (before, separator, after) in FILES.items():
        path = root / "editors" / file
        text = path.read_text()
        for word in words["place"]:
            if not re.search(rf"(?:\b|\\b|\\zs){word}\b", text):
                yield f"{file}: no pattern for `{word}`"
        for name in words.keys() - {"place"}:
            start = text.find(before.format(name))
            if start < 0:
                yield f"{file}: no list `{name}`"
                continue
            start += len(before.format(name))
            end = text.index(after, start)
            found, listed = text[start:end].split(separator), words[name]
            if update:
                text = text[:start] + separator.join(listed) + text[end:]
            elif found != listed:
                wrong = " ".join(sorted(set(found) ^ set(listed))) or "the order"
                yield f"{file}: the list `{name}` is not the compiler's: {wrong}; words.py ROOT --update writes it"
        if update:
            path.write_text(text)


def main():
    root, update = pathlib.Path(sys.argv[1]), sys.argv[2:] == ["--update"]
    problems = list(check(root, update))
    for problem in problems:
        print(problem)
    print(f"{len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
