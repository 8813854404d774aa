#include "support/file.h"
#include "support/staged.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[] = "/tmp/tmlc-test-XXXXXX";

static void setup(void) {
    cr_assert_not_null(mkdtemp(folder));
    cr_assert_eq(chdir(folder), 0);
    umask(022);
}

// Names in the folder, "." and ".." not counted.
static int count_files(void) {
    DIR *directory = opendir(".");
    int count = 0;
    while (readdir(directory) != NULL) {
        count++;
    }
    closedir(directory);
    return count - 2;
}

static void teardown(void) {
    DIR *directory = opendir(".");
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        remove(entry->d_name);
    }
    closedir(directory);
    rmdir(folder);
}

TestSuite(file, .init = setup, .fini = teardown);

static void write_text(const char *path, const char *text) {
    const char *error = NULL;
    cr_assert(file_write(path, text, strlen(text), &error), "%s", error);
}

static void check_text(const char *path, const char *expected) {
    char *data = NULL;
    size_t len = 0;
    const char *error = NULL;
    cr_assert(file_read(path, &data, &len, &error), "%s", error);
    cr_assert_eq(len, strlen(expected));
    cr_assert_str_eq(data, expected);
    free(data);
}

static mode_t mode_of(const char *path) {
    struct stat status;
    cr_assert_eq(lstat(path, &status), 0);
    return status.st_mode & 07777;
}

Test(file, what_was_written_is_read) {
    write_text("a", "one\ntwo");
    check_text("a", "one\ntwo");
    write_text("a", "");
    check_text("a", "");
    cr_assert_eq(count_files(), 1);
    cr_assert_eq(mode_of("a"), 0644);
}

Test(file, large_files_and_pipes_are_read_whole) {
    size_t size = 3 * 1024 * 1024 + 7;
    char *data = malloc(size);
    for (size_t i = 0; i < size; i++) {
        data[i] = (char)(i * 31 % 127);
    }
    const char *error = NULL;
    cr_assert(file_write("large", data, size, &error));
    FILE *pipe = popen("cat large", "r");
    cr_assert_neq(dup2(fileno(pipe), STDIN_FILENO), -1);
    static const char *const paths[] = {"large", "-"};
    for (size_t i = 0; i < 2; i++) {
        char *back = NULL;
        size_t len = 0;
        cr_assert(file_read(paths[i], &back, &len, &error), "%s", error);
        cr_assert_eq(len, size);
        cr_assert_eq(memcmp(back, data, size), 0);
        free(back);
    }
    pclose(pipe);
    free(data);
}

static void check_unreadable(const char *path, const char *expected) {
    char *data = NULL;
    size_t len = 0;
    const char *error = NULL;
    cr_assert_not(file_read(path, &data, &len, &error));
    cr_assert_str_eq(error, expected);
}

Test(file, what_cannot_be_read) {
    check_unreadable("missing", "No such file or directory");
    check_unreadable(".", "Is a directory");
    check_unreadable("/dev/zero", "is a device");
    check_unreadable("/dev/urandom", "is a device");
    check_text("/dev/null", "");
}

static void check_unwritable(const char *path, const char *expected) {
    const char *error = NULL;
    cr_assert_not(file_write(path, "x", 1, &error));
    cr_assert_str_eq(error, expected);
}

Test(file, only_regular_files_are_replaced) {
    cr_assert_eq(mkdir("folder", 0777), 0);
    cr_assert_eq(mkfifo("fifo", 0666), 0);
    cr_assert_eq(symlink("nothing", "dangling"), 0);
    check_unwritable("folder", "is not a regular file");
    check_unwritable("fifo", "is not a regular file");
    check_unwritable("/dev/full", "is not a regular file");
    check_unwritable("/dev/null", "is not a regular file");
    check_unwritable("dangling", "is a link to a file that does not exist");
    check_unwritable("missing/x", "No such file or directory");
    cr_assert_eq(count_files(), 3);
}

Test(file, links_stay_and_their_files_are_replaced) {
    write_text("real", "old");
    cr_assert_eq(symlink("real", "link"), 0);
    write_text("link", "new");
    check_text("real", "new");
    struct stat status;
    cr_assert_eq(lstat("link", &status), 0);
    cr_assert(S_ISLNK(status.st_mode));
    cr_assert_eq(count_files(), 2);
}

Test(file, a_full_disk_leaves_the_old_file) {
    write_text("a", "old");
    signal(SIGXFSZ, SIG_IGN);
    struct rlimit limit = {1000, 1000};
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    static char data[5000];
    const char *error = NULL;
    cr_assert_not(file_write("a", data, sizeof(data), &error));
    cr_assert_str_eq(error, "File too large");
    check_text("a", "old");
    cr_assert_eq(count_files(), 1);
}

Test(file, what_is_discarded_is_gone) {
    const char *error = NULL;
    StagedFile first, second;
    size_t failed;
    cr_assert(staged_create(&first, "a", "old", 3, &error), "%s", error);
    cr_assert(staged_create(&second, "a", NULL, 0, &error), "%s", error);
    cr_assert_str_neq(first.temporary, second.temporary);
    cr_assert_eq(count_files(), 2);
    FILE *stream = fopen(first.temporary, "w");
    fputs("staged", stream);
    fclose(stream);
    staged_discard(&second);
    cr_assert(staged_commit(&first, 1, &failed, &error), "%s", error);
    check_text("a", "staged");
    cr_assert_eq(count_files(), 1);
}

static void stage_text(StagedFile *file, const char *path) {
    const char *error = NULL;
    cr_assert(staged_create(file, path, "new", 3, &error), "%s", error);
}

Test(file, several_are_committed_together) {
    write_text("a", "old");
    StagedFile files[3];
    stage_text(&files[0], "a");
    stage_text(&files[1], "b");
    stage_text(&files[2], "c");
    size_t failed;
    const char *error = NULL;
    cr_assert(staged_commit(files, 3, &failed, &error), "%s", error);
    check_text("a", "new");
    check_text("b", "new");
    check_text("c", "new");
    cr_assert_eq(count_files(), 3);
}

// The temporary file of the last is gone, so rename() fails when the others have their names.
Test(file, none_is_committed_when_one_fails) {
    write_text("a", "old");
    cr_assert_eq(symlink("a", "link"), 0);
    StagedFile files[3];
    stage_text(&files[0], "link");
    stage_text(&files[1], "b");
    stage_text(&files[2], "c");
    cr_assert_eq(unlink(files[2].temporary), 0);
    size_t failed;
    const char *error = NULL;
    cr_assert_not(staged_commit(files, 3, &failed, &error));
    cr_assert_eq(failed, 2);
    cr_assert_str_eq(error, "No such file or directory");
    check_text("a", "old");
    cr_assert_eq(count_files(), 2);
}

Test(file, one_file_by_two_names) {
    write_text("a", "x");
    cr_assert_eq(link("a", "b"), 0);
    cr_assert_eq(mkdir("folder", 0777), 0);
    cr_assert_eq(symlink("folder", "link"), 0);
    cr_assert(file_same("a", "./a"));
    cr_assert(file_same("a", "b"));
    cr_assert(file_same("new", "./new"));
    cr_assert(file_same("folder/new", "link/../folder/new"));
    cr_assert_not(file_same("new", "newer"));
    cr_assert_not(file_same("folder/new", "new"));
    cr_assert_not(file_same("a", "new"));
    cr_assert_not(file_same("missing/new", "missing/new"));
}

Test(file, slots_are_given_back) {
    for (int i = 0; i < 100; i++) {
        write_text("a", "x");
        check_unwritable("missing/x", "No such file or directory");
    }
    check_text("a", "x");
}

// A child stages a file and ends in its own way; afterwards nothing is left.
static int status_of_child(int signal_number) {
    pid_t child = fork();
    if (child == 0) {
        signal(signal_number, SIG_DFL);
        const char *error = NULL;
        StagedFile file;
        if (!staged_create(&file, "a", "x", 1, &error) || access(file.temporary, F_OK) != 0) {
            _exit(99);
        }
        free(file.temporary);
        if (signal_number != 0) {
            raise(signal_number);
        }
        exit(3);
    }
    int status = 0;
    cr_assert_eq(waitpid(child, &status, 0), child);
    return status;
}

Test(file, signals_and_exit_leave_nothing) {
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
        int status = status_of_child(numbers[i]);
        cr_assert(WIFSIGNALED(status), "status %x", (unsigned)status);
        cr_assert_eq(WTERMSIG(status), numbers[i]);
        cr_assert_eq(count_files(), 0);
    }
    int status = status_of_child(0);
    cr_assert(WIFEXITED(status));
    cr_assert_eq(WEXITSTATUS(status), 3);
    cr_assert_eq(count_files(), 0);
}
