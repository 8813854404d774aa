// textDocument/hover: what is known of the name, operator, bracket, call or other expression at a
// position. All instances of a function say the same in most places, which is said once then; else
// each one has its own part.
#include "lsp/builtins.h"
#include "lsp/describe.h"
#include "lsp/occurrence.h"
#include "lsp/request.h"
#include "lsp/symbol.h"
#include "parser/ast_visit.h"
#include "support/bug.h"
#include "types/shape_explain.h"

#include <string.h>

// What is shown, in a font of one width, and below it in words.
typedef struct Shown {
    Arena *arena;
    LspDocument *document;
    const Notes *notes;
    Span span;         // what it is about
    const char *code;  // NULL: nothing so far
    const char *words; // "" so far
} Shown;

static const char *type_of(const Shown *shown, const Type *type) {
    return describe_type(shown->arena, type);
}

static void say(Shown *shown, const char *text) {
    if (text != NULL && *text != '\0') {
        shown->words =
            arena_format(shown->arena, "%s%s%s", shown->words, *shown->words ? "\n\n" : "", text);
    }
}

// By instance.

typedef struct Part {
    const TirFunction *function;
    const char *text;
} Part;

typedef LIST_OF(Part) Parts;

static void add_part(const Shown *shown, Parts *parts, const TirFunction *function,
                     const char *text) {
    for (size_t k = 0; k < parts->count; k++) {
        if (parts->items[k].function == function && strcmp(parts->items[k].text, text) == 0) {
            return; // a copy of a macro's body
        }
    }
    Part part = {function, text};
    LIST_PUSH(shown->arena, parts, part);
}

// The texts once when they are the same, else one below the other, each with its sizes.
static const char *join_parts(const Shown *shown, const Parts *parts) {
    CHECK(parts->count > 0);
    bool is_one = true;
    for (size_t k = 1; k < parts->count; k++) {
        is_one = is_one && strcmp(parts->items[k].text, parts->items[0].text) == 0;
    }
    if (is_one) {
        return parts->items[0].text;
    }
    const char *all = "";
    for (size_t k = 0; k < parts->count; k++) {
        const char *sizes = describe_sizes(shown->arena, shown->notes, parts->items[k].function);
        all = arena_format(shown->arena, "%s%s%s%s%s", all, k == 0 ? "" : "\n",
                           *sizes == '\0' ? "" : arena_format(shown->arena, "%s:", sizes),
                           *sizes == '\0'                               ? ""
                           : strchr(parts->items[k].text, '\n') == NULL ? " "
                                                                        : "\n",
                           parts->items[k].text);
    }
    return all;
}

// Names.

static const char *space_and_name(const Shown *shown, const NameNote *note) {
    return arena_format(shown->arena, "%s%s", note_space_text(note), note->name->text);
}

// "n = 3 from `a`": each size with the argument that gave it in one call.
static const char *sizes_of_call(const Shown *shown, const CallNote *call) {
    const InstanceNote *instance = notes_find_instance(shown->notes, call->callee);
    const char *text = "";
    for (size_t k = 0; instance != NULL && k < instance->count; k++) {
        const AstParam *param = &call->declaration->function.params[call->size_from[k]];
        text = arena_format(shown->arena, "%s%s%s = %u from `%s`", text, k == 0 ? "" : ", ",
                            instance->sizes[k].name->text, (unsigned)instance->values[k],
                            param->name.name->text);
    }
    return text;
}

// The first call with the sizes of an instance; NULL when it is not known.
static const CallNote *call_of(const Shown *shown, const InstanceNote *instance) {
    for (size_t k = 0; k < shown->notes->calls.count; k++) {
        const CallNote *call = &shown->notes->calls.items[k];
        if (call->callee == instance->function && call->span.start == instance->call.start) {
            return call;
        }
    }
    return NULL;
}

static unsigned line_of(const Shown *shown, Span span) {
    return sources_place(shown->document->context->sources, span.start).line;
}

// "fn f(...) real", and below it the sizes that it has been checked with.
static const char *function_text(const Shown *shown, const AstStmt *function) {
    const char *text = describe_signature(shown->arena, shown->document, function);
    for (size_t k = 0; k < shown->notes->instances.count; k++) {
        const InstanceNote *instance = &shown->notes->instances.items[k];
        if (instance->declaration == function && instance->count > 0) {
            const CallNote *call = call_of(shown, instance);
            const char *sizes =
                call != NULL ? sizes_of_call(shown, call)
                             : describe_sizes(shown->arena, shown->notes, instance->function);
            text = arena_format(shown->arena, "%s\n%s by the call in line %u", text, sizes,
                                line_of(shown, instance->call));
        }
    }
    return text;
}

// One call of a function of the program.
static const char *call_text(const Shown *shown, const CallNote *call, const Type *result) {
    const AstStmt *function = call->declaration;
    const char *text = describe_signature(shown->arena, shown->document, function);
    const char *sizes = sizes_of_call(shown, call);
    text = *sizes == '\0' ? text : arena_format(shown->arena, "%s\n%s", text, sizes);
    for (size_t k = 0; k < function->function.param_count; k++) {
        const AstParam *param = &function->function.params[k];
        const Type *given = call->given[k];
        const Type *wanted = call->callee == NULL || call->callee->params[k] == NULL
                                 ? NULL
                                 : call->callee->params[k]->type;
        text = arena_format(shown->arena, "%s\n  %s: %s", text, param->name.name->text,
                            given == NULL ? "its default" : type_of(shown, given));
        if (wanted != NULL && given != NULL && wanted != given) {
            text = arena_format(shown->arena, "%s as %s", text, type_of(shown, wanted));
        }
    }
    return result == NULL
               ? text
               : arena_format(shown->arena, "%s\nresult: %s", text, type_of(shown, result));
}

// The type of the innermost expression whose span is this.
static const Type *value_type(const Shown *shown, Span span, const TirFunction *function) {
    for (size_t k = 0; k < shown->notes->values.count; k++) {
        const ValueNote *note = &shown->notes->values.items[k];
        if (note->ast->span.start == span.start && note->ast->span.end == span.end &&
            note->function == function) {
            return note->type;
        }
    }
    return NULL;
}

// The calls that begin with the name at a span, by instance of the caller; NULL when there is none.
static const char *calls_at(const Shown *shown, Span name) {
    Parts parts = {0};
    for (size_t k = 0; k < shown->notes->calls.count; k++) {
        const CallNote *call = &shown->notes->calls.items[k];
        if (call->span.start == name.start) {
            const Type *result = value_type(shown, call->span, call->caller);
            add_part(shown, &parts, call->caller, call_text(shown, call, result));
        }
    }
    return parts.count == 0 ? NULL : join_parts(shown, &parts);
}

static const char *levels_text(const Shown *shown, const Type *type) {
    if (!type_is_tensor(type)) {
        return NULL;
    }
    unsigned scalars = type->numel;
    return arena_format(shown->arena, "%s: %u %s", describe_short_type(shown->arena, type), scalars,
                        scalars == 1 ? "scalar" : "scalars");
}

// What a name is, in words.
static const char *role_text(const Shown *shown, const NameNote *note) {
    const TirInterface *item = note->interface;
    const char *text = name_role_text(note->role);
    const AstStmt *around = lsp_function_around(shown->notes, note->declaration.start);
    bool is_of_function =
        note->role == NAME_PARAMETER || note->role == NAME_PLACE || note->role == NAME_SIZE;
    if (is_of_function && around != NULL) {
        return arena_format(shown->arena, "%s of `%s`", text, around->function.name.name->text);
    }
    if (item == NULL || item->space != 't') {
        return text;
    }
    return arena_format(shown->arena, "%s%s%s%s", item->is_optional ? "optional " : "", text,
                        item->io != NULL ? " of hardware" : "",
                        item->has_feedthrough || item->io != NULL ? "" : " without feedthrough");
}

// ", from `x` by the call in line 9" of a size parameter; "" of others.
static const char *origin_of(const Shown *shown, const NameNote *note) {
    const InstanceNote *instance = notes_find_instance(shown->notes, note->function);
    const CallNote *call = instance == NULL ? NULL : call_of(shown, instance);
    for (size_t k = 0; note->role == NAME_SIZE && call != NULL && k < instance->count; k++) {
        if (instance->sizes[k].name == note->name) {
            const AstParam *param = &call->declaration->function.params[call->size_from[k]];
            return arena_format(shown->arena, ", from `%s` by the call in line %u",
                                param->name.name->text, line_of(shown, instance->call));
        }
    }
    return "";
}

static const char *typed_name(const Shown *shown, const NameNote *note) {
    const char *value = describe_value(shown->arena, shown->document, note);
    return arena_format(shown->arena, "%s: %s%s%s%s", space_and_name(shown, note),
                        type_of(shown, note->type), value == NULL ? "" : " = ",
                        value == NULL ? "" : value, origin_of(shown, note));
}

// A note with a type for the same declaration: an argument's name has none of its own.
static bool is_shown(const NameNote *note, const NameNote *asked) {
    bool is_same = note->span.start == asked->span.start ||
                   (asked->type == NULL && note->span.start == asked->declaration.start);
    return is_same && note->declaration.start == asked->declaration.start && note->type != NULL;
}

static void show_variable(Shown *shown, const NameNote *asked) {
    Parts parts = {0};
    const Type *type = NULL;
    bool is_one = true;
    for (size_t k = 0; k < shown->notes->names.count; k++) {
        const NameNote *note = &shown->notes->names.items[k];
        if (is_shown(note, asked)) {
            add_part(shown, &parts, note->function, typed_name(shown, note));
            is_one = is_one && (type == NULL || type == note->type);
            type = note->type;
        }
    }
    shown->code = parts.count == 0 ? space_and_name(shown, asked) : join_parts(shown, &parts);
    say(shown, role_text(shown, asked));
    if (type != NULL && is_one) {
        say(shown, levels_text(shown, type));
    }
    say(shown, describe_comment(shown->arena, shown->document, asked->declaration));
}

static void show_function(Shown *shown, const NameNote *note) {
    const AstStmt *function = describe_function(shown->notes, note->declaration);
    const char *calls = note->declares ? NULL : calls_at(shown, note->span);
    shown->code = calls != NULL      ? calls
                  : function == NULL ? note->name->text
                                     : function_text(shown, function);
    if (function != NULL && describe_is_unchecked(shown->notes, note->declaration.start)) {
        say(shown, DESCRIBE_UNCHECKED);
    }
    say(shown, describe_comment_above(shown->arena, shown->document, note->declaration));
}

static void show_name(Shown *shown, const NameNote *note) {
    shown->span = note->span;
    if (note->role == NAME_FUNCTION) {
        show_function(shown, note);
    } else {
        show_variable(shown, note);
    }
}

// Operators and indices.

// The two sides of an operator, for their texts; spans of NULL are nowhere.
typedef struct Sides {
    uint32_t op_start;
    Span whole, left, right;
} Sides;

static bool is_operator(const AstExpr *expr, void *data) {
    Sides *sides = data;
    if (expr->kind == AST_BINARY && expr->binary.op_span.start == sides->op_start) {
        sides->whole = expr->span;
        sides->left = expr->binary.left->span;
        sides->right = expr->binary.right->span;
    } else if (expr->kind == AST_CALL && expr->span.start == sides->op_start &&
               expr->call.args.count >= 2) {
        sides->whole = expr->span;
        sides->left = expr->call.args.items[0]->span;
        sides->right = expr->call.args.items[1]->span;
    }
    return sides->whole.end > 0;
}

static bool is_update(const AstStmt *stmt, void *data) {
    Sides *sides = data;
    if (stmt->kind == AST_ASSIGN && stmt->assign.compound &&
        stmt->assign.op_span.start == sides->op_start) {
        sides->whole = span_join(stmt->assign.target->span, stmt->assign.value->span);
        sides->left = stmt->assign.target->span;
        sides->right = stmt->assign.value->span;
    }
    return sides->whole.end > 0;
}

static Sides find_sides(const Shown *shown, const OperandNote *note) {
    Sides sides = {.op_start = note->span.start};
    AstVisitor visitor = {.expr = is_operator, .stmt = is_update, .data = &sides};
    for (size_t k = 0; k < shown->notes->files.count && sides.whole.end == 0; k++) {
        ast_visit_block(&shown->notes->files.items[k]->statements, &visitor);
    }
    return sides;
}

static const char *operand_line(const Shown *shown, const char *name, const Type *type,
                                const OperandNote *note) {
    const Type *result = note->fit.type;
    bool fits = note->fit.why == SHAPE_OK && note->form != NOTE_DOT;
    bool is_stretched = fits && !type_same_dims(type, result);
    bool is_converted = note->fit.why == SHAPE_OK && type->root != result->root;
    return arena_format(shown->arena, "\n  %s: %s%s%s%s", name, type_of(shown, type),
                        is_stretched ? ", stretched" : "", is_converted ? ", as " : "",
                        is_converted ? root_text(result->root) : "");
}

static const char *alignment_table(const Shown *shown, const OperandNote *note, const char *left,
                                   const char *right) {
    Arena *arena = shown->arena;
    const ShapeFit *fit = &note->fit;
    bool is_dot = note->form == NOTE_DOT && note->left->rank > 0 && note->right->rank > 0;
    if (fit->why == SHAPE_OK) {
        return shape_fitting_table(arena, is_dot, left, note->left, right, note->right, fit->type);
    }
    if (note->left->rank == 0 && note->right->rank == 0) {
        return NULL;
    }
    if (is_dot) {
        return fit->why == SHAPE_LENGTHS
                   ? shape_dot_table(arena, left, note->left, right, note->right, NULL)
                   : NULL;
    }
    return fit->why == SHAPE_OPERAND
               ? NULL
               : shape_table(arena, fit, left, note->left, right, note->right,
                             shape_explain(arena, fit, note->form == NOTE_STRICT));
}

static const char *operands_text(const Shown *shown, const OperandNote *note, const Sides *sides) {
    const char *left = describe_text(shown->arena, shown->document, sides->left, "left");
    const char *right = describe_text(shown->arena, shown->document, sides->right, "right");
    const Type *result = value_type(shown, sides->whole, note->function);
    result = result == NULL ? note->fit.type : result;
    const char *whole = describe_text(shown->arena, shown->document, sides->whole, "result");
    const char *text = arena_format(
        shown->arena, "%s: %s%s%s", whole,
        note->fit.why == SHAPE_OK && result != NULL ? type_of(shown, result) : "does not fit",
        operand_line(shown, left, note->left, note), operand_line(shown, right, note->right, note));
    const char *table = alignment_table(shown, note, left, right);
    return table == NULL ? text : arena_format(shown->arena, "%s\n\n%s", text, table);
}

// The operands that begin at a place; false when there are none.
static bool show_operands(Shown *shown, uint32_t start) {
    Parts parts = {0};
    Sides sides = {0};
    for (size_t k = 0; k < shown->notes->operands.count; k++) {
        const OperandNote *note = &shown->notes->operands.items[k];
        if (note->span.start == start) {
            sides = sides.whole.end == 0 ? find_sides(shown, note) : sides;
            add_part(shown, &parts, note->function, operands_text(shown, note, &sides));
        }
    }
    if (parts.count == 0) {
        return false;
    }
    shown->code = join_parts(shown, &parts);
    shown->span = sides.whole;
    return true;
}

static const char *index_text(const Shown *shown, const IndexNote *note) {
    const AstExpr *object = note->ast->index.object;
    const char *name = describe_text(shown->arena, shown->document, object->span, "value");
    const char *whole = describe_text(shown->arena, shown->document, note->ast->span, "result");
    int wrong = note->fit.why == SHAPE_OK ? -1 : (int)note->fit.dim;
    const char *reason =
        note->fit.why == SHAPE_OK ? NULL : shape_explain(shown->arena, &note->fit, false);
    return arena_format(shown->arena, "%s: %s\n  %s: %s\n\n%s", whole,
                        note->fit.why == SHAPE_OK ? type_of(shown, note->fit.type) : "does not fit",
                        name, type_of(shown, note->object),
                        shape_index_table(shown->arena, name, note->object, note->texts,
                                          note->count, wrong, reason));
}

static bool show_index(Shown *shown, const AstExpr *ast) {
    Parts parts = {0};
    for (size_t k = 0; k < shown->notes->indices.count; k++) {
        const IndexNote *note = &shown->notes->indices.items[k];
        if (note->ast == ast) {
            add_part(shown, &parts, note->function, index_text(shown, note));
        }
    }
    if (parts.count == 0) {
        return false;
    }
    shown->code = join_parts(shown, &parts);
    return true;
}

// Other expressions.

static const char *value_text(const Shown *shown, const ValueNote *note) {
    const char *text = describe_text(shown->arena, shown->document, note->ast->span, "value");
    if (note->type->kind != TYPE_VOID) {
        text = arena_format(shown->arena, "%s: %s", text, type_of(shown, note->type));
    }
    const AstExprs *args = &note->ast->call.args;
    for (size_t k = 0; note->ast->kind == AST_CALL && k < args->count; k++) {
        const Type *type = value_type(shown, args->items[k]->span, note->function);
        if (type != NULL) {
            text = arena_format(
                shown->arena, "%s\n  %s: %s", text,
                describe_text(shown->arena, shown->document, args->items[k]->span, "argument"),
                type_of(shown, type));
        }
    }
    return text;
}

static bool show_value(Shown *shown, uint32_t position) {
    const AstExpr *best = NULL;
    for (size_t k = 0; k < shown->notes->values.count; k++) {
        const AstExpr *ast = shown->notes->values.items[k].ast;
        bool is_smaller =
            best == NULL || ast->span.end - ast->span.start < best->span.end - best->span.start;
        best = span_has(ast->span, position) && is_smaller ? ast : best;
    }
    if (best == NULL) {
        return false;
    }
    shown->span = best->span;
    if ((best->kind == AST_INDEX && show_index(shown, best)) ||
        (best->kind == AST_CALL && show_operands(shown, best->span.start)) ||
        (best->kind == AST_BINARY && show_operands(shown, best->binary.op_span.start))) {
        return true;
    }
    const char *calls = best->kind == AST_CALL ? calls_at(shown, best->span) : NULL;
    Parts parts = {0};
    for (size_t k = 0; k < shown->notes->values.count; k++) {
        const ValueNote *note = &shown->notes->values.items[k];
        if (note->ast == best) {
            add_part(shown, &parts, note->function, value_text(shown, note));
        }
    }
    shown->code = calls != NULL ? calls : join_parts(shown, &parts);
    return true;
}

static bool show_operator(Shown *shown, uint32_t position) {
    for (size_t k = 0; k < shown->notes->operands.count; k++) {
        Span span = shown->notes->operands.items[k].span;
        enum { LONGEST_OPERATOR = 3 }; // what is longer is a call
        if (span_has(span, position) && span.end - span.start <= LONGEST_OPERATOR) {
            return show_operands(shown, span.start);
        }
    }
    return false;
}

// The name at a position, if it is one there, not right before it.
static const NameNote *name_under(const Shown *shown, uint32_t position) {
    const NameNote *note = lsp_name_at(shown->document, position);
    return note != NULL && span_has(note->span, position) ? note : NULL;
}

// What a built-in function does, below what is known of the call of it.
static bool show_builtin(Shown *shown, uint32_t position) {
    LspBuiltin builtin;
    Span span;
    if (!lsp_builtin_at(shown->arena, shown->document, position, &builtin, &span)) {
        return false;
    }
    const char *signature = arena_format(shown->arena, "%s(%s)", builtin.name, builtin.parameters);
    bool is_checked = show_value(shown, position);
    shown->span = is_checked ? shown->span : span;
    shown->code =
        is_checked ? arena_format(shown->arena, "%s\n\n%s", shown->code, signature) : signature;
    say(shown, builtin.help);
    return true;
}

static bool show(Shown *shown, uint32_t position) {
    const NameNote *note = name_under(shown, position);
    if (note != NULL) {
        show_name(shown, note);
        return true;
    }
    if (show_builtin(shown, position) || show_operator(shown, position) ||
        show_value(shown, position)) {
        return true;
    }
    if (describe_is_unchecked(shown->notes, position)) {
        shown->code = DESCRIBE_UNCHECKED;
        return true;
    }
    return false;
}

json_t *lsp_hover(LspRequest *request) {
    uint32_t position = 0;
    if (!lsp_request_position(request, &position)) {
        return NULL;
    }
    LspDocument *document = request->document;
    Arena *arena = arena_create();
    Shown shown = {.arena = arena, .document = document, .notes = &document->notes, .words = ""};
    json_t *answer = NULL;
    if (show(&shown, position)) {
        bool markdown = request->server->markdown;
        const char *text =
            arena_format(arena, markdown ? "```tml\n%s\n```%s%s" : "%s%s%s", shown.code,
                         *shown.words == '\0' ? "" : "\n\n", shown.words);
        json_t *contents = json_object();
        json_set(contents, "kind", json_word(markdown ? "markdown" : "plaintext"));
        json_set(contents, "value", json_word(text));
        answer = json_object();
        json_set(answer, "contents", contents);
        if (!span_is_nowhere(shown.span)) {
            json_set(answer, "range", lsp_range(request->server, document, shown.span));
        }
    }
    arena_destroy(arena);
    return answer;
}
