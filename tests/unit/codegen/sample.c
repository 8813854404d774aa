// See sample.h. A program is planned, compiled at every level of optimisation and run in memory, in
// this process, while its output is caught.
#include "sample.h"

#include "tir/passes/passes.h"
#include "tir/verify.h"

#include <criterion/criterion.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const Span SPAN = {1, 2};

Sample *sample_create(const char *source) {
    Context *context = context_create();
    Sample *sample = ARENA_NEW(context->arena, Sample);
    sample->context = context;
    sample->tir.arena = context->arena;
    sample->tir.names = context->names;
    sample->tir.types = types_create(context->arena);
    sample->file = sources_add(context->sources, "sample.tml", source, strlen(source));
    sample->program.kind = PROGRAM_SCRIPT;
    sample->program.path = "sample.tml";
    sample->program.types = sample->tir.types;
    sample->program.entry = ARENA_NEW(context->arena, TirFunction);
    sample->program.entry->name = names_intern_text(context->names, "main");
    sample->program.entry->symbol = "main";
    sample->program.entry->span = SPAN;
    sample->body = &sample->program.entry->body;
    sample->options.checks = true;
    return sample;
}

void sample_destroy(Sample *sample) {
    context_destroy(sample->context);
}

const Type *sample_type(Sample *sample, Root root, size_t rank, ...) {
    uint32_t dims[TYPE_RANK_LIMIT];
    va_list list;
    va_start(list, rank);
    for (size_t k = 0; k < rank; k++) {
        dims[k] = va_arg(list, unsigned);
    }
    va_end(list);
    const Type *scalar = type_scalar(sample->tir.types, root);
    return rank == 0 ? scalar : type_tensor(sample->tir.types, scalar, rank, dims);
}

TirVar *sample_local_of(Sample *sample, const char *name, const Type *type) {
    Name interned = names_intern_text(sample->context->names, name);
    return tir_var_create(&sample->tir, sample->program.entry, VAR_LOCAL, interned, type, SPAN);
}

TirVar *sample_local(Sample *sample, const char *name, TirExpr *value) {
    TirVar *var = sample_local_of(sample, name, value->type);
    sample_set(sample, sample_read(sample, var), value);
    return var;
}

TirFunction *sample_function(Sample *sample, const char *name, const Type *result) {
    TirFunction *function = ARENA_NEW(sample->context->arena, TirFunction);
    function->id = (uint32_t)sample->program.functions.count;
    function->name = names_intern_text(sample->context->names, name);
    function->symbol = function->name->text;
    function->span = SPAN;
    if (result != NULL) {
        tir_result_create(&sample->tir, function, result, SPAN);
    }
    LIST_PUSH(sample->context->arena, &sample->program.functions, function);
    return function;
}

TirVar *sample_param(Sample *sample, TirFunction *function, const char *name, const Type *type) {
    Name interned = names_intern_text(sample->context->names, name);
    TirVar *var = tir_var_create(&sample->tir, function, VAR_PARAM, interned, type, SPAN);
    TirVar **params = ARENA_ARRAY(sample->context->arena, TirVar *, function->param_count + 1);
    for (size_t i = 0; i < function->param_count; i++) {
        params[i] = function->params[i];
    }
    params[function->param_count++] = var;
    function->params = params;
    return var;
}

void sample_set(Sample *sample, TirExpr *place, TirExpr *value) {
    tir_set(&sample->tir, sample->body, place, value, SPAN);
}

void sample_print(Sample *sample, TirExpr *value) {
    TirStmt *stmt = tir_stmt(&sample->tir, sample->body, STMT_PRINT, SPAN);
    stmt->print.items = ARENA_NEW(sample->context->arena, TirPrintItem);
    stmt->print.items[0].value = value;
    stmt->print.count = 1;
}

TirExpr *sample_read(Sample *sample, TirVar *var) {
    return tir_read(&sample->tir, var, SPAN);
}

TirExpr *sample_int(Sample *sample, int32_t value) {
    return tir_const_int(&sample->tir, value, SPAN);
}

TirExpr *sample_real(Sample *sample, double value) {
    return tir_const_real(&sample->tir, value, SPAN);
}

// Of int or uint: the bits are the same.
TirExpr *sample_ints(Sample *sample, const Type *type, const int32_t *values) {
    TirScalar *data = ARENA_ARRAY(sample->context->arena, TirScalar, type->numel);
    for (size_t i = 0; i < type->numel; i++) {
        if (type->root == ROOT_BOOL) {
            data[i].boolean = values[i] != 0;
        } else {
            data[i].integer = values[i];
        }
    }
    return tir_const(&sample->tir, type, data, SPAN);
}

TirExpr *sample_reals(Sample *sample, const Type *type, const double *values) {
    TirScalar *data = ARENA_ARRAY(sample->context->arena, TirScalar, type->numel);
    for (size_t i = 0; i < type->numel; i++) {
        data[i].real = values[i];
    }
    return tir_const(&sample->tir, type, data, SPAN);
}

TirExpr *sample_binary(Sample *sample, TirOp op, TirExpr *a, TirExpr *b) {
    return tir_map(&sample->tir, op, a->type, a, b, NULL, SPAN);
}

TirExpr *sample_compare(Sample *sample, TirOp op, TirExpr *a, TirExpr *b) {
    const Type *type = type_with_root(sample->tir.types, a->type, ROOT_BOOL);
    return tir_map(&sample->tir, op, type, a, b, NULL, SPAN);
}

TirExpr *sample_element(Sample *sample, TirExpr *vector, TirExpr *index) {
    TirAxis axis = {.axis = -1, .index = index, .span = index->span};
    const Type *type = type_scalar(sample->tir.types, vector->type->root);
    return tir_view(&sample->tir, type, vector, &axis, SPAN);
}

TirExpr *sample_stretch(Sample *sample, TirExpr *operand, uint32_t count) {
    const Type *from = operand->type;
    uint32_t dims[TYPE_RANK_LIMIT];
    TirAxis axes[TYPE_RANK_LIMIT] = {0};
    for (uint16_t k = 0; k < from->flat_rank; k++) {
        dims[k] = from->dims[k];
        axes[k] = (TirAxis){.axis = k, .step = 1};
    }
    dims[from->flat_rank] = count;
    const Type *type = type_flat(sample->tir.types, from->root, from->flat_rank + 1u, dims);
    return tir_view(&sample->tir, type, operand, axes, SPAN);
}

// A stream of this process turned into a file.
typedef struct Capture {
    int stream;
    int saved;
    FILE *file;
} Capture;

static Capture capture_begin(int stream) {
    Capture capture = {stream, dup(stream), tmpfile()};
    cr_assert(capture.saved >= 0 && capture.file != NULL);
    fflush(NULL);
    dup2(fileno(capture.file), stream);
    return capture;
}

static void capture_end(Capture *capture, char *text, size_t limit) {
    fflush(NULL);
    dup2(capture->saved, capture->stream);
    close(capture->saved);
    cr_assert_eq(fseek(capture->file, 0, SEEK_SET), 0);
    text[fread(text, 1, limit - 1, capture->file)] = '\0';
    fclose(capture->file);
}

// Runs with standard output and error in files, and gives back what came.
static int run_captured(CodegenModule *module, char *out, char *err, size_t limit) {
    Capture captures[] = {capture_begin(STDOUT_FILENO), capture_begin(STDERR_FILENO)};
    char name[] = "sample";
    char *argv[] = {name, NULL};
    int status = -1;
    const char *error = NULL;
    bool ran = codegen_run(module, 1, argv, &status, &error);
    capture_end(&captures[0], out, limit);
    capture_end(&captures[1], err, limit);
    cr_assert(ran, "%s", error);
    return status;
}

static void expect_at_level(Sample *sample, const char *output, int status, const char *fault) {
    enum { LIMIT = 1 << 16 };
    static char out[LIMIT], err[LIMIT];
    const char *error = NULL;
    CodegenModule *module =
        codegen_build(sample->context, &sample->program, &sample->options, &error);
    cr_assert_not_null(module, "%s", error);
    int actual = run_captured(module, out, err, LIMIT);
    unsigned level = sample->options.opt_level;
    cr_assert_str_eq(out, output, "-O%u printed:\n%s\ninstead of:\n%s\n%s", level, out, output,
                     err);
    cr_assert_eq(actual, status, "-O%u exited with %d: %s", level, actual, err);
    if (fault != NULL) {
        cr_assert(strstr(err, fault) != NULL, "-O%u reported: %s", level, err);
    }
}

void sample_expect(Sample *sample, const char *output, int status, const char *fault) {
    sample->program.entry->id = (uint32_t)sample->program.functions.count;
    LIST_PUSH(sample->context->arena, &sample->program.functions, sample->program.entry);
    passes_run(&sample->tir, &sample->program, &(PassOptions){.opt_level = 2, .verify = true});
    for (unsigned level = 0; level <= 3; level++) {
        sample->options.opt_level = level;
        expect_at_level(sample, output, status, fault);
    }
    sample->options.opt_level = 0;
    sample->options.debug = true;
    expect_at_level(sample, output, status, fault);
}
