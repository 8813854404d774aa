// See tir_sample.h. Nodes are made by the builders of tir/tir.h, without the checker and without
// places; what a test expects is compared with the printed statements.
#include "tir_sample.h"

#include "tir/print.h"
#include "tir/verify.h"

#include <criterion/criterion.h>
#include <string.h>

static const Span NOWHERE = {0, 0};

static TirFunction *new_function(Sample *sample, const char *name) {
    TirFunction *function = ARENA_NEW(sample->tir.arena, TirFunction);
    function->name = names_intern_text(sample->tir.names, name);
    function->symbol = function->name->text;
    return function;
}

Sample *sample_create(void) {
    Arena *arena = arena_create();
    Sample *sample = ARENA_NEW(arena, Sample);
    sample->tir = (Tir){.arena = arena, .types = types_create(arena), .names = names_create(arena)};
    sample->main = new_function(sample, "main");
    sample->program.entry = sample->main;
    LIST_PUSH(arena, &sample->program.functions, sample->main);
    sample->block = &sample->main->body;
    return sample;
}

void sample_destroy(Sample *sample) {
    arena_destroy(sample->tir.arena);
}

TirFunction *sample_callee(Sample *sample, const char *name) {
    TirFunction *function = new_function(sample, name);
    LIST_PUSH(sample->tir.arena, &sample->program.functions, function);
    size_t last = sample->program.functions.count - 1;
    sample->program.functions.items[last] = sample->program.functions.items[last - 1];
    sample->program.functions.items[last - 1] = function;
    function->id = (uint32_t)last - 1;
    sample->main->id = (uint32_t)last;
    return function;
}

TirVar *sample_param(Sample *sample, TirFunction *function, const char *name, const Type *type) {
    Name interned = names_intern_text(sample->tir.names, name);
    size_t count = function->param_count;
    function->params =
        arena_grow(sample->tir.arena, function->params, count, count + 1, sizeof(TirVar *));
    function->params[function->param_count++] =
        tir_var_create(&sample->tir, function, VAR_PARAM, interned, type, NOWHERE);
    return function->params[count];
}

const Type *sample_scalar(Sample *sample, Root root) {
    return type_scalar(sample->tir.types, root);
}

const Type *sample_tensor(Sample *sample, uint32_t d0, uint32_t d1, uint32_t d2) {
    uint32_t dims[] = {d0, d1, d2};
    size_t rank = d1 == 0 ? 1 : d2 == 0 ? 2 : 3;
    return type_tensor(sample->tir.types, sample_scalar(sample, ROOT_REAL), rank, dims);
}

TirVar *sample_local(Sample *sample, const char *name, const Type *type) {
    Name interned = names_intern_text(sample->tir.names, name);
    return tir_var_create(&sample->tir, sample->main, VAR_LOCAL, interned, type, NOWHERE);
}

TirVar *sample_global(Sample *sample, const char *name, const Type *type) {
    Name interned = names_intern_text(sample->tir.names, name);
    TirVar *var = tir_var_create(&sample->tir, NULL, VAR_GLOBAL, interned, type, NOWHERE);
    LIST_PUSH(sample->tir.arena, &sample->program.globals, var);
    return var;
}

TirExpr *sample_vector(Sample *sample, const char *name, uint32_t d0) {
    return sample_read(sample, sample_local(sample, name, sample_tensor(sample, d0, 0, 0)));
}

TirExpr *sample_matrix(Sample *sample, const char *name, uint32_t d0, uint32_t d1) {
    return sample_read(sample, sample_local(sample, name, sample_tensor(sample, d0, d1, 0)));
}

TirExpr *sample_read(Sample *sample, TirVar *var) {
    return tir_read(&sample->tir, var, NOWHERE);
}

TirExpr *sample_int(Sample *sample, int32_t value) {
    return tir_const_int(&sample->tir, value, NOWHERE);
}

TirExpr *sample_real(Sample *sample, double value) {
    return tir_const_real(&sample->tir, value, NOWHERE);
}

TirExpr *sample_bool(Sample *sample, bool value) {
    return tir_const_bool(&sample->tir, value, NOWHERE);
}

TirExpr *sample_count_up(Sample *sample, uint32_t length) {
    TirScalar *data = ARENA_ARRAY(sample->tir.arena, TirScalar, length);
    for (uint32_t i = 0; i < length; i++) {
        data[i].real = i + 1.0;
    }
    return tir_const(&sample->tir, sample_tensor(sample, length, 0, 0), data, NOWHERE);
}

TirExpr *sample_binary(Sample *sample, TirOp op, TirExpr *a, TirExpr *b) {
    return tir_map(&sample->tir, op, a->type, a, b, NULL, NOWHERE);
}

TirExpr *sample_less(Sample *sample, TirExpr *a, TirExpr *b) {
    const Type *type = type_with_root(sample->tir.types, a->type, ROOT_BOOL);
    return tir_map(&sample->tir, OP_LT, type, a, b, NULL, NOWHERE);
}

TirExpr *sample_transpose(Sample *sample, TirExpr *matrix) {
    TirAxis axes[] = {{.axis = 1, .step = 1}, {.axis = 0, .step = 1}};
    const Type *type = sample_tensor(sample, matrix->type->dims[1], matrix->type->dims[0], 0);
    return tir_view(&sample->tir, type, matrix, axes, NOWHERE);
}

TirExpr *sample_rows(Sample *sample, TirExpr *vector, uint32_t rows) {
    TirAxis axes[] = {{.axis = 1, .step = 1}};
    const Type *type = sample_tensor(sample, rows, vector->type->dims[0], 0);
    return tir_view(&sample->tir, type, vector, axes, NOWHERE);
}

TirExpr *sample_fill(Sample *sample, TirExpr *scalar, uint32_t length) {
    return tir_view(&sample->tir, sample_tensor(sample, length, 0, 0), scalar, NULL, NOWHERE);
}

TirExpr *sample_range(Sample *sample, TirExpr *vector, int64_t start, int64_t step,
                      uint32_t length) {
    TirAxis axes[] = {{.axis = 0, .start = start, .step = step}};
    return tir_view(&sample->tir, sample_tensor(sample, length, 0, 0), vector, axes, NOWHERE);
}

TirExpr *sample_element(Sample *sample, TirExpr *vector, TirExpr *index) {
    TirAxis axes[] = {{.axis = -1, .index = index, .span = {7, 8}}};
    return tir_view(&sample->tir, sample_scalar(sample, vector->type->root), vector, axes, NOWHERE);
}

TirExpr *sample_sum(Sample *sample, TirExpr *operand) {
    return tir_reduce(&sample->tir, REDUCE_SUM, sample_scalar(sample, operand->type->root), operand,
                      0, operand->type->flat_rank, NOWHERE);
}

TirExpr *sample_dot(Sample *sample, TirExpr *left, TirExpr *right) {
    uint32_t dims[2];
    size_t rank = 0;
    if (left->type->flat_rank == 2) {
        dims[rank++] = left->type->dims[0];
    }
    if (right->type->flat_rank == 2) {
        dims[rank++] = right->type->dims[1];
    }
    const Type *type = type_flat(sample->tir.types, left->type->root, rank, dims);
    return tir_dot(&sample->tir, type, left, right, NOWHERE);
}

TirExpr *sample_literal(Sample *sample, const Type *type, size_t count, TirExpr **items) {
    TirExpr **kept = arena_grow(sample->tir.arena, items, count, count, sizeof(*items));
    return tir_literal(&sample->tir, type, kept, count, NOWHERE);
}

void sample_set(Sample *sample, TirExpr *place, TirExpr *value) {
    tir_set(&sample->tir, sample->block, place, value, NOWHERE);
}

TirStmt *sample_call(Sample *sample, TirFunction *function, TirExpr *arg, TirVar *result) {
    TirStmt *stmt = tir_stmt(&sample->tir, sample->block, STMT_CALL, NOWHERE);
    stmt->call.function = function;
    if (result != NULL) {
        LIST_PUSH(sample->tir.arena, &stmt->call.results, result);
    }
    if (arg != NULL) {
        stmt->call.args = ARENA_NEW(sample->tir.arena, TirExpr *);
        stmt->call.args[0] = arg;
        stmt->call.arg_count = 1;
    }
    return stmt;
}

void sample_print(Sample *sample, TirExpr *value) {
    TirStmt *stmt = tir_stmt(&sample->tir, sample->block, STMT_PRINT, NOWHERE);
    stmt->print.items = ARENA_NEW(sample->tir.arena, TirPrintItem);
    stmt->print.items[0].value = value;
    stmt->print.count = 1;
}

void sample_expect_expr(const TirExpr *expr, const char *expected) {
    Buffer out = {0};
    tir_print_expr(&out, expr);
    cr_assert_str_eq(out.data, expected, "printed:\n%s\ninstead of:\n%s", out.data, expected);
    buffer_free(&out);
}

// Keeps the lines that are indented but no declarations, one indent less.
static void keep_statements(const char *text, Buffer *statements) {
    while (*text != '\0') {
        size_t len = strcspn(text, "\n") + 1;
        if (text[0] == ' ' && strncmp(text, "  var ", 6) != 0) {
            buffer_append(statements, text + 2, len - 2);
        }
        text += len;
    }
}

void sample_expect_statements(Sample *sample, const char *expected) {
    Buffer out = {0};
    Buffer statements = {0};
    tir_print_function(&out, sample->main);
    buffer_text(&statements, "");
    keep_statements(out.data, &statements);
    cr_assert_str_eq(statements.data, expected, "printed:\n%s\ninstead of:\n%s", statements.data,
                     expected);
    buffer_free(&out);
    buffer_free(&statements);
}

void sample_expect_valid(Sample *sample) {
    Buffer finds = {0};
    cr_assert(tir_verify(&sample->program, &finds), "%s", finds.data);
    buffer_free(&finds);
}

void sample_expect_broken(Sample *sample, const char *expected) {
    Buffer finds = {0};
    cr_assert(!tir_verify(&sample->program, &finds), "nothing was found");
    cr_assert_str_eq(finds.data, expected, "found:\n%s\ninstead of:\n%s", finds.data, expected);
    buffer_free(&finds);
}
