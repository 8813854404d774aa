#!/usr/bin/env python3
"""Whether the tests notice when the compiler is wrong.

Usage: mutate.py [--list] [--all | --count N] [--seed S] [TARGET...]. Changes a file of the compiler
in one place at a time: an operator, a number, a constant, a condition, an assignment that goes. Each
mutant is compiled into a library of its own, which the tests that are to notice are linked with;
they must then fail, or run for longer than any test should. Prints those that survive, with the
change, and fails if there are any. --list shows all mutants. A sample of N is tested of each target
(60), the same one for the same seed; --all tests all of them. Needs the release build.
"""

import argparse
import concurrent.futures
import os
import pathlib
import random
import re
import resource
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / "build/release"
SECONDS = 240  # for a test, which takes a minute at most
BYTES = 4 << 30  # that it may use
# What is read before it is written is not by chance what was expected, and undefined behaviour ends
# the program.
FLAGS = "-std=gnu11 -O0 -w -fPIC -shared -ftrivial-auto-var-init=pattern".split()
TRAPS = ["-fsanitize=undefined", "-fsanitize-undefined-trap-on-error"]

GOLDEN = ROOT / "tests/golden"


def unit(folder):
    return [f"tests/unit_{folder}", "--quiet", "--fail-fast", "-j1"]


TEXTS = ["tests/golden/golden", "--quick", "tir", "check"]
RUNS = ["tests/golden/golden", "--quick", "run"]
PLANS = ["tests/golden/golden", "--quick", "plan"]


class Target:
    """A file, or what lies in it from one text to another, and the tests that are to notice."""

    def __init__(self, path, tests, equivalent=(), first="", last=""):
        self.path = ROOT / path
        self.tests = tests
        self.equivalent = {(line, line.replace(old, new, 1)) for line, old, new, _ in equivalent}
        self.first, self.last = first, last

    def region(self, text):
        start = text.index(self.first)
        return start, text.index(self.last, start) if self.last else len(text)


# Mutants that behave as the original does: the line, what is changed in it, and why it is the same.
NOT_ZERO = "no step is 0"
EQUAL = "both are equal then"
SAME_RANK = "unequal ranks have been refused"
SHAPE = [
    ("return a > b ? a : b;", ">", ">=", EQUAL),
    ("unsigned rank = left->rank > right->rank ? left->rank : right->rank;", " > ", " >= ", EQUAL),
    ("uint32_t length = rows < columns ? rows : columns;", "<", "<=", EQUAL),
    ("int64_t distance = step > 0 ? last - first : first - last;", ">", ">=", NOT_ZERO),
    ("int64_t stride = step > 0 ? step : -step;", ">", ">=", NOT_ZERO),
    ("bool down = index->step < 0;", "<", "<=", NOT_ZERO),
    ("bool down = index->step < 0;", "0", "1", NOT_ZERO),
    ("return distance <= 0 ? 0 : (distance + stride - 1) / stride;", "<=", "<", "0 either way"),
    ("for (unsigned d = 0; d < a->rank; d++) {", "a->", "b->", SAME_RANK),
    ("for (unsigned d = 0; d < left->rank; d++) {", "left", "right", SAME_RANK),
    (
        "return shape_fits(type_tensor(types, base.type, left->rank, dims));",
        "left",
        "right",
        SAME_RANK,
    ),
    (
        "return shape_fits(type_with_root(types, left, greater_root(a->root, b->root)));",
        "left",
        "right",
        "the shapes are equal there, and the root is given",
    ),
    ("uint32_t rows = matrix->dims[0];", "0", "1", "solve takes a square matrix"),
]

HOW_LONG = "only how long it looks for a free piece"
PLAN = [
    ("enum { PIECE_CLASSES = 64, PIECE_TRIES = 8 };", "64", "63", "no array has 2^63 bytes"),
    (
        "for (int i = 0; i < PIECE_TRIES && *piece != NULL; i++, piece = &(*piece)->next) {",
        "i = 0",
        "i = 1",
        HOW_LONG,
    ),
    (
        "for (int i = 0; i < PIECE_TRIES && *piece != NULL; i++, piece = &(*piece)->next) {",
        "<",
        "<=",
        HOW_LONG,
    ),
    (
        "planner->position++;",
        "planner->position++",
        "",
        "what a condition reads lives as long as the loop",
    ),
    (
        "planner->position++;",
        "++",
        "--",
        "what a condition reads lives as long as the loop",
    ),
    (
        "var->storage = STORAGE_NONE;",
        "var->storage = STORAGE_NONE",
        "",
        "variables begin with that",
    ),
    (
        "if (var->storage == STORAGE_SCRATCH) {",
        "(var->storage == STORAGE_SCRATCH)",
        "(true)",
        "other offsets are not read",
    ),
    (
        "function->needs_scratch = function->scratch_bytes > 0 || calls_scratch(&function->body);",
        "> 0",
        "> 1",
        "frames are whole lines",
    ),
    (
        "LIST_PUSH(planner->tir->arena, &planner->open_blocks, planner->block_count++);",
        "++",
        "--",
        "any numbers for blocks",
    ),
    ("return (a > b) - (a < b);", "a > b", "a >= b", "no two are equal"),
    ("return (a > b) - (a < b);", "a < b", "a <= b", "no two are equal"),
    ("return (a > b) - (a < b);", "(a < b)", "(a < a)", "the sort only asks which is greater"),
    ("STACK_ARRAY_LIMIT = 4 * 1024,", "1024", "1025", "what is so long is whole lines"),
    ("TirBlock *nested[2];", "2", "3", "room for one more"),
    ("enum { PIECE_CLASSES = 64, PIECE_TRIES = 8 };", "64", "65", HOW_LONG),
    ("enum { PIECE_CLASSES = 64, PIECE_TRIES = 8 };", "8 }", "9 }", HOW_LONG),
    ("enum { PIECE_CLASSES = 64, PIECE_TRIES = 8 };", "8 }", "7 }", HOW_LONG),
    (
        "for (int i = 0; i < PIECE_TRIES && *piece != NULL; i++, piece = &(*piece)->next) {",
        "i++",
        "i--",
        HOW_LONG,
    ),
    ("return 63U - (unsigned)__builtin_clzll(bytes);", "63U", "64", "any numbers for classes"),
    ("return 63U - (unsigned)__builtin_clzll(bytes);", "63U", "62", "any numbers for classes"),
    ("return (a > b) - (a < b);", "a < b", "b < b", "the sort only asks which is greater"),
    ("if (program->scratch_bytes < end) {", "<", "<=", EQUAL),
    (
        "if (stmt->kind == STMT_CALL && stmt->call.function->scratch_offset < end) {",
        "<",
        "<=",
        EQUAL,
    ),
    ("if (count == 0) {", "(count == 0)", "(false)", "then there is nothing to sort"),
    (
        "use_var(planner, stmt->for_loop.var, true);",
        "true",
        "false",
        "it is a scalar, which is a register",
    ),
]
ALIAS = [
    ("if (a->kind == EXPR_RESHAPE) {", "a->", "b->", "their kinds are equal there"),
    (
        "if (a->kind != EXPR_VIEW || b->kind != EXPR_VIEW || a->view.operand->kind != EXPR_VAR ||",
        "b->kind",
        "a->kind",
        "what is compared with a place there is a view",
    ),
    ("if (a->kind == EXPR_VAR) {", "a->", "b->", "their kinds are equal there"),
    ("return a->var == b->var;", "b->var", "a->var", "two variables have nothing in common"),
    (
        "if (axis->axis < 0) {",
        "(axis->axis < 0)",
        "(false)",
        "its step is 0, and reads before the dims, which the sanitizers see",
    ),
    (
        "return axis->step < 0 ? (Positions){last, axis->start, -axis->step}",
        "<",
        "<=",
        NOT_ZERO,
    ),
    (
        "return axis->step < 0 ? (Positions){last, axis->start, -axis->step}",
        "0",
        "1",
        NOT_ZERO,
    ),
    (
        "if (tir_conflicts(place, expr->literal.items[i], false)) {",
        "false",
        "true",
        "an element has fewer dims than the place",
    ),
    (
        "if (tir_conflicts(place, expr->concat.items[i], false)) {",
        "false",
        "true",
        "a part is shorter than the place",
    ),
    (
        "if (temp == NULL || temp->role != VAR_TEMP || temp->id >= aliaser->use_count ||",
        ">=",
        ">",
        "what this pass makes is not in a block that it looks at",
    ),
    ("TirBlock out = {0};", "0", "1", "nothing is in it"),
    (
        "return divisor > 1 && (a.low - b.low) % divisor != 0;",
        "> 1",
        ">= 1",
        "1 divides all",
    ),
    (
        "return divisor > 1 && (a.low - b.low) % divisor != 0;",
        "> 1",
        "> 0",
        "1 divides all",
    ),
    ("TirBlock *nested[2];", "2", "3", "room for one more"),
    ("return a->var == b->var;", "a->var", "b->var", "two variables have nothing in common"),
    (
        "for (size_t i = 0; i < a->view.operand->type->flat_rank; i++) {",
        "a->",
        "b->",
        "both are views of one variable",
    ),
    (
        "for (size_t i = 0; i < a->view.operand->type->flat_rank; i++) {",
        "<",
        "<=",
        "reads behind the axes, which the sanitizers see",
    ),
    (
        "return type_is_scalar(arg->type) || arg->kind == EXPR_CONST ||",
        "||",
        "&&",
        "copies what could be passed as it is",
    ),
]
WRITTEN_TOO = "what is read is written too, which says as much"
ASSIGNMENT = [
    (
        "if (value->type == place->type) {",
        "value->type == place->type",
        "false",
        "what fits needs no change: this only saves the text of a message",
    ),
    (
        "for (size_t k = 0; k < value.terminals.count; k++) {",
        "<",
        "<=",
        "reads behind the terminals, which the sanitizers see",
    ),
    (
        "place = place->kind == EXPR_VIEW ? place->view.operand : place->operand) {",
        "==",
        "!=",
        "both lie in the same place of the union",
    ),
    ("checker->at.function->reads_globals = true;", "true", "false", WRITTEN_TOO),
    (
        "checker->at.function->reads_globals = true;",
        "checker->at.function->reads_globals = true",
        "",
        WRITTEN_TOO,
    ),
    (
        "if (tir_var_is_global(tir_place_var(place))) {",
        "(tir_var_is_global(tir_place_var(place)))",
        "(false)",
        WRITTEN_TOO,
    ),
]
NO_INDEX = "only an index that is checked has a place"
INDEX = [
    ("axis->axis = -1;", "-1", "-2", "below 0 is no axis"),
    (
        "*axis = (TirAxis){.axis = moves ? kept : -1,",
        "-1",
        "-2",
        "below 0 is no axis",
    ),
    (
        "axis->span = d < count && indices[d].ast != NULL ? indices[d].ast->span : (Span){0, 0};",
        "{0, 0}",
        "{1, 0}",
        NO_INDEX,
    ),
    (
        "axis->span = d < count && indices[d].ast != NULL ? indices[d].ast->span : (Span){0, 0};",
        "{0, 0}",
        "{0, 1}",
        NO_INDEX,
    ),
    (
        "for (size_t d = 0; d < type->rank; d++) {",
        "<",
        "<=",
        "reads and writes one behind the indices, which the sanitizers see",
    ),
    (
        "for (size_t d = 0; d < count; d++) {",
        "<",
        "<=",
        "reads and writes one behind the indices, which the sanitizers see",
    ),
    (
        "indices = ARENA_ARRAY(chain->checker->arena, Index, run);",
        "indices = ARENA_ARRAY(chain->checker->arena, Index, run)",
        "",
        "writes behind the indices of a bracket, where nothing is read any more",
    ),
    (
        "if (run > 1 || first + 1 != chain->count) {",
        "run > 1",
        "run > 2",
        "a run of two has another bracket behind the first",
    ),
    (
        "for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {",
        "[0]",
        "[1]",
        "all have the same size",
    ),
]
NO_TURNS = "no array has a dim of 0, so that none is found"
TWO_BLOCKS = ("TirBlock *nested[2];", "2", "3", "a statement has two blocks at most")
COLLAPSE = [
    TWO_BLOCKS,
    (
        "if (turns == 0 || turns > INT32_MAX || collapse.columns >= INNER_LIMIT) {",
        "== 0",
        "== 1",
        NO_TURNS,
    ),
]
OVERWRITE = [
    TWO_BLOCKS,
    (
        "view->view.operand->type->flat_rank > 0 ? view->view.axes[0].index : NULL;",
        " > ",
        " >= ",
        "an array has a dim",
    ),
]
SIZE = [
    (
        "if (content->nodes <= NODES_LIMIT) {",
        "content->nodes <= NODES_LIMIT",
        "true",
        "only how long it counts what is too large",
    ),
]

SHIFT = [
    (
        "TirAxis *axes = ARENA_ARRAY(tir->arena, TirAxis, operand->type->flat_rank + 1U);",
        "1U",
        "2",
        "an axis more than is used",
    ),
]

GUARD = [
    TWO_BLOCKS,
    (
        "parts[1 - small] = is_small ? most / (known[small] + 1) : root;",
        "+ 1",
        "+ 0",
        "a product with 0 is known to be small enough",
    ),
]
PARTS = [
    TWO_BLOCKS,
    (
        "part = part->kind == EXPR_VIEW ? part->view.operand : part->operand;",
        "==",
        "!=",
        "both lie in the same place of the union",
    ),
]
SPREAD = [
    ("*body = (TirBlock){0};", "0", "1", "an empty list, whatever its items"),
    (
        "axes[k] = (TirAxis){.axis = -1, .start = at[k], .span = span};",
        "-1",
        "-2",
        "below 0 is no axis",
    ),
]
REACH = [
    (
        "for (size_t k = 0; k < sum.count; k++) {",
        "<",
        "<=",
        "one behind the terms is a loop further in, or nothing",
    ),
]
NOTHING_IN_IT = "nothing is in it"
COUNTED = "only how often uses are counted"
AN_UPDATE = "that it was an `op=` shows in what it reads"
INTERCHANGE = [
    TWO_BLOCKS,
    ("TirBlock out = {0};", "0", "1", NOTHING_IN_IT),
    ("TirBlock wide = {0};", "0", "1", NOTHING_IN_IT),
    ("loop->for_loop.body = (TirBlock){0};", "0", "1", NOTHING_IN_IT),
    ("if (stmt->kind == STMT_FOR && changer->uses == NULL) {", "&&", "||", COUNTED),
    (
        "if (stmt->kind == STMT_FOR && changer->uses == NULL) {",
        "(stmt->kind == STMT_FOR && changer->uses == NULL)",
        "(true)",
        COUNTED,
    ),
    (
        "wide->set.is_update = set->set.is_update;",
        "wide->set.is_update = set->set.is_update",
        "",
        AN_UPDATE,
    ),
]
OFFSETS = [
    TWO_BLOCKS,
    ("TirBlock copies = {0};", "0", "1", NOTHING_IN_IT),
    ("TirBlock out = {0};", "0", "1", NOTHING_IN_IT),
    ("unsigned most = *left < COPY_NODES ? *left : COPY_NODES;", "<", "<=", EQUAL),
    (
        "FUNCTION_NODES = 2048, // of all copies in a function",
        "2048",
        "2049",
        "only how much is written out",
    ),
]
TURNS = [
    (
        "*count += numel >= LONG_ARRAY ? LOOP_NODES : numel < SMALL_ARRAY ? numel : SMALL_ARRAY;",
        " < ",
        " <= ",
        EQUAL,
    ),
    (
        "if (set->set.place->kind != EXPR_VAR) {",
        "(set->set.place->kind != EXPR_VAR)",
        "(false)",
        "an array of which a part is written has another write",
    ),
    (
        "for (size_t i = 0; i < block->count; i++) {",
        "i = 0",
        "i = 1",
        "the first statement of a block reads nothing that is written in it",
    ),
    ("copy->set = stmt->set;", "copy->set = stmt->set", "", AN_UPDATE),
]

TARGETS = {
    "shape": Target("types/shape.c", [unit("types") + ["--filter", "shape*/*"]], SHAPE),
    "index": Target("sema/index.c", [TEXTS, unit("sema"), RUNS], INDEX),
    "assignment": Target(
        "sema/variable.c",
        [TEXTS, unit("sema"), RUNS],
        ASSIGNMENT,
        first="void check_set_var(",
    ),
    "alias": Target("tir/passes/alias.c", [TEXTS, unit("tir"), RUNS], ALIAS),
    "dependence": Target("tir/alias.c", [unit("tir"), TEXTS, RUNS], ALIAS),
    "inline": Target("tir/passes/inline.c", [unit("tir"), TEXTS, RUNS]),
    "result": Target("tir/passes/result.c", [unit("tir"), TEXTS, RUNS]),
    "forward": Target("tir/passes/forward.c", [unit("tir"), TEXTS, RUNS]),
    "shrink": Target("tir/passes/shrink.c", [unit("tir"), TEXTS, RUNS]),
    "fuse": Target("tir/passes/fuse.c", [unit("tir"), TEXTS, RUNS]),
    "plan": Target("tir/passes/storage.c", [TEXTS, unit("tir"), RUNS], PLAN),
    "lanes": Target("tir/lanes_loop.c", [unit("tir"), TEXTS, RUNS]),
    "body": Target("tir/lanes_body.c", [unit("tir"), TEXTS, RUNS]),
    "order": Target("tir/lanes_order.c", [TEXTS]),
    "rows": Target("tir/lanes_rows.c", [TEXTS, unit("tir"), RUNS]),
    "spread": Target("tir/spread.c", [TEXTS, unit("tir"), RUNS], SPREAD),
    "spread_element": Target("tir/spread_element.c", [TEXTS, unit("tir"), RUNS]),
    "values": Target("tir/lanes_values.c", [unit("tir"), TEXTS, RUNS]),
    "ranges": Target("tir/ranges.c", [TEXTS, unit("tir"), RUNS]),
    "bounds": Target("tir/prove.c", [TEXTS, unit("tir"), RUNS]),
    "reach": Target("tir/reach.c", [TEXTS, unit("tir"), RUNS], REACH),
    "apart": Target("tir/apart.c", [TEXTS, RUNS]),
    "rings": Target("tir/rings.c", [TEXTS, unit("tir"), RUNS]),
    "heads": Target("tir/heads.c", [TEXTS, unit("tir"), RUNS]),
    "decide": Target("tir/decide.c", [unit("tir"), TEXTS, RUNS]),
    "edges": Target("tir/passes/edges.c", [TEXTS, unit("tir"), RUNS], [TWO_BLOCKS]),
    "stages": Target("tir/passes/stages.c", [TEXTS, unit("tir"), RUNS]),
    "strips": Target("tir/passes/strips.c", [TEXTS, unit("tir"), RUNS], [TWO_BLOCKS]),
    "phases": Target("tir/passes/phases.c", [TEXTS, unit("tir"), RUNS], [TWO_BLOCKS]),
    "guard": Target("tir/passes/guard.c", [TEXTS, unit("tir"), RUNS], GUARD),
    "greatest": Target("tir/greatest.c", [TEXTS, RUNS]),
    "unroll": Target("tir/passes/unroll.c", [TEXTS, unit("tir"), RUNS]),
    "choose": Target("tir/passes/choose.c", [TEXTS, unit("tir"), RUNS]),
    "loops": Target("tir/passes/loops.c", [TEXTS, unit("tir"), RUNS], [TWO_BLOCKS]),
    "widen_turns": Target("tir/widen_turns.c", [TEXTS, unit("tir"), RUNS]),
    "collapse": Target("tir/passes/collapse.c", [TEXTS, RUNS], COLLAPSE),
    "records": Target("tir/passes/records.c", [TEXTS, RUNS], [TWO_BLOCKS]),
    "interchange": Target("tir/passes/interchange.c", [TEXTS, RUNS, unit("tir")], INTERCHANGE),
    "elide": Target("tir/passes/elide.c", [TEXTS, RUNS]),
    "lags": Target("tir/passes/lags.c", [TEXTS, RUNS]),
    "channels": Target("tir/passes/channels.c", [TEXTS, RUNS]),
    "cover": Target("tir/cover.c", [TEXTS, RUNS]),
    "rebase": Target("tir/passes/rebase.c", [TEXTS, RUNS, unit("tir")], [TWO_BLOCKS]),
    "offsets": Target("tir/passes/offsets.c", [TEXTS, RUNS], OFFSETS),
    "turns": Target("tir/turns.c", [TEXTS, unit("tir"), RUNS], TURNS),
    "terms": Target("tir/passes/terms.c", [TEXTS, unit("tir"), RUNS], [TWO_BLOCKS]),
    "widen": Target("tir/widen.c", [TEXTS, unit("tir"), RUNS]),
    "prefix": Target("tir/prefix.c", [unit("tir"), TEXTS, RUNS]),
    "gather": Target("tir/gather.c", [unit("tir"), TEXTS, RUNS]),
    "branchless": Target("tir/branchless.c", [unit("tir"), TEXTS, RUNS]),
    "share": Target("tir/passes/share.c", [TEXTS, unit("tir"), RUNS]),
    "sums": Target("tir/passes/sums.c", [TEXTS, unit("tir"), RUNS]),
    "places": Target("tir/passes/places.c", [TEXTS, RUNS]),
    "count": Target("tir/passes/count.c", [TEXTS, unit("tir"), RUNS]),
    "reals": Target(
        "tir/interval.c",
        [unit("tir"), TEXTS, RUNS],
        first="// With ends that are reals",
        last="static Interval map_interval(",
    ),
    "parts": Target("tir/passes/parts.c", [TEXTS, RUNS], PARTS),
    "exchange": Target("tir/passes/exchange.c", [TEXTS, RUNS]),
    "elements": Target("tir/parts.c", [PLANS, TEXTS, RUNS]),
    "out_of_bounds": Target("sema/warn/bounds.c", [TEXTS]),
    "promote": Target("tir/passes/promote.c", [TEXTS, RUNS]),
    "running": Target("tir/passes/running.c", [TEXTS, RUNS]),
    "upright": Target("tir/passes/upright.c", [TEXTS, RUNS]),
    "slices": Target("tir/passes/slices.c", [TEXTS, RUNS]),
    "constants": Target("tir/passes/constants.c", [unit("tir"), TEXTS, RUNS]),
    "overwrite": Target("tir/overwrite.c", [unit("tir"), TEXTS, RUNS], OVERWRITE),
    "shift": Target("tir/shift.c", [unit("tir"), TEXTS, RUNS], SHIFT),
    "invariant": Target(
        "tir/passes/invariant.c",
        [TEXTS, unit("codegen") + ["--filter", "invariant*/*"], RUNS],
    ),
    "past": Target(
        "tir/passes/past.c", [TEXTS, unit("codegen") + ["--filter", "past*/*"], unit("tir"), RUNS]
    ),
    "bank": Target("tir/bank.c", [TEXTS, unit("codegen") + ["--filter", "bank*/*"], RUNS]),
    "turned": Target("tir/turned.c", [TEXTS, unit("codegen") + ["--filter", "bank*/*"], RUNS]),
    "extremes": Target("codegen/target/extremes.c", [RUNS]),
    "stateless": Target("tir/stateless.c", [TEXTS, unit("tir")]),
    "moved": Target("tir/moved.c", [TEXTS, unit("tir"), RUNS]),
    "traps": Target("tir/nest_traps.c", [TEXTS, RUNS]),
    "size": Target("tir/nest_size.c", [TEXTS, unit("tir"), RUNS], SIZE),
}

OPERATORS = {
    "==": ["!="], "!=": ["=="], "<": ["<=", ">="], "<=": ["<", ">"], ">": [">=", "<="],
    ">=": [">", "<"], "&&": ["||"], "||": ["&&"], "+": ["-"], "-": ["+"], "*": ["/"], "/": ["*"],
    "+=": ["-="], "*=": ["+="],
}  # fmt: skip
WORDS = {"true": "false", "left": "right", "low": "high", "rows": "columns", "to": "from", "a": "b"}
WORDS.update({b: a for a, b in WORDS.items()})

# Comments, includes, texts, the heads of functions, and what a caller has to see to.
UNCHANGED = re.compile(
    r"//[^\n]*|/\*(?:[^*]|\*(?!/))*\*/|#[^\n]*|\"(?:[^\"\\]|\\.)*\"|^\w[^;{]*(?= \{$)|\bCHECK\([^;]*\);",
    re.M,
)


def closing(text, at):
    """Where the parenthesis that opens at `at` closes."""
    depth = 0
    for k in range(at, len(text)):
        depth += {"(": 1, ")": -1}.get(text[k], 0)
        if depth == 0:
            return k
    raise ValueError("unbalanced parentheses")


def changes(text):
    """(start, end, replacement) of every mutant."""
    codes = sorted(set(re.findall(r"\bSHAPE_[A-Z_]+", text)))
    for found in re.finditer(r"(?<= )[=!<>&|+*/-]+(?=[ \n])", text):
        for other in OPERATORS.get(found[0], []):
            yield *found.span(), other
    for found in re.finditer(r" [+-] \d+U?\b", text):
        yield *found.span(), ""
    for found in re.finditer(r"\+\+", text):
        yield *found.span(), "--"
    for found in re.finditer(r"(?<![\w\"./])(\d+)U?\b", text):
        if re.search(r"uint32_t \w+\[$", text[: found.start()]):
            continue  # the length of an array
        for other in {int(found[1]) + 1, max(int(found[1]) - 1, 0)} - {int(found[1])}:
            yield *found.span(), str(other)
    for found in re.finditer(r"\bSHAPE_[A-Z_]+", text):
        yield *found.span(), codes[(codes.index(found[0]) + 1) % len(codes)]
    for found in re.finditer(r"(?<![.>\w])(\w+)\b", text):
        if found[1] in WORDS:
            yield *found.span(), WORDS[found[1]]
    for found in re.finditer(r"!(?!=)", text):
        yield *found.span(), ""
    for found in re.finditer(r"\b(?:if|while) (?=\()", text):
        end = closing(text, found.end()) + 1
        for new in (f"(!{text[found.end() : end]})", "(true)", "(false)"):
            yield found.end(), end, new
    for found in re.finditer(r"\b[a-z]\w*(?:\([^()]*\))? (?=\? )", text):
        yield *found.span(), "!" + found[0]
    for found in re.finditer(r"(?m)^ +([^\s=]+ [+*-]?= [^;]*|\S+\+\+);$", text):
        yield *found.span(1), ""


def line_of(text, at):
    return text[text.rfind("\n", 0, at) + 1 : text.find("\n", at)].strip()


def mutants_of(target):
    """(line number, line, changed line, text) of every mutant."""
    text = target.path.read_text()
    start, end = target.region(text)
    blank = re.sub(UNCHANGED, lambda found: " " * len(found[0]), text)
    code = " " * start + blank[start:end]  # offsets stay
    mutants = []
    for first, last, new in sorted(set(changes(code))):
        mutant = text[:first] + new + text[last:]
        number = text.count("\n", 0, first) + 1
        mutants.append((number, line_of(text, first), line_of(mutant, first), mutant))
    return mutants


def build_library(folder, text):
    source = folder / "mutant.c"
    source.write_text(text)
    command = ["cc", *FLAGS, *TRAPS, f"-I{ROOT}", "-Wl,-soname,libmutant.so"]
    command += ["-o", folder / "libmutant.so", source]
    return subprocess.run(command, capture_output=True).returncode == 0


def link_tests(folder, target):
    """The programs of the tests with the library in place of the file. Their own link commands are
    used; what the library defines is not taken from the archives."""
    if not build_library(folder, target.path.read_text()):
        sys.exit(f"mutate: {target.path} does not compile")
    for program in sorted({test[0] for test in target.tests}):
        query = ["ninja", "-C", BUILD, "-t", "commands", program]
        output = subprocess.run(query, capture_output=True, text=True, check=True).stdout
        # Only what is linked later may need the library.
        library = f"-Wl,--no-as-needed {folder / 'libmutant.so'}"
        wanted = f"-o {folder / pathlib.Path(program).name} {library}"
        link = output.splitlines()[-1].replace(f"-o {program}", wanted)
        subprocess.run(link, shell=True, cwd=BUILD, check=True)


def limit_memory():
    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))


def notices(programs, library, test):
    try:
        return (
            subprocess.run(
                [programs / pathlib.Path(test[0]).name, *test[1:]],
                capture_output=True,
                cwd=GOLDEN,
                env={**os.environ, "LD_LIBRARY_PATH": str(library)},
                preexec_fn=limit_memory,
                timeout=SECONDS,
            ).returncode
            != 0
        )
    except subprocess.TimeoutExpired:
        return True


def fails(programs, target, text):
    """Whether the tests fail with `text` as the file; None if that is not C."""
    with tempfile.TemporaryDirectory(dir=programs) as name:
        library = pathlib.Path(name)
        if not build_library(library, text):
            return None
        return any(notices(programs, library, test) for test in target.tests)


def check(target, mutants):
    """Tests the mutants; the number of those that survive."""
    with tempfile.TemporaryDirectory(prefix="mutate-") as name:
        programs = pathlib.Path(name)
        link_tests(programs, target)
        if fails(programs, target, target.path.read_text()) is not False:
            sys.exit("mutate: the tests fail without any change")
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            results = list(pool.map(lambda mutant: fails(programs, target, mutant[-1]), mutants))
    path = target.path.relative_to(ROOT)
    alive = [mutant for mutant, result in zip(mutants, results) if result is False]
    survivors = [mutant for mutant in alive if mutant[1:3] not in target.equivalent]
    for number, old, new, _ in survivors:
        print(f"{path}:{number}: survives: {old}  ->  {new}")
    print(
        f"{path}: {len(results)} mutants: {results.count(True)} killed, {results.count(None)} not C, "
        f"{len(alive) - len(survivors)} equivalent, {len(survivors)} survive",
        flush=True,
    )
    return len(survivors)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("targets", nargs="*", metavar="TARGET", choices=[[], *TARGETS])
    arguments = parser.parse_args()
    survivors = 0
    for name in arguments.targets or TARGETS:
        target = TARGETS[name]
        mutants = mutants_of(target)
        if not arguments.all and arguments.count < len(mutants):
            mutants = random.Random(arguments.seed).sample(mutants, arguments.count)
        if arguments.list:
            print(*(f"{number}: {old}  ->  {new}" for number, old, new, _ in mutants), sep="\n")
        else:
            survivors += check(target, mutants)
    return 1 if survivors else 0


sys.exit(main())
