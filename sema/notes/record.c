// See record.h.
#include "sema/notes/record.h"

#include "support/bug.h"

const char *name_role_text(NameRole role) {
    static const char *const texts[] = {
#define NAME_ROLE(ROLE, text) text,
#include "sema/notes/notes.def"
    };
    return texts[role];
}

const char *note_space_text(const NameNote *note) {
    return note->space == 't' ? "t." : note->space == 'p' ? "p." : note->space == 'n' ? "n." : "";
}

void notes_add_value(Checker *checker, const AstExpr *ast, const Type *type) {
    ValueNote note = {ast, type, checker->at.function};
    LIST_PUSH(checker->arena, &checker->options->notes->values, note);
}

static bool is_same_span(Span a, Span b) {
    return a.start == b.start && a.end == b.end;
}

static void add_name(Checker *checker, NameNote note) {
    note.function = checker->at.function;
    LIST_PUSH(checker->arena, &checker->options->notes->names, note);
}

static NameRole var_role(const Symbol *symbol) {
    switch (symbol->var->role) {
    case VAR_INOUT: return NAME_PLACE;
    case VAR_LOOP: return NAME_LOOP;
    case VAR_GLOBAL: return NAME_GLOBAL;
    case VAR_PARAM: return NAME_PARAMETER;
    case VAR_LOCAL: return symbol->is_param ? NAME_PARAMETER : NAME_LOCAL;
    case VAR_TEMP:
    case VAR_RESULT:
    case VAR_INPUT:
    case VAR_OUTPUT:
    case VAR_TUNABLE: break;
    }
    UNREACHABLE();
}

static NameRole interface_role(const TirInterface *item) {
    switch (item->kind) {
    case INTERFACE_INPUT: return NAME_INPUT;
    case INTERFACE_OUTPUT: return NAME_OUTPUT;
    case INTERFACE_TUNABLE: return NAME_TUNABLE;
    case INTERFACE_CONSTANT: return item->space == 'p' ? NAME_PROPERTY : NAME_CONSTANT;
    }
    UNREACHABLE();
}

void notes_interface(Checker *checker, const TirInterface *item, Span span, bool is_other) {
    if (!notes_are_on(checker)) {
        return;
    }
    bool is_hardware = item->io != NULL;
    add_name(checker, (NameNote){
                          .span = span,
                          .declaration = item->span,
                          .declares = is_same_span(span, item->span),
                          .role = interface_role(item),
                          .space = is_hardware ? '\0' : item->space,
                          .is_other = is_other,
                          .name = is_hardware ? item->io->name : item->name,
                          .type = item->type,
                          .value = item->value,
                          .interface = item,
                      });
}

static void add_symbol(Checker *checker, const Symbol *symbol, Span span, bool declares) {
    if (!notes_are_on(checker)) {
        return;
    }
    NameNote note = {
        .span = span, .declaration = symbol->span, .declares = declares, .name = symbol->name};
    switch (symbol->kind) {
    case SYMBOL_VAR:
        note.role = var_role(symbol);
        note.type = symbol->var->type;
        break;
    case SYMBOL_CONSTANT:
        note.role = symbol->is_loop ? NAME_LOOP : NAME_SIZE;
        note.value = symbol->constant;
        note.type = symbol->constant->type;
        break;
    case SYMBOL_FUNCTION: note.role = NAME_FUNCTION; break;
    case SYMBOL_INSTANCE: note.role = NAME_INSTANCE; break;
    case SYMBOL_IO:
    case SYMBOL_INTERFACE: notes_interface(checker, symbol->interface, span, false); return;
    }
    add_name(checker, note);
}

void notes_symbol(Checker *checker, const Symbol *symbol, Span span) {
    add_symbol(checker, symbol, span, false);
}

void notes_declared(Checker *checker, const Symbol *symbol) {
    add_symbol(checker, symbol, symbol->span, true);
}

void notes_macro(Checker *checker, Name name, const TirExpr *value, Span span) {
    if (notes_are_on(checker)) {
        add_name(checker, (NameNote){.span = span,
                                     .declaration = value->span,
                                     .declares = is_same_span(span, value->span),
                                     .role = NAME_MACRO,
                                     .name = name,
                                     .type = value->type,
                                     .value = value});
    }
}

void notes_name(Checker *checker, NameRole role, Name name, Span declaration, Span span) {
    if (notes_are_on(checker)) {
        add_name(checker, (NameNote){.span = span,
                                     .declaration = declaration,
                                     .declares = is_same_span(span, declaration),
                                     .role = role,
                                     .name = name});
    }
}

void notes_operands(Checker *checker, Span span, NoteForm form, const Type *left, const Type *right,
                    const ShapeFit *fit) {
    if (notes_are_on(checker)) {
        OperandNote note = {span, form, left, right, *fit, checker->at.function};
        LIST_PUSH(checker->arena, &checker->options->notes->operands, note);
    }
}

void notes_index(Checker *checker, const IndexNote *index) {
    if (notes_are_on(checker)) {
        IndexNote note = *index;
        note.function = checker->at.function;
        LIST_PUSH(checker->arena, &checker->options->notes->indices, note);
    }
}

void notes_call(Checker *checker, const FunctionDecl *decl, Span span, const Instance *instance,
                TirExpr *const *given, const size_t *size_from) {
    if (!notes_are_on(checker) || decl->unit->trusted) {
        return;
    }
    size_t count = decl->ast->function.param_count;
    const Type **types = ARENA_ARRAY(checker->arena, const Type *, count);
    for (size_t k = 0; k < count; k++) {
        types[k] = given[k] == NULL ? NULL : given[k]->type;
    }
    CallNote note = {
        .span = span,
        .declaration = decl->ast,
        .callee = instance == NULL ? NULL : instance->tir,
        .given = types,
        .size_from = size_from,
        .caller = checker->at.function,
    };
    LIST_PUSH(checker->arena, &checker->options->notes->calls, note);
}

void notes_instance(Checker *checker, const Instance *instance) {
    if (notes_are_on(checker)) {
        const FunctionDecl *decl = instance->decl;
        InstanceNote note = {
            .function = instance->tir,
            .declaration = decl->ast,
            .sizes = decl->sizes.items,
            .values = instance->sizes,
            .count = decl->sizes.count,
            .call = instance->call_span,
        };
        LIST_PUSH(checker->arena, &checker->options->notes->instances, note);
    }
}

void notes_file(Checker *checker, const AstFile *file) {
    Notes *notes = checker->options->notes;
    bool is_known = notes == NULL;
    for (size_t k = 0; !is_known && k < notes->files.count; k++) {
        is_known = notes->files.items[k] == file;
    }
    if (!is_known) {
        LIST_PUSH(checker->arena, &notes->files, file);
    }
}

// Whether some declaration by this statement has an instance: a macro may declare several.
static bool has_instance(const Unit *unit, const AstStmt *ast) {
    for (size_t k = 0; k < unit->functions.count; k++) {
        const FunctionDecl *decl = unit->functions.items[k];
        if (decl->ast == ast && decl->instances.count > 0) {
            return true;
        }
    }
    return false;
}

void notes_end(Checker *checker) {
    Notes *notes = checker->options->notes;
    for (size_t u = 0; notes != NULL && u < checker->units.count; u++) {
        const Unit *unit = checker->units.items[u];
        for (size_t k = 0; k < unit->functions.count; k++) {
            const FunctionDecl *decl = unit->functions.items[k];
            if (decl->sizes.count > 0 && !has_instance(unit, decl->ast)) {
                LIST_PUSH(checker->arena, &notes->unchecked, decl->ast);
            }
        }
    }
}
