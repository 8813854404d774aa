#include "support/bug.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

Test(bug, ends_with_status_70, .exit_code = 70) {
    BUG("no %s", "way");
}

Test(bug, unreachable_ends_with_status_70, .exit_code = 70) {
    UNREACHABLE();
}

Test(bug, check_ends_with_status_70, .exit_code = 70) {
    CHECK(1 + 1 == 3);
}

Test(bug, check_passes) {
    CHECK(1 + 1 == 2);
    cr_assert(true);
}

Test(bug, says_where_and_what) {
    int ends[2];
    cr_assert_eq(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        bug_report("types/shape.c", 12, "no dims in %s", "x");
    }
    close(ends[1]);
    char text[1024] = {0};
    FILE *output = fdopen(ends[0], "r");
    size_t len = fread(text, 1, sizeof(text) - 1, output);
    fclose(output);
    waitpid(child, NULL, 0);
    cr_assert_gt(len, 0);
    const char *expected = "tmlc: internal compiler error at types/shape.c:12: no dims in x\n";
    cr_assert_eq(strncmp(text, expected, strlen(expected)), 0, "got: %s", text);
}
