// See session.h. The text of the session is compiled again with each entry; kept.c runs what is
// new.
#include "driver/repl/session.h"

#include "codegen/codegen.h"
#include "driver/repl/kept.h"
#include "driver/repl/visible.h"
#include "driver/source_files.h"
#include "lexer/token.h"
#include "parser/ast_visit.h"
#include "sema/file_kind.h"
#include "support/bug.h"
#include "support/file.h"
#include "support/memory.h"
#include "tir/build.h"
#include "tir/print.h"
#include "types/shape_explain.h"

#include <stdlib.h>
#include <string.h>

static const char session_path[] = "repl";
static const char value_name[] = "_value_of_this_entry";

struct Session {
    CompileOptions options;
    RenderOptions render;
    bool (*stop)(void *data);
    Buffer text;
    Compilation compilation; // of the text
    KeptValues values;
};

static void compile(const Session *session, Slice text, CompileStage stage,
                    Compilation *compilation) {
    CompileOptions options = session->options;
    options.stage = stage;
    ExitStatus status = compile_text(compilation, session_path, text.data, text.len, &options);
    CHECK(status != EXIT_OK || stage < STAGE_CHECK || compilation->program != NULL);
}

static bool has_errors(const Compilation *compilation) {
    return compilation->error != NULL || compilation->context->diags->error_count > 0;
}

static Slice slice_of(const Buffer *text) {
    return (Slice){text->len > 0 ? text->data : "", text->len};
}

Session *session_create(const CompileOptions *options, RenderOptions render,
                        bool (*stop)(void *data)) {
    Session *session = memory_zeroed(sizeof(*session));
    session->options = *options;
    session->options.prompt = true;
    // What is entered may be used by what comes.
    static const Warning too_early[] = {WARNING_UNUSED, WARNING_NEAR_MISS, WARNING_DROPPED_RESULT};
    for (size_t i = 0; i < sizeof(too_early) / sizeof(too_early[0]); i++) {
        session->options.front.warnings.of[too_early[i]].is_on = false;
    }
    session->render = render;
    session->stop = stop;
    compile(session, slice_of(&session->text), STAGE_CHECK, &session->compilation);
    return session;
}

void session_clear(Session *session) {
    compilation_finish(&session->compilation);
    kept_free(&session->values);
    buffer_free(&session->text);
    session->text = (Buffer){0};
    compile(session, slice_of(&session->text), STAGE_CHECK, &session->compilation);
}

void session_free(Session *session) {
    compilation_finish(&session->compilation);
    kept_free(&session->values);
    buffer_free(&session->text);
    free(session);
}

Slice session_text(const Session *session) {
    return slice_of(&session->text);
}

bool session_reads(const Session *session, const char *path) {
    const Compilation *compilation = &session->compilation;
    return source_files_have(compilation->context->sources, compilation->source, path);
}

// Messages.

void session_messages(const Session *session, const Compilation *compilation, Reply *reply) {
    if (compilation->error != NULL) {
        buffer_format(&reply->messages, "error: %s\n", compilation->error);
    }
    compile_messages(compilation, session->render, &reply->messages);
}

// Warnings of earlier entries were shown with these.
static void forget_warnings(const Compilation *compilation, size_t until) {
    DiagList *diags = compilation->context->diags;
    size_t count = 0;
    for (size_t i = 0; i < diags->all.count; i++) {
        Diag *diag = diags->all.items[i];
        bool is_old = diag->severity == SEVERITY_WARNING &&
                      diag->span.start < compilation->source->base + until;
        if (is_old) {
            diags->warning_count--;
        } else {
            diags->all.items[count++] = diag;
        }
    }
    diags->all.count = count;
}

static void print_note(Arena *arena, const TirPrintItem *note, TirScalar value, Diag *diag) {
    TirExpr *constant = tir_new_expr(arena, EXPR_CONST, note->value->type, note->value->span);
    constant->data = &value;
    Buffer text = {0};
    tir_print_expr(&text, constant);
    diag_note(diag, "%.*s is %s", (int)note->text.len, note->text.data, text.data);
    buffer_free(&text);
}

void session_trap(const Session *session, const Compilation *compilation, const RefFault *fault,
                  Reply *reply) {
    Context *context = compilation->context;
    DiagList *diags = context->diags;
    diags->all.count = diags->warning_count = 0;
    DiagMark mark = diags_mark(diags); // it may trap there again
    switch (fault->code) {
    case REF_STOPPED: buffer_text(&reply->messages, "interrupted\n"); return;
    case 1001:
        diag_error(diags, DIAG_E1001, fault->span,
                   "index %lld is outside a dimension of length %llu", (long long)fault->index,
                   (unsigned long long)fault->length);
        break;
    case 1002: diag_error(diags, DIAG_E1002, fault->span, "integer division by zero"); break;
    case 1003: diag_error(diags, DIAG_E1003, fault->span, "the step of the loop is zero"); break;
    case 1004: {
        Diag *diag = diag_error(diags, DIAG_E1004, fault->span, "assertion failed: %.*s",
                                (int)fault->text.len, fault->text.data);
        const TirStmt *stmt = fault->assertion;
        for (size_t i = 0; i < stmt->assertion.note_count; i++) {
            print_note(context->arena, &stmt->assertion.notes[i], fault->noted[i], diag);
        }
        break;
    }
    default: {
        Diag *diag = diag_error(diags, DIAG_E0903, fault->span, "there is nothing to read here");
        diag_help(diag, "assign a value instead");
        break;
    }
    }
    session_messages(session, compilation, reply);
    diags_undo(diags, &mark);
}

// Entries.

static Buffer joined(Slice before, const char *open, Slice entry, const char *close) {
    Buffer text = {0};
    buffer_append(&text, before.data, before.len);
    buffer_text(&text, open);
    buffer_append(&text, entry.data, entry.len); // it may hold NUL, which is E0101
    buffer_format(&text, "%s\n", close);
    return text;
}

static const char print_open[] = "print(\n";
static const char print_close[] = "\n)";

// Whether the entry ends before what it began does: its only error is at its end.
static bool is_unfinished(const Compilation *parsed, Slice entry) {
    const DiagList *diags = parsed->context->diags;
    const Diag *diag = diags->all.items[0];
    Slice bare = slice_trim(entry);
    size_t end = (size_t)(bare.data + bare.len - entry.data);
    return diags->error_count == 1 && diag->code == DIAG_E0201 &&
           diag->span.start >= parsed->source->base + end;
}

static bool parses(const Session *session, Slice before, const char *open, Slice entry,
                   const char *close) {
    Buffer text = joined(before, open, entry, close);
    Compilation parsed;
    compile(session, slice_of(&text), STAGE_PARSE, &parsed);
    bool good = !has_errors(&parsed);
    compilation_finish(&parsed);
    buffer_free(&text);
    return good;
}

// The same of an expression: with and without the end of a call around it, there is more to come.
static bool is_unfinished_value(const Session *session, Slice entry) {
    bool is_open = true;
    for (size_t k = 0; k < 2 && is_open; k++) {
        Buffer text = joined((Slice){"", 0}, print_open, entry, k == 0 ? "" : print_close);
        Slice until = {text.data, strlen(print_open) + entry.len};
        Compilation parsed;
        compile(session, slice_of(&text), STAGE_PARSE, &parsed);
        is_open = parsed.error == NULL && has_errors(&parsed) && is_unfinished(&parsed, until);
        compilation_finish(&parsed);
        buffer_free(&text);
    }
    return is_open;
}

// Overwrites the definition of a function in `text` with blanks.
static void blank_function(const AstStmt *stmt, const SourceFile *source, Buffer *text) {
    uint32_t start = stmt->span.start - source->base;
    uint32_t end = stmt->function.end_span.end - source->base;
    for (uint32_t i = start; i < end; i++) {
        text->data[i] = text->data[i] == '\n' ? '\n' : ' ';
    }
}

// The text of the session without the functions that the entry defines again.
static bool without_redefined(const Session *session, const AstFile *entry, Buffer *text) {
    buffer_append(text, session->text.data, session->text.len);
    bool is_changed = false;
    const AstBlock *old = &session->compilation.ast->statements;
    for (size_t i = 0; i < entry->statements.count; i++) {
        const AstStmt *stmt = entry->statements.items[i];
        for (size_t k = 0; stmt->kind == AST_FUNCTION && k < old->count; k++) {
            const AstStmt *former = old->items[k];
            if (former->kind == AST_FUNCTION &&
                strcmp(former->function.name.name->text, stmt->function.name.name->text) == 0) {
                blank_function(former, session->compilation.source, text);
                is_changed = true;
            }
        }
    }
    return is_changed;
}

// Runs what stands behind the first `from` bytes. The values of before are computed again where the
// text before changed.
static bool run(const Session *session, const Compilation *compilation, size_t from,
                bool is_changed, KeptValues *after, Reply *reply) {
    KeptValues again = {0};
    RefFault fault;
    compilation->program->math =
        codegen_math(compilation->context->arena, &session->options.codegen);
    const SourceMap *known = session->compilation.context->sources;
    if (is_changed) {
        Buffer printed = {0};
        KeptRange range = {0, (uint32_t)from, NULL};
        bool done = kept_run(compilation, range, &again, &again, session->stop, &printed, &fault);
        buffer_free(&printed);
        if (!done) {
            session_trap(session, compilation, &fault, reply);
            return false;
        }
    }
    KeptRange range = {(uint32_t)from, UINT32_MAX, known};
    bool done = kept_run(compilation, range, is_changed ? &again : &session->values, after,
                         session->stop, &reply->text, &fault);
    kept_free(&again);
    if (!done) {
        session_trap(session, compilation, &fault, reply);
    }
    return done;
}

static void become(Session *session, const Compilation *compilation, KeptValues values) {
    compilation_finish(&session->compilation);
    kept_free(&session->values);
    session->compilation = *compilation;
    session->values = values;
}

static bool is_outdated(const Session *session) {
    const SourceMap *sources = session->compilation.context->sources;
    bool is_same = true;
    for (uint32_t i = 0; i < sources_count(sources) && is_same; i++) {
        const SourceFile *source = sources_file(sources, i);
        char *text = NULL;
        size_t len = 0;
        const char *error = NULL;
        if (source != session->compilation.source && source_is_file(source) &&
            file_read(source->path, &text, &len, &error)) {
            is_same = len == source->len && memcmp(text, source->text, len) == 0;
            free(text);
        }
    }
    return !is_same;
}

// Where an import has changed on the disk, everything is computed again. False after messages.
static bool refresh(Session *session, Reply *reply) {
    if (!is_outdated(session)) {
        return true;
    }
    buffer_text(&reply->messages,
                "note: an import has changed on the disk; what was entered is computed again\n");
    Compilation compilation;
    compile(session, slice_of(&session->text), STAGE_CHECK, &compilation);
    KeptValues values = {0};
    bool good = !has_errors(&compilation);
    if (!good) {
        session_messages(session, &compilation, reply);
    }
    good = good && run(session, &compilation, session->text.len, true, &values, reply);
    if (good) {
        become(session, &compilation, values);
    } else {
        compilation_finish(&compilation);
    }
    return good;
}

// Checks and runs `text`, whose first `from` bytes are what was entered before. What runs well
// becomes the session where `is_kept`, or where it changes what is there. Messages of a text that
// is not right are left out if `quiet`.
static bool take_text(Session *session, Buffer *text, size_t from, bool is_changed, bool is_kept,
                      bool quiet, Reply *reply) {
    Compilation compilation;
    compile(session, slice_of(text), STAGE_CHECK, &compilation);
    forget_warnings(&compilation, from);
    KeptValues after = {0};
    bool good = !has_errors(&compilation);
    if (good || !quiet) {
        session_messages(session, &compilation, reply);
    }
    good = good && run(session, &compilation, from, is_changed, &after, reply);
    if (good && (is_kept || !kept_agree(&session->values, &after))) {
        become(session, &compilation, after);
        buffer_free(&session->text);
        session->text = *text;
        *text = (Buffer){0};
    } else {
        compilation_finish(&compilation);
        kept_free(&after);
    }
    return good;
}

static bool take_expression(Session *session, Slice entry, bool quiet, Reply *reply) {
    Buffer text = joined(slice_of(&session->text), print_open, entry, print_close);
    bool good = take_text(session, &text, session->text.len, false, false, quiet, reply);
    buffer_free(&text);
    return good;
}

static bool take_statements(Session *session, const AstFile *parsed, Slice entry, Reply *reply) {
    Buffer before = {0};
    bool is_changed = without_redefined(session, parsed, &before);
    Buffer text = joined(slice_of(&before), "", entry, "");
    bool good = take_text(session, &text, before.len, is_changed, true, false, reply);
    buffer_free(&before);
    buffer_free(&text);
    return good;
}

// Whether an entry is wrong from its first word on, as one that begins with an operator: it would
// go on from what was entered before.
static bool begins_wrong(const Compilation *parsed, Slice entry) {
    const DiagList *diags = parsed->context->diags;
    size_t blanks = (size_t)(slice_trim(entry).data - entry.data);
    return diags->all.count > 0 && diags->all.items[0]->span.start <= parsed->source->base + blanks;
}

// An entry that is no statement: the value of an expression, or its errors.
static EntryEnd take_value(Session *session, const Compilation *parsed, Slice entry, Reply *reply) {
    if (parses(session, (Slice){"", 0}, print_open, entry, print_close)) {
        return take_expression(session, entry, false, reply) ? ENTRY_DONE : ENTRY_WRONG;
    }
    if (begins_wrong(parsed, entry)) {
        session_messages(session, parsed, reply);
        return ENTRY_WRONG;
    }
    Buffer text = joined(slice_of(&session->text), "", entry, "");
    Compilation compilation;
    compile(session, slice_of(&text), STAGE_CHECK, &compilation);
    session_messages(session, &compilation, reply);
    compilation_finish(&compilation);
    buffer_free(&text);
    return ENTRY_WRONG;
}

static bool is_return(const AstStmt *stmt, void *data) {
    (void)data;
    return stmt->kind == AST_RETURN;
}

static bool is_function(const AstStmt *stmt, void *data) {
    (void)data;
    return stmt->kind == AST_FUNCTION || stmt->kind == AST_TEST;
}

static EntryEnd take_parsed(Session *session, const Compilation *parsed, Slice entry,
                            Reply *reply) {
    const AstBlock *statements = &parsed->ast->statements;
    FileKind kind = file_kind(parsed->context->arena, parsed->ast);
    if (statements->count == 0) {
        return ENTRY_DONE;
    }
    if (kind == FILE_COMPONENT || kind == FILE_PROGRAM) {
        buffer_text(&reply->messages,
                    "error: components and programs stand in files: `:load FILE`\n");
        return ENTRY_WRONG;
    }
    AstVisitor visitor = {.stmt = is_return, .passes = is_function};
    if (ast_visit_block(statements, &visitor)) { // nothing behind it would run any more
        buffer_text(&reply->messages, "error: `return` ends a script: `:quit` leaves the prompt\n");
        return ENTRY_WRONG;
    }
    // A call may have a value, which is wanted then.
    bool is_call = statements->count == 1 && statements->items[0]->kind == AST_CALL_STMT;
    if (is_call && take_expression(session, entry, true, reply)) {
        return ENTRY_DONE;
    }
    if (is_call && reply->messages.len > 0) {
        return ENTRY_WRONG; // it was an expression, and trapped
    }
    return take_statements(session, parsed->ast, entry, reply) ? ENTRY_DONE : ENTRY_WRONG;
}

// Whether more has to come. What is a value by itself could go on, as `a, b` with `=`, but does
// not.
static bool has_more(const Session *session, const Compilation *parsed, Slice entry) {
    return parsed->error == NULL && has_errors(parsed) &&
           (is_unfinished(parsed, entry) || is_unfinished_value(session, entry)) &&
           !parses(session, (Slice){"", 0}, print_open, entry, print_close);
}

EntryEnd session_enter(Session *session, Slice entry, bool is_whole, Reply *reply) {
    Compilation parsed;
    compile(session, entry, STAGE_PARSE, &parsed);
    EntryEnd end = !is_whole && has_more(session, &parsed, entry) ? ENTRY_UNFINISHED
                   : !refresh(session, reply)                     ? ENTRY_WRONG
                   : has_errors(&parsed) ? take_value(session, &parsed, entry, reply)
                                         : take_parsed(session, &parsed, entry, reply);
    compilation_finish(&parsed);
    return end;
}

// Values.

static const TirVar *named(const TirVars *vars, const char *name) {
    for (size_t i = 0; i < vars->count; i++) {
        if (vars->items[i]->name != NULL && strcmp(vars->items[i]->name->text, name) == 0) {
            return vars->items[i];
        }
    }
    return NULL;
}

// Compiles `[type] name = expression`.
static bool compile_value(Session *session, const char *type, const char *name, Slice expression,
                          SessionValue *value, Reply *reply) {
    Arena *arena = arena_create();
    const char *open =
        arena_format(arena, "%s%s%s =\n", type == NULL ? "" : type, type == NULL ? "" : " ", name);
    Buffer text = joined(slice_of(&session->text), open, expression, "");
    *value = (SessionValue){0};
    compile(session, slice_of(&text), STAGE_CHECK, &value->compilation);
    forget_warnings(&value->compilation, text.len);
    session_messages(session, &value->compilation, reply);
    bool good = !has_errors(&value->compilation);
    if (good) {
        value->type = named(&value->compilation.program->entry->vars, name)->type;
    } else {
        compilation_finish(&value->compilation);
    }
    buffer_free(&text);
    arena_destroy(arena);
    return good;
}

bool session_type(Session *session, Slice expression, SessionValue *value, Reply *reply) {
    return compile_value(session, NULL, value_name, expression, value, reply);
}

static void compare_name(void *data, const char *name) {
    const char **wanted = data;
    if (*wanted != NULL && strcmp(*wanted, name) == 0) {
        *wanted = NULL;
    }
}

bool session_value(Session *session, const char *type, const char *name, Slice expression,
                   SessionValue *value, Reply *reply) {
    session_names(session, compare_name, &name);
    name = name == NULL || token_is_reserved(name) ? value_name : name;
    if (!refresh(session, reply) || !compile_value(session, type, name, expression, value, reply)) {
        return false;
    }
    const Compilation *compilation = &value->compilation;
    KeptValues after = {0};
    if (!run(session, compilation, session->text.len, false, &after, reply)) {
        session_drop_value(value);
        return false;
    }
    const TirVar *var = named(&compilation->program->entry->vars, name);
    const KeptValue *found = kept_find(&after, compilation->context, var);
    size_t bytes = memory_product(found->count, sizeof(TirScalar));
    value->scalars = memory_zeroed(bytes);
    memcpy(value->scalars, found->scalars, bytes);
    kept_free(&after);
    return true;
}

void session_drop_value(SessionValue *value) {
    free(value->scalars);
    compilation_finish(&value->compilation);
    *value = (SessionValue){0};
}

// The operands of the outermost operator, or NULL.
static const AstExpr *outermost(const Compilation *parsed) {
    const AstStmt *stmt = parsed->ast->statements.items[0];
    const AstExprs *args = &stmt->call->call.args;
    return args->count == 1 && args->items[0]->kind == AST_BINARY ? args->items[0] : NULL;
}

bool session_alignment(Session *session, Slice expression, Reply *reply) {
    Buffer text = joined((Slice){"", 0}, print_open, expression, print_close);
    Compilation parsed;
    compile(session, slice_of(&text), STAGE_PARSE, &parsed);
    const AstExpr *operation = has_errors(&parsed) ? NULL : outermost(&parsed);
    SessionValue left = {0}, right = {0}, result = {0};
    bool good = false;
    if (operation == NULL) {
        buffer_text(&reply->messages, "error: `:align` takes an expression with an operator of two "
                                      "operands, such as `a + b`\n");
    } else {
        const SourceMap *sources = parsed.context->sources;
        Slice sides[] = {sources_text(sources, operation->binary.left->span),
                         sources_text(sources, operation->binary.right->span)};
        good = session_type(session, expression, &result, reply) &&
               session_type(session, sides[0], &left, reply) &&
               session_type(session, sides[1], &right, reply);
        if (good) {
            Arena *arena = parsed.context->arena;
            const char *names[] = {arena_copy_text(arena, sides[0].data, sides[0].len),
                                   arena_copy_text(arena, sides[1].data, sides[1].len)};
            const char *table =
                shape_fitting_table(arena, operation->binary.op == AST_BINARY_DOT, names[0],
                                    left.type, names[1], right.type, result.type);
            buffer_format(&reply->text, "%s%s%s\n", table == NULL ? "" : table,
                          table == NULL ? "" : "\n",
                          type_text(result.compilation.context->arena, result.type));
        }
    }
    SessionValue *values[] = {&left, &right, &result};
    for (size_t i = 0; i < 3; i++) {
        if (values[i]->type != NULL) {
            session_drop_value(values[i]);
        }
    }
    compilation_finish(&parsed);
    buffer_free(&text);
    return good;
}

// Names.

typedef struct Lister {
    const Session *session;
    Buffer *out;
} Lister;

static void list_variable(const TirVar *var, void *data) {
    const Lister *lister = data;
    Context *context = lister->session->compilation.context;
    if (kept_find(&lister->session->values, context, var) != NULL) {
        buffer_format(lister->out, "%s: %s\n", var->name->text,
                      type_text(context->arena, var->type));
    }
}

void session_list(const Session *session, Buffer *out) {
    Lister lister = {session, out};
    visible_each(&session->compilation, list_variable, &lister);
}

typedef struct Taker {
    void (*take)(void *data, const char *name);
    void *data;
} Taker;

static void take_variable(const TirVar *var, void *data) {
    const Taker *taker = data;
    taker->take(taker->data, var->name->text);
}

void session_names(const Session *session, void (*take)(void *data, const char *name), void *data) {
    Taker taker = {take, data};
    visible_each(&session->compilation, take_variable, &taker);
    const AstBlock *statements = &session->compilation.ast->statements;
    for (size_t i = 0; i < statements->count; i++) {
        if (statements->items[i]->kind == AST_FUNCTION) {
            take(data, statements->items[i]->function.name.name->text);
        }
    }
}
