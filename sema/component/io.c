// Variables of input and output hardware (L16). Each is a terminal of its own, `io_a` for hosts and
// simulations; in the source its name stands for nothing but with `<-`.
#include "sema/component/component.h"

#include "sema/constant.h"
#include "sema/expr.h"
#include "sema/notes/record.h"
#include "sema/stmt.h"
#include "sema/value.h"
#include "tir/constant.h"

#include <string.h>

static const char *const ranges[] = {"hil", "ao", "abs", "shared", "ext", "sink"};

enum { RANGE_COUNT = sizeof ranges / sizeof ranges[0] };

// False after E0201.
static bool take_word(Checker *checker, const AstExpr *ast, TirIo *io) {
    bool is_word = ast->kind == AST_NAME && ast->name.macro_indices.count == 0;
    const char *word = is_word ? ast->name.name->text : "";
    if (strcmp(word, "dma") == 0 && !io->is_dma) {
        io->is_dma = true;
        return true;
    }
    for (size_t k = 0; k < RANGE_COUNT && io->range == NULL; k++) {
        io->range = strcmp(word, ranges[k]) == 0 ? ranges[k] : NULL;
        if (io->range != NULL) {
            return true;
        }
    }
    Diag *diag = check_error(checker, DIAG_E0201, ast->span,
                             "behind the address stand `dma` and a range, each once, and not this");
    diag_note(diag, "ranges are `hil`, `ao`, `abs`, `shared`, `ext` and `sink`");
    return false;
}

// False after E0414 or E0201.
static bool take_address(Checker *checker, const AstExpr *ast, TirIo *io) {
    TirExpr *value = check_constant(checker, ast);
    int64_t address;
    if (type_is_poison(value->type)) {
        return false;
    }
    if (!constant_integer(&checker->tir, value, &address)) {
        Diag *diag = check_error(checker, DIAG_E0414, ast->span,
                                 "an address must be a constant `int` or `uint`");
        check_note_not_constant(checker, diag, ast);
        return false;
    }
    if (address < 0) {
        Diag *diag = check_error(checker, DIAG_E0201, ast->span,
                                 "an address cannot be negative, this is %lld", (long long)address);
        diag_note(diag, "addresses from 0x80000000 on are `uint`: `0x80000000u`");
        return false;
    }
    io->address = (uint64_t)address;
    return true;
}

static bool type_fits(Checker *checker, const Type *type, Span span) {
    if (type_is_poison(type)) {
        return false;
    }
    bool fits = type_is_numeric(type) && (type_is_scalar(type) || shape_is_vector(type));
    return fits || check_refuse(checker, DIAG_E0201, span,
                                "a variable of hardware is a number or a vector of numbers, not %s",
                                check_type_text(checker, type));
}

// The terminal; its type is poison after an error.
static TirInterface *create_terminal(Checker *checker, const AstStmt *stmt, Name name) {
    TirInterface *item = ARENA_NEW(checker->arena, TirInterface);
    TirIo *io = ARENA_NEW(checker->arena, TirIo);
    const Type *type = check_type(checker, stmt->io.type);
    bool good = type_fits(checker, type, stmt->io.type->span);
    good = take_address(checker, stmt->io.arguments.items[0], io) && good;
    for (size_t k = 1; k < stmt->io.arguments.count; k++) {
        good = take_word(checker, stmt->io.arguments.items[k], io) && good;
    }
    io->name = name;
    const char *text = arena_format(checker->arena, "io_%s", io->name->text);
    *item = (TirInterface){
        .kind = stmt->io.is_output ? INTERFACE_OUTPUT : INTERFACE_INPUT,
        .space = 't',
        .name = names_intern_text(checker->context->names, text),
        .span = stmt->io.name.span,
        .type = good ? type : checker->poison->type,
        .io = io,
        .is_present = true,
        .has_feedthrough = !stmt->io.is_output,
    };
    return item;
}

void check_report_io_name(Checker *checker, Name name, Span span, Span first) {
    Diag *diag = check_error(checker, DIAG_E0302, span,
                             "hosts know `%s`, a variable of hardware, as the terminal `io_%s`",
                             name->text, name->text);
    diag_label(diag, first, "first declared here");
}

static bool is_free(Checker *checker, const AstName *name, const TirInterface *item) {
    const Unit *unit = checker->at.unit;
    const Symbol *old = scope_find_here(checker->at.scope, name->name);
    const Symbol *terminal = scope_find_here(unit->interface[0], item->name);
    check_file_level_name(checker, unit, name->name, name->span);
    if (old == NULL && terminal == NULL) {
        return true;
    }
    if (old == NULL) {
        check_report_io_name(checker, name->name, name->span, terminal->span);
        return false;
    }
    Diag *diag = check_error(checker, DIAG_E0302, name->span, "`%s` is declared twice in one scope",
                             name->name->text);
    diag_label(diag, old->span, "first declared here");
    return false;
}

void check_io_declaration(Checker *checker, const AstStmt *stmt) {
    const Unit *unit = checker->at.unit;
    if (!checker->at.mode.at_file_level || unit->kind != FILE_COMPONENT || unit->index != 0) {
        check_error(checker, checker->at.mode.at_file_level ? DIAG_E0701 : DIAG_E0706, stmt->span,
                    "a variable of hardware stands at the file level of a component only");
        check_declare_unknown(checker, &stmt->io.name);
        return;
    }
    AstName name = {.name = check_macro_name(checker, &stmt->io.name), .span = stmt->io.name.span};
    if (name.name == NULL) {
        return;
    }
    TirInterface *item = create_terminal(checker, stmt, name.name);
    if (!is_free(checker, &name, item)) {
        check_declare_unknown(checker, &name);
        return;
    }
    Symbol *symbol = scope_add(checker->at.scope, SYMBOL_IO, name.name, item->span);
    symbol->interface = item;
    notes_interface(checker, item, item->span, false);
    if (type_is_poison(item->type)) {
        return; // uses of it stay silent
    }
    TirVarRole role = item->kind == INTERFACE_INPUT ? VAR_INPUT : VAR_OUTPUT;
    item->var = tir_var_create(&checker->tir, NULL, role, item->name, item->type, item->span);
    LIST_PUSH(checker->arena, &checker->program->globals, item->var);
    LIST_PUSH(checker->arena, &checker->program->interface, item);
}

// The variable of hardware, or what stands for one after an error.
static const Symbol *io_symbol(Checker *checker, const AstExpr *ast) {
    bool is_known = ast->kind == AST_NAME && check_knows_name(checker, &ast->name);
    Name name = is_known ? check_macro_name(checker, &ast->name) : NULL;
    const Symbol *symbol = name != NULL ? scope_find(checker->at.scope, name) : NULL;
    bool is_unknown =
        symbol != NULL && symbol->kind == SYMBOL_VAR && type_is_poison(symbol->var->type);
    return symbol != NULL && (symbol->kind == SYMBOL_IO || is_unknown) ? symbol : NULL;
}

const AstExpr *check_io_bottom(Checker *checker, const AstExpr *ast) {
    const AstExpr *name = ast;
    while (name->kind == AST_INDEX) {
        name = name->index.object;
    }
    const Symbol *symbol = io_symbol(checker, name);
    if (symbol != NULL) {
        return symbol->kind == SYMBOL_IO ? name : NULL; // or it was told what is wrong with it
    }
    Diag *diag = check_error(checker, DIAG_E0202, ast->span,
                             "`<-` reads and writes variables of hardware, and `%s` is none",
                             check_expr_text(checker, name->span, "this"));
    diag_note(diag, "such a variable is declared as `in<int, 0x1234> a` or `out<int, 0x1238> b`");
    return NULL;
}

TirExpr *check_io_read(Checker *checker, const AstExpr *ast) {
    const AstExpr *outer = checker->at.io_name;
    const AstExpr *name = check_io_bottom(checker, ast->unary.operand);
    if (name == NULL) {
        return checker->poison;
    }
    checker->at.io_name = name;
    TirExpr *value = check_value(checker, ast->unary.operand);
    checker->at.io_name = outer;
    bool is_access = checker->options->mmio && !checker->at.mode.unevaluated;
    // An access is made here, once, and not where the value is used.
    return is_access && type_has_value(value->type) ? check_into_temporary(checker, value) : value;
}

// Whether `**` or `'` follows, which would take the name before `<-` does.
static bool binds_to_left(const Checker *checker, Span name) {
    SourcePlace place = sources_place(checker->context->sources, name.end);
    const char *behind = place.file->text + place.offset;
    return *behind == '\'' || strncmp(behind + strspn(behind, " "), "**", 2) == 0;
}

TirExpr *check_io_name(Checker *checker, const AstExpr *ast, Symbol *symbol) {
    const TirInterface *item = symbol->interface;
    const char *name = symbol->name->text;
    symbol->used = true;
    if (type_is_poison(item->type)) {
        return checker->poison;
    }
    if (!checker->at.mode.unevaluated && ast != checker->at.io_name) {
        Diag *diag =
            check_error(checker, DIAG_E0721, ast->span,
                        "`%s` is a variable of hardware, which `<-` reads and writes", name);
        if (item->kind == INTERFACE_INPUT) {
            diag_help(diag, "`<-%s` reads it", name);
            diag_edit(diag, ast->span, binds_to_left(checker, ast->span) ? "(<-%s)" : "<-%s", name);
        }
        return checker->poison;
    }
    if (!checker->at.mode.unevaluated && item->kind == INTERFACE_OUTPUT) {
        Diag *diag = check_error(checker, DIAG_E0721, ast->span,
                                 "`%s` is an output and cannot be read", name);
        diag_note_at(diag, item->span, "it is declared here");
        return checker->poison;
    }
    if (!checker->at.mode.unevaluated && checker->at.mode.pure) {
        return check_fail(checker, DIAG_E0702, ast->span,
                          "a file-level value cannot read hardware");
    }
    return check_read(checker, item->var, ast->span);
}

TirVar *check_io_target(Checker *checker, const AstExpr *ast, Symbol *symbol) {
    const TirInterface *item = symbol->interface;
    const char *name = symbol->name->text;
    symbol->used = true;
    if (ast != checker->at.io_name) {
        Diag *diag = check_error(checker, DIAG_E0720, ast->span,
                                 "`%s` is a variable of hardware and cannot be assigned to", name);
        if (item->kind == INTERFACE_OUTPUT) {
            diag_note(diag, "`%s <- value` writes it", name);
        }
        return NULL;
    }
    if (item->kind == INTERFACE_INPUT) {
        Diag *diag = check_error(checker, DIAG_E0720, ast->span,
                                 "`%s` is an input and cannot be written", name);
        diag_note_at(diag, item->span, "it is declared here");
        return NULL;
    }
    return item->var;
}
