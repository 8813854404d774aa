// See effects_sample.h. Reads texts into TIR functions, one character for each statement. Places
// are made up: each function has a thousand positions of the source, in which a character has its
// own, so that `o2` names the third one of output_fnc.
#include "effects_sample.h"

#include "sema/component/effects.h"

#include <criterion/criterion.h>
#include <string.h>

enum {
    FUNCTIONS = 5,
    BASE = 1000, // positions of the source that each function has
    LOOPS = 8,   // nested ones
};

static const char letters[FUNCTIONS + 1] = "gfiou";

// One function being read.
typedef struct Reader {
    EffectsSample *sample;
    TirFunction *function;
    TirFunction **functions;
    const char *text;
    size_t at;
    uint32_t base;
    TirVar *loops[LOOPS];
    size_t depth;
} Reader;

static void read_block(Reader *reader, TirBlock *block);

static TirVar *new_local(Reader *reader, TirVarRole role, Span span) {
    const Type *type = type_scalar(reader->sample->tir.types, ROOT_INT);
    return tir_var_create(&reader->sample->tir, reader->function, role, NULL, type, span);
}

static TirExpr *read_whole(Reader *reader, const TirInterface *terminal, Span span) {
    return tir_read(&reader->sample->tir, terminal->var, span);
}

static TirExpr *element(Reader *reader, TirAxis axis, Span span) {
    EffectsSample *sample = reader->sample;
    const Type *type = type_scalar(sample->tir.types, ROOT_REAL);
    return tir_view(&sample->tir, type, read_whole(reader, sample->y, span), &axis, span);
}

static TirExpr *element_at(Reader *reader, TirVar *var, Span span) {
    TirExpr *index = tir_read(&reader->sample->tir, var, span);
    return element(reader, (TirAxis){.axis = -1, .index = index}, span);
}

static TirExpr *place(Reader *reader, char what, Span span) {
    EffectsSample *sample = reader->sample;
    switch (what) {
    case '=':
    case '+': return read_whole(reader, sample->y, span);
    case 'v': return element_at(reader, new_local(reader, VAR_LOCAL, span), span);
    case 'i': return element_at(reader, reader->loops[reader->depth - 1], span);
    case 'j': return element_at(reader, reader->loops[reader->depth - 2], span);
    case 'h': {
        uint32_t two = 2;
        const Type *type = type_flat(sample->tir.types, ROOT_REAL, 1, &two);
        TirAxis axis = {.axis = 0, .start = 0, .step = 2};
        return tir_view(&sample->tir, type, read_whole(reader, sample->y, span), &axis, span);
    }
    default: return element(reader, (TirAxis){.axis = -1, .start = what - '0'}, span);
    }
}

static void read_set(Reader *reader, TirBlock *block, char what, Span span) {
    Tir *tir = &reader->sample->tir;
    TirExpr *to = place(reader, what, span);
    TirExpr *zero = tir_const_real(tir, 0, span);
    TirExpr *value = type_is_scalar(to->type) ? zero : tir_view(tir, to->type, zero, NULL, span);
    if (what == '+') {
        value = tir_map(tir, OP_ADD, to->type, to, value, NULL, span);
    }
    tir_set(tir, block, to, value, span)->set.is_update = what == '+';
}

static void read_read(Reader *reader, TirBlock *block, char what, Span span) {
    Tir *tir = &reader->sample->tir;
    TirExpr *value = what == 'u'   ? read_whole(reader, reader->sample->u, span)
                     : what == 'a' ? element(reader, (TirAxis){.axis = -1}, span)
                                   : read_whole(reader, reader->sample->y, span);
    TirVar *var = tir_var_create(tir, reader->function, VAR_TEMP, NULL, value->type, span);
    tir_set_var(tir, block, var, value, span);
}

static void read_for(Reader *reader, TirBlock *block, char what, Span span) {
    Tir *tir = &reader->sample->tir;
    static const struct {
        char what;
        int32_t first, last, step;
    } ranges[] = {{'F', 0, 3, 1}, {'D', 2, -1, -1}, {'E', 3, 0, 1},
                  {'N', 0, 3, 1}, {'S', 0, 3, 2},   {'B', 0, 2, 1}};
    size_t k = 0;
    while (ranges[k].what != what) {
        k++;
    }
    TirStmt *loop = tir_stmt(tir, block, STMT_FOR, span);
    loop->for_loop.var = new_local(reader, VAR_LOOP, span);
    loop->for_loop.first = tir_const_int(tir, ranges[k].first, span);
    loop->for_loop.last = what == 'N' ? tir_read(tir, new_local(reader, VAR_LOCAL, span), span)
                                      : tir_const_int(tir, ranges[k].last, span);
    loop->for_loop.step = tir_const_int(tir, ranges[k].step, span);
    cr_assert_lt(reader->depth, LOOPS);
    reader->loops[reader->depth++] = loop->for_loop.var;
    read_block(reader, &loop->for_loop.body);
    reader->depth--;
}

static TirExpr *unknown(Reader *reader, Span span) {
    Tir *tir = &reader->sample->tir;
    const Type *type = type_scalar(tir->types, ROOT_BOOL);
    TirVar *var = tir_var_create(tir, reader->function, VAR_LOCAL, NULL, type, span);
    return tir_read(tir, var, span);
}

static void read_statement(Reader *reader, TirBlock *block) {
    Tir *tir = &reader->sample->tir;
    uint32_t start = reader->base + (uint32_t)reader->at;
    Span span = {start, start + 1};
    char what = reader->text[reader->at++];
    if (strchr("=012vijh+", what) != NULL) {
        read_set(reader, block, what, span);
    } else if (strchr("rau", what) != NULL) {
        read_read(reader, block, what, span);
    } else if (strchr("FDENSB", what) != NULL) {
        read_for(reader, block, what, span);
    } else if (what == '?') {
        TirStmt *branch = tir_stmt(tir, block, STMT_IF, span);
        branch->branch.condition = unknown(reader, span);
        read_block(reader, &branch->branch.then);
        reader->at--;
        cr_assert_eq(reader->text[reader->at], '|');
        read_block(reader, &branch->branch.otherwise);
    } else if (what == 'W' || what == 'T') {
        TirStmt *loop = tir_stmt(tir, block, STMT_WHILE, span);
        loop->while_loop.condition =
            what == 'T' ? tir_const_bool(tir, true, span) : unknown(reader, span);
        read_block(reader, &loop->while_loop.body);
    } else if (what == 'f' || what == 'g') {
        TirStmt *call = tir_stmt(tir, block, STMT_CALL, span);
        call->call.function = reader->functions[what == 'f' ? 1 : 0];
    } else {
        cr_assert(strchr("bcx", what) != NULL, "no statement `%c`", what);
        tir_stmt(tir, block,
                 what == 'b'   ? STMT_BREAK
                 : what == 'c' ? STMT_CONTINUE
                               : STMT_RETURN,
                 span);
    }
}

// From `(` or `|` to behind the next `|` or `)` of this level.
static void read_block(Reader *reader, TirBlock *block) {
    for (reader->at++; strchr("|)", reader->text[reader->at]) == NULL;) {
        read_statement(reader, block);
    }
    reader->at++;
}

static TirInterface *add_terminal(EffectsSample *sample, TirInterface terminal, const char *name,
                                  uint32_t start) {
    TirInterface *added = ARENA_NEW(sample->tir.arena, TirInterface);
    *added = terminal;
    added->space = 't';
    added->name = names_intern_text(sample->tir.names, name);
    added->span = (Span){start, start + 1};
    added->is_present = true;
    added->var = tir_var_create(&sample->tir, NULL,
                                terminal.kind == INTERFACE_INPUT ? VAR_INPUT : VAR_OUTPUT,
                                added->name, terminal.type, added->span);
    LIST_PUSH(sample->tir.arena, &sample->program.globals, added->var);
    LIST_PUSH(sample->tir.arena, &sample->program.interface, added);
    return added;
}

static TirFunction *add_function(EffectsSample *sample, TirFunction **functions, size_t k,
                                 const char *text) {
    static const char *const names[FUNCTIONS] = {"g", "f", "init", "output_fnc", "update_fnc"};
    TirFunction *function = ARENA_NEW(sample->tir.arena, TirFunction);
    function->name = names_intern_text(sample->tir.names, names[k]);
    function->symbol = names[k];
    function->id = (uint32_t)sample->program.functions.count;
    LIST_PUSH(sample->tir.arena, &sample->program.functions, function);
    functions[k] = function;
    Reader reader = {.sample = sample,
                     .function = function,
                     .functions = functions,
                     .text = text,
                     .base = (uint32_t)(k + 1) * BASE};
    while (reader.text[reader.at] != '\0') {
        read_statement(&reader, &function->body);
    }
    return function;
}

EffectsSample *effects_sample_create(const EffectsCase *test) {
    Context *context = context_create();
    EffectsSample *sample = ARENA_NEW(context->arena, EffectsSample);
    sample->context = context;
    sample->tir = (Tir){
        .arena = context->arena, .types = types_create(context->arena), .names = context->names};
    sample->program = (TirProgram){.kind = PROGRAM_COMPONENT, .types = sample->tir.types};
    uint32_t length = test->length == 0 ? 3 : test->length;
    sample->y =
        add_terminal(sample,
                     (TirInterface){.kind = INTERFACE_OUTPUT,
                                    .type = type_flat(sample->tir.types, ROOT_REAL, 1, &length),
                                    .has_feedthrough = !test->without_feedthrough},
                     "y", 10);
    sample->u = add_terminal(sample,
                             (TirInterface){.kind = INTERFACE_INPUT,
                                            .type = type_scalar(sample->tir.types, ROOT_REAL),
                                            .has_feedthrough = !test->without_feedthrough},
                             "u", 20);
    TirFunction *functions[FUNCTIONS];
    add_function(sample, functions, 0, test->g == NULL ? "" : test->g);
    add_function(sample, functions, 1, test->f == NULL ? "" : test->f);
    sample->program.init = add_function(sample, functions, 2, test->init == NULL ? "" : test->init);
    sample->program.init->is_made = true;
    if (test->output != NULL) {
        sample->program.output = add_function(sample, functions, 3, test->output);
    }
    if (test->update != NULL) {
        sample->program.update = add_function(sample, functions, 4, test->update);
    }
    effects_check(context, &sample->program);
    return sample;
}

void effects_sample_destroy(EffectsSample *sample) {
    context_destroy(sample->context);
}

static const char *place_text(Arena *arena, Span span) {
    if (span.start < BASE) {
        return span.start == 10 ? "y" : "u";
    }
    return arena_format(arena, "%c%u", letters[span.start / BASE - 1], span.start % BASE);
}

static int by_place(const void *a, const void *b) {
    const Diag *const *left = a;
    const Diag *const *right = b;
    return (int)(*left)->span.start - (int)(*right)->span.start;
}

const char *effects_sample_messages(const EffectsSample *sample) {
    const DiagList *diags = sample->context->diags;
    Arena *arena = sample->tir.arena;
    const char *text = "";
    if (diags->all.count > 0) {
        qsort(diags->all.items, diags->all.count, sizeof(Diag *), by_place);
    }
    for (size_t k = 0; k < diags->all.count; k++) {
        const Diag *diag = diags->all.items[k];
        bool is_warning = diag->severity == SEVERITY_WARNING;
        text = arena_format(arena, "%s%s%s@%s", text, k == 0 ? "" : " ",
                            is_warning ? "partial" : diag_row(diag->code)->text,
                            place_text(arena, diag->span));
    }
    return text;
}

const char *effects_sample_notes(const EffectsSample *sample, size_t k) {
    const DiagList *diags = sample->context->diags;
    Arena *arena = sample->tir.arena;
    cr_assert_lt(k, diags->all.count);
    const Diag *diag = diags->all.items[k];
    const char *text = "";
    for (size_t n = 0; n < diag->notes.count; n++) {
        Span span = diag->notes.items[n].span;
        if (!span_is_nowhere(span)) {
            text = arena_format(arena, "%s%s%s", text, text[0] == '\0' ? "" : " ",
                                place_text(arena, span));
        }
    }
    return text;
}

void effects_expect(const EffectsCase *rows, size_t count) {
    for (size_t k = 0; k < count; k++) {
        const EffectsCase *row = &rows[k];
        EffectsSample *sample = effects_sample_create(row);
        const char *messages = effects_sample_messages(sample);
        cr_expect_str_eq(messages, row->expected, "row %zu, `%s`: \"%s\" instead of \"%s\"", k,
                         row->output == NULL ? "" : row->output, messages, row->expected);
        cr_expect_eq(sample->y->is_direct, row->is_direct, "row %zu, `%s`: direct is %d", k,
                     row->output == NULL ? "" : row->output, sample->y->is_direct);
        effects_sample_destroy(sample);
    }
}
