// Guards (L10.5): `exists` and `feedthrough` choose code while compiling. Both branches are checked
// as if their condition held; the one that is not taken is emitted nowhere.
//
// Note [Guards reach into calls]
// A function that is called under a guard may use the guarded terminal. So it is checked for the
// guards around its call, like a function with size parameters is for its sizes. An instance
// remembers what it asked of the guards outside it (Instance.asked), its callees' questions
// included, and serves every call under which the answers are the same; a function that uses no
// optional terminal asks nothing and has one instance. Where the guarded terminal is absent, all
// calls under its guard are in code that never runs, and the instance stays out of the program.
#include "sema/component/component.h"

#include "sema/component/infer.h"
#include "sema/stmt.h"

#include <string.h>

static bool has_fact(const GuardFact *from, const GuardFact *to, const TirInterface *terminal) {
    for (const GuardFact *at = from; at != to; at = at->outer) {
        if (at->terminal == terminal) {
            return true;
        }
    }
    return false;
}

static void remember_question(Checker *checker, Instance *instance, const TirInterface *terminal,
                              bool is_guarded) {
    for (size_t k = 0; k < instance->asked.count; k++) {
        if (instance->asked.items[k].terminal == terminal) {
            return;
        }
    }
    GuardQuestion question = {terminal, is_guarded};
    LIST_PUSH(checker->arena, &instance->asked, question);
}

bool check_is_guarded(Checker *checker, const TirInterface *terminal) {
    Instance *instance = checker->at.instance;
    const GuardFact *outside = instance == NULL ? NULL : instance->guards;
    if (has_fact(checker->at.guards, outside, terminal)) {
        return true;
    }
    bool is_guarded = has_fact(outside, NULL, terminal);
    if (instance != NULL) {
        remember_question(checker, instance, terminal, is_guarded);
    }
    return is_guarded;
}

bool check_guards_fit(const Checker *checker, const Instance *instance) {
    for (size_t k = 0; k < instance->asked.count; k++) {
        const GuardQuestion *question = &instance->asked.items[k];
        if (has_fact(checker->at.guards, NULL, question->terminal) != question->is_guarded) {
            return false;
        }
    }
    return true;
}

bool check_needs_guard(const Instance *instance, bool absent) {
    for (size_t k = 0; k < instance->asked.count; k++) {
        const GuardQuestion *question = &instance->asked.items[k];
        if (question->is_guarded && !(absent && question->terminal->is_present)) {
            return true;
        }
    }
    return false;
}

void check_note_terminal(Checker *checker, const TirInterface *terminal) {
    if (checker->at.used != NULL && terminal->space == 't') {
        check_add_terminal(checker, checker->at.used, terminal);
    }
}

bool check_has_terminal(const TerminalSet *set, const TirInterface *terminal) {
    for (size_t k = 0; k < set->count; k++) {
        if (set->items[k] == terminal) {
            return true;
        }
    }
    return false;
}

void check_add_terminal(Checker *checker, TerminalSet *set, const TirInterface *terminal) {
    if (!check_has_terminal(set, terminal)) {
        LIST_PUSH(checker->arena, set, terminal);
    }
}

static void note_all(Checker *checker, const TerminalSet *used) {
    for (size_t k = 0; k < used->count; k++) {
        check_note_terminal(checker, used->items[k]);
    }
}

void check_note_callee(Checker *checker, const Instance *callee) {
    for (size_t k = 0; k < callee->asked.count; k++) {
        check_is_guarded(checker, callee->asked.items[k].terminal);
    }
    note_all(checker, &callee->used);
}

// The calls through which control came here, the outermost first.
static void explain_calls(Checker *checker, Diag *diag) {
    const Instance *innermost = checker->at.instance;
    CallPath path = {0};
    for (const Instance *at = innermost; at != NULL && at->caller != NULL; at = at->caller) {
        path.count++;
    }
    path.items = ARENA_ARRAY(checker->arena, CallStep, path.count);
    size_t step = path.count;
    for (const Instance *at = innermost; step > 0; at = at->caller) {
        path.items[--step] = (CallStep){at->caller->tir, at->tir, at->call_span};
    }
    // check_error has told of the call of an instance with sizes.
    path.count -= path.count > 0 && innermost->decl->sizes.count > 0;
    check_note_path(diag, &path);
}

// Whether `?:` stands behind it, as in `1 - t.a ?: 0.0`.
static bool has_default(const Checker *checker, Span name) {
    const SourceFile *source = checker->at.unit->file->source;
    const char *behind = source->text + (name.end - source->base);
    return strncmp(behind + strspn(behind, " "), "?:", 2) == 0;
}

static void report_absent(Checker *checker, const TirInterface *terminal, const AstExpr *name,
                          bool is_written) {
    const char *guard = check_interface_text(checker, terminal);
    const char *text = name->kind == AST_ATTR ? guard : check_expr_text(checker, name->span, "x");
    Diag *diag = check_error(checker, DIAG_E0731, name->span, "`%s` may be absent here", text);
    explain_calls(checker, diag);
    if (is_written) {
        diag_note(diag, "`%s? = ...` assigns where it is there; `exists %s:` guards a block", text,
                  guard);
    } else if (has_default(checker, name->span)) {
        diag_note(diag, "`?:` comes after all other operators: `(%s ?: ...)` is a value by itself",
                  text);
    } else {
        diag_note(diag,
                  "`%s ?: ...` gives a value where there is none; `exists %s:` guards a block",
                  text, guard);
    }
}

bool check_is_present(Checker *checker, const TirInterface *terminal, const AstExpr *name,
                      bool is_written) {
    if (terminal == NULL) {
        return true;
    }
    if (name->kind == AST_NAME) {
        check_note_terminal(checker, terminal);
    }
    bool is_present = checker->at.mode.unevaluated || name == checker->at.optional_read ||
                      check_is_guarded(checker, terminal);
    if (!is_present) {
        report_absent(checker, terminal, name, is_written);
    }
    return is_present;
}

// A block of a guard, emitted only if it is taken; `used` takes the terminals it names.
static bool require_choice(Checker *checker, const AstBlock *block, bool is_taken,
                           const GuardFact *guards, TerminalSet *used) {
    TirBlock nowhere = {0};
    const GuardFact *outer = checker->at.guards;
    TerminalSet *outer_used = checker->at.used;
    bool saw_break = checker->at.loop != NULL && checker->at.loop->saw_break;
    checker->at.guards = guards;
    checker->at.used = used;
    bool falls_through = check_block(checker, block, is_taken ? checker->at.block : &nowhere);
    checker->at.used = outer_used;
    checker->at.guards = outer;
    if (!is_taken && checker->at.loop != NULL) {
        checker->at.loop->saw_break = saw_break;
    }
    return falls_through;
}

void check_guarded(Checker *checker, const TirInterface *terminal, const AstStmt *stmt,
                   void check(Checker *checker, const AstStmt *stmt)) {
    TirBlock nowhere = {0};
    TirBlock *outside = checker->at.block;
    const GuardFact *outer = checker->at.guards;
    GuardFact *fact = ARENA_NEW(checker->arena, GuardFact);
    *fact = (GuardFact){terminal, outer};
    checker->at.guards = fact;
    checker->at.block = terminal->is_present ? outside : &nowhere;
    check(checker, stmt);
    checker->at.block = outside;
    checker->at.guards = outer;
}

// What an `if` has where it is taken for a guard.
static void check_first_arm(Checker *checker, const AstStmt *stmt) {
    TirBlock nowhere = {0};
    check_block(checker, &stmt->branch.arms[0].body, &nowhere);
}

bool check_report_guard(Checker *checker, const AstStmt *stmt) {
    const AstExpr *condition = stmt->branch.arms[0].condition;
    bool is_mark = condition->kind == AST_OPTIONAL && condition->optional->kind == AST_ATTR;
    const TirInterface *terminal = is_mark && stmt->branch.arm_count == 1
                                       ? check_find_optional(checker, condition->optional)
                                       : NULL;
    if (terminal == NULL || terminal->type->root == ROOT_BOOL) {
        return false;
    }
    const char *name = check_interface_text(checker, terminal);
    Diag *diag = check_error(checker, DIAG_E0735, condition->span,
                             "`%s?` may be absent, and a condition has a value", name);
    diag_help(diag, "`exists %s:` begins a block for where it is there", name);
    diag_edit(diag, (Span){stmt->branch.arms[0].span.start, condition->span.end}, "exists %s",
              name);
    check_guarded(checker, terminal, stmt, check_first_arm);
    if (stmt->branch.has_otherwise) {
        TirBlock nowhere = {0};
        check_block(checker, &stmt->branch.otherwise, &nowhere);
    }
    return true;
}

// The terminal that a guard names; NULL after an error.
static const TirInterface *find_guarded(Checker *checker, const AstExpr *ast, bool feedthrough) {
    if (checker->at.unit->kind != FILE_COMPONENT) {
        check_error(checker, DIAG_E0706, ast->span,
                    "guards stand in components only: nothing else has terminals");
        return NULL;
    }
    if (!check_is_interface(checker, ast)) {
        check_error(checker, DIAG_E0301, ast->span, "`%s` is no terminal: guards name terminals",
                    check_expr_text(checker, ast->span, "this"));
        return NULL;
    }
    TerminalSet *used = checker->at.used;
    checker->at.used = NULL;
    const TirInterface *item = check_find_interface(checker, ast);
    if (!feedthrough) {
        infer_optional(checker, ast);
    }
    checker->at.used = used;
    if (item == NULL) {
        return NULL;
    }
    const char *text = check_interface_text(checker, item);
    if (item->space != 't') {
        check_error(checker, DIAG_E0301, ast->span, "`%s` is no terminal: guards name terminals",
                    text);
        return NULL;
    }
    if (!feedthrough && !item->is_optional) {
        Diag *diag = check_warning(checker, WARNING_GUARD, ast->span,
                                   "`%s` is not optional: it always exists", text);
        diag_note_at(diag, item->span, "it is declared here");
    }
    return item;
}

// What a guard says, and what its branches name.
typedef struct Guard {
    const AstStmt *stmt;
    const TirInterface **terminals; // NULL where the name has an error
    TerminalSet used[2];            // in the main branch and in `else`
} Guard;

// Each guarded name is used where it is known to be there: `not exists` has that in its `else`.
static void require_used(Checker *checker, const Guard *guard) {
    const AstStmt *stmt = guard->stmt;
    bool in_else = stmt->guard.negated && !stmt->guard.feedthrough;
    if (in_else && !stmt->guard.has_otherwise) {
        return;
    }
    for (size_t k = 0; k < stmt->guard.names.count; k++) {
        const TirInterface *terminal = guard->terminals[k];
        bool either = stmt->guard.negated && stmt->guard.feedthrough;
        bool is_used = terminal == NULL || check_has_terminal(&guard->used[in_else], terminal) ||
                       (either && check_has_terminal(&guard->used[1], terminal));
        if (!is_used) {
            check_error(checker, DIAG_E0730, stmt->guard.names.items[k]->span,
                        "this guard does not use `%s` in %s",
                        check_interface_text(checker, terminal),
                        either    ? "either branch"
                        : in_else ? "its `else`"
                                  : "its main branch");
        }
    }
}

// What a branch names, its guard's statement names, too.
static void note_branch(Checker *checker, Guard *guard, bool in_else, bool is_taken) {
    if (guard->stmt->guard.feedthrough && !is_taken) {
        infer_leave_out(checker, &guard->used[in_else]);
    }
    note_all(checker, &guard->used[in_else]);
}

bool check_guard(Checker *checker, const AstStmt *stmt) {
    Guard guard = {.stmt = stmt};
    size_t count = stmt->guard.names.count;
    guard.terminals = ARENA_ARRAY(checker->arena, const TirInterface *, count);
    size_t errors = checker->context->diags->error_count;
    const GuardFact *outside = checker->at.guards;
    const GuardFact *present = outside;
    bool all = true;
    for (size_t k = 0; k < count; k++) {
        const AstExpr *ast = stmt->guard.names.items[k];
        const TirInterface *terminal = find_guarded(checker, ast, stmt->guard.feedthrough);
        guard.terminals[k] = terminal;
        if (terminal == NULL) {
            continue;
        }
        all = all && (stmt->guard.feedthrough ? terminal->has_feedthrough : terminal->is_present);
        if (!stmt->guard.feedthrough && terminal->is_optional) {
            GuardFact *fact = ARENA_NEW(checker->arena, GuardFact);
            *fact = (GuardFact){terminal, present};
            present = fact;
        }
    }
    bool holds = all != stmt->guard.negated;
    bool falls = require_choice(checker, &stmt->guard.body, holds,
                                stmt->guard.negated ? outside : present, &guard.used[0]);
    note_branch(checker, &guard, false, holds);
    bool otherwise_falls = true;
    if (stmt->guard.has_otherwise) {
        otherwise_falls = require_choice(checker, &stmt->guard.otherwise, !holds,
                                         stmt->guard.negated ? present : outside, &guard.used[1]);
        note_branch(checker, &guard, true, !holds);
    }
    if (checker->context->diags->error_count == errors) {
        require_used(checker, &guard);
    }
    return holds ? falls : otherwise_falls;
}
