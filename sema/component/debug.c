// Debug signals (L10.11): `debug("name", e)` sets a variable of the state that nothing reads. It is
// checked as the statement that it is, terminals too, and then stays or goes as a whole, so that
// what is legal does not depend on --debug-signals, and what is compiled without it is what it
// would be without the call.
#include "sema/component/component.h"
#include "sema/component/effects.h"

#include "sema/builtin/builtin.h"
#include "sema/expr.h"
#include "sema/library/library.h"
#include "sema/system/system.h"
#include "sema/value.h"
#include "tir/visit.h"

#include <string.h>

static bool is_identifier(Slice text) {
    for (size_t k = 0; k < text.len; k++) {
        char c = text.data[k];
        bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        if (!is_letter && (k == 0 || c < '0' || c > '9')) {
            return false;
        }
    }
    return text.len > 0;
}

// The name of a signal; NULL after an error.
static Name signal_name(Checker *checker, const BuiltinCall *call) {
    const AstExpr *argument = builtin_argument(call, 0);
    Slice text;
    if (!builtin_text(checker, call, 0, &text)) {
        return NULL;
    }
    if (!is_identifier(text)) {
        check_error(checker, DIAG_E0408, argument->span,
                    "a debug signal has a name like a variable's, as in `debug(\"error\", e)`");
        return NULL;
    }
    Name name = names_intern(checker->context->names, text.data, text.len);
    const Unit *unit = checker->at.unit;
    const Symbol *other = scope_find_here(unit->scope, name);
    if (other == NULL || other->kind == SYMBOL_FUNCTION) {
        other = scope_find_here(unit->interface[0], name);
    }
    if (other != NULL) {
        Diag *diag = check_error(checker, DIAG_E0302, argument->span,
                                 "`%s` is a name that can be watched already", name->text);
        diag_label(diag, other->span, "first declared here");
        return NULL;
    }
    return name;
}

// The variable of the signal, which is no variable of the program yet; NULL after an error.
static TirVar *find_signal(Checker *checker, Name name, const Type *type, Span span) {
    for (size_t k = 0; k < checker->debug_signals.count; k++) {
        TirVar *var = checker->debug_signals.items[k];
        if (var->name == name && var->type != type) {
            Diag *diag = check_error(
                checker, DIAG_E0302, span, "the debug signal `%s` is %s here and %s before",
                name->text, check_type_text(checker, type), check_type_text(checker, var->type));
            diag_label(diag, var->span, "first declared here");
            return NULL;
        }
        if (var->name == name) {
            return var;
        }
    }
    TirVar *var = ARENA_NEW(checker->arena, TirVar);
    *var = (TirVar){.id = UINT32_MAX, .role = VAR_GLOBAL, .name = name, .type = type, .span = span};
    LIST_PUSH(checker->arena, &checker->debug_signals, var);
    return var;
}

// What the function does without the call, or with it.
static void settle_function(const Checker *checker, TirFunction *function,
                            const TirFunction *before) {
    if (checker->options->debug_signals) {
        function->writes_globals = true;
        return;
    }
    function->reads_globals = before->reads_globals;
    function->writes_globals = before->writes_globals;
    function->has_effects = before->has_effects;
    function->uses_interface = before->uses_interface;
}

static void set_signal(Checker *checker, const BuiltinCall *call, TirBlock *block) {
    Slice text = {"", 0};
    TirBlock *outside = checker->at.block;
    CheckMode mode = checker->at.mode;
    checker->at.block = block;
    checker->at.mode.in_index = checker->at.mode.in_debug = true; // side effects are E0604
    TirExpr *value = check_value(checker, builtin_argument(call, 1));
    checker->at.mode = mode;
    Name name = signal_name(checker, call);
    bool ok = call->count < 3 || builtin_text(checker, call, 2, &text);
    if (name != NULL && ok && !type_is_poison(value->type)) {
        TirVar *var = find_signal(checker, name, value->type, builtin_argument(call, 0)->span);
        if (var != NULL) {
            if (var->debug == NULL || text.len > 0) {
                var->debug = arena_copy_text(checker->arena, text.data, text.len);
            }
            tir_set_var(&checker->tir, block, var, value, call->span);
        }
    }
    checker->at.block = outside;
}

TirExpr *builtin_debug(Checker *checker, const BuiltinCall *call) {
    if (checker->at.unit->kind != FILE_COMPONENT || checker->at.instance == NULL) {
        return check_fail(checker, DIAG_E0706, call->span,
                          "`debug` stands in functions of components: nothing else runs in steps");
    }
    checker->at.instance->has_debug = true;
    TirFunction before = *checker->at.function;
    TirStmt *stmt = tir_stmt(&checker->tir, checker->at.block, STMT_IF, call->span);
    stmt->branch.condition = tir_const_bool(&checker->tir, true, call->span);
    stmt->branch.is_debug = true;
    set_signal(checker, call, &stmt->branch.then);
    settle_function(checker, checker->at.function, &before);
    return check_nothing(checker, call->span);
}

// What goes, and what only it called, instances made for other sizes. What stays makes its signals
// variables of the program: those of code that constants or guards leave out are none.
typedef struct Settling {
    Checker *checker;
    bool stays;
    bool *is_called; // by function: by a statement that stays
    bool *is_left;   // by one that has gone
} Settling;

static void mark_calls(const TirBlock *block, bool *marks) {
    for (size_t k = 0; k < block->count; k++) {
        TirStmt *stmt = block->items[k];
        TirBlock *inner[2];
        size_t count = tir_stmt_blocks(stmt, inner);
        for (size_t i = 0; i < count; i++) {
            mark_calls(inner[i], marks);
        }
        if (stmt->kind == STMT_CALL) {
            marks[stmt->call.function->id] = true;
        }
    }
}

// A statement that assigns a signal makes it one of the program.
static void keep_signal(Checker *checker, const TirStmt *stmt) {
    TirVar *var = stmt->kind == STMT_SET ? tir_place_var(stmt->set.place) : NULL;
    if (var != NULL && var->debug != NULL && var->id == UINT32_MAX) {
        var->id = checker->tir.global_count++;
        LIST_PUSH(checker->arena, &checker->program->globals, var);
    }
}

static void settle_block(const Settling *settling, TirBlock *block) {
    Arena *arena = settling->checker->arena;
    TirBlock settled = {0};
    for (size_t k = 0; k < block->count; k++) {
        TirStmt *stmt = block->items[k];
        TirBlock *inner[2];
        size_t count = tir_stmt_blocks(stmt, inner);
        if (stmt->kind != STMT_IF || !stmt->branch.is_debug) {
            for (size_t i = 0; i < count; i++) {
                settle_block(settling, inner[i]);
            }
            LIST_PUSH(arena, &settled, stmt);
        } else if (settling->stays) {
            for (size_t i = 0; i < stmt->branch.then.count; i++) {
                keep_signal(settling->checker, stmt->branch.then.items[i]);
                LIST_PUSH(arena, &settled, stmt->branch.then.items[i]);
            }
        } else {
            mark_calls(&stmt->branch.then, settling->is_left);
        }
    }
    *block = settled;
}

static bool is_signal(const Checker *checker, Name name) {
    for (size_t k = 0; k < checker->debug_signals.count; k++) {
        if (checker->debug_signals.items[k]->name == name) {
            return true;
        }
    }
    return false;
}

// What was made for a system, as `delay_1`, leaves the name to a signal.
static void rename_made(Checker *checker) {
    for (size_t k = 0; k < checker->program->globals.count; k++) {
        TirVar *var = checker->program->globals.items[k];
        while (var->debug == NULL && is_signal(checker, var->name)) {
            var->name =
                system_hidden_name(checker, arena_format(checker->arena, "%s_", var->name->text));
        }
    }
}

// Callers stand behind those that they call.
static void remove_left(const Settling *settling, TirProgram *program) {
    for (size_t k = program->functions.count; k-- > 0;) {
        TirFunction *function = program->functions.items[k];
        bool is_instance = strcmp(function->symbol, function->name->text) != 0;
        bool goes = is_instance && settling->is_left[k] && !settling->is_called[k];
        mark_calls(&function->body, goes ? settling->is_left : settling->is_called);
        program->functions.items[k] = goes ? NULL : function;
    }
    size_t count = 0;
    for (size_t k = 0; k < program->functions.count; k++) {
        TirFunction *function = program->functions.items[k];
        if (function != NULL) {
            function->id = (uint32_t)count;
            program->functions.items[count++] = function;
        }
    }
    program->functions.count = count;
}

void check_settle_debug(Checker *checker) {
    TirProgram *program = checker->program;
    size_t count = program->functions.count;
    Settling settling = {.checker = checker, .stays = checker->options->debug_signals};
    if (checker->debug_signals.count == 0) {
        return;
    }
    settling.is_called = ARENA_ARRAY(checker->arena, bool, count);
    settling.is_left = ARENA_ARRAY(checker->arena, bool, count);
    for (size_t k = 0; k < count; k++) {
        settle_block(&settling, &program->functions.items[k]->body);
    }
    if (settling.stays) {
        rename_made(checker);
    } else {
        remove_left(&settling, program);
        library_drop(checker);
        effects_find_outputs(checker->context, program);
    }
}
