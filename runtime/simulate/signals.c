// A name is tried as a whole variable's first; only one with brackets is looked for among elements,
// since names of variables may have brackets too (`axis[1].u`).
#include "runtime/simulate/signals.h"

#include "runtime/abi/type.h"
#include "runtime/run/report.h"
#include "runtime/run/variables.h"
#include "runtime/text/suggest.h"

#include <stdio.h>
#include <string.h>

// Whether all of `text` is what the pattern stands for. A `*` is tried as short as it can be, and
// only the last one longer: what stands before it fits already.
static bool matches(const char *pattern, const char *end, const char *text) {
    const char *star = NULL, *from = NULL;
    while (*text != '\0') {
        if (pattern < end && *pattern == '*') {
            star = ++pattern;
            from = text;
        } else if (pattern < end && (*pattern == '?' || *pattern == *text)) {
            pattern++;
            text++;
        } else if (star) {
            pattern = star;
            text = ++from;
        } else {
            return false;
        }
    }
    while (pattern < end && *pattern == '*') {
        pattern++;
    }
    return pattern == end;
}

// A pattern with "t." before it means terminals alone.
static const char *without_space(const tml_variable *variable, const char *pattern,
                                 const char *end) {
    size_t len = strlen(variable->space);
    bool has = len > 0 && (size_t)(end - pattern) > len &&
               memcmp(pattern, variable->space, len) == 0 && pattern[len] == '.';
    return has ? pattern + len + 1 : pattern;
}

static bool add_variables(const tml_model *model, const char *pattern, const char *end,
                          Columns *columns, bool *found) {
    for (size_t i = 0; i < model->variable_count; i++) {
        const tml_variable *variable = &model->variables[i];
        if (signal_is(variable) &&
            matches(without_space(variable, pattern, end), end, variable->name)) {
            *found = true;
            if (!tml_columns_add(columns, variable, 0, tml_type_numel(variable->type))) {
                return false;
            }
        }
    }
    return true;
}

static bool add_elements(const tml_model *model, const char *pattern, const char *end,
                         Columns *columns, bool *found) {
    for (size_t i = 0; i < model->variable_count; i++) {
        const tml_variable *variable = &model->variables[i];
        uint64_t count = signal_is(variable) ? tml_type_numel(variable->type) : 0;
        const char *own = without_space(variable, pattern, end);
        for (uint64_t element = 0; element < count; element++) {
            char name[COLUMN_NAME_BYTES + COLUMN_INDEX_BYTES], indices[COLUMN_INDEX_BYTES];
            Column column = {.terminal = variable, .element = element};
            snprintf(name, sizeof name, "%s%s", variable->name,
                     tml_model_column_indices(indices, &column));
            if (matches(own, end, name)) {
                *found = true;
                if (!tml_columns_add(columns, variable, element, 1)) {
                    return false;
                }
            }
        }
    }
    return true;
}

static void report_unknown(const Options *options, const char *option, const char *name,
                           size_t len) {
    const tml_model *model = options->model;
    const tml_variable *property = tml_model_variable(model, TML_PARAM, name, len);
    property = property ? property : tml_model_variable(model, TML_CONSTANT, name, len);
    if (property) {
        tml_report(options->command, "`%s`: `%s.%s` keeps its value while the model runs", option,
                   property->space, property->name);
        return;
    }
    Suggestion suggestion = tml_suggestion_for(name, len);
    for (size_t i = 0; i < model->variable_count; i++) {
        if (signal_is(&model->variables[i])) {
            tml_suggestion_try(&suggestion, model->variables[i].name);
        }
    }
    if (suggestion.nearest) {
        tml_report(options->command, "`%s`: this model has no signal `%.*s`; did you mean `%s`?",
                   option, (int)len, name, suggestion.nearest);
    } else {
        tml_report(options->command, "`%s`: this model has no signal `%.*s`; see `%s --describe`",
                   option, (int)len, name, options->command);
    }
}

static bool fail_memory(const Options *options) {
    tml_report(options->command, "cannot get memory");
    return false;
}

static bool select_one(const Options *options, const char *option, const char *name, size_t len,
                       Columns *columns) {
    const char *end = name + len;
    bool found = false;
    bool done = add_variables(options->model, name, end, columns, &found);
    if (done && !found && memchr(name, '[', len)) {
        done = add_elements(options->model, name, end, columns, &found);
    }
    if (!done) {
        return fail_memory(options);
    }
    if (!found) {
        report_unknown(options, option, name, len);
    }
    return found;
}

bool tml_signals_select(const Options *options, const char *option, const char *names, size_t len,
                        Columns *columns) {
    const char *end = names + len;
    for (const char *at = names; at <= end; at++) {
        const char *comma = memchr(at, ',', (size_t)(end - at));
        const char *stop = comma ? comma : end, *last = stop;
        while (at < last && *at == ' ') {
            at++;
        }
        while (at < last && last[-1] == ' ') {
            last--;
        }
        if (at == last) {
            tml_report(options->command, "`%s` needs names of signals, found `%.*s`", option,
                       (int)len, names);
            return false;
        }
        if (!select_one(options, option, at, (size_t)(last - at), columns)) {
            return false;
        }
        at = stop;
    }
    return true;
}

bool tml_signals_all(const Options *options, Columns *columns) {
    for (size_t i = 0; i < options->model->variable_count; i++) {
        const tml_variable *variable = &options->model->variables[i];
        if (signal_is(variable) &&
            !tml_columns_add(columns, variable, 0, tml_type_numel(variable->type))) {
            return fail_memory(options);
        }
    }
    return true;
}
