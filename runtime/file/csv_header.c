// Every log has columns that a model does not read, so a name that is no input's is only noted.
// What looks like a mistake is one: an element that an input does not have, a name given twice, and
// an input that is missing, for which the nearest of the other names is offered.
#include "runtime/file/csv_header.h"

#include "runtime/abi/type.h"
#include "runtime/run/report.h"
#include "runtime/run/variables.h"
#include "runtime/text/scalar_text.h"
#include "runtime/text/suggest.h"

#include <stdio.h>
#include <stdlib.h>

enum { SHOWN_NAMES = 4 }; // of columns that are not read

// A column that no input has.
typedef struct Other {
    Position position;
    char quote[TML_QUOTE_BYTES]; // its name as messages show it
    char name[TML_QUOTE_BYTES];  // or "" when it is longer
} Other;

typedef struct Header {
    CsvText *csv;
    const Columns *wanted;
    const tml_model *model;
    bool picked, may_lack_defaults;
    bool *taken; // of them
    size_t taken_count;
    Columns found; // in the order of the file
    size_t capacity;
    size_t other_count, other_capacity;
    Other *others;
} Header;

// Makes room for one more item. False after a message.
static bool grow(CsvText *csv, void **items, size_t *capacity, size_t count, size_t size) {
    if (count < *capacity) {
        return true;
    }
    size_t more = *capacity > 0 ? 2 * *capacity : 16;
    void *grown = realloc(*items, more * size);
    if (!grown) {
        tml_reader_fail(&csv->text, (Position){1, 1}, "cannot get memory");
        return false;
    }
    *items = grown;
    *capacity = more;
    return true;
}

static bool is_of_params(const Columns *wanted) {
    return wanted->count > 0 && wanted->items[0].terminal->role == TML_PARAM;
}

// What the columns are of, in messages.
static const char *kind_of(const Columns *wanted) {
    return is_of_params(wanted) ? "tunable property" : "input";
}

// The input that the cell names with an element that it does not have, or NULL.
static const Column *input_of(const Columns *wanted, const Token *cell) {
    for (size_t i = 0; i < wanted->count; i++) {
        const char *name = wanted->items[i].terminal->name;
        size_t len = strlen(name);
        if (strncmp(name, cell->text, len) == 0 &&
            (cell->text[len] == '\0' || cell->text[len] == '[')) {
            return &wanted->items[i];
        }
    }
    return NULL;
}

// Whether the cell names an input of the model that the file is not asked for.
static bool is_of_other_input(const tml_model *model, const Token *cell) {
    const char *bracket = strchr(cell->text, '[');
    size_t len = bracket ? (size_t)(bracket - cell->text) : cell->len;
    return cell->len <= TML_TOKEN_LIMIT && tml_model_variable(model, TML_INPUT, cell->text, len);
}

// What looks like no name at all, or like one of an input, is wrong.
static bool is_other(const Header *header) {
    CsvText *csv = header->csv;
    const Token *cell = &csv->cell;
    char quote[TML_QUOTE_BYTES];
    tml_token_quote(quote, cell);
    if (tml_scalar_is_number(cell)) {
        tml_reader_fail(&csv->text, cell->position,
                        "the first line names the columns, found the number %s", quote);
        return false;
    }
    if (cell->len <= TML_TOKEN_LIMIT && memchr(cell->text, '\0', cell->len)) {
        tml_reader_fail(&csv->text, cell->position, "the column name %s has a NUL byte", quote);
        return false;
    }
    const Column *input = input_of(header->wanted, cell);
    if (input) {
        char type[TML_TYPE_TEXT_BYTES], name[COLUMN_NAME_BYTES];
        const char *asked = input->terminal->name;
        tml_type_text(type, input->terminal->type);
        tml_model_column_name(name, input);
        if (header->picked) {
            tml_reader_fail(&csv->text, cell->position,
                            "no column %s: what is read from `%s` is %s, its first column is %s",
                            quote, asked, type, name);
        } else {
            tml_reader_fail(&csv->text, cell->position,
                            "no column %s: the %s `%s` is %s, its first column is %s", quote,
                            kind_of(header->wanted), asked, type, name);
        }
        return false;
    }
    return true;
}

static bool add_other(Header *header) {
    const Token *cell = &header->csv->cell;
    if (!grow(header->csv, (void **)&header->others, &header->other_capacity, header->other_count,
              sizeof *header->others)) {
        return false;
    }
    Other *other = &header->others[header->other_count++];
    other->position = cell->position;
    snprintf(other->quote, sizeof other->quote, "(no name)");
    if (cell->len > 0) {
        tml_token_quote(other->quote, cell);
    }
    other->name[0] = '\0';
    if (cell->len < sizeof other->name) {
        memcpy(other->name, cell->text, cell->len + 1);
    }
    return true;
}

// Which of the columns that are wanted the cell names, with or without `t.` or `p.`; their count:
// none.
static size_t find_wanted(const Header *header, size_t guess) {
    const Token *cell = &header->csv->cell;
    const Columns *wanted = header->wanted;
    if (cell->len > TML_TOKEN_LIMIT) {
        return wanted->count;
    }
    size_t at = tml_model_find_column(wanted, cell->text, cell->len, guess);
    bool has_space = cell->len > 2 && cell->text[1] == '.' && wanted->count > 0 &&
                     cell->text[0] == wanted->items[0].terminal->space[0];
    return at == wanted->count && has_space && !header->picked
               ? tml_model_find_column(wanted, cell->text + 2, cell->len - 2, guess)
               : at;
}

// The column that the cell names, one of those that are wanted or another. `guess` is where it is
// expected, and moves on.
static bool take_column(Header *header, size_t *guess) {
    CsvText *csv = header->csv;
    const Columns *wanted = header->wanted;
    size_t at = find_wanted(header, *guess);
    Column column = {0};
    if (at == wanted->count) {
        bool is_passed = !is_of_params(wanted) && is_of_other_input(header->model, &csv->cell);
        if (!is_other(header) || (!is_passed && !add_other(header))) {
            return false;
        }
    } else if (header->taken[at]) {
        char quote[TML_QUOTE_BYTES];
        tml_reader_fail(&csv->text, csv->cell.position, "the column %s is given twice",
                        tml_token_quote(quote, &csv->cell));
        return false;
    } else {
        header->taken[at] = true;
        header->taken_count++;
        column = wanted->items[at];
        *guess = at + 1;
    }
    if (!grow(csv, (void **)&header->found.items, &header->capacity, header->found.count,
              sizeof column)) {
        return false;
    }
    header->found.items[header->found.count++] = column;
    return true;
}

// "`a`, `b` and 3 more", of the columns that are not read.
static const char *list_others(const Header *header, char *text, size_t size) {
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < header->other_count && i < SHOWN_NAMES; i++) {
        used += (size_t)snprintf(text + used, size - used, "%s%s", i > 0 ? ", " : "",
                                 header->others[i].quote);
    }
    if (header->other_count > SHOWN_NAMES) {
        snprintf(text + used, size - used, " and %zu more", header->other_count - SHOWN_NAMES);
    }
    return text;
}

enum { LIST_BYTES = SHOWN_NAMES * (TML_QUOTE_BYTES + 2) + 32 };

// Whether one of the other columns may be meant by the one that is missing.
static bool fail_misspelt_column(const Header *header, const Column *missing) {
    char indices[COLUMN_INDEX_BYTES], name[COLUMN_NAME_BYTES];
    snprintf(name, sizeof name, "%s%s", missing->terminal->name,
             tml_model_column_indices(indices, missing));
    Suggestion suggestion = tml_suggestion_for(name, strlen(name));
    for (size_t i = 0; i < header->other_count; i++) {
        tml_suggestion_try(&suggestion, header->others[i].name);
    }
    for (size_t i = 0; i < header->other_count; i++) {
        const Other *other = &header->others[i];
        if (suggestion.nearest == other->name) {
            TextReader *text = &header->csv->text;
            if (header->picked || missing->terminal->role != TML_INPUT) {
                tml_reader_fail(text, other->position, "no column is named `%s`; did you mean %s?",
                                name, other->quote);
            } else {
                tml_reader_fail(text, other->position,
                                "no input is named %s; did you mean `%s`, which is missing?",
                                other->quote, name);
            }
            return true;
        }
    }
    return false;
}

static void fail_missing_columns(const Header *header) {
    size_t first = 0, more = 0;
    while (header->taken[first]) {
        first++;
    }
    const Column *missing = &header->wanted->items[first];
    if (header->csv->other_comma != '\0') {
        tml_csv_fail_other_comma(header->csv, (Position){1, 1});
        return;
    }
    if (fail_misspelt_column(header, missing)) {
        return;
    }
    for (size_t i = first + 1; i < header->wanted->count; i++) {
        more += !header->taken[i];
    }
    char name[COLUMN_NAME_BYTES], count[64] = "", others[LIST_BYTES];
    if (more > 0) {
        snprintf(count, sizeof count, ", and %zu more", more);
    }
    bool any = header->other_count > 0;
    tml_reader_fail(&header->csv->text, (Position){1, 1}, "the column %s is missing%s%s%s",
                    tml_model_column_name(name, missing), count, any ? "; the file has " : "",
                    list_others(header, others, sizeof others));
}

static void note_others(const Header *header) {
    char others[LIST_BYTES];
    if (header->other_count == 0) {
        return;
    }
    Position first = header->others[0].position;
    tml_report_note(header->csv->text.name, first.line, first.column, "the column%s %s %s not read",
                    header->other_count > 1 ? "s" : "", list_others(header, others, sizeof others),
                    header->other_count > 1 ? "are" : "is");
}

// Inputs that have a default and no column at all count as taken.
static void take_defaults(Header *header) {
    const Columns *wanted = header->wanted;
    size_t numel;
    for (size_t first = 0; first < wanted->count; first += numel) {
        const tml_variable *terminal = wanted->items[first].terminal;
        numel = tml_type_numel(terminal->type);
        size_t taken = 0;
        for (size_t i = 0; i < numel; i++) {
            taken += header->taken[first + i];
        }
        if (terminal->value && taken == 0) {
            memset(header->taken + first, true, numel);
            header->taken_count += numel;
        }
    }
}

static void read_line(Header *header, bool refuse_others) {
    CsvText *csv = header->csv;
    size_t guess = 0;
    if (tml_reader_peek(&csv->text) == TML_READER_END) {
        tml_reader_fail(&csv->text, (Position){1, 1},
                        "the file is empty; its first line names the columns");
    }
    bool more = !csv->text.failed;
    while (more && tml_csv_read_token(csv) && take_column(header, &guess)) {
        more = tml_csv_take_separator(csv);
    }
    if (header->may_lack_defaults) {
        take_defaults(header);
    }
    if (!csv->text.failed && header->taken_count < header->wanted->count) {
        fail_missing_columns(header);
    } else if (!csv->text.failed && header->other_count > 0 && refuse_others) {
        const Other *other = &header->others[0];
        tml_reader_fail(&csv->text, other->position, "no %s is named %s", kind_of(header->wanted),
                        other->quote);
    }
}

bool tml_csv_read_header(CsvText *csv, Columns *columns, OtherColumns others) {
    Header header = {.csv = csv,
                     .wanted = columns,
                     .model = others.model,
                     .picked = others.picked,
                     .may_lack_defaults = others.may_lack_defaults};
    header.taken = calloc(columns->count + 1, sizeof *header.taken);
    if (header.taken) {
        read_line(&header, others.refused);
    } else {
        tml_reader_fail(&csv->text, (Position){1, 1}, "cannot get memory");
    }
    bool done = !csv->text.failed && csv->text.error == 0;
    if (done && others.noted) {
        note_others(&header);
    }
    free(header.taken);
    free(header.others);
    free(columns->items);
    *columns = header.found;
    return done;
}
