// What bash, zsh and fish complete after `tmlc` (--completions), printed from the rows of
// options.def, commands.def, emit.def and warning.def. A new row needs nothing here.
#include "driver/options.h"

#include "sema/warn/shown.h"

#include <string.h>

// Calls print on each option that --help lists.
static void each_option(Buffer *out, void (*print)(Buffer *out, const OptionRow *row)) {
    for (int id = 0; id < OPTION_COUNT; id++) {
        const OptionRow *row = option_row((OptionId)id);
        if (row->help[0] != '\0') {
            print(out, row);
        }
    }
}

static bool has_choices(const OptionRow *row) {
    return row->form == FORM_CHOICE || row->form == FORM_OPTIONAL;
}

static bool takes_value(const OptionRow *row) {
    return row->form != FORM_FLAG && row->form != FORM_OPTIONAL;
}

static bool takes_file(const OptionRow *row) {
    return strcmp(row->argument, "FILE") == 0;
}

// `-Werror=NAME`
static bool takes_warnings(const OptionRow *row) {
    return row->form == FORM_OPTIONAL && strcmp(row->argument, "NAME") == 0;
}

static bool takes_kinds(const OptionRow *row) {
    return strncmp(row->argument, "KIND", strlen("KIND")) == 0;
}

static void print_warnings(Buffer *out, const char *prefix) {
    for (int i = 0; i < WARNING_COUNT; i++) {
        buffer_format(out, "%s%s%s", i == 0 ? "" : " ", prefix, warning_row((Warning)i)->name);
    }
}

// What the value of an option may be, separated by blanks; nothing where there is no list of it.
static void print_words(Buffer *out, const OptionRow *row) {
    if (takes_warnings(row)) {
        print_warnings(out, "");
        return;
    }
    for (const char *at = row->argument; has_choices(row) && *at != '\0'; at++) {
        buffer_append(out, *at == '|' ? " " : at, 1);
    }
    for (int kind = 0; takes_kinds(row) && kind < EMIT_KIND_COUNT; kind++) {
        buffer_format(out, "%s%s", kind == 0 ? "" : " ", emit_row((EmitKind)kind)->name);
    }
}

static void print_commands(Buffer *out) {
    const char *between = "";
    for (int id = 0; id < COMMAND_COUNT; id++) {
        const CommandRow *row = command_row((Command)id);
        if (row->word[0] != '\0') {
            buffer_format(out, "%s%s", between, row->word);
            between = " ";
        }
    }
}

static void bash_word(Buffer *out, const OptionRow *row) {
    if (row->form == FORM_JOINED) { // each value is a word of its own
        return;
    }
    buffer_format(out, "%s%s ", row->spelling,
                  row->form == FORM_VALUE || row->form == FORM_CHOICE ? "=" : "");
}

static void bash_value(Buffer *out, const OptionRow *row) {
    if (has_choices(row) || takes_kinds(row)) {
        buffer_format(out, "    %s) words='", row->spelling);
        print_words(out, row);
        buffer_text(out, "' ;;\n");
    }
}

static void print_bash(Buffer *out) {
    buffer_text(out, "# What bash completes after tmlc.\n"
                     "_tmlc() {\n"
                     "    local word=${COMP_WORDS[COMP_CWORD]} option= words=\n"
                     "    # `--option=value` arrives as three words.\n"
                     "    if [[ $word == '=' ]]; then\n"
                     "        option=${COMP_WORDS[COMP_CWORD - 1]} word=\n"
                     "    elif ((COMP_CWORD > 2)) && [[ ${COMP_WORDS[COMP_CWORD - 1]} == '=' ]]; "
                     "then\n"
                     "        option=${COMP_WORDS[COMP_CWORD - 2]}\n"
                     "    fi\n"
                     "    case $option in\n");
    each_option(out, bash_value);
    buffer_text(out, "    esac\n"
                     "    if [[ $option ]]; then\n"
                     "        COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
                     "    elif [[ $word == -* ]]; then\n"
                     "        COMPREPLY=($(compgen -W '");
    each_option(out, bash_word);
    buffer_text(out, "-O0 -O1 -O2 -O3 -Os -Oz ");
    print_warnings(out, "-W");
    buffer_text(out, " ");
    print_warnings(out, "-Wno-");
    buffer_text(out, " -Wall -Wextra' -- \"$word\"))\n"
                     "        [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace\n"
                     "    else\n"
                     "        compopt -o filenames\n"
                     "        COMPREPLY=($(compgen -f -X '!*.tml' -- \"$word\") "
                     "$(compgen -d -- \"$word\"))\n"
                     "        ((COMP_CWORD == 1)) && "
                     "COMPREPLY+=($(compgen -W '");
    print_commands(out);
    buffer_text(out, "' -- \"$word\"))\n"
                     "    fi\n"
                     "}\n"
                     "complete -F _tmlc tmlc\n");
}

// Inside single quotes, and brackets of _arguments.
static void zsh_text(Buffer *out, const char *text) {
    for (const char *at = text; *at != '\0'; at++) {
        if (*at == '\'') {
            buffer_text(out, "'\\''");
        } else {
            buffer_text(out, strchr("[]:\\", *at) != NULL ? "\\" : "");
            buffer_append(out, at, 1);
        }
    }
}

static void zsh_option(Buffer *out, const OptionRow *row) {
    const char *join = row->form == FORM_VALUE || row->form == FORM_CHOICE ? "="
                       : row->form == FORM_OPTIONAL                        ? "=-"
                       : row->form == FORM_LETTER                          ? "+"
                       : row->form == FORM_JOINED                          ? "-"
                                                                           : "";
    buffer_format(out, "  '*%s%s[", row->spelling, join);
    Buffer help = {0};
    option_help(&help, row);
    zsh_text(out, help.data);
    buffer_free(&help);
    buffer_text(out, "]");
    if (row->form != FORM_FLAG) {
        buffer_text(out, row->form == FORM_OPTIONAL ? "::" : ":");
        zsh_text(out, takes_file(row) ? "file" : "value");
        buffer_text(out, ":");
        buffer_text(out, takes_file(row)    ? "_files"
                         : has_choices(row) ? "("
                         : takes_kinds(row) ? "_values -s , kind "
                                            : "");
        print_words(out, row);
        buffer_text(out, has_choices(row) ? ")" : "");
    }
    buffer_text(out, "' \\\n");
}

static void print_zsh(Buffer *out) {
    buffer_text(out, "#compdef tmlc\n"
                     "# What zsh completes after tmlc.\n"
                     "_arguments \\\n");
    each_option(out, zsh_option);
    buffer_text(out, "  '1:command or file:{ compadd ");
    print_commands(out);
    buffer_text(out, "; _files -g \"*.tml\" }' \\\n"
                     "  '*:file:_files -g \"*.tml\"'\n");
}

static void fish_text(Buffer *out, const char *text) {
    for (const char *at = text; *at != '\0'; at++) {
        buffer_text(out, *at == '\'' || *at == '\\' ? "\\" : "");
        buffer_append(out, at, 1);
    }
}

static void fish_option(Buffer *out, const OptionRow *row) {
    bool is_long = row->spelling[1] == '-';
    const char *word = row->spelling + (is_long ? 2 : 1);
    const char *form = is_long ? "-l" : word[1] == '\0' ? "-s" : "-o";
    buffer_format(out, "complete -c tmlc %s %s", form, word);
    if (has_choices(row) || takes_kinds(row)) {
        buffer_format(out, " %s -a '", row->form == FORM_OPTIONAL ? "-f" : "-x");
        print_words(out, row);
        buffer_text(out, "'");
    } else if (takes_value(row)) {
        buffer_text(out, takes_file(row) ? " -r -F" : " -x");
    }
    buffer_text(out, " -d '");
    Buffer help = {0};
    option_help(&help, row);
    fish_text(out, help.data);
    buffer_free(&help);
    buffer_text(out, "'\n");
}

static void print_fish(Buffer *out) {
    buffer_text(out, "# What fish completes after tmlc.\n"
                     "complete -c tmlc -n __fish_use_subcommand -a '");
    print_commands(out);
    buffer_text(out, "'\n"
                     "complete -c tmlc -k -a '(__fish_complete_suffix .tml)'\n");
    each_option(out, fish_option);
}

void options_completions(const char *shell, Buffer *out) {
    if (strcmp(shell, "bash") == 0) {
        print_bash(out);
    } else if (strcmp(shell, "zsh") == 0) {
        print_zsh(out);
    } else {
        print_fish(out);
    }
}
