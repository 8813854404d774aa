// See command.h. A command is a list of words: those of an environment variable or a default, split
// at blanks, then what the caller adds. It runs with our standard streams and environment, and with
// SIGPIPE as it is by default. *error tells whether it could not be run, was killed, or said no.
#include "driver/command.h"

#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static void add_words(Arena *arena, SystemCommand *command, const char *words) {
    for (const char *word = words; *word;) {
        size_t len = strcspn(word, " ");
        if (len > 0) {
            char *copy = arena_copy_text(arena, word, len);
            LIST_PUSH(arena, &command->words, copy);
        }
        word += len + (word[len] == ' ');
    }
}

SystemCommand command_create(Arena *arena, const char *what, const char *variable,
                             const char *otherwise) {
    SystemCommand command = {.what = what};
    const char *words = getenv(variable);
    add_words(arena, &command, words ? words : "");
    if (command.words.count == 0) {
        add_words(arena, &command, otherwise);
    }
    return command;
}

void command_add(Arena *arena, SystemCommand *command, const char *word) {
    char *copy = arena_copy_text(arena, word, strlen(word));
    LIST_PUSH(arena, &command->words, copy);
}

static void print_command(const SystemCommand *command) {
    for (size_t i = 0; i + 1 < command->words.count; i++) {
        fprintf(stderr, "%s%s", i == 0 ? "" : " ", command->words.items[i]);
    }
    fputc('\n', stderr);
}

bool command_run(Arena *arena, SystemCommand *command, bool verbose, const char **error) {
    LIST_PUSH(arena, &command->words, NULL);
    if (verbose) {
        print_command(command);
    }
    const char *what = command->what;
    const char *name = command->words.items[0];
    // The command gets the default action for SIGPIPE back, which tmlc ignores.
    sigset_t defaults;
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    if (command->input != STDIN_FILENO) {
        posix_spawn_file_actions_adddup2(&actions, command->input, STDIN_FILENO);
    }
    pid_t child = 0;
    int failure = posix_spawnp(&child, name, &actions, &attributes, command->words.items, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    if (failure != 0) {
        *error = arena_format(arena, "cannot run the %s `%s`: %s", what, name, strerror(failure));
        return false;
    }
    int status = 0;
    if (waitpid(child, &status, 0) != child) {
        *error = arena_format(arena, "lost the %s `%s`", what, name);
        return false;
    }
    if (WIFSIGNALED(status)) {
        *error =
            arena_format(arena, "the %s `%s` was ended by signal %d", what, name, WTERMSIG(status));
        return false;
    }
    if (WEXITSTATUS(status) != 0 && WEXITSTATUS(status) != command->accepted) {
        *error = arena_format(arena, "the %s `%s` failed with exit status %d", what, name,
                              WEXITSTATUS(status));
        return false;
    }
    return true;
}
