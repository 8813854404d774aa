// See front_options.h. Keeps the table of options.
#include "driver/front_options.h"

#include "sema/warn/shown.h"
#include "support/bug.h"
#include "support/intern.h"
#include "support/path.h"
#include "support/project.h"
#include "support/suggest.h"

#include <string.h>

static const OptionRow option_rows[OPTION_COUNT] = {
#define OPTION(ID, spelling, FORM, argument, COMMAND, help) \
    {spelling, FORM_##FORM, argument, COMMAND_##COMMAND, help},
#include "driver/options.def"
};

const OptionRow *option_row(OptionId id) {
    return &option_rows[id];
}

bool option_suggest(const OptionWords *words, const char *nearest) {
    if (nearest) {
        buffer_format(words->error, "; did you mean `%s`?", nearest);
    }
    return false;
}

// Whether the argument is the option, with a value or without.
static bool is_spelt(const char *argument, const char *spelling) {
    size_t len = strcspn(argument, "=");
    return strlen(spelling) == len && memcmp(spelling, argument, len) == 0;
}

static bool is_option_of_programs(const char *argument) {
    static const char *const spellings[] = {
#define OPTION(spelling, ...) spelling,
#include "runtime/run/options.def"
    };
    for (size_t i = 0; i < sizeof spellings / sizeof spellings[0]; i++) {
        if (is_spelt(argument, spellings[i])) {
            return true;
        }
    }
    return false;
}

// What an option of other compilers is here; NULL: it is none.
static const char *option_of_others(const char *argument) {
    static const struct {
        const char *spelling, *ours;
    } rows[] = {
        {"-S", "--emit=asm"},
        {"-emit-llvm", "--emit=llvm"},
        {"--json", "--diagnostics=json"},
        {"--output", "-o"},
        {"-march", "--cpu"},
        {"-mcpu", "--cpu"},
        {"-mtune", "--cpu"},
        {"-ffast-math", "--fp=fast"},
        {"--verbose", "-v"},
        {"-W", "-Wall"},
        {"-fsyntax-only", "tmlc check"},
        {"--quiet", "-w"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (is_spelt(argument, rows[i].spelling)) {
            return rows[i].ours;
        }
    }
    return NULL;
}

static bool fail_unknown_option(const OptionWords *words, const char *argument) {
    if (is_option_of_programs(argument)) {
        buffer_format(words->error,
                      "`%.*s` is an option of the program that is made; `tmlc run` passes on what "
                      "stands behind `--`",
                      (int)strcspn(argument, "="), argument);
        return false;
    }
    buffer_format(words->error, "unknown option `%s`", argument);
    const char *ours = option_of_others(argument);
    if (ours != NULL) {
        return option_suggest(words, ours);
    }
    Suggestion suggestion = suggestion_for(argument, strcspn(argument, "="));
    for (int id = 0; id < OPTION_COUNT; id++) {
        if (option_row((OptionId)id)->help[0] != '\0') {
            suggestion_try(&suggestion, option_row((OptionId)id)->spelling);
        }
    }
    bool is_letter = strlen(argument) == 2; // which is near to any other
    return option_suggest(words, is_letter ? NULL : suggestion.nearest);
}

// The position of `value` among the choices of an option, or -1 after an error.
static int choose(const OptionWords *words, OptionId id, const char *value) {
    const char *choices = option_row(id)->argument;
    int position = 0;
    for (const char *choice = choices; *choice; position++) {
        size_t len = strcspn(choice, "|");
        if (strlen(value) == len && memcmp(choice, value, len) == 0) {
            return position;
        }
        choice += len + (choice[len] == '|');
    }
    buffer_format(words->error, "unknown value `%s` for `%s`; expected %s", value,
                  option_row(id)->spelling, choices);
    return -1;
}

// Does `argument` spell this option? Then *value is what stands in the same argument, or NULL.
static bool option_matches(const OptionRow *row, const char *argument, const char **value) {
    size_t len = strlen(row->spelling);
    if (!text_begins_with(argument, row->spelling)) {
        return false;
    }
    const char *rest = argument + len;
    *value = *rest ? rest : NULL;
    switch (row->form) {
    case FORM_FLAG:
    case FORM_VALUE:
    case FORM_OPTIONAL:
    case FORM_CHOICE: *value = *rest == '=' ? rest + 1 : NULL; return *rest == '\0' || *rest == '=';
    case FORM_JOINED: *value = rest; return true;
    case FORM_LETTER: return true;
    }
    UNREACHABLE();
}

bool option_take(OptionWords *words, GivenOption *given) {
    const char *argument = words->items[words->next++];
    int id = 0;
    const char *value = NULL;
    while (id < OPTION_COUNT && !option_matches(option_row((OptionId)id), argument, &value)) {
        id++;
    }
    if (id == OPTION_COUNT) {
        return fail_unknown_option(words, argument);
    }
    const OptionRow *row = option_row((OptionId)id);
    if (row->form == FORM_FLAG && value) {
        buffer_format(words->error, "option `%s` takes no value", row->spelling);
        return false;
    }
    bool is_empty = row->form == FORM_OPTIONAL && value && !*value;
    if (is_empty || (row->form != FORM_FLAG && row->form != FORM_OPTIONAL && !value)) {
        if (is_empty || words->next == words->count) {
            buffer_format(words->error, "option `%s` needs a value: %s", row->spelling,
                          row->argument);
            return false;
        }
        value = words->items[words->next++];
    }
    *given = (GivenOption){.id = (OptionId)id, .value = value ? value : ""};
    given->choice = row->form == FORM_CHOICE ? choose(words, given->id, given->value) : 0;
    return given->choice >= 0;
}

// The warning that `name` ends in, behind `prefix` of -W; below 0, with the error, when it is none.
static int find_warning(const OptionWords *words, const char *prefix, const char *name) {
    const char *nearest = NULL;
    int found = warning_find(name, strlen(name), &nearest);
    if (found < 0) {
        buffer_format(words->error, "unknown warning `-W%s%s`", prefix, name);
        if (nearest) {
            nearest = arena_format(words->arena, "-W%s%s", prefix, nearest);
        }
        option_suggest(words, nearest);
    }
    return found;
}

// -Werror, -Werror=NAME, and both after `no-`.
static bool set_error(const OptionWords *words, const char *name, bool is_error,
                      WarningChoices *warnings) {
    if (name[0] == '\0') {
        warnings->are_errors = is_error;
        return true;
    }
    int found = find_warning(words, is_error ? "error=" : "no-error=", name);
    if (found >= 0) {
        warnings_make_error(warnings, found, is_error);
    }
    return found >= 0;
}

static bool set_warning(const OptionWords *words, const char *name, WarningChoices *warnings) {
    static const char no_error[] = "no-error";
    size_t len = strlen(no_error);
    if (text_begins_with(name, no_error) && (name[len] == '\0' || name[len] == '=')) {
        return set_error(words, name + len + (name[len] == '='), false, warnings);
    }
    bool is_on = !text_begins_with(name, "no-");
    const char *prefix = is_on ? "" : "no-";
    int found = find_warning(words, prefix, name + strlen(prefix));
    if (found >= 0) {
        warnings_choose(warnings, found, is_on);
    }
    return found >= 0;
}

// `NAME=VALUE` or, for --with, `NAME`; the name is in a namespace (L10.1). Where that is left out
// the checker says which one it is in.
static bool add_interface_text(const OptionWords *words, const GivenOption *given,
                               FrontOptions *front) {
    const char *value = given->value;
    bool wants_value = given->id == OPTION_DEFINE;
    size_t len = strcspn(value, "=");
    bool in_namespace = wants_value ? text_begins_with(value, "p.") || text_begins_with(value, "n.")
                                    : text_begins_with(value, "t.");
    bool is_name = wants_value && len > 0 && strcspn(value, ".,;:+-/ '\"") >= len;
    bool is_good = (in_namespace && len > 2) || is_name;
    if (!is_good || (value[len] == '=') != wants_value) {
        buffer_format(words->error, "`%s` takes %s, not `%s`", option_row(given->id)->spelling,
                      wants_value ? "p.NAME=VALUE or n.NAME=VALUE" : "t.NAME", value);
        return false;
    }
    TextList *texts = wants_value ? &front->definitions : &front->connections;
    LIST_PUSH(words->arena, texts, value);
    return true;
}

static void set_rank_promotion(FrontOptions *front, int choice) {
    enum { ALLOW, WARN, ERROR };
    front->warnings.of[WARNING_RANK_PROMOTION].is_on = choice == WARN;
    front->exact_rank = choice == ERROR;
}

FrontAnswer front_option_apply(const OptionWords *words, const GivenOption *given,
                               FrontOptions *front) {
    bool is_good = true;
    switch (given->id) {
    case OPTION_REAL: front->single = given->choice == 1; break;
    case OPTION_IO: front->mmio = given->choice == 1; break;
    case OPTION_RANK_PROMOTION: set_rank_promotion(front, given->choice); break;
    case OPTION_DEFINE:
    case OPTION_WITH: is_good = add_interface_text(words, given, front); break;
    case OPTION_INTERFACE: LIST_PUSH(words->arena, &front->interfaces, given->value); break;
    case OPTION_NO_WARNINGS: front->warnings.are_off = true; break;
    case OPTION_WERROR: is_good = set_error(words, given->value, true, &front->warnings); break;
    case OPTION_WARNING: is_good = set_warning(words, given->value, &front->warnings); break;
    default: return FRONT_OTHER;
    }
    return is_good ? FRONT_TAKEN : FRONT_WRONG;
}

// Whether it says something of all files of a project, whatever the command does with them.
static bool is_shared(OptionId id) {
    switch (id) {
    case OPTION_LEVEL:
    case OPTION_DEBUG:
    case OPTION_REAL:
    case OPTION_FP:
    case OPTION_DERIVATIVE:
    case OPTION_TAPE:
    case OPTION_CHECKS:
    case OPTION_NO_PASS:
    case OPTION_DEFINE:
    case OPTION_WITH:
    case OPTION_INTERFACE:
    case OPTION_DEBUG_SIGNALS:
    case OPTION_RANK_PROMOTION:
    case OPTION_WERROR:
    case OPTION_WARNING:
    case OPTION_NO_WARNINGS: return true;
    default: return false;
    }
}

static bool take_shared(OptionWords *words, GivenOption *given) {
    const char *word = words->items[words->next];
    if (word[0] != '-' || word[1] == '\0') {
        buffer_format(words->error, "`%s` is no option", word);
        return false;
    }
    if (!option_take(words, given)) {
        return false;
    }
    if (!is_shared(given->id)) {
        buffer_format(words->error, "`%s` goes on the command line",
                      option_row(given->id)->spelling);
        return false;
    }
    if (given->id == OPTION_INTERFACE && words->base != NULL) {
        Slice path = {given->value, strlen(given->value)};
        given->value = path_from(words->arena, words->base, path);
    }
    return true;
}

bool options_each_shared(OptionWords *words, bool (*use)(void *data, const GivenOption *given),
                         void *data, size_t *wrong) {
    while (words->next < words->count) {
        GivenOption given = {0};
        *wrong = words->next;
        if (!take_shared(words, &given) || !use(data, &given)) {
            return false;
        }
    }
    return true;
}

typedef struct FrontReader {
    OptionWords words;
    FrontOptions *front;
} FrontReader;

static bool use_front(void *data, const GivenOption *given) {
    FrontReader *reader = data;
    return front_option_apply(&reader->words, given, reader->front) != FRONT_WRONG;
}

bool front_options_read(Arena *arena, const TextList *list, const char *base, FrontOptions *front,
                        size_t *wrong, Buffer *error) {
    FrontReader reader = {.words = {.arena = arena,
                                    .error = error,
                                    .base = base,
                                    .items = list->items,
                                    .count = list->count},
                          .front = front};
    return options_each_shared(&reader.words, use_front, &reader, wrong);
}

bool front_project_read(Arena *arena, const char *path, FrontOptions *front, Buffer *error) {
    Project project = {0};
    if (!project_read(arena, path, &project, error)) {
        return false;
    }
    size_t wrong = 0;
    Buffer why = {0};
    bool is_good = front_options_read(arena, &project.options, project.path, front, &wrong, &why);
    if (!is_good) {
        project_place(&project, wrong, error);
        buffer_text(error, why.data);
    }
    buffer_free(&why);
    front->shared_definitions = front->definitions.count;
    front->shared_connections = front->connections.count;
    return is_good;
}
