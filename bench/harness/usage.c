/* usage FILE COMMAND...: runs a command and writes its CPU time in milliseconds and its greatest
   memory in KiB to a file. A child's memory is never less than its parent's was when it began, so
   the parent has to be this small. */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static double milliseconds(struct timeval t) {
    return 1e3 * (double)t.tv_sec + 1e-3 * (double)t.tv_usec;
}

int main(int argc, char **argv) {
    pid_t child = argc < 3 ? -1 : fork();
    if (child == 0) {
        execvp(argv[2], argv + 2);
        perror(argv[2]);
        _exit(127);
    }
    int status;
    struct rusage used;
    FILE *file = child < 0 ? NULL : fopen(argv[1], "w");
    if (file == NULL || wait4(child, &status, 0, &used) != child) {
        return 126;
    }
    fprintf(file, "%.3f %ld\n", milliseconds(used.ru_utime) + milliseconds(used.ru_stime),
            used.ru_maxrss);
    fclose(file);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 125;
}
