// Whole runs: options, ports, traps, exit statuses.
#include "runtime/abi/abi.h"
#include "values.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static const uint16_t ranks[] = {2};
static const uint32_t dims[] = {2, 2};
static const tml_type matrix = {TML_REAL, 8, 1, 2, ranks, dims};
static const tml_type scalar = {TML_INT, 8, 0, 0, NULL, NULL};
static const tml_variable ports[] = {
    {"gain", "", TML_INPUT, 1, 0, &scalar, 0, NULL},
    {"plant", "", TML_INPUT, 1, 0, &matrix, 0, NULL},
    {"result", "", TML_OUTPUT, 1, 0, &matrix, 0, NULL},
    {"count", "", TML_OUTPUT, 1, 0, &scalar, 0, NULL},
};
static const char *const files[] = {"m.tml"};
static const char *const texts[] = {"first", "the sum is 1"};

typedef struct State {
    tml_state head;
    int32_t gain;
    double plant[4];
} State;

// result = gain * plant; count = gain; traps when asked to.
static tml_status run_scaling(void *memory, const void *params, const void *inputs, void *outputs) {
    (void)params, (void)inputs, (void)outputs;
    State *state = memory;
    tml_status status = tml_input(state->head.host, &scalar, "gain", &state->gain);
    if (status == TML_OK) {
        status = tml_input(state->head.host, &matrix, "plant", state->plant);
    }
    for (size_t i = 0; i < 4; i++) {
        state->plant[i] *= state->gain;
    }
    if (status == TML_OK) {
        status = tml_output(state->head.host, &matrix, "result", state->plant);
    }
    if (status == TML_OK) {
        status = tml_output(state->head.host, &scalar, "count", &state->gain);
    }
    return status;
}

static const tml_model scaling = {
    .version = TML_MODEL_VERSION,
    .kind = TML_PROGRAM,
    .name = "m",
    .state_bytes = sizeof(State),
    .step = run_scaling,
    .file_count = 1,
    .files = files,
    .variable_count = sizeof ports / sizeof ports[0],
    .variables = ports,
};

typedef struct Run {
    int exit_status;
    char out[VALUES_TEXT];
    char err[VALUES_TEXT];
} Run;

// `arguments` ends in NULL.
static Run run(const tml_model *program, char **arguments) {
    Run result;
    char *argv[16] = {(char[]){"m"}};
    int argc = 1;
    while (*arguments) {
        argv[argc++] = *arguments++;
    }
    Capture out = capture_start(STDOUT_FILENO), err = capture_start(STDERR_FILENO);
    result.exit_status = tml_main(program, argc, argv);
    capture_finish(&out, result.out);
    capture_finish(&err, result.err);
    return result;
}

#define ARGUMENTS(...) ((char *[]){__VA_ARGS__, NULL})
#define NO_ARGUMENTS ((char *[]){NULL})

static void enter_folder(void) {
    char folder[] = "/tmp/tmlc-test-XXXXXX";
    cr_assert_not_null(mkdtemp(folder));
    cr_assert_eq(chdir(folder), 0);
}

static void leave_folder(void) {
    char folder[64], command[128];
    cr_assert_not_null(getcwd(folder, sizeof folder));
    snprintf(command, sizeof command, "rm -r %s", folder);
    cr_assert_eq(system(command), 0);
}

static void write_text(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    cr_assert_not_null(file);
    fputs(text, file);
    fclose(file);
}

static void write_inputs(void) {
    enter_folder();
    write_text("gain.csv", "2\n");
    write_text("plant.csv", "1,2\n3,4\n");
}

static void read_text(const char *path, char text[VALUES_TEXT]) {
    int fd = open(path, O_RDONLY);
    cr_assert_geq(fd, 0, "%s", path);
    test_file_text(fd, text);
}

#define INPUTS "--in", "gain=gain.csv", "--in=plant=plant.csv"

TestSuite(program, .init = write_inputs, .fini = leave_folder);

Test(program, outputs_without_a_file_are_printed) {
    Run result = run(&scaling, ARGUMENTS(INPUTS));
    cr_expect_eq(result.exit_status, 0);
    cr_expect_str_eq(result.out, "result =\n[2.0, 4.0;\n 6.0, 8.0]\ncount = 2\n");
    cr_expect_str_eq(result.err, "");
}

Test(program, outputs_go_to_files) {
    char text[VALUES_TEXT];
    Run result = run(&scaling, ARGUMENTS(INPUTS, "--out", "result=y.csv", "--out", "count=-"));
    cr_expect_eq(result.exit_status, 0, "%s", result.err);
    cr_expect_str_eq(result.out, "2\n");
    read_text("y.csv", text);
    cr_expect_str_eq(text, "2.0,4.0\n6.0,8.0\n");
}

Test(program, what_one_run_writes_another_reads) {
    Run result = run(&scaling, ARGUMENTS(INPUTS, "--out", "result=y.npy"));
    cr_expect_eq(result.exit_status, 0, "%s", result.err);
    result = run(&scaling, ARGUMENTS("--in", "gain=gain.csv", "--in", "plant=y.npy"));
    cr_expect_eq(result.exit_status, 0, "%s", result.err);
    cr_expect_str_eq(result.out, "result =\n[4.0, 8.0;\n 12.0, 16.0]\ncount = 2\n");
}

Test(program, literals_are_read_and_written) {
    char text[VALUES_TEXT];
    write_text("gain.tml", "# a scalar\n2\n");
    write_text("plant.txt", "[1, 2;\n 3, 4]\n");
    Run result = run(&scaling, ARGUMENTS("--in", "gain=gain.tml", "--in", "plant=plant.txt",
                                         "--out", "result=y.tml", "--out", "count=-"));
    cr_expect_eq(result.exit_status, 0, "%s", result.err);
    read_text("y.tml", text);
    cr_expect_str_eq(text, "[2.0, 4.0;\n 6.0, 8.0]\n");
    result = run(&scaling, ARGUMENTS("--in", "gain=gain.tml", "--in", "plant=y.tml"));
    cr_expect_str_eq(result.out, "result =\n[4.0, 8.0;\n 12.0, 16.0]\ncount = 2\n");
}

Test(program, a_replaced_file_keeps_its_mode_and_links) {
    char text[VALUES_TEXT];
    struct stat file;
    write_text("y.csv", "old and much longer than what comes\n");
    cr_assert_eq(chmod("y.csv", 0640), 0);
    cr_assert_eq(symlink("y.csv", "link.csv"), 0);
    Run result = run(&scaling, ARGUMENTS(INPUTS, "--out", "result=link.csv"));
    cr_expect_eq(result.exit_status, 0, "%s", result.err);
    read_text("y.csv", text);
    cr_expect_str_eq(text, "2.0,4.0\n6.0,8.0\n");
    cr_assert_eq(lstat("link.csv", &file), 0);
    cr_expect(S_ISLNK(file.st_mode));
    cr_assert_eq(stat("y.csv", &file), 0);
    cr_expect_eq(file.st_mode & 0777, 0640u);
}

Test(program, the_file_behind_standard_output_is_not_replaced) {
    Run result = run(&scaling, ARGUMENTS(INPUTS, "--out", "count=/dev/stdout"));
    cr_expect_eq(result.exit_status, 0, "%s", result.err);
    cr_expect_str_eq(result.out, "result =\n[2.0, 4.0;\n 6.0, 8.0]\n2\n");
}

static size_t count_files(void) {
    size_t count = 0;
    DIR *folder = opendir(".");
    cr_assert_not_null(folder);
    while (readdir(folder)) {
        count++;
    }
    closedir(folder);
    return count;
}

Test(program, an_output_is_written_whole_or_not_at_all) {
    char text[VALUES_TEXT];
    write_text("y.npy", "old");
    size_t before = count_files();
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &(struct rlimit){100, 100}), 0);
    Run result = run(&scaling, ARGUMENTS(INPUTS, "--out", "result=y.npy"));
    cr_expect_eq(result.exit_status, 3);
    cr_expect_str_eq(result.err, "m: cannot write `y.npy`: File too large\n");
    read_text("y.npy", text);
    cr_expect_str_eq(text, "old");
    cr_expect_eq(count_files(), before);
}

Test(program, outputs_to_impossible_places) {
    cr_assert_eq(mkdir("y", 0777), 0);
    Run result = run(&scaling, ARGUMENTS(INPUTS, "--out", "result=none/y.csv"));
    cr_expect_eq(result.exit_status, 3);
    cr_expect_str_eq(result.err, "m: cannot write `none/y.csv`: No such file or directory\n");
    result = run(&scaling, ARGUMENTS(INPUTS, "--out", "result=y"));
    cr_expect_eq(result.exit_status, 3);
    cr_expect_str_eq(result.err, "m: cannot write `y`: Is a directory\n");
    result = run(&scaling, ARGUMENTS(INPUTS, "--out", "result=/dev/full"));
    cr_expect_eq(result.exit_status, 3);
    cr_expect_str_eq(result.err, "m: cannot write `/dev/full`: No space left on device\n");
}

Test(program, a_wrong_input_ends_the_run) {
    write_text("gain.csv", "two\n2.5\n");
    Run result = run(&scaling, ARGUMENTS(INPUTS));
    cr_expect_eq(result.exit_status, 3);
    cr_expect_str_eq(result.out, "");
    cr_expect_str_eq(result.err, "gain.csv:2:1: error: `2.5` is not an int\n");
    result = run(&scaling, ARGUMENTS("--in", "gain=none.csv", "--in", "plant=plant.csv"));
    cr_expect_eq(result.exit_status, 3);
    cr_expect_str_eq(result.err, "m: cannot open `none.csv`: No such file or directory\n");
}

Test(program, help) {
    Run result = run(&scaling, ARGUMENTS("--help"));
    cr_expect_eq(result.exit_status, 0);
    cr_expect_str_eq(result.err, "");
    cr_expect_str_eq(result.out,
                     "usage: m --in NAME=FILE... [--out NAME=FILE]...\n"
                     "\n"
                     "inputs:\n"
                     "  gain    int\n"
                     "  plant   tensor<real, 2, 2>\n"
                     "\n"
                     "outputs:\n"
                     "  result  tensor<real, 2, 2>\n"
                     "  count   int\n"
                     "\n"
                     "FILE is a NumPy array (.npy), a TML literal (.tml) or CSV; `-` is standard "
                     "input or output.\n"
                     "Outputs that are not given are printed.\n");
}

Test(program, wrong_usage) {
    const struct {
        char **arguments;
        const char *message;
    } rows[] = {
        {NO_ARGUMENTS, "m: the input `gain` (int) is missing; give `--in gain=FILE`\n"
                       "m: the input `plant` (tensor<real, 2, 2>) is missing; give "
                       "`--in plant=FILE`\n"},
        {ARGUMENTS("--foo"), "m: unknown option `--foo`; see `m --help`\n"},
        {ARGUMENTS("--hlp"), "m: unknown option `--hlp`; did you mean `--help`?\n"},
        {ARGUMENTS("--help=1"), "m: unknown option `--help=1`; see `m --help`\n"},
        {ARGUMENTS("--steps=1"), "m: unknown option `--steps=1`; see `m --help`\n"},
        {ARGUMENTS("--in", "gain=-", "--in", "plant=-"), "m: `-` is given for two inputs\n"},
        {ARGUMENTS("--input=x"), "m: unknown option `--input=x`; see `m --help`\n"},
        {ARGUMENTS("x"), "m: unexpected argument `x`; see `m --help`\n"},
        {ARGUMENTS("--in"), "m: `--in` needs NAME=FILE\n"},
        {ARGUMENTS("--out", "x"), "m: `--out` needs NAME=FILE, found `x`\n"},
        {ARGUMENTS("--out", "=x"), "m: `--out` needs NAME=FILE, found `=x`\n"},
        {ARGUMENTS("--in", "gain="), "m: `--in` needs NAME=FILE, found `gain=`\n"},
        {ARGUMENTS("--in", "gain=x.npz"), "m: `x.npz` is an archive of arrays; give a file for "
                                          "each, as `np.save(\"gain.npy\", ...)` "
                                          "writes\n"},
        {ARGUMENTS("--strict-columns"), "m: unknown option `--strict-columns`; see `m --help`\n"},
        {ARGUMENTS("--in", "GAIN=x"),
         "m: this program has no input `GAIN`; did you mean `gain`?\n"},
        {ARGUMENTS("--in", "gian=x"),
         "m: this program has no input `gian`; did you mean `gain`?\n"},
        {ARGUMENTS("--out", "somethingelse=x"),
         "m: this program has no output `somethingelse`; see `m --help`\n"},
        {ARGUMENTS("--in", "result=x"), "m: `result` is an output of this program; use `--out`\n"},
        {ARGUMENTS("--out", "gain=x"), "m: `gain` is an input of this program; use `--in`\n"},
        {ARGUMENTS("--in", "gain=x", "--in", "gain=y"), "m: `--in gain` is given twice\n"},
        {ARGUMENTS("--out", "result=x", "--out", "count=x"), "m: `x` is given for two outputs\n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        Run result = run(&scaling, rows[i].arguments);
        cr_expect_eq(result.exit_status, 2);
        cr_expect_str_eq(result.out, "");
        cr_expect_str_eq(result.err, rows[i].message, "%s", result.err);
    }
}

static tml_status run_trapping(void *memory, const void *params, const void *inputs,
                               void *outputs) {
    (void)params, (void)inputs, (void)outputs;
    tml_state *state = memory;
    int32_t code;
    tml_status status = tml_input(state->host, &scalar, NULL, &code);
    if (status == TML_OK) {
        status = tml_print_text(state->host, "before\n", 7);
    }
    if (status == TML_OK) {
        state->fault = (tml_fault){.code = code, .line = 12, .column = 5, .index = 1, .length = 1};
        status = code;
    }
    return status;
}

static const tml_model trapping = {
    .version = TML_MODEL_VERSION,
    .kind = TML_PROGRAM,
    .name = "m",
    .state_bytes = sizeof(tml_state),
    .step = run_trapping,
    .file_count = 1,
    .files = files,
    .text_count = 2,
    .texts = texts,
};

static Run run_with_input(const tml_model *program, const char *input) {
    int file = test_file(input, strlen(input));
    cr_assert_eq(dup2(file, STDIN_FILENO), STDIN_FILENO);
    close(file);
    return run(program, NO_ARGUMENTS);
}

Test(program, traps) {
    static const struct {
        const char *code;
        const char *message;
    } rows[] = {
        {"1001", "m.tml:12:5: trap[E1001]: index 1 is outside a dimension of length 1\n"},
        {"1002", "m.tml:12:5: trap[E1002]: integer division by zero\n"},
        {"1003", "m.tml:12:5: trap[E1003]: the step of the loop is zero\n"},
        {"1004", "m.tml:12:5: trap[E1004]: assertion failed: the sum is 1\n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        Run result = run_with_input(&trapping, rows[i].code);
        cr_expect_eq(result.exit_status, 101);
        cr_expect_str_eq(result.out, "before\n");
        cr_expect_str_eq(result.err, rows[i].message, "%s", result.err);
    }
}

Test(program, missing_standard_input_is_an_error) {
    Run result = run_with_input(&trapping, "");
    cr_expect_eq(result.exit_status, 3);
    cr_expect_str_eq(result.err,
                     "standard input:1:1: error: the input ends after 0 of the 1 values of int\n");
}

Test(program, another_version_does_not_run) {
    tml_model old = trapping;
    old.version = TML_MODEL_VERSION + 1;
    Run result = run(&old, NO_ARGUMENTS);
    cr_expect_eq(result.exit_status, 3);
    cr_expect_neq(strstr(result.err, "version"), NULL);
}

Test(program, impossible_memory_is_told) {
    tml_model huge = trapping;
    huge.state_bytes = (uint64_t)1 << 60;
    Run result = run(&huge, NO_ARGUMENTS);
    cr_expect_eq(result.exit_status, 3);
    cr_expect_str_eq(result.err, "m: cannot get 1152921504606846976 bytes of memory: "
                                 "Cannot allocate memory\n");
}

static tml_status run_talking(void *memory, const void *params, const void *inputs, void *outputs) {
    (void)params, (void)inputs, (void)outputs;
    tml_state *state = memory;
    for (int32_t i = 0; i < 100000; i++) {
        tml_status status = tml_print_value(state->host, &scalar, &i);
        if (status == TML_OK) {
            status = tml_print_text(state->host, "\n", 1);
        }
        if (status != TML_OK) {
            return status;
        }
    }
    return TML_OK;
}

// Runs with standard output at `out`; returns the exit status.
static int talk_to(int out, char message[VALUES_TEXT]) {
    tml_model talking = trapping;
    talking.step = run_talking;
    char *argv[] = {(char[]){"m"}, NULL};
    int saved = dup(STDOUT_FILENO);
    cr_assert(saved >= 0 && out >= 0);
    Capture err = capture_start(STDERR_FILENO);
    cr_assert_eq(dup2(out, STDOUT_FILENO), STDOUT_FILENO);
    int exit_status = tml_main(&talking, 1, argv);
    cr_assert_eq(dup2(saved, STDOUT_FILENO), STDOUT_FILENO);
    capture_finish(&err, message);
    close(saved);
    return exit_status;
}

Test(program, a_full_disk_is_told_once) {
    char message[VALUES_TEXT];
    cr_expect_eq(talk_to(open("/dev/full", O_WRONLY), message), 3);
    cr_expect_str_eq(message, "m: cannot write to standard output: No space left on device\n");
}

Test(program, a_closed_pipe_is_told_by_the_status) {
    int ends[2];
    char message[VALUES_TEXT];
    cr_assert_eq(pipe(ends), 0);
    close(ends[0]);
    cr_expect_eq(talk_to(ends[1], message), 3);
    cr_expect_str_eq(message, "");
    struct sigaction now;
    cr_assert_eq(sigaction(SIGPIPE, NULL, &now), 0);
    cr_expect(now.sa_handler == SIG_DFL, "the caller's handling of SIGPIPE is back");
}
