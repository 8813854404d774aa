// textDocument/signatureHelp: the function whose call the position is in, the parameter that is
// next, and, once the call is checked, the type of each one in it: what an argument is converted
// and stretched to.
#include "lsp/builtins.h"
#include "lsp/describe.h"
#include "lsp/request.h"
#include "lsp/scope.h"
#include "lsp/token_list.h"

#include <string.h>

// The innermost call that is open at a position.
typedef struct OpenCall {
    const Token *name; // NULL: there is none
    size_t argument;
    const Token *named; // the name of an argument by name, or NULL
} OpenCall;

typedef struct Bracket {
    OpenCall call; // its name is NULL for other brackets
} Bracket;

static bool is_call_of(const Token *paren, const Token *callee) {
    return paren->kind == TOKEN_CALL_PAREN && callee->kind == TOKEN_NAME;
}

static OpenCall find_call(Arena *arena, const LspTokens *tokens, uint32_t position) {
    LIST_OF(Bracket) open = {0};
    size_t count = lsp_tokens_before(tokens, position);
    for (size_t k = 0; k < count; k++) {
        const Token *token = &tokens->list.items[k];
        bool opens = token_is(token->kind, TOKEN_OPENS) || token->kind == TOKEN_CALL_PAREN ||
                     token->kind == TOKEN_INDEX_BRACKET;
        if (opens) {
            bool has_bang = k > 1 && token[-1].kind == TOKEN_BANG;
            const Token *callee = k == 0 ? NULL : has_bang ? token - 2 : token - 1;
            bool is_declared =
                callee != NULL && callee != tokens->list.items && callee[-1].kind == TOKEN_FN;
            bool is_call = callee != NULL && is_call_of(token, callee) && !is_declared;
            Bracket bracket = {.call = {.name = is_call ? callee : NULL}};
            LIST_PUSH(arena, &open, bracket);
        } else if (token_is(token->kind, TOKEN_CLOSES) && open.count > 0) {
            open.count--;
        } else if (token->kind == TOKEN_COMMA && open.count > 0) {
            open.items[open.count - 1].call.argument++;
            open.items[open.count - 1].call.named = NULL;
        } else if (token->kind == TOKEN_ASSIGN && open.count > 0 && k > 0) {
            open.items[open.count - 1].call.named = token - 1;
        }
    }
    for (size_t k = open.count; k-- > 0;) {
        if (open.items[k].call.name != NULL) {
            return open.items[k].call;
        }
    }
    return (OpenCall){0};
}

// The function of the program that the name is there; NULL when it is none. What is not checked
// means what the file can see.
static const AstStmt *find_function(Arena *arena, const LspDocument *document, const Token *name) {
    const Notes *notes = &document->notes;
    const AstStmt *visible = NULL;
    for (size_t k = 0; k < notes->names.count; k++) {
        const NameNote *note = &notes->names.items[k];
        if (note->role != NAME_FUNCTION || strcmp(note->name->text, name->name->text) != 0) {
            continue;
        }
        if (note->span.start == name->span.start) {
            return describe_function(notes, note->declaration);
        }
        const SourceFile *file =
            sources_place(document->context->sources, note->declaration.start).file;
        if (note->declares && file != NULL && lsp_is_visible_file(arena, document->ast, file)) {
            visible = describe_function(notes, note->declaration);
        }
    }
    return visible;
}

static const char *param_text(Arena *arena, const LspDocument *document, const AstParam *param) {
    Span span = span_join(param->type->span, param->name.span);
    Slice text = sources_text(document->context->sources, span);
    const char *copy = arena_copy_text(arena, text.data, text.len);
    return param->is_var ? arena_format(arena, "var %s", copy) : copy;
}

// What the parameter is in this call; NULL when it is not known. Instances that differ are told
// apart.
static const char *param_here(Arena *arena, const LspDocument *document, const AstStmt *function,
                              Span name, size_t k) {
    const Notes *notes = &document->notes;
    const char *text = NULL;
    for (size_t i = 0; i < notes->calls.count; i++) {
        const CallNote *call = &notes->calls.items[i];
        bool is_meant = call->span.start == name.start && call->declaration == function &&
                        call->callee != NULL && call->callee->params[k] != NULL;
        if (!is_meant) {
            continue;
        }
        const Type *type = call->callee->params[k]->type;
        const Type *given = call->given[k];
        const char *here = describe_type(arena, type);
        if (given == NULL) {
            here = arena_format(arena, "%s, by default", here);
        } else if (given != type) {
            here = arena_format(arena, "%s, from %s", here, describe_type(arena, given));
        }
        bool is_new = text == NULL || strstr(text, here) == NULL;
        text = text == NULL ? here : is_new ? arena_format(arena, "%s; %s", text, here) : text;
    }
    return text;
}

static json_t *parameter(const char *label, const char *documentation) {
    json_t *item = json_object();
    json_set(item, "label", json_word(label));
    if (documentation != NULL) {
        json_set(item, "documentation", json_word(documentation));
    }
    return item;
}

static json_t *signature(const char *label, json_t *parameters) {
    json_t *item = json_object();
    json_set(item, "label", json_word(label));
    json_set(item, "parameters", parameters);
    return item;
}

static json_t *function_signature(Arena *arena, const LspDocument *document,
                                  const AstStmt *function, const OpenCall *call, size_t *active) {
    json_t *parameters = json_array();
    *active = call->argument;
    for (size_t k = 0; k < function->function.param_count; k++) {
        const AstParam *param = &function->function.params[k];
        json_add(parameters, parameter(param_text(arena, document, param),
                                       param_here(arena, document, function, call->name->span, k)));
        if (call->named != NULL && call->named->kind == TOKEN_NAME &&
            strcmp(call->named->name->text, param->name.name->text) == 0) {
            *active = k;
        }
    }
    json_t *item = signature(describe_signature(arena, document, function), parameters);
    const char *comment = describe_comment_above(arena, document, function->function.name.span);
    if (comment != NULL) {
        json_set(item, "documentation", json_word(comment));
    }
    return item;
}

// What both become: they may be converted together with the result, as those of `atan2`.
static const Type *result_of(const Notes *notes, const OperandNote *note) {
    for (size_t k = 0; k < notes->values.count; k++) {
        const ValueNote *value = &notes->values.items[k];
        if (value->ast->span.start == note->span.start && value->ast->span.end == note->span.end &&
            value->function == note->function && type_same_dims(value->type, note->fit.type)) {
            return value->type;
        }
    }
    return note->fit.type;
}

// What the operands of a built-in that aligns two become; NULL of others.
static const char *operand_here(Arena *arena, const LspDocument *document, Span name, size_t k) {
    const Notes *notes = &document->notes;
    for (size_t i = 0; i < notes->operands.count; i++) {
        const OperandNote *note = &notes->operands.items[i];
        if (note->span.start == name.start && note->span.end > name.end && k < 2 &&
            note->fit.why == SHAPE_OK) {
            const Type *type = k == 0 ? note->left : note->right;
            const Type *result = result_of(notes, note);
            return arena_format(arena, "%s, from %s", describe_type(arena, result),
                                describe_type(arena, type));
        }
    }
    return NULL;
}

static json_t *builtin_signature(Arena *arena, const LspDocument *document,
                                 const LspBuiltin *builtin, const OpenCall *call, size_t *active) {
    json_t *parameters = json_array();
    size_t count = 0;
    for (const char *at = builtin->parameters; *at != '\0'; count++) {
        at += strspn(at, "[], ");
        size_t len = strcspn(at, "[], ");
        if (len > 0) {
            json_add(parameters, parameter(arena_copy_text(arena, at, len),
                                           operand_here(arena, document, call->name->span, count)));
        }
        at += len;
        at += strspn(at, "[], ");
    }
    // The last one may be repeated: `value...`.
    *active = call->argument < count ? call->argument : count - 1;
    const char *label = arena_format(arena, "%s(%s)", builtin->name, builtin->parameters);
    json_t *item = signature(label, parameters);
    json_set(item, "documentation", json_word(builtin->help));
    return item;
}

json_t *lsp_signature_help(LspRequest *request) {
    uint32_t position = 0;
    if (!lsp_request_position(request, &position)) {
        return NULL;
    }
    LspDocument *document = request->document;
    const LspTokens *tokens = lsp_document_tokens(document);
    Arena *arena = arena_create();
    OpenCall call = lsp_is_in_text(document, tokens, position) ? (OpenCall){0}
                                                               : find_call(arena, tokens, position);
    const AstStmt *function = call.name == NULL ? NULL : find_function(arena, document, call.name);
    LspBuiltin builtin;
    size_t active = 0;
    json_t *item = NULL;
    if (function != NULL) {
        item = function_signature(arena, document, function, &call, &active);
    } else if (call.name != NULL && lsp_find_builtin(arena, call.name->name->text, &builtin)) {
        item = builtin_signature(arena, document, &builtin, &call, &active);
    }
    json_t *answer = NULL;
    if (item != NULL) {
        answer = json_object();
        json_t *signatures = json_array();
        json_add(signatures, item);
        json_set(answer, "signatures", signatures);
        json_set(answer, "activeSignature", json_integer(0));
        json_set(answer, "activeParameter", json_count(active));
    }
    arena_destroy(arena);
    return answer;
}
