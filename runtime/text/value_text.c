// One recursion over brackets, which counts elements, rows and pages, and puts a level around the
// shape of the first element; the others must have that shape. Matrices of a value of more than
// three dims stand one below the other, as it prints. Scalars are kept as doubles, which hold every
// root exactly, and convert among ints when all are known.
#include "runtime/text/value_text.h"

#include "runtime/abi/type.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Parser {
    const char *text, *next;
    const char *part; // what is being read, for messages
    unsigned real_bytes;
    size_t depth; // brackets that are open
    Value *value;
} Parser;

__attribute__((format(printf, 2, 3))) static bool fail(Parser *parser, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(parser->value->wrong, VALUE_MESSAGE_BYTES, format, arguments);
    va_end(arguments);
    parser->value->wrong_at = (size_t)(parser->part - parser->text);
    return false;
}

static bool add_scalar(Parser *parser, tml_root root, double scalar) {
    Value *value = parser->value;
    if (value->count == value->capacity) {
        size_t capacity = value->capacity > 0 ? 2 * value->capacity : 16;
        double *grown = realloc(value->scalars, capacity * sizeof *grown);
        if (!grown) {
            return fail(parser, "cannot get memory");
        }
        value->scalars = grown;
        value->capacity = capacity;
    }
    value->scalars[value->count++] = scalar;
    if (root > value->type.root) {
        value->type.root = (uint8_t)root;
    }
    return true;
}

static void skip_spaces(Parser *parser) {
    while (isspace((unsigned char)*parser->next) || *parser->next == '#') {
        parser->next += *parser->next == '#' ? strcspn(parser->next, "\n") : 1;
    }
}

static bool take_char(Parser *parser, char wanted) {
    skip_spaces(parser);
    if (*parser->next != wanted) {
        return false;
    }
    parser->next++;
    return true;
}

static bool fail_here(Parser *parser, const char *expected) {
    skip_spaces(parser);
    parser->part = parser->next;
    if (*parser->next == '\0') {
        return fail(parser, "expected %s, found the end", expected);
    }
    int shown = (int)strcspn(parser->next, "\r\n");
    return fail(parser, "expected %s, found `%.*s`", expected, shown < 24 ? shown : 24,
                parser->next);
}

enum { WORD_BYTES = 1200 }; // more than all digits of a real

// Letters, digits, points, and signs of exponents; underscores between digits go.
static size_t take_word(Parser *parser, char word[WORD_BYTES]) {
    const char *c = parser->next;
    bool is_hex = c[0] == '0' && (c[1] == 'x' || c[1] == 'X');
    size_t len = 0;
    for (; len < WORD_BYTES - 1; c++) {
        bool is_exponent = len > 0 && !is_hex && isdigit((unsigned char)word[0]) &&
                           (word[len - 1] == 'e' || word[len - 1] == 'E');
        bool between = *c == '_' && len > 0 && isxdigit((unsigned char)word[len - 1]) &&
                       isdigit((unsigned char)word[0]) && isxdigit((unsigned char)c[1]);
        if (between) {
            continue;
        }
        if (!isalnum((unsigned char)*c) && *c != '.' && *c != '_' &&
            !((*c == '-' || *c == '+') && is_exponent)) {
            break;
        }
        word[len++] = *c;
    }
    parser->next = c;
    word[len] = '\0';
    return len;
}

static bool named_constant(const char *word, tml_root *root, double *scalar) {
    static const struct {
        const char *name;
        tml_root root;
        double value;
    } names[] = {{"true", TML_BOOL, 1},       {"false", TML_BOOL, 0},   {"nan", TML_REAL, NAN},
                 {"inf", TML_REAL, INFINITY}, {"M_PI", TML_REAL, M_PI}, {"M_E", TML_REAL, M_E}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(word, names[i].name) == 0) {
            *root = names[i].root;
            *scalar = names[i].value;
            return true;
        }
    }
    return false;
}

// Digits of a base with an optional `u`. False when the word is no integer.
static bool read_integer(const char *word, bool *is_unsigned, uint64_t *n) {
    int base = 10;
    if (word[0] == '0' && (word[1] == 'x' || word[1] == 'X')) {
        base = 16;
    } else if (word[0] == '0' && (word[1] == 'b' || word[1] == 'B')) {
        base = 2;
    }
    const char *digits = base == 10 ? word : word + 2;
    if (!isxdigit((unsigned char)*digits)) {
        return false;
    }
    char *end;
    errno = 0;
    unsigned long long read = strtoull(digits, &end, base);
    *n = errno != 0 || read > UINT32_MAX ? (uint64_t)UINT32_MAX + 1 : read;
    *is_unsigned = *end == 'u' || *end == 'U';
    return end != digits && end[*is_unsigned] == '\0';
}

static bool read_number(Parser *parser, const char *word, bool negative) {
    bool is_unsigned;
    uint64_t n;
    if (read_integer(word, &is_unsigned, &n)) {
        uint64_t limit = is_unsigned ? UINT32_MAX : negative ? (uint64_t)1 << 31 : INT32_MAX;
        if (n > limit) {
            return fail(parser, "`%s%s` is outside the range of %s", negative ? "-" : "", word,
                        is_unsigned ? "uint" : "int");
        }
        if (is_unsigned) { // a uint wraps when it is negated
            return add_scalar(parser, TML_UINT, negative ? (double)(uint32_t)(0 - n) : (double)n);
        }
        return add_scalar(parser, TML_INT, (double)(negative ? -(int64_t)n : (int64_t)n));
    }
    char *end;
    bool is_decimal = strspn(word, "0123456789.eE+-") == strlen(word);
    double real = parser->real_bytes == 4 ? (double)strtof(word, &end) : strtod(word, &end);
    if (!is_decimal || end == word || *end != '\0') {
        return fail(parser, "`%s` is not a number", word);
    }
    if (isinf(real)) {
        return fail(parser, "`%s` is outside the range of real", word);
    }
    return add_scalar(parser, TML_REAL, negative ? -real : real);
}

static bool read_scalar(Parser *parser) {
    char word[WORD_BYTES];
    tml_root root;
    double scalar;
    bool negative = take_char(parser, '-');
    bool has_sign = negative || take_char(parser, '+');
    skip_spaces(parser);
    const char *start = parser->next;
    if (take_word(parser, word) == 0) {
        return fail_here(parser, "a value");
    }
    if (!named_constant(word, &root, &scalar)) {
        return read_number(parser, word, negative) ||
               (parser->value->wrong[0] == '\0' && fail(parser, "`%.24s` is not a value", start));
    }
    if (root == TML_BOOL && has_sign) {
        return fail(parser, "a bool has no sign");
    }
    scalar = parser->real_bytes == 4 ? (double)(float)scalar : scalar;
    return add_scalar(parser, root, negative ? -scalar : scalar);
}

static bool read_part(Parser *parser, ValueShape *shape);

static bool same_shape(const ValueShape *a, const ValueShape *b) {
    return a->depth == b->depth && a->flat_rank == b->flat_rank &&
           memcmp(a->level_ranks, b->level_ranks, a->depth * sizeof a->level_ranks[0]) == 0 &&
           memcmp(a->dims, b->dims, a->flat_rank * sizeof a->dims[0]) == 0;
}

// Puts a level of these dims around the shape.
static bool wrap(Parser *parser, ValueShape *shape, const uint32_t *dims, size_t rank) {
    if (shape->depth == VALUE_LEVELS || shape->flat_rank + rank > VALUE_DIMS) {
        return fail(parser, "the value has too many dimensions");
    }
    memmove(shape->level_ranks + 1, shape->level_ranks, shape->depth * sizeof(uint16_t));
    memmove(shape->dims + rank, shape->dims, shape->flat_rank * sizeof(uint32_t));
    memcpy(shape->dims, dims, rank * sizeof(uint32_t));
    shape->level_ranks[0] = (uint16_t)rank;
    shape->depth++;
    shape->flat_rank += rank;
    return true;
}

// How far the elements of one bracket are.
typedef struct Layout {
    size_t rank;
    uint32_t columns, rows, pages; // of the literal; 0 until the first one has ended
    uint32_t column, row;          // ended so far in this row, in this page
} Layout;

static bool end_row(Parser *parser, Layout *layout) {
    if (layout->columns != 0 && layout->column != layout->columns) {
        return fail(parser, "rows of different lengths: %u and %u", layout->columns,
                    layout->column);
    }
    layout->columns = layout->column;
    layout->column = 0;
    layout->row++;
    return true;
}

static bool end_page(Parser *parser, Layout *layout) {
    if (layout->rows != 0 && layout->row != layout->rows) {
        return fail(parser, "pages of different lengths: %u and %u rows", layout->rows,
                    layout->row);
    }
    layout->rows = layout->row;
    layout->row = 0;
    layout->pages++;
    return true;
}

// After an element: takes the separator. *done when the bracket has ended.
static bool take_separator(Parser *parser, Layout *layout, bool *done) {
    layout->column++;
    if (take_char(parser, ',')) {
        return true;
    }
    bool row = take_char(parser, ';');
    bool page = !row && take_char(parser, '|');
    *done = take_char(parser, ']'); // a separator may stand before it
    if (!row && !page && !*done) {
        return fail_here(parser, "`,`, `;`, `|` or `]`");
    }
    size_t rank = page ? 3 : row ? 2 : 1;
    layout->rank = rank > layout->rank ? rank : layout->rank;
    return end_row(parser, layout) && (!(page || *done) || end_page(parser, layout));
}

static bool read_tensor(Parser *parser, ValueShape *shape) {
    Layout layout = {.rank = 1};
    ValueShape element = {0};
    bool done = false;
    if (take_char(parser, ']')) {
        return fail(parser, "an empty literal has no type");
    }
    for (bool first = true; !done; first = false) {
        ValueShape *into = first ? shape : &element;
        if (!read_part(parser, into)) {
            return false;
        }
        if (!first && !same_shape(shape, &element)) {
            return fail(parser, "the elements of a literal have different shapes");
        }
        if (!take_separator(parser, &layout, &done)) {
            return false;
        }
    }
    const uint32_t dims[] = {layout.pages, layout.rows, layout.columns};
    return wrap(parser, shape, dims + 3 - layout.rank, layout.rank);
}

// The dims after `reshape(VALUE`.
static bool read_dims(Parser *parser, uint32_t dims[VALUE_DIMS], size_t *rank) {
    *rank = 0;
    while (!take_char(parser, ')')) {
        char word[WORD_BYTES];
        bool is_unsigned;
        uint64_t n;
        if (!take_char(parser, ',')) {
            return fail_here(parser, "`,` or `)`");
        }
        skip_spaces(parser);
        if (*rank == VALUE_DIMS || take_word(parser, word) == 0 ||
            !read_integer(word, &is_unsigned, &n) || n == 0 || n > INT32_MAX) {
            return fail(parser, "the dims of `reshape` are numbers from 1");
        }
        dims[(*rank)++] = (uint32_t)n;
    }
    return true;
}

static bool read_reshape(Parser *parser, ValueShape *shape) {
    uint32_t dims[VALUE_DIMS];
    size_t rank;
    if (!read_part(parser, shape) || !read_dims(parser, dims, &rank)) {
        return false;
    }
    if (shape->depth == 0 || rank == 0) {
        return fail(parser, "`reshape` needs a tensor and dims");
    }
    size_t old_rank = shape->level_ranks[0];
    double product = 1; // exact, or far too large
    for (size_t i = 0; i < rank; i++) {
        product *= dims[i];
    }
    if (product != (double)tml_dims_product(shape->dims, 0, old_rank)) {
        return fail(parser, "the dims of `reshape` do not fit its value");
    }
    shape->depth--;
    shape->flat_rank -= old_rank;
    memmove(shape->level_ranks, shape->level_ranks + 1, shape->depth * sizeof(uint16_t));
    memmove(shape->dims, shape->dims + old_rank, shape->flat_rank * sizeof(uint32_t));
    return wrap(parser, shape, dims, rank);
}

static bool read_part(Parser *parser, ValueShape *shape) {
    static const char reshape[] = "reshape(";
    bool done;
    skip_spaces(parser);
    if (parser->depth == VALUE_LEVELS) {
        return fail(parser, "the value has too many levels");
    }
    parser->depth++;
    parser->part = parser->next;
    shape->depth = shape->flat_rank = 0;
    if (take_char(parser, '[')) {
        done = read_tensor(parser, shape);
    } else if (strncmp(parser->next, reshape, sizeof reshape - 1) == 0) {
        parser->next += sizeof reshape - 1;
        done = read_reshape(parser, shape);
    } else {
        done = read_scalar(parser);
    }
    parser->depth--;
    return done;
}

// The indices of a comment "# [1, 0, :, :]" at `text`, above a matrix of a value of more than three
// dims (print.h). Returns how many, 0 where there is none.
static size_t matrix_indices(const char *text, uint32_t indices[VALUE_DIMS]) {
    size_t count = 0;
    if (strncmp(text, "# [", 3) != 0) {
        return 0;
    }
    for (text += 3; isdigit((unsigned char)*text) && count < VALUE_DIMS; text += 2) {
        char *end;
        unsigned long index = strtoul(text, &end, 10);
        if (strncmp(end, ", ", 2) != 0 || index >= INT32_MAX) {
            return 0;
        }
        indices[count++] = (uint32_t)index;
        text = end;
    }
    return count > 1 && strncmp(text, ":, :]", 5) == 0 ? count : 0;
}

// Takes white space and comments up to the next matrix with indices, and these.
static size_t take_indices(Parser *parser, uint32_t indices[VALUE_DIMS]) {
    size_t count = 0;
    while (count == 0 && (isspace((unsigned char)*parser->next) || *parser->next == '#')) {
        count = matrix_indices(parser->next, indices);
        parser->part = count > 0 ? parser->next : parser->part;
        parser->next += *parser->next == '#' ? strcspn(parser->next, "\n") : 1;
    }
    return count;
}

// What follows `last` in an index space of which `dims` are known as far as they are not 0.
static bool is_next(const uint32_t *last, const uint32_t *next, size_t count, uint32_t *dims) {
    size_t i = count;
    while (i > 0 && next[i - 1] == 0 && (dims[i - 1] == 0 || dims[i - 1] == last[i - 1] + 1)) {
        i--;
        dims[i] = last[i] + 1;
    }
    return i > 0 && next[i - 1] == last[i - 1] + 1 &&
           memcmp(last, next, (i - 1) * sizeof *last) == 0;
}

// The matrices of a value of more than three dims, each below its indices, of which the first have
// been taken.
static bool read_matrices(Parser *parser, ValueShape *shape, uint32_t *indices, size_t count) {
    uint32_t last[VALUE_DIMS] = {0}, dims[VALUE_DIMS] = {0};
    ValueShape matrix = {0};
    bool is_first = true;
    for (size_t taken = count; taken > 0; taken = take_indices(parser, indices)) {
        bool follows = is_first ? memcmp(indices, last, count * sizeof *last) == 0
                                : taken == count && is_next(last, indices, count, dims);
        if (!follows) {
            return fail(parser, is_first ? "the first indices are not 0"
                                         : "these indices do not follow the ones before");
        }
        memcpy(last, indices, count * sizeof *last);
        ValueShape *into = is_first ? shape : &matrix;
        const char *above = parser->part;
        if (!read_part(parser, into)) {
            return false;
        }
        parser->part = above;
        if (into->depth == 0 || into->level_ranks[0] != 2 ||
            (!is_first && !same_shape(shape, &matrix))) {
            return fail(parser, "below these indices is no matrix of the shape of the others");
        }
        is_first = false;
    }
    for (size_t i = 0; i < count; i++) {
        if (dims[i] != 0 && dims[i] != last[i] + 1) {
            return fail(parser, "matrices are missing behind this one");
        }
        dims[i] = last[i] + 1;
    }
    if (shape->flat_rank + count > VALUE_DIMS) {
        return fail(parser, "the value has too many dimensions");
    }
    memmove(shape->dims + count, shape->dims, shape->flat_rank * sizeof *dims);
    memcpy(shape->dims, dims, count * sizeof *dims);
    shape->level_ranks[0] = (uint16_t)(count + 2);
    shape->flat_rank += count;
    return true;
}

// Among ints a uint is one by its bits (L2.4).
static void convert_among_ints(Value *value) {
    const double range = (double)UINT32_MAX + 1;
    for (size_t i = 0; value->type.root == TML_INT && i < value->count; i++) {
        value->scalars[i] -= value->scalars[i] > INT32_MAX ? range : 0;
    }
}

bool tml_value_read(Value *value, const char *text, unsigned real_bytes) {
    value->scalars = NULL;
    value->count = value->capacity = 0;
    value->wrong[0] = '\0';
    value->wrong_at = 0;
    value->type = (tml_type){.root = TML_BOOL,
                             .real_bytes = (uint8_t)real_bytes,
                             .level_ranks = value->shape.level_ranks,
                             .dims = value->shape.dims};
    Parser parser = {
        .text = text, .next = text, .part = text, .real_bytes = real_bytes, .value = value};
    uint32_t indices[VALUE_DIMS];
    size_t count = take_indices(&parser, indices);
    bool done = count > 0 ? read_matrices(&parser, &value->shape, indices, count)
                          : read_part(&parser, &value->shape);
    if (!done) {
        return false;
    }
    skip_spaces(&parser);
    if (*parser.next != '\0') {
        return fail_here(&parser, "the end of the value");
    }
    convert_among_ints(value);
    value->type.depth = (uint16_t)value->shape.depth;
    value->type.flat_rank = (uint16_t)value->shape.flat_rank;
    return true;
}

void tml_value_free(Value *value) {
    free(value->scalars);
}

bool tml_text_is_real(const char *text, double *real) {
    char *end;
    Value value;
    bool is_decimal = text[strspn(text, "0123456789.eE+-")] == '\0' && text[0] != '\0';
    *real = strtod(text, &end);
    if (is_decimal && *end == '\0') {
        return isfinite(*real);
    }
    bool is_number = tml_value_read(&value, text, sizeof(double)) && value.type.depth == 0 &&
                     value.type.root != TML_BOOL && isfinite(value.scalars[0]);
    *real = is_number ? value.scalars[0] : 0;
    tml_value_free(&value);
    return is_number;
}

const char *tml_value_hint(const tml_type *type, const tml_type *of_value) {
    bool is_number = type->root == TML_BOOL && of_value->root != TML_BOOL;
    return is_number ? "; bools are `true` and `false`" : "";
}
