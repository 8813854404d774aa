// A name, `~`, a distribution and its two numbers in parentheses. An array of which no element is
// named is as many draws as it has scalars.
#include "runtime/ensemble/sample_text.h"

#include "runtime/abi/type.h"
#include "runtime/run/report.h"
#include "runtime/run/variables.h"
#include "runtime/simulate/columns.h"
#include "runtime/text/suggest.h"
#include "runtime/text/value_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER_BYTES = 128 };

const char *const tml_distribution_names[3] = {
    [TML_UNIFORM] = "uniform", [TML_NORMAL] = "normal", [TML_LOGNORMAL] = "lognormal"};

static const char *const shapes[] = {[TML_UNIFORM] = "uniform(LEAST, MOST)",
                                     [TML_NORMAL] = "normal(MEAN, SIGMA)",
                                     [TML_LOGNORMAL] = "lognormal(MEAN, SIGMA)"};

static size_t trimmed(const char *text, size_t len) {
    while (len > 0 && text[len - 1] == ' ') {
        len--;
    }
    return len;
}

static bool fail_unknown(const Options *options, const char *name, size_t len) {
    const tml_model *model = options->model;
    size_t stem = strcspn(name, "[~");
    stem = stem < len ? stem : len;
    const tml_variable *constant = tml_model_variable(model, TML_CONSTANT, name, stem);
    const tml_variable *property = tml_model_variable(model, TML_PARAM, name, stem);
    const char *nearest = tml_model_nearest_variable(model, TML_PARAM, name, stem);
    if (constant) {
        tml_report(
            options->command,
            "`--sample`: `%s.%s` is fixed when the model is compiled; only tunable properties "
            "can be random",
            constant->space, constant->name);
    } else if (property) {
        char type[TML_TYPE_TEXT_BYTES];
        tml_report(options->command, "`--sample`: no scalar `%.*s`: the property `%s` is %s",
                   (int)len, name, property->name, tml_type_text(type, property->type));
    } else if (nearest) {
        tml_report(options->command,
                   "`--sample`: this model has no tunable property `%.*s`; did you mean `%s`?",
                   (int)len, name, nearest);
    } else {
        tml_report(options->command,
                   "`--sample`: this model has no tunable property `%.*s`; see `%s --help`",
                   (int)len, name, options->command);
    }
    return false;
}

// The property and the scalars of it that the name means.
static bool find(const Options *options, const char *name, size_t len, tml_sample *sample,
                 uint64_t *count) {
    Columns columns = tml_model_columns(options->model, TML_PARAM, NULL);
    if (!columns.items) {
        tml_report(options->command, "cannot get memory");
        return false;
    }
    bool has_space = len > 2 && strncmp(name, "p.", 2) == 0;
    const char *bare = has_space ? name + 2 : name;
    size_t bare_len = has_space ? len - 2 : len;
    const tml_variable *whole = tml_model_variable(options->model, TML_PARAM, name, len);
    size_t at = whole ? columns.count : tml_model_find_column(&columns, bare, bare_len, 0);
    if (whole && whole->type) {
        *sample = (tml_sample){.property = whole};
        *count = tml_type_numel(whole->type);
    } else if (at < columns.count) {
        *sample = (tml_sample){.property = columns.items[at].terminal,
                               .element = columns.items[at].element};
        *count = 1;
    }
    free(columns.items);
    if (!sample->property) {
        return fail_unknown(options, name, len);
    }
    if (sample->property->type->root != TML_REAL) {
        char type[TML_TYPE_TEXT_BYTES];
        tml_report(
            options->command,
            "`--sample`: the property `%s` is %s; only reals can be random, others come from "
            "`--params FILE.csv`",
            sample->property->name, tml_type_text(type, sample->property->type));
        return false;
    }
    return true;
}

static bool read_number(const char *text, size_t len, double *number) {
    char copy[NUMBER_BYTES];
    while (len > 0 && *text == ' ') {
        text++;
        len--;
    }
    len = trimmed(text, len);
    if (len == 0 || len >= sizeof copy) {
        return false;
    }
    memcpy(copy, text, len);
    copy[len] = '\0';
    return tml_text_is_real(copy, number);
}

static bool fail_distribution(const Options *options, const char *text, size_t len) {
    Suggestion suggestion = tml_suggestion_for(text, len);
    for (size_t i = 0; i < 3; i++) {
        tml_suggestion_try(&suggestion, tml_distribution_names[i]);
    }
    tml_report(options->command, "`--sample`: no distribution `%.*s`; %s%s%s", (int)len, text,
               suggestion.nearest ? "did you mean `" : "there are `uniform`, `normal`, `lognormal",
               suggestion.nearest ? suggestion.nearest : "", suggestion.nearest ? "`?" : "`");
    return false;
}

// "uniform(0.9, 1.1)" to its end.
static bool read_distribution(const Options *options, const char *text, tml_sample *sample) {
    size_t len = strcspn(text, "("), kind = 0;
    size_t word = trimmed(text, len);
    while (kind < 3 && (strlen(tml_distribution_names[kind]) != word ||
                        strncmp(tml_distribution_names[kind], text, word) != 0)) {
        kind++;
    }
    if (kind == 3) {
        return fail_distribution(options, text, word);
    }
    sample->distribution = (uint32_t)kind;
    const char *first = text[len] == '(' ? text + len + 1 : text + len;
    size_t first_len = strcspn(first, ","), end = trimmed(first, strlen(first));
    bool right = text[len] == '(' && first[first_len] == ',' && end > first_len &&
                 first[end - 1] == ')' && read_number(first, first_len, &sample->a) &&
                 read_number(first + first_len + 1, end - first_len - 2, &sample->b);
    if (!right) {
        tml_report(options->command, "`--sample`: `%s` has two numbers, found `%s`", shapes[kind],
                   text);
        return false;
    }
    if (kind == TML_UNIFORM && sample->a >= sample->b) {
        tml_report(options->command,
                   "`--sample`: in `%s`, the first number is to be the smaller one", text);
        return false;
    }
    if (kind != TML_UNIFORM && sample->b <= 0) {
        tml_report(options->command, "`--sample`: in `%s`, the deviation is to be above 0", text);
        return false;
    }
    if (!tml_sample_is_finite(sample)) {
        tml_report(options->command, "`--sample`: in `%s`, values may be too large for a real",
                   text);
        return false;
    }
    return true;
}

// By property, as the source has them, and element.
static int compare(const void *left, const void *right) {
    const tml_sample *a = left, *b = right;
    if (a->property != b->property) {
        return a->property < b->property ? -1 : 1;
    }
    return (a->element > b->element) - (a->element < b->element);
}

bool tml_sample_add(Options *options, const char *text) {
    Ensemble *ensemble = &options->ensemble;
    const char *tilde = strchr(text, '~');
    if (!tilde || tilde == text) {
        tml_report(options->command, "`--sample` needs NAME~DISTRIBUTION(A, B), found `%s`", text);
        return false;
    }
    tml_sample sample = {0};
    uint64_t count = 0;
    const char *distribution = tilde + 1 + strspn(tilde + 1, " ");
    if (!find(options, text, trimmed(text, (size_t)(tilde - text)), &sample, &count) ||
        !read_distribution(options, distribution, &sample)) {
        return false;
    }
    for (size_t i = 0; i < ensemble->sample_count; i++) {
        const tml_sample *other = &ensemble->samples[i];
        if (other->property == sample.property && other->element >= sample.element &&
            other->element - sample.element < count) {
            tml_report(options->command, "`--sample %s` is given twice", sample.property->name);
            return false;
        }
    }
    tml_sample *grown =
        realloc(ensemble->samples, (ensemble->sample_count + count + 1) * sizeof *grown);
    if (!grown) {
        tml_report(options->command, "cannot get memory");
        return false;
    }
    ensemble->samples = grown;
    for (uint64_t i = 0; i < count; i++, sample.element++) {
        grown[ensemble->sample_count++] = sample;
    }
    qsort(grown, ensemble->sample_count, sizeof *grown, compare);
    return true;
}
