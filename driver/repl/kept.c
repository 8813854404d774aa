// See kept.h. The entry of the script is replaced by one that reads what is known, runs the new
// statements and hands out what there is then, so the evaluator needs to know nothing of it.
#include "driver/repl/kept.h"

#include "support/memory.h"
#include "tir/build.h"
#include "tir/same.h"

#include <stdlib.h>
#include <string.h>

void kept_free(KeptValues *values) {
    for (size_t i = 0; i < values->count; i++) {
        free(values->items[i].key);
        free(values->items[i].scalars);
    }
    free(values->items);
    *values = (KeptValues){0};
}

// By the path of its file: their numbers change with the imports.
static Buffer key_of(const Context *context, const TirVar *var) {
    SourcePlace place = sources_place(context->sources, var->span.start);
    Buffer key = {0};
    if (place.file != NULL) {
        buffer_format(&key, "%s:%u %s %s", place.file->path, (unsigned)place.offset,
                      var->name->text, type_text(context->arena, var->type));
    }
    return key;
}

static const KeptValue *find(const KeptValues *values, const char *key) {
    for (size_t i = 0; i < values->count; i++) {
        if (strcmp(values->items[i].key, key) == 0) {
            return &values->items[i];
        }
    }
    return NULL;
}

const KeptValue *kept_find(const KeptValues *values, const Context *context, const TirVar *var) {
    Buffer key = key_of(context, var);
    const KeptValue *found = key.len == 0 ? NULL : find(values, key.data);
    buffer_free(&key);
    return found;
}

bool kept_agree(const KeptValues *before, const KeptValues *after) {
    bool agree = true;
    for (size_t i = 0; i < before->count && agree; i++) {
        const KeptValue *value = &before->items[i];
        const KeptValue *other = find(after, value->key); // of the same type
        for (uint32_t k = 0; other != NULL && k < value->count && agree; k++) {
            agree = tir_same_scalar(value->root, value->scalars[k], other->scalars[k]);
        }
    }
    return agree;
}

typedef struct Exchange {
    TirVars vars; // named by their positions
    const Context *context;
    const KeptValues *before;
    KeptValues after;
    bool (*stop)(void *data);
} Exchange;

// The variable behind a name of exchanging_body; NULL for a name of the source.
static const TirVar *named_var(const Exchange *exchange, Slice name) {
    bool is_ours = name.len > 0 && name.data[0] == '#';
    return is_ours ? exchange->vars.items[strtoul(name.data + 1, NULL, 10)] : NULL;
}

static const TirScalar *give(void *data, Slice name, const Type *type) {
    (void)type;
    const Exchange *exchange = data;
    const TirVar *var = named_var(exchange, name);
    return var == NULL ? NULL : kept_find(exchange->before, exchange->context, var)->scalars;
}

static bool take(void *data, Slice name, const Type *type, const TirScalar *scalars) {
    Exchange *exchange = data;
    const TirVar *var = named_var(exchange, name);
    if (var == NULL) {
        return false;
    }
    size_t bytes = memory_product(type->numel, sizeof(*scalars));
    KeptValue value = {key_of(exchange->context, var).data, type->root, type->numel,
                       memory_zeroed(bytes)};
    memcpy(value.scalars, scalars, bytes);
    exchange->after.items[exchange->after.count++] = value;
    return true;
}

static bool is_stopped(void *data) {
    const Exchange *exchange = data;
    return exchange->stop(NULL);
}

static void add_named(Arena *arena, TirVars *named, TirVar *const *vars, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (vars[i]->name != NULL && !span_is_nowhere(vars[i]->span)) {
            LIST_PUSH(arena, named, vars[i]);
        }
    }
}

static bool is_known(const SourceMap *known, const SourceFile *file) {
    for (uint32_t i = 0; known != NULL && i < sources_count(known); i++) {
        if (strcmp(sources_file(known, i)->path, file->path) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_in(const SourceMap *sources, const TirStmt *stmt, KeptRange range) {
    SourcePlace place = sources_place(sources, stmt->span.start);
    return place.file == NULL       ? false
           : place.file->index == 0 ? place.offset >= range.from && place.offset < range.until
                                    : !is_known(range.known, place.file);
}

// Inputs of what is known, the statements of the range, and outputs of all.
static TirBlock exchanging_body(Tir *tir, const Exchange *exchange, const TirBlock *body,
                                KeptRange range) {
    TirBlock block = {0};
    Span nowhere = {0, 0};
    Slice *names = ARENA_ARRAY(tir->arena, Slice, exchange->vars.count);
    for (size_t i = 0; i < exchange->vars.count; i++) {
        const char *name = arena_format(tir->arena, "#%zu", i);
        names[i] = (Slice){name, strlen(name)};
        TirVar *var = exchange->vars.items[i];
        if (kept_find(exchange->before, exchange->context, var) != NULL) {
            TirStmt *input = tir_stmt(tir, &block, STMT_INPUT, nowhere);
            input->input.var = var;
            input->input.name = names[i];
        }
    }
    for (size_t i = 0; i < body->count; i++) {
        if (is_in(exchange->context->sources, body->items[i], range)) {
            LIST_PUSH(tir->arena, &block, body->items[i]);
        }
    }
    for (size_t i = 0; i < exchange->vars.count; i++) {
        TirStmt *output = tir_stmt(tir, &block, STMT_OUTPUT, nowhere);
        output->output.name = names[i];
        output->output.value = tir_read(tir, exchange->vars.items[i], nowhere);
    }
    return block;
}

bool kept_run(const Compilation *compilation, KeptRange range, const KeptValues *before,
              KeptValues *after, bool (*stop)(void *data), Buffer *out, RefFault *fault) {
    TirProgram program = *compilation->program;
    TirFunction entry = *program.entry;
    Context *context = compilation->context;
    Tir tir = {.arena = context->arena,
               .types = program.types,
               .names = context->names,
               .single = program.single};
    Exchange exchange = {.context = context, .before = before, .stop = stop};
    add_named(tir.arena, &exchange.vars, entry.vars.items, entry.vars.count);
    add_named(tir.arena, &exchange.vars, program.globals.items, program.globals.count);
    exchange.after.items =
        memory_zeroed(memory_product(exchange.vars.count + 1, sizeof(KeptValue)));
    entry.body = exchanging_body(&tir, &exchange, &entry.body, range);
    program.entry = &entry;
    RefEvalIo io = {.data = &exchange, .input = give, .output = take, .stop = is_stopped};
    bool finished = ref_eval_run(&program, &io, out, fault);
    if (finished) {
        *after = exchange.after;
    } else {
        kept_free(&exchange.after);
    }
    return finished;
}
