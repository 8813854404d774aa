"""What `tmlc fmt` promises, over many files.

check_format.py TMLC [--random RANDOM_PROGRAMS] [--count N] [--seed S] [--variants V] [--gaps] FILE|FOLDER...

Files are .tml files and the ```tml blocks of .md files; those that do not parse are left out. Of each
text: the layout of its layout is that layout; its tokens and comments are the same and in the same
order (read from `--emit=tokens`, not from the formatter); --emit=tir says the same. Of V variants of
each text, in which blanks have other lengths, lines trailing blanks and carriage returns, and the file
a byte order mark, the layout is the same; and comments that are put between any two tokens stay there,
alone on their lines or behind a token as they were. With --gaps there is one between each two tokens, in turn.
"""

import argparse
import functools
import multiprocessing
import pathlib
import random
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from seeds import default_seed, todays_share  # noqa: E402

BLOCK = re.compile(r"^```tml(?: [^\n]*)?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FAILURE_LIMIT = 5


@functools.lru_cache(maxsize=64)  # a text is asked about for its tokens, its comments, its layout
def run(tmlc, arguments, text):
    result = subprocess.run(
        [tmlc, *arguments], input=text.encode(), capture_output=True, timeout=120
    )
    return result.returncode, result.stdout.decode(errors="surrogateescape"), result.stderr


def layout(tmlc, text):
    """The text in its layout; None when it does not parse."""
    status, out, _ = run(tmlc, ("fmt",), text)
    if status > 1:
        raise RuntimeError(f"exit status {status}")
    return out if status == 0 else None


def tokens(tmlc, text):
    """(start, end) of each token, by offset; columns count characters."""
    status, out, _ = run(tmlc, ("--emit=tokens", "-o", "-", "-"), text)
    if status != 0:
        return None
    lines = text.removeprefix("\ufeff").split("\n")
    starts = [len(text) - len("\n".join(lines))]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    found = []
    for row in out.splitlines():
        place, _, rest = row.partition(" ")
        line, column = map(int, place.split(":"))
        spelling = rest.partition(" ")[2]
        if not spelling:
            continue  # the end of the file
        start = starts[line - 1] + column - 1
        if text[start : start + len(spelling)] != spelling:
            raise RuntimeError(f"{row}: not where the token is")
        found.append((start, start + len(spelling)))
    return found


def pieces(tmlc, text):
    """Tokens and comments in their order."""
    found = []
    end = 0
    for start, stop in [*tokens(tmlc, text), (len(text), len(text))]:
        gap = text[end:start]
        found += [comment.rstrip() for comment in re.findall(r"#[^\n]*", gap)]
        found.append(text[start:stop])
        end = stop
    return found


def comments(tmlc, text):
    """Of each comment, whether a token stands before it on its line."""
    found = []
    end = 0
    for start, stop in [*tokens(tmlc, text), (len(text), len(text))]:
        for line in re.finditer(r"[^\n]*", text[end:start]):
            if "#" in line[0]:
                found.append(line.start() == 0 and end > 0)
        end = stop
    return found


def with_each_comment(tmlc, text):
    """The text with a comment in one gap, for each gap, behind a token and alone, where it still parses."""
    for start, _ in tokens(tmlc, text):
        for comment in (" # here\n", "\n# here\n"):
            result = text[:start] + comment + text[start:]
            if "#" not in text[:start].rpartition("\n")[2] and layout(tmlc, result) is not None:
                yield result


def spread(tmlc, text, rng):
    """The text with blanks of other lengths."""
    parts = []
    end = 0
    for start, stop in [*tokens(tmlc, text), (len(text), len(text))]:
        gap = text[end:start]
        if "#" not in gap:
            gap = re.sub(r"(?<!\n)[ \t]+(?=\S|\Z)", lambda _: " " * rng.randint(1, 4), gap)
            gap = re.sub(r"[ \t]*\n", lambda _: " " * rng.randint(0, 3) + "\n", gap)
            gap = re.sub(r"\n[ \t]*\Z", lambda _: "\n" + " " * rng.randint(0, 9), gap)
        parts += [gap, text[start:stop]]
        end = stop
    return "".join(parts)


def commented(tmlc, text, rng):
    """The text with comments between some tokens, where it still parses."""
    places = tokens(tmlc, text)
    for _ in range(20):
        chosen = sorted(rng.sample(range(len(places)), min(len(places), rng.randint(1, 3))))
        parts = []
        end = 0
        for number in chosen:
            start = places[number][0]
            parts += [text[end:start], f" # between {number}\n"]
            end = start
        result = "".join(parts) + text[end:]
        if layout(tmlc, result) is not None:
            return result
    return text


def tir(tmlc, text):
    """The exit status and TIR, without the texts of assertions, which are source."""
    status, output = run(tmlc, ("-w", "--emit=tir", "-o", "-", "-"), text)[:2]
    assertion = re.compile(r"^ *assert .*", re.MULTILINE)
    return status, assertion.sub(lambda found: re.sub(r'"(\\.|[^"\\])*"', '""', found[0]), output)


def wrong(tmlc, text, variants, rng, compare_tir=True, gaps=False):
    """What is wrong with the layout of the text; None when nothing is."""
    once = layout(tmlc, text)
    if once is None:
        return None
    if layout(tmlc, once) != once:
        return "the layout of its layout is another"
    if pieces(tmlc, once) != pieces(tmlc, text):
        return "tokens or comments are others"
    if comments(tmlc, once) != comments(tmlc, text):
        return "a comment stands alone that did not, or no longer does"
    if any(line != line.rstrip() for line in once.split("\n")) or "\n\n\n" in once:
        if "fmt off" not in once:
            return "blanks at the end of a line, or too many empty lines"
    if compare_tir:
        if tir(tmlc, text) != tir(tmlc, once):
            return "TIR is another"
    if "fmt off" in text:
        return None
    for variant in with_each_comment(tmlc, text) if gaps else ():
        complaint = wrong(tmlc, variant, 0, rng, compare_tir=False)
        if complaint is not None:
            return f"with a comment: {complaint}:\n{variant}"
    for _ in range(variants):
        variant = spread(tmlc, text, rng)
        if layout(tmlc, variant) != once:
            return f"blanks decide:\n{variant}"
        variant = "\ufeff" + text.replace("\r\n", "\n").replace("\n", "\r\n")
        if layout(tmlc, variant) != once:
            return "carriage returns or a byte order mark decide"
        variant = commented(tmlc, text, rng)
        complaint = wrong(tmlc, variant, 0, rng, compare_tir=False)
        if complaint is not None:
            return f"with comments: {complaint}:\n{variant}"
    return None


def check(work):
    tmlc, name, text, variants, gaps, seed = work
    try:
        return name, wrong(tmlc, text, variants, random.Random(f"{seed} {name}"), gaps=gaps), text
    except (RuntimeError, subprocess.TimeoutExpired) as error:
        return name, str(error), text


def texts_of(paths):
    for path in map(pathlib.Path, paths):
        files = sorted(path.rglob("*")) if path.is_dir() else [path]
        for file in files:
            if file.suffix not in (".tml", ".md"):
                continue
            try:
                text = file.read_bytes().decode()
            except UnicodeDecodeError:
                continue
            blocks = [text] if file.suffix == ".tml" else BLOCK.findall(text)
            for number, block in enumerate(blocks):
                yield f"{file}:{number}", block


def random_texts(generator, seed, count):
    for number in range(count):
        kind = ["--components"] if number % 4 == 3 else []
        words = [generator, *kind, "--seed", str(seed), "--first", str(number)]
        words += ["--count", "1", "--print"]
        result = subprocess.run(words, capture_output=True, text=True, timeout=60)
        yield " ".join(words[1:]), result.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tmlc")
    parser.add_argument("paths", nargs="*")
    parser.add_argument("--random")
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--seed", type=int, default=default_seed())
    parser.add_argument("--variants", type=int, default=1)
    parser.add_argument("--gaps", action="store_true")
    parser.add_argument("--shares", type=int, default=1, help="one of so many, by the day")
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    print(f"seed {arguments.seed}", flush=True)

    def work():
        texts = todays_share(list(texts_of(arguments.paths)), arguments.shares)
        for name, text in texts:
            yield arguments.tmlc, name, text, arguments.variants, arguments.gaps, arguments.seed
        if arguments.random:
            for name, text in random_texts(arguments.random, arguments.seed, arguments.count):
                yield arguments.tmlc, name, text, arguments.variants, arguments.gaps, arguments.seed

    done = failures = 0
    with multiprocessing.Pool(arguments.jobs) as pool:
        for name, complaint, text in pool.imap(check, work()):
            done += 1
            if complaint is not None:
                failures += 1
                print(f"\n{name}: {complaint}\n--- the text:\n{text}")
                if failures == FAILURE_LIMIT:
                    break
    print(f"{done} texts, {failures} wrong")
    return 1 if failures or done == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
