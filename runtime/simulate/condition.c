// A recursive descent, a function for each precedence, leaves the operators behind their operands;
// a stack computes them. Everything is a double, and what is a bool is known when it is read, so
// that nothing can go wrong in a step.
#include "runtime/simulate/condition.h"

#include "runtime/abi/type.h"
#include "runtime/run/variables.h"
#include "runtime/text/suggest.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum Operation {
    NODE_NUMBER,
    NODE_ELEMENT,
    NODE_STEP,
    NODE_NEGATE,
    NODE_NOT,
    NODE_ADD,
    NODE_SUBTRACT,
    NODE_MULTIPLY,
    NODE_DIVIDE,
    NODE_LESS,
    NODE_LESS_EQUAL,
    NODE_GREATER,
    NODE_GREATER_EQUAL,
    NODE_EQUAL,
    NODE_UNEQUAL,
    NODE_AND,
    NODE_OR,
} Operation;

struct ConditionNode {
    Operation operation;
    double number;
    Column column; // of an element
};

typedef enum Kind { KIND_WRONG, KIND_NUMBER, KIND_BOOL } Kind;

enum { DEPTH_LIMIT = 100 };

typedef struct Reader {
    Condition *condition;
    const tml_model *model;
    const char *text, *next;
    unsigned depth; // of parentheses, signs and `not`
    char *message;
} Reader;

__attribute__((format(printf, 3, 4))) static Kind fail(Reader *reader, const char *at,
                                                       const char *format, ...) {
    int used = snprintf(reader->message, CONDITION_MESSAGE_BYTES,
                        "column %zu: ", (size_t)(at - reader->text) + 1);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reader->message + used, CONDITION_MESSAGE_BYTES - (size_t)used, format, arguments);
    va_end(arguments);
    return KIND_WRONG;
}

static Kind fail_expected(Reader *reader, const char *expected) {
    int len = (int)strlen(reader->next);
    if (len == 0) {
        return fail(reader, reader->next, "expected %s, found the end", expected);
    }
    return fail(reader, reader->next, "expected %s, found `%.*s`", expected, len < 24 ? len : 24,
                reader->next);
}

static void add_node(Reader *reader, ConditionNode node) {
    reader->condition->nodes[reader->condition->count++] = node;
}

static void skip_spaces(Reader *reader) {
    reader->next += strspn(reader->next, " \t\n");
}

static bool is_word_byte(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

// A word or sign, whole: `<` is not taken off `<=`, nor `or` off `order`.
static bool take(Reader *reader, const char *token) {
    size_t len = strlen(token);
    skip_spaces(reader);
    if (strncmp(reader->next, token, len) != 0) {
        return false;
    }
    char after = reader->next[len];
    bool is_word = isalpha((unsigned char)token[0]);
    bool goes_on = is_word ? is_word_byte(after) : strchr("<>=!", token[0]) && after == '=';
    reader->next += goes_on ? 0 : len;
    return !goes_on;
}

// Brackets with whole numbers, `[0][1]` or `[0, 1]`: the element, counted row by row.
static Kind read_element(Reader *reader, const tml_variable *terminal, const char *start) {
    const tml_type *type = terminal->type;
    uint64_t element = 0;
    size_t rank = 0;
    while (take(reader, "[")) {
        do {
            char *end;
            skip_spaces(reader);
            if (!isdigit((unsigned char)*reader->next)) {
                return fail_expected(reader, "an index");
            }
            uint64_t index = strtoull(reader->next, &end, 10);
            if (rank < type->flat_rank && index >= type->dims[rank]) {
                return fail(reader, reader->next, "index %llu is outside a dimension of length %lu",
                            (unsigned long long)index, (unsigned long)type->dims[rank]);
            }
            element = rank < type->flat_rank ? element * type->dims[rank] + index : 0;
            rank++;
            reader->next = end;
        } while (take(reader, ","));
        if (!take(reader, "]")) {
            return fail_expected(reader, "`]`");
        }
    }
    if (rank != type->flat_rank) {
        char text[TML_TYPE_TEXT_BYTES];
        return fail(reader, start, "`%s` is %s: an element of it has %u ind%s, found %zu",
                    terminal->name, tml_type_text(text, type), type->flat_rank,
                    type->flat_rank == 1 ? "ex" : "ices", rank);
    }
    Column column = {terminal, element, terminal->offset + element * tml_scalar_bytes(type)};
    add_node(reader, (ConditionNode){.operation = NODE_ELEMENT, .column = column});
    return type->root == TML_BOOL ? KIND_BOOL : KIND_NUMBER;
}

static Kind fail_unknown(Reader *reader, const char *name, size_t len) {
    Suggestion suggestion = tml_suggestion_for(name, len);
    for (size_t i = 0; i < reader->model->variable_count; i++) {
        const tml_variable *variable = &reader->model->variables[i];
        if (signal_is(variable)) {
            tml_suggestion_try(&suggestion, variable->name);
        }
    }
    tml_suggestion_try(&suggestion, "time");
    tml_suggestion_try(&suggestion, "step");
    int shown = len < 40 ? (int)len : 40;
    if (suggestion.nearest) {
        return fail(reader, name, "the model has no signal `%.*s`; did you mean `%s`?", shown, name,
                    suggestion.nearest);
    }
    return fail(reader, name, "the model has no signal `%.*s`", shown, name);
}

// The variable whose name, which may have dots and indices, begins the text; of several the
// longest. Terminals have such names where they are hardware of instances.
static const tml_variable *find_dotted(const tml_model *model, const char *text) {
    const tml_variable *found = NULL;
    size_t longest = 0;
    for (size_t i = 0; i < model->variable_count; i++) {
        const tml_variable *variable = &model->variables[i];
        size_t len = strlen(variable->name);
        bool is_dotted = variable->space[0] == '\0' || strchr(variable->name, '.') != NULL;
        if (signal_is(variable) && is_dotted && len > longest &&
            strncmp(text, variable->name, len) == 0 && !is_word_byte(text[len]) &&
            text[len] != '.') {
            found = variable;
            longest = len;
        }
    }
    return found;
}

static Kind read_name(Reader *reader) {
    const char *name = reader->next;
    size_t len = 0;
    while (is_word_byte(name[len]) || (len == 1 && name[0] == 't' && name[len] == '.')) {
        len++;
    }
    reader->next += len;
    const tml_variable *terminal = tml_model_variable(reader->model, TML_OUTPUT, name, len);
    if (!terminal) {
        terminal = tml_model_variable(reader->model, TML_INPUT, name, len);
    }
    if (terminal) {
        return read_element(reader, terminal, name);
    }
    if (len == 4 && memcmp(name, "time", 4) == 0) {
        reader->condition->needs_time = true;
        return read_element(reader, &tml_time_signal, name);
    }
    if (len == 4 && memcmp(name, "step", 4) == 0) {
        add_node(reader, (ConditionNode){.operation = NODE_STEP});
        return KIND_NUMBER;
    }
    const tml_variable *variable = find_dotted(reader->model, name);
    if (variable) {
        reader->next = name + strlen(variable->name);
        return read_element(reader, variable, name);
    }
    while (is_word_byte(name[len]) || name[len] == '.') {
        len++;
    }
    return fail_unknown(reader, name, len);
}

static Kind read_or(Reader *reader);
static Kind read_unary(Reader *reader);

static Kind read_number(Reader *reader) {
    char *end;
    double number = strtod(reader->next, &end);
    if (is_word_byte(*end)) {
        return fail_expected(reader, "a number");
    }
    add_node(reader, (ConditionNode){.operation = NODE_NUMBER, .number = number});
    reader->next = end;
    return KIND_NUMBER;
}

static Kind read_nested(Reader *reader, Kind (*read)(Reader *)) {
    if (reader->depth == DEPTH_LIMIT) {
        return fail(reader, reader->next, "it is nested too deeply");
    }
    reader->depth++;
    Kind kind = read(reader);
    reader->depth--;
    return kind;
}

static Kind read_primary(Reader *reader) {
    if (take(reader, "(")) {
        Kind kind = read_nested(reader, read_or);
        return kind == KIND_WRONG || take(reader, ")") ? kind : fail_expected(reader, "`)`");
    }
    bool is_true = take(reader, "true");
    if (is_true || take(reader, "false")) {
        add_node(reader, (ConditionNode){.operation = NODE_NUMBER, .number = is_true});
        return KIND_BOOL;
    }
    if (isdigit((unsigned char)*reader->next) || *reader->next == '.') {
        return read_number(reader);
    }
    bool is_name = isalpha((unsigned char)*reader->next) || *reader->next == '_';
    return is_name ? read_name(reader) : fail_expected(reader, "a number or a name");
}

// Requires an operand to be what the operator takes.
static bool is_operand(Reader *reader, Kind kind, Kind wanted, const char *at, const char *token) {
    if (kind != KIND_WRONG && kind != wanted) {
        fail(reader, at, "`%s` takes %s, this is a %s", token,
             wanted == KIND_BOOL ? "bools" : "numbers", kind == KIND_BOOL ? "bool" : "number");
    }
    return kind == wanted;
}

static Kind read_prefixed(Reader *reader, const char *token, Operation operation, Kind wanted,
                          Kind (*read)(Reader *)) {
    skip_spaces(reader);
    const char *at = reader->next;
    Kind kind = read_nested(reader, read);
    if (!is_operand(reader, kind, wanted, at, token)) {
        return KIND_WRONG;
    }
    add_node(reader, (ConditionNode){.operation = operation});
    return wanted;
}

static Kind read_unary(Reader *reader) {
    return take(reader, "-") ? read_prefixed(reader, "-", NODE_NEGATE, KIND_NUMBER, read_unary)
                             : read_primary(reader);
}

typedef struct Operator {
    const char *token;
    Operation operation;
    Kind takes;
} Operator;

// Operators of one precedence, from the left, between what `read` reads. `==` and `!=` take two
// bools too. Comparisons do not follow one another: the first one is no number.
static Kind read_operators(Reader *reader, const Operator *operators, size_t count, Kind result,
                           Kind (*read)(Reader *)) {
    skip_spaces(reader);
    const char *at = reader->next;
    Kind left = read(reader);
    for (size_t i = 0; left != KIND_WRONG && i < count;) {
        const Operator *operator= & operators[i++];
        if (!take(reader, operator->token)) {
            continue;
        }
        bool is_equality = operator->operation == NODE_EQUAL || operator->operation == NODE_UNEQUAL;
        Kind takes = is_equality ? left : operator->takes;
        if (!is_operand(reader, left, takes, at, operator->token)) {
            return KIND_WRONG;
        }
        skip_spaces(reader);
        const char *right = reader->next;
        if (!is_operand(reader, read(reader), takes, right, operator->token)) {
            return KIND_WRONG;
        }
        add_node(reader, (ConditionNode){.operation = operator->operation});
        left = result;
        i = 0;
    }
    return left;
}

#define OPERATORS(list) list, sizeof list / sizeof list[0]

static Kind read_product(Reader *reader) {
    static const Operator list[] = {{"*", NODE_MULTIPLY, KIND_NUMBER},
                                    {"/", NODE_DIVIDE, KIND_NUMBER}};
    return read_operators(reader, OPERATORS(list), KIND_NUMBER, read_unary);
}

static Kind read_sum(Reader *reader) {
    static const Operator list[] = {{"+", NODE_ADD, KIND_NUMBER},
                                    {"-", NODE_SUBTRACT, KIND_NUMBER}};
    return read_operators(reader, OPERATORS(list), KIND_NUMBER, read_product);
}

static Kind read_comparison(Reader *reader) {
    static const Operator list[] = {
        {"<=", NODE_LESS_EQUAL, KIND_NUMBER},    {"<", NODE_LESS, KIND_NUMBER},
        {">=", NODE_GREATER_EQUAL, KIND_NUMBER}, {">", NODE_GREATER, KIND_NUMBER},
        {"==", NODE_EQUAL, KIND_NUMBER},         {"!=", NODE_UNEQUAL, KIND_NUMBER},
    };
    return read_operators(reader, OPERATORS(list), KIND_BOOL, read_sum);
}

static Kind read_not(Reader *reader) {
    return take(reader, "not") ? read_prefixed(reader, "not", NODE_NOT, KIND_BOOL, read_not)
                               : read_comparison(reader);
}

static Kind read_and(Reader *reader) {
    static const Operator list[] = {{"and", NODE_AND, KIND_BOOL}};
    return read_operators(reader, OPERATORS(list), KIND_BOOL, read_not);
}

static Kind read_or(Reader *reader) {
    static const Operator list[] = {{"or", NODE_OR, KIND_BOOL}};
    return read_operators(reader, OPERATORS(list), KIND_BOOL, read_and);
}

bool tml_condition_read(Condition *condition, const tml_model *model, const char *text,
                        char message[CONDITION_MESSAGE_BYTES]) {
    size_t limit = strlen(text) + 1; // each node has a letter or sign of its own
    *condition = (Condition){.nodes = calloc(limit, sizeof *condition->nodes),
                             .stack = calloc(limit, sizeof *condition->stack)};
    Reader reader = {
        .condition = condition, .model = model, .text = text, .next = text, .message = message};
    if (!condition->nodes || !condition->stack) {
        snprintf(message, CONDITION_MESSAGE_BYTES, "cannot get memory");
        return false;
    }
    Kind kind = read_or(&reader);
    skip_spaces(&reader);
    if (kind != KIND_WRONG && *reader.next != '\0') {
        bool is_assignment = *reader.next == '=' && reader.next[1] != '=';
        fail_expected(&reader, !is_assignment          ? "an operator"
                               : reader.next[1] == '>' ? "`>=`"
                               : reader.next[1] == '<' ? "`<=`"
                                                       : "`==`");
        return false;
    }
    if (kind == KIND_NUMBER) {
        fail(&reader, text, "this is a number, not a condition; compare it, as in `y > 0.9`");
    }
    return kind == KIND_BOOL;
}

static double combine(Operation operation, double a, double b) {
    switch (operation) {
    case NODE_ADD: return a + b;
    case NODE_SUBTRACT: return a - b;
    case NODE_MULTIPLY: return a * b;
    case NODE_DIVIDE: return a / b;
    case NODE_LESS: return a < b;
    case NODE_LESS_EQUAL: return a <= b;
    case NODE_GREATER: return a > b;
    case NODE_GREATER_EQUAL: return a >= b;
    case NODE_EQUAL: return a == b;
    case NODE_UNEQUAL: return a != b;
    case NODE_AND: return a != 0 && b != 0;
    case NODE_OR: return a != 0 || b != 0;
    case NODE_NUMBER:
    case NODE_ELEMENT:
    case NODE_STEP:
    case NODE_NEGATE:
    case NODE_NOT: break;
    }
    __builtin_unreachable();
}

bool tml_condition_holds(const Condition *condition, const Rows *rows, uint64_t step) {
    double *top = condition->stack; // the place behind the last value
    for (size_t i = 0; i < condition->count; i++) {
        const ConditionNode *node = &condition->nodes[i];
        switch (node->operation) {
        case NODE_NUMBER: *top++ = node->number; break;
        case NODE_ELEMENT:
            *top++ =
                tml_scalar_load(node->column.terminal->type, column_at(rows, &node->column, 0));
            break;
        case NODE_STEP: *top++ = (double)step; break;
        case NODE_NEGATE: top[-1] = -top[-1]; break;
        case NODE_NOT: top[-1] = top[-1] == 0; break;
        case NODE_ADD:
        case NODE_SUBTRACT:
        case NODE_MULTIPLY:
        case NODE_DIVIDE:
        case NODE_LESS:
        case NODE_LESS_EQUAL:
        case NODE_GREATER:
        case NODE_GREATER_EQUAL:
        case NODE_EQUAL:
        case NODE_UNEQUAL:
        case NODE_AND:
        case NODE_OR:
            top--;
            top[-1] = combine(node->operation, top[-1], top[0]);
            break;
        }
    }
    return top[-1] != 0;
}

bool tml_condition_watch(const Condition *condition, Watch *watch) {
    bool done = true;
    for (size_t i = 0; i < condition->count && done; i++) {
        ConditionNode *node = &condition->nodes[i];
        done = node->operation != NODE_ELEMENT ||
               tml_watch_add(watch, &(Columns){.count = 1, .items = &node->column});
    }
    return done;
}

void tml_condition_free(Condition *condition) {
    free(condition->nodes);
    free(condition->stack);
    *condition = (Condition){0};
}
