// The spelling decides, never what files there are: a value reads as a TML literal or begins with a
// bracket, a wave is a word with parentheses behind it, a column stands behind `.csv:` or `-:`, and
// all else is a file, which `./` before its name makes of anything.
#include "runtime/run/given.h"

#include "runtime/abi/type.h"
#include "runtime/run/report.h"
#include "runtime/text/value_text.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

// Where the column of FILE.csv:COLUMN begins, or NULL.
static const char *column_of(const char *text) {
    if (strncmp(text, "-:", 2) == 0) {
        return text + 2;
    }
    for (const char *at = strrchr(text, ':'); at && at - text > 4;) {
        if (strncasecmp(at - 4, ".csv", 4) == 0) {
            return at + 1;
        }
        for (at--; at > text && *at != ':'; at--) {
        }
    }
    return NULL;
}

static void note_file(const Options *options, const char *text, const char *kind) {
    if (access(text, F_OK) == 0) {
        tml_report(options->command, "note: `%s` is a %s here, not the file of that name%s%s", text,
                   kind, text[0] == '/' ? "" : ", which is ./", text[0] == '/' ? "" : text);
    }
}

static bool read_value(Options *options, const tml_variable *terminal, const char *text,
                       const Value *value, bool is_value) {
    char to[TML_TYPE_TEXT_BYTES], from[TML_TYPE_TEXT_BYTES];
    if (!is_value) {
        tml_report(options->command, "`--in %s`: %s", terminal->name, value->wrong);
        return false;
    }
    if (!tml_value_assign(value, terminal->type, (char *)options->inputs + terminal->offset)) {
        tml_report(options->command, "`--in %s`: the input is %s, the value is %s%s",
                   terminal->name, tml_type_text(to, terminal->type),
                   tml_type_text(from, &value->type), tml_value_hint(terminal->type, &value->type));
        return false;
    }
    note_file(options, text, "value");
    return true;
}

static bool read_wave(Options *options, Binding *binding) {
    char message[WAVE_MESSAGE_BYTES];
    const tml_variable *terminal = binding->terminal;
    binding->kind = BINDING_WAVE;
    note_file(options, binding->path, "source");
    if (!tml_wave_read(&binding->wave, binding->path, terminal->type, message)) {
        tml_report(options->command, "`--in %s`: %s", terminal->name, message);
        return false;
    }
    return true;
}

static bool split_column(const Options *options, Binding *binding, const char *column) {
    const char *text = binding->path;
    size_t len = (size_t)(column - text) - 1;
    if (*column == '\0') {
        tml_report(options->command, "`--in %s`: a column follows the `:` of `%s`",
                   binding->terminal->name, text);
        return false;
    }
    binding->file = malloc(len + 1);
    if (!binding->file) {
        tml_report(options->command, "cannot get memory");
        return false;
    }
    memcpy(binding->file, text, len);
    binding->file[len] = '\0';
    binding->path = binding->file;
    binding->column = column;
    if (access(text, F_OK) == 0) {
        tml_report(options->command,
                   "note: `%s` is the column `%s` of `%s` here, not the file of "
                   "that name",
                   text, column, binding->path);
    }
    return true;
}

// Nothing but a file holds several inputs.
static bool is_file_of_all(const Options *options, const char *text) {
    const char *column = column_of(text);
    if (tml_text_is_wave(text) || column) {
        tml_report(options->command, "`%s` is for one input; give its name: `--in NAME=%s`", text,
                   text);
        return false;
    }
    return true;
}

// A wave without its parentheses would be a file.
static bool is_bare_wave(const Options *options, const tml_variable *terminal, const char *text) {
    if (tml_text_names_wave(text) && access(text, F_OK) != 0) {
        tml_report(options->command,
                   "`--in %s`: `%s` has arguments in parentheses, or none: `%s()`", terminal->name,
                   text, text);
        return true;
    }
    return false;
}

bool tml_binding_read(Options *options, Binding *binding) {
    const char *text = binding->path;
    const tml_variable *terminal = binding->terminal;
    if (!terminal) {
        return is_file_of_all(options, text);
    }
    Value value;
    bool is_value = tml_value_read(&value, text, terminal->type->real_bytes);
    bool right = true;
    const char *column = column_of(text);
    if (is_value || text[0] == '[') {
        binding->kind = BINDING_VALUE;
        right = read_value(options, terminal, text, &value, is_value);
    } else if (tml_text_is_wave(text)) {
        right = read_wave(options, binding);
    } else if (column) {
        right = split_column(options, binding, column);
    } else {
        right = !is_bare_wave(options, terminal, text);
    }
    tml_value_free(&value);
    return right;
}
