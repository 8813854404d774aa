// Tests beside the source (L19). A test is a function without parameters that nothing calls; what
// it may do beyond others is asked where that is checked, by check_in_test. `cycle()` calls a
// function that is made here: it runs output_fnc, keeps what the outputs show then, and runs
// update_fnc.
#include "sema/test.h"

#include "sema/component/component.h"
#include "sema/expr.h"
#include "sema/warn/warn.h"
#include "support/suggest.h"

#include <stdlib.h>
#include <string.h>

AstFile *tests_take(Arena *arena, AstFile *file, AstBlock *tests) {
    AstFile *rest = ARENA_NEW(arena, AstFile);
    rest->source = file->source;
    for (size_t k = 0; k < file->statements.count; k++) {
        AstStmt *stmt = file->statements.items[k];
        AstBlock *into = stmt->kind == AST_TEST ? tests : &rest->statements;
        LIST_PUSH(arena, into, stmt);
    }
    return rest;
}

bool tests_has_cycles(const Checker *checker) {
    return check_in_test(checker) && checker->program->kind == PROGRAM_COMPONENT;
}

TirVar *tests_shown(Checker *checker, const TirInterface *output) {
    return table_get(&checker->shown, output);
}

bool tests_have(const TirInterface *item, TirInterfaceKind kind) {
    return item->kind == kind && item->is_present && type_has_value(item->type);
}

// Outputs get a variable each.
static void create_shown(Checker *checker) {
    TirProgram *program = checker->program;
    for (size_t k = 0; k < program->interface.count; k++) {
        const TirInterface *item = program->interface.items[k];
        if (tests_have(item, INTERFACE_OUTPUT)) {
            TirVar *var =
                tir_var_create(&checker->tir, NULL, VAR_GLOBAL, NULL, item->type, item->span);
            LIST_PUSH(checker->arena, &program->globals, var);
            table_set(checker->arena, &checker->shown, item, var);
        }
    }
}

static void call(Checker *checker, TirBlock *block, TirFunction *function, Span span) {
    if (function != NULL) {
        tir_stmt(&checker->tir, block, STMT_CALL, span)->call.function = function;
    }
}

static TirFunction *create_cycle(Checker *checker) {
    TirProgram *program = checker->program;
    TirFunction *cycle = ARENA_NEW(checker->arena, TirFunction);
    Span start = {checker->units.items[0]->file->source->base,
                  checker->units.items[0]->file->source->base};
    cycle->symbol = "test.cycle";
    cycle->name = names_intern_text(checker->context->names, "cycle");
    cycle->span = start;
    cycle->is_made = true;
    cycle->reads_globals = cycle->writes_globals = cycle->uses_interface = true;
    cycle->has_effects = true;
    call(checker, &cycle->body, program->output, start);
    for (size_t k = 0; k < program->interface.count; k++) {
        const TirInterface *item = program->interface.items[k];
        TirVar *shown = tests_shown(checker, item);
        if (shown != NULL) {
            tir_set_var(&checker->tir, &cycle->body, shown,
                        tir_read(&checker->tir, item->var, start), start);
        }
    }
    call(checker, &cycle->body, program->update, start);
    tir_add_function(&checker->tir, checker->program, cycle);
    return cycle;
}

void tests_cycle(Checker *checker, TirExpr *count, Span span) {
    if (checker->cycle == NULL) {
        checker->cycle = create_cycle(checker);
    }
    TirBlock *block = checker->at.block;
    if (count != NULL) {
        TirStmt *loop = tir_stmt(&checker->tir, block, STMT_FOR, span);
        loop->for_loop.var =
            tir_var_create(&checker->tir, checker->at.function, VAR_LOOP, NULL, count->type, span);
        loop->for_loop.first = tir_const_int(&checker->tir, 0, span);
        loop->for_loop.last = count;
        loop->for_loop.step = tir_const_int(&checker->tir, 1, span);
        loop->for_loop.step_span = span;
        block = &loop->for_loop.body;
    }
    call(checker, block, checker->cycle, span);
}

// Errors that are expected.

// The code that stands behind the text of a test; DIAG_CODE_COUNT after E0771.
static DiagCode expected_code(Checker *checker, const AstName *name) {
    Suggestion suggestion = suggestion_for(name->name->text, name->name->len);
    for (int code = 0; code < DIAG_CODE_COUNT; code++) {
        const DiagRow *row = diag_row((DiagCode)code);
        if (row->text[0] != 'E') {
            continue;
        }
        if (strcmp(row->text, name->name->text) != 0) {
            suggestion_try(&suggestion, row->text);
            continue;
        }
        if (row->class == DIAG_MEANING || row->class == DIAG_FORESEEN || row->class == DIAG_TRAP) {
            return (DiagCode)code;
        }
        check_error(checker, DIAG_E0771, name->span,
                    "`%s` is an error of the text: no file that has it has tests", row->text);
        return DIAG_CODE_COUNT;
    }
    Diag *diag =
        check_error(checker, DIAG_E0771, name->span, "there is no error `%s`", name->name->text);
    if (suggestion.nearest != NULL) {
        diag_help(diag, "did you mean `%s`?", suggestion.nearest);
    }
    return DIAG_CODE_COUNT;
}

// The first error since then; NULL when there is none, or when it was not kept.
static const Diag *first_error(const DiagList *diags, const DiagMark *mark) {
    for (size_t k = mark->kept; k < diags->all.count; k++) {
        if (diags->all.items[k]->severity == SEVERITY_ERROR) {
            return diags->all.items[k];
        }
    }
    return NULL;
}

static void forget_broken_instances(FunctionDecl *decl) {
    size_t count = 0;
    for (size_t k = 0; k < decl->instances.count; k++) {
        Instance *instance = decl->instances.items[k];
        if (decl->sizes.count == 0 || !instance->tir->has_errors) {
            decl->instances.items[count++] = instance;
        }
    }
    decl->instances.count = count;
}

// Functions with errors that the body made by calling them must not serve another test.
static void forget_broken(Checker *checker, size_t first) {
    TirProgram *program = checker->program;
    size_t count = first;
    for (size_t k = first; k < program->functions.count; k++) {
        TirFunction *function = program->functions.items[k];
        if (!function->has_errors) {
            function->id = (uint32_t)count;
            program->functions.items[count++] = function;
        }
    }
    program->functions.count = count;
    for (size_t k = 0; k < checker->units.count; k++) {
        Unit *unit = checker->units.items[k];
        for (size_t i = 0; i < unit->functions.count; i++) {
            forget_broken_instances(unit->functions.items[i]);
        }
    }
}

// The body of the test has to have this error and no other one.
static void hold_against(Checker *checker, TirTest *test, DiagCode expected, const AstName *name,
                         const DiagMark *mark) {
    DiagList *diags = checker->context->diags;
    const Diag *found = first_error(diags, mark);
    size_t count = diags->error_count - mark->errors;
    diags_undo(diags, mark);
    if (count == 1 && found != NULL && found->code == expected) {
        return;
    }
    bool is_run = checker->options->tests == TESTS_RUN;
    DiagMark unharmed = is_run ? diags_mark(diags) : *mark;
    Diag *diag;
    if (count == 0) {
        diag = check_error(checker, DIAG_E0772, name->span, "this test has no error");
    } else if (count > 1) {
        diag = check_error(checker, DIAG_E0772, name->span, "this test has %zu errors, not one",
                           count);
    } else {
        diag = check_error(checker, DIAG_E0772, name->span, "this test has another error");
    }
    if (found != NULL) {
        diag_note_at(diag, found->span, "%s: %s", diag_row(found->code)->text, found->message);
    }
    if (is_run) { // the others run all the same
        test->failure = diag;
        diags_undo(diags, &unharmed);
    }
}

// The tests of a file.

static bool is_second(Checker *checker, const AstBlock *tests, size_t at) {
    const AstName *name = &tests->items[at]->function.name;
    for (size_t k = 0; k < at; k++) {
        const AstName *other = &tests->items[k]->function.name;
        if (other->name == name->name) {
            Diag *diag =
                check_error(checker, DIAG_E0302, name->span, "there are two tests of this name");
            diag_label(diag, other->span, "the first is this");
            return true;
        }
    }
    return false;
}

static void check_test(Checker *checker, Unit *unit, AstStmt *ast, size_t number) {
    const AstName *error = &ast->function.error;
    DiagCode expected = error->name == NULL ? DIAG_CODE_COUNT : expected_code(checker, error);
    bool is_trap = expected != DIAG_CODE_COUNT && diag_row(expected)->class == DIAG_TRAP;
    FunctionDecl *decl = ARENA_NEW(checker->arena, FunctionDecl);
    decl->ast = ast;
    decl->name = names_intern_text(checker->context->names,
                                   arena_format(checker->arena, "test.%zu", number));
    decl->unit = unit;
    TirTest *test = ARENA_NEW(checker->arena, TirTest);
    test->name = ast->function.name.name;
    test->span = ast->function.name.span;
    test->trap = is_trap ? (int)strtol(diag_row(expected)->text + 1, NULL, 10) : 0;
    if (expected == DIAG_CODE_COUNT || is_trap) {
        test->function = check_uncalled(checker, decl);
    } else {
        size_t functions = checker->program->functions.count;
        DiagMark mark = diags_mark(checker->context->diags);
        (void)check_uncalled(checker, decl);
        hold_against(checker, test, expected, error, &mark);
        forget_broken(checker, functions);
    }
    LIST_PUSH(checker->arena, &checker->program->tests, test);
}

// What tests change is nothing that functions called from them may take for granted: inputs and
// tunable properties count as variables, too.
static void mark_readers(TirProgram *program) {
    for (size_t k = 0; k < program->functions.count; k++) {
        TirFunction *function = program->functions.items[k];
        function->reads_globals |= function->uses_interface;
    }
}

void tests_check(Checker *checker, Unit *unit) {
    CheckTests wanted = checker->options->tests;
    bool has_work = wanted == TESTS_RUN || (wanted == TESTS_CHECKED && unit->tests.count > 0);
    if (!has_work || checker->outer != NULL) {
        return;
    }
    if (unit->kind == FILE_COMPONENT) {
        create_shown(checker);
    }
    for (size_t k = 0; k < unit->tests.count; k++) {
        if (!is_second(checker, &unit->tests, k)) {
            check_test(checker, unit, unit->tests.items[k], k);
        }
    }
    mark_readers(checker->program);
    checker->program->is_tested = wanted == TESTS_RUN;
}
