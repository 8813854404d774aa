// How tests ended: for people, as TAP (of version 13, which readers of 14 take and `prove` knows),
// and as JUnit's XML. Times stand in JUnit's only, so that equal runs print equal texts.
#include "driver/test/run.h"
#include "support/xml.h"

#include <string.h>

typedef struct Count {
    size_t passed, failed, skipped;
    double seconds;
} Count;

static Count count_cases(const TestRun *run) {
    Count count = {0};
    for (size_t i = 0; i < run->cases.count; i++) {
        const TestCase *test = &run->cases.items[i];
        count.passed += test->outcome == TEST_PASSED;
        count.failed += test->outcome == TEST_FAILED;
        count.skipped += test->outcome == TEST_SKIPPED;
        count.seconds += test->seconds;
    }
    return count;
}

static bool is_counted(const TestCase *test) {
    return test->outcome != TEST_LEFT_OUT;
}

// The file, and its level where there are several.
static void run_name(Buffer *out, const TestRun *run, const Options *options) {
    buffer_text(out, run->path);
    if (options->test.all_levels) {
        buffer_format(out, " -O%u", run->level);
    }
}

// People.

static void print_count(Buffer *out, const Count *count) {
    if (count->failed > 0) {
        buffer_format(out, "%zu failed", count->failed);
    }
    if (count->passed > 0 || count->failed == 0) {
        buffer_format(out, "%s%zu passed", count->failed > 0 ? ", " : "", count->passed);
    }
    if (count->skipped > 0) {
        buffer_format(out, ", %zu skipped", count->skipped);
    }
    buffer_text(out, "\n");
}

static void print_failure(Buffer *out, const TestRun *run, const TestCase *test) {
    buffer_format(out, "%s:%u:%u: test failed: %s: %s\n", run->path, test->line, test->column,
                  test->name, test->why);
    buffer_text(out, test->text);
    size_t len = strlen(test->text);
    buffer_text(out, len > 0 && test->text[len - 1] != '\n' ? "\n" : "");
}

static void print_human(const TestRun *runs, size_t count, const Options *options, Buffer *out) {
    Count all = {0};
    size_t files = 0;
    for (size_t i = 0; i < count; i++) {
        Count counted = count_cases(&runs[i]);
        for (size_t k = 0; k < runs[i].cases.count; k++) {
            if (runs[i].cases.items[k].outcome == TEST_FAILED) {
                print_failure(out, &runs[i], &runs[i].cases.items[k]);
            }
        }
        if (runs[i].status != EXIT_OK) {
            run_name(out, &runs[i], options);
            buffer_text(out, ": cannot be tested\n");
        } else if (counted.passed + counted.failed + counted.skipped > 0) {
            run_name(out, &runs[i], options);
            buffer_text(out, ": ");
            print_count(out, &counted);
            files++;
        }
        all.passed += counted.passed;
        all.failed += counted.failed;
        all.skipped += counted.skipped;
    }
    if (files > 1) {
        buffer_text(out, "all: ");
        print_count(out, &all);
    }
}

static void print_list(const TestRun *runs, size_t count, Buffer *out) {
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < runs[i].cases.count; k++) {
            const TestCase *test = &runs[i].cases.items[k];
            if (is_counted(test)) {
                buffer_format(out, "%s:%u:%u: %s\n", runs[i].path, test->line, test->column,
                              test->name);
            }
        }
    }
}

// TAP.

// A description: `#` would begin a directive.
static void tap_text(Buffer *out, const char *text) {
    for (; *text != '\0'; text++) {
        if (*text == '#' || *text == '\\') {
            buffer_text(out, "\\");
        }
        buffer_append(out, *text == '\n' || *text == '\r' ? " " : text, 1);
    }
}

// Lines of YAML as they are: a block of text.
static void tap_block(Buffer *out, const char *name, const char *text) {
    buffer_format(out, "  %s: |\n", name);
    while (*text != '\0') {
        size_t len = strcspn(text, "\n");
        buffer_text(out, "    ");
        buffer_append(out, text, len);
        buffer_text(out, "\n");
        text += len + (text[len] == '\n');
    }
}

static void tap_case(Buffer *out, const TestRun *run, const TestCase *test, size_t number,
                     const Options *options) {
    bool passed = test->outcome != TEST_FAILED;
    buffer_format(out, "%sok %zu - ", passed ? "" : "not ", number);
    Buffer name = {0};
    run_name(&name, run, options);
    buffer_format(&name, ": %s", test->name);
    tap_text(out, name.data);
    buffer_free(&name);
    if (test->outcome == TEST_SKIPPED) {
        buffer_format(out, " # SKIP %s", test->why);
    }
    buffer_text(out, "\n");
    if (!passed) {
        buffer_text(out, "  ---\n");
        tap_block(out, "message", test->why);
        tap_block(out, "file", run->path);
        buffer_format(out, "  line: %u\n  column: %u\n", test->line, test->column);
        tap_block(out, "output", test->text);
        buffer_text(out, "  ...\n");
    }
}

static void print_tap(const TestRun *runs, size_t count, const Options *options, Buffer *out) {
    size_t number = 0;
    buffer_text(out, "TAP version 13\n");
    for (size_t i = 0; i < count; i++) {
        if (runs[i].status != EXIT_OK) {
            buffer_format(out, "not ok %zu - ", ++number);
            tap_text(out, runs[i].path);
            buffer_text(out, ": cannot be tested\n");
        }
        for (size_t k = 0; k < runs[i].cases.count; k++) {
            if (is_counted(&runs[i].cases.items[k])) {
                tap_case(out, &runs[i], &runs[i].cases.items[k], ++number, options);
            }
        }
    }
    buffer_format(out, "1..%zu\n", number);
}

// JUnit.

static void junit_numbers(Buffer *out, const Count *count, size_t errors) {
    buffer_format(out,
                  " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\" time=\"%.6f\"",
                  count->passed + count->failed + count->skipped + errors, count->failed, errors,
                  count->skipped, count->seconds);
}

static void junit_content(Buffer *out, const char *element, const char *message, const char *text) {
    buffer_format(out, "      <%s", element);
    xml_attribute(out, "message", message);
    buffer_text(out, ">");
    xml_text(out, text, strlen(text));
    buffer_format(out, "</%s>\n", element);
}

static void junit_case(Buffer *out, const TestRun *run, const TestCase *test, const char *name) {
    buffer_text(out, "    <testcase");
    xml_attribute(out, "classname", name);
    xml_attribute(out, "name", test->name);
    xml_attribute(out, "file", run->path);
    buffer_format(out, " line=\"%u\" time=\"%.6f\"", test->line, test->seconds);
    if (test->outcome == TEST_PASSED) {
        buffer_text(out, "/>\n");
        return;
    }
    buffer_text(out, ">\n");
    junit_content(out, test->outcome == TEST_SKIPPED ? "skipped" : "failure", test->why,
                  test->text);
    buffer_text(out, "    </testcase>\n");
}

static void junit_run(Buffer *out, const TestRun *run, const Options *options) {
    Buffer name = {0};
    run_name(&name, run, options);
    Count count = count_cases(run);
    size_t errors = run->status != EXIT_OK;
    buffer_text(out, "  <testsuite");
    xml_attribute(out, "name", name.data);
    junit_numbers(out, &count, errors);
    buffer_text(out, ">\n");
    if (errors > 0) {
        buffer_text(out, "    <testcase");
        xml_attribute(out, "classname", name.data);
        xml_attribute(out, "name", "compiles");
        buffer_text(out, ">\n");
        junit_content(out, "error", "the file cannot be tested",
                      run->messages.len == 0 ? "" : run->messages.data);
        buffer_text(out, "    </testcase>\n");
    }
    for (size_t k = 0; k < run->cases.count; k++) {
        if (is_counted(&run->cases.items[k])) {
            junit_case(out, run, &run->cases.items[k], name.data);
        }
    }
    buffer_text(out, "  </testsuite>\n");
    buffer_free(&name);
}

static void print_junit(const TestRun *runs, size_t count, const Options *options, Buffer *out) {
    Count all = {0};
    size_t errors = 0;
    for (size_t i = 0; i < count; i++) {
        Count counted = count_cases(&runs[i]);
        all.passed += counted.passed;
        all.failed += counted.failed;
        all.skipped += counted.skipped;
        all.seconds += counted.seconds;
        errors += runs[i].status != EXIT_OK;
    }
    buffer_text(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"tmlc\"");
    junit_numbers(out, &all, errors);
    buffer_text(out, ">\n");
    for (size_t i = 0; i < count; i++) {
        junit_run(out, &runs[i], options);
    }
    buffer_text(out, "</testsuites>\n");
}

void test_report(const TestRun *runs, size_t count, const Options *options, Buffer *out) {
    if (options->test.lists) {
        print_list(runs, count, out);
        return;
    }
    switch (options->test.format) {
    case TEST_HUMAN: print_human(runs, count, options, out); return;
    case TEST_TAP: print_tap(runs, count, options, out); return;
    case TEST_JUNIT: print_junit(runs, count, options, out); return;
    }
}
