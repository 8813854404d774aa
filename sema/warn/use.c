// Uses of functions and tensors that mean something else in other languages: results that are
// dropped, functions that share their state, one index on a matrix.
#include "sema/warn/state.h"

#include "tir/uses.h"
#include "tir/visit.h"

#include <string.h>

// What the latest statement does that gave `result` its value: nothing but that?
static bool has_effects(const TirBlock *block, const TirVar *result) {
    if (block->count == 0) {
        return false;
    }
    const TirStmt *last = block->items[block->count - 1];
    if (last->kind != STMT_CALL || tir_stmt_written(last, 0) != result ||
        tir_stmt_written(last, 1) != NULL) {
        return true; // input, or a call that changes what it is given
    }
    return last->call.function->has_effects || last->call.function->writes_globals;
}

void warn_dropped(Checker *checker, const AstExpr *call, const TirExpr *result) {
    if (!warn_is_wanted(checker) || !type_has_value(result->type) || call->kind != AST_CALL ||
        (result->kind == EXPR_VAR && has_effects(checker->at.block, result->var))) {
        return;
    }
    Diag *diag = warn_at(checker, WARNING_DROPPED_RESULT, call->span,
                         "the result is dropped, and the call does nothing else");
    diag_help(diag, "a function leaves its arguments as they are: assign its result");
}

// One place that calls a function of an import; copies of a macro are places of their own.
typedef struct CallPlace {
    Span span;
    const struct MacroBinding *macros;
} CallPlace;

struct CallFact {
    const FunctionDecl *decl;
    CallPlace first;
    Span second; // nowhere: there is one place
};

void warn_called(Checker *checker, const FunctionDecl *decl, Span span) {
    if (!warn_is_wanted(checker) || decl->unit->trusted || decl->unit == checker->at.unit) {
        return;
    }
    Warn *warn = checker->warn;
    CallPlace place = {span, checker->at.macros};
    CallFact *fact = table_get(&warn->calls_by_decl, decl);
    if (fact == NULL) {
        fact = ARENA_NEW(checker->arena, CallFact);
        *fact = (CallFact){.decl = decl, .first = place};
        table_set(checker->arena, &warn->calls_by_decl, decl, fact);
        LIST_PUSH(checker->arena, &warn->calls, fact);
    } else if (span_is_nowhere(fact->second) &&
               (span.start != fact->first.span.start || place.macros != fact->first.macros)) {
        fact->second = span;
    }
}

// A function that takes something, gives something, and remembers something between: a filter, not
// a counter or a generator, which are made to be shared.
static bool is_filter(const FunctionDecl *decl) {
    bool keeps_state = false;
    for (size_t k = 0; k < decl->instances.count; k++) {
        const TirFunction *function = decl->instances.items[k]->tir;
        keeps_state = keeps_state || (function->reads_globals && function->writes_globals &&
                                      function->results.count > 0);
    }
    return keeps_state && decl->ast->function.param_count > 0;
}

void warn_shared_state(Checker *checker) {
    for (size_t k = 0; k < checker->warn->calls.count; k++) {
        const CallFact *fact = checker->warn->calls.items[k];
        if (span_is_nowhere(fact->second) || !is_filter(fact->decl)) {
            continue;
        }
        const char *name = fact->decl->name->text;
        Diag *diag = warn_later(checker, WARNING_SHARED_STATE, fact->second,
                                "all calls of `%s` share the state that it keeps", name);
        if (fact->first.span.start != fact->second.start) {
            diag_label(diag, fact->first.span, "this is another one");
        }
        diag_note_at(diag, fact->decl->ast->function.name.span, "`%s` is declared here", name);
        diag_help(diag,
                  "give the state to the function and take it back, or import copies of the file");
    }
}

void warn_loop_bounds(Checker *checker, const TirVar *var, const int64_t values[3]) {
    if (warn_is_wanted(checker) && var != NULL) {
        int64_t *greatest = ARENA_NEW(checker->arena, int64_t);
        *greatest = values[2] > 0 ? values[1] - 1 : values[0];
        table_set(checker->arena, &checker->warn->loops, var, greatest);
    }
}

// Whether the index stays within the rows, as far as that is known: one that goes beyond counts
// elements on purpose.
static bool may_mean_row(Checker *checker, const ShapeIndex *index, const TirExpr *value,
                         int64_t rows) {
    if (index->is_range) {
        return value == NULL && index->has_last && index->last <= rows;
    }
    if (index->is_constant) {
        return index->start >= 0 && index->start < rows;
    }
    const int64_t *greatest =
        value->kind == EXPR_VAR ? table_get(&checker->warn->loops, value->var) : NULL;
    return greatest != NULL && *greatest < rows;
}

// The element that a constant index counts to, as indices of each dim.
static const char *element_text(Checker *checker, const Type *type, int64_t position) {
    const char *text = "";
    for (size_t d = type->rank; d-- > 0;) {
        text = arena_format(checker->arena, "%lld%s%s", (long long)(position % type->dims[d]),
                            text[0] == '\0' ? "" : ", ", text);
        position /= type->dims[d];
    }
    return text;
}

void warn_single_index(Checker *checker, const TirExpr *matrix, const AstExpr *bracket,
                       const ShapeIndex *index, const TirExpr *value) {
    const Type *type = matrix->type;
    // A single row or column has no other elements.
    if (!warn_is_wanted(checker) || shape_narrow(checker->tir.types, type)->rank < 2 ||
        !may_mean_row(checker, index, value, type->dims[0])) {
        return;
    }
    const AstExpr *written = bracket->index.indices.items[0];
    Slice text = warn_text(checker, written->span);
    Diag *diag = warn_at(checker, WARNING_FLAT_INDEX, bracket->span,
                         "one index on %s counts its elements, not its rows",
                         check_type_text(checker, type));
    if (index->is_range || !index->is_constant) {
        diag_help(diag, "rows are `[%.*s, ...]`", (int)text.len, text.data);
        return;
    }
    const char *element = element_text(checker, type, index->start);
    diag_help(diag, "the element is `[%s]`, the row `[%.*s, ...]`", element, (int)text.len,
              text.data);
    if (written->kind == AST_INTEGER && !check_is_one_of_many(checker)) {
        diag_edit(diag, written->span, "%s", element);
    }
}

// `y[i] = x[i]` where `y` was declared as `y = 0.0`: the last value is what is left. Elements of a
// tensor are indexed once more on purpose, or by a mistake that says less.
void warn_scalar_target(Checker *checker, const TirExpr *target, const AstExpr *bracket) {
    if (!warn_is_wanted(checker) || target->kind != EXPR_VAR || target->var->name == NULL) {
        return;
    }
    const char *name = target->var->name->text;
    Diag *diag = warn_at(checker, WARNING_SCALAR_TARGET, bracket->span,
                         "`%s` is one %s: whatever the index, it is replaced", name,
                         check_type_text(checker, target->type));
    diag_label(diag, target->var->span, "declared here");
    diag_help(diag, "only a tensor has elements: `tensor<%s, 8>` has 8",
              check_type_text(checker, target->type));
}

// `%5.2f` or `{}`, from its first character on.
static bool is_place_of_value(Slice text) {
    size_t at = 1;
    if (text.data[0] == '{') {
        return strchr("}:0", text.data[1]) != NULL && memchr(text.data, '}', text.len) != NULL;
    }
    while (at < text.len && strchr("-+.0123456789l", text.data[at]) != NULL) {
        at++;
    }
    return text.data[0] == '%' && at < text.len && strchr("dfgeius", text.data[at]) != NULL;
}

void warn_printed_text(Checker *checker, const AstExpr *literal) {
    if (!warn_is_wanted(checker)) {
        return;
    }
    Slice text = warn_text(checker, literal->span);
    for (size_t i = 1; i + 2 < text.len; i++) {
        if (is_place_of_value((Slice){text.data + i, text.len - 1 - i})) {
            Diag *diag = warn_at(checker, WARNING_PRINT_FORMAT, literal->span,
                                 "`print` shows this text as it is, then the values");
            diag_help(diag, "texts and values take turns: `print(\"x is\", x, \"m\")`");
            return;
        }
    }
}
