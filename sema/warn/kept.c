// Variables in functions of a component that look like state and are not: they begin with the same
// value in each call, and what they have at its end is lost.
#include "sema/warn/state.h"

#include "parser/ast_visit.h"

#include <string.h>

// What a body does with one variable.
typedef struct Course {
    Name name;
    uint32_t set_count;
    uint32_t read_from, read_to; // where the first and the last reading stand; 0: there is none
    const AstStmt *last;         // that assigns to it
    Span target;                 // of that: reads nothing
    bool is_unclear;             // whose another variable of that name, or an index of a macro, is
} Course;

static bool follow_stmt(const AstStmt *stmt, void *data) {
    Course *course = data;
    bool is_ours = stmt->kind == AST_ASSIGN && stmt->assign.target->kind == AST_NAME &&
                   stmt->assign.target->name.name == course->name;
    if (is_ours) {
        course->set_count++;
        course->last = stmt;
        course->target = stmt->assign.target->span;
    }
    course->is_unclear |= stmt->kind == AST_DECL && stmt->decl.name.name == course->name;
    return course->is_unclear;
}

// A target that is an element or one of several is a reading too, and hides nothing.
static bool follow_name(const AstExpr *expr, void *data) {
    Course *course = data;
    bool is_ours = expr->kind == AST_NAME && expr->name.name == course->name;
    course->is_unclear |= expr->kind == AST_NAME && expr->name.macro_indices.count > 0;
    if (course->is_unclear || !is_ours || expr->span.start == course->target.start) {
        return course->is_unclear;
    }
    uint32_t at = expr->span.start;
    course->read_from = course->read_from == 0 || at < course->read_from ? at : course->read_from;
    course->read_to = at > course->read_to ? at : course->read_to;
    return false;
}

// The variable that a statement gives a value without names, where the scope declares it.
static const Symbol *begun_by(const Checker *checker, const Scope *scope, const AstStmt *stmt) {
    bool declares = stmt->kind == AST_DECL;
    bool assigns =
        stmt->kind == AST_ASSIGN && !stmt->assign.compound && stmt->assign.target->kind == AST_NAME;
    if (!declares && !assigns) {
        return NULL;
    }
    const AstName *name = declares ? &stmt->decl.name : &stmt->assign.target->name;
    const AstExpr *value = declares ? stmt->decl.value : stmt->assign.value;
    const Symbol *symbol = scope_find_here(scope, name->name);
    bool begins = symbol != NULL && symbol->kind == SYMBOL_VAR &&
                  symbol->span.start == name->span.start && value != NULL;
    return begins && warn_is_literal(checker, value->span) ? symbol : NULL;
}

static bool is_step(const AstStmt *ast) {
    const char *name = ast->function.name.name->text;
    return strcmp(name, "output_fnc") == 0 || strcmp(name, "update_fnc") == 0;
}

static bool stands_in(const AstBlock *block, const AstStmt *stmt) {
    for (size_t k = 0; k < block->count; k++) {
        if (block->items[k] == stmt) {
            return true;
        }
    }
    return false;
}

// `i += x`, `i = i + x`, `y = a * y + b * x`
static bool adds_up(const AstStmt *stmt, const Course *course) {
    const AstExpr *value = stmt->assign.value;
    AstBinaryOp op = stmt->assign.compound       ? stmt->assign.op
                     : value->kind == AST_BINARY ? value->binary.op
                                                 : AST_BINARY_MUL;
    bool reads = stmt->assign.compound || course->read_from < stmt->span.end;
    return reads && (op == AST_BINARY_ADD || op == AST_BINARY_SUB);
}

// Functions that are called live as long as the step that calls them.
static void tell(Checker *checker, const AstStmt *ast, const Course *course, Span begin,
                 const char *lost) {
    Diag *diag =
        warn_at(checker, WARNING_LOST_STATE, course->target, "`%s` begins anew in each %s, and %s",
                course->name->text, is_step(ast) ? "step" : "call", lost);
    diag_label(diag, begin, "here");
    diag_help(diag, "what is kept from step to step is declared at file level");
}

void warn_lost_state(Checker *checker, const AstStmt *ast, const Scope *scope) {
    if (!warn_is_wanted(checker) || checker->at.unit->kind != FILE_COMPONENT ||
        check_in_test(checker) || strcmp(ast->function.name.name->text, "init_fnc") == 0) {
        return;
    }
    const AstBlock *body = &ast->function.body;
    for (size_t k = 0; k + 1 < body->count; k++) {
        const Symbol *symbol = begun_by(checker, scope, body->items[k]);
        if (symbol == NULL) {
            continue;
        }
        Course course = {.name = symbol->name};
        AstVisitor visitor = {.stmt = follow_stmt, .expr = follow_name, .data = &course};
        const AstBlock rest = {.items = body->items + k + 1, .count = body->count - k - 1};
        (void)ast_visit_block(&rest, &visitor);
        if (course.is_unclear || course.set_count == 0 || !stands_in(body, course.last)) {
            continue;
        }
        Span last = course.last->span;
        if (course.read_from != 0 && course.read_to < last.end) {
            tell(checker, ast, &course, symbol->span, "what it is given last is lost");
        } else if (course.read_from >= last.start && course.set_count == 1 &&
                   adds_up(course.last, &course)) {
            tell(checker, ast, &course, symbol->span, "adds up nothing");
        }
    }
}
