// See row.h. Where a blank stands before a sign, `[1 -2]`, TML computes a difference: such a row is
// left alone.
#include "lexer/row.h"

#include <stdbool.h>
#include <string.h>

#define DIGITS "0123456789"
#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"

enum { ROW_LONGEST = 400 };

typedef struct RowText {
    char text[4 * ROW_LONGEST];
    size_t len;
    unsigned changes;
} RowText;

static void put(RowText *row, const char *text, size_t len) {
    memcpy(row->text + row->len, text, len);
    row->len += len;
}

static void put_change(RowText *row, const char *text) {
    put(row, text, strlen(text));
    row->changes++;
}

// Where the number ends that begins here; NULL: none does.
static const char *take_number(RowText *row, const char *at) {
    size_t before = strspn(at, DIGITS);
    size_t point = at[before] == '.';
    size_t after = point == 0 ? 0 : strspn(at + before + 1, DIGITS);
    if (before + after == 0) {
        return NULL;
    }
    if (before == 0) {
        put_change(row, "0");
    }
    put(row, at, before + point);
    if (point != 0 && after == 0) {
        put_change(row, "0");
    }
    put(row, at + before + point, after);
    at += before + point + after;
    size_t exponent = (*at | 0x20) == 'e' ? 1 + (size_t)(at[1] == '-' || at[1] == '+') : 0;
    size_t digits = exponent == 0 ? 0 : strspn(at + exponent, DIGITS);
    if (exponent > 0 && digits == 0) {
        return NULL;
    }
    put(row, at, exponent + digits);
    return at + exponent + digits;
}

// The same of a name, also one with a dot in it.
static const char *take_name(RowText *row, const char *at) {
    static const char *const words[] = {"for", "in", "if", "else", "and", "or", "not", "end"};
    size_t len = strspn(at, LETTERS) == 0 ? 0 : strspn(at, LETTERS DIGITS ".");
    for (size_t k = 0; k < sizeof words / sizeof words[0]; k++) {
        if (len == strlen(words[k]) && memcmp(at, words[k], len) == 0) {
            return NULL;
        }
    }
    put(row, at, len);
    return len == 0 ? NULL : at + len;
}

static const char *take_element(RowText *row, const char *at, bool may_have_sign) {
    size_t sign = *at == '-' || *at == '+';
    if (sign != 0 && !may_have_sign) {
        return NULL;
    }
    put(row, at, sign);
    const char *end = take_number(row, at + sign);
    return end != NULL ? end : take_name(row, at + sign);
}

// Up to the `]`; NULL when something else stands in the row.
static const char *take_row(RowText *row, const char *start) {
    bool is_behind_mark = true;
    const char *at = start + 1;
    put(row, "[", 1);
    while (at != NULL && strcspn(at, "]\n") <= ROW_LONGEST) {
        size_t blanks = strspn(at, " \t");
        const char *next = at + blanks;
        bool is_mark = *next == ',' || *next == ';' || *next == ']';
        if ((is_mark && is_behind_mark) || (!is_mark && !is_behind_mark && blanks == 0)) {
            return NULL;
        }
        if (!is_mark && !is_behind_mark) {
            put_change(row, ",");
        }
        put(row, at, blanks);
        if (is_mark) {
            put(row, next, 1);
        }
        if (*next == ']') {
            return next + 1;
        }
        at = is_mark ? next + 1 : take_element(row, next, is_behind_mark);
        is_behind_mark = is_mark;
    }
    return NULL;
}

MeantRow row_meant(Arena *arena, const char *text) {
    RowText row = {.len = 0};
    bool is_short = *text == '[' && strcspn(text, "]\n") <= ROW_LONGEST;
    const char *end = is_short ? take_row(&row, text) : NULL;
    if (end == NULL || row.changes == 0) {
        return (MeantRow){0};
    }
    return (MeantRow){.text = arena_copy_text(arena, row.text, row.len),
                      .len = (uint32_t)(end - text),
                      .changes = row.changes};
}
