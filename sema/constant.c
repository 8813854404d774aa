// See constant.h. Calls become statements before the value that they stand in; where a constant is
// wanted, these are run and not emitted (tir/constant_call.h). What cannot be run is left as it is.
#include "sema/constant.h"

#include "parser/ast_visit.h"
#include "sema/component/component.h"
#include "sema/expr.h"
#include "support/bug.h"
#include "tir/constant.h"
#include "tir/constant_call.h"

#include <string.h>

ConstantStart check_constant_start(const Checker *checker) {
    return (ConstantStart){
        .block = checker->at.block,
        .statements = checker->at.block->count,
        .vars = checker->at.function->vars.count,
        .endless = checker->at.endless,
    };
}

static void note_trap(Diag *diag, const ConstantTrouble *trouble) {
    if (trouble->trap == 1001) {
        diag_note_at(diag, trouble->span, "index %lld is outside a dimension of length %u here",
                     (long long)trouble->index, trouble->length);
    } else {
        diag_note_at(diag, trouble->span, "%s is 0 here",
                     trouble->trap == 1002 ? "the divisor" : "the step of a range");
    }
}

// Says so where computing a constant ended without its value; false where it just is none.
static bool report_trouble(Checker *checker, const ConstantTrouble *trouble, Span span) {
    checker->not_constant = trouble->function;
    switch (trouble->why) {
    case CONSTANT_VARIES: return false;
    case CONSTANT_TRAPS:
        note_trap(check_error(checker, DIAG_E0414, span, "computing this constant traps"), trouble);
        return true;
    case CONSTANT_TOO_LONG: {
        Diag *diag = check_error(checker, DIAG_E0904, span, "this constant is too much work");
        diag_note(diag,
                  "the compiler computes it, with at most %d operators, indices and assignments on "
                  "scalars",
                  CONSTANT_WORK_LIMIT);
        return true;
    }
    case CONSTANT_BROKEN: return true; // its errors have been reported
    case CONSTANT_KNOWN: return true;  // a part of it is poison, which stays silent
    }
    UNREACHABLE();
}

// What is computed of statements since `start`; NULL with *trouble.
static TirExpr *run_since(Checker *checker, const ConstantStart *start, const TirExpr *value,
                          size_t statements, size_t vars, ConstantTrouble *trouble) {
    TirBlock since = {.count = statements - start->statements};
    if (since.count > 0) { // an empty block has no items
        since.items = start->block->items + start->statements;
    }
    const TirScalar *data =
        constant_run(&checker->tir, &since, value, (uint32_t)start->vars,
                     (uint32_t)(vars - start->vars), &checker->global_constants, trouble);
    return data == NULL ? NULL : tir_const(&checker->tir, value->type, data, value->span);
}

static TirExpr *run_to_here(Checker *checker, const ConstantStart *start, const TirExpr *value,
                            ConstantTrouble *trouble) {
    CHECK(start->block == checker->at.block);
    TirFunction *function = checker->at.function;
    TirExpr *constant =
        run_since(checker, start, value, start->block->count, function->vars.count, trouble);
    if (constant != NULL) {
        start->block->count = start->statements;
        function->vars.count = start->vars;
        checker->at.endless = start->endless;
    }
    return constant;
}

TirExpr *check_constant_end(Checker *checker, const ConstantStart *start, TirExpr *value) {
    checker->not_constant = NULL;
    if (!type_has_value(value->type) || value->is_constant ||
        start->block->count == start->statements) {
        return value;
    }
    ConstantTrouble trouble;
    TirExpr *constant = run_to_here(checker, start, value, &trouble);
    if (constant != NULL) {
        return constant;
    }
    return report_trouble(checker, &trouble, value->span) ? checker->poison : value;
}

// The call is in a constant now: what was noted before it holds again.
static void forget_endless(EndlessCall *noted, const EndlessCall *call, const EndlessCall *before) {
    if (noted->span.start == call->span.start && noted->span.end == call->span.end) {
        *noted = *before;
    }
}

TirExpr *check_constant_argument(Checker *checker, ConstantStart *starts, size_t k, size_t count,
                                 TirExpr *value) {
    checker->not_constant = NULL;
    TirBlock *block = starts[k].block;
    size_t first = starts[k].statements;
    size_t end = starts[k + 1].statements;
    if (value->is_constant || first == end) {
        return value;
    }
    ConstantTrouble trouble;
    TirExpr *constant = run_since(checker, &starts[k], value, end, starts[k + 1].vars, &trouble);
    if (constant == NULL) {
        return report_trouble(checker, &trouble, value->span) ? checker->poison : value;
    }
    memmove(block->items + first, block->items + end, (block->count - end) * sizeof(*block->items));
    block->count -= end - first;
    EndlessCall call = starts[k + 1].endless;
    forget_endless(&checker->at.endless, &call, &starts[k].endless);
    for (size_t i = k + 1; i <= count; i++) {
        starts[i].statements -= end - first;
        forget_endless(&starts[i].endless, &call, &starts[k].endless);
    }
    return constant;
}

TirExpr *check_constant(Checker *checker, const AstExpr *ast) {
    ConstantStart start = check_constant_start(checker);
    return check_constant_end(checker, &start, check_value(checker, ast));
}

bool check_ends(Checker *checker) {
    EndlessCall endless = checker->at.endless;
    checker->at.endless = (EndlessCall){0};
    bool is_file_level = checker->at.mode.at_file_level && checker->at.mode.pure;
    return !is_file_level || endless.name == NULL ||
           check_refuse(checker, DIAG_E0702, endless.span,
                        "a file-level value cannot call `%s`, which contains a `while`",
                        endless.name);
}

TirExpr *check_constant_global(Checker *checker, const ConstantStart *start, TirExpr *value) {
    bool ends = type_is_poison(value->type) || check_ends(checker);
    if (!ends) {
        return checker->poison;
    }
    if (!checker->at.mode.at_file_level || !checker->at.mode.pure || type_is_poison(value->type)) {
        checker->at.endless = (EndlessCall){0};
        return value;
    }
    if (value->is_constant) {
        return value;
    }
    ConstantTrouble trouble;
    TirExpr *constant = run_to_here(checker, start, value, &trouble);
    return constant == NULL ? value : constant; // else computed when the program starts
}

typedef struct TunableSearch {
    const Checker *checker;
    const Symbol *found;
} TunableSearch;

static bool reads_tunable(const AstExpr *expr, void *data) {
    TunableSearch *search = data;
    if (!check_is_interface(search->checker, expr)) {
        return false;
    }
    const Scope *properties = search->checker->at.unit->interface[PROPERTY_SPACE];
    bool is_property = expr->attr.object->name.name->text[0] == 'p' && properties != NULL;
    const Symbol *symbol = is_property ? scope_find_here(properties, expr->attr.name.name) : NULL;
    bool is_tunable = symbol != NULL && symbol->interface->kind == INTERFACE_TUNABLE;
    search->found = is_tunable ? symbol : search->found;
    return is_tunable;
}

static void note_tunable(const Checker *checker, Diag *diag, const AstExpr *ast) {
    TunableSearch search = {.checker = checker};
    AstVisitor visitor = {.expr = reads_tunable, .data = &search};
    if (ast_visit_expr(ast, &visitor)) {
        diag_note_at(diag, search.found->interface->span,
                     "`p.%s` is `tunable`; without the word it is a constant",
                     search.found->interface->name->text);
    }
}

void check_note_not_constant(Checker *checker, Diag *diag, const AstExpr *ast) {
    const TirFunction *function = checker->not_constant;
    note_tunable(checker, diag, ast);
    if (function == NULL) {
        return;
    }
    diag_note_at(diag, function->span, "`%s` %s", function->name->text,
                 function->has_effects ? "has side effects"
                                       : "touches terminals or variables of the file");
}
