// What follows from several options together: the kinds of output and the name of `-o`, short names
// of targets, how far the compilation goes, and which options do not go with one another.
#include "driver/options.h"

#include "codegen/target/target_name.h"
#include "support/path.h"

#include <string.h>
#include <unistd.h>

// The kind that the suffix of the output asks for; EMIT_KIND_COUNT where it is not known.
static EmitKind kind_of_output(const char *output) {
    const char *suffix = path_suffix(output);
    for (int kind = 0; kind < EMIT_KIND_COUNT && suffix[0] != '\0'; kind++) {
        if (strcmp(emit_row((EmitKind)kind)->suffix, suffix) == 0) {
            return (EmitKind)kind;
        }
    }
    bool is_exe = suffix[0] == '\0' || strcmp(suffix, ".out") == 0 || strcmp(suffix, ".exe") == 0;
    return is_exe ? EMIT_EXE : EMIT_KIND_COUNT;
}

static bool fail_unknown_suffix(const char *output, Buffer *error) {
    buffer_format(error, "unknown suffix `%s` of `-o %s`; known are", path_suffix(output), output);
    for (int kind = 0; kind < EMIT_KIND_COUNT; kind++) {
        const char *suffix = emit_row((EmitKind)kind)->suffix;
        buffer_format(error, "%s%s", suffix[0] != '\0' ? " " : "", suffix);
    }
    buffer_text(error, ", and an executable has none, or goes with `--emit=exe`");
    return false;
}

static bool is_source_suffix(const char *suffix) {
    return strcmp(suffix, ".c") == 0 || strcmp(suffix, ".cc") == 0 || strcmp(suffix, ".cpp") == 0 ||
           strcmp(suffix, ".tml") == 0;
}

static CompileStage stage_of_emits(unsigned emits) {
    CompileStage stage = STAGE_READ;
    for (int kind = 0; kind < EMIT_KIND_COUNT; kind++) {
        bool is_later = emit_row((EmitKind)kind)->stage > stage;
        stage = (emits & 1U << kind) && is_later ? emit_row((EmitKind)kind)->stage : stage;
    }
    return stage;
}

static void list_kinds(Buffer *error, unsigned emits) {
    const char *before = ": ";
    for (int kind = 0; kind < EMIT_KIND_COUNT; kind++) {
        unsigned rest = emits >> kind;
        if (rest & 1) {
            buffer_format(error, "%s%s", before, emit_row((EmitKind)kind)->name);
            before = (rest >> 1 & ((rest >> 1) - 1)) == 0 ? " and " : ", "; // one is left
        }
    }
}

// -o with several kinds is what each of them adds its suffix to.
static bool settle_several(const Options *options, Buffer *error) {
    bool is_print = strcmp(options->output, "-") == 0;
    for (int kind = 0; kind < EMIT_KIND_COUNT; kind++) {
        const EmitRow *row = emit_row((EmitKind)kind);
        is_print |=
            (options->emits & 1U << kind) && row->form == EMITTED_TEXT && row->suffix[0] == '\0';
    }
    if (is_print) {
        buffer_text(error, "`-o` names one output, but several kinds are wanted");
        list_kinds(error, options->emits);
    } else if (path_suffix(options->output)[0] != '\0') {
        buffer_format(error,
                      "`-o %s` has a suffix, but several kinds are wanted, and each adds its own",
                      options->output);
    } else {
        return true;
    }
    return false;
}

// Makes -o and the wanted kinds agree.
static bool settle_output(Options *options, Buffer *error) {
    if (!options->output) {
        options->emits = options->emits ? options->emits : 1U << EMIT_EXE;
        return true;
    }
    bool several = (options->emits & (options->emits - 1)) != 0;
    if (several) {
        return settle_several(options, error);
    }
    if (strcmp(options->output, "-") == 0) {
        if (options->report) {
            buffer_text(error, "`--report` and `-o -` both want standard output");
            return false;
        }
        for (int kind = 0; kind < EMIT_KIND_COUNT; kind++) {
            if ((options->emits & 1U << kind) && emit_row((EmitKind)kind)->form == EMITTED_TEXT) {
                return true;
            }
        }
        buffer_text(error, "`-o -` needs a text kind, such as `--emit=llvm`");
        return false;
    }
    EmitKind by_suffix = kind_of_output(options->output);
    unsigned wanted = 1U << by_suffix;
    if (by_suffix == EMIT_KIND_COUNT && options->emits == 0) {
        return fail_unknown_suffix(options->output, error);
    }
    if (options->emits == 1U << EMIT_OBJECT && is_source_suffix(path_suffix(options->output))) {
        buffer_format(error, "`-o %s` ends like a source, and an object would be in it",
                      options->output);
        return false;
    }
    // A name without a suffix that says something may hold any kind.
    bool says_something = by_suffix != EMIT_EXE && by_suffix != EMIT_KIND_COUNT;
    if (options->emits && options->emits != wanted && says_something) {
        buffer_format(error, "output `%s` and the kind of `--emit` or `-c` disagree",
                      options->output);
        return false;
    }
    options->emits = options->emits ? options->emits : wanted;
    return true;
}

// A short name becomes its triple and CPU; `help` asks for a list.
static void settle_target(Options *options) {
    CodegenOptions *codegen = &options->compile.codegen;
    const ShortName *row = codegen->target == NULL ? NULL : target_short_name(codegen->target);
    if (row != NULL) {
        codegen->target = row->triple;
        codegen->cpu = codegen->cpu == NULL ? row->cpu : codegen->cpu;
    }
    if (codegen->target != NULL && strcmp(codegen->target, "help") == 0) {
        options->command = COMMAND_TARGETS;
    } else if (codegen->cpu != NULL && strcmp(codegen->cpu, "help") == 0) {
        options->command = COMMAND_CPUS;
        codegen->cpu = NULL;
    }
}

// An FMU runs on machines that nobody knows yet, so that it is made for the least of each kind.
static bool settle_fmu(Options *options, Buffer *error) {
    CodegenOptions *codegen = &options->compile.codegen;
    if ((options->emits & 1U << EMIT_FMU) == 0) {
        if (options->fmu.is_given) {
            buffer_text(error,
                        "`--fmi`, `--step`, `--fmi-locals`, `--sources` and `--icon` go with "
                        "an FMU: `-o NAME.fmu` or `--emit=fmu`");
        }
        return !options->fmu.is_given;
    }
    if (options->emits != 1U << EMIT_FMU) {
        buffer_text(error, "an FMU is made alone: `--emit=fmu` goes without other kinds");
    } else if (codegen->no_table) {
        buffer_text(error, "`--no-table` leaves out what an FMU runs by");
    } else if (options->compile.front.mmio) {
        buffer_text(error, "`--io=mmio` is for objects: an FMU has no hardware");
    } else if (codegen->cpu != NULL && options->targets.count > 1) {
        buffer_text(error, "`--cpu` goes with one target");
    }
    for (size_t i = 0; i < options->targets.count; i++) {
        TargetChoice *target = &options->targets.items[i];
        const ShortName *row = target_short_name(target->triple);
        target->triple = row == NULL ? target->triple : row->triple;
        target->cpu = codegen->cpu != NULL              ? codegen->cpu
                      : row != NULL && row->cpu != NULL ? row->cpu
                                                        : "generic";
    }
    if (options->targets.count > 0) {
        codegen->target = options->targets.items[0].triple;
        codegen->cpu = options->targets.items[0].cpu;
    }
    codegen->cpu = codegen->cpu == NULL ? "generic" : codegen->cpu;
    return error->len == 0;
}

// Threads need the runtime, which objects to embed do without. Texts show what an executable would
// have.
static bool settle_threads(Options *options, Buffer *error) {
    CodegenOptions *codegen = &options->compile.codegen;
    if (options->command == COMMAND_TEST) {
        codegen->threads = 0; // tests are small, and run beside each other
    }
    if (codegen->threads == 0) {
        return true;
    }
    for (int kind = 0; kind < EMIT_KIND_COUNT; kind++) {
        const EmitRow *row = emit_row((EmitKind)kind);
        bool is_text = row->form == EMITTED_TEXT && kind != EMIT_HEADER && kind != EMIT_JSON;
        if ((options->emits & 1U << kind) && kind != EMIT_EXE && !is_text) {
            buffer_format(error, "`--threads` is for executables, not for %s", row->help);
            return false;
        }
    }
    if (codegen->batch > 0) {
        buffer_text(error, "`--threads` and `--batch` do not go together: runs side by side are "
                           "in threads already");
    } else if (codegen->threads > 1 && target_name_is_bare(codegen->target)) {
        buffer_format(error, "`--threads` needs an operating system, which `%s` has not",
                      codegen->target);
    }
    return error->len == 0;
}

// Tests are many and short: what they take is compiling.
static void settle_test(Options *options) {
    const double seconds = 10;
    TestOptions *test = &options->test;
    if (options->command == COMMAND_TEST && !options->has_level) {
        options->compile.codegen.opt_level = 0;
    }
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    test->jobs = test->jobs > 0 ? test->jobs : processors > 0 ? (size_t)processors : 1;
    test->timeout = test->timeout > 0 ? test->timeout : seconds;
}

// Each option goes with the command that was given. Those of outputs are told by what they write.
static bool settle_commands(const Options *options, Buffer *error) {
    for (int id = 0; id < OPTION_COUNT; id++) {
        const OptionRow *row = option_row((OptionId)id);
        bool is_one = row->command < COMMAND_ANY && row->command != COMMAND_COMPILE;
        if (options->given[id] && is_one && row->command != options->command) {
            buffer_format(error, "`%s` goes with `%s`", row->spelling,
                          command_row(row->command)->word);
            return false;
        }
    }
    return true;
}

// Whether what was given goes with the command.
static bool fits_command(const Options *options, Buffer *error) {
    const CommandRow *command = command_row(options->command);
    bool wants_input = command->inputs == INPUTS_ONE || command->inputs == INPUTS_SOME;
    if (options->inputs.count == 0 && wants_input) {
        buffer_text(error, command->missing);
        return false;
    }
    bool has_output = options->output && options->command != COMMAND_LINEARIZE;
    if (options->command != COMMAND_COMPILE && (has_output || options->emits)) {
        buffer_format(error, "`%s` writes no output: `-o`, `-c` and `--emit` go without it",
                      command->word);
        return false;
    }
    if (options->command != COMMAND_COMPILE && options->dependencies) {
        buffer_format(error, "`%s` writes no output: `-MD` and `-MF` go without it", command->word);
        return false;
    }
    if (options->format == RENDER_SARIF && options->command != COMMAND_CHECK) {
        buffer_text(error, "`--diagnostics=sarif` goes with `check`");
        return false;
    }
    if (!settle_commands(options, error)) {
        return false;
    }
    bool is_elsewhere = options->compile.codegen.target != NULL;
    if (options->command == COMMAND_TEST && is_elsewhere && options->test.runner == NULL) {
        buffer_text(error, "tests for another machine need `--runner`, such as qemu-aarch64");
        return false;
    }
    if (options->format_diff && options->inputs.count == 0) {
        buffer_text(error, "`--diff` needs files to compare with");
        return false;
    }
    return true;
}

// What executables have, and what is for objects.
static bool settle_executable(Options *options, Buffer *error) {
    CompileOptions *compile = &options->compile;
    compile->executable = command_runs(options->command) || (options->emits & 1U << EMIT_EXE) != 0;
    if (compile->executable && compile->codegen.no_table) {
        buffer_text(error, "`--no-table` leaves out what executables run by");
        return false;
    }
    if (compile->executable && compile->front.mmio) {
        buffer_text(error, "`--io=mmio` is for objects: a simulation has no hardware");
        return false;
    }
    compile->linearize |= options->command == COMMAND_LINEARIZE;
    if (compile->linearize && compile->codegen.no_table) {
        buffer_text(error, "`--no-table` leaves out what `--linearize` is found by");
        return false;
    }
    compile->codegen.exports = (options->emits & ~(1U << EMIT_EXE | 1U << EMIT_FMU)) != 0;
    compile->codegen.no_lines = (options->emits & ~(1U << EMIT_EXE)) != 0;
    // A simulation shows them; an object has them when it is asked for them.
    compile->debug_signals |= compile->executable && !compile->codegen.exports;
    return true;
}

// How far the compilation goes, and what it does with tests.
static void settle_stage(Options *options) {
    CompileOptions *compile = &options->compile;
    if (options->command == COMMAND_COMPILE) {
        compile->stage = stage_of_emits(options->emits);
    } else if (!command_runs(options->command)) {
        compile->stage = STAGE_CHECK;
    }
    bool reports = options->report != REPORT_NONE || options->budget.figures != 0;
    if (reports && options->command != COMMAND_SHAPE) {
        compile->stage = STAGE_CODEGEN; // stack and code are those of the object
    }
    bool checks = options->command == COMMAND_CHECK && compile->stage == STAGE_CHECK;
    compile->tests = options->command == COMMAND_TEST ? TESTS_RUN
                     : checks                         ? TESTS_CHECKED
                                                      : TESTS_LEFT_OUT;
    const WarningChoices *warnings = &compile->front.warnings;
    bool tells_cost = warnings->of[WARNING_DERIVATIVE_COST].is_on && !warnings->are_off;
    if (checks && (tells_cost || compile->codegen.derivation == DERIVATION_REVERSE)) {
        compile->stage = STAGE_DERIVE; // tells what has no reverse form, or would gain by it
    }
}

bool options_settle(Options *options, Buffer *error) {
    settle_target(options);
    if (command_is_option(options->command)) {
        return true;
    }
    if (!fits_command(options, error)) {
        return false;
    }
    CompileOptions *compile = &options->compile;
    compile->codegen.no_runtime = options->test.runner != NULL;
    compile->notes = options->types || (options->emits & 1U << EMIT_NOTES) != 0;
    compile->infer = options->command == COMMAND_INTERFACE;
    if (options->command == COMMAND_COMPILE && !settle_output(options, error)) {
        return false;
    }
    if (!settle_fmu(options, error) || !settle_threads(options, error) ||
        !settle_executable(options, error)) {
        return false;
    }
    settle_stage(options);
    settle_test(options);
    if (compile->passes.last != 0 && compile->stage > STAGE_PASSES) {
        buffer_text(error, "`--emit=tir:PASS` goes without what needs all passes");
        return false;
    }
    return true;
}
