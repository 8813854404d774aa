// The command line as data, and what is wrong with it as text.
#include "driver/options.h"

#include <criterion/criterion.h>
#include <string.h>

enum { ARGUMENT_LIMIT = 16 };

typedef struct Parsed {
    Arena *arena;
    Options options;
    Buffer error;
    bool good;
} Parsed;

// Parses the words of `line`, which are separated by single spaces.
static Parsed parse(const char *line) {
    Parsed parsed = {.arena = arena_create()};
    char *argv[ARGUMENT_LIMIT] = {"tmlc"};
    int argc = 1;
    char *copy = arena_copy_text(parsed.arena, line, strlen(line));
    for (char *word = strtok(copy, " "); word; word = strtok(NULL, " ")) {
        argv[argc++] = word;
    }
    parsed.good = options_parse(&parsed.options, parsed.arena, argc, argv, &parsed.error);
    return parsed;
}

static void finish(Parsed *parsed) {
    buffer_free(&parsed->error);
    arena_destroy(parsed->arena);
}

static void expect_error(const char *line, const char *error) {
    Parsed parsed = parse(line);
    cr_expect_not(parsed.good, "%s", line);
    cr_expect_str_eq(parsed.error.data ? parsed.error.data : "", error);
    finish(&parsed);
}

static void expect_kind(const char *line, EmitKind kind, CompileStage stage) {
    Parsed parsed = parse(line);
    cr_expect(parsed.good, "%s: %s", line, parsed.error.data ? parsed.error.data : "");
    cr_expect_eq(parsed.options.emits, 1U << kind, "%s", line);
    cr_expect_eq(parsed.options.compile.stage, stage, "%s", line);
    finish(&parsed);
}

#define UNKNOWN_SUFFIX(suffix, path)                                                               \
    "unknown suffix `" suffix "` of `-o " path "`; known are .ll .s .o .a .so .fmu .h .json, and " \
    "an executable has none, or goes with `--emit=exe`"

Test(options, unknown_suffixes_are_not_executables) {
    expect_error("a.tml -o m.mat", UNKNOWN_SUFFIX(".mat", "m.mat"));
    expect_error("a.tml -o x/m.dll", UNKNOWN_SUFFIX(".dll", "x/m.dll"));
    expect_error("a.tml -o m-1.2", UNKNOWN_SUFFIX(".2", "m-1.2"));
    expect_kind("a.tml -o a.out", EMIT_EXE, STAGE_CODEGEN);
    expect_kind("a.tml -o v1.2/m", EMIT_EXE, STAGE_CODEGEN);
    expect_kind("a.tml --emit=exe -o m-1.2", EMIT_EXE, STAGE_CODEGEN);
    expect_kind("-c a.tml -o m.obj", EMIT_OBJECT, STAGE_CODEGEN);
}

static void expect_target(const char *line, const char *target, const char *cpu) {
    Parsed parsed = parse(line);
    cr_expect(parsed.good, "%s", line);
    cr_expect_str_eq(parsed.options.compile.codegen.target, target);
    cr_expect_str_eq(parsed.options.compile.codegen.cpu, cpu);
    finish(&parsed);
}

Test(options, short_names_of_targets) {
    expect_target("-c a.tml --target=cortex-m4", "thumbv7em-none-eabihf", "cortex-m4");
    expect_target("-c a.tml --cpu=cortex-a76 --target rpi4", "aarch64-linux-gnu", "cortex-a76");
    expect_target("-c a.tml --target=thumbv7m-none-eabi --cpu=cortex-m3", "thumbv7m-none-eabi",
                  "cortex-m3");
}

Test(options, lists_of_targets) {
    static const struct {
        const char *line;
        Command command;
    } rows[] = {{"--target=help", COMMAND_TARGETS},
                {"-c a.tml --target=help", COMMAND_TARGETS},
                {"--cpu=help", COMMAND_CPUS},
                {"--cpu=help --target=cortex-m4", COMMAND_CPUS}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        Parsed parsed = parse(rows[i].line);
        cr_expect(parsed.good, "%s", rows[i].line);
        cr_expect_eq(parsed.options.command, rows[i].command, "%s", rows[i].line);
        finish(&parsed);
    }
}

Test(options, prefix_is_a_name) {
    Parsed parsed = parse("-c a.tml --prefix=_fast2");
    cr_expect(parsed.good);
    cr_expect_str_eq(parsed.options.compile.codegen.prefix, "_fast2");
    finish(&parsed);
    expect_error("a.tml --prefix=", "`--prefix` takes a name in C, not ``");
    expect_error("a.tml --prefix=2nd", "`--prefix` takes a name in C, not `2nd`");
    expect_error("a.tml --prefix=a-b", "`--prefix` takes a name in C, not `a-b`");
    expect_error("a.tml --prefix=tml",
                 "`--prefix` takes a name in C other than that of the runtime, not `tml`");
}

Test(options, hardware_in_place_is_for_objects) {
    Parsed parsed = parse("-c a.tml --io=mmio");
    cr_expect(parsed.good && parsed.options.compile.front.mmio);
    finish(&parsed);
    parsed = parse("a.tml --io=latched");
    cr_expect(parsed.good && !parsed.options.compile.front.mmio);
    finish(&parsed);
    expect_error("-c a.tml --io=ports", "unknown value `ports` for `--io`; expected latched|mmio");
    expect_error("a.tml --io=mmio", "`--io=mmio` is for objects: a simulation has no hardware");
    expect_error("run a.tml --io=mmio", "`--io=mmio` is for objects: a simulation has no hardware");
}

Test(options, output_decides_by_suffix) {
    expect_kind("a.tml", EMIT_EXE, STAGE_CODEGEN);
    expect_kind("a.tml -o a", EMIT_EXE, STAGE_CODEGEN);
    expect_kind("a.tml -oa.o", EMIT_OBJECT, STAGE_CODEGEN);
    expect_kind("a.tml -o dir.o/a", EMIT_EXE, STAGE_CODEGEN);
    expect_kind("a.tml -o a.s", EMIT_ASM, STAGE_CODEGEN);
    expect_kind("a.tml -o a.ll", EMIT_LLVM, STAGE_CODEGEN);
    expect_kind("-c a.tml", EMIT_OBJECT, STAGE_CODEGEN);
    expect_kind("--emit tokens a.tml", EMIT_TOKENS, STAGE_READ);
    expect_kind("--emit=ast a.tml -o -", EMIT_AST, STAGE_PARSE);
    expect_kind("--emit=ast-json a.tml", EMIT_AST_JSON, STAGE_PARSE);
    expect_kind("--emit=notes a.tml", EMIT_NOTES, STAGE_CHECK);
    expect_kind("--emit=tir a.tml", EMIT_TIR, STAGE_PASSES);
    expect_kind("--emit=plan a.tml", EMIT_PLAN, STAGE_PASSES);
    expect_kind("a.tml -o a.a", EMIT_ARCHIVE, STAGE_CODEGEN);
    expect_kind("a.tml -o a.so", EMIT_SHARED, STAGE_CODEGEN);
    expect_kind("a.tml -o a.fmu", EMIT_FMU, STAGE_CODEGEN);
    expect_kind("a.tml -o a.h", EMIT_HEADER, STAGE_CODEGEN);
    expect_kind("a.tml -o a.json", EMIT_JSON, STAGE_CODEGEN);
    expect_kind("--emit=header a.tml -o -", EMIT_HEADER, STAGE_CODEGEN);
    expect_kind("--emit=ast --report a.tml", EMIT_AST, STAGE_CODEGEN);
}

Test(options, contradictions) {
    expect_error("", "no input file");
    expect_error("a.tml b.tml", "unexpected argument `b.tml`; one file is compiled at a time "
                                "(`check` takes several)");
    expect_error("-c a.tml -o a.s", "output `a.s` and the kind of `--emit` or `-c` disagree");
    expect_error("a.tml -o -", "`-o -` needs a text kind, such as `--emit=llvm`");
    expect_error("--emit=ast,tir a.tml -o x",
                 "`-o` names one output, but several kinds are wanted: ast and tir");
    expect_error("--emit=obj,json a.tml -o -",
                 "`-o` names one output, but several kinds are wanted: obj and json");
    expect_error("-c --emit=tir a.tml -o -",
                 "`-o` names one output, but several kinds are wanted: tir and obj");
    expect_error("--emit=obj,json a.tml -o x.o",
                 "`-o x.o` has a suffix, but several kinds are wanted, and each adds its own");
    expect_error("-c a.tml -o a.c", "`-o a.c` ends like a source, and an object would be in it");
    expect_error("-c a.tml -o a.so", "output `a.so` and the kind of `--emit` or `-c` disagree");
    expect_error("check a.tml -MD", "`check` writes no output: `-MD` and `-MF` go without it");
    expect_error("run -c a.tml", "`run` writes no output: `-o`, `-c` and `--emit` go without it");
    expect_error("shape", "`shape` needs a query, such as 'tensor<real, 3> + real'");
    expect_error("shape -o a int+int",
                 "`shape` writes no output: `-o`, `-c` and `--emit` go without it");
    expect_error("a.tml --types", "`--types` goes with `check`");
    expect_error("run a.tml b", "unexpected argument `b`; arguments of the program follow `--`");
    expect_error("run a.tml u.csv",
                 "unexpected argument `u.csv`; inputs are given as `-- --in u.csv`");
}

Test(options, suggestions) {
    expect_error("--emti=tir a.tml", "unknown option `--emti=tir`; did you mean `--emit`?");
    expect_error("--tme a.tml", "unknown option `--tme`; did you mean `--time`?");
    expect_error("--nonsense a.tml", "unknown option `--nonsense`");
    expect_error("--emit=llmv a.tml", "unknown output kind `llmv`; did you mean `llvm`?");
    expect_error("--emit=ll a.tml", "unknown output kind `ll`; did you mean `llvm`?");
    expect_error("--emit=s a.tml", "unknown output kind `s`; did you mean `asm`?");
    expect_error("-Wno-rank-promotoin a.tml", "unknown warning `-Wno-rank-promotoin`; did you mean "
                                              "`-Wno-rank-promotion`?");
    expect_error("-Wal a.tml", "unknown warning `-Wal`; did you mean `-Wall`?");
    expect_error("-Wnonsense a.tml", "unknown warning `-Wnonsense`");
    expect_error("-Wextr a.tml", "unknown warning `-Wextr`; did you mean `-Wextra`?");
    expect_error("-Werror=unusd a.tml",
                 "unknown warning `-Werror=unusd`; did you mean `-Werror=unused`?");
    expect_error("-Wno-error=unusd a.tml",
                 "unknown warning `-Wno-error=unusd`; did you mean `-Wno-error=unused`?");
    expect_error("chek a.tml", "unknown command `chek`; did you mean `check`?");
    expect_error("rnu a.tml", "unknown command `rnu`; did you mean `run`?");
    expect_error("doc sin", "unknown command `doc`; did you mean `tmlc --explain NAME`?");
    expect_error("build a.tml", "unknown command `build`; did you mean `tmlc FILE -o OUTPUT`?");
    expect_error("xyz a.tml", "`xyz` is neither a command nor a file; the commands are check, run, "
                              "linearize, "
                              "shape, interface, new, repl, fmt, lsp, test");
    expect_error("lsp a.tml", "unexpected argument `a.tml`; files come from the editor");
    expect_error("check --log=x a.tml", "`--log` goes with `lsp`");
    expect_error("check --diff a.tml", "`--diff` goes with `fmt`");
    expect_error("fmt --diff", "`--diff` needs files to compare with");
}

static void expect_settings(const char *line, const char *names) {
    Parsed parsed = parse(line);
    cr_assert(parsed.good, "%s", line);
    Buffer found = {0};
    buffer_text(&found, "");
    for (int i = 0; i < WARNING_COUNT; i++) {
        const WarningRow *row = warning_row((Warning)i);
        const WarningChoice *choice = &parsed.options.compile.front.warnings.of[i];
        bool was_on = row->group == WARNINGS_DEFAULT;
        if (choice->is_on != was_on) {
            buffer_format(&found, "%s%s ", was_on ? "no " : "", row->name);
        }
        if (choice->is_error || choice->is_never_error) {
            buffer_format(&found, "%s %s ", choice->is_error ? "error" : "never", row->name);
        }
    }
    cr_expect_str_eq(found.data, names, "%s", line);
    buffer_free(&found);
    finish(&parsed);
}

Test(options, warnings) {
    expect_settings("a.tml", "");
    expect_settings("-Wguard -Wunused a.tml", "guard ");
    expect_settings("-Wno-unused a.tml", "no unused ");
    expect_settings("-Wall a.tml", "derivative-cost guard iab-constant narrow-noop ");
    expect_settings("-Wextra a.tml",
                    "derivative-cost derivative-kink guard iab-constant narrow-noop "
                    "rank-promotion unused-interface unused-parameter ");
    expect_settings("-Wextra -Wno-extra a.tml", "derivative-cost guard iab-constant narrow-noop ");
    expect_settings("-Wall -Wno-guard -Wno-iab-constant a.tml", "derivative-cost narrow-noop ");
    expect_settings("--rank-promotion=warn a.tml", "rank-promotion ");
    expect_settings("-Werror=guard a.tml", "guard error guard ");
    expect_settings("-Werror=guard -Wno-error=guard a.tml", "guard never guard ");
    expect_settings("-Werror -Wno-error=unused a.tml", "never unused ");
}

Test(options, no_warnings_but_one) {
    Parsed parsed = parse("-Wextra -Wno-all -Wguard a.tml");
    cr_assert(parsed.good);
    for (int i = 0; i < WARNING_COUNT; i++) {
        cr_expect_eq(parsed.options.compile.front.warnings.of[i].is_on, i == WARNING_GUARD, "%s",
                     warning_row((Warning)i)->name);
    }
    finish(&parsed);
}

Test(options, all_warnings_are_errors) {
    Parsed parsed = parse("-Werror a.tml");
    cr_expect(parsed.options.compile.front.warnings.are_errors);
    finish(&parsed);
    parsed = parse("-Werror -Wno-error a.tml");
    cr_expect_not(parsed.options.compile.front.warnings.are_errors);
    finish(&parsed);
}

Test(options, values) {
    expect_error("--fp=quick a.tml",
                 "unknown value `quick` for `--fp`; expected strict|contract|fast");
    expect_error("--time=3 a.tml", "option `--time` takes no value");
    expect_error("a.tml --emit", "option `--emit` needs a value: KIND[,KIND]");
    expect_error("a.tml -O4", "unknown optimisation level `-O4`; expected -O0 to -O3, -Os or -Oz");
    expect_error("a.tml -D x.kp=3", "`-D` takes p.NAME=VALUE or n.NAME=VALUE, not `x.kp=3`");
    expect_error("a.tml -Dp.kp", "`-D` takes p.NAME=VALUE or n.NAME=VALUE, not `p.kp`");
    expect_error("a.tml -Dp.=3", "`-D` takes p.NAME=VALUE or n.NAME=VALUE, not `p.=3`");
    expect_error("a.tml --with p.kp", "`--with` takes t.NAME, not `p.kp`");
    expect_error("a.tml --with t.u=1", "`--with` takes t.NAME, not `t.u=1`");
    expect_error("a.tml --report=xml", "unknown value `xml` for `--report`; expected json");
    expect_error("a.tml --report=", "option `--report` needs a value: json");
    expect_error("a.tml --batch=", "option `--batch` needs a value: 2|4|8|16");
    expect_error("a.tml -Werror=", "option `-Werror` needs a value: NAME");
    Parsed parsed = parse("a.tml --fp=strict --real f32 -O1 --checks=none -g -D p.k=2 --with t.u");
    cr_assert(parsed.good);
    const CompileOptions *compile = &parsed.options.compile;
    cr_expect_eq(compile->codegen.fp, FP_STRICT);
    cr_expect(compile->front.single);
    cr_expect_eq(compile->codegen.opt_level, 1);
    cr_expect_not(compile->codegen.checks);
    cr_expect(compile->codegen.debug);
    cr_assert_eq(compile->front.definitions.count, 1);
    cr_expect_str_eq(compile->front.definitions.items[0], "p.k=2");
    cr_assert_eq(compile->front.connections.count, 1);
    cr_expect_str_eq(compile->front.connections.items[0], "t.u");
    finish(&parsed);
    parsed = parse("check a.tml --rank-promotion=error");
    cr_expect(parsed.good && parsed.options.compile.front.exact_rank);
    finish(&parsed);
}

static void expect_no_budget(const char *value, const char *wrong) {
    ReportBudget budget = {0};
    const char *found = NULL;
    cr_expect_not(report_budget_parse(&budget, value, &found), "%s", value);
    cr_expect_str_eq(found, wrong);
}

Test(options, budgets) {
    Parsed parsed = parse("a.tml --budget ram=8k,rom=2M --budget=stack=512");
    cr_assert(parsed.good);
    const ReportBudget *budget = &parsed.options.budget;
    cr_expect_eq(budget->figures, 1U << BUDGET_RAM | 1U << BUDGET_STACK | 1U << BUDGET_ROM);
    cr_expect_eq(budget->limits[BUDGET_RAM], 8192);
    cr_expect_eq(budget->limits[BUDGET_STACK], 512);
    cr_expect_eq(budget->limits[BUDGET_ROM], 2 * 1024 * 1024);
    finish(&parsed);
    expect_error("a.tml --budget ram=8q",
                 "`--budget` takes figures like ram=8k,stack=512,rom=32k, not `ram=8q`");
    expect_no_budget("", "");
    expect_no_budget("ram", "ram");
    expect_no_budget("ram=", "ram=");
    expect_no_budget("ram=1,", "");
    expect_no_budget("ram=1,flash=2", "flash=2");
    expect_no_budget("ram=99999999999999999999", "ram=99999999999999999999");
    expect_no_budget("ram=18446744073709551615k", "ram=18446744073709551615k");
}

Test(options, commands) {
    Parsed parsed = parse("run a.tml -- --in x=y -q");
    cr_assert(parsed.good);
    cr_expect_eq(parsed.options.command, COMMAND_RUN);
    cr_expect(parsed.options.compile.executable);
    cr_assert_eq(parsed.options.run_args.count, 3);
    cr_expect_str_eq(parsed.options.run_args.items[2], "-q");
    finish(&parsed);

    parsed = parse("check a.tml b.tml");
    cr_assert(parsed.good);
    cr_expect_eq(parsed.options.inputs.count, 2);
    cr_expect_eq(parsed.options.compile.stage, STAGE_CHECK);
    finish(&parsed);

    parsed = parse("./check");
    cr_expect_eq(parsed.options.command, COMMAND_COMPILE);
    finish(&parsed);

    parsed = parse("--help --nonsense");
    cr_expect(parsed.good);
    cr_expect_eq(parsed.options.command, COMMAND_HELP);
    finish(&parsed);
}
